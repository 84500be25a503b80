"""A model's answer is read in one way, whoever asked: a list in JSON, believed as far as it cites."""

import json

import pytest

from commonplace.engine.asking import ANSWER_CHARACTERS, ENTRIES_LIMIT, ask, cited, invents_numbers, listed
from commonplace.errors import ModelError


class Recording:
    """A model that answers with an empty list, and keeps what it was asked."""

    uses_network = False

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, int]] = []

    def complete(self, system: str, prompt: str, max_tokens: int) -> str:
        self.asked.append((system, prompt, max_tokens))
        return '{"items": []}'


def test_every_line_is_json_of_its_own_and_nothing_in_it_ends_it() -> None:
    model = Recording()
    assert ask(model, "Choose.", [{"text": "one\n{}"}, {"text": "two"}], "items", 7) == []
    [(system, prompt, tokens)] = model.asked
    assert (system, tokens) == ("Choose.", 7)
    assert [json.loads(line)["text"] for line in prompt.splitlines()] == ["one\n{}", "two"]


@pytest.mark.parametrize("around", ["{}", "```json\n{}\n```", "Here you are: {} I hope it helps."])
def test_what_stands_around_the_json_does_not_matter(around: str) -> None:
    assert listed(around.replace("{}", '{"items": [1, "two"]}'), "items") == [1, "two"]


@pytest.mark.parametrize(
    ("answer", "because"),
    [
        (None, "not a text of a usable length"),
        ('{"items": []}' + " " * ANSWER_CHARACTERS, "not a text of a usable length"),
        ("I would rather not.", "not the JSON"),
        ('{"items": [', "not the JSON"),
        ('{"items": ' + "[" * 50_000 + "}", "not the JSON"),
        ('{"items": "many"}', "no list of items"),
        ('{"sentences": []}', "no list of items"),
    ],
)
def test_an_answer_without_the_list_is_refused_with_the_reason(answer: object, because: str) -> None:
    with pytest.raises(ModelError, match=because):
        listed(answer, "items")


def test_a_list_without_end_is_cut() -> None:
    assert listed(json.dumps({"items": list(range(ENTRIES_LIMIT + 1))}), "items") == list(range(ENTRIES_LIMIT))


@pytest.mark.parametrize(
    ("entry", "believed"),
    [
        ({"text": " So. ", "sources": ["b", "x", "a", "b", 1]}, ("So.", ("b", "a"))),
        ({"text": "So.", "sources": ["x"]}, None),
        ({"text": "So.", "sources": "a"}, None),
        ({"text": "  ", "sources": ["a"]}, None),
        ({"sources": ["a"]}, None),
        ("So.", None),
    ],
)
def test_an_entry_keeps_the_sources_that_were_shown_each_once(entry: object, believed: object) -> None:
    assert cited(entry, {"a", "b"}) == believed


def test_a_number_must_stand_in_what_a_text_rests_on() -> None:
    assert not invents_numbers("From 7 to 9.", ["It opens at 7.", "It closes at 9."])
    assert invents_numbers("From 7 to 19.", ["It opens at 7.", "It closes at 9."])
