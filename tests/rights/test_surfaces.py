"""Every tool, method, prompt and resource of a server, by everybody who should see nothing, and by those who should.

`test_subjects` sends people through the library; here they have tokens, and come through the app that `serve` runs.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.config import load
from commonplace.domain.record import Record
from commonplace.domain.scope import Principal, Right, Scope
from commonplace.engine.caller import system_clock
from commonplace.ports import Store
from commonplace.serve.gate import Gate
from commonplace.serve.http import build_app
from commonplace.store.postgres import PostgresStore
from commonplace.store.sqlite import SqliteStore
from tests.postgres import MEMBER, Server
from tests.rights.calls import SPEAKS, Call, answers, every_call, is_answer, request_to
from tests.rights.test_subjects import TEAM, Place, touched
from tests.rights.world import CANARY, World
from tests.security.door import Caller, serving

EVERY_RIGHT = frozenset(Right)
OWN = Scope.parse("user:ada")
PROJECT, OTHER_PROJECT = Scope.parse("project:harbour"), Scope.parse("project:other")


class Subject(Record):
    """Somebody with a token, and the place that everything lies in."""

    bearer: Principal
    scope: Scope


def bearer(
    user: str,
    tenant: str = "org",
    teams: tuple[str, ...] = (),
    rights: frozenset[Right] = EVERY_RIGHT,
    only: Scope | None = None,
) -> Principal:
    return Principal.bearer(tenant, user, teams, rights, only)


STRANGERS = {
    "foreign user": Subject(bearer("bob"), OWN),
    "claims a team never joined": Subject(bearer("bob", teams=("core",)), TEAM),
    "a member who left": Subject(bearer("dora", teams=("core",)), TEAM),
    "removed, with the old token": Subject(bearer("fred", teams=("core",)), TEAM),
    "foreign tenant": Subject(bearer("ada", "other", ("core",)), TEAM),
    "bound to another project": Subject(bearer("ada", only=PROJECT), OTHER_PROJECT),
}
WRITE_ONLY = Subject(bearer("ada", rights=frozenset({Right.WRITE})), OWN)
OWNER, MEMBER_OF_THE_TEAM = Subject(bearer("ada"), OWN), Subject(bearer("carl", teams=("core",)), TEAM)

SHOW_NO_TEXT = {
    "hand_over",
    "memory_status",
    "memory.doctor",
    "count_memories",
    "memory_stats",
    "list_tags",
    "memory.stats",
    "find_near_duplicates",
    "team.list",
    "team.show",
    "me",
    "choices",
    "changes",
    "dreams",
    "health",
    "doctor",
}
"""What reads and tells nothing that anybody wrote; in this world nothing is near anything."""
ALSO_READ = {"memory_session", "memory_decide", "memory.export"}
"""What may write, and reads where it is asked to."""
ONLY_OF_ONES_OWN = {
    "what_do_you_remember",
    "memory_search",
    "memory_reflect",
    "session_search",
    "list_context",
    "recall",
    "search_memory",
    "build_context_prompt",
    "list_memories",
    "text_search",
    "export_memories",
    "memory.retrieve_with_trace",
    "memory.search",
    "rlm_decision_query",
    "purge_preview",
}
"""What takes no scope and looks, by its contract, in the caller's own and in their project; or is an owner's to do."""
ONLY_OF_A_TEAM = {"team.review", "pairs"}


class Served(Record):
    """A server with a world in it, and the token of whoever is about to ask."""

    app: Gate
    world: World
    everything: Callable[[], list[str]]
    token: str


def disagree(place: Place) -> None:
    """Two of the team say otherwise, so that there is something to settle; neither of them is asked about."""
    place.as_("ada").teams.invite("core", "gwen")
    place.as_("gwen").teams.accept("core")
    for user, day in (("ada", "Monday"), ("gwen", "Tuesday")):
        book = place.as_(user)
        book.teams.promote(book.remember(f"The {CANARY} is fed on {day}").memory, "core")
    assert place.as_("gwen").teams.review("core")


@contextmanager
def served(store: Store, address: str, subject: Subject) -> Iterator[Served]:
    """Tokens are made first: whoever has left a team since has the token of then."""
    configuration = load(
        {"store": address, "model": "none", "rate_per_minute": 1_000_000, "request_seconds": 0, "synchronous": "NORMAL"}
    )
    with Book.open(configuration=configuration) as book:
        token = book.access.create(subject.bearer, subject.bearer.user).secret
        place = Place(store, system_clock, subject.scope)
        if subject.scope == TEAM:
            disagree(place)
        place.as_("ada").dreams.run()
        yield Served(build_app(book, configuration), place.world, place.everything, token)
    store.close()


@pytest.fixture
def serve(tmp_path: Path) -> Callable[[Subject], object]:
    path = tmp_path / "book.db"
    return lambda subject: served(SqliteStore(path, synchronous="NORMAL"), str(path), subject)


def told_apart(calls: list[Call]) -> Iterator[tuple[str, list[Call]]]:
    """The calls of each tool, under a name that says where it is."""
    together: dict[str, list[Call]] = {}
    for call in calls:
        together.setdefault(f"{call.path} {call.name}", []).append(call)
    yield from together.items()


def shared_out(calls: list[Call], who: str) -> list[Call]:
    """All of them, or for the four whom one member list refuses every tool, each with another part of the arguments."""
    sharing = [name for name, subject in STRANGERS.items() if subject.scope == TEAM]
    if who not in sharing:
        return calls
    first = sharing.index(who)
    return [call for _, each in told_apart(calls) for call in each[first % len(each) :: len(sharing)]]


def refused_everywhere(there: Served, calls: list[Call], who: str) -> None:
    """No answer has the word in it, and no row with the word or of the place is another; what somebody writes into
    their own project or their own log may name the place, since they said it."""
    theirs = (str(PROJECT), f"'{STRANGERS[who].bearer.own_scope}'")

    def changed(before: list[str], after: list[str]) -> list[str]:
        rows = touched(before, after, there.world)
        return [row for row in rows if CANARY in row or not any(place in row for place in theirs)]

    assert calls, who
    before, name = there.everything(), ""
    for call, text in answers(there.app, calls, there.token):
        if name != (name := f"{call.path} {call.name}"):  # whatever the one before did has been done
            after = there.everything()
            assert changed(before, after) == [], (who, "before", name)
            before = after
        assert CANARY not in text, (who, call, text)
    assert changed(before, there.everything()) == [], (who, name)


@pytest.mark.parametrize("who", STRANGERS)
def test_a_stranger_gets_nothing_and_changes_nothing_through_any_surface(
    serve: Callable[[Subject], Iterator[Served]], who: str
) -> None:
    with serve(STRANGERS[who]) as there:
        refused_everywhere(there, shared_out(every_call(there.app, there.world), who), who)


def test_without_the_right_to_read_no_surface_says_anything_that_was_stored(
    serve: Callable[[Subject], Iterator[Served]],
) -> None:
    with serve(WRITE_ONLY) as there:
        for call, text in answers(there.app, every_call(there.app, there.world), there.token):
            assert CANARY not in text, (call, text)


@pytest.mark.parametrize(
    ("subject", "silent"),
    [(OWNER, ONLY_OF_A_TEAM), (MEMBER_OF_THE_TEAM, ONLY_OF_ONES_OWN)],
    ids=["owner", "own member"],
)
def test_whoever_may_read_is_told_by_every_tool_that_reads(
    serve: Callable[[Subject], Iterator[Served]], subject: Subject, silent: set[str]
) -> None:
    """Else nothing that a stranger is not told would mean anything."""
    with serve(subject) as there:
        calls = [call for call in every_call(there.app, there.world) if call.reads or call.name in ALSO_READ]
        shown = dict.fromkeys((f"{call.path} {call.name}" for call in calls), False)
        for call, text in answers(there.app, calls, there.token):
            shown[f"{call.path} {call.name}"] |= CANARY in text
    untold = {name.partition(" ")[2] for name, told in shown.items() if not told}
    assert untold == SHOW_NO_TEXT | silent


def test_a_stranger_gets_nothing_on_postgres_either(postgres: Server) -> None:
    """As a login that owns nothing: every tool once, with all the names it takes."""
    database = postgres.new_database()
    owners = PostgresStore(postgres.address(database))
    owners.upkeep.upgrade()
    owners.close()
    address = postgres.address(database, MEMBER)
    who = "removed, with the old token"
    with served(PostgresStore(address), address, STRANGERS[who]) as there:
        calls = [each[-2] if len(each) > 1 else each[0] for _, each in told_apart(every_call(there.app, there.world))]
        refused_everywhere(there, calls, who)


def test_a_removed_member_gets_nothing_from_a_server_in_its_own_process(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    with served(SqliteStore(path), str(path), STRANGERS["removed, with the old token"]) as there:
        calls = every_call(there.app, there.world)
        before = there.everything()
        with serving(tmp_path) as server:
            server.announced()
            caller = Caller(server.port)
            for _, each in told_apart(calls):
                heard = _asked(caller, each[-2] if len(each) > 1 else each[0], there.token)
                assert CANARY not in heard, each
            caller.close()
        assert touched(before, there.everything(), there.world) == []


def _asked(caller: Caller, call: Call, token: str) -> str:
    method, path, body = request_to(call)
    given = {"Host": "localhost", "Content-Type": "application/json", "Content-Length": str(len(body)), **SPEAKS}
    heard = caller.ask(method, path, [*given.items(), ("Authorization", f"Bearer {token}")], body)
    assert is_answer(call, heard.status), (call, heard)
    return json.dumps(json.loads(heard.body), ensure_ascii=False)
