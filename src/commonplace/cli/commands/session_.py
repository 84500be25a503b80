"""session: conversations, what was learnt from them, and finding one again."""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import TypeVar

from commonplace.book.book import Book
from commonplace.book.display_json import learnt_json, left_out_json, memory_json, session_json
from commonplace.cli.commands import Action
from commonplace.cli.output import Output
from commonplace.cli.parser import add_subcommands
from commonplace.cli.progress import progress
from commonplace.cli.render import count, one_line
from commonplace.cli.session import CommandSession
from commonplace.cli.short import numbered, short_ids, shown, whole_id
from commonplace.cli.tables import print_table
from commonplace.cli.transcripts import Outcome, each_outcome, gathered
from commonplace.cli.vectors import give_vectors
from commonplace.domain.memory import Status
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal
from commonplace.engine.parse import moment
from commonplace.errors import CommonplaceError
from commonplace.sessions.distil import Distilled
from commonplace.sessions.entries import SESSIONS
from commonplace.sessions.learning import Forgotten
from commonplace.sessions.sessions import Saved
from commonplace.sessions.transcripts import Format
from commonplace.text import collapse, show_time, visible

Done = TypeVar("Done")

SHOWN = 10
TURNS_SHOWN = 200
_ACTIONS = {
    "save": "keep conversations and remember what they taught",
    "list": "the most recent conversations",
    "show": "a conversation and what was learnt from it",
    "search": "conversations in which something like this was said",
    "forget": "forget what was learnt from a conversation; what you confirmed stays",
    "remove": "take a conversation away for good; what was learnt from it stays",
}


def _add_arguments(parser: ArgumentParser) -> None:
    made = add_subcommands(parser, _ACTIONS)
    save = made["save"]
    save.add_argument("paths", metavar="PATH|-", nargs="+", help="transcripts, folders of them, or - for stdin")
    save.add_argument("--surface", metavar="NAME", help="the tool it was held in, such as claude-code")
    save.add_argument("--key", metavar="KEY", help="names a conversation that may be saved again when it has grown")
    save.add_argument("--format", metavar="NAME", default=Format.AUTO.value, help=", ".join(Format))
    save.add_argument("--dry-run", action="store_true", help="show what would be learnt, and keep nothing")
    for word in ("list", "search"):
        made[word].add_argument(
            "--limit", metavar="N", dest="most", type=int, default=SHOWN, help=f"how many, {SHOWN} by default"
        )
    made["list"].add_argument("--surface", metavar="NAME", help="only those of this tool")
    made["list"].add_argument("--since", metavar="WHEN", help="only those saved since: a date, or 30d")
    made["show"].add_argument("id", metavar="ID", help="its id, the beginning of it, or last")
    made["show"].add_argument("--turns", action="store_true", help=f"also what was said, {TURNS_SHOWN} turns of it")
    made["show"].add_argument("--left-out", action="store_true", help="also what was looked at and left out, and why")
    made["forget"].add_argument("ids", metavar="ID", nargs="+", help="their ids, the beginnings of them, or last")
    made["forget"].add_argument("--all", action="store_true", help="also what you have confirmed since")
    made["search"].add_argument("query", metavar="QUERY", help="the words to look for")
    made["remove"].add_argument("ids", metavar="ID", nargs="+", help="their ids, the beginnings of them, or last")


def _run(session: CommandSession) -> int:
    actions = {
        "save": _save,
        "list": _list,
        "show": _show,
        "search": _search,
        "forget": _forget,
        "remove": _remove,
    }
    with session.book(create=session.arguments.action == "save") as book:
        return actions[session.arguments.action](session, book)


def _save(session: CommandSession, book: Book) -> int:
    given, output = session.arguments, session.output
    named = gathered(given)
    seen: list[Outcome] = []
    with progress("saving", output) as report:
        for outcome in each_outcome(session, book, named, report):
            seen.append(_counted(outcome) if named.several else outcome)
            if named.several and outcome.error is not None:
                output.warn(_refusal(outcome.path, outcome.error))
    if len(seen) == 1 and not named.several:
        _tell_one(seen[0], book, output)
    else:
        _tell_many(seen, book, output)
    unread = sum(outcome.skipped for outcome in seen)
    if unread:
        output.warn(f"{count(unread, 'line', 'lines')} could not be read and were left out.")
    if not given.dry_run:
        give_vectors(session, book)
    return 1 if any(outcome.error is not None for outcome in seen) else 0


