"""An embedding model behind HTTP: what it answers well, and every way in which it does not."""

import json
import struct
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.config import load
from commonplace.domain.key import Key
from commonplace.domain.query import EffectiveMode
from commonplace.domain.rank import Scale
from commonplace.errors import InvalidInput, ModelError
from commonplace.models.remote import BATCH, HttpEmbedder, endpoint
from commonplace.ports import Calibration
from tests.hashing import HashingEmbedder

DIMENSIONS = 64
CALIBRATION = Calibration(Scale(0.3, 0.1), 0.9)
Answer = tuple[int, bytes]


def honest(request: dict[str, object]) -> Answer:
    """What a good server says: vectors that mean something, in another order than asked for."""
    texts = request["input"]
    assert isinstance(texts, list)
    vectors = [struct.unpack(f"<{DIMENSIONS}e", each) for each in HashingEmbedder().embed(texts)]
    data = [{"index": place, "embedding": [3 * value for value in vector]} for place, vector in enumerate(vectors)]
    return 200, json.dumps({"data": data[::-1]}).encode()


class Server:
    def __init__(self) -> None:
        self.answer: Callable[[dict[str, object]], Answer] = honest
        self.asked: list[dict[str, object]] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""


@pytest.fixture
def server() -> Iterator[Server]:
    kept = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            kept.asked.append({**request, "path": self.path})
            kept.headers.append(dict(self.headers))
            status, body = kept.answer(request)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    kept.url = f"http://127.0.0.1:{running.server_address[1]}/v1"
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield kept
    running.shutdown()
    running.server_close()


def embedder(server: Server, key: str = "", timeout_seconds: float = 10.0) -> HttpEmbedder:
    place = endpoint(server.url, "some-model", Key(key), timeout_seconds, lambda seconds: None)
    return HttpEmbedder(place, DIMENSIONS, CALIBRATION)


def test_vectors_come_back_in_the_order_of_the_texts_and_of_unit_length(server: Server) -> None:
    texts = [f"lighthouse number {number}" for number in range(BATCH + 3)]
    found = embedder(server).embed(texts)
    expected = HashingEmbedder().embed(texts)
    assert len(found) == len(texts)
    for ours, theirs in zip(found, expected, strict=True):
        pairs = zip(struct.unpack(f"<{DIMENSIONS}e", ours), struct.unpack(f"<{DIMENSIONS}e", theirs), strict=True)
        assert all(abs(one - other) < 2e-3 for one, other in pairs)
    assert [len(asked["input"]) for asked in server.asked] == [BATCH, 3]  # type: ignore[arg-type]
    assert {asked["path"] for asked in server.asked} == {"/v1/embeddings"}


def test_the_key_goes_to_the_server_and_nowhere_else(server: Server) -> None:
    embedder(server, key="sesame").embed_query("lighthouse")
    assert server.headers[0]["Authorization"] == "Bearer sesame"
    assert "sesame" not in repr(embedder(server, key="sesame").space)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ((200, b"not json"), "not one vector a text"),
        ((200, b"[]"), "not one vector a text"),
        ((200, b'{"data": []}'), "not one vector a text"),
        ((200, b'{"data": [{"index": 0, "embedding": "abc"}]}'), "not one vector a text"),
        ((200, b'{"data": [{"index": 0, "embedding": [1, 2]}]}'), "set embed_dimensions"),
        ((401, b""), "COMMONPLACE_EMBED_KEY"),
        ((404, b""), "embed_model"),
        ((429, b""), "too often"),
        ((500, b""), "status 500"),
        ((302, b""), "status 302"),
    ],
)
def test_a_bad_answer_is_one_sentence(server: Server, answer: Answer, sentence: str) -> None:
    server.answer = lambda request: answer
    with pytest.raises(ModelError, match=sentence):
        embedder(server).embed_query("lighthouse")


def test_a_server_that_stumbles_once_is_asked_again(server: Server) -> None:
    server.answer = lambda request: honest(request) if len(server.asked) > 1 else (503, b"")
    assert any(embedder(server).embed_query("lighthouse"))
    assert len(server.asked) == 2


@pytest.mark.parametrize("value", ["NaN", "1e400", "0"])
def test_a_vector_that_is_none_is_blank(server: Server, value: str) -> None:
    numbers = ",".join([value] * DIMENSIONS)
    server.answer = lambda request: (200, f'{{"data": [{{"index": 0, "embedding": [{numbers}]}}]}}'.encode())
    assert not any(embedder(server).embed_query("lighthouse"))


def test_a_book_looks_by_meaning_through_it_and_by_words_without_it(server: Server, tmp_path: Path) -> None:
    settings = {
        "store": str(tmp_path / "book.db"),
        "embed_url": server.url,
        "embed_model": "some-model",
        "embed_dimensions": DIMENSIONS,
    }
    with Book.open(configuration=load(settings)) as book:
        book.remember("The lighthouse is red")
        assert book.recall("lighthouse").effective_mode is EffectiveMode.HYBRID
        server.answer = lambda request: (500, b"")
        found = book.recall("lighthouse")
        assert found.effective_mode is EffectiveMode.LEXICAL
        assert "Searched by words only" in found.warnings[0]
        kept = book.remember("The harbour is blue")
        assert "reembed" in kept.warnings[0]
        finding = next(each for each in book.care.doctor() if each.check == "network")
        assert finding.detail.startswith("enabled")


def test_settings_that_cannot_work_are_named() -> None:
    with pytest.raises(InvalidInput, match="embed_url"):
        endpoint("ftp://host", "m", Key(), 1.0)
    with pytest.raises(InvalidInput, match="embed_model"):
        endpoint("https://host/v1", "", Key(), 1.0)
    with pytest.raises(InvalidInput, match="plain http"):
        endpoint("http://host/v1", "m", Key("sesame"), 1.0)
    with pytest.raises(InvalidInput, match="embed_dimensions"):
        HttpEmbedder(endpoint("https://host/v1", "m", Key(), 1.0), 0, CALIBRATION)
