"""What may become of a memory, and what may not."""

from contextlib import AbstractContextManager
from itertools import product
from types import SimpleNamespace

import pytest

from commonplace.book.book import Book
from commonplace.book.edits import Edit
from commonplace.domain.events import EventType
from commonplace.domain.memory import Kind, Memory, MemoryType, Origin, RelationKind, Status
from commonplace.domain.query import Filter
from commonplace.domain.scope import Principal, Scope
from commonplace.engine import lifecycle
from commonplace.engine.caller import Door
from commonplace.engine.context import Context
from commonplace.engine.intake import ExactPolicy, Refused
from commonplace.engine.lifecycle import Changes
from commonplace.errors import Conflict, InvalidInput, NotFound, RevisionConflict
from commonplace.ports import Unit
from tests.conftest import DAY, ManualClock, OpenBook

TEXT = "Deploys are on Monday"
PUT_AWAY = ("supersede", "invalidate", "archive", "forget")
ONCE_MORE = (("archive", "archive"), ("invalidate", "invalidate"))


@pytest.fixture
def memory(book: Book) -> Memory:
    return book.remember(TEXT).memory


def put_away(book: Book, memory: Memory, deed: str) -> Memory:
    """Bring a memory into the status that a verb leads to."""
    if deed == "supersede":
        return book.supersede(memory, book.remember("Deploys are on Tuesday").memory)
    return getattr(book, deed)(memory)


def types(book: Book, memory: Memory) -> list[EventType]:
    return [event.type for event in book.history(memory)]


# -- several at once --------------------------------------------------------------------------


def test_of_several_edits_a_bad_one_spoils_no_other(book: Book) -> None:
    monday, lunch, tea = (book.remember(text).memory for text in (TEXT, "Lunch is at noon", "Tea is at five"))
    results = book.update_many(
        [
            Edit(monday, Changes(text="lunch  is at NOON")),
            Edit(99, Changes(importance=0.1)),
            Edit(lunch, Changes(importance=7.0)),
            Edit(lunch, Changes(text=" ")),
            Edit(lunch, Changes()),
            Edit(tea, Changes(importance=0.1), expected_revision=5),
            Edit(tea, Changes(text="Tea is at four")),
            Edit(monday, Changes(text="Tea is at five")),
        ],
        exact=ExactPolicy.FOLDED,
    )
    errors = [type(each.error) if isinstance(each, Refused) else None for each in results]
    assert errors == [Conflict, NotFound, InvalidInput, InvalidInput, InvalidInput, RevisionConflict, None, None]
    assert [book.get(each).text for each in (monday, lunch, tea)] == ["Tea is at five", lunch.text, "Tea is at four"]
    assert [book.get(each).revision for each in (monday, lunch, tea)] == [2, 1, 2]
    assert types(book, lunch) == [EventType.CREATED]


def test_several_are_forgotten_at_once_but_for_the_unknown(book: Book, memory: Memory) -> None:
    lunch = book.remember("Lunch is at noon").memory
    first, unknown, second = book.forget_many([memory, 99, lunch.number], reason="moved")
    assert isinstance(unknown, Refused)
    assert isinstance(unknown.error, NotFound)
    assert (book.get(memory), book.get(lunch)) == (first, second)
    assert {(each.status, each.status_reason) for each in (book.get(memory), book.get(lunch))} == {
        (Status.FORGOTTEN, "moved")
    }
    with pytest.raises(InvalidInput):
        book.forget_many([memory], reason="x" * 2_000)


# -- update -----------------------------------------------------------------------------------


