"""The book as a document and back: one line of JSON for each memory, readable by anything."""

import json
from collections.abc import Callable, Iterable, Iterator

from commonplace.codec import Json, dumps, from_json, to_json
from commonplace.errors import CommonplaceError, InvalidInput
from commonplace.events import EventType
from commonplace.ids import Clock
from commonplace.intake import refuse_secrets
from commonplace.lifecycle import Context, log
from commonplace.memory import Memory, Origin, Relation, RelationKind
from commonplace.ports import Store, Unit
from commonplace.query import Filter
from commonplace.record import Record, replace
from commonplace.scope import Principal, Right, ScopeKind

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


class Transfer:
    """Export and import for one principal."""

    def __init__(self, store: Store, principal: Principal, clock: Clock, actor: str) -> None:
        self._store = store
        self._principal = principal
        self._clock = clock
        self._actor = actor

    def export(self, filter: Filter | None = None) -> Iterator[str]:
        """The document, line by line: a header, then memories by number, then their relations."""
        self._principal.require(Right.READ)
        if filter is not None and filter.as_of is not None:
            raise InvalidInput("An export is of the present: leave as_of out.", "as_of")
        now = self._clock()
        with self._store.reading(self._principal.tenant) as unit:
            yield dumps({"format": FORMAT, "version": VERSION, "exported_at": now})
            ids = []
            for memory, _, _ in unit.memories.each():
                if self._principal.may_see(memory.scope) and _admitted(memory, filter, now):
                    ids.append(memory.id)
                    yield dumps({"memory": self._shown(memory)})
            for id in ids:
                for relation in unit.relations.of(id):
                    if relation.source == id:
                        yield dumps({"relation": _relation_json(relation)})

    def import_(
        self, lines: Iterable[str], *, trust: bool = False, dry_run: bool = False, progress: Progress = lambda _: None
    ) -> Imported:
        """Take a document in, in one transaction. Repeats and purged memories are skipped and counted.

        What comes in waits for confirmation like anything imported, unless `trust` says that a
        person vouches for the document; then each memory keeps the origin it names.
        """
        self._principal.require(Right.WRITE)
        context = Context(self._principal, "import", self._actor, Origin.IMPORTED, self._clock())
        memories, relations, problems = self._read(lines, trust)
        with self._store.writing(self._principal.tenant) as unit:
            fresh = list(self._fresh(unit, memories, context.now))
            if not dry_run:
                for done, memory in enumerate(fresh, 1):
                    self._add(unit, context, memory)
                    progress(done)
                known = {memory.id for memory in fresh}
                for relation in relations:
                    if relation.source in known and relation.target in known:
                        unit.relations.add(relation)
        return Imported(len(fresh), len(memories) - len(fresh), tuple(problems), dry_run)

    def _shown(self, memory: Memory) -> Json:
        data = to_json(memory)
        data["scope"] = self._principal.show(memory.scope)
        usage = memory.usage
        if usage.count:
            data["usage"] = {"count": usage.count, "used_at": usage.used_at, "surface": usage.surface}
        return data

    def _read(self, lines: Iterable[str], trust: bool) -> tuple[list[Memory], list[Relation], list[Problem]]:
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
                item = self._parse(line, trust)
            except CommonplaceError as error:
                problems.append(Problem(place, error.message))
                continue
            if isinstance(item, Memory):
                memories.append(item)
            else:
                relations.append(item)
        return memories, relations, problems

    def _parse(self, line: str, trust: bool) -> Memory | Relation:
        data = _object(line)
        if isinstance(data.get("relation"), dict):
            return _relation(data["relation"])  # type: ignore[arg-type]
        content = data.get("memory")
        if not isinstance(content, dict):
            raise InvalidInput("The line is neither a memory nor a relation.")
        content.pop("usage", None)
        if content.get("scope") == "user:default":
            content["scope"] = str(self._principal.own_scope)
        memory = from_json(content)
        if memory.scope.kind is ScopeKind.USER:
            memory = replace(memory, scope=self._principal.own_scope)
        for text in _texts(memory):
            refuse_secrets(text, "text")
        if not self._principal.may_see(memory.scope):
            raise InvalidInput(f"{memory.scope} is not one of your scopes.")
        return memory if trust else replace(memory, origin=Origin.IMPORTED)

    def _fresh(self, unit: Unit, memories: list[Memory], now: int) -> Iterator[Memory]:
        """What the book does not know yet, by id or letter for letter, and never had to purge."""
        purged = unit.log.purged_ids()
        seen: set[str] = set()
        for memory in memories:
            everything = Filter((memory.scope,), statuses=(), include_expired=True)
            if memory.id in purged or memory.id in seen or unit.memories.by_id(memory.id) is not None:
                continue
            if any(known.text == memory.text for known in unit.memories.by_text(everything, now, memory.text)):
                continue
            seen.add(memory.id)
            yield memory

    def _add(self, unit: Unit, context: Context, memory: Memory) -> None:
        numbered = replace(memory, number=unit.memories.next_number())
        unit.memories.add(numbered, context.now)
        log(unit, context, EventType.IMPORTED, numbered, {"kind": numbered.kind.value, "scope": str(numbered.scope)})


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
