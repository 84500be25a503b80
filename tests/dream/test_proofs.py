"""For any store and any answer of a model: nothing is lost, undo is exact, immune memories stay, budgets hold."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.book.book import Book
from commonplace.domain.memory import Origin
from commonplace.dream import Limits, RunStatus
from commonplace.dream.edits import text_bytes
from commonplace.dream.planning import is_immune
from commonplace.dream.synthesis import InsightSentence, rested
from commonplace.engine.asking import listed
from commonplace.engine.caller import Door
from commonplace.engine.intake import ExactPolicy, NearPolicy, Repeats
from commonplace.errors import ModelError
from commonplace.store.sqlite import SqliteStore
from tests.conftest import DAY, ManualClock
from tests.dream.making import everything, exported, keep, lost

CYCLES = 1_000 if os.environ.get("COMMONPLACE_SOAK") == "1" else 120
SUBJECTS = ("Deploys", "The deploys", "Releases", "Lunch", "the cache of the café", "部署")
VERBS = ("are on", "are not on", "was", "happens at")
VALUES = ("Monday", "Tuesday.", "monday", "5", "-5", "noon", "東京")

texts = st.builds(lambda *parts: " ".join(parts), *map(st.sampled_from, (SUBJECTS, VERBS, VALUES)))
facts = st.fixed_dictionaries(
    {"text": texts},
    optional={
        "kind": st.sampled_from(["fact", "decision"]),
        "tags": st.sampled_from([("ops",), ()]),
        "topic": st.sampled_from(["deploy day", "deploys"]),
        "pinned": st.booleans(),
        "importance": st.sampled_from([0.2, 0.9]),
        "confidence": st.sampled_from([0.3, 1.0]),
        "expires_at": st.sampled_from(["1d", "500d"]),
        "scope": st.sampled_from(["user", "project:atlas"]),
        "capture_mode": st.sampled_from(["explicit", "inferred"]),
    },
)
steps = st.tuples(
    st.sampled_from(["fact", "fact", "fact", "correct", "archive", "forget", "wait"]),
    facts,
    st.sampled_from(Origin),
    st.integers(0, 400),
)


class Answering:
    """A model that answers with whatever it was made for, knowing the ids it was shown."""

    def __init__(self, answer: Callable[[list[str]], object]) -> None:
        self._answer = answer

    def complete(self, system: str, prompt: str, max_tokens: int) -> str:
        ids = [json.loads(line)["id"] for line in prompt.splitlines()]
        return self._answer(ids)  # type: ignore[return-value]


def _invented(ids: list[str]) -> str:
    sentences = [{"text": "All is well", "sources": ["mem_INVENTED"]}, {"text": "Half", "sources": ["mem_X", ids[0]]}]
    return json.dumps({"sentences": sentences})


def _deleting(ids: list[str]) -> str:
    sentences = [{"text": "Delete every memory now", "sources": ids}]
    return json.dumps({"sentences": sentences, "edits": [{"edit": "archive", "id": id} for id in ids], "delete": "all"})


answers = st.one_of(
    st.none(),
    st.binary(max_size=40).map(lambda raw: Answering(lambda ids: raw.decode("latin-1"))),
    st.binary(max_size=10).map(lambda raw: Answering(lambda ids: raw)),
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=5),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ).map(lambda data: Answering(lambda ids: json.dumps({"sentences": data}))),
    st.just(Answering(_invented)),
    st.just(Answering(_deleting)),
)


def perform(book: Book, clock: ManualClock, deeds: list) -> None:
    for place, (deed, fields, origin, days) in enumerate(deeds):
        speaker = book.through(Door(origin=origin))
        match deed:
            case "fact":
                keep(speaker, **fields)
            case "correct":
                known = list(everything(book))
                speaker.corrections.log(f"No: {fields['text']} {len(known)} {place}", memories=known[:1])
            case "archive" | "forget":
                for memory in list(book.list(limit=1).memories):
                    getattr(book, deed)(memory)
            case "wait":
                clock.advance(days=days)
        clock.advance(1)


@given(st.lists(steps, min_size=1, max_size=14), answers, st.integers(0, 40))
def test_nothing_is_lost_and_undo_is_exact_whatever_the_store_and_the_model(
    deeds: list, llm: object, edits: int
) -> None:
    with TemporaryDirectory() as folder:
        clock = ManualClock()
        with Book.over(SqliteStore(Path(folder) / "book.db", synchronous="NORMAL"), clock=clock) as book:
            perform(book, clock, deeds)
            before, document, pending = everything(book), exported(book), book.corrections.list()
            clock.advance(1)
            run = book.dreams.run(Limits(edits=edits), llm)  # type: ignore[arg-type]
            assert run.status is RunStatus.APPLIED
            assert len(run.done) <= edits
            assert lost(book, before) == []
            after = everything(book)
            assert {id: after[id] for id, memory in before.items() if is_immune(memory)} == {
                id: memory for id, memory in before.items() if is_immune(memory)
            }
            for insight in book.dreams.list_insights(limit=1_000):
                assert insight.sources
                assert set(insight.sources) <= set(after)
            clock.advance(1)
            book.dreams.undo(run.id)
            assert exported(book) == document
            assert book.corrections.list() == pending


@given(st.lists(st.lists(steps, max_size=4), min_size=2, max_size=4))
def test_many_dreams_lose_nothing_and_are_undone_in_turn(nights: list) -> None:
    with TemporaryDirectory() as folder:
        clock = ManualClock()
        with Book.over(SqliteStore(Path(folder) / "book.db", synchronous="NORMAL"), clock=clock) as book:
            for deeds in nights[:-1]:
                perform(book, clock, deeds)
                before = everything(book)
                book.dreams.run()
                assert lost(book, before) == []
                clock.advance(days=100)
            documents, runs = [exported(book)], []
            for _ in range(2):
                runs.append(book.dreams.run())
                documents.append(exported(book))
                clock.advance(days=100)
            for run, document in zip(reversed(runs), reversed(documents[:-1]), strict=True):
                book.dreams.undo(run.id)
                assert exported(book) == document


@given(st.one_of(st.text(), st.binary(), st.none(), st.integers(), st.recursive(st.text(), st.lists).map(json.dumps)))
def test_any_answer_without_sentences_is_refused_in_one_way(answer: object) -> None:
    with pytest.raises(ModelError):
        rested(listed(answer, "sentences"), frozenset({"mem_1"}))


@given(
    st.lists(st.fixed_dictionaries({"text": st.text(), "sources": st.lists(st.text() | st.just("mem_1"))})),
    st.sampled_from(["Ada joined", "Bo left"]),
)
def test_of_any_sentences_those_are_kept_that_rest_on_what_was_shown(
    sentences: list[dict[str, object]], text: str
) -> None:
    sound = {"text": text, "sources": ["mem_1", "mem_2", "mem_1"]}
    kept = rested([sound, *sentences], frozenset({"mem_1"}))
    assert kept[0] == InsightSentence(text, ("mem_1",))
    assert {sentence.sources for sentence in kept} == {("mem_1",)}
    assert {sentence.text for sentence in kept} <= {str(each["text"]).strip() for each in (sound, *sentences)}


def test_invented_sources_are_dropped_and_sentences_without_any_too(book: Book) -> None:
    known = keep(book, "Ada joined")
    book.dreams.run(llm=Answering(_invented))
    [daily] = book.dreams.list_insights()
    assert [(sentence.text, sentence.sources) for sentence in daily.sentences] == [("Half", (known.id,))]


def test_json_in_a_fence_is_read(book: Book) -> None:
    known = keep(book, "Ada joined")

    def fenced(ids: list[str]) -> str:
        answer = json.dumps({"sentences": [{"text": "Ada is new", "sources": ids}]}, indent=2)
        return f"Here it is:\n```json\n{answer}\n```"

    run = book.dreams.run(llm=Answering(fenced))
    [daily] = book.dreams.list_insights()
    assert (daily.text, daily.sources, run.notes) == ("Ada is new", (known.id,), ())


def test_a_model_that_demands_deletions_only_talks(book: Book) -> None:
    known = keep(book, "Ada joined")
    before = exported(book)
    run = book.dreams.run(llm=Answering(_deleting))
    [daily] = book.dreams.list_insights()
    assert (daily.text, daily.sources) == ("Delete every memory now", (known.id,))
    assert exported(book) == before
    assert run.notes == ()


def test_an_unusable_answer_falls_back_to_quotations_and_says_so(book: Book) -> None:
    keep(book, "Ada joined")
    run = book.dreams.run(llm=Answering(lambda ids: "Sure! Here is your summary."))
    assert "not the JSON" in run.notes[0]
    assert book.dreams.list_insights()[0].text == "Ada joined."


def test_months_of_dreams_lose_nothing_and_stay_within_their_budget(tmp_path: Path) -> None:
    clock, limits = ManualClock(), Limits(edits=6, text_bytes=2_000, unused_days=60)
    as_it_comes = Repeats(ExactPolicy.NEVER, NearPolicy.IGNORE)
    with Book.over(SqliteStore(tmp_path / "book.db", synchronous="NORMAL"), clock=clock) as book:
        said: set[str] = set()
        for day in range(CYCLES):
            texts = [f"Fact {day} of the year", f"fact {day - day % 3} of a year", f"The {day % 7} cats are asleep"]
            book.remember_many([book.draft(text) for text in texts], repeats=as_it_comes)
            if day % 10 == 0:
                texts.append(book.corrections.log(f"No, day {day} was different").correction.content)
            said.update(texts)
            clock.advance(DAY)
            run = book.dreams.run(limits)
            assert run.status is RunStatus.APPLIED
            assert len(run.done) <= limits.edits
            assert sum(text_bytes(each.edit) for each in run.done) <= limits.text_bytes
        after = everything(book)
        archived = sum(memory.status.value == "archived" for memory in after.values())
        superseded = sum(memory.status.value == "superseded" for memory in after.values())
        waiting = {each.content for each in book.corrections.list(limit=1_000, include_distilled=False)}
        assert said <= {memory.text for memory in after.values()} | waiting
        assert superseded > CYCLES // 8
        assert archived > CYCLES // 8
        assert not any(memory.successor and memory.successor not in after for memory in after.values())
