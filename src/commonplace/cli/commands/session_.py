"""session: conversations, what was learnt from them, and finding one again."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from commonplace.book.book import Book
from commonplace.book.display_json import memory_json
from commonplace.cli.commands import Action
from commonplace.cli.output import Output
from commonplace.cli.parser import add_subcommands
from commonplace.cli.progress import progress
from commonplace.cli.render import count, one_line
from commonplace.cli.session import CommandSession
from commonplace.cli.tables import print_table
from commonplace.cli.vectors import give_vectors
from commonplace.domain.scope import Principal
from commonplace.domain.validation import choice
from commonplace.engine.parse import moment
from commonplace.sessions.entries import Session
from commonplace.sessions.sessions import Saved
from commonplace.sessions.transcripts import Format, Turn, read_file, read_stream
from commonplace.text import show_time, visible

SHOWN = 10
TURNS_SHOWN = 200
STDIN = "-"
_ACTIONS = {
    "save": "keep a conversation and remember what it taught",
    "list": "the most recent conversations",
    "show": "a conversation and what was learnt from it",
    "search": "conversations in which something like this was said",
    "remove": "take a conversation away for good; what was learnt from it stays",
}


def _add_arguments(parser: ArgumentParser) -> None:
    made = add_subcommands(parser, _ACTIONS)
    save = made["save"]
    save.add_argument("path", metavar="FILE|-", help="the transcript, or - for stdin")
    save.add_argument("--surface", metavar="NAME", help="the tool it was held in, such as claude-code")
    save.add_argument("--key", metavar="KEY", help="names a conversation that may be saved again when it has grown")
    save.add_argument("--format", metavar="NAME", default=Format.AUTO.value, help=", ".join(Format))
    for word in ("list", "search"):
        made[word].add_argument(
            "--limit", metavar="N", dest="most", type=int, default=SHOWN, help=f"how many, {SHOWN} by default"
        )
    made["list"].add_argument("--surface", metavar="NAME", help="only those of this tool")
    made["list"].add_argument("--since", metavar="WHEN", help="only those saved since: a date, or 30d")
    made["show"].add_argument("id", metavar="ID", help="its id, from list or search")
    made["show"].add_argument("--turns", action="store_true", help=f"also what was said, {TURNS_SHOWN} turns of it")
    made["search"].add_argument("query", metavar="QUERY", help="the words to look for")
    made["remove"].add_argument("id", metavar="ID", help="its id, from list or search")


def _run(session: CommandSession) -> int:
    actions = {"save": _save, "list": _list, "show": _show, "search": _search, "remove": _remove}
    with session.book(create=session.arguments.action == "save") as book:
        return actions[session.arguments.action](session, book)


def _save(session: CommandSession, book: Book) -> int:
    given, output = session.arguments, session.output
    format = choice(Format, given.format, "format")
    with progress("saving", output) as report:
        saved = book.sessions.save(
            _turns(given.path, format, given.surface),
            session.write_scope(book),
            surface=given.surface,
            key=given.key,
            llm=book.llm,
            progress=report,
        )
    if output.json:
        output.document(_saved_json(saved, book.principal))
    else:
        _tell(saved, output)
    give_vectors(session, book)
    return 0


def _tell(saved: Saved, output: Output) -> None:
    found = f"{count(len(saved.learnt), 'thing', 'things')} learnt, {len(saved.known):,} known already"
    if saved.session is None:
        output.said(f"{found}: there is nothing new to keep.")
    else:
        output.said(f"{output.style('saved', 'green')} {saved.session.id}: {found}.")
    for result in saved.learnt:
        output.said(f"  {result.memory.number}: {one_line(result.memory.text, 100)}")
    if saved.refused:
        output.warn(f"{count(saved.refused, 'sentence was', 'sentences were')} left out: they hold a secret.")
    if saved.omitted:
        output.warn(f"{saved.omitted:,} things said earlier were left out: split the transcript up to keep them all.")
    if saved.fell_back is not None:
        output.warn(saved.fell_back)


def _turns(path: str, format: Format, surface: str | None) -> Iterator[Turn]:
    if path != STDIN:
        return read_file(Path(path), format, surface)
    return read_stream(sys.stdin, "stdin", format, surface)


def _list(session: CommandSession, book: Book) -> int:
    given, output = session.arguments, session.output
    since = None if given.since is None else moment(given.since, book.now(), "since")
    found = book.sessions.list(session.read_scopes(book), limit=given.most, since=since, surface=given.surface)
    if output.json:
        output.document([_session_json(each, book.principal) for each in found])
    elif found:
        rows = [
            (
                each.id,
                show_time(each.saved_at)[:10],
                visible(each.surface or ""),
                f"{len(each.learnings):,}",
                one_line(each.label, 60),
            )
            for each in found
        ]
        print_table(("id", "saved", "surface", "learnt", "about"), rows, output)
    else:
        output.note("There are no conversations here: 'commonplace session save FILE' keeps one.")
    return 0


def _show(session: CommandSession, book: Book) -> int:
    given, output = session.arguments, session.output
    found, learnings = book.sessions.get(given.id)
    turns = book.sessions.turns(given.id, limit=TURNS_SHOWN) if given.turns else ()
    if output.json:
        known = [memory_json(each, book.principal) for each in learnings]
        shown = {**_session_json(found, book.principal), "learnings": known}
        said = [{"role": turn.role.value, "text": turn.text} for turn in turns]
        output.document({**shown, "said": said} if given.turns else shown)
        return 0
    output.line(f"{output.style(one_line(found.label, 100), 'bold')}  {found.id} · {show_time(found.saved_at)}")
    output.line(visible(found.summary))
    for memory in learnings:
        output.line(f"  {memory.number}: {one_line(memory.text, 100)}")
    for turn in turns:
        output.line(f"{output.style(turn.role.value, 'dim')}: {visible(turn.text)}")
    if given.turns and found.turns > len(turns):
        output.note(f"{found.turns - len(turns):,} turns are not shown.")
    return 0


def _search(session: CommandSession, book: Book) -> int:
    given, output = session.arguments, session.output
    found = book.sessions.search(given.query, session.read_scopes(book), limit=given.most)
    if output.json:
        sessions = [
            {**_session_json(each.session, book.principal), "score": each.score, "quotes": list(each.quotes)}
            for each in found
        ]
        output.document({"query": given.query, "sessions": sessions})
        return 0
    for each in found:
        output.line(f"{output.style(each.session.id, 'green')}  {one_line(each.session.label, 80)}")
        for quote in each.quotes:
            output.line(f"  {visible(quote)}")
    if not found:
        output.note("Nothing like this was said in a conversation that was saved: try other words.")
    return 0


def _remove(session: CommandSession, book: Book) -> int:
    removed = book.sessions.remove(session.arguments.id)
    if session.output.json:
        session.output.document({"removed": _session_json(removed, book.principal)})
    else:
        session.output.said(f"{session.output.style('removed', 'green')} {removed.id}")
    return 0


def _session_json(found: Session, principal: Principal) -> dict[str, object]:
    return {
        "id": found.id,
        "label": found.label,
        "summary": found.summary,
        "surface": found.surface,
        "scope": principal.show(found.scope),
        "saved_at": show_time(found.saved_at),
        "turns": found.turns,
        "learnings": list(found.learnings),
    }


def _saved_json(saved: Saved, principal: Principal) -> dict[str, object]:
    return {
        "session": None if saved.session is None else _session_json(saved.session, principal),
        "learnt": [memory_json(result.memory, principal) for result in saved.learnt],
        "known": [result.memory.id for result in saved.known],
        "refused": saved.refused,
        "omitted": saved.omitted,
        "fell_back": saved.fell_back,
    }


ACTIONS = {
    "session": Action(
        description="Conversations as they were held: kept without secrets, with a digest, and with what was learnt\n"
        "from them as memories. What hosts write themselves, and exports, are read as they are.",
        examples=(
            "session save transcript.jsonl --key 4f2a --surface claude-code",
            "session list --since 7d",
            'session search "row-level security"',
            "session show ses_01M7H0239R63Z8QSFH629W4YJQ --turns",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
