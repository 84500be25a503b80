"""A language model asked for a list in JSON. Its answer is only text: an entry is believed as far as it cites."""

import json
import re
from collections.abc import Container, Iterable, Mapping

from commonplace.errors import ModelError
from commonplace.ports import LLM
from commonplace.text.envelope import in_json

ANSWER_TOKENS = 2_000
ANSWER_CHARACTERS = 100_000
ENTRIES_LIMIT = 100

_NUMBER = re.compile(r"\d+")


def ask(
    llm: LLM, system: str, lines: Iterable[Mapping[str, object]], name: str, max_tokens: int = ANSWER_TOKENS
) -> list[object]:
    """The entries of the list of that name in a model's answer to these lines, none of them checked yet."""
    return listed(llm.complete(system, "\n".join(map(in_json, lines)), max_tokens), name)


def listed(answer: object, name: str) -> list[object]:
    """The list in an answer, whatever stands around the JSON. A ModelError goes on where "because" ends."""
    if not isinstance(answer, str) or len(answer) > ANSWER_CHARACTERS:
        raise ModelError("its answer was no text of a usable length.")
    start, end = answer.find("{"), answer.rfind("}")
    try:
        document = json.loads(answer[start : end + 1])
    except (ValueError, RecursionError):
        raise ModelError("its answer was not the JSON it was asked for.") from None
    entries = document.get(name) if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ModelError(f"its answer had no list of {name}.")
    return entries[:ENTRIES_LIMIT]


def cited(entry: object, known: Container[str]) -> tuple[str, tuple[str, ...]] | None:
    """The text of an entry and those of its sources that the model was shown; None if either is missing."""
    if not isinstance(entry, dict):
        return None
    text, sources = entry.get("text"), entry.get("sources")
    if not isinstance(text, str) or not isinstance(sources, list):
        return None
    ids = tuple(dict.fromkeys(id for id in sources if isinstance(id, str) and id in known))
    return (text.strip(), ids) if text.strip() and ids else None


def invents_numbers(text: str, said: Iterable[str]) -> bool:
    """Whether a text names a number that none of what it rests on does."""
    return not set(_NUMBER.findall(text)) <= {number for each in said for number in _NUMBER.findall(each)}
