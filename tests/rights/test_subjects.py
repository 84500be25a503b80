"""Every verb of every subject, by everybody who should see nothing of it, and by a member who should."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.domain.scope import Principal, Right, Scope
from commonplace.domain.tables import TABLES
from commonplace.engine.caller import Clock, Door
from commonplace.errors import CommonplaceError, Denied, InvalidInput
from commonplace.ports import Store
from commonplace.store.sqlite import SqliteStore
from tests.book.test_book import _NEITHER, _OWNS, public_verbs
from tests.conftest import ManualClock
from tests.rights.world import CANARY, READS, WRITES, World, fill

TEAM = Scope.parse("team:core")
OPERATORS = {"care.doctor"}
"""What only looks after the book as a whole, and shows nothing of what is in it."""
STRANGERS = ("foreign user", "never a member", "a member who left", "removed", "only claims it", "foreign tenant")
NOT_FOR_A_MEMBER = {
    # Pinned memory is one's own or an agent's, a team's is not curated.
    "curated.entries",
    "curated.snapshot",
    "curated.waiting",
    "curated.add",
    "curated.take",
    # These name what is not there, or what a plain member may not do, or what has been done already.
    "dreams.get_run",
    "dreams.undo",
    "purge_preview",
    "teams.create",
    "teams.invite",
    "teams.change_role",
    "teams.remove",
    "teams.delete",
    "teams.promote",
    "teams.resolve",
    "documents.add",
    "decisions.update",
    "purge",
    "undo.take_back",
    # Projects are one's own.
    "here",
    "names_of",
    "places",
    "project_ids",
    "project_name",
    "projects.bind",
    "projects.claimed",
    "projects.list",
    "projects.merge",
    "projects.noted",
    "projects.rename",
    "projects.unnamed",
    "sessions.is_saved",
}


class Place:
    """A book with one team, and everybody around it."""

    def __init__(self, store: Store, clock: Clock, scope: Scope) -> None:
        self._store, self._clock = store, clock
        ada = self.as_("ada")
        team = ada.teams.create("core")
        for name in ("carl", "dora", "fred"):
            ada.teams.invite(team.id, name)
            self.as_(name).teams.accept(team.id)
        self.world = fill(ada, scope, team.id)
        self.as_("dora").teams.leave(team.id)
        ada.teams.remove(team.id, "fred")

    def as_(
        self,
        user: str,
        tenant: str = "org",
        claims: tuple[str, ...] = (),
        rights: frozenset[Right] = frozenset(Right),
        only: Scope | None = None,
    ) -> Book:
        return Book.over(self._store, Principal(tenant, user, claims, rights, only), None, self._clock, Door())

    def everything(self) -> list[str]:
        """All there is in the tenant, as rows."""
        with self._store.reading("org") as unit:
            return sorted(repr((table.name, row)) for table in TABLES for row in unit.tables.rows(table.name))

    def stranger(self, who: str) -> Book:
        return {
            "foreign user": lambda: self.as_("bob"),
            "never a member": lambda: self.as_("bob"),
            "a member who left": lambda: self.as_("dora", claims=("core",)),
            "removed": lambda: self.as_("fred", claims=("core",)),
            "only claims it": lambda: self.as_("bob", claims=("core",)),
            "foreign tenant": lambda: self.as_("ada", tenant="other", claims=("core",)),
        }[who]()


@pytest.fixture
def place_at(tmp_path: Path, clock: ManualClock) -> Iterator[Callable[[Scope], Place]]:
    stores: list[SqliteStore] = []

    def made(scope: Scope) -> Place:
        store = SqliteStore(tmp_path / f"{len(stores)}.db", synchronous="NORMAL")
        stores.append(store)
        return Place(store, clock, scope)

    yield made
    for store in stores:
        store.close()


def test_the_world_knows_every_verb_of_the_book() -> None:
    assert public_verbs() - _NEITHER - _OWNS.keys() - OPERATORS == READS.keys() | WRITES.keys()


@pytest.mark.parametrize("who", STRANGERS)
@pytest.mark.parametrize("kind", ["reads", "writes"])
def test_a_stranger_gets_nothing_and_changes_nothing(place_at: Callable[[Scope], Place], who: str, kind: str) -> None:
    scope = Scope.parse("user:ada") if who == "foreign user" else TEAM
    place = place_at(scope)
    book, world = place.stranger(who), place.world
    for name, call in (READS if kind == "reads" else WRITES).items():
        before = place.everything()
        try:
            answer = repr(call(book, world))
        except CommonplaceError as error:
            answer = error.message
        assert CANARY not in answer, (who, name, answer)
        assert touched(before, place.everything(), world) == [], (who, name)


def touched(before: list[str], after: list[str], world: World) -> list[str]:
    """Rows of the scope that are gone or new."""
    return [row for row in set(before) ^ set(after) if str(world.scope) in row or CANARY in row]


def test_a_member_reaches_what_is_the_teams(place_at: Callable[[Scope], Place]) -> None:
    for name, call in (READS | WRITES).items():
        if name in NOT_FOR_A_MEMBER:
            continue
        place = place_at(TEAM)
        carl = place.as_("carl")
        call(carl, place.world)  # raises when it is refused
    shown = {name: repr(READS[name](place_at(TEAM).as_("carl"), place_at(TEAM).world)) for name in ("list", "recall")}
    assert all(CANARY in said for said in shown.values())


@pytest.mark.parametrize("kind", ["reads", "writes"])
def test_without_the_right_to_read_no_answer_has_anything_that_was_stored(
    place_at: Callable[[Scope], Place], kind: str
) -> None:
    for name, call in (READS if kind == "reads" else WRITES).items():
        place = place_at(Scope.parse("user:ada"))
        try:
            answer = repr(call(place.as_("ada", rights=frozenset({Right.WRITE})), place.world))
        except CommonplaceError as error:
            answer = error.message
        assert CANARY not in answer, name


ERASING = {"purge", "sessions.remove", "decisions.remove", "documents.remove"}


@pytest.mark.parametrize("name", sorted(ERASING))
def test_what_takes_bytes_away_needs_the_right_to_purge(place_at: Callable[[Scope], Place], name: str) -> None:
    place = place_at(Scope.parse("user:ada"))
    before = place.everything()
    with pytest.raises(Denied):
        WRITES[name](place.as_("ada", rights=frozenset({Right.READ, Right.WRITE})), place.world)
    assert place.everything() == before
    WRITES[name](place.as_("ada"), place.world)


def test_a_teams_memory_is_purged_by_its_owners_only(place_at: Callable[[Scope], Place]) -> None:
    place = place_at(TEAM)
    with pytest.raises(Denied):
        place.as_("carl").purge(place.world.memory)
    place.as_("ada").purge(place.world.memory)


@pytest.mark.parametrize("kind", ["reads", "writes"])
def test_a_principal_bound_to_one_project_reaches_nothing_else(place_at: Callable[[Scope], Place], kind: str) -> None:
    place = place_at(Scope.parse("project:other"))
    bound = place.as_("ada", only=Scope.parse("project:harbour"))
    for name, call in (READS if kind == "reads" else WRITES).items():
        before = place.everything()
        try:
            answer = repr(call(bound, place.world))
        except CommonplaceError as error:
            answer = error.message
        assert CANARY not in answer, name
        if not name.startswith("teams."):  # who is in which team is no project's
            assert touched(before, place.everything(), place.world) == [], name


def test_what_a_bound_principal_writes_is_in_its_project(place_at: Callable[[Scope], Place]) -> None:
    project = Scope.parse("project:harbour")
    bound = place_at(TEAM).as_("ada", only=project)
    assert bound.remember("Ships are grey").memory.scope == project
    assert [hit.memory.scope for hit in bound.recall("ships").hits] == [project]
    with pytest.raises(InvalidInput):
        bound.remember("Ships are grey", scope="user:default")
