"""What the tests of the snipara contract say again and again."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from commonplace.book.book import Book
from commonplace.domain.scope import Principal
from commonplace.engine.caller import Door, system_clock
from commonplace.store.sqlite import SqliteStore
from tests.conftest import DAY, ManualClock
from tests.contracts.client import Client

DARK = "User prefers dark mode in all applications"
SEED_KEYS = {
    "id",
    "content",
    "type",
    "category",
    "confidence",
    "relevance",
    "createdAt",
    "lastAccessedAt",
    "status",
    "freshness",
    "evidence_count",
}
SERVER_KEYS = {
    "memory_id",
    "content",
    "type",
    "scope",
    "category",
    "status",
    "confidence",
    "source",
    "owner",
    "created_at",
    "expires_at",
    "access_count",
}
REDIS: dict[str, Any] = {
    "title": "Use Redis for background job deduplication",
    "owner": "platform-team",
    "scope": "backend",
    "impact": "HIGH",
    "context": "Workers need a shared dedupe layer across deploys",
    "decision": "Adopt Redis SETNX-based deduplication",
    "rationale": "Faster operational rollout than queue-layer rewrite",
    "alternatives": ["Postgres advisory locks", "Kafka compaction"],
    "tags": ["jobs", "reliability", "redis"],
}
QUEUE: dict[str, Any] = {
    "title": "Move job deduplication to queue middleware",
    "owner": "platform-team",
    "scope": "backend",
    "impact": "HIGH",
    "context": "Redis hot key pressure increased with traffic growth",
    "decision": "Shift deduplication into queue middleware",
    "rationale": "Reduces operational hotspots and centralizes policy",
}


def stored(client: Client, text: str, **arguments: Any) -> str:
    answer = client.call("rlm_remember", text=text, **arguments)
    assert answer["created"] is True
    return str(answer["memory_id"])


def recalled(client: Client, query: str, **arguments: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.call("rlm_recall", query=query, **arguments)["memories"]
    return found


def texts(client: Client, query: str, **arguments: Any) -> set[str]:
    return {each["content"] for each in recalled(client, query, **arguments)}


def listed(client: Client, **arguments: Any) -> list[str]:
    return [each["content"] for each in client.call("rlm_memories", **arguments)["memories"]]


def refused(client: Client, tool: str, /, **arguments: Any) -> str:
    """The sentence of a refusal."""
    body = client.refusal(tool, **arguments)
    assert isinstance(body["error"], str)
    return str(body["error"])


@contextmanager
def past(folder: Path, project: Path, days: float = 0, principal: Principal = Principal()) -> Iterator[Book]:
    """The test's book as it is used so many days ago: what is written here has that age for the server."""
    clock = ManualClock(system_clock() - int(days * DAY))
    door = Door(surface="snipara", scope="project:auto")
    with Book.over(SqliteStore(folder / "book.db"), principal, None, clock, door, project) as book:
        yield book
