"""The book as a document and back."""

import json

import pytest

from commonplace.book.book import Book
from commonplace.domain.canonical_json import to_json
from commonplace.domain.memory import Memory, Origin, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.caller import Door
from commonplace.engine.intake import ExactPolicy, Repeats
from commonplace.engine.lifecycle import Changes
from commonplace.errors import InvalidInput
from commonplace.maintenance.transfer import FORMAT, LINE_LIMIT, VERSION, Imported
from tests.conftest import DAY, ManualClock, OpenBook
from tests.hashing import HashingEmbedder

HEADER = json.dumps({"format": FORMAT, "version": VERSION})
SECRET = "ghp_" + "016C7Xe9LmQ2vRt4Yb8NcZ5sKd3WfHgJpA1B"
MEMORY = Memory("mem_01KDVDNA00H98YQT6QR33ZC24E", 1, "Deploys are on Monday", Scope.parse("user:local"), 1_000, 1_000)


def line(**changes: object) -> str:
    return json.dumps({"memory": {**to_json(MEMORY), **changes}})


def everything(book: Book) -> list[Memory]:
    scopes = (*book.scopes, Scope.parse("project:atlas"))
    found = book.list(Filter(scopes, statuses=(), include_expired=True), limit=1_000).memories
    return sorted(found, key=lambda memory: memory.number)


def plain(memory: Memory) -> Memory:
    """What a transfer promises to keep: all but the number, the count of use, and the trust unless vouched for."""
    return replace(memory, number=0, usage=MEMORY.usage)


@pytest.fixture
def written(open_book: OpenBook, clock: ManualClock) -> Book:
    """A book with a memory in every state."""
    book = open_book("source.db", door=Door("mcp", Origin.TYPED, "ada"))
    book.remember("plain")
    book.remember(
        "labelled",
        scope="project:atlas",
        kind="task",
        tags=["a", "ü"],
        category="c",
        topic="t",
        importance=0.9,
        confidence=0.1,
        priority=9,
        pinned=True,
        source="slack",
        session="ses_1",
        expires_at="1d",
        valid_from="2d",
        valid_to="1d",
        project="shop",
        standing="verified",
        capture_mode="explicit",
        memory_type="task",
    )
    clock.advance(10)
    for deed in ("archive", "forget", "invalidate"):
        getattr(book, deed)(book.remember(f"to {deed}").memory, reason=f"because {deed}")
    book.remember("Day A", topic="day")
    clock.advance(10)
    book.remember("Day B", topic="day")
    book.update(1, Changes(text="plain, changed"))
    book.confirm(1)
    book.recall("plain")
    clock.advance(days=2)
    return book


# -- round trips ------------------------------------------------------------------------------


def test_a_document_brings_everything_back(open_book: OpenBook, written: Book) -> None:
    target = open_book("target.db")
    lines = list(written.transfer.export())
    done = target.transfer.import_(lines, trust=True)
    assert done == Imported(len(everything(written)), 0, (), False, relations=1)
    assert [plain(memory) for memory in everything(target)] == [plain(memory) for memory in everything(written)]
    assert list(target.transfer.export())[1:] == [_unused(each) for each in lines[1:]]


def _unused(line: str) -> str:
    """An imported memory has not been used yet."""
    data = json.loads(line)
    data.get("memory", {}).pop("usage", None)
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def test_relations_come_along(open_book: OpenBook, written: Book) -> None:
    target = open_book("target.db")
    target.transfer.import_(written.transfer.export(), trust=True)
    newest = next(memory for memory in everything(written) if memory.text == "Day B")
    assert target.relations(newest.id) == written.relations(newest.id) != ()


def test_what_came_in_is_found_by_its_words_and_waits_for_its_vector(open_book: OpenBook, written: Book) -> None:
    target = open_book("target.db", embedder=HashingEmbedder())
    target.transfer.import_(written.transfer.export())
    assert [hit.memory.text for hit in target.recall("changed").hits] == ["plain, changed"]
    assert target.care.missing_vectors() == len(everything(written))
    assert [finding.check for finding in target.care.doctor() if not finding.ok] == ["vectors"]


def test_importing_twice_is_importing_once(open_book: OpenBook, written: Book) -> None:
    target = open_book("target.db")
    lines = list(written.transfer.export())
    target.transfer.import_(lines)
    before = everything(target)
    again = target.transfer.import_(lines)
    assert (again.imported, again.skipped, again.problems) == (0, len(before), ())
    assert everything(target) == before


def test_importing_into_the_book_it_came_from_changes_nothing(written: Book) -> None:
    before = everything(written)
    done = written.transfer.import_(list(written.transfer.export()))
    assert (done.imported, done.skipped) == (0, len(before))
    assert everything(written) == before


