"""`commonplace setup` in a home: what it finds, shows, writes, repeats, checks and takes back."""

import json
import os
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from commonplace.setup.changes import Table, Whole
from commonplace.setup.hosts import HOSTS
from commonplace.setup.launch import Launch, Surroundings
from tests.cli.conftest import Call, cli, project
from tests.setup.real_looking import TEXTS, manners

__all__ = ["cli", "project"]

WRITTEN = [host for host in HOSTS if host.written]
CONNECTED = "connected: the server answered"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home of ada"
    folder.mkdir()
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return folder


def snapshot(home: Path) -> dict[str, bytes | str]:
    """Every file and link, but for those of the book."""
    return {
        str(path.relative_to(home)): str(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in sorted(home.rglob("*"))
        if (path.is_file() or path.is_symlink()) and "share/commonplace" not in str(path)
    }


def folders(home: Path) -> set[Path]:
    return {path for path in home.rglob("*") if path.is_dir() and ".local" not in path.parts}


# -- a home -----------------------------------------------------------------------------------


def test_it_finds_what_is_installed_and_takes_it_all_back(cli: Call, home: Path) -> None:
    for name in (".claude", ".codex", ".gemini", ".cursor", ".config/opencode", ".config/Code/User", ".config/Claude"):
        (home / name).mkdir(parents=True)
    before = folders(home)
    answer = cli("setup", "--dry-run").ok()
    shown = answer.out
    assert "Nothing was written" in answer.err
    assert snapshot(home) == {}
    assert '+  "mcpServers": {' in shown
    written = cli("setup", "--yes").ok()
    assert CONNECTED in written.out
    for host in WRITTEN:
        assert host.title in written.out
        assert all(sentence in written.out for sentence in host.remains)
    first = snapshot(home)
    assert len(first) == 13
    again = cli("setup", "--yes").ok()
    assert snapshot(home) == first
    assert "+++" not in again.out
    assert cli("setup", "--check").ok().out.count("in place") == len(WRITTEN)
    cli("setup", "--remove", "--yes").ok()
    assert snapshot(home) == {}
    assert folders(home) == before
    assert cli("setup", "--check").code == 1


def test_nothing_found_says_what_can_be_named(cli: Call, home: Path) -> None:
    answer = cli("setup", "--yes")
    assert answer.code == 1
    assert "claude-code" in answer.err
    assert snapshot(home) == {}


def test_without_a_terminal_somebody_has_to_say_yes(cli: Call, home: Path) -> None:
    answer = cli("setup", "codex")
    assert answer.code == 2
    assert "--yes" in answer.err
    assert snapshot(home) == {}


def test_a_person_who_says_no_changes_nothing(cli: Call, home: Path) -> None:
    answer = cli("setup", "codex", typed="n\n\n\n").ok()
    assert "mcp_servers" in answer.out
    assert snapshot(home) == {}


def test_the_hosts_own_memory_is_switched_off_only_if_that_is_wanted(cli: Call, home: Path) -> None:
    settings = home / ".claude" / "settings.json"
    cli("setup", "claude-code", "--yes").ok()
    assert "autoMemoryEnabled" not in settings.read_text()
    cli("setup", "claude-code", "--yes", "--sole-memory").ok()
    assert json.loads(settings.read_text())["autoMemoryEnabled"] is False
    cli("setup", "claude-code", "--yes").ok()
    assert json.loads(settings.read_text())["autoMemoryEnabled"] is False, "what was wanted once stays"
    cli("setup", "claude-code", "--remove", "--yes").ok()
    assert snapshot(home) == {}


@pytest.mark.parametrize(
    ("said", "is_told"), [("memories = true", True), ("memories = false", False), ("web = true", False)]
)
def test_codexs_own_memory_is_told_of_where_somebody_switched_it_on(
    cli: Call, home: Path, said: str, is_told: bool
) -> None:
    """And left as it is: what else stands in that table is not ours."""
    config = home / ".codex" / "config.toml"
    config.parent.mkdir()
    mine = f"[features]\n{said}  # since June\n"
    config.write_text(mine)
    told = cli("setup", "codex", "--yes", "--sole-memory").ok().out
    assert (f"set memories to false under [features] in {config}" in told) is is_told
    assert config.read_text().startswith(mine)
    cli("setup", "codex", "--remove", "--yes").ok()
    assert config.read_text() == mine


@pytest.mark.parametrize(
    ("host", "file", "named"),
    [
        ("claude-code", ".claude/projects/-home-ada-shop/memory/port.md", ".claude/projects"),
        ("codex", ".codex/memories/MEMORY.md", ".codex/memories"),
        ("gemini", ".gemini/tmp/shop/memory/MEMORY.md", ".gemini/tmp"),
    ],
)
def test_what_a_host_kept_by_itself_is_named_to_be_brought_along_and_can_be(
    cli: Call, home: Path, host: str, file: str, named: str
) -> None:
    place = home / file
    assert "remembered by itself" not in cli("setup", host, "--yes").ok().out
    place.parent.mkdir(parents=True)
    place.write_text("---\nname: port\ndescription: the port\n---\n- The gateway listens on port 8090.\n")
    assert f"commonplace import {home / named}" in cli("setup", host, "--yes").ok().out
    assert "8090" in cli("import", str(home / named), "--dry-run").ok().out


def own_settings(home: Path) -> dict[str, object]:
    file = home / ".config" / "commonplace" / "config.toml"
    return tomllib.loads(file.read_text()) if file.exists() else {}


@pytest.mark.parametrize(
    ("typed", "inject", "capture"),
    [
        ("\n\n", "both", "on"),
        ("y\nyes\n", "both", "on"),
        ("no\nn\n", "off", "off"),
        ("start\nask\n", "start", "ask"),
        ("of\nas\n", "off", "ask"),
        ("never\noff\no\nmaybe\noff\n", "off", "off"),
        ("", "off", "off"),
    ],
    ids=["enter", "yes", "no", "named", "begun", "asked again", "nobody answers"],
)
def test_what_hooks_may_do_is_what_was_answered(cli: Call, home: Path, typed: str, inject: str, capture: str) -> None:
    """A word that is no answer is asked about again, and only an answer that agrees counts as one."""
    answer = cli("setup", "codex", typed=f"y\n{typed}").ok()
    assert own_settings(home) == {"inject": inject, "capture": capture}
    assert answer.err.count("May Commonplace learn") == (3 if "maybe" in typed else 1)


def test_what_hooks_may_do_is_asked_before_anything_is_written(
    cli: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook that stands there already would otherwise learn while the question is open."""
    monkeypatch.setattr("commonplace.cli.commands.setup._Work._choice", interrupted)
    assert cli("setup", "codex", typed="y\n").code == 130
    assert snapshot(home) == {}


def interrupted(*_: object) -> str:
    raise KeyboardInterrupt


def test_what_was_answered_once_is_not_asked_again(cli: Call, home: Path) -> None:
    cli("config", "set", "inject", "off").ok()
    first = cli("setup", "codex", typed="y\non\n").ok()
    assert "brought into a session" not in first.err
    assert own_settings(home) == {"inject": "off", "capture": "on"}
    again = cli("setup", "codex", typed="\n\n\n").ok()
    assert again.err == ""
    assert own_settings(home) == {"inject": "off", "capture": "on"}


def test_whoever_is_not_asked_is_told_what_hooks_will_do(cli: Call, home: Path) -> None:
    told = cli("setup", "codex", "--yes").ok().out
    assert "inject both, capture on" in told
    assert "commonplace config set" in told
    assert own_settings(home) == {}


@pytest.mark.parametrize(("typed", "is_taken"), [("y\ny\n", True), ("y\nn\n", False), ("n\n", False), ("", False)])
def test_what_a_host_kept_by_itself_is_brought_along_where_that_is_wanted(
    cli: Call, home: Path, typed: str, is_taken: bool
) -> None:
    place = home / ".codex/memories/MEMORY.md"
    place.parent.mkdir(parents=True)
    place.write_text("- The gateway listens on port 8090.\n")
    answer = cli("setup", "codex", typed=f"y\n\n\n{typed}").ok()
    assert f"Look at what Codex kept by itself in {place.parent}, to bring it along?" in answer.err
    assert ("8090" in cli("list", "--status", "any").out) is is_taken
    assert (f"commonplace import {place.parent}" in answer.out) is not typed.startswith("y")


def test_a_host_that_rewrites_its_file_keeps_what_it_wrote(cli: Call, home: Path) -> None:
    file = home / ".claude.json"
    file.write_text(json.dumps({"numStartups": 1}))
    cli("setup", "claude-code", "--yes").ok()
    file.write_text(json.dumps({**json.loads(file.read_text()), "numStartups": 2, "x": {}}, indent=2))
    cli("setup", "claude-code", "--remove", "--yes").ok()
    assert json.loads(file.read_text()) == {"numStartups": 2, "x": {}}


@pytest.mark.parametrize("host", ["windsurf", "zed", "cline"])
def test_the_others_get_a_snippet(cli: Call, home: Path, host: str) -> None:
    answer = cli("setup", host, "--yes").ok()
    start = answer.out.index("{")
    entry, _ = json.JSONDecoder().raw_decode(answer.out[start:])
    (inner,) = entry.values()
    assert inner["commonplace"]["args"][:2] == ["mcp", "--store"]
    assert snapshot(home) == {}


@pytest.mark.parametrize(
    ("host", "file", "text"),
    [
        ("claude-code", ".claude/settings.json", '{"enabledPlugins": {"commonplace@commonplace": true}}'),
        ("codex", ".codex/config.toml", '[plugins."commonplace@commonplace"]\nenabled = true\n'),
        ("gemini", ".gemini/extensions/commonplace/gemini-extension.json", "{}"),
    ],
)
def test_where_our_plugin_is_installed_nothing_is_added(cli: Call, home: Path, host: str, file: str, text: str) -> None:
    (home / file).parent.mkdir(parents=True)
    (home / file).write_text(text)
    before = snapshot(home)
    assert "is installed, so nothing is added" in cli("setup", host, "--yes").ok().out
    assert snapshot(home) == before
    (home / file).write_text(text.replace("true", "false"))
    if host != "gemini":
        assert "nothing is added" not in cli("setup", host, "--dry-run").ok().out


def test_json_says_all_of_it(cli: Call, home: Path) -> None:
    (home / ".codex").mkdir()
    told = cli("setup", "codex", "zed", "--yes", "--json").ok().json
    assert told["connected"] is True
    assert [each["state"] for each in told["hosts"]] == ["written", "snippet"]
    assert "[mcp_servers.commonplace]" in told["hosts"][0]["files"][0]["diff"]
    assert cli("setup", "codex", "--check", "--json").ok().json["problems"] == []


def test_paths_are_whole_and_dropped_settings_are_written(
    cli: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONPLACE_MODELS", "models")
    monkeypatch.setenv("COMMONPLACE_LLM_KEY", "sk-not-for-files")
    cli("setup", "claude-code", "--yes", "--store", "book.db").ok()
    entry = json.loads((home / ".claude.json").read_text())["mcpServers"]["commonplace"]
    assert Path(entry["command"]).is_absolute()
    assert entry["args"] == ["mcp", "--store", str(Path.cwd() / "book.db")]
    assert entry["env"]["COMMONPLACE_MODELS"] == str(Path.cwd() / "models")
    assert "sk-not-for-files" not in "".join(map(str, snapshot(home).values()))


def test_a_password_in_the_books_address_is_not_written_anywhere(cli: Call, home: Path) -> None:
    answer = cli("setup", "codex", "--yes", "--store", "postgresql://ada:geheim@127.0.0.1/book")
    assert answer.code == 1
    assert "store_password_file" in answer.err
    assert snapshot(home) == {}


def test_a_server_that_does_not_start_is_told(cli: Call, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = home / "commonplace"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(broken)])
    answer = cli("setup", "codex", "--yes")
    assert answer.code == 1
    assert "Not connected" in answer.err


# -- files that are not as they should be -----------------------------------------------------


def test_a_link_into_a_folder_of_dotfiles_is_written_through(cli: Call, home: Path) -> None:
    dotfiles = home / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "config.toml").write_text('model = "x"\n')
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").symlink_to(dotfiles / "config.toml")
    before = snapshot(home)
    answer = cli("setup", "codex", "--yes").ok()
    assert "is a link" in answer.out
    assert (home / ".codex" / "config.toml").is_symlink()
    assert "mcp_servers.commonplace" in (dotfiles / "config.toml").read_text()
    cli("setup", "codex", "--remove", "--yes").ok()
    assert snapshot(home) == before


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.write_text('{"a": '),
        lambda file: file.write_bytes(b'\xff\xfe{\x00"\x00'),
        lambda file: file.write_bytes(b"\0" * 20),
        lambda file: (file.write_text("{}"), file.chmod(0o444)),
        lambda file: file.symlink_to(file.parent / "nowhere"),
        lambda file: file.symlink_to(file),
        lambda file: file.mkdir(),
        os.mkfifo,
        lambda file: file.symlink_to("/dev/zero"),
    ],
    ids=["broken", "utf-16", "binary", "read-only", "dangling", "circle", "folder", "pipe", "device"],
)
def test_a_file_that_cannot_be_used_is_left_alone_with_a_sentence(cli: Call, home: Path, spoil) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    spoil(file)
    before = snapshot(home)
    answer = cli("setup", "cursor", "--yes")
    assert answer.code == 1
    assert f"{file} is left alone: " in answer.err
    assert snapshot(home) == {**before, ".cursor/hooks.json": snapshot(home)[".cursor/hooks.json"]}


def test_copies_are_private_numbered_and_go_when_they_are_not_needed(cli: Call, home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text("{}")
    file.chmod(0o644)
    cli("setup", "cursor", "--yes").ok()
    copy = file.with_name("mcp.json.commonplace-1.bak")
    assert (copy.read_text(), copy.stat().st_mode & 0o777) == ("{}", 0o600)
    assert file.stat().st_mode & 0o777 == 0o644
    second = file.with_name("mcp.json.commonplace-2.bak")
    cli("setup", "cursor", "--yes", "--store", "other.db").ok()
    assert not second.exists(), "what setup wrote itself needs no copy"
    file.write_text(file.read_text() + " ")
    cli("setup", "cursor", "--yes", "--store", "third.db").ok()
    assert second.exists()
    file.write_text(file.read_text().rstrip(" "))
    cli("setup", "cursor", "--remove", "--yes").ok()
    assert json.loads(file.read_text()) == {}
    assert not copy.exists(), "it says what the file says"
    assert second.exists()


def test_a_damaged_receipt_is_as_good_as_none(cli: Call, home: Path) -> None:
    cli("setup", "codex", "--yes").ok()
    (home / ".local/share/commonplace/setup.json").write_text('{"files": {"x": 1')
    before = snapshot(home)
    assert "nothing of ours" in cli("setup", "codex", "--remove", "--yes").ok().out
    assert snapshot(home) == before
    cli("setup", "codex", "--yes").ok()


# -- forty files for each host ----------------------------------------------------------------


@pytest.mark.parametrize("host", WRITTEN, ids=lambda host: host.name)
def test_real_looking_files_come_back_to_the_byte(cli: Call, home: Path, host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the server, which has its own test: it would be started eighty times."""
    monkeypatch.setattr("commonplace.cli.commands.setup.connect", lambda *_: answers())
    around = Surroundings("linux", str(home), {})
    changes = [each for each in host.files(around, Launch(("x",), "y", {})) if not isinstance(each.changes[0], Whole)]
    tried = 0
    for number in range(10):
        for manner in range(4):
            for each in changes:
                kind = "toml" if isinstance(each.changes[0], Table) else "json"
                path = Path(each.path)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(manners(TEXTS[kind][number])[manner], encoding="utf-8", newline="")
            before = snapshot(home)
            cli("setup", host.name, "--yes").ok()
            changed = snapshot(home)
            assert all(changed[name] != text for name, text in before.items())
            cli("setup", host.name, "--yes").ok()
            assert snapshot(home) == changed
            cli("setup", host.name, "--remove", "--yes").ok()
            assert snapshot(home) == before, (number, manner)
            tried += 1
    assert tried == 40
    shutil.rmtree(home)


def answers():
    from commonplace.setup.connecting import Connection

    return Connection(8, 0.1)
