"""docs/coming-from.md: its commands run in their order, on files as the page names them."""

import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Call, cli, project
from tests.imports.test_formats import GIVEN, TALKS
from tests.test_docs import ROOT, blocks

__all__ = ["cli", "project"]
PAGE = ROOT / "docs" / "coming-from.md"
FILES = {
    "CLAUDE.md": GIVEN / "AGENTS.md",
    "AGENTS.md": GIVEN / "CLAUDE.md",
    "memory": GIVEN / "claude-code-memory",
    "conversations.json": TALKS / "chatgpt.json",
    "memories.json": GIVEN / "claude-ai-memories.json",
    "chatgpt-memory.md": GIVEN / "chatgpt-memory.md",
    "memory.jsonl": GIVEN / "server-memory.jsonl",
    "mem0.json": GIVEN / "mem0.json",
    "notes": GIVEN / "basic-memory",
    "docs/adr": GIVEN / "adr",
}


@pytest.fixture
def folder(project: Path) -> Path:
    (project / ".git").mkdir()
    for name, source in FILES.items():
        target = project / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copyfile(source, target)
    return project


def test_the_commands_run_in_their_order_and_say_what_the_page_says(cli: Call, folder: Path) -> None:
    ran = 0
    for block in blocks(PAGE, "console"):
        said: list[str] = []
        for line in block.splitlines():
            if not line.startswith("$ "):
                assert line in said, line
                continue
            _, *words = shlex.split(line.removeprefix("$ "))
            said = cli(*words).ok().out.splitlines()
            ran += 1
    assert ran >= 10
    page = (folder / "everything.md").read_text()
    for text in ("Prefer composition", "allergic to walnuts", "Speaks fluent Danish", "Use Valkey", "User loves dogs"):
        assert text in page
