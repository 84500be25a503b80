"""What a question asks for, and the signs of its answer."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.text.questions import Signs, has_with_a_slip, read, signs

SAID = int(datetime(2024, 1, 5, tzinfo=UTC).timestamp() * 1000)


def seen(question: str, text: str, labels: str = "") -> Signs:
    return signs(read(question), text, labels, SAID)


@pytest.mark.parametrize(
    ("question", "fitting", "other"),
    [
        ("when do we deploy?", "Deploys are on Monday", "Deploys go through the gate"),
        ("how often is the backup tested?", "The backup is tested every quarter", "The backup is tested by restoring"),
        ("how many runners are there?", "CI has 4 runners", "CI has runners in the cellar"),
        ("which port does the gateway use?", "The gateway listens on 8443", "The gateway listens for traffic"),
        ("who owns billing?", "Billing belongs to Priya", "billing belongs to the core"),
        ("why do we pin the cache?", "The cache is pinned because of its licence", "The cache is pinned"),
    ],
)
def test_an_answer_has_in_it_what_was_asked_for(question: str, fitting: str, other: str) -> None:
    assert (seen(question, fitting).unfit, seen(question, other).unfit) == (0.0, 1.0)


def test_a_question_that_asks_for_no_kind_of_thing_finds_everything_fit() -> None:
    assert seen("output style", "short answers, no emojis").unfit == 0.0


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("When does Xbox certification begin?", ("xbox",)),
        ("what is in release 4.4?", ("4.4",)),
        ("who closed TIDE-482", ("tide-482",)),
        ("what runs on kestrel.internal", ("kestrel.internal",)),
        ("is Aunt Silke's birthday in May or on Friday, 3 May 2024?", ("aunt", "silke")),
        ("Deployment day", ()),
        ("which DB does the API use?", ()),
        ("I think we said I'd do it. Who does it?", ()),
        ("Wann wird die alte Version der Schnittstelle abgeschaltet?", ()),
    ],
)
def test_names_and_identifiers_are_told_from_words(question: str, names: tuple[str, ...]) -> None:
    assert read(question).names == names


def test_a_name_is_missing_where_neither_text_nor_labels_have_it() -> None:
    assert seen("is Silke's birthday soon?", "Her birthday is in May").missing == ("silke",)
    assert seen("is Silke's birthday soon?", "SILKE was born in May").missing == ()
    assert seen("is Silke's birthday soon?", "Her birthday is in May", labels='["silke"]').missing == ()


@pytest.mark.parametrize(
    ("name", "slip"),
    [("silke", True), ("sillke", True), ("silkr", True), ("slike", True), ("hendrik", False), ("vilke", False)],
)
def test_a_name_with_one_letter_wrong_is_known_again(name: str, slip: bool) -> None:
    assert has_with_a_slip({name}, "Aunt Silke, at 18 Wharf Road") is slip
    assert not has_with_a_slip({"zoe", "3.12"}, "Zoë runs 3.11 with Noe")


def test_a_label_before_a_text_is_told() -> None:
    assert seen("when is Silke leaving?", "Ruth: she leaves on Monday").labelled
    assert not seen("when is Silke leaving?", "She leaves at 10:30 with Ruth").labelled


def test_who_is_asked_about_tells_it() -> None:
    assert seen("what did Caroline paint?", "Caroline: I painted a sunset").told_by
    assert not seen("what did Caroline paint?", "Melanie: I saw what Caroline painted").told_by
    assert not seen("what did we paint?", "https://example.com: a sunset").told_by


def test_a_short_question_is_no_answer_and_a_long_one_may_be() -> None:
    short = seen("what did you paint", "What did you paint?").asking
    half = seen("what did you paint", "I painted. And you?").asking
    long = seen("what did you paint", f"{'I painted a very large picture of the sea, ' * 8} what do you think?").asking
    assert seen("what did you paint", "I painted.").asking == 0.0 < long < half < short <= 1.0


def test_what_was_said_on_the_day_or_speaks_of_it_is_of_that_day() -> None:
    asked = "what happened on 5 January 2024?"
    assert seen(asked, "We signed").dated == 1.0
    assert seen("what happened on 4 January 2024?", "We signed yesterday").dated == 1.0
    assert 0.0 < seen("what happened on 2 January 2024?", "We signed").dated < 1.0
    assert seen("what happened on 5 March 2021?", "We signed").dated == 0.0
    assert seen("what happened on 5 March 2021?", "We signed on 5 March 2021").dated == 1.0


@given(st.text(), st.text(), st.text(), st.integers(-(2**62), 2**62))
def test_any_question_and_any_text_have_signs(question: str, text: str, labels: str, said_at: int) -> None:
    found = signs(read(question), text, labels, said_at)
    assert 0.0 <= found.unfit <= 1.0
    assert 0.0 <= found.asking <= 1.0
    assert 0.0 <= found.dated <= 1.0
    assert found.words >= 0
