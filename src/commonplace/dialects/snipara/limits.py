"""What a configured plan allows. Without one, nothing here refuses anything."""

from collections.abc import Sequence

from commonplace.book.book import Book
from commonplace.dialects.snipara.plans import NO_PLAN, PLANS, SETTING, Plan
from commonplace.dialects.snipara.refusals import Refusal
from commonplace.dialects.snipara.vocabulary import KNOWN
from commonplace.domain.ids import DAY
from commonplace.domain.query import Filter
from commonplace.engine.hourly import take
from commonplace.engine.intake import Draft
from commonplace.text import fold

RECALLS = "snipara_recalls"
UPGRADE = f"Upgrade your plan, or set {SETTING} to another one."


def plan_of(book: Book) -> Plan:
    """The plan that is set for the book, or one that allows everything."""
    chosen = book.dialect_settings.get(SETTING)
    return PLANS[chosen] if chosen else NO_PLAN


def admit_memories(book: Book, drafts: Sequence[Draft]) -> None:
    """Refuse a call that would bring the book over the plan's limit; neither what has expired counts nor a repeat."""
    most = plan_of(book).max_memories
    if most is None:
        return
    stored = book.count(Filter(book.every_scope(), statuses=KNOWN))
    if stored + len(drafts) <= most:
        return
    new = len({(draft.scope, draft.kind, fold(draft.text)) for draft in drafts if not _is_known(book, draft)})
    if new and stored + new > most:
        raise Refusal(f"Memory limit exceeded ({stored}+{new}/{most}). {UPGRADE}", upgrade_url=None)


def _is_known(book: Book, draft: Draft) -> bool:
    """Whether it would reinforce a memory instead of being another one."""
    return bool(book.same(draft.text, Filter((draft.scope,), (draft.kind,))))


def admit_recall(book: Book) -> None:
    """Take one recall from the plan's hour; Refusal when it is used up."""
    most = plan_of(book).recalls_per_hour
    if most is not None and not take(book.caller, RECALLS, most):
        raise Refusal(f"Recall limit exceeded ({most} per hour). {UPGRADE}", upgrade_url=None)


def kept_until(book: Book, ttl_days: float | None) -> int | None:
    """When a memory expires: after its own time or the plan's, whichever ends first; never, if neither does."""
    spans = [days for days in (ttl_days, plan_of(book).retention_days) if days is not None]
    return book.now() + int(min(spans) * DAY) if spans else None
