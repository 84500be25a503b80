"""Which words make a command: options before and after its name, help, and mistakes."""

import argparse
import json

import pytest

from commonplace.cli import COMMANDS, build_parser
from commonplace.cli.commands import CONTRACTS
from tests.cli.conftest import Call

COMMON = {"--store", "--scope", "--project", "--model", "--json", "--verbose", "--quiet", "--no-color"}

FIRST_PAGE = "remember recall list show update forget undo review status web setup import export"

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
def test_the_first_page_has_what_a_person_does_every_day_and_nothing_else(cli: Call, words: tuple[str, ...]) -> None:
    answer = cli(*words).ok()
    block = answer.out.split("Every day:\n")[1].split("\n\n")[0]
    assert [line.split()[0] for line in block.split("\n")] == FIRST_PAGE.split()
    assert answer.out == cli("help").ok().out


def test_the_whole_overview_and_the_one_of_contracts_name_every_command_in_its_group(cli: Call) -> None:
    whole, contracts = cli("help", "--all").ok().out, cli("help", "contracts").ok().out
    for command in COMMANDS:
        page, other = (contracts, whole) if command.group == CONTRACTS else (whole, contracts)
        assert f"\n  {command.name:<17}{command.help}" in page
        assert f"\n  {command.name} " not in other
        assert f"{command.group}:" in page


def test_help_on_a_command_is_the_same_page_and_knows_other_tools_words(cli: Call) -> None:
    page = cli("recall", "--help").ok().out
    assert cli("help", "recall").ok().out == cli("help", "search").ok().out == page
    assert "--store, --scope" in page
    assert "the book to use" not in page, "what every command takes is told once, by help --all"
    assert cli("help", "frobnicate").code == 2


@pytest.mark.parametrize(
    ("word", "meant", "more"),
    [
        ("search", "recall", ("heron",)),
        ("find", "recall", ("heron",)),
        ("ask", "recall", ("heron",)),
        ("add", "remember", ("Tea is at four",)),
        ("save", "remember", ("Tea is at four",)),
        ("get", "show", ("3",)),
        ("ls", "list", ()),
        ("edit", "update", ("3", "--tag", "x")),
        ("delete", "forget", ("3",)),
        ("rm", "forget", ("3",)),
        ("stats", "status", ()),
        ("init", "setup", ("nuzo-shim", "--folder", ".")),
    ],
)
def test_the_words_of_other_tools_are_understood(known: Call, word: str, meant: str, more: tuple[str, ...]) -> None:
    answer = known(word, *more).ok()
    assert f"'{word}' is '{meant}' here." in answer.err
    assert known(word, *more, "--quiet").err == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("config", "get", "stor"), "there is no 'stor': did you mean 'store'?"),
        (("config", "set", "foo", "bar"), "there is no 'foo': 'commonplace config set --help' names all "),
        (("remember", "x", "--kind", "prefrence"), "there is no 'prefrence': did you mean 'preference'?"),
        (("remember", "x", "--kind", "banana"), "choose from fact, preference"),
        (("remember", "x", "--importance", "high"), "give a number such as 0.5, not 'high'"),
        (("recall", "x", "--limit", "many"), "give a whole number, not 'many'"),
        (("models", "lst"), "did you mean 'list'?"),
    ],
)
def test_a_mistyped_choice_is_met_with_the_likely_one(cli: Call, words: tuple[str, ...], said: str) -> None:
    answer = cli(*words)
    assert answer.code == 2
    assert said in answer.err


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
