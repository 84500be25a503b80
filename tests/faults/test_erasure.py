"""What is purged is gone: from every file, every index, every way back in."""

import random
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.book.edits import Receipt
from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter
from commonplace.engine.intake import Remembered
from commonplace.engine.lifecycle import Changes
from commonplace.errors import NotFound
from commonplace.maintenance import erasure
from commonplace.text import terms
from tests.faults.workshop import Companion, found, open_book, run_child, texts, unhealthy
from tests.hashing import HashingEmbedder

FILLER = (
    "harbour",
    "opens",
    "dawn",
    "boats",
    "go",
    "tide",
    "before",
    "anybody",
    "awake",
    "lighthouse",
    "keeper",
    "pier",
    "gull",
    "rope",
    "sail",
    "storm",
    "quay",
    "mast",
    "anchor",
    "crew",
    "captain",
    "deck",
    "cabin",
    "lantern",
    "fog",
    "bell",
    "chart",
    "compass",
    "north",
    "harvest",
    "market",
    "bread",
    "oil",
    "lemon",
    "olive",
    "garden",
    "wall",
    "roof",
    "rain",
    "river",
    "bridge",
    "mill",
    "road",
    "hill",
    "valley",
    "school",
    "letter",
    "paper",
    "ink",
    "table",
    "window",
    "door",
)
"""Many words, so that none is said very often even in a long text: see the test about such words."""


@dataclass
class Canary:
    """A memory whose every part has words that occur nowhere else, through all its revisions."""

    chance: random.Random
    words: list[str] = field(default_factory=list)
    versions: list[str] = field(default_factory=list)

    def word(self) -> str:
        """A new word in a random case, remembered in order to be looked for."""
        made = "".join(self.chance.choices("bcdfghjklmnpqrtvwxz", k=14))
        self.words.append(made)
        return self.chance.choice((made, made.upper(), made.title()))

    def text(self) -> str:
        """Something to say: a few words of its own among ordinary ones, short or long."""
        length = self.chance.choice((4, 12, 60, 200, 800))
        said = [self.word() if place % 40 == 1 else self.chance.choice(FILLER) for place in range(length)]
        self.versions.append(" ".join(said))
        return self.versions[-1]

    def live(self, book: Book) -> Memory:
        """Be remembered, and go through what memories go through."""
        memory = book.remember(
            self.text(),
            tags=[self.word(), self.word()],
            topic=self.word(),
            category=self.word(),
            session=self.word(),
            source=self.word(),
        ).memory
        for _ in range(self.chance.randrange(4)):
            memory = book.update(memory, Changes(text=self.text(), tags=(self.word(),), topic=self.word()))
        match self.chance.randrange(6):
            case 0:
                book.supersede(memory, book.remember("Something newer stands").memory, reason=self.word())
            case 1:
                book.forget(memory, reason=f"because of {self.word()}")
            case 2:
                book.restore(book.archive(memory, reason=self.word()))
            case 3:
                book.invalidate(memory, reason=self.word())
            case 4:
                book.recall(self.versions[-1][:200])
        return memory


def traces(folder: Path, canaries: Iterable[Canary]) -> list[str]:
    """What another process finds of the canaries: their words and terms in any case, and pieces of their vectors."""
    words = {word for canary in canaries for word in canary.words}
    words |= {term for word in words for term in terms(word)}
    vectors = HashingEmbedder().embed([text for canary in canaries for text in canary.versions])
    pieces = [vector[start : start + 32].hex() for vector in vectors for start in (0, 48, 96)]
    telling = [piece for piece in pieces if piece.count("00") < 8]  # a stretch of zeros is anywhere
    return list(run_child("scan", folder=str(folder), words=sorted(words), blobs=telling))


def gone(receipt: Receipt) -> bool:
    return receipt.erasure.complete


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir(mode=0o700)
    return tmp_path / "home" / "book.db"


