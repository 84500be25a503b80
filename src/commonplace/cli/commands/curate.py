"""curate: the frozen snapshot of curated memory, taken anew or shown."""

from argparse import ArgumentParser
from collections.abc import Sequence

from commonplace.cli.commands import Action
from commonplace.cli.output import Output
from commonplace.cli.render import count, excerpt
from commonplace.cli.session import CommandSession
from commonplace.domain.memory import Memory
from commonplace.text import show_time, visible

WAITING_SHOWN = 10


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--show", action="store_true", help="print the snapshot that holds, and take none")
    parser.add_argument("--agent", metavar="ID", help="an agent's curated memory instead of your own")


def _run(session: CommandSession) -> int:
    given, output = session.arguments, session.output
    with session.book() as book:
        scope = book.scope(f"agent:{given.agent}" if given.agent else "user:default")
        snapshot = book.curated.snapshot(scope) if given.show else book.curated.take(scope, on_purpose=True)
        waiting = book.curated.waiting(scope)
    if output.json:
        names = ("version", "hash", "taken_at", "text")
        shown = None if snapshot is None else {name: getattr(snapshot, name) for name in names}
        output.document({"snapshot": shown, "waiting": [memory.number for memory in waiting]})
    elif snapshot is None:
        output.said("Nothing is curated yet.")
    elif given.show:
        output.line(visible(snapshot.text))
    else:
        said = f"version {snapshot.version}, {len(snapshot.lines)} entries, taken {show_time(snapshot.taken_at)}"
        output.said(f"{output.style('curated', 'green')} {said}")
    _tell_waiting(waiting, output)
    return 0


def _tell_waiting(waiting: Sequence[Memory], output: Output) -> None:
    """What is pinned and not in the snapshot, since no person has said yet that it belongs there."""
    if not waiting:
        return
    output.note(
        f"{count(len(waiting), 'pin waits', 'pins wait')} for you: 'commonplace show ID' shows one, "
        "'commonplace confirm ID' lets it in."
    )
    for memory in waiting[:WAITING_SHOWN]:
        output.note(f"  {memory.number}: {excerpt(memory)}")
    if len(waiting) > WAITING_SHOWN:
        output.note(f"  and {len(waiting) - WAITING_SHOWN:,} more: --json has the numbers of all.")


ACTIONS = {
    "curate": Action(
        description="Take the snapshot of curated memory anew: what is pinned, by priority, within curated_budget.\n"
        "What an agent or an imported file pinned is in it once you have confirmed it.\n"
        "Sessions go by the snapshot; what is remembered or forgotten meanwhile changes it only here.",
        examples=("curate", "curate --show", "curate --agent reviewer"),
        add_arguments=_add_arguments,
        run=_run,
    )
}
