"""What Prometheus may know: how much, how fast, how large. Never content, never who."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from commonplace.dialect import Answer

CONTENT_TYPE = CONTENT_TYPE_LATEST
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The counters of one server; a registry of its own, so that two servers in a process stay apart."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "commonplace_http_requests",
            "HTTP requests, by route and status.",
            ("route", "status"),
            registry=self._registry,
        )
        self._calls = Counter(
            "commonplace_calls",
            "Tool and method calls, by surface, name and outcome.",
            ("surface", "name", "outcome"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "commonplace_call_seconds",
            "How long calls took.",
            ("surface", "name"),
            buckets=BUCKETS,
            registry=self._registry,
        )
        self._size = Gauge("commonplace_store_bytes", "The size of the store.", registry=self._registry)

    def count_request(self, route: str, status: int) -> None:
        """One more for the route and status. Paths that are no route come under one name: labels must not grow."""
        self._requests.labels(route, str(status)).inc()

    @contextmanager
    def timing(self, surface: str, name: str) -> Iterator[list[Answer]]:
        """Times a call; what it answered is put into the list, and a call that put nothing there crashed."""
        answers: list[Answer] = []
        started = time.perf_counter()
        try:
            yield answers
        finally:
            outcome = "crashed" if not answers else "refused" if answers[0].failed else "done"
            self._calls.labels(surface, name, outcome).inc()
            self._seconds.labels(surface, name).observe(time.perf_counter() - started)

    def render(self, store_bytes: int) -> bytes:
        """Everything counted so far, in Prometheus' text format."""
        self._size.set(store_bytes)
        return generate_latest(self._registry)