def _refusal(path: str, error: CommonplaceError) -> str:
    return visible(error.message if error.message.startswith(path) else f"{path}: {error.message}")


def _counted(outcome: Outcome) -> Outcome:
    """One of many, without its digest, which is not shown."""
    saved = outcome.saved
    if saved is None or saved.session is None:
        return outcome
    return replace(outcome, saved=replace(saved, session=replace(saved.session, summary="")))


def _tell_one(outcome: Outcome, book: Book, output: Output) -> None:
    if outcome.distilled is not None:
        if output.json:
            output.document({**_distilled_json(outcome.distilled), "skipped": outcome.skipped})
        else:
            _tell_distilled(outcome.distilled, output)
    elif outcome.saved is not None:
        if output.json:
            output.document({**_saved_json(outcome.saved, book.principal), "skipped": outcome.skipped})
        else:
            _tell(outcome.saved, book, output)


def _tell_many(seen: Sequence[Outcome], book: Book, output: Output) -> None:
    """What became of several conversations: on a terminal the sum, as JSON a line's worth for each."""
    refused = [outcome for outcome in seen if outcome.error is not None]
    looked_at = [outcome for outcome in seen if outcome.error is None]
    if output.json:
        output.document(
            {
                "conversations": [_outcome_json(outcome, book.principal) for outcome in looked_at],
                "refused": [{"path": each.path, "error": str(each.error)} for each in refused],
            }
        )
        return
    for outcome in looked_at:
        if outcome.distilled is not None and outcome.distilled.items:
            output.line(output.style(visible(outcome.path), "bold"))
            _tell_distilled(outcome.distilled, output)
    saves = [outcome.saved for outcome in looked_at if outcome.saved is not None]
    if saves:
        kept = sum(saved.session is not None for saved in saves)
        again = sum(saved.unchanged for saved in saves)
        learnt = sum(len(saved.learnt) for saved in saves)
        output.said(
            f"{output.style('saved', 'green')} {count(kept, 'conversation', 'conversations')}: "
            f"{count(learnt, 'thing', 'things')} learnt. {again:,} were saved before, "
            f"{len(saves) - kept - again:,} taught nothing new."
        )
    if not seen:
        output.note("There are no transcripts there: name files, or a folder that has some.")
    if refused:
        output.warn(f"{count(len(refused), 'file was', 'files were')} refused; the rest is saved.")


def _tell(saved: Saved, book: Book, output: Output) -> None:
    found = f"{count(len(saved.learnt), 'thing', 'things')} learnt, {len(saved.known):,} known already"
    if saved.session is None:
        output.said(f"{found}: there is nothing new to keep.")
    else:
        output.said(f"{output.style('saved', 'green')} {short_ids(book, SESSIONS)[saved.session.id]}: {found}.")
    for result in saved.learnt:
        output.said(f"  {result.memory.number}: {one_line(result.memory.text, 100)}")
    if saved.session is not None and saved.session.project is not None and saved.session.project_id is not None:
        output.note(f"It is about the project in {visible(saved.session.project)}, where it was held.")
    if saved.superseded:
        output.said(
            f"  {count(len(saved.superseded), 'older memory', 'older memories')} gave way to something said later."
        )
    if saved.proposed:
        output.note(
            f"{count(len(saved.proposed), 'memory stays', 'memories stay')}, trusted more than what was said later: "
            "see 'commonplace review'."
        )
    if saved.refused:
        output.warn(f"{count(saved.refused, 'sentence was', 'sentences were')} left out: they hold a secret.")
    if saved.omitted:
        output.warn(f"{saved.omitted:,} things said earlier were left out: split the transcript up to keep them all.")
    if saved.fell_back is not None:
        output.warn(saved.fell_back)


