"""correct, corrections and dream on the command line."""

from tests.cli.conftest import Call


def remembered(cli: Call) -> None:
    cli("remember", "The user prefers dark mode").ok()
    cli("remember", "Deploys are on Tuesday").ok()


def test_a_correction_is_logged_listed_and_distilled_by_a_dream(cli: Call) -> None:
    remembered(cli)
    logged = cli("correct", "No, deploys are on Monday", "--memory", "2", "--severity", "high", "--json").ok().json
    assert logged["correction"]["severity"] == "high"
    assert cli("corrections", "list", "--pending", "--json").ok().json["corrections"] == [logged["correction"]]
    planned = cli("dream", "--plan").ok().out
    assert "remember as learning" in planned
    assert "No, deploys are on Monday" in planned
    cli("dream", "--apply").ok()
    assert cli("corrections", "list", "--pending", "--json").ok().json["corrections"] == []


def test_a_plan_changes_nothing_and_an_applied_dream_can_be_undone(cli: Call) -> None:
    remembered(cli)
    cli("correct", "No, deploys are on Monday", "--rule", "Deploy on Mondays").ok()
    before = cli("export").ok().out.splitlines()[1:]
    plan = cli("dream", "--plan", "--json").ok().json
    assert {edit["edit"] for edit in plan["edits"]} >= {"add_memory", "mark_distilled"}
    assert cli("export").ok().out.splitlines()[1:] == before
    run = cli("dream", "--apply", "--json").ok().json
    assert run["status"] == "applied"
    assert cli("recall", "deploy mondays", "--no-count").ok().out.count("Deploy on Mondays") == 1
    assert run["id"][:10] in cli("dream", "history").ok().out
    assert "dark mode" in cli("dream", "insights").ok().out
    assert cli("dream", "undo", run["id"], "--json").ok().json["run"]["status"] == "undone"
    assert cli("export").ok().out.splitlines()[1:] == before
    assert cli("dream", "history", "--json").ok().json["runs"][0]["status"] == "undone"


def test_a_dream_that_is_not_due_says_why(cli: Call) -> None:
    remembered(cli)
    answer = cli("dream", "--if-due", "--json").ok().json
    assert answer["due"] is False
    assert answer["because"]


def test_without_a_deed_or_with_two_the_choices_are_named(cli: Call) -> None:
    for words in ((), ("--plan", "--apply"), ("--plan", "history")):
        answer = cli("dream", *words)
        assert answer.code == 2
        assert "--if-due" in answer.err


def test_what_cannot_be_is_refused_in_a_sentence(cli: Call) -> None:
    assert cli("dream", "undo", "drm_NOSUCH").code == 1
    assert "severity" in cli("correct", "x", "--severity", "enormous").err
    cli("correct", "No, Monday").ok()
    again = cli("correct", "No, Monday")
    assert (again.code, "cor_" in again.err) == (1, True)
    assert cli("correct", "the key is AKIAIOSFODNN7EXAMPLQ").code == 1


def test_an_empty_book_has_no_dreams_and_no_corrections(cli: Call) -> None:
    cli("team", "create", "core").ok()
    assert cli("dream", "history", "--json").ok().json["runs"] == []
    assert cli("dream", "insights", "--json").ok().json["insights"] == []
    assert cli("corrections", "list", "--json").ok().json["corrections"] == []
