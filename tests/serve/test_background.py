"""What a server does while nobody waits for it, for everybody there is: as a login that owns nothing, and in spite of
whoever it fails for."""

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.config import Settings
from commonplace.domain.memory import Status
from commonplace.domain.scope import Principal
from commonplace.ports import Embedder, Store, Vector
from commonplace.serve import background
from commonplace.serve.background import Background
from commonplace.store.postgres import PostgresStore
from commonplace.store.sqlite import SqliteStore
from tests.conftest import ManualClock, having
from tests.dream.making import everything, keep
from tests.dream.test_due import at
from tests.hashing import HashingEmbedder
from tests.postgres import MEMBER, Server

NIGHT = at("2026-03-02T02:30")
TENANTS = ("acme", "globex", "umbrella")
WITH_ISSUER = Settings(oauth_issuer="https://issuer.example", oauth_resource="https://memory.example/mcp")

OpenAs = Callable[[Principal, Embedder | None], Book]


@pytest.fixture(params=["sqlite", "postgres"])
def open_as(request: pytest.FixtureRequest, tmp_path: Path, clock: ManualClock) -> Iterator[OpenAs]:
    """The same book for anybody; on PostgreSQL through a login that may act as commonplace_app and owns nothing."""
    store: Store = SqliteStore(tmp_path / "book.db")
    if request.param == "postgres":
        server: Server = request.getfixturevalue("postgres")
        database = server.new_database()
        owners = PostgresStore(server.address(database))
        owners.upkeep.upgrade()
        owners.close()
        store = PostgresStore(server.address(database, MEMBER))
    yield lambda principal, embedder: Book.over(store, principal, embedder, clock)
    store.close()


def twice_known(open_as: OpenAs, tenant: str, text: str = "Tea at four") -> Book:
    """A tenant with a person nobody has made a token for, who knows a thing twice."""
    book = open_as(Principal(tenant, "ada", ()), None)
    for _ in range(2):
        keep(book, text)
    return book


def without_vectors(open_as: OpenAs, embedder: Embedder) -> dict[str, int]:
    return {tenant: open_as(Principal(tenant), embedder).care.missing_vectors() for tenant in TENANTS}


def gave_way(open_as: OpenAs) -> dict[str, int]:
    books = {tenant: open_as(Principal(tenant, "ada", ()), None) for tenant in TENANTS}
    return {
        tenant: sum(memory.status is Status.SUPERSEDED for memory in everything(book).values())
        for tenant, book in books.items()
    }


def test_vectors_are_filled_in_and_dreams_made_for_every_tenant(open_as: OpenAs, clock: ManualClock) -> None:
    clock.now = NIGHT
    for tenant in TENANTS:
        twice_known(open_as, tenant)
    clock.advance(seconds=900)
    work = Background(open_as(Principal(), HashingEmbedder()), WITH_ISSUER)
    assert work.fill_in() == 2 * len(TENANTS)
    assert without_vectors(open_as, HashingEmbedder()) == dict.fromkeys(TENANTS, 0)
    clock.advance(seconds=900)
    assert work.dream() == len(TENANTS) + 1, "the person whose server it is dreams too"
    assert gave_way(open_as) == dict.fromkeys(TENANTS, 1)


def test_what_stands_beside_memories_gets_its_vectors_for_every_tenant(open_as: OpenAs) -> None:
    for tenant in TENANTS:
        book = open_as(Principal(tenant, "ada", ()), None)
        book.documents.add_text("notes.md", "The harbour opens at dawn.")
    work = Background(open_as(Principal(), HashingEmbedder()))
    assert without_vectors(open_as, HashingEmbedder()) == dict.fromkeys(TENANTS, 1)
    assert work.fill_in() == len(TENANTS)
    assert without_vectors(open_as, HashingEmbedder()) == dict.fromkeys(TENANTS, 0)
    found = open_as(Principal(TENANTS[0], "ada", ()), HashingEmbedder()).recall("when does the harbour open")
    assert "meaning" in found.others[0].reason


def test_the_server_of_a_host_fills_in_for_its_own_person_and_nobody_else(
    open_as: OpenAs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(background, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(background, "EVERY_SECONDS", 0.01)
    for tenant in TENANTS:
        open_as(Principal(tenant, "ada", ()), None).documents.add_text("notes.md", "The harbour opens at dawn.")
    filled = threading.Event()

    class Heard(HashingEmbedder):
        def embed(self, texts: Sequence[str]) -> list[Vector]:
            filled.set()
            return super().embed(texts)

    work = Background.of_a_host(open_as(Principal(TENANTS[0], "ada", ()), Heard()), str(tmp_path / "book.db"))
    work.start()
    assert filled.wait(60)
    work.stop()
    work._thread.join(60)
    assert without_vectors(open_as, HashingEmbedder()) == {"acme": 0, "globex": 1, "umbrella": 1}


class Stumbling(HashingEmbedder):
    """A model that one text is too much for, and that is heard to have been asked for it twice."""

    def __init__(self) -> None:
        super().__init__()
        self.stumbled = 0
        self.again = threading.Event()

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if any("poison" in text for text in texts):
            self.stumbled += 1
            if self.stumbled > 1:
                self.again.set()
            raise ZeroDivisionError("nobody expected this")
        return super().embed(texts)


def test_an_error_nobody_expected_is_one_tenants_alone_and_does_not_end_the_thread(
    open_as: OpenAs, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(background, "EVERY_SECONDS", 0.01)
    for tenant, text in zip(TENANTS, ("Tea", "The poison", "Coffee"), strict=True):
        twice_known(open_as, tenant, f"{text} is at four")
    embedder = Stumbling()
    work = Background(open_as(Principal(), embedder), Settings(dream_window="never"))
    work._thread.start()
    assert embedder.again.wait(60), "it looked again after it had failed"
    work._stop.set()
    work._thread.join(60)
    assert without_vectors(open_as, embedder) == {"acme": 0, "globex": 2, "umbrella": 0}
    assert "could not give memories of globex vectors" in caplog.text
    assert "ZeroDivisionError" in caplog.text
    assert "poison" not in caplog.text, "a log has no content in it"


class Sleepless:
    """A language model that fails in a way that no model should, over one tenant's memories."""

    uses_network = False

    def complete(self, system: str, prompt: str, max_tokens: int) -> str:
        if "poison" in prompt:
            raise ZeroDivisionError("nobody expected this")
        return ""


def test_a_dream_that_fails_keeps_nobody_else_awake(
    open_as: OpenAs, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    clock.now = NIGHT
    for tenant, text in zip(TENANTS, ("Tea", "The poison", "Coffee"), strict=True):
        twice_known(open_as, tenant, f"{text} is at four")
    clock.advance(seconds=900)
    work = Background(having(open_as(Principal(), None), llm=Sleepless()), WITH_ISSUER)
    assert work.dream() == len(TENANTS), "of those, all but one, and the person whose server it is"
    assert gave_way(open_as) == {"acme": 1, "globex": 0, "umbrella": 1}
    assert "could not dream for ada of globex" in caplog.text
