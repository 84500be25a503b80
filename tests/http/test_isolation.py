"""Twenty organisations on one server, and nobody sees a byte of another, whatever they ask for."""

import json
import os
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from starlette.routing import Route

from commonplace.api.operations import API_DOOR, OPERATIONS, PREFIX, dialect
from commonplace.dialect import Dialect
from commonplace.dialects import NATIVE, load_dialect
from commonplace.dialects.aleph.methods import METHODS
from commonplace.dialects.onelamp.teams import METHODS as TEAM_METHODS
from commonplace.domain.record import Record
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.intake import Draft
from commonplace.serve.gate import Gate
from commonplace.sessions.transcripts import Speaker, Turn
from tests.http.conftest import Reply, Server, StartServer
from tests.http.operations import request_of
from tests.postgres import Server as Postgres

TENANTS = 20
VICTIMS = 10
SOAK = os.environ.get("COMMONPLACE_SOAK") == "1"
CALLS = 5_000 if SOAK else 2_000
CALLS_OVER_A_NETWORK = 5_000 if SOAK else 1_000
SEED = 20_261_116


NAMED = {operation.name: operation for operation in OPERATIONS}


class Tenant(Record):
    """An organisation, what it knows, and the one word by which a leak would show."""

    name: str
    token: str
    canary: str
    ids: tuple[str, ...]
    numbers: tuple[int, ...]


def settle(server: Server, number: int, dice: random.Random) -> Tenant:
    name, canary = f"org{number}", f"canary{dice.getrandbits(64):016x}"
    principal = Principal(name, f"user{number}", (f"team{number}",))
    book = server.book.seen_by(principal, server.book.door, Scope.parse(f"project:p{number}"))
    drafts = [
        Draft(f"The vault of the harbour opens with {canary}", principal.own_scope, tags=("vault", canary)),
        Draft(f"Deploys of the harbour are on Monday, says {canary}", Scope.parse("project:shared"), topic="deploys"),
        Draft(f"The harbour team trusts {canary}", Scope.parse(f"team:team{number}"), session=f"s-{canary}"),
        Draft(f"A forgotten harbour word: {canary}", principal.own_scope),
    ]
    memories = [result.memory for result in book.remember_many(drafts)]  # type: ignore[union-attr]
    book.forget(memories[3], reason=f"because of {canary}")
    book.curated.add(f"Curated in the harbour: {canary}", principal.own_scope)
    book.curated.take(principal.own_scope)
    book.corrections.log(f"The harbour is not closed, says {canary}")
    talk = [Turn(Speaker.USER, f"We decided that service 3 of the harbour uses {canary} for the login.")]
    book.sessions.save(talk, principal.own_scope)
    token = server.book.access.create(principal, name, project=Scope.parse(f"project:p{number}")).secret
    return Tenant(name, token, canary, tuple(m.id for m in memories), tuple(m.number for m in memories))


def surfaces(app: Gate) -> list[tuple[str, Dialect]]:
    """Every route that takes calls with what it speaks, read from the app, so that a new dialect is here at once."""
    paths = [route.path for route in app.app.routes if isinstance(route, Route)]  # type: ignore[attr-defined]
    spoken = [(path, path.split("/")[1] if path != "/mcp" else NATIVE) for path in paths if path.endswith("/mcp")]
    methods = [(path, each) for path, each in (("/rpc", METHODS), ("/teams", TEAM_METHODS)) if path in paths]
    assert methods
    assert any(path.startswith(f"{PREFIX}/") for path in paths)
    return [(path, load_dialect(name)) for path, name in spoken] + methods + [(PREFIX, dialect(API_DOOR))]


def called(server: Server, path: str, name: str, given: dict[str, object], token: str) -> tuple[Reply, bool]:
    """What came back, and whether it was more than a refusal."""
    if path == PREFIX:
        method, place, body = request_of(NAMED[name], given)
        reply = server.send(method, place, body, token)
        return reply, reply.status == 200
    if path in ("/rpc", "/teams"):
        reply = server.rpc(path, name, given, token)
        return reply, "result" in reply.json
    reply = server.call(path, name, given, token)
    return reply, not reply.json["result"].get("isError", False)


def forged(dice: random.Random, victims: Sequence[Tenant]) -> object:
    """Something that names what belongs to somebody else."""
    victim = dice.choice(victims)
    place = dice.choice(victim.name.removeprefix("org"))
    tail = victim.ids[dice.randrange(4)].removeprefix("mem_")
    return dice.choice(
        [
            f"mem_{tail}",
            f"ctx_{tail}",
            f"cur_{tail}",
            tail,
            str(dice.choice(victim.numbers)),
            f"#{victim.numbers[0]}",
            f"user:user{place}",
            f"team:team{place}",
            "project:shared",
            "project:auto",
            "user:default",
            "user",
            "team",
            "agent:main",
            f"project:p{place}",
            victim.name,
            "vault",
            "harbour",
            "what opens the vault of the harbour",
            "deploys",
            "%",
            "*",
            "",
            "1 OR 1=1",
            "'; --",
            "all",
            "any",
        ]
    )


