"""What the five contracts mean, over stdio and HTTP, on SQLite and PostgreSQL: the essence of the other files."""

import json
import os
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
from tests.contracts.test_aleph_tools import command
from tests.http.conftest import Server, running
from tests.postgres import Server as Postgres

_users = count(1)
ENGINES, TRANSPORTS = ("sqlite", "postgres"), ("stdio", "http")
MODELS_VARIABLE = "COMMONPLACE_TEST_MODELS"
PACK = "arctic-s"
NO_MODEL = "none"


class Caller(Protocol):
    """Calls of tools, whatever carries them."""

    def call(self, tool: str, /, **arguments: Any) -> Any: ...

    def refusal(self, tool: str, /, **arguments: Any) -> Any: ...


class OverHttp:
    """Tools at the address of a dialect, called by somebody with a token."""

    def __init__(self, server: Server, dialect: str, token: str) -> None:
        path = "/mcp" if dialect == "native" else f"/{dialect}/mcp"
        self._ask = lambda tool, arguments: server.call(path, tool, arguments, token).json["result"]

    def call(self, tool: str, /, **arguments: Any) -> Any:
        result = self._ask(tool, arguments)
        assert not result.get("isError"), result
        return json.loads(result["content"][0]["text"])

    def refusal(self, tool: str, /, **arguments: Any) -> Any:
        result = self._ask(tool, arguments)
        assert result["isError"], result
        return json.loads(result["content"][0]["text"])


class Person(Protocol):
    """Somebody whose memories nobody else has: a client of any dialect, and Aleph's methods."""

    def __call__(self, dialect: str) -> Caller: ...

    def method(self, name: str, /, **params: Any) -> Any: ...


class AtTheMachine:
    """A book of one's own: each dialect is a server on stdio, and methods are commands."""

    def __init__(self, place: str, project: Path, model: str, stack: ExitStack) -> None:
        self._place, self._project, self._model, self._stack = place, project, model, stack

    def __call__(self, dialect: str) -> Caller:
        return self._stack.enter_context(serving(dialect, self._place, self._project, COMMONPLACE_MODEL=self._model))

    def method(self, name: str, /, **params: Any) -> Any:
        done = command(self._place, "rpc", name, json.dumps(params))
        assert done.returncode == 0, done.stdout
        return json.loads(done.stdout)


