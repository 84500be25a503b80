"""Filters as SQL, and the statements that write rows of the SQLite book."""

from collections.abc import Sequence

from commonplace.domain.query import Filter
from commonplace.store.rows import DERIVED, EFFECTIVE_TYPE, STORED, UNSETTLED, WAITS, Value

MEMORY_SOURCE = "memories AS m LEFT JOIN uses AS u ON u.row = m.row"

INSERT = f"INSERT INTO memories (tenant, {', '.join(STORED + DERIVED)}) VALUES (?{', ?' * len(STORED + DERIVED)})"
UPDATE = f"UPDATE memories SET {', '.join(f'{name} = ?' for name in STORED + DERIVED)} WHERE row = ?"


def where(filter: Filter, tenant: str, now: int) -> tuple[str, list[Value]]:
    """The filter as a condition on `memories AS m`; `Filter.refusal` says the same in words."""
    parts = ["m.tenant = ?", f"m.scope IN ({_marks(filter.scopes)})"]
    values: list[Value] = [tenant, *(str(scope) for scope in filter.scopes)]
    for column, wanted in (
        ("m.status", filter.statuses),
        ("m.kind", filter.kinds),
        (EFFECTIVE_TYPE, filter.memory_types),
        ("m.origin", filter.origins),
    ):
        if wanted:
            parts.append(f"{column} IN ({_marks(wanted)})")
            values += [item.value for item in wanted]
    for column, equal in (("category", filter.category), ("topic", filter.topic), ("session", filter.session)):
        if equal is not None:
            parts.append(f"m.{column} = ?")
            values.append(equal)
    for tag in filter.tags:
        parts.append("m.row IN (SELECT row FROM tags WHERE tenant = ? AND tag = ?)")
        values += [tenant, tag]
    if filter.any_tags:
        parts.append(f"m.row IN (SELECT row FROM tags WHERE tenant = ? AND tag IN ({_marks(filter.any_tags)}))")
        values += [tenant, *filter.any_tags]
    if filter.only_expired:
        parts.append("m.expires_at <= ?")
        values.append(now)
    elif not filter.include_expired:
        parts.append("(m.expires_at IS NULL OR m.expires_at > ?)")
        values.append(now)
    if filter.automatic:
        parts.append(f"NOT {WAITS}")
    if filter.waiting:
        parts.append(WAITS)
    if filter.pinned:
        parts.append("m.pinned = 1")
    if filter.verified_only:
        parts.append(f"NOT ({UNSETTLED})")
    _add_times(filter, parts, values)
    return " AND ".join(parts), values


def _add_times(filter: Filter, parts: list[str], values: list[Value]) -> None:
    if filter.created_since is not None:
        parts.append("m.created_at >= ?")
        values.append(filter.created_since)
    if filter.created_until is not None:
        parts.append("m.created_at < ?")
        values.append(filter.created_until)
    if filter.valid_at is not None:
        parts.append("(m.valid_from IS NULL OR m.valid_from <= ?) AND (m.valid_to IS NULL OR m.valid_to > ?)")
        values += [filter.valid_at, filter.valid_at]


def _marks(items: Sequence[object]) -> str:
    return ", ".join("?" * len(items))
