"""recall, why, list, show and history."""

import json

import pytest

from tests.cli.conftest import Call


def test_recall_shows_relevance_text_id_age_labels_and_reason(known: Call) -> None:
    lines = known("recall", "which", "database", "for", "prototypes?").ok().out.splitlines()
    assert lines[0].endswith("  The user prefers SQLite for prototypes")
    assert 0.0 < float(lines[0].split()[0]) <= 1.0
    assert "id 1 · preference · just now · #database · matched" in lines[1]


def test_recall_as_json_has_the_memory_its_relevance_and_the_mode(known: Call) -> None:
    document = known("recall", "deploys", "--json").ok().json
    (hit,) = document["hits"]
    assert (document["query"], document["effective_mode"], document["omitted"]) == ("deploys", "lexical", 0)
    assert (hit["text"], hit["number"], hit["topic"], hit["scope"]) == (
        "Deploys are on Monday",
        2,
        "deploy-day",
        "user:default",
    )
    assert hit["created_at"].endswith("Z")
    assert 0.0 < hit["relevance"] <= 1.0
    assert hit["reason"] == "matched Deploys"
    assert "trace" not in document


def test_recall_says_so_when_nothing_is_found_and_what_could_be_done(known: Call) -> None:
    answer = known("recall", "zeppelin").ok()
    assert answer.out == ""
    assert answer.err.startswith("Nothing found. ")
    assert "--status any" in answer.err
    assert known("recall", "zeppelin", "--quiet").ok().err == ""


def test_recall_warns_once_on_stderr_when_no_pack_is_installed(known: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONPLACE_MODEL", "arctic-s")
    answer = known("recall", "deploys").ok()
    assert answer.err.count("Searched by words only") == 1
    assert "Searched by words only" in known("recall", "deploys", "--json").ok().json["warnings"][0]
    assert known("recall", "deploys", "--model", "none").ok().err == ""


def test_recall_by_vectors_needs_a_model(known: Call) -> None:
    answer = known("recall", "deploys", "--mode", "vectors")
    assert answer.code == 1
    assert "commonplace models pull" in answer.err


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (("--kind", "preference"), {1}),
        (("--kind", "preference", "--kind", "fact"), {1, 2, 3}),
        (("--tag", "database"), {1}),
        (("--category", "infrastructure"), {3}),
        (("--topic", "Deploy day"), {2}),
        (("--since", "1d"), {1, 2, 3}),
        (("--until", "1d"), set()),
        (("--since", "2099-01-01"), set()),
        (("--session", "elsewhere"), set()),
        (("--status", "forgotten"), set()),
        (("--status", "any"), {1, 2, 3}),
        (("--valid-at", "2026-01-01"), {1, 2, 3}),
        (("--as-of", "2020-01-01"), set()),
        (("--scope", "project:auto"), set()),
        (("--scope", "project:auto", "--scope", "user"), {1, 2, 3}),
        (("--limit", "1"), {3}),
        (("--automatic", "--include-expired"), {1, 2, 3}),
    ],
)
def test_list_and_recall_narrow_by_the_same_options(known: Call, words: tuple[str, ...], numbers: set[int]) -> None:
    listed = known("list", *words, "--json").ok().json
    assert {memory["number"] for memory in listed["memories"]} == numbers
    recalled = known("recall", "user deploys staging server prototypes", *words, "--json").ok().json
    assert len(recalled["hits"]) == len(numbers)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("recall", " "), "query is empty"),
        (("recall", "x" * 16_001), "16,000"),
        (("recall", "x", "--limit", "500"), "from 1 to 200"),
        (("recall", "x", "--min-relevance", "7"), "from 0 to 1"),
        (("recall", "x", "--since", "yesterday"), "--since 'yesterday' is not a time"),
        (("recall", "x", "--scope", "nonsense"), "is not a scope"),
        (("list", "--limit", "0"), "from 1 to 1000"),
        (("show", "99"), "There is no memory '99'"),
        (("show", "mem_NOPE"), "There is no memory"),
        (("history", "99"), "There is no memory '99'"),
        (("why", "x", "--memory", "99"), "There is no memory '99'"),
    ],
)
def test_a_reading_that_makes_no_sense_is_one_sentence(known: Call, words: tuple[str, ...], said: str) -> None:
    answer = known(*words)
    assert (answer.code, answer.out) == (1, "")
    assert said in answer.err


def test_recall_within_a_token_budget_counts_what_did_not_fit(known: Call) -> None:
    answer = known("recall", "user deploys staging server", "--max-tokens", "25").ok()
    assert "did not fit into --max-tokens" in answer.err
    answer = known("recall", "user deploys staging server", "--max-tokens", "3").ok()
    assert "not even the first fits into --max-tokens 3" in answer.err
    assert "Nothing found" not in answer.err