@pytest.mark.parametrize(
    "story", ["a topic that went from A to B to A", "forgotten and remembered again", "kept twice"]
)
def test_a_text_that_the_book_holds_twice_comes_back_twice(open_book: OpenBook, story: str) -> None:
    """Otherwise the older, put away one would come in and the present one would be left behind."""
    book, target = open_book("source.db"), open_book("target.db")
    if story.startswith("a topic"):
        for text in ("Day A", "Day B", "Day A"):
            book.remember(text, topic="day")
    elif story.startswith("forgotten"):
        book.forget(book.remember("Day A").memory)
        book.remember("Day A")
    else:
        for _ in range(2):
            book.remember("Day A", repeats=Repeats(exact=ExactPolicy.NEVER))
    done = target.transfer.import_(book.transfer.export(), trust=True)
    assert (done.imported, done.problems) == (len(everything(book)), ())
    assert [plain(memory) for memory in everything(target)] == [plain(memory) for memory in everything(book)]


def test_a_filter_narrows_an_export(written: Book) -> None:
    lines = list(written.transfer.export(Filter(written.scopes, statuses=(Status.FORGOTTEN,))))
    assert [json.loads(each)["memory"]["text"] for each in lines[1:]] == ["to forget"]


def test_a_filter_without_scopes_narrows_by_its_other_conditions_only(written: Book) -> None:
    lines = list(written.transfer.export(Filter((), statuses=(Status.FORGOTTEN,))))
    assert [json.loads(each)["memory"]["text"] for each in lines[1:]] == ["to forget"]


def test_an_export_of_the_past_is_refused(open_book: OpenBook, clock: ManualClock) -> None:
    """The present under the name of the past would be the one wrong answer."""
    book = open_book()
    book.remember("Deploys are on Monday")
    before = clock()
    clock.advance(10)
    book.update(1, Changes(text="Deploys are on Tuesday"))
    with pytest.raises(InvalidInput, match="leave as_of out") as caught:
        list(book.transfer.export(Filter(book.scopes, as_of=before)))
    assert caught.value.argument == "as_of"


def test_ones_own_scope_travels_as_the_default(open_book: OpenBook) -> None:
    ada, bob = open_book("a.db", principal=Principal(user="ada")), open_book("b.db", principal=Principal(user="bob"))
    ada.remember("Deploys are on Monday")
    lines = list(ada.transfer.export())
    assert json.loads(lines[1])["memory"]["scope"] == "user:default"
    bob.transfer.import_(lines)
    assert [str(memory.scope) for memory in bob.list().memories] == ["user:bob"]


def test_an_export_shows_only_what_one_may_see(open_book: OpenBook) -> None:
    ada, bob = open_book(principal=Principal(user="ada")), open_book(principal=Principal(user="bob"))
    ada.remember("Adas own")
    ada.remember("shared", scope="project:atlas")
    assert "Adas own" not in "".join(bob.transfer.export())
    assert "shared" in "".join(bob.transfer.export())


def test_an_export_changes_nothing(written: Book) -> None:
    before = everything(written)
    list(written.transfer.export())
    assert everything(written) == before


# -- trust ------------------------------------------------------------------------------------


def test_what_comes_in_waits_for_confirmation_unless_a_person_vouches_for_it(open_book: OpenBook) -> None:
    for trust, origin in ((False, Origin.IMPORTED), (True, Origin.TYPED)):
        book = open_book(f"{trust}.db")
        book.transfer.import_([HEADER, line(origin="typed")], trust=trust)
        assert everything(book)[0].origin is origin
        found = book.list(Filter(book.scopes, automatic=True)).total
        assert found == int(trust)


# -- dry runs ---------------------------------------------------------------------------------


def test_a_dry_run_says_the_same_and_does_nothing(open_book: OpenBook, written: Book) -> None:
    target = open_book("target.db")
    lines = [*written.transfer.export(), "nonsense", line(text=f"token {SECRET}")]
    said = target.transfer.import_(lines, dry_run=True)
    assert everything(target) == []
    done = target.transfer.import_(lines)
    assert said == replace(done, dry_run=True)
    assert said.imported == len(everything(target))


# -- problems ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        "nonsense",
        "[]",
        "5",
        '"text"',
        "{}",
        '{"memory": 5}',
        '{"relation": 5}',
        '{"relation": {}}',
        "{" * 10_000,
        line(text=""),
        line(text="a\x00b"),
        line(text="\ud800"),
        line(kind="poem"),
        line(colour="red"),
        line(scope="nowhere"),
        line(scope="team:other"),
        line(importance=2),
        line(tags="a"),
        line(created_at="then"),
        line(created_at=2**70),
        line(created_at=-1),
        line(updated_at=2**70),
        line(id=""),
        line(id="\ud800"),
        line(id="evil id"),
        line(actor=None),
        line(revision=-1),
        line(successor="\ud800"),
        line(status_at=2**70),
        "x" * (LINE_LIMIT + 1),
    ],
    ids=lambda bad: bad[:12] + str(len(bad)),
)
def test_a_bad_line_is_reported_with_its_number_and_spoils_no_other(open_book: OpenBook, bad: str) -> None:
    book = open_book(principal=Principal(teams=("core",)))
    good = [line(text=f"good {place}", id=f"mem_{place:026}") for place in range(2)]
    done = book.transfer.import_([HEADER, good[0], bad, "", good[1]])
    assert [problem.line for problem in done.problems] == [3]
    assert done.problems[0].message
    assert len(done.problems[0].message) < 300
    assert done.imported == 2
    assert {memory.text for memory in everything(book)} == {"good 0", "good 1"}


