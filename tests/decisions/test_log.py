"""The decision log: numbers that are given out once, chains that hold, and decisions that are found again."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.decisions import markdown_files
from commonplace.decisions.decision import (
    ALTERNATIVE_COUNT_LIMIT,
    ALTERNATIVE_LENGTH_LIMIT,
    BODY_LENGTH_LIMIT,
    Decision,
    DecisionStatus,
    Found,
    Impact,
    Inquiry,
    Proposal,
)
from commonplace.domain.entries import Entry
from commonplace.domain.events import EventType
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal, Scope
from commonplace.errors import Conflict, InvalidInput, NotFound, SecretRefused, StoreError
from commonplace.store.sqlite.entries import SqliteEntries
from tests.conftest import START, ManualClock, OpenBook

HERE = Scope.parse("user:local")
PROJECT = Scope.parse("project:atlas")
REDIS = Proposal(
    "Use Redis for background job deduplication",
    "ada",
    "Jobs run twice under load",
    "A Redis set with a TTL",
    "It is operated already",
    "backend",
    Impact.HIGH,
    ("A unique index in the database",),
    "Drop the set",
    ("jobs", "infrastructure"),
)
PLAIN = Proposal("Tabs", "bob", "We argue", "Tabs it is", "Peace", "style")
SECRET = "the api key is sk-proj-9fK2mQ7vT4xB8nW1cZ6yR3pL5hD0sJgA"


def titled(title: str, **changes: object) -> Proposal:
    return replace(PLAIN, title=title, **changes)


def titles(found: Found) -> list[str]:
    return [decision.title for decision in found.decisions]


def ask(book: Book, text: str | None = None, **conditions: object) -> list[str]:
    return titles(book.decisions.query(Inquiry((HERE,), text, **conditions)))  # type: ignore[arg-type]


def statuses(book: Book) -> dict[str, DecisionStatus]:
    return {decision.id: decision.status for decision in book.decisions.list((HERE,)).decisions}


# -- numbers ----------------------------------------------------------------------------------


def test_a_decision_comes_back_as_it_was_written(book: Book, clock: ManualClock) -> None:
    made = book.decisions.create(HERE, REDIS)
    assert made == book.decisions.get("DEC-001", (HERE,))
    assert made == Decision(
        "DEC-001",
        HERE,
        REDIS.title,
        "ada",
        "backend",
        REDIS.context,
        REDIS.decision,
        REDIS.rationale,
        clock(),
        Impact.HIGH,
        DecisionStatus.ACTIVE,
        REDIS.alternatives,
        "Drop the set",
        REDIS.tags,
    )


def test_impact_is_medium_unless_said_otherwise(book: Book) -> None:
    assert book.decisions.create(HERE, PLAIN).impact is Impact.MEDIUM


def test_numbers_belong_to_a_scope_and_to_a_tenant(open_book: OpenBook) -> None:
    book, other = open_book(), open_book(principal=Principal("globex"))
    assert [book.decisions.create(scope, PLAIN).id for scope in (HERE, PROJECT, HERE)] == [
        "DEC-001",
        "DEC-001",
        "DEC-002",
    ]
    assert other.decisions.create(HERE, PLAIN).id == "DEC-001"
    assert other.decisions.list((HERE, PROJECT)).total == 1


def test_the_thousandth_has_four_digits_and_sorts_after_the_others(book: Book) -> None:
    with book._caller.store.writing("local") as unit:
        for _ in range(998):
            unit.entries.next_in(f"decision:{HERE}")
    made = [book.decisions.create(HERE, titled(f"number {place}")).id for place in range(3)]
    assert made == ["DEC-999", "DEC-1000", "DEC-1001"]
    newest = [decision.id for decision in book.decisions.list((HERE,)).decisions]
    assert newest == ["DEC-1001", "DEC-1000", "DEC-999"], "times are equal, so the numbers decide"


def test_removing_frees_no_number(book: Book) -> None:
    for place in range(3):
        book.decisions.create(HERE, titled(f"number {place}"))
    for id in ("DEC-003", "DEC-001"):
        assert book.decisions.remove(HERE, id).complete
    assert book.decisions.create(HERE, PLAIN).id == "DEC-004"
    with pytest.raises(NotFound):
        book.decisions.get("DEC-003", (HERE,))


def test_twenty_threads_at_once_get_twenty_numbers(book: Book) -> None:
    with ThreadPoolExecutor(20) as pool:
        made = list(pool.map(lambda place: book.decisions.create(HERE, titled(f"by {place}")).id, range(20)))
    assert sorted(made) == [f"DEC-{number:03d}" for number in range(1, 21)]
    assert book.decisions.list((HERE,)).total == 20


CHILD = """
import sys
from commonplace.book.book import Book
from commonplace.decisions.decision import Proposal
with Book.open(sys.argv[1], model="none") as book:
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(4):
        print(book.decisions.create(book.scope(), Proposal("t", "o", "c", "d", "r", "a")).id)
