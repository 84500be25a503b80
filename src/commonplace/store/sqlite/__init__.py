"""The book in one SQLite file, through APSW and only APSW.

Opening the file with another SQLite library, or as a plain file, in the same process drops
the locks that keep several processes from losing each other's writes.
"""

from commonplace.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