def _tell_distilled(found: Distilled, output: Output) -> None:
    output.said(f"{count(len(found.items), 'thing', 'things')} would be learnt, {len(found.left_out):,} left out.")
    for item in found.items:
        output.line(f"  {item.kind.value}: {one_line(item.text, 100)}")
        _tell_why(item.turn, item.quote, item.reason, item.text, output)
    if found.fell_back is not None:
        output.warn(found.fell_back)


def _tell_why(turn: int, quote: str, reason: str, text: str, output: Output) -> None:
    """In which words it was said, where they are others, and what speaks for it."""
    said = f"“{one_line(quote, 100)}” · " if quote and collapse(quote) != collapse(text) else ""
    output.line(output.style(f"      {said}turn {turn + 1} · {visible(reason)}", "dim"))


def _list(session: CommandSession, book: Book) -> int:
    given, output = session.arguments, session.output
    since = None if given.since is None else moment(given.since, book.now(), "since")
    found = book.sessions.list(session.read_scopes(book), limit=given.most, since=since, surface=given.surface)
    if output.json:
        output.listing("sessions", [session_json(each, book.principal) for each in found], limit=given.most)
    elif found:
        short = short_ids(book, SESSIONS)
        rows = [
            (
                short[each.id],
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
    id = whole_id(book, SESSIONS, given.id)
    found, _ = book.sessions.get(id)
    learnt = book.sessions.learnt(id)
    left_out = book.sessions.left_out(id) if given.left_out else ()
    turns = book.sessions.turns(id, limit=TURNS_SHOWN) if given.turns else ()
    if output.json:
        shown = {
            **session_json(found, book.principal),
            "learnings": [learnt_json(each, book.principal) for each in learnt],
        }
        if given.turns:
            shown["said"] = [{"role": turn.role.value, "text": turn.text} for turn in turns]
        if given.left_out:
            shown["left_out"] = [left_out_json(each) for each in left_out]
        output.document(shown)
        return 0
    short = short_ids(book, SESSIONS)[found.id]
    output.line(f"{output.style(one_line(found.label, 100), 'bold')}  {short} · {show_time(found.saved_at)}")
    for line in found.summary.split("\n"):
        output.line(visible(line))
    for each in learnt:
        memory = each.memory
        state = "" if memory.status is Status.ACTIVE else f" ({memory.status.value})"
        waits = " (waits for you)" if not state and memory.waits else ""
        output.line(f"  {memory.number}: {one_line(memory.text, 100)}{state}{waits}")
        if each.turn is not None:
            _tell_why(each.turn, each.quote, each.reason, memory.text, output)
    for left in left_out:
        output.line(f"  left out, turn {left.turn + 1}: {one_line(left.quote, 100)}")
        output.line(output.style(f"      {visible(left.reason)}", "dim"))
    if given.left_out and not left_out:
        output.note("Nothing was looked at and left out.")
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
            {**session_json(each.session, book.principal), "score": each.score, "quotes": list(each.quotes)}
            for each in found
        ]
        output.listing("sessions", sessions, limit=given.most, query=given.query)
        return 0
    short = short_ids(book, SESSIONS)
    for each in found:
        output.line(f"{output.style(short[each.session.id], 'green')}  {one_line(each.session.label, 80)}")
        for quote in each.quotes:
            output.line(f"  {visible(quote)}")
    if not found:
        output.note("Nothing like this was said in a conversation that was saved: try other words.")
    return 0


def _forget(session: CommandSession, book: Book) -> int:
    everything = session.arguments.all
    done, refused = _each(session, book, lambda id: book.sessions.forget(id, everything=everything))
    if session.output.json:
        return _tell_json(session, "sessions", [_forgotten_json(each, book.principal) for each in done], refused)
    for each in done:
        _tell_forgotten(each, book, session.output)
    return _tell_refused(session, refused)


def _remove(session: CommandSession, book: Book) -> int:
    done, refused = _each(session, book, book.sessions.remove)
    if session.output.json:
        removed: list[dict[str, object]] = [{"removed": session_json(each, book.principal)} for each in done]
        return _tell_json(session, "sessions", removed, refused)
    for each in done:
        session.output.said(f"{session.output.style('removed', 'green')} {shown(each.id, book)}")
    return _tell_refused(session, refused)


def _each(session: CommandSession, book: Book, act: Callable[[str], Done]) -> tuple[list[Done], list[str]]:
    """What became of each conversation that was named, and why of some nothing did; a lone one may be refused."""
    done, refused = [], []
    wholes = dict.fromkeys(whole_id(book, SESSIONS, named) for named in session.arguments.ids)
    for id in wholes:
        try:
            done.append(act(id))
        except CommonplaceError as error:
            if len(wholes) == 1:
                raise
            refused.append(numbered(error.message, book))
    return done, refused


def _tell_json(session: CommandSession, name: str, answers: list[dict[str, object]], refused: list[str]) -> int:
    one = len(session.arguments.ids) == 1
    session.output.document(answers[0] if one else {name: answers, "problems": refused})
    return 1 if refused else 0


def _tell_refused(session: CommandSession, refused: list[str]) -> int:
    for message in refused:
        session.output.warn(message)
    return 1 if refused else 0


def _forgotten_json(done: Forgotten, principal: Principal) -> dict[str, object]:
    changed = {"forgotten": done.forgotten, "restored": done.restored, "kept": done.kept}
    listed = {name: [memory_json(each, principal) for each in found] for name, found in changed.items()}
    return {"session": done.session.id, **listed}


def _tell_forgotten(done: Forgotten, book: Book, output: Output) -> None:
    short = shown(done.session.id, book)
    output.said(f"{output.style('forgot', 'green')} {count(len(done.forgotten), 'thing', 'things')} of {short}")
    for memory in done.forgotten:
        output.said(f"  {memory.number}: {one_line(memory.text, 100)}")
    for memory in done.restored:
        output.said(f"  {memory.number} is back: {one_line(memory.text, 100)}")
    if done.kept:
        output.note(
            f"{count(len(done.kept), 'thing', 'things')} that you confirmed stay: add --all to forget them too."
        )


def _distilled_json(found: Distilled) -> dict[str, object]:
    items = [
        {
            "text": item.text,
            "kind": item.kind.value,
            "turn": item.turn,
            "quote": item.quote,
            "reason": item.reason,
            "explicit": item.explicit,
            "corrects": item.corrects,
        }
        for item in found.items
    ]
    left_out = [left_out_json(each) for each in found.left_out]
    return {"would_learn": items, "left_out": left_out, "fell_back": found.fell_back}


def _outcome_json(outcome: Outcome, principal: Principal) -> dict[str, object]:
    shown: dict[str, object] = {"path": outcome.path, "skipped": outcome.skipped}
    if outcome.distilled is not None:
        return {**shown, **_distilled_json(outcome.distilled)}
    saved = outcome.saved
    if saved is None or outcome.scope is None:
        return shown
    return {
        **shown,
        "session": None if saved.session is None else saved.session.id,
        "scope": principal.show(outcome.scope),
        "learnt": len(saved.learnt),
        "known": len(saved.known),
        "superseded": len(saved.superseded),
        "refused": saved.refused,
        "omitted": saved.omitted,
        "unchanged": saved.unchanged,
        "fell_back": saved.fell_back,
    }


def _saved_json(saved: Saved, principal: Principal) -> dict[str, object]:
    return {
        "session": None if saved.session is None else session_json(saved.session, principal),
        "learnt": [memory_json(result.memory, principal) for result in saved.learnt],
        "known": [result.memory.id for result in saved.known],
        "refused": saved.refused,
        "omitted": saved.omitted,
        "superseded": list(saved.superseded),
        "proposed": list(saved.proposed),
        "unchanged": saved.unchanged,
        "fell_back": saved.fell_back,
    }


ACTIONS = {
    "session": Action(
        description="Conversations as they were held: kept without secrets, with a digest, and with what was learnt\n"
        "from them as memories. What hosts write themselves, and exports, are read as they are, a file or a folder.",
        examples=(
            "session save transcript.jsonl --key 4f2a --surface claude-code",
            "session save ~/.claude/projects --dry-run",
            "session list --since 7d",
            'session search "row-level security"',
            "session show last --left-out",
            "session forget ses_01M7",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
