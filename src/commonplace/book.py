"""The book: the verbs. It owns the clock, ids and transactions, and thinks with the paths beside it."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from commonplace import intake, lifecycle, parse, recall
from commonplace.care import Care
from commonplace.checks import check_text
from commonplace.config import Configuration, load
from commonplace.errors import InvalidInput, ReadOnly
from commonplace.events import Event, Revision
from commonplace.ids import Clock, system_clock
from commonplace.intake import Draft, Refused, Remembered, Repeats, Verdict
from commonplace.lifecycle import Changes, Context
from commonplace.memory import Memory, Origin, Relation
from commonplace.ports import Embedder, Erasure, Store, Unit, Use
from commonplace.project import resolve, scope_of
from commonplace.query import PAGE_LIMIT, Filter, Order, Page, Query, Recall
from commonplace.scope import Principal, Right, Scope
from commonplace.text import normalise, slug
from commonplace.transfer import Transfer
from commonplace.uses import PATIENCE_SECONDS, UseCounter
from commonplace.why import Explanation, explain
from commonplace.wiring import assemble

Reference = str | int | Memory
"""A memory by its id in any spelling (`mem_…`, `ctx_…`), by its number, or itself."""


@dataclass(frozen=True, slots=True)
class Door:
    """Through which door a book is used: what is written down as provenance and trust."""

    surface: str = "library"
    origin: Origin = Origin.AGENT
    actor: str = "local"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a purge removed, and whether the bytes are gone from the book's files already."""

    ids: tuple[str, ...]
    purged_at: int
    erasure: Erasure


