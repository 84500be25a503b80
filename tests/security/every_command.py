"""Every command of the command line, from its own lists: each example of its help, and each command without one.

    python -m tests.security.every_command FOLDER [COMMAND/SUBCOMMAND…]

runs them one after the other in one process, but for those named, and says with which exit code each of them ended.
Before each it opens a file of FOLDER with the number of the call and its words in its name, so that whoever watches
the process knows which call it is at.
"""

import argparse
import io
import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from commonplace.cli import COMMANDS, build_parser, main
from commonplace.cli.parser import action_of

Words = tuple[str, ...]

SEEDS = 20  # memories that the examples may name by number
NOTES = "Deploys are on Thursday\nThe staging server is called heron\n"
EXCHANGED = "memories.jsonl"
LAST = ("restore-backup", "reset", "models")  # after these there is less to try things on
SAMPLES = {"path": "README.md", "file": EXCHANGED, "team": "core", "user": "bob", "role": "member", "kind": "fact"}
REDIRECTIONS = ("<", ">")
ALONE = ("mcp", "serve", "web", "hook")  # which end the process, or do not end: they are tried by themselves


def inner(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands within a command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def leaves(parser: argparse.ArgumentParser, before: Words = ()) -> Iterator[tuple[Words, argparse.ArgumentParser]]:
    """Every command that can be run, by its words."""
    within = inner(parser)
    if not within:
        yield before, parser
    for name, each in within.items():
        yield from leaves(each, (*before, name))


def calls() -> list[Words]:
    """What to run, the destructive commands last. What names a server's address itself is left out."""
    seeds: list[Words] = [("remember", *(f"Service {number} belongs to team {number}" for number in range(SEEDS)))]
    exchange: list[Words] = [("export", "--path", EXCHANGED)]
    shown = [_without_redirection(example) for command in COMMANDS for example in action_of(command).examples]
    covered = {words[:size] for words in shown for size in (1, 2)}
    others = [(*words, *_required(parser)) for words, parser in leaves(build_parser()) if words not in covered]
    kept = [words for words in [*shown, *others] if words[0] not in ALONE and not any("://" in word for word in words)]
    return seeds + exchange + sorted(kept, key=lambda words: LAST.index(words[0]) + 1 if words[0] in LAST else 0)


def _without_redirection(example: str) -> Words:
    words = shlex.split(example)
    cuts = [words.index(mark) for mark in REDIRECTIONS if mark in words]
    return tuple(words[: min(cuts, default=len(words))])


def _required(parser: argparse.ArgumentParser) -> Iterator[str]:
    """What a command cannot do without."""
    for action in parser._actions:
        if action.required:
            yield from action.option_strings[:1]
            yield SAMPLES.get(action.dest, str(next(iter(action.choices))) if action.choices else "12")


def prepare(folder: Path) -> None:
    """A project with the files that the examples name."""
    (folder / "docs" / "old").mkdir(parents=True)
    for name in ("README.md", "docs/deploys.md", "docs/old/deploys.md", "notes.txt", "decision.md"):
        (folder / name).write_text(NOTES, encoding="utf-8")
    (folder / "transcript.jsonl").write_text("User: We decided that deploys are on Thursday.\n", encoding="utf-8")


def run(words: Words) -> int:
    """The exit code of a command that finds a line of text on stdin; what it prints is not looked at."""
    streams = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(NOTES.encode()))
    sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
    try:
        return main([*words])
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams


if __name__ == "__main__":
    markers, left_out = Path(sys.argv[1]), [tuple(each.split("/")) for each in sys.argv[2:]]
    ended = []
    for number, words in enumerate(calls()):
        if not any(words == each for each in left_out):
            (markers / f"{number}-{'-'.join(words[:2]).replace('/', '_')[:40]}").touch()
            ended.append((words, run(words)))
    print(json.dumps(ended))
