"""Eight clients write while the database behind the server is cut off, swallowed and killed."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from commonplace.domain.query import Filter
from tests.http.conftest import Server, StartServer
from tests.http.proxy import Proxy
from tests.postgres import Server as Postgres
from tests.waiting import wait_until

CLIENTS = 8
RECOVERY_SECONDS = 10.0


@pytest.fixture
def proxy(postgres: Postgres) -> Iterator[Proxy]:
    folder = parse_qs(urlsplit(postgres.superuser).query)["host"][0]
    (target,) = [path for path in Path(folder).glob(".s.PGSQL.*") if not path.name.endswith(".lock")]
    made = Proxy(target)
    yield made
    made.close()


class Client:
    """Writes one thing after the other, each with its key, and does not give up before it is acknowledged."""

    def __init__(self, server: Server, number: int) -> None:
        self._server = server
        self._number = number
        self.acknowledged: dict[str, str] = {}
        self.moments: list[float] = []
        self.stop = threading.Event()

    def run(self) -> None:
        count = 0
        while not self.stop.is_set():
            text = f"Client {self._number} wrote line {count} of its log"
            if self._write(text, f"key-{self._number}-{count}"):
                count += 1

    def _write(self, text: str, key: str) -> bool:
        try:
            reply = self._server.call("/mcp", "memory_remember", {"text": text, "key": key})
            if reply.status != 200 or reply.json["result"]["isError"]:
                return self._pause()
        except (OSError, ValueError):
            return self._pause()
        self.acknowledged[text] = reply.json["result"]["structuredContent"]["id"]
        self.moments.append(time.monotonic())
        return True

    def _pause(self) -> bool:
        self.stop.wait(0.05)
        return False


def test_no_acknowledged_write_is_lost_or_doubled_whatever_happens_to_the_database(
    start: StartServer, postgres: Postgres, proxy: Proxy
) -> None:
    name = postgres.new_database()
    server = start(
        store=f"postgresql://librarian@127.0.0.1:{proxy.port}/{name}", busy_seconds=3, rate_per_minute=10_000_000
    )
    clients = [Client(server, number) for number in range(CLIENTS)]
    threads = [threading.Thread(target=client.run, daemon=True) for client in clients]
    for thread in threads:
        thread.start()

    def terminate() -> None:
        with postgres.admin() as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))

    def black_hole() -> None:
        proxy.swallow()
        assert proxy.hangs.wait(RECOVERY_SECONDS), "nobody asked the database for anything"
        proxy.let_through()

    recover_from(lambda: None, clients)  # before anything happens, everybody is served
    for fault in (terminate, proxy.cut, black_hole, postgres.restart, terminate, proxy.cut):
        recover_from(fault, clients)
    for client in clients:
        client.stop.set()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    stored = Counter(memory.text for memory in server.book.each(Filter((), statuses=(), include_expired=True)))
    written = {text for client in clients for text in client.acknowledged}
    assert len(written) > 2 * CLIENTS
    assert written - stored.keys() == set(), "acknowledged, and gone"
    assert [text for text, count in stored.items() if count > 1] == [], "written twice"


def recover_from(fault: Callable[[], None], clients: list[Client]) -> None:
    """Every client is served again soon after the fault is over."""
    fault()
    over = time.monotonic()
    wait_until(
        lambda: all(client.moments and client.moments[-1] > over for client in clients),
        RECOVERY_SECONDS,
        "not every client was served again in time",
    )