def test_an_update_changes_what_was_named_and_nothing_else(book: Book, clock: ManualClock) -> None:
    before = book.remember(TEXT, tags=["a"], kind="task", topic="t", importance=0.9).memory
    clock.advance(10)
    after = book.update(before, Changes(text="  Deploys are on Tuesday ", tags=("b",)))
    assert book.get(before) == after
    assert (after.text, after.tags) == ("Deploys are on Tuesday", ("b",))
    assert (after.kind, after.topic, after.importance) == (Kind.TASK, "t", 0.9)
    assert (after.id, after.number, after.created_at) == (before.id, before.number, before.created_at)
    assert (after.revision, after.updated_at) == (2, clock())
    assert types(book, before) == [EventType.CREATED, EventType.UPDATED]
    assert dict(book.history(before)[-1].payload)["changed"] == {"text": True, "tags": True}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", Kind.TASK),
        ("memory_type", MemoryType.TASK),
        ("tags", ("x",)),
        ("category", "c"),
        ("topic", "t"),
        ("importance", 0.1),
        ("confidence", 0.2),
        ("priority", 9),
        ("pinned", True),
        ("confirmed_at", 5),
        ("expires_at", 9_000_000_000_000),
        ("valid_from", 5),
        ("valid_to", 6),
        ("project", "3987f33621c2506d"),
        ("text", "new"),
        ("scope", Scope.parse("project:atlas")),
    ],
)
def test_every_field_of_an_update_can_be_set(book: Book, memory: Memory, name: str, value: object) -> None:
    assert name in Changes.fields
    assert getattr(book.update(memory, Changes(**{name: value})), name) == value
    assert getattr(book.get(memory), name) == value


@pytest.mark.parametrize(
    "name", ["memory_type", "category", "topic", "confirmed_at", "expires_at", "valid_from", "valid_to", "project"]
)
def test_what_may_be_missing_can_be_cleared(book: Book, name: str) -> None:
    full = book.remember(
        TEXT,
        memory_type="task",
        category="c",
        topic="t",
        confirmed_at=5,
        expires_at="9d",
        valid_from=5,
        valid_to=6,
        project="atlas",
    ).memory
    assert getattr(full, name) is not None
    assert getattr(book.update(full, Changes(**{name: None})), name) is None


def test_an_update_that_changes_nothing_is_refused(book: Book, memory: Memory) -> None:
    with pytest.raises(InvalidInput):
        book.update(memory, Changes())
    assert book.get(memory).revision == 1


@pytest.mark.parametrize(
    "changes",
    [{"text": " "}, {"text": "a\x00b"}, {"importance": 2.0}, {"tags": ("",)}, {"topic": "!!!"}, {"priority": 0}],
)
def test_an_update_is_checked_like_a_new_memory(book: Book, memory: Memory, changes: dict) -> None:
    with pytest.raises(InvalidInput):
        book.update(memory, Changes(**changes))
    assert book.get(memory) == memory


def test_a_topic_is_normalised_on_update(book: Book, memory: Memory) -> None:
    assert book.update(memory, Changes(topic="Deploy Day")).topic == "deploy-day"


def test_an_update_may_not_move_a_memory_out_of_reach(open_book: OpenBook) -> None:
    book = open_book(principal=Principal(user="ada"))
    memory = book.remember(TEXT).memory
    with pytest.raises(InvalidInput):
        book.update(memory, Changes(scope=Scope.parse("user:bob")))
    assert book.get(memory) == memory


def test_with_an_expected_revision_only_the_first_of_two_updates_wins(book: Book, memory: Memory) -> None:
    book.update(memory, Changes(importance=0.9), expected_revision=1)
    with pytest.raises(RevisionConflict, match="revision 2, not 1"):
        book.update(memory, Changes(importance=0.1), expected_revision=1)
    assert book.get(memory).importance == 0.9


# -- confirm ----------------------------------------------------------------------------------


def test_confirming_says_when_it_still_held(book: Book, memory: Memory, clock: ManualClock) -> None:
    clock.advance(10)
    assert book.confirm(memory).confirmed_at == clock()
    assert book.confirm(memory, at=7).confirmed_at == 7
    assert types(book, memory) == [EventType.CREATED, EventType.CONFIRMED, EventType.CONFIRMED]


def test_the_first_moment_there_is_can_be_confirmed(book: Book, memory: Memory) -> None:
    assert book.confirm(memory, at=0).confirmed_at == 0


@pytest.mark.parametrize("door", list(Origin))
@pytest.mark.parametrize("origin", list(Origin))
def test_only_a_person_lends_trust_and_only_to_what_waited_for_it(
    open_book: OpenBook, origin: Origin, door: Origin
) -> None:
    memory = open_book(door=Door(origin=origin)).remember(TEXT).memory
    confirmed = open_book(door=Door(origin=door)).confirm(memory)
    trusted = origin.waits_for_confirmation and door is Origin.TYPED
    assert confirmed.origin is (Origin.CONFIRMED if trusted else origin)


# -- supersede --------------------------------------------------------------------------------


