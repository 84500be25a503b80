"""Teams: who is in them and who is not, what they share, and how they settle what they do not agree on."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.book.book import Book
from commonplace.decisions.decision import Proposal
from commonplace.dialect import perform
from commonplace.dialects import load_dialect
from commonplace.domain.events import EventType
from commonplace.domain.memory import Memory, Origin, RelationKind, Standing, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.caller import Door
from commonplace.engine.lifecycle import Changes
from commonplace.engine.membership import Role
from commonplace.errors import CommonplaceError, Conflict, Denied, InvalidInput, NotFound, SecretRefused
from commonplace.store.sqlite import SqliteStore
from commonplace.teams.promotion import ContestVerdict, Promoted
from tests.conftest import ManualClock, OpenBook
from tests.hashing import HashingEmbedder

CORE = Scope.parse("team:core")
MONDAY, TUESDAY = "Deploys are on Monday", "Deploys are on Tuesday"
ANYTHING = Filter((CORE,), statuses=(), include_expired=True)
WRONG_NAMES = ["", "a b", "x/y", "*", "ü", "\ud800", "x" * 65]

As = Callable[..., Book]


@pytest.fixture
def as_user(open_book: OpenBook) -> As:
    """The book as somebody uses it who has come with a token: in no team but those the book keeps."""

    def opened(user: str, tenant: str = "local", teams: tuple[str, ...] = (), **options: object) -> Book:
        return open_book(principal=Principal(tenant, user, teams), **options)

    return opened


def join(owner: Book, book: Book, team: str = "core", role: Role = Role.MEMBER) -> Book:
    owner.teams.invite(team, book.principal.user, role)
    book.teams.accept(team)
    return book


@pytest.fixture
def ada(as_user: As) -> Book:
    """The owner of the team `core`."""
    book = as_user("ada")
    book.teams.create("core")
    return book


@pytest.fixture
def bob(as_user: As, ada: Book) -> Book:
    return join(ada, as_user("bob"))


@pytest.fixture
def eve(as_user: As) -> Book:
    """Somebody who is in no team."""
    return as_user("eve")


def share(book: Book, text: str, team: str = "core", **fields: object) -> Promoted:
    return book.teams.promote(book.remember(text, **fields).memory, team)


def roles(book: Book, team: str = "core") -> dict[str, str]:
    return {each.user: each.role.value if each.accepted else "invited" for each in book.teams.members(team)}


def seen(book: Book, **conditions: object) -> dict[str, Standing]:
    return {memory.text: memory.standing for memory in book.list(replace(ANYTHING, **conditions)).memories}


# -- members ----------------------------------------------------------------------------------


def test_whoever_creates_a_team_owns_it(ada: Book) -> None:
    assert roles(ada) == {"ada": "owner"}
    assert ada.teams.teams_of("ada") == ("core",)
    assert [str(scope) for scope in ada.team_scopes()] == ["team:core"]
    (place,) = ada.teams.list()
    assert (place.team.id, place.team.name, place.team.created_by) == ("core", "core", "ada")


def test_an_invitation_is_nothing_until_it_is_accepted(ada: Book, eve: Book) -> None:
    ada.teams.invite("core", "eve")
    assert roles(ada) == {"ada": "owner", "eve": "invited"}
    assert eve.teams.teams_of("eve") == ()
    with pytest.raises(InvalidInput):
        eve.list(Filter((CORE,)))
    with pytest.raises(NotFound):
        eve.teams.members("core")
    (place,) = eve.teams.list()
    assert place.member is not None
    assert (place.team.id, place.member.accepted) == ("core", False)
    eve.teams.accept("core")
    assert eve.list(Filter((CORE,))).total == 0
    assert roles(eve) == {"ada": "owner", "eve": "member"}
    assert eve.teams.accept("core").role is Role.MEMBER, "once more is no harm"


def test_an_invitation_is_for_the_one_it_names(ada: Book, as_user: As, eve: Book) -> None:
    ada.teams.invite("core", "bob")
    with pytest.raises(NotFound):
        eve.teams.accept("core")
    as_user("bob").teams.leave("core")
    assert roles(ada) == {"ada": "owner"}, "an invitation can be turned down"
    with pytest.raises(NotFound):
        as_user("bob").teams.accept("core")


def test_a_name_is_given_to_one_team(ada: Book, eve: Book) -> None:
    with pytest.raises(Conflict, match="taken"):
        eve.teams.create("core")
    assert roles(ada) == {"ada": "owner"}


def test_founding_a_team_does_not_open_what_others_keep_under_its_name(as_user: As, eve: Book) -> None:
    as_user("bob", teams=("old",)).remember("The vault is in the cellar", scope="team:old")
    asserted = as_user("bob", teams=("older",))
    asserted.decisions.create(asserted.scope("team:older"), Proposal("t", "o", "c", "d", "r", "a"))
    for name in ("old", "older"):
        with pytest.raises(Conflict, match="taken"):
            eve.teams.create(name)
    assert as_user("bob", teams=("old",)).teams.create("old").created_by == "bob"


def test_a_team_the_book_does_not_keep_is_as_the_token_says(as_user: As) -> None:
    book = as_user("bob", teams=("elsewhere",))
    book.remember(MONDAY, scope="team:elsewhere")
    assert book.recall("deploys", filter=Filter((Scope.parse("team:elsewhere"),))).hits


def test_a_token_that_names_a_team_does_not_make_a_member(ada: Book, as_user: As) -> None:
    share(ada, MONDAY)
    claimant = as_user("eve", teams=("core",))
    assert claimant.team_scopes() == ()
    with pytest.raises(InvalidInput):
        claimant.list(Filter((CORE,)))


@pytest.mark.parametrize("name", WRONG_NAMES)
def test_a_strange_name_is_refused_or_unknown(ada: Book, name: str) -> None:
    with pytest.raises(InvalidInput):
        ada.teams.create(name)
    for deed in (
        lambda: ada.teams.accept(name),
        lambda: ada.teams.members(name),
        lambda: ada.teams.leave(name),
        lambda: ada.teams.remove("core", name),
    ):
        with pytest.raises(NotFound):
            deed()


@pytest.mark.parametrize("name", ["", "a b", "x/y", "\ud800", "x" * 129])
def test_nobody_has_a_strange_name(ada: Book, name: str) -> None:
    with pytest.raises(InvalidInput):
        ada.teams.invite("core", name)


def test_a_foreign_team_answers_like_an_unknown_one(ada: Book, eve: Book) -> None:
    def told(deed: Callable[[str], object], name: str) -> str:
        with pytest.raises(NotFound) as caught:
            deed(name)
        return caught.value.message.replace(name, "NAME")

    memory = eve.remember("mine").memory
    deeds: list[Callable[[str], object]] = [
        eve.teams.members,
        eve.teams.review,
        eve.teams.history,
        eve.teams.leave,
        eve.teams.accept,
        lambda name: eve.teams.invite(name, "eve"),
        lambda name: eve.teams.remove(name, "ada"),
        lambda name: eve.teams.change_role(name, "eve", Role.OWNER),
        lambda name: eve.teams.promote(memory, name),
        lambda name: eve.teams.resolve(name, [memory]),
    ]
    for deed in deeds:
        assert told(deed, "core") == told(deed, "none")
    assert ada.teams.members("core")


def test_only_owners_and_admins_invite(ada: Book, bob: Book, as_user: As) -> None:
    with pytest.raises(Denied):
        bob.teams.invite("core", "cleo")
    ada.teams.change_role("core", "bob", Role.ADMIN)
    join(bob, as_user("cleo"))
    with pytest.raises(Denied, match="owner"):
        bob.teams.invite("core", "dan", Role.OWNER)
    with pytest.raises(Conflict, match="already"):
        ada.teams.invite("core", "cleo")
    assert roles(ada) == {"ada": "owner", "bob": "admin", "cleo": "member"}


def test_only_owners_change_roles(ada: Book, bob: Book) -> None:
    for role in (Role.MEMBER, Role.ADMIN):
        ada.teams.change_role("core", "bob", role)
        with pytest.raises(Denied):
            bob.teams.change_role("core", "bob", Role.OWNER)
    ada.teams.change_role("core", "bob", Role.OWNER)
    bob.teams.change_role("core", "ada", Role.MEMBER)
    assert roles(bob) == {"ada": "member", "bob": "owner"}


def test_the_last_owner_stays(ada: Book, bob: Book) -> None:
    for deed in (
        lambda: ada.teams.leave("core"),
        lambda: ada.teams.remove("core", "ada"),
        lambda: ada.teams.change_role("core", "ada", Role.ADMIN),
    ):
        with pytest.raises(Conflict, match="last owner"):
            deed()
    ada.teams.change_role("core", "bob", Role.OWNER)
    ada.teams.leave("core")
    assert roles(bob) == {"bob": "owner"}


def test_the_last_owner_is_told_both_ways_out(ada: Book) -> None:
    with pytest.raises(Conflict, match=r"make somebody else an owner first .*, or delete the team"):
        ada.teams.leave("core")


def test_a_deleted_team_is_nobody_s_and_what_it_knew_is_archived(ada: Book, bob: Book, as_user: As) -> None:
    shared = share(bob, MONDAY).memory
    ada.teams.invite("core", "eve")
    with pytest.raises(Conflict, match="core remembers 1 things"):
        ada.teams.delete("core")
    assert (len(ada.teams.members("core")), ada.get(shared).status) == (3, Status.ACTIVE)
    deleted = ada.teams.delete("core", archive=True)
    assert (deleted.team.id, deleted.archived) == ("core", 1)
    assert everything_seen(bob, shared) == everything_seen(as_user("cleo", teams=("core",)), shared) == []
    assert bob.recall("deploys").hits, "the original is still theirs"
    assert ada.teams.list() == bob.teams.list() == ()
    for deed in (ada.teams.members, ada.teams.leave, ada.teams.delete, as_user("eve").teams.accept):
        with pytest.raises(NotFound):
            deed("core")
    for founder in (ada, bob, as_user("cleo", teams=("core",))):
        with pytest.raises(Conflict, match="is taken"):
            founder.teams.create("core")


def test_who_deleted_a_team_may_still_read_and_purge_what_it_left(ada: Book) -> None:
    shared = share(ada, MONDAY).memory
    ada.teams.delete("core", archive=True)
    assert (ada.get(shared).status, ada.get(shared).status_reason) == (Status.ARCHIVED, "core was deleted")
    assert seen(ada, statuses=(Status.ARCHIVED,)) == {MONDAY: Standing.UNVERIFIED}
    ada.purge(shared)
    assert seen(ada, statuses=()) == {}


def test_only_owners_delete_a_team(ada: Book, bob: Book, eve: Book, open_book: OpenBook) -> None:
    ada.teams.change_role("core", "bob", Role.ADMIN)
    for book, error in ((bob, Denied), (open_book(), Denied), (eve, NotFound)):
        with pytest.raises(error):
            book.teams.delete("core")
    assert ada.teams.delete("core").archived == 0
    assert open_book().teams.list() == ()


def test_an_invited_owner_is_no_owner_yet(ada: Book) -> None:
    ada.teams.invite("core", "bob", Role.OWNER)
    with pytest.raises(Conflict, match="last owner"):
        ada.teams.leave("core")


def test_of_two_owners_that_leave_at_once_one_stays(ada: Book, bob: Book) -> None:
    ada.teams.change_role("core", "bob", Role.OWNER)

    def leave(book: Book) -> bool:
        try:
            book.teams.leave("core")
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(leave, (ada, bob))) == [False, True]


def test_admins_remove_members_and_owners_anybody(ada: Book, bob: Book, as_user: As) -> None:
    join(ada, as_user("cleo"), role=Role.ADMIN)
    dan = join(ada, as_user("dan"), role=Role.ADMIN)
    with pytest.raises(Denied):
        bob.teams.remove("core", "bob")
    dan.teams.remove("core", "bob")
    for user in ("ada", "cleo"):
        with pytest.raises(Denied):
            dan.teams.remove("core", user)
    ada.teams.remove("core", "cleo")
    dan.teams.remove("core", "dan")
    assert roles(ada) == {"ada": "owner"}


def test_the_log_says_who_came_and_went(ada: Book, bob: Book) -> None:
    ada.teams.change_role("core", "bob", Role.ADMIN)
    bob.teams.leave("core")
    told = [(event.type, event.payload.get("user")) for event in ada.teams.history("core")]
    assert told == [
        (EventType.TEAM_CREATED, None),
        (EventType.TEAM_INVITED, "bob"),
        (EventType.TEAM_JOINED, "bob"),
        (EventType.TEAM_ROLE_CHANGED, "bob"),
        (EventType.TEAM_LEFT, "bob"),
    ]


# -- who sees what ----------------------------------------------------------------------------


def everything_seen(book: Book, shared: Memory) -> list[str]:
    """Every way to a team's memory that leads somewhere."""
    team = shared.scope
    ways: dict[str, Callable[[], object]] = {
        "get": lambda: book.get(shared),
        "number": lambda: book.get(shared.number),
        "recall": lambda: book.recall(shared.text, filter=Filter((team,))).hits,
        "why": lambda: book.why(shared.text, shared),
        "list": lambda: book.list(Filter((team,))).memories,
        "history": lambda: book.history(shared),
        "revisions": lambda: book.revisions(shared),
        "relations": lambda: (book.relations(shared), True),
        "update": lambda: book.update(shared, Changes(priority=1)),
        "scopes": lambda: team in book.every_scope(),
        "supersede": lambda: book.supersede(shared, shared),
        "export": lambda: shared.id in "".join(book.transfer.export()),
        "contributions": lambda: book.teams.contributions(shared),
        "review": lambda: (book.teams.review(team.id), True),
        "decisions": lambda: (book.decisions.list((team,)), True),
        "write": lambda: book.remember("something else entirely", scope=team),
        "groups": lambda: (book.near_groups(filter=Filter((team,))), True),
    }
    found = []
    for name, way in ways.items():
        try:
            if way():
                found.append(name)
        except (InvalidInput, NotFound):
            continue
        except Conflict:  # superseding oneself: the memory was found
            found.append(name)
    return found


