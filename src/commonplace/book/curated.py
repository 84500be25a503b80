"""Curated memory: the few pinned things that must not be missed, and the frozen snapshot that sessions go by.

A write is durable at once and changes no snapshot: that is taken anew when somebody asks for it, of the pins
that wait for nobody: what an agent pinned, or a file says is pinned, is in it once a person has confirmed it.
The lines of a snapshot belong to their memories, so that a purge takes them along.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from commonplace import secrets
from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.memory import Kind, Memory
from commonplace.domain.query import Filter, Order
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Right, Scope, ScopeKind
from commonplace.engine import intake
from commonplace.engine.caller import Caller
from commonplace.engine.context import Context
from commonplace.engine.intake import Draft, Prepared, Refused, Repeats
from commonplace.engine.lifecycle import Changes, pin_waits, revised, update
from commonplace.engine.paging import each_entry, each_memory
from commonplace.errors import InvalidInput, QuotaExceeded
from commonplace.ports import Unit
from commonplace.text.envelope import in_tags

SNAPSHOTS, LINES = "snapshot", "snapshot_line"
USUAL_PRIORITY = 5
COST_OF_AN_ENTRY = 4  # beside its own length


class Curation(Record):
    """What became of something to be curated, whether it waits for a person, and how much of the budget is used now."""

    memory: Memory
    created: bool
    waits: bool
    used: int
    budget: int
    previously_corrected: tuple[Memory, ...] = ()


class Snapshot(Record):
    """Curated memory as it was when somebody last looked on purpose; `hash` tells two of them apart."""

    version: int
    hash: str
    taken_at: int
    scope: Scope
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole of it in its envelope, which no line can close: they are escaped."""
        return "\n".join((f'<curated version="{self.version}">', *self.lines, "</curated>"))


class _Held(Record):
    """The snapshot that a process goes by, the memories its lines are of, and how often one was taken on purpose."""

    snapshot: Snapshot | None
    ids: tuple[str | None, ...]
    curations: int


