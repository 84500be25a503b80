"""What a caller has had in the last hour, for surfaces with such a limit. It is kept in the book: a restart forgets
nothing, and several servers on one book count together."""

from hashlib import blake2b

from commonplace.domain.entries import Entry
from commonplace.engine.caller import Caller
from commonplace.errors import StoreUnwritable

SHELF = "hourly"
HOUR = 3_600_000


def take(caller: Caller, what: str, most: int) -> bool:
    """Whether the caller may have another one, where there may be so many in an hour; if so, it counts.

    A book that can only be read counts nothing, which is no reason to refuse.
    """
    user, now = caller.principal.user, caller.clock()
    id = f"{what}_{blake2b(user.encode(), digest_size=16).hexdigest()}"
    try:
        with caller.store.writing(caller.principal.tenant) as unit:
            entry = unit.entries.get(SHELF, id)
            times = entry.body.get("times") if entry is not None else None
            past = [at for at in times if now - HOUR < at <= now] if isinstance(times, list) else []
            if len(past) >= most:
                return False
            own = str(caller.principal.own_scope)
            unit.entries.put(Entry(SHELF, id, own, now, {"times": [*past, now]}))
    except StoreUnwritable:
        return True
    return True