def test_a_member_who_left_sees_nothing(ada: Book, bob: Book, eve: Book) -> None:
    shared = share(ada, MONDAY).memory
    assert len(everything_seen(bob, shared)) == 17
    assert everything_seen(eve, shared) == []
    bob.teams.leave("core")
    assert everything_seen(bob, shared) == []


def test_a_member_who_was_removed_sees_nothing(ada: Book, bob: Book) -> None:
    shared = share(bob, MONDAY).memory
    ada.teams.remove("core", "bob")
    assert everything_seen(bob, shared) == [], "not even what they promoted themselves"
    assert bob.recall("deploys").hits, "the original is still theirs"
    assert seen(ada) == {MONDAY: Standing.UNVERIFIED}


# -- where recall looks unless told otherwise ---------------------------------------------------


def found(book: Book, **options: object) -> list[str]:
    """What recall finds; where no scope is named, list and count go by the same scopes."""
    texts = [hit.memory.text for hit in book.recall("deploys", **options).hits]  # type: ignore[arg-type]
    if not options:
        assert sorted({memory.text for memory in book.list().memories}) == sorted(texts)
        assert book.count() == book.list().total
    return texts


def test_members_recall_what_is_their_team_s_as_long_as_they_are_members(ada: Book, bob: Book, eve: Book) -> None:
    share(ada, MONDAY)
    assert (found(ada), found(bob), found(eve)) == ([MONDAY], [MONDAY], [])
    assert found(bob, filter=Filter((bob.principal.own_scope,))) == []
    assert bob.default_scopes() == (*bob.scopes, CORE)
    ada.teams.invite("core", "eve")
    assert found(eve) == [], "an invitation is no place"
    bob.teams.leave("core")
    assert found(bob) == []