def arguments(dice: random.Random, schema: dict, victims: Sequence[Tenant]) -> dict[str, object]:
    """Random arguments after a tool's own schema, with forged values wherever a text fits."""
    required = set(schema.get("required", ()))
    names = [name for name in schema["properties"] if name in required or dice.random() < 0.4]
    return {name: fitting(dice, name, schema["properties"][name], victims) for name in names}


def fitting(dice: random.Random, name: str, schema: dict, victims: Sequence[Tenant]) -> object:
    """Mostly what an argument of that name would take, so that calls get far enough to leak something."""
    if schema.get("type") == "string" and "enum" not in schema and dice.random() < 0.7:
        if name.endswith(("_at", "since", "until", "as_of")):
            return dice.choice(["30d", "2026-01-01", "2030-01-01T00:00:00Z"])
        if "scope" in name:
            return dice.choice(["project:shared", "user:default", "agent:main", "project:auto"])
        if name in ("text", "content", "query", "task_context", "user_prompt", "transcript", "reason"):
            return dice.choice(["what opens the vault of the harbour", "deploys on Monday", "the harbour team trusts"])
    return value(dice, schema, victims)


def value(dice: random.Random, schema: dict, victims: Sequence[Tenant]) -> object:
    if "enum" in schema:
        return dice.choice(schema["enum"])
    match schema.get("type"):
        case "integer" | "number":
            return dice.choice([0, 1, 2, 3, 5, 8, 50, dice.choice(dice.choice(victims).numbers)])
        case "boolean":
            return dice.random() < 0.5
        case "array":
            return [value(dice, schema.get("items", {}), victims) for _ in range(dice.randrange(3))]
        case "object":
            return arguments(dice, schema, victims) if "properties" in schema else {}
        case _:
            return forged(dice, victims)


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_no_foreign_byte_is_ever_returned(
    start: StartServer, engine: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    store, calls = str(tmp_path / "book.db"), CALLS
    if engine == "postgres":  # as a member of the application's role, which owns nothing
        database: Postgres = request.getfixturevalue("postgres")
        store, calls = database.address(database.new_database()), CALLS_OVER_A_NETWORK
    server = start(store=store, rate_per_minute=1_000_000)
    dice = random.Random(SEED)
    tenants = [settle(server, number, dice) for number in range(TENANTS)]
    attackers = tenants[VICTIMS:]
    before = [exported(server, number) for number in range(VICTIMS)]
    places = [(path, tool) for path, dialect in surfaces(server.app) for tool in dialect.tools]
    schemas = {tool.name + path: tool.input_schema() for path, tool in places}
    answered = 0
    for _ in range(calls):
        attacker = dice.choice(attackers)
        path, tool = dice.choice(places)
        given = arguments(dice, schemas[tool.name + path], tenants)
        reply, done = called(server, path, tool.name, given, attacker.token)
        refused = path == PREFIX and reply.status in (400, 403, 404, 405, 409)  # which says so by the status
        assert reply.status == 200 or refused, (tool.name, given, reply.body)
        answered += done
        leaked = [other.name for other in tenants if other is not attacker and other.canary.encode() in reply.body]
        assert leaked == [], (tool.name, given, reply.body)
    assert answered > calls / 4, "most calls were refused before they could leak anything"
    assert [exported(server, number) for number in range(VICTIMS)] == before


def exported(server: Server, number: int) -> list[str]:
    principal = Principal(f"org{number}", f"user{number}", (f"team{number}",))
    book = server.book.seen_by(principal, server.book.door, None)
    lines = list(book.transfer.export())
    assert json.loads(lines[0])["format"] == "commonplace-export"
    return lines[1:]


def test_users_of_one_organisation_do_not_see_each_others_own_memories(start: StartServer) -> None:
    server = start()
    ada, bob = server.token("ada", "org"), server.token("bob", "org")
    server.call("/mcp", "memory_remember", {"text": "The canary of ada sings"}, ada)
    server.call("/aleph/mcp", "remember", {"content": "The canary of ada sings loudly"}, ada)
    for method, params in (
        ("memory.search", {"query": "canary"}),
        ("memory.retrieve_with_trace", {"query": "canary"}),
        ("memory.delete", {"id": "1"}),
        ("dreaming.run_now", {}),
        ("dreaming.list_insights", {}),
    ):
        assert b"sings" not in server.rpc("/rpc", method, params, bob).body
    assert b"sings" in server.rpc("/rpc", "memory.search", {"query": "canary"}, ada).body
    for tool, given in (
        ("memory_recall", {"query": "canary sings"}),
        ("memory_list", {"status": "any"}),
        ("memory_explain", {"id": "1"}),
        ("memory_recall", {"query": "canary", "scope": "user:ada"}),
    ):
        assert b"sings" not in server.call("/mcp", tool, given, bob).body
    assert b"sings" in server.call("/mcp", "memory_recall", {"query": "canary sings"}, ada).body


@pytest.mark.parametrize("address", ["memory://1", "memory://1/history"])
def test_resources_are_isolated_like_tools(start: StartServer, address: str) -> None:
    server = start()
    ada, bob = server.token("ada", "one"), server.token("ada", "two")
    server.call("/mcp", "memory_remember", {"text": "The canary sings"}, ada)
    assert b"sings" in server.rpc("/mcp", "resources/read", {"uri": address}, ada).body
    assert b"sings" not in server.rpc("/mcp", "resources/read", {"uri": address}, bob).body
