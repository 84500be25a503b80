"""The onelamp contract in sense: digests, hand-overs, one's own beside a team's, and teams for people with a token."""

import json
from pathlib import Path
from typing import Any

import pytest

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


@requires("onelamp.session.types")
def test_a_runbook_on_one_line_is_one_instruction(book: Book) -> None:
    text = "Runbook for failover: 1. stop writes 2. promote the replica 3. point DNS 4. start writes"
    assert ask(book, "save_session", transcript=text)["saved"] == 1
    (memory,) = book.each()
    assert (memory.text, memory.memory_type.value) == (text, "instruction")