"""


def test_processes_at_once_get_different_numbers(tmp_path: Path) -> None:
    place = str(tmp_path / "book.db")
    children = [
        subprocess.Popen([sys.executable, "-c", CHILD, place], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(5)
    ]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
    ids = [id for child in children for id in child.communicate(timeout=60)[0].split()]
    assert sorted(ids) == [f"DEC-{number:03d}" for number in range(1, 21)]


@pytest.mark.parametrize("spelling", ["DEC-001", "dec-1", "1", " DEC-1 ", "DEC-0001"])
def test_a_decision_is_known_by_many_spellings(book: Book, spelling: str) -> None:
    book.decisions.create(HERE, PLAIN)
    assert book.decisions.get(spelling, (HERE,)).title == "Tabs"


@pytest.mark.parametrize("id", ["", "DEC-", "DEC-0", "DEC-2", "DEC-x", "DEC--1", "1.5", "١", "9" * 40, "x" * 100_000])
def test_any_other_id_is_an_unknown_decision(book: Book, id: str) -> None:
    book.decisions.create(HERE, PLAIN)
    with pytest.raises(NotFound) as caught:
        book.decisions.get(id, (HERE,))
    assert len(caught.value.message) < 200


def test_an_id_that_two_scopes_have_asks_which(book: Book) -> None:
    for scope in (HERE, PROJECT):
        book.decisions.create(scope, PLAIN)
    with pytest.raises(Conflict, match="user:default and project:atlas"):
        book.decisions.get("DEC-001", (HERE, PROJECT))
    assert book.decisions.get("DEC-001", (PROJECT, PROJECT)).scope == PROJECT


@pytest.mark.parametrize("scope", ["user:somebody-else", "team:foreign"])
def test_a_scope_out_of_reach_has_no_decisions(open_book: OpenBook, scope: str) -> None:
    book, place = open_book(principal=Principal(teams=())), Scope.parse(scope)
    for deed in (
        lambda: book.decisions.create(place, PLAIN),
        lambda: book.decisions.get("DEC-001", (place,)),
        lambda: book.decisions.list((HERE, place)),
        lambda: book.decisions.remove(place, "DEC-001"),
        lambda: book.decisions.history(place, "DEC-001"),
    ):
        with pytest.raises(InvalidInput):
            deed()


# -- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["title", "owner", "area", "context", "decision", "rationale", "revert_plan"])
@pytest.mark.parametrize("value", ["", "  ", "\x00", 7])
def test_no_field_is_empty_or_no_text(name: str, value: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        replace(REDIS, **{name: value})
    assert caught.value.argument == name


@pytest.mark.parametrize(
    "changes",
    [
        {"context": "x" * (BODY_LENGTH_LIMIT + 1)},
        {"title": "x" * 257},
        {"title": "two\nlines"},
        {"alternatives": ("x" * (ALTERNATIVE_LENGTH_LIMIT + 1),)},
        {"alternatives": ("x",) * (ALTERNATIVE_COUNT_LIMIT + 1)},
        {"alternatives": ["x"]},
        {"alternatives": ("",)},
        {"tags": ("x" * 65,)},
        {"decided_at": -1},
    ],
)
def test_lengths_are_bounded(changes: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        replace(REDIS, **changes)


def test_a_decision_concerns_something(book: Book) -> None:
    with pytest.raises(InvalidInput) as caught:
        book.decisions.create(HERE, replace(PLAIN, area=None))
    assert caught.value.argument == "area"


@pytest.mark.parametrize(
    "changes",
    [
        {"title": SECRET},
        {"context": SECRET},
        {"decision": SECRET},
        {"rationale": SECRET},
        {"revert_plan": SECRET},
        {"alternatives": ("fine", SECRET)},
        {"area": SECRET},
    ],
)
def test_secrets_are_refused_wherever_they_are(book: Book, changes: dict[str, object]) -> None:
    with pytest.raises(SecretRefused):
        book.decisions.create(HERE, replace(PLAIN, **changes))
    book.decisions.create(HERE, PLAIN)
    with pytest.raises(SecretRefused):
        book.decisions.supersede(HERE, "DEC-001", replace(PLAIN, **changes))
    with pytest.raises(SecretRefused):
        book.decisions.revert(HERE, "DEC-001", SECRET)
    assert statuses(book) == {"DEC-001": DecisionStatus.ACTIVE}


# -- chains -----------------------------------------------------------------------------------


def test_a_decision_takes_the_place_of_another_and_inherits_its_area(book: Book) -> None:
    book.decisions.create(HERE, REDIS)
    new = book.decisions.supersede(HERE, "DEC-001", titled("Use a table", area=None))
    old = book.decisions.get("DEC-001", (HERE,))
    assert (new.supersedes, new.area, new.impact, new.status) == (
        "DEC-001",
        "backend",
        Impact.MEDIUM,
        DecisionStatus.ACTIVE,
    )
    assert (old.superseded_by, old.status) == ("DEC-002", DecisionStatus.SUPERSEDED)


def test_a_superseded_decision_names_the_head_of_its_chain(book: Book) -> None:
    book.decisions.create(HERE, REDIS)
    for place in (1, 2, 3):
        book.decisions.supersede(HERE, f"DEC-00{place}", titled(f"round {place}"))
    for deed in (
        lambda: book.decisions.supersede(HERE, "DEC-001", PLAIN),
        lambda: book.decisions.revert(HERE, "DEC-002", "no"),
    ):
        with pytest.raises(Conflict, match="DEC-004 stands in its place"):
            deed()
    assert book.decisions.list((HERE,)).total == 4


@pytest.mark.parametrize("start", range(1, 5))
def test_a_chain_is_walked_both_ways_from_anywhere(book: Book, start: int) -> None:
    book.decisions.create(HERE, REDIS)
    for place in (1, 2, 3):
        book.decisions.supersede(HERE, f"DEC-00{place}", titled(f"round {place}"))
    assert [each.number for each in book.decisions.chain(HERE, f"DEC-00{start}")] == [1, 2, 3, 4]


def test_a_supersession_that_breaks_half_way_changes_nothing(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    book.decisions.create(HERE, REDIS)
    before = book.decisions.list((HERE,))
    put, writes = SqliteEntries.put, []

    def failing(self: SqliteEntries, entry: Entry) -> None:
        writes.append(entry.id)
        if len(writes) == 2:
            raise StoreError("The disk is gone.")
        put(self, entry)

    monkeypatch.setattr(SqliteEntries, "put", failing)
    with pytest.raises(StoreError):
        book.decisions.supersede(HERE, "DEC-001", PLAIN)
    monkeypatch.undo()
    assert len(writes) == 2
    assert book.decisions.list((HERE,)) == before
    assert book.decisions.supersede(HERE, "DEC-001", PLAIN).id == "DEC-002", "not even the number was used up"


def test_of_many_that_supersede_one_decision_one_wins(book: Book) -> None:
    book.decisions.create(HERE, REDIS)

    def try_it(place: int) -> str | None:
        try:
            return book.decisions.supersede(HERE, "DEC-001", titled(f"by {place}")).id
        except Conflict:
            return None

    with ThreadPoolExecutor(8) as pool:
        made = [id for id in pool.map(try_it, range(8)) if id is not None]
    assert made == ["DEC-002"]
    assert len(book.decisions.chain(HERE, "DEC-001")) == 2


@pytest.mark.parametrize(("removed", "left"), [(1, [2, 3]), (2, [1, 3]), (3, [1, 2])])
def test_a_chain_closes_over_what_is_removed(book: Book, removed: int, left: list[int]) -> None:
    book.decisions.create(HERE, REDIS)
    for place in (1, 2):
        book.decisions.supersede(HERE, f"DEC-00{place}", titled(f"round {place}"))
    book.decisions.remove(HERE, str(removed))
    chain = book.decisions.chain(HERE, str(left[0]))
    assert [each.number for each in chain] == left
    assert [each.status for each in chain] == [DecisionStatus.SUPERSEDED, DecisionStatus.ACTIVE]
    assert (chain[0].supersedes, chain[1].superseded_by) == (None, None)


# -- revert, drafts ---------------------------------------------------------------------------


def test_a_reverted_decision_stays_with_its_reason(book: Book) -> None:
    book.decisions.create(HERE, REDIS)
    reverted = book.decisions.revert(HERE, "DEC-001", " it was too slow ")
    assert (reverted.status, reverted.revert_reason) == (DecisionStatus.REVERTED, "it was too slow")
    assert book.decisions.get("DEC-001", (HERE,)) == reverted
    with pytest.raises(Conflict, match="only an active decision"):
        book.decisions.revert(HERE, "DEC-001", "again")


@pytest.mark.parametrize("reason", ["", "  ", "x" * 1_025])
def test_a_revert_has_a_reason(book: Book, reason: str) -> None:
    book.decisions.create(HERE, REDIS)
    with pytest.raises(InvalidInput):
        book.decisions.revert(HERE, "DEC-001", reason)


def test_a_reverted_decision_is_reverted_again_when_its_successor_goes(book: Book) -> None:
    book.decisions.create(HERE, REDIS)
    book.decisions.revert(HERE, "DEC-001", "too slow")
    book.decisions.supersede(HERE, "DEC-001", PLAIN)
    assert statuses(book)["DEC-001"] is DecisionStatus.SUPERSEDED
    book.decisions.remove(HERE, "DEC-002")
    assert statuses(book) == {"DEC-001": DecisionStatus.REVERTED}


def test_what_a_reverted_decision_took_the_place_of_stands_again(book: Book) -> None:
    book.decisions.create(HERE, REDIS)
    book.decisions.supersede(HERE, "DEC-001", PLAIN)
    book.decisions.revert(HERE, "DEC-002", "too slow")
    assert statuses(book) == {"DEC-001": DecisionStatus.ACTIVE, "DEC-002": DecisionStatus.REVERTED}
    assert [each.id for each in book.decisions.chain(HERE, "DEC-002")] == ["DEC-001", "DEC-002"]
    with pytest.raises(Conflict, match="DEC-002 was reverted and DEC-001 stands in its place"):
        book.decisions.supersede(HERE, "DEC-002", PLAIN)
    assert [event.type.value for event in book.decisions.history(HERE, "DEC-001")][-1] == "decision.updated"
    book.undo.take_back()
    assert statuses(book) == {"DEC-001": DecisionStatus.SUPERSEDED, "DEC-002": DecisionStatus.ACTIVE}


@pytest.mark.parametrize("removed", ["DEC-001", "DEC-002"])
def test_a_reverted_decision_that_gave_its_place_back_keeps_nobody_from_it(book: Book, removed: str) -> None:
    book.decisions.create(HERE, REDIS)
    book.decisions.supersede(HERE, "DEC-001", PLAIN)
    book.decisions.revert(HERE, "DEC-002", "too slow")
    book.decisions.supersede(HERE, "DEC-001", titled("third"))
    with pytest.raises(Conflict, match="DEC-003 stands in its place"):
        book.decisions.supersede(HERE, "DEC-002", PLAIN)
    book.decisions.remove(HERE, removed)
    left = {"DEC-001": DecisionStatus.SUPERSEDED, "DEC-002": DecisionStatus.REVERTED, "DEC-003": DecisionStatus.ACTIVE}
    assert statuses(book) == {id: status for id, status in left.items() if id != removed}
    assert [each.id for each in book.decisions.chain(HERE, "DEC-003")][-1] == "DEC-003"
    assert all(book.decisions.chain(HERE, id) for id in statuses(book))


def test_a_draft_is_written_anew_until_it_stands(book: Book, clock: ManualClock) -> None:
    draft = book.decisions.create(HERE, titled("Maybe tabs", draft=True))
    clock.advance(days=1)
    still = book.decisions.update(HERE, draft.id, titled("Perhaps tabs", draft=True, area=None))
    assert (still.status, still.title, still.area, still.decided_at) == (
        DecisionStatus.DRAFT,
        "Perhaps tabs",
        "style",
        START,
    )
    stands = book.decisions.update(HERE, draft.id, PLAIN)
    assert (stands.id, stands.status, stands.decided_at) == ("DEC-001", DecisionStatus.ACTIVE, clock())
    with pytest.raises(Conflict, match="supersede it instead"):
        book.decisions.update(HERE, draft.id, PLAIN)


def test_a_draft_is_neither_superseded_nor_reverted_and_supersedes_nothing(book: Book) -> None:
    book.decisions.create(HERE, titled("Maybe tabs", draft=True))
    book.decisions.create(HERE, PLAIN)
    with pytest.raises(Conflict, match="update it instead"):
        book.decisions.supersede(HERE, "DEC-001", PLAIN)
    with pytest.raises(Conflict):
        book.decisions.revert(HERE, "DEC-001", "no")
    with pytest.raises(InvalidInput):
        book.decisions.supersede(HERE, "DEC-002", replace(PLAIN, draft=True))
    assert statuses(book) == {"DEC-001": DecisionStatus.DRAFT, "DEC-002": DecisionStatus.ACTIVE}


# -- query ------------------------------------------------------------------------------------


def test_words_are_found_wherever_they_stand_in_the_title(book: Book) -> None:
    book.decisions.create(HERE, REDIS)
    book.decisions.create(HERE, PLAIN)
    assert ask(book, "redis deduplication") == [REDIS.title]


@pytest.mark.parametrize(
    "text",
    [
        "Redis",
        "JOBS",
        "run twice",
        "TTL",
        "operated",
        "unique index",
        "infrastructure",
        "redis infrastructure index",
        "background-job",
        "why the redis",
        "deduplicating",
    ],
)
def test_every_part_is_looked_at_and_some_words_can_be_too_little(book: Book, text: str) -> None:
    book.decisions.create(HERE, REDIS)
    assert ask(book, text, least_relevance=0.5) == [REDIS.title]
    assert ask(book, f"{text} kangaroo") == [REDIS.title]
    assert ask(book, f"{text} kangaroo", least_relevance=1.0) == []


def test_what_has_only_some_of_the_words_is_found_when_nothing_has_them_all(book: Book) -> None:
    for title in ("Lasers", "Redis for lasers and mirrors", "Redis for mirrors", "Kangaroos"):
        book.decisions.create(HERE, titled(title))
    some = ["Redis for lasers and mirrors", "Redis for mirrors", "Lasers"]
    assert ask(book, "redis lasers mirrors penguins") == some, "the more words the earlier"
    assert ask(book, "redis lasers mirrors") == some[:1], "what has them all stands alone"
    assert ask(book, "penguins") == []
    book.decisions.create(HERE, titled("Redis, lasers, mirrors and penguins", area="zoo"))
    assert ask(book, "redis lasers mirrors penguins", area="style") == some, "what is not asked for hides nothing"


def test_a_query_of_no_words_finds_nothing_and_an_empty_one_is_refused(book: Book) -> None:
    book.decisions.create(HERE, REDIS)
    assert ask(book, "?!") == []
    with pytest.raises(InvalidInput):
        ask(book, " ")


def test_a_common_word_does_not_crowd_out_the_decision_that_has_both(book: Book) -> None:
    book.decisions.create(
        HERE, titled("a redis note about lasers, and much else that makes it long", context="x " * 900)
    )
    for place in range(120):
        book.decisions.create(HERE, titled(f"redis redis {place}"))
    assert ask(book, "redis lasers") == ["a redis note about lasers, and much else that makes it long"]


def test_the_likeliest_comes_first_and_without_a_query_the_newest(book: Book, clock: ManualClock) -> None:
    for title in ("cache, cache and cache", "One cache among many other things that are said here", "another subject"):
        book.decisions.create(HERE, titled(title))
        clock.advance(seconds=1)
    assert ask(book, "cache")[0] == "cache, cache and cache"
    assert ask(book) == [
        "another subject",
        "One cache among many other things that are said here",
        "cache, cache and cache",
    ]


def test_the_newest_is_by_when_it_was_decided(book: Book) -> None:
    book.decisions.create(HERE, titled("now"))
    book.decisions.create(HERE, titled("last year", decided_at=START - 365 * 86_400_000))
    assert ask(book) == ["now", "last year"]


def test_only_what_was_superseded_is_hidden_unless_asked_for(book: Book) -> None:
    for title in ("old", "gone"):
        book.decisions.create(HERE, titled(title))
    book.decisions.create(HERE, titled("idea", draft=True))
    book.decisions.supersede(HERE, "DEC-001", titled("new"))
    book.decisions.revert(HERE, "DEC-002", "no good")
    assert ask(book) == ["new", "idea", "gone"]
    assert ask(book, include_superseded=True) == ["new", "idea", "gone", "old"]
    assert ask(book, status=DecisionStatus.SUPERSEDED) == ["old"], "an explicit status wins"
    assert ask(book, status=DecisionStatus.DRAFT, include_superseded=True) == ["idea"]


def test_area_impact_and_tags_narrow_a_query(book: Book) -> None:
    book.decisions.create(HERE, REDIS)
    book.decisions.create(HERE, titled("Tabs", tags=("style", "jobs")))
    assert ask(book, area="Backend") == [REDIS.title]
    assert ask(book, impact=Impact.HIGH) == [REDIS.title]
    assert ask(book, tags=("style", "infrastructure")) == ["Tabs", REDIS.title], "of several tags, one"
    assert ask(book, "jobs", tags=("style",), impact=Impact.MEDIUM) == ["Tabs"]
    assert ask(book, tags=("none",)) == []


@pytest.mark.parametrize("text", [None, "number"])
def test_pages_cover_an_answer_exactly_once(book: Book, text: str | None) -> None:
    for place in range(7):
        book.decisions.create(HERE, titled(f"number {place}"))
    whole = ask(book, text)
    assert len(whole) == 7
    pages = [book.decisions.query(Inquiry((HERE,), text, limit=3, offset=offset)) for offset in (0, 3, 6, 9)]
    assert [title for page in pages for title in titles(page)] == whole
    assert [(page.total, page.has_more) for page in pages] == [(7, True), (7, True), (7, False), (7, False)]


@pytest.mark.parametrize("condition", [{"limit": 0}, {"limit": 1_001}, {"offset": -1}, {"text": "x" * 16_001}])
def test_a_query_has_limits(condition: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        Inquiry((HERE,), **condition)  # type: ignore[arg-type]


def test_a_query_looks_only_where_it_is_told(book: Book) -> None:
    book.decisions.create(HERE, titled("mine"))
    book.decisions.create(PROJECT, titled("ours"))
    assert ask(book) == ["mine"]
    assert titles(book.decisions.query(Inquiry((PROJECT,)))) == ["ours"]
    with pytest.raises(InvalidInput):
        book.decisions.query(Inquiry(()))


# -- the audit --------------------------------------------------------------------------------


def test_every_deed_is_logged_and_no_content_with_it(book: Book) -> None:
    book.decisions.create(HERE, REDIS)
    book.decisions.create(HERE, replace(REDIS, draft=True))
    book.decisions.update(HERE, "DEC-002", REDIS)
    book.decisions.revert(HERE, "DEC-002", "too slow")
    book.decisions.supersede(HERE, "DEC-001", REDIS)
    book.decisions.remove(HERE, "DEC-001")
    events = [event for id in ("DEC-001", "DEC-002", "DEC-003") for event in book.decisions.history(HERE, id)]
    assert [event.type for event in events] == [
        EventType.DECISION_CREATED,
        EventType.DECISION_SUPERSEDED,
        EventType.DECISION_REMOVED,
        EventType.DECISION_CREATED,
        EventType.DECISION_UPDATED,
        EventType.DECISION_REVERTED,
        EventType.DECISION_CREATED,
    ]
    assert "Redis" not in repr(events)
    assert dict(events[1].payload) == {"scope": "user:local", "decision": "DEC-001", "successor": "DEC-003"}


def test_no_byte_of_a_removed_decision_is_left(book: Book, tmp_path: Path) -> None:
    book.decisions.create(HERE, titled("The xylophone protocol", context="xylophone " * 200))
    book.decisions.remove(HERE, "DEC-001")
    book.close()
    assert b"xylophone" not in (tmp_path / "book.db").read_bytes().lower()


# -- as Markdown ------------------------------------------------------------------------------


def exported(book: Book) -> dict[str, str]:
    return dict(markdown_files.files(book.decisions.list((HERE,)).decisions))


def test_a_decision_becomes_a_file_in_the_usual_sections(book: Book) -> None:
    book.decisions.create(HERE, replace(REDIS, alternatives=("A table\nwith an index", "Nothing")))
    book.decisions.supersede(HERE, "DEC-001", PLAIN)
    files = exported(book)
    assert list(files) == ["DEC-001-use-redis-for-background-job-deduplication.md", "DEC-002-tabs.md", "index.md"]
    first = files["DEC-001-use-redis-for-background-job-deduplication.md"]
    assert (
        first
        == """\
