"""What the files of a project may set: little, within bounds, only if they are the user's, and never with a failure."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.config import DESCRIPTIONS, Configuration, Settings, load, save_in_project
from commonplace.domain.query import RECALL_LIMIT
from commonplace.domain.record import replace
from commonplace.errors import InvalidInput, StoreUnwritable
from commonplace.workspace.project import locate, scope_of
from commonplace.workspace.project_settings import ALLOWED, FILE_BYTES
from tests.cli.conftest import Call, cli, project
from tests.conftest import NOT_RUN
from tests.security.hostile import as_toml, hostile_settings

__all__ = ["cli", "project"]

NOBODY = 65_534
VALUES = ("evil", 1, 10**30, 0.5, True, [1], {"a": "b"}, "", -1)

needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason=f"{NOT_RUN}only root can make somebody else's file"
)


def place(root: Path, name: str = ".commonplace/config.toml") -> Path:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def loaded(root: Path) -> Configuration:
    return load({}, {"HOME": str(root.parent / "home")}, root)


def inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {inline(each)}" for name, each in value.items()) + "}"
    return json.dumps(value)


# -- the list ---------------------------------------------------------------------------------


def test_no_setting_but_those_on_the_list_is_obeyed_whatever_its_value(tmp_path: Path) -> None:
    root = tmp_path / "work"
    tried = 0
    for name in DESCRIPTIONS:
        for value in (hostile_settings("x.db", 1)[name], *VALUES):
            place(root).write_text(f"{name} = {inline(value)}\n")
            found = loaded(root)
            if name not in ALLOWED:
                assert found.settings == Settings(), (name, value)
                assert [each.name for each in found.ignored] == [name]
            tried += 1
    assert tried >= 400
    print(f"{tried} settings of a project, 0 obeyed but {', '.join(ALLOWED)}")


@pytest.mark.parametrize(
    ("name", "usable", "useless"),
    [
        ("near", ["report", "skip", "ignore"], ["merge", 1, True, ["skip"], ""]),
        ("mode", ["auto", "words", "vectors"], ["psychic", 1, {}]),
        ("limit", [1, RECALL_LIMIT], [0, -1, RECALL_LIMIT + 1, 3.0, 3.7, "3", True, [3], 10**400]),
        ("max_tokens", [0, 1, 4_000], [-1, "10", 1.5, False]),
        ("inject", ["off", "start", "prompt", "both"], ["always", 1, True, ""]),
        ("capture", ["off", "ask", "on"], ["quietly", 1, False, ["on"]]),
    ],
)
def test_values_on_the_list_count_if_they_can_be_used(
    tmp_path: Path, name: str, usable: list[object], useless: list[object]
) -> None:
    root = tmp_path / "work"
    for value in usable:
        place(root).write_text(f"{name} = {inline(value)}\n")
        assert (getattr(loaded(root).settings, name), loaded(root).ignored) == (value, ())
    for value in useless:
        place(root).write_text(f"{name} = {inline(value)}\n")
        assert loaded(root).settings == Settings(), value
        assert [each.name for each in loaded(root).ignored] == [name] or value == 10**400


def test_a_projects_scope_lies_within_it(tmp_path: Path) -> None:
    root, other = tmp_path / "work", tmp_path / "other"
    for scope in ("project", "project:auto", str(scope_of(root))):
        place(root).write_text(as_toml({"scope": scope}))
        place(root, ".nuzo/config.json").write_text(json.dumps({"default_scope": scope}))
        assert (loaded(root).settings.scope, loaded(root).project_of_dialects) == (scope, {"nuzo": {"scope": scope}})
    for scope in (str(scope_of(other)), "user", "user:default", "user:mallory", "agent:x", "team:evil", "*", "", 3):
        place(root).write_text(as_toml({"scope": scope}))
        place(root, ".nuzo/config.json").write_text(json.dumps({"default_scope": scope}))
        assert (loaded(root).settings.scope, loaded(root).project_of_dialects) == ("user:default", {"nuzo": {}}), scope
        assert [each.name for each in loaded(root).ignored] == ["scope", "default_scope"]


def test_flags_the_environment_and_the_users_own_file_keep_their_power(tmp_path: Path) -> None:
    root, home = tmp_path / "work", tmp_path / "home"
    place(root).write_text("limit = 3\n")
    place(home, ".config/commonplace/config.toml").write_text('host = "0.0.0.0"\nstore = "mine.db"\nlimit = 2\n')
    found = load({"mode": "words"}, {"HOME": str(home), "COMMONPLACE_USER": "ada"}, root).settings
    assert (found.host, found.store, found.limit) == ("0.0.0.0", "mine.db", 3)
    assert (found.mode, found.user) == ("words", "ada")


def test_config_show_lists_what_is_not_obeyed(cli: Call, project: Path) -> None:
    file, nuzo = place(project), place(project, ".nuzo/config.json")
    file.write_text(as_toml({**hostile_settings("x.db", 1), "plugin": "evil"}))
    nuzo.write_text(json.dumps({"version": 1, "default_scope": "team:evil", "storage": {"path": "x.db"}}))
    answer = cli("config", "show", "--json").ok()
    ignored = {(each["file"], each["name"]) for each in answer.json["ignored"]}
    expected = set(DESCRIPTIONS) - set(ALLOWED) | {"plugin", "scope"}
    assert {name for where, name in ignored if where == str(file)} == expected
    assert {name for where, name in ignored if where == str(nuzo)} == {"default_scope", "storage"}
    rows = {each["name"]: each["source"] for each in answer.json["settings"]}
    assert {name for name, source in rows.items() if source == str(file)} == set(ALLOWED) - {"scope"}
    assert answer.err.count("Ignored: ") == 2
    table = cli("config", "show").ok().out
    assert all(name in table.partition("ignored")[2] for name in expected)


@pytest.mark.parametrize("name", sorted(set(DESCRIPTIONS) - set(ALLOWED)))
def test_what_a_project_may_not_set_is_not_written_into_one(cli: Call, name: str, project: Path) -> None:
    value = str(hostile_settings("x.db", 1)[name])
    answer = cli("config", "set", name, value, "--in-project")
    assert (answer.code, answer.out) == (1, "")
    assert "without --in-project" in answer.err
    assert list(project.iterdir()) == []


def test_what_a_project_may_set_is_written_and_read_again(cli: Call, project: Path) -> None:
    for name, value in (
        ("near", "skip"),
        ("mode", "words"),
        ("limit", "3"),
        ("max_tokens", "99"),
        ("scope", "project"),
    ):
        cli("config", "set", name, value, "--in-project").ok()
    settings = loaded(project).settings
    assert (settings.near, settings.mode, settings.limit, settings.max_tokens) == ("skip", "words", 3, 99)
    assert cli("remember", "here", "--json").ok().json["results"][0]["memory"]["scope"] == str(scope_of(project))
    assert cli("config", "set", "scope", "user", "--in-project").code == 1
    assert cli("config", "set", "limit", "201", "--in-project").code == 1


# -- files that are wrong ---------------------------------------------------------------------


def test_a_broken_file_never_makes_a_command_fail(cli: Call, project: Path) -> None:
    broken: list[bytes] = [
        b"limit = = 3",
        b"\xff\xfe\x00",
        b"{",
        b"[[[" * 4_000,
        b"a = " + b"[" * 10_000,
        b"\0" * 100,
        b"a.b.c.d = 1",
        b"[limit]\nx = 1",
        b"limit = " + b"9" * 10_000,
        b"\x1b[2J = 1",
        b'"\\u001b[2J" = 1',
        b"[]",
        b"3",
        b"#" * (FILE_BYTES + 1),
    ]
    cli("remember", "Ships are grey").ok()
    files = (".commonplace/config.toml", ".nuzo/config.json")
    for name in files:
        for content in broken:
            place(project, name).write_bytes(content)
            for words in (("list",), ("memory", "list"), ("config", "show", "--json")):
                answer = cli(*words).ok()
                assert answer.err.count("Ignored: ") == 1, (name, content, answer)
                assert "\x1b" not in answer.err + answer.out
        place(project, name).unlink()
    print(f"{len(broken) * len(files) * 3} commands with a broken file, 0 failed")


def test_whatever_is_in_a_file_nothing_off_the_list_changes(tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("work")

    @given(content=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
    def attempt(content: bytes) -> None:
        for name in (".commonplace/config.toml", ".nuzo/config.json"):
            place(root, name).write_bytes(content)
        found = loaded(root)
        assert replace(found.settings, **{name: getattr(Settings(), name) for name in ALLOWED}) == Settings()

    attempt()


@pytest.mark.parametrize("name", [".commonplace/config.toml", ".nuzo/config.json"])
@pytest.mark.parametrize("kind", ["link to a file", "link to a folder", "pipe", "folder"])
def test_what_is_no_plain_file_is_neither_followed_nor_waited_for(tmp_path: Path, name: str, kind: str) -> None:
    root, outside = tmp_path / "work", tmp_path / "outside"
    outside.mkdir()
    (outside / Path(name).name).write_text('{"default_scope": "project"}' if name.endswith("json") else "limit = 3\n")
    file = place(root, name)
    makers: dict[str, Callable[[], object]] = {
        "link to a file": lambda: file.symlink_to(outside / file.name),
        "link to a folder": lambda: (file.parent.rmdir(), file.parent.symlink_to(outside)),
        "pipe": lambda: os.mkfifo(file),
        "folder": file.mkdir,
    }
    makers[kind]()
    found = loaded(root)
    assert found.settings == Settings()
    assert not any(found.project_of_dialects.values())
    assert [(each.file, each.name) for each in found.ignored] == [(file, "")]


# -- whose files ------------------------------------------------------------------------------


@needs_root
@pytest.mark.parametrize("marker", [".commonplace/config.toml", ".nuzo/config.json"])
@pytest.mark.parametrize("whose", ["folder", "file"])
def test_another_ones_marker_makes_no_project(tmp_path: Path, marker: str, whose: str) -> None:
    """In a folder that everybody may write to, somebody else marks it: whoever works below is not in their project."""
    shared, below = tmp_path / "shared", tmp_path / "shared" / "a" / "b"
    below.mkdir(parents=True)
    shared.chmod(0o1777)
    file = place(shared, marker)
    file.write_text('{"default_scope": "project"}' if file.suffix == ".json" else "limit = 3\n")
    os.chown(file.parent if whose == "folder" else file, NOBODY, NOBODY)
    found = loaded(below)
    assert found.settings == Settings()
    assert not any(found.project_of_dialects.values())
    assert locate(below).root == (below if (whose, file.suffix) != ("file", ".toml") else shared)


@needs_root
def test_another_ones_file_in_the_users_own_project_is_not_obeyed(tmp_path: Path) -> None:
    file = place(tmp_path)
    file.write_text("limit = 3\n")
    assert loaded(tmp_path).settings.limit == 3
    os.chown(file, NOBODY, NOBODY)
    assert loaded(tmp_path).settings == Settings()
    assert [each.reason for each in loaded(tmp_path).ignored] == ["it belongs to somebody else"]
    with pytest.raises(InvalidInput, match="somebody else"):
        save_in_project(tmp_path, "limit", "4")


def test_a_link_marks_no_project(tmp_path: Path) -> None:
    below, outside = tmp_path / "a", tmp_path / "outside"
    below.mkdir()
    outside.mkdir()
    (tmp_path / ".commonplace").symlink_to(outside)
    assert locate(below).root == below.resolve()
    with pytest.raises(StoreUnwritable, match="is a link"):
        save_in_project(tmp_path, "limit", "3")
    assert list(outside.iterdir()) == []


def test_a_project_that_prefers_meaning_does_not_stop_a_recall_by_words(cli: Call, project: Path) -> None:
    cli("remember", "Owls hunt by night").ok()
    place(project).write_text('mode = "vectors"\n')
    assert len(cli("recall", "owls", "--json").ok().json["hits"]) == 1
    assert cli("recall", "owls", "--mode", "vectors").code == 1
