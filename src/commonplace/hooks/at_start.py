"""What the start of a session brings: pins, standing instructions, preferences, open tasks, and the hand-over.

The hand-over is of the last conversation in this project that a hook of ours heard, and of it only what the user said
themselves: what a model or a pasted text said there is nobody's word.
"""

from collections.abc import Iterator

from commonplace.book.reader import BookReader
from commonplace.domain.entries import EntryFilter
from commonplace.domain.memory import Kind, Memory, MemoryType
from commonplace.domain.query import Filter, Order
from commonplace.hooks.block import Block, Piece, Section, age, fitted, quoted
from commonplace.hooks.choosing import Choice
from commonplace.hooks.private import Private
from commonplace.sessions.entries import SESSIONS, TURNS, Session, session_of, turn_id
from commonplace.sessions.transcripts import Speaker
from commonplace.text import fold

TOKENS = 1_000
PINS, STANDING, PREFERENCES, TASKS = 450, 650, 750, 850
"""Up to how many tokens of the whole each part may fill it; the hand-over has what is left."""
LOOKED_AT = 200
HANDED_OVER = 12
SESSIONS_LOOKED_AT = 20
TURNS_LOOKED_AT = 60

_PINS = Filter((), pinned=True, automatic=True)
_STANDING = Filter((), memory_types=(MemoryType.INSTRUCTION,), automatic=True)
_PREFERENCES = Filter((), kinds=(Kind.PREFERENCE,), automatic=True)
_TASKS = Filter((), memory_types=(MemoryType.TASK,), automatic=True)


def for_start(book: BookReader, private: Private, known: frozenset[str]) -> Block:
    """What belongs to this project and person, as much as there is room for; `known` is before the model already."""
    with book.caller.reading() as work:
        choice = Choice(work, private, known)
        pins = tuple(_pieces(choice, _PINS, "pinned"))
        return fitted(
            (
                Section(pins, PINS),
                Section(tuple(_pieces(choice, _STANDING, "a standing instruction")), STANDING),
                Section(tuple(_pieces(choice, _PREFERENCES, "a preference")), PREFERENCES),
                Section(tuple(_pieces(choice, _TASKS, "an open task")), TASKS),
                Section(tuple(_handed_over(choice)), TOKENS),
            )
        )


def _pieces(choice: Choice, wanted: Filter, why: str) -> Iterator[Piece]:
    """What is wanted, the highest priority first, then the newest."""
    work = choice.work
    filter = work.filter(wanted).in_force(work.now)
    found = work.unit.memories.page(filter, work.now, Order.NEWEST, LOOKED_AT, None)
    for memory in sorted(found, key=lambda memory: -memory.priority):
        if choice.admits(memory) and (not wanted.pinned or choice.is_pinned(memory)):
            yield choice.piece(memory, why)


def _handed_over(choice: Choice) -> Iterator[Piece]:
    session = _last_here(choice)
    if session is None or session.id in choice.known or choice.private.holds(session.label):
        return
    when = age(session.held_at or session.saved_at, choice.work.now)
    yield Piece(session.id, f"- The last conversation here, {when}, began: {quoted(session.label)}", "the hand-over")
    found = [choice.work.unit.memories.by_id(id) for id in session.learnings]
    learnt = [each for each in found if each is not None]
    yield from (choice.piece(each, "from the last conversation") for each in learnt if _stands(choice, each))
    said, apart = _said_by_user(choice, session), {fold(each.text) for each in learnt}
    lines = [line.removeprefix("- ") for line in session.summary.split("\n") if line.startswith("- ")]
    for number, line in enumerate(lines[:HANDED_OVER]):
        words = fold(line).rstrip("…")
        if words in said and words not in apart and not choice.private.holds(line):
            yield Piece(f"{session.id}:{number}", f"  - {quoted(line)}", "the hand-over")


def _stands(choice: Choice, memory: Memory) -> bool:
    filter = Filter((memory.scope,), automatic=True).in_force(choice.work.now)
    return choice.admits(memory) and filter.admits(memory, choice.work.now)


def _last_here(choice: Choice) -> Session | None:
    work = choice.work
    wanted = EntryFilter(SESSIONS, tuple(map(str, work.caller.places)))
    found = (session_of(entry) for entry in work.unit.entries.page(wanted, SESSIONS_LOOKED_AT))
    here, root = work.here, str(work.caller.project.root)
    held = (each for each in found if each.heard)
    return next((each for each in held if each.project_id in here or (not here and each.project == root)), None)


def _said_by_user(choice: Choice, session: Session) -> str:
    numbers = range(max(0, session.turns - TURNS_LOOKED_AT), session.turns)
    found = (choice.work.unit.entries.get(TURNS, turn_id(session.id, number)) for number in numbers)
    return fold("\n".join(each.text for each in found if each is not None and each.state == Speaker.USER))
