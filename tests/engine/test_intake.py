"""The write path: what is kept, what counts as a repeat, what is refused."""

import inspect
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.book.edits import Edit
from commonplace.domain.memory import CaptureMode, Kind, Memory, Origin, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal, Right, Scope
from commonplace.domain.validation import TEXT_LENGTH_LIMIT
from commonplace.engine.caller import Door
from commonplace.engine.intake import (
    BATCH_LIMIT,
    Draft,
    ExactPolicy,
    NearPolicy,
    Refused,
    Remembered,
    Repeats,
    Verdict,
    kept_as,
)
from commonplace.engine.lifecycle import Changes
from commonplace.errors import CommonplaceError, InvalidInput, KeyReused, ModelError, SecretRefused
from commonplace.ports import Vector
from tests.conftest import DAY, ManualClock, OpenBook
from tests.corpora import substance
from tests.hashing import HashingEmbedder

MONDAY = "Deploys of the web shop are on Monday"
NEARLY_MONDAY = "Deploys of the web shop are on Monday!"
SECRET = "ghp_" + "016C7Xe9LmQ2vRt4Yb8NcZ5sKd3WfHgJpA1B"


def verdicts(results: Sequence[Remembered | Refused]) -> list[str]:
    return [each.verdict.value if isinstance(each, Remembered) else each.error.code for each in results]


def draft(text: str, scope: str = "user:local", **fields: object) -> Draft:
    return Draft(text, Scope.parse(scope), **fields)


# -- what is stored ---------------------------------------------------------------------------


def test_a_memory_is_kept_with_everything_that_was_said_about_it(open_book: OpenBook, clock: ManualClock) -> None:
    book = open_book(door=Door("mcp", Origin.TYPED, "ada"))
    kept = book.remember(
        "Deploys are on Monday",
        scope="project:atlas",
        kind="decision",
        memory_type="fact",
        tags=["ops", "web"],
        category="work",
        topic="Deploy Day",
        importance=0.9,
        confidence=0.8,
        priority=7,
        pinned=True,
        source="slack",
        session="ses_1",
        standing="verified",
        expires_at="3d",
        valid_from="2d",
        valid_to=clock() + DAY,
        project="3987f33621c2506d",
        capture_mode="explicit",
    )
    memory = book.get(kept.memory)
    assert memory == kept.memory
    assert kept.verdict is Verdict.CREATED
    assert (memory.number, memory.revision, memory.status, memory.owner) == (1, 1, Status.ACTIVE, "local")
    assert (memory.created_at, memory.updated_at) == (clock(), clock())
    assert (str(memory.scope), memory.kind, memory.tags) == ("project:atlas", Kind.DECISION, ("ops", "web"))
    assert (memory.topic, memory.category, memory.project) == ("deploy-day", "work", "3987f33621c2506d")
    assert (memory.provenance.surface, memory.provenance.actor, memory.provenance.source) == ("mcp", "ada", "slack")
    assert (memory.origin, memory.provenance.session) == (Origin.TYPED, "ses_1")
    assert (memory.expires_at, memory.valid_from) == (clock() + 3 * DAY, clock() - 2 * DAY)
    assert (memory.importance, memory.confidence, memory.priority, memory.pinned) == (0.9, 0.8, 7, True)


def test_text_is_stored_in_its_normal_form(book: Book) -> None:
    kept = book.remember("  cafe\u0301\r\nau lait \n").memory
    assert book.get(kept).text == "café\nau lait"


def test_tags_are_trimmed_and_come_once(book: Book) -> None:
    assert book.remember("x", tags=[" a", "b", "a "]).memory.tags == ("a", "b")


def test_tags_are_composed_like_text(book: Book) -> None:
    """Two keyboards spell the same word in two ways; a filter must find both."""
    book.remember("x", tags=["cafe\u0301"])
    assert book.list(Filter(book.scopes, tags=("café",))).total == 1


def test_tags_of_an_update_are_those_of_a_new_memory(book: Book) -> None:
    memory = book.remember("x").memory
    assert book.update(memory, Changes(tags=(" a", "b", "a "))).tags == ("a", "b")


def test_what_was_inferred_is_trusted_less_than_its_door(open_book: OpenBook) -> None:
    typed = open_book(door=Door(origin=Origin.TYPED))
    assert typed.remember("x", capture_mode="inferred").memory.origin is Origin.INFERRED
    imported = open_book("other.db", door=Door(origin=Origin.IMPORTED))
    assert imported.remember("x", capture_mode="inferred").memory.origin is Origin.IMPORTED


