"""Taking in: all of it or nothing, once however often, nothing secret, and one undo for all of it."""

import json
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.decisions.decision import DecisionStatus
from commonplace.decisions.markdown_files import files
from commonplace.domain import record
from commonplace.domain.memory import Origin
from commonplace.domain.query import Filter
from commonplace.domain.scope import Principal, Right
from commonplace.engine.caller import Door, Project
from commonplace.errors import Conflict, Denied
from commonplace.imports import Plan, look_through
from commonplace.ports import Store
from commonplace.workspace.project import locate, scope_of
from tests.conftest import ManualClock
from tests.imports.test_formats import GIVEN

EVERYTHING = [GIVEN / name for name in ("CLAUDE.md", "claude-code-memory", "mem0.json", "server-memory.jsonl", "adr")]
SECRET = "AKIAIOSFODNN7EXAMPLE"


def plan() -> Plan:
    return look_through(EVERYTHING)


def state(book: Book) -> tuple[list[str], list[str]]:
    memories = [memory.text for memory in book.list(Filter(book.scopes, statuses=()), limit=500).memories]
    return sorted(memories), [each.title for each in book.decisions.list(book.scopes, limit=50).decisions]


def test_what_comes_in_is_imported_and_waits_with_its_place(book: Book) -> None:
    taken = book.imports.take(plan())
    assert len(taken.memories) == 8 + 2 + 3 + 3
    memory = book.list(Filter(book.scopes, statuses=()), limit=500).memories[0]
    assert all(each.origin is Origin.IMPORTED and each.waits for each in taken.memories)
    assert {each.provenance.source for each in taken.memories} >= {"CLAUDE.md:9", "mem0.json", "server-memory.jsonl:3"}
    assert memory.provenance.surface == "import"


def test_what_a_person_vouches_for_is_confirmed(book: Book) -> None:
    taken = book.imports.take(plan(), trust=True)
    assert all(each.origin is Origin.CONFIRMED and not each.waits for each in taken.memories)


def test_a_look_changes_nothing_and_tells_the_same(book: Book) -> None:
    before = state(book)
    seen = book.imports.look(plan())
    assert state(book) == before
    taken = book.imports.take(plan())
    assert [memory.text for memory in seen.memories] == [memory.text for memory in taken.memories]
    assert (len(seen.decisions), seen.known, seen.left_out) == (len(taken.decisions), taken.known, taken.left_out)


def test_twice_is_once_also_when_it_was_changed_or_forgotten_since(book: Book) -> None:
    first = book.imports.take(plan())
    book.update(first.memories[0].id, text="Changed by hand")
    book.forget(first.memories[1].id)
    before = state(book)
    again = book.imports.take(plan())
    assert (again.memories, again.decisions) == ((), ())
    assert again.known == len(first.memories) + len(first.decisions)
    assert state(book) == before


def test_what_was_purged_does_not_come_back(book: Book) -> None:
    first = book.imports.take(plan())
    book.purge(first.memories[0].id)
    assert book.imports.take(plan()).memories == ()


def test_one_undo_takes_all_of_it_back_and_it_can_come_again(either_store: Store, clock: ManualClock) -> None:
    with Book.over(either_store, Principal(), None, clock, Door(), None) as book:
        book.remember("Deploys are on Monday")
        before = state(book)
        first = book.imports.take(plan())
        assert state(book) != before
        book.undo.take_back()
        assert state(book) == before
        again = book.imports.take(plan())
        assert (len(again.memories), len(again.decisions)) == (len(first.memories), len(first.decisions))


def test_an_undo_leaves_alone_what_was_confirmed_since(book: Book) -> None:
    first = book.imports.take(plan())
    book.confirm(first.memories[0].id)
    with pytest.raises(Conflict):
        book.undo.take_back(book.undo.list()[1].id)
    taken = book.undo.take_back(book.undo.list()[1].id, force=True)
    assert len(taken.removed) == len(first.memories) - 1


def test_what_was_done_together_is_taken_back_together(book: Book) -> None:
    with book.undo.together():
        book.remember("First of two")
        book.remember("Second of two")
    book.remember("By itself")
    assert [len(each.memories) for each in book.undo.list()] == [1, 2]
    book.undo.take_back(book.undo.list()[1].id)
    assert state(book)[0] == ["By itself"]
    assert [each.state for each in book.undo.list()] == ["done", "undone"]


def test_decisions_keep_their_order_and_who_gave_way_to_whom(book: Book) -> None:
    book.imports.take(plan())
    new, old = book.decisions.list(book.scopes).decisions
    assert (old.id, old.status, old.superseded_by) == ("DEC-001", DecisionStatus.SUPERSEDED, "DEC-002")
    assert (new.id, new.status, new.supersedes) == ("DEC-002", DecisionStatus.ACTIVE, "DEC-001")
    assert [each.id for each in book.decisions.chain(new.scope, new.id)] == ["DEC-001", "DEC-002"]


