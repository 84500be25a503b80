"""What only more than one sentence of a conversation tells: a procedure in steps, and the last word on a value."""

from hypothesis import given
from hypothesis import strategies as some

from commonplace.domain.memory import Kind, MemoryType
from commonplace.sessions.distil import distil, summarise
from commonplace.sessions.transcripts import Speaker, Turn, plain

DEBOUNCE = "User: The debounce for the filter should be 150ms.\nAssistant: OK, done.\n"


def turns(text: str) -> list[Turn]:
    return list(plain.turns(iter(text.splitlines(keepends=True))))


def learnt(text: str) -> list[str]:
    return [item.text for item in distil(turns(text)).items]


# -- the last word on a value -----------------------------------------------------------------


def test_few_words_give_an_earlier_statement_its_last_value() -> None:
    text = DEBOUNCE + "User: Hm, feels slow. Make it 80.\nAssistant: Set to 80ms."
    assert learnt(text) == ["The debounce for the filter should be 80ms."]
    (item,) = distil(turns(text)).items
    assert (item.turn, item.quote) == (2, "Make it 80.")


def test_a_value_that_is_denied_leads_to_the_statement_that_named_it() -> None:
    text = "User: Access tokens live 60 minutes.\nAssistant: Fine.\nUser: Then 15 minutes, not 60.\nAssistant: Changed."
    assert learnt(text) == ["Access tokens live 15 minutes."]


def test_the_last_of_several_values_counts_and_its_unit_with_it() -> None:
    text = DEBOUNCE + "User: make it 80\nAssistant: Done.\nUser: no, better 1 second\nAssistant: Changed."
    assert learnt(text) == ["The debounce for the filter should be 80ms."], "a second is no value in ms"
    text = DEBOUNCE + "User: make it 80\nAssistant: Done.\nUser: 60ms then\nAssistant: Changed."
    assert learnt(text) == ["The debounce for the filter should be 60ms."]
    assert "150ms" not in summarise(turns(text))


def test_another_thing_is_not_given_the_value() -> None:
    for beside in (
        "User: Make the sidebar of the settings page 80 pixels wide.\nAssistant: Done.",
        "User: maybe make it 80?\nAssistant: Could be.",
        "User: I counted 80 of them then\nAssistant: OK.",
    ):
        assert "The debounce for the filter should be 150ms." in learnt(DEBOUNCE + beside), beside


def test_a_value_far_back_is_left_alone() -> None:
    between = "User: Show me the next file.\nAssistant: Here it is.\n" * 5
    assert "The debounce for the filter should be 150ms." in learnt(
        DEBOUNCE + between + "User: Make it 80.\nAssistant: OK."
    )


@given(
    some.lists(
        some.sampled_from((DEBOUNCE, "User: make it 80\nAssistant: Done.\n", "User: 60ms then\nAssistant: OK.\n"))
    )
)
def test_every_quotation_stands_in_its_turn(said: list[str]) -> None:
    talk = turns("".join(said))
    for item in distil(talk).items:
        assert item.quote in talk[item.turn].text


# -- procedures -------------------------------------------------------------------------------

RUNBOOK = "here's the runbook for restoring a backup:\n1. stop the worker\n2. run restore.sh\n3. start the worker"


def test_steps_of_a_procedure_are_one_instruction() -> None:
    (item,) = distil(turns(f"User: {RUNBOOK}\nAssistant: Thanks, I'll keep that.")).items
    assert item.text == "runbook for restoring a backup: 1. stop the worker 2. run restore.sh 3. start the worker"
    assert (item.kind, item.memory_type) == (Kind.INSTRUCTION, MemoryType.INSTRUCTION)


def test_what_an_assistant_lists_and_what_is_asked_for_is_no_procedure() -> None:
    for text in (
        f"User: how do I restore it\nAssistant: {RUNBOOK}",
        "User: please do these steps:\n1. rename the file\n2. run the tests\nAssistant: Done.",
        "User: the errors are:\n1. a timeout\n2. a refused connection\nAssistant: I see.",
        "User: is this the runbook for restoring?\n1. stop the worker\n2. run restore.sh\nAssistant: Yes.",
    ):
        assert all(item.reason != "steps of a procedure" for item in distil(turns(text)).items), text


def test_a_procedure_with_a_secret_is_left_out() -> None:
    steps = "User: steps to log in:\n1. open the console\n2. type the password hunter2-Zebra!9\nAssistant: OK."
    assert all("hunter2" not in text for text in learnt(steps))


# -- notes ------------------------------------------------------------------------------------


def test_a_line_that_a_user_says_alone_is_a_note() -> None:
    for text in (
        "I prefer tabs over spaces.",
        "We use pnpm, never npm.",
        "I'm allergic to peanuts.",
        "The staging database is called hermes.",
    ):
        assert learnt(f"User: {text}") == [text]
    (item,) = distil(turns("User: TODO: write the changelog")).items
    assert (item.text, item.kind) == ("write the changelog", Kind.TASK)
    assert learnt("Note to self: the VPN needs the old client.") == ["the VPN needs the old client."]


def test_what_somebody_only_wants_now_is_no_note() -> None:
    for text in (
        "Fix the failing test in foo.py",
        "can you fix it?",
        "run the tests again",
        "the build is red again",
        "write me a regex for dates",
        "Translate this to German",
        "thanks, looks great",
    ):
        assert learnt(f"User: {text}") == [], text


def test_one_line_alone_is_nobodys_turn_and_two_are_a_users() -> None:
    assert turns("User: I prefer tabs.") == [Turn(Speaker.UNKNOWN, "I prefer tabs.")]
    assert turns("User: I prefer tabs.\nAnd short lines.") == [Turn(Speaker.USER, "I prefer tabs.\nAnd short lines.")]


# -- digests ----------------------------------------------------------------------------------


def test_a_question_counts_where_it_is_noted_as_open() -> None:
    assert learnt("## Facts\n- The API is in Go\n\n## Open questions\n- Does the app need traces?") == [
        "The API is in Go",
        "Does the app need traces?",
    ]
    assert learnt("- The API is in Go\n- Does the app need traces?") == ["The API is in Go"]


def test_lines_that_a_label_opens_stand_for_themselves() -> None:
    text = (
        "**Deadline:** first release before the summer timetable on 1 June\n"
        "**Constraint:** must work without a network for a whole day"
    )
    assert learnt(text) == text.splitlines()


def test_a_box_to_tick_is_a_task() -> None:
    (item,) = distil(turns("- [ ] write the migration")).items
    assert (item.text, item.kind) == ("write the migration", Kind.TASK)