def test_a_team_of_the_token_s_is_looked_in_and_a_book_for_one_project_is_not_left(as_user: As) -> None:
    claimed = as_user("cleo", teams=("ops",))
    claimed.remember(MONDAY, scope="team:ops")
    assert found(claimed) == [MONDAY]
    only = replace(claimed.principal, only_project=Scope.parse("project:app"))
    assert found(claimed.seen_by(only, Door(), None)) == []


def test_the_one_person_on_a_local_book_looks_in_the_teams_that_list_them(ada: Book, open_book: OpenBook) -> None:
    share(ada, MONDAY)
    local = open_book()
    assert found(local) == []
    assert found(local, filter=Filter((CORE,))) == [MONDAY]
    assert found(join(ada, local)) == [MONDAY]


def test_what_somebody_else_wrote_is_not_put_into_a_prompt_unasked(ada: Book, bob: Book) -> None:
    share(ada, MONDAY)
    assert share(bob, MONDAY).memory.standing is Standing.VERIFIED
    cleo = join(ada, bob.seen_by(Principal("local", "cleo", ()), Door(), None))
    assert found(cleo) == [MONDAY]
    assert found(cleo, filter=Filter((), automatic=True)) == []
    assert found(cleo, filter=Filter((CORE,), automatic=True)) == [MONDAY], "its scope was named"


