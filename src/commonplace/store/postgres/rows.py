"""Filters as SQL, and the statements that write rows of the PostgreSQL book."""

from collections.abc import Sequence

from commonplace.domain.query import Filter
from commonplace.store.filters import choices, conditions
from commonplace.store.rows import DERIVED, STORED

MARK = "%s"
MEMORY_SOURCE = "memories AS m LEFT JOIN uses AS u ON u.tenant = m.tenant AND u.number = m.number"

_WRITTEN = (*STORED, *DERIVED, "length")

INSERT = f"INSERT INTO memories (tenant, {', '.join(_WRITTEN)}) VALUES (%s{', %s' * len(_WRITTEN)})"
UPDATE = f"UPDATE memories SET {', '.join(f'{name} = %s' for name in _WRITTEN)} WHERE tenant = %s AND number = %s"


def where(filter: Filter, tenant: str, now: int) -> tuple[str, list[object]]:
    """The filter as a condition on `memories AS m`; `Filter.refusal` says the same in words."""
    parts = ["m.tenant = %s"]
    values: list[object] = [tenant]
    for column, wanted in choices(filter):
        parts.append(f"{column} = ANY(%s::text[])")
        values.append(wanted)
    for condition, given in conditions(filter, now, MARK):
        parts.append(condition)
        values += given
    if filter.pinned:
        parts.append("m.pinned")
    for tag in filter.tags:
        parts.append("m.number IN (SELECT number FROM tags WHERE tenant = %s AND tag = %s)")
        values += [tenant, tag]
    if filter.any_tags:
        parts.append("m.number IN (SELECT number FROM tags WHERE tenant = %s AND tag = ANY(%s::text[]))")
        values += [tenant, list(filter.any_tags)]
    return " AND ".join(parts), values


def columns_of(rows: Sequence[Sequence[object]], width: int) -> list[list[object]]:
    """Rows as columns, for `unnest`: one statement then writes them all."""
    return [[row[place] for row in rows] for place in range(width)]
