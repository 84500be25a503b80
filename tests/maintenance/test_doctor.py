"""Looking after a book."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest

from commonplace.book.book import Book
from commonplace.domain.query import EffectiveMode, Filter
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.intake import NearPolicy, Repeats
from commonplace.engine.lease import Lease
from commonplace.errors import ModelMissing, NotABook, NotFound, PackDamaged, StoreUnwritable
from commonplace.ports import Finding, Space, Vector
from tests.conftest import ManualClock, OpenBook, having
from tests.hashing import HashingEmbedder

SECRET = "ghp_" + "016C7Xe9LmQ2vRt4Yb8NcZ5sKd3WfHgJpA1B"


def findings(book: Book) -> dict[str, Finding]:
    return {finding.check: finding for finding in book.care.doctor()}


def wrong(book: Book) -> list[str]:
    return [finding.check for finding in book.care.doctor() if not finding.ok]


def tamper(path: Path, *statements: str) -> None:
    """Change the file behind the book's back, through the same library."""
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement)
    connection.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "book.db"


@pytest.fixture
def written(open_book: OpenBook) -> Book:
    book = open_book()
    for text in ("Deploys are on Monday", "Lunch is at noon", "It rains"):
        book.remember(text, tags=["note"])
    return book


# -- doctor -----------------------------------------------------------------------------------


def test_a_book_in_use_is_healthy(written: Book) -> None:
    found = findings(written)
    assert set(found) == {
        "schema",
        "permissions",
        "pages",
        "words",
        "hashes",
        "orphans",
        "counts",
        "shelves",
        "entry vectors",
        "vectors",
        "secrets",
        "git",
        "network",
    }
    assert [finding.check for finding in found.values() if not finding.ok] == []
    assert found["network"].detail == "disabled"
    assert "3 memories, each with its words" in found["words"].detail


def test_a_model_of_this_machine_is_tried(open_book: OpenBook) -> None:
    class Spoiled(HashingEmbedder):
        def embed_query(self, text: str) -> Vector:
            raise PackDamaged("The model pack is damaged: pull it again.")

    assert findings(open_book(embedder=HashingEmbedder()))["model"].ok
    found = findings(open_book(embedder=Spoiled()))["model"]
    assert (found.ok, found.detail) == (False, "The model pack is damaged: pull it again.")


def test_a_model_over_the_network_is_not_asked_to_find_out(open_book: OpenBook) -> None:
    class Elsewhere(HashingEmbedder):
        uses_network = True

        def embed_query(self, text: str) -> Vector:
            raise AssertionError("doctor asked the network")

    found = findings(open_book(embedder=Elsewhere()))
    assert "model" not in found
    assert found["network"].detail.startswith("enabled")


def test_a_book_that_is_not_there_is_healthy_and_stays_away(open_book: OpenBook, tmp_path: Path) -> None:
    book = open_book("folder/none.db")
    assert wrong(book) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memories SET text = 'Deploys are on Sunday' WHERE number = 1",
        "UPDATE memories SET text = '' WHERE number = 1",
        "UPDATE memories SET importance = 7.0 WHERE number = 1",
        "UPDATE memories SET kind = 'poem' WHERE number = 1",
        "UPDATE memories SET status = 'undead' WHERE number = 1",
        "UPDATE memories SET scope = 'nowhere' WHERE number = 1",
        "UPDATE memories SET tags = 'not json' WHERE number = 1",
        "UPDATE memories SET expires_at = 5 WHERE number = 1",
        "UPDATE memories SET hash = x'00' WHERE number = 1",
    ],
)
def test_a_row_changed_behind_our_back_is_noticed(written: Book, path: Path, statement: str) -> None:
    id = written.get(1).id
    tamper(path, statement)
    found = findings(written)
    assert not found["hashes"].ok
    assert id in found["hashes"].detail


def test_a_past_revision_changed_behind_our_back_is_noticed(written: Book, path: Path) -> None:
    written.forget(1)
    tamper(path, "UPDATE revisions SET state = replace(state, 'Monday', 'Sunday')")
    assert wrong(written) == ["hashes"]


