"""Events and revisions in the PostgreSQL book."""

from collections.abc import Iterator

from commonplace.domain.events import Activity, Event, EventType, Revision
from commonplace.domain.memory import Memory
from commonplace.store.postgres.memories import MEMORY_SOURCE
from commonplace.store.postgres.transaction import Transaction, one
from commonplace.store.rows import (
    EVENT_COLUMNS,
    MEMORY_COLUMNS,
    activity_of,
    event_of,
    event_values,
    memory_of,
    scrubbed,
    state_of,
)


class PostgresLog:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._tenant = transaction.tenant

    def append(self, event: Event) -> None:
        # The next place in the log is ours: a writer is alone in its tenant.
        self._transaction.run(
            f"INSERT INTO events (tenant, sequence, {EVENT_COLUMNS}) "
            "SELECT %s, coalesce(max(sequence), 0) + 1, %s, %s, %s, %s, %s, %s FROM events WHERE tenant = %s",
            (self._tenant, *event_values(event), self._tenant),
        )

    def events(self, memory_id: str) -> tuple[Event, ...]:
        rows = self._transaction.rows(
            f"SELECT {EVENT_COLUMNS}, sequence FROM events WHERE tenant = %s AND memory_id = %s ORDER BY sequence",
            (self._tenant, memory_id),
        )
        return tuple(map(event_of, rows))

    def revisions(self, number: int) -> tuple[Revision, ...]:
        past = self._transaction.rows(
            "SELECT state, recorded_at FROM revisions WHERE tenant = %s AND number = %s ORDER BY revision",
            (self._tenant, number),
        )
        found = [Revision(state_of(state), recorded_at) for state, recorded_at in past]
        present = one(
            self._transaction.rows(
                f"SELECT {MEMORY_COLUMNS}, m.recorded_at FROM {MEMORY_SOURCE} WHERE m.tenant = %s AND m.number = %s",
                (self._tenant, number),
            )
        )
        if present is not None:
            found.append(Revision(memory_of(present[:-1]), present[-1]))
        return tuple(found)

    def states_at(self, moment: int) -> Iterator[Memory]:
        unchanged = self._transaction.stream(
            f"SELECT {MEMORY_COLUMNS} FROM {MEMORY_SOURCE} WHERE m.tenant = %s AND m.recorded_at <= %s",
            (self._tenant, moment),
        )
        for row in unchanged:
            yield memory_of(row)
        changed = self._transaction.stream(
            "SELECT DISTINCT ON (r.number) r.state FROM revisions AS r "
            "JOIN memories AS m ON m.tenant = r.tenant AND m.number = r.number "
            "WHERE r.tenant = %s AND m.recorded_at > %s AND r.recorded_at <= %s ORDER BY r.number, r.revision DESC",
            (self._tenant, moment, moment),
        )
        for (state,) in changed:
            yield state_of(state)

    def purged_ids(self) -> frozenset[str]:
        rows = self._transaction.rows(
            "SELECT memory_id FROM events WHERE tenant = %s AND type = %s", (self._tenant, EventType.PURGED.value)
        )
        return frozenset(id for (id,) in rows)

    def activity(self) -> Activity:
        last = one(
            self._transaction.rows(
                "SELECT sequence, at FROM events WHERE tenant = %s ORDER BY sequence DESC LIMIT 1", (self._tenant,)
            )
        )
        counted = self._transaction.rows(
            "SELECT coalesce(sum(count), 0)::bigint, max(used_at) FROM uses WHERE tenant = %s", (self._tenant,)
        )
        uses, used_at = one(counted) or (0, None)  # a book that is not there yet answers with no row at all
        return activity_of(last, uses, used_at)

    def scrub(self, memory_id: str) -> None:
        rows = self._transaction.rows(
            "SELECT sequence, payload FROM events WHERE tenant = %s AND memory_id = %s ORDER BY sequence",
            (self._tenant, memory_id),
        )
        self._transaction.run_many(
            "UPDATE events SET payload = %s WHERE tenant = %s AND sequence = %s",
            [(scrubbed(payload), self._tenant, sequence) for sequence, payload in rows],
        )
