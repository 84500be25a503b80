"""The ownsona contract: recall, prompts made of it, text search and near-duplicates."""

from typing import Any

from tests.contracts.conftest import Serve
from tests.contracts.ownsona_calls import COLBY, COLBY_NOW, MATCH_KEYS, blame, code, told
from tests.contracts.requirements import requires


@requires("ownsona.recall.output", "ownsona.recall.match", "ownsona.recall.alias", "ownsona.recall.query")
def test_recall_gives_matches_best_first(serve: Serve) -> None:
    client = serve("ownsona")
    told(client, COLBY, source_provider="openai", capture_mode="explicit", session_id="s1", tags=["family"])
    told(client, "Los Angeles has a marathon in March.", "Lunch is at noon.")
    answer = client.call("recall", query="  where does my son Colby live? ")
    assert (answer["ok"], answer["query"]) == (True, "where does my son Colby live?")
    best = answer["matches"][0]
    assert best.keys() == {*MATCH_KEYS, "source_provider", "capture_mode", "session_id", "last_confirmed_at"}
    assert (best["text"], best["tags"], best["session_id"]) == (COLBY, ["family"], "s1")
    scores = [match["score"] for match in answer["matches"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert client.call("search_memory", query="where does my son Colby live?") == answer
    for wrong in ({}, {"query": " "}, {"query": "x" * 16_001}):
        assert blame(client, "recall", **wrong) == "query"
    assert client.call("recall", query="word " * 3_200)["ok"]


@requires("ownsona.recall.limit", "ownsona.recall.min_score")
def test_limits_are_clamped_and_scores_cut_after_them(serve: Serve) -> None:
    client = serve("ownsona")
    items = [{"text": f"Heron number {number} nests by the lake.", "dedup_policy": "insert"} for number in range(60)]
    client.call("remember_batch", items=items)

    def found(**arguments: Any) -> list[Any]:
        return client.call("recall", query="heron by the lake", **arguments)["matches"]

    assert (len(found()), len(found(limit=3)), len(found(limit=50))) == (8, 3, 50)
    clamped = client.call("recall", query="heron by the lake", limit=51)
    assert (len(clamped["matches"]), "50" in clamped["note"]) == (50, True)
    for wrong in (0, -1):
        assert blame(client, "recall", query="heron", limit=wrong) == "limit"
    told(client, "A heron by the lake is by the lake, heron.")
    best, *others = (match["score"] for match in found(limit=5))
    assert best > others[0]
    assert [match["score"] for match in found(limit=5, min_score=best)] == [best]
    assert len(found(limit=5, min_score=others[0])) == 5
    for score in (-0.1, 1.1):
        assert blame(client, "recall", query="heron", min_score=score) == "min_score"


@requires("ownsona.recall.tags")
def test_one_tag_in_common_is_enough(serve: Serve) -> None:
    client = serve("ownsona")
    told(client, "The parser is written in Rust.", tags=["tech", "home office"])
    told(client, "The parser was a gift.", tags=["family"])
    told(client, "The parser is a word.")

    def found(*tags: str) -> set[str]:
        return {match["text"] for match in client.call("recall", query="parser", tags=list(tags))["matches"]}

    assert len(found()) == len(found("", " ")) == 3
    assert found("Coding") == found("software", "nothing") == found("Home Office") == {"The parser is written in Rust."}
    assert found("kin", "work", "dev") == {"The parser is written in Rust.", "The parser was a gift."}
    assert found("c++") == set()
    assert client.call("count_memories", tags=["Programming", "relatives"])["count"] == 2


@requires("ownsona.prompt.envelope", "ownsona.prompt.nothing", "ownsona.prompt.arguments")
def test_a_prompt_has_the_contracts_exact_form(serve: Serve) -> None:
    client = serve("ownsona")

    def prompt(**arguments: Any) -> str:
        return client.call("build_context_prompt", user_prompt=" Where does Colby live? ", **arguments)["prompt"]

    nothing = (
        "The following are previously known facts:\n\nNo relevant previously known facts were found.\n\n"
        "-----------------\n\nThe following is the user's prompt:\n\nWhere does Colby live?"
    )
    assert prompt() == nothing
    told(client, COLBY, tags=["family"])
    told(client, "Colby collects stamps.")
    assert prompt() == (
        "The following are previously known facts:\n\nMy son Colby lives in Los Angeles.\n\n"
        "Colby collects stamps.\n\n-----------------\n\nThe following is the user's prompt:\n\nWhere does Colby live?"
    )
    assert "stamps" not in prompt(limit=1)
    assert "stamps" not in prompt(tags=["Families"])
    assert prompt(min_score=1) == nothing
    assert blame(client, "build_context_prompt") == "user_prompt"
    assert blame(client, "build_context_prompt", user_prompt=" ") == "user_prompt"
    for name, wrong in (("max_chars", 0), ("max_chars", -5), ("limit", 0), ("min_score", 2)):
        assert blame(client, "build_context_prompt", user_prompt="Colby?", **{name: wrong}) == name
    clamped = client.call("build_context_prompt", user_prompt="Where does Colby live?", limit=500)
    assert "50" in clamped["note"]


@requires("ownsona.prompt.budget")
def test_a_budget_bounds_the_whole_prompt_but_keeps_one_fact(serve: Serve) -> None:
    client = serve("ownsona")
    best, long, short = "Heron, stork, crane.", "A stork and a crane nested here in the year of the flood.", "A crane."
    told(client, best, long, short, "Lunch is at noon.", "Tea is at five.", "Deploys are on Monday.", "It rains.")

    def prompt(**arguments: Any) -> str:
        return client.call("build_context_prompt", user_prompt="heron stork crane", **arguments)["prompt"]

    facts = [match["text"] for match in client.call("recall", query="heron stork crane")["matches"]]
    assert facts == [best, long, short], "the long one must stand in the way of a shorter one"
    whole = prompt()
    assert prompt(max_chars=len(whole)) == whole
    without_short = whole.replace(f"{short}\n\n", "")
    assert prompt(max_chars=len(whole) - 1) == prompt(max_chars=len(without_short)) == without_short
    only_best = without_short.replace(f"{long}\n\n", "")
    assert prompt(max_chars=len(without_short) - 1) == only_best, "no skipping ahead to what would fit"
    assert len(only_best) + len(short) + 2 < len(without_short) - 1
    assert prompt(max_chars=1) == only_best


@requires("ownsona.text_search")
def test_text_search_finds_parts_of_texts_as_they_stand(serve: Serve) -> None:
    client = serve("ownsona")
    ids = told(client, "Growth was 100% in MARCH.", "Growth was 100 in march.", r"The path is C:\march_home.")
    (gone,) = told(client, "Expired in March.", expires_at="2020-01-01")

    def found(text: str, **arguments: Any) -> list[int]:
        matches = client.call("text_search", text=text, **arguments)["matches"]
        assert all("score" not in match for match in matches)
        return [match["id"] for match in matches]

    assert found("MaRcH") == found("arch") == ids[::-1]
    assert (found("100%"), found("h_h"), found(r"c:\m"), found("1_0"), found("%")) == (
        ids[:1],
        ids[2:],
        ids[2:],
        [],
        ids[:1],
    )
    assert found("march", limit=2) == [ids[2], ids[1]]
    client.call("forget", id=ids[2])
    assert found("march") == [ids[1], ids[0]]
    assert gone not in found("in march")
    assert blame(client, "text_search") == "text"
    assert blame(client, "text_search", text="x", limit=0) == "limit"
    assert "50" in client.call("text_search", text="x", limit=51)["note"]


@requires("ownsona.near_duplicates.groups", "ownsona.near_duplicates.active")
def test_near_duplicates_come_in_groups_closest_first(serve: Serve) -> None:
    client = serve("ownsona")
    colby = told(client, COLBY, COLBY_NOW)
    told(client, "Lunch is at noon.")
    tea = told(client, "We always drink green tea after dinner.", "We always drink green tea after dinner!")
    answer = client.call("find_near_duplicates")
    assert (answer["ok"], answer["threshold"]) == (True, 0.92)
    assert [group["ids"] for group in answer["groups"]] == [tea, colby]
    assert answer["summary"] == {"groups": 2, "pairs": 2}
    for group in answer["groups"]:
        assert group.keys() == {"ids", "max_similarity", "pair_count", "memories"}
        assert [memory["id"] for memory in group["memories"]] == group["ids"] == sorted(group["ids"])
        assert (group["pair_count"], group["max_similarity"] >= 0.92) == (1, True)
    client.call("forget", id=tea[0])
    client.call("update_memory", id=colby[0], expires_at="2020-01-01")
    assert client.call("find_near_duplicates")["groups"] == []


@requires("ownsona.near_duplicates.threshold", "ownsona.near_duplicates.max_groups")
def test_thresholds_and_group_counts_have_their_bounds(serve: Serve) -> None:
    client = serve("ownsona")
    told(client, COLBY, COLBY_NOW, "We always drink green tea after dinner.", "We always drink green tea after dinner!")
    cut = client.call("find_near_duplicates", max_groups=1)
    assert (len(cut["groups"]), cut["summary"]) == (1, {"groups": 1, "pairs": 2})
    strict = client.call("find_near_duplicates", threshold=1)
    assert (strict["threshold"], len(strict["groups"])) == (1.0, 1)
    assert len(client.call("find_near_duplicates", threshold=0.5, max_groups=500)["groups"]) == 2
    for name, wrong in (("threshold", 0.49), ("threshold", 1.01), ("max_groups", 0), ("max_groups", 501)):
        assert blame(client, "find_near_duplicates", **{name: wrong}) == name
        assert code(client, "find_near_duplicates", **{name: wrong}) == "INVALID_INPUT"
