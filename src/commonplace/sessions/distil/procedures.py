"""Procedures that a user writes down in numbered steps: each is one thing to be remembered, not its steps."""

import re
from collections.abc import Iterator, Sequence

from commonplace import deadline
from commonplace.domain.memory import Kind
from commonplace.sessions.distil.items import Item, type_of
from commonplace.sessions.distil.judging import is_question
from commonplace.sessions.distil.secrecy import Secrecy
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import collapse

FEWEST_STEPS = 2
LONGEST = 1_500  # characters: a longer one is a document
REASON = "steps of a procedure"
_STEP = re.compile(r"\s{0,8}(\d{1,2})[.)]\s+\S")
_NAMES_ONE = re.compile(
    r"\b(?:(?:runbook|playbook|procedure|checklist|steps|how to|how we|to \w{1,30} (?:a|an|the|it|our|up)\b"
    r"|ablauf|anleitung|vorgehen|checkliste|pasos|procedimiento|étapes|procédure|passaggi|procedura|passos"
    r"|stappen)\b|手順|步骤)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\s*(?:please|can you|could you|do|bitte|mach|kannst du)\b", re.IGNORECASE)


def procedures(turns: Sequence[Turn]) -> Iterator[Item]:
    """What a user's turn calls a procedure and lists in steps, in the order of the conversation."""
    secrecy = Secrecy()
    for number, turn in enumerate(deadline.each(turns)):
        if turn.role is Speaker.ASSISTANT or "1" not in turn.text:
            continue
        for start, named, end in _listed(turn.text):
            quote = collapse(turn.text[start:end])
            if end - start <= LONGEST and not secrecy.covers(turn.text, (start, end)):
                text = collapse(turn.text[named:end])
                yield Item(text, type_of(Kind.INSTRUCTION), Kind.INSTRUCTION, number, REASON, quote)


def _listed(text: str) -> Iterator[tuple[int, int, int]]:
    """Where a line that names a procedure begins, where the name in it does, and where its last step ends."""
    start = place = 0
    named = -1
    steps = 0
    for line in (*text.splitlines(keepends=True), ""):
        step = _STEP.match(line)
        if named >= 0 and step is not None and int(step[1]) == steps + 1:
            steps += 1
        elif line.strip() or not line:
            if steps >= FEWEST_STEPS:
                yield start, named, place
            lead = _lead(line)
            start, named, steps = place, -1 if lead is None else place + lead, 0
        place += len(line)


def _lead(line: str) -> int | None:
    """Where a line that leads into steps names what they are for."""
    bare = line.rstrip()
    if not bare.endswith((":", "：")) or is_question(bare) or _ASKS.match(bare):
        return None
    found = _NAMES_ONE.search(bare)
    return found.start() if found else None
