"""What another tool remembered, brought along: its files are told apart, read within bounds, looked at, then taken in.

Each format is a module with one pure function, from the text of a file to items; nothing here opens the book but
`taking`.
"""

from commonplace.imports.items import Found, Item, LeftOut
from commonplace.imports.reading import Plan, look_through
from commonplace.imports.telling import Format

__all__ = ["Format", "Found", "Item", "LeftOut", "Plan", "look_through"]