def test_the_scan_finds_what_is_there(path: Path) -> None:
    canary = Canary(random.Random(1))
    with open_book(path) as book:
        canary.live(book)
        found_now = traces(path.parent, [canary])
    assert {f"book.db-wal: {canary.words[0]}"} <= set(found_now)
    assert any("vector" in trace for trace in found_now)


@pytest.mark.parametrize("seed", range(2))
def test_not_a_byte_of_a_purged_memory_is_left_in_any_file(
    seed: int, path: Path, scaled: Callable[[int, int], int]
) -> None:
    chance = random.Random(seed)
    count = scaled(30, 400)
    canaries = [Canary(random.Random(f"{seed} {number}")) for number in range(count)]
    with open_book(path) as book:
        memories = []
        for number, canary in enumerate(canaries):
            for other in range(3):
                filler = chance.choices(FILLER, k=chance.choice((8, 30, 200)))
                book.remember(f"Neighbour {number}.{other}: {' '.join(filler)}", tags=["tide"])
            memories.append(canary.live(book))
        chance.shuffle(memories)
        receipts = [book.purge(*memories[start : start + 7]) for start in range(0, count, 7)]
        assert all(gone(receipt) for receipt in receipts)
        assert traces(path.parent, canaries) == []
        assert unhealthy(book) == []
    assert traces(path.parent, canaries) == []


def test_not_a_byte_is_left_of_memories_purged_one_by_one_from_a_large_index(
    path: Path, scaled: Callable[[int, int], int]
) -> None:
    """Word indexes keep separators between their pages: those are made of words, too."""
    canaries = [Canary(random.Random(number)) for number in range(scaled(250, 3_000))]
    with open_book(path) as book:
        drafts = [book.draft(f"{canary.word()} {canary.word()} {canary.word()} tide") for canary in canaries]
        for canary, draft in zip(canaries, drafts, strict=True):
            canary.versions.append(draft.text)
        kept = [
            result.memory
            for start in range(0, len(drafts), 250)
            for result in book.remember_many(drafts[start : start + 250])
        ]
        for memory in kept[:-1]:
            with book._caller.store.writing("local") as unit:
                erasure.purge(unit, book._caller.context(), memory)
        assert gone(book.purge(kept[-1]))
        assert traces(path.parent, canaries) == []


def test_not_a_byte_is_left_in_the_gaps_of_pages_that_were_joined(
    tmp_path: Path, scaled: Callable[[int, int], int]
) -> None:
    """When rows go, SQLite joins half-empty pages; what it moved stays behind in the gap, secure_delete or not."""
    everybody: list[Canary] = []
    for seed in range(scaled(4, 100)):
        canaries = [Canary(random.Random(f"{seed} {number}")) for number in range(60)]
        everybody += canaries
        come_and_go(tmp_path / f"{seed}.db", canaries, random.Random(seed))
    assert traces(tmp_path, everybody) == []


def come_and_go(path: Path, canaries: list[Canary], chance: random.Random) -> None:
    """Fill a book with canaries of many tags, each beside a neighbour, and purge the canaries a few at a time."""
    with open_book(path, vectors=False) as book:
        drafts = []
        for number, canary in enumerate(canaries):
            tags = [canary.word() for _ in range(30)]
            drafts.append(book.draft(f"{canary.word()} harbour {number}", tags=tags, category=canary.word()))
            said = f"Neighbour {number} says {chance.choice(FILLER)} {chance.random()}"
            drafts.append(book.draft(said, tags=chance.sample(FILLER, 4)))
        kept = [*book.remember_many(drafts[:100]), *book.remember_many(drafts[100:])]
        purged = [result.memory for result in kept[::2] if isinstance(result, Remembered)]
        chance.shuffle(purged)
        receipts = [book.purge(*purged[start : start + 7]) for start in range(0, len(purged), 7)]
        assert all(gone(receipt) for receipt in receipts)


