"""review, and confirm and forget of several memories."""

from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.cli.keys import letters
from commonplace.domain.memory import CaptureMode, Kind, Origin
from commonplace.engine.caller import Door
from tests.cli.conftest import Call
from tests.cli.terminal import RealTerminal

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
    assert answer.err.count("[y]es, [n]o, [e]dit, [l]ater, ") == 4
    assert "confirmed 5" in answer.out
    assert "rejected 4" in answer.out
    assert numbers(waiting) == [2]
    answer = waiting("review", typed="s\n").ok()
    assert numbers(waiting) == [2]
    assert "2 is back: Deploys are on Monday" in waiting("review", typed="r\n").ok().out
    assert "Nothing waits for you." in waiting("review", typed="").ok().err
    assert waiting("show", "2", "--json").ok().json["origin"] == "typed"


def test_a_revision_is_rejected_without_a_terminal_too(waiting: Call) -> None:
    answer = waiting("review", "--reject", "2", "--reject", "1", "--reject", "99")
    assert answer.code == 1
    assert "2 is back: Deploys are on Monday" in answer.out
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


CONVERSATION = "talk-7"


@pytest.fixture
def many(waiting: Call) -> Call:
    """Beside those, three things inferred in one conversation (6 to 8) and a contradiction (9 and 10)."""
    with Book.open(model="none", door=AGENT) as agent:
        for name, team in (("alpha", "Ada"), ("beta", "Bob"), ("gamma", "Cay")):
            text = f"The {name} service belongs to {team}"
            agent.remember(text, capture_mode=CaptureMode.INFERRED, session=CONVERSATION, source="notes.md")
    waiting("remember", "The office closes at six", "The office closes at eight").ok()
    return waiting


def test_keys_answer_on_a_real_terminal_and_one_of_them_takes_an_answer_back(many: Call) -> None:
    terminal = RealTerminal(["review"])
    terminal.expect("gamma service belongs to Cay")
    terminal.expect(f"[a]ll 3 of the conversation {CONVERSATION}, [u]ndo, [q]uit: ")
    terminal.press("y")
    terminal.expect("confirmed 8")
    terminal.expect("[q]uit: ")
    terminal.press("\x1b[A\x1bOBu")  # arrows are no answers, though they end in letters
    terminal.expect("taken back")
    terminal.expect("gamma service belongs to Cay")
    terminal.expect("[q]uit: ")
    terminal.press("e")
    terminal.expect("as it is): ")
    terminal.press("pher\r")
    terminal.expect("updated 8")
    terminal.expect("[q]uit: ")
    terminal.press("a")
    terminal.expect("[y]es, [n]o, [l]ater: ")
    terminal.press("n")
    terminal.expect("rejected 2 memories")
    terminal.expect("The user lives in Lisbon")
    terminal.press("l")
    terminal.expect("Always sign commits")
    terminal.press("n")
    terminal.expect("rejected 4")
    terminal.expect("Deploys are on Friday")
    terminal.expect("[q]uit: ")
    terminal.press("\x04")  # the end of the input
    assert terminal.leave() == 0
    assert "2 things wait for another time." in terminal.shown
    assert many("show", "8", "--json").ok().json["text"] == "The gamma service belongs to Caypher"
    assert numbers(many) == [5, 2]
    assert many("list", "--status", "forgotten", "--json").ok().json["total"] == 3
    many("undo").ok()
    assert numbers(many) == [5, 4, 2], "each answer is a change that undo takes back"


@pytest.mark.usefixtures("many")
def test_an_end_of_the_input_that_comes_before_the_question_ends_the_review() -> None:
    terminal = RealTerminal(["review"])
    terminal.press("\x04")  # the terminal keeps it until somebody listens, and hands it on as another character
    assert terminal.leave() == 0
    assert "[q]uit: " in terminal.shown