def test_what_is_put_away_by_a_filter_is_not_a_team_s_unless_it_is_named(ada: Book) -> None:
    share(ada, MONDAY)
    assert ada.archive_all(Filter(())) == 1
    assert found(ada) == [MONDAY]


@pytest.mark.parametrize(
    ("dialect", "tool", "given", "sees"),
    [
        ("native", "memory_recall", {"query": "deploys"}, True),
        ("native", "memory_list", {}, True),
        ("snipara", "rlm_recall", {"query": "deploys"}, True),
        ("ownsona", "recall", {"query": "deploys"}, False),
        ("ownsona", "list_recent_facts", {}, False),
        ("onelamp", "get_context", {"query": "deploys"}, True),  # its document has `all` for the default
        ("onelamp", "get_context", {"query": "deploys", "scope": "personal"}, False),
        ("onelamp", "list_context", {}, False),
        ("nuzo", "memory.recall", {"query": "deploys", "include_global": True}, False),
        ("aleph", "memory_search", {"query": "deploys"}, False),
    ],
)
def test_each_contract_looks_in_teams_as_it_says(
    ada: Book, bob: Book, dialect: str, tool: str, given: dict[str, object], sees: bool
) -> None:
    share(ada, MONDAY)
    spoken = load_dialect(dialect)
    answer = perform(spoken, bob.through(spoken.door), tool, given)
    assert (MONDAY in answer.text) is sees, answer.text


def test_another_tenant_has_other_teams(ada: Book, as_user: As) -> None:
    shared = share(ada, MONDAY).memory
    stranger = as_user("ada", "globex")
    assert stranger.teams.teams_of("ada") == ()
    assert everything_seen(stranger, shared) == []
    stranger.teams.create("core")
    assert seen(stranger) == {}
    assert stranger.teams.members("core")[0].user == "ada"


def test_teams_do_not_see_each_other(ada: Book, bob: Book, as_user: As) -> None:
    cleo = as_user("cleo")
    cleo.teams.create("other")
    ours, theirs = share(ada, MONDAY).memory, share(cleo, TUESDAY, "other").memory
    assert theirs.standing is Standing.UNVERIFIED, "what another team says is no conflict"
    assert everything_seen(cleo, ours) == []
    assert everything_seen(bob, theirs) == []
    with pytest.raises(InvalidInput, match="not a memory of other"):
        join(cleo, ada, "other", Role.ADMIN).teams.resolve("other", [ours])


def test_the_one_person_on_a_local_book_sees_every_team(ada: Book, open_book: OpenBook) -> None:
    share(ada, MONDAY)
    local = open_book()
    assert seen(local) == {MONDAY: Standing.UNVERIFIED}
    assert [(place.team.id, place.member) for place in local.teams.list()] == [("core", None)]
    with pytest.raises(Denied):
        local.teams.invite("core", "local")
    with pytest.raises(Denied):
        share(local, TUESDAY)


# -- promote ----------------------------------------------------------------------------------