def test_a_superseded_memory_names_its_successor(book: Book, memory: Memory, clock: ManualClock) -> None:
    new = book.remember("Deploys are on Tuesday").memory
    clock.advance(10)
    old = book.supersede(memory, new, reason="it moved")
    assert (old.status, old.successor, old.status_reason, old.status_at) == (
        Status.SUPERSEDED,
        new.id,
        "it moved",
        clock(),
    )
    [edge] = book.relations(new)
    assert (edge.source, edge.target, edge.kind, edge.reason) == (new.id, old.id, RelationKind.SUPERSEDES, "it moved")
    assert book.relations(old) == (edge,)


def test_superseding_twice_by_the_same_is_once(book: Book, memory: Memory) -> None:
    new = book.remember("Deploys are on Tuesday").memory
    first = book.supersede(memory, new)
    assert book.supersede(memory, new) == first
    assert len(book.relations(new)) == 1


def test_nothing_supersedes_itself(book: Book, memory: Memory) -> None:
    with pytest.raises(Conflict):
        book.supersede(memory, memory)
    with pytest.raises(Conflict):
        book.forget(memory, replaced_by=memory)
    assert book.get(memory) == memory


def test_a_chain_does_not_run_in_a_circle(book: Book) -> None:
    a, b, c = (book.remember(text).memory for text in ("one", "two", "three"))
    book.supersede(a, b)
    book.supersede(b, c)
    for old in (a, b):
        with pytest.raises(Conflict):
            book.supersede(c, old)
    assert book.get(c).status is Status.ACTIVE


def test_a_chain_of_tombstones_does_not_run_in_a_circle_either(book: Book) -> None:
    a, b = book.remember("one").memory, book.remember("two").memory
    book.forget(a, replaced_by=b)
    with pytest.raises(Conflict):
        book.forget(b, replaced_by=a)


class Tired(AssertionError):
    """The question was asked more often than there are memories."""


def test_a_circle_that_is_there_already_is_not_followed_for_ever(book: Book, clock: ManualClock) -> None:
    """An imported document may hold one; whoever follows it holds the write lock meanwhile."""
    a, b, c = (book.remember(text).memory for text in ("one", "two", "three"))
    context = Context(book.principal, "test", "local", Origin.TYPED, clock())
    writing: AbstractContextManager[Unit] = book._caller.store.writing("local")
    with writing as unit:
        for one, other in ((a, b), (b, a)):
            lifecycle.retire(unit, context, one, Status.SUPERSEDED, None, other)
        asked = []

        def by_id(id: str) -> Memory | None:
            asked.append(id)
            if len(asked) > 100:
                raise Tired
            return unit.memories.by_id(id)

        watched = SimpleNamespace(
            memories=SimpleNamespace(by_id=by_id, replace=unit.memories.replace), relations=unit.relations, log=unit.log
        )
        with pytest.raises(Conflict):  # what was superseded itself takes nobody's place
            lifecycle.supersede(watched, context, unit.memories.by_id(c.id), unit.memories.by_id(a.id), None)  # type: ignore[arg-type]


# -- invalidate -------------------------------------------------------------------------------


def test_an_invalidated_memory_was_true_up_to_a_moment(book: Book, clock: ManualClock) -> None:
    memory = book.remember(TEXT, valid_from=clock() - DAY).memory
    gone = book.invalidate(memory, at=clock() - 5, reason="cancelled")
    assert (gone.status, gone.valid_to, gone.status_reason) == (Status.INVALIDATED, clock() - 5, "cancelled")
    assert gone.valid(clock() - 6)
    assert not gone.valid(clock() - 5)


def test_it_cannot_have_ended_before_it_began(book: Book, clock: ManualClock) -> None:
    memory = book.remember(TEXT, valid_from=clock()).memory
    with pytest.raises(InvalidInput) as caught:
        book.invalidate(memory, at=clock() - 1)
    assert caught.value.argument == "at"


def test_the_moment_of_an_invalidation_can_be_corrected_and_its_reason_stays(book: Book, memory: Memory) -> None:
    book.invalidate(memory, reason="cancelled")
    again = book.invalidate(memory, at=5)
    assert (again.valid_to, again.status_reason) == (5, "cancelled")


