"""token: whom a token stands for is said as it is, and nobody gets more than was named."""

import pytest

from tests.cli.conftest import Call


@pytest.mark.parametrize("teams", ["*", "core,*", "*,core", " * "])
def test_a_token_cannot_be_in_every_team(known: Call, teams: str) -> None:
    refused = known("token", "create", "--user", "ada", "--teams", teams)
    assert refused.code == 1
    assert "name its teams" in refused.err
    assert known("token", "list", "--json").ok().json["tokens"] == []


def test_the_list_shows_the_teams(cli: Call) -> None:
    cli("token", "create", "--user", "ada", "--teams", "core,ops", "--label", "laptop").ok()
    assert cli("token", "list", "--json").ok().json["tokens"][0]["teams"] == ["core", "ops"]
    shown = cli("token", "list").ok().out
    assert "teams" in shown
    assert "core,ops" in shown


@pytest.mark.parametrize("words", [("--user", "ada"), ("--user", "local", "--tenant", "acme")])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_somebody_who_will_not_see_the_local_memories_is_told_with_the_way_out(
    cli: Call, words: tuple[str, ...], form: tuple[str, ...]
) -> None:
    made = cli("token", "create", *words, *form).ok()
    assert "does not see" in made.err
    assert "--user local" in made.err


def test_the_local_person_is_told_nothing_of_the_kind(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "does not see" not in cli("token", "create", "--user", "local").ok().err
    monkeypatch.setenv("COMMONPLACE_USER", "ada")
    assert "does not see" not in cli("token", "create", "--user", "ada").ok().err
    assert "--user ada" in cli("token", "create", "--user", "local").ok().err
