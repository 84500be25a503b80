"""confirm, invalidate, archive, forget and restore: what is said about a memory, not what is in it."""

from argparse import ArgumentParser

from commonplace.book import Book
from commonplace.cli.commands import Action
from commonplace.cli.commands.read import add_reference
from commonplace.cli.render import excerpt
from commonplace.cli.session import Session
from commonplace.ids import system_clock
from commonplace.memory import Memory
from commonplace.parse import moment
from commonplace.text import flags


def tell_change(session: Session, book: Book, memory: Memory, deed: str, hint: str = "") -> int:
    """The answer of every command that changes one memory."""
    output = session.output
    if output.json:
        from commonplace.plain import memory_json

        output.document({"memory": memory_json(memory, book.principal)})
    else:
        output.said(f"{output.style(deed, 'green')} {memory.number}: {excerpt(memory)}")
        if hint:
            output.note(hint)
    output.log(f"{deed} {memory.id}, revision {memory.revision}")
    return 0


def _when(session: Session) -> int | None:
    at = session.arguments.at
    return None if at is None else moment(at, system_clock(), "--at")


def _add_reason(parser: ArgumentParser) -> None:
    add_reference(parser)
    parser.add_argument("--reason", metavar="TEXT", help="why, in a sentence")


def _add_confirm(parser: ArgumentParser) -> None:
    add_reference(parser)
    parser.add_argument("--at", metavar="TIME", help="when it was confirmed; now unless given")


def _add_invalidate(parser: ArgumentParser) -> None:
    _add_reason(parser)
    parser.add_argument("--at", metavar="TIME", help="since when it is not true; now unless given")


def _add_forget(parser: ArgumentParser) -> None:
    _add_reason(parser)
    parser.add_argument("--replaced-by", metavar="ID", help="the memory that is right instead")


def _confirm(session: Session) -> int:
    with session.book() as book:
        memory = book.confirm(session.arguments.id, at=_when(session))
        hidden = " and ".join(name.replace("_", " ") for name in flags(memory.text))
        if hidden:
            session.output.warn(
                f"It has {hidden}, which hide text: 'commonplace show {memory.number}' shows all of it."
            )
        return tell_change(session, book, memory, "confirmed")


def _invalidate(session: Session) -> int:
    given = session.arguments
    with session.book() as book:
        memory = book.invalidate(given.id, at=_when(session), reason=given.reason)
        return tell_change(session, book, memory, "invalidated", _undo(memory))


def _archive(session: Session) -> int:
    given = session.arguments
    with session.book() as book:
        memory = book.archive(given.id, reason=given.reason)
        return tell_change(session, book, memory, "archived", _undo(memory))


def _forget(session: Session) -> int:
    given = session.arguments
    with session.book() as book:
        memory = book.forget(given.id, reason=given.reason, replaced_by=given.replaced_by)
        hint = f"{_undo(memory)} Its text stays in the book until 'commonplace purge {memory.number}'."
        return tell_change(session, book, memory, "forgotten", hint)


def _restore(session: Session) -> int:
    with session.book() as book:
        return tell_change(session, book, book.restore(session.arguments.id), "restored")


def _undo(memory: Memory) -> str:
    return f"'commonplace restore {memory.number}' brings it back."


ACTIONS = {
    "confirm": Action(
        description="Say that a memory still holds. What waited for you counts as yours from then on:\n"
        "what was inferred or imported, and what an agent pinned or wants to be followed.",
        examples=("confirm 12", "confirm 12 --at 2026-03-01"),
        add_arguments=_add_confirm,
        run=_confirm,
    ),
    "invalidate": Action(
        description="Say that a memory is not true any more, from a moment on. It stays readable as history.",
        examples=('invalidate 12 --at 2026-03-01 --reason "the office moved"',),
        add_arguments=_add_invalidate,
        run=_invalidate,
    ),
    "archive": Action(
        description="Put a memory out of sight. Nothing is lost.",
        examples=('archive 12 --reason "project finished"',),
        add_arguments=_add_reason,
        run=_archive,
    ),
    "forget": Action(
        description="Take a memory out of every recall and leave a tombstone: whoever adds the same again is warned.\n"
        "It can be undone; purge cannot.",
        examples=('forget 12 --reason "was a misunderstanding"', "forget 12 --replaced-by 15"),
        add_arguments=_add_forget,
        run=_forget,
    ),
    "restore": Action(
        description="Bring a memory back that was archived, forgotten, superseded, invalidated or stale.",
        examples=("restore 12",),
        add_arguments=add_reference,
        run=_restore,
    ),
}
