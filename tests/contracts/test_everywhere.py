"""What the five contracts mean, over stdio and HTTP, on SQLite and PostgreSQL: the essence of the other files."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import pytest
from bench import contracts

from tests.contracts.client import serving
from tests.contracts.requirements import requires
from tests.contracts.snipara_calls import REDIS
from tests.http.conftest import Server, running
from tests.postgres import Server as Postgres

_users = count(1)
ENGINES, TRANSPORTS = ("sqlite", "postgres"), ("stdio", "http")


class Caller(Protocol):
    """Calls of tools, whatever carries them."""

    def call(self, tool: str, /, **arguments: Any) -> Any: ...

    def refusal(self, tool: str, /, **arguments: Any) -> Any: ...


class OverHttp:
    """Tools at the address of a dialect, called by somebody with a token."""

    def __init__(self, server: Server, dialect: str, token: str) -> None:
        self._ask = lambda tool, arguments: server.call(f"/{dialect}/mcp", tool, arguments, token).json["result"]

    def call(self, tool: str, /, **arguments: Any) -> Any:
        result = self._ask(tool, arguments)
        assert not result.get("isError"), result
        return json.loads(result["content"][0]["text"])

    def refusal(self, tool: str, /, **arguments: Any) -> Any:
        result = self._ask(tool, arguments)
        assert result["isError"], result
        return json.loads(result["content"][0]["text"])


Served = Callable[[str], Caller]


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Server]]:
    """One server over HTTP for each engine, started when it is first asked for."""
    started: dict[str, Server] = {}
    with ExitStack() as stack:

        def at(place: str) -> Server:
            if place not in started:
                started[place] = stack.enter_context(running(store=place))
            return started[place]

        yield at


@pytest.fixture(scope="module")
def shared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The book of each engine that a server over HTTP has."""
    made: dict[str, str] = {}

    def book(engine: str) -> str:
        if engine not in made:
            made[engine] = new_place(engine, request, tmp_path_factory.mktemp("book"))
        return made[engine]

    return book


