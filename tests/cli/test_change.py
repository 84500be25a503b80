"""update, confirm, supersede, invalidate, archive, forget, restore and purge."""

from pathlib import Path

import pytest

from tests.cli.conftest import Call

BY_ID = (
    ("update", "77", "--text", "x"),
    ("confirm", "77"),
    ("supersede", "77", "1"),
    ("supersede", "1", "77"),
    ("supersede", "77", "--text", "x"),
    ("invalidate", "77"),
    ("archive", "77"),
    ("forget", "77"),
    ("forget", "1", "--replaced-by", "77"),
    ("restore", "77"),
    ("purge", "77", "--yes"),
    ("purge", "1", "77", "--yes"),
)


@pytest.mark.parametrize("words", BY_ID)
def test_an_unknown_id_is_one_sentence_and_changes_nothing(known: Call, words: tuple[str, ...]) -> None:
    before = known("list", "--json").ok().json
    answer = known(*words)
    assert (answer.code, answer.out) == (1, "")
    assert "There is no memory '77'" in answer.err
    assert known("list", "--json").ok().json == before


def test_update_changes_what_is_named_and_nothing_else(known: Call) -> None:
    known("update", "1", "--text", "The user prefers DuckDB", "--tag", "a", "--tag", "b", "--pin").ok()
    memory = known("show", "1", "--json").ok().json
    assert (memory["text"], memory["tags"], memory["pinned"]) == ("The user prefers DuckDB", ["a", "b"], True)
    assert (memory["kind"], memory["revision"]) == ("preference", 2)


def test_update_sets_and_clears_labels_and_times(known: Call) -> None:
    known("update", "2", "--expires", "7d", "--category", "plans", "--valid-from", "2026-01-01", "--kind", "event").ok()
    memory = known("show", "2", "--json").ok().json
    assert (memory["category"], memory["kind"]) == ("plans", "event")
    assert memory["expires_at"] > memory["created_at"]
    known("update", "2", "--expires", "never", "--category", "", "--topic", "", "--valid-from", "never").ok()
    cleared = known("show", "2", "--json").ok().json
    assert not {"expires_at", "category", "topic", "valid_from"} & cleared.keys()
    known("update", "1", "--clear-tags", "--no-pin", "--importance", "1", "--priority", "9").ok()
    assert known("show", "1", "--json").ok().json["tags"] == []


def test_update_moves_a_memory_to_another_scope(known: Call) -> None:
    known("update", "1", "--move-to", "agent:reviewer").ok()
    assert known("show", "1", "--json").ok().json["scope"] == "agent:reviewer"


def test_update_refuses_when_somebody_was_faster(known: Call) -> None:
    known("update", "1", "--text", "First", "--expect-revision", "1").ok()
    answer = known("update", "1", "--text", "Second", "--expect-revision", "1", "--json")
    assert (answer.code, answer.json["error"]["code"]) == (1, "revision_conflict")


def test_update_of_nothing_is_refused(known: Call) -> None:
    answer = known("update", "1")
    assert answer.code == 2
    assert "Say what to change: --text" in answer.err


def test_confirm_writes_down_when(known: Call) -> None:
    answer = known("confirm", "1", "--at", "2026-03-01", "--json").ok()
    assert answer.json["memory"]["confirmed_at"] == "2026-03-01T00:00:00.000Z"
    assert "confirmed 1: The user prefers" in known("confirm", "1").ok().out


def test_supersede_puts_one_in_the_place_of_another(known: Call) -> None:
    answer = known("supersede", "1", "2", "--reason", "changed our mind", "--json").ok()
    assert (answer.json["memory"]["status"], answer.json["memory"]["status_reason"]) == (
        "superseded",
        "changed our mind",
    )
    assert answer.json["memory"]["successor"] == answer.json["successor"]["id"]


