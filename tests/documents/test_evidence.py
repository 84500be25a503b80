"""What a memory rests on, whether it still holds, and what that makes of the memory."""

from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.documents.evidence import EVIDENCE_LIMIT, EvidenceType, Source
from commonplace.domain.memory import Memory, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal, Right
from commonplace.engine.lifecycle import Changes
from commonplace.errors import Conflict, Denied, InvalidInput, NotFound, SecretRefused
from tests.conftest import ManualClock, OpenBook

GUIDE = "# Guide\n\nHow we work.\n\n## Deploys\n\nDeploys are on Monday.\n\n## Lunch\n\nLunch is at noon.\n"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
COMMIT = Source(EvidenceType.COMMIT, "4f2a91c")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "docs").mkdir(parents=True)
    return folder.resolve()


@pytest.fixture
def book(open_book: OpenBook, root: Path) -> Book:
    return open_book(project_root=root)


@pytest.fixture
def guide(book: Book, root: Path) -> Path:
    path = root / "docs" / "guide.md"
    path.write_text(GUIDE)
    book.documents.add(path)
    return path


@pytest.fixture
def memory(book: Book) -> Memory:
    return book.remember("Deploys are on Monday", topic="deploy day").memory


def chunk_about(book: Book, words: str) -> Source:
    return Source(EvidenceType.CHUNK, chunk_id=book.documents.search(words)[0].chunk.id)


def events(book: Book, memory: Memory) -> list[str]:
    return [event.type.value for event in book.history(memory)]


# -- attaching --------------------------------------------------------------------------------


def test_evidence_is_kept_as_it_was_given(book: Book, memory: Memory, clock: ManualClock) -> None:
    source = Source(EvidenceType.PR, "acme/app#12", snippet="ship on Mondays", line_start=3, line_end=5, weight=0.5)
    attached = book.evidence.attach(memory.number, source)
    evidence = attached.evidence
    assert (attached.known, evidence.memory_id, evidence.created_at) == (False, memory.id, clock())
    assert evidence.id.startswith("evd_")
    assert {name: getattr(evidence, name) for name in Source.fields} == {
        name: getattr(source, name) for name in Source.fields
    }
    assert book.evidence.of(memory) == (evidence,)
    assert book.evidence.attach(memory, COMMIT).evidence.weight == 1.0


@pytest.mark.parametrize(
    "source",
    [
        COMMIT,
        Source(EvidenceType.DOCUMENT, "docs/guide.md"),
        Source(EvidenceType.DOCUMENT, document_id="doc_1"),
        Source(EvidenceType.CHUNK, chunk_id="chunk_1"),
        Source(EvidenceType.SESSION, snippet="they said so"),
        Source(EvidenceType.WEBHOOK),
    ],
)
def test_the_same_source_again_is_the_same_evidence_brought_up_to_date(
    book: Book, memory: Memory, clock: ManualClock, source: Source
) -> None:
    first = book.evidence.attach(memory, source).evidence
    clock.advance(days=1)
    changes = {"line_start": 7, "weight": 0.25} | ({} if source.snippet else {"snippet": "more words"})
    if not source.target:
        del changes["snippet"]
    again = book.evidence.attach(memory, Source(**{**vars(source), **changes}))
    assert (again.known, again.evidence.id, again.evidence.created_at) == (True, first.id, first.created_at)
    assert (again.evidence.line_start, again.evidence.weight) == (7, 0.25)
    third = book.evidence.attach(memory, source)
    assert third.evidence == again.evidence, "what is not given stays"
    assert book.evidence.of(memory) == (again.evidence,)


def test_another_type_target_or_memory_is_other_evidence(book: Book, memory: Memory) -> None:
    other = book.remember("Lunch is at noon").memory
    found = [
        book.evidence.attach(memory, COMMIT),
        book.evidence.attach(memory, Source(EvidenceType.COMMIT, "other")),
        book.evidence.attach(memory, Source(EvidenceType.ISSUE, "4f2a91c")),
        book.evidence.attach(other, COMMIT),
    ]
    assert len({each.evidence.id for each in found}) == 4
    assert book.evidence.counts([memory.id, other.id, memory.id, "mem_UNKNOWN"]) == {memory.id: 3, other.id: 1}


