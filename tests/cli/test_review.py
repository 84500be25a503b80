"""review, and confirm and forget of several memories."""

import pytest

from commonplace.book.book import Book
from commonplace.domain.memory import CaptureMode, Kind, Origin
from commonplace.engine.caller import Door
from tests.cli.conftest import Call

AGENT = Door("mcp", Origin.AGENT, "claude")


@pytest.fixture
def waiting(known: Call) -> Call:
    """An agent's words in the place of 2, an instruction (4) and something inferred (5)."""
    with Book.open(model="none", door=AGENT) as agent:
        agent.update(2, text="Deploys are on Friday")
        agent.remember("Always sign commits", kind=Kind.INSTRUCTION)
        agent.remember("The user lives in Lisbon", capture_mode=CaptureMode.INFERRED)
    return known


def numbers(call: Call) -> list[int]:
    return [each["memory"]["number"] for each in call("review", "--json").ok().json["waiting"]]


def test_review_lists_both_texts_who_wrote_them_and_what_to_do(waiting: Call) -> None:
    answer = waiting("review").ok()  # no terminal: a list
    assert "now:      Deploys are on Friday\n  before:   Deploys are on Monday" in answer.out
    assert "revised, by claude, through mcp" in answer.out
    assert "confirm 2, or review --reject 2 for what was said before" in answer.out
    assert "confirm 4, or forget 4" in answer.out
    assert "says:     Always sign commits" in answer.out
    assert waiting("review", "--list", typed="c\n").ok().out == answer.out
    document = waiting("review", "--json").ok().json
    assert {each["memory"]["number"]: each["why"] for each in document["waiting"]} == {
        2: "revision",
        4: "instruction",
        5: "unconfirmed",
    }
    assert waiting("review", "--json", "--origin", "inferred").ok().json["total"] == 1


def test_review_walks_through_what_waits(waiting: Call) -> None:
    answer = waiting("review", typed="c\nwhat\nr\nq\n").ok()
    assert answer.err.count("[c]onfirm, [r]eject, [s]kip, [q]uit") == 4
    assert "confirmed 5" in answer.out
    assert "rejected 4" in answer.out
    assert numbers(waiting) == [2]
    answer = waiting("review", typed="s\n").ok()
    assert numbers(waiting) == [2]
    assert "2 is again: Deploys are on Monday" in waiting("review", typed="r\n").ok().out
    assert "Nothing waits for you." in waiting("review", typed="").ok().err
    assert waiting("show", "2", "--json").ok().json["origin"] == "typed"


def test_a_revision_is_rejected_without_a_terminal_too(waiting: Call) -> None:
    answer = waiting("review", "--reject", "2", "--reject", "1", "--reject", "99")
    assert answer.code == 1
    assert "2 is again: Deploys are on Monday" in answer.out
    assert "does not wait for anybody" in answer.err
    assert "There is no memory '99'" in answer.err
    assert numbers(waiting) == [5, 4]


def test_several_memories_are_confirmed_and_forgotten_at_once(waiting: Call) -> None:
    assert waiting("confirm", "2", "4", "5").ok().out.count("confirmed") == 3
    assert numbers(waiting) == []
    answer = waiting("forget", "4", "99", "5", "--json")
    assert answer.code == 1
    assert [memory["number"] for memory in answer.json["memories"]] == [4, 5]
    assert answer.json["problems"] == ["There is no memory '99': look it up with recall or list."]
    assert waiting("forget", "1", "2", "--replaced-by", "3").code == 2


def test_a_book_with_nothing_to_review_says_so(known: Call) -> None:
    assert "Nothing waits for you." in known("review").ok().err