class WithAToken:
    """A user of one's own on a server."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._token = server.token(f"user-{next(_users)}")

    def __call__(self, dialect: str) -> Caller:
        return OverHttp(self._server, dialect, self._token)

    def method(self, name: str, /, **params: Any) -> Any:
        return self._server.rpc("/rpc", name, params, self._token).json["result"]


Servers = Callable[[str, str], Server]


@pytest.fixture(scope="module")
def servers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """One server over HTTP for each engine and model, with a book of its own, started when it is first asked for."""
    started: dict[tuple[str, str], Server] = {}
    with ExitStack() as stack:

        def at(engine: str, model: str) -> Server:
            if (engine, model) not in started:
                place = new_place(engine, request, tmp_path_factory.mktemp("book"))
                started[engine, model] = stack.enter_context(running(store=place, model=model))
            return started[engine, model]

        yield at


def new_place(engine: str, request: pytest.FixtureRequest, folder: Path) -> str:
    if engine == "sqlite":
        return str(folder / "book.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.address(server.new_database())


everywhere = pytest.mark.parametrize(
    "way", [(engine, transport) for engine in ENGINES for transport in TRANSPORTS], ids="-".join
)
Meet = Callable[[tuple[str, str], str], Person]


@pytest.fixture
def meet(request: pytest.FixtureRequest, tmp_path: Path, project: Path, servers: Servers) -> Iterator[Meet]:
    """Makes a person on an engine and a transport, with a model or with none."""
    with ExitStack() as stack:

        def one(way: tuple[str, str], model: str) -> Person:
            engine, transport = way
            if transport == "http":
                return WithAToken(servers(engine, model))
            return AtTheMachine(new_place(engine, request, tmp_path), project, model, stack)

        yield one


@pytest.fixture
def person(meet: Meet, way: tuple[str, str]) -> Person:
    return meet(way, NO_MODEL)


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(os.environ.get(MODELS_VARIABLE, ""))
    if not (folder / PACK / "model.onnx").is_file():
        pytest.skip(f"NOT RUN: {MODELS_VARIABLE} does not name a folder with {PACK}.")
    monkeypatch.setenv("COMMONPLACE_MODELS", str(folder))


@pytest.fixture
def understood(models: None, meet: Meet, way: tuple[str, str]) -> Person:
    """Somebody whose book has a model."""
    return meet(way, PACK)


# -- onelamp ----------------------------------------------------------------------------------


@requires("onelamp.session.digest", "onelamp.session.last_word", "onelamp.resume.brief", "onelamp.save.topic")
@everywhere
def test_onelamp_keeps_what_a_session_taught_and_hands_it_over(person: Person) -> None:
    client = person("onelamp")
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


RUNBOOK = "Runbook for failover:\n1. Stop the primary.\n2. Promote the replica.\n3. Switch the DNS."
FENCED = """Human: ```svelte
{#each items as item}
```
Assistant: There is no key in the each block, which is why it jumps.
Human: I prefer composition over inheritance."""


@requires("onelamp.session.short", "onelamp.session.types", "onelamp.session.speakers", "onelamp.session.procedure")
@everywhere
def test_onelamp_keeps_one_line_by_its_type_and_tells_speakers_apart(person: Person) -> None:
    client = person("onelamp")
    kept = {
        "I prefer tabs over spaces.": "fact",
        "Don't ever force-push to main.": "instruction",
        RUNBOOK: "instruction",
        "TODO: write the changelog": "task",
        "All customer data has to stay in the EU, legal says.": "fact",
    }
    for text, type in kept.items():
        id = client.call("save_session", transcript=f"User: {text}")["session_id"]
        learnings = client.call("resume_session", session_id=id)["session"]["learnings"]
        assert [each["memory_type"] for each in learnings] == [type], text
    id = client.call("save_session", transcript=FENCED)["session_id"]
    learnings = client.call("resume_session", session_id=id)["session"]["learnings"]
    assert [each["text"] for each in learnings] == ["I prefer composition over inheritance."]


# -- aleph ------------------------------------------------------------------------------------


@requires("aleph.forget.described", "aleph.reflect.answers", "aleph.reflect.nothing")
@everywhere
def test_aleph_answers_what_is_asked_and_forgets_what_is_meant(person: Person) -> None:
    client = person("aleph")
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
    for name in ("Anna", "Bob"):
        client.call("remember", content=f"{name}'s phone number is 555 0{len(name)}")
    (shown,) = (each for each in client.call("forget", query="Anna's phone number")["candidates"] if each["goes"])
    assert shown["content"].startswith("Anna's")
    assert client.call("forget", query="Anna's phone number", confirm=True)["forgotten"] == [shown["id"]]


@requires("aleph.rpc.corrections.flow", "aleph.rpc.corrections.logged", "aleph.rpc.corrections.doors")
@everywhere
def test_aleph_learns_from_corrections_whichever_door_they_come_in_by(person: Person) -> None:
    agent, native = person("aleph"), person("native")
    wrong = native.call("memory_remember", text="Deploys are on Thursday")["id"]
    person.method("memory.log_correction", content="No, deploys are on Monday", memory_ids=[wrong])
    person.method("dreaming.run_now")
    assert [each["content"] for each in agent.call("memory_search", query="When are deploys?")["facts"]] == [
        "No, deploys are on Monday"
    ]
    assert "Thursday" not in agent.call("memory_reflect", query="When are deploys?")["answer"]
    wrong = native.call("memory_remember", text="The standup is at nine")["id"]
    right = native.call("memory_remember", text="The standup is at ten", replaces=wrong)["id"]
    listed = person.method("memory.list_corrections")["corrections"]
    assert [(each["content"], each["status"]) for each in listed] == [
        ("The standup is at ten", "distilled"),
        ("No, deploys are on Monday", "distilled"),
    ]
    assert listed[0]["results"] == [right]
    assert [each["content"] for each in agent.call("memory_search", query="standup")["facts"]] == [
        "The standup is at ten"
    ]


@requires("aleph.rpc.insights.read", "aleph.rpc.insights.counts", "aleph.remember.reprioritised")
@everywhere
def test_aleph_tells_of_conflicts_in_their_words_and_takes_another_priority(person: Person) -> None:
    agent = person("aleph")
    for text in ("The rate limit is 100 requests per minute.", "The rate limit is 300 requests per minute."):
        agent.call("remember", content=text)
    done = person.method("dreaming.run_now")["run_id"]
    told = person.method("dreaming.list_insights")
    daily = " ".join(each["content"] for each in (*told["daily"], *told["synthesis"]))
    assert "100 requests" in daily
    assert "300 requests" in daily
    assert "mem_" not in daily
    assert done in [run["id"] for run in told["runs"]]
    again = agent.call("remember", content="The rate limit is 300 requests per minute.", priority=9)
    assert (again["created"], again["priority"]) == (False, 9)


# -- ownsona ----------------------------------------------------------------------------------


@requires("ownsona.remember.near.apart", "ownsona.remember.exact.near", "ownsona.remember.output.corrected")
@everywhere
def test_ownsona_takes_no_reverse_for_a_repeat_and_remembers_what_was_forgotten(person: Person) -> None:
    client = person("ownsona")
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
@everywhere
def test_snipara_keeps_why_something_was_retired_and_finds_decisions(person: Person) -> None:
    client = person("snipara")
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


@requires("snipara.remember.scope.calling_agent", "snipara.lifecycle.related", "snipara.remember.repeat")
@everywhere
def test_snipara_keeps_what_is_an_agents_own_and_shows_relations(person: Person) -> None:
    client = person("snipara")
    own = client.call("rlm_remember", text="The queue is drained at noon", scope="agent")
    assert own["scope"] == "agent"
    assert own["owner"]["agent_id"]
    other = client.call("rlm_remember", text="The queue has three workers", related_to=[own["memory_id"]])
    assert "skipped_related" not in other
    rows = {each["id"]: each for each in client.call("rlm_memories")["memories"]}
    assert rows[other["memory_id"]]["related_to"] == [own["memory_id"]]
    again = client.call("rlm_remember", text="The queue is drained at noon", scope="agent")
    assert (again["memory_id"], again["created"]) == (own["memory_id"], False)


# -- nuzo -------------------------------------------------------------------------------------


@requires("nuzo.recall.relevant", "nuzo.hook.whole_task", "nuzo.history.deleted")
@everywhere
def test_nuzo_recalls_what_fits_and_keeps_the_history_of_what_is_gone(person: Person) -> None:
    client = person("nuzo")
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


@requires("nuzo.hook.waiting", "nuzo.import.idempotent")
@everywhere
def test_nuzo_tells_what_waits_for_a_person_and_how_to_confirm_it(person: Person) -> None:
    client = person("nuzo")
    kept = {"kind": "fact", "scope": "user:default", "source": "test"}
    client.call("memory.remember", content="The user prefers SQLite", **kept)
    document = client.call("memory.export", scope="user:default", format="json")
    document["memories"][0]["content"] = "The user prefers SQLite for prototypes"
    assert client.call("memory.import", document=document)["imported"] == 1
    assert client.call("memory.import", document=document)["skipped"] == 1
    told = client.call("memory.recall_hook", task_context="Which database: SQLite for prototypes?")
    assert [each["content"] for each in told["results"]] == ["The user prefers SQLite"]
    assert any("commonplace confirm" in warning for warning in told["warnings"])


# -- what only a model understands ------------------------------------------------------------


@requires(
    "ownsona.remember.near.meaning", "ownsona.near_duplicates.meaning", "ownsona.remember.output.corrected.meaning"
)
@everywhere
def test_ownsona_knows_a_paraphrase_and_what_was_forgotten_in_other_words(understood: Person) -> None:
    client = understood("ownsona")
    first = client.call("remember", text="We deploy every Thursday.")["memory_id"]
    near = client.call("remember", text="Deploys happen on Thursdays.")["near_duplicates"]
    assert [each["id"] for each in near] == [first]
    counts = [len(client.call("find_near_duplicates", threshold=threshold)["groups"]) for threshold in (0.5, 1.0)]
    assert counts == [1, 0]
    id = client.call("remember", text="The user lives in Berlin.")["memory_id"]
    client.call("forget", id=id, reason="moved away")
    warned = client.call("remember", text="The user has his home in Berlin.")["previously_corrected"]
    assert [each["id"] for each in warned] == [id]


@requires("aleph.search.nothing", "aleph.reflect.answers", "aleph.reflect.asking", "aleph.forget.described")
@everywhere
def test_aleph_answers_from_what_is_meant_and_from_nothing_else(understood: Person) -> None:
    client = understood("aleph")
    for text in (
        "Requirement: the app must work offline.",
        "Requirement: exports are CSV and PDF.",
        "The user prefers concise answers.",
        "Passkeys are used for the login.",
        "We decided on SQLite for the desktop app.",
    ):
        client.call("remember", content=text)
    asked = "Summarise what we know about the user's project requirements"
    answer = client.call("memory_reflect", query=asked, depth="brief")["answer"]
    assert "offline" in answer
    assert "CSV" in answer
    assert "concise" not in answer
    assert "SQLite" in client.call("memory_reflect", query="What database did we decide on?")["answer"]
    for query in ("What is the capital of France?", "asdf qwer"):
        assert client.refusal("memory_search", query=query)["error"]["code"] == "MemoryNotFound"
    client.call("forget", query="how people sign in")
    assert client.call("forget", query="the login", confirm=True)["count"] == 1


@requires("snipara.decision.meaning")
@everywhere
def test_snipara_finds_a_decision_in_other_words(understood: Person) -> None:
    client = understood("snipara")
    client.call("rlm_decision_create", **REDIS)
    (decision,) = client.call("rlm_decision_query", query="Which datastore avoids duplicate jobs?")["decisions"]
    assert decision["title"] == REDIS["title"]


@requires("nuzo.recall.relevant")
@everywhere
def test_nuzo_recalls_by_meaning_with_a_floor(understood: Person) -> None:
    client = understood("nuzo")
    for text in ("Commit messages are in the imperative", "The timezone is Europe/Berlin", "The kettle is blue"):
        client.call("memory.remember", content=text, kind="fact", scope="user:default", source="test")
    found = client.call("memory.recall", query="how do I commit?", scope="user:default")["results"]
    assert [each["content"] for each in found] == ["Commit messages are in the imperative"]
    assert client.call("memory.recall", query="weather in Paris", scope="user:default")["results"] == []