@pytest.mark.parametrize(
    ("statement", "check"),
    [
        ("DELETE FROM words WHERE rowid = 1", "words"),
        ("INSERT INTO words (rowid, terms) VALUES (99, 'ghost')", "words"),
        ("INSERT INTO tags (tenant, tag, row) VALUES ('local', 'ghost', 99)", "orphans"),
        ("INSERT INTO sketches (tenant, scope, key, row) VALUES ('local', 'user:local', 5, 99)", "orphans"),
        ("INSERT INTO uses VALUES (99, 'local', 1, 1, 'x', NULL)", "orphans"),
    ],
)
def test_a_damaged_index_is_noticed_and_repaired(written: Book, path: Path, statement: str, check: str) -> None:
    tamper(path, statement)
    assert wrong(written) == [check]
    assert [line for line in written.care.repair() if "3 memories" in line]
    assert wrong(written) == []
    assert [hit.memory.number for hit in written.recall("deploys").hits] == [1]
    assert written.list(Filter(written.scopes, tags=("note",))).total == 3


def test_a_recall_over_an_index_without_an_entry_finds_it_by_meaning(open_book: OpenBook, path: Path) -> None:
    book = open_book(embedder=HashingEmbedder())
    for text in ("Where shall we have the offsite?", "In Lisbon.", "Great!"):
        book.remember(text, session="ses_1")
    tamper(path, "DELETE FROM words WHERE rowid = 2")
    assert 2 in {hit.memory.number for hit in book.recall("offsite in Lisbon").hits}
    assert wrong(book) == ["words"]


def test_an_index_that_is_gone_is_noticed_and_made_again(written: Book, path: Path) -> None:
    before = [(hit.memory.number, hit.relevance) for hit in written.recall("deploys", counts_use=False).hits]
    tamper(path, "DROP TABLE words_vocabulary", "DROP TABLE words")
    assert "words" in wrong(written)
    list(written.care.repair())
    assert wrong(written) == []
    assert [(hit.memory.number, hit.relevance) for hit in written.recall("deploys").hits] == before


def test_a_book_others_can_read_is_noticed(written: Book, path: Path) -> None:
    path.chmod(0o644)
    found = findings(written)["permissions"]
    assert not found.ok
    assert "chmod 600" in found.detail


def test_a_book_in_a_repository_is_noticed(written: Book, path: Path) -> None:
    git = ["git", "-C", str(path.parent), "-c", "user.email=a@b", "-c", "user.name=a"]
    subprocess.run([*git, "init", "-q"], check=True)
    assert findings(written)["git"].ok
    subprocess.run([*git, "add", "-f", path.name], check=True)
    found = findings(written)["git"]
    assert not found.ok
    assert path.name in found.detail


def test_a_secret_that_came_in_behind_our_back_is_noticed_and_not_echoed(written: Book, path: Path) -> None:
    id = written.get(1).id
    tamper(path, f"UPDATE memories SET text = 'token {SECRET}' WHERE number = 1")
    found = findings(written)["secrets"]
    assert not found.ok
    assert id in found.detail
    assert SECRET not in repr(findings(written))


def test_examining_changes_nothing(written: Book, open_book: OpenBook, path: Path) -> None:
    written.close()
    before = path.read_bytes()
    again = open_book()
    list(again.care.doctor())
    again.close()
    assert path.read_bytes() == before


# -- vectors ----------------------------------------------------------------------------------


def test_missing_vectors_are_counted_and_filled(open_book: OpenBook, written: Book) -> None:
    assert written.care.missing_vectors() == 0, "without a model nothing is missing"
    book = open_book(embedder=HashingEmbedder())
    book.remember("Deploys with a vector")
    assert book.care.missing_vectors() == 3
    assert "3 memories lack a vector" in findings(book)["vectors"].detail
    told: list[tuple[int, int]] = []
    assert book.care.reembed(lambda done, total: told.append((done, total))) == 3
    assert told == [(0, 3), (3, 3)]
    assert wrong(book) == []
    assert book.care.reembed() == 0
    assert book.recall("deploys are on monday").hits[0].vector_score == pytest.approx(1.0, abs=0.01)


def test_filling_goes_on_where_it_was_stopped(open_book: OpenBook) -> None:
    class Tiring(HashingEmbedder):
        left = 1

        def embed(self, texts: Sequence[str]) -> list[Vector]:
            if self.left == 0:
                raise KeyboardInterrupt
            self.left -= 1
            return super().embed(texts)

    writer = open_book()
    for start in range(3):
        drafts = [writer.draft(f"note {start} {place}") for place in range(50)]
        writer.remember_many(drafts, repeats=Repeats(near=NearPolicy.IGNORE))
    with pytest.raises(KeyboardInterrupt):
        open_book(embedder=Tiring()).care.reembed()
    book = open_book(embedder=HashingEmbedder())
    left = book.care.missing_vectors()
    assert 0 < left < 150
    assert book.care.reembed() == left


