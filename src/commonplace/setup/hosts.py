"""The hosts we know: where their files are, what goes into them, and what their people must still do.

Everything here is data and pure functions of the surroundings. Where a host has a command of its own that adds a
server, the file is written all the same: the command is not always on the path, says less, and cannot be taken back.
"""

import json
from collections.abc import Callable, Mapping

from commonplace.domain.record import Record
from commonplace.setup.changes import Change, Listed, Put, Table, Whole
from commonplace.setup.launch import LINUX, SERVER, WINDOWS, Launch, Surroundings
from commonplace.setup.opencode_plugin import MADE_BY, plugin_source

UNASKED = ("memory_recall", "memory_list", "memory_explain", "memory_remember")
"""The tools that a host may call without asking: what reads, and what adds."""
ASKED = ("memory_update", "memory_forget")
"""Those that change or take away what is there."""

PATIENCE_SECONDS = 10
ENDING_SECONDS = 3
START_SECONDS = 20

SAME_NAMES = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")
"""The moments as Claude Code and Codex call them."""
AT_ANY_START = "startup|resume|clear|compact"


class FileChange(Record):
    """What goes into one file; of several names that a host reads, the first that is there, else `path`."""

    path: str
    changes: tuple[Change, ...]
    other_names: tuple[str, ...] = ()


class Plugin(Record):
    """How to see that our plugin is installed: a folder, or a key like `commonplace@…` at a path of a file."""

    place: str
    keys: tuple[str, ...] = ()
    title: str = "plugin"


class OwnMemory(Record):
    """What a host keeps by itself, to be imported: files of a pattern in a folder. `off` switches it off.

    Where no change can do that and leave all else in the file alone, `by_hand` is the file and the keys of the switch
    that a person may have set to true.
    """

    folder: str
    pattern: str
    off: FileChange | None = None
    by_hand: tuple[str, tuple[str, str]] | None = None


Files = Callable[[Surroundings, Launch], tuple[FileChange, ...]]


class Host(Record):
    """One host. One that is not `written` gets its snippet printed."""

    name: str
    title: str
    programs: tuple[str, ...]
    folder: Callable[[Surroundings], str]
    files: Files
    remains: tuple[str, ...] = ()
    plugin: Callable[[Surroundings], Plugin] | None = None
    own_memory: Callable[[Surroundings], OwnMemory] | None = None
    written: bool = True


def _entry(launch: Launch, **more: object) -> dict[str, object]:
    """A server as most hosts write it."""
    program, *words = launch.server
    told = {"env": dict(launch.environment)} if launch.environment else {}
    return {"command": program, "args": words, **told, **more}


def _hook_mark(host: str) -> str:
    return f"hook {host}"


# -- Claude Code ------------------------------------------------------------------------------


def _claude_folder(around: Surroundings) -> str:
    return around.under("CLAUDE_CONFIG_DIR", ".claude")


def _claude_files(around: Surroundings, launch: Launch) -> tuple[FileChange, ...]:
    moved = _claude_folder(around) != around.path(around.home, ".claude")
    servers = around.path(_claude_folder(around) if moved else around.home, ".claude.json")
    entry = {"type": "stdio", **_entry(launch)}
    allowed = tuple(Listed(("permissions", "allow"), f"mcp__{SERVER}__{tool}") for tool in UNASKED)
    return (
        FileChange(servers, (Put(("mcpServers", SERVER), entry, needs="command"),)),
        FileChange(
            around.path(_claude_folder(around), "settings.json"),
            (*allowed, *same_hooks("claude-code", claude_handler(launch.hook("claude-code")))),
        ),
    )


def claude_handler(words: tuple[str, ...]) -> dict[str, object]:
    """A hook that is started without a shell."""
    return {"type": "command", "command": words[0], "args": list(words[1:])}


def same_hooks(host: str, handler: Mapping[str, object]) -> tuple[Listed, ...]:
    """A handler for every moment, as Claude Code and Codex list them."""
    return tuple(Listed(("hooks", event), hook_group(event, handler), _hook_mark(host)) for event in SAME_NAMES)


def hook_group(event: str, handler: Mapping[str, object]) -> dict[str, object]:
    """An item of an event's list, with the time it has."""
    seconds = ENDING_SECONDS if event == "SessionEnd" else PATIENCE_SECONDS
    matcher = {"matcher": AT_ANY_START} if event == "SessionStart" else {}
    return {**matcher, "hooks": [{**handler, "timeout": seconds}]}


def _claude_plugin(around: Surroundings) -> Plugin:
    return Plugin(around.path(_claude_folder(around), "settings.json"), ("enabledPlugins",))


def _claude_memory(around: Surroundings) -> OwnMemory:
    folder = _claude_folder(around)
    off = FileChange(around.path(folder, "settings.json"), (Put(("autoMemoryEnabled",), False),))
    return OwnMemory(around.path(folder, "projects"), "*/memory/*.md", off)


# -- Codex ------------------------------------------------------------------------------------


def _codex_folder(around: Surroundings) -> str:
    return around.under("CODEX_HOME", ".codex")


