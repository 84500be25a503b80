"""Disks that fail, fill up or lose their power: what was acknowledged stays, what failed left nothing half done."""

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import pytest

from commonplace.book.book import Book
from commonplace.engine.lifecycle import Changes
from commonplace.errors import CommonplaceError, StoreError, StoreFull
from tests.faults.disk import FailingDisk, PowerCuts, RecordingDisk
from tests.faults.workshop import open_book, texts, unhealthy

OLD_TEXT, NEW_TEXT = "The ferry sails on Monday", "The ferry sails on Friday with a longer text than before"
ADDED_TEXT = "The lighthouse keeper has a dog"
EVERY = 1_000_000  # more places than there are


@dataclass
class Script:
    """One remember, update, recall and purge on a small book, and what the caller was told of each."""

    path: Path
    disk: FailingDisk
    outcomes: dict[str, str] = field(default_factory=dict)
    strange: list[str] = field(default_factory=list)

    def run(self) -> None:
        book = open_book(self.path, busy_seconds=0.05)
        self._attempt("remember", lambda: book.remember(ADDED_TEXT, tags=["light"], topic="keeper"))
        self._attempt("update", lambda: book.update(1, Changes(text=NEW_TEXT)))
        self._attempt("recall", lambda: book.recall("ferry lighthouse"))
        self._attempt("purge", lambda: book.purge(2))
        try:
            book.close()
        except apsw.Error:  # SQLite keeps quiet about a failure to close; only a disk written in Python speaks up
            self.disk.healthy = True
            book.close()

    def _attempt(self, name: str, act: Callable[[], object]) -> None:
        try:
            act()
        except StoreError as error:
            self.outcomes[name] = "failed"
            self._check_sentence(error)
        except Exception as error:  # noqa: BLE001 - anything but a typed error is what this test looks for
            self.outcomes[name] = "strange"
            self.strange.append(f"{name}: {error!r}")
        else:
            self.outcomes[name] = "done"

    def _check_sentence(self, error: CommonplaceError) -> None:
        if "\n" in error.message or not error.message.endswith("."):
            self.strange.append(f"not a sentence: {error.message}")
        if self.disk.full and not isinstance(error, StoreFull):
            self.strange.append(f"not said to be full: {error.message}")


def effects(book: Book) -> dict[str, set[bool]]:
    """For each deed of the script, every trace it leaves: all True or all False, or it is half done."""
    with book._caller.store.reading("local") as unit:
        events = {
            number: [event.type.value.removeprefix("memory.") for event in unit.log.events(id)]
            for number, id in ((memory.number, memory.id) for memory, _, _ in unit.memories.each())
        }
        missing = unit.vectors.count_missing(book.embedder.space)  # type: ignore[union-attr]
        purged = len(unit.log.purged_ids())
    present = texts(book)
    numbers = {memory.number for memory in book.list().memories}
    words = {hit.memory.text for hit in book.recall("ferry lighthouse harbour", counts_use=False).hits}
    assert missing == 0
    return {
        "remember": {ADDED_TEXT in present, ADDED_TEXT in words, 3 in numbers, events.get(3) == ["created"]},
        "update": {NEW_TEXT in present, NEW_TEXT in words, OLD_TEXT not in present, events[1][-1] == "updated"}
        | {book.get(1).revision == 2, len(book.revisions(1)) == 2},
        "purge": {2 not in numbers, "The harbour is closed" not in words, purged == 1},
    }


def judge(path: Path, script: Script) -> list[str]:
    """What is wrong with the book the script left behind, seen from a sound disk."""
    wrong = list(script.strange)
    with open_book(path) as book:
        wrong += unhealthy(book)
        for deed, traces in effects(book).items():
            if len(traces) != 1:
                wrong.append(f"{deed} is half done")
            elif script.outcomes[deed] == "done" and traces != {True}:
                wrong.append(f"{deed} was acknowledged and is lost")
        if book.remember("Life goes on at the pier").memory.number < 3:
            wrong.append("a number was given out twice")
    return wrong


@pytest.fixture(scope="module")
def small_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("small") / "book.db"
    with open_book(path) as book:
        book.remember(OLD_TEXT, tags=["boat"])
        book.remember("The harbour is closed")
    return path


@pytest.fixture
def fresh_copy(small_book: Path, tmp_path: Path) -> Callable[[], Path]:
    """A new copy of the small book for each call; no connection is open on the original."""
    counter = iter(range(1_000_000))

    def copy() -> Path:
        folder = tmp_path / str(next(counter))
        folder.mkdir()
        return Path(shutil.copy(small_book, folder / "book.db"))

    return copy


