"""The onelamp contract: the surface, getting, listing and forgetting."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commonplace.book.book import Book
from commonplace.dialect import perform
from commonplace.dialects.onelamp import DIALECT
from commonplace.domain.events import EventType
from commonplace.domain.memory import Standing, Status
from commonplace.domain.scope import Principal, Scope
from commonplace.engine import lifecycle
from commonplace.engine.intake import Draft
from tests.contracts.client import Client
from tests.contracts.conftest import Serve
from tests.contracts.onelamp_calls import PACK_KEYS, ask, code, items, library, packs, save, texts
from tests.contracts.requirements import requires

MODELS_VARIABLE = "COMMONPLACE_TEST_MODELS"
PACK = "arctic-s"


@pytest.fixture
def lamp(serve: Serve) -> Client:
    return serve("onelamp")


# -- the surface ------------------------------------------------------------------------------


@requires("onelamp.surface.tools", "onelamp.surface.effects")
def test_there_are_exactly_six_tools(lamp: Client) -> None:
    tools = lamp.tools()
    assert [tool.name for tool in tools] == [
        "save_context",
        "save_session",
        "get_context",
        "list_context",
        "resume_session",
        "forget_context",
    ]
    reading = {tool.name for tool in tools if tool.annotations and tool.annotations.read_only_hint}
    assert reading == {"get_context", "list_context", "resume_session"}
    assert [tool.name for tool in tools if tool.annotations and tool.annotations.destructive_hint] == ["forget_context"]


@requires("onelamp.surface.parameters")
def test_every_parameter_is_as_published(lamp: Client) -> None:
    schemas = {tool.name: tool.input_schema for tool in lamp.tools()}
    names = {name: list(schema["properties"]) for name, schema in schemas.items()}
    assert names == {
        "save_context": ["content", "memory_type", "kind", "topic", "source_surface", "tags"],
        "save_session": ["transcript", "source_surface"],
        "get_context": [
            "query",
            "max_results",
            "memory_types",
            "scope",
            "verified_only",
            "recency",
            "source_surface",
        ],
        "list_context": ["limit"],
        "resume_session": ["session_id", "limit", "since", "source_surface"],
        "forget_context": ["id", "confirm"],
    }
    required = {name: schema.get("required", []) for name, schema in schemas.items()}
    assert required == {
        "save_context": ["content"],
        "save_session": ["transcript"],
        "get_context": ["query"],
        "list_context": [],
        "resume_session": [],
        "forget_context": ["id"],
    }
    limits = {
        ("get_context", "max_results"): (8, 1, 50),
        ("list_context", "limit"): (50, 1, 200),
        ("resume_session", "limit"): (5, 1, 50),
    }
    for (tool, name), bounds in limits.items():
        found = schemas[tool]["properties"][name]
        assert (found["type"], found["default"], found["minimum"], found["maximum"]) == ("integer", *bounds)
    get = schemas["get_context"]["properties"]
    assert (get["scope"]["default"], get["verified_only"]["default"], get["recency"]["default"]) == (
        "all",
        False,
        False,
    )
    assert schemas["forget_context"]["properties"]["confirm"]["default"] is True
    assert schemas["save_context"]["properties"]["kind"]["default"] == "note"
    assert get["memory_types"]["items"]["enum"] == ["fact", "event", "instruction", "task"]


@requires("onelamp.surface.isolation", "onelamp.surface.ids")
def test_what_belongs_to_another_is_out_of_reach_in_every_spelling(tmp_path: Path) -> None:
    with library(tmp_path, Principal(user="ada")) as (book, _):
        mine = ask(book, "save_context", content="The vault opens with a song")["id"]
        number = book.get(mine).number
        other = book.seen_by(Principal(user="bob"), book.door, None)
        assert ask(other, "get_context", query="vault") == {"packs": []}
        assert ask(other, "list_context") == {"items": []}
        spellings = (mine, mine.replace("ctx_", "mem_"), mine.removeprefix("ctx_"), str(number))
        for spelling in spellings:
            assert ask(other, "forget_context", id=spelling, confirm=False) == {"forgotten": False}
            assert ask(other, "forget_context", id=spelling) == {"forgotten": False}
            assert ask(book, "forget_context", id=spelling, confirm=False)["preview"]["id"] == mine
        assert ask(other, "save_context", content="The vault opens with a song")["deduped"] is False


# -- get --------------------------------------------------------------------------------------


@requires("onelamp.get.packs", "onelamp.get.empty")
def test_packs_are_exactly_as_published(lamp: Client) -> None:
    assert lamp.call("get_context", query="anything at all") == {"packs": []}
    assert lamp.call("get_context", query="anything at all", recency=True, scope="team") == {"packs": []}
    id = save(lamp, "Use pnpm, never npm", kind="preference", source_surface="claude-code", topic="packages")
    answer = lamp.call("get_context", query="which of pnpm or npm")
    assert set(answer) == {"packs"}
    (pack,) = answer["packs"]
    assert set(pack) == PACK_KEYS
    assert pack["id"] == id
    assert pack["ts"] > 1_700_000_000_000, "in milliseconds"
    expected = {"text": "Use pnpm, never npm", "kind": "preference", "memory_type": "fact"}
    assert {name: pack[name] for name in expected} == expected


@requires("onelamp.get.fusion", "onelamp.get.key")
def test_scores_are_weighted_reciprocal_ranks_and_an_exact_topic_comes_first(lamp: Client) -> None:
    """Without a model there is no list by meaning: 1 of 4 parts are for words, 2 for the key, over 60 + the place."""
    save(lamp, "Deploys, deploys, deploys: the schedule of all deploys")
    save(lamp, "The schedule of deploys hangs on the wall of the office")
    by_words = [pack["score"] for pack in packs(lamp, "deploys office")]
    assert by_words == [round(1 / 4, 4), round(61 / 62 / 4, 4)]
    save(lamp, "Every Monday", topic="deploy-schedule")
    found = packs(lamp, "deploy-schedule")
    assert found[0]["text"] == "Every Monday"
    assert 0.74 <= found[0]["score"] <= 0.75
    assert found[0]["score"] > found[1]["score"]
    assert texts(lamp, "what is the deploy schedule?")[0] == "Every Monday"
    for pack in found:
        assert 0 <= pack["score"] <= 1
        assert round(pack["score"], 4) == pack["score"]


@requires("onelamp.get.meaning", "onelamp.get.fusion")
def test_with_a_model_meaning_is_a_list_of_its_own(serve: Serve) -> None:
    folder = Path(os.environ.get(MODELS_VARIABLE, ""))
    if not (folder / PACK / "model.onnx").is_file():
        pytest.skip(f"{MODELS_VARIABLE} does not name a folder with {PACK}: what a model does is NOT TESTED.")
    lamp = serve("onelamp", COMMONPLACE_MODEL=PACK, COMMONPLACE_MODELS=str(folder))
    save(lamp, "Deploys are on Monday")
    save(lamp, "The meeting room is on the third floor", topic="meeting-room")
    best = packs(lamp, "when will it be released?")[0]
    assert (best["text"], best["score"]) == ("Deploys are on Monday", 0.25)
    assert packs(lamp, "meeting room")[0]["score"] == 1.0, "first in all three lists"


@requires("onelamp.get.ties", "onelamp.get.max_results")
def test_the_newer_of_equals_comes_first_and_eight_come_back_unless_told_otherwise(lamp: Client) -> None:
    for number in range(10, 70):
        save(lamp, f"Berth {number} is free")
    found = texts(lamp, "berth")
    assert found == [f"Berth {number} is free" for number in range(69, 61, -1)]
    assert len(packs(lamp, "berth", max_results=1)) == 1
    assert len(packs(lamp, "berth", max_results=50)) == 50
    for wrong in (0, 51, -1, 2.5, "8", True):
        assert code(lamp, "get_context", query="berth", max_results=wrong) == "invalid_params"
    assert code(lamp, "get_context", query=" ") == "invalid_params"


@requires("onelamp.get.types", "onelamp.get.types_empty")
def test_types_restrict_what_other_dialects_remembered_too(serve: Serve, lamp: Client) -> None:
    native = serve("native")
    for kind in ("fact", "preference", "decision", "learning", "instruction", "event", "task", "context", "note"):
        native.call("memory_remember", text=f"A harbour {kind}", kind=kind)
    save(lamp, "A harbour runbook", memory_type="instruction")
    save(lamp, "A settled harbour matter", kind="decision", memory_type="fact")

    def found(*types: str) -> set[str]:
        return set(texts(lamp, "harbour", memory_types=list(types), max_results=50))

    facts = {f"A harbour {kind}" for kind in ("fact", "preference", "learning", "context", "note")}
    assert found("instruction") == {"A harbour instruction", "A harbour runbook"}
    assert found("event") == {"A harbour event", "A harbour decision"}
    assert found("task") == {"A harbour task"}
    assert found("fact") == facts | {"A settled harbour matter"}
    assert found("task", "event") == found("task") | found("event")
    assert len(found()) == 11
    assert {pack["memory_type"] for pack in packs(lamp, "harbour", memory_types=["event"])} == {"event"}
    assert code(lamp, "get_context", query="harbour", memory_types=["fact", "memo"]) == "invalid_params"


@requires("onelamp.get.types_many")
def test_a_type_is_found_however_much_else_ranks_before_it(lamp: Client, tmp_path: Path) -> None:
    with library(tmp_path) as (book, _):
        book.remember_many([book.draft(f"harbour {number}") for number in range(300)])
        book.remember("How one gets a boat into the harbour when the wind is from the west", kind="instruction")
    assert len(texts(lamp, "harbour", memory_types=["instruction"])) == 1


@pytest.fixture
def teams(tmp_path: Path) -> Iterator[Book]:
    """Entries of two teams, beside one's own; seen by somebody who is in one of them."""
    with library(tmp_path, Principal(user="ada", teams=("harbour",))) as (book, clock):
        whole = book.seen_by(Principal(user="ada"), book.door, None)
        for text, scope, standing in (
            ("Ships are moored by the book", "team:harbour", Standing.VERIFIED),
            ("Ships are moored by ear", "team:harbour", Standing.UNVERIFIED),
            ("Ships are moored by luck", "team:harbour", Standing.CONTESTED),
            ("Ships are moored in secret", "team:smugglers", Standing.VERIFIED),
        ):
            clock.advance(seconds=1)
            team_knows(whole, text, scope, standing)
        yield book