def test_a_promotion_copies_and_credits(ada: Book, clock: ManualClock) -> None:
    original = ada.remember(
        MONDAY, topic="deploy day", kind="learning", tags=["ops"], importance=0.9, session="ses_1", pinned=True
    ).memory
    clock.advance(seconds=5)
    promoted = ada.teams.promote(original, "core")
    copy = promoted.memory
    assert (promoted.verdict, promoted.conflicts) == (ContestVerdict.SHARED, ())
    assert ada.get(original) == original, "the original stays as it is"
    assert (copy.scope, copy.owner, copy.standing, copy.created_at) == (CORE, "ada", Standing.UNVERIFIED, clock())
    for name in ("text", "topic", "kind", "tags", "importance", "origin"):
        assert getattr(copy, name) == getattr(original, name)
    assert (copy.provenance.session, copy.pinned, copy.revision) == (None, False, 1)
    (credit,) = ada.teams.contributions(copy)
    assert (credit.user, credit.source, credit.at) == ("ada", original.id, clock())
    assert [event.type for event in ada.history(copy)] == [EventType.PROMOTED]
    assert MONDAY not in repr(ada.history(copy))


def test_a_project_memory_can_be_promoted_and_a_team_s_cannot(ada: Book) -> None:
    shared = share(ada, MONDAY, scope="project:atlas").memory
    with pytest.raises(InvalidInput, match="a team's already"):
        ada.teams.promote(shared, "core")


def test_only_what_stands_and_what_one_may_see_is_promoted(ada: Book, bob: Book, clock: ManualClock) -> None:
    private = ada.remember(MONDAY).memory
    with pytest.raises(NotFound):
        bob.teams.promote(private, "core")
    ada.archive(private)
    expiring = ada.remember(TUESDAY, expires_at="1d").memory
    clock.advance(days=2)
    for memory in (private, expiring):
        with pytest.raises(Conflict, match="does not stand"):
            ada.teams.promote(memory, "core")
    assert seen(ada) == {}


def test_secrets_are_not_promoted(ada: Book) -> None:
    """A book may hold what an older version let in."""
    made = ada.remember(MONDAY).memory
    with ada._caller.store._store.writing("local") as unit:  # type: ignore[attr-defined]
        secret = replace(made, text="the api key is sk-proj-9fK2mQ7vT4xB8nW1cZ6yR3pL5hD0sJgA", revision=2)
        unit.memories.replace(secret, ada.now())
    with pytest.raises(SecretRefused):
        ada.teams.promote(made, "core")
    with ada._caller.store._store.writing("local") as unit:  # type: ignore[attr-defined]
        labelled = replace(made, tags=("ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"[:40],), revision=3)
        unit.memories.replace(labelled, ada.now())
    with pytest.raises(SecretRefused):
        ada.teams.promote(made, "core")
    assert seen(ada) == {}


@pytest.mark.parametrize("embedder", [None, HashingEmbedder()], ids=["words", "vectors"])
@pytest.mark.parametrize(
    "again", [MONDAY, "deploys are on  monday", "All releases to the production cluster need two approvals now"]
)
def test_a_second_person_verifies(as_user: As, embedder: HashingEmbedder | None, again: str) -> None:
    ada, bob = (as_user(name, embedder=embedder) for name in ("ada", "bob"))
    ada.teams.create("core")
    join(ada, bob)
    first = share(ada, "All releases to the production cluster need two approvals" if "two" in again else MONDAY).memory
    second = share(bob, again)
    assert (second.verdict, second.memory.id) == (ContestVerdict.CORROBORATED, first.id)
    assert ada.get(first).standing is Standing.VERIFIED
    assert [credit.user for credit in bob.teams.contributions(first)] == ["ada", "bob"]
    assert [event.type for event in ada.history(first)] == [EventType.PROMOTED, EventType.CORROBORATED]
    assert ada.list(ANYTHING).total == 1


def test_the_same_person_twice_verifies_nothing(ada: Book) -> None:
    first = share(ada, MONDAY).memory
    for scope in ("user", "project:atlas"):
        again = share(ada, MONDAY, scope=scope)
        assert (again.verdict, again.memory) == (ContestVerdict.REPEATED, first)
    assert seen(ada) == {MONDAY: Standing.UNVERIFIED}
    assert len(ada.teams.contributions(first)) == 2, "each source once"


def test_what_a_member_wrote_in_the_team_themselves_is_theirs(ada: Book, bob: Book) -> None:
    written = ada.remember(MONDAY, scope="team:core").memory
    assert share(ada, MONDAY).verdict is ContestVerdict.REPEATED
    assert share(bob, MONDAY).verdict is ContestVerdict.CORROBORATED
    assert ada.get(written).standing is Standing.VERIFIED
    assert {credit.user for credit in ada.teams.contributions(written)} == {"ada", "bob"}


def test_who_an_imported_memory_says_it_is_from_counts_for_nothing(ada: Book) -> None:
    forged = ada.remember(MONDAY, scope="team:core").memory
    line = next(line for line in ada.transfer.export() if forged.id in line)
    ada.purge(forged)
    document = json.loads(line)
    document["memory"] |= {"owner": "bob", "standing": "verified", "id": "mem_01JZX6J8T0Q6V0YH3C3C1N9W5R"}
    ada.transfer.import_(['{"format":"commonplace-export","version":1}', json.dumps(document)])
    assert seen(ada) == {MONDAY: Standing.UNVERIFIED}
    share(ada, MONDAY)
    assert seen(ada) == {MONDAY: Standing.UNVERIFIED}


