"""Events and revisions in the SQLite book."""

from collections.abc import Iterator

import apsw

from commonplace.domain.events import Activity, Event, EventType, Revision
from commonplace.domain.memory import Memory
from commonplace.store.rows import (
    EVENT_COLUMNS,
    MEMORY_COLUMNS,
    Row,
    activity_of,
    event_of,
    event_values,
    memory_of,
    scrubbed,
    state_of,
)
from commonplace.store.sqlite.memories import MEMORY_SOURCE


class SqliteLog:
    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def append(self, event: Event) -> None:
        self._connection.execute(
            f"INSERT INTO events (tenant, {EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (self._tenant, *event_values(event)),
        )

    def events(self, memory_id: str) -> tuple[Event, ...]:
        rows = self._connection.execute(
            f"SELECT {EVENT_COLUMNS}, sequence FROM events WHERE tenant = ? AND memory_id = ? ORDER BY sequence",
            (self._tenant, memory_id),
        )
        return tuple(map(event_of, rows))

    def revisions(self, number: int) -> tuple[Revision, ...]:
        past = self._connection.execute(
            "SELECT r.state, r.recorded_at FROM revisions AS r JOIN memories AS m ON m.row = r.row "
            "WHERE m.tenant = ? AND m.number = ? ORDER BY r.revision",
            (self._tenant, number),
        )
        found = [Revision(state_of(state), recorded_at) for state, recorded_at in past]
        present = self._connection.execute(
            f"SELECT {MEMORY_COLUMNS}, m.recorded_at FROM {MEMORY_SOURCE} WHERE m.tenant = ? AND m.number = ?",
            (self._tenant, number),
        ).fetchone()
        if present is not None:
            found.append(Revision(memory_of(present[:-1]), present[-1]))
        return tuple(found)

    def states_at(self, moment: int) -> Iterator[Memory]:
        unchanged = self._connection.execute(
            f"SELECT {MEMORY_COLUMNS} FROM {MEMORY_SOURCE} WHERE m.tenant = ? AND m.recorded_at <= ?",
            (self._tenant, moment),
        )
        for row in unchanged:
            yield memory_of(row)
        changed = self._connection.execute(
            "SELECT state, max(r.revision) FROM revisions AS r JOIN memories AS m ON m.row = r.row "
            "WHERE m.tenant = ? AND m.recorded_at > ? AND r.recorded_at <= ? GROUP BY r.row",
            (self._tenant, moment, moment),
        )
        for state, _ in changed:
            yield state_of(state)

    def purged_ids(self) -> frozenset[str]:
        rows = self._connection.execute(
            "SELECT memory_id FROM events WHERE tenant = ? AND type = ?", (self._tenant, EventType.PURGED.value)
        )
        return frozenset(id for (id,) in rows)

    def activity(self) -> Activity:
        last = self._connection.execute(
            "SELECT sequence, at FROM events WHERE tenant = ? ORDER BY sequence DESC LIMIT 1", (self._tenant,)
        ).fetchone()
        uses, used_at = self._connection.execute(
            "SELECT coalesce(sum(count), 0), max(used_at) FROM uses WHERE tenant = ?", (self._tenant,)
        ).fetchone()  # type: ignore[misc]
        return activity_of(last, uses, used_at)

    def scrub(self, memory_id: str) -> None:
        rows: list[Row] = self._connection.execute(
            "SELECT sequence, payload FROM events WHERE tenant = ? AND memory_id = ?", (self._tenant, memory_id)
        ).fetchall()
        for sequence, payload in rows:
            self._connection.execute("UPDATE events SET payload = ? WHERE sequence = ?", (scrubbed(payload), sequence))
