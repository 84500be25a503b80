"""What of a memory goes into the word index. Its vector is of the bare text: dates and labels did not help there."""

import time

from commonplace.domain.memory import Memory
from commonplace.text import terms

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def index_terms(memory: Memory, words: list[str]) -> str:
    """The words of its text, of its labels, and of the day it speaks of, separated by blanks."""
    labels = " ".join(filter(None, (memory.topic, memory.category, *memory.tags)))
    found = [*words, *terms(labels)] if labels else list(words)
    if memory.valid_from is not None:
        found += terms(_day(memory.valid_from))
    return " ".join(found)


def _day(moment: int) -> str:
    day = time.gmtime(moment / 1000)
    return f"{day.tm_mday} {_MONTHS[day.tm_mon - 1]} {day.tm_year}"