def test_evidence_is_listed_oldest_first_and_can_be_taken_away(book: Book, memory: Memory, clock: ManualClock) -> None:
    names = ["c", "a", "b"]
    for name in names:
        book.evidence.attach(memory, Source(EvidenceType.COMMIT, name))
        clock.advance(1)
    listed = book.evidence.of(memory)
    assert [evidence.reference for evidence in listed] == names
    assert book.evidence.detach(listed[1].id) == listed[1]
    assert book.evidence.of(memory) == (listed[0], listed[2])
    with pytest.raises(NotFound):
        book.evidence.detach(listed[1].id)


@pytest.mark.parametrize("field", ["reference", "snippet"])
def test_a_secret_in_evidence_is_refused(book: Book, memory: Memory, field: str) -> None:
    with pytest.raises(SecretRefused) as caught:
        book.evidence.attach(memory, Source(EvidenceType.EXTERNAL_URL, **{field: f"https://x.test/?token={TOKEN}"}))
    assert (caught.value.argument, TOKEN in caught.value.message) == (field, False)
    assert book.evidence.of(memory) == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("weight", 1.1),
        ("weight", -0.1),
        ("weight", float("nan")),
        ("line_start", 0),
        ("line_start", -1),
        ("line_end", True),
        ("reference", ""),
        ("reference", " "),
        ("reference", "x" * 2_049),
        ("reference", "\x00"),
        ("snippet", ""),
        ("snippet", "\ud800"),
        ("snippet", "x" * 8_001),
        ("chunk_id", ""),
        ("chunk_id", "a b"),
        ("document_id", "x" * 65),
    ],
)
def test_a_source_that_cannot_be_is_refused_by_the_name_of_its_field(field: str, value: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        Source(EvidenceType.COMMIT, **{field: value})  # type: ignore[arg-type]
    assert caught.value.argument == field


def test_lines_end_where_they_begin_or_later() -> None:
    Source(EvidenceType.CHUNK, line_start=3, line_end=3)
    with pytest.raises(InvalidInput):
        Source(EvidenceType.CHUNK, line_start=3, line_end=2)


def test_evidence_has_a_limit(book: Book, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonplace.documents.evidence_log.EVIDENCE_LIMIT", 2)
    assert EVIDENCE_LIMIT > 2
    for name in "ab":
        book.evidence.attach(memory, Source(EvidenceType.COMMIT, name))
    with pytest.raises(Conflict):
        book.evidence.attach(memory, COMMIT)
    assert book.evidence.attach(memory, Source(EvidenceType.COMMIT, "a")).known


# -- verifying --------------------------------------------------------------------------------


def test_without_evidence_nothing_changes(book: Book, memory: Memory) -> None:
    verified = book.evidence.verify(memory)
    assert (verified.total, verified.valid, verified.invalid, verified.score) == (0, 0, 0, 0.0)
    assert (verified.status, verified.changed, verified.memory) == (Status.ACTIVE, False, book.get(memory))
    assert book.get(memory).revision == 1


@pytest.mark.parametrize("type", [each for each in EvidenceType if not each.on_a_shelf])
def test_what_the_book_cannot_look_at_holds_if_it_names_something(
    book: Book, memory: Memory, type: EvidenceType
) -> None:
    book.evidence.attach(memory, Source(type, "a reference"))
    book.evidence.attach(memory, Source(type, snippet="a snippet"))
    assert book.evidence.verify(memory).valid == 2
    book.evidence.attach(memory, Source(type))
    verified = book.evidence.verify(memory)
    assert (verified.total, verified.valid, verified.invalid, verified.score) == (3, 2, 1, 0.6667)


@pytest.mark.usefixtures("guide")
def test_the_score_is_the_share_that_holds_whatever_the_weights(book: Book, memory: Memory) -> None:
    book.evidence.attach(memory, Source(EvidenceType.DOCUMENT, "docs/guide.md", weight=0.1))
    book.evidence.attach(memory, Source(EvidenceType.DOCUMENT, "docs/nowhere.md", weight=0.0))
    book.evidence.attach(memory, Source(EvidenceType.CHUNK, chunk_id="chunk_0000000000000000", weight=1.0))
    verified = book.evidence.verify(memory)
    assert (verified.score, verified.status, verified.changed) == (0.3333, Status.ACTIVE, False)


@pytest.mark.parametrize("spelling", ["docs/guide.md", "./docs//guide.md", "whole", "id"])
def test_a_document_holds_as_long_as_its_file_exists(book: Book, memory: Memory, guide: Path, spelling: str) -> None:
    id = book.documents.get("docs/guide.md").id
    sources = {
        "whole": Source(EvidenceType.DOCUMENT, str(guide)),
        "id": Source(EvidenceType.DOCUMENT, document_id=id),
    }
    book.evidence.attach(memory, sources.get(spelling, Source(EvidenceType.DOCUMENT, spelling)))
    assert book.evidence.verify(memory).valid == 1
    guide.write_text("something else entirely")
    assert book.evidence.verify(memory).valid == 1
    guide.unlink()
    assert (verified := book.evidence.verify(memory)).valid == 0
    assert (verified.status, verified.changed) == (Status.STALE, True)


def test_a_chunk_holds_as_long_as_its_document_says_so(book: Book, memory: Memory, guide: Path) -> None:
    book.evidence.attach(memory, chunk_about(book, "deploys monday"))
    guide.write_text(GUIDE.replace("How we work.", "Written by Ada.\n\nAnd others."))
    assert book.evidence.verify(memory).score == 1.0, "an edit elsewhere only shifts its lines"
    guide.write_text(GUIDE.replace("Monday", "Friday"))
    verified = book.evidence.verify(memory)
    assert (verified.score, verified.status, verified.changed) == (0.0, Status.STALE, True)


def test_a_document_may_come_after_the_evidence_that_names_it(book: Book, memory: Memory, root: Path) -> None:
    book.evidence.attach(memory, Source(EvidenceType.DOCUMENT, "docs/later.md"))
    assert book.evidence.verify(memory).status is Status.STALE
    (root / "docs" / "later.md").write_text("Deploys are on Monday.")
    looked = book.documents.add(root / "docs")
    assert [each.memory.id for each in looked.verified] == [memory.id]
    assert book.get(memory).status is Status.ACTIVE


def test_a_text_that_was_given_directly_holds_until_it_says_something_else(book: Book, memory: Memory) -> None:
    book.documents.add_text("notes.md", "Deploys are on Monday.")
    book.evidence.attach(memory, chunk_about(book, "deploys"))
    assert book.evidence.verify(memory).score == 1.0
    looked = book.documents.add_text("notes.md", "Deploys are on Friday.")
    assert [(each.memory.id, each.status) for each in looked.verified] == [(memory.id, Status.STALE)]


# -- lines and snippets -----------------------------------------------------------------------

STEPS = "one\ntwo\n\nthree\nfour\nfive\n"
LINES = Source(EvidenceType.DOCUMENT, "docs/steps.md", line_start=4, line_end=5)


@pytest.fixture
def steps(book: Book, root: Path) -> Path:
    path = root / "docs" / "steps.md"
    path.write_text(STEPS)
    book.documents.add(path)
    return path


def problems(book: Book, memory: Memory) -> list[str | None]:
    verified = book.evidence.verify(memory)
    assert verified.valid == verified.total - len(verified.failing)
    return [finding.problem for finding in verified.failing]


@pytest.mark.parametrize(
    ("edit", "holds"),
    [
        (("one", "eleven"), True),
        (("five", "fifteen"), True),
        (("five\n", ""), True),
        (("one\n", "zero\n\nhalf\none\n"), True),
        (("one\ntwo\n", ""), True),
        (("four\n", "four  \n\n"), True),
        (("three", "thirteen"), False),
        (("four", "Four"), False),
        (("three\nfour", "three\nmore\nfour"), False),
        (("three\nfour", "four\nthree"), False),
        (("four\n", ""), False),
    ],
)
def test_named_lines_hold_as_long_as_they_say_what_they_said(
    book: Book, memory: Memory, steps: Path, edit: tuple[str, str], holds: bool
) -> None:
    book.evidence.attach(memory, LINES)
    assert problems(book, memory) == []
    steps.write_text(STEPS.replace(*edit))
    assert problems(book, memory) == ([] if holds else ["what lines 4 to 5 said has changed"])
    assert book.get(memory).status is (Status.ACTIVE if holds else Status.STALE)
    steps.write_text(STEPS)
    assert problems(book, memory) == []


def test_a_line_that_changed_is_not_excused_by_another_that_says_the_same(
    book: Book, memory: Memory, steps: Path
) -> None:
    twice = "a:\non\nb:\non\n"
    steps.write_text(twice)
    book.evidence.attach(memory, replace(LINES, line_start=2, line_end=None))
    steps.write_text("a:\non\nb:\noff\n")
    assert problems(book, memory) == []
    steps.write_text("a:\noff\nb:\non\n")
    assert problems(book, memory) == ["what line 2 said has changed"]
    steps.write_text("# Top\n\n" + twice)
    assert problems(book, memory) == []


def test_lines_are_those_of_the_file_as_it_is_when_they_are_named(book: Book, memory: Memory, steps: Path) -> None:
    steps.write_text(STEPS.replace("four", "4"))
    book.evidence.attach(memory, LINES)
    assert problems(book, memory) == []
    steps.write_text(STEPS)
    assert problems(book, memory) == ["what lines 4 to 5 said has changed"]
    book.evidence.attach(memory, replace(LINES, line_start=None, line_end=None))
    assert problems(book, memory) == ["what lines 4 to 5 said has changed"], "naming the document alone is no new look"
    book.evidence.attach(memory, LINES)
    assert problems(book, memory) == []


@pytest.mark.parametrize("seen_by", ["verify", "add"])
def test_lines_of_a_document_that_comes_later_count_from_then(
    book: Book, memory: Memory, root: Path, seen_by: str
) -> None:
    book.evidence.attach(memory, LINES)
    path = root / "docs" / "steps.md"
    path.write_text("one\n")
    book.documents.add(path)
    assert problems(book, memory) == ["there is no text in lines 4 to 5"]
    path.write_text(STEPS)
    assert seen_by == "add" or problems(book, memory) == []
    book.documents.add(path)
    path.write_text(STEPS.replace("four", "4"))
    assert problems(book, memory) == ["what lines 4 to 5 said has changed"]


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (Source(EvidenceType.DOCUMENT, "docs/steps.md", snippet="two three\nfour"), None),
        (Source(EvidenceType.DOCUMENT, "docs/steps.md", snippet="six"), "the snippet does not stand in the document"),
        (replace(LINES, snippet="four"), None),
        (replace(LINES, snippet="one"), "the snippet does not stand in lines 4 to 5"),
    ],
)
def test_a_snippet_holds_as_long_as_it_stands_where_it_was_named(
    book: Book, memory: Memory, steps: Path, source: Source, problem: str | None
) -> None:
    book.evidence.attach(memory, source)
    assert problems(book, memory) == ([] if problem is None else [problem])
    steps.write_text("# Steps\n\nzero\n\n" + STEPS)
    assert problems(book, memory) == ([] if problem is None else [problem])


