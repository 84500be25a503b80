"""What waits for a person, and what they should settle between."""

from typing import Annotated, cast

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.api.looking import PAGE
from commonplace.api.memories import QuotationOut
from commonplace.api.parameters import NarrowParameters, narrow_filter
from commonplace.api.shapes import MemoryOut, shapes
from commonplace.book import pairs as settling
from commonplace.book.book import Book
from commonplace.book.pairs import Between, Pair
from commonplace.book.review import waiting_json
from commonplace.dialect import Whole
from commonplace.domain.memory import Memory


class ReviewParameters(NarrowParameters):
    limit: Annotated[Whole, Field(description="from 1 to 1,000")] = PAGE
    cursor: Annotated[Whole | None, Field(description="next_cursor of the page before")] = None


class GroupOut(TypedDict):
    kind: str
    id: str
    name: str


class WaitingOut(TypedDict):
    why: str
    memory: MemoryOut
    stands: list[MemoryOut]
    before: list[MemoryOut]
    quotation: QuotationOut | None
    group: GroupOut


class Review(TypedDict):
    waiting: list[WaitingOut]
    total: int
    next_cursor: int | None


def review(book: Book, given: ReviewParameters) -> Review:
    """What waits for a person, the newest first, each with the other texts it is to be compared with."""
    page = book.review(narrow_filter(book, given), limit=given.limit, cursor=given.cursor)
    waiting: list[WaitingOut] = []
    for each in page.waiting:
        texts = shapes(book, (each.memory, *each.stands, *each.before))
        shown = waiting_json(each, book.principal)
        stands = 1 + len(each.stands)
        known = {"memory": texts[0], "stands": texts[1:stands], "before": texts[stands:]}
        waiting.append(cast(WaitingOut, {**shown, **known}))
    return Review(waiting=waiting, total=page.total, next_cursor=page.next_cursor)


class PairOut(TypedDict):
    reason: str
    older: MemoryOut
    newer: MemoryOut


class Pairs(TypedDict):
    contradictions: list[PairOut]
    repeats: list[PairOut]
    looked_at: int
    complete: bool


def pairs(book: Book, given: NarrowParameters) -> Pairs:
    """Memories that may contradict each other, and those that say nearly the same. Of a large book the newest are
    looked at, by their words: `complete` says whether these were all.
    """
    filter = narrow_filter(book, given)
    with book.caller.reading() as work:
        found = settling.look(work, filter, book.embedder)
    texts: dict[str, Memory] = {each.id: each for pair in found.pairs for each in (pair.older, pair.newer)}
    shown = {each["id"]: each for each in shapes(book, list(texts.values()))}

    def side_by_side(between: Between) -> list[PairOut]:
        return [_pair(pair, shown) for pair in found.pairs if pair.between is between]

    return Pairs(
        contradictions=side_by_side(Between.CONTRADICTION),
        repeats=side_by_side(Between.REPEAT),
        looked_at=found.looked_at,
        complete=found.complete,
    )


def _pair(pair: Pair, shown: dict[str, MemoryOut]) -> PairOut:
    return PairOut(reason=pair.reason, older=shown[pair.older.id], newer=shown[pair.newer.id])
