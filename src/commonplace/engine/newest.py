"""Of two statements of a value, the newer one first: "now 52 sources" above "45 sources" when one asks how many.

Only what tells of a change, or says nearly the same, is put before an older statement, and just before it.
"""

from typing import TYPE_CHECKING

from commonplace.text.questions import tells_of_change, values_near

if TYPE_CHECKING:
    from commonplace.engine.recall import Candidate, RecallState
    from commonplace.ports import Space

OLDER = 3
"""How many of the best may have a newer statement of their value put before them."""

NEWER = 20
"""How far down a newer statement is looked for."""

LONGEST = 1_500
"""Characters of a statement; pages state many values."""

ALIKE = 0.74
NEARLY_THE_SAME = 0.9
A_LITTLE = 1e-6
LIMIT = 4.5
"""How many log-odds less relevant a newer statement may be."""


def lift_newer(working: "RecallState", space: "Space") -> None:
    """Make one newer statement of a value, the best there is, a little more relevant than the older one."""
    for older in working.remaining[:OLDER]:
        for newer in working.remaining[:NEWER]:
            if _is_newer(working, older, newer) and _replaces(working, older, newer, space):
                newer.logit = max(newer.logit, older.logit + A_LITTLE)
                return


def _is_newer(working: "RecallState", older: "Candidate", newer: "Candidate") -> bool:
    then, now = working.wordings.get(older.number), working.wordings.get(newer.number)
    if then is None or now is None or older.logit - newer.logit > LIMIT:
        return False
    if max(len(then.text), len(now.text)) > LONGEST:
        return False
    return (now.said_at, newer.number) > (then.said_at, older.number)


def _replaces(working: "RecallState", older: "Candidate", newer: "Candidate", space: "Space") -> bool:
    asked = working.question.values
    before = values_near(working.wordings[older.number].text, asked)
    after = values_near(working.wordings[newer.number].text, asked)
    shared = [term for term in before.keys() & after.keys() if not before[term] & after[term]]
    if not shared:
        return False
    vectors = working.unit.vectors
    vector = vectors.of([older.number], space).get(older.number)
    alike = vectors.similarity(vector, space, [newer.number]).get(newer.number, 0.0) if vector is not None else 0.0
    changed = tells_of_change(working.wordings[newer.number].text, {each for term in shared for each in after[term]})
    return alike >= NEARLY_THE_SAME or (alike >= ALIKE and changed)
