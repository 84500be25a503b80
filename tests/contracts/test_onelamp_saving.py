"""The onelamp contract: saving, topics, and tasks that expire."""

import threading
from pathlib import Path

import pytest

from commonplace.domain.memory import Status
from commonplace.domain.scope import Principal, Right, Scope
from tests.contracts.client import Client
from tests.contracts.conftest import Serve
from tests.contracts.onelamp_calls import DAY, TRANSCRIPT, ask, code, items, library, packs, present, save, texts
from tests.contracts.requirements import requires

SECRET = "AKIAIOSFODNN7EXAMPLQ"


@pytest.fixture
def lamp(serve: Serve) -> Client:
    return serve("onelamp")


# -- save -------------------------------------------------------------------------------------


@requires("onelamp.save.returns", "onelamp.save.idempotent", "onelamp.save.no_reuse", "onelamp.surface.ids")
def test_the_same_content_twice_is_one_entry(lamp: Client) -> None:
    first = lamp.call("save_context", content="Use pnpm, never npm", kind="preference", source_surface="claude-code")
    assert set(first) == {"id", "deduped"}
    assert first["deduped"] is False
    assert first["id"].startswith("ctx_")
    assert lamp.call("save_context", content="Use pnpm, never npm") == {"id": first["id"], "deduped": True}
    (item,) = items(lamp)
    assert (item["id"], item["reuse_count"], item["kind"]) == (first["id"], 0, "preference")


@requires("onelamp.save.same", "onelamp.save.similar")
def test_blanks_and_unicode_forms_make_no_difference_but_case_and_wording_do(lamp: Client) -> None:
    id = save(lamp, "The café opens\tat  six")
    same = lamp.call("save_context", content="  The cafe\u0301 opens at six\n")
    assert same == {"id": id, "deduped": True}
    for other in ("The Café opens at six", "The café opens at seven", "At six the café opens"):
        assert lamp.call("save_context", content=other)["deduped"] is False
    assert len(items(lamp)) == 4