def test_nobody_verifies_by_saying_so(ada: Book) -> None:
    assert ada.remember(MONDAY, scope="team:core", standing="verified").memory.standing is Standing.UNVERIFIED
    moved = ada.remember("Lunch is at noon", standing="verified").memory
    assert moved.standing is Standing.VERIFIED
    assert ada.update(moved, Changes(scope=CORE)).standing is Standing.UNVERIFIED


def test_a_verified_memory_that_is_rewritten_is_unverified_again(ada: Book, bob: Book) -> None:
    shared = share(ada, MONDAY).memory
    share(bob, MONDAY)
    assert ada.update(shared, Changes(importance=0.9)).standing is Standing.VERIFIED
    assert ada.update(shared, Changes(text="Deploys are on Friday")).standing is Standing.UNVERIFIED


def test_of_many_who_promote_at_once_one_memory_comes(ada: Book, as_user: As) -> None:
    books = [ada, *(join(ada, as_user(f"user{place}")) for place in range(6))]
    with ThreadPoolExecutor(7) as pool:
        verdicts = [promoted.verdict for promoted in pool.map(lambda book: share(book, MONDAY), books)]
    assert sorted(verdicts) == [ContestVerdict.CORROBORATED] * 6 + [ContestVerdict.SHARED]
    assert seen(ada) == {MONDAY: Standing.VERIFIED}


# -- contests ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "topic"),
    [
        (MONDAY, TUESDAY, None),
        ("The job queue runs on Redis", "The job queue runs on Kafka", None),
        ("Releases need two approvals", "Releases need three approvals", None),
        ("The cache is enabled in staging", "The cache is not enabled in staging", None),
        ("We ship each Monday after the stand-up", "Production changes go out on Thursday", "deploy day"),
    ],
)
def test_what_is_at_odds_makes_both_contested(ada: Book, bob: Book, first: str, second: str, topic: str | None) -> None:
    old, promoted = share(ada, first, topic=topic).memory, share(bob, second, topic=topic)
    assert promoted.verdict is ContestVerdict.CONTESTED
    assert [memory.id for memory in promoted.conflicts] == [old.id]
    assert seen(ada) == {first: Standing.CONTESTED, second: Standing.CONTESTED}
    (contest,) = bob.teams.review("core")
    assert [memory.text for memory in contest.memories] == [first, second]
    assert [relation.kind for relation in ada.relations(old)] == [RelationKind.CONFLICTS_WITH]
    assert ada.history(old)[-1].type is EventType.CONTESTED


@pytest.mark.parametrize(
    ("first", "second", "topic"),
    [
        (MONDAY, "The staging server is called heron", None),
        (MONDAY, "Lunch is on Tuesday", None),
        ("The editor is vim", "Vim is the editor everybody uses here", "editor"),
    ],
)
def test_what_is_merely_different_stands_beside(
    ada: Book, bob: Book, first: str, second: str, topic: str | None
) -> None:
    share(ada, first, topic=topic)
    assert share(bob, second, topic=topic).verdict is ContestVerdict.SHARED
    assert set(seen(ada).values()) == {Standing.UNVERIFIED}
    assert len(seen(ada)) == 2
    assert ada.teams.review("core") == ()


def test_a_contested_memory_that_is_corroborated_stays_contested(ada: Book, bob: Book, as_user: As) -> None:
    shared = share(ada, MONDAY).memory
    share(bob, TUESDAY)
    assert share(join(ada, as_user("cleo")), MONDAY).verdict is ContestVerdict.CORROBORATED
    assert ada.get(shared).standing is Standing.CONTESTED
    assert ada.update(shared, Changes(text="Deploys are on Sunday")).standing is Standing.CONTESTED


def contested(ada: Book, bob: Book) -> tuple[Memory, Memory]:
    share(ada, MONDAY)
    share(bob, TUESDAY)
    ((first, second),) = [contest.memories for contest in ada.teams.review("core")]
    return first, second


def test_keeping_one_supersedes_the_other_with_the_reason(ada: Book, bob: Book) -> None:
    first, second = contested(ada, bob)
    kept, dropped = ada.teams.resolve("core", [first], [second], reason="the calendar says so")
    assert (kept.id, kept.standing, kept.status) == (first.id, Standing.VERIFIED, Status.ACTIVE)
    assert (dropped.status, dropped.status_reason, dropped.successor) == (
        Status.SUPERSEDED,
        "the calendar says so",
        first.id,
    )
    assert ada.teams.review("core") == ()
    assert EventType.RESOLVED in [event.type for event in bob.history(second)]
    assert ada.get(second).text == TUESDAY


def test_keeping_both_ends_the_contest(ada: Book, bob: Book) -> None:
    ada.teams.resolve("core", contested(ada, bob))
    assert seen(ada, statuses=(Status.ACTIVE,)) == {MONDAY: Standing.UNVERIFIED, TUESDAY: Standing.UNVERIFIED}
    assert ada.teams.review("core") == ()


def test_dropping_both_archives_them(ada: Book, bob: Book) -> None:
    dropped = ada.teams.resolve("core", drop=contested(ada, bob))
    assert {(memory.status, memory.status_reason) for memory in dropped} == {(Status.ARCHIVED, "resolved by ada")}
    assert len(seen(ada)) == 2