def team_knows(book: Book, text: str, scope: str, standing: Standing) -> None:
    """A team's memory with the standing that its members would have given it."""
    memory = book.remember(Draft(text, Scope.parse(scope))).memory
    with book._caller.writing() as work:
        lifecycle.set_standing(work.unit, work.context, memory, standing, EventType.CORROBORATED, {})


def seen(book: Book, **options: Any) -> list[str]:
    return [pack["text"].rpartition(" ")[2] for pack in ask(book, "get_context", query="ships", **options)["packs"]]


@requires("onelamp.get.scope", "onelamp.get.verified")
def test_scopes_choose_the_stores_and_verified_only_concerns_teams_alone(teams: Book) -> None:
    assert set(seen(teams)) == {"book", "ear", "luck"}
    ask(teams, "save_context", content="Ships are moored by me")
    assert seen(teams, scope="personal") == ["me"]
    assert set(seen(teams, scope="team")) == {"book", "ear", "luck"}
    assert set(seen(teams, scope="team:harbour")) == {"book", "ear", "luck"}
    assert set(seen(teams, scope="all")) == {"me", "book", "ear", "luck"}
    assert seen(teams, scope="team", verified_only=True) == ["book"]
    assert set(seen(teams, verified_only=True)) == {"me", "book"}
    assert seen(teams, scope="personal", verified_only=True) == ["me"]
    assert set(seen(teams, verified_only=True, recency=True)) == {"me", "book"}
    alone = teams.seen_by(Principal(user="eve", teams=()), teams.door, None)
    assert seen(alone, scope="team") == []