def _codex_files(around: Surroundings, launch: Launch) -> tuple[FileChange, ...]:
    folder = _codex_folder(around)
    table = _entry(launch, startup_timeout_sec=START_SECONDS)
    line = launch.hook_line("codex", LINUX)
    windows = launch.hook_line("codex", WINDOWS)
    handler = {"type": "command", "command": line} | (
        {"command": windows, "commandWindows": windows} if around.system == WINDOWS else {}
    )
    return (
        FileChange(around.path(folder, "config.toml"), (Table(("mcp_servers", SERVER), table, needs="command"),)),
        FileChange(around.path(folder, "hooks.json"), same_hooks("codex", handler)),
    )


def _codex_plugin(around: Surroundings) -> Plugin:
    return Plugin(around.path(_codex_folder(around), "config.toml"), ("plugins",))


def _codex_memory(around: Surroundings) -> OwnMemory:
    folder = _codex_folder(around)
    switch = around.path(folder, "config.toml"), ("features", "memories")
    return OwnMemory(around.path(folder, "memories"), "*.md", by_hand=switch)


# -- Gemini CLI -------------------------------------------------------------------------------

GEMINI_EVENTS = ("SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd")
"""Not PreCompress, which comes before every request to the model."""


def _gemini_folder(around: Surroundings) -> str:
    return around.path(around.under("GEMINI_CLI_HOME"), ".gemini")


def _gemini_files(around: Surroundings, launch: Launch) -> tuple[FileChange, ...]:
    folder = _gemini_folder(around)
    entry = _entry(launch, timeout=60_000)
    line = launch.hook_line("gemini", around.system, powershell=True)
    hooks = tuple(Listed(("hooks", event), gemini_group(line), _hook_mark("gemini")) for event in GEMINI_EVENTS)
    return (
        FileChange(around.path(folder, "settings.json"), (Put(("mcpServers", SERVER), entry, needs="command"), *hooks)),
        FileChange(around.path(folder, "policies", "commonplace.toml"), (Whole(gemini_policy(), MADE_BY),)),
    )


def gemini_group(line: str) -> dict[str, object]:
    """An item of an event's list, with its time in milliseconds."""
    return {"hooks": [{"type": "command", "name": SERVER, "command": line, "timeout": PATIENCE_SECONDS * 1_000}]}


def gemini_policy() -> str:
    """The rule that lets what reads and adds run unasked; whatever it does not name, Gemini asks for."""
    return (
        f"# {MADE_BY} gemini'; with --remove it is taken away again\n[[rule]]\nmcpName = {json.dumps(SERVER)}\n"
        f'toolName = {json.dumps(list(UNASKED))}\ndecision = "allow"\npriority = 100\n'
    )


def _gemini_plugin(around: Surroundings) -> Plugin:
    return Plugin(around.path(_gemini_folder(around), "extensions", "commonplace"), title="extension")


def _gemini_memory(around: Surroundings) -> OwnMemory:
    return OwnMemory(around.path(_gemini_folder(around), "tmp"), "*/memory/*.md")


# -- opencode ---------------------------------------------------------------------------------


def _opencode_folder(around: Surroundings) -> str:
    return around.path(around.under("XDG_CONFIG_HOME", ".config"), "opencode")


def _opencode_files(around: Surroundings, launch: Launch) -> tuple[FileChange, ...]:
    folder = _opencode_folder(around)
    told = {"environment": dict(launch.environment)} if launch.environment else {}
    entry = {"type": "local", "command": list(launch.server), "enabled": True, **told}
    asking = tuple(Put(("permission", f"{SERVER}_{tool}"), "ask", optional=True) for tool in ASKED)
    names = tuple(around.path(folder, name) for name in ("opencode.jsonc", "config.json"))
    return (
        FileChange(
            around.path(folder, "opencode.json"), (Put(("mcp", SERVER), entry, needs="command"), *asking), names
        ),
        FileChange(
            around.path(folder, "plugins", "commonplace.js"), (Whole(plugin_source(launch.hook("opencode")), MADE_BY),)
        ),
    )


# -- Cursor, VS Code, Claude Desktop ----------------------------------------------------------

CURSOR_EVENTS = ("sessionStart", "beforeSubmitPrompt", "stop", "preCompact", "sessionEnd")
VSCODE_EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact")


def _cursor_folder(around: Surroundings) -> str:
    return around.path(around.home, ".cursor")


def _cursor_files(around: Surroundings, launch: Launch) -> tuple[FileChange, ...]:
    handler = {"command": launch.hook_line("cursor", around.system), "timeout": PATIENCE_SECONDS}
    hooks = tuple(Listed(("hooks", event), handler, _hook_mark("cursor")) for event in CURSOR_EVENTS)
    folder = _cursor_folder(around)
    return (
        FileChange(around.path(folder, "mcp.json"), (Put(("mcpServers", SERVER), _entry(launch), needs="command"),)),
        FileChange(around.path(folder, "hooks.json"), (Put(("version",), 1, stays=True), *hooks)),
    )


def _vscode_folder(around: Surroundings) -> str:
    return around.path(around.application_data, "Code", "User")


