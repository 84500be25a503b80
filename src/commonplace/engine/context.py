"""Who does something: what is written down with everything that changes."""

from commonplace.domain.memory import Origin
from commonplace.domain.record import Record
from commonplace.domain.scope import Principal


class Context(Record):
    """Who does something, through which door, and when. The door sets it once for each call."""

    principal: Principal
    surface: str
    actor: str
    origin: Origin
    now: int