@requires("onelamp.get.trust", "onelamp.get.scope_ties")
def test_trust_weighs_and_ones_own_wins_a_tie(teams: Book) -> None:
    found = {pack["trust"]: pack for pack in ask(teams, "get_context", query="ships", scope="team")["packs"]}
    assert {pack["scope"] for pack in found.values()} == {"team:harbour"}
    assert all(set(pack) == PACK_KEYS | {"scope", "trust"} for pack in found.values())
    places = {"contested": (1, 0.5), "unverified": (2, 0.8), "verified": (3, 1.0)}  # the newest is the first of equals
    for trust, (place, weight) in places.items():
        assert found[trust]["score"] == round(round(61 / (60 + place) / 4, 4) * weight, 4)
    ask(teams, "save_context", content="Piers of mine")
    team_knows(teams, "Piers of ours", "team:harbour", Standing.VERIFIED)
    own, team = ask(teams, "get_context", query="piers")["packs"]
    assert own["score"] == team["score"]
    assert own["text"] == "Piers of mine"
    assert set(own) == PACK_KEYS


@requires("onelamp.get.scope_ties")
def test_what_one_and_ones_team_both_know_is_shown_once_as_ones_own(teams: Book) -> None:
    ask(teams, "save_context", content="Ships are moored by luck")
    found = ask(teams, "get_context", query="luck")["packs"]
    assert [set(pack) for pack in found] == [PACK_KEYS]
    assert len(ask(teams, "get_context", query="luck", verified_only=True)["packs"]) == 1