@pytest.mark.parametrize("kept", [0, 1])
def test_what_is_kept_against_another_word_is_verified(ada: Book, bob: Book, kept: int) -> None:
    both = contested(ada, bob)
    ada.teams.resolve("core", [both[kept]], [both[1 - kept]])
    assert ada.get(both[kept]).standing is Standing.VERIFIED


def test_whoever_says_both_and_resolves_verifies_nothing(ada: Book) -> None:
    first, second = contested(ada, ada)
    assert ada.teams.resolve("core", [first], [second])[0].standing is Standing.UNVERIFIED


def test_what_two_people_said_is_verified_when_it_is_kept(ada: Book, bob: Book, as_user: As) -> None:
    first, second = contested(ada, bob)
    share(join(ada, as_user("cleo")), MONDAY)
    kept, _ = ada.teams.resolve("core", [first], [second])
    assert kept.standing is Standing.VERIFIED


def test_only_owners_and_admins_resolve(ada: Book, bob: Book) -> None:
    first, second = contested(ada, bob)
    with pytest.raises(Denied):
        bob.teams.resolve("core", [second], [first])
    assert ada.teams.review("core")
    ada.teams.change_role("core", "bob", Role.ADMIN)
    bob.teams.resolve("core", [second], [first])
    assert ada.get(first).status is Status.SUPERSEDED


def test_a_contest_is_resolved_as_a_whole(ada: Book, bob: Book, as_user: As) -> None:
    first, second = contested(ada, bob)
    third = share(join(ada, as_user("cleo")), "Deploys are on Friday").memory
    with pytest.raises(Conflict, match=f"{third.id} is at odds"):
        ada.teams.resolve("core", [first], [second])
    assert len(ada.teams.review("core")[0].memories) == 3, "nothing was changed"
    ada.teams.resolve("core", [third], [first, second])
    assert {ada.get(each).successor for each in (first, second)} == {third.id}


def test_two_contests_are_two(ada: Book, bob: Book) -> None:
    first, second = contested(ada, bob)
    share(ada, "The job queue runs on Redis")
    other = share(bob, "The job queue runs on Kafka").memory
    assert len(ada.teams.review("core")) == 2
    with pytest.raises(Conflict, match="another contest"):
        ada.teams.resolve("core", [first, second], [other])


def test_a_resolution_makes_sense(ada: Book, bob: Book) -> None:
    first, second = contested(ada, bob)
    calm = share(ada, "Lunch is at noon").memory
    for keep, drop, reason in (([], [], None), ([first], [first], None), ([first], [second], "x" * 1_025)):
        with pytest.raises(InvalidInput):
            ada.teams.resolve("core", keep, drop, reason=reason)
    with pytest.raises(SecretRefused):
        ada.teams.resolve("core", [first], [second], reason="the password is hunter2-Tr0ub4dor")
    with pytest.raises(Conflict, match="not contested"):
        ada.teams.resolve("core", [calm])
    assert len(ada.teams.review("core")) == 1


# -- recall -----------------------------------------------------------------------------------


@pytest.mark.parametrize("embedder", [None, HashingEmbedder()], ids=["words", "vectors"])
@pytest.mark.parametrize("past", [False, True])
def test_a_team_is_believed_as_far_as_it_agrees(
    as_user: As, clock: ManualClock, embedder: HashingEmbedder | None, past: bool
) -> None:
    ada, bob = (as_user(name, embedder=embedder, door=Door(origin=Origin.TYPED)) for name in ("ada", "bob"))
    ada.teams.create("core")
    join(ada, bob)
    shared = share(ada, "The heron is the staging server").memory
    filter = Filter((CORE,), as_of=None)

    def relevance() -> float:
        asked = replace(filter, as_of=clock()) if past else filter
        (hit,) = ada.recall("heron staging", filter=asked, min_relevance=0.0).hits
        return hit.relevance

    def become(standing: Standing) -> float:
        with ada._caller.store.writing("local") as unit:
            known = unit.memories.by_id(shared.id)
            assert known is not None
            unit.memories.replace(replace(known, standing=standing, revision=known.revision + 1), clock())
        return relevance()

    verified = become(Standing.VERIFIED)
    assert become(Standing.UNVERIFIED) == pytest.approx(0.8 * verified, abs=1e-4)
    assert become(Standing.CONTESTED) == pytest.approx(0.5 * verified, abs=1e-4)
    parts = ada.why("heron staging", filter=filter).recall.trace
    assert parts is not None
    assert any(name == "standing" for stage in parts.stages for score in stage.scores for name, _ in score.parts)


def test_what_is_one_s_own_is_not_weighed_by_standing(book: Book) -> None:
    book.remember("The heron is the staging server")
    plain = book.recall("heron staging").hits[0].relevance
    with book._caller.store.writing("local") as unit:
        known = unit.memories.by_number(1)
        assert known is not None
        unit.memories.replace(replace(known, standing=Standing.CONTESTED, revision=2), book.now())
    assert book.recall("heron staging").hits[0].relevance == plain


