"""Tokens: found before a tenant is known, kept for good, replaced as a whole."""

from pathlib import Path

import apsw
import pytest

from commonplace.domain.record import replace
from commonplace.domain.scope import EVERY_TEAM, Principal, Right, Scope
from commonplace.domain.token import Token
from commonplace.errors import InvalidInput, StoreError
from commonplace.ports import Store
from commonplace.store.sqlite import SqliteStore
from tests.store.conftest import OpenStore

ADA = Token(
    "tok_1",
    b"\x00digest",
    "laptop",
    Principal("acme", "ada", ("core", "ops"), frozenset({Right.READ, Right.WRITE})),
    Scope.parse("project:atlas"),
    10,
    20,
)
BOB = Token("tok_0", b"other", "", Principal("globex", "bob", ()), None, 11)


def test_a_book_nobody_wrote_in_has_no_tokens(store: Store) -> None:
    assert store.tokens.all() == ()
    assert not store.tokens.exist()
    assert store.tokens.find("tok_1") is None


def test_tokens_of_every_tenant_come_back_as_they_were_oldest_first(open_store: OpenStore, book_name: str) -> None:
    store = open_store(book_name)
    store.tokens.add(BOB)
    store.tokens.add(ADA)
    other = open_store(book_name)
    assert other.tokens.all() == (ADA, BOB)
    assert other.tokens.exist()
    assert other.tokens.find("tok_1") == ADA
    assert other.tokens.find("tok_2") is None


def test_replacing_changes_one_and_adding_twice_is_refused(store: Store) -> None:
    store.tokens.add(ADA)
    store.tokens.add(BOB)
    revoked = replace(ADA, revoked_at=15)
    store.tokens.replace(revoked)
    assert store.tokens.all() == (revoked, BOB)
    with pytest.raises(StoreError):
        store.tokens.add(ADA)
    assert store.tokens.find("tok_1") == revoked


def test_no_token_comes_back_as_somebody_who_is_in_every_team(store: Store) -> None:
    everywhere = replace(ADA, principal=replace(ADA.principal, teams=(EVERY_TEAM, "core")))
    store.tokens.add(everywhere)
    assert store.tokens.find("tok_1") == replace(ADA, principal=replace(ADA.principal, teams=("core",)))


def test_a_token_that_is_bound_to_a_project_stays_so(store: Store) -> None:
    atlas, other = Scope.parse("project:atlas"), Scope.parse("project:other")
    bound = replace(ADA, principal=replace(ADA.principal, only_project=atlas))
    store.tokens.add(bound)
    assert store.tokens.find("tok_1") == bound
    for elsewhere in (None, other):
        with pytest.raises(InvalidInput):
            replace(bound, project=elsewhere)


def test_a_token_bound_to_who_knows_which_project_may_do_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "book.db")
    store.tokens.add(replace(ADA, principal=replace(ADA.principal, only_project=ADA.project)))
    with apsw.Connection(str(tmp_path / "book.db")) as connection:
        connection.execute("UPDATE tokens SET project = NULL")
    [found] = store.tokens.all()
    assert found.principal.rights == frozenset()
    store.close()


def test_whether_there_are_tokens_is_asked_without_reading_one(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "book.db")
    store.tokens.add(ADA)
    with apsw.Connection(str(tmp_path / "book.db")) as connection:
        connection.execute("UPDATE tokens SET teams = 'no JSON'")
    with pytest.raises(ValueError, match="Expecting value"):
        store.tokens.all()
    assert store.tokens.exist()
    store.close()
