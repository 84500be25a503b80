"""curate: the frozen snapshot of curated memory, taken anew or shown."""

from argparse import ArgumentParser

from commonplace.cli.commands import Action
from commonplace.cli.render import visible
from commonplace.cli.session import Session
from commonplace.parse import show


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--show", action="store_true", help="print the snapshot that holds, and take none")
    parser.add_argument("--agent", metavar="ID", help="an agent's curated memory instead of your own")


def _run(session: Session) -> int:
    given, output = session.arguments, session.output
    with session.book() as book:
        scope = book.scope(f"agent:{given.agent}" if given.agent else "user:default")
        snapshot = book.curated.snapshot(scope) if given.show else book.curated.take(scope)
    if output.json:
        names = ("version", "hash", "taken_at", "text")
        shown = None if snapshot is None else {name: getattr(snapshot, name) for name in names}
        output.document({"snapshot": shown})
    elif snapshot is None:
        output.said("Nothing is curated yet.")
    elif given.show:
        output.line(visible(snapshot.text))
    else:
        said = f"version {snapshot.version}, {len(snapshot.lines)} entries, taken {show(snapshot.taken_at)}"
        output.said(f"{output.style('curated', 'green')} {said}")
    return 0


ACTIONS = {
    "curate": Action(
        description="Take the snapshot of curated memory anew: what is pinned, by priority, within curated_budget.\n"
        "Sessions go by the snapshot; what is remembered or forgotten meanwhile changes it only here.",
        examples=("curate", "curate --show", "curate --agent reviewer"),
        add_arguments=_add_arguments,
        run=_run,
    )
}
