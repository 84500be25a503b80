"""confirm, invalidate, archive, forget and restore: what is said about a memory, not what is in it."""

from argparse import ArgumentParser
from collections.abc import Sequence

from commonplace.book.book import Book
from commonplace.cli.commands import Action
from commonplace.cli.commands.read import add_reference
from commonplace.cli.render import excerpt
from commonplace.cli.session import CommandSession, UsageError
from commonplace.domain.memory import Memory
from commonplace.engine.caller import system_clock
from commonplace.engine.intake import Refused
from commonplace.engine.parse import moment
from commonplace.text import flags


def tell_change(session: CommandSession, book: Book, memory: Memory, action: str, hint: str = "") -> int:
    """The answer of every command that changes one memory."""
    output = session.output
    if output.json:
        from commonplace.book.display_json import memory_json

        output.document({"memory": memory_json(memory, book.principal)})
    else:
        output.said(f"{output.style(action, 'green')} {memory.number}: {excerpt(memory)}")
        if hint:
            output.note(hint)
    output.log(f"{action} {memory.id}, revision {memory.revision}")
    return 0


def _tell_each(
    session: CommandSession, book: Book, answers: Sequence[Memory | Refused], action: str, hint: str = ""
) -> int:
    """The answer of a command that changes one memory, or several of which one may not be changed."""
    if len(answers) == 1:
        (answer,) = answers
        if isinstance(answer, Refused):
            raise answer.error
        return tell_change(session, book, answer, action, hint)
    output = session.output
    refused = [each.error.message for each in answers if isinstance(each, Refused)]
    changed = [each for each in answers if isinstance(each, Memory)]
    if output.json:
        from commonplace.book.display_json import memory_json

        shown = [memory_json(memory, book.principal) for memory in changed]
        output.document({"memories": shown, "problems": refused})
    else:
        for memory in changed:
            output.said(f"{output.style(action, 'green')} {memory.number}: {excerpt(memory)}")
        for message in refused:
            output.warn(message)
    return 1 if refused else 0


def _when(session: CommandSession) -> int | None:
    at = session.arguments.at
    return None if at is None else moment(at, system_clock(), "--at")


def _add_reason(parser: ArgumentParser) -> None:
    add_reference(parser)
    parser.add_argument("--reason", metavar="TEXT", help="why, in a sentence")


def _add_references(parser: ArgumentParser) -> None:
    parser.add_argument("ids", metavar="ID", nargs="+", help="their numbers, or their ids (mem_…)")


def _add_confirm(parser: ArgumentParser) -> None:
    _add_references(parser)
    parser.add_argument("--at", metavar="TIME", help="when it was confirmed; now unless given")


def _add_invalidate(parser: ArgumentParser) -> None:
    _add_reason(parser)
    parser.add_argument("--at", metavar="TIME", help="since when it is not true; now unless given")


def _add_forget(parser: ArgumentParser) -> None:
    _add_references(parser)
    parser.add_argument("--reason", metavar="TEXT", help="why, in a sentence")
    parser.add_argument("--replaced-by", metavar="ID", help="the memory that is right instead")


def _confirm(session: CommandSession) -> int:
    with session.book() as book:
        answers = book.confirm_many(session.arguments.ids, at=_when(session))
        for memory in (each for each in answers if isinstance(each, Memory)):
            hidden = " and ".join(name.replace("_", " ") for name in flags(memory.text))
            if hidden:
                session.output.warn(
                    f"{memory.number} has {hidden}, which hide text: "
                    f"'commonplace show {memory.number}' shows all of it."
                )
        return _tell_each(session, book, answers, "confirmed")


def _invalidate(session: CommandSession) -> int:
    given = session.arguments
    with session.book() as book:
        memory = book.invalidate(given.id, at=_when(session), reason=given.reason)
        return tell_change(session, book, memory, "invalidated", _undo(memory.number))


def _archive(session: CommandSession) -> int:
    given = session.arguments
    with session.book() as book:
        memory = book.archive(given.id, reason=given.reason)
        return tell_change(session, book, memory, "archived", _undo(memory.number))


def _forget(session: CommandSession) -> int:
    given = session.arguments
    if given.replaced_by is not None and len(given.ids) > 1:
        raise UsageError("--replaced-by is about one memory: forget the others apart.")
    with session.book() as book:
        if given.replaced_by is None:
            answers = book.forget_many(given.ids, reason=given.reason)
        else:
            answers = (book.forget(given.ids[0], reason=given.reason, replaced_by=given.replaced_by),)
        number = answers[0].number if isinstance(answers[0], Memory) else given.ids[0]
        hint = f"{_undo(number)} Its text stays in the book until 'commonplace purge {number}'."
        return _tell_each(session, book, answers, "forgotten", hint)


def _restore(session: CommandSession) -> int:
    with session.book() as book:
        return tell_change(session, book, book.restore(session.arguments.id), "restored")


def _undo(number: int | str) -> str:
    return f"'commonplace restore {number}' brings it back."


ACTIONS = {
    "confirm": Action(
        description="Say that memories still hold. What waited for you counts as yours from then on:\n"
        "what was inferred or imported, and what an agent pinned or wants to be followed.",
        examples=("confirm 12", "confirm 12 13 14", "confirm 12 --at 2026-03-01"),
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
        description="Take memories out of every recall and leave a tombstone: whoever adds the same again is warned.\n"
        "It can be undone; purge cannot.",
        examples=('forget 12 13 --reason "was a misunderstanding"', "forget 12 --replaced-by 15"),
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