def test_without_a_model_there_is_nothing_to_fill_with(written: Book) -> None:
    with pytest.raises(ModelMissing):
        written.care.reembed()


def test_older_spaces_are_kept_until_they_are_pruned(open_book: OpenBook) -> None:
    open_book(embedder=HashingEmbedder(32)).remember("Deploys are on Monday")
    book = open_book(embedder=HashingEmbedder(64))
    book.care.reembed()
    assert "1 older space" in findings(book)["vectors"].detail
    book.care.reembed(prune=True)
    assert "older" not in findings(book)["vectors"].detail
    assert open_book(embedder=HashingEmbedder(32)).care.missing_vectors() == 1


# -- copies -----------------------------------------------------------------------------------


def test_a_copy_is_a_book_of_its_own(open_book: OpenBook, written: Book, tmp_path: Path) -> None:
    written.care.backup(str(tmp_path / "copy.db"))
    written.remember("Later")
    copy = open_book("copy.db")
    assert copy.list().total == 3
    assert wrong(copy) == []


def test_a_copy_replaces_no_file_and_needs_a_folder(written: Book, tmp_path: Path) -> None:
    (tmp_path / "there.db").write_text("precious")
    with pytest.raises(StoreUnwritable):
        written.care.backup(str(tmp_path / "there.db"))
    assert (tmp_path / "there.db").read_text() == "precious"
    with pytest.raises(StoreUnwritable):
        written.care.backup(str(tmp_path / "nowhere" / "copy.db"))


def test_a_copy_put_back_is_the_book_as_it_was(open_book: OpenBook, written: Book, tmp_path: Path) -> None:
    other = open_book()
    before = written.list().memories
    written.care.backup(str(tmp_path / "copy.db"))
    written.remember("Later")
    written.forget(1)
    assert other.list().total == 3
    assert written.care.restore(str(tmp_path / "copy.db")).purged_again == 0
    assert written.list().memories == before
    assert other.list().memories == before
    assert [hit.memory.number for hit in other.recall("deploys").hits] == [1]
    assert wrong(written) == []


def test_what_was_purged_since_the_copy_stays_purged_for_everybody(
    written: Book, open_book: OpenBook, path: Path, tmp_path: Path
) -> None:
    neighbour = open_book(principal=Principal("neighbours"))
    theirs = neighbour.remember("The canary sings").memory
    gone = written.get(1)
    written.care.backup(str(tmp_path / "copy.db"))
    written.purge(gone)
    neighbour.purge(theirs)
    for _ in range(2):  # a second time as well
        assert written.care.restore(str(tmp_path / "copy.db")).purged_again == 2
        for book, memory in ((written, gone), (neighbour, theirs)):
            with pytest.raises(NotFound):
                book.get(memory.id)
            assert memory.text not in [each.text for each in book.each()]
        assert b"canary" not in path.read_bytes()


def test_what_was_purged_and_is_not_in_the_copy_stays_purged_too(written: Book, tmp_path: Path) -> None:
    written.care.backup(str(tmp_path / "copy.db"))
    gone = written.remember("The canary sings").memory
    lines = list(written.transfer.export())
    written.purge(gone)
    written.care.restore(str(tmp_path / "copy.db"))
    written.transfer.import_(lines)
    assert written.recall("canary").hits == ()


def test_numbers_given_out_since_the_copy_are_not_given_out_again(written: Book, tmp_path: Path) -> None:
    written.care.backup(str(tmp_path / "copy.db"))
    later = written.remember("Later").memory
    written.care.restore(str(tmp_path / "copy.db"))
    assert written.remember("Even later").memory.number > later.number


def test_vectors_follow_a_copy_that_was_put_back(open_book: OpenBook, tmp_path: Path) -> None:
    book, other = open_book(embedder=HashingEmbedder()), open_book(embedder=HashingEmbedder())
    book.remember("Deploys are on Monday")
    book.care.backup(str(tmp_path / "copy.db"))
    for place in range(5):
        book.forget(book.remember(f"Something else entirely {place}").memory)
    assert other.recall("deploys are on monday").hits
    book.care.restore(str(tmp_path / "copy.db"))
    new = book.remember("Breakfast is served at eight in the kitchen").memory
    for each in (book, other):
        [hit] = [
            hit for hit in each.recall("breakfast is served at eight in the kitchen").hits if hit.memory.id == new.id
        ]
        assert hit.vector_score == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("content", [None, b"", b"hello", b"SQLite format 3\x00" + b"junk" * 100])
