"""An export carries everything that somebody said, decided or read, and a document gives back what it may."""

import json
from collections import Counter
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.decisions.decision import DecisionStatus, Proposal
from commonplace.documents.evidence import EvidenceType, Source
from commonplace.domain.memory import Origin
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.caller import Door
from commonplace.maintenance.beside import EXPORTED
from commonplace.sessions.transcripts import Speaker, Turn
from tests.conftest import OpenBook
from tests.rights.test_erasure import shelves_in_use

KEPT_TO_ITSELF = {"dream", "hourly", "lease", "operation", "operation_part", "preview", "unfinished_session"}
"""What a program keeps for itself: none of it is anybody's word."""
SECRET = "AKIAIOSFODNN7EXAMPLE"


def proposal(title: str) -> Proposal:
    return Proposal(title, "ada", "Jobs run twice", f"{title} it is", "It is there already", "backend")


@pytest.fixture
def full(open_book: OpenBook) -> Book:
    """A book with something of everything."""
    book = open_book(door=Door("cli", Origin.TYPED, "cli"))
    memory = book.remember("Deploys are on Monday").memory
    book.decisions.create(book.scope(), proposal("Use Redis"))
    book.decisions.supersede(book.scope(), "1", proposal("Use Valkey"))
    book.decisions.create(book.scope(), proposal("Use logfmt"))
    book.decisions.revert(book.scope(), "3", "nobody reads it")
    turns = [Turn(Speaker.USER, "We decided to deploy on Tuesdays.")]
    assert book.sessions.save(turns, book.scope(), key="talk").learnt
    book.documents.add_text("guide", "# Guide\n\nThe harbour opens at six.\n")
    book.evidence.attach(memory, Source(EvidenceType.PR, "https://example.org/pull/1"))
    book.corrections.log("No: deploys are on Tuesday", memories=[memory])
    book.curated.add("The harbour has two gates", book.scope())
    book.curated.take(book.scope())
    book.projects.noted(Path("/srv/shop"))
    return book


def shelves(document: list[str]) -> Counter[str]:
    lines = [json.loads(line) for line in document]
    return Counter(line["entry"]["shelf"] for line in lines if "entry" in line)


def test_every_shelf_is_exported_or_kept_by_decision() -> None:
    assert set(EXPORTED) | KEPT_TO_ITSELF == shelves_in_use()
    assert not set(EXPORTED) & KEPT_TO_ITSELF


def test_everything_is_in_it(full: Book) -> None:
    found = shelves(list(full.transfer.export_all()))
    assert {
        "decision": 3,
        "session": 1,
        "turn": 1,
        "learning": 1,
        "documents": 1,
        "evidence": 1,
        "correction": 1,
        "project": 1,
    }.items() <= found.items()
    assert found["chunks"] >= 1
    assert found["snapshot"] >= 1


def test_what_somebody_else_may_not_see_is_not(full: Book) -> None:
    other = full.seen_by(Principal(user="bob", teams=()), Door(), None)
    assert shelves(list(other.transfer.export_all())) == {}


def test_a_document_gives_back_what_a_person_vouches_for(full: Book, open_book: OpenBook) -> None:
    other = open_book("other.db")
    document = list(full.transfer.export_all())
    rehearsed = other.transfer.import_(document, trust=True, dry_run=True)
    done = other.transfer.import_(document, trust=True)
    assert rehearsed.beside == done.beside == {"decision": 3, "session": 1, "turn": 1, "learning": 1, "evidence": 1}
    assert set(done.left_beside) >= {"documents", "chunks", "correction", "project"}
    assert other.projects.list() == (), "which folder is which project's is for a person to say"
    (session,) = other.sessions.list(other.scopes)
    assert other.sessions.turns(session.id) == full.sessions.turns(session.id)
    assert [each.memory.text for each in other.sessions.learnt(session.id)]
    there = {each.id: each for each in other.decisions.list(other.scopes).decisions}
    assert (there["DEC-001"].status, there["DEC-001"].superseded_by) == (DecisionStatus.SUPERSEDED, "DEC-002")
    assert (there["DEC-003"].status, there["DEC-003"].revert_reason) == (DecisionStatus.REVERTED, "nobody reads it")
    assert other.decisions.create(other.scope(), proposal("Another")).id == "DEC-004"


def test_twice_is_once_and_undo_takes_it_back(full: Book, open_book: OpenBook) -> None:
    other = open_book("other.db")
    document = list(full.transfer.export_all())
    before = list(other.transfer.export_all())[1:]
    other.transfer.import_(document, trust=True)
    whole = list(other.transfer.export_all())[1:]
    assert other.transfer.import_(document, trust=True).beside == {}
    assert list(other.transfer.export_all())[1:] == whole
    other.undo.take_back()
    assert list(other.transfer.export_all())[1:] == before


def test_without_anybodys_word_only_decisions_come_in(full: Book, open_book: OpenBook) -> None:
    other = open_book("other.db")
    done = other.transfer.import_(list(full.transfer.export_all()))
    assert done.beside == {"decision": 3}
    assert other.sessions.list(other.scopes) == ()


@pytest.mark.parametrize(
    "change",
    [
        {"shelf": 1},
        {"shelf": "../../x"},
        {"id": "a/b"},
        {"id": None},
        {"at": "now"},
        {"at": True},
        {"at": -1},
        {"scope": "nowhere"},
        {"scope": "team:others"},
        {"body": None},
        {"body": {}},
        {"body": {"label": []}},
        {"text": 7},
        {"text": "half \ud800"},
        {"text": f"the key is {SECRET}"},
        {"state": f"{SECRET}"},
        {"parent": 4},
    ],
)
@pytest.mark.parametrize("shelf", ["session", "decision", "turn", "evidence"])
def test_a_damaged_or_hostile_entry_is_a_problem_of_its_line(
    full: Book, open_book: OpenBook, shelf: str, change: dict[str, object]
) -> None:
    line = next(line for line in full.transfer.export_all() if f'"shelf":"{shelf}"' in line)
    forged = json.dumps({"entry": {**json.loads(line)["entry"], **change}})
    bob = open_book("other.db", principal=Principal(user="bob", teams=()))
    done = bob.transfer.import_(['{"format":"commonplace-export","version":1}', forged], trust=True)
    assert SECRET not in "".join(bob.transfer.export_all())
    assert bob.sessions.list((bob.scope(),)) == () or not done.problems
    assert bob.decisions.list((bob.scope(),)).total == 0 or not done.problems
    for problem in done.problems:
        assert SECRET not in problem.message
        assert problem.line == 2


def test_a_team_and_its_members_are_never_taken_in(open_book: OpenBook) -> None:
    book = open_book()
    book.teams.create("core")
    document = list(book.transfer.export_all())
    assert shelves(document)["team"] == 1
    other = open_book("other.db", principal=Principal(user="eve", teams=()))
    assert other.transfer.import_(document, trust=True).beside == {}
    assert other.scope("user") == Scope.parse("user:eve")


def test_a_page_for_people_shows_what_stands(full: Book) -> None:
    full.remember("## Not a heading\n<b>nor markup</b>", tags=("odd",))
    full.forget(1)
    page = "\n".join(full.transfer.page())
    assert "Deploys are on Monday" not in page
    assert "\n## Not a heading" not in page
    assert "\\<b>nor markup" in page
    assert "### DEC-002: Use Valkey" in page
    assert "## Conversations" in page
    assert "- guide, read " in page
