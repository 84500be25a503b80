"""recall and its alias, the prompt made of it, text_search and find_near_duplicates."""

from collections.abc import Sequence
from itertools import islice
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters, Whole
from commonplace.dialects.ownsona.arguments import RawTags, at_most, fact, share
from commonplace.dialects.ownsona.shapes import Match, Row, match, row
from commonplace.dialects.ownsona.tags import wanted
from commonplace.domain.query import Filter, Hit, Query
from commonplace.errors import InvalidInput
from commonplace.text.envelope import in_paragraph

HEADER = "The following are previously known facts:"
NOTHING = "No relevant previously known facts were found."
RULE = "-" * 17
FOOTER = "The following is the user's prompt:"
CONSTANTS = (HEADER, NOTHING, RULE, FOOTER)
GROUPS_LIMIT = 500

AnyTags = Annotated[RawTags, Field(default_factory=list, description="only memories with at least one of these")]
MinScore = Annotated[float | None, Field(description="0 to 1")]


class RecallParameters(Parameters):
    query: Annotated[str, Field(description="a question or topic in plain words")]
    limit: Annotated[Whole, Field(description="50 at most")] = 8
    min_score: MinScore = None
    tags: AnyTags


class Recalled(TypedDict):
    ok: bool
    query: str
    matches: list[Match]
    note: NotRequired[str]


def recall(book: Book, given: RecallParameters) -> Recalled:
    """Matches best first; `note` says where a limit or a tag was not taken as given."""
    query = fact(book, given.query, "query")
    hits, notes = _found(book, query, given.limit, given.min_score, given.tags)
    answer = Recalled(ok=True, query=query, matches=[match(book, hit.memory, hit.relevance) for hit in hits])
    if notes:
        answer["note"] = " ".join(notes)
    return answer


def _found(
    book: Book, query: str, limit: int, min_score: float | None, tags: RawTags, automatic: bool = False
) -> tuple[Sequence[Hit], list[str]]:
    """The best hits, of which `min_score` then keeps those that reach it; and what to tell the caller.

    `automatic` is for what goes into a prompt unlooked at: it leaves out what waits for a person.
    """
    count = at_most(limit)
    share(min_score, "min_score")
    found = book.recall(
        Query(
            query,
            Filter((), any_tags=wanted(tags), automatic=automatic),
            count.value,
            min_relevance=0.0,
            profile="plain",
            surface=book.door.surface,
            counts_use=False,
            needs_vectors=True,
        )
    )
    hits = [hit for hit in found.hits if min_score is None or hit.relevance >= min_score]
    return hits, [*filter(None, (count.note,)), *found.warnings]


class PromptParameters(Parameters):
    user_prompt: Annotated[str, Field(description="what the user asks")]
    limit: Annotated[Whole, Field(description="50 at most")] = 8
    max_chars: Annotated[Whole | None, Field(description="for the whole prompt; one fact is always kept")] = None
    min_score: MinScore = None
    tags: AnyTags


class PromptOut(TypedDict):
    ok: bool
    prompt: str
    note: NotRequired[str]


def build_context_prompt(book: Book, given: PromptParameters) -> PromptOut:
    """The question with what is known about it, in `max_chars` characters at most where they are given."""
    asked = fact(book, given.user_prompt, "user_prompt")
    if given.max_chars is not None and given.max_chars < 1:
        raise InvalidInput(f"max_chars must be at least 1, not {given.max_chars}.", "max_chars")
    hits, notes = _found(book, asked, given.limit, given.min_score, given.tags, automatic=True)
    facts = _packed([in_paragraph(hit.memory.text, CONSTANTS) for hit in hits], asked, given.max_chars)
    answer = PromptOut(ok=True, prompt=_prompt(facts, asked))
    if notes:
        answer["note"] = " ".join(notes)
    return answer


def _packed(facts: Sequence[str], asked: str, max_chars: int | None) -> Sequence[str]:
    """The best facts that fit: up to the first that does not, and one at least."""
    if max_chars is None:
        return facts
    count = 1
    while count < len(facts) and len(_prompt(facts[: count + 1], asked)) <= max_chars:
        count += 1
    return facts[:count]


def _prompt(facts: Sequence[str], asked: str) -> str:
    return "\n\n".join((HEADER, *(facts or (NOTHING,)), RULE, FOOTER, asked))


class TextSearchParameters(Parameters):
    text: Annotated[str, Field(description="looked for as it stands, whatever its case")]
    limit: Annotated[Whole, Field(description="50 at most")] = 20


class TextSearched(TypedDict):
    ok: bool
    matches: list[Row]
    note: NotRequired[str]


def text_search(book: Book, given: TextSearchParameters) -> TextSearched:
    """Newest memories that hold the text letter for letter, in capitals or not; it reads them one by one."""
    wanted_text = fact(book, given.text).casefold()
    count = at_most(given.limit)
    found = (memory for memory in book.each() if wanted_text in memory.text.casefold())
    answer = TextSearched(ok=True, matches=[row(book, memory) for memory in islice(found, count.value)])
    if count.note:
        answer["note"] = count.note
    return answer


class NearDuplicatesParameters(Parameters):
    threshold: Annotated[float, Field(description="0.5 to 1; from 0.9 on remember calls two memories near")] = 0.92
    max_groups: Annotated[Whole, Field(description="1 to 500")] = 50


class GroupOut(TypedDict):
    ids: list[int]
    max_similarity: float
    pair_count: int
    memories: list[Row]


class GroupSummary(TypedDict):
    groups: int
    pairs: int


class NearDuplicatesOut(TypedDict):
    ok: bool
    threshold: float
    groups: list[GroupOut]
    summary: GroupSummary


def find_near_duplicates(book: Book, given: NearDuplicatesParameters) -> NearDuplicatesOut:
    """Groups alike to the threshold, the closest first; `pairs` counts those of every group, shown or not."""
    if not 0.5 <= given.threshold <= 1.0:
        raise InvalidInput(f"threshold must be from 0.5 to 1, not {given.threshold}.", "threshold")
    if not 1 <= given.max_groups <= GROUPS_LIMIT:
        raise InvalidInput(f"max_groups must be from 1 to {GROUPS_LIMIT}, not {given.max_groups}.", "max_groups")
    found, pairs = book.near_groups(given.threshold)
    groups = [
        GroupOut(
            ids=[memory.number for memory in group.memories],
            max_similarity=group.similarity,
            pair_count=group.pairs,
            memories=[row(book, memory) for memory in group.memories],
        )
        for group in found[: given.max_groups]
    ]
    summary = GroupSummary(groups=len(groups), pairs=pairs)
    return NearDuplicatesOut(ok=True, threshold=given.threshold, groups=groups, summary=summary)
