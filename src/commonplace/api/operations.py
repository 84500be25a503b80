"""The operations as one table: each a tool with a method and a path. Routes, OpenAPI and tests are made from it."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, cast, get_type_hints

from commonplace.api import changing, dreaming, health, looking, memories, reading, reviewing, undoing
from commonplace.api.health import Machine
from commonplace.api.shapes import error_shape
from commonplace.dialect import ADDS, CHANGES, READS, REMOVES, Dialect, Effect, Tool, tool
from commonplace.domain.memory import Origin
from commonplace.domain.record import Record
from commonplace.domain.scope import Right
from commonplace.dream import Limits
from commonplace.engine.caller import Door
from commonplace.errors import (
    BookClosed,
    CommonplaceError,
    Conflict,
    Denied,
    InvalidInput,
    LockTimeout,
    ModelError,
    NotFound,
    QuotaExceeded,
    SchemaOutdated,
    SchemaTooNew,
    StoreError,
    StoreUnavailable,
    TookTooLong,
)

PREFIX = "/api/v1"

STATUSES: tuple[tuple[type[CommonplaceError], int], ...] = (
    (InvalidInput, 400),
    (Denied, 403),
    (NotFound, 404),
    (Conflict, 409),
    (QuotaExceeded, 409),
    (TookTooLong, 503),
    (LockTimeout, 503),
    (StoreUnavailable, 503),
    (BookClosed, 503),
    (SchemaOutdated, 503),
    (SchemaTooNew, 503),
    (ModelError, 503),
    (StoreError, 500),
)
"""What an error is in HTTP; the first that fits counts, and what is not named is a fault of ours."""


class Operation(Record):
    """A tool under a method and a path below `PREFIX`; `{…}` in the path is an argument of the tool.

    `right` is what it needs; the book itself asks for it.
    """

    method: str
    path: str
    tool: Tool
    right: Right = Right.READ

    @property
    def name(self) -> str:
        """What it is called in a document, in metrics and in tests."""
        return self.tool.name


def _operation(
    place: str, title: str, call: Callable[..., object], effect: Effect, right: Right | None = None, **bound: object
) -> Operation:
    """An operation, as its function tells: its name, what it takes and gives back, and what it promises.

    What is `bound` is not taken from whoever asks.
    """
    method, _, path = place.partition(" ")
    types = get_type_hints(call)
    made = tool(
        call.__name__.rstrip("_"),
        title,
        " ".join((call.__doc__ or "").split()),
        types["given"],
        cast(Any, partial(call, **bound)),
        types["return"],
        effect,
    )
    return Operation(method, path, made, right or (Right.READ if effect is READS else Right.WRITE))


def operations(limits: Limits = Limits(), machine: Machine | None = None) -> tuple[Operation, ...]:
    """Every operation; dreams go as far as the `limits`, and of a `machine` only its own person is told."""
    return (
        _operation("GET /me", "Who asks", looking.me, READS),
        _operation("GET /choices", "What to choose from", looking.choices, READS),
        _operation("GET /recall", "Recall", looking.recall, READS),
        _operation("GET /why", "Why a recall answers as it does", looking.why, READS),
        _operation("GET /memories", "List memories", looking.list_, READS),
        _operation("POST /memories", "Remember", memories.remember, ADDS),
        _operation("POST /memories/supersede", "Supersede", changing.supersede, CHANGES),
        _operation("POST /memories/keep-both", "Keep both", changing.keep_both, CHANGES),
        _operation("POST /memories/purge-preview", "What a purge reaches", changing.purge_preview, READS, Right.PURGE),
        _operation("POST /memories/purge", "Purge", changing.purge, REMOVES, Right.PURGE),
        _operation("POST /memories/{act}", "Confirm, reject, archive, forget, restore", changing.act, CHANGES),
        _operation("GET /memories/{id}", "One memory", memories.show, READS),
        _operation("GET /memories/{id}/history", "History", memories.history, READS),
        _operation("PATCH /memories/{id}", "Update", memories.update, CHANGES),
        _operation("GET /review", "What waits", reviewing.review, READS),
        _operation("GET /pairs", "What to settle", reviewing.pairs, READS),
        _operation("GET /dreams", "Dreams", dreaming.dreams, READS),
        _operation("POST /dreams/plan", "What a dream would do", dreaming.plan_dream, READS, limits=limits),
        _operation("POST /dreams/apply", "Dream", dreaming.apply_dream, CHANGES, limits=limits),
        _operation("POST /dreams/{id}/undo", "Take a dream back", dreaming.undo_dream, CHANGES),
        _operation("GET /changes", "What can be undone", undoing.changes, READS),
        _operation("POST /undo", "Undo", undoing.undo, CHANGES),
        _operation("GET /sessions", "Conversations", reading.sessions, READS),
        _operation("GET /sessions/{id}", "One conversation", reading.session, READS),
        _operation("GET /sessions/{id}/turns", "What was said", reading.turns, READS),
        _operation("POST /sessions/{id}/forget", "Forget what was learnt", reading.forget_session, CHANGES),
        _operation("GET /decisions", "Decisions", reading.decisions, READS),
        _operation("GET /decisions/{id}", "One decision", reading.decision, READS),
        _operation("GET /health", "How the book is doing", health.health, READS, machine=machine),
        _operation("GET /doctor", "Examine the book", health.doctor, READS, Right.ADMIN),
    )


OPERATIONS = operations()
"""The table without a machine, as a server for many has it."""


def dialect(door: Door, operations: tuple[Operation, ...] = OPERATIONS) -> Dialect:
    """The operations as a dialect that is spoken at a door."""
    tools = tuple(each.tool for each in operations)
    return Dialect("api", "commonplace", "", door, tools, error_shape)


API_DOOR = Door(surface="api", actor="api")
"""For whoever comes over the network: what they write may be a program's, and counts as an agent's."""
PAGE_DOOR = Door(surface="page", origin=Origin.TYPED, actor="page")
"""For the person at this machine, who opened the page with a key that only they were shown."""


def status_of(code: str) -> int:
    """The status of an error by its code."""
    return _BY_CODE.get(code, 500)


def _statuses(kind: type[CommonplaceError]) -> Iterator[tuple[str, int]]:
    """Every kind of error there is, with the status of the nearest that the table names."""
    yield kind.code, next((status for known, status in STATUSES if issubclass(kind, known)), 500)
    for below in kind.__subclasses__():
        yield from _statuses(below)


_BY_CODE: Mapping[str, int] = dict(_statuses(CommonplaceError))
