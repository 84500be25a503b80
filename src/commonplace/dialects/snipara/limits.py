"""What a configured plan allows. Without one, nothing here refuses anything."""

from commonplace.book.book import Book
from commonplace.dialects.snipara.refusals import Refusal
from commonplace.dialects.snipara.vocabulary import KNOWN
from commonplace.domain.ids import DAY
from commonplace.domain.query import Filter

UPGRADE = "Upgrade your plan, or set snipara_plan to another one."


def admit_memories(book: Book, count: int) -> None:
    """Refuse a call that would bring the book over the plan's limit; what has expired does not count."""
    most = book.allowance.plan.max_memories
    if most is None:
        return
    stored = book.count(Filter(book.every_scope(), statuses=KNOWN))
    if stored + count > most:
        raise Refusal(f"Memory limit exceeded ({stored}+{count}/{most}). {UPGRADE}", upgrade_url=None)


def admit_recall(book: Book) -> None:
    who = book.principal
    if not book.allowance.take_recall(f"{who.tenant} {who.user}", book.now()):
        most = book.allowance.plan.recalls_per_hour
        raise Refusal(f"Recall limit exceeded ({most} per hour). {UPGRADE}", upgrade_url=None)


def kept_until(book: Book, ttl_days: float | None) -> int | None:
    """When a memory expires: after its own time or the plan's, whichever ends first; never, if neither does."""
    spans = [days for days in (ttl_days, book.allowance.plan.retention_days) if days is not None]
    return book.now() + int(min(spans) * DAY) if spans else None