@requires("onelamp.get.scope_foreign")
def test_a_foreign_team_is_answered_like_an_unknown_one(teams: Book) -> None:
    answers = []
    for name in ("smugglers", "nobodies"):
        answer = perform(DIALECT, teams, "get_context", {"query": "ships", "scope": f"team:{name}"})
        assert answer.failed
        answers.append(answer.text.replace(name, "NAME"))
    assert answers[0] == answers[1]
    for wrong in ("teams", "user:ada", "project", "team:", ""):
        assert perform(DIALECT, teams, "get_context", {"query": "ships", "scope": wrong}).failed


@requires("onelamp.get.recency")
def test_recency_brings_the_newest_first(lamp: Client) -> None:
    save(lamp, "Deploys deploys deploys")
    save(lamp, "We talked about deploys at lunch, among many other things")
    assert texts(lamp, "deploys")[0] == "Deploys deploys deploys"
    assert texts(lamp, "deploys", recency=True)[0].startswith("We talked")


@requires("onelamp.get.recency_open")
def test_recency_answers_a_question_without_a_word_in_common(lamp: Client) -> None:
    save(lamp, "The pier was painted", memory_type="event")
    save(lamp, "Mending the invoice parser", memory_type="task")
    assert texts(lamp, "what's the latest?") == []
    assert texts(lamp, "what's the latest?", recency=True, max_results=1) == ["Mending the invoice parser"]
    assert texts(lamp, "what's the latest?", recency=True, memory_types=["event"]) == ["The pier was painted"]
    assert packs(lamp, "what's the latest?", recency=True)[0]["score"] == 0


@requires("onelamp.get.reuse", "onelamp.get.surface", "onelamp.list.no_reuse")
def test_what_was_returned_is_counted_with_the_surface_that_asked(lamp: Client) -> None:
    save(lamp, "The harbour opens at dawn")
    save(lamp, "The harbour closes at dusk")
    assert [(item["reuse_count"], item["last_used_surface"]) for item in items(lamp)] == [(0, None), (0, None)]
    assert texts(lamp, "harbour dusk", max_results=1, source_surface="codex") == ["The harbour closes at dusk"]
    packs(lamp, "harbour", source_surface="cursor")
    packs(lamp, "dawn")
    dusk, dawn = items(lamp)
    assert (dusk["reuse_count"], dusk["last_used_surface"]) == (2, "cursor")
    assert (dawn["reuse_count"], dawn["last_used_surface"]) == (2, "mcp"), "what the client calls itself"


# -- list and forget --------------------------------------------------------------------------


