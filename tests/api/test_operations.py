"""Every operation of the table: what it answers, and what it says to what it cannot use."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from commonplace.api.operations import OPERATIONS, PREFIX, STATUSES, Operation, status_of
from commonplace.config import state_folder
from commonplace.domain.memory import Kind, Origin, RelationKind, Status
from commonplace.domain.scope import Right
from commonplace.errors import CommonplaceError
from commonplace.hooks.state import Brought, BroughtSession, State
from tests.api.conftest import NAMED, Client, Page, Peopled, halves_of, token
from tests.http.conftest import Server
from tests.rights.world import ASKED, CANARY, World
from tests.security.door import ask

Given = Mapping[str, Any]
FILTERS: tuple[Given, ...] = (
    {},
    {"scope": ["user:default", "project:shop"], "kind": ["fact", "note"], "status": ["active", "archived"]},
    {"tag": ["ops"], "topic": "harbour", "origin": ["agent"], "source": "nowhere", "session": "ses_1"},
    {"since": "30d", "until": "2999-01-01", "pinned": True},
)


def happy(world: World) -> dict[str, list[Given]]:
    """For every operation, calls that there is nothing wrong with. Those that take away come last."""
    one, other, gone = world.memory.id, world.other.id, world.forgotten.id
    wide = [*FILTERS, {"as_of": "1d", "waiting": False}, {"waiting": True, "status": ["any"]}]
    return {
        "me": [{}],
        "choices": [{}],
        "recall": [{"query": ASKED, **each} for each in wide]
        + [{"query": ASKED, "only": "decisions", "limit": 3}, {"query": "when do we deploy?"}],
        "why": [{"query": ASKED}, {"query": ASKED, "memory": one, "limit": 1}],
        "list": [*wide, {"order": "updated", "limit": 1}, {"order": "oldest", "cursor": world.memory.number}],
        "remember": [
            {"text": "The heron is grey"},
            {
                "text": "The heron eats fish",
                "scope": "user:default",
                "kind": "note",
                "tags": ["birds"],
                "topic": "heron",
                "importance": 0.9,
                "pinned": True,
                "valid_from": "2020-01-01",
                "valid_to": "2999-01-01",
                "expires_at": "7d",
                "replaces": other,
            },
            {"text": "The heron eats no fish", "topic": "herons"},
        ],
        "show": [{"id": one}, {"id": gone}, {"id": world.waits.id}],
        "history": [{"id": one}, {"id": gone}],
        "update": [
            {"id": one, "expected_revision": 1, "tags": ["ops"], "topic": "", "importance": 0.7, "kind": "note"},
            {"id": one, "expected_revision": 2, "category": "x", "valid_from": "2020-01-01", "expires_at": "30d"},
            {"id": one, "expected_revision": 3, "category": "", "valid_from": "", "expires_at": "", "project": ""},
        ],
        "supersede": [{"old": world.waits.id, "new": one, "reason": "said anew"}],
        "keep_both": [{"ids": [one, other]}],
        "review": [{}, {"kind": ["fact", "note"], "tag": ["ops"], "origin": ["agent"], "since": "30d"}, {"limit": 1}],
        "pairs": [{}, {"scope": ["user:default"]}],
        "dreams": [{}, {"limit": 5}],
        "plan_dream": [{}],
        "changes": [{}, {"limit": 1}],
        "sessions": [{}, {"limit": 1, "cursor": 0}, {"query": ASKED, "scope": ["user:default"]}],
        "session": [{"id": world.session}, {"id": world.session, "left_out": True}],
        "turns": [{"id": world.session}, {"id": world.session, "offset": 1, "limit": 1}],
        "decisions": [{}, {"query": "harbour", "area": "backend", "limit": 1}, {"status": "active", "tag": ["x"]}],
        "decision": [{"id": world.decision}, {"id": world.decision, "scope": ["user:default"]}],
        "health": [{}],
        "doctor": [{}],
        "act": [
            {"act": act, "ids": [one, "mem_01ARZ3NDEKTSV4RRFFQ69G5FAV"]}
            for act in ("confirm", "reject", "archive", "restore", "forget")
        ],
        "forget_session": [{"id": world.session}, {"id": world.session, "everything": True}],
        "undo": [{"force": True}],
        "purge_preview": [{"ids": [one, gone]}],
        "purge": [{"ids": [gone], "reason": "asked for"}],
    }


MADE_FIRST = {"apply_dream", "undo_dream"}
"""What takes the name of something that another operation has to make."""


def test_every_operation_answers_as_its_schema_says(there: Peopled) -> None:
    calls = happy(there.world)
    assert calls.keys() | MADE_FIRST == NAMED.keys()
    for name, each in calls.items():
        for given in each:
            there.ada.ask(name, **given)
    plan = there.ada.ask("plan_dream")
    run = there.ada.ask("apply_dream", plan_id=plan["plan_id"])["run"]
    assert run["status"] == "applied"
    there.ada.ask("undo_dream", id=run["id"])
    assert there.ada.ask("dreams")["runs"][0]["status"] == "undone"


def test_what_is_to_choose_from_is_what_the_filter_takes(there: Peopled) -> None:
    found = there.ada.ask("choices")
    assert found["kinds"] == [each.value for each in Kind]
    assert found["statuses"] == [each.value for each in Status]
    assert found["origins"] == [each.value for each in Origin]
    for name, many in (("kind", "kinds"), ("status", "statuses"), ("origin", "origins")):
        for value in found[many]:
            there.ada.ask("list", **{name: [value]})
    assert there.ada.ask("list", scope=[found["scopes"][0]["scope"]])["total"] == found["scopes"][0]["memories"]
    there.ada.ask("list", topic=found["topics"][0]["topic"])


# -- what cannot be used ----------------------------------------------------------------------

WRONG_IN_QUERY = {"integer": "x", "number": "x", "boolean": "maybe"}
WRONG_IN_BODY = {"integer": "x", "number": "x", "boolean": "maybe", "string": 7, "array": "one", "object": 7}


def wrong(operation: Operation) -> Iterator[tuple[str, Any]]:
    """For each parameter, values that are not of its type, as its place in the request can hold them."""
    for name, schema in operation.tool.input_schema()["properties"].items():
        if f"{{{name}}}" in operation.path:
            continue
        if operation.method != "GET":
            yield name, WRONG_IN_BODY[schema.get("type", "string")]
            yield name, {"deep": [[1]]}
        elif schema.get("type") in WRONG_IN_QUERY:
            yield name, WRONG_IN_QUERY[schema["type"]]
            yield name, ["1", "1"]
        if "enum" in schema.get("items", schema):
            yield name, ["nothing"] if schema.get("type") == "array" else "nothing"
        if name in ("since", "until", "as_of", "valid_from", "valid_to", "expires_at"):
            yield name, "some day"
        if schema.get("type") == "string" and operation.method == "GET":
            yield name, ["a", "b"]


def base(operation: Operation, world: World) -> Given:
    """A call of the operation that there is nothing wrong with."""
    named = {"apply_dream": {"plan_id": "plan_1"}, "undo_dream": {"id": "drm_1"}}
    return named[operation.name] if operation.name in named else happy(world)[operation.name][0]


def test_whatever_is_of_the_wrong_type_is_refused_by_its_name_and_changes_nothing(
    there: Peopled, rows: Callable[[Server], list[str]]
) -> None:
    before, tried = rows(there.server), 0
    for operation in OPERATIONS:
        given = base(operation, there.world)
        for name, value in wrong(operation):
            error = there.ada.refused(operation.name, 400, **{**given, name: value})
            assert error["argument"].partition("[")[0].partition(".")[0] == name, (operation.name, name, value, error)
            assert error["message"].endswith((".", ":")), error
            tried += 1
        error = there.ada.refused(operation.name, 400, **given, colour="red")
        assert "colour" in error["message"]
        tried += 1
    assert rows(there.server) == before
    print(f"{tried} bad arguments of {len(OPERATIONS)} operations, each refused by name")
    assert tried > 150


def test_what_is_missing_is_named(there: Peopled) -> None:
    tried = 0
    for operation in OPERATIONS:
        for name in operation.tool.input_schema().get("required", []):
            if f"{{{name}}}" not in operation.path:
                given = {key: value for key, value in base(operation, there.world).items() if key != name}
                error = there.ada.refused(operation.name, 400, **given)
                assert (error["argument"], error["message"]) == (name, f"{name} is missing: give it.")
                tried += 1
    assert tried > 10


def test_what_nobody_knows_is_not_found(there: Peopled) -> None:
    unknown = "mem_01ARZ3NDEKTSV4RRFFQ69G5FAV"
    asked: dict[str, Given] = {
        "show": {"id": unknown},
        "update": {"id": unknown, "expected_revision": 1, "text": "New"},
        "supersede": {"old": unknown, "new": there.world.memory.id},
        "keep_both": {"ids": [unknown, there.world.memory.id]},
        "purge": {"ids": [unknown]},
        "purge_preview": {"ids": [there.world.memory.id, unknown]},
        "why": {"query": "x", "memory": unknown},
        "undo": {"id": "opn_999999999999"},
        "undo_dream": {"id": "drm_1"},
        "session": {"id": "ses_1"},
        "turns": {"id": "ses_1"},
        "forget_session": {"id": "ses_1"},
        "decision": {"id": "DEC-999"},
    }
    for name, given in asked.items():
        assert there.ada.refused(name, 404, **given)["code"] == "not_found", name
    for act in ("confirm", "reject", "archive", "forget", "restore"):
        answer = there.ada.ask("act", act=act, ids=[unknown])
        assert answer["memories"] == []
        assert [(each["id"], each["code"]) for each in answer["problems"]] == [(unknown, "not_found")]
        assert answer["undo"] is None
    assert there.ada.refused("history", 404, id=unknown)["code"] == "not_found"
    assert there.ada.refused("apply_dream", 409, plan_id="plan_1")["code"] == "conflict"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "invalid_input"),
        (b"[]", 400, "invalid_input"),
        (b'"text"', 400, "invalid_input"),
        (b"[" * 100_000, 400, "invalid_input"),
        (b'{"text": ' + b"[" * 60 + b"]" * 60 + b"}", 400, "invalid_input"),
        (b'{"text": NaN}', 400, "invalid_input"),
        (b'{"text": "\\ud800"}', 400, "invalid_input"),
        (b"\xff\xfe", 400, "invalid_input"),
    ],
    ids=["cut", "list", "text", "deep", "deep value", "NaN", "half a character", "no text"],
)
def test_a_body_that_is_no_object_of_ours_is_refused(page: Page, body: bytes, status: int, code: str) -> None:
    person = page.person()
    reply = page.server.send("POST", f"{PREFIX}/memories", body, **person.headers)
    assert (reply.status, reply.json["error"]["code"]) == (status, code), reply
    assert person.ask("list")["total"] == 0


def test_a_body_that_is_too_large_is_refused_before_it_is_read(page: Page) -> None:
    lines = [*((name.replace("_", "-"), value) for name, value in page.person().headers.items()), ("Host", "localhost")]
    sized = [("Content-Type", "application/json"), ("Content-Length", "99999999")]
    heard = ask(page.server.port, "POST", f"{PREFIX}/memories", [*lines, *sized])
    assert (heard.status, json.loads(heard.body)["error"]["code"]) == (413, "too_large")


def test_what_is_no_json_is_refused_in_the_shape_of_the_api(page: Page) -> None:
    headers = {**page.person().headers, "content_type": "text/plain"}
    reply = page.server.send("POST", f"{PREFIX}/memories", b'{"text": "x"}', **headers)
    assert (reply.status, reply.json["error"]["code"]) == (415, "unsupported_media_type")
    for method, path, status in (("GET", "/nothing", 404), ("DELETE", "/me", 405), ("PUT", "/memories", 405)):
        body = b"{}" if method == "PUT" else None
        reply = page.server.send(method, f"{PREFIX}{path}", body, **{**headers, "content_type": "application/json"})
        assert reply.status == status
        assert set(reply.json) == {"error"}


def test_every_error_of_ours_has_a_status() -> None:
    def kinds(kind: type[CommonplaceError]) -> Iterator[type[CommonplaceError]]:
        yield kind
        for below in kind.__subclasses__():
            yield from kinds(below)

    known = dict(STATUSES)
    for kind in kinds(CommonplaceError):
        nearest = next((known[each] for each in kind.__mro__ if each in known), 500)
        assert status_of(kind.code) == nearest, kind


# -- rights -----------------------------------------------------------------------------------


def test_an_operation_asks_for_the_right_that_it_says(there: Peopled, rows: Callable[[Server], list[str]]) -> None:
    everything = frozenset(Right)
    for operation in OPERATIONS:
        before = rows(there.server)
        lacking = Client(there.server, token(there.server, "ada", rights=everything - {operation.right}))
        error = lacking.refused(operation.name, 403, **base(operation, there.world))
        assert error["code"] == "denied", operation.name
        assert operation.right.value in error["message"], (operation.name, error)
        assert rows(there.server) == before, operation.name


def test_a_secret_is_refused_and_not_repeated(there: Peopled) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    error = there.ada.refused("remember", 400, text=f"The token is {secret}")
    assert error["code"] == "secret_refused"
    for name, given in (("show", {"id": secret}), ("recall", {"query": secret}), ("list", {"topic": secret})):
        assert secret not in there.ada.send(name, **given).body.decode(), name


def test_hidden_characters_are_flagged(page: Page) -> None:
    person = page.person()
    made = person.ask("remember", text="Deploys are on Monday\u202e yadseuT")
    assert made["memory"]["flags"]
    assert person.ask("list")["memories"][0]["flags"] == made["memory"]["flags"]


# -- writing ----------------------------------------------------------------------------------


def test_what_the_person_writes_on_their_own_page_is_typed_and_over_the_network_it_is_not(
    page: Page, there: Peopled
) -> None:
    person = page.person()
    assert person.ask("me")["person"] is True
    assert person.ask("remember", text="Herons are grey")["memory"]["origin"] == "typed"
    assert there.ada.ask("me")["person"] is False
    assert there.ada.ask("remember", text="Herons are grey")["memory"]["origin"] == "agent"
    waiting = there.ada.ask("me")["waiting"]
    assert waiting > 0
    there.ada.ask("act", act="confirm", ids=[there.world.waits.id])
    assert there.ada.ask("me")["waiting"] == waiting, "a confirmation over the network is not a person's word"


def test_each_write_can_be_taken_back_by_what_it_answered(page: Page) -> None:
    person = page.person()
    one = person.ask("remember", text="Herons are grey")["memory"]
    other = person.ask("remember", text="Herons eat frogs at noon")["memory"]
    before = person.ask("list", status=["any"])["memories"]
    writes: tuple[tuple[str, Given], ...] = (
        ("update", {"id": one["id"], "text": "Herons are blue", "expected_revision": 1}),
        ("act", {"act": "forget", "ids": [one["id"], other["id"]], "reason": "enough"}),
        ("act", {"act": "archive", "ids": [one["id"]], "reason": "out of sight"}),
        ("act", {"act": "confirm", "ids": [one["id"], other["id"]]}),
        ("supersede", {"old": one["id"], "new": other["id"]}),
        ("keep_both", {"ids": [one["id"], other["id"]]}),
        ("remember", {"text": "Ducks quack", "replaces": one["id"]}),
    )
    for name, given in writes:
        undo = person.ask(name, **given)["undo"]
        assert person.ask("changes", limit=1)["changes"][0]["id"] == undo
        person.ask("undo", id=undo)
        after = person.ask("list", status=["any"])["memories"]
        assert after == before, name
        assert person.refused("undo", 409, id=undo)["code"] == "conflict"


def test_of_two_who_change_one_memory_the_second_is_told(page: Page) -> None:
    person = page.person()
    made = person.ask("remember", text="Herons are grey")["memory"]
    person.ask("update", id=made["id"], text="Herons are blue", expected_revision=1)
    error = person.refused("update", 409, id=made["id"], text="Herons are red", expected_revision=1)
    assert error["code"] == "revision_conflict"
    assert person.ask("show", id=made["id"])["memory"]["text"] == "Herons are blue"


def test_a_thousand_are_acted_on_at_once_and_no_more(page: Page) -> None:
    person = page.person()
    book = page.server.book
    ids = [book.remember(f"Note {number} of the harbour").memory.id for number in range(40)]
    answer = person.ask("act", act="forget", ids=ids)
    assert [each["status"] for each in answer["memories"]] == ["forgotten"] * 40
    person.ask("undo", id=answer["undo"])
    assert person.ask("list")["total"] == 40
    error = person.refused("act", 400, act="forget", ids=["mem_1"] * 1_001)
    assert error["argument"] == "ids"


def test_looking_is_not_using(page: Page) -> None:
    person = page.person()
    made = person.ask("remember", text="Herons are grey")["memory"]
    assert person.ask("recall", query="herons")["hits"][0]["matched_words"] == ["herons"]
    assert person.ask("show", id=made["id"])["memory"]["usage"]["count"] == 0


def test_what_was_said_to_both_stand_is_no_pair_any_more(page: Page) -> None:
    person = page.person()
    ids = [person.ask("remember", text=f"Deploys are on {day}")["memory"]["id"] for day in ("Monday", "Tuesday")]
    found = person.ask("pairs")
    assert [[pair["older"]["id"], pair["newer"]["id"]] for pair in found["contradictions"]] == [ids]
    assert found["complete"] is True
    undo = person.ask("keep_both", ids=ids)["undo"]
    assert person.ask("pairs")["contradictions"] == []
    person.ask("undo", id=undo)
    assert len(person.ask("pairs")["contradictions"]) == 1


def test_what_was_learnt_is_grouped_by_its_conversation_and_says_in_which_words(there: Peopled) -> None:
    learnt = [each for each in there.ada.ask("review")["waiting"] if each["group"]["kind"] == "session"]
    (turn,) = there.ada.ask("turns", id=there.world.session)["turns"]
    said = turn["text"]
    assert learnt
    assert CANARY in said
    for each in learnt:
        assert each["group"]["id"] == there.world.session
        assert each["quotation"]["text"] in said
    shown = there.ada.ask("session", id=there.world.session)
    assert shown["learnt"][0]["quotation"]["text"]
    around = there.ada.ask("show", id=shown["learnt"][0]["memory"]["id"])
    assert around["session"]["id"] == around["quotation"]["session"] == there.world.session
    assert around["quotation"]["role"] == "user"


def test_a_plan_that_would_do_something_else_by_now_is_not_done(page: Page) -> None:
    person = page.person()
    for day in ("Monday", "Tuesday"):
        person.ask("remember", text=f"Deploys are on {day}")
    plan = person.ask("plan_dream")
    assert any(CANARY not in json.dumps(each) and each["before"] for each in plan["changes"])
    assert person.ask("plan_dream")["plan_id"] == plan["plan_id"]
    person.ask("remember", text="Deploys are on Wednesday")
    before = person.ask("list")["memories"]
    assert person.refused("apply_dream", 409, plan_id=plan["plan_id"])["code"] == "conflict"
    assert person.ask("list")["memories"] == before


def test_without_a_book_there_is_nothing_until_something_is_written(page: Page) -> None:
    person = page.person()
    assert person.ask("health")["book"]["exists"] is False
    for name in ("me", "choices", "list", "review", "pairs", "dreams", "changes", "sessions", "decisions"):
        person.ask(name)
    assert person.ask("recall", query="anything")["hits"] == []
    assert person.ask("health")["book"]["exists"] is False, "looking made a book"
    person.ask("remember", text="Herons are grey")
    assert person.ask("health")["book"]["exists"] is True


def test_of_the_machine_its_own_person_is_told_and_nobody_else(page: Page, there: Peopled) -> None:
    own, other = page.person().ask("health"), there.ada.ask("health")
    assert own["person_only"] is True
    assert own["book"]["place"]
    assert (other["person_only"], other["book"]["place"], other["injected"], other["inject"]) == (
        False,
        None,
        None,
        None,
    )
    assert other["hosts"] == other["hooks"] == []


def test_what_hooks_brought_is_told_with_its_cost_also_when_the_memory_is_gone(page: Page) -> None:
    person = page.person()
    ids = [person.ask("remember", text=text)["memory"]["id"] for text in ("Herons are grey", "Gulls are white")]
    person.ask("purge", ids=ids[1:])
    brought = [Brought(1, "prompt", id, "asked about", 7) for id in (*ids, "ses_01ARZ3NDEKTSV4RRFFQ69G5FAV:0")]
    state = State(state_folder() / "hooks")
    state.keep_session(BroughtSession("one", "claude-code", "~/harbour", 1, 0, 40, tuple(brought)))
    injected = person.ask("health")["injected"]
    assert injected["tokens"] == 40
    (session,) = injected["sessions"]
    assert [(each["id"], each["why"], each["tokens"]) for each in session["brought"]] == [
        (each.id, each.why, each.tokens) for each in brought
    ]
    assert [each["memory"] and each["memory"]["text"] for each in session["brought"]] == ["Herons are grey", None, None]


def test_relations_say_which_way_they_go(there: Peopled) -> None:
    one, other = there.world.memory.id, there.world.other.id
    (edge,) = [each for each in there.ada.ask("show", id=one)["relations"] if each["memory"]["id"] == other]
    assert (edge["kind"], edge["direction"]) == (RelationKind.RELATED_TO.value, "from")
    (back,) = [each for each in there.ada.ask("show", id=other)["relations"] if each["memory"]["id"] == one]
    assert back["direction"] == "to"


def test_a_page_that_signed_in_to_a_server_is_whom_its_token_says(there: Peopled) -> None:
    bearer = there.ada.token
    reply = there.server.send("POST", f"{PREFIX}/sign-in", b"{}", bearer)
    page = Client(there.server, **halves_of(reply))
    assert {**page.ask("me"), "person": False} == there.ada.ask("me")