def test_verified_only_drops_what_a_team_has_not_verified_and_keeps_one_s_own(ada: Book, bob: Book) -> None:
    share(ada, "The deploy server is heron")
    share(bob, "The deploy server is heron")
    contested(ada, bob)
    share(ada, "A deploy takes long")
    both = Filter((CORE, ada.principal.own_scope))
    found = {hit.memory.text for hit in ada.recall("deploy", filter=replace(both, scopes=(CORE,))).hits}
    assert len(found) == 4
    only = replace(both, verified_only=True)
    hits = ada.recall("deploy", filter=only).hits
    texts = {(hit.memory.text, hit.memory.scope.kind.value) for hit in hits}
    assert {text for text, kind in texts if kind == "team"} <= {"The deploy server is heron"}
    listed = {(memory.text, memory.scope == CORE) for memory in ada.list(only).memories}
    assert listed == {
        ("The deploy server is heron", True),
        ("The deploy server is heron", False),
        (MONDAY, False),
        ("A deploy takes long", False),
    }
    doubted = ada.list(Filter((CORE,))).memories[0]
    assert "unverified in its team" in ada.why("deploy", doubted, filter=only).verdict


# -- whatever happens -------------------------------------------------------------------------

USERS, TEAMS = ("ada", "bob", "cleo"), ("core", "edge")
TEXTS = (MONDAY, TUESDAY, "deploys are on monday", "The job queue runs on Redis", "The job queue runs on Kafka")
users, teams = st.sampled_from(USERS), st.sampled_from(TEAMS)
promotions = st.tuples(st.just("promote"), users, teams, st.sampled_from(TEXTS))
deeds = st.one_of(
    promotions,
    promotions,
    promotions,
    st.tuples(st.just("resolve"), users, teams, st.integers(0, 7)),
    st.tuples(st.just("leave"), users, teams, st.none()),
    st.tuples(st.just("join"), users, teams, users),
    st.tuples(st.just("role"), users, teams, st.tuples(users, st.sampled_from(Role))),
    st.tuples(st.just("remove"), users, teams, users),
)


class House:
    """Three people, two teams, and what must hold whatever they do."""

    def __init__(self, place: Path) -> None:
        store = SqliteStore(place / "book.db", synchronous="NORMAL")
        clock = ManualClock()
        self.books = {user: Book.over(store, Principal(user=user, teams=()), clock=clock) for user in USERS}
        self.local = Book.over(store, clock=clock)
        self.promoted: list[tuple[str, str, str]] = []
        self.members: dict[str, set[str]] = {}
        for team, owner in zip(TEAMS, USERS, strict=False):
            self.books[owner].teams.create(team)
            self.members[team] = {owner}
        for guest in USERS[1:]:
            self.do("join", "ada", "core", guest)
        for user, text in (("ada", MONDAY), ("bob", TUESDAY)):  # so that there is something to settle
            self.do("promote", user, "core", text)

    def do(self, deed: str, user: str, team: str, more: object) -> None:
        book = self.books[user]
        try:
            match deed, more:
                case "promote", str(text):
                    source = book.remember(text).memory
                    self.promoted.append((book.teams.promote(source, team).memory.id, user, source.id))
                case "resolve", int(choice):
                    for contest in book.teams.review(team):
                        bits = [(memory, choice >> place & 1) for place, memory in enumerate(contest.memories)]
                        book.teams.resolve(team, [m for m, bit in bits if bit], [m for m, bit in bits if not bit])
                case "leave", _:
                    book.teams.leave(team)
                    self.members[team].discard(user)
                case "join", str(other):
                    book.teams.invite(team, other)
                    self.books[other].teams.accept(team)
                    self.members[team].add(other)
                case "role", (str(other), Role() as role):
                    book.teams.change_role(team, other, role)
                case "remove", str(other):
                    book.teams.remove(team, other)
                    self.members[team].discard(other)
        except CommonplaceError:
            return

    def check(self) -> None:
        for team in TEAMS:
            assert any(member.leads for member in self.local.teams.members(team)), "a team is always led by somebody"
            shared = self.local.list(Filter((Scope.parse(f"team:{team}"),), statuses=(), include_expired=True)).memories
            for user, book in self.books.items():
                assert (f"team:{team}" in map(str, book.team_scopes())) is (user in self.members[team])
                if user not in self.members[team]:
                    assert [everything_seen(book, memory) for memory in shared] == [[]] * len(shared)
        for id, user, source in self.promoted:
            memory = self.local.get(id)
            assert memory.text in TEXTS
            assert (user, source) in {(credit.user, credit.source) for credit in self.local.teams.contributions(memory)}
            assert EventType.PROMOTED in {event.type for event in self.local.history(memory)}
            if memory.standing is Standing.VERIFIED:
                settled = [event for event in self.local.history(memory) if event.type is EventType.RESOLVED]
                assert settled or len({credit.user for credit in self.local.teams.contributions(memory)}) > 1
            if memory.status is not Status.ACTIVE:
                assert memory.status_reason


@given(st.lists(deeds, min_size=8, max_size=20), st.integers(0, 7))
def test_whatever_members_do_nobody_else_sees_it_and_nothing_is_lost(
    done: list[tuple[str, str, str, object]], choice: int
) -> None:
    with TemporaryDirectory() as place:
        house = House(Path(place))
        try:
            for deed in done:
                house.do(*deed)
            house.check()
            house.do("resolve", "ada", "core", choice)
            house.check()
        finally:
            house.local.close()
