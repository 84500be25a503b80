"""A store that takes no secret in: the net below every path that writes.

The paths refuse a secret with the name of the argument, or leave the sentence out. Whatever reaches the store is looked
at here once more, every text of every row, so that a field nobody thought of is no way in. What stands in the book
already may stay: a memory from before its secret was known as one can still be changed, forgotten and purged.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, cast

from commonplace import secrets
from commonplace.domain.record import texts_in
from commonplace.errors import SecretRefused
from commonplace.ports import Store, Tokens, Unit, Upkeep

Standing = Callable[..., object]
"""What stands where a row is about to be written, asked of the same part of the unit with the same arguments."""


def _nothing(part: object, *given: object) -> None:
    return None


_OWN_ID = re.compile(r"(?:mem|evt|rel|ses|cor)_[0-9A-HJKMNP-TV-Z]{26}")  # half of what a row says

WRITES: Mapping[str, Mapping[str, Standing]] = {
    "memories": {"add": _nothing, "replace": lambda part, memory, at: part.by_number(memory.number)},
    "entries": {"put": lambda part, entry: part.get(entry.shelf, entry.id), "next_in": _nothing},
    "log": {"append": _nothing},
    "uses": {"record": _nothing},
    "keys": {"keep": _nothing},
    "relations": {"add": _nothing},
    "tokens": {"add": _nothing, "replace": lambda part, token: part.find(token.id)},
}
"""The methods that write rows of somebody's words. `tables` are for whole books and go around the guard."""


def guarded(store: Store) -> Store:
    """The store behind its guard; one that has it already stays as it is."""
    return store if isinstance(store, GuardedStore) else GuardedStore(store)


class GuardedStore:
    """A store whose writing units, and whose tokens, refuse rows with a secret in them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def upkeep(self) -> Upkeep:
        return self._store.upkeep

    @property
    def tokens(self) -> Tokens:
        return cast(Tokens, _Part(self._store.tokens, WRITES["tokens"], set()))

    def reading(self, tenant: str) -> AbstractContextManager[Unit]:
        return self._store.reading(tenant)

    @contextmanager
    def writing(self, tenant: str) -> Iterator[Unit]:
        with self._store.writing(tenant) as unit:
            yield cast(Unit, _Unit(unit))

    @contextmanager
    def best_effort(self, tenant: str, patience_seconds: float) -> Iterator[Unit]:
        with self._store.best_effort(tenant, patience_seconds) as unit:
            yield cast(Unit, _Unit(unit))

    def close(self) -> None:
        self._store.close()


class _Unit:
    """One transaction, part by part."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._looked_at: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        part = getattr(self._unit, name)
        return _Part(part, WRITES[name], self._looked_at) if name in WRITES else part


class _Part:
    """A part of a unit whose writing methods look before they write."""

    def __init__(self, part: object, writes: Mapping[str, Standing], looked_at: set[str]) -> None:
        self._part = part
        self._writes = writes
        self._looked_at = looked_at

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._part, name)
        if name not in self._writes:
            return method

        def look_first(*given: object, **named: object) -> object:
            self._refuse_secrets((given, named), lambda: self._writes[name](self._part, *given, **named))
            return method(*given, **named)

        return look_first

    def _refuse_secrets(self, given: object, standing: Callable[[], object]) -> None:
        for name, text in texts_in(given):
            if text in self._looked_at or _OWN_ID.fullmatch(text):
                continue
            found = secrets.find(text)
            if found:
                known = [old for _, old in texts_in(standing())]
                new = [each for each in found if not any(text[each.start : each.end] in old for old in known)]
                if new:
                    raise SecretRefused(tuple(dict.fromkeys(each.kind for each in new)), name or "text")
            else:
                self._looked_at.add(text)  # the same names and labels are in every row of a transaction
