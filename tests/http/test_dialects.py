"""A server has the surfaces it was told to have, all of them unless it was told, and answers the rest like nothing."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from commonplace.book.book import Book
from commonplace.cli import main
from commonplace.config import load
from commonplace.dialects import dialect_names, dialects_in
from commonplace.domain.scope import Principal
from commonplace.errors import InvalidInput
from commonplace.serve.gate import Gate
from commonplace.serve.http import build_app, path_of, surfaces
from commonplace.workspace.project_settings import ALLOWED

EVERY = {name: path_of(name) for name in dialect_names()}
RPC, TEAMS = "/rpc", "/teams"
NO_ROUTE = "/nothing/mcp"
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
SPEAKS = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}


def expected(names: set[str]) -> set[str]:
    return (
        {EVERY[name] for name in names}
        | ({RPC} if "aleph" in names else set())
        | ({TEAMS} if "onelamp" in names else set())
    )


def answered(app: Gate, token: str | None) -> dict[str, tuple[int, bytes]]:
    """What is said at every path that any server has, and at one that none has."""
    headers = SPEAKS if token is None else {**SPEAKS, "authorization": f"Bearer {token}"}
    with TestClient(app, "http://localhost") as client:
        replies = {
            path: client.post(path, json=CALL, headers=headers) for path in (*EVERY.values(), RPC, TEAMS, NO_ROUTE)
        }
    return {path: (reply.status_code, reply.content) for path, reply in replies.items()}


@pytest.mark.parametrize("names", [*({name} for name in EVERY), set(EVERY), {"nuzo", "native"}], ids=sorted)
def test_only_the_surfaces_that_are_named_are_there(tmp_path: Path, names: set[str]) -> None:
    configuration = load({"store": str(tmp_path / "book.db"), "model": "none", "dialects": ", ".join(sorted(names))})
    with Book.open(configuration=configuration) as book:
        token = book.access.create(Principal("org", "ada", ()), "ada").secret
        app = build_app(book, configuration)
        told, refused = answered(app, token), answered(build_app(book, configuration), None)
    there = {path for path, (status, _) in told.items() if status == 200}
    assert there == expected(names) == set(surfaces(dialects_in(configuration.settings.dialects)))
    for path in told.keys() - there:
        assert told[path] == told[NO_ROUTE] == (404, b"Not Found"), path
    assert {status for status, _ in refused.values()} == {401}, "behind the gate, whether it is there or not"


def test_every_dialect_is_there_unless_it_is_said_otherwise() -> None:
    assert dialects_in("") == dialect_names()
    assert load({}).settings.dialects == ""


def test_names_count_once_and_in_one_order_wherever_they_are_set(tmp_path: Path) -> None:
    reversed_names = ",".join(reversed(dialect_names()))
    assert dialects_in(f"{reversed_names}, {reversed_names},") == dialect_names()
    chosen = load({}, {"COMMONPLACE_DIALECTS": "nuzo", "HOME": str(tmp_path)}, tmp_path)
    assert chosen.settings.dialects == "nuzo"
    assert chosen.sources["dialects"] == "COMMONPLACE_DIALECTS"


def test_a_project_does_not_choose_what_is_served(tmp_path: Path) -> None:
    (tmp_path / ".commonplace").mkdir()
    (tmp_path / ".commonplace" / "config.toml").write_text('dialects = "nuzo"\n', encoding="utf-8")
    chosen = load({}, {"HOME": str(tmp_path / "home")}, tmp_path)
    assert chosen.settings.dialects == ""
    assert [each.name for each in chosen.ignored] == ["dialects"]
    assert "dialects" not in ALLOWED


@pytest.mark.parametrize("name", dialect_names())
def test_a_name_nearly_right_is_told_the_right_one(name: str) -> None:
    with pytest.raises(InvalidInput, match=f"did you mean '{name}'\\?.*{', '.join(dialect_names())}\\."):
        dialects_in(f"{dialect_names()[0]},{name}x")


@pytest.mark.parametrize("names", ["nuzzo", "native,zzz", "", ",", " , "])
def test_an_unknown_name_is_one_sentence_and_nothing_is_served(
    tmp_path: Path, names: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "book.db"
    assert main(["serve", "--store", str(store), "--port", "0", "--dialects", names]) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert ", ".join(dialect_names()) in said
    assert ("did you mean 'nuzo'?" in said) == (names == "nuzzo")
    assert "Serving" not in said
    assert not store.exists()


def test_an_unknown_name_in_a_setting_is_refused_as_other_settings_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONPLACE_DIALECTS", "alpeh")
    assert main(["serve", "--store", str(tmp_path / "book.db"), "--port", "0"]) == 1
    said = capsys.readouterr().err
    assert "did you mean 'aleph'?" in said
    assert len(said.splitlines()) == 1
