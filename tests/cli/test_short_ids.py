"""Ids as people type and read them: `3`, `last`, the beginning of an id, and several where one is taken."""

import re

import pytest

from tests.cli.conftest import Call

LONG_ID = re.compile(r"(mem|ses|drm|evd|cor|doc)_[0-9A-Za-z]{20}|chunk_[0-9a-f]{16}")


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
    (project / "deploys.md").write_text("# Deploys\n\nThe deploys run from the build machine.\n")
    known("docs", "add", "deploys.md").ok()
    known("supersede", "2", "--text", "Deploys are on Friday").ok()
    known("remember", "Deploys are on Sunday", "--topic", "deploy day").ok()
    known("session", "save", "talk.txt").ok()
    known("correct", "Deploys are never on Monday", "--memory", "2").ok()
    known("dream", "--apply").ok()
    known("evidence", "attach", "1", "commit", "4f2a91c").ok()
    for words in (
        ("history", "2"),
        ("why", "deploys", "--memory", "2"),
        ("why", "deploys", "--only", "sessions"),
        ("recall", "deploys"),
        ("docs", "list"),
        ("docs", "show", "last"),
        ("docs", "search", "deploys"),
        ("session", "list"),
        ("session", "show", "last"),
        ("dream", "history"),
        ("dream", "insights"),
        ("corrections", "list"),
        ("evidence", "list", "1"),
        ("undo", "--list"),
        ("supersede", "2", "3"),
        ("review",),
        ("session", "remove", "last"),
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


def test_conversations_narrow_a_reading_by_last_and_by_their_beginning(known: Call, project) -> None:
    (project / "talk.txt").write_text("User: We decided that the review is on Friday.\n")
    known("session", "save", "talk.txt").ok()
    short = known("session", "list").ok().out.splitlines()[1].split()[0]
    for named in ("last", short):
        found = known("list", "--session", named, "--json").ok().json["memories"]
        assert [each["number"] for each in found] == [4], named
        assert known("recall", "review", "--session", named, "--json").ok().json["hits"][0]["number"] == 4


def test_several_conversations_are_forgotten_and_removed_at_once(known: Call, project) -> None:
    for word in ("Monday", "Friday", "Sunday"):
        (project / f"{word}.txt").write_text(f"User: We decided that the {word} meeting is on {word}.\n")
        known("session", "save", f"{word}.txt").ok()
    listed = [line.split()[0] for line in known("session", "list").ok().out.splitlines()[1:]]
    assert known("session", "forget", *listed[:2]).ok().out.count("forgot") == 2
    assert known("list", "--json").ok().json["total"] == 4
    answer = known("session", "remove", listed[0], "ses_nothing", listed[1])
    assert answer.code == 1
    assert answer.out.count("removed") == 2, "what can be done is done"
    assert "ses_nothing" in answer.err
    found = known("session", "forget", listed[2], "--json").ok().json
    assert found["session"].startswith(listed[2])


def test_decisions_are_named_by_last(known: Call) -> None:
    about = ("--area", "jobs", "--context", "twice", "--decision", "once", "--rationale", "simple")
    known("decision", "create", "Use Redis", *about).ok()
    known("decision", "create", "Use Postgres", *about).ok()
    assert known("decision", "show", "last", "--json").ok().json["id"] == "DEC-002"
    assert "DEC-002" in known("decision", "revert", "last", "--reason", "no").ok().out


def test_a_token_is_named_by_its_beginning(known: Call) -> None:
    for label in ("first", "second"):
        known("token", "create", "--user", "ada", "--scopes", "read", "--label", label).ok()
    ids = [each["id"] for each in known("token", "list", "--json").ok().json["tokens"]]
    assert "may be any of" in known("token", "revoke", "").err
    beginning = next(ids[0][:size] for size in range(1, 12) if not ids[1].startswith(ids[0][:size]))
    assert f"revoked {ids[0]}" in known("token", "revoke", beginning).ok().out
    assert "There is no token" in known("token", "revoke", "zz").err


def test_a_passage_is_opened_by_the_words_that_recall_says(known: Call, project) -> None:
    (project / "deploys.md").write_text("# Deploys\n\nThe deploys run from the build machine.\n")
    known("docs", "add", "deploys.md").ok()
    said = known("recall", "build machine").ok().out
    words = re.search(r"commonplace (docs show \S+)", said)
    assert words is not None, said
    assert "build machine" in known(*words[1].split()).ok().out