@requires("onelamp.list.items", "onelamp.list.order")
def test_items_show_what_is_needed_to_choose_one(lamp: Client) -> None:
    save(lamp, "Deploys are on Monday", kind="decision", topic="deploy-day")
    save(lamp, f"{'Long words. ' * 20}\nand a second line {'more ' * 50}")
    long, short = items(lamp)
    published = {"id", "title", "kind", "memory_type", "category", "text", "reuse_count", "last_used_surface", "ts"}
    assert set(long) == published
    assert set(short) == published | {"topic"}
    assert (short["title"], short["text"], short["category"]) == ("Deploys are on Monday",) * 2 + ("Projects",)
    assert len(long["title"]) <= 80
    assert "second" not in long["title"]
    assert len(long["text"]) <= 200
    assert long["text"].startswith("Long words. Long words.")


@requires("onelamp.list.limit", "onelamp.list.order")
def test_the_newest_are_listed_first_within_the_limit(lamp: Client, tmp_path: Path) -> None:
    with library(tmp_path) as (book, _):
        book.remember_many([book.draft(f"Berth {number} is free") for number in range(210)])
    assert [item["text"] for item in items(lamp, limit=2)] == ["Berth 209 is free", "Berth 208 is free"]
    assert len(items(lamp)) == 50
    assert len(items(lamp, limit=200)) == 200
    for wrong in (0, 201, "5"):
        assert code(lamp, "list_context", limit=wrong) == "invalid_params"


@requires("onelamp.forget.deletes", "onelamp.forget.returns", "onelamp.forget.anew")
def test_forgetting_is_complete_and_at_once(lamp: Client, tmp_path: Path) -> None:
    id = save(lamp, "The xylophone is in the attic", topic="xylophone", tags=["brass"])
    assert lamp.call("forget_context", id=id) == {"forgotten": True}
    assert packs(lamp, "xylophone") == []
    assert items(lamp) == []
    assert lamp.call("forget_context", id=id) == {"forgotten": False}
    files = b"".join(path.read_bytes() for path in tmp_path.glob("book.db*"))
    assert b"ylophone" not in files
    again = lamp.call("save_context", content="The xylophone is in the attic")
    assert again["deduped"] is False
    assert again["id"] != id
    for unknown in ("ctx_8f2a", "", "nonsense", "ses_1", "999"):
        assert lamp.call("forget_context", id=unknown) == {"forgotten": False}


@requires("onelamp.forget.preview")
def test_a_preview_removes_nothing(lamp: Client) -> None:
    id = save(lamp, "The pier is short", kind="preference")
    assert lamp.call("forget_context", id=id, confirm=False) == {
        "forgotten": False,
        "preview": {"id": id, "text": "The pier is short", "kind": "preference", "memory_type": "fact"},
    }
    assert lamp.call("forget_context", id="ctx_01NOBODY", confirm=False) == {"forgotten": False}
    assert len(items(lamp)) == 1


@requires("onelamp.forget.history")
def test_history_can_be_forgotten_and_so_can_what_came_after_it(lamp: Client, tmp_path: Path) -> None:
    old = save(lamp, "Deploys are on Monday", topic="deploy-day")
    middle = save(lamp, "Deploys are on Tuesday", topic="deploy-day")
    new = save(lamp, "Deploys are on Friday", topic="deploy-day")
    assert lamp.call("forget_context", id=old) == {"forgotten": True}
    assert lamp.call("forget_context", id=new) == {"forgotten": True}
    assert texts(lamp, "deploys") == [], "what was superseded does not come back by itself"
    with library(tmp_path) as (book, _):
        assert book.get(middle).status is Status.SUPERSEDED


@requires("onelamp.forget.team")
def test_a_teams_entry_is_not_one_members_to_forget(teams: Book) -> None:
    id = ask(teams, "get_context", query="luck")["packs"][0]["id"]
    answer = perform(DIALECT, teams, "forget_context", {"id": id})
    assert answer.failed
    assert '"denied"' in answer.text
    assert len(ask(teams, "get_context", query="luck")["packs"]) == 1