@pytest.mark.usefixtures("guide")
def test_a_snippet_of_a_chunk_stands_in_the_chunk(book: Book, memory: Memory) -> None:
    deploys = chunk_about(book, "deploys monday")
    book.evidence.attach(memory, replace(deploys, snippet="are on\nMonday"))
    assert problems(book, memory) == []
    book.evidence.attach(memory, replace(deploys, snippet="Lunch"))
    assert problems(book, memory) == ["the snippet does not stand in the chunk"]


def test_what_is_not_taken_closely_only_says_where_to_look(book: Book, memory: Memory, steps: Path) -> None:
    book.evidence.attach(memory, replace(LINES, snippet="nowhere"), close=False)
    steps.write_text("something else")
    assert problems(book, memory) == []
    book.evidence.attach(memory, LINES)
    book.evidence.attach(memory, LINES, close=False)
    assert problems(book, memory) == ["there is no text in lines 4 to 5"], "once close, always close"


def test_every_piece_that_does_not_hold_is_named(book: Book, memory: Memory, guide: Path) -> None:
    book.evidence.attach(memory, Source(EvidenceType.DOCUMENT, "docs/nowhere.md"))
    book.evidence.attach(memory, Source(EvidenceType.WEBHOOK))
    book.evidence.attach(memory, chunk_about(book, "deploys monday"))
    book.evidence.attach(memory, Source(EvidenceType.DOCUMENT, "docs/guide.md"))
    guide.write_text("other")
    expected = ("the document is not on the shelf", "it names nothing", "the chunk is gone: its text has changed")
    assert sorted(map(str, problems(book, memory))) == sorted(expected)
    guide.unlink()
    assert "the file is gone" in problems(book, memory)