def test_recall_counts_use_unless_told_not_to(known: Call) -> None:
    known("recall", "deploys", "--no-count").ok()
    assert known("show", "2", "--json").ok().json["usage"]["count"] == 0
    known("recall", "deploys").ok()
    usage = known("show", "2", "--json").ok().json["usage"]
    assert (usage["count"], usage["surface"]) == (1, "cli")


def test_recall_explains_its_stages_on_request(known: Call) -> None:
    assert "\npool " in known("recall", "deploys", "--explain").ok().out
    stages = [stage["stage"] for stage in known("recall", "deploys", "--explain", "--json").ok().json["trace"]]
    assert stages[:2] == ["query", "pool"]


def test_why_shows_stages_scores_and_a_verdict(known: Call) -> None:
    answer = known("why", "deploys").ok()
    assert "what happened" in answer.out
    assert "█" in answer.out
    assert answer.out.rstrip().endswith("1 memory found.")


def test_why_tells_the_story_of_one_memory(known: Call) -> None:
    surfaced = known("why", "deploys", "--memory", "2").ok()
    assert "surfaced at place 1" in surfaced.out
    known("forget", "2", "--reason", "moved").ok()
    document = known("why", "deploys", "--memory", "2", "--json").ok().json
    assert "did not surface: it is forgotten: moved" in document["verdict"]
    assert {"steps", "path", "hits", "trace", "effective_mode"} <= document.keys()


def test_list_pages_with_a_cursor(known: Call) -> None:
    first = known("list", "--limit", "2", "--json").ok().json
    assert ([memory["number"] for memory in first["memories"]], first["total"]) == ([3, 2], 3)
    second = known("list", "--limit", "2", "--cursor", str(first["next_cursor"]), "--json").ok().json
    assert ([memory["number"] for memory in second["memories"]], second["next_cursor"]) == ([1], None)
    assert "2 of 3 shown: --cursor 2 shows more." in known("list", "--limit", "2").ok().err


def test_list_aligns_its_columns_without_tabs(known: Call) -> None:
    lines = known("list", "--order", "oldest").ok().out.splitlines()
    assert lines[0].split() == ["id", "kind", "age", "text"]
    assert len({line.index(text) for line, text in zip(lines, ["text", "The", "Deploys", "The"], strict=True)}) == 1
    assert not any("\t" in line for line in lines)


def test_list_says_when_there_is_nothing(known: Call) -> None:
    answer = known("list", "--tag", "unheard-of").ok()
    assert answer.out == ""
    assert "No memory matches" in answer.err


def test_show_has_everything_about_a_memory(known: Call) -> None:
    known("remember", "Deploys are on Friday", "--topic", "deploy day", "--source", "stand-up").ok()
    shown = known("show", "4", "--history").ok().out
    for part in (
        "Deploys are on Friday",
        "user:default",
        "cli through cli",
        "typed",
        "stand-up",
        "supersedes",
        "active",
    ):
        assert part in shown
    document = known("show", "2", "--history", "--json").ok().json
    assert (document["status"], document["relations"][0]["kind"]) == ("superseded", "supersedes")
    assert [revision["memory"]["status"] for revision in document["revisions"]] == ["active", "superseded"]
    assert "revisions" not in known("show", "2", "--json").ok().json


def test_a_memory_can_be_named_by_number_or_id(known: Call) -> None:
    id = known("show", "1", "--json").ok().json["id"]
    for spelling in ("1", "#1", id, id.lower(), id.removeprefix("mem_")):
        assert known("show", spelling, "--json").ok().json["number"] == 1


def test_history_outlives_a_purge_without_content(known: Call) -> None:
    id = known("show", "3", "--json").ok().json["id"]
    known("purge", "3", "--yes").ok()
    events = known("history", id, "--json").ok().json["events"]
    assert [event["type"] for event in events] == ["memory.created", "memory.purged"]
    assert "heron" not in json.dumps(events)
    assert "purged" in known("history", id).ok().out


def test_text_that_would_steer_a_terminal_is_shown_not_obeyed(cli: Call) -> None:
    cli("remember", "Clear \x1b[2J the screen \u202e backwards").ok()
    for words in (("recall", "screen"), ("list",), ("show", "1"), ("why", "screen")):
        shown = cli(*words).ok().out
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert "\\x1b[2J" in shown


def test_a_text_of_several_lines_stays_together(cli: Call) -> None:
    cli("remember", "--whole", stdin="A heading\nand a body about zebras").ok()
    first, second, _ = cli("recall", "zebras").ok().out.splitlines()
    assert second == " " * first.index("A heading") + "and a body about zebras"
