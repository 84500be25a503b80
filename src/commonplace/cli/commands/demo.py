"""demo: the main job on a book of its own, every line a real command with its real answer."""

import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from commonplace.cli.commands import Action
from commonplace.cli.session import CommandSession

HERON = "The staging server is called heron"

STEPS: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    (
        "Write a few things down.",
        (
            ("remember", "The user prefers SQLite for prototypes", "--kind", "preference", "--tag", "database"),
            ("remember", "Deploys are on Monday", "--topic", "deploy day"),
            ("remember", HERON),
        ),
    ),
    (
        "Ask for them, and ask why.",
        (
            ("recall", "when do we deploy?"),
            ("why", "which database for a prototype?"),
        ),
    ),
    (
        "Correct one: the newest memory on a topic counts, the old one stays as history.",
        (
            ("remember", "Deploys are on Thursday", "--topic", "deploy day"),
            ("recall", "when do we deploy?"),
            ("recall", "when do we deploy?", "--status", "superseded"),
        ),
    ),
    (
        "Forget one: it is no longer recalled, and adding it again brings a warning.",
        (
            ("forget", "3", "--reason", "heron was retired"),
            ("recall", "what is the staging server called?"),
            ("remember", HERON),
        ),
    ),
    (
        "Purge it: no byte of it stays in the book.",
        (
            ("purge", "3", "5", "--yes"),
            ("doctor",),
        ),
    ),
)


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--keep", action="store_true", help="keep the demo's book and say where it is")


def _run(session: CommandSession) -> int:
    output = session.output
    with _folder(session.arguments.keep) as folder:
        store = folder / "book.db"
        steps = list(_perform(session, store))
        if output.json:
            kept = str(store) if session.arguments.keep else None
            output.document({"steps": steps, "store": kept})
        elif session.arguments.keep:
            output.line()
            output.line(f"The demo's book is kept as {store}.")
    return 0 if all(step["exit_code"] == 0 for step in steps) else 1


def _perform(session: CommandSession, store: Path) -> Iterator[dict[str, object]]:
    """Run the steps one after the other, as if each were typed; every one opens the book anew."""
    output, given = session.output, session.arguments
    where = ["--store", str(store), "--project", str(store.parent)]
    where += [] if given.model is None else ["--model", given.model]
    where += ["--no-color"] if given.no_color else []
    noted: set[str] = set()
    if not output.json:
        output.line(output.style(f"(each command also gets --store {store})", "dim"))
    for title, commands in STEPS:
        if not output.json:
            output.line()
            output.line(output.style(f"# {title}", "cyan"))
        for words in commands:
            yield _json_step(words, where) if output.json else _step(session, words, where, noted)


def _step(session: CommandSession, words: tuple[str, ...], where: list[str], noted: set[str]) -> dict[str, object]:
    from commonplace.cli.run import perform

    session.output.line(session.output.style(f"$ commonplace {shlex.join(words)}", "bold"))
    sys.stdout.flush()
    return {"command": list(words), "exit_code": perform([*words, *where], noted)}


def _json_step(words: tuple[str, ...], where: list[str]) -> dict[str, object]:
    """A step whose answer goes into the one document of the demo."""
    import json
    from contextlib import redirect_stdout
    from io import StringIO

    from commonplace.cli.run import perform

    answer = StringIO()
    with redirect_stdout(answer):
        code = perform([*words, *where, "--json"], set())
    return {"command": list(words), "exit_code": code, "answer": json.loads(answer.getvalue())}


@contextmanager
def _folder(keep: bool) -> Iterator[Path]:
    if keep:
        yield Path(mkdtemp(prefix="commonplace-demo-"))
        return
    with TemporaryDirectory(prefix="commonplace-demo-") as name:
        yield Path(name)


ACTIONS = {
    "demo": Action(
        description="Show the main job on a temporary book: remember, recall, why, correct, forget, purge.\n"
        "Your own book is not touched. Works with and without a model pack.",
        examples=("demo", "demo --keep"),
        add_arguments=_add_arguments,
        run=_run,
    )
}
