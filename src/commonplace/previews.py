"""What somebody was shown before something is done to it: ids under the words they asked with, for ten minutes."""

from collections.abc import Sequence
from hashlib import blake2b

from commonplace.ids import Clock
from commonplace.ports import Store
from commonplace.scope import Principal, Right
from commonplace.shelves import Entry, Wanted
from commonplace.text import fold

SHELF = "preview"
LASTS = 600_000
SWEPT_AT_ONCE = 100


class Previews:
    """The previews of one principal. They hold ids and no words of anybody's."""

    def __init__(self, store: Store, principal: Principal, clock: Clock) -> None:
        self._store = store
        self._principal = principal
        self._clock = clock

    def keep(self, asked: str, ids: Sequence[str]) -> None:
        """Remember what was shown for a question, and let go of what is over."""
        self._principal.require(Right.WRITE)
        now = self._clock()
        with self._store.writing(self._principal.tenant) as unit:
            for old in unit.shelves.page(Wanted(SHELF, until=max(0, now - LASTS + 1)), SWEPT_AT_ONCE):
                unit.shelves.remove(SHELF, old.id)
            scope = str(self._principal.own_scope)
            unit.shelves.put(Entry(SHELF, self._key(asked), scope, now, {"ids": list(ids)}))

    def shown(self, asked: str) -> tuple[str, ...]:
        """The ids that were shown for the same question a short while ago."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            entry = unit.shelves.get(SHELF, self._key(asked))
        if entry is None or entry.at <= self._clock() - LASTS:
            return ()
        ids = entry.body["ids"]
        return tuple(map(str, ids)) if isinstance(ids, list) else ()

    def drop(self, asked: str) -> None:
        """What was shown has been dealt with."""
        self._principal.require(Right.WRITE)
        with self._store.writing(self._principal.tenant) as unit:
            unit.shelves.remove(SHELF, self._key(asked))

    def _key(self, asked: str) -> str:
        name = "\x00".join((self._principal.user, fold(asked)))
        return f"pre_{blake2b(name.encode(), digest_size=13).hexdigest().upper()}"
