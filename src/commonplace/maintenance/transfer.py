"""The book as a document and back: one line of JSON for each memory, readable by anything."""

import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from commonplace import deadline, secrets
from commonplace.domain.canonical_json import Json, dumps, from_json, relation_to_json, to_json
from commonplace.domain.entries import Entry
from commonplace.domain.events import Event, EventType, Plain
from commonplace.domain.ids import ulid
from commonplace.domain.memory import Memory, Origin, Relation, RelationKind, Standing, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import Record, replace, texts_in
from commonplace.domain.scope import Right, ScopeKind, Viewer
from commonplace.engine.caller import Caller, Work
from commonplace.engine.context import Context
from commonplace.engine.intake import embedded, refuse_secrets_in
from commonplace.engine.lifecycle import log
from commonplace.engine.usage import PATIENCE_SECONDS
from commonplace.errors import BookClosed, CommonplaceError, InvalidInput, StoreError
from commonplace.maintenance import beside, for_people
from commonplace.ports import Embedder, Unit, Use, Vector

FORMAT = "commonplace-export"
VERSION = 1
LINE_LIMIT = 4_000_000
ITEM_LIMIT = 1_000_000

Progress = Callable[[int], None]


class Problem(Record):
    """A line that was not imported, and why."""

    line: int
    message: str


class Imported(Record):
    """What an import did, or would do on a dry run.

    `claims` is what the document says in its own favour and was not believed: how often, by the name of the field.
    `relations` came in; `dropped_relations` did not, since a memory at one of their ends did not come in with them.
    What stands `beside` memories is counted by its shelf, what came in and what was left.
    """

    imported: int
    skipped: int
    problems: tuple[Problem, ...]
    dry_run: bool
    claims: Mapping[str, int] = MappingProxyType({})
    relations: int = 0
    dropped_relations: int = 0
    beside: Mapping[str, int] = MappingProxyType({})
    left_beside: Mapping[str, int] = MappingProxyType({})


class Arrival(Record):
    """A memory from elsewhere, as it is to stand in the book, with what the log should say of its arrival."""

    memory: Memory
    used_at: int | None = None
    payload: Mapping[str, Plain] = MappingProxyType({})


Same = Callable[[Memory, Memory], bool]
"""Whether a known memory whose folded text is the same makes another one superfluous."""


