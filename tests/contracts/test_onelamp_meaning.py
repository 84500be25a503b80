"""The onelamp contract in sense: digests, hand-overs, one's own beside a team's, and teams for people with a token."""

import json
from pathlib import Path
from typing import Any

import pytest
from bench import contracts

from commonplace.book.book import Book
from commonplace.cli import main
from commonplace.dialects.onelamp import DIALECT
from commonplace.domain.scope import Principal, Right
from tests.contracts.onelamp_calls import ask
from tests.contracts.requirements import requires
from tests.http.conftest import running

DIGESTS = {
    "prose": (
        "The team moved the billing service to PostgreSQL 16. Deploys happen on Mondays and Thursdays. Maya prefers "
        "short pull requests. To restore a backup, stop the worker, run restore.sh and start the worker again. The "
        "staging server is called hermes. The migration of the invoices table is to be finished by Friday."
    ),
    "bullets": (
        "- The billing service runs on PostgreSQL 16\n- Deploys happen on Mondays and Thursdays\n"
        "- Maya prefers short pull requests\n- To restore a backup: stop the worker, run restore.sh, start the worker\n"
        "- The staging server is called hermes\n- Finish the migration of the invoices table by Friday"
    ),
    "headings": (
        "## Decisions made\nWe use PostgreSQL 16 for billing.\n## Feedback given\nMaya prefers short pull requests.\n"
        "## Actions taken\nDeployed version 2.3 to staging on 3 March.\n## Artifacts\nThe restore procedure is in "
        "docs/restore.md.\nThe staging server is called hermes.\n## Next steps\nFinish the migration of the invoices."
    ),
}
TALK = """\
User: we are moving the session store off Redis because of the licence
Assistant: Options are Valkey or KeyDB. Which one?
User: Valkey then
Assistant: I changed infra/cache.tf to Valkey 8.0 and the tests pass.
User: I'll write to support about it on Thursday
Assistant: Good. Whether a replica is needed is still open.
User: ok, thanks, have a great weekend!
"""


def principal(user: str) -> Principal:
    return Principal("local", user, (), frozenset(Right))


@requires("onelamp.session.digest", "onelamp.session.types")
@pytest.mark.parametrize("form", DIGESTS)
def test_six_facts_of_a_digest_are_six_memories(book: Book, form: str) -> None:
    answer = ask(book, "save_session", transcript=DIGESTS[form])
    assert (answer["saved"], answer["total"]) == (6, 6)
    learnt = ask(book, "resume_session", session_id=answer["session_id"])["session"]["learnings"]
    types = {each["text"]: each["memory_type"] for each in learnt}
    assert [type for text, type in types.items() if "invoices" in text] == ["task"]
    assert [type for text, type in types.items() if "stop the worker" in text] in (["instruction"], [])
    assert [type for text, type in types.items() if "Mondays" in text] in (["fact"], [])


@requires("onelamp.resume.brief")
def test_a_session_is_handed_over(book: Book) -> None:
    id = ask(book, "save_session", transcript=TALK)["session_id"]
    summary = ask(book, "resume_session", session_id=id)["session"]["summary"]
    assert len(summary) <= 1_500
    for told in ("Valkey then", "infra/cache.tf", "write to support", "replica"):
        assert told in summary
    for beside in ("weekend", "KeyDB"):
        assert beside not in summary


@requires("onelamp.get.own_place", "onelamp.get.corroborated")
def test_ones_own_keeps_its_place_and_a_reverse_corroborates_nothing(book: Book) -> None:
    ada, bob = (book.seen_by(principal(user), DIALECT.door, None) for user in ("ada", "bob"))
    ada.teams.create("core")
    ada.teams.invite("core", "bob")
    bob.teams.accept("core")
    best = ada.remember("The cache TTL is an hour").memory
    ada.remember("The cache is warmed at night")
    ada.teams.promote(best, "core")
    before = ask(ada, "get_context", query="cache TTL", scope="personal")["packs"]
    found = ask(ada, "get_context", query="cache TTL")["packs"]
    assert found[0] == before[0]
    assert [pack["score"] for pack in found] == sorted((pack["score"] for pack in found), reverse=True)
    ada.teams.promote(ada.remember("We migrated from MySQL to PostgreSQL.").memory, "core")
    reverse = bob.teams.promote(bob.remember("We migrated from PostgreSQL to MySQL.").memory, "core")
    assert reverse.verdict.value == "contested"