# DEC-001: Use Redis for background job deduplication

- Status: superseded
- Date: 2026-01-01
- Owner: ada
- Area: backend
- Impact: high
- Tags: jobs, infrastructure
- Superseded by: [DEC-002](DEC-002-tabs.md)

## Context

Jobs run twice under load

## Decision

A Redis set with a TTL

## Rationale

It is operated already

## Alternatives

- A table
  with an index
- Nothing

## Revert plan

Drop the set
"""
    )
    assert files["index.md"].splitlines()[2] == (
        "- [DEC-001](DEC-001-use-redis-for-background-job-deduplication.md) "
        "Use Redis for background job deduplication (superseded, high impact, backend)"
    )


def test_the_same_decisions_make_the_same_bytes(book: Book, clock: ManualClock) -> None:
    for place in range(5):
        book.decisions.create(HERE, titled(f"number {place}", tags=("b", "a")))
    before = exported(book)
    clock.advance(days=40)
    assert exported(book) == before


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("???", "DEC-001.md"),
        ("../../etc/passwd", "DEC-001-etc-passwd.md"),
        ("決定する", "DEC-001-決定する.md"),
        ("word " * 40, f"DEC-001-{'word-' * 11}word.md"),
    ],
)
def test_a_file_name_is_safe_and_bounded(book: Book, title: str, name: str) -> None:
    book.decisions.create(HERE, titled(title))
    assert next(iter(exported(book))) == name
