"""What the command line does when a model pack is installed."""

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Call

MODELS_VARIABLE = "COMMONPLACE_TEST_MODELS"


@pytest.fixture(autouse=True)
def pack(monkeypatch: pytest.MonkeyPatch) -> None:
    named = os.environ.get(MODELS_VARIABLE)
    if not named:
        pytest.fail(f"{MODELS_VARIABLE} is not set: let it name a folder into which the default pack was pulled.")
    monkeypatch.setenv("COMMONPLACE_MODELS", named)
    monkeypatch.setenv("COMMONPLACE_MODEL", "arctic-s")


def test_recall_looks_by_meaning_and_says_so(cli: Call) -> None:
    cli("remember", "The user is allergic to peanuts", "The meeting room is on the third floor").ok()
    answer = cli("recall", "which food must be avoided?", "--min-relevance", "0", "--json").ok()
    assert answer.json["effective_mode"] == "hybrid"
    assert answer.json["hits"][0]["text"] == "The user is allergic to peanuts"
    assert answer.json["hits"][0]["vector_score"] > 0
    assert answer.err == ""
    assert cli("recall", "allergic", "--mode", "words", "--json").ok().json["effective_mode"] == "lexical"
    assert cli("recall", "food", "--mode", "vectors", "--json").ok().json["effective_mode"] == "semantic"


def test_reembed_fills_in_what_was_written_by_words_alone(cli: Call) -> None:
    cli("remember", "Tea is at four", "Lunch is at noon", "--model", "none").ok()
    assert cli("doctor").code == 1
    answer = cli("reembed", "--prune", "--json").ok()
    assert (answer.json["embedded"], answer.json["missing"]) == (2, 0)
    assert "Gave 0 texts a vector" in cli("reembed").ok().out
    cli("doctor").ok()


def test_an_import_is_embedded_at_once(cli: Call, tmp_path: Path) -> None:
    cli("remember", "Tea is at four", "Lunch is at noon").ok()
    document = cli("export").ok().out
    other = str(tmp_path / "other.db")
    assert cli("import", "-", "--store", other, "--json", stdin=document).ok().json["embedded"] == 2
    cli("doctor", "--store", other).ok()


def test_models_list_and_verify_know_the_installed_pack(cli: Call) -> None:
    models = {model["name"]: model for model in cli("models", "list", "--json").ok().json["models"]}
    assert (models["arctic-s"]["installed"], models["arctic-s"]["used"]) == (True, True)
    assert "arctic-s is as published." in cli("models", "verify").ok().out
    assert "arctic-s is ready" in cli("models", "pull").ok().out


def test_a_pack_that_is_chosen_and_not_there_is_not_said_to_be_in_use(cli: Call) -> None:
    listed = cli("models", "list", "--model", "bge-small").ok().out
    (line,) = [line for line in listed.splitlines() if line.startswith("bge-small")]
    assert "not installed (chosen)" in line
    assert "installed (in use)" in cli("models", "list").ok().out


def test_an_empty_answer_says_that_texts_have_no_vector_yet(cli: Call) -> None:
    cli("remember", "The user is allergic to peanuts", "--model", "none").ok()
    asked = ("recall", "which food must be avoided?")
    assert "1 memory has no vector yet: run 'commonplace reembed'" in cli(*asked).ok().err
    cli("reembed").ok()
    assert "vector" not in cli(*asked).ok().err


def test_a_variable_that_comes_first_is_named_where_a_model_is_chosen_or_missed(
    cli: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("remember", "Lunch is at noon").ok()
    monkeypatch.setenv("COMMONPLACE_MODEL", "none")
    assert "COMMONPLACE_MODEL comes first" in cli("models", "use", "arctic-s").ok().err
    refused = cli("reembed")
    assert refused.code == 1
    assert "the model is 'none', which COMMONPLACE_MODEL says" in refused.err
    assert "models pull" not in refused.err


def test_the_demo_works_with_a_pack(spawn: Call) -> None:
    assert "meaning" in spawn("demo").ok().out


def test_decisions_and_documents_are_found_by_meaning_after_a_pull(
    cli: Call, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "runbook.md").write_text(
        "To bring the shop back after a crash, stop the workers, then replay the queue.\n"
    )
    monkeypatch.setenv("COMMONPLACE_MODEL", "none")
    cli("docs", "add", "runbook.md").ok()
    monkeypatch.delenv("COMMONPLACE_MODEL")
    asked = ("recall", "how do I recover from an outage?", "--json")
    before = cli(*asked).ok().json
    assert before["others"] == []
    assert "1 entry beside the memories has no vector yet" in before["warnings"][0]
    assert "Gave 1 text a vector" in cli("reembed").ok().out
    after = cli(*asked).ok().json
    assert [other["kind"] for other in after["others"]] == ["document"]
    assert after["warnings"] == []
    (project / "more.md").write_text("The barge is painted every spring.\n")
    cli("docs", "add", "more.md").ok()
    assert cli(*asked).ok().json["warnings"] == [], "the command that adds a little gives it its vectors"


# -- two packs --------------------------------------------------------------------------------

BOTH = "arctic-s+use-multilingual"


def test_the_installed_packs_are_used_together_unless_one_is_named(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMMONPLACE_MODEL")
    listed = cli("models", "list", "--json").ok().json
    assert listed["used"] == BOTH
    assert {model["name"] for model in listed["models"] if model["used"]} == set(BOTH.split("+"))
    assert cli("models", "list", "--model", "arctic-s", "--json").ok().json["used"] == "arctic-s"
    assert cli("models", "list", "--model", "none", "--json").ok().json["used"] == "none"
    cli("remember", "Der Wagen steht in der Tiefgarage auf Ebene 3.", "The staging database is PostgreSQL 16.").ok()
    answer = cli("recall", "where is the car parked?", "--json").ok().json
    assert answer["hits"][0]["text"] == "Der Wagen steht in der Tiefgarage auf Ebene 3."
    cli("doctor").ok()


def test_a_second_pack_is_filled_in_beside_the_first(cli: Call) -> None:
    cli("remember", "Der Wagen steht in der Tiefgarage.", "Lunch is at noon").ok()
    assert "2 texts in the book lack a vector" in cli("models", "pull", "use-multilingual", "--model", BOTH).ok().err
    assert cli("reembed", "--model", BOTH, "--json").ok().json["missing"] == 0
    cli("doctor", "--model", BOTH).ok()
    assert "can be dropped" in cli("doctor").ok().out
    cli("reembed", "--prune").ok()
    assert "can be dropped" not in cli("doctor").ok().out


def test_packs_are_chosen_together_by_name(cli: Call) -> None:
    assert f"with {BOTH} from now on" in cli("models", "use", BOTH).ok().out
    assert "use-multilingual is as published." in cli("models", "verify", "use-multilingual").ok().out
    assert "with arctic-s+use-multilingual from now on" in cli("models", "use", "auto").ok().out
    for strange in ("arctic-s+other", "arctic-s+bge-small", "use-multilingual+arctic-s"):
        assert cli("models", "use", strange).code == 2


def test_packs_that_do_not_go_together_are_refused_by_every_command(cli: Call) -> None:
    cli("remember", "Lunch is at noon").ok()
    assert "There is no model pack 'other'" in cli("recall", "lunch", "--model", "arctic-s+other").err
    assert "cannot be used together" in cli("recall", "lunch", "--model", "arctic-s+bge-small").err
