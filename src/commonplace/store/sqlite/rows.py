"""Filters as SQL, and the statements that write rows of the SQLite book."""

from collections.abc import Sequence

from commonplace.domain.query import Filter
from commonplace.store.filters import choices, conditions
from commonplace.store.rows import DERIVED, STORED, Value

MARK = "?"
MEMORY_SOURCE = "memories AS m LEFT JOIN uses AS u ON u.row = m.row"

INSERT = f"INSERT INTO memories (tenant, {', '.join(STORED + DERIVED)}) VALUES (?{', ?' * len(STORED + DERIVED)})"
UPDATE = f"UPDATE memories SET {', '.join(f'{name} = ?' for name in STORED + DERIVED)} WHERE row = ?"


def where(filter: Filter, tenant: str, now: int) -> tuple[str, list[Value]]:
    """The filter as a condition on `memories AS m`; `Filter.refusal` says the same in words."""
    parts = ["m.tenant = ?"]
    values: list[Value] = [tenant]
    for column, wanted in choices(filter):
        parts.append(f"{column} IN ({_marks(wanted)})")
        values += wanted
    for condition, given in conditions(filter, now, MARK):
        parts.append(condition)
        values += given
    if filter.pinned:
        parts.append("m.pinned = 1")
    for tag in filter.tags:
        parts.append("m.row IN (SELECT row FROM tags WHERE tenant = ? AND tag = ?)")
        values += [tenant, tag]
    if filter.any_tags:
        parts.append(f"m.row IN (SELECT row FROM tags WHERE tenant = ? AND tag IN ({_marks(filter.any_tags)}))")
        values += [tenant, *filter.any_tags]
    return " AND ".join(parts), values


def _marks(items: Sequence[object]) -> str:
    return ", ".join(MARK * len(items))
