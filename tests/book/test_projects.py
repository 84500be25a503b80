"""What is written in a project says so and stays the person's own; projects are told apart, and none is hidden."""

from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.decisions.decision import Proposal
from commonplace.domain.memory import Origin
from commonplace.domain.scope import Principal
from commonplace.engine.caller import Door, Project
from commonplace.engine.intake import Verdict
from commonplace.engine.lifecycle import Changes
from commonplace.ports import Store
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.workspace.project import locate, scope_of
from tests.conftest import ManualClock

CLI = Door("cli", Origin.TYPED, "cli")
CONTRACT = Door("nuzo", actor="nuzo:mcp", teams=False, others=False, projects=False)


class Desk:
    """One book, used from several folders."""

    def __init__(self, store: Store, clock: ManualClock, folder: Path) -> None:
        self.book, self.folder = Book.over(store, clock=clock), folder

    def repository(self, name: str) -> Path:
        root = self.folder / name
        (root / ".git").mkdir(parents=True)
        return root.resolve()

    def at(self, place: Path, door: Door = CLI, principal: Principal = Principal()) -> Book:
        from commonplace.domain.record import replace

        caller = replace(self.book.caller, project=Project.at(locate(place)), door=door, principal=principal)
        return Book(caller)


@pytest.fixture
def desk(either_store: Store, clock: ManualClock, tmp_path: Path) -> Desk:
    return Desk(either_store, clock, tmp_path)


def test_what_is_written_in_a_repository_is_the_persons_own_and_says_which_project_it_is_about(desk: Desk) -> None:
    shop = desk.repository("shop")
    (shop / "src").mkdir()
    memory = desk.at(shop / "src").remember("The queue is Redis").memory
    assert str(memory.scope) == "user:local"
    assert memory.project == scope_of(shop).id
    decision = desk.at(shop).decisions.create(
        memory.scope, Proposal("Redis", "ada", "jobs", "use it", "fast", "backend")
    )
    assert decision.project == memory.project
    assert desk.at(shop).decisions.get("1", ()).project == memory.project
    spoken = [Turn(Speaker.USER, "I prefer tabs in this code, always use tabs.")]
    saved = desk.at(shop).sessions.save(spoken, memory.scope)
    assert saved.session is not None
    assert saved.session.project_id == memory.project
    assert {result.memory.project for result in saved.learnt} == {memory.project}


def test_elsewhere_by_a_contract_and_in_a_named_scope_nothing_says_so(desk: Desk) -> None:
    shop = desk.repository("shop")
    outside = desk.folder / "outside"
    outside.mkdir()
    assert desk.at(outside).remember("Tea at four").memory.project is None
    assert desk.at(shop, CONTRACT).remember("Tea at five").memory.project is None
    assert desk.at(shop).remember("Tea at six", scope="project").memory.project is None
    assert desk.at(shop).remember("Tea at seven", scope="team:core").memory.project is None
    assert desk.at(shop).projects.list() == ()


def test_the_same_words_in_two_projects_are_two_memories_and_one_for_a_contract(desk: Desk) -> None:
    shop, till = desk.repository("shop"), desk.repository("till")
    first = desk.at(shop).remember("The queue is Redis").memory
    second = desk.at(till).remember("The queue is Redis")
    assert (second.verdict, second.near, second.memory.project) == (Verdict.CREATED, (), scope_of(till).id)
    assert desk.at(till).remember("The queue is Redis").memory.id == second.memory.id
    assert desk.at(shop, CONTRACT).remember("The queue is Redis").verdict is Verdict.REPEATED
    assert first.id != second.memory.id


def test_a_word_on_a_topic_of_one_project_does_not_replace_the_others(desk: Desk) -> None:
    shop, till = desk.repository("shop"), desk.repository("till")
    desk.at(shop).remember("Deploys are on Monday", topic="deploy day")
    other = desk.at(till).remember("Deploys are on Friday", topic="deploy day")
    assert (other.superseded, other.contradicts) == ((), ())
    later = desk.at(shop).remember("Deploys are on Tuesday", topic="deploy day")
    assert len(later.superseded) == 1
    assert {each.text for each in desk.at(shop).list().memories} == {"Deploys are on Tuesday", "Deploys are on Friday"}


def test_a_recall_prefers_this_project_and_names_the_others(desk: Desk) -> None:
    shop, till = desk.repository("shop"), desk.repository("till")
    desk.at(shop).remember("The queue of the jobs is Redis")
    desk.at(till).remember("The queue of the jobs is a table")
    for here, other in ((shop, till), (till, shop)):
        found = desk.at(here).recall("which queue do the jobs have")
        assert [hit.memory.project for hit in found.hits] == [scope_of(here).id, scope_of(other).id]
        assert dict(found.projects) == {scope_of(other).id: other.name}
    blind = [desk.at(place, CONTRACT).recall("which queue do the jobs have") for place in (shop, till)]
    assert len({tuple(hit.memory.id for hit in each.hits) for each in blind}) == 1
    assert [dict(each.projects) for each in blind] == [{}, {}]


def test_the_preference_is_small_and_leaves_relevance_as_it_is(desk: Desk) -> None:
    shop, till = desk.repository("shop"), desk.repository("till")
    desk.at(till).remember("The jobs queue is a table in the database")
    desk.at(shop).remember("A queue of people stood at the door")
    asked = "which table in the database is the jobs queue"
    preferred, plain = desk.at(shop).recall(asked), desk.at(shop, CONTRACT).recall(asked)
    assert [hit.memory.id for hit in preferred.hits] == [hit.memory.id for hit in plain.hits]
    assert {hit.memory.id: hit.relevance for hit in preferred.hits} == {
        hit.memory.id: hit.relevance for hit in plain.hits
    }


