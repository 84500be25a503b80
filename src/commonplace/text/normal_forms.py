"""Unicode's normal forms in linear time.

`unicodedata.normalize` puts the marks on a letter into order by insertion: 32,000 marks on one letter, which no
language has, take it two seconds. So long runs of marks are sorted before it sees them, which changes nothing
about the result.
"""

import re
import unicodedata
from functools import cache
from typing import Literal

NormalForm = Literal["NFC", "NFD", "NFKC", "NFKD"]

SHORT_RUN = 32
"""So many marks at once are left to `unicodedata`. Unicode's own limit for text that is safe to stream is 30."""


def normal_form(form: NormalForm, text: str) -> str:
    """What `unicodedata.normalize` gives, in time that grows with the text and not with its square."""
    if text.isascii():
        return text
    return unicodedata.normalize(form, _long_run().sub(lambda run: _in_order(form, run[0]), text))


def _in_order(form: NormalForm, run: str) -> str:
    """A run with its characters taken apart and the marks between two others put in the order of their classes.

    Marks of one class keep their order, so the result stands for the same text in every normal form.
    """
    apart: NormalForm = "NFKD" if "K" in form else "NFD"
    ordered: list[str] = []
    marks: dict[int, list[str]] = {}
    for character in run:
        for part in unicodedata.normalize(apart, character):
            kind = unicodedata.combining(part)
            if kind:
                marks.setdefault(kind, []).append(part)
            else:
                ordered += _by_class(marks)
                ordered.append(part)
                marks = {}
    return "".join([*ordered, *_by_class(marks)])


def _by_class(marks: dict[int, list[str]]) -> list[str]:
    return [mark for kind in sorted(marks) for mark in marks[kind]]


@cache
def _long_run() -> re.Pattern[str]:
    """Whatever may be a mark: no mark is a letter but for the half-width Japanese ones. Compiled where it is needed."""
    return re.compile(rf"[\W\uff9e\uff9f]{{{SHORT_RUN},}}+")
