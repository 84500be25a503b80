"""What the tests of hooks share: hosts' events, a call of a hook in this process and as a process, transcripts."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from commonplace.hooks.door import Call
from commonplace.hooks.state import State

ROOT = Path(__file__).parents[2]
HOST = "claude-code"
NOW = 1_795_000_000_000


class Said:
    """What a hook would say."""

    def __init__(self) -> None:
        self.text = ""

    def offer(self, text: str, keep: Callable[[], None]) -> None:
        self.text = text
        keep()


class Person:
    """A person's machine: a home, a book, a project, and a host that calls hooks there."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project, self.book = folder / "home", folder / "project", folder / "book.db"
        self.project.mkdir(parents=True)
        self.home.mkdir()
        self.state = State(self.home / ".local" / "state" / "commonplace" / "hooks")
        self.now = NOW

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("COMMONPLACE_", "XDG_"))}
        for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "CURSOR_VERSION"):
            kept.pop(name, None)
        source = {"PYTHONPATH": str(ROOT / "src")}
        return {**kept, **source, "HOME": str(self.home), "COMMONPLACE_MODEL": "none"}

    def event(self, name: str, session: str = "s1", **fields: object) -> dict[str, object]:
        return {"session_id": session, "cwd": str(self.project), "hook_event_name": name, **fields}

    def call(self, given: Mapping[str, object], host: str = HOST, **surroundings: str) -> str:
        """Answer in this process; what would go to stdout."""
        said = Said()
        self.now += 60_000
        Call(self.state, surroundings, self.now, str(self.book)).respond(host, json.dumps(given).encode(), said)
        return said.text

    def prompt(self, prompt: str, session: str = "s1") -> str:
        return context_of(self.call(self.event("UserPromptSubmit", session, prompt=prompt)))

    def start(self, session: str = "s1", source: str = "startup") -> str:
        return context_of(self.call(self.event("SessionStart", session, source=source)))

    def run(self, given: bytes, host: str = HOST, **variables: str) -> tuple[int, str, str, float]:
        """A process of its own: its exit code, what it said and complained, and how long it took."""
        command = [sys.executable, "-m", "commonplace", "hook", host, "--store", str(self.book)]
        started = time.perf_counter()
        done = subprocess.run(
            command,
            input=given,
            env={**self.environment, **variables},
            cwd=self.project,
            capture_output=True,
            timeout=60,
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode(), time.perf_counter() - started

    def says(self, *turns: tuple[str, str], session: str = "s1") -> Path:
        """A transcript of Claude Code in its own folder."""
        place = self.home / ".claude" / "projects" / "shop" / f"{session}.jsonl"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(transcript(session, self.project, turns), encoding="utf-8")
        return place

    def stop(self, path: Path, session: str = "s1", name: str = "Stop", host: str = HOST) -> str:
        return self.call(self.event(name, session, transcript_path=str(path)), host)


def transcript(session: str, folder: Path, turns: tuple[tuple[str, str], ...]) -> str:
    lines = []
    for number, (role, text) in enumerate(turns):
        lines.append(
            {
                "type": role,
                "uuid": f"u{number}",
                "parentUuid": f"u{number - 1}" if number else None,
                "sessionId": session,
                "cwd": str(folder),
                "timestamp": "2026-11-16T04:14:28.000Z",
                "message": {"role": role, "content": text},
            }
        )
    return "".join(json.dumps(line) + "\n" for line in lines)


def context_of(answer: str) -> str:
    """What the model would get before it."""
    return "" if not answer else str(json.loads(answer).get("hookSpecificOutput", {}).get("additionalContext", ""))
