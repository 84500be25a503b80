"""Nothing calls home: no command and no surface reaches the network or writes outside of our own folders.

Each runs in a process of its own with a fresh home and hardly any environment, under a recorder that the kernel
reports to. `models pull` alone may go out, through pip.
"""

import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from commonplace.dialects import NATIVE, dialect_names
from commonplace.domain.record import Record
from commonplace.hooks.events import Host
from commonplace.models.packs import DEFAULT_PACK
from tests.conftest import NOT_RUN
from tests.hooks.calling import transcript as transcript_of
from tests.security.every_command import calls, prepare
from tests.security.recorder import MACHINES
from tests.serve.wire import wired
from tests.waiting import stays, wait_until

ROOT = Path(__file__).parents[2]
MODELS_VARIABLE = "COMMONPLACE_TEST_MODELS"
NO_MODEL = "none"
LATER_SECONDS = 12  # onnxruntime's own report was on its way ten seconds after the first vector
START_SECONDS = 60
PYTHONS_PROBE = re.compile(r"[a-z0-9_]{8}")  # what `tempfile` writes to see whether a folder can be written
ASKS_FIRST = {("purge", "12"), ("team", "delete", "core"), ("setup",)}  # there is nobody to answer

TEXTS = {"query": "when do we deploy?", "text": "Deploys are on Thursday", "content": "We deploy the heron on Thursday"}


