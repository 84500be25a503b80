"""hook, injected, pause and catch-up: what hosts call, and what the person sees and says of it."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from commonplace.book.book import Book
from commonplace.cli.commands import Action
from commonplace.cli.output import Output
from commonplace.cli.render import count, one_line
from commonplace.cli.session import CommandSession, UsageError
from commonplace.cli.tables import print_table
from commonplace.config import state_folder
from commonplace.domain.memory import Memory
from commonplace.engine.caller import system_clock
from commonplace.engine.parse import moment
from commonplace.errors import CommonplaceError, NotFound
from commonplace.hooks.capture import HOOK, catch_up, place_of
from commonplace.hooks.events import Host
from commonplace.hooks.state import Brought, BroughtSession, State, Waiting
from commonplace.sessions.sessions import Saved
from commonplace.text import show_time

SHOWN = 10
LAST = "last"


def the_state() -> State:
    """What hooks keep, in the user's state folder."""
    return State(state_folder() / "hooks")


# -- hook -------------------------------------------------------------------------------------


def _add_hook(parser: ArgumentParser) -> None:
    parser.add_argument("host", metavar="HOST", help=", ".join(Host))


def _hook(session: CommandSession) -> int:
    """Reached only where somebody calls it from a program: a process that is a hook never comes this far."""
    raise UsageError("A hook is a process of its own, which a host starts: 'commonplace hook HOST' with JSON on stdin.")


# -- injected ---------------------------------------------------------------------------------


def _add_injected(parser: ArgumentParser) -> None:
    parser.add_argument("session", metavar="SESSION", nargs="?", help="a session, by its id or its beginning, or last")


def _injected(session: CommandSession) -> int:
    sessions = [each for each in the_state().sessions() if each.brought]
    if session.arguments.session is None:
        return _list(sessions[:SHOWN], session.output)
    found = _named(sessions, session.arguments.session)
    texts = _texts(session, found.brought)
    if session.output.json:
        shown = [{**_brought_json(each), "text": texts.get(each.id)} for each in found.brought]
        session.output.document({**_session_json(found), "brought": shown})
        return 0
    _show(found, texts, session.output)
    return 0


def _list(sessions: Sequence[BroughtSession], output: Output) -> int:
    if output.json:
        output.listing("sessions", [_session_json(each) for each in sessions])
    elif sessions:
        rows = [
            (
                each.session,
                show_time(each.at)[:16],
                each.host,
                f"{len(each.brought):,}",
                f"{each.tokens:,}",
                each.folder,
            )
            for each in sessions
        ]
        table = [tuple(one_line(cell, 60) for cell in row) for row in rows]
        print_table(("session", "last", "host", "brought", "tokens", "folder"), table, output)
    else:
        output.note("Hooks have given nothing to a model yet: 'commonplace status' tells whether they run.")
    return 0


def _named(sessions: Sequence[BroughtSession], name: str) -> BroughtSession:
    found = list(sessions[:1]) if name == LAST else [each for each in sessions if each.session.startswith(name)]
    if len(found) != 1:
        some = "several sessions" if found else "no session"
        raise NotFound(f"There is {some} '{name[:60]}' in which something was brought: see 'commonplace injected'.")
    return found[0]


def _texts(session: CommandSession, brought: Sequence[Brought]) -> dict[str, str]:
    """What the memories say now; one that was purged since says nothing any more."""
    ids = [each.id for each in brought if each.id.startswith("mem_")]
    if not ids or not session.exists:
        return {}
    with session.reading() as book:
        found = book.get_many(ids)
    return {memory.id: memory.text for memory in found if isinstance(memory, Memory)}


def _show(found: BroughtSession, texts: dict[str, str], output: Output) -> None:
    output.line(f"{output.style(one_line(found.session, 80), 'bold')}  {found.host} · {one_line(found.folder, 80)}")
    for each in found.brought:
        what = one_line(texts.get(each.id, each.id), 100)
        output.line(f"  {what}")
        cost = f"{show_time(each.at)[:16]} · at a {each.moment} · {each.why} · about {each.tokens:,} tokens"
        output.line(output.style(f"      {one_line(cost)}", "dim"))
    output.line(
        f"{count(len(found.brought), 'line', 'lines')}, about {found.tokens:,} tokens with what is around them."
    )


def _session_json(found: BroughtSession) -> dict[str, object]:
    return {
        "session": found.session,
        "host": found.host,
        "folder": found.folder,
        "at": show_time(found.at),
        "lines": len(found.brought),
        "tokens": found.tokens,
    }


def _brought_json(brought: Brought) -> dict[str, object]:
    return {
        "id": brought.id,
        "at": show_time(brought.at),
        "moment": brought.moment,
        "why": brought.why,
        "tokens": brought.tokens,
    }


# -- pause ------------------------------------------------------------------------------------


def _add_pause(parser: ArgumentParser) -> None:
    parser.add_argument("--for", metavar="TIME", dest="span", help="for 2h, 1d and the like; otherwise until --off")
    parser.add_argument("--off", action="store_true", help="go on")