def test_what_is_no_copy_is_not_put_back(written: Book, tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "copy.db").write_bytes(content)
    with pytest.raises(NotABook):
        written.care.restore(str(tmp_path / "copy.db"))
    assert written.list().total == 3


def test_the_database_of_another_program_is_not_put_back(written: Book, tmp_path: Path) -> None:
    tamper(tmp_path / "copy.db", "CREATE TABLE recipes (name TEXT)")
    with pytest.raises(NotABook):
        written.care.restore(str(tmp_path / "copy.db"))
    assert written.list().total == 3


# -- reset, upgrade, facts --------------------------------------------------------------------


def test_a_reset_book_is_empty_on_disk_too(written: Book, open_book: OpenBook, path: Path) -> None:
    written.care.reset()
    written.close()
    assert b"Deploys" not in path.read_bytes()
    assert open_book().list(Filter((*written.scopes, Scope.parse("project:x")), statuses=())).total == 0


def test_a_reset_book_recalls_as_a_new_one_does(written: Book) -> None:
    before = written.recall("deploys").hits[0].relevance
    written.care.reset()
    for text in ("Deploys are on Monday", "Lunch is at noon", "It rains"):
        written.remember(text, tags=["note"])
    assert written.recall("deploys").hits[0].relevance == pytest.approx(before, abs=0.001)
    assert wrong(written) == []


def test_upgrading_a_present_book_changes_nothing(written: Book) -> None:
    before, after = written.care.upgrade()
    assert before == after == int(written.care.facts()["latest_schema"])
    assert written.list().total == 3


def test_facts_name_the_place_the_engine_and_the_size(written: Book, path: Path) -> None:
    facts = written.care.facts()
    assert facts["place"] == str(path)
    assert facts["engine"].startswith("SQLite 3.")
    assert int(facts["bytes"]) >= path.stat().st_size > 0


def test_a_broken_file_is_examined_to_the_end_and_its_pages_are_named(
    written: Book, open_book: OpenBook, path: Path
) -> None:
    for place in range(200):
        written.remember(f"note {place} " + "pad " * 50, repeats=Repeats(near=NearPolicy.IGNORE))
    checks = [finding.check for finding in written.care.doctor()]
    written.close()
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 8_192] = b"\xff" * 8_192
    path.write_bytes(bytes(content))
    found = {finding.check: finding.ok for finding in open_book().care.doctor()}
    assert list(found) == checks
    assert not found["pages"]


# -- a change of model ------------------------------------------------------------------------


class Renamed(HashingEmbedder):
    """The same vectors in another space, as a new model would have."""

    @property
    def space(self) -> Space:
        return Space("renamed", "1", "python", 64)


def test_recall_goes_on_in_the_old_space_until_the_new_one_is_filled(open_book: OpenBook) -> None:
    old, new = HashingEmbedder(), Renamed()
    before = open_book(embedder=old)
    for number in range(5):
        before.remember(f"Lighthouse number {number} is red")
    book = having(open_book(embedder=new), replaced=(old,))
    assert book.recall("lighthouse").effective_mode is EffectiveMode.HYBRID
    assert book.recall("lighthouse").hits[0].vector_score is not None
    assert book.care.reembed() == 5
    before.care.reembed(prune=True)
    assert book.care.missing_vectors() == 5, "the old one was asked to drop the others' vectors"
    assert book.care.reembed(prune=True) == 5
    assert book.recall("lighthouse").hits[0].vector_score is not None


def test_only_one_at_a_time_gives_memories_their_vectors(open_book: OpenBook, clock: ManualClock) -> None:
    book = open_book(embedder=HashingEmbedder())
    plain = open_book()
    for number in range(3):
        plain.remember(f"Lighthouse number {number} is red")
    other = Lease(book._caller.store, "local", "reembed", clock)
    assert other.renew()
    assert book.care.reembed() == 0
    clock.advance(seconds=61)
    assert book.care.reembed() == 3, "a lease that nobody renews runs out"
    assert other.renew(), "who is done lets go"


def test_a_lease_is_kept_by_whoever_has_it_until_it_is_let_go(open_book: OpenBook, clock: ManualClock) -> None:
    store = open_book()._caller.store
    first, second = Lease(store, "local", "work", clock), Lease(store, "local", "work", clock)
    assert first.renew()
    assert not second.renew()
    clock.advance(seconds=59)
    assert first.renew()
    clock.advance(seconds=59)
    assert not second.renew()
    second.release()
    assert not second.renew(), "nobody lets go of another's lease"
    first.release()
    assert second.renew()
