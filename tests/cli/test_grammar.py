"""Which words make a command: options before and after its name, help, and mistakes."""

import argparse
import json

import pytest

from commonplace.cli import COMMANDS, build_parser
from tests.cli.conftest import Call

COMMON = {"--store", "--scope", "--project", "--model", "--json", "--verbose", "--quiet", "--no-color"}

WRONG_WORDS = (
    ("remember", "x", "--kind", "banana"),
    ("remember", "x", "--importance", "high"),
    ("recall",),
    ("recall", "x", "--limit", "many"),
    ("recall", "x", "--mode", "guess"),
    ("list", "--order", "random"),
    ("list", "--cursor", "x"),
    ("show",),
    ("why",),
    ("update",),
    ("update", "1", "--priority", "x"),
    ("confirm",),
    ("supersede", "1"),
    ("supersede", "1", "2", "--text", "both"),
    ("invalidate",),
    ("archive",),
    ("restore",),
    ("history",),
    ("forget",),
    ("purge",),
    ("purge", "1"),
    ("export", "--as-of", "1d"),
    ("import",),
    ("backup",),
    ("restore-backup",),
    ("doctor", "--fix"),
    ("models",),
    ("models", "sell"),
    ("models", "use", "gpt"),
    ("reembed", "now"),
    ("config",),
    ("config", "get", "colour"),
    ("config", "set", "limit"),
    ("upgrade", "now"),
    ("memory",),
    ("memory", "fly"),
    ("memory", "remember", "x"),
    ("curate", "now"),
    ("rpc",),
    ("demo", "--loud"),
    ("completion", "cmd"),
)


def parsers() -> dict[str, argparse.ArgumentParser]:
    (words,) = [action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(words.choices)


def options(parser: argparse.ArgumentParser) -> set[str]:
    return {option for action in parser._actions for option in action.option_strings}


def test_the_table_of_commands_and_the_grammar_agree() -> None:
    assert [command.name for command in COMMANDS] == list(parsers())


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_takes_the_common_options(name: str) -> None:
    assert options(parsers()[name]) >= COMMON


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_option_of_a_command_has_help(name: str) -> None:
    assert [action.dest for action in parsers()[name]._actions if not action.help] == []


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_help_on_a_command_says_what_it_does_and_gives_an_example(cli: Call, name: str) -> None:
    answer = cli(name, "--help").ok()
    assert answer.out.startswith(f"usage: commonplace {name}")
    assert f"examples:\n  commonplace {name}" in answer.out


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("--json", "--help")])
def test_the_overview_names_every_command_in_its_group(cli: Call, words: tuple[str, ...]) -> None:
    answer = cli(*words).ok()
    for command in COMMANDS:
        assert f"  {command.name} " in answer.out
        assert f"{command.group}:" in answer.out


def test_nothing_at_all_shows_the_overview_as_a_usage_error(cli: Call) -> None:
    answer = cli()
    assert (answer.code, answer.out) == (2, "")
    assert "Usage: commonplace" in answer.err


def test_version_is_one_line(cli: Call) -> None:
    assert cli("--version").ok().out == "commonplace 0.1.0\n"


def test_common_options_work_before_and_after_the_command(cli: Call, tmp_path) -> None:
    store = str(tmp_path / "other.db")
    cli("--store", store, "remember", "Lunch is at noon").ok()
    before = cli("--json", f"--store={store}", "--scope", "user", "recall", "lunch").ok()
    after = cli("recall", "lunch", "--json", "--store", store, "--scope=user").ok()
    assert before.json["hits"][0]["text"] == after.json["hits"][0]["text"] == "Lunch is at noon"
    assert cli("--store", store, "models", "list", "--json").ok().json["used"] == "none"
    assert cli("-q", "remember", "Tea is at four").ok().out == ""


def test_scopes_before_and_after_the_command_add_up(cli: Call) -> None:
    for scope in ("agent:one", "agent:two", "agent:three"):
        cli("remember", f"Kept by {scope}", "--scope", scope).ok()
    answer = cli("--scope", "agent:one", "list", "--scope", "agent:two", "--json").ok()
    assert {memory["scope"] for memory in answer.json["memories"]} == {"agent:one", "agent:two"}


def test_options_cannot_be_shortened(cli: Call) -> None:
    assert cli("recall", "x", "--lim", "3").code == 2


@pytest.mark.parametrize("words", WRONG_WORDS)
def test_a_wrong_argument_is_one_sentence_and_exit_code_2(cli: Call, words: tuple[str, ...]) -> None:
    cli("remember", "Something to work on").ok()
    answer = cli(*words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("commonplace: ")
    assert answer.err.count("\n") == 1


def test_a_wrong_argument_with_json_gives_an_error_document(cli: Call) -> None:
    answer = cli("recall", "--json")
    assert answer.code == 2
    assert answer.json["error"]["code"] == "usage"
    assert answer.json["error"]["message"] in answer.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("recal", "x"), "did you mean 'recall'?"),
        (("frobnicate",), "There is no command 'frobnicate'"),
        (("--colour", "recall"), "There is no option '--colour'"),
        (("--store", "x.db"), "There is no command"),
    ],
)
def test_an_unknown_command_is_named_with_what_to_do(cli: Call, words: tuple[str, ...], said: str) -> None:
    answer = cli(*words)
    assert answer.code == 2
    assert said in answer.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh"])
def test_completion_knows_the_commands_of_each_shell(cli: Call, shell: str) -> None:
    assert "restore-backup" in cli("completion", shell).ok().out
    document = json.loads(cli("completion", shell, "--json").ok().out)
    assert document["shell"] == shell
