"""review: what waits for a person, one by one or as a list."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator

from commonplace.book.book import Book
from commonplace.book.display_json import memory_json
from commonplace.book.review import Review, Waiting, Why
from commonplace.cli.commands import Action
from commonplace.cli.render import age, one_line
from commonplace.cli.session import CommandSession
from commonplace.domain.memory import Memory, Origin, Status
from commonplace.domain.query import Filter
from commonplace.errors import Conflict, NotFound

PAGE = 50
EXIT_REFUSED = 1
QUESTION = "[c]onfirm, [r]eject, [s]kip, [q]uit: "
_WAITING_ORIGINS = [origin.value for origin in Origin if origin.waits_for_confirmation or origin is Origin.AGENT]
_MEANS = {
    Why.REVISION: "an agent's words in the place of others",
    Why.PROPOSAL: "would take the place of what is trusted more",
    Why.PIN: "an agent's pin",
    Why.INSTRUCTION: "an agent's instruction",
    Why.UNCONFIRMED: "nobody's word yet",
}


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--list", action="store_true", help="show what waits, and ask nothing")
    parser.add_argument("--reject", metavar="ID", action="append", default=[], help="say no to it; repeatable")
    parser.add_argument(
        "--origin",
        metavar="ORIGIN",
        action="append",
        default=[],
        choices=_WAITING_ORIGINS,
        help=f"{', '.join(_WAITING_ORIGINS)}; several are alternatives",
    )
    parser.add_argument("--limit", metavar="N", type=int, default=PAGE, help=f"how many to list (default {PAGE})")
    parser.add_argument("--cursor", metavar="N", type=int, help="go on behind this number")


def _run(session: CommandSession) -> int:
    given = session.arguments
    with session.book() as book:
        if given.reject:
            return _reject(session, book)
        if given.list or session.output.json or not sys.stdin.isatty():
            return _list(session, book)
        return _walk(session, book)


def _filter(session: CommandSession, book: Book) -> Filter:
    scopes = tuple(book.scope(selector) for selector in session.arguments.scope)
    return Filter(scopes, origins=tuple(Origin(name) for name in session.arguments.origin))


def _list(session: CommandSession, book: Book) -> int:
    given, output = session.arguments, session.output
    page = book.review(_filter(session, book), limit=given.limit, cursor=given.cursor)
    if output.json:
        output.document(_document(page, book))
        return 0
    for waiting in page.waiting:
        _print(session, book, waiting)
        output.line(f"  {_remedy(waiting)}")
    if page.next_cursor is not None:
        output.note(f"{page.total:,} wait in all: go on with --cursor {page.next_cursor}.")
    if not page.waiting:
        output.note("Nothing waits for you.")
    return 0


def _walk(session: CommandSession, book: Book) -> int:
    """Ask about one after the other. Each answer is a change of its own, which undo takes back."""
    output, asked = session.output, 0
    for waiting in _each(session, book):
        asked += 1
        _print(session, book, waiting)
        match _answer(session):
            case "c":
                book.confirm(waiting.memory)
                output.said(f"{output.style('confirmed', 'green')} {waiting.memory.number}")
            case "r":
                _tell(session, waiting.memory, book.reject(waiting.memory))
            case "q":
                break
    if not asked:
        output.note("Nothing waits for you.")
    return 0


def _each(session: CommandSession, book: Book) -> Iterator[Waiting]:
    filter, cursor = _filter(session, book), session.arguments.cursor
    while True:
        page = book.review(filter, limit=PAGE, cursor=cursor)
        yield from page.waiting
        cursor = page.next_cursor
        if cursor is None:
            return


def _answer(session: CommandSession) -> str:
    """The first letter of an answer; whoever leaves has answered with quit."""
    while True:
        session.output.ask(QUESTION)
        line = sys.stdin.readline()
        letter = line.strip().lower()[:1] if line else "q"
        if letter in ("c", "r", "s", "q"):
            return letter


def _reject(session: CommandSession, book: Book) -> int:
    """Say no to several; one that does not wait, or is not there, spoils no other."""
    rejected, problems = list[tuple[Memory, tuple[Memory, ...]]](), list[str]()
    for id in session.arguments.reject:
        try:
            rejected.append((book.get(id), book.reject(id)))
        except (NotFound, Conflict) as error:
            problems.append(error.message)
    if session.output.json:
        shown = [memory_json(memory, book.principal) for _, changed in rejected for memory in changed]
        session.output.document({"memories": shown, "problems": problems})
    else:
        for memory, changed in rejected:
            _tell(session, memory, changed)
        for message in problems:
            session.output.warn(message)
    return EXIT_REFUSED if problems else 0


def _tell(session: CommandSession, memory: Memory, changed: tuple[Memory, ...]) -> None:
    output = session.output
    output.said(f"{output.style('rejected', 'green')} {memory.number}")
    for each in changed:
        if each.status is Status.ACTIVE:
            output.said(f"  {each.number} is again: {one_line(each.text)}")


def _print(session: CommandSession, book: Book, waiting: Waiting) -> None:
    """Both texts whole: nobody should agree to what they were not shown."""
    output, memory = session.output, waiting.memory
    source = memory.provenance
    where = [f"by {source.actor}", f"through {source.surface}", *([source.source] if source.source else [])]
    told = ", ".join(
        [memory.origin.value, *where, age(memory.updated_at, book.now()), book.principal.show(memory.scope)]
    )
    output.line(f"{output.style(str(memory.number), 'bold')}  {_MEANS[waiting.why]}  ({told})")
    output.line(f"  {'now:' if waiting.before else 'says:':<10}{memory.text}")
    for old in waiting.before:
        output.line(f"  {'before:':<10}{old.text}")
    for old in waiting.stands:
        output.line(f"  {'stands:':<10}{old.text}  ({old.number})")


def _remedy(waiting: Waiting) -> str:
    number = waiting.memory.number
    match waiting.why:
        case Why.REVISION:
            return f"confirm {number}, or review --reject {number} for what was said before"
        case Why.PIN if not waiting.memory.waits:
            return f"confirm {number}, or review --reject {number} to take the pin off"
        case _:
            return f"confirm {number}, or forget {number}"


def _document(page: Review, book: Book) -> dict[str, object]:
    who = book.principal
    shown = [
        {
            "why": each.why.value,
            "memory": memory_json(each.memory, who),
            "stands": [memory_json(old, who) for old in each.stands],
            "before": [memory_json(old, who) for old in each.before],
        }
        for each in page.waiting
    ]
    return {"waiting": shown, "total": page.total, "next_cursor": page.next_cursor}


ACTIONS = {
    "review": Action(
        description="Go through what waits for you: what was inferred or imported, an agent's pins and instructions,\n"
        "its words in the place of yours, and what would change something you trust. On a terminal it asks about\n"
        "one after the other; otherwise, and with --list, it lists. Looks wherever you may see something.",
        examples=("review", "review --list", "review --scope project:auto --origin inferred", "review --reject 12"),
        add_arguments=_add_arguments,
        run=_run,
    )
}
