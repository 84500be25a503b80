"""What a dream would do, stage by stage; a plan itself changes nothing."""

import pytest

from commonplace.book.book import Book
from commonplace.domain.corrections import Severity
from commonplace.domain.memory import Kind, Origin, RelationKind
from commonplace.domain.scope import Scope
from commonplace.dream import Limits, Plan
from commonplace.dream.edits import (
    AddInsight,
    AddMemory,
    AddRelation,
    Archive,
    MarkDistilled,
    Supersede,
    describe,
    edit_json,
    edit_of,
    text_bytes,
)
from commonplace.engine.caller import Door
from tests.conftest import ManualClock, OpenBook
from tests.dream.making import everything, exported, keep


def of_kind(plan: Plan, kind: type) -> list:
    return [edit for edit in plan.edits if isinstance(edit, kind)]


# -- duplicates -------------------------------------------------------------------------------


def test_a_plan_changes_nothing(book: Book) -> None:
    for text in ("The user prefers dark mode", "User prefers dark mode."):
        keep(book, text)
    book.corrections.log("No, light mode")
    before, pending = exported(book), book.corrections.list()
    assert book.dreams.plan().edits
    assert (exported(book), book.corrections.list()) == (before, pending)
    assert book.dreams.list_runs() == ()
    assert book.dreams.list_insights() == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The user prefers dark mode", "user prefers  DARK mode."),
        ("Deploys are on Monday", "Deploys are on Monday"),
        ("部署は月曜日です", "部署は月曜日です"),
    ],
)
def test_what_was_said_again_gives_way_to_the_newest(book: Book, first: str, second: str) -> None:
    old, new = keep(book, first), keep(book, second)
    [edit] = of_kind(book.dreams.plan(), Supersede)
    assert (edit.id, edit.successor) == (old.id, new.id)
    assert new.id in edit.reason


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Deploys are on Monday", "Deploys are on Tuesday"),
        ("Alice reports to Bob", "Bob reports to Alice"),
        ("We migrated from MySQL to Postgres", "We migrated to MySQL from Postgres"),
        ("The offset is -5 degrees", "The offset is 5 degrees"),
        ("The limit is < 5", "The limit is > 5"),
        ("Deploys are on Monday", "Deploys are on Monday?"),
        ("We deploy on Monday", "We deployed on Monday"),
        ("If the build fails, page Ada", "The build fails, page Ada"),
        ("She writes C", "She writes C#"),
        ("The budget is $50", "The budget is 50%"),
        ("We do not ship on Friday, we ship on Monday", "We ship on Friday, we do not ship on Monday"),
    ],
)
def test_what_differs_in_substance_never_gives_way(book: Book, first: str, second: str) -> None:
    keep(book, first)
    keep(book, second)
    assert of_kind(book.dreams.plan(), Supersede) == []


@pytest.mark.parametrize(
    "labels",
    [
        {"tags": ("ops",)},
        {"category": "billing"},
        {"topic": "deploy day"},
        {"kind": "decision"},
        {"valid_from": 1_000},
        {"session": "ses_1"},
        {"scope": "project:atlas"},
    ],
)
def test_a_repeat_with_labels_of_its_own_stays(book: Book, labels: dict[str, object]) -> None:
    keep(book, "Deploys are on Monday", **labels)
    keep(book, "Deploys are on Monday")
    assert of_kind(book.dreams.plan(), Supersede) == []


def test_a_lasting_memory_does_not_give_way_to_one_that_expires(book: Book) -> None:
    keep(book, "Deploys are on Monday")
    keep(book, "Deploys are on Monday", expires_at="30d")
    assert of_kind(book.dreams.plan(), Supersede) == []


def test_the_best_is_kept_whatever_its_age(open_book: OpenBook, clock: ManualClock) -> None:
    typed = keep(open_book(door=Door(origin=Origin.TYPED)), "Deploys are on Monday")
    clock.advance(1)
    agent = keep(open_book(), "Deploys are on Monday")
    clock.advance(1)
    inferred = keep(open_book(door=Door(origin=Origin.INFERRED)), "Deploys are on Monday")
    found = of_kind(open_book().dreams.plan(), Supersede)
    assert {(edit.id, edit.successor) for edit in found} == {(agent.id, typed.id), (inferred.id, typed.id)}


