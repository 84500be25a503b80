"""A language model over HTTP, against a real server that answers well, badly, slowly or not at all."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from commonplace.config import load
from commonplace.domain.key import Key
from commonplace.errors import InvalidInput, ModelError
from commonplace.models.llm import HttpLLM
from commonplace.ports import LLM
from commonplace.sessions.distil import distil, distil_with
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.wiring import assemble

KEY = "sk-test-4711"
Answer = Callable[[BaseHTTPRequestHandler], None]


class Server(ThreadingHTTPServer):
    """Gives its answers one after another, the last one again and again, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list[Answer] = []
        self.asked: list[tuple[str, dict[str, str], dict[str, object]]] = []
        self.released = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, dict(self.headers), body))
        answers = self.server.answers
        (answers.pop(0) if len(answers) > 1 else answers[0])(self)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing to say."""


def status(code: int, body: bytes = b"{}", **headers: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def saying(content: object) -> Answer:
    return status(200, json.dumps({"choices": [{"message": {"content": content}}]}).encode())


def naming(*items: object) -> Answer:
    return saying(json.dumps({"items": items}))


def silence(handler: BaseHTTPRequestHandler) -> None:
    handler.server.released.wait(20)  # type: ignore[attr-defined]


def hanging_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.close()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.released.set()
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def llm(server: Server, waits: list[float]) -> HttpLLM:
    return HttpLLM(server.url, "small", Key(KEY), 5.0, waits.append)


# -- one completion ---------------------------------------------------------------------------


def test_the_question_goes_out_with_model_budget_and_key(server: Server, llm: LLM) -> None:
    server.answers = [saying("Grüße")]
    assert llm.complete("Be brief.", "Hallo?", 50) == "Grüße"
    ((path, headers, body),) = server.asked
    assert (path, headers["Authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert (body["model"], body["max_tokens"]) == ("small", 50)
    assert body["messages"] == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hallo?"}]
    assert llm.uses_network


def test_without_a_key_none_is_sent(server: Server) -> None:
    server.answers = [saying("yes")]
    HttpLLM(server.url, "small", Key(), 5.0).complete("s", "p", 5)
    assert "Authorization" not in server.asked[0][1]


def test_a_model_that_names_its_budget_otherwise_is_asked_its_way(server: Server, llm: LLM) -> None:
    server.answers = [status(400, b'{"error": "use max_completion_tokens instead"}'), saying("yes")]
    assert llm.complete("s", "p", 7) == "yes"
    assert server.asked[1][2]["max_completion_tokens"] == 7
    assert "max_tokens" not in server.asked[1][2]


@pytest.mark.parametrize("trouble", [status(500), status(503), status(429), hanging_up])
def test_one_failure_of_the_server_is_forgiven(server: Server, llm: LLM, waits: list[float], trouble: Answer) -> None:
    server.answers = [trouble, saying("yes")]
    assert llm.complete("s", "p", 5) == "yes"
    assert len(waits) == 1


def test_the_server_says_how_long_to_wait_within_reason(server: Server, llm: LLM, waits: list[float]) -> None:
    server.answers = [status(429, Retry_After="2"), saying("yes")]
    llm.complete("s", "p", 5)
    server.answers = [status(429, Retry_After="3600"), saying("yes")]
    llm.complete("s", "p", 5)
    assert waits == [2.0, 5.0]


@pytest.mark.parametrize(
    ("answer", "tries", "words"),
    [
        (status(500), 2, "status 500"),
        (status(429), 2, "too often"),
        (status(401), 1, "COMMONPLACE_LLM_KEY"),
        (status(404), 1, "llm_model"),
        (status(302, Location="http://127.0.0.1:1/steal"), 1, "status 302"),
        (status(200, b"garbage"), 1, "no message"),
        (status(200, b'{"choices": []}'), 1, "no message"),
        (saying(None), 1, "no message"),
        (hanging_up, 2, "cannot be reached"),
        (status(200, b" " * 4_100_000), 1, "more than was asked for"),
    ],
)
def test_every_failure_is_a_sentence_without_the_key(
    server: Server, llm: LLM, answer: Answer, tries: int, words: str
) -> None:
    server.answers = [answer]
    with pytest.raises(ModelError, match=words) as caught:
        llm.complete("s", "p", 5)
    assert len(server.asked) == tries
    assert KEY not in f"{caught.value!r} {caught.value.__cause__!r} {vars(llm)!r}"


def test_a_model_that_does_not_answer_is_given_up_after_the_time_set(server: Server) -> None:
    server.answers = [silence]
    with pytest.raises(ModelError, match=r"within 0\.2 seconds"):
        HttpLLM(server.url, "small", Key(), 0.2).complete("s", "p", 5)
    assert len(server.asked) == 1


def test_nobody_at_the_address_is_said_so(waits: list[float]) -> None:
    with pytest.raises(ModelError, match="check llm_url"):
        HttpLLM("http://127.0.0.1:1", "small", Key(), 1.0, waits.append).complete("s", "p", 5)


@pytest.mark.parametrize(
    ("url", "model", "argument"),
    [
        ("ftp://a/v1", "m", "llm_url"),
        ("nonsense", "m", "llm_url"),
        ("https://", "m", "llm_url"),
        ("https://user:pass@a/v1", "m", "llm_url"),
        ("https://a/v1", "", "llm_model"),
        ("http://models.example/v1", "m", "llm_url"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused(url: str, model: str, argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        HttpLLM(url, model, Key(KEY), 1.0)
    assert caught.value.argument == argument


def test_the_wiring_makes_one_only_if_an_address_is_set(tmp_path: Path) -> None:
    def made(**named: str) -> LLM | None:
        return assemble(load({}, {"HOME": str(tmp_path), **named}, tmp_path)).llm

    assert made() is None
    assert isinstance(made(COMMONPLACE_LLM_URL="http://localhost:1/v1", COMMONPLACE_LLM_MODEL="m"), HttpLLM)


# -- distilling with it -----------------------------------------------------------------------

SPOKEN = (
    Turn(Speaker.USER, "hi"),
    Turn(Speaker.USER, "We always deploy from the main branch because the customer audits it."),
    Turn(Speaker.ASSISTANT, "Noted."),
    Turn(Speaker.USER, "<memory-data>The rig is at 10.20.6.17.</memory-data> The review with Ines is on 6 March."),
    Turn(Speaker.USER, "Our key is AKIAZ7QK4MVXW2NHTB5D, use it for the sandbox."),
)
GOOD = {"turn": 1, "type": "instruction", "text": "Deploy always from the main branch because the customer audits it"}


def test_what_the_model_names_is_kept_with_its_turn(server: Server, llm: LLM) -> None:
    server.answers = [naming({"turn": 3, "type": "event", "text": "The review with Ines is on 6 March."}, GOOD)]
    found = distil_with(llm, SPOKEN)
    assert [(item.turn, item.memory_type.value) for item in found.items] == [(1, "instruction"), (3, "event")]
    assert found.fell_back is None
    assert found.dropped == ()


def test_an_answer_inside_a_code_fence_is_understood(server: Server, llm: LLM) -> None:
    server.answers = [saying(f"Sure!\n```json\n{json.dumps({'items': [GOOD]})}\n```")]
    assert GOOD["text"] in [item.text for item in distil_with(llm, SPOKEN).items]


@pytest.mark.parametrize(
    "answer",
    [
        f"The {{items}} are:\n{json.dumps({'items': [GOOD]})}\nAnything else {{or}} not?",
        json.dumps([GOOD]),
        f"```json\n[{json.dumps(GOOD)}]\n```",
        json.dumps({"note": "{", "items": [GOOD]}),
    ],
)
def test_whatever_stands_around_the_json_it_is_read(server: Server, llm: LLM, answer: str) -> None:
    server.answers = [saying(answer)]
    found = distil_with(llm, SPOKEN)
    assert found.fell_back is None
    assert [item.text for item in found.items if item.turn == 1] == [GOOD["text"]]


@pytest.mark.parametrize("kind", ["preference", "decision", "learning", "context", "Task"])
def test_a_model_may_name_any_kind(server: Server, llm: LLM, kind: str) -> None:
    server.answers = [naming({"turn": 3, "kind": kind, "text": "The review with Ines is on 6 March."})]
    (item,) = (item for item in distil_with(llm, SPOKEN).items if item.turn == 3)
    assert item.kind.value == kind.lower()
    assert item.quote == "The review with Ines is on 6 March."


def test_what_the_model_says_of_a_wish_is_a_wish_and_quotes_it(server: Server, llm: LLM) -> None:
    server.answers = [naming(GOOD)]
    (item,) = (item for item in distil_with(llm, SPOKEN).items if item.turn == 1)
    assert (item.text, item.explicit) == (GOOD["text"], True)
    assert item.quote == SPOKEN[1].text


def test_the_model_sees_neither_secrets_nor_what_recall_put_there(server: Server, llm: LLM) -> None:
    server.answers = [naming()]
    assert 1 in [item.turn for item in distil_with(llm, SPOKEN).items], "a standing rule needs no model to be kept"
    sent = json.dumps(server.asked[0][2])
    assert "AKIAZ7QK4MVXW2NHTB5D" not in sent
    assert "10.20.6.17" not in sent
    assert "main branch" in sent


@pytest.mark.parametrize(
    ("item", "why"),
    [
        ({**GOOD, "turn": 99}, "does not exist"),
        ({**GOOD, "turn": "1"}, "does not exist"),
        ({**GOOD, "turn": True}, "does not exist"),
        ({**GOOD, "turn": 3}, "not supported by turn 3"),
        ({**GOOD, "text": "The user loves sailing and owns two boats."}, "not supported"),
        ({**GOOD, "text": "Deploy always from the main branch of version 7."}, "not supported"),
        ({**GOOD, "text": "The rig is at 10.20.6.17.", "turn": 3}, "not supported"),
        ({**GOOD, "text": ""}, "no text"),
        ({**GOOD, "text": "main branch " * 100}, "no text"),
        ({**GOOD, "type": "secret"}, "no known kind"),
        ("an item", "no object"),
    ],
)
def test_what_the_turns_do_not_support_is_dropped_and_said_so(server: Server, llm: LLM, item: object, why: str) -> None:
    server.answers = [naming(item, GOOD)]
    found = distil_with(llm, SPOKEN)
    assert [item.text for item in found.items if item.turn == 1] == [GOOD["text"]]
    assert found.fell_back is None
    assert why in found.dropped[0]


@pytest.mark.parametrize("turn", [1, 4])
def test_a_demand_to_store_a_secret_is_not_met(server: Server, llm: LLM, turn: int) -> None:
    demand = {"turn": turn, "type": "fact", "text": "Our key is AKIAZ7QK4MVXW2NHTB5D, use it for the sandbox."}
    server.answers = [naming(demand, GOOD)]
    found = distil_with(llm, SPOKEN)
    assert {1} <= {item.turn for item in found.items} <= {1, 3}
    assert "AKIA" not in repr(found)


@pytest.mark.parametrize(
    "answer",
    [
        saying("I cannot do that."),
        saying('{"items": 5}'),
        saying("[1]"),
        saying('{"items": [{"turn": 1'),
        naming({**GOOD, "turn": 99}),
        status(500),
        status(200, b"\xff\xfe"),
        hanging_up,
    ],
)
def test_a_model_that_is_of_no_use_leaves_the_choice_to_the_rules(server: Server, llm: LLM, answer: Answer) -> None:
    server.answers = [answer]
    found = distil_with(llm, SPOKEN)
    assert found.items == distil(SPOKEN).items
    assert found.items
    assert found.fell_back is not None
    assert found.fell_back.endswith(".")


def test_a_long_conversation_is_read_in_several_parts_and_a_longer_one_by_the_rules(server: Server, llm: LLM) -> None:
    server.answers = [naming()]
    part = Turn(Speaker.USER, "We talked about the harbour and its old cranes. " * 400)
    assert distil_with(llm, [part] * 3).fell_back is None
    assert len(server.asked) == 3
    assert distil_with(llm, [part] * 40).fell_back is not None
    assert len(server.asked) == 3
