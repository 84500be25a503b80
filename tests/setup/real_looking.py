"""Files as they are found in homes: of each host some by hand, each in four manners of writing."""

import json

SERVERS = {
    "github": {
        "command": "docker",
        "args": ["run", "-i", "--rm", "ghcr.io/github/github-mcp-server"],
        "env": {"T": "x"},
    },
    "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada"]},
}
MANY = {"numStartups": 41, "theme": "dark", "projects": {"/home/ada/shop": {"allowedTools": [], "history": ["a", "b"]}}}
HOOKS = {"Stop": [{"hooks": [{"type": "command", "command": "notify-send done"}]}], "PostToolUse": []}
TEXTS: dict[str, tuple[str, ...]] = {
    "json": (
        "{}",
        json.dumps({"mcpServers": SERVERS}, indent=2),
        json.dumps({**MANY, "mcpServers": {}}, indent=2),
        json.dumps({"hooks": HOOKS, "permissions": {"allow": ["Bash(git:*)"], "deny": ["Read(.env)"]}}, indent=4),
        '{\n  // what I use\n  "mcp": {\n    "github": {"type": "remote", "url": "https://x.example/mcp"}, // remote\n'
        '  },\n  "servers": {"a": {"type": "http", "url": "https://y.example"}},\n}',
        json.dumps({"mcpServers": SERVERS, "hooks": HOOKS}),
        '{\n\t"version": 1,\n\t"hooks": {\n\t\t"stop": [\n\t\t\t{ "command": "./done.sh" }\n\t\t]\n\t}\n}',
        '{\n    "$schema": "https://opencode.ai/config.json",\n    "permission": "allow",\n    "model": "a/b"\n}',
        '{\n  "security": { "auth": { "selectedType": "oauth" } },\n  "ui": { "theme": "GitHub" } /* nice */\n}',
        '{"servers":{},"inputs":[{"type":"promptString","id":"key","password":true}]}',
    ),
    "toml": (
        "",
        'model = "gpt-5.2-codex"\nmodel_reasoning_effort = "high"\n',
        '# my settings\napproval_policy = "on-request"\n\n[mcp_servers.github]\ncommand = "docker"\nargs = ["run"]\n',
        '[projects."/home/ada/shop"]\ntrust_level = "trusted"\n\n# the end\n',
        '[tui]\nnotifications = true # ring\n\n[[skills]]\nname = "a"\n\n[[skills]]\nname = "b"',
        'notify = ["python3", "/home/ada/notify.py"]\n\n[features]\nmemories = true\n',
        '[mcp_servers]\n[mcp_servers.a]\ncommand = "x"\nenv = { A = "b" }\n',
        'instructions = """\nBe brief.\n[mcp_servers.commonplace] is not here\n"""\n',
        '[shell_environment_policy]\ninherit = "core"\n[shell_environment_policy.set]\nA = "1"\n',
        '[model_providers.local]\nname = "local"\nbase_url = "http://127.0.0.1:1/v1"\n\n\n',
    ),
}


def manners(text: str) -> list[str]:
    """The same with other line ends, a byte order mark, and more blank lines at the end."""
    windows = text.replace("\n", "\r\n")
    return [text, windows, "\ufeff" + windows, text + "\n\n"]