def test_what_a_person_typed_confirmed_or_pinned_never_gives_way(open_book: OpenBook, clock: ManualClock) -> None:
    person, agent = open_book(door=Door(origin=Origin.TYPED)), open_book(door=Door(origin=Origin.INFERRED))
    immune = {
        keep(person, "Tea at four").id,
        keep(person, "Tea at four").id,
        keep(agent, "Tea at four", pinned=True).id,
    }
    confirmed = keep(agent, "Tea at four")
    person.confirm(confirmed)
    clock.advance(days=900)
    plan = agent.dreams.plan()
    assert [edit for edit in plan.edits if isinstance(edit, Supersede | Archive)] == []
    assert immune | {confirmed.id} == set(everything(agent))


# -- corrections ------------------------------------------------------------------------------


def test_a_correction_becomes_a_rule_in_its_own_words(book: Book) -> None:
    wrong = keep(book, "Deploys are on Tuesday")
    logged = book.corrections.log("No, deploys are on Monday", memories=[wrong]).correction
    plan = book.dreams.plan()
    [rule] = of_kind(plan, AddMemory)
    assert (rule.text, rule.kind, rule.scope) == (logged.content, Kind.LEARNING, logged.scope)
    derived = [edge for edge in of_kind(plan, AddRelation) if edge.kind is RelationKind.DERIVED_FROM]
    assert [(edge.source, edge.target) for edge in derived] == [(rule.id, wrong.id)]
    assert of_kind(plan, MarkDistilled) == [MarkDistilled(logged.id, (rule.id,))]
    assert of_kind(plan, Supersede) == [], "whether the rule takes its place is for a person to say"
    assert "correction" in [note.kind for note in of_kind(plan, AddInsight) if wrong.id in note.sources]


def test_a_suggested_rule_is_an_instruction_and_the_gravest_come_first(book: Book) -> None:
    book.corrections.log("a small thing", severity=Severity.LOW)
    book.corrections.log("You pushed to main", severity=Severity.CRITICAL, suggested_rule="Never push to main")
    first, second = of_kind(book.dreams.plan(), AddMemory)
    assert (first.text, first.kind) == ("Never push to main", Kind.INSTRUCTION)
    assert (second.text, second.kind) == ("a small thing", Kind.LEARNING)
    assert first.importance > second.importance


def test_a_rule_the_book_knows_is_not_written_twice(book: Book) -> None:
    known = keep(book, "never push to main")
    one = book.corrections.log("You did it again", suggested_rule="Never push to main").correction
    two = book.corrections.log("And again", suggested_rule="A new rule").correction
    three = book.corrections.log("And again!", suggested_rule="A new rule").correction
    plan = book.dreams.plan()
    [rule] = of_kind(plan, AddMemory)
    marks = {mark.correction: mark.results for mark in of_kind(plan, MarkDistilled)}
    assert marks == {one.id: (known.id,), two.id: (rule.id,), three.id: (rule.id,)}


def test_what_was_forgotten_since_does_not_come_back_as_a_rule(book: Book, clock: ManualClock) -> None:
    book.corrections.log("Deploys are on Monday")
    clock.advance(1)
    book.forget(keep(book, "Deploys are on Monday"))
    plan = book.dreams.plan()
    assert of_kind(plan, AddMemory) == []
    assert "forgotten" in plan.notes[0]


# -- contradictions, links, what is stale -------------------------------------------------------


def test_contradictions_are_pointed_out_and_not_resolved(book: Book, clock: ManualClock) -> None:
    old = keep(book, "Deploys are on Monday")
    clock.advance(1)
    new = keep(book, "Deploys are on Tuesday")
    plan = book.dreams.plan()
    [edge] = [each for each in of_kind(plan, AddRelation) if each.kind is RelationKind.CONFLICTS_WITH]
    assert (edge.source, edge.target) == (new.id, old.id)
    assert [each for each in plan.edits if isinstance(each, Supersede | Archive)] == []
    book.dreams.run()
    again = book.dreams.plan()
    assert [each for each in of_kind(again, AddRelation) if each.kind is RelationKind.CONFLICTS_WITH] == []


def test_two_present_words_on_one_topic_are_pointed_out(open_book: OpenBook, clock: ManualClock) -> None:
    person, page = open_book(door=Door(origin=Origin.TYPED)), open_book(door=Door(origin=Origin.TOOL))
    first = keep(person, "We ship every Monday at nine", topic="release")
    clock.advance(1)
    second = keep(page, "Releases happen never", topic="release")
    edges = of_kind(person.dreams.plan(), AddRelation)
    assert {(edge.source, edge.target, edge.kind) for edge in edges} == {
        (second.id, first.id, RelationKind.CONFLICTS_WITH)
    }