def test_a_caller_cannot_name_an_origin() -> None:
    assert "origin" not in Draft.fields
    assert "origin" not in Changes.fields


@pytest.mark.parametrize(
    "text",
    ["", " \n", "a\x00b", "\ud83d", "x" * (TEXT_LENGTH_LIMIT + 1), "x" * 10_000_000],
    ids=["empty", "blank", "nul", "surrogate", "too-long", "ten-megabytes"],
)
def test_a_text_that_cannot_be_kept_is_refused_and_creates_no_book(book: Book, text: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        book.remember(text)
    assert caught.value.argument == "text"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "poem"),
        ("importance", 1.5),
        ("importance", "high"),
        ("importance", float("nan")),
        ("importance", True),
        ("confidence", [1]),
        ("priority", 11),
        ("priority", "high"),
        ("priority", 5.5),
        ("pinned", "yes"),
        ("pinned", 1),
        ("tags", 5),
        ("tags", [1]),
        ("tags", ["x" * 65]),
        ("tags", [""]),
        ("topic", "!!!"),
        ("topic", 5),
        ("category", "two\nlines"),
        ("category", ["a"]),
        ("session", 7),
        ("source", 7),
        ("expires_at", "soon"),
        ("expires_at", 1.5),
        ("expires_at", -1),
        ("valid_from", []),
        ("valid_to", 2**70),
        ("project", "two words"),
        ("colour", "red"),
    ],
)
def test_bad_input_is_refused_by_name_and_changes_nothing(book: Book, name: str, value: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        book.remember("x", **{name: value})
    assert caught.value.argument == name
    assert book.list().total == 0


@pytest.mark.parametrize("text", [5, None, b"bytes", ["a"]])
def test_a_text_that_is_no_text_is_refused(book: Book, text: object) -> None:
    with pytest.raises(InvalidInput):
        book.remember(text)  # type: ignore[arg-type]


def test_fields_beside_a_finished_draft_are_not_dropped_silently(book: Book) -> None:
    with pytest.raises(InvalidInput):
        book.remember(draft("x"), tags=["a"])


@pytest.mark.parametrize("fields", [{"importance": 1}, {"confidence": 0}])
def test_a_whole_number_is_kept_as_a_share_and_found_sound_by_doctor(book: Book, fields: dict[str, float]) -> None:
    kept = book.get(book.remember("x", **fields).memory)
    assert {name: getattr(kept, name) for name in fields} == fields
    assert [finding for finding in book.care.doctor() if not finding.ok] == []


# -- scopes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("scope", ["user:bob", "team:other"])
def test_nothing_is_remembered_out_of_reach(open_book: OpenBook, scope: str) -> None:
    book = open_book(principal=Principal(user="ada", teams=("core",)))
    with pytest.raises(InvalidInput) as caught:
        book.remember("x", scope=scope)
    assert caught.value.argument == "scope"


@pytest.mark.parametrize("selector", ["user:default", "project:auto"])
def test_a_selector_in_a_draft_means_what_it_means_everywhere(
    open_book: OpenBook, tmp_path: Path, selector: str
) -> None:
    book = open_book(project_root=tmp_path)
    kept = book.remember(draft(MONDAY, selector)).memory
    assert kept.scope == book.scope(selector)
    assert [hit.memory for hit in book.recall("deploys").hits] == [kept]


# -- exact repeats ----------------------------------------------------------------------------


def test_an_exact_repeat_is_the_memory_that_is_there(book: Book) -> None:
    first = book.remember(MONDAY)
    again = book.remember(f" {MONDAY.upper()}\n")
    assert (again.verdict, again.memory) == (Verdict.REPEATED, first.memory)
    assert book.list().total == 1


@pytest.mark.parametrize(
    ("policy", "other", "verdict"),
    [
        (ExactPolicy.FOLDED, MONDAY.upper(), Verdict.REPEATED),
        (ExactPolicy.CASED, MONDAY.upper(), Verdict.CREATED),
        (ExactPolicy.CASED, MONDAY.replace(" ", "  "), Verdict.REPEATED),
        (ExactPolicy.NEVER, MONDAY, Verdict.CREATED),
    ],
)
def test_what_counts_as_the_same_is_the_callers_choice(
    book: Book, policy: ExactPolicy, other: str, verdict: Verdict
) -> None:
    book.remember(MONDAY)
    assert book.remember(other, repeats=Repeats(exact=policy)).verdict is verdict
    assert book.list().total == (1 if verdict is Verdict.REPEATED else 2)


@pytest.mark.parametrize("policy", [ExactPolicy.FOLDED, ExactPolicy.CASED])
@pytest.mark.parametrize("near", list(NearPolicy))
def test_an_exact_repeat_is_one_under_every_near_policy(book: Book, policy: ExactPolicy, near: NearPolicy) -> None:
    first = book.remember(MONDAY).memory
    again = book.remember(MONDAY, repeats=Repeats(policy, near))
    assert (again.verdict, again.memory) == (Verdict.REPEATED, first)


def test_the_same_text_in_another_scope_is_no_repeat(book: Book) -> None:
    book.remember(MONDAY)
    assert book.remember(MONDAY, scope="project:atlas").verdict is Verdict.CREATED


def test_a_repeat_changes_nothing_and_says_what_it_left(book: Book) -> None:
    first = book.remember(MONDAY, tags=["a"]).memory
    again = book.remember(MONDAY, tags=["b"], importance=0.9)
    assert book.get(first) == first
    assert "tags" in again.warnings[0]
    assert "importance" in again.warnings[0]
    assert book.remember(MONDAY, tags=["a"]).warnings == ()


def test_a_repeat_of_an_expired_memory_is_new(book: Book, clock: ManualClock) -> None:
    first = book.remember(MONDAY, expires_at="1d").memory
    clock.advance(days=1)
    again = book.remember(MONDAY)
    assert again.verdict is Verdict.CREATED
    assert again.memory.number != first.number


@pytest.mark.parametrize("deed", ["archive", "forget", "invalidate"])
def test_a_repeat_of_what_is_put_away_is_new(book: Book, deed: str) -> None:
    getattr(book, deed)(book.remember(MONDAY).memory)
    assert book.remember(MONDAY).verdict is Verdict.CREATED


# -- near repeats -----------------------------------------------------------------------------


@pytest.mark.parametrize("embedder", [None, HashingEmbedder()], ids=["words", "vectors"])
@pytest.mark.parametrize(
    ("policy", "verdict", "named"),
    [
        (NearPolicy.REPORT, Verdict.CREATED, True),
        (NearPolicy.SKIP, Verdict.SKIPPED, True),
        (NearPolicy.IGNORE, Verdict.CREATED, False),
    ],
)
def test_a_near_repeat_is_treated_as_the_caller_says(
    open_book: OpenBook, embedder: HashingEmbedder | None, policy: NearPolicy, verdict: Verdict, named: bool
) -> None:
    book = open_book(embedder=embedder)
    first = book.remember(MONDAY).memory
    again = book.remember(NEARLY_MONDAY, repeats=Repeats(near=policy))
    assert again.verdict is verdict
    assert [near.memory for near in again.near] == ([first] if named else [])
    assert all(0.8 <= near.similarity <= 1.0 for near in again.near)
    assert (again.memory == first) is (verdict is Verdict.SKIPPED)
    assert book.list().total == (1 if verdict is Verdict.SKIPPED else 2)


@pytest.mark.parametrize("policy", list(NearPolicy))
@pytest.mark.parametrize("embedder", [None, HashingEmbedder()], ids=["words", "vectors"])
def test_of_many_pairs_that_differ_in_substance_none_is_lost(
    open_book: OpenBook, embedder: HashingEmbedder | None, policy: NearPolicy
) -> None:
    book = open_book(embedder=embedder)
    pairs = substance.pairs(n=1_000 if embedder is None else 250)  # of every kind; vectors take five times as long
    drafts = [draft(text, f"project:pair-{place}") for place, (a, b, _) in enumerate(pairs) for text in (a, b)]
    results: list[Remembered | Refused] = []
    for start in range(0, len(drafts), BATCH_LIMIT):
        results += book.remember_many(drafts[start : start + BATCH_LIMIT], repeats=Repeats(near=policy))
    troubled = [
        (each.text, result)
        for each, result in zip(drafts, results, strict=True)
        if not (isinstance(result, Remembered) and result.verdict is Verdict.CREATED and result.near == ())
    ]
    assert [text for text, _ in troubled] == []
    with book._caller.store.reading("local") as unit:
        kept = {memory.number: memory.text for memory, _, _ in unit.memories.each()}
    assert kept == {number: each.text for number, each in enumerate(drafts, 1)}
    for each in drafts[::97]:
        found = book.recall(each.text, filter=Filter((each.scope,)), counts_use=False)
        assert each.text in [hit.memory.text for hit in found.hits]


def test_a_tombstone_warns_whoever_adds_it_again(book: Book) -> None:
    gone = book.remember(MONDAY).memory
    book.forget(gone, reason="it moved to Tuesday")
    again = book.remember(NEARLY_MONDAY)
    assert again.verdict is Verdict.CREATED
    assert [near.memory.id for near in again.previously_corrected] == [gone.id]
    assert again.previously_corrected[0].memory.status_reason == "it moved to Tuesday"
    assert again.near == ()


def test_a_tombstone_warns_although_what_it_was_has_expired_since(book: Book, clock: ManualClock) -> None:
    gone = book.remember(MONDAY, expires_at="1d").memory
    book.forget(gone)
    clock.advance(days=2)
    assert [near.memory.id for near in book.remember(MONDAY).previously_corrected] == [gone.id]


def test_an_exact_repeat_of_a_tombstone_is_warned_about_too(book: Book) -> None:
    gone = book.remember(MONDAY).memory
    book.forget(gone)
    assert [near.memory.id for near in book.remember(MONDAY).previously_corrected] == [gone.id]


@pytest.mark.parametrize("deed", ["archive", "invalidate", "purge"])
def test_only_tombstones_warn(book: Book, deed: str) -> None:
    getattr(book, deed)(book.remember(MONDAY).memory)
    assert book.remember(MONDAY).previously_corrected == ()


def test_another_scopes_memories_are_not_near(book: Book) -> None:
    book.remember(MONDAY, scope="project:atlas")
    book.forget(book.remember(MONDAY, scope="agent:x").memory)
    again = book.remember(NEARLY_MONDAY)
    assert (again.near, again.previously_corrected) == ((), ())


# -- topics -----------------------------------------------------------------------------------


def test_a_newer_memory_on_a_topic_takes_the_place_of_the_older(book: Book) -> None:
    old = book.remember("Deploys are on Monday", topic="deploy day").memory
    new = book.remember("Deploys are on Tuesday", topic="Deploy-Day")
    assert new.superseded == (old.id,)
    assert (book.get(old).status, book.get(old).successor) == (Status.SUPERSEDED, new.memory.id)
    assert [hit.memory for hit in book.recall("deploys").hits] == [new.memory]
    assert [relation.source for relation in book.relations(old)] == [new.memory.id]


def test_a_topic_that_goes_from_a_to_b_to_a_says_a_again(book: Book) -> None:
    texts = ("Deploys are on Monday", "Deploys are on Tuesday", "Deploys are on Monday")
    results = [book.remember(text, topic="deploy day") for text in texts]
    assert [result.verdict for result in results] == [Verdict.CREATED] * 3
    assert [memory.text for memory in book.list().memories] == ["Deploys are on Monday"]
    assert book.list().memories[0].number == 3


def test_the_same_word_on_a_topic_twice_is_a_repeat(book: Book) -> None:
    first = book.remember(MONDAY, topic="deploy day").memory
    again = book.remember(MONDAY, topic="deploy day")
    assert (again.verdict, again.memory, again.superseded) == (Verdict.REPEATED, first, ())


def test_the_same_word_on_another_topic_is_no_repeat(book: Book) -> None:
    book.remember(MONDAY, topic="deploy day")
    assert book.remember(MONDAY, topic="release day").verdict is Verdict.CREATED
    assert book.remember(MONDAY).verdict is Verdict.REPEATED


def test_topics_of_other_scopes_are_left_alone(book: Book) -> None:
    other = book.remember(MONDAY, topic="deploy day", scope="project:atlas").memory
    book.remember("Deploys are on Tuesday", topic="deploy day")
    assert book.get(other).status is Status.ACTIVE


@pytest.mark.parametrize("newer", [origin for origin in Origin if origin.waits_for_confirmation])
@pytest.mark.parametrize("older", list(Origin))
def test_what_waits_for_confirmation_replaces_nothing_more_trusted(
    open_book: OpenBook, older: Origin, newer: Origin
) -> None:
    first = open_book(door=Door(origin=older)).remember("Deploys are on Monday", topic="deploy day").memory
    book = open_book(door=Door(origin=newer))
    again = book.remember("Deploys are on Tuesday", topic="deploy day")
    replaced = older.distrust >= newer.distrust
    assert (book.get(first).status is Status.SUPERSEDED) is replaced
    assert (again.superseded == (first.id,)) is replaced
    assert any(first.id in warning for warning in again.warnings) is not replaced
    assert book.get(again.memory).status is Status.ACTIVE


@pytest.mark.parametrize("newer", [Origin.TYPED, Origin.CONFIRMED])
@pytest.mark.parametrize("older", list(Origin))
def test_what_a_person_says_replaces_anything(open_book: OpenBook, older: Origin, newer: Origin) -> None:
    first = open_book(door=Door(origin=older)).remember("Deploys are on Monday", topic="deploy day").memory
    assert open_book(door=Door(origin=newer)).remember("Not any more", topic="deploy day").superseded == (first.id,)


# -- batches ----------------------------------------------------------------------------------


def test_a_batch_keeps_its_order_and_later_ones_see_earlier_ones(book: Book) -> None:
    results = book.remember_many(
        [
            draft("one thing"),
            draft("another thing"),
            draft("ONE thing"),
            draft("Day A", topic="t"),
            draft("Day B", topic="t"),
        ]
    )
    assert verdicts(results) == ["created", "created", "repeated", "created", "created"]
    assert results[2].memory == results[0].memory  # type: ignore[union-attr]
    assert results[4].superseded == (results[3].memory.id,)  # type: ignore[union-attr]
    assert [memory.text for memory in book.list().memories] == ["Day B", "another thing", "one thing"]


def test_a_bad_item_spoils_no_other(book: Book) -> None:
    results = book.remember_many(
        [draft("good"), draft(""), draft(f"token {SECRET}"), draft("fine", importance=7.0), draft("better")]
    )
    assert verdicts(results) == ["created", "invalid_input", "secret_refused", "invalid_input", "created"]
    assert book.list().total == 2


def test_an_item_for_a_foreign_scope_spoils_no_other(open_book: OpenBook) -> None:
    book = open_book(principal=Principal(user="ada"))
    results = book.remember_many([draft("mine", "user:ada"), draft("theirs", "user:bob")])
    assert verdicts(results) == ["created", "invalid_input"]


def test_an_item_of_the_wrong_type_spoils_no_other(book: Book) -> None:
    results = book.remember_many([draft("good"), draft("bad", importance="high"), draft("better")])
    assert verdicts(results) == ["created", "invalid_input", "created"]


def test_a_batch_is_embedded_at_once(open_book: OpenBook) -> None:
    calls: list[int] = []

    class Counting(HashingEmbedder):
        def embed(self, texts: Sequence[str]) -> list[Vector]:
            calls.append(len(texts))
            return super().embed(texts)

    open_book(embedder=Counting()).remember_many([draft("one"), draft(""), draft("two"), draft("three")])
    assert calls == [3]


def test_a_batch_has_a_limit(book: Book) -> None:
    with pytest.raises(InvalidInput) as caught:
        book.remember_many([draft("x")] * (BATCH_LIMIT + 1))
    assert caught.value.argument == "drafts"


def test_an_empty_batch_is_an_empty_answer(book: Book) -> None:
    assert book.remember_many([]) == ()


# -- idempotency keys -------------------------------------------------------------------------


def test_the_same_request_under_a_key_answers_with_the_same_memory(book: Book, clock: ManualClock) -> None:
    repeats = Repeats(exact=ExactPolicy.NEVER)
    first = book.remember(MONDAY, tags=["a"], repeats=repeats, idempotency_key="k")
    clock.advance(days=6)
    again = book.remember(MONDAY, tags=["a"], repeats=repeats, idempotency_key="k")
    assert (again.verdict, again.memory) == (Verdict.REPLAYED, first.memory)
    assert book.list().total == 1


@pytest.mark.parametrize(
    "other",
    [{"text": "else"}, {"tags": ("b",)}, {"repeats": Repeats(near=NearPolicy.SKIP)}, {"scope": "project:x"}],
)
def test_another_request_under_the_same_key_is_refused(book: Book, other: dict) -> None:
    book.remember(MONDAY, tags=("a",), idempotency_key="k")
    asked = {"text": MONDAY, "tags": ("a",), "idempotency_key": "k", **other}
    with pytest.raises(KeyReused):
        book.remember(**asked)
    assert book.list().total == 1


def test_a_key_belongs_to_its_principal(open_book: OpenBook) -> None:
    ada, bob = (open_book(principal=Principal(user=name)) for name in ("ada", "bob"))
    ada.remember(MONDAY, idempotency_key="k")
    assert bob.remember("something else", idempotency_key="k").verdict is Verdict.CREATED


def test_a_key_is_free_again_after_seven_days(book: Book, clock: ManualClock) -> None:
    book.remember(MONDAY, idempotency_key="k")
    clock.advance(days=7, milliseconds=1)
    assert book.remember("something else", idempotency_key="k").verdict is Verdict.CREATED


def test_old_keys_are_swept_by_newer_ones(book: Book, clock: ManualClock) -> None:
    book.remember(MONDAY, idempotency_key="old")
    clock.advance(days=7, milliseconds=1)
    book.remember("something else", idempotency_key="new")
    with book._caller.store.reading("local") as unit:
        assert unit.keys.find("local", kept_as("old"), 0) is None
        assert unit.keys.find("local", kept_as("new"), 0) is not None
        assert unit.keys.find("local", "new", 0) is None


def test_a_key_does_not_answer_for_another_project(open_book: OpenBook, tmp_path: Path) -> None:
    here, there = (open_book(project_root=tmp_path / name) for name in ("here", "there"))
    here.remember(MONDAY, scope="project:auto", idempotency_key="k")
    with pytest.raises(KeyReused):
        there.remember(MONDAY, scope="project:auto", idempotency_key="k")


def test_a_batch_is_replayed_place_by_place(book: Book) -> None:
    asked = [draft("one"), draft(""), draft("two")]
    first = book.remember_many(asked, idempotency_key="k")
    again = book.remember_many(asked, idempotency_key="k")
    assert verdicts(first) == ["created", "invalid_input", "created"]
    assert verdicts(again) == ["replayed", "invalid_input", "replayed"]


def test_a_refused_request_is_refused_again_under_its_key(book: Book) -> None:
    for _ in range(2):
        with pytest.raises(SecretRefused):
            book.remember(f"my token is {SECRET}", idempotency_key="k")


def test_a_time_given_as_a_span_does_not_make_a_retry_another_request(book: Book, clock: ManualClock) -> None:
    first = book.remember(MONDAY, expires_at="3d", idempotency_key="k")
    clock.advance(seconds=2)
    again = book.remember(MONDAY, expires_at="3d", idempotency_key="k")
    assert (again.verdict, again.memory) == (Verdict.REPLAYED, first.memory)


class Wavering(HashingEmbedder):
    """A model that is away at first."""

    away = True

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if self.away:
            raise ModelError("The model is away.")
        return super().embed(texts)


def test_a_failure_that_may_pass_does_not_use_up_the_key(open_book: OpenBook) -> None:
    model = Wavering()
    book = open_book(embedder=model)
    with pytest.raises(ModelError):
        book.remember(MONDAY, idempotency_key="k", needs_vectors=True)
    model.away = False
    first = book.remember(MONDAY, idempotency_key="k", needs_vectors=True)
    again = book.remember(MONDAY, idempotency_key="k", needs_vectors=True)
    assert (first.verdict, again.verdict) == (Verdict.CREATED, Verdict.REPLAYED)


def test_what_is_to_be_replaced_is_part_of_the_request(book: Book) -> None:
    one, other = (book.remember(f"Deploys are on {day}").memory for day in ("Friday", "Sunday"))
    book.remember(MONDAY, replaces=one, idempotency_key="k")
    with pytest.raises(KeyReused):
        book.remember(MONDAY, replaces=other, idempotency_key="k")
    assert book.remember(MONDAY, replaces=one, idempotency_key="k").verdict is Verdict.REPLAYED
    assert book.get(other).status is Status.ACTIVE


def test_a_set_is_the_same_request_in_every_process() -> None:
    """The order of a set of texts differs from process to process; that of a digest must not."""
    said = "from commonplace.engine.intake import digest_of; print(digest_of([{'a', 'b', 'c', 'd'}]).hex())"
    told = {
        subprocess.run(
            [sys.executable, "-c", said], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


def test_a_replay_of_what_was_purged_since_says_so(book: Book) -> None:
    gone = book.remember(MONDAY, idempotency_key="k").memory
    book.purge(gone)
    with pytest.raises(CommonplaceError):
        book.remember(MONDAY, idempotency_key="k")


@pytest.mark.parametrize("key", ["\ud800", "", "a\x00b", "x" * 100_000])
def test_a_key_that_cannot_be_kept_is_refused(book: Book, key: str) -> None:
    with pytest.raises(InvalidInput):
        book.remember(MONDAY, idempotency_key=key)
    assert book.list().total == 0


# -- secrets ----------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["text", "tags", "topic", "category", "source"])
def test_a_secret_is_refused_wherever_it_is_written_and_never_echoed(book: Book, field: str) -> None:
    fields: dict = {"text": "harmless", field: [SECRET] if field == "tags" else SECRET}
    with pytest.raises(SecretRefused) as caught:
        book.remember(fields.pop("text"), **fields)
    assert SECRET not in f"{caught.value} {caught.value!r} {caught.value.__cause__} {caught.value.__context__}"
    assert caught.value.kinds
    assert book.list().total == 0


@pytest.mark.parametrize("field", ["text", "tags", "topic", "category"])
def test_a_secret_is_refused_in_an_update(book: Book, field: str) -> None:
    memory = book.remember("harmless").memory
    with pytest.raises(SecretRefused) as caught:
        book.update(memory, Changes(**{field: (SECRET,) if field == "tags" else f"my {SECRET}"}))
    assert SECRET not in str(caught.value)
    assert book.get(memory) == memory


@pytest.mark.parametrize("deed", ["supersede", "invalidate", "archive", "forget"])
def test_a_secret_is_refused_as_a_reason(book: Book, deed: str) -> None:
    memory, other = book.remember("harmless").memory, book.remember("other").memory
    verb = getattr(book, deed)
    others = (other,) if deed == "supersede" else ()
    assert "reason" in inspect.signature(verb).parameters
    with pytest.raises(SecretRefused) as caught:
        verb(memory, *others, reason=f"it holds {SECRET}")
    assert caught.value.argument == "reason"
    assert SECRET not in str(caught.value)
    assert book.get(memory) == memory


def test_a_refused_secret_is_nowhere_in_the_files(book: Book, tmp_path: Path) -> None:
    book.remember("harmless")
    with pytest.raises(SecretRefused):
        book.remember(f"token {SECRET}")
    book.remember_many([draft(f"token {SECRET}"), draft("also harmless")], idempotency_key="k")
    book.close()
    assert [file.name for file in tmp_path.iterdir() if SECRET.encode() in file.read_bytes()] == []


# -- models -----------------------------------------------------------------------------------


class Broken(HashingEmbedder):
    """A model whose files went away."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        raise ModelError("The model cannot be loaded: pull it again.")


def test_a_model_that_fails_costs_the_vector_and_not_the_memory(open_book: OpenBook) -> None:
    book = open_book(embedder=Broken())
    kept = book.remember(MONDAY)
    assert kept.verdict is Verdict.CREATED
    assert "Stored without a vector" in kept.warnings[0]
    assert "The model cannot be loaded" in kept.warnings[0]
    assert book.care.missing_vectors() == 1
    assert [hit.memory for hit in book.recall("deploys").hits] == [kept.memory]


def test_a_model_that_fails_on_an_update_leaves_no_old_vector(open_book: OpenBook) -> None:
    working = open_book(embedder=HashingEmbedder())
    memory = working.remember("Deploys are on Monday").memory
    assert working.recall("deploys").hits[0].vector_score is not None
    open_book(embedder=Broken()).update(memory, Changes(text="Lunch is at noon"))
    assert [hit.vector_score for hit in working.recall("lunch").hits] == [None]
    assert working.care.missing_vectors() == 1


def test_edits_that_need_a_vector_fail_with_the_model_and_the_others_stand(open_book: OpenBook) -> None:
    first, second = (open_book().remember(text).memory for text in (MONDAY, "Lunch is at noon"))
    book = open_book(embedder=Broken())
    edits = [Edit(first, Changes(text="Deploys moved")), Edit(second, Changes(importance=0.9))]
    refused, changed = book.update_many(edits, needs_vectors=True)
    assert isinstance(refused, Refused)
    assert isinstance(refused.error, ModelError)
    assert (book.get(first), book.get(second)) == (first, changed)


def test_an_updated_text_has_the_vector_of_the_new_text(open_book: OpenBook) -> None:
    book = open_book(embedder=HashingEmbedder())
    memory = book.remember("Deploys are on Monday").memory
    book.update(memory, Changes(text="Lunch is at noon"))
    assert book.recall("Lunch is at noon").hits[0].vector_score == pytest.approx(1.0, abs=0.01)
    assert book.care.missing_vectors() == 0


def test_no_model_is_asked_inside_a_transaction(open_book: OpenBook) -> None:
    """A model that itself writes to the book would wait for its own lock."""

    written: list[Memory] = []

    class Writing(HashingEmbedder):
        def embed(self, texts: Sequence[str]) -> list[Vector]:
            written.append(open_book().remember(f"note {len(written)}").memory)
            return super().embed(texts)

        def embed_query(self, text: str) -> Vector:
            written.append(open_book().remember(f"note {len(written)}").memory)
            return super().embed_query(text)

    book = open_book(embedder=Writing())
    memory = book.remember(MONDAY).memory
    book.update(memory, Changes(text="Lunch is at noon"))
    book.recall("lunch")
    assert len(written) == 3


def test_capture_mode_is_kept(book: Book) -> None:
    assert book.remember("x", capture_mode="inferred").memory.provenance.capture_mode is CaptureMode.INFERRED


def test_filters_see_what_was_just_remembered(book: Book) -> None:
    book.remember("x", tags=["a"], kind="task")
    assert book.list(Filter(book.scopes, kinds=(Kind.TASK,), tags=("a",))).total == 1


# -- what a write contradicts -------------------------------------------------------------------------


@pytest.mark.parametrize("embedder", [None, HashingEmbedder()], ids=["words", "vectors"])
def test_a_write_names_what_it_contradicts_and_changes_nothing_of_it(
    open_book: OpenBook, embedder: HashingEmbedder | None
) -> None:
    book = open_book(embedder=embedder)
    old = book.remember("The API listens on port 5432").memory
    result = book.remember("The API listens on port 6432")
    [found] = result.contradicts
    assert (found.memory.id, found.reason) == (old.id, "'5432' became '6432'")
    assert result.near == ()
    assert result.superseded == ()
    assert book.get(old.id) == old


def test_what_gives_way_to_a_write_is_not_named_as_contradicted(book: Book) -> None:
    old = book.remember("Deploys are on Monday").memory
    replaced = book.remember("Deploys are on Friday", replaces=old)
    assert (replaced.superseded, replaced.contradicts) == ((old.id,), ())
    book.remember("The API listens on port 5432", topic="port")
    again = book.remember("The API listens on port 6432", topic="port")
    assert (len(again.superseded), again.contradicts) == (1, ())


def test_what_is_forgotten_expired_elsewhere_or_of_another_time_is_not_contradicted(
    book: Book, clock: ManualClock
) -> None:
    now = clock()
    forgotten = book.remember("The API listens on port 1").memory
    book.forget(forgotten)
    book.remember("The API listens on port 2", expires_at=now + 1_000)
    book.remember("The API listens on port 3", scope="project:other")
    book.remember("The API listens on port 4", valid_to=now - 1_000)
    clock.advance(seconds=5)
    assert book.remember("The API listens on port 5", valid_from=now).contradicts == ()


def test_contradictions_within_one_call_and_with_those_not_to_be_looked_for(book: Book) -> None:
    first, second = book.remember_many([draft("Lunch is at noon on Monday"), draft("Lunch is at noon on Friday")])
    assert isinstance(first, Remembered)
    assert isinstance(second, Remembered)
    assert [each.memory.id for each in second.contradicts] == [first.memory.id]
    assert book.remember("Lunch is at noon on Sunday", repeats=Repeats(near=NearPolicy.IGNORE)).contradicts == ()


def test_whoever_may_not_read_hears_of_no_contradiction(open_book: OpenBook) -> None:
    owner = open_book()
    owner.remember("Deploys are on Monday")
    writer = owner.seen_by(replace(owner.principal, rights=frozenset({Right.WRITE})), owner.door, None)
    assert writer.remember("Deploys are on Friday").contradicts == ()


def test_an_expiry_in_the_past_is_refused(book: Book, clock: ManualClock) -> None:
    for over in ("2001-01-01", "0s", datetime(2001, 1, 1, tzinfo=UTC)):
        with pytest.raises(InvalidInput, match="lies in the past") as refused:
            book.remember("Deploys are on Monday", expires_at=over)
        assert refused.value.argument == "expires_at"
    memory = book.remember("Deploys are on Monday", expires_at=clock() + 1).memory
    with pytest.raises(InvalidInput, match="lies in the past"):
        book.update(memory, expires_at="2001-01-01")
    assert book.update(memory, expires_at=None).expires_at is None