def new_place(engine: str, request: pytest.FixtureRequest, folder: Path) -> str:
    if engine == "sqlite":
        return str(folder / "book.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.address(server.new_database())


@pytest.fixture(params=[(engine, transport) for engine in ENGINES for transport in TRANSPORTS], ids="-".join)
def served(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    project: Path,
    servers: Callable[[str], Server],
    shared: Callable[[str], str],
) -> Iterator[Served]:
    """A client of a dialect, whose memories nobody else has: a book of its own, or a user of its own."""
    engine, transport = request.param
    with ExitStack() as stack:

        def start(dialect: str) -> Caller:
            if transport == "stdio":
                place = new_place(engine, request, tmp_path)
                return stack.enter_context(serving(dialect, place, project))
            server = servers(shared(engine))
            return OverHttp(server, dialect, server.token(f"user-{next(_users)}"))

        yield start


# -- onelamp ----------------------------------------------------------------------------------


@requires("onelamp.session.digest", "onelamp.session.last_word", "onelamp.resume.brief", "onelamp.save.topic")
def test_onelamp_keeps_what_a_session_taught_and_hands_it_over(served: Served) -> None:
    client = served("onelamp")
    forms = {row["form"]: row for row in contracts.rows(contracts.CORPORA / "digests.jsonl", None)}
    for form in ("prose", "bullets", "headings", "numbered"):
        saved = client.call("save_session", transcript=forms[form]["text"])
        assert (saved["saved"], saved["total"]) == (6, 6), form
    row = contracts.rows(contracts.CORPORA / "resume.jsonl", "own")[0]
    id = client.call("save_session", transcript=contracts.spoken(row["turns"]))["session_id"]
    told = contracts.told(row, client.call("resume_session", session_id=id)["session"]["summary"][:1_500])
    assert told.good >= 0.8 * told.wanted
    talk = "User: Access tokens live 60 minutes.\nAssistant: Fine.\nUser: Then 15 minutes, not 60.\nAssistant: Done."
    client.call("save_session", transcript=talk)
    (pack,) = (
        each for each in client.call("get_context", query="access tokens live")["packs"] if "tokens" in each["text"]
    )
    assert pack["text"] == "Access tokens live 15 minutes."
    for day in ("Monday", "Tuesday"):
        client.call("save_context", content=f"Deploys are on {day}", topic="deploy-schedule")
    found = [each["text"] for each in client.call("get_context", query="deploys")["packs"]]
    assert [text for text in found if "Deploys are" in text] == ["Deploys are on Tuesday"]


# -- aleph ------------------------------------------------------------------------------------


@requires("aleph.forget.described", "aleph.reflect.answers", "aleph.reflect.nothing")
def test_aleph_answers_what_is_asked_and_forgets_what_is_meant(served: Served) -> None:
    client = served("aleph")
    old, new = "The user's old email address is ada@old.example", "The user's new email address is ada@new.example"
    for text in (old, new, "We decided on SQLite for the desktop app.", "Invoices are sent on the third."):
        client.call("remember", content=text)
    answer = client.call("memory_reflect", query="What database did we decide on?")["answer"]
    assert "SQLite" in answer
    assert "Invoices" not in answer
    unknown = client.refusal("memory_reflect", query="What is the capital of France?")
    assert unknown["error"]["code"] == "MemoryNotFound"
    client.call("forget", query="The user's old email address")
    assert client.call("forget", query="The user's old email address", confirm=True)["count"] == 1
    left = [each["content"] for each in client.call("memory_search", query="email address")["facts"]]
    assert new in left
    assert old not in left


# -- ownsona ----------------------------------------------------------------------------------


@requires("ownsona.remember.near.apart", "ownsona.remember.exact.near", "ownsona.remember.output.corrected")
def test_ownsona_takes_no_reverse_for_a_repeat_and_remembers_what_was_forgotten(served: Served) -> None:
    client = served("ownsona")
    for told, other in (
        ("I prefer tabs over spaces.", "I prefer spaces over tabs."),
        ("Anna manages Bob.", "Bob manages Anna."),
        ("I work at Acme.", "I used to work at Acme."),
    ):
        client.call("remember", text=told)
        assert client.call("remember", text=other, dedup_policy="skip_if_near")["message"] == "Ok"
    again = client.call("remember", text="Anna manages Bob.", dedup_policy="skip_if_near")
    assert (again["message"], again["near_duplicates"][0]["score"]) == ("Already remembered", 1.0)
    id = client.call("remember", text="The user lives in Berlin.")["memory_id"]
    client.call("forget", id=id, reason="moved away")
    warned = client.call("remember", text="The user lives in Berlin")["previously_corrected"]
    assert [each["forget_reason"] for each in warned] == ["moved away"]


# -- snipara ----------------------------------------------------------------------------------


@requires("snipara.lifecycle.audit", "snipara.supersede.example", "snipara.remember.repeat")
def test_snipara_keeps_why_something_was_retired_and_finds_decisions(served: Served) -> None:
    client = served("snipara")
    old, new = (client.call("rlm_remember", text=f"The standup is at {hour}")["memory_id"] for hour in ("nine", "ten"))
    client.call("rlm_memory_supersede", old_memory_id=old, new_memory_id=new, reason="moved")
    found = [each["content"] for each in client.call("rlm_recall", query="When is the standup?")["memories"]]
    assert found == ["The standup is at ten"]
    rows = client.call("rlm_memories", include_inactive=True)["memories"]
    retired = next(each for each in rows if each["id"] == old)
    assert (retired["reason"], retired["superseded_by"]) == ("moved", new)
    again = client.call("rlm_remember", text="The standup is at ten")
    assert (again["memory_id"], again["created"]) == (new, False)
    client.call("rlm_decision_create", **REDIS)
    (decision,) = client.call("rlm_decision_query", query="deduplication redis")["decisions"]
    assert decision["title"] == REDIS["title"]


# -- nuzo -------------------------------------------------------------------------------------


@requires("nuzo.recall.relevant", "nuzo.hook.whole_task", "nuzo.history.deleted")
def test_nuzo_recalls_what_fits_and_keeps_the_history_of_what_is_gone(served: Served) -> None:
    client = served("nuzo")
    kept = {"kind": "fact", "scope": "user:default", "source": "test"}
    style = client.call("memory.remember", content="Commit messages are in the imperative", **kept)["id"]
    client.call("memory.remember", content="The timezone is Europe/Berlin", **kept)
    asked = {"include_global": True, "scope": "user:default"}
    assert client.call("memory.recall", query="weather in Paris", **asked)["results"] == []
    task = "We are cleaning up the dashboard today. " * 20 + "Now write the commit messages for it."
    (hit,) = client.call("memory.recall_hook", task_context=task, project_scope="user:default", limit=3)["results"]
    assert hit["id"] == style
    client.call("memory.forget", id=style, mode="delete", confirm=True)
    events = [each["event_type"] for each in client.call("memory.history", id=style)["events"]]
    assert events[-1] == "memory.deleted"
