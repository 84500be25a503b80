"""The newer of two words on a thing first: "now 52 sources" above "45 sources", "on Friday now" above "on Monday".

Of numbers, only what tells of a change, or says nearly the same, is put before an older statement, and just before
it; of all else, what contradicts it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from commonplace import deadline
from commonplace.ports import Wording
from commonplace.text.contradiction import Bearing, judge
from commonplace.text.questions import is_year, tells_of_change, values_near

OLDER = 3
"""How many of the best may have a newer statement of their value put before them."""

NEWER = 20
"""How far down a newer statement is looked for."""

LONGEST = 1_500
"""Characters of a statement; pages state many values."""

ALIKE = 0.74
NEARLY_THE_SAME = 0.9


Later = tuple[int, int, float | None]
"""The numbers of two memories, the one that was said later second, and how alike a model finds them."""


def contradicted(pairs: Sequence[Later], wordings: Mapping[int, Wording]) -> Iterator[Later]:
    """Those of some pairs in which the later word contradicts the earlier one."""
    for older, newer, likeness in deadline.each(pairs):
        if judge(wordings[older].text, wordings[newer].text, likeness).bearing is Bearing.CONTRADICTION:
            yield older, newer, likeness


def newer_statement(
    ranked: Sequence[int],
    wordings: Mapping[int, Wording],
    asked: frozenset[str],
    similarity: Callable[[int, int], float],
) -> tuple[int, int] | None:
    """The number of a memory, among the best, and that of a newer one which states another value of what was asked."""
    for older in ranked[:OLDER]:
        for newer in ranked[:NEWER]:
            if _is_newer(wordings, older, newer):
                new = _new_values(wordings[older].text, wordings[newer].text, asked)
                if new:
                    alike = similarity(older, newer)
                    changed = alike >= ALIKE and tells_of_change(wordings[newer].text, new)
                    if changed or alike >= NEARLY_THE_SAME:
                        return older, newer
    return None


def _is_newer(wordings: Mapping[int, Wording], older: int, newer: int) -> bool:
    then, now = wordings.get(older), wordings.get(newer)
    if then is None or now is None or max(len(then.text), len(now.text)) > LONGEST:
        return False
    return (now.said_at, newer) > (then.said_at, older)


def _new_values(older: str, newer: str, asked: frozenset[str]) -> set[str]:
    """The numbers that the newer statement gives to something for which the older one has others.

    The year may stay the same: of a deadline that was moved, the day is the value.
    """
    before, after = values_near(older, asked), values_near(newer, asked)
    found: set[str] = set()
    for term in before.keys() & after.keys():
        gone, new = before[term] - after[term], after[term] - before[term]
        if gone and new and all(map(is_year, before[term] & after[term])):
            found |= new
    return found