@pytest.mark.parametrize("field", ["text", "status_reason", "topic", "category", "tags", "source"])
def test_a_secret_is_reported_without_its_value(book: Book, field: str) -> None:
    value: object = [SECRET] if field == "tags" else f"my {SECRET}"
    done = book.transfer.import_([HEADER, line(**{field: value})])
    assert [problem.line for problem in done.problems] == [2]
    assert SECRET not in repr(done)
    assert everything(book) == []


def test_a_secret_in_a_relation_is_reported_too(book: Book) -> None:
    relation = {"id": "rel_1", "source": "a", "target": "b", "kind": "supersedes", "reason": SECRET, "created_at": 1}
    done = book.transfer.import_([HEADER, json.dumps({"relation": relation})])
    assert [problem.line for problem in done.problems] == [2]
    assert SECRET not in repr(done)


@pytest.mark.parametrize(
    "lines",
    [
        ["nonsense"],
        ["[]"],
        ['{"format": "other", "version": 1}'],
        [json.dumps({"format": FORMAT, "version": 99})],
        [""],
    ],
)
def test_another_document_is_refused_whole(book: Book, lines: list[str]) -> None:
    with pytest.raises(InvalidInput):
        book.transfer.import_([*lines, line()])
    assert everything(book) == []


def test_a_relation_to_what_did_not_come_along_is_left_out(book: Book) -> None:
    relation = {"id": "rel_1", "source": MEMORY.id, "target": "mem_GONE", "kind": "supersedes", "created_at": 1}
    document = [HEADER, line(), json.dumps({"relation": relation})]
    for dry_run in (True, False):
        done = book.transfer.import_(document, dry_run=dry_run)
        assert (done.imported, done.relations, done.dropped_relations) == (1, 0, 1)
    assert book.relations(MEMORY.id) == ()


def test_relations_are_counted_and_those_that_are_known_are_neither_new_nor_dropped(
    open_book: OpenBook, written: Book
) -> None:
    document = list(written.transfer.export())
    (edge,) = [line for line in document if line.startswith('{"relation"')]
    target = open_book("target.db")
    first = target.transfer.import_([*document, edge], trust=True)
    assert (first.relations, first.dropped_relations) == (1, 0)
    again = target.transfer.import_(document, trust=True)
    assert (again.imported, again.relations, again.dropped_relations) == (0, 0, 0)


# -- purged and known -------------------------------------------------------------------------


def test_a_purged_memory_does_not_come_back(written: Book) -> None:
    lines = list(written.transfer.export())
    gone = next(memory for memory in everything(written) if memory.text == "plain, changed")
    written.purge(gone)
    done = written.transfer.import_(lines)
    assert (done.imported, done.problems) == (0, ())
    assert gone.text not in [memory.text for memory in everything(written)]


def test_a_text_the_book_knows_already_is_skipped_and_counted(book: Book) -> None:
    book.remember(MEMORY.text)
    done = book.transfer.import_([HEADER, line()])
    assert (done.imported, done.skipped) == (0, 1)


def test_numbers_are_the_books_own(book: Book) -> None:
    book.remember("first")
    book.transfer.import_([HEADER, line(number=77)])
    assert [memory.number for memory in everything(book)] == [1, 2]
    assert book.remember("third").memory.number == 3


def test_record_time_is_that_of_the_import(book: Book, clock: ManualClock) -> None:
    before = clock()
    clock.advance(10)
    book.transfer.import_([HEADER, line(created_at=before - DAY)])
    assert book.list(Filter(book.scopes, as_of=before)).total == 0
    assert book.list(Filter(book.scopes, as_of=clock())).total == 1


def test_an_imported_memory_lives_on_like_any_other(book: Book, clock: ManualClock) -> None:
    book.transfer.import_([HEADER, line(revision=7)])
    clock.advance(10)
    assert book.update(MEMORY.id, Changes(text="changed")).revision == 8
    assert [revision.memory.revision for revision in book.revisions(MEMORY.id)] == [7, 8]
    assert [finding for finding in book.care.doctor() if not finding.ok] == []


@pytest.mark.parametrize("changes", [{"importance": 1}, {"confidence": 0}])
def test_a_whole_number_in_a_document_leaves_the_book_sound(book: Book, changes: dict[str, int]) -> None:
    book.transfer.import_([HEADER, line(**changes)])
    assert [finding for finding in book.care.doctor() if not finding.ok] == []


def test_progress_is_told_memory_by_memory(book: Book) -> None:
    told: list[int] = []
    lines = [line(text=f"good {place}", id=f"mem_{place:026}") for place in range(3)]
    book.transfer.import_([HEADER, *lines], progress=told.append)
    assert told == [1, 2, 3]
