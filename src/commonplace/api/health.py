"""How the book is doing, and on the person's own machine what is connected to it and what hooks brought."""

from pathlib import Path
from typing import cast

from typing_extensions import TypedDict

from commonplace.api.looking import NoParameters
from commonplace.api.shapes import MemoryOut, shapes
from commonplace.book.book import Book
from commonplace.book.report import model_json, report, report_json
from commonplace.domain.record import Record
from commonplace.domain.scope import Right
from commonplace.errors import CommonplaceError
from commonplace.hooks.report import standing, went_wrong
from commonplace.hooks.state import State
from commonplace.ports import Finding
from commonplace.setup.connected import connected_hosts, hooked_hosts
from commonplace.text import show_time

SESSIONS_SHOWN = 50
BROUGHT_SHOWN = 200
"""In all sessions together, those of the newest first."""


class Machine(Record):
    """The machine of the person who opened the page; what is of it, nobody else is told."""

    place: str
    store: str
    home: Path
    state: Path
    inject: str
    capture: str


class ScopeCount(TypedDict):
    scope: str
    memories: int


class BookOut(TypedDict):
    place: str | None
    exists: bool
    memories: int
    bytes: int
    schema: str
    last_written: str | None
    scopes: list[ScopeCount]


class ModelOut(TypedDict):
    name: str
    installed: bool
    without_vector: int


class BroughtOut(TypedDict):
    id: str
    why: str
    tokens: int
    memory: MemoryOut | None


class InjectedSession(TypedDict):
    session: str
    host: str
    folder: str
    at: str
    tokens: int
    memories: int
    brought: list[BroughtOut]


class Injected(TypedDict):
    sessions: list[InjectedSession]
    tokens: int


class Health(TypedDict):
    book: BookOut
    model: ModelOut
    waiting: int
    wrong: list[str]
    hosts: list[str]
    hooks: list[str]
    hooks_now: list[str]
    inject: str | None
    capture: str | None
    injected: Injected | None
    person_only: bool


def health(book: Book, given: NoParameters, machine: Machine | None) -> Health:
    """Counts, what lacks a vector, what waits and what went wrong; with `person_only`, also of your own machine."""
    book.principal.require(Right.READ)
    told, now = report(book), book.now()
    shown = Health(
        book=cast(BookOut, report_json(told, None if machine is None else machine.place)),
        model=cast(ModelOut, model_json(told)),
        waiting=told.waiting,
        wrong=list(told.wrong),
        hosts=[],
        hooks=[],
        hooks_now=[],
        inject=None,
        capture=None,
        injected=None,
        person_only=machine is not None,
    )
    if machine is None:
        return shown
    state = State(machine.state / "hooks")
    shown["wrong"] = [*went_wrong(state, now), *told.wrong]
    shown["hosts"], shown["hooks"] = connected_hosts(machine.home), hooked_hosts(machine.home)
    shown["hooks_now"] = standing(state, machine.store, now)
    shown["inject"], shown["capture"] = machine.inject, machine.capture
    shown["injected"] = _injected(book, state)
    return shown


def _injected(book: Book, state: State) -> Injected:
    """What went into each session and what it cost. What is in the book no more has no `memory`: its cost stays."""
    found = [each for each in state.sessions() if each.brought]
    told = [(each.session, one) for each in found[:SESSIONS_SHOWN] for one in each.brought][:BROUGHT_SHOWN]
    there = [memory for memory in book.get_many([one.id for _, one in told]) if memory is not None]
    known = {memory["id"]: memory for memory in shapes(book, there)}
    return Injected(
        sessions=[
            InjectedSession(
                session=each.session,
                host=each.host,
                folder=each.folder,
                at=show_time(each.at),
                tokens=each.tokens,
                memories=len(each.brought),
                brought=[
                    BroughtOut(id=one.id, why=one.why, tokens=one.tokens, memory=known.get(one.id))
                    for session, one in told
                    if session == each.session
                ],
            )
            for each in found[:SESSIONS_SHOWN]
        ],
        tokens=sum(each.tokens for each in found),
    )


class CheckOut(TypedDict):
    name: str
    ok: bool
    message: str
    remedy: str | None


class Examined(TypedDict):
    ok: bool
    checks: list[CheckOut]


def doctor(book: Book, given: NoParameters) -> Examined:
    """Examines the whole book, which takes a while in a large one, and changes nothing."""
    book.principal.require(Right.ADMIN)
    findings: list[Finding] = []
    try:
        findings += book.care.doctor()
    except CommonplaceError as error:  # a book that cannot even be examined is a finding too
        findings.append(Finding("book", False, error.message))
    checks = [CheckOut(name=each.check, ok=each.ok, message=each.detail, remedy=_remedy(each)) for each in findings]
    return Examined(ok=all(each.ok for each in findings), checks=checks)


def _remedy(finding: Finding) -> str | None:
    """What to do about it, where the finding does not say so itself."""
    if finding.ok or "run " in finding.detail or "purge " in finding.detail:
        return None
    return "Run 'commonplace doctor --repair' on the machine of the book."