class Stage(Record):
    """A home that nobody has used, a project, and the notes of what happens there."""

    root: Path
    model: str

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def markers(self) -> Path:
        return self.root / "markers"

    @property
    def notes(self) -> Path:
        return self.root / "notes"

    def recorded(self, *command: str, may_listen: bool = False, **variables: str) -> list[str]:
        """The words that run a command here. CI's variables are gone: onnxruntime is silent where it sees them."""
        surroundings = {
            "PATH": os.environ["PATH"],
            "HOME": self.home,
            "TMPDIR": self.root / "tmp",
            "PYTHONPATH": ROOT,
            "PYTHONDONTWRITEBYTECODE": "1",
            "COMMONPLACE_MODEL": self.model,
            "COMMONPLACE_MODELS": self.root / "models",
            **variables,
        }
        if "LD_LIBRARY_PATH" in os.environ:  # some Pythons are not found without
            surroundings["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        listening = ["--may-listen"] if may_listen else []
        clean = ["env", "-i", *(f"{name}={value}" for name, value in surroundings.items())]
        return [sys.executable, "-m", "tests.security.recorder", str(self.notes), *listening, *clean, *command]

    def run(self, *command: str, stdin: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.recorded(*command, **variables),
            input=stdin,
            cwd=self.project,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def trespasses(self) -> list[str]:
        """What was noted and is not ours to do."""
        lines = dict.fromkeys(self.notes.read_text("utf-8").splitlines())
        return [line for line in lines if not self._ours(*line.split(" ", 1))]

    def _ours(self, word: str, what: str) -> bool:
        if word != "file":
            return False
        path, tmp = Path(what), self.root / "tmp"
        if any(what.startswith(f"{self.home}/{each}") for each in _named_in_home()):  # a back-up where its example says
            return True
        if path.is_relative_to(tmp):
            first = path.relative_to(tmp).parts[0]
            return first.startswith("commonplace-") or PYTHONS_PROBE.fullmatch(first) is not None
        commands = self.home / ".local/bin"  # where 'setup nuzo-shim' puts its command
        if path == commands or (path.parent == commands and path.name.startswith("nuzo")):
            return True
        inside = (".local/share", ".config", ".local/state")  # the last is for what hooks keep: see docs/privacy.md
        own = (*(self.home / each / "commonplace" for each in inside), self.root / "models")
        folders = (*own, self.project, self.markers)
        return (
            any(path.is_relative_to(folder) for folder in folders)
            or any(folder.is_relative_to(path) and path.is_relative_to(self.home) for folder in own)
            or what in (os.devnull, "/dev/tty")
        )


@cache
def _named_in_home() -> frozenset[str]:
    return frozenset(each[2:] for words in calls() for each in words if each.startswith("~/"))


@pytest.fixture
def stage(tmp_path: Path, request: pytest.FixtureRequest) -> Stage:
    if platform.system() != "Linux" or platform.machine() not in MACHINES:
        pytest.skip(f"{NOT_RUN}whether anything calls home, since only Linux tells what a process asks for.")
    made = Stage(tmp_path, getattr(request, "param", NO_MODEL))
    for folder in (made.home, made.project, made.markers, tmp_path / "tmp", tmp_path / "models"):
        folder.mkdir()
    if made.run("true").returncode:
        pytest.skip(f"{NOT_RUN}whether anything calls home, since this kernel does not let itself be asked.")
    if made.model != NO_MODEL:
        _copy_pack(tmp_path / "models")
    return made


def _copy_pack(folder: Path) -> None:
    named = os.environ.get(MODELS_VARIABLE)
    if not named:
        pytest.fail(f"{MODELS_VARIABLE} is not set: let it name a folder into which {DEFAULT_PACK} was pulled.")
    (folder / DEFAULT_PACK).mkdir()
    for file in (Path(named) / DEFAULT_PACK).iterdir():
        (folder / DEFAULT_PACK / file.name).write_bytes(file.read_bytes())


with_and_without = pytest.mark.parametrize("stage", [NO_MODEL, DEFAULT_PACK], indirect=True)
with_a_model = pytest.mark.parametrize("stage", [DEFAULT_PACK], indirect=True)


# -- the recorder itself ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "seen"),
    [
        ("import socket; socket.getaddrinfo('example.org', 80)", "network socket"),
        ("import socket; socket.create_connection(('127.0.0.1', 9), 1)", "network socket"),
        ("import ctypes; ctypes.CDLL(None).gethostbyname(b'example.org')", "network socket"),
        ("import ctypes; ctypes.CDLL(None).fopen(b'../elsewhere', b'w')", "/elsewhere"),
        ("import os; os.mkdir(os.environ['HOME'] + '/.cache')", "/home/.cache"),
        ("import subprocess; subprocess.run(['touch', 'x', '../elsewhere'])", "/elsewhere"),
        ("import threading as t; t.Thread(target=open, args=('../elsewhere', 'w')).start()", "/elsewhere"),
    ],
)
def test_the_recorder_sees_what_python_and_native_code_try(stage: Stage, code: str, seen: str) -> None:
    stage.run(sys.executable, "-c", code)
    assert any(seen in line for line in stage.trespasses())


# -- the command line -------------------------------------------------------------------------


@with_and_without
def test_no_command_calls_anybody_or_writes_elsewhere(stage: Stage) -> None:
    prepare(stage.project)
    # With the pack there, pull fetches nothing; and the demo loads it a dozen times, which once is enough.
    left_out = {NO_MODEL: "models/pull", DEFAULT_PACK: "demo/--keep"}[stage.model]
    done = stage.run(sys.executable, "-m", "tests.security.every_command", str(stage.markers), left_out)
    assert done.returncode == 0, done.stderr
    tried = json.loads(done.stdout)
    assert {tuple(words) for words, code in tried if code not in (0, 1)} <= ASKS_FIRST
    well = sum(code == 0 for _, code in tried)
    assert well > 90
    assert stage.trespasses() == []
    print(f"{len(tried)} commands ({well} did their work), model {stage.model}: 0 look-ups, 0 calls, 0 files elsewhere")


@with_and_without
@pytest.mark.parametrize("host", Host)
def test_no_hook_calls_anybody_or_writes_elsewhere(stage: Stage, host: str) -> None:
    """A hook is a process of its own, which ends by itself: it is not among the commands above."""
    assert stage.run(sys.executable, "-m", "commonplace", "remember", "Deploys are on Thursday").returncode == 0
    transcript = stage.home / ".claude" / "projects" / "p" / "s1.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text(transcript_of("s1", stage.project, (("user", "We decided to deploy on Thursdays."),)))
    said = ""
    for name in ("Stop", "SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"):
        event = {"hook_event_name": name, "session_id": "s1", "cwd": str(stage.project)}
        more = {"prompt": "when do we deploy?", "transcript_path": str(transcript)}
        done = stage.run(sys.executable, "-m", "commonplace", "hook", host, stdin=json.dumps({**event, **more}))
        assert (done.returncode, done.stderr) == (0, ""), name
        said += done.stdout
    assert host == Host.VSCODE or "Thursday" in said
    assert any((stage.home / ".local/state/commonplace/hooks").iterdir()), "it did its work"
    assert stage.trespasses() == []


@with_a_model
def test_a_model_was_in_use_where_the_commands_were_tried_with_one(stage: Stage) -> None:
    for words in (["remember", "The user is allergic to peanuts"], ["recall", "which food must be avoided?", "--json"]):
        done = stage.run(sys.executable, "-m", "commonplace", *words)
        assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["effective_mode"] == "hybrid"
    assert stage.trespasses() == []


def test_pulling_a_model_is_what_goes_out_and_says_why_it_cannot(stage: Stage) -> None:
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0"}
    done = stage.run(sys.executable, "-m", "commonplace", "models", "pull", **nowhere)
    assert done.returncode == 1
    assert "pip could not fetch" in done.stderr
    assert any(line.startswith("network") for line in stage.trespasses())


@pytest.mark.parametrize("setting", ["LLM", "EMBED"])
@pytest.mark.parametrize("words", [("doctor",), ("memory", "doctor")], ids=" ".join)
def test_doctor_says_when_a_model_is_asked_over_the_network(stage: Stage, setting: str, words: Sequence[str]) -> None:
    model = {f"COMMONPLACE_{setting}_URL": "http://127.0.0.1:9/v1", f"COMMONPLACE_{setting}_MODEL": "far-away"}
    assert stage.run(sys.executable, "-m", "commonplace", "remember", "Deploys are on Thursday").returncode == 0
    for variables, said in (({}, "disabled"), ({"COMMONPLACE_MODEL": DEFAULT_PACK, **model}, "enabled")):
        done = stage.run(sys.executable, "-m", "commonplace", *words, **variables)
        assert re.search(rf"network\W+{said}", done.stdout, re.IGNORECASE), done.stdout + done.stderr
    assert stage.trespasses() == []


# -- every surface ----------------------------------------------------------------------------


def plausible(name: str, schema: Mapping[str, Any]) -> Any:
    """A value that an argument of this name and kind may take."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "integer":
            return schema.get("minimum", 1)
        case "number":
            return schema.get("minimum", 0.5)
        case "boolean":
            return False
        case "array":
            return [plausible(name.removesuffix("s"), schema.get("items", {}))]
        case "object":
            return arguments(schema, schema.get("required", ()))
        case _:
            return next((text for part, text in TEXTS.items() if part in name), "1")


def arguments(schema: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: plausible(name, schema.get("properties", {}).get(name, {})) for name in names}


def every_call(tools: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each tool with what it cannot do without, then with everything it takes."""
    for tool in tools:
        schema = tool["inputSchema"]
        yield tool["name"], arguments(schema, schema.get("required", ()))
        yield tool["name"], arguments(schema, tuple(schema.get("properties", {})))


def runs_a_model(recorder: int) -> bool:
    """Whether the recorded process has loaded the library that runs models."""
    (child,) = Path(f"/proc/{recorder}/task/{recorder}/children").read_text("utf-8").split()
    return "onnxruntime" in Path(f"/proc/{child}/maps").read_text("utf-8")


@with_a_model
@pytest.mark.parametrize("dialect", dialect_names())
def test_no_tool_calls_anybody_or_writes_elsewhere(stage: Stage, dialect: str) -> None:
    command = stage.recorded(sys.executable, "-m", "commonplace", "mcp", "--dialect", dialect)
    tried = refused = 0
    with wired(command, stage.project) as wire:
        wire.shake_hands()
        for name, given in every_call(wire.ask("tools/list")["result"]["tools"]):
            answer = wire.ask("tools/call", {"name": name, "arguments": given})
            tried, refused = tried + 1, refused + answer["result"].get("isError", False)
        for kind in ("resources", "prompts"):
            wire.ask(f"{kind}/list")
        assert runs_a_model(wire.process.pid)
        wire.hang_up()
        assert wire.ended(START_SECONDS) == 0
    assert tried - refused >= 5
    assert stage.trespasses() == []
    print(f"{tried} calls of {dialect} ({refused} refused): 0 look-ups, 0 calls, 0 files elsewhere")


@contextmanager
def served(stage: Stage) -> Iterator[tuple[str, int]]:
    """The address of a server, which may listen and accept but call nobody, and the process that records it."""
    words = ("-m", "commonplace", "serve", "--port", str(_free_port()))
    command = stage.recorded(sys.executable, *words, may_listen=True)
    address = f"http://127.0.0.1:{words[-1]}"
    with subprocess.Popen(
        command, cwd=stage.project, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            wait_until(lambda: _answers(address) or process.poll(), START_SECONDS, "the server did not start")
            assert process.poll() is None, process.stderr
            yield address, process.pid
        finally:
            process.terminate()
            process.wait(START_SECONDS)


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _answers(address: str) -> bool:
    try:
        with urlopen(f"{address}/health", timeout=5) as answer:
            return bool(answer.status < 300)
    except OSError:
        return False


def _asked(address: str, path: str, method: str, params: Mapping[str, Any]) -> Any:
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2025-06-18",
    }
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    with urlopen(Request(address + path, body, headers), timeout=START_SECONDS) as answer:
        return json.loads(answer.read())["result"]


@with_and_without
def test_the_server_calls_nobody_neither_at_once_nor_later(stage: Stage) -> None:
    tried = 0
    with served(stage) as (address, process):
        started = time.monotonic()
        for dialect in dialect_names():
            path = "/mcp" if dialect == NATIVE else f"/{dialect}/mcp"
            for name, given in every_call(_asked(address, path, "tools/list", {})["tools"]):
                _asked(address, path, "tools/call", {"name": name, "arguments": given})
                tried += 1
        assert runs_a_model(process) == (stage.model != NO_MODEL)
        if stage.model != NO_MODEL:  # a report may wait before it is sent: this is the one thing time shows
            assert stays(lambda: stage.trespasses() == [], started + LATER_SECONDS - time.monotonic())
    assert tried > 100
    assert stage.trespasses() == []
    print(f"{tried} calls over HTTP, model {stage.model}: 0 look-ups, 0 calls, 0 files elsewhere")
