"""Whatever is written to a book passes its guard: no method, no field, no shelf is a way around it."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any, get_type_hints

import pytest

from commonplace import ports
from commonplace.book.book import Book
from commonplace.book.reader import Door
from commonplace.domain.corrections import entry_of
from commonplace.domain.entries import Entry
from commonplace.domain.events import Event, EventType
from commonplace.domain.memory import Memory, Origin, Provenance, Relation, RelationKind
from commonplace.domain.record import Record, replace, texts_in
from commonplace.domain.scope import Principal, Scope
from commonplace.domain.shelves import Entries
from commonplace.domain.token import Token
from commonplace.engine.guard import WRITES, GuardedStore, guarded
from commonplace.engine.lifecycle import Changes
from commonplace.errors import SecretRefused
from commonplace.ports import KeptAnswer, Store, Use
from tests.conftest import START
from tests.security.fields import token

HERE = Scope.parse("user:local")
SHORT_OF_WORDS = {
    "memories": {"next_number", "take_back", "remove"},  # numbers, and what was in the book before
    "vectors": {"put", "drop_space"},  # numbers, and the name of a model
    "entry_vectors": {"put", "drop_space"},  # an entry that is there already
    "log": {"scrub"},
    "keys": {"scrub", "sweep"},
    "relations": {"remove", "drop"},
    "entries": {"remove", "remove_children"},
}
"""What changes a book without bringing words into it."""
READS = {
    "memories": {
        "last_number",
        "by_id",
        "by_number",
        "by_numbers",
        "ids",
        "by_text",
        "has",
        "by_topic",
        "scopes",
        "page",
        "count",
        "features",
    }
    | {"wordings", "neighbours", "each"},
    "words": {"matching", "counts", "frequencies", "lead_to"},
    "vectors": {"nearest", "similarity", "of", "missing", "count_missing", "counts"},
    "sketches": {"sharing"},
    "log": {"events", "revisions", "states_at", "purged_ids", "activity"},
    "keys": {"find"},
    "relations": {"get", "of"},
    "entries": {"get", "ids", "page", "count", "matching", "passages", "term_counts", "frequencies", "holding"},
    "entry_vectors": {"nearest", "similarity", "missing", "held", "counts"},
    "tokens": {"find", "all", "exist"},
}


def parts() -> Iterator[tuple[str, type]]:
    """Every part of a unit by its name, and the tokens; whole tables are copied as they are."""
    for name, member in inspect.getmembers(ports.Unit, lambda each: isinstance(each, property)):
        if name != "tables":
            yield name, get_type_hints(member.fget, {**vars(ports), "Entries": Entries})["return"]
    yield "tokens", ports.Tokens


def test_every_method_of_a_store_is_known_to_bring_words_in_or_not_to() -> None:
    """A new one has to be entered here, and where it takes words, in the guard."""
    for name, part in parts():
        methods = {each for each, _ in inspect.getmembers(part, inspect.isfunction) if not each.startswith("_")}
        known = set(WRITES.get(name, ())) | SHORT_OF_WORDS.get(name, set()) | READS.get(name, set())
        assert methods == known, name


def memory(**changes: Any) -> Memory:
    whole = Memory(
        "mem_1",
        1,
        "Deploys are on Monday",
        HERE,
        START,
        START,
        category="ops",
        topic="deploys",
        tags=("a", "b"),
        provenance=Provenance("mail", "library", "local", None, "ses_1"),
        status_reason="because",
        successor="mem_2",
    )
    return replace(whole, **changes)


ROWS: dict[str, Record] = {
    "memories": memory(),
    "entries": Entry("note", "one", "user:local", START, {"said": ["a", {"b": "c"}]}, "words", "mem_1", "open"),
    "log": Event("evt_1", EventType.UPDATED, "mem_1", "local", START, {"reason": "wrong", "tags": ("a", "b")}),
    "uses": Use(1, START, "library"),
    "keys": KeptAnswer(b"digest", ("mem_1", "mem_2")),
    "relations": Relation("rel_1", "mem_1", "mem_2", RelationKind.SUPERSEDES, "newer", START),
    "tokens": Token("abc", b"d" * 32, "laptop", Principal("local", "ann", frozenset({"core"})), HERE, START),
}


def planted(value: object, secret: str) -> Iterator[object]:
    """The value once for each text in it, with the secret in that text's place."""
    match value:
        case str() if type(value) is str:
            yield secret
        case Record():
            for name in value.fields:
                for changed in planted(getattr(value, name), secret):
                    yield type(value).trusted(*({**value.__dict__, name: changed}[each] for each in value.fields))
        case tuple() | list():
            for place, item in enumerate(value):
                for changed in planted(item, secret):
                    yield type(value)((*value[:place], changed, *value[place + 1 :]))
        case dict():
            for key, item in value.items():
                yield {**value, secret: item}
                for changed in planted(item, secret):
                    yield {**value, key: changed}
        case frozenset():
            yield frozenset({*value, secret})


