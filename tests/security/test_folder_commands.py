"""Every command and every tool of every surface, used inside a cloned repository that means harm."""

import argparse
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commonplace.api.operations import PREFIX
from commonplace.cli.parser import build_parser
from commonplace.config import DESCRIPTIONS
from commonplace.dialects import dialect_names
from commonplace.dialects.aleph.methods import METHODS
from commonplace.hooks.events import Host
from commonplace.serve.halves import HEADER
from tests.security.door import SERVING, ask
from tests.security.hostile import LIMIT_SECONDS, OWN, PLANTED, Scene, needs_git, scene
from tests.serve.wire import wired

pytestmark = needs_git

Path_ = tuple[str, ...]

# Servers stay, and a hook is always a process of its own: each has a test of its own below.
SERVERS: tuple[Path_, ...] = (("mcp",), ("serve",), ("web",), ("hook",))
WORDS = {
    "query": "bees",
    "id": "1",
    "ids": "1",
    "text": "a thing",
    "old": "1",
    "team": "core",
    "user": "ada",
    "role": "member",
    "title": "A title",
    "context": "c",
    "decision": "d",
    "rationale": "r",
    "area": "a",
    "reason": "r",
    "kind": "fact",
    "method": "memory.stats",
    "run": "dream_1",
    "value": "7",
    "path": "README.md",
    "paths": "README.md",
    "file": "draft.json",
    "folder": "docs/decisions",
    "source": "data/notes.db",
    "target": "linked.db",
}
MORE: dict[Path_, tuple[str, ...]] = {
    ("remember",): ("a thing to remember",),
    ("supersede",): ("a newer thing",),
    ("update",): ("--tag", "x"),
    ("import",): ("--yes",),
    ("purge",): ("--yes",),
    ("reset",): ("--yes",),
    ("restore-backup",): ("--yes",),
    ("team", "delete"): ("--yes",),
    ("export",): ("--path", "export.jsonl", "--force"),
    ("memory", "export"): ("--path", "export.jsonl"),
    ("memory", "init"): ("--project",),
    ("memory", "confirm-capture"): ("--confirm",),
    ("doctor",): ("--repair",),
    ("dream",): ("--plan",),
    ("curate",): ("--show",),
    ("models", "pull"): ("--from", "missing.whl"),
    ("setup",): ("claude-code", "codex", "--dry-run"),
}
NAMED: dict[tuple[Path_, str], str] = {
    (("session", "save"), "paths"): "chat.md",
    (("backup",), "file"): "docs/linked/backup.db",
    (("config", "set"), "name"): "limit",
    (("config", "get"), "name"): "store",
    (("projects", "rename"), "name"): "shop",
    (("projects", "rename"), "new"): "till",
    (("projects", "merge"), "name"): "shop",
    (("projects", "merge"), "into"): "till",
    (("projects", "bind"), "folder"): ".",
    (("projects", "bind"), "name"): "shop",
}


def leaves(parser: argparse.ArgumentParser, path: Path_ = ()) -> Iterator[tuple[Path_, argparse.ArgumentParser]]:
    """Every command there is, down to the last word, with its parser."""
    below = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    if not below or not below[0].required:
        yield path, parser
    for each in below:
        for name, inner in each.choices.items():
            yield from leaves(inner, (*path, name))


def command_line(path: Path_, parser: argparse.ArgumentParser) -> list[str]:
    """The least that a command takes. A new argument without a word here fails the test."""
    words = list(path)
    for each in parser._actions:
        optional = each.option_strings and not each.required
        if optional or each.nargs in ("?", "*") or isinstance(each, argparse._SubParsersAction):
            continue
        word = NAMED.get((path, each.dest)) or (next(iter(each.choices)) if each.choices else WORDS[each.dest])
        words += [*each.option_strings[:1], str(word)]
    return [*words, *MORE.get(path, ())]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """One clone for those who leave it as it was; it sets all that makes a server the attacker's."""
    names = (
        "store",
        "models",
        "user",
        "host",
        "oauth_issuer",
        "oauth_resource",
        "oauth_jwks",
        "allowed_hosts",
        "limit",
    )
    with scene(tmp_path_factory.mktemp("scene"), names=names) as made:
        yield made


@pytest.fixture
def clone(shared: Scene) -> Iterator[Scene]:
    """The clone, and afterwards the proof that nothing was started, called or written but what is the user's."""
    shared.log.unlink(missing_ok=True)
    before = shared.snapshot()
    yield shared
    assert shared.log.exists(), "nothing was watched"
    shared.assert_untouched(before)