def chosen(seen: list[str], places: int) -> list[int]:
    """So many places spread over all operations, and the first and the last of every kind of operation."""
    kinds = {kind: place for place, kind in reversed(list(enumerate(seen)))}
    last = {kind: place for place, kind in enumerate(seen)}
    return sorted({*range(0, len(seen), max(1, len(seen) // places)), *kinds.values(), *last.values()})


def sweep(fresh_copy: Callable[[], Path], places: int, *, full: bool, lasting: bool) -> list[str]:
    """Run the script once for each of so many operations, failing there; everything that went wrong."""
    with FailingDisk(full=full).installed() as disk:
        Script(fresh_copy(), disk).run()
    count = len(disk.seen)
    assert count > 40, "the disk saw too little: the test tests nothing"
    wrong: list[str] = []
    for at in chosen(list(map(str, disk.seen)), places):
        path = fresh_copy()
        with FailingDisk(at, lasting=lasting, full=full).installed() as failing:
            script = Script(path, failing)
            script.run()
        place = f"{failing.seen[at]} ({at} of {count})" if at < len(failing.seen) else "never reached"
        wrong += [f"{place}: {problem}, callers heard {script.outcomes}" for problem in judge(path, script)]
        shutil.rmtree(path.parent)
    return wrong


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "for good"])
@pytest.mark.parametrize("full", [False, True], ids=["error", "full"])
def test_a_disk_that_fails_anywhere_leaves_a_consistent_book_and_typed_errors(
    full: bool, lasting: bool, fresh_copy: Callable[[], Path], scaled: Callable[[int, int], int]
) -> None:
    wrong = sweep(fresh_copy, scaled(20, EVERY), full=full, lasting=lasting)
    assert wrong == []


@pytest.mark.parametrize("full", [False, True], ids=["error", "full"])
def test_recall_answers_on_a_disk_that_takes_no_writes(full: bool, fresh_copy: Callable[[], Path]) -> None:
    """Counting the use fails; that is no reason to keep the answer back."""
    path = fresh_copy()
    with FailingDisk(0, lasting=True, full=full, only=("xWrite", "xSync")).installed() as disk:
        book = open_book(path)
        assert book.recall("ferry").hits[0].memory.text == OLD_TEXT
        assert disk.failed > 0, "nothing was written: the test tests nothing"
        disk.healthy = True
        book.recall("ferry")
        assert book.get(1).usage.count == 2, "what could not be counted then is counted later"
        book.close()


@pytest.mark.parametrize("full", [False, True], ids=["error", "full"])
def test_a_purge_whose_traces_cannot_be_erased_gives_a_receipt_that_says_so(
    full: bool, fresh_copy: Callable[[], Path]
) -> None:
    """The rows are gone and that is committed: an error would say that nothing was changed."""
    path = fresh_copy()
    with FailingDisk(0, lasting=True, full=full, only=("xWrite", "xSync"), file="book.db").installed() as disk:
        book = open_book(path)
        receipt = book.purge(2)
        assert disk.failed > 0, "the checkpoint never came: the test tests nothing"
        assert not receipt.erasure.complete
        disk.healthy = True
        assert book.purge().erasure.complete
        book.close()


def test_an_error_does_not_say_that_nothing_was_changed_when_it_may_have_been(fresh_copy: Callable[[], Path]) -> None:
    """When the last sync of a commit fails, whoever opens the book next may find the change in the log."""
    path = fresh_copy()
    with FailingDisk(2, lasting=True, only=("xSync",), file="-wal").installed() as disk:
        book = open_book(path)
        book.remember("The first is well kept")
        with pytest.raises(StoreError) as caught:
            book.remember(ADDED_TEXT)
        assert disk.failed > 0
        left_behind = Path(shutil.copytree(path.parent, path.parent.with_name("left behind"))) / path.name
        disk.healthy = True
        book.close()
    with open_book(left_behind) as book:
        assert ADDED_TEXT not in texts(book) or "nothing was changed" not in caught.value.message


# -- power -----------------------------------------------------------------------------------


@dataclass
class Promise:
    """What the caller had been told by a moment of the recording."""

    moment: int
    text: str
    kept: bool


def keep_a_diary(path: Path, disk: RecordingDisk, synchronous: str) -> list[Promise]:
    """Use a book for a while: memories, updates, purges and recalls, enough for the log to start anew."""
    promises: list[Promise] = []
    with open_book(path, synchronous=synchronous) as book:
        for day in range(90):
            text = f"Day {day}: the tide stood at word{day:04d} over the old bridge " + "and rose " * (day % 40)
            kept = book.remember(text.strip(), tags=[f"day-{day}"]).memory
            promises.append(Promise(disk.now, kept.text, True))
            if day % 3 == 1:
                promises.append(Promise(disk.now, kept.text, False))  # from here on it may be gone already
                changed = book.update(kept, Changes(text=f"{kept.text}, as changed{day:04d}"))
                promises.append(Promise(disk.now, changed.text, True))
            if day % 10 == 9:
                book.recall("tide bridge")
            if day % 30 == 17:
                promises.append(Promise(disk.now, text.strip(), False))
                book.purge(kept)
    return promises


def owed(promises: list[Promise], moment: int) -> set[str]:
    """The texts that must be there if the power goes at that moment."""
    texts: set[str] = set()
    for promise in promises:
        if promise.moment > moment and promise.kept:
            break
        if promise.kept:
            texts.add(promise.text)
        else:
            texts.discard(promise.text)
    return texts


def cut_power(tmp_path: Path, synchronous: str, cuts: int) -> tuple[list[str], int]:
    """Record a diary, cut the power at random moments, open what is left; problems, and how many cuts lost any."""
    recording = RecordingDisk()
    chance = random.Random(f"{synchronous} {cuts}")
    (tmp_path / "live").mkdir()
    with recording.installed():
        promises = keep_a_diary(tmp_path / "live" / "book.db", recording, synchronous)
    power = PowerCuts(recording, chance)
    wrong: list[str] = []
    losses = 0
    for number, moment in enumerate(sorted(chance.sample(range(promises[0].moment, recording.now), cuts))):
        folder = tmp_path / f"cut-{number}"
        folder.mkdir(mode=0o700)
        for name, content in power.after(moment).items():
            (folder / name).write_bytes(content)
            (folder / name).chmod(0o600)
        with open_book(folder / "book.db") as book:
            lost = owed(promises, moment) - texts(book)
            losses += bool(lost)
            wrong += [f"cut {moment}: {problem}" for problem in (*(f"lost: {text}" for text in lost), *unhealthy(book))]
        shutil.rmtree(folder)
    return wrong, losses


def test_a_power_cut_loses_nothing_acknowledged(tmp_path: Path, scaled: Callable[[int, int], int]) -> None:
    wrong, _ = cut_power(tmp_path, "FULL", scaled(80, 2_000))
    assert wrong == []


def test_the_power_cuts_are_hard_enough_to_break_a_weaker_promise(tmp_path: Path) -> None:
    """With synchronous=NORMAL the same cuts lose writes: the test above can see a loss."""
    _, losses = cut_power(tmp_path, "NORMAL", 60)
    assert losses > 5


@pytest.fixture(scope="module")
def after_purge(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, bytes]]:
    """What may be on the disk when the power goes right after a receipt has been given."""
    recording = RecordingDisk()
    with recording.installed(), open_book(tmp_path_factory.mktemp("purge") / "book.db") as book:
        for day in range(10):
            book.remember(f"Day {day}: the tide stood at {day} over the bridge")
        receipt = book.purge(book.remember("The quokkabird sings at night").memory)
        purged = recording.now
    assert receipt.erasure.complete
    power = PowerCuts(recording, random.Random(7))
    return [power.after(purged) for _ in range(40)]


def test_a_power_cut_after_a_purge_does_not_undo_it(after_purge: list[dict[str, bytes]], tmp_path: Path) -> None:
    for number, left in enumerate(after_purge):
        folder = tmp_path / str(number)
        folder.mkdir(mode=0o700)
        for name, content in left.items():
            (folder / name).write_bytes(content)
            (folder / name).chmod(0o600)
        with open_book(folder / "book.db") as book:
            assert len(texts(book)) == 10
            assert unhealthy(book) == []


def test_a_power_cut_after_a_receipt_brings_no_byte_back(after_purge: list[dict[str, bytes]]) -> None:
    """The receipt says that the bytes are gone: from the disk, not only from the system's cache of it."""
    for left in after_purge:
        assert [name for name, content in left.items() if b"quokkabird" in content.lower()] == []
