"""Every command that a page shows is one there is, and runs where nothing but this machine is needed."""

import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from commonplace import Book
from commonplace.cli import COMMANDS
from commonplace.cli.parser import parse
from commonplace.domain.memory import CaptureMode, Origin
from commonplace.engine.caller import Door
from tests.cli.conftest import Answer, Call, cli, project, spawn
from tests.test_docs import DOCUMENTS, blocks

__all__ = ["cli", "project", "spawn"]
TRANSCRIPTS = Path(__file__).parent / "fixtures" / "transcripts"
OURS = "commonplace"
ENDLESS, NETWORK, DATABASE, PEOPLE = (
    "serves until it is ended",
    "fetches something, or asks another server",
    "needs a PostgreSQL server of that name",
    "needs what two people said in one team",
)
PACK = "needs a model pack: tests/cli/test_with_a_pack.py"
ONLY_READ = {
    "mcp": ENDLESS,
    "serve": ENDLESS,
    "web": ENDLESS,
    "models pull": NETWORK,
    "team accept core --server": NETWORK,
    "migrate": DATABASE,
    "team resolve": PEOPLE,
    "reembed": PACK,
}
"""How an example begins that is only read, and why."""
MADE_UP = {r"\bses_\w{26}\b": "last", r"\bdrm_\w{26}\b": "last", r"\b3f9a1c22b7d0\b": "TOKEN"}
"""What an example makes up, and what stands for it here."""
BEFORE: dict[str, tuple[str, ...]] = {
    "restore 12": ("archive 12",),
    "restore-backup": ("backup ~/book-2026-03-01.db",),
    "injected last": (
        "remember 'I prefer tabs' --kind preference",
        "hook claude-code < event.json",
    ),
    "dream undo": ("correct 'No, the third service is kept in room 99' --memory 3", "dream --apply"),
}
"""What has to have happened before an example makes sense."""
NAMES = {command.name for command in COMMANDS}
ELSEWHERE = "coming-from.md"  # tests/imports/test_page.py has the files that it names
MEMORIES = 20
AGENT = Door("mcp", Origin.AGENT, "claude")


def examples(document: Path) -> Iterator[tuple[int, list[str]]]:
    """The commands of each block of a page, as words; a block may have none of ours."""
    found = [*blocks(document, "console"), *blocks(document, "shell")]
    for number, block in enumerate(found):
        lines = block.replace("\\\n", " ").splitlines()
        console = any(line.startswith("$ ") for line in lines)
        commands = [line.removeprefix("$ ") for line in lines if line.startswith("$ ") or not console]
        yield number, [line for line in commands if line.split()[:1] == [OURS]]


BLOCKS = [
    pytest.param(commands, id=f"{document.name}:{number}")
    for document in DOCUMENTS
    for number, commands in examples(document)
    if commands
]


class Redirected:
    """The words of a line as a shell would give them, and where its streams lead."""

    def __init__(self, line: str, home: Path) -> None:
        words = shlex.split(line, comments=True)[1:]
        self.source = self._taken(words, "<", home)
        self.target = self._taken(words, ">", home)
        self.words = [_expanded(word, home) for word in words]

    @staticmethod
    def _taken(words: list[str], sign: str, home: Path) -> Path | None:
        if sign not in words:
            return None
        place = words.index(sign)
        _, name = words.pop(place), words.pop(place)
        return Path(_expanded(name, home))


def _expanded(word: str, home: Path) -> str:
    return str(home) + word[1:] if word.startswith("~/") else word


def real(line: str, token: str) -> str:
    """A line with what is there in the place of what it makes up."""
    for made_up, there in MADE_UP.items():
        line = re.sub(made_up, there, line)
    return line.replace("TOKEN", token)


@pytest.fixture
def home(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Call) -> Path:
    """A person's home and a repository, with the files that examples name and a book of twenty memories."""
    home = tmp_path / "home"
    memory = home / ".claude" / "projects" / "-home-ada-api" / "memory"
    memory.mkdir(parents=True)
    (memory / "port.md").write_text("---\nname: port\ndescription: a port\n---\nThe gateway listens on port 8090.\n")
    (home / ".codex").mkdir()
    (home / ".local/share/bash-completion/completions").mkdir(parents=True)
    shutil.copy(TRANSCRIPTS / "claude-code.jsonl", memory.parent / "4f2a.jsonl")
    shutil.copy(TRANSCRIPTS / "claude-code.jsonl", project / "transcript.jsonl")
    monkeypatch.setenv("HOME", str(home))
    (project / ".git").mkdir()
    (project / "docs" / "adr").mkdir(parents=True)
    (project / "docs" / "deploys.md").write_text("".join(f"We ship on Mondays, rule {n}.\n\n" for n in range(30)))
    (project / "README.md").write_text("# Shop\n\nHow we deploy: by hand.\n")
    (project / "CLAUDE.md").write_text("- Use two spaces.\n")
    (project / "docs" / "adr" / "0001-cache.md").write_text(
        "# 1. Use Valkey\n\n## Status\n\nAccepted\n\n## Context\n\nSlow.\n\n## Decision\n\nUse Valkey.\n"
    )
    (project / "notes.txt").write_text("The lift is broken.\nThe key is under the mat.\n")
    (project / "decision.md").write_text("We use Redis.\n\nIt is operated already.\n")
    (project / "event.json").write_text('{"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"}')
    with Book.open() as book:
        for number in range(MEMORIES):
            text = f"The {number + 1}th service is kept in room {number * 7}"
            waits = number + 1 in (12, 13, 14)
            tags = ("imported", "work") if number % 2 else ()
            mode = CaptureMode.INFERRED if waits else CaptureMode.EXPLICIT
            book.through(AGENT if waits else book.door).remember(text, tags=tags, source="notes.md", capture_mode=mode)
    return home


@pytest.mark.parametrize("commands", BLOCKS)
def test_every_command_of_a_page_is_one_that_there_is(commands: list[str], tmp_path: Path) -> None:
    for line in commands:
        command, _ = parse(Redirected(line, tmp_path).words)
        assert command.name in NAMES, line


@pytest.mark.parametrize("commands", [each for each in BLOCKS if ELSEWHERE not in str(each.id)])
def test_the_commands_of_a_page_run_in_their_order(commands: list[str], home: Path, cli: Call, spawn: Call) -> None:
    token = ""
    for line in (each for each in commands if not _begun(each, ONLY_READ)):
        for each in (*(f"{OURS} {before}" for before in _begun(line, BEFORE)), line):
            given = Redirected(real(each, token), home)
            answer = called(spawn if given.words[0] == "hook" else cli, given)
            assert answer.code == 0, (each, answer.out, answer.err)
        token = token_id(cli) if line.startswith(f"{OURS} token") else token
        if given.target is not None:
            given.target.write_text(answer.out)


def called(call: Call, given: Redirected) -> Answer:
    """One command, with a person at the terminal who says yes, and leaves a review for later."""
    if given.source is not None:
        return call(*given.words, stdin=given.source.read_text())
    return call(*given.words, typed="" if given.words[0] == "review" else "y\n" * 20)


def token_id(cli: Call) -> str:
    (made,) = cli("token", "list", "--json").ok().json["tokens"]
    return str(made["id"])


def _begun(line: str, table: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """What a table has for a line that begins so."""
    words = line.removeprefix(f"{OURS} ")
    return next((each for start, each in table.items() if words.startswith(start)), ())