# -- archive, forget, restore -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("deed", "status", "type"),
    [
        ("archive", Status.ARCHIVED, EventType.ARCHIVED),
        ("forget", Status.FORGOTTEN, EventType.FORGOTTEN),
        ("invalidate", Status.INVALIDATED, EventType.INVALIDATED),
        ("supersede", Status.SUPERSEDED, EventType.SUPERSEDED),
    ],
)
def test_what_is_put_away_is_out_of_sight_and_can_be_restored(
    book: Book, memory: Memory, clock: ManualClock, deed: str, status: Status, type: EventType
) -> None:
    clock.advance(10)
    gone = put_away(book, memory, deed)
    assert (gone.status, gone.status_at, gone.revision) == (status, clock(), 2)
    assert book.get(memory) == gone
    assert memory.id not in [hit.memory.id for hit in book.recall("deploys").hits]
    assert memory.id not in [each.id for each in book.list().memories]
    assert memory.id in [each.id for each in book.list(Filter(book.scopes, statuses=(status,))).memories]
    clock.advance(10)
    back = book.restore(memory)
    assert (back.status, back.status_at, back.status_reason, back.successor) == (Status.ACTIVE, None, None, None)
    assert (back.text, back.revision, back.valid_to) == (TEXT, 3, None)
    assert memory.id in [hit.memory.id for hit in book.recall("deploys").hits]
    assert types(book, memory) == [EventType.CREATED, type, EventType.RESTORED]


def test_restoring_gives_back_the_end_that_was_stated_before(book: Book, clock: ManualClock) -> None:
    memory = book.remember(TEXT, valid_to=clock() + DAY).memory
    book.invalidate(memory)
    assert book.restore(memory).valid_to == clock() + DAY


def test_a_tombstone_may_name_what_took_its_place(book: Book, memory: Memory) -> None:
    new = book.remember("Deploys are on Tuesday").memory
    assert book.forget(memory, reason="it moved", replaced_by=new).successor == new.id
    again = book.forget(memory)
    assert (again.successor, again.status_reason) == (new.id, "it moved")


@pytest.mark.parametrize(("deed", "again"), ONCE_MORE)
def test_what_is_put_away_may_be_put_away_the_same_way_once_more(
    book: Book, memory: Memory, deed: str, again: str
) -> None:
    gone = put_away(book, memory, deed)
    assert getattr(book, again)(memory).status is gone.status is book.get(memory).status
    assert book.restore(memory).status is Status.ACTIVE


@pytest.mark.parametrize(
    ("deed", "after"),
    [pair for pair in product(PUT_AWAY, ["confirm", "archive", "supersede", "invalidate"]) if pair not in ONCE_MORE],
)
def test_what_is_put_away_must_be_restored_before_anything_else(
    book: Book, memory: Memory, deed: str, after: str
) -> None:
    gone = put_away(book, memory, deed)
    other = book.remember("Deploys are on Friday").memory
    verb = getattr(book, after)
    with pytest.raises(Conflict, match="restore it first"):
        verb(memory, other) if after == "supersede" else verb(memory)
    assert book.get(memory) == gone


@pytest.mark.parametrize("deed", PUT_AWAY)
def test_anything_can_be_forgotten(book: Book, memory: Memory, deed: str) -> None:
    put_away(book, memory, deed)
    assert book.forget(memory).status is Status.FORGOTTEN


def test_a_topic_has_one_word_after_a_restore_and_after_an_update(book: Book) -> None:
    first = book.remember("Deploys are on Monday", topic="deploy-day").memory
    second = book.remember("Deploys are on Friday", topic="deploy-day").memory
    book.restore(first)
    assert standing(book) == [first.id]
    assert [(edge.source, edge.target) for edge in book.relations(first)] == [(first.id, second.id)]
    third = book.remember("Deploys are on Sunday").memory
    book.update(third, Changes(topic="deploy-day"))
    assert standing(book) == [third.id]
    assert book.get(first).successor == third.id


def standing(book: Book) -> list[str]:
    return [memory.id for memory in book.list(topic="deploy-day").memories]


def test_what_was_superseded_itself_takes_nobodys_place(book: Book) -> None:
    """To follow it to the present one would be to guess: the refusal names what to do."""
    one, two, three = (book.remember(text).memory for text in ("It is one", "It is two", "It is three"))
    book.supersede(one, three)
    with pytest.raises(Conflict, match="is superseded and cannot be put in the place of another: restore it first"):
        book.supersede(two, one)
    assert [book.get(each).status for each in (one, two)] == [Status.SUPERSEDED, Status.ACTIVE]


