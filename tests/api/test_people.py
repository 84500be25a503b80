"""Two people on one server, each with their page: each sees their own and what they share, and hears of the other."""

from collections.abc import Iterator

import pytest

from commonplace.api.operations import PREFIX
from commonplace.domain.memory import Origin
from commonplace.domain.record import Record
from commonplace.domain.scope import Principal, Right
from commonplace.sessions.transcripts import Speaker, Turn
from tests.api.conftest import Client, halves_of, token
from tests.http.conftest import Server, running
from tests.postgres import Server as Postgres


class Two(Record):
    ada: Client
    bob: Client


def signed_in(server: Server, user: str) -> Client:
    reply = server.send("POST", f"{PREFIX}/sign-in", b"{}", token(server, user, ("core",)))
    return Client(server, **halves_of(reply))


@pytest.fixture
def two(postgres: Postgres) -> Iterator[Two]:
    with running(store=postgres.address(postgres.new_database()), rate_per_minute=1_000_000) as server:
        ada, bob = (
            server.book.seen_by(Principal("org", user, ("core",)), server.book.door, None) for user in ("ada", "bob")
        )
        ada.teams.create("core")
        ada.teams.invite("core", "bob")
        bob.teams.accept("core")
        yield Two(signed_in(server, "ada"), signed_in(server, "bob"))


def test_each_sees_their_own_and_the_teams_and_nothing_of_the_other(two: Two) -> None:
    mine = two.ada.ask("remember", text="The heron of ada is grey")["memory"]["id"]
    theirs = two.bob.ask("remember", text="The heron of bob is blue")["memory"]["id"]
    shared = two.ada.ask("remember", text="The heron of the team is white", scope="team:core")["memory"]["id"]
    for person, own, other in ((two.ada, mine, theirs), (two.bob, theirs, mine)):
        for name, many, given in (("list", "memories", {}), ("recall", "hits", {"query": "heron"})):
            seen = {each["id"] for each in person.ask(name, **given)[many]}
            assert seen == {own, shared}, name
        assert person.ask("me")["memories"] == 2
        person.refused("show", 404, id=other)
        person.refused("update", 404, id=other, text="mine now", expected_revision=1)
        assert person.ask("act", act="forget", ids=[other])["problems"][0]["code"] == "not_found"
        assert {each["memories"][0] for each in person.ask("changes")["changes"]}.isdisjoint({other})


def test_the_second_to_change_a_memory_is_told_and_what_the_first_said_stands(two: Two) -> None:
    made = two.ada.ask("remember", text="The heron is grey", scope="team:core")["memory"]
    two.bob.ask("update", id=made["id"], text="The heron is white", expected_revision=made["revision"])
    error = two.ada.refused("update", 409, id=made["id"], text="The heron is black", expected_revision=made["revision"])
    assert error["code"] == "revision_conflict"
    now = two.ada.ask("show", id=made["id"])["memory"]
    assert (now["text"], now["revision"]) == ("The heron is white", 2)
    two.ada.ask("update", id=made["id"], text="The heron is black", expected_revision=now["revision"])


def test_an_undo_of_one_does_not_take_back_what_the_other_said_since(two: Two) -> None:
    made = two.ada.ask("remember", text="The heron is grey", scope="team:core")["memory"]
    undo = two.ada.ask("update", id=made["id"], tags=["birds"], expected_revision=1)["undo"]
    two.bob.ask("update", id=made["id"], text="The heron is white", expected_revision=2)
    two.ada.refused("undo", 409, id=undo)
    two.bob.refused("undo", 404, id=undo)
    assert two.ada.ask("show", id=made["id"])["memory"]["text"] == "The heron is white"


def test_a_member_does_not_purge_what_is_the_teams(two: Two) -> None:
    made = two.ada.ask("remember", text="The heron is grey", scope="team:core")["memory"]
    for name in ("purge_preview", "purge"):
        assert two.bob.refused(name, 403, ids=[made["id"]])["code"] == "denied"
    assert two.ada.ask("purge_preview", ids=[made["id"]])["revisions"] == 1
    two.ada.ask("purge", ids=[made["id"]])


def test_what_was_said_in_private_is_not_quoted_to_a_team(two: Two) -> None:
    """A memory that was learnt from a conversation and given to a team does not bring the conversation along."""
    server = two.ada.server
    ada = server.book.seen_by(Principal("org", "ada", ("core",)), server.book.door, None)
    said = "We decided that service three uses Redis for the login, remember that."
    saved = ada.sessions.save([Turn(Speaker.USER, said)], ada.principal.own_scope)
    memory = saved.learnt[0].memory
    ada.teams.promote(memory, "core")
    team = [each for each in two.bob.ask("list")["memories"] if each["scope"] == "team:core"]
    for each in team:
        shown = two.bob.ask("show", id=each["id"])
        assert shown["quotation"] is None
        assert shown["session"] is None
    assert team
    assert two.ada.ask("show", id=memory.id)["quotation"] is not None


READ_AND_WRITE = frozenset({Right.READ, Right.WRITE})


@pytest.mark.parametrize("rights", [READ_AND_WRITE, READ_AND_WRITE | {Right.PERSON}], ids=["any token", "a person's"])
def test_only_a_page_that_a_persons_token_signed_in_speaks_for_a_person(two: Two, rights: frozenset[Right]) -> None:
    server = two.ada.server
    own = server.book.seen_by(Principal("org", "ada", ("core",)), server.book.door, None)
    bearer = token(server, "ada", (), rights)
    page = Client(server, **halves_of(server.send("POST", f"{PREFIX}/sign-in", b"{}", bearer)))
    script = Client(server, bearer)
    for client, is_persons in ((page, Right.PERSON in rights), (script, False)):
        waiting = script.ask("remember", text=f"Always moor at pier {id(client)}", kind="instruction")["memory"]
        assert client.ask("me")["person"] is is_persons
        client.ask("act", act="confirm", ids=[waiting["id"]])
        assert own.get(waiting["id"]).waits is not is_persons
        said = client.ask("remember", text=f"The heron came at {id(client)}")["memory"]
        assert own.get(said["id"]).origin is (Origin.TYPED if is_persons else Origin.AGENT)


def test_a_token_is_a_persons_only_where_that_was_said(two: Two) -> None:
    made = two.ada.server.book.access.create(Principal("org", "eve", (), READ_AND_WRITE), "eve")
    assert Right.PERSON not in made.token.principal.rights
    over_mcp = two.ada.server.call("/mcp", "memory_remember", {"text": "A gull"}, token(two.ada.server, "gil"))
    assert over_mcp.status == 200
    (gull,) = two.ada.server.book.seen_by(Principal("org", "gil", ()), two.ada.server.book.door, None).list().memories
    assert gull.origin is Origin.AGENT
