"""An answer made of memories: it answers, it cites what exists, it says what is not known, and it believes no model."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.book.book import Book
from commonplace.book.reflect import Reflection
from commonplace.dialects.aleph.shapes import PROFILE
from commonplace.domain.query import Depth
from commonplace.errors import ModelError
from tests.conftest import ManualClock, OpenBook, having
from tests.hashing import HashingEmbedder

WORDS = ("harbour", "boat", "tide", "crane", "dock", "sail", "anchor", "pilot", "buoy", "rope")
DEPTHS = (Depth.BRIEF, Depth.STANDARD, Depth.COMPREHENSIVE)


class Scripted:
    """A model that says what the test tells it to, and remembers what it was asked."""

    uses_network = False

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.prompts: list[str] = []

    def complete(self, system: str, prompt: str, max_tokens: int) -> str:
        self.prompts.append(prompt)
        if isinstance(self.answer, ModelError):
            raise self.answer
        return self.answer if isinstance(self.answer, str) else json.dumps(self.answer)


def ids(reflection: Reflection) -> list[str]:
    return [hit.memory.id for hit in reflection.sources]


@pytest.fixture
def harbour(book: Book) -> Book:
    for number in range(30):
        book.remember(f"Harbour note {number}: the {WORDS[number % 10]} is ready. Another sentence.", category="port")
    book.remember("The harbour prefers calm seas", kind="preference")
    return book


@given(
    texts=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), min_size=1, max_size=30),
    asked=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
    pinned=st.booleans(),
)
def test_the_sources_grow_with_the_depth_and_every_citation_exists(
    texts: list[list[str]], asked: list[str], pinned: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("book") / "book.db"
    with Book.open(place, model="none") as book:
        for number, words in enumerate(texts):
            book.remember(f"{' '.join(words)} number {number}.", pinned=pinned, kind=("fact", "note")[number % 2])
        found = [book.reflect(" ".join(asked), depth, profile=PROFILE) for depth in DEPTHS]
        for shallow, deep in pairwise(found):
            assert set(ids(shallow)) <= set(ids(deep))
        for reflection, most in zip(found, (3, 8, 20), strict=True):
            assert len(reflection.sources) <= most
            cited = [id for sentence in reflection.sentences for id in sentence.sources]
            assert sorted(cited) == sorted(ids(reflection))
            relevance = [hit.relevance for hit in reflection.sources]
            assert relevance == sorted(relevance, reverse=True)
            for sentence in reflection.sentences:
                for id in sentence.sources[:1]:
                    assert sentence.text.partition(" (the newest")[0].strip("“”.") in book.get(id).text


def test_the_depths_have_three_eight_and_twenty_sources(harbour: Book) -> None:
    found = {depth: harbour.reflect("harbour", depth) for depth in DEPTHS}
    assert [len(found[depth].sources) for depth in DEPTHS] == [3, 8, 20]


def test_a_quote_is_the_sentence_that_the_question_is_about(book: Book) -> None:
    book.remember("Lunch is at noon. Deploys are on Monday, never on Friday. It rains.")
    (sentence,) = book.reflect("when are deploys").sentences
    assert sentence.text == "Deploys are on Monday, never on Friday."


def test_what_waits_for_a_person_is_quoted_and_never_said_as_ours(book: Book) -> None:
    book.remember("The harbour gate opens at noon")
    book.remember("The harbour pilot takes orders from everybody", capture_mode="inferred")
    told = " ".join(sentence.text for sentence in book.reflect("harbour", depth=Depth.STANDARD).sentences)
    assert "“The harbour pilot takes orders from everybody" in told
    assert "“The harbour gate" not in told


def test_a_comprehensive_answer_is_grouped_and_the_others_are_ranked(harbour: Book) -> None:
    groups = [sentence.group for sentence in harbour.reflect("harbour calm seas", Depth.COMPREHENSIVE).sentences]
    assert groups == sorted(groups, key=groups.index)
    assert set(groups) == {"port", "preference"}
    text = harbour.reflect("harbour calm seas", Depth.COMPREHENSIVE).text
    assert text.splitlines()[0].endswith(":")


def test_what_is_not_known_is_said(book: Book, clock: ManualClock) -> None:
    book.remember("Deploys are on Monday")
    clock.advance(days=40)
    said = book.reflect("deploys on Kubernetes").unknown
    assert said == ("Nothing that was found mentions Kubernetes.", "Nothing is stored about this since 2026-01-01.")
    assert book.reflect("deploys on Monday").unknown == ("Nothing is stored about this since 2026-01-01.",)


def test_about_nothing_there_is_nothing_to_say_and_no_model_is_asked(book: Book) -> None:
    model = Scripted({"sentences": []})
    reflection = having(book, llm=model).reflect("zebras")
    assert (reflection.sentences, reflection.sources, reflection.unknown) == ((), (), ())
    assert model.prompts == []


def test_to_reflect_counts_nothing_as_used(harbour: Book) -> None:
    harbour.reflect("harbour", Depth.COMPREHENSIVE)
    assert all(memory.usage.count == 0 for memory in harbour.each())


def test_the_newest_of_two_that_contradict_comes_first_and_the_other_is_named_as_older(
    book: Book, clock: ManualClock
) -> None:
    thursday = book.remember("Deploys are on Thursday.").memory.id
    clock.advance(days=9)
    monday = book.remember("Deploys are on Monday.").memory.id
    (sentence,) = book.reflect("When are deploys?").sentences
    assert sentence.sources == (monday, thursday)
    assert sentence.text == (
        "Deploys are on Monday (the newest, 2026-01-10); what was said before: Deploys are on Thursday (2026-01-01)."
    )
    (brief,) = book.reflect("When are deploys?", Depth.BRIEF).sentences
    assert brief.sources == (monday,)
    assert brief.text == "Deploys are on Monday (the newest of 2 memories that differ, 2026-01-10)."


def test_what_a_later_word_changed_is_named_as_said_before(book: Book, clock: ManualClock) -> None:
    """Also where the two are said so differently that they are no contradiction by their words."""
    before = book.remember("Staging Postgres listens on 5432 like everywhere else.").memory.id
    other = book.remember("The admin UI on staging is served on port 8081.").memory.id
    clock.advance(days=9)
    after = book.remember("Since the pooler went in, connect to staging Postgres on 6543.").memory.id
    told = book.reflect("Which port does the staging Postgres listen on?").sentences
    assert told[0].sources == (after, before)
    assert told[0].text.startswith("Since the pooler went in, connect to staging Postgres on 6543 (the newest,")
    assert "what was said before: Staging Postgres listens on 5432 like everywhere else (2026-01-01)" in told[0].text
    assert all(other not in sentence.sources for sentence in told[:1])


def test_a_change_of_something_else_overtakes_nothing(book: Book, clock: ManualClock) -> None:
    birthday = book.remember("Marta's birthday is on 9 September.").memory.id
    clock.advance(days=9)
    book.remember("Marta moved to Lisbon in April.")
    told = book.reflect("When is Marta's birthday?", Depth.BRIEF).sentences[0]
    assert (told.text, told.sources) == ("Marta's birthday is on 9 September.", (birthday,))


def test_who_asks_what_is_current_is_not_told_what_was_before(book: Book, clock: ManualClock) -> None:
    book.remember("Deploys are on Thursday.")
    clock.advance(days=9)
    monday = book.remember("Deploys are on Monday.").memory.id
    (sentence,) = book.reflect("When are deploys these days?").sentences
    assert sentence.sources == (monday,)
    assert sentence.text == "Deploys are on Monday (the newest of 2 memories that differ, 2026-01-10)."
    assert "Thursday" in book.reflect("When are deploys now, and what was it before?").text


def test_of_what_is_asked_for_now_any_later_word_of_it_is_the_answer(book: Book, clock: ManualClock) -> None:
    book.remember("The rye flour comes from Carver.")
    clock.advance(days=1)
    book.remember("Since this week rye is supplied by Hollin.")
    assert "Carver" not in book.reflect("Who do we buy our rye flour from these days?").text
    assert "Carver" in book.reflect("Who did we buy our rye flour from?").text


def test_what_was_only_considered_is_no_decision(book: Book, clock: ManualClock) -> None:
    book.remember("The Hill family might plant beech for the hedge.")
    clock.advance(days=9)
    book.remember("The Hill family plants hornbeam for the hedge.")
    decided = book.reflect("What did the Hill family decide about the hedge?").text
    assert "hornbeam" in decided
    assert "beech" not in decided
    assert "beech" in book.reflect("What does the Hill family plant for the hedge?").text


def test_what_was_only_considered_is_told_where_nothing_was_decided_since(book: Book) -> None:
    book.remember("The Hill family might plant beech for the hedge.")
    assert "beech" in book.reflect("What did the Hill family decide about the hedge?").text


def test_another_number_of_the_same_thing_is_another_thing(book: Book) -> None:
    book.remember("At 14 Quarry Lane the stopcock is behind the washing machine.")
    book.remember("At 22 Quarry Lane the stopcock is in the cellar.")
    told = book.reflect("Where is the stopcock at 14 Quarry Lane?").text
    assert "washing machine" in told
    assert "cellar" not in told


MARTA = ("Marta drives a green car.", "Marta plays the cello.", "Marta runs the book club.", "Marta lives in Lugo.")


def test_where_only_the_name_is_known_nothing_answers(book: Book) -> None:
    for text in MARTA:
        book.remember(text)
    assert not book.reflect("Does Marta have any food allergies?").sentences
    assert not book.reflect("What licence does Marta hold?").sentences


@pytest.mark.parametrize("asked", ["Does Marta have any car?", "What does Marta play?", "What do we know about Marta?"])
def test_what_is_said_of_a_name_is_told(book: Book, asked: str) -> None:
    for text in MARTA:
        book.remember(text)
    assert book.reflect(asked).sentences


def test_where_one_memory_stands_out_it_answers_in_other_words(book: Book) -> None:
    book.remember("Marta gets hives from shellfish, says the allergy list of the canteen.")
    for text in MARTA:
        book.remember(text)
    assert "shellfish" in book.reflect("Does Marta have any allergies?").text


def test_a_numbered_list_is_no_contradiction(book: Book) -> None:
    for number in (1, 2):
        book.remember(f"Room {number} has a projector.")
    assert "newest" not in book.reflect("which room has a projector").text


def test_what_has_one_subject_is_said_in_one_sentence(book: Book) -> None:
    written = book.remember("The checkout service is written in Go.").memory.id
    talks = book.remember("The checkout service talks to Stripe.").memory.id
    (sentence,) = book.reflect("Give me an overview of the checkout service").sentences
    assert set(sentence.sources) == {written, talks}
    assert sentence.text in (
        "The checkout service is written in Go and talks to Stripe.",
        "The checkout service talks to Stripe and is written in Go.",
    )
    assert len(book.reflect("the checkout service", Depth.BRIEF).sentences) == 2


def test_words_that_only_ask_are_not_looked_for(book: Book) -> None:
    kept = book.remember("Requirement: the export works offline.").memory.id
    book.remember("The user prefers to summarise what we know before a meeting.")
    reflection = book.reflect("Summarise what we know about the user's requirement")
    assert ids(reflection) == [kept]
    assert reflection.unknown == ()


def test_nothing_is_said_to_be_old_that_was_stored_a_few_days_ago(book: Book, clock: ManualClock) -> None:
    book.remember("Deploys are on Monday")
    clock.advance(days=20)
    assert book.reflect("deploys on Monday").unknown == ()


def test_what_is_no_plain_prose_is_quoted(book: Book) -> None:
    book.remember('Deploys: run "make ship" [mem_1].')
    (sentence,) = book.reflect("deploys").sentences
    assert sentence.text == '“Deploys: run "make ship" (mem_1).”'


# -- through a model --------------------------------------------------------------------------


def test_a_models_sentences_must_cite_and_invented_citations_are_dropped(book: Book) -> None:
    monday = book.remember("Deploys are on Monday").memory.id
    model = Scripted(
        {
            "sentences": [
                {"text": "Deploys happen on Monday.", "sources": [monday, "mem_INVENTED"]},
                {"text": "Deploys are dangerous.", "sources": ["mem_INVENTED"]},
                {"text": "Nobody said this.", "sources": []},
                {"text": "There are 17 deploys.", "sources": [monday]},
                "not even an object",
            ]
        }
    )
    reflection = having(book, llm=model).reflect("deploys")
    assert [(each.text, each.sources) for each in reflection.sentences] == [("Deploys happen on Monday.", (monday,))]
    assert not reflection.quoted
    assert reflection.fell_back is None


@pytest.mark.parametrize(
    "answer",
    [
        "Deploys are on Monday, I think.",
        "",
        "{",
        '{"sentences": "many"}',
        '{"sentences": []}',
        "[]",
        {"sentences": [{"text": "Deploys are on Monday", "sources": ["mem_INVENTED"]}]},
        ModelError("It is away."),
    ],
)
def test_a_useless_answer_falls_back_to_quotes_and_says_so(book: Book, answer: object) -> None:
    monday = book.remember("Deploys are on Monday").memory.id
    reflection = having(book, llm=Scripted(answer)).reflect("deploys")
    assert [(each.text, each.sources) for each in reflection.sentences] == [("Deploys are on Monday", (monday,))]
    assert reflection.quoted
    assert "the model was of no use" in (reflection.fell_back or "")


def test_the_sources_are_what_a_model_cites_and_nothing_else(harbour: Book) -> None:
    for depth in DEPTHS:
        last = ids(harbour.reflect("harbour", depth))[-1]
        model = Scripted({"sentences": [{"text": "The harbour is ready.", "sources": [last]}]})
        reflection = having(harbour, llm=model).reflect("harbour", depth)
        assert not reflection.quoted
        assert ids(reflection) == [last]


def test_reflection_looks_by_meaning_too(open_book: OpenBook) -> None:
    book = open_book(embedder=HashingEmbedder())
    kept = book.remember("Deploys are on Monday").memory.id
    assert ids(book.reflect("deploys on monday", profile=PROFILE)) == [kept]