def test_what_is_active_cannot_be_restored(book: Book, memory: Memory) -> None:
    with pytest.raises(Conflict):
        book.restore(memory)


@pytest.mark.parametrize("deed", PUT_AWAY)
def test_a_reason_is_checked(book: Book, memory: Memory, deed: str) -> None:
    other = (book.remember("other").memory,) if deed == "supersede" else ()
    with pytest.raises(InvalidInput) as caught:
        getattr(book, deed)(memory, *other, reason="x" * 2_000)
    assert caught.value.argument == "reason"
    assert book.get(memory) == memory


# -- purge ------------------------------------------------------------------------------------


def test_what_is_purged_is_gone_from_every_answer(book: Book, clock: ManualClock) -> None:
    canary = book.remember("The canary sings", topic="canary", tags=["canary"], session="ses_1").memory
    book.update(canary, Changes(text="The canary sang"))
    stays = book.remember("Something else").memory
    before = clock()
    clock.advance(10)
    receipt = book.purge(canary)
    assert (receipt.ids, receipt.purged_at) == ((canary.id,), clock())
    assert receipt.erasure.complete
    with pytest.raises(NotFound):
        book.get(canary)
    with pytest.raises(NotFound):
        book.revisions(canary)
    assert book.recall("canary").hits == ()
    assert [memory.id for memory in book.list(Filter(book.scopes, statuses=())).memories] == [stays.id]
    past = Filter(book.scopes, statuses=(), include_expired=True, as_of=before)
    assert [memory.id for memory in book.list(past).memories] == [stays.id]
    assert book.recall("canary", filter=past).hits == ()
    assert "canary" not in "".join(book.transfer.export()).lower()


def test_history_outlives_a_purge_without_content(book: Book) -> None:
    memory = book.remember("The canary sings", topic="canary", tags=["canary"]).memory
    book.forget(memory, reason="the canary is gone")
    book.purge(memory)
    history = book.history(memory.id)
    assert [event.type for event in history] == [EventType.CREATED, EventType.FORGOTTEN, EventType.PURGED]
    assert "canary" not in repr(history).lower()
    assert dict(history[-1].payload) == {"kind": "fact", "scope": "user:local", "by": "local"}


def test_a_number_is_not_given_out_again_after_a_purge(book: Book, memory: Memory) -> None:
    book.purge(memory)
    assert book.remember("next").memory.number == memory.number + 1


def test_several_are_purged_at_once_or_none(book: Book) -> None:
    one, two = book.remember("one").memory, book.remember("two").memory
    with pytest.raises(NotFound):
        book.purge(one, "mem_NOTHERE")
    assert book.list().total == 2
    assert set(book.purge(one, two, one.number).ids) == {one.id, two.id}
    assert book.list().total == 0


def test_purging_takes_the_relations_along(book: Book, memory: Memory) -> None:
    new = book.remember("Deploys are on Tuesday").memory
    book.supersede(memory, new)
    book.purge(new)
    assert book.relations(memory) == ()
    assert book.restore(memory).successor is None


def test_a_successor_that_was_purged_stops_no_chain(book: Book, memory: Memory) -> None:
    new, newer = book.remember("two").memory, book.remember("three").memory
    book.supersede(memory, new)
    book.purge(new)
    book.restore(memory)
    assert book.supersede(newer, memory).status is Status.SUPERSEDED


# -- history ----------------------------------------------------------------------------------


def test_history_and_revisions_tell_the_same_story_in_order(book: Book, clock: ManualClock) -> None:
    memory = book.remember(TEXT).memory
    deeds = [
        lambda: book.update(memory, Changes(text="Deploys are on Tuesday")),
        lambda: book.confirm(memory),
        lambda: book.archive(memory),
        lambda: book.restore(memory),
        lambda: book.invalidate(memory),
        lambda: book.restore(memory),
        lambda: book.forget(memory),
    ]
    states = [memory, *((clock.advance(5), deed())[1] for deed in deeds)]
    revisions = book.revisions(memory)
    assert [each.memory for each in revisions] == states
    assert [each.memory.revision for each in revisions] == list(range(1, len(states) + 1))
    assert [each.recorded_at for each in revisions] == [state.updated_at for state in states]
    history = book.history(memory)
    assert [event.at for event in history] == [state.updated_at for state in states]
    assert [event.sequence for event in history] == sorted(event.sequence for event in history)