def test_what_held_at_different_times_and_what_is_a_list_are_no_contradictions(book: Book) -> None:
    keep(book, "Deploys are on Monday", valid_to=1_000)
    keep(book, "Deploys are on Tuesday", valid_from=1_000)
    for number in range(5):
        keep(book, f"Ticket {number} is closed now")
    assert of_kind(book.dreams.plan(), AddRelation) == []


def test_near_memories_are_related_and_both_stay(book: Book) -> None:
    text = "the staging database lives on the second host of the Berlin rack and is backed up every night"
    first = keep(book, text.capitalize())
    second = keep(book, f"Remember that {text}")
    plan = book.dreams.plan()
    assert [(edge.source, edge.target, edge.kind) for edge in of_kind(plan, AddRelation)] == [
        (second.id, first.id, RelationKind.RELATED_TO)
    ]
    assert of_kind(plan, Supersede) == []


def test_a_topic_that_a_memory_speaks_of_is_suggested(book: Book) -> None:
    owner = keep(book, "Mondays", topic="deploy day")
    other = keep(book, "Before the deploy day somebody tests")
    [note] = [each for each in of_kind(book.dreams.plan(), AddInsight) if each.kind == "topic"]
    assert note.sources == (other.id, owner.id)


def test_what_nobody_used_for_long_is_archived(book: Book, clock: ManualClock) -> None:
    faded, used = keep(book, "cheese"), keep(book, "bread is in the cupboard")
    important = keep(book, "wine", importance=0.9)
    explicit = keep(book, "beer", capture_mode="explicit")
    clock.advance(days=179)
    assert of_kind(book.dreams.plan(), Archive) == []
    book.recall("bread cupboard")
    clock.advance(days=1)
    assert [edit.id for edit in of_kind(book.dreams.plan(), Archive)] == [faded.id]
    clock.advance(days=200)
    assert {edit.id for edit in of_kind(book.dreams.plan(), Archive)} == {faded.id, used.id}
    assert {important.id, explicit.id} <= set(everything(book))


def test_what_expired_long_ago_is_archived(book: Book, clock: ManualClock) -> None:
    gone = keep(book, "The demo is on Thursday", expires_at="3d")
    clock.advance(days=32)
    assert of_kind(book.dreams.plan(), Archive) == []
    clock.advance(days=1)
    [edit] = of_kind(book.dreams.plan(), Archive)
    assert (edit.id, edit.reason) == (gone.id, "expired 30 days ago")


def test_an_old_memory_that_was_imported_yesterday_is_young(open_book: OpenBook, clock: ManualClock) -> None:
    source = open_book("old.db")
    keep(source, "cheese")
    lines = list(source.transfer.export())
    clock.advance(days=700)
    book = open_book("new.db")
    book.transfer.import_(lines)
    clock.advance(days=6)
    assert of_kind(book.dreams.plan(), Archive) == []
    clock.advance(days=2)
    assert len(of_kind(book.dreams.plan(), Archive)) == 1


# -- the day, the budget, the diff --------------------------------------------------------------


def test_a_day_is_summed_up_in_quotations_once_a_scope(book: Book, clock: ManualClock) -> None:
    clock.advance(seconds=12 * 3_600)
    kept = keep(book, "Ada joined the team. She likes tea.", importance=0.9)
    other = keep(book, "The atlas ships in May", scope="project:atlas")
    first = book.dreams.run()
    days = book.dreams.list_insights(kinds=["daily"])
    assert {(each.scope, each.date, each.text) for each in days} == {
        (kept.scope, "2026-01-01", "Ada joined the team."),
        (other.scope, "2026-01-01", "The atlas ships in May."),
    }
    clock.advance(seconds=3_600)
    keep(book, "Lunch was late")
    second = book.dreams.run()
    again = book.dreams.list_insights(kinds=["daily"])
    assert len(again) == 2, "a second dream of the same day replaces the first one's"
    assert {each.run for each in again} == {second.id}
    assert first.id != second.id


