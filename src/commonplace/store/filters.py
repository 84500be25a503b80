"""Filters and orders as SQL: what every engine says in the same words, but for how it marks a value (`?` or `%s`)."""

from typing import Literal

from commonplace.domain.entries import Wanted
from commonplace.domain.query import Filter, Order
from commonplace.store.rows import EFFECTIVE_TYPE, UNSETTLED, WAITS, Value

Condition = tuple[str, tuple[Value, ...]]
"""A condition, and the values for its marks."""

ORDERINGS = {
    Order.NEWEST: "m.created_at DESC, m.number DESC",
    Order.OLDEST: "m.created_at, m.number",
    Order.UPDATED: "m.updated_at DESC, m.number DESC",
}
_BEHIND = {Order.NEWEST: ("<", "created_at"), Order.OLDEST: (">", "created_at"), Order.UPDATED: ("<", "updated_at")}


def choices(filter: Filter) -> list[tuple[str, list[str]]]:
    """Which columns must have one of which values; how "one of" is said is the engine's."""
    wanted = (
        ("m.status", filter.statuses),
        ("m.kind", filter.kinds),
        (EFFECTIVE_TYPE, filter.memory_types),
        ("m.origin", filter.origins),
    )
    chosen = [(column, [each.value for each in values]) for column, values in wanted if values]
    return [("m.scope", [str(scope) for scope in filter.scopes]), *chosen]


def conditions(filter: Filter, now: int, mark: str) -> list[Condition]:
    """What a filter asks of the columns of `memories AS m` themselves."""
    compared = (
        ("m.category =", filter.category),
        ("m.topic =", filter.topic),
        ("m.session =", filter.session),
        ("m.created_at >=", filter.created_since),
        ("m.created_at <", filter.created_until),
    )
    found: list[Condition] = [(f"{column} {mark}", (value,)) for column, value in compared if value is not None]
    if filter.only_expired:
        found.append((f"m.expires_at <= {mark}", (now,)))
    elif not filter.include_expired:
        found.append((f"(m.expires_at IS NULL OR m.expires_at > {mark})", (now,)))
    if filter.automatic:
        found.append((f"NOT {WAITS}", ()))
    if filter.waiting:
        found.append((WAITS, ()))
    if filter.verified_only:
        found.append((f"NOT ({UNSETTLED})", ()))
    if filter.valid_at is not None:
        valid = f"(m.valid_from IS NULL OR m.valid_from <= {mark}) AND (m.valid_to IS NULL OR m.valid_to > {mark})"
        found.append((valid, (filter.valid_at, filter.valid_at)))
    return found


def entry_conditions(wanted: Wanted, mark: str) -> list[Condition]:
    """The same for `entries AS e`, but for the scopes and states, which are lists."""
    compared = (("e.parent =", wanted.parent), ("e.at >=", wanted.since), ("e.at <", wanted.until))
    return [(f"{column} {mark}", (value,)) for column, value in compared if value is not None]


def behind(order: Order, mark: str) -> str:
    """What comes after a memory in an order; its marks are for the tenant and the number of that memory."""
    comparison, column = _BEHIND[order]
    return (
        f"(m.{column}, m.number) {comparison} "
        f"(SELECT {column}, number FROM memories WHERE tenant = {mark} AND number = {mark})"
    )


def beside(condition: str) -> str:
    """Two columns: the numbers just before and just after `x` in its session, of those that meet the condition."""
    return ", ".join(
        f"(SELECT m.number FROM memories AS m WHERE m.session = x.session AND m.number {comparison} x.number "
        f"AND m.scope = x.scope AND {condition} ORDER BY m.number {direction} LIMIT 1)"
        for comparison, direction in (("<", "DESC"), (">", "ASC"))
    )


def any_with(column: Literal["topic", "session"], mark: str) -> str:
    """Whether a tenant has any memory with a topic, or of a session."""
    return f"SELECT 1 FROM memories WHERE tenant = {mark} AND {column} IS NOT NULL LIMIT 1"
