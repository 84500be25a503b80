"""Nuzo's operations for the command line: its tools through a door of their own, and its default scope."""

from collections.abc import Callable
from typing import TypeVar

from commonplace.book.book import Book
from commonplace.cli.session import CommandSession, UsageError
from commonplace.dialect import Given, Tool
from commonplace.dialects.nuzo import DIALECT
from commonplace.dialects.nuzo.capture import CONFIRM, SUGGEST
from commonplace.domain.memory import Origin
from commonplace.domain.record import replace
from commonplace.engine.caller import Door

SOURCE = "nuzo:cli"
DOOR = replace(DIALECT.door, actor="nuzo:cli", origin=Origin.TYPED)
CONFIRMING = replace(DOOR, origin=Origin.CONFIRMED)

Body = TypeVar("Body")


def ask(
    session: CommandSession, verb: Callable[[Book, Given], Body], door: Door = DOOR, /, **arguments: object
) -> Body:
    """What one of the contract's tools answers: the same policy and the same errors as over MCP."""
    with session.book(door, create=True) as book:
        return verb(book, read(verb, arguments))


def read(verb: Callable[[Book, Given], Body], arguments: dict[str, object]) -> Given:
    """The arguments as the parameters of a verb, checked as a tool's are."""
    given: Given = _tool(verb).read(arguments)  # type: ignore[assignment]
    return given


def _tool(verb: Callable[..., object]) -> Tool:
    return next(each for each in (*DIALECT.tools, SUGGEST, CONFIRM) if each.call is verb)


def named_scope(session: CommandSession) -> str | None:
    """The scope that --scope names, wherever it stands."""
    named: list[str] = session.arguments.scope
    if len(named) > 1:
        raise UsageError("One scope at a time: give --scope once.")
    return _in_full(named[0]) if named else None


def default_scope(session: CommandSession) -> str:
    """Where a command works: the scope named, else the project's own, else the setting's."""
    configuration = session.configuration
    of_project = configuration.project_of_dialects.get(DIALECT.name, {}).get("scope")
    return _in_full(named_scope(session) or str(of_project or configuration.settings.scope))


def _in_full(selector: str) -> str:
    """The short selectors that every command here takes, as the contract spells them."""
    return {"user": "user:default", "project": "project:auto"}.get(selector, selector)