def test_a_day_tells_of_corrections_conflicts_decisions_and_tasks_first(book: Book, clock: ManualClock) -> None:
    clock.advance(seconds=12 * 3_600)
    plants = "heather clover lavender thyme sage mint borage dill fennel chives yarrow mallow"
    for plant in f"{plants} sorrel tansy comfrey betony rue lovage hyssop arnica".split():
        keep(book, f"{plant.title()} blooms", importance=0.9)
    keep(book, "Rotate the certificate before June", kind="task")
    keep(book, "Decision: we keep the monolith", kind="decision")
    keep(book, "We chose NATS over Kafka. Nobody wants ZooKeeper.", kind="decision")
    older, newer = keep(book, "The API listens on port 5432"), keep(book, "The API listens on port 6432")
    wrong = keep(book, "The canteen opens at eight in the evening")
    book.corrections.log("The canteen opens at noon", memories=[wrong])
    book.dreams.run()
    [day] = book.dreams.list_insights(kinds=["daily"])
    said = [sentence.text for sentence in day.sentences]
    assert said[0] == "Corrected: The canteen opens at noon."
    assert "'The API listens on port 6432' may contradict" in said[1]
    assert set(day.sentences[1].sources) == {older.id, newer.id}
    assert said[2:5] == [
        "Decision: we keep the monolith.",
        "Decided: We chose NATS over Kafka.",
        "To do: Rotate the certificate before June.",
    ]
    assert said[-1] == "5 more memories are of that day."
    assert "mem_" not in day.text
    [corrected] = book.dreams.list_insights(kinds=["correction"])
    assert "'The canteen opens at eight in the evening' was corrected: 'The canteen opens at noon'." in corrected.text
    assert "mem_" not in corrected.text


def test_a_scope_with_corrections_only_has_a_day_too(book: Book, clock: ManualClock) -> None:
    clock.advance(seconds=12 * 3_600)
    book.corrections.log("Deploys are never on Friday")
    [note] = of_kind(book.dreams.plan(), AddInsight)
    assert [sentence.text for sentence in note.sentences] == ["Corrected: Deploys are never on Friday."]


def test_a_dream_at_night_is_about_the_day_before(book: Book, clock: ManualClock) -> None:
    clock.advance(seconds=20 * 3_600)
    keep(book, "Ada joined the team")
    clock.advance(seconds=7 * 3_600)
    [note] = of_kind(book.dreams.plan(), AddInsight)
    assert note.date == "2026-01-01"


def test_a_plan_stays_within_its_budget_and_says_what_waits(book: Book) -> None:
    for number in range(30):
        for _ in range(2):
            keep(book, f"{'fact about bees ' * 3}{number}")
    for number in range(3):
        book.corrections.log(f"correction {number}")
    plan = book.dreams.plan(Limits(edits=10))
    assert len(plan.edits) <= 10
    assert plan.waiting > 0
    assert len(of_kind(plan, AddMemory)) == len(of_kind(plan, MarkDistilled)) == 3, "rules go first, and whole"
    tight = book.dreams.plan(Limits(text_bytes=40))
    assert sum(text_bytes(edit) for edit in tight.edits) <= 40
    assert book.dreams.plan(Limits(edits=0)).edits == ()


def test_the_diff_can_be_read_and_kept(book: Book, clock: ManualClock) -> None:
    keep(book, "cheese")
    clock.advance(days=300)
    wrong = keep(book, "Deploys are on Monday")
    keep(book, "Deploys are on Tuesday")
    for _ in range(2):
        keep(book, "Tea at four")
    book.corrections.log("No, deploys are on Friday", memories=[wrong])
    plan = book.dreams.plan()
    assert {type(edit) for edit in plan.edits} == {
        Supersede,
        Archive,
        AddMemory,
        AddRelation,
        AddInsight,
        MarkDistilled,
    }
    for edit in plan.edits:
        assert edit_of(edit_json(edit)) == edit
        assert "\n" not in describe(edit)
    rules = [edit_json(edit, texts=False) for edit in plan.edits if isinstance(edit, AddMemory | AddInsight)]
    assert not any("Friday" in str(rule) or "Deploys" in str(rule) for rule in rules)


def test_one_persons_dream_leaves_other_peoples_memories_alone(open_book: OpenBook) -> None:
    from commonplace.domain.scope import Principal

    ada, bob = (open_book(principal=Principal(user=name, teams=())) for name in ("ada", "bob"))
    for _ in range(2):
        keep(ada, "Tea at four")
    bob.dreams.run()
    assert bob.dreams.list_insights() == ()
    assert len([m for m in everything(ada).values() if m.status.value == "active"]) == 2
    assert keep(ada, "x").scope == Scope.parse("user:ada")