def test_records_that_lead_in_a_circle_or_nowhere_end_somewhere(book: Book, tmp_path: Path) -> None:
    record = "# {0}. Decision {0}\n\n## Status\n\nSuperseded by {1}\n\n## Context\n\nx\n\n## Decision\n\ny {0}\n"
    for number, after in ((1, 2), (2, 1), (3, 3), (4, 99), (5, 1)):
        (tmp_path / f"{number:04}.md").write_text(record.format(number, after))
    taken = book.imports.take(look_through([tmp_path]))
    assert {each.status for each in taken.decisions} == {DecisionStatus.REVERTED}
    for each in taken.decisions:
        assert [found.id for found in book.decisions.chain(each.scope, each.id)] == [each.id]


def test_an_exported_log_is_read_back(book: Book, tmp_path: Path) -> None:
    book.imports.take(plan())
    for name, content in files(book.decisions.list(book.scopes).decisions):
        (tmp_path / name).write_text(content)
    found = look_through([tmp_path]).decisions
    assert [(each.proposal.title, each.status, each.superseded_by) for each in found] == [
        ("Use Redis for job deduplication", DecisionStatus.SUPERSEDED, 2),
        ("Use Valkey", DecisionStatus.ACTIVE, None),
    ]
    assert book.imports.take(look_through([tmp_path])).decisions == ()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("CLAUDE.md", f"- Good\n- The key is {SECRET}\n"),
        ("MEMORY.md", f"- Good\n- The key is {SECRET}\n"),
        ("note.md", f"---\ntitle: Keys\npermalink: keys\n---\n- [fact] Good\n- [fact] The key is {SECRET}\n"),
        ("tagged.md", f"---\ntitle: Keys\ntags: [{SECRET}]\n---\n- The key is here\n"),
        ("mem0.json", json.dumps([{"id": "1", "memory": "Good"}, {"id": "2", "memory": f"The key is {SECRET}"}])),
        (
            "memory.jsonl",
            json.dumps({"type": "entity", "name": "A", "entityType": "b", "observations": ["Good", f"has {SECRET}"]}),
        ),
        ("list.md", f"# Model Set Context\n1. [2024-01-01]. Good\n2. [2024-01-02]. The key is {SECRET}\n"),
        ("memories.json", json.dumps([{"conversations_memory": f"Good\n\nThe key is {SECRET}"}])),
        ("0001-x.md", f"# 1. X\n\n## Context\n\nThe key is {SECRET}\n\n## Decision\n\nY\n"),
    ],
)
def test_a_secret_is_left_out_and_told_and_the_rest_comes_in(
    book: Book, tmp_path: Path, name: str, content: str
) -> None:
    (tmp_path / name).write_text(content)
    taken = book.imports.take(look_through([tmp_path / name]))
    assert [each.reason for each in taken.left_out] == ["it holds a secret (aws_access_key)"]
    assert SECRET not in "".join(book.transfer.export())
    assert taken.decisions == ()
    assert all("Good" in memory.text for memory in taken.memories)


def test_who_may_not_write_imports_nothing(book: Book) -> None:
    reader = book.seen_by(Principal(user="ada", rights=frozenset({Right.READ})), Door(), None)
    with pytest.raises(Denied):
        reader.imports.take(plan())
    with pytest.raises(Denied):
        reader.imports.look(plan())


def test_what_a_file_of_a_project_says_is_about_it_and_what_comes_from_elsewhere_is_not(
    book: Book, tmp_path: Path
) -> None:
    rules = "# Rules\n\n- Indent with tabs in this code.\n"
    places = {}
    for name in ("shop", "farm"):
        places[name] = (tmp_path / name).resolve()
        (places[name] / ".git").mkdir(parents=True)
        (places[name] / "CLAUDE.md").write_text(rules)
    (tmp_path / "CLAUDE.md").write_text(rules.replace("tabs", "blanks"))

    def at(name: str) -> Book:
        door = Door("cli", Origin.TYPED, "cli")
        return Book(record.replace(book.caller, project=Project.at(locate(places[name])), door=door))

    for name in ("shop", "farm"):
        taken = at(name).imports.take(look_through([places[name] / "CLAUDE.md"]))
        assert [memory.project for memory in taken.memories] == [scope_of(places[name]).id]
        again = at(name).imports.take(look_through([places[name] / "CLAUDE.md"]))
        assert (again.memories, again.known) == ((), 1)
    everything = book.list(Filter(book.scopes)).memories
    assert (
        sorted(memory.text for memory in everything if "tabs" in memory.text) == ["Indent with tabs in this code."] * 2
    )
    assert at("shop").imports.look(look_through([places["shop"] / "CLAUDE.md"]), "project").memories[0].project is None