@pytest.mark.parametrize(
    ("store", "names"),
    [
        ("data/notes.db", (*DESCRIPTIONS, "plugin")),
        ("data/notes.db", ("store",)),
        ("postgresql://drop@127.0.0.1:{port}/loot", ("store", "busy_seconds")),
    ],
)
def test_no_command_obeys_the_folder(tmp_path: Path, store: str, names: tuple[str, ...]) -> None:
    lines = [command_line(path, parser) for path, parser in leaves(build_parser()) if path not in SERVERS]
    lines += [["rpc", each.name, json.dumps(arguments(each.input_schema()))] for each in METHODS.tools]
    with scene(tmp_path, store, names) as made:
        before = made.snapshot()
        done = subprocess.run(
            [sys.executable, "-m", "tests.security.driver"],
            cwd=made.clone,
            env=made.environment,
            text=True,
            input="".join(json.dumps(words) + "\n" for words in lines),
            capture_output=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert [each["words"] for each in answers] == lines, done.stderr
        made.assert_untouched(before)
    assert [each for each in answers if each["code"] not in (0, 1)] == []
    for each in answers:
        assert PLANTED not in each["out"] + each["err"], each
    refused = [each for each in answers if "links are not followed" in each["err"]]
    assert len(refused) >= 6, "decision export, export, memory export, memory init, backup, migrate"
    assert len(answers) >= 100
    print(f"{len(answers)} commands in a hostile clone ({store[:10]}): 0 ways out")


def test_single_processes_use_the_users_own_book(clone: Scene) -> None:
    calls = (
        ("doctor",),
        ("memory", "doctor"),
        ("config", "show"),
        ("recall", "who keeps bees?", "--json"),
        ("recall", "keys", "--json"),
        ("remember", "the user was here"),
        ("list", "--json"),
        ("curate", "--show"),
    )
    answers = {words: clone.run(*words) for words in calls}
    for words, answer in answers.items():
        assert answer.returncode == 0, (words, answer)
        assert PLANTED not in answer.stdout + answer.stderr, words
        assert answer.stderr.count("Ignored: ") == 2, answer.stderr  # once for each of the two files
        assert "Traceback" not in answer.stderr
    found = json.loads(answers["recall", "who keeps bees?", "--json"].stdout)["hits"]
    assert [hit["text"] for hit in found] == [OWN]
    assert "the user was here" in clone.run("list", folder=clone.home).stdout
    print(f"{len(answers)} processes in a hostile clone: 0 ways out")


# -- hooks ------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", Host)
def test_no_hook_obeys_the_folder(clone: Scene, host: str) -> None:
    """The transcript that the folder would like to be learnt from is its own."""
    said = []
    for name in ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"):
        event = {
            "hook_event_name": name,
            "session_id": f"of-{host}",
            "cwd": str(clone.clone),
            "prompt": "who keeps bees on the roof?",
            "transcript_path": str(clone.clone / "chat.md"),
        }
        answer = clone.run("hook", host, stdin=json.dumps(event))
        assert (answer.returncode, answer.stderr) == (0, ""), (name, answer)
        said.append(answer.stdout)
    assert PLANTED not in "".join(said)
    assert host == Host.VSCODE or OWN in "".join(said), "what is the user's own is brought, where a host can take it"


# -- servers ----------------------------------------------------------------------------------


def arguments(schema: dict[str, Any]) -> dict[str, Any]:
    """The least that a tool takes, from its own schema."""
    return {name: _value(name, schema["properties"][name], schema) for name in schema.get("required", ())}


def _value(name: str, schema: dict[str, Any], whole: dict[str, Any]) -> Any:
    if "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        schema = schema["anyOf"][0]
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "integer" | "number":
            return 1
        case "boolean":
            return True
        case "array":
            return [_value(name, schema.get("items", {"type": "string"}), whole)]
        case "object":
            return {inner: _value(inner, schema["properties"][inner], whole) for inner in schema.get("required", ())}
        case _:
            return {"id": "1", "kind": "fact", "type": "fact"}.get(name, "bees")


@pytest.mark.parametrize("dialect", dialect_names())
def test_no_tool_obeys_the_folder(clone: Scene, dialect: str) -> None:
    command = [sys.executable, "-m", "commonplace", "mcp", "--dialect", dialect]
    with wired(command, clone.clone, **clone.environment) as wire:
        wire.shake_hands()
        tools = wire.ask("tools/list")["result"]["tools"]
        said = [
            json.dumps(wire.ask("tools/call", {"name": tool["name"], "arguments": arguments(tool["inputSchema"])}))
            for tool in tools
        ]
        wire.hang_up()
        assert wire.ended(LIMIT_SECONDS) == 0
        logged = wire.logged.decode()
    assert not any(PLANTED in answer for answer in said)
    assert logged.count("Ignored: ") == 2, logged
    assert len(tools) >= 5
    print(f"{len(tools)} tools of {dialect} in a hostile clone: 0 ways out")


def test_serve_listens_where_the_user_says_and_trusts_whom_the_user_trusts(clone: Scene) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "commonplace", "serve", "--port", "0", "--verbose"],
        cwd=clone.clone,
        env=clone.environment,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    lines = []
    too_long = threading.Timer(LIMIT_SECONDS, process.kill)
    too_long.start()
    try:
        assert process.stderr is not None
        for line in process.stderr:
            lines.append(line)
            if SERVING.search(line):
                break
    finally:
        too_long.cancel()
        process.send_signal(signal.SIGTERM)
        lines.append(process.communicate(timeout=LIMIT_SECONDS)[1])
    said = "".join(lines)
    served = SERVING.search(said)
    assert served is not None, said
    assert served["host"] == "127.0.0.1"
    assert "0.0.0.0" not in said
    assert said.count("Ignored: ") == 2, said


def test_the_page_of_a_hostile_clone_is_of_the_users_book_and_for_this_machine_alone(clone: Scene) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "commonplace", "web", "--no-open", "--json"],
        cwd=clone.clone,
        env=clone.environment,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    too_long = threading.Timer(LIMIT_SECONDS, process.kill)
    too_long.start()
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        address, key = told["address"], told["link"].partition("key=")[2]
        port = int(address.rpartition(":")[2])
        lines = (("Host", "127.0.0.1"), ("Content-Type", "application/json"), ("Authorization", f"Bearer {key}"))
        heard = ask(port, "POST", f"{PREFIX}/sign-in", lines)
        cookie = heard.headers["set-cookie"].partition(";")[0]
        halves = (("Cookie", cookie), (HEADER, json.loads(heard.body)["half"]))
        place = json.loads(ask(port, "GET", f"{PREFIX}/health", (lines[0], *halves)).body)["book"]["place"]
    finally:
        too_long.cancel()
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=LIMIT_SECONDS)[1]
    assert address.startswith("http://127.0.0.1:")
    assert not Path(place).is_relative_to(clone.clone)
    assert "Ignored: " in said
