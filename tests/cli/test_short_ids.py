"""Ids as people type and read them: `3`, `last`, the beginning of an id, and several where one is taken."""

import re

import pytest

from tests.cli.conftest import Call

LONG_ID = re.compile(r"(mem|ses|drm|evd|cor)_[0-9A-Za-z]{20}")


def id_of(call: Call, number: int) -> str:
    return str(call("show", str(number), "--json").ok().json["id"])


def unique(call: Call, number: int) -> str:
    """The shortest beginning of a memory's id that no other has."""
    mine, others = id_of(call, number), [id_of(call, each) for each in (1, 2, 3) if each != number]
    return next(mine[:size] for size in range(5, 31) if not any(each.startswith(mine[:size]) for each in others))


def test_a_beginning_that_only_one_memory_has_names_it_in_any_spelling(known: Call) -> None:
    beginning = unique(known, 2)
    for spelled in (beginning, beginning.lower(), beginning.removeprefix("mem_")):
        assert known("show", spelled, "--json").ok().json["number"] == 2
    assert known("history", beginning).ok().out
    assert "updated 2" in known("update", beginning, "--tag", "x").ok().out
    assert "forgotten 2" in known("forget", beginning).ok().out


def test_a_beginning_that_several_have_names_them_and_changes_nothing(known: Call) -> None:
    answer = known("forget", "mem_0")
    assert answer.code == 1
    assert "'mem_0' may be any of 1, 2, 3: say more of it." in answer.err
    assert known("list", "--json").ok().json["total"] == 3
    assert known("show", "mem_").code == 1
    assert known("show", "mem_ZZZZ").code == 1


def test_last_is_what_was_written_last_whatever_became_of_it(known: Call) -> None:
    assert known("show", "last", "--json").ok().json["number"] == 3
    known("forget", "last").ok()
    assert "restored 3" in known("restore", "last").ok().out


@pytest.mark.parametrize("verb", ["archive", "invalidate", "forget"])
def test_several_are_changed_at_once_and_one_undo_takes_it_back(known: Call, verb: str) -> None:
    assert known(verb, "1", "3").ok().out.count("\n") == 2
    assert known("list", "--json").ok().json["total"] == 1
    known("undo").ok()
    assert known("list", "--json").ok().json["total"] == 3


def test_several_are_shown_updated_and_restored(known: Call) -> None:
    assert [each["number"] for each in known("show", "3", "1", "--json").ok().json["memories"]] == [3, 1]
    known("update", "1", "3", "--tag", "both").ok()
    assert known("list", "--tag", "both", "--json").ok().json["total"] == 2
    assert known("update", "1", "3", "--text", "one text").code == 2
    known("archive", "1", "3").ok()
    answer = known("restore", "1", "2", "3")
    assert (answer.code, answer.out.count("restored")) == (1, 2), "2 was there all the time"


def test_no_answer_shows_a_whole_id_where_a_short_one_does(known: Call, project) -> None:
    (project / "talk.txt").write_text("User: We decided that deploys are on Monday.\n")
    known("supersede", "2", "--text", "Deploys are on Friday").ok()
    known("remember", "Deploys are on Sunday", "--topic", "deploy day").ok()
    known("session", "save", "talk.txt").ok()
    known("correct", "Deploys are never on Monday", "--memory", "2").ok()
    known("dream", "--apply").ok()
    known("evidence", "attach", "1", "commit", "4f2a91c").ok()
    for words in (
        ("history", "2"),
        ("why", "deploys", "--memory", "2"),
        ("session", "list"),
        ("session", "show", "last"),
        ("dream", "history"),
        ("dream", "insights"),
        ("corrections", "list"),
        ("evidence", "list", "1"),
        ("undo", "--list"),
        ("supersede", "2", "3"),
        ("review",),
    ):
        answer = known(*words)
        assert not LONG_ID.search(answer.out + answer.err), (words, answer)


def test_conversations_and_dreams_are_named_by_their_beginning_and_by_last(known: Call, project) -> None:
    for word in ("Monday", "Friday"):
        (project / f"{word}.txt").write_text(f"User: We decided that the {word} meeting is on {word}.\n")
        known("session", "save", f"{word}.txt").ok()
    listed = [line.split()[0] for line in known("session", "list").ok().out.splitlines()[1:]]
    wholes = [each["id"] for each in known("session", "list", "--json").ok().json["sessions"]]
    for short, whole in zip(listed, wholes, strict=True):
        assert len(short) < len(whole)
        assert known("session", "show", short, "--json").ok().json["id"] == whole
    assert known("session", "show", "last", "--json").ok().json["id"] == wholes[0]
    assert known("session", "show", "ses_", "--json").code == 1
    known("dream", "--apply").ok()
    known("dream", "undo", "last").ok()
