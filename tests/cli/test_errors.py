"""What nobody expected still ends in one sentence and an exit code."""

import pytest

from commonplace.cli import run
from commonplace.cli.session import CommandSession
from tests.cli.conftest import Call


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: CommandSession) -> None:
        raise RuntimeError("the gears\nhave come off")

    monkeypatch.setattr(CommandSession, "reading", fail)


@pytest.mark.usefixtures("broken")
def test_a_bug_is_one_line_and_exit_code_70(cli: Call) -> None:
    answer = cli("recall", "x")
    assert (answer.code, answer.out) == (run.INTERNAL, "")
    assert answer.err.startswith("commonplace: This is a bug (RuntimeError: the gears have come off)")
    assert answer.err.count("\n") == 1


@pytest.mark.usefixtures("broken")
def test_a_bug_shows_its_traceback_only_when_verbose(cli: Call) -> None:
    answer = cli("recall", "x", "--verbose")
    assert answer.code == 70
    assert "Traceback" in answer.err


@pytest.mark.usefixtures("broken")
def test_a_bug_with_json_is_an_error_document(cli: Call) -> None:
    assert cli("recall", "x", "--json").json["error"]["code"] == "internal"


def test_an_interruption_is_exit_code_130(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: CommandSession) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(CommandSession, "reading", interrupt)
    answer = cli("recall", "x")
    assert (answer.code, answer.err) == (run.INTERRUPTED, "commonplace: Interrupted.\n")


def test_an_error_document_has_a_code_and_the_sentence(known: Call) -> None:
    answer = known("show", "7", "--json")
    assert answer.code == run.REFUSED
    assert answer.json == {
        "error": {"code": "not_found", "message": "There is no memory '7': look it up with recall or list."}
    }
    assert answer.err == f"commonplace: {answer.json['error']['message']}\n"