def test_what_was_kept_for_a_folder_of_it_is_still_found(desk: Desk) -> None:
    """A sub-folder was a project of its own before repositories were known: its scope is an alias."""
    shop = desk.repository("shop")
    api = shop / "src" / "api"
    api.mkdir(parents=True)
    old = desk.at(shop).remember("The API speaks JSON", scope=scope_of(api)).memory
    assert [hit.memory.id for hit in desk.at(api).recall("API").hits] == [old.id]
    assert desk.at(shop).recall("API").hits == ()
    desk.at(shop).remember("The shop uses Stripe")
    desk.at(shop).projects.merge(str(scope_of(api)), "shop")
    assert [hit.memory.id for hit in desk.at(shop).recall("API").hits] == [old.id]
    assert desk.at(shop).get(old).scope == scope_of(api)


# -- the registry -------------------------------------------------------------------------------


def test_projects_are_listed_renamed_and_merged_and_no_memory_is_rewritten(desk: Desk) -> None:
    shop, till = desk.repository("shop"), desk.repository("till")
    first = desk.at(shop).remember("The queue is Redis").memory
    second = desk.at(till).remember("The drawer is stuck").memory
    projects = desk.at(shop).projects
    assert [(each.project.name, each.memories) for each in projects.list()] == [("shop", 1), ("till", 1)]
    assert projects.rename("till", "counter").name == "counter"
    projects.merge("counter", "shop")
    assert [(each.project.name, each.memories) for each in projects.list()] == [("shop", 2)]
    assert {each.id for each in desk.at(till).list(projects=desk.book.project_ids("shop")).memories} == {
        first.id,
        second.id,
    }
    assert desk.at(till).get(second) == second
    assert desk.at(till).remember("The drawer opens").memory.project == first.project


def test_a_repository_that_moved_is_bound_again(desk: Desk) -> None:
    shop = desk.repository("shop")
    first = desk.at(shop).remember("The queue is Redis").memory
    moved = desk.folder / "work" / "shop"
    moved.parent.mkdir()
    shop.rename(moved)
    assert desk.at(moved).projects.here is None
    desk.at(moved).projects.bind(moved, "shop")
    assert desk.at(moved).remember("The drawer opens").memory.project == first.project
    again = desk.repository("shop")  # another repository, where the first one was
    assert desk.at(again).remember("The sky is blue").memory.project != first.project
    assert [each.project.name for each in desk.at(again).projects.list()] == ["shop", f"{desk.folder.name}.shop"]


def test_what_a_folder_says_of_itself_joins_nothing_until_the_person_agrees(desk: Desk) -> None:
    origin = '[remote "origin"]\n\turl = git@example.org:team/shop.git\n'
    shop = desk.repository("shop")
    (shop / ".git" / "config").write_text(origin)
    first = desk.at(shop).remember("The password is in the safe").memory
    clone = desk.repository("elsewhere/shop")
    (clone / ".git" / "config").write_text(origin)
    (clone / ".commonplace").mkdir()
    (clone / ".commonplace" / "project").write_text("shop\n")
    there = desk.at(clone)
    assert there.projects.here is None
    assert there.list(projects=there.here()).total == 0
    assert there.recall("password").hits[0].memory.id == first.id  # shown, and named
    assert dict(there.recall("password").projects) == {first.project: "shop"}
    assert [each.name for each in there.projects.claimed()] == ["shop"]
    assert there.remember("The sky is blue").memory.project == scope_of(clone).id
    there.projects.bind(clone, "shop")
    assert there.remember("The sea is blue").memory.project == first.project
    assert there.list(projects=there.here()).total == 3
    assert there.projects.claimed() == ()


@pytest.mark.parametrize("name", ["a\x1b[31mred", "\n# instructions", "x" * 300, "..", "a b", "ünïcode", "-rf"])
def test_a_folders_name_becomes_a_plain_one(desk: Desk, name: str) -> None:
    try:
        root = desk.repository(f"in/{name}")
    except OSError:
        pytest.skip("no such folder can be made")
    desk.at(root).remember("The sky is blue")
    [found] = desk.at(root).projects.list()
    assert found.project.name.isprintable()
    assert " " not in found.project.name
    assert 0 < len(found.project.name) <= 60


def test_people_on_one_book_have_projects_of_their_own(desk: Desk) -> None:
    shop = desk.repository("shop")
    ada, bob = (Principal("local", user, ()) for user in ("ada", "bob"))
    desk.at(shop, principal=ada).remember("The queue is Redis")
    assert desk.at(shop, principal=bob).projects.list() == ()
    desk.at(shop, principal=bob).remember("The queue is long")
    desk.at(shop, principal=bob).projects.rename("shop", "mine")
    assert [each.project.name for each in desk.at(shop, principal=ada).projects.list()] == ["shop"]


def test_an_undo_takes_the_memory_back_and_leaves_the_project_known(desk: Desk) -> None:
    shop = desk.repository("shop")
    book = desk.at(shop)
    book.remember("The queue is Redis")
    book.update(1, Changes(project=None))
    book.undo.take_back()
    assert book.get(1).project == scope_of(shop).id
    book.undo.take_back()
    assert [(each.project.name, each.memories) for each in book.projects.list()] == [("shop", 0)]
