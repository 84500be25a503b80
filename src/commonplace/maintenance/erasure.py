"""Erasure: everything a purge has to reach, as one list. A purge and the restoring of a back-up both go by it.

What a memory says may stand in many places: in its row and its indexes, in what it said before, in the
conversations it was learnt from, in what dreams and corrections made of it. `REACHES` names them all, and a
test holds it against the shelves there are. Copies that other people made are theirs, and a document is not
cut because a memory rested on it; the link between the two goes.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from commonplace.domain.entries import QUOTING, Entry, EntryFilter
from commonplace.domain.events import EventType
from commonplace.domain.memory import Memory
from commonplace.domain.record import Record, replace
from commonplace.domain.validation import check_reason
from commonplace.engine.context import Context
from commonplace.engine.lifecycle import log
from commonplace.engine.operations import forget_memory
from commonplace.engine.paging import each_entry
from commonplace.ports import Unit
from commonplace.sessions.entries import SESSIONS, TURNS, owner_of, session_of
from commonplace.text import collapse, is_wide, normalise, terms

TERMS = 32  # words by which a place is found; what has all of these is read and compared letter by letter


class Target(Record):
    """What is to be gone: a memory with every text and every scope it ever had, and who wants it gone."""

    memory: Memory
    texts: tuple[str, ...]
    scopes: tuple[str, ...]
    purged_by: str


Reach = Callable[[Unit, Target], None]


def purge(unit: Unit, context: Context, memory: Memory, reason: str | None = None) -> None:
    """Take every byte of a memory out of a book, in the caller's transaction.

    The reason stays: whoever gives one gives it for the log.
    """
    check_reason(reason)
    past = [revision.memory for revision in unit.log.revisions(memory.number)]
    texts = dict.fromkeys(state.text for state in (memory, *past))
    scopes = dict.fromkeys(str(state.scope) for state in (memory, *past))
    target = Target(memory, tuple(texts), tuple(scopes), context.principal.user)
    for reach in REACHES.values():
        reach(unit, target)
    payload = {"kind": memory.kind.value, "scope": str(memory.scope), "by": target.purged_by}
    log(unit, context, EventType.PURGED, memory, payload if reason is None else {**payload, "reason": reason})


def without(text: str, phrase: str) -> str:
    """A text without a phrase, wherever it stands as words of its own, whatever its case and the blanks in it."""
    words = [(start, word) for start, word in _words(normalise(text))]
    flat = " ".join(word for _, word in words)
    wanted = collapse(phrase)
    hay, needle = (flat.lower(), wanted.lower()) if len(flat.lower()) == len(flat) else (flat, wanted)
    if not needle or needle not in hay:
        return text
    origin = [start + place for start, word in words for place in range(len(word) + 1)]
    kept, cut, found = list[str](), 0, hay.find(needle)
    source = normalise(text)
    while found >= 0:
        end = found + len(needle)
        if _stands_alone(flat, found, end):
            kept.append(source[cut : origin[found]])
            cut = origin[end - 1] + 1
        found = hay.find(needle, end)
    return text if not cut else "".join((*kept, source[cut:])).strip()


def _words(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for word in text.split():
        start = text.index(word, start)
        yield start, word
        start += len(word)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Not a part of longer words; in scripts without blanks there are none to be a part of."""
    before = start > 0 and _joins(text[start - 1], text[start])
    return not before and not (end < len(text) and _joins(text[end - 1], text[end]))


def _joins(left: str, right: str) -> bool:
    return all(each.isalnum() or each == "_" for each in (left, right)) and not (is_wide(left) or is_wide(right))


# -- the places -------------------------------------------------------------------------------


def _row(unit: Unit, target: Target) -> None:
    """The row with its words, vectors, sketch, uses and past revisions."""
    unit.memories.remove(target.memory.number)


def _relations(unit: Unit, target: Target) -> None:
    unit.relations.drop(target.memory.id)


def _belongings(unit: Unit, target: Target) -> None:
    """Whatever belongs to it: evidence with its snippets, lines of snapshots, contributions to a team."""
    unit.entries.remove_children(target.memory.id)


def _quotations(unit: Unit, target: Target) -> None:
    """What dreams and corrections made of it, by its id, and those of its scopes that say the same words."""
    named = [target.memory.id.lower()]  # an id is one term of its own
    for shelf in QUOTING:
        by_id = list(unit.entries.holding(EntryFilter(shelf), named))
        said = list(each_entry(unit, EntryFilter(shelf, target.scopes)))
        for entry in chain(by_id, (each for each in said if _says(each, target))):
            unit.entries.remove(shelf, entry.id)


def _events(unit: Unit, target: Target) -> None:
    unit.log.scrub(target.memory.id)


def _keys(unit: Unit, target: Target) -> None:
    """The digests of requests that led to it. The keys stay: a late retry must not bring it back."""
    unit.keys.scrub(target.memory.id)


def _operations(unit: Unit, target: Target) -> None:
    """What could be undone of it."""
    forget_memory(unit, target.memory.id)


def _turns(unit: Unit, target: Target) -> None:
    for entry in _conversations(unit, target, TURNS):
        text = _cut(entry.text, target)
        if text != entry.text:
            unit.entries.put(replace(entry, text=text))


def _digests(unit: Unit, target: Target) -> None:
    for entry in _conversations(unit, target, SESSIONS):
        session = session_of(entry)
        begun = session.label.rstrip("…")  # a label may be the half of it
        halved = any(begun and text.startswith(begun) for text in target.texts)
        label = "" if halved else _cut(session.label, target)
        summary = _cut(session.summary, target)
        if (label, summary) != (session.label, session.summary):
            body = {**entry.body, "label": label, "summary": summary}
            unit.entries.put(replace(entry, body=body, text=f"{label}\n{summary}"))


REACHES: Mapping[str, Reach] = {
    "quotations": _quotations,
    "turns": _turns,
    "digests": _digests,
    "belongings": _belongings,
    "relations": _relations,
    "events": _events,
    "keys": _keys,
    "operations": _operations,
    "row": _row,
}


def _conversations(unit: Unit, target: Target, shelf: str) -> list[Entry]:
    """Entries of conversations that may say it: those of its scopes, and those of whoever wants it gone."""
    found: dict[str, Entry] = {}
    for text in target.texts:
        likely = list(dict.fromkeys(terms(text)))[:TERMS]
        near = unit.entries.holding(EntryFilter(shelf), likely) if likely else each_entry(unit, EntryFilter(shelf))
        found |= {entry.id: entry for entry in near}
    if shelf == SESSIONS:  # a label may have only the beginning
        found |= {entry.id: entry for entry in each_entry(unit, EntryFilter(shelf, target.scopes))}
    return [entry for entry in found.values() if _is_reached(unit, target, entry)]


def _is_reached(unit: Unit, target: Target, entry: Entry) -> bool:
    if entry.scope in target.scopes:
        return True
    digest = entry if entry.shelf == SESSIONS else unit.entries.get(SESSIONS, entry.parent or "")
    return digest is not None and owner_of(digest) == target.purged_by


def _cut(text: str, target: Target) -> str:
    for phrase in target.texts:
        text = without(text, phrase)
    return text


def _says(entry: Entry, target: Target) -> bool:
    return any(_cut(text, target) != text for text in _strings(entry.body))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from chain.from_iterable(map(_strings, value.values()))
    elif isinstance(value, list | tuple):
        yield from chain.from_iterable(map(_strings, value))