# -- stale ------------------------------------------------------------------------------------


@pytest.fixture
def stale(book: Book, memory: Memory, guide: Path) -> Memory:
    book.evidence.attach(memory, chunk_about(book, "deploys monday"))
    guide.unlink()
    return book.evidence.verify(memory).memory


def test_a_stale_memory_is_out_of_recall_but_not_lost(book: Book, stale: Memory, clock: ManualClock) -> None:
    assert (stale.status, stale.status_at, stale.revision) == (Status.STALE, clock(), 2)
    assert stale.status_reason == "none of its evidence holds any more"
    assert book.recall("deploys").hits == ()
    assert book.list().total == 0
    history = Filter(book.scopes, statuses=(Status.STALE,))
    assert [hit.memory.id for hit in book.recall("deploys", filter=history).hits] == [stale.id]
    assert [memory.id for memory in book.list(history).memories] == [stale.id]
    assert "it is stale" in book.why("deploys", stale).verdict
    assert [revision.memory.status for revision in book.revisions(stale)] == [Status.ACTIVE, Status.STALE]


def test_it_becomes_active_again_with_its_evidence(book: Book, stale: Memory, guide: Path) -> None:
    guide.write_text(GUIDE)
    verified = book.evidence.verify(stale)
    assert (verified.status, verified.changed, verified.score) == (Status.ACTIVE, True, 1.0)
    assert (verified.memory.status_reason, verified.memory.status_at) == (None, None)
    assert len(book.recall("deploys").hits) == 1
    assert events(book, stale) == [
        "memory.created",
        "memory.evidence",
        "memory.stale",
        "memory.verified",
        "memory.restored",
        "memory.verified",
    ]


