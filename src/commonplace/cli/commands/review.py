"""review: what waits for a person, one by one, many at once, or as a list."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator

from commonplace.book.book import Book
from commonplace.book.display_json import memory_json
from commonplace.book.pairs import Between, Pair, pairs_json
from commonplace.book.review import Waiting, Why, waiting_json
from commonplace.cli.commands import Action
from commonplace.cli.reviewing import Item, Walk, print_item, tell_bulk, tell_rejected
from commonplace.cli.session import CommandSession, UsageError
from commonplace.cli.short import conversation, numbered
from commonplace.cli.vectors import give_vectors
from commonplace.domain.memory import Memory, Origin
from commonplace.domain.query import Filter
from commonplace.errors import Conflict, InvalidInput, NotFound

PAGE = 50
EXIT_REFUSED = 1
_WAITING_ORIGINS = [origin.value for origin in Origin if origin.waits_for_confirmation or origin is Origin.AGENT]


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--list", action="store_true", help="show what waits, and ask nothing")
    parser.add_argument("--ask", action="store_true", help="ask without a terminal too: answers are lines of stdin")
    parser.add_argument("--reject", metavar="ID", action="append", default=[], help="say no to it; repeatable")
    parser.add_argument(
        "--origin",
        metavar="ORIGIN",
        action="append",
        default=[],
        choices=_WAITING_ORIGINS,
        help=f"{', '.join(_WAITING_ORIGINS)}; several are alternatives",
    )
    parser.add_argument("--session", metavar="ID", help="only what comes from this conversation")
    parser.add_argument("--source", metavar="NAME", help="only what comes from this source")
    parser.add_argument("--confirm-all", action="store_true", help="say yes to all of an origin, session or source")
    parser.add_argument("--reject-all", action="store_true", help="say no to all of an origin, session or source")
    parser.add_argument("--limit", metavar="N", type=int, default=PAGE, help=f"how many to list (default {PAGE})")
    parser.add_argument("--cursor", metavar="N", type=int, help="go on after this number")


def _run(session: CommandSession) -> int:
    given = session.arguments
    with session.book() as book:
        if given.reject:
            return _reject(session, book)
        if given.confirm_all or given.reject_all:
            return _bulk(session, book)
        if given.list or session.output.json or not (given.ask or sys.stdin.isatty()):
            return _list(session, book)
        items: list[Item] = [*_each(session, book), *_pairs(session, book)]
        if not items:
            session.output.note("Nothing waits for you.")
        Walk(session, book, items).go()
        return 0


def _filter(session: CommandSession, book: Book) -> Filter:
    given = session.arguments
    scopes = tuple(book.scope(selector) for selector in given.scope)
    return Filter(
        scopes,
        origins=tuple(Origin(name) for name in given.origin),
        session=None if given.session is None else conversation(book, given.session),
        source=given.source,
    )


def _list(session: CommandSession, book: Book) -> int:
    given, output = session.arguments, session.output
    page = book.review(_filter(session, book), limit=given.limit, cursor=given.cursor)
    found, total, following = page.waiting, page.total, page.next_cursor
    pairs = _pairs(session, book)
    if output.json:
        output.listing(
            "waiting",
            [waiting_json(each, book.principal) for each in found],
            total,
            following,
            contradictions=pairs_json(pairs, Between.CONTRADICTION, book.principal),
            repeats=pairs_json(pairs, Between.REPEAT, book.principal),
        )
        return 0
    for item in found:
        print_item(session, book, item)
        output.line(f"  {_remedy(item)}")
    for pair in pairs:
        print_item(session, book, pair)
        output.line(f"  supersede {pair.older.number} {pair.newer.number}, or review on a terminal to let both stand")
    if following is not None:
        output.note(f"{total:,} wait in all: go on with --cursor {following}.")
    if not found and not pairs:
        output.note("Nothing waits for you.")
    return 0


def _pairs(session: CommandSession, book: Book) -> tuple[Pair, ...]:
    """Contradictions and repeats; who asks for one origin, session or source, or goes on, has seen them or no need."""
    given = session.arguments
    if given.origin or given.session or given.source or given.cursor is not None:
        return ()
    return book.pairs(Filter(tuple(book.scope(selector) for selector in given.scope)))


def _each(session: CommandSession, book: Book) -> Iterator[Waiting]:
    filter, cursor = _filter(session, book), session.arguments.cursor
    while True:
        page = book.review(filter, limit=PAGE, cursor=cursor)
        yield from page.waiting
        cursor = page.next_cursor
        if cursor is None:
            return


def _bulk(session: CommandSession, book: Book) -> int:
    given = session.arguments
    if given.confirm_all and given.reject_all:
        raise UsageError("Say one of --confirm-all and --reject-all.")
    if not (given.origin or given.session or given.source):
        raise UsageError("Say which: --session, --source or --origin.")
    memories = [each.memory for each in _each(session, book)]
    if not memories and not session.output.json:
        session.output.note("Nothing like that waits for you.")
        return 0
    problems = tell_bulk(session, book, memories, given.confirm_all)
    give_vectors(session, book)
    if session.output.json:
        shown = [memory_json(book.get(memory.id), book.principal) for memory in memories]
        session.output.document({"memories": shown, "problems": problems})
    elif memories:
        session.output.note("'commonplace undo' takes it back.")
    return EXIT_REFUSED if problems else 0


def _reject(session: CommandSession, book: Book) -> int:
    """Say no to several; one that does not wait, or is not there, spoils no other."""
    rejected, problems = list[tuple[Memory, tuple[Memory, ...]]](), list[str]()
    for id in session.arguments.reject:
        try:
            rejected.append((book.get(id), book.reject(id)))
        except (NotFound, Conflict, InvalidInput) as error:
            problems.append(numbered(error.message, book))
    if session.output.json:
        shown = [memory_json(memory, book.principal) for _, changed in rejected for memory in changed]
        session.output.document({"memories": shown, "problems": problems})
    else:
        for memory, changed in rejected:
            tell_rejected(session, memory, changed)
        for message in problems:
            session.output.warn(message)
    return EXIT_REFUSED if problems else 0


def _remedy(waiting: Waiting) -> str:
    number = waiting.memory.number
    match waiting.why:
        case Why.REVISION:
            return f"confirm {number}, or review --reject {number} for what was said before"
        case Why.PIN if not waiting.memory.waits:
            return f"confirm {number}, or review --reject {number} to take the pin off"
        case _:
            return f"confirm {number}, or forget {number}"


ACTIONS = {
    "review": Action(
        description="Go through what waits for you: what was inferred or imported, an agent's pins and instructions,\n"
        "its words in the place of yours, what would change something you trust; then contradictions and repeats.\n"
        "On a terminal it asks about one after the other, and a key is an answer; otherwise, and with --list, it\n"
        "lists. Looks wherever you may see something. 'commonplace undo' takes an answer back.",
        examples=(
            "review",
            "review --list",
            "review --scope project:auto --origin inferred",
            "review --reject 12",
            "review --session last --confirm-all",
            "review --source notes.md --reject-all",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
