"""Where hosts keep their files on each system, how we are called there, and the packages that are made of it."""

import json
import subprocess
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from commonplace.setup.hosts import HOSTS
from commonplace.setup.launch import Launch, Surroundings
from commonplace.setup.opencode_plugin import plugin_source
from commonplace.setup.program import is_fleeting, own_words

ROOT = Path(__file__).parents[2]
UNIX = Launch(("/opt/a b/commonplace",), "/home/ada/book.db", {})
WINDOWS = Launch(("C:\\Program Files\\commonplace.exe",), "C:\\Users\\Ada\\book.db", {})


def paths(system: str, home: str, **variables: str) -> dict[str, list[str]]:
    around = Surroundings(system, home, variables)
    return {host.name: [each.path for each in host.files(around, UNIX)] for host in HOSTS}


def test_files_are_where_each_system_has_them() -> None:
    linux, mac, windows = (
        paths("linux", "/home/ada"),
        paths("darwin", "/Users/ada"),
        paths("win32", "C:\\Users\\Ada", APPDATA="C:\\Users\\Ada\\AppData\\Roaming"),
    )
    assert linux["claude-code"] == ["/home/ada/.claude.json", "/home/ada/.claude/settings.json"]
    assert windows["codex"] == ["C:\\Users\\Ada\\.codex\\config.toml", "C:\\Users\\Ada\\.codex\\hooks.json"]
    assert linux["vscode"][0] == "/home/ada/.config/Code/User/mcp.json"
    assert mac["vscode"][0] == "/Users/ada/Library/Application Support/Code/User/mcp.json"
    assert windows["vscode"][0] == "C:\\Users\\Ada\\AppData\\Roaming\\Code\\User\\mcp.json"
    assert mac["claude-desktop"] == ["/Users/ada/Library/Application Support/Claude/claude_desktop_config.json"]
    assert windows["claude-desktop"] == ["C:\\Users\\Ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json"]
    assert mac["opencode"][0] == "/Users/ada/.config/opencode/opencode.json"
    assert mac["zed"] == ["/Users/ada/.config/zed/settings.json"]


def test_variables_move_files_and_relative_ones_do_not() -> None:
    moved = paths("linux", "/home/ada", CODEX_HOME="/srv/codex", CLAUDE_CONFIG_DIR="/srv/claude", XDG_CONFIG_HOME="/x")
    assert moved["codex"][0] == "/srv/codex/config.toml"
    assert moved["claude-code"] == ["/srv/claude/.claude.json", "/srv/claude/settings.json"]
    assert moved["opencode"][0] == "/x/opencode/opencode.json"
    assert paths("linux", "/home/ada", CODEX_HOME="codex")["codex"][0] == "/home/ada/.codex/config.toml"


def test_a_line_for_a_shell_is_quoted_as_that_shell_wants_it() -> None:
    assert UNIX.hook_line("codex", "linux") == "'/opt/a b/commonplace' hook codex --store /home/ada/book.db"
    assert WINDOWS.hook_line("codex", "win32").startswith('"C:\\Program Files\\commonplace.exe" hook codex ')
    assert WINDOWS.hook_line("gemini", "win32", powershell=True).startswith("& 'C:\\Program Files\\commonplace.exe' ")


@pytest.mark.parametrize(
    ("called", "there", "words"),
    [
        (
            "/home/ada/.local/bin/commonplace",
            {"/home/ada/.local/bin/commonplace"},
            ("/home/ada/.local/bin/commonplace",),
        ),
        ("/v/lib/commonplace/__main__.py", {"/v/bin/commonplace"}, ("/v/bin/commonplace",)),
        ("-c", set(), ("/v/bin/python", "-P", "-m", "commonplace")),
    ],
)
def test_the_program_is_named_by_its_whole_path(called: str, there: set[str], words: tuple[str, ...]) -> None:
    assert own_words(called, "/v/bin/python", "linux", lambda path: str(path) in there) == words


def test_a_program_in_a_cache_is_told() -> None:
    assert is_fleeting(PurePosixPath("/home/ada/.cache/uv/archive-v0/x/bin/commonplace"))
    assert is_fleeting(PureWindowsPath("C:\\Users\\Ada\\AppData\\Local\\uv\\cache\\x\\commonplace.exe"))
    assert not is_fleeting(PurePosixPath("/home/ada/.local/share/uv/tools/commonplace-memory/bin/commonplace"))


def test_what_erases_is_nowhere_let_through() -> None:
    for host in HOSTS:
        around = Surroundings("linux", "/home/ada", {})
        for each in host.files(around, UNIX):
            for change in each.changes:
                told = json.dumps(getattr(change, "data", "")) + getattr(change, "text", "")
                assert "memory_forget" not in told
                assert '"trust"' not in told


def test_the_packages_are_made_of_their_source(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "integrations" / "make.py", tmp_path], check=True, timeout=60)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(made) >= 19
    for name, content in made.items():
        assert (ROOT / name).read_bytes() == content, f"run python integrations/make.py: {name}"
    own = {path.relative_to(ROOT) for path in (ROOT / "integrations").rglob("*") if path.is_file()}
    assert {each for each in own if "__pycache__" not in each.parts} - set(made) == {Path("integrations/make.py")}


def test_the_opencode_plugin_quotes_whatever_a_path_holds() -> None:
    words = ('/opt/it"s/`x`/${y}/commonplace', "hook", "opencode")
    (line,) = [each for each in plugin_source(words).splitlines() if each.startswith("const COMMAND = ")]
    assert tuple(json.loads(line.removeprefix("const COMMAND = "))) == words