def _pause(session: CommandSession) -> int:
    given, output, state = session.arguments, session.output, the_state()
    if given.off:
        if given.span is not None:
            raise UsageError("--off ends the pause at once: leave --for out.")
        was = state.go_on()
        output.said("Hooks go on." if was else "Hooks were not paused.")
    else:
        now = system_clock()
        until = None if given.span is None else 2 * now - moment(given.span, now, "--for")
        if until is not None and until <= now:
            raise UsageError("--for takes a length of time, such as 2h or 1d.")
        state.pause(until)
        when = "'commonplace pause --off'" if until is None else show_time(until)[:16].replace("T", " ") + " UTC"
        output.said(f"Hooks bring and keep nothing until {when}.")
    if output.json:
        until_now = state.paused_until(system_clock())
        shown = None if not until_now else show_time(until_now)
        output.document({"paused": until_now is not None, "until": shown})
    return 0


# -- catch-up ---------------------------------------------------------------------------------


def _add_catch_up(parser: ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="do not ask about any of them")
    parser.add_argument("--no", action="store_true", help="drop all that wait, and learn nothing from them")


def _catch_up(session: CommandSession) -> int:
    given, output, state = session.arguments, session.output, the_state()
    waiting = state.waiting(session.configuration.store)
    if given.no:
        if given.yes:
            raise UsageError("Say --yes or --no.")
        for each in waiting:
            state.done(each)
        output.said(f"{count(len(waiting), 'conversation was', 'conversations were')} dropped.")
        return 0
    asks = [each for each in waiting if place_of(each).settings.capture == "ask"]
    agreed = given.yes or not asks or _agrees(session, asks)
    seen: list[tuple[Waiting, Saved | CommonplaceError]] = []
    if waiting:
        with session.book(HOOK, create=True) as book:
            seen = list(catch_up(book, state, waiting, asked=agreed))
            _finish(book)
        state.take_learnt()  # they are told of here
    _tell(seen, len(asks) if not agreed else 0, output)
    return 1 if any(isinstance(result, CommonplaceError) for _, result in seen) else 0


def _finish(book: Book) -> None:
    """What was appended and whose transcript is gone since is learnt from as it was kept."""
    book.sessions.distil_raw((book.principal.own_scope,))


def _agrees(session: CommandSession, asks: Sequence[Waiting]) -> bool:
    about = [f"  {show_time(each.at)[:16]} {each.host} in {one_line(each.folder, 80)}" for each in asks]
    try:
        return session.confirmed(f"Learn from {count(len(asks), 'conversation', 'conversations')}?", *about)
    except UsageError:  # nobody is there to be asked: what needs no asking is done all the same
        return False


def _tell(seen: Sequence[tuple[Waiting, Saved | CommonplaceError]], left: int, output: Output) -> None:
    saved = [result for _, result in seen if isinstance(result, Saved)]
    failed = [(waiting, result) for waiting, result in seen if isinstance(result, CommonplaceError)]
    learnt = [each.memory for result in saved for each in result.learnt]
    if output.json:
        output.document(
            {
                "conversations": len(saved),
                "learnt": [{"id": each.id, "text": each.text, "waits": each.waits} for each in learnt],
                "refused": [{"session": each.session, "error": error.message} for each, error in failed],
                "left": left,
            }
        )
        return
    for memory in learnt:
        waits = " (waits for you)" if memory.waits else ""
        output.said(f"  {memory.number}: {one_line(memory.text, 100)}{waits}")
    found = f"{count(len(learnt), 'thing', 'things')} learnt from {count(len(saved), 'conversation', 'conversations')}."
    output.said(found if seen else "No conversation waits.")
    if left:
        output.note(f"{count(left, 'conversation waits', 'conversations wait')} for your answer: add --yes or --no.")
    for waiting, error in failed:
        output.warn(one_line(f"{Path(waiting.transcript).name}: {error.message}"))


ACTIONS = {
    "hook": Action(
        description="What a host starts for its hooks: an event as JSON on stdin, the answer in the host's form.\n"
        "It ends within two seconds with exit code 0, whatever happens; 'commonplace setup' puts it in place.",
        examples=("hook claude-code < event.json",),
        add_arguments=_add_hook,
        run=_hook,
    ),
    "injected": Action(
        description="What hooks gave to a model, session by session: what, when, why, and what it cost.",
        examples=("injected", "injected last", "injected 54b47e38 --json"),
        add_arguments=_add_injected,
        run=_injected,
    ),
    "pause": Action(
        description="Pause hooks: in every host, they bring nothing and keep nothing until you let them go on.",
        examples=("pause", "pause --for 2h", "pause --off"),
        add_arguments=_add_pause,
        run=_pause,
    ),
    "catch-up": Action(
        description="Learn from the conversations that hooks have noted and nobody has learnt from yet. A server that\n"
        "runs does the same by itself. Where capture is `ask`, you are asked first.",
        examples=("catch-up", "catch-up --yes", "catch-up --no"),
        add_arguments=_add_catch_up,
        run=_catch_up,
    ),
}