def test_contradictions_are_settled_by_either_side_or_left_standing(many: Call) -> None:
    document = many("review", "--json").ok().json
    ((pair,), repeats) = document["contradictions"], document["repeats"]
    assert (pair["older"]["number"], pair["newer"]["number"], repeats) == (9, 10, [])
    later = "l\n" * 6
    assert "superseded 10 by 9" in many("review", "--ask", stdin=f"{later}o\n").ok().out
    assert many("review", "--json").ok().json["contradictions"] == []
    many("undo").ok()
    assert "9 and 10 both stand" in many("review", "--ask", stdin=f"{later}n\n").ok().out
    assert many("review", "--json").ok().json["contradictions"] == [], "what a person let stand is not asked again"
    assert many("list", "--json").ok().json["total"] == 10


def test_repeats_are_in_a_review_too(known: Call) -> None:
    known("remember", "The staging server is called heron.", "--near", "ignore").ok()
    (pair,) = known("review", "--json").ok().json["repeats"]
    assert (pair["older"]["number"], pair["newer"]["number"]) == (3, 4)


def test_all_of_a_conversation_or_a_source_is_answered_at_once(many: Call) -> None:
    assert "confirmed 3 memories" in many("review", "--session", CONVERSATION, "--confirm-all").ok().out
    assert numbers(many) == [5, 4, 2]
    many("undo").ok()
    assert len(many("review", "--source", "notes.md", "--json").ok().json["waiting"]) == 3
    answer = many("review", "--source", "notes.md", "--reject-all", "--json").ok().json
    assert [memory["status"] for memory in answer["memories"]] == ["forgotten"] * 3
    many("undo").ok()
    assert numbers(many) == [8, 7, 6, 5, 4, 2]
    assert many("review", "--confirm-all").code == 2
    assert many("review", "--confirm-all", "--reject-all", "--origin", "inferred").code == 2
    assert "Nothing like that" in many("review", "--source", "nowhere", "--confirm-all").ok().err


def test_answers_come_through_a_pipe_and_its_end_leaves_the_rest(waiting: Call) -> None:
    answer = waiting("review", "--ask", stdin="e\nThe user lives in Porto\nn\n").ok()
    assert "updated 5: The user lives in Porto" in answer.out
    assert "rejected 4" in answer.out
    assert numbers(waiting) == [2]
    assert waiting("show", "5", "--json").ok().json["origin"] == "typed"


def test_a_conversation_of_ours_is_called_as_it_may_be_typed(waiting: Call, tmp_path: Path) -> None:
    (tmp_path / "talk.txt").write_text(
        "User: We decided that deploys of the shop go through Argo.\nUser: Also, I prefer short commit messages.\n"
    )
    waiting("session", "save", str(tmp_path / "talk.txt")).ok()
    asked = waiting("review", "--ask", stdin="q\n").ok().err
    listed = waiting("review", "--list").ok().out
    assert "  said:     “Also, I prefer short commit messages.”" in listed
    assert "“We decided" not in listed, "it says so itself"
    named = asked.partition("[a]ll 2 of the conversation ")[2].partition(",")[0]
    assert len(named) < 12
    assert "confirmed 2" in waiting("review", "--session", named, "--confirm-all").ok().out


def test_what_keys_send_beside_letters_is_left_out() -> None:
    assert letters("y\x1b[Au\x1b[3~\x1bOPn\x1bx") == "yun"
    assert letters("\x1b") == letters("\x1b[") == letters("\x1b[1;5") == ""


def test_one_answer_is_for_a_whole_file_whichever_line_each_is_from(many: Call, tmp_path: Path) -> None:
    file = tmp_path / "CLAUDE.md"
    file.write_text("# Rules\n- Run the linter before each commit\n- Sign every release\n", encoding="utf-8")
    many("import", str(file), "--yes").ok()
    listed = many("review", "--json", "--origin", "imported").ok().json["waiting"]
    assert {each["memory"]["source"] for each in listed} == {"CLAUDE.md:2", "CLAUDE.md:3"}
    assert {each["group"]["id"] for each in listed} == {"CLAUDE.md"}
    assert many("review", "--source", "CLAUDE.m", "--json").ok().json["total"] == 0
    assert many("review", "--source", "CLAUDE.md:3", "--json").ok().json["total"] == 1
    assert "2 memories" in many("review", "--source", "CLAUDE.md", "--confirm-all").ok().out
