"""The newer of two words on a thing first: "now 52 sources" above "45 sources", "on Friday now" above "on Monday".

Of numbers, only what tells of a change, or says nearly the same, is put before an older statement, and just before
it; of all else, what contradicts it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from commonplace import deadline
from commonplace.ports import Wording
from commonplace.text.contradiction import Bearing, compare
from commonplace.text.questions import is_year, tells_of_change, values_near
from commonplace.text.statements import Statement, read

OLDER = 3
"""How many of the best may have a newer statement of their value put before them."""

NEWER = 20
"""How far down a newer statement is looked for."""

LONGEST = 1_500
"""Characters of a statement; pages state many values."""

ALIKE = 0.74
NEARLY_THE_SAME = 0.9


def contradicted(
    pairs: Iterable[tuple[int, int]], wordings: Mapping[int, Wording], likeness: Mapping[tuple[int, int], float]
) -> Iterator[tuple[int, int]]:
    """Those of some pairs, the later word second, in which it contradicts the earlier one; `likeness` is a model's."""
    said: dict[int, tuple[Statement, ...]] = {}
    for pair in deadline.each(list(pairs)):
        for number in pair:
            if number not in said:
                said[number] = read(wordings[number].text)
        older, newer = (said[number] for number in pair)
        if compare(older, newer, likeness.get(pair)).bearing is Bearing.CONTRADICTION:
            yield pair


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
