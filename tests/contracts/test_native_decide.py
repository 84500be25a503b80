"""The native surface: the decision log."""

import pytest

from tests.contracts.client import Client
from tests.contracts.conftest import Serve
from tests.contracts.requirements import requires

TABS = {
    "title": "Indent with tabs",
    "decision": "Tabs, shown as wide as everybody likes",
    "rationale": "Peace at last",
    "context": "We argue about indentation",
}
SPACES = {**TABS, "title": "Indent with spaces", "decision": "Four spaces", "context": "The formatter knows no tabs"}


@pytest.fixture
def native(serve: Serve) -> Client:
    return serve("native")


def found(client: Client, query: str, **options: str) -> list[str]:
    return [each["id"] for each in client.call("memory_decide", query=query, **options)["decisions"]]


@requires("native.decide.records", "native.decide.finds")
def test_a_decision_is_recorded_and_found_by_its_words(native: Client) -> None:
    answer = native.call("memory_decide", **TABS, alternatives=["Spaces"], impact="high")
    (record,) = answer["decisions"]
    assert {name: record[name] for name in TABS} == TABS
    assert (record["id"], record["status"], record["impact"]) == ("DEC-001", "active", "high")
    assert (record["scope"], record["alternatives"]) == ("user:default", ["Spaces"])
    assert native.call("memory_decide", query="peace with tabs")["decisions"] == [record]
    assert (found(native, "tabs penguins"), found(native, "penguins")) == (["DEC-001"], [])
    assert native.call("memory_decide", **SPACES, scope="project")["decisions"][0]["id"] == "DEC-001"
    assert len(found(native, "indent")) == 2
    assert len(found(native, "indent", scope="project")) == 1


@requires("native.decide.supersedes")
def test_a_later_decision_takes_the_place_of_an_older_one(native: Client) -> None:
    native.call("memory_decide", **TABS)
    (new,) = native.call("memory_decide", **SPACES, supersedes="DEC-001")["decisions"]
    assert (new["id"], new["supersedes"]) == ("DEC-002", "DEC-001")
    assert found(native, "indent") == ["DEC-002"]
    error = native.refusal("memory_decide", **TABS, supersedes="DEC-001")["error"]
    assert error["code"] == "conflict"
    assert "DEC-002" in error["message"]
    assert native.refusal("memory_decide", **TABS, supersedes="DEC-099")["error"]["code"] == "not_found"


@requires("native.decide.records")
def test_a_decision_has_an_area(native: Client) -> None:
    assert native.call("memory_decide", **TABS)["decisions"][0]["area"] == "general"
    native.call("memory_decide", **TABS, area="frontend")
    (new,) = native.call("memory_decide", **SPACES, supersedes="DEC-002")["decisions"]
    assert new["area"] == "frontend", "as before, unless it is said"
    assert (
        native.call("memory_decide", **SPACES, supersedes="DEC-003", area="backend")["decisions"][0]["id"] == "DEC-004"
    )
    assert found(native, "indent", area="backend") == ["DEC-004"]
    assert found(native, "indent", area="frontend") == []


@requires("native.decide.needs")
def test_what_is_missing_is_named(native: Client) -> None:
    for name in TABS:
        rest = {key: value for key, value in TABS.items() if key != name}
        assert native.refusal("memory_decide", **rest)["error"]["argument"] == name
    assert native.refusal("memory_decide", **TABS, impact="huge")["error"]["argument"] == "impact"
    assert native.refusal("memory_decide", **TABS, owner="ada")["error"]["argument"] == "owner"
    assert found(native, "tabs") == []
