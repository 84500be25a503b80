"""Configuration files as people and programs leave them: generated with all that JSON with comments and TOML allow."""

import json
from random import Random
from typing import Any, NamedTuple

WORDS = (
    "alpha",
    "Größe",
    "path",
    "日本",
    "a b",
    'quo"te',
    "back\\slash",
    "x" * 60,
    "// no comment",
    "/* nor this */",
    "",
)
SERVERS: tuple[dict[str, Any], ...] = (
    {"command": "npx", "args": ["-y", "@scope/server", "/home/ada"], "env": {"TOKEN": "abc"}},
    {"command": "uvx", "args": ["tool"]},
    {"type": "http", "url": "https://example.org/mcp", "headers": {"Authorization": "Bearer x"}},
)
HOOK = {"matcher": "Bash", "hooks": [{"type": "command", "command": "echo 'hook'", "timeout": 5}]}


class Made(NamedTuple):
    """A file's text, what it says, and the comments in it in their order."""

    text: str
    data: dict[str, Any]
    comments: list[str]


# -- JSON -------------------------------------------------------------------------------------


def made_json(random: Random, holders: tuple[str, ...]) -> Made:
    """An object that may hold some of what the host keeps there, in some person's manner of writing."""
    data = _object(random, 2)
    for name in holders:
        if random.random() < 0.5:
            data[name] = _held(random, name)
    items = list(data.items())
    random.shuffle(items)
    data = dict(items)
    writer = _Writer(random)
    text = writer.value(data, 0)
    before = random.choice(["", "", "\n", "// the head\n", "/* head */ "])
    after = random.choice(["", "\n", "\n\n", "\n// the end\n"])
    whole = (before + text + after).replace("\n", random.choice(["\n", "\r\n"]))
    comments = [each for each in (before.strip(), *writer.comments, after.strip()) if each]
    return Made(random.choice(["", "", "\ufeff"]) + whole, data, comments)


def _held(random: Random, name: str) -> Any:
    if name == "hooks":
        return {event: [HOOK] * random.randint(0, 2) for event in random.sample(["Stop", "SessionStart", "stop"], 2)}
    if name == "permissions":
        return {"allow": ["Bash(ls)"] * random.randint(0, 2), "deny": []}
    if name == "permission":
        return random.choice(["allow", {"bash": "ask"}, {}])
    if name == "version":
        return 1
    return {f"server-{number}": random.choice(SERVERS) for number in range(random.randint(0, 3))}


def _object(random: Random, depth: int) -> dict[str, Any]:
    return {f"{random.choice(WORDS)}-{number}": _value(random, depth) for number in range(random.randint(0, 4))}


def _value(random: Random, depth: int) -> Any:
    kind = random.randint(0, 7 if depth else 5)
    if kind == 6:
        return _object(random, depth - 1)
    if kind == 7:
        return [_value(random, depth - 1) for _ in range(random.randint(0, 3))]
    return (random.choice(WORDS), random.randint(-9, 10**12), -0.5, True, False, None)[kind]


class _Writer:
    """Writes a value in one manner: spread or on a line, with tabs or blanks, with comments and commas or not."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.unit = random.choice(["  ", "    ", "\t"])
        self.spread = random.random() < 0.8
        self.trailing = random.random() < 0.3
        self.chatty = 0.15 if random.random() < 0.5 else 0.0
        self.tight = random.random() < 0.5
        self.ascii = random.random() < 0.5
        self.comments: list[str] = []

    def value(self, data: Any, depth: int) -> str:
        if isinstance(data, dict) and data:
            items = [(self._key(key), value) for key, value in data.items()]
            return self._spread("{", items, "}", depth)
        if isinstance(data, list) and data:
            return self._spread("[", [("", value) for value in data], "]", depth)
        if data in ({}, []) and self.random.random() < 0.2 and self.spread:
            return ("{%s}" if data == {} else "[%s]") % f"\n{self.unit * depth}"
        return json.dumps(data, ensure_ascii=self.ascii)

    def _key(self, key: str) -> str:
        return json.dumps(key, ensure_ascii=self.ascii) + (":" if self.tight else ": ")

    def _spread(self, opening: str, items: list[tuple[str, Any]], closing: str, depth: int) -> str:
        spread = self.spread and (depth < 2 or self.random.random() < 0.7)
        lines = opening
        for number, (key, value) in enumerate(items):
            last = number == len(items) - 1
            lead = "\n" + self.unit * (depth + 1) if spread else ("" if number == 0 or self.tight else " ")
            if spread and self.random.random() < self.chatty:
                lines += lead + self._comment(line=True)
            lines += lead + key + self.value(value, depth + 1)
            lines += "," if not last or self.trailing else ""
            if spread and self.random.random() < self.chatty:
                lines += " " + self._comment(line=self.random.random() < 0.5)
        return lines + ("\n" + self.unit * depth if spread else "") + closing

    def _comment(self, line: bool) -> str:
        text = f'note {len(self.comments)} {{ " ,'
        made = f"// {text}" if line else f"/* {text} */"
        self.comments.append(made)
        return made


# -- TOML -------------------------------------------------------------------------------------

STATEMENTS = (
    'model = "gpt-5"',
    "approval_policy = 'on-request' # asks",
    'notes = """\n[mcp_servers.commonplace]\ncommand = "not this"\n"""',
    "literal = '''\n# not a comment\n'''",
    "many = [\n  1, # one\n  2,\n]",
    'point = { x = 1, "y" = "]" }',
    "when = 2026-03-01T09:30:00Z",
    'dotted.key = "v"',
)
TABLES = (
    '[mcp_servers.other]\ncommand = "npx"\nargs = ["-y", "x"] # as told\n',
    '[mcp_servers."with space"]\ncommand = "x"\n\n[mcp_servers."with space".env]\nA = "b"\n',
    '[profiles.fast]\nmodel = "small"\n# the end of fast\n',
    '[projects."/home/ada/shop"]\ntrust_level = "trusted"\n',
    "[[extra]]\nname = 'one'\n\n[[extra]]\nname = 'two'\n",
    "[ features ]\nmemories = false\n",
)


def made_toml(random: Random) -> Made:
    """A Codex file; what it says is for a reader of TOML to tell."""
    lines = [*random.sample(STATEMENTS, random.randint(0, 5)), ""]
    tables = random.sample(TABLES, random.randint(0, 4))
    notes = [f"# note {number}" for number in range(random.randint(0, 3))]
    parts = ["\n".join(lines)] if lines != [""] else []
    for each in tables:
        parts.append(each)
        if notes and random.random() < 0.5:
            parts.append(notes.pop() + "\n")
    text = random.choice(["", "\n"]).join(parts)
    if random.random() < 0.2:
        text = text.rstrip("\n")
    text = random.choice(["", "", "\ufeff"]) + text.replace("\n", random.choice(["\n", "\r\n"]))
    return Made(text, {}, [])