def test_a_word_said_very_often_is_gone_after_an_update_and_a_purge(path: Path) -> None:
    """FTS5 (3.54) forgets to delete such a word if the row was deleted and inserted in one transaction before."""
    canary = Canary(random.Random(2))
    often = canary.word().lower()
    with open_book(path) as book:
        memory = book.remember(f"The first text says {often}").memory
        book.update(memory, Changes(text=f"{often} " * 150))
        assert unhealthy(book) == []
        assert gone(book.purge(memory))
        assert unhealthy(book) == []
        assert traces(path.parent, [canary]) == []


def test_a_deep_purge_leaves_nothing_either_and_gives_the_space_back(path: Path) -> None:
    canaries = [Canary(random.Random(number)) for number in range(20)]
    with open_book(path) as book:
        memories = [canary.live(book) for canary in canaries]
        receipt = book.purge(*memories)
        assert gone(receipt)
        assert traces(path.parent, canaries) == []
        assert unhealthy(book) == []


def test_a_purge_under_a_long_reader_is_pending_and_the_next_one_completes_it(path: Path) -> None:
    canary = Canary(random.Random(3))
    with open_book(path, busy_seconds=0.05) as book:
        memory = canary.live(book)
        with Companion(path) as reader:
            reader.ask("begin_reading")
            receipt = book.purge(memory)
            assert not gone(receipt)
            assert "reading the book" in receipt.erasure.detail
            assert traces(path.parent, [canary]) != [], "it is gone although the receipt says pending"
            assert not gone(book.purge())
            reader.ask("end")
            assert gone(book.purge())
            assert traces(path.parent, [canary]) == []


def test_a_purge_that_was_killed_before_its_receipt_is_completed_by_the_next(path: Path) -> None:
    canary = Canary(random.Random(4))
    with open_book(path) as book:
        memory = canary.live(book)
        with book._caller.store.writing("local") as unit:
            erasure.purge(unit, book._caller.context(), memory)
        assert traces(path.parent, [canary]) != []
        assert gone(book.purge())
        assert traces(path.parent, [canary]) == []


def test_the_audit_keeps_the_ids_of_what_was_purged_and_nothing_it_said(path: Path) -> None:
    canary = Canary(random.Random(5))
    with open_book(path) as book:
        memory = canary.live(book)
        receipt = book.purge(memory)
        events = book.history(memory.id)
        assert receipt.ids == (memory.id,)
        assert [event.type.value for event in events][0 :: len(events) - 1] == ["memory.created", "memory.purged"]
        assert {event.memory_id for event in events} == {memory.id}
        assert {name for event in events for name in event.payload} <= {"kind", "scope", "by"}
        with pytest.raises(NotFound):
            book.get(memory.id)
        everything = Filter(book.scopes, statuses=(), include_expired=True)
        assert canary.versions[-1] not in {each.text for each in book.list(everything).memories}


def test_a_purged_memory_is_absent_at_every_moment_of_the_past(path: Path) -> None:
    canary = Canary(random.Random(6))
    with open_book(path) as book:
        memory = canary.live(book)
        moment = memory.updated_at
        book.purge(memory)
        past = Filter(book.scopes, statuses=(), include_expired=True, as_of=moment)
        assert book.list(past).memories == ()
        assert found(book, canary.words[0], filter=past) == set()


def test_importing_an_export_does_not_bring_a_purged_memory_back(path: Path) -> None:
    canary = Canary(random.Random(7))
    with open_book(path) as book:
        memory = canary.live(book)
        document = list(book.transfer.export())
        book.purge(memory)
        outcome = book.transfer.import_(document, trust=True)
        assert outcome.skipped >= 1
        with pytest.raises(NotFound):
            book.get(memory.id)
        assert traces(path.parent, [canary]) == []