@requires("onelamp.save.at_once")
def test_many_saves_of_one_content_at_once_give_one_id(serve: Serve) -> None:
    clients = [serve("onelamp"), serve("onelamp")]
    answers: list[dict[str, object]] = []

    def work(client: Client) -> None:
        answers.extend(client.call("save_context", content=f"Berth {number} is free") for number in range(20))

    threads = [threading.Thread(target=work, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 40
    assert len({answer["id"] for answer in answers}) == 20
    assert sum(answer["deduped"] is True for answer in answers) == 20


@requires("onelamp.save.type_default", "onelamp.save.type_explicit", "onelamp.save.kind_default")
@pytest.mark.parametrize(
    ("given", "kind", "memory_type"),
    [
        ({}, "note", "fact"),
        ({"kind": "decision"}, "decision", "event"),
        ({"kind": "preference"}, "preference", "fact"),
        ({"kind": "fact"}, "fact", "fact"),
        ({"kind": "decision", "memory_type": "fact"}, "decision", "fact"),
        ({"kind": "decision", "memory_type": "instruction"}, "decision", "instruction"),
        ({"memory_type": "event"}, "note", "event"),
        ({"kind": "preference", "memory_type": "task"}, "preference", "task"),
    ],
)
def test_types_and_kinds_have_their_defaults_and_what_is_said_wins(
    lamp: Client, given: dict[str, str], kind: str, memory_type: str
) -> None:
    save(lamp, "Deploys are on Monday", **given)
    (pack,) = packs(lamp, "deploys")
    assert (pack["kind"], pack["memory_type"]) == (kind, memory_type)
    (item,) = items(lamp)
    assert (item["kind"], item["memory_type"]) == (kind, memory_type)


@requires("onelamp.save.surface", "onelamp.surface.unknown_arguments")
def test_the_surface_is_kept_and_unknown_arguments_are_let_be(lamp: Client) -> None:
    save(lamp, "Lunch is at noon", source_surface="cursor", topic=None, mood="good", scope="team:harbour")
    (pack,) = packs(lamp, "lunch", colour="blue", max_results=None)
    assert pack["source_surface"] == "cursor"
    save(lamp, "Tea is at five")
    assert packs(lamp, "tea")[0]["source_surface"] is None


@requires("onelamp.save.personal", "onelamp.surface.shared")
def test_all_doors_share_one_book_and_saves_go_to_the_callers_own_store(serve: Serve, lamp: Client) -> None:
    native = serve("native")
    id = save(lamp, "The harbour opens at dawn")
    (memory,) = native.call("memory_recall", query="harbour")["memories"]
    assert (memory["scope"], memory["id"]) == ("user:default", id.replace("ctx_", "mem_"))
    native.call("memory_remember", text="The ferry leaves at nine", scope="project")
    native.call("memory_remember", text="The ferry is blue", scope="agent:painter")
    assert texts(lamp, "ferry") == ["The ferry leaves at nine"]


@requires("onelamp.save.invalid", "onelamp.surface.errors")
@pytest.mark.parametrize(
    ("given", "argument"),
    [
        ({"content": "  \n"}, "content"),
        ({}, "content"),
        ({"content": 5}, "content"),
        ({"content": "x", "memory_type": "memo"}, "memory_type"),
        ({"content": "x", "kind": "learning"}, "kind"),
        ({"content": "x", "tags": "a"}, "tags"),
        ({"content": "x", "tags": [5]}, "tags"),
        ({"content": "x", "topic": "?!"}, "topic"),
        ({"content": "x", "source_surface": "s" * 500}, "source_surface"),
    ],
)
def test_what_cannot_be_saved_is_an_error_that_names_the_argument(
    lamp: Client, given: dict[str, object], argument: str
) -> None:
    error = lamp.refusal("save_context", **given)["error"]
    assert set(error) == {"code", "message"}
    assert error["code"] == "invalid_params"
    assert argument in error["message"]
    assert items(lamp) == []


@requires("onelamp.save.secrets")
def test_a_secret_is_refused_by_its_kind_and_never_repeated(lamp: Client) -> None:
    for given in (
        {"content": f"The key is {SECRET}"},
        {"content": "x", "tags": [SECRET]},
        {"content": "x", "topic": SECRET},
        {"content": "x", "source_surface": SECRET},
    ):
        error = lamp.refusal("save_context", **given)["error"]
        assert error["code"] == "secret_refused"
        assert "aws access key" in error["message"]
        assert SECRET not in error["message"]
    assert code(lamp, "get_context", query="x", source_surface=SECRET) == "secret_refused"
    assert items(lamp) == []


# -- topics -----------------------------------------------------------------------------------


@requires("onelamp.save.topic", "onelamp.save.topic_form", "onelamp.save.topic_history", "onelamp.list.present")
def test_the_latest_on_a_topic_wins_and_history_is_kept(lamp: Client, tmp_path: Path) -> None:
    old = save(lamp, "Deploys are on Monday", topic="deploy-schedule")
    answer = lamp.call("save_context", content="Deploys are on Friday", topic="  Deploy-Schedule ")
    assert answer["deduped"] is False
    assert answer["id"] != old
    assert texts(lamp, "deploys") == ["Deploys are on Friday"]
    assert [item["text"] for item in items(lamp)] == ["Deploys are on Friday"]
    assert lamp.call("forget_context", id=old, confirm=False)["preview"]["text"] == "Deploys are on Monday"
    with library(tmp_path) as (book, _):
        memory = book.get(old)
        assert memory.status is Status.SUPERSEDED
        assert memory.successor == answer["id"].replace("ctx_", "mem_")
    assert save(lamp, "Deploys are on Friday", topic="deploy-schedule") == answer["id"], "still idempotent"


@requires("onelamp.save.topic_back")
def test_what_was_superseded_can_become_current_again(lamp: Client) -> None:
    save(lamp, "Use npm", topic="package-manager")
    save(lamp, "Use pnpm", topic="package-manager")
    again = lamp.call("save_context", content="Use npm", topic="package-manager")
    assert again["deduped"] is False
    assert texts(lamp, "package-manager") == ["Use npm"]
    assert [item["id"] for item in items(lamp)] == [again["id"]]


@requires("onelamp.save.other_topic", "onelamp.save.tags_merge")
def test_the_same_content_under_another_topic_keeps_its_id(lamp: Client, tmp_path: Path) -> None:
    id = save(lamp, "Use pnpm", topic="package-manager", tags=["node"])
    other = save(lamp, "Use yarn", topic="tooling")
    assert lamp.call("save_context", content="Use pnpm", topic="tooling", tags=["js"]) == {"id": id, "deduped": True}
    (item,) = items(lamp)
    assert (item["id"], item["topic"]) == (id, "tooling")
    assert texts(lamp, "tooling") == ["Use pnpm"]
    with library(tmp_path) as (book, _):
        assert book.get(id).tags == ("node", "js")
        assert book.get(other).status is Status.SUPERSEDED


# -- tasks ------------------------------------------------------------------------------------


@requires("onelamp.task.live", "onelamp.task.hidden", "onelamp.task.not_by_read")
def test_a_task_is_found_for_seven_days_and_hidden_afterwards(lamp: Client, tmp_path: Path) -> None:
    with library(tmp_path) as (book, clock):
        clock.now = present() - 7 * DAY + 60_000
        ask(book, "save_context", content="Migrate the invoices", memory_type="task")
        clock.now = present() - 7 * DAY
        id = ask(book, "save_context", content="Migrate the receipts", memory_type="task")["id"]
    assert texts(lamp, "migrate") == ["Migrate the invoices"]
    assert texts(lamp, "migrate", memory_types=["task"], recency=True) == ["Migrate the invoices"]
    assert [item["text"] for item in items(lamp)] == ["Migrate the invoices"]
    code(lamp, "save_context", content=f"key {SECRET}")
    with library(tmp_path) as (book, _):
        assert book.get(id).status is Status.ACTIVE, "hidden, and not swept by a read or a refused write"


@requires("onelamp.task.swept")
@pytest.mark.parametrize("write", ["save_context", "save_session", "forget_context"])
def test_the_next_write_sweeps_what_has_expired(lamp: Client, tmp_path: Path, write: str) -> None:
    other = save(lamp, "Lunch is at noon")
    with library(tmp_path) as (book, clock):
        clock.now = present() - 8 * DAY
        id = ask(book, "save_context", content="Migrate the receipts", memory_type="task")["id"]
    written = {
        "save_context": {"content": "Tea is at five"},
        "save_session": {"transcript": TRANSCRIPT},
        "forget_context": {"id": other},
    }
    lamp.call(write, **written[write])
    assert lamp.call("forget_context", id=id, confirm=False) == {"forgotten": False}
    assert id not in [item["id"] for item in items(lamp)]
    with library(tmp_path) as (book, _):
        assert book.get(id).status is Status.ARCHIVED


@requires("onelamp.task.swept")
def test_the_sweep_is_part_of_the_write(tmp_path: Path) -> None:
    with library(tmp_path) as (book, clock):
        ids = [ask(book, "save_context", content=f"Task {n}", memory_type="task")["id"] for n in range(3)]
        clock.advance(days=7)
        saved = ask(book, "save_context", content="Tea is at five")["id"]
        changed = {book.get(change.id).id for change in book.undo.list(1)[0].memories}
        assert changed == {book.get(id).id for id in (*ids, saved)}
        assert {book.get(id).status for id in ids} == {Status.ARCHIVED}


@requires("onelamp.task.hidden", "onelamp.task.erased")
def test_what_is_over_is_previewed_by_nobody_and_still_erased_on_demand(tmp_path: Path) -> None:
    with library(tmp_path) as (book, clock):
        swept, unswept = (
            ask(book, "save_context", content=f"Migrate {what}", memory_type="task")["id"] for what in ("a", "b")
        )
        clock.advance(days=7)
        for id in (swept, unswept):
            assert ask(book, "forget_context", id=id, confirm=False) == {"forgotten": False}
        assert book.get(unswept).status is Status.ACTIVE, "a preview sweeps nothing"
        assert ask(book, "forget_context", id=swept) == {"forgotten": True}
        assert book.get_many([swept, unswept])[0] is None
        assert ask(book, "forget_context", id=swept) == {"forgotten": False}


@requires("onelamp.task.own")
def test_a_sweep_touches_nobody_elses_tasks(tmp_path: Path) -> None:
    """Neither another person's, nor those of others in a project that a token is bound to, nor a team's."""
    harbour = Scope.parse("project:harbour")
    rights = frozenset({Right.READ, Right.WRITE})
    with library(tmp_path) as (book, clock):
        seen = {
            name: book.seen_by(Principal("local", name, ("core",), rights, bound), book.door, harbour)
            for name, bound in (("ada", None), ("bob", None), ("carl", harbour), ("dora", harbour))
        }
        ids = {
            name: ask(each, "save_context", content=f"Migrate what {name} has", memory_type="task")["id"]
            for name, each in seen.items()
        }
        clock.advance(days=7)
        for name in ("ada", "carl"):
            ask(seen[name], "save_context", content=f"Tea is at five, says {name}")
        gone = {name for name, each in seen.items() if each.get(ids[name]).status is Status.ARCHIVED}
        assert gone == {"ada", "carl"}


@requires("onelamp.task.exactly")
def test_after_exactly_seven_days_a_task_has_expired(tmp_path: Path) -> None:
    with library(tmp_path) as (book, clock):
        ask(book, "save_context", content="Migrate the receipts", memory_type="task")
        saved = clock.now
        clock.now = saved + 604_800_000 - 1
        assert len(ask(book, "get_context", query="receipts")["packs"]) == 1
        clock.now = saved + 604_800_000
        assert ask(book, "get_context", query="receipts") == {"packs": []}
        assert ask(book, "list_context") == {"items": []}


@requires("onelamp.task.refreshed", "onelamp.task.anew")
def test_a_live_task_saved_again_lives_on_and_an_expired_one_is_a_new_one(tmp_path: Path) -> None:
    with library(tmp_path) as (book, clock):
        task = {"content": "Migrate the receipts", "memory_type": "task"}
        first = ask(book, "save_context", **task)
        clock.advance(days=6)
        assert ask(book, "save_context", **task) == {"id": first["id"], "deduped": True}
        clock.advance(days=6)
        assert len(ask(book, "get_context", query="receipts")["packs"]) == 1
        assert ask(book, "save_context", content=task["content"])["deduped"] is True
        clock.advance(days=7)
        again = ask(book, "save_context", **task)
        assert again["deduped"] is False
        assert again["id"] != first["id"]


@requires("onelamp.task.kept")
def test_a_repeat_never_shortens_a_life(tmp_path: Path) -> None:
    with library(tmp_path) as (book, clock):
        for first, second in (("fact", "task"), ("task", "fact")):
            content = f"The {first} became a {second}"
            id = ask(book, "save_context", content=content, memory_type=first)["id"]
            assert ask(book, "save_context", content=content, memory_type=second) == {"id": id, "deduped": True}
        clock.advance(days=8)
        found = ask(book, "get_context", query="became")["packs"]
        assert [pack["memory_type"] for pack in found] == ["fact", "fact"]
