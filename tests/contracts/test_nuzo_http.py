"""`project:auto` over HTTP: the token's project, else a sentence that says so, on every surface that takes it."""

import json
from typing import Any

import pytest

from commonplace.domain.scope import Principal, Right, Scope
from tests.contracts.requirements import requires
from tests.http.conftest import Server, StartServer, start

__all__ = ["start"]  # the fixture of the HTTP tests

HARBOUR = Scope.parse("project:harbour")
RIGHTS = frozenset({Right.READ, Right.WRITE})
SENTENCE = "There is no current project here"
MEMORY = {"content": "The pier is red", "kind": "fact"}
MOMENT = "2026-01-01T00:00:00.000Z"
ITEM = {
    **MEMORY,
    "scope": "user:default",
    "tags": [],
    "source": "nuzo:cli",
    "confidence": 1,
    "created_at": MOMENT,
    "updated_at": MOMENT,
    "last_used_at": None,
    "archived_at": None,
}
DOCUMENT = {"format": "nuzo-memory-export", "version": 1, "exported_at": MOMENT, "memories": [ITEM]}

WANTS_A_PROJECT: list[tuple[str, str, dict[str, Any]]] = [
    ("nuzo", "memory.remember", {**MEMORY, "scope": "project:auto"}),
    ("nuzo", "memory.recall", {"query": "pier", "scope": "project:auto"}),
    ("nuzo", "memory.list", {"scope": "project:auto"}),
    ("nuzo", "memory.forget_many", {"scope": "project:auto", "dry_run": False}),
    ("nuzo", "memory.export", {"scope": "project:auto"}),
    ("nuzo", "memory.import", {"document": DOCUMENT, "scope": "project:auto"}),
    ("snipara", "rlm_remember", {"text": "The pier is red", "scope": "project"}),
    ("snipara", "rlm_recall", {"query": "pier", "scope": "project"}),
    ("snipara", "rlm_memories", {"scope": "project"}),
    ("snipara", "rlm_forget", {"type": "fact"}),
    ("native", "memory_remember", {"text": "The pier is red", "scope": "project:auto"}),
    ("native", "memory_recall", {"query": "pier", "scope": "project:auto"}),
]


@pytest.fixture
def server(start: StartServer) -> Server:
    return start()


def token(server: Server, project: Scope | None = None, bound: Scope | None = None) -> str:
    principal = Principal("local", "ada", (), RIGHTS, bound)
    return server.book.access.create(principal, "test", project=project or bound).secret


def call(server: Server, dialect: str, tool: str, given: dict[str, Any], token: str) -> tuple[Any, bool]:
    """The body of an answer, and whether it is an error."""
    path = "/mcp" if dialect == "native" else f"/{dialect}/mcp"
    result = server.call(path, tool, given, token).json["result"]
    return json.loads(result["content"][0]["text"]), bool(result.get("isError"))


def answer(server: Server, tool: str, given: dict[str, Any], token: str) -> Any:
    body, failed = call(server, "nuzo", tool, given, token)
    assert not failed, body
    return body


def texts(found: Any) -> list[str]:
    return [each["content"] for each in found["results"]]


@requires("nuzo.project.http")
def test_without_a_project_every_tool_says_so_and_changes_nothing(server: Server) -> None:
    alone = token(server)
    answer(server, "memory.remember", MEMORY, alone)
    for dialect, tool, given in WANTS_A_PROJECT:
        body, failed = call(server, dialect, tool, given, alone)
        assert failed, (dialect, tool)
        assert SENTENCE in json.dumps(body), (dialect, tool)
    assert len(answer(server, "memory.list", {}, alone)["memories"]) == 1


@requires("nuzo.project.http")
def test_with_include_global_nuzo_answers_from_the_users_own_alone(server: Server) -> None:
    alone = token(server)
    answer(server, "memory.remember", MEMORY, alone)
    asked = {"query": "pier", "scope": "project:auto", "include_global": True}
    assert texts(answer(server, "memory.recall", asked, alone)) == ["The pier is red"]
    hooked = answer(server, "memory.recall_hook", {"task_context": "Paint the pier"}, alone)
    assert (texts(hooked), hooked["scope"], hooked["include_global"]) == (["The pier is red"], "project:auto", True)


@requires("nuzo.project.http")
def test_the_tokens_project_is_the_current_one(server: Server) -> None:
    at_work, alone, elsewhere = token(server, HARBOUR), token(server), token(server, Scope.parse("project:other"))
    answer(server, "memory.remember", {**MEMORY, "scope": "project:auto"}, at_work)
    asked = {"query": "pier", "scope": "project:auto", "include_global": True}
    (found,) = answer(server, "memory.recall", asked, at_work)["results"]
    assert found["scope"] == "project:harbour"
    for other in (alone, elsewhere):
        assert texts(answer(server, "memory.recall", asked, other)) == []
    assert texts(answer(server, "memory.recall_hook", {"task_context": "Paint the pier"}, at_work)) == [
        MEMORY["content"]
    ]
    assert texts(answer(server, "memory.recall_hook", {"task_context": "Paint the pier"}, elsewhere)) == []


@requires("nuzo.project.http")
def test_a_token_that_is_bound_to_a_project_has_no_other_place_to_look_in(server: Server) -> None:
    bound = token(server, bound=HARBOUR)
    answer(server, "memory.remember", {**MEMORY, "content": "The pier is my own"}, token(server))
    answer(server, "memory.remember", {**MEMORY, "scope": "project:auto"}, bound)
    asked = {"query": "pier", "scope": "project:auto", "include_global": True}
    assert texts(answer(server, "memory.recall", asked, bound)) == ["The pier is red"]
    assert texts(answer(server, "memory.recall_hook", {"task_context": "The pier"}, bound)) == ["The pier is red"]