def test_restoring_an_older_backup_purges_again_what_was_purged_since(path: Path, tmp_path: Path) -> None:
    canary = Canary(random.Random(8))
    backup = tmp_path / "backup.db"
    with open_book(path) as book:
        book.remember("The harbour opens at dawn")
        memory = canary.live(book)
        book.care.backup(str(backup))
        book.purge(memory)
        book.remember("Written after the back-up")
        assert book.care.restore(str(backup)).purged_again == 1
        with pytest.raises(NotFound):
            book.get(memory.id)
        assert "The harbour opens at dawn" in texts(book)
        assert "Written after the back-up" not in texts(book)
        assert unhealthy(book) == []
        assert traces(path.parent, [canary]) == []
        assert [event.type.value for event in book.history(memory.id)][-1] == "memory.purged"


def test_a_memory_purged_before_a_restore_cannot_come_back_by_import_after_it(path: Path, tmp_path: Path) -> None:
    """The back-up knows nothing of the memory, nor that it was purged; the book must not forget that."""
    canary = Canary(random.Random(9))
    backup = tmp_path / "backup.db"
    with open_book(path) as book:
        book.remember("The harbour opens at dawn")
        book.care.backup(str(backup))
        memory = canary.live(book)
        document = list(book.transfer.export())
        book.purge(memory)
        book.care.restore(str(backup))
        book.transfer.import_(document, trust=True)
        with pytest.raises(NotFound):
            book.get(memory.id)


def test_the_copy_an_upgrade_made_does_not_keep_what_is_purged_later(path: Path, tmp_path: Path) -> None:
    """The copy was ours, made unasked: what is purged from the book must not live on beside it unsaid."""
    step = tmp_path / "next.sql"
    step.write_text("ALTER TABLE memories ADD COLUMN mood TEXT")
    canary = Canary(random.Random(10))
    with open_book(path) as book:
        memory = canary.live(book)
    with open_book(path, next_step=step) as book:
        receipt = book.purge(memory.id)
    assert traces(path.parent, [canary]) == [] or not gone(receipt) or "backup" in receipt.erasure.detail


def test_an_idempotency_key_of_a_purged_memory_is_told_so(path: Path) -> None:
    canary = Canary(random.Random(11))
    text = canary.text()
    with open_book(path) as book:
        first = book.remember(text, idempotency_key="once").memory
        book.purge(first)
        with pytest.raises(NotFound) as caught:
            book.remember(text, idempotency_key="once")
        assert "use a new key" in caught.value.message
        assert book.remember(text, idempotency_key="twice").memory.id != first.id


def test_a_reset_leaves_no_byte_of_anything(path: Path) -> None:
    canaries = [Canary(random.Random(number)) for number in range(15)]
    with open_book(path) as book:
        for canary in canaries:
            canary.live(book)
        book.care.reset()
        assert traces(path.parent, canaries) == []
        assert texts(book) == set()
        assert unhealthy(book) == []


def test_a_book_that_was_reset_ranks_like_a_new_one(path: Path, tmp_path: Path) -> None:
    sentences = ("The harbour opens at dawn", "The harbour closes at dusk", "The boats are blue")
    with open_book(path, vectors=False) as book:
        book.remember("Something from before")
        book.care.reset()
        for sentence in sentences:
            book.remember(sentence)
        again = [(hit.memory.text, hit.word_score) for hit in book.recall("harbour boats").hits]
    with open_book(tmp_path / "new.db", vectors=False) as book:
        for sentence in sentences:
            book.remember(sentence)
        assert again == [(hit.memory.text, hit.word_score) for hit in book.recall("harbour boats").hits]


def test_a_backup_is_compact_and_holds_nothing_that_was_purged(path: Path, tmp_path: Path) -> None:
    canary = Canary(random.Random(12))
    (tmp_path / "away").mkdir()
    with open_book(path) as book:
        memory = canary.live(book)
        book.purge(memory)
        book.care.backup(str(tmp_path / "away" / "backup.db"))
    assert traces(tmp_path / "away", [canary]) == []
    shutil.rmtree(tmp_path / "away")