class Curated:
    """The curated memory of one principal: their own, and that of agents."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    @property
    def budget(self) -> int:
        """How many characters there is room for, each entry with a little around it."""
        return self._caller.limits.curated_budget

    def add(self, text: str, scope: Scope, *, priority: int | None = None, category: str | None = None) -> Curation:
        """Pin something. What is curated already keeps whatever is not given; beyond the budget nothing is pinned."""
        self._caller.principal.require(Right.WRITE)
        self._check(scope)
        kind = Kind(category) if category in set(Kind) else Kind.FACT
        rank = USUAL_PRIORITY if priority is None else priority
        draft = Draft(text, scope, kind=kind, category=category, priority=rank, pinned=True)
        (prepared,) = intake.prepare([draft], self._caller.context(), self._caller.models.embedder)
        if isinstance(prepared, Refused):
            raise prepared.error
        with self._caller.writing() as work:
            given = {"priority": priority, "category": category}
            return self._pinned(work.unit, work.context, prepared, given)

    def entries(self, scope: Scope) -> tuple[Memory, ...]:
        """What is curated now: the highest priority first, then the newest."""
        self._check(scope)
        with self._caller.reading() as work:
            return _entries(work.unit, scope, work.now)

    def waiting(self, scope: Scope) -> tuple[Memory, ...]:
        """Those of the entries that no snapshot has before a person confirms them."""
        self._check(scope)
        with self._caller.reading() as work:
            return tuple(memory for memory in _entries(work.unit, scope, work.now) if pin_waits(work.unit, memory))

    def snapshot(self, scope: Scope) -> Snapshot | None:
        """The one that this process goes by, else the last; None when there has been nothing to take one of."""
        self._check(scope)
        with self._caller.reading() as work:
            held = self._held(scope)
            if held is None:
                return self._last(work.unit, scope)
            if held.curations != self._curations(work.unit, scope):  # somebody curated since, on purpose
                held = self._hold(work.unit, scope)
            return _unpurged(work.unit, held)

    def take(self, scope: Scope, *, on_purpose: bool = False) -> Snapshot | None:
        """Take the snapshot anew. It has a new version only if it says something else than the last.

        This process goes by it from now on; others that took one go on by theirs, unless it is taken on purpose.
        """
        self._check(scope)
        with self._caller.looking() as work:  # nothing is written where nothing has changed
            last, lines = self._last(work.unit, scope), self._lines(work.unit, scope, work.now)
            self._hold(work.unit, scope)
        changed = [line for _, line in lines] != list(last.lines if last is not None else ())
        if not changed and (last is None or not on_purpose):
            return last
        with self._caller.writing() as work:
            if changed:
                last = self._taken(work.unit, scope, work.now)
            if on_purpose:
                self._count(work.unit, scope)
            self._hold(work.unit, scope)
        return last

    # -- inside --------------------------------------------------------------------------------

    def _check(self, scope: Scope) -> None:
        if scope != self._caller.principal.own_scope and scope.kind is not ScopeKind.AGENT:
            raise InvalidInput("Curated memory is your own or an agent's: name user:default or agent:ID.", "scope")

    def _pinned(self, unit: Unit, context: Context, prepared: Prepared, given: Mapping[str, object]) -> Curation:
        """`given` is what the caller asked for by name, None where they did not."""
        draft = prepared.memory
        used = cost(_entries(unit, draft.scope, context.now))
        known = unit.memories.by_text(Filter((draft.scope,)), context.now, draft.text)
        pinned = next((memory for memory in known if memory.pinned), None)
        if pinned is not None:
            asked = {name: value for name, value in given.items() if value not in (None, getattr(pinned, name))}
            if asked:
                other = Changes(**asked)  # type: ignore[arg-type]
                pinned = revised(context, pinned, other)
                update(unit, context, pinned, other)
            return Curation(pinned, False, pin_waits(unit, pinned), used, self.budget)
        wanted = used + cost([draft])
        if wanted > self.budget:
            raise QuotaExceeded(
                f"Curated memory has {self.budget:,} characters and this would make {wanted:,}: forget something that "
                "is curated first, or raise curated_budget."
            )
        if known:
            changes = Changes(pinned=True, priority=draft.priority, category=draft.category or known[0].category)
            changed = revised(context, known[0], changes)
            update(unit, context, changed, changes)
            return Curation(changed, False, pin_waits(unit, changed), wanted, self.budget)
        result = intake.store(prepared, unit, Repeats(), context, self._caller.models.embedder)
        corrected = tuple(near.memory for near in result.previously_corrected)
        return Curation(result.memory, True, result.memory.waits, wanted, self.budget, corrected)

    def _lines(self, unit: Unit, scope: Scope, now: int) -> list[tuple[str, str]]:
        """The id and the line of each entry that waits for nobody, as many as the budget has room for."""
        lines: list[tuple[str, str]] = []
        used = 0
        for memory in _entries(unit, scope, now):
            line = _line(memory)
            if pin_waits(unit, memory) or secrets.find(line):  # a secret from before it was known as one
                continue
            used += cost([memory])
            if used > self.budget:
                break
            lines.append((memory.id, line))
        return lines

    def _held(self, scope: Scope) -> _Held | None:
        held = None if self._caller.begun is None else self._caller.begun.get(self._key(scope))
        return held if isinstance(held, _Held) else None

    def _hold(self, unit: Unit, scope: Scope) -> _Held:
        """From now on this process goes by the last snapshot."""
        ids = tuple(entry.parent for entry in _kept(unit, self._key(scope)))
        held = _Held(self._last(unit, scope), ids, self._curations(unit, scope))
        if self._caller.begun is not None:
            self._caller.begun[self._key(scope)] = held
        return held

    def _curations(self, unit: Unit, scope: Scope) -> int:
        """How often one was taken on purpose."""
        head = unit.entries.get(SNAPSHOTS, self._key(scope))
        return 0 if head is None else int(str(head.body.get("curations", 0)))

    def _count(self, unit: Unit, scope: Scope) -> None:
        head = unit.entries.get(SNAPSHOTS, self._key(scope))
        if head is not None:
            unit.entries.put(replace(head, body={**head.body, "curations": self._curations(unit, scope) + 1}))

    def _last(self, unit: Unit, scope: Scope) -> Snapshot | None:
        key = self._key(scope)
        head = unit.entries.get(SNAPSHOTS, key)
        if head is None:
            return None
        lines = tuple(str(entry.body["line"]) for entry in _kept(unit, key))
        return Snapshot(int(str(head.body["version"])), str(head.body["hash"]), head.at, scope, lines)

    def _taken(self, unit: Unit, scope: Scope, now: int) -> Snapshot:
        key, last = self._key(scope), self._last(unit, scope)
        for entry in _kept(unit, key):
            unit.entries.remove(LINES, entry.id)
        lines = self._lines(unit, scope, now)
        snapshot = Snapshot(
            1 if last is None else last.version + 1,
            _hash([line for _, line in lines]),
            now,
            scope,
            tuple(line for _, line in lines),
        )
        counted = self._curations(unit, scope)
        body: dict[str, object] = {"version": snapshot.version, "hash": snapshot.hash, "curations": counted}
        body["owner"] = self._caller.principal.user
        unit.entries.put(Entry(SNAPSHOTS, key, str(scope), now, body))
        for place, (id, line) in enumerate(lines):
            unit.entries.put(Entry(LINES, f"{key}_{place:05}", str(scope), now, {"line": line}, "", id, key))
        return snapshot

    def _key(self, scope: Scope) -> str:
        name = "\x00".join((self._caller.principal.user, str(scope)))
        return f"snp_{blake2b(name.encode(), digest_size=13).hexdigest().upper()}"


def _unpurged(unit: Unit, held: _Held) -> Snapshot | None:
    """What is held, without the lines of what was purged meanwhile."""
    if held.snapshot is None:
        return None
    lines = zip(held.ids, held.snapshot.lines, strict=True)
    left = tuple(line for id, line in lines if id is None or unit.memories.by_id(id) is not None)
    return replace(held.snapshot, lines=left)


def cost(memories: Sequence[Memory]) -> int:
    """How much of the budget they take."""
    return sum(len(memory.text) + COST_OF_AN_ENTRY for memory in memories)


def _entries(unit: Unit, scope: Scope, now: int) -> tuple[Memory, ...]:
    found = each_memory(unit, Filter((scope,), pinned=True), now, Order.NEWEST)
    return tuple(sorted(found, key=lambda memory: (-memory.priority, -memory.created_at, -memory.number)))


def _kept(unit: Unit, key: str) -> list[Entry]:
    """The lines of a snapshot in their order."""
    return list(each_entry(unit, EntryFilter(LINES, states=(key,)), newest_first=False))


def _line(memory: Memory) -> str:
    category = f" ({in_tags(memory.category)})" if memory.category else ""
    return f"[{memory.priority}] {in_tags(memory.text)}{category}"


def _hash(lines: Sequence[str]) -> str:
    return blake2b("\n".join(lines).encode(), digest_size=16).hexdigest()