@pytest.mark.parametrize("deed", ["update", *PUT_AWAY, "confirm"])
def test_events_carry_no_content(book: Book, deed: str) -> None:
    memory = book.remember("The canary sings", tags=["yellow"]).memory
    if deed == "update":
        book.update(memory, Changes(text="The canary sang"))
    elif deed == "supersede":
        book.supersede(memory, book.remember("Silence").memory, reason="it moved")
    elif deed == "confirm":
        book.confirm(memory)
    else:
        getattr(book, deed)(memory, reason="it moved")
    assert "canary" not in repr(book.history(memory)).lower()


@pytest.mark.parametrize("deed", PUT_AWAY)
def test_an_event_gives_the_reason_until_the_memory_is_purged(book: Book, memory: Memory, deed: str) -> None:
    other = book.remember("Deploys are on Friday").memory
    verb = getattr(book, deed)
    verb(memory, other, reason="it moved") if deed == "supersede" else verb(memory, reason="it moved")
    assert book.history(memory)[-1].payload["reason"] == "it moved"
    book.purge(memory, reason="asked to")
    *before, last = book.history(memory)
    assert [event for event in before if "reason" in event.payload] == []
    assert last.payload["reason"] == "asked to"


# -- foreign and unknown ----------------------------------------------------------------------

VERBS = {
    "get": lambda book, ref: book.get(ref),
    "history": lambda book, ref: book.history(ref),
    "revisions": lambda book, ref: book.revisions(ref),
    "relations": lambda book, ref: book.relations(ref),
    "why": lambda book, ref: book.why("deploys", ref),
    "update": lambda book, ref: book.update(ref, Changes(text="overwritten")),
    "confirm": lambda book, ref: book.confirm(ref),
    "supersede old": lambda book, ref: book.supersede(ref, 1),
    "supersede new": lambda book, ref: book.supersede(1, ref),
    "invalidate": lambda book, ref: book.invalidate(ref),
    "archive": lambda book, ref: book.archive(ref),
    "forget": lambda book, ref: book.forget(ref),
    "forget replaced_by": lambda book, ref: book.forget(1, replaced_by=ref),
    "restore": lambda book, ref: book.restore(ref),
    "purge": lambda book, ref: book.purge(ref),
}


@pytest.mark.parametrize("verb", sorted(VERBS))
@pytest.mark.parametrize("spelling", ["id", "number", "ctx", "bare"])
def test_a_foreign_id_answers_exactly_like_an_unknown_one(open_book: OpenBook, verb: str, spelling: str) -> None:
    """Asked twice: in a book where the id is somebody else's, and in one where it is nobody's."""
    answers = []
    for name in ("foreign.db", "unknown.db"):
        book = open_book(name, principal=Principal(user="ada", teams=()))
        bob = open_book(name, principal=Principal(user="bob", teams=()))
        book.remember("mine, number 1")
        theirs = bob.remember(TEXT, topic="t").memory if name == "foreign.db" else None
        ulid = theirs.id.removeprefix("mem_") if theirs else "01KDVDNA00H98YQT6QR33ZC24E"
        reference = {"id": f"mem_{ulid}", "number": 2, "ctx": f"ctx_{ulid}", "bare": ulid}[spelling]
        try:
            answer: object = VERBS[verb](book, reference)
        except NotFound as error:
            answer = (type(error), str(error).replace(ulid, "ULID"), error.code)
        answers.append(answer)
        if theirs is not None:
            assert bob.get(theirs) == theirs
    assert answers[0] == answers[1]


def test_another_tenants_ids_do_not_exist(open_book: OpenBook) -> None:
    theirs = open_book(principal=Principal(tenant="globex")).remember(TEXT).memory
    ours = open_book(principal=Principal(tenant="acme"))
    for reference in (theirs.id, theirs.number, theirs):
        with pytest.raises(NotFound):
            ours.get(reference)
    assert ours.list().total == 0
    assert ours.history(theirs.id) == ()


def test_the_history_of_a_purged_memory_is_not_for_everybody(open_book: OpenBook) -> None:
    bob = open_book(principal=Principal(user="bob"))
    gone = bob.remember(TEXT).memory
    bob.purge(gone)
    assert open_book(principal=Principal(user="ada")).history(gone.id) == ()
    assert len(bob.history(gone.id)) == 2