def asked(part: str, method: str, row: object) -> Callable[[Any], object]:
    """The call that writes a row by a method."""
    match part, method:
        case "memories", _:
            return lambda on: getattr(on, method)(row, START)
        case "uses", _:
            return lambda on: on.record([row])
        case "keys", _:
            return lambda on: on.keep("local", "key", row, START)
        case "entries", "next_in":
            return lambda on: on.next_in(f"decision:{row}")
    return lambda on: getattr(on, method)(row)


def test_a_secret_in_any_text_of_any_row_is_refused(book: Book) -> None:
    book.remember("Deploys are on Monday")
    tried = 0
    for part, methods in WRITES.items():
        for method in methods:
            rows = [token()] if method == "next_in" else list(planted(ROWS[part], token()))
            for row in rows:
                with pytest.raises(SecretRefused) as refused:
                    _write(book._caller.store, part, asked(part, method, row))
                assert "ghp" not in str(refused.value)
                tried += 1
    print(f"\n{tried} rows with a secret, 0 ways in")
    assert tried >= 60


def _write(store: Store, part: str, call: Callable[[Any], object]) -> None:
    if part == "tokens":
        call(store.tokens)
        return
    with store.writing("local") as unit:
        call(getattr(unit, part))


def test_a_key_that_is_a_secret_itself_is_kept_as_a_digest(book: Book) -> None:
    key = token()
    first = book.remember("one", idempotency_key=key)
    assert book.remember("one", idempotency_key=key).memory == first.memory
    with book._caller.store.reading("local") as unit:
        assert unit.keys.find("local", key, 0) is None


def test_what_is_written_is_every_text_with_the_name_of_its_field() -> None:
    texts = dict(texts_in(memory(text="one")))
    assert texts["text"] == "one"
    assert texts["provenance"] == "ses_1"
    assert {name for name, _ in texts_in({"a": [("b", {"c": "d"})]})} == {"", "a"}
    assert [text for _, text in texts_in(Changes(tags=("x", "y")))] == ["x", "y"]


def test_a_store_has_one_guard(book: Book) -> None:
    assert isinstance(book._caller.store, GuardedStore)
    assert guarded(book._caller.store) is book._caller.store
    assert book.through(book.door)._caller.store is book._caller.store


# -- what was in the book before ----------------------------------------------------------------


@pytest.fixture
def leaked(book: Book) -> tuple[Book, Memory, str]:
    """A book with a secret from before it was known as one: written past the guard."""
    known = book.remember("The key of the build is kept by ann", tags=("build",)).memory
    secret = token()
    assert isinstance(book._caller.store, GuardedStore)
    with book._caller.store._store.writing("local") as unit:
        unit.memories.replace(replace(known, text=f"The key of the build is {secret}", revision=2), START)
        unit.entries.put(Entry("note", "old", "user:local", START, {"said": secret}, f"it is {secret} now"))
    return book, known, secret


def test_a_memory_with_an_old_secret_can_be_changed_and_taken_away(leaked: tuple[Book, Memory, str]) -> None:
    book, known, secret = leaked
    assert book.update(known.id, Changes(importance=0.9)).importance == 0.9
    assert book.archive(known.id, reason="it holds a key").text.endswith(secret)
    book.restore(known.id)
    book.forget(known.id)
    assert book.purge(known.id)
    assert book.list().total == 0


def test_an_old_secret_does_not_let_a_new_one_in(leaked: tuple[Book, Memory, str]) -> None:
    book, known, secret = leaked
    with pytest.raises(SecretRefused):
        book.update(known.id, Changes(topic=token()))
    with pytest.raises(SecretRefused), book._caller.store.writing("local") as unit:
        unit.entries.put(Entry("note", "old", "user:local", START, {"said": token()}, f"it is {secret} now"))
    with book._caller.store.writing("local") as unit:
        unit.entries.put(Entry("note", "old", "user:local", START, {"said": secret}, f"{secret}", state="read"))


def test_an_old_secret_is_not_copied_into_a_snapshot_nor_a_dream(leaked: tuple[Book, Memory, str]) -> None:
    book, known, secret = leaked
    person = book.through(Door("cli", Origin.TYPED))
    person.remember("Deploys are on Monday", pinned=True)
    person.confirm(known.id)
    person.update(known.id, Changes(pinned=True))
    snapshot = person.curated.take(HERE)
    assert snapshot is not None
    assert [line for line in snapshot.lines if "Monday" in line]
    assert secret not in snapshot.text
    run = book.dreams.run()
    assert run.status.value == "applied", run.errors
    with book._caller.store.reading("local") as unit:
        rows = [
            each for shelf in ("insight", "snapshot_line") for each in unit.entries.page(ports.EntryFilter(shelf), 100)
        ]
    assert rows
    assert secret not in repr(rows)


def test_a_correction_with_an_old_secret_spoils_no_dream(book: Book) -> None:
    logged = book.corrections.log("Deploys are on Friday, not on Monday").correction
    secret = token()
    with book._caller.store._store.writing("local") as unit:  # type: ignore[attr-defined]
        unit.entries.put(entry_of(replace(logged, content=f"The key is {secret}, not abc")))
    book.remember("Deploys are on Monday")
    run = book.dreams.run()
    assert run.status.value == "applied", run.errors
    assert all(secret not in memory.text for memory in book.list().memories)
