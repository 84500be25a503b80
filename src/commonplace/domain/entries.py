"""What is kept beside memories, as entries on named shelves.

Evidence, documents, decisions, sessions, teams, corrections and dreams are looked up by id, by
what they belong to, by state, by time and by words, and by nothing else. So there is one shape for
all of them in a store, and one suite that proves it on every engine; what an entry means is known
to the module that owns its shelf.
"""

import json
from collections.abc import Mapping
from hashlib import blake2b
from types import MappingProxyType

from commonplace.domain.canonical_json import HASH_BYTES, dumps
from commonplace.domain.record import Record
from commonplace.domain.validation import check_id, check_time
from commonplace.errors import BookDamaged, InvalidInput

ENTRY_LENGTH_LIMIT = 1_000_000
QUOTING = ("insight", "correction")
"""Shelves whose entries may repeat what a memory says. Their text is the ids of those memories, and a purge of any
of these takes the entry along."""

SEARCHED = ("decision", "session", "turn", "chunks")
"""Shelves that recall looks through too, by words and by meaning: their entries have vectors. The schema names them."""

Body = Mapping[str, object]


class Entry(Record):
    """One thing on a shelf. `text` is what it is found by; the rest of it is plain JSON."""

    shelf: str
    id: str
    scope: str
    at: int
    body: Body = MappingProxyType({})
    text: str = ""
    parent: str | None = None
    state: str = ""

    def __post_init__(self) -> None:
        check_id(self.shelf, "shelf")
        check_id(self.id)
        check_time(self.at, "at")
        if len(self.text) > ENTRY_LENGTH_LIMIT:
            raise InvalidInput(f"An entry may have {ENTRY_LENGTH_LIMIT:,} characters: split it up.", "text")


class EntryFilter(Record):
    """Which entries of a shelf. Empty tuples mean any; times are `since <= at < until`."""

    shelf: str
    scopes: tuple[str, ...] = ()
    parent: str | None = None
    states: tuple[str, ...] = ()
    since: int | None = None
    until: int | None = None


def body_text(entry: Entry) -> str:
    """The body as a store keeps it: canonical, so that equal bodies are equal bytes."""
    return dumps(dict(entry.body))


def body_of(text: str) -> Body:
    """The body as it was stored; BookDamaged if it can no longer be read."""
    try:
        found: Body = json.loads(text)
    except ValueError:
        raise BookDamaged("An entry beside the memories is damaged: run 'commonplace doctor'.") from None
    return found


def entry_hash(entry: Entry) -> bytes:
    """Over everything an entry is: doctor sees by it when a bit has turned."""
    fields = [entry.shelf, entry.id, entry.scope, entry.parent, entry.state, entry.at, entry.text, body_text(entry)]
    return blake2b(dumps(fields).encode(), digest_size=HASH_BYTES).digest()
