"""team: people on one local book, each under the name in COMMONPLACE_USER."""

from collections.abc import Callable

import pytest

from tests.cli.conftest import Answer, Call

Person = Callable[..., Answer]


@pytest.fixture
def people(cli: Call, monkeypatch: pytest.MonkeyPatch) -> dict[str, Person]:
    """Ada owns the team core; Bob is in it."""

    def named(user: str) -> Person:
        def call(*words: str) -> Answer:
            monkeypatch.setenv("COMMONPLACE_USER", user)
            return cli(*words)

        return call

    made = {user: named(user) for user in ("ada", "bob", "eve")}
    made["ada"]("team", "create", "core", "--name", "The core").ok()
    made["ada"]("team", "invite", "core", "bob").ok()
    made["bob"]("team", "accept", "core").ok()
    return made


def share(person: Person, text: str) -> Answer:
    number = person("remember", text, "--json").ok().json["results"][0]["memory"]["number"]
    return person("team", "promote", str(number), "core", "--json").ok()


def test_people_come_and_go(people: dict[str, Person]) -> None:
    ada, bob = people["ada"], people["bob"]
    listed = bob("team", "list", "--json").ok().json["teams"]
    assert listed == [{"id": "core", "name": "The core", "role": "member"}]
    assert "The core" in bob("team", "list").ok().out
    ada("team", "role", "core", "bob", "admin").ok()
    assert "invited eve" in bob("team", "invite", "core", "eve", "--role", "member").ok().out
    shown = {
        each["user"]: (each["role"], each["accepted"])
        for each in ada("team", "show", "core", "--json").ok().json["members"]
    }
    assert shown == {"ada": ("owner", True), "bob": ("admin", True), "eve": ("member", False)}
    assert "invited as member" in ada("team", "show", "core").ok().out
    assert "bob left core" in bob("team", "leave", "core").ok().out
    assert "removed eve" in ada("team", "remove", "core", "eve").ok().out
    refused = ada("team", "leave", "core")
    assert (refused.code, "last owner" in refused.err) == (1, True)


def test_a_team_is_deleted_when_its_owner_says_so(people: dict[str, Person]) -> None:
    ada, bob = people["ada"], people["bob"]
    share(ada, "Deploys are on Monday")
    asked = ada("team", "delete", "core")
    assert (asked.code, "archive the 1 memory it has? Add --yes" in asked.err) == (2, True)
    assert bob("team", "delete", "core", "--yes").code == 1
    assert ada("team", "delete", "nowhere", "--yes").code == 1
    assert ada("team", "delete", "core", "--yes").ok().out.startswith("deleted core; ")
    assert ada("team", "list", "--json").ok().json["teams"] == []
    left = ada("list", "--scope", "team:core", "--status", "archived", "--json").ok().json["memories"]
    assert [memory["text"] for memory in left] == ["Deploys are on Monday"]


def test_recall_and_list_look_in_one_s_teams(people: dict[str, Person], monkeypatch: pytest.MonkeyPatch) -> None:
    share(people["ada"], "Deploys are on Monday")

    def seen(user: str, *words: str) -> list[bool]:
        asked = (("recall", "deploys"), ("list",), ("why", "deploys"))
        return ["Deploys are on Monday" in people[user](*command, *words).ok().out for command in asked]

    assert seen("bob") == [True, True, True]
    assert seen("eve") == seen("bob", "--automatic") == seen("bob", "--scope", "user") == [False, False, False]
    monkeypatch.setenv("COMMONPLACE_SCOPE", "agent:reviewer")
    assert seen("bob") == [True, True, True]
    assert seen("bob", "--automatic") == [False, False, False]
    assert "Deploys" not in people["bob"]("export", "--kind", "fact").ok().out


def test_a_memory_is_promoted_and_verified(people: dict[str, Person]) -> None:
    first = share(people["ada"], "Deploys are on Monday").json
    assert (first["verdict"], first["memory"]["standing"]) == ("shared", "unverified")
    second = share(people["bob"], "Deploys are on Monday").json
    assert (second["verdict"], second["memory"]["standing"]) == ("corroborated", "verified")
    people["ada"]("remember", "Lunch is at noon", "--scope", "team:core").ok()
    only = people["bob"]("list", "--scope", "team:core", "--verified-only", "--json").ok().json
    assert [memory["text"] for memory in only["memories"]] == ["Deploys are on Monday"]


def test_a_contest_is_reviewed_and_resolved(people: dict[str, Person]) -> None:
    ada, bob = people["ada"], people["bob"]
    assert "nothing to settle" in ada("team", "review", "core").ok().err
    kept = share(ada, "Deploys are on Monday").json["memory"]["number"]
    contested = share(bob, "Deploys are on Tuesday").json
    assert contested["verdict"] == "contested"
    dropped = contested["memory"]["number"]
    table = ada("team", "review", "core").ok().out
    assert "Monday" in table
    assert "bob" in table
    ((first, second),) = ada("team", "review", "core", "--json").ok().json["contests"]
    assert [each["user"] for each in (*first["contributions"], *second["contributions"])] == ["ada", "bob"]
    words = ("team", "resolve", "core", "--keep", str(kept), "--drop", str(dropped), "--reason", "the calendar")
    assert bob(*words).code == 1
    told = ada(*words).ok().out
    assert f"active {kept}" in told
    assert f"superseded {dropped}" in told
    assert ada("team", "review", "core", "--json").ok().json["contests"] == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("create", "core"), 1),
        (("invite", "core", "eve", "--role", "king"), 1),
        (("show", "none"), 1),
        (("accept", "none"), 1),
        (("promote", "99", "core"), 1),
        (("resolve", "core"), 1),
        (("invite", "core"), 2),
        ((), 2),
    ],
)
def test_what_makes_no_sense_is_refused(people: dict[str, Person], words: tuple[str, ...], code: int) -> None:
    assert people["ada"]("team", *words).code == code


def test_who_is_in_no_team_is_told_how_to_make_one(known: Call) -> None:
    assert "team create" in known("team", "list").ok().err