def test_verifying_again_changes_nothing_more(book: Book, stale: Memory) -> None:
    verified = book.evidence.verify(stale)
    assert (verified.status, verified.changed, verified.memory.revision) == (Status.STALE, False, 2)


def test_only_when_asked_is_a_memory_marked_stale(book: Book, memory: Memory) -> None:
    book.evidence.attach(memory, Source(EvidenceType.WEBHOOK))
    verified = book.evidence.verify(memory, mark_stale=False)
    assert (verified.total, verified.valid, verified.status, verified.changed) == (1, 0, Status.ACTIVE, False)
    assert book.get(memory).revision == 1


@pytest.mark.parametrize("verb", ["archive", "forget", "invalidate"])
def test_a_memory_that_was_put_away_is_left_there(book: Book, memory: Memory, guide: Path, verb: str) -> None:
    book.evidence.attach(memory, chunk_about(book, "deploys monday"))
    status = getattr(book, verb)(memory).status
    assert book.evidence.verify(memory).status is status, "valid evidence brings back what is stale, nothing else"
    guide.unlink()
    verified = book.evidence.verify(memory)
    assert (verified.score, verified.status, verified.changed) == (0.0, status, False)


@pytest.mark.parametrize(
    ("deed", "status"),
    [
        (lambda book, memory: book.restore(memory), Status.ACTIVE),
        (lambda book, memory: book.archive(memory), Status.ARCHIVED),
        (lambda book, memory: book.invalidate(memory), Status.INVALIDATED),
        (lambda book, memory: book.forget(memory), Status.FORGOTTEN),
        (lambda book, memory: book.supersede(memory, book.remember("On Friday").memory), Status.SUPERSEDED),
        (lambda book, memory: book.update(memory, Changes(importance=0.9)), Status.STALE),
    ],
)
def test_what_may_become_of_a_stale_memory(
    book: Book, stale: Memory, deed: Callable[[Book, Memory], Memory], status: Status
) -> None:
    assert deed(book, stale).status is status
    assert len(book.evidence.of(stale)) == 1


