"""Books to dream over, and what must be the same before and after."""

from commonplace.book.book import Book
from commonplace.domain.canonical_json import encode
from commonplace.domain.memory import Memory, Status
from commonplace.domain.query import Filter
from commonplace.engine.intake import ExactPolicy, NearPolicy, Remembered, Repeats
from commonplace.text.nearness import restated

AS_IT_COMES = Repeats(ExactPolicy.NEVER, NearPolicy.IGNORE)


def keep(book: Book, text: str, **fields: object) -> Memory:
    """Remember something even if it is known already."""
    kept = book.remember(text, repeats=AS_IT_COMES, **fields)
    assert isinstance(kept, Remembered)
    return kept.memory


def everything(book: Book) -> dict[str, Memory]:
    return {memory.id: memory for memory in book.each(Filter(book.every_scope(), statuses=(), include_expired=True))}


def exported(book: Book) -> list[str]:
    """The export without its header, which says when it was made."""
    return list(book.transfer.export())[1:]


def lost(book: Book, before: dict[str, Memory]) -> list[str]:
    """What could be reached before and cannot be now.

    A memory must have its text and labels still; if it gave way, then to one that is there and says the same.
    """
    after = everything(book)
    gone = []
    for id, memory in before.items():
        now = after.get(id)
        if now is None or _unchanging(now) != _unchanging(memory) or not _reaches(now, memory, after):
            gone.append(id)
    return gone


def _unchanging(memory: Memory) -> str:
    """All of a memory but what a change of status touches."""
    plain = memory.__replace__(
        status=Status.ACTIVE, status_at=None, status_reason=None, successor=None, updated_at=0, revision=1
    )
    return encode(plain)


def _reaches(now: Memory, before: Memory, after: dict[str, Memory]) -> bool:
    if now.status is before.status or now.status is Status.ARCHIVED:
        return True
    seen = set()
    while now.status is Status.SUPERSEDED and now.successor is not None and now.id not in seen:
        seen.add(now.id)
        now = after[now.successor]
        if restated(now.text) != restated(before.text):
            return False
    return now.status in (Status.ACTIVE, Status.ARCHIVED)
