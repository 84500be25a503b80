"""confirm, invalidate, archive, forget and restore: what is said about a memory, not what is in it."""

from argparse import ArgumentParser
from collections.abc import Sequence

from commonplace.book.book import Book
from commonplace.book.edits import Edit
from commonplace.cli.commands import Action
from commonplace.cli.commands.read import add_references
from commonplace.cli.render import excerpt
from commonplace.cli.session import CommandSession, UsageError
from commonplace.cli.short import numbered
from commonplace.domain.memory import Memory, Status
from commonplace.engine.caller import system_clock
from commonplace.engine.intake import Refused
from commonplace.engine.lifecycle import Changes
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


def tell_each(
    session: CommandSession, book: Book, answers: Sequence[Memory | Refused], action: str, hint: str = ""
) -> int:
    """The answer of a command that changes one memory, or several of which one may not be changed."""
    if len(answers) == 1:
        (answer,) = answers
        if isinstance(answer, Refused):
            raise answer.error
        return tell_change(session, book, answer, action, hint)
    output = session.output
    refused = [numbered(each.error.message, book) for each in answers if isinstance(each, Refused)]
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
    add_references(parser)
    parser.add_argument("--reason", metavar="TEXT", help="why, in a sentence")


def _add_confirm(parser: ArgumentParser) -> None:
    add_references(parser)
    parser.add_argument("--at", metavar="TIME", help="when it was confirmed (default: now)")


def _add_invalidate(parser: ArgumentParser) -> None:
    _add_reason(parser)
    parser.add_argument("--at", metavar="TIME", help="since when it has not been true (default: now)")


def _add_forget(parser: ArgumentParser) -> None:
    add_references(parser)
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
        return tell_each(session, book, answers, "confirmed")


def _invalidate(session: CommandSession) -> int:
    given = session.arguments
    at = _when(session)
    with session.book() as book:
        if len(given.ids) > 1 and at is not None:
            raise UsageError("--at is about one memory: say it of each apart.")
        if at is not None:
            answers: Sequence[Memory | Refused] = (book.invalidate(given.ids[0], at=at, reason=given.reason),)
        else:
            answers = _brought_to(session, book, Status.INVALIDATED)
        return tell_each(session, book, answers, "invalidated", _undo(answers))


def _archive(session: CommandSession) -> int:
    with session.book() as book:
        answers = _brought_to(session, book, Status.ARCHIVED)
        return tell_each(session, book, answers, "archived", _undo(answers))


def _brought_to(session: CommandSession, book: Book, status: Status) -> tuple[Memory | Refused, ...]:
    """All of them in one transaction, so that one undo takes it back."""
    given = session.arguments
    return book.update_many([Edit(id, Changes(), status=status, reason=given.reason) for id in given.ids])


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
        hint = f"{_undo(answers)} Its text stays in the book until 'commonplace purge {number}'."
        return tell_each(session, book, answers, "forgotten", hint)


def _restore(session: CommandSession) -> int:
    with session.book() as book:
        return tell_each(session, book, book.restore_many(session.arguments.ids), "restored")


def _undo(answers: Sequence[Memory | Refused]) -> str:
    numbers = " ".join(str(each.number) for each in answers if isinstance(each, Memory))
    return f"'commonplace restore {numbers}' brings it back."


ACTIONS = {
    "confirm": Action(
        description="Say that memories still hold. What waited for you counts as yours from then on:\n"
        "what was inferred or imported, and what an agent pinned or wants to be followed.",
        examples=("confirm 12", "confirm 12 13 14", "confirm 12 --at 2026-03-01"),
        add_arguments=_add_confirm,
        run=_confirm,
    ),
    "invalidate": Action(
        description="Say that memories are not true any more, from a moment on. They stay readable as history.",
        examples=('invalidate 12 --at 2026-03-01 --reason "the office moved"',),
        add_arguments=_add_invalidate,
        run=_invalidate,
    ),
    "archive": Action(
        description="Put memories away: they are no longer recalled, and nothing is lost.",
        examples=('archive 12 --reason "project finished"',),
        add_arguments=_add_reason,
        run=_archive,
    ),
    "forget": Action(
        description="Take memories out of every recall and leave a tombstone, which warns when the same\n"
        "is added again. It can be undone; purge cannot.",
        examples=('forget 12 13 --reason "was a misunderstanding"', "forget 12 --replaced-by 15"),
        add_arguments=_add_forget,
        run=_forget,
    ),
    "restore": Action(
        description="Bring memories back that were archived, forgotten, superseded, invalidated or stale.",
        examples=("restore 12", "restore last"),
        add_arguments=add_references,
        run=_restore,
    ),
}