def test_a_stale_memory_cannot_be_confirmed_before_it_is_restored(book: Book, stale: Memory) -> None:
    with pytest.raises(Conflict, match="is stale and cannot be confirmed: restore it first"):
        book.confirm(stale)


def test_a_newer_word_on_a_topic_also_replaces_a_stale_one(book: Book, stale: Memory, guide: Path) -> None:
    newer = book.remember("Deploys are on Friday", topic="deploy day")
    assert newer.superseded == (stale.id,)
    guide.write_text(GUIDE)
    assert book.evidence.verify(stale).status is Status.SUPERSEDED


# -- refreshing -------------------------------------------------------------------------------


def test_a_refresh_verifies_the_memories_that_rest_on_what_changed(book: Book, memory: Memory, guide: Path) -> None:
    lunch = book.remember("Lunch is at noon").memory
    book.evidence.attach(memory, chunk_about(book, "deploys monday"))
    book.evidence.attach(lunch, chunk_about(book, "lunch noon"))
    guide.write_text(GUIDE.replace("Monday", "Friday"))
    assert [(each.memory.id, each.status) for each in book.documents.refresh().verified] == [(memory.id, Status.STALE)]
    assert book.get(lunch).status is Status.ACTIVE
    assert book.documents.refresh().verified == ()
    guide.unlink()
    assert [each.memory.id for each in book.documents.refresh().verified] == [lunch.id]
    guide.write_text(GUIDE)
    assert {each.memory.id for each in book.documents.refresh().verified} == {memory.id, lunch.id}


def test_removing_a_document_is_seen_by_what_rested_on_it(book: Book, memory: Memory, guide: Path) -> None:
    book.evidence.attach(memory, chunk_about(book, "deploys monday"))
    removed = book.documents.remove("docs/guide.md")
    assert [(each.memory.id, each.status) for each in removed.verified] == [(memory.id, Status.STALE)]
    assert [each.memory.id for each in book.documents.add(guide).verified] == [memory.id]


# -- purging and the log ----------------------------------------------------------------------


def test_a_purge_takes_the_evidence_with_it(book: Book, memory: Memory, tmp_path: Path) -> None:
    other = book.remember("Lunch is at noon").memory
    evidence = book.evidence.attach(memory, Source(EvidenceType.SESSION, snippet="flamingo said so")).evidence
    book.evidence.attach(other, COMMIT)
    assert book.purge(memory).erasure.complete
    with pytest.raises(NotFound):
        book.evidence.detach(evidence.id)
    assert book.evidence.counts([memory.id, other.id]) == {other.id: 1}
    book.close()
    assert b"flamingo" not in b"".join(file.read_bytes() for file in tmp_path.glob("book.db*"))


def test_the_log_says_what_happened_without_content(book: Book, memory: Memory) -> None:
    evidence = book.evidence.attach(
        memory, Source(EvidenceType.SESSION, snippet="flamingo", reference="heron")
    ).evidence
    book.evidence.verify(memory)
    book.evidence.detach(evidence.id)
    scope = str(memory.scope)
    assert [(event.type.value, dict(event.payload)) for event in book.history(memory)][1:] == [
        ("memory.evidence", {"scope": scope, "type": "session", "known": False}),
        ("memory.verified", {"scope": scope, "total": 1, "valid": 1, "status": "active"}),
        ("memory.evidence", {"scope": scope, "type": "session", "detached": True}),
    ]