def _vscode_files(around: Surroundings, launch: Launch) -> tuple[FileChange, ...]:
    entry = {"type": "stdio", **_entry(launch)}
    line = launch.hook_line("vscode", around.system)
    handler = {"type": "command", "command": line, "timeout": PATIENCE_SECONDS}
    hooks = tuple(Listed(("hooks", event), handler, _hook_mark("vscode")) for event in VSCODE_EVENTS)
    folder = around.under("COPILOT_HOME", ".copilot")
    return (
        FileChange(
            around.path(_vscode_folder(around), "mcp.json"), (Put(("servers", SERVER), entry, needs="command"),)
        ),
        FileChange(around.path(folder, "hooks", "commonplace.json"), (Put(("version",), 1, stays=True), *hooks)),
    )


def _desktop_folder(around: Surroundings) -> str:
    return around.path(around.application_data, "Claude")


def _desktop_files(around: Surroundings, launch: Launch) -> tuple[FileChange, ...]:
    file = around.path(_desktop_folder(around), "claude_desktop_config.json")
    return (FileChange(file, (Put(("mcpServers", SERVER), _entry(launch), needs="command"),)),)


# -- those that get a snippet -----------------------------------------------------------------


def _windsurf_folder(around: Surroundings) -> str:
    return around.path(around.home, ".codeium", "windsurf")


def _windsurf_files(around: Surroundings, launch: Launch) -> tuple[FileChange, ...]:
    file = around.path(_windsurf_folder(around), "mcp_config.json")
    return (FileChange(file, (Put(("mcpServers", SERVER), _entry(launch)),)),)


def _zed_folder(around: Surroundings) -> str:
    if around.system == WINDOWS:
        return around.path(around.application_data, "Zed")
    return around.path(around.under("XDG_CONFIG_HOME", ".config"), "zed")


def _zed_files(around: Surroundings, launch: Launch) -> tuple[FileChange, ...]:
    file = around.path(_zed_folder(around), "settings.json")
    return (FileChange(file, (Put(("context_servers", SERVER), _entry(launch)),)),)


def _cline_folder(around: Surroundings) -> str:
    return around.path(around.home, ".cline")


def _cline_files(around: Surroundings, launch: Launch) -> tuple[FileChange, ...]:
    file = around.path(_cline_folder(around), "data", "settings", "cline_mcp_settings.json")
    named = around.variables.get("CLINE_MCP_SETTINGS_PATH")
    entry = _entry(launch, disabled=False, autoApprove=list(UNASKED), timeout=30)
    return (FileChange(named or file, (Put(("mcpServers", SERVER), entry),)),)


HOSTS: tuple[Host, ...] = (
    Host(
        name="claude-code",
        title="Claude Code",
        programs=("claude",),
        folder=_claude_folder,
        files=_claude_files,
        plugin=_claude_plugin,
        own_memory=_claude_memory,
    ),
    Host(
        name="codex",
        title="Codex",
        programs=("codex",),
        folder=_codex_folder,
        files=_codex_files,
        remains=("Codex runs a hook only once you trust it: start 'codex' and agree, or see '/hooks'.",),
        plugin=_codex_plugin,
        own_memory=_codex_memory,
    ),
    Host(
        name="gemini",
        title="Gemini CLI",
        programs=("gemini",),
        folder=_gemini_folder,
        files=_gemini_files,
        remains=(
            "Gemini CLI runs servers and hooks only in folders that you trust: agree when it asks, "
            "or type '/permissions'.",
        ),
        plugin=_gemini_plugin,
        own_memory=_gemini_memory,
    ),
    Host(
        name="opencode",
        title="opencode",
        programs=("opencode",),
        folder=_opencode_folder,
        files=_opencode_files,
    ),
    Host(
        name="cursor",
        title="Cursor",
        programs=("cursor",),
        folder=_cursor_folder,
        files=_cursor_files,
        remains=("Cursor: switch on 'commonplace' under Settings, Tools & MCP.",),
    ),
    Host(
        name="vscode",
        title="VS Code",
        programs=("code",),
        folder=_vscode_folder,
        files=_vscode_files,
        remains=("VS Code: start 'commonplace' once with 'MCP: List Servers', and agree that you trust it.",),
    ),
    Host(
        name="claude-desktop",
        title="Claude Desktop",
        programs=(),
        folder=_desktop_folder,
        files=_desktop_files,
        remains=("Claude Desktop: quit it completely and start it again.",),
    ),
    Host("windsurf", "Windsurf", ("windsurf",), _windsurf_folder, _windsurf_files, written=False),
    Host("zed", "Zed", ("zed",), _zed_folder, _zed_files, written=False),
    Host("cline", "Cline", ("cline",), _cline_folder, _cline_files, written=False),
)


def snippet(change: FileChange) -> str:
    """What a person puts into a file by hand, as JSON."""
    whole: dict[str, object] = {}
    for each in change.changes:
        if isinstance(each, Put):
            holder = whole
            for key in each.path[:-1]:
                inner = holder.setdefault(key, {})
                holder = inner if isinstance(inner, dict) else {}
            holder[each.path[-1]] = each.data
    return json.dumps(whole, ensure_ascii=False, indent=2)