class Transfer:
    """Export and import for one principal."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def export(self, filter: Filter | None = None) -> Iterator[str]:
        """The document, line by line: a header, then memories by number, then their relations."""
        if filter is not None and filter.as_of is not None:
            raise InvalidInput("An export is of the book as it is now: leave as_of out.", "as_of")
        with self._caller.reading() as work:
            yield from self._exported(work, filter)

    def export_all(self) -> Iterator[str]:
        """The document with everything in it that the caller may see: behind the memories, what stands beside them."""
        with self._caller.reading() as work:
            yield from self._exported(work, None)
            for entry in beside.exported(work):
                yield dumps({"entry": entry})

    def page(self, filter: Filter | None = None) -> Iterator[str]:
        """The same for people, in Markdown: what stands and, without a filter, what stands beside it."""
        with self._caller.reading() as work:
            standing = filter or Filter((), statuses=(Status.ACTIVE,))
            seen = (memory for memory, _, _ in deadline.each(work.unit.memories.each()) if work.may_see(memory.scope))
            chosen = (memory for memory in seen if _admitted(memory, standing, work.now))
            yield from for_people.memories_page(chosen, work.caller.principal, work.now)
            if filter is None:
                yield from for_people.beside_page(work)

    def _exported(self, work: Work, filter: Filter | None) -> Iterator[str]:
        unit, now, ids = work.unit, work.now, list[str]()
        yield dumps({"format": FORMAT, "version": VERSION, "exported_at": now})
        for memory, _, _ in deadline.each(unit.memories.each()):
            if work.may_see(memory.scope) and _admitted(memory, filter, now):
                ids.append(memory.id)
                yield dumps({"memory": self._shown(memory)})
        for id in deadline.each(ids):
            for relation in unit.relations.of(id):
                if relation.source == id:
                    yield dumps({"relation": relation_to_json(relation)})

    def note_export(self, payload: Mapping[str, Plain]) -> None:
        """Log that memories were exported, with what was asked for unless that is a secret, which anybody may look for.

        A book that is busy or cannot be written is exported all the same.
        """
        caller, now = self._caller, self._caller.clock()
        caller.principal.require(Right.READ)
        kept = {name: value for name, value in payload.items() if not any(map(secrets.find, _texts(value)))}
        event = Event(f"evt_{ulid(now)}", EventType.EXPORTED, None, caller.door.actor, now, kept)
        try:
            with caller.store.best_effort(caller.principal.tenant, PATIENCE_SECONDS) as unit:
                unit.log.append(event)
        except BookClosed:
            raise
        except StoreError:
            return

    def import_(
        self, lines: Iterable[str], *, trust: bool = False, dry_run: bool = False, progress: Progress = lambda _: None
    ) -> Imported:
        """Take a document in, in one transaction. Repeats and purged memories are skipped and counted.

        What comes in waits for confirmation like anything imported, and what it says of its own weight
        and origin is left out and counted, unless `trust` says that a person vouches for the document.
        """
        with self._caller.reading() if dry_run else self._caller.looking() as work:
            who = work.viewer
        told, relations, entries, problems = self._read(lines, who)
        memories = [memory if trust else self._disbelieved(memory) for memory in told]
        arrivals = [Arrival(memory, payload=kind_and_scope(memory)) for memory in memories]
        with self._caller.reading() if dry_run else self._caller.writing() as work:
            unit, context = work.unit, self._context(work.now)
            new = list(fresh(unit, arrivals, work.now, same_text))
            came_in = {arrival.memory.id for arrival in new}
            edges, dropped = _between(unit, relations, came_in)
            if not dry_run:
                for done, arrival in enumerate(deadline.each(new), 1):
                    add(unit, context, arrival, None, None)
                    progress(done)
                for relation in edges:
                    unit.relations.add(relation)
            others = beside.take(work, entries, came_in, trust, dry_run)
        pairs = [pair for pair in zip(told, memories, strict=True) if pair[0].id in came_in]
        skipped = len(memories) - len(new)
        claims = _left_out(pairs)
        return Imported(
            len(new), skipped, tuple(problems), dry_run, claims, len(edges), dropped, others.came, others.left
        )

    def take_in(self, arrivals: Sequence[Arrival], same: Same, *, dry_run: bool = False) -> Imported:
        """Take memories in from another format's document, with their vectors, in one transaction.

        The caller has checked them; what is known already, as `same` judges, is skipped and counted.
        """
        with self._caller.looking() as work:
            new = list(fresh(work.unit, arrivals, work.now, same))
        if not dry_run:
            embedder = self._caller.models.embedder
            vectors, _ = embedded([arrival.memory.text for arrival in new], embedder)
            by_id = {arrival.memory.id: vector for arrival, vector in zip(new, vectors, strict=True)}
            with self._caller.writing() as work:
                new = list(fresh(work.unit, new, work.now, same))
                for arrival in deadline.each(new):
                    work.scope(arrival.memory.scope)
                    add(work.unit, self._context(work.now), arrival, embedder, by_id[arrival.memory.id])
        return Imported(len(new), len(arrivals) - len(new), (), dry_run)

    def _context(self, now: int) -> Context:
        return Context(self._caller.principal, "import", self._caller.door.actor, Origin.IMPORTED, now)

    def _shown(self, memory: Memory) -> Json:
        data = to_json(memory)
        data["scope"] = self._caller.principal.show(memory.scope)
        usage = memory.usage
        if usage.count:
            data["usage"] = {"count": usage.count, "used_at": usage.used_at, "surface": usage.surface}
        return data

    def _read(
        self, lines: Iterable[str], who: Viewer
    ) -> tuple[list[Memory], list[Relation], list[Entry], list[Problem]]:
        memories: list[Memory] = []
        relations: list[Relation] = []
        entries: list[Entry] = []
        problems: list[Problem] = []
        for place, line in enumerate(deadline.each(lines), 1):
            if place == 1:
                _check_header(line)
                continue
            if place > ITEM_LIMIT:
                raise InvalidInput(f"The document has more than {ITEM_LIMIT:,} lines: split it up.")
            if not line.strip():
                continue
            try:
                item = self._parse(line, who)
            except CommonplaceError as error:
                problems.append(Problem(place, error.message))
                continue
            match item:
                case Memory():
                    memories.append(item)
                case Relation():
                    relations.append(item)
                case Entry():
                    entries.append(item)
        return memories, relations, entries, problems

    def _parse(self, line: str, who: Viewer) -> Memory | Relation | Entry:
        data = _object(line)
        if isinstance(data.get("entry"), dict):
            return beside.entry_of(data["entry"], who)  # type: ignore[arg-type]
        if isinstance(data.get("relation"), dict):
            return _relation(data["relation"])  # type: ignore[arg-type]
        content = data.get("memory")
        if not isinstance(content, dict):
            raise InvalidInput("The line is neither a memory nor a relation nor an entry.")
        content.pop("usage", None)
        if content.get("scope") == "user:default":
            content["scope"] = str(who.principal.own_scope)
        memory = from_json(content)
        if memory.scope.kind is ScopeKind.USER:
            memory = replace(memory, scope=who.principal.own_scope)
        refuse_secrets_in(memory)
        if not who.may_see(memory.scope):
            raise InvalidInput(f"{memory.scope} is not one of your scopes.")
        if memory.scope.kind is ScopeKind.TEAM:  # whoever vouches for it, what a team has verified is the team's to say
            return replace(memory, standing=Standing.UNVERIFIED)
        return memory

    def _disbelieved(self, memory: Memory) -> Memory:
        """The memory as a file from anywhere may bring it: its words and dates, and nothing that speaks for itself."""
        provenance = replace(memory.provenance, surface="import", actor=self._caller.door.actor, capture_mode=None)
        return replace(
            memory,
            origin=Origin.IMPORTED,
            owner=self._caller.principal.user,
            provenance=provenance,
            pinned=Memory.pinned,
            priority=Memory.priority,
            standing=Memory.standing,
            confirmed_at=Memory.confirmed_at,
        )


def fresh(unit: Unit, arrivals: Iterable[Arrival], now: int, same: Same) -> Iterator[Arrival]:
    """What the book does not know yet, by id or as `same` judges, and never had to purge."""
    purged = unit.log.purged_ids()
    seen: set[str] = set()
    for arrival in deadline.each(arrivals):
        memory = arrival.memory
        everything = Filter((memory.scope,), statuses=(), include_expired=True)
        if memory.id in purged or memory.id in seen or unit.memories.by_id(memory.id) is not None:
            continue
        if any(same(known, memory) for known in unit.memories.by_text(everything, now, memory.text)):
            continue
        seen.add(memory.id)
        yield arrival


def add(unit: Unit, context: Context, arrival: Arrival, embedder: Embedder | None, vector: Vector | None) -> None:
    """Put what arrives into the book under the next number, with its vector where it has one, and log that it came."""
    memory = replace(arrival.memory, number=unit.memories.next_number())
    unit.memories.add(memory, context.now)
    if vector is not None and embedder is not None:
        unit.vectors.put(memory.number, embedder.space, vector)
    if arrival.used_at is not None:
        unit.uses.record([Use(memory.number, arrival.used_at, context.surface)])
    log(unit, context, EventType.IMPORTED, memory, arrival.payload)


def _between(unit: Unit, relations: Iterable[Relation], came_in: Container[str]) -> tuple[list[Relation], int]:
    """The relations between memories that come in, and how many others are dropped; known ones are neither."""
    kept: dict[str, Relation] = {}
    dropped = 0
    for relation in deadline.each(relations):
        if relation.id in kept or unit.relations.get(relation.id) is not None:
            continue
        if relation.source in came_in and relation.target in came_in:
            kept[relation.id] = relation
        else:
            dropped += 1
    return list(kept.values()), dropped


def _left_out(pairs: Iterable[tuple[Memory, Memory]]) -> dict[str, int]:
    """How often each field of what came in is not what the document said."""
    counts: dict[str, int] = {}
    for told, kept in pairs:
        said, believed = to_json(told), to_json(kept)
        for name in said:
            if believed.get(name) != said[name]:
                counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))


def kind_and_scope(memory: Memory) -> dict[str, Plain]:
    """What the log says of a memory that came from elsewhere."""
    return {"kind": memory.kind.value, "scope": str(memory.scope)}


def _texts(value: Plain) -> Iterator[str]:
    return (text for _, text in texts_in(value))


def same_text(known: Memory, memory: Memory) -> bool:
    """Whether two memories say the same, letter for letter."""
    return known.text == memory.text


def _admitted(memory: Memory, filter: Filter | None, now: int) -> bool:
    """Without scopes a filter narrows by its other conditions only."""
    if filter is None:
        return True
    return (filter if filter.scopes else replace(filter, scopes=(memory.scope,))).admits(memory, now)


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


def _relation(data: dict[str, object]) -> Relation:
    try:
        reason = data.get("reason")
        relation = Relation(
            str(data["id"]),
            str(data["source"]),
            str(data["target"]),
            RelationKind(str(data["kind"])),
            None if reason is None else str(reason),
            int(str(data["created_at"])),
        )
    except (KeyError, ValueError) as error:
        raise InvalidInput(f"The relation lacks or misspells {error}.") from error
    refuse_secrets_in(relation)
    return relation