# -- whose it is ------------------------------------------------------------------------------

_DEEDS = {
    "attach": lambda book, memory, evidence: book.evidence.attach(memory, COMMIT),
    "of": lambda book, memory, evidence: book.evidence.of(memory),
    "verify": lambda book, memory, evidence: book.evidence.verify(memory),
    "detach": lambda book, memory, evidence: book.evidence.detach(evidence),
}


@pytest.mark.parametrize("verb", sorted(_DEEDS))
@pytest.mark.parametrize("stranger", [Principal(user="bob"), Principal(tenant="other", user="ada")])
def test_foreign_evidence_is_unknown_evidence(open_book: OpenBook, verb: str, stranger: Principal) -> None:
    ada = open_book(principal=Principal(user="ada"))
    memory = ada.remember("Deploys are on Monday").memory
    evidence = ada.evidence.attach(memory, Source(EvidenceType.PR, "12")).evidence
    other = open_book(principal=stranger)
    with pytest.raises(NotFound):
        _DEEDS[verb](other, memory.id, evidence.id)
    assert other.evidence.counts([memory.id]) == {}
    assert ada.evidence.of(memory) == (evidence,)
    assert events(ada, memory) == ["memory.created", "memory.evidence"]


@pytest.mark.parametrize("verb", ["attach", "verify", "detach"])
def test_whoever_may_only_read_changes_nothing(open_book: OpenBook, verb: str) -> None:
    ada = open_book()
    memory = ada.remember("Deploys are on Monday").memory
    evidence = ada.evidence.attach(memory, Source(EvidenceType.WEBHOOK)).evidence
    reader = open_book(principal=Principal(rights=frozenset({Right.READ})))
    with pytest.raises(Denied):
        _DEEDS[verb](reader, memory.id, evidence.id)
    assert reader.evidence.of(memory) == (evidence,)
    assert ada.get(memory).status is Status.ACTIVE


@pytest.mark.parametrize("by", ["document", "chunk"])
@pytest.mark.parametrize("first", ["document", "evidence"])
def test_evidence_does_not_tell_what_somebody_else_has(open_book: OpenBook, by: str, first: str) -> None:
    """An id can be guessed from a path: whether it is there must not be learned by verifying."""
    ada, bob = open_book(principal=Principal(user="ada")), open_book(principal=Principal(user="bob"))
    ada.documents.add_text("diary.md", "Dear diary.")
    chunk = ada.documents.chunks("diary.md")[0]
    if first == "evidence":
        ada.documents.remove("diary.md")
    memory = bob.remember("Ada keeps a diary").memory
    sources = {
        "document": Source(EvidenceType.DOCUMENT, document_id=chunk.document_id),
        "chunk": Source(EvidenceType.CHUNK, chunk_id=chunk.id),
    }
    bob.evidence.attach(memory, sources[by])
    ada.documents.add_text("diary.md", "Dear diary.")
    assert bob.evidence.verify(memory).valid == 0


def test_a_refresh_changes_no_memory_that_its_caller_may_not_see(open_book: OpenBook, root: Path) -> None:
    path = root / "docs" / "guide.md"
    path.write_text(GUIDE)
    ada = open_book(principal=Principal(user="ada"), project_root=root)
    bob = open_book(principal=Principal(user="bob"), project_root=root)
    ada.documents.add(path, scope=ada.scope("project:auto"))
    memory = bob.remember("Deploys are on Monday").memory
    bob.evidence.attach(memory, chunk_about(bob, "deploys monday"))
    path.unlink()
    assert len((looked := ada.documents.refresh()).missing) == 1
    assert (looked.verified, bob.get(memory).status) == ((), Status.ACTIVE)
    assert [each.memory.id for each in bob.documents.refresh().verified] == [memory.id], "though it was refreshed"
