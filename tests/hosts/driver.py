"""Hosts as a person runs them, without a terminal: a home of their own, a repository, and a stand-in for the model."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.hosts.standin import Asked, StandIn

MODULES = Path(os.environ.get("COMMONPLACE_TEST_HOSTS", "")) / "node_modules"
NODE = os.environ.get("COMMONPLACE_TEST_NODE", "")
SESSION_SECONDS = 120
COMMONPLACE = Path(sys.executable).parent / "commonplace"


@dataclass(frozen=True)
class Host:
    """How one host is started, what makes it talk to the stand-in, and in which API it asks."""

    name: str
    program: str
    options: tuple[str, ...]
    api: str
    prepare: Callable[[Path, str], Mapping[str, str]]
    """Writes what the host needs into a home and gives the environment it needs besides."""

    def command(self, prompt: str) -> list[str]:
        """The words that start one session with one prompt."""
        return [str(MODULES / self.program), *self.options, prompt]


def _claude(home: Path, url: str) -> Mapping[str, str]:
    return {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "test",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }


def _codex(home: Path, url: str) -> Mapping[str, str]:
    _write(
        home / ".codex" / "config.toml",
        'model = "standin"\nmodel_provider = "standin"\n\n[model_providers.standin]\nname = "standin"\n'
        f'base_url = "{url}/v1"\nwire_api = "responses"\nenv_key = "STANDIN_KEY"\n',
    )
    return {"STANDIN_KEY": "test"}


def _gemini(home: Path, url: str) -> Mapping[str, str]:
    _write(
        home / ".gemini" / "settings.json",
        json.dumps({"security": {"auth": {"selectedType": "gemini-api-key"}}}, indent=2),
    )
    _write(home / ".gemini" / "trustedFolders.json", json.dumps({str(home.parent): "TRUST_PARENT"}))
    return {"GEMINI_API_KEY": "test", "GOOGLE_GEMINI_BASE_URL": url}


def _opencode(home: Path, url: str) -> Mapping[str, str]:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "standin",
        "options": {"baseURL": f"{url}/v1", "apiKey": "test"},
        "models": {"standin": {"name": "standin"}},
    }
    settings = {
        "provider": {"standin": provider},
        "model": "standin/standin",
        "small_model": "standin/standin",
        "autoupdate": False,
    }
    _write(home / ".config" / "opencode" / "opencode.json", json.dumps(settings, indent=2))
    return {"OPENCODE_DISABLE_MODELS_FETCH": "1"}


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


HOSTS = (
    Host("claude-code", "@anthropic-ai/claude-code-linux-x64/claude", ("-p",), "/messages", _claude),
    Host(
        "codex",
        ".bin/codex",
        ("exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"),
        "/responses",
        _codex,
    ),
    Host("gemini", ".bin/gemini", ("-m", "gemini-2.5-flash", "-p"), "enerateContent", _gemini),
    Host("opencode", "opencode-linux-x64/bin/opencode", ("run",), "/chat/completions", _opencode),
)


@dataclass
class Desk:
    """A person's home with one host in it, a repository to work in, and the model they talk to."""

    host: Host
    home: Path
    repository: Path
    model: StandIn
    env: Mapping[str, str]
    program: Path = COMMONPLACE
    """Ours: what is under test unless another was installed."""

    @classmethod
    def at(cls, place: Path, host: Host, model: StandIn) -> "Desk":
        """A fresh one in an empty folder."""
        home, repository = place / "home", place / "shop"
        (repository / ".git").mkdir(parents=True)
        (repository / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="ascii")
        (repository / "src" / "api").mkdir(parents=True)
        home.mkdir()
        env = {
            "HOME": str(home),
            "PATH": os.pathsep.join((NODE, "/usr/local/bin", "/usr/bin", "/bin")),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "COMMONPLACE_MODELS": os.environ["COMMONPLACE_TEST_MODELS"],
        }
        return cls(host, home, repository, model, {**env, **host.prepare(home, model.url)})

    def ours(self, *words: str) -> subprocess.CompletedProcess[str]:
        """One command of ours, as this person."""
        return subprocess.run(
            [self.program, *words], env=self.env, cwd=self.repository, capture_output=True, text=True, timeout=120
        )

    def start(self, prompt: str, folder: Path) -> subprocess.Popen[bytes]:
        """A session of the host that has begun."""
        with (self.home / "host.log").open("ab") as log:
            return subprocess.Popen(
                self.host.command(prompt),
                env=self.env,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def session(self, prompt: str, folder: Path) -> tuple[Asked, ...]:
        """One session with one prompt to its end; what the model was asked about that prompt."""
        self.model.taken()
        process = self.start(prompt, folder)
        try:
            process.wait(SESSION_SECONDS)
        finally:
            process.kill()
        asked = self.model.taken()
        log = (self.home / "host.log").read_text(encoding="utf-8", errors="replace")
        assert process.returncode == 0, log[-3_000:]
        with_tools = tuple(each for each in asked if each.api == self.host.api and each.body.get("tools"))
        assert with_tools, f"no request with tools among {[each.api for each in asked]}: {log[-2_000:]}"
        return with_tools

    def files(self) -> dict[str, bytes]:
        """What stands in the home's settings now: the files that a set-up could have written."""
        roots = (".claude", ".claude.json", ".codex", ".gemini", ".config", ".cursor")
        return {
            str(file.relative_to(self.home)): file.read_bytes()
            for root in roots
            for file in sorted((self.home / root).rglob("*") if (self.home / root).is_dir() else [self.home / root])
            if file.is_file()
        }


@dataclass(frozen=True)
class Running:
    """A process of this machine as it was just now."""

    pid: int
    words: str
    environment: str

    @property
    def is_ours(self) -> bool:
        """Whether it is Commonplace itself and not a host that was told of it."""
        return any(word.endswith("commonplace") for word in self.words.split()[:2])


def running() -> Iterator[Running]:
    """The processes that may be looked at."""
    for each in Path("/proc").iterdir():
        if not each.name.isdigit() or int(each.name) == os.getpid():
            continue
        try:
            words = (each / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            yield Running(int(each.name), words, (each / "environ").read_bytes().decode(errors="replace"))
        except OSError:
            continue


def kill_host(desk: Desk) -> None:
    """Kill a host with all that it started for itself, and leave what is ours to find out."""
    for each in running():
        if str(desk.home) in each.environment and not each.is_ours:
            with suppress(ProcessLookupError):
                os.kill(each.pid, signal.SIGKILL)


def processes_about(place: Path) -> list[str]:
    """The command lines of our processes that have a folder in their words or their environment."""
    return [each.words for each in running() if each.is_ours and str(place) in each.words + each.environment]
