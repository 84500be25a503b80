"""Trust, erasure and undo as people and agents meet them: the command line and a server, each a process of its own."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.client import Client, serving
from tests.security import door
from tests.serve.wire import environment
from tests.warm import command

TYPED = "The production deploy needs two approvals"
SENTENCE = "The harbour opens with quetzalcoatlus every morning"
TURNS = 260
LIMIT_SECONDS = 120

Person = Callable[..., Any]


@pytest.fixture
def person(tmp_path: Path) -> Person:
    """Somebody at the command line; the answer as JSON."""

    def types(*words: str) -> Any:
        done = subprocess.run(
            command(*words, "--store", str(tmp_path / "book.db"), "--json"),
            cwd=tmp_path,
            env=environment(HOME=str(tmp_path)),
            capture_output=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        assert done.returncode == 0, (words, done.stderr.decode())
        return json.loads(done.stdout) if done.stdout.strip() else None

    return types


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Client]:
    with serving("native", tmp_path / "book.db", tmp_path) as client:
        yield client


def remembered(person: Person, text: str) -> int:
    number: int = person("remember", text)["results"][0]["memory"]["number"]
    return number


def said_in(folder: Path, word: str) -> list[str]:
    return [file.name for file in folder.rglob("*") if file.is_file() and word.encode() in file.read_bytes().lower()]


def test_what_an_agent_makes_of_typed_words_is_not_typed(person: Person, agent: Client) -> None:
    person("remember", TYPED)
    agent.call("memory_update", id="1", text="The production deploy needs no approvals")
    changed = person("show", "1")
    assert changed["origin"] == "revised"
    assert person("recall", "production deploy approvals", "--automatic")["hits"] == []
    person("undo")
    again = person("show", "1")
    assert (again["text"], again["origin"]) == (TYPED, "typed")
    assert [hit["text"] for hit in person("recall", "production deploy approvals", "--automatic")["hits"]] == [TYPED]


def test_what_an_agent_only_inferred_puts_nothing_typed_away(person: Person, agent: Client) -> None:
    person("remember", TYPED)
    guess = agent.call("memory_remember", text="The deploy needs no approvals", inferred=True, replaces="1")
    assert guess["warnings"]
    assert [memory["text"] for memory in person("list")["memories"] if memory["origin"] == "typed"] == [TYPED]
    person("confirm", str(guess["id"]))
    assert [memory["text"] for memory in person("list")["memories"]] == ["The deploy needs no approvals"]


def test_a_purge_leaves_no_byte_of_a_sentence_that_many_turns_say(tmp_path: Path, person: Person) -> None:
    talk = tmp_path / "talk.md"
    talk.write_text("".join(f"User: {SENTENCE}. Number {n}.\nAssistant: Noted.\n" for n in range(TURNS)), "utf-8")
    person("session", "save", str(talk))
    talk.unlink()
    number = remembered(person, SENTENCE)
    assert said_in(tmp_path, "quetzalcoatlus")
    assert person("purge", str(number), "--yes")["complete"]
    for left in person("list", "--status", "any")["memories"]:
        if "quetzalcoatlus" in left["text"]:  # what was learnt from the conversation is a memory of its own
            person("purge", str(left["number"]), "--yes")
    assert said_in(tmp_path, "quetzalcoatlus") == []


def test_a_restored_back_up_brings_back_neither_what_was_purged_nor_who_was_shut_out(
    tmp_path: Path, person: Person
) -> None:
    number = remembered(person, SENTENCE)
    kept = remembered(person, "Ships are grey")
    token = person("token", "create", "--user", "local")
    copy = tmp_path / "copy.db"
    person("backup", str(copy))
    person("purge", str(number), "--yes")
    person("token", "revoke", token["id"])
    later = person("token", "create", "--user", "local")
    person("restore-backup", str(copy), "--yes")
    assert [memory["number"] for memory in person("list", "--status", "any")["memories"]] == [kept]
    assert said_in(tmp_path, "quetzalcoatlus") == [copy.name]
    with door.serving(tmp_path, COMMONPLACE_MODEL="none") as server:
        server.announced()
        assert asked(server.port, later["token"]) == 200
        assert asked(server.port, token["token"]) == 401
        assert asked(server.port, None) == 401


def asked(port: int, token: str | None) -> int:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).encode()
    lines = [
        ("Host", f"127.0.0.1:{port}"),
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(body))),
        ("Accept", "application/json, text/event-stream"),
        *([] if token is None else [("Authorization", f"Bearer {token}")]),
    ]
    return door.ask(port, "POST", "/mcp", lines, body).status
