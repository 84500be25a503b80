"""Whose memory it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.scope import (
    EVERY_TEAM,
    NAME_LENGTH_LIMIT,
    SCOPE_LENGTH_LIMIT,
    Principal,
    Right,
    Scope,
    ScopeKind,
    Viewer,
)
from commonplace.errors import Denied, InvalidInput

names = st.from_regex(r"[A-Za-z0-9._~@+-]{1,40}", fullmatch=True)


@pytest.mark.parametrize("text", ["user:ada", "project:atlas/web", "agent:re-viewer.2", "team:core~x", "project:a:b"])
def test_a_scope_reads_as_it_is_written(text: str) -> None:
    assert str(Scope.parse(text)) == text


def test_blanks_around_a_scope_are_ignored() -> None:
    assert Scope.parse(" user:ada ") == Scope(ScopeKind.USER, "ada")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "user",
        "user:",
        ":ada",
        "User:ada",
        "folder:x",
        "user:a b",
        "user:ä",
        "user:a\n",
        "user:a\x00",
        "user:" + "x" * SCOPE_LENGTH_LIMIT,
        "user:'; DROP TABLE memories",
        "user:*",
    ],
)
def test_what_is_no_scope_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Scope.parse(text if text != "user:a\n" else "user:a\nb")
    assert caught.value.argument == "scope"


def test_the_longest_scope_is_one() -> None:
    text = "user:" + "x" * (SCOPE_LENGTH_LIMIT - 5)
    assert str(Scope.parse(text)) == text


def test_the_local_principal_may_do_everything() -> None:
    for right in Right:
        Principal().require(right)


def test_rights_are_exactly_those_given() -> None:
    reader = Principal(rights=frozenset({Right.READ}))
    reader.require(Right.READ)
    for right in (Right.WRITE, Right.ADMIN):
        with pytest.raises(Denied, match=right.value):
            reader.require(right)


@pytest.mark.parametrize(
    ("scope", "seen"),
    [
        ("user:ada", True),
        ("user:bob", False),
        ("team:core", True),
        ("team:other", False),
        ("project:x", True),
        ("agent:x", True),
        ("user:default", False),
    ],
)
def test_other_peoples_scopes_and_foreign_teams_are_out_of_reach(scope: str, seen: bool) -> None:
    ada = Viewer(Principal(tenant="acme", user="ada", teams=("other",)), ("core",))
    assert ada.may_see(Scope.parse(scope)) is seen


def test_a_principal_cannot_be_asked_what_it_may_see() -> None:
    assert not hasattr(Principal(), "may_see")


def test_the_local_person_is_in_every_team() -> None:
    assert Viewer(Principal(), Principal().teams).may_see(Scope.parse("team:anything"))


def test_ones_own_scope_is_shown_as_the_default() -> None:
    ada = Principal(user="ada")
    assert ada.show(Scope.parse("user:ada")) == "user:default"
    assert ada.show(Scope.parse("project:x")) == "project:x"


@pytest.mark.parametrize("name", ["", "a b", "ä", "a:b", "x" * (NAME_LENGTH_LIMIT + 1), "a\n"])
@pytest.mark.parametrize("field", ["tenant", "user"])
def test_what_is_no_name_is_refused(field: str, name: str) -> None:
    with pytest.raises(InvalidInput):
        Principal(**{field: name})


@pytest.mark.parametrize("field", ["tenant", "user"])
def test_only_a_team_can_be_every_one(field: str) -> None:
    with pytest.raises(InvalidInput):
        Principal(**{field: EVERY_TEAM})


@given(names)
def test_every_valid_principal_has_a_scope_of_its_own(name: str) -> None:
    who = Principal(user=name)
    assert Viewer(who, ()).may_see(who.own_scope)
    assert Scope.parse(str(who.own_scope)) == who.own_scope
