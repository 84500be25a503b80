"""A language model asked for a list in JSON. Its answer is only text: an entry is believed as far as it cites."""

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping

from commonplace.errors import ModelError
from commonplace.ports import LLM
from commonplace.text.envelope import in_json

ANSWER_TOKENS = 2_000
ANSWER_CHARACTERS = 100_000
ENTRIES_LIMIT = 100
STARTS = 32  # places at which an answer is looked at for JSON

_NUMBER = re.compile(r"\d+")
_DECODER = json.JSONDecoder()


def ask(
    llm: LLM, system: str, lines: Iterable[Mapping[str, object]], name: str, max_tokens: int = ANSWER_TOKENS
) -> list[object]:
    """The entries of the list of that name in a model's answer to these lines, none of them checked yet."""
    return listed(llm.complete(system, "\n".join(map(in_json, lines)), max_tokens), name)


def listed(answer: object, name: str) -> list[object]:
    """The list in an answer, whatever stands around the JSON. A ModelError goes on where "because" ends."""
    if not isinstance(answer, str) or len(answer) > ANSWER_CHARACTERS:
        raise ModelError("its answer was not a text of a usable length.")
    found = False
    for document in _documents(answer):
        found = True
        entries = document.get(name) if isinstance(document, dict) else document
        if isinstance(entries, list):
            return entries[:ENTRIES_LIMIT]
    if not found:
        raise ModelError("its answer was not the JSON it was asked for.")
    raise ModelError(f"its answer had no list of {name}.")


def _documents(answer: str) -> Iterator[object]:
    """The objects in an answer, from the outside in; a bare list of objects where nothing stands before it."""
    start = answer.find("{")
    bare = answer.find("[")
    if 0 <= bare < start and answer[bare + 1 : start].strip() == "":
        yield from _decoded(answer, bare)
    for _ in range(STARTS):
        if start < 0:
            return
        yield from _decoded(answer, start)
        start = answer.find("{", start + 1)


def _decoded(answer: str, start: int) -> Iterator[object]:
    try:
        yield _DECODER.raw_decode(answer, start)[0]
    except (ValueError, RecursionError):
        return


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
