"""The documents are true: their examples run, their links lead somewhere, their promises name tests that exist."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from bench import recording

from commonplace.cli.commands import demo

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")
NOT_RUN = ("pip", "pipx", "uv", "uvx", "make")  # what needs the network or another working directory


def blocks(document: Path, language: str) -> list[str]:
    return [text for found, text in FENCE.findall(document.read_text(encoding="utf-8")) if found == language]


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COMMONPLACE_", "XDG_"))}
    return {**kept, "HOME": str(tmp_path), "COMMONPLACE_MODEL": "none"}


@pytest.mark.parametrize("document", [ROOT / "README.md", ROOT / "docs" / "library.md"], ids=lambda path: path.name)
def test_the_python_examples_run_as_they_stand(document: Path, tmp_path: Path, surroundings: dict[str, str]) -> None:
    code = "\n".join(blocks(document, "python"))
    assert code
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=tmp_path, env=surroundings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_first_example_is_ten_lines() -> None:
    assert len([line for line in blocks(ROOT / "README.md", "python")[0].splitlines() if line.strip()]) <= 10


def test_the_commands_of_the_readme_run_in_their_order(tmp_path: Path, surroundings: dict[str, str]) -> None:
    ran = 0
    for block in blocks(ROOT / "README.md", "console"):
        for line in block.splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            if not line.startswith("$ ") or words[0] in NOT_RUN or words[1:3] == ["models", "pull"]:
                continue
            assert words[0] == "commonplace", line
            done = subprocess.run(
                [sys.executable, "-m", *words], cwd=tmp_path, env=surroundings, capture_output=True, text=True
            )
            assert done.returncode == 0, (line, done.stderr)
            ran += 1
    assert ran >= 5


def test_from_a_clone_to_a_memory_in_a_tool_are_five_commands_at_most() -> None:
    """`make test-hosts` runs them."""
    commands = blocks(ROOT / "README.md", "shell")[0].splitlines()
    assert commands[0] == "pipx install ."
    assert 2 < len(commands) <= 5


def test_what_the_readme_and_the_demo_ask_is_answered_with_confidence(
    tmp_path: Path, surroundings: dict[str, str]
) -> None:
    """With the model that both tell a newcomer to pull, the first hit of every question is at least 0.5 relevant; what
    was just forgotten leaves nothing behind that is."""
    models = {"COMMONPLACE_MODEL": "arctic-s", "COMMONPLACE_MODELS": os.environ["COMMONPLACE_TEST_MODELS"]}
    written = [
        shlex.split(line.removeprefix("$ "), comments=True)[1:]
        for block in blocks(ROOT / "README.md", "console")
        for line in block.splitlines()
        if line.startswith("$ commonplace")
    ]
    shown = [list(words) for _, commands in demo.STEPS for words in commands]
    asked = 0
    for name, commands in (("readme", written), ("demo", shown)):
        forgotten = False
        for words in commands:
            if words[0] not in ("remember", "recall", "forget"):
                continue
            forgotten = forgotten or words[0] == "forget"
            store = ["--store", str(tmp_path / f"{name}.db"), "--json"]
            done = subprocess.run(
                [sys.executable, "-m", "commonplace", *words, *store],
                cwd=tmp_path,
                env=surroundings | models,
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, (words, done.stderr)
            hits = json.loads(done.stdout).get("hits") if words[0] == "recall" else None
            if hits:
                assert (hits[0]["relevance"] >= 0.5) is not forgotten, (words, hits[0])
                asked += 1
    assert asked >= 5


@pytest.mark.skipif(sys.platform == "win32", reason="a recording takes a pseudo-terminal")
def test_the_recording_in_the_readme_shows_what_the_commands_say() -> None:
    """`make pictures` takes it anew."""
    steps = recording.recorded(Path(os.environ["COMMONPLACE_TEST_MODELS"]).resolve())
    assert recording.PICTURE.read_text(encoding="utf-8") == recording.drawn(steps)
    assert str(recording.PICTURE.relative_to(ROOT)) in (ROOT / "README.md").read_text(encoding="utf-8")


def test_nobody_is_told_to_install_somebody_elses_package() -> None:
    """`commonplace` on the package index is another program; ours is `commonplace-memory`."""
    told = re.compile(r"\b(?:install|uvx|uv add|--from|--with)\b([^\n#`;&|]*)")
    theirs = re.compile(r"[\"'(]*commonplace(?:[\[=<>~!].*)?[\"'.,:)]*")
    places = [*DOCUMENTS, ROOT / "Makefile", ROOT / "pyproject.toml", *(ROOT / "src").rglob("*.py")]
    lines = [(place, line) for place in places for line in told.findall(place.read_text(encoding="utf-8"))]
    assert [told for told in lines if any(map(theirs.fullmatch, told[1].split()))] == []
    assert any("commonplace-memory" in line for _, line in lines)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    missing = [
        link for link in LINK.findall(document.read_text(encoding="utf-8")) if not (document.parent / link).exists()
    ]
    assert missing == []


def test_every_test_that_a_promise_names_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/.]+)`", text)
    assert named
    assert [place for place in named if not (ROOT / place).exists()] == []


def test_every_module_is_in_the_map() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "commonplace"
    names = [
        path.stem if path.suffix else path.name for path in package.iterdir() if not path.name.startswith(("_", "."))
    ]
    assert [name for name in names if name != "py" and f"`{name}" not in text and f"{name}`" not in text] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_line_is_too_long_to_read(document: Path) -> None:
    prose = FENCE.sub("", document.read_text(encoding="utf-8"))
    long = [line for line in prose.splitlines() if len(line) > 140 and not line.startswith("|")]
    assert long == []
