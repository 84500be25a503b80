"""The snipara contract: the decision log."""

from pathlib import Path

import pytest

from tests.contracts.client import Client
from tests.contracts.conftest import Serve
from tests.contracts.requirements import requires
from tests.contracts.snipara_calls import QUEUE, REDIS, past, refused

KEYS = {
    "id",
    "title",
    "owner",
    "date",
    "scope",
    "impact",
    "status",
    "context",
    "decision",
    "rationale",
    "alternatives",
    "revert_plan",
    "supersedes",
    "superseded_by",
    "tags",
}


@pytest.fixture
def snipara(serve: Serve) -> Client:
    return serve("snipara")


def found(client: Client, **arguments: object) -> list[str]:
    return [each["id"] for each in client.call("rlm_decision_query", **arguments)["decisions"]]


@requires("snipara.decision.create", "snipara.decision.pair")
def test_the_published_query_finds_the_published_decision(snipara: Client) -> None:
    record = snipara.call("rlm_decision_create", **REDIS)
    assert record.keys() == KEYS
    assert {name: record[name] for name in REDIS} == REDIS
    assert (record["id"], record["status"], record["supersedes"]) == ("DEC-001", "ACTIVE", None)
    answer = snipara.call(
        "rlm_decision_query",
        query="redis deduplication",
        scope="backend",
        impact="HIGH",
        include_superseded=False,
        limit=10,
    )
    assert answer == {"decisions": [record], "total": 1, "has_more": False}


@requires("snipara.decision.checks", "snipara.errors.nothing_stored")
def test_what_is_missing_is_named_and_nothing_is_recorded(snipara: Client) -> None:
    for name in ("title", "owner", "scope", "context", "decision", "rationale"):
        rest = {key: value for key, value in REDIS.items() if key != name}
        assert refused(snipara, "rlm_decision_create", **rest).startswith(name)
    for name in ("title", "context"):
        assert name in refused(snipara, "rlm_decision_create", **{**REDIS, name: "  "})
    said = refused(snipara, "rlm_decision_create", **{**REDIS, "impact": "HUGE"})
    assert (
        said == "Invalid parameter 'impact': unsupported impact 'HUGE'. Expected one of: LOW, MEDIUM, HIGH, CRITICAL."
    )
    assert found(snipara) == []
    plain = {key: value for key, value in REDIS.items() if key not in ("impact", "alternatives", "tags")}
    record = snipara.call("rlm_decision_create", **plain, revert_plan="Turn it off")
    assert (record["id"], record["impact"], record["revert_plan"]) == ("DEC-001", "MEDIUM", "Turn it off")
    assert snipara.call("rlm_decision_create", **{**REDIS, "impact": "critical"})["impact"] == "CRITICAL"


@requires("snipara.decision.filters", "snipara.decision.page")
def test_decisions_are_found_by_words_area_impact_status_and_tags(snipara: Client) -> None:
    snipara.call("rlm_decision_create", **REDIS)
    snipara.call("rlm_decision_create", **{**QUEUE, "scope": "frontend", "impact": "LOW", "tags": ["Queue"]})
    for number in range(10):
        snipara.call(
            "rlm_decision_create", **{**QUEUE, "title": f"Filler {number}", "decision": "Wait", "scope": "ops"}
        )
    assert found(snipara, query="kafka rollout") == ["DEC-001"]
    assert found(snipara, query="redis penguins") == []
    assert found(snipara, scope="frontend") == ["DEC-002"]
    assert found(snipara, impact="low") == ["DEC-002"]
    assert found(snipara, tags=["jobs", "nothing"]) == ["DEC-001"]
    assert found(snipara, status="SUPERSEDED") == []
    page = snipara.call("rlm_decision_query")
    assert (len(page["decisions"]), page["total"], page["has_more"]) == (10, 12, True)
    assert page["decisions"][0]["id"] == "DEC-012"
    assert len(found(snipara, limit=50)) == 12
    assert "impact" in refused(snipara, "rlm_decision_query", impact="HUGE")
    assert "unsupported decision status" in refused(snipara, "rlm_decision_query", status="OLD")


@requires("snipara.decision.supersede", "snipara.decision.filters", "snipara.decision.unknown")
def test_both_decisions_stay_and_name_each_other(snipara: Client) -> None:
    for _ in range(14):
        snipara.call("rlm_decision_create", **REDIS)
    new = snipara.call("rlm_decision_supersede", old_decision_id="DEC-014", **QUEUE)
    assert new.keys() == KEYS
    assert (new["id"], new["supersedes"], new["status"]) == ("DEC-015", "DEC-014", "ACTIVE")
    assert "DEC-014" not in found(snipara, limit=50)
    every = {
        each["id"]: each for each in snipara.call("rlm_decision_query", include_superseded=True, limit=50)["decisions"]
    }
    assert (every["DEC-014"]["status"], every["DEC-014"]["superseded_by"]) == ("SUPERSEDED", "DEC-015")
    assert found(snipara, status="SUPERSEDED") == ["DEC-014"]
    bare = {key: value for key, value in QUEUE.items() if key not in ("scope", "impact")}
    inherited = snipara.call("rlm_decision_supersede", old_decision_id="dec-15", **bare)
    assert (inherited["scope"], inherited["impact"]) == ("backend", "MEDIUM")
    assert refused(snipara, "rlm_decision_supersede", **QUEUE) == "old_decision_id is required"
    unknown = refused(snipara, "rlm_decision_supersede", old_decision_id="DEC-099", **QUEUE)
    assert unknown == "Decision DEC-099 not found"
    taken = refused(snipara, "rlm_decision_supersede", old_decision_id="DEC-014", **QUEUE)
    assert "DEC-016 stands in its place" in taken
    assert snipara.call("rlm_decision_query", include_superseded=True)["total"] == 16


@requires("snipara.decision.numbers")
def test_a_number_is_given_out_once(serve: Serve, tmp_path: Path, project: Path) -> None:
    client = serve("snipara")
    for _ in range(3):
        last = client.call("rlm_decision_create", **REDIS)["id"]
    with past(tmp_path, project) as book:
        book.decisions.remove(book.scope(), last)
    assert client.call("rlm_decision_create", **REDIS)["id"] == "DEC-004"
