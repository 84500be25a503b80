"""The book as a document and back: one line of JSON for each memory, readable by anything."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

from commonplace.codec import Json, dumps, from_json, to_json
from commonplace.errors import CommonplaceError, InvalidInput, StoreError
from commonplace.events import Event, EventType, Plain
from commonplace.ids import Clock, ulid
from commonplace.intake import embedded, refuse_secrets
from commonplace.lifecycle import Context, log
from commonplace.membership import present
from commonplace.memory import Memory, Origin, Relation, RelationKind, Standing
from commonplace.ports import Embedder, Store, Unit, Use, Vector
from commonplace.query import Filter
from commonplace.record import Record, replace
from commonplace.scope import Principal, Right, ScopeKind
from commonplace.uses import PATIENCE_SECONDS

FORMAT = "commonplace-export"
VERSION = 1
LINE_LIMIT = 1_000_000
ITEM_LIMIT = 1_000_000

Progress = Callable[[int], None]


class Problem(Record):
    """A line that was not imported, and why."""

    line: int
    message: str


class Imported(Record):
    """What an import did, or would do on a dry run."""

    imported: int
    skipped: int
    problems: tuple[Problem, ...]
    dry_run: bool


class Arrival(Record):
    """A memory from elsewhere, as it is to stand in the book, with what the log should say of its arrival."""

    memory: Memory
    used_at: int | None = None
    payload: Mapping[str, Plain] = MappingProxyType({})


Same = Callable[[Memory, Memory], bool]
"""Whether a known memory whose folded text is the same makes another one superfluous."""


class Transfer:
    """Export and import for one principal."""

    def __init__(
        self, store: Store, principal: Principal, clock: Clock, actor: str, embedder: Embedder | None = None
    ) -> None:
        self._store = store
        self._principal = principal
        self._clock = clock
        self._actor = actor
        self._embedder = embedder

    def export(self, filter: Filter | None = None) -> Iterator[str]:
        """The document, line by line: a header, then memories by number, then their relations."""
        self._principal.require(Right.READ)
        if filter is not None and filter.as_of is not None:
            raise InvalidInput("An export is of the present: leave as_of out.", "as_of")
        now = self._clock()
        with self._store.reading(self._principal.tenant) as unit:
            yield dumps({"format": FORMAT, "version": VERSION, "exported_at": now})
            ids, who = [], present(unit, self._principal)
            for memory, _, _ in unit.memories.each():
                if who.may_see(memory.scope) and _admitted(memory, filter, now):
                    ids.append(memory.id)
                    yield dumps({"memory": self._shown(memory)})
            for id in ids:
                for relation in unit.relations.of(id):
                    if relation.source == id:
                        yield dumps({"relation": _relation_json(relation)})

    def note_export(self, payload: Mapping[str, Plain]) -> None:
        """Log that memories were exported. A book that is busy or cannot be written is exported all the same."""
        self._principal.require(Right.READ)
        now = self._clock()
        event = Event(f"evt_{ulid(now)}", EventType.EXPORTED, None, self._actor, now, payload)
        with suppress(StoreError), self._store.noting(self._principal.tenant, PATIENCE_SECONDS) as unit:
            unit.log.append(event)

    def import_(
        self, lines: Iterable[str], *, trust: bool = False, dry_run: bool = False, progress: Progress = lambda _: None
    ) -> Imported:
        """Take a document in, in one transaction. Repeats and purged memories are skipped and counted.

        What comes in waits for confirmation like anything imported, unless `trust` says that a
        person vouches for the document; then each memory keeps the origin it names.
        """
        self._principal.require(Right.WRITE)
        context = self._context()
        with self._store.reading(self._principal.tenant) as unit:
            who = present(unit, self._principal)
        memories, relations, problems = self._read(lines, who, trust)
        arrivals = [Arrival(memory, payload=_kind_and_scope(memory)) for memory in memories]
        with self._store.writing(self._principal.tenant) as unit:
            fresh = list(self._fresh(unit, arrivals, context.now, _same_text))
            if not dry_run:
                for done, arrival in enumerate(fresh, 1):
                    self._add(unit, context, arrival, None)
                    progress(done)
                known = {arrival.memory.id for arrival in fresh}
                for relation in relations:
                    if relation.source in known and relation.target in known:
                        unit.relations.add(relation)
        return Imported(len(fresh), len(memories) - len(fresh), tuple(problems), dry_run)

    def take_in(self, arrivals: Sequence[Arrival], same: Same, *, dry_run: bool = False) -> Imported:
        """Take memories in from another format's document, with their vectors, in one transaction.

        The caller has checked them; what is known already, as `same` judges, is skipped and counted.
        """
        self._principal.require(Right.WRITE)
        context, tenant = self._context(), self._principal.tenant
        with self._store.reading(tenant) as unit:
            fresh = list(self._fresh(unit, arrivals, context.now, same))
        if not dry_run:
            vectors, _ = embedded([arrival.memory.text for arrival in fresh], self._embedder)
            by_id = {arrival.memory.id: vector for arrival, vector in zip(fresh, vectors, strict=True)}
            with self._store.writing(tenant) as unit:
                fresh = list(self._fresh(unit, fresh, context.now, same))
                for arrival in fresh:
                    self._add(unit, context, arrival, by_id[arrival.memory.id])
        return Imported(len(fresh), len(arrivals) - len(fresh), (), dry_run)

    def _context(self) -> Context:
        return Context(self._principal, "import", self._actor, Origin.IMPORTED, self._clock())

    def _shown(self, memory: Memory) -> Json:
        data = to_json(memory)
        data["scope"] = self._principal.show(memory.scope)
        usage = memory.usage
        if usage.count:
            data["usage"] = {"count": usage.count, "used_at": usage.used_at, "surface": usage.surface}
        return data

    def _read(
        self, lines: Iterable[str], who: Principal, trust: bool
    ) -> tuple[list[Memory], list[Relation], list[Problem]]:
        memories: list[Memory] = []
        relations: list[Relation] = []
        problems: list[Problem] = []
        for place, line in enumerate(lines, 1):
            if place == 1:
                _check_header(line)
                continue
            if place > ITEM_LIMIT:
                raise InvalidInput(f"The document has more than {ITEM_LIMIT:,} lines: split it up.")
            if not line.strip():
                continue
            try:
                item = self._parse(line, who, trust)
            except CommonplaceError as error:
                problems.append(Problem(place, error.message))
                continue
            if isinstance(item, Memory):
                memories.append(item)
            else:
                relations.append(item)
        return memories, relations, problems

    def _parse(self, line: str, who: Principal, trust: bool) -> Memory | Relation:
        data = _object(line)
        if isinstance(data.get("relation"), dict):
            return _relation(data["relation"])  # type: ignore[arg-type]
        content = data.get("memory")
        if not isinstance(content, dict):
            raise InvalidInput("The line is neither a memory nor a relation.")
        content.pop("usage", None)
        if content.get("scope") == "user:default":
            content["scope"] = str(who.own_scope)
        memory = from_json(content)
        if memory.scope.kind is ScopeKind.USER:
            memory = replace(memory, scope=who.own_scope)
        for text in _texts(memory):
            refuse_secrets(text, "text")
        if not who.may_see(memory.scope):
            raise InvalidInput(f"{memory.scope} is not one of your scopes.")
        return memory if trust else replace(memory, origin=Origin.IMPORTED, standing=_standing(memory))

    def _fresh(self, unit: Unit, arrivals: Iterable[Arrival], now: int, same: Same) -> Iterator[Arrival]:
        """What the book does not know yet, by id or as `same` judges, and never had to purge."""
        purged = unit.log.purged_ids()
        seen: set[str] = set()
        for arrival in arrivals:
            memory = arrival.memory
            everything = Filter((memory.scope,), statuses=(), include_expired=True)
            if memory.id in purged or memory.id in seen or unit.memories.by_id(memory.id) is not None:
                continue
            if any(same(known, memory) for known in unit.memories.by_text(everything, now, memory.text)):
                continue
            seen.add(memory.id)
            yield arrival

    def _add(self, unit: Unit, context: Context, arrival: Arrival, vector: Vector | None) -> None:
        memory = replace(arrival.memory, number=unit.memories.next_number())
        unit.memories.add(memory, context.now)
        if vector is not None and self._embedder is not None:
            unit.vectors.put(memory.number, self._embedder.space, vector)
        if arrival.used_at is not None:
            unit.uses.record([Use(memory.number, arrival.used_at, context.surface)])
        log(unit, context, EventType.IMPORTED, memory, arrival.payload)


def _standing(memory: Memory) -> Standing:
    """A document cannot say what a team has verified."""
    return Standing.UNVERIFIED if memory.scope.kind is ScopeKind.TEAM else memory.standing


def _kind_and_scope(memory: Memory) -> dict[str, Plain]:
    return {"kind": memory.kind.value, "scope": str(memory.scope)}


def _same_text(known: Memory, memory: Memory) -> bool:
    return known.text == memory.text


def _admitted(memory: Memory, filter: Filter | None, now: int) -> bool:
    """Without scopes a filter narrows by its other conditions only."""
    if filter is None:
        return True
    return (filter if filter.scopes else replace(filter, scopes=(memory.scope,))).admits(memory, now)


def _texts(memory: Memory) -> Iterator[str]:
    """Everything in a memory that somebody wrote."""
    yield memory.text
    written = (memory.status_reason, memory.topic, memory.category, memory.owner)
    provenance = memory.provenance
    labels = (provenance.source, provenance.session, provenance.actor, provenance.surface)
    yield from filter(None, (*written, *labels, *memory.tags))


def _check_header(line: str) -> None:
    header = _object(line)
    if header.get("format") != FORMAT:
        raise InvalidInput("This is not a Commonplace export: its first line names another format.")
    if header.get("version") != VERSION:
        raise InvalidInput(f"The export has version {header.get('version')}, this Commonplace reads {VERSION}.")


def _object(line: str) -> dict[str, object]:
    if len(line) > LINE_LIMIT:
        raise InvalidInput(f"The line is longer than {LINE_LIMIT:,} characters.")
    try:
        data = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise InvalidInput("The line is not JSON.") from None
    if not isinstance(data, dict):
        raise InvalidInput("The line is not a JSON object.")
    return data


def _relation_json(relation: Relation) -> Json:
    return {
        "id": relation.id, "source": relation.source, "target": relation.target, "kind": relation.kind.value,
        "reason": relation.reason, "created_at": relation.created_at,
    }  # fmt: skip


def _relation(data: dict[str, object]) -> Relation:
    try:
        reason = data.get("reason")
        relation = Relation(
            str(data["id"]), str(data["source"]), str(data["target"]), RelationKind(str(data["kind"])),
            None if reason is None else str(reason), int(str(data["created_at"])),
        )  # fmt: skip
    except (KeyError, ValueError) as error:
        raise InvalidInput(f"The relation lacks or misspells {error}.") from error
    if relation.reason:
        refuse_secrets(relation.reason, "reason")
    return relation
