"""Filters as SQL, and the statements that write rows of the PostgreSQL book."""

from collections.abc import Sequence

from commonplace.domain.query import Filter
from commonplace.store.rows import DERIVED, EFFECTIVE_TYPE, STORED, UNSETTLED, WAITS

MEMORY_SOURCE = "memories AS m LEFT JOIN uses AS u ON u.tenant = m.tenant AND u.number = m.number"

_WRITTEN = (*STORED, *DERIVED, "length")

INSERT = f"INSERT INTO memories (tenant, {', '.join(_WRITTEN)}) VALUES (%s{', %s' * len(_WRITTEN)})"
UPDATE = f"UPDATE memories SET {', '.join(f'{name} = %s' for name in _WRITTEN)} WHERE tenant = %s AND number = %s"


def where(filter: Filter, tenant: str, now: int) -> tuple[str, list[object]]:
    """The filter as a condition on `memories AS m`; `Filter.refusal` says the same in words."""
    parts = ["m.tenant = %s", "m.scope = ANY(%s::text[])"]
    values: list[object] = [tenant, [str(scope) for scope in filter.scopes]]
    for column, wanted in (
        ("m.status", filter.statuses),
        ("m.kind", filter.kinds),
        (EFFECTIVE_TYPE, filter.memory_types),
        ("m.origin", filter.origins),
    ):
        if wanted:
            parts.append(f"{column} = ANY(%s::text[])")
            values.append([item.value for item in wanted])
    for column, equal in (("category", filter.category), ("topic", filter.topic), ("session", filter.session)):
        if equal is not None:
            parts.append(f"m.{column} = %s")
            values.append(equal)
    for tag in filter.tags:
        parts.append("m.number IN (SELECT number FROM tags WHERE tenant = %s AND tag = %s)")
        values += [tenant, tag]
    if filter.any_tags:
        parts.append("m.number IN (SELECT number FROM tags WHERE tenant = %s AND tag = ANY(%s::text[]))")
        values += [tenant, list(filter.any_tags)]
    if filter.only_expired:
        parts.append("m.expires_at <= %s")
        values.append(now)
    elif not filter.include_expired:
        parts.append("(m.expires_at IS NULL OR m.expires_at > %s)")
        values.append(now)
    if filter.automatic:
        parts.append(f"NOT {WAITS}")
    if filter.waiting:
        parts.append(WAITS)
    if filter.pinned:
        parts.append("m.pinned")
    if filter.verified_only:
        parts.append(f"NOT ({UNSETTLED})")
    _add_times(filter, parts, values)
    return " AND ".join(parts), values


def _add_times(filter: Filter, parts: list[str], values: list[object]) -> None:
    if filter.created_since is not None:
        parts.append("m.created_at >= %s")
        values.append(filter.created_since)
    if filter.created_until is not None:
        parts.append("m.created_at < %s")
        values.append(filter.created_until)
    if filter.valid_at is not None:
        parts.append("(m.valid_from IS NULL OR m.valid_from <= %s) AND (m.valid_to IS NULL OR m.valid_to > %s)")
        values += [filter.valid_at, filter.valid_at]


def columns_of(rows: Sequence[Sequence[object]], width: int) -> list[list[object]]:
    """Rows as columns, for `unnest`: one statement then writes them all."""
    return [[row[place] for row in rows] for place in range(width)]