@requires("onelamp.team.methods", "onelamp.get.client")
def test_people_with_a_token_promote_accept_and_resolve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with running(store=str(tmp_path / "book.db")) as server:
        tokens = {user: server.token(user) for user in ("ada", "bob", "eve")}

        def method(user: str, name: str, /, **params: Any) -> Any:
            return server.rpc("/teams", name, params, tokens[user]).json

        def saved(user: str, text: str) -> str:
            reply = server.call("/onelamp/mcp", "save_context", {"content": text}, tokens[user]).json
            id: str = reply["result"]["structuredContent"]["id"]
            return id

        def typed(user: str, *words: str) -> tuple[int, str]:
            monkeypatch.setenv("COMMONPLACE_TOKEN", tokens[user])
            code = main(["team", *words, "--server", f"http://127.0.0.1:{server.port}"])
            shown = capsys.readouterr()
            return code, shown.out + shown.err

        assert method("ada", "team.create", team="core")["result"] == {"id": "core", "name": "core"}
        assert "result" in method("ada", "team.invite", team="core", user="bob")
        assert typed("bob", "accept", "core")[0] == 0
        monday, tuesday = saved("ada", "Deploys are on Monday"), saved("bob", "Deploys are on Tuesday")
        assert method("ada", "team.promote", team="core", id=monday)["result"]["promoted"]["verdict"] == "shared"
        code, shown = typed("bob", "promote", tuesday, "core", "--json")
        assert (code, json.loads(shown)["verdict"]) == (0, "contested")
        ((first, second),) = method("bob", "team.review", team="core")["result"]["contests"]
        refused = method("bob", "team.resolve", team="core", keep=[first["id"]], drop=[second["id"]])
        assert refused["error"]["data"]["code"] == "denied"
        assert typed("bob", "resolve", "core", "--keep", first["id"], "--drop", second["id"])[0] == 1
        assert typed("ada", "resolve", "core", "--keep", first["id"], "--drop", second["id"])[0] == 0
        assert method("ada", "team.review", team="core")["result"] == {"contests": []}
        assert "error" in method("eve", "team.show", team="core")
        assert typed("ada", "delete", "core", "--yes")[0] != 0


def scored(name: str) -> list[contracts.Row]:
    return contracts.rows(contracts.CORPORA / f"{name}.jsonl", None)


@requires("onelamp.session.digest")
def test_of_three_dozen_digests_every_line_is_a_memory_and_nothing_else() -> None:
    found = contracts.score_digests(scored("digests"), "none")
    assert len(found) >= 30
    assert sum(len(each.missed) for each in found) <= 1, "a name with letters and digits, in a text that has pins"
    assert [each.beyond for each in found if each.beyond] == []


@requires("onelamp.session.comprehensive")
def test_of_long_talks_most_is_kept_and_little_else() -> None:
    rows = scored("careful")
    for row in rows:
        for each in (*row["keep"], *row["gone"]):
            assert each["quote"] in row["turns"][each["turn"]]["text"]
    found = contracts.score_careful(rows, "none")
    assert sum(len(each.missed) for each in found) <= 0.21 * sum(each.wanted for each in found)
    assert sum(len(each.beyond) for each in found) <= 0.23 * sum(each.learnt for each in found)