def test_supersede_with_a_text_remembers_it_first_with_the_labels_of_the_old_one(known: Call) -> None:
    answer = known("supersede", "2", "--text", "Deploys are on Friday", "--reason", "new plan").ok()
    assert "superseded 2: Deploys are on Monday\n  by 4: Deploys are on Friday" in answer.out
    assert known("show", "2", "--json").ok().json["status_reason"] == "new plan"
    new = known("show", "4", "--json").ok().json
    assert (new["topic"], new["kind"], new["status"]) == ("deploy-day", "fact", "active")


def test_supersede_with_a_text_leaves_nothing_behind_when_the_old_one_is_gone(known: Call) -> None:
    known("forget", "2").ok()
    answer = known("supersede", "2", "--text", "Deploys are on Friday")
    assert answer.code == 1
    assert "forgotten and cannot be superseded" in answer.err
    assert known("list", "--json").ok().json["total"] == 2


def test_invalidate_archive_forget_and_restore_go_there_and_back(known: Call) -> None:
    for words, status in (
        (("invalidate", "1", "--at", "2026-01-01", "--reason", "not any more"), "invalidated"),
        (("archive", "1", "--reason", "not needed"), "archived"),
        (("forget", "1", "--reason", "was wrong", "--replaced-by", "2"), "forgotten"),
    ):
        answer = known(*words, "--json").ok()
        assert answer.json["memory"]["status"] == status
        assert known("recall", "SQLite prototypes", "--json").ok().json["hits"] == []
        assert "restored 1: The user prefers" in known("restore", "1").ok().out
        assert len(known("recall", "SQLite prototypes", "--json").ok().json["hits"]) == 1


def test_forget_says_how_to_undo_it_and_how_to_be_rid_of_it(known: Call) -> None:
    answer = known("forget", "1").ok()
    assert "'commonplace restore 1' brings it back." in answer.err
    assert "commonplace purge 1" in answer.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("restore", "1"), "nothing to restore"),
        (("supersede", "1", "1"), "cannot supersede itself"),
        (("confirm", "1", "--at", "later"), "is not a time"),
        (("forget", "1", "--reason", "the wifi password is Tr0ub4dor&3xyz"), "holds a secret"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(known: Call, words: tuple[str, ...], said: str) -> None:
    answer = known(*words)
    assert (answer.code, answer.out) == (1, "")
    assert said in answer.err


def test_purge_gives_a_receipt_and_no_byte_stays(known: Call, clean_environment: Path) -> None:
    store = Path(known("config", "get", "store").ok().out.strip())
    assert clean_environment in store.parents
    answer = known("purge", "3", "1", "3", "--yes", "--json").ok()
    assert (len(answer.json["purged"]), answer.json["complete"]) == (2, True)
    for file in store.parent.iterdir():
        assert b"heron" not in file.read_bytes()
    assert known("show", "3").code == 1


def test_purge_prints_its_receipt_for_people(known: Call) -> None:
    id = known("show", "3", "--json").ok().json["id"]
    answer = known("purge", "3", "--yes").ok()
    assert answer.out.startswith(f"purged {id}\nerasure complete: ")


def test_purge_says_pending_while_another_process_reads(known: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    from commonplace.store.sqlite import SqliteStore

    monkeypatch.setenv("COMMONPLACE_BUSY_SECONDS", "0.5")  # nobody is going to make way
    place = Path(known("config", "get", "store").ok().out.strip())
    reader = SqliteStore(place)
    with reader.reading("local") as unit:
        assert unit.memories.by_number(3) is not None
        answer = known("purge", "3", "--yes").ok()
        assert known("purge", "1", "--yes", "--json").ok().json["complete"] is False
    reader.close()
    assert "erasure pending: " in answer.out


def test_purge_asks_and_takes_no_for_an_answer(known: Call) -> None:
    refused = known("purge", "3", typed="n\n")
    assert refused.code == 1
    assert "Purge 1 memory for good? This cannot be undone. [y/N]" in refused.err
    assert "3: The staging server is called heron" in refused.err
    assert "Nothing was purged." in refused.err
    known("show", "3").ok()
    known("purge", "3", typed="y\n").ok()
    assert known("show", "3").code == 1
