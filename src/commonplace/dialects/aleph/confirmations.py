"""What somebody was shown and has yet to confirm: ids under the words they asked with, for ten minutes."""

from collections.abc import Sequence
from hashlib import blake2b

from commonplace.domain.entries import Entry, EntryFilter
from commonplace.engine.caller import Caller
from commonplace.text import fold

SHELF = "preview"
LASTS = 600_000
SWEPT_AT_ONCE = 100


class Confirmations:
    """What one principal was shown. They hold ids and no words of anybody's."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def keep(self, asked: str, ids: Sequence[str]) -> None:
        """Remember what was shown for a question, and let go of what is over."""
        with self._caller.writing() as work:
            for old in work.unit.entries.page(EntryFilter(SHELF, until=max(0, work.now - LASTS + 1)), SWEPT_AT_ONCE):
                work.unit.entries.remove(SHELF, old.id)
            scope = str(self._caller.principal.own_scope)
            work.unit.entries.put(Entry(SHELF, self._key(asked), scope, work.now, {"ids": list(ids)}))

    def shown(self, asked: str) -> tuple[str, ...]:
        """The ids that were shown for the same question a short while ago."""
        with self._caller.reading() as work:
            entry = work.unit.entries.get(SHELF, self._key(asked))
        if entry is None or entry.at <= work.now - LASTS:
            return ()
        ids = entry.body["ids"]
        return tuple(map(str, ids)) if isinstance(ids, list) else ()

    def drop(self, asked: str) -> None:
        """What was shown has been dealt with."""
        with self._caller.writing() as work:
            work.unit.entries.remove(SHELF, self._key(asked))

    def _key(self, asked: str) -> str:
        name = "\x00".join((self._caller.principal.user, fold(asked)))
        return f"pre_{blake2b(name.encode(), digest_size=13).hexdigest().upper()}"