@requires("onelamp.session.short")
@pytest.mark.parametrize(
    ("line", "type"),
    [
        ("I prefer tabs over spaces.", "fact"),
        ("Don't ever force-push to main.", "instruction"),
        ("TODO: write the changelog", "task"),
        ("We use pnpm, never npm.", "instruction"),
        ("Fix the failing test in foo.py", None),
        ("run the tests again", None),
    ],
)
def test_one_line_is_saved_if_it_lasts(book: Book, line: str, type: str | None) -> None:
    for spoken in (line, f"User: {line}"):
        ask(book, "save_session", transcript=spoken)
    assert [memory.memory_type.value for memory in book.each()] == ([type] if type else [])


@requires("onelamp.session.last_word", "onelamp.resume.brief")
def test_the_last_value_is_saved_and_handed_over(book: Book) -> None:
    talk = (
        "User: The debounce for the filter should be 150ms.\nAssistant: OK, done.\nUser: Hm, feels slow. Make it 80.\n"
        "Assistant: Set to 80ms.\nUser: Access tokens live 60 minutes.\nAssistant: Fine.\n"
        "User: Then 15 minutes, not 60.\nAssistant: Changed to 15 minutes."
    )
    id = ask(book, "save_session", transcript=talk)["session_id"]
    session = ask(book, "resume_session", session_id=id)["session"]
    kept = {each["text"] for each in session["learnings"]}
    assert kept == {"The debounce for the filter should be 80ms.", "Access tokens live 15 minutes."}
    assert "150" not in session["summary"]
    assert "60" not in session["summary"]


@requires("onelamp.session.speakers")
def test_a_fence_on_the_speakers_line_takes_no_name_along(book: Book) -> None:
    talk = (
        "Human: ```svelte\n{#each items as item}\n{/each}\n```\nthe list flickers. I always prefer composition.\n"
        "Assistant: There is no key in the each block; add (item.id).\n"
        "Human: We always key each blocks from now on.\nAssistant: Good."
    )
    ask(book, "save_session", transcript=talk)
    saved = [memory.text for memory in book.each()]
    assert "We always key each blocks from now on." in saved
    assert not any(name in text for text in saved for name in ("Human:", "Assistant:", "There is no key"))


@requires("onelamp.session.procedure")
def test_a_runbook_of_steps_is_found_as_an_instruction(book: Book) -> None:
    talk = (
        "User: here's the runbook for restoring a backup:\n1. stop the worker\n2. run restore.sh\n"
        "3. start the worker\nAssistant: Thanks, I'll keep that."
    )
    assert ask(book, "save_session", transcript=talk)["saved"] == 1
    (pack,) = ask(book, "get_context", query="how do I restore a backup", memory_types=["instruction"])["packs"]
    assert pack["text"] == "runbook for restoring a backup: 1. stop the worker 2. run restore.sh 3. start the worker"


@requires("onelamp.session.more")
def test_what_says_more_than_what_is_known_is_new(book: Book) -> None:
    for text in ("I prefer tabs over spaces.", "I prefer tabs over spaces in Go."):
        assert ask(book, "save_session", transcript=text)["saved"] == 1
    again = ask(book, "save_session", transcript="I prefer tabs over spaces in Go.")
    assert (again["saved"], again["deduped"]) == (0, 1)


@requires("onelamp.surface.export")
def test_what_was_saved_here_is_exported_elsewhere_with_the_same_token(tmp_path: Path) -> None:
    with running(store=str(tmp_path / "book.db")) as server:
        token = server.token("ada")
        server.call("/onelamp/mcp", "save_context", {"content": "Deploys are on Monday"}, token)
        reply = server.call("/ownsona/mcp", "export_memories", {}, token).json
        assert "Deploys are on Monday" in reply["result"]["content"][0]["text"]


@requires("onelamp.session.types")
def test_a_runbook_on_one_line_is_one_instruction(book: Book) -> None:
    text = "Runbook for failover: 1. stop writes 2. promote the replica 3. point DNS 4. start writes"
    assert ask(book, "save_session", transcript=text)["saved"] == 1
    (memory,) = book.each()
    assert (memory.text, memory.memory_type.value) == (text, "instruction")