class Book:
    """Memory for agents, in one place. Thread-safe; use it as a context manager or close it.

    >>> with Book.open("book.db") as book:
    ...     book.remember("Deploys are on Monday", topic="deploy day")
    ...     for hit in book.recall("when do we deploy?").hits:
    ...         print(hit.memory.text, hit.relevance, hit.reason)
    """

    def __init__(
        self,
        store: Store,
        principal: Principal = Principal(),
        embedder: Embedder | None = None,
        clock: Clock = system_clock,
        door: Door = Door(),
        project_root: Path | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._door = door
        self._uses = UseCounter(store, principal.tenant)
        self._root = project_root
        self.principal = principal
        self.care = Care(store, principal, embedder, clock)
        self.transfer = Transfer(store, principal, clock, door.actor)

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        model: str | None = None,
        principal: Principal | None = None,
        clock: Clock = system_clock,
        door: Door = Door(),
        configuration: Configuration | None = None,
    ) -> Self:
        """Open the book at `path`, else the one the settings name. The first write creates it.

        `model` names an installed model pack, or `none` for words only.
        """
        chosen = configuration or load({"store": None if path is None else str(path), "model": model})
        parts = assemble(chosen)
        who = principal or Principal(user=chosen.settings.user)
        return cls(parts.store, who, parts.embedder, clock, door, chosen.project_root)

    def close(self) -> None:
        """Write down what is still waiting and let go of the file."""
        self._uses.flush(PATIENCE_SECONDS)
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    # -- where -------------------------------------------------------------------------------

    @property
    def embedder(self) -> Embedder | None:
        return self._embedder

    def scope(self, selector: str | Scope | None = None) -> Scope:
        """A selector (`user`, `project:auto`, `agent:reviewer`, …) as a scope; nothing means your own."""
        if isinstance(selector, Scope):
            selector = str(selector)
        return resolve(selector or "user:default", self.principal, self._root)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Where reads look unless told otherwise: your own scope and the current project's."""
        return (self.principal.own_scope, *(() if self._root is None else (scope_of(self._root),)))

    def filter(self, filter: Filter | None = None) -> Filter:
        """A filter narrowed to what the caller may see; without one, the default scopes."""
        if filter is None:
            return Filter(self.scopes)
        for scope in filter.scopes:
            self.scope(scope)
        return filter if filter.scopes else replace(filter, scopes=self.scopes)

    # -- remember ----------------------------------------------------------------------------

    def draft(self, text: str, *, scope: str | Scope | None = None, **fields: object) -> Draft:
        """A draft for `remember`; `fields` are those of `Draft`, times also as datetimes or ISO 8601."""
        return Draft(text, self.scope(scope), **parse.draft_fields(fields, self._clock()))  # type: ignore[arg-type]

    def remember(
        self,
        text: str | Draft,
        *,
        repeats: Repeats = Repeats(),
        idempotency_key: str | None = None,
        **fields: object,
    ) -> Remembered:
        """Remember one thing. The result says whether it is new, a repeat, or near something known."""
        draft = text if isinstance(text, Draft) else self.draft(text, **fields)  # type: ignore[arg-type]
        (result,) = self.remember_many([draft], repeats=repeats, idempotency_key=idempotency_key)
        if isinstance(result, Refused):
            raise result.error
        return result

    def remember_many(
        self,
        drafts: Sequence[Draft],
        *,
        repeats: Repeats = Repeats(),
        idempotency_key: str | None = None,
    ) -> tuple[Remembered | Refused, ...]:
        """Remember several things at once: one embedding run, one transaction; a bad one spoils no other."""
        self._require(Right.WRITE)
        for draft in drafts:
            self.scope(draft.scope)
        context = self._context()
        prepared = intake.prepare(drafts, context, self._embedder)
        digest = intake.digest_of(drafts, repeats)
        with self._writing() as unit:
            if idempotency_key is not None:
                known = intake.replayed(unit, self.principal.user, idempotency_key, digest)
                if known is not None:
                    return tuple(Remembered(memory, Verdict.REPLAYED) for memory in known)
            results = tuple(
                item if isinstance(item, Refused) else intake.store(item, unit, repeats, context, self._embedder)
                for item in prepared
            )
            if idempotency_key is not None:
                intake.keep_key(unit, self.principal.user, idempotency_key, digest, results, context.now)
        return results

    # -- recall ------------------------------------------------------------------------------

    def recall(self, query: str | Query, **options: object) -> Recall:
        """What the book knows about something, best first. `options` are those of `Query`."""
        self._require(Right.READ)
        if isinstance(query, str):
            filter = self.filter(options.pop("filter", None))  # type: ignore[arg-type]
            query = Query(query, filter, **{"surface": self._door.surface, **options})  # type: ignore[arg-type]
        self.filter(query.filter)
        found = recall.find(self._store, self.principal.tenant, query, self._embedder, self._clock())
        if query.counts_use and not query.explain and found.hits:
            now = self._clock()
            self._uses.record([Use(hit.memory.number, now, query.surface) for hit in found.hits])
        return found

    def why(self, query: str | Query, reference: Reference | None = None, **options: object) -> Explanation:
        """Why a recall answers as it does and, for one memory, why it surfaced or did not."""
        if isinstance(query, str):
            filter = self.filter(options.pop("filter", None))  # type: ignore[arg-type]
            query = Query(query, filter, **options)  # type: ignore[arg-type]
        memory = None if reference is None else self.get(reference)
        found = self.recall(replace(query, explain=True, counts_use=False))
        return explain(found, memory, self._clock())

    # -- read --------------------------------------------------------------------------------

    def get(self, reference: Reference) -> Memory:
        """One memory, whatever its status."""
        self._require(Right.READ)
        with self._store.reading(self.principal.tenant) as unit:
            return self._find(unit, reference)

    def list(
        self, filter: Filter | None = None, *, order: Order = Order.NEWEST, limit: int = 50, cursor: int | None = None
    ) -> Page:
        """A page of memories; `cursor` is the `next_cursor` of the page before."""
        self._require(Right.READ)
        if not 1 <= limit <= PAGE_LIMIT:
            raise InvalidInput(f"limit must be from 1 to {PAGE_LIMIT}, not {limit}.", "limit")
        filter, now = self.filter(filter), self._clock()
        with self._store.reading(self.principal.tenant) as unit:
            if filter.as_of is not None:
                return _past_page(unit, filter, order, limit, cursor)
            found = unit.memories.page(filter, now, order, limit + 1, cursor)
            total = unit.memories.count(filter, now)
        return Page(found[:limit], total, found[limit - 1].number if len(found) > limit else None)

    def history(self, reference: Reference) -> tuple[Event, ...]:
        """What happened to a memory, oldest first; it outlives the memory itself."""
        self._require(Right.READ)
        with self._store.reading(self.principal.tenant) as unit:
            memory = self._seek(unit, reference)
            if memory is not None and not self.principal.may_see(memory.scope):
                raise lifecycle.missing(reference)
            id = memory.id if memory is not None else _spelled(reference)
            return () if id is None else self._visible_events(unit.log.events(id))

    def revisions(self, reference: Reference) -> tuple[Revision, ...]:
        """Every state a memory has had, oldest first, the present one last."""
        self._require(Right.READ)
        with self._store.reading(self.principal.tenant) as unit:
            return unit.log.revisions(self._find(unit, reference).number)

    def relations(self, reference: Reference) -> tuple[Relation, ...]:
        self._require(Right.READ)
        with self._store.reading(self.principal.tenant) as unit:
            return unit.relations.of(self._find(unit, reference).id)

    # -- lifecycle ---------------------------------------------------------------------------

    def update(self, reference: Reference, changes: Changes, *, expected_revision: int | None = None) -> Memory:
        """Change a memory; with `expected_revision`, only if nobody else did meanwhile."""
        checked, context = self._checked(changes), self._context()
        texts = [checked.text] if isinstance(checked.text, str) else []
        vectors, _ = intake.embedded(texts, self._embedder)
        with self._writing() as unit:
            memory = self._find(unit, reference)
            changed = lifecycle.update(unit, context, memory, checked, expected_revision)
            for vector in vectors:
                if vector is not None and self._embedder is not None and changed.text != memory.text:
                    unit.vectors.put(changed.number, self._embedder.space, vector)
            return changed

    def confirm(self, reference: Reference, *, at: int | None = None) -> Memory:
        """Say that a memory still holds."""
        with self._writing() as unit:
            return lifecycle.confirm(unit, self._context(), self._find(unit, reference), at)

    def supersede(self, old: Reference, new: Reference, *, reason: str | None = None) -> Memory:
        """Put `new` in the place of `old`; gives back the old one."""
        self._refuse_secrets(reason)
        with self._writing() as unit:
            return lifecycle.supersede(unit, self._context(), self._find(unit, old), self._find(unit, new), reason)

    def invalidate(self, reference: Reference, *, at: int | None = None, reason: str | None = None) -> Memory:
        """Say that a memory is not true any more, from `at` on."""
        self._refuse_secrets(reason)
        with self._writing() as unit:
            return lifecycle.invalidate(unit, self._context(), self._find(unit, reference), at, reason)

    def archive(self, reference: Reference, *, reason: str | None = None) -> Memory:
        """Put a memory out of sight."""
        self._refuse_secrets(reason)
        with self._writing() as unit:
            return lifecycle.archive(unit, self._context(), self._find(unit, reference), reason)

    def forget(
        self, reference: Reference, *, reason: str | None = None, replaced_by: Reference | None = None
    ) -> Memory:
        """Leave a tombstone, which `restore` can undo and which warns whoever adds the same again."""
        self._refuse_secrets(reason)
        with self._writing() as unit:
            successor = None if replaced_by is None else self._find(unit, replaced_by)
            return lifecycle.forget(unit, self._context(), self._find(unit, reference), reason, successor)

    def restore(self, reference: Reference) -> Memory:
        """Bring a memory back that was archived, forgotten, superseded or invalidated."""
        with self._writing() as unit:
            return lifecycle.restore(unit, self._context(), self._find(unit, reference))

    def purge(self, *references: Reference, deep: bool = False) -> Receipt:
        """Remove memories for good: no byte of them stays in the book. `deep` rewrites the whole file too."""
        context = self._context()
        with self._writing() as unit:
            memories = {memory.id: memory for memory in (self._find(unit, each) for each in references)}
            for memory in memories.values():
                lifecycle.purge(unit, context, memory)
        return Receipt(tuple(memories), context.now, self._store.upkeep.erase_traces(deep))

    # -- inside ------------------------------------------------------------------------------

    def _context(self) -> Context:
        return Context(self.principal, self._door.surface, self._door.actor, self._door.origin, self._clock())

    def _writing(self) -> AbstractContextManager[Unit]:
        self._require(Right.WRITE)
        return self._store.writing(self.principal.tenant)

    def _require(self, right: Right) -> None:
        if not self.principal.may(right):
            raise ReadOnly(f"You may not {right.value} this book: ask whoever runs it for the right to.")

    def _find(self, unit: Unit, reference: Reference) -> Memory:
        memory = self._seek(unit, reference)
        if memory is None or not self.principal.may_see(memory.scope):
            raise lifecycle.missing(reference.id if isinstance(reference, Memory) else reference)
        return memory

    def _seek(self, unit: Unit, reference: Reference) -> Memory | None:
        if isinstance(reference, Memory):
            return unit.memories.by_id(reference.id)
        number = _number(reference)
        if number is not None:
            return unit.memories.by_number(number)
        id = _spelled(reference)
        return None if id is None else unit.memories.by_id(id)

    def _visible_events(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """The history of a purged memory is shown to whoever could have seen the memory."""
        scopes = {str(event.payload["scope"]) for event in events if "scope" in event.payload}
        return events if all(self.principal.may_see(Scope.parse(scope)) for scope in scopes) else ()

    def _checked(self, changes: Changes) -> Changes:
        if isinstance(changes.text, str):
            check_text(changes.text)
            self._refuse_secrets(changes.text, "text")
            changes = replace(changes, text=normalise(changes.text))
        if isinstance(changes.topic, str):
            changes = replace(changes, topic=slug(changes.topic))
        if isinstance(changes.scope, Scope):
            changes = replace(changes, scope=self.scope(changes.scope))
        labels = [value for value in changes.asked().values() if isinstance(value, str)]
        tags = changes.tags if isinstance(changes.tags, tuple) else ()
        for label in (*labels, *tags):
            self._refuse_secrets(label, "labels")
        return changes

    def _refuse_secrets(self, text: str | None, argument: str = "reason") -> None:
        if text:
            intake.refuse_secrets(text, argument)


def _number(reference: Reference) -> int | None:
    """`12` and `#12` are numbers."""
    if isinstance(reference, int):
        return reference
    digits = str(reference).removeprefix("#")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None


def _spelled(reference: Reference) -> str | None:
    """Any spelling of an id as ours: `ctx_…`, `cur_…` and a bare ULID mean the memory of that ULID."""
    text = reference.id if isinstance(reference, Memory) else str(reference).strip()
    prefix, underscore, tail = text.partition("_")
    if not underscore:
        tail = prefix
    elif prefix not in ("mem", "ctx", "cur"):
        return None
    return f"mem_{tail.upper()}" if tail else None


def _past_page(unit: Unit, filter: Filter, order: Order, limit: int, cursor: int | None) -> Page:
    """A listing of the book as it stood at a past moment."""
    moment = filter.as_of or 0
    found = [memory for memory in unit.log.states_at(moment) if filter.admits(memory, moment)]
    by_update = order is Order.UPDATED
    found.sort(key=lambda memory: (memory.updated_at if by_update else memory.created_at, memory.number))
    if order is not Order.OLDEST:
        found.reverse()
    numbers = [memory.number for memory in found]
    start = numbers.index(cursor) + 1 if cursor in numbers else 0
    page = tuple(found[start : start + limit])
    return Page(page, len(found), page[-1].number if start + limit < len(found) else None)
