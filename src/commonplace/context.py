"""Who does something: what is written down with everything that changes."""

from commonplace.memory import Origin
from commonplace.record import Record
from commonplace.scope import Principal


class Context(Record):
    """Who does something, through which door, and when. The door sets it once for each call."""

    principal: Principal
    surface: str
    actor: str
    origin: Origin
    now: int
