"""A book that says the hostile texts in every way there is to say something, as many ways in as there are doors."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from commonplace.book.book import Book
from commonplace.config import load
from commonplace.decisions.decision import Proposal
from commonplace.dialect import perform
from commonplace.dialects import load_dialect
from commonplace.domain.memory import Origin
from commonplace.engine.caller import Door
from commonplace.errors import InvalidInput
from commonplace.imports import look_through
from commonplace.sessions.transcripts import read_text
from tests.conftest import HASTY
from tests.web.payloads import labels, payloads

PERSON = Door("cli", Origin.TYPED, "cli")
ROOM = 2_000_000  # characters of curated memory, so that none is refused for its length
SAYING: Mapping[str, tuple[str, Callable[[str], dict[str, object]]]] = {
    "ownsona": ("remember", lambda text: {"text": text, "dedup_policy": "insert"}),
    "aleph": ("remember", lambda text: {"content": text}),
    "snipara": ("rlm_remember", lambda text: {"content": text, "scope": "user", "type": "fact"}),
    "onelamp": ("save_context", lambda text: {"content": text, "memory_type": "fact"}),
    "nuzo": ("memory.remember", lambda text: {"content": text, "kind": "fact"}),
    "native": ("memory_remember", lambda text: {"text": text}),
}
"""The tool by which each dialect stores one text, and its arguments."""


class Stored(dict[str, int]):
    """How many of the texts each way in has taken."""


def fill(place: Path) -> Stored:
    """Store every text by every way in; whatever a way refuses, it refuses with a sentence and is not counted."""
    stored = Stored()
    with Book.open(
        configuration=load({"store": str(place), "model": "none", "synchronous": HASTY, "curated_budget": ROOM}),
        door=PERSON,
    ) as book:
        for name in SAYING:
            stored[name] = _through(book, name, payloads())
        stored["labels"] = _labels(book)
        stored["turns"] = _sessions(book)
        stored["decisions"] = _decisions(book)
        stored["imports"] = _imports(book, place.parent)
        stored["changes"] = _changes(book)
    return stored


def _through(book: Book, name: str, texts: Sequence[str]) -> int:
    dialect = load_dialect(name)
    tool, arguments = SAYING[name]
    through = book.through(dialect.door)
    said = (f"{name} {text}" for text in texts)  # else the second dialect finds it known already
    return sum(not perform(dialect, through, tool, arguments(text)).failed for text in said)


def _labels(book: Book) -> int:
    """Where a name goes: topic, category, source, session, tags."""
    taken = 0
    for number, label in enumerate(labels()):
        fields: list[dict[str, object]] = [
            {"topic": label},
            {"source": label, "session": label},
            {"category": label, "tags": [label[:60]]},
        ]
        try:
            book.remember(f"labelled {number} {label}", **fields[number % len(fields)])  # type: ignore[arg-type]
        except InvalidInput:
            continue  # what no label may hold
        taken += 1
    return taken


def _sessions(book: Book) -> int:
    """One conversation that says them all, with a rule to be learnt after each tenth."""
    turns = []
    for number, text in enumerate(payloads()):
        turns.append(f"User: {text}".replace("\n", " "))
        if number % 10 == 0:
            turns.append(
                f"User: From now on always keep rule {number}, that is {text[:300]}, for good.".replace("\n", " ")
            )
    book.through(load_dialect("native").door).sessions.save(read_text("\n".join(turns)), book.scope())
    return len(payloads())


def _decisions(book: Book) -> int:
    taken = 0
    for text in payloads()[::5]:
        try:
            proposal = Proposal(
                text[:120].replace("\n", " "), "reviewer", text, text, text, "pages", alternatives=(text,)
            )
            book.decisions.create(book.scope(), proposal)
        except InvalidInput:
            continue  # titles are shorter than texts
        taken += 1
    return taken


def _imports(book: Book, folder: Path) -> int:
    """A file out of another tool, each text one of its memories."""
    exported = folder / "mem0.json"
    results = [
        {"id": f"{number:08}-0000-4000-8000-000000000000", "memory": f"imported {text}", "user_id": "default"}
        for number, text in enumerate(payloads())
    ]
    exported.write_text(json.dumps({"results": results}), encoding="utf-8")
    return len(book.imports.take(look_through([exported])).memories)


def _changes(book: Book) -> int:
    """Revisions, reasons, relations, and an agent's words in the place of a person's."""
    agent, taken = book.through(load_dialect("native").door), 0
    for text in payloads()[::4]:
        typed = book.remember(f"typed {text}").memory
        answer = perform(
            load_dialect("native"), agent, "memory_update", {"id": str(typed.number), "text": f"revised {text}"}
        )
        taken += not answer.failed
        other = book.remember(f"forgotten {text}").memory
        book.forget(other.id, reason=text[:1_000])
    return taken


def described(stored: Stored) -> str:
    """For the report of a run: what went in by which way."""
    return json.dumps(stored)
