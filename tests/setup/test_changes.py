"""Whatever is in a host's file stays there: what setup adds goes in and comes out, and nothing else changes."""

import json
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from commonplace.setup import jsonc, toml_text
from commonplace.setup.changes import CannotChange, Change, Listed, Put, Table, Whole, added, found_before, removed
from commonplace.setup.hosts import HOSTS, FileChange
from commonplace.setup.launch import Launch, Surroundings
from commonplace.setup.receipts import Receipt, digest, edits_between
from tests.setup.made_files import Made, made_json, made_toml

GENERATED = 1_000  # for each host, shared by its files
AROUND = Surroundings("linux", "/home/ada", {})
LAUNCH = Launch(("/opt/cp/bin/commonplace",), "/home/ada/book.db", {"COMMONPLACE_MODELS": "/srv/models"})
OTHER = Launch(("/usr/bin/commonplace",), "/home/ada/other.db", {})
EDITED: dict[str, FileChange] = {
    f"{host.name}-{Path(each.path).name}": each
    for host in HOSTS
    if host.written
    for each in host.files(AROUND, LAUNCH)
    if not isinstance(each.changes[0], Whole)
}


def holders(change: FileChange) -> tuple[str, ...]:
    return tuple({each.path[0]: None for each in change.changes if not isinstance(each, Whole)})


def files(name: str, seed: str, count: int) -> list[Made]:
    random, change = Random(seed), EDITED[name]
    if isinstance(change.changes[0], Table):
        return [made_toml(random) for _ in range(count)]
    return [made_json(random, holders(change)) for _ in range(count)]


def share(name: str) -> int:
    """How many of a host's thousand files are of this name."""
    (host,) = [each.name for each in HOSTS if name.startswith(f"{each.name}-")]
    return GENERATED // len([each for each in EDITED if each.startswith(f"{host}-")])


def says(text: str, change: Change) -> Any:
    return toml_text.read(text) if isinstance(change, Table) else jsonc.read(text).data


def may_keep(data: dict[str, Any], changes: tuple[Change, ...], expected: dict[str, Any]) -> dict[str, Any]:
    """What a file says but for a version that was added and stays because others need it."""
    staying = {each.path[0] for each in changes if isinstance(each, Put) and each.stays and len(data) > 1}
    return {key: value for key, value in data.items() if key in expected or key not in staying}


def comments(text: str) -> list[str]:
    """Every comment, found by a walk over the characters that knows nothing but strings."""
    found, place = [], 0
    while place < len(text):
        if text[place] == '"':
            place += 1
            while text[place] != '"':
                place += 2 if text[place] == "\\" else 1
            place += 1
        elif text.startswith("//", place):
            end = text.find("\n", place)
            end = len(text) if end < 0 else end
            found.append(text[place:end].rstrip("\r"))
            place = end
        elif text.startswith("/*", place):
            end = text.index("*/", place) + 2
            found.append(text[place:end])
            place = end
        else:
            place += 1
    return found


def without_lines(longer: str, shorter: str) -> bool:
    """Whether every line of the shorter text is in the longer one, in its order, but for commas."""
    lines = iter(line.replace(",", "").strip() for line in longer.splitlines())
    return all(line.replace(",", "").strip() in lines for line in shorter.splitlines() if line.strip())


@pytest.mark.parametrize("name", EDITED)
def test_nothing_is_lost_in_a_thousand_files(name: str) -> None:
    changes = EDITED[name].changes
    first = changes[0]
    to_the_byte = refused = 0
    for made in files(name, name, share(name)):
        if not isinstance(first, Table):
            assert says(made.text, first) == made.data
            assert comments(made.text) == made.comments
        try:
            after = added(made.text, changes)
        except CannotChange:
            refused += 1
            continue
        assert added(after, changes) == after, "once more changes nothing"
        assert after.startswith("\ufeff") == made.text.startswith("\ufeff")
        assert "\r\n" not in made.text or "\n" not in after.replace("\r\n", "")
        before = found_before(made.text, changes)
        receipt = Receipt(True, digest(after), edits_between(made.text, after), before)
        assert receipt.undone(after) == made.text, "to the byte, as nobody wrote since"
        taken = removed(after, changes, before)
        expected = says(made.text, first)
        assert may_keep(says(taken, first), changes, expected) == expected
        to_the_byte += taken == made.text
        if not isinstance(first, Table):
            assert comments(after) == made.comments == comments(taken)
    assert refused == 0
    assert to_the_byte > share(name) * 0.4
    print(f"{name}: {share(name)} files, 0 lost, {to_the_byte} back to the byte also without a receipt")


@pytest.mark.parametrize("name", EDITED)
def test_what_others_write_meanwhile_stays(name: str) -> None:
    """A host rewrites its file, or a person adds to it; an upgrade moves our program; then all of ours is taken out."""
    change = EDITED[name]
    host = next(each for each in HOSTS if name.startswith(f"{each.name}-"))
    (later,) = [each for each in host.files(AROUND, OTHER) if each.path == change.path]
    for made in files(name, f"others {name}", 100):
        first = change.changes[0]
        text = added(made.text, change.changes)
        before = found_before(made.text, change.changes)
        if isinstance(first, Table):
            text += "\n[theirs]\nx = 1\n" if "\r" not in text else "\r\n[theirs]\r\nx = 1\r\n"
            expected = {**toml_text.read(made.text), "theirs": {"x": 1}}
        else:
            data = {**jsonc.read(text).data, "theirs": {"x": 1}}  # type: ignore[dict-item]
            text = json.dumps(data, indent=2)
            expected = {**made.data, "theirs": {"x": 1}}
        before = before.then(found_before(text, later.changes))
        text = added(text, later.changes)
        assert "/opt/cp/bin" not in text, "what an older call wrote is replaced, not doubled"
        left = says(removed(text, later.changes, before), first)
        assert may_keep(left, later.changes, expected) == expected


# -- by hand ----------------------------------------------------------------------------------

ENTRY = Put(("mcpServers", "commonplace"), {"command": "/x/commonplace", "args": ["mcp"]}, needs="command")
MARKED = {"hooks": [{"type": "command", "command": "/x/commonplace", "args": ["hook", "claude-code"]}]}
HOOKED = Listed(("hooks", "Stop"), MARKED, "hook claude-code")
ALLOWED = Listed(("permissions", "allow"), "mcp__commonplace__memory_recall")


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1',
        "{'a': 1}",
        "{a: 1}",
        '{"a": 1}}',
        '{"a": 1,, "b": 2}',
        '{"a": 01}',
        '{"a": "x\ny"}',
        '{"a": NaN}',
        '["a"]',
        '"a"',
        "null",
        "/* open",
        "[" * 5_000,
        '{"a":' * 5_000,
        '{"mcpServers": []}',
        '{"mcpServers": "x"}',
        '{"mcpServers": {"commonplace": {"url": "https://example.org"}}}',
        '{"hooks": {"Stop": {}}}',
        '{"hooks": []}',
    ],
)
def test_what_cannot_be_understood_is_left_alone_with_a_reason(text: str) -> None:
    with pytest.raises(CannotChange) as caught:
        added(text, (ENTRY, HOOKED))
    assert caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        "model = ",
        "[mcp_servers",
        'mcp_servers = { other = { command = "x" } }',
        "mcp_servers = 1",
        '[mcp_servers]\ncommonplace = "x"',
        '[mcp_servers.commonplace]\nurl = "https://example.org"',
        "a = 1\na = 2",
    ],
)
def test_toml_that_cannot_be_understood_is_left_alone(text: str) -> None:
    with pytest.raises(CannotChange):
        added(text, (Table(("mcp_servers", "commonplace"), {"command": "x"}, needs="command"),))


def test_an_entry_by_hand_keeps_what_its_owner_added_and_comes_back() -> None:
    text = '{\n  "mcpServers": {\n    "commonplace": {"command": "commonplace", "disabled": true} // mine\n  }\n}\n'
    after = added(text, (ENTRY,))
    entry = jsonc.at(jsonc.read(after), ("mcpServers", "commonplace"))
    assert entry is not None
    assert entry.data == {"command": "/x/commonplace", "disabled": True, "args": ["mcp"]}
    assert "// mine" in after
    taken = removed(after, (ENTRY,), found_before(text, (ENTRY,)))
    assert jsonc.read(taken).data == jsonc.read(text).data


def test_a_table_by_hand_keeps_its_comments_and_keys() -> None:
    table = Table(("mcp_servers", "commonplace"), {"command": "/x", "env": {"A": "b"}}, needs="command")
    text = '[mcp_servers.commonplace]\ncommand = "commonplace" # mine\ntool_timeout_sec = 5\n\n[tail]\nx = 1\n'
    after = added(text, (table,))
    assert "# mine" in after
    assert tomllib.loads(after)["mcp_servers"]["commonplace"] == {
        "command": "/x",
        "tool_timeout_sec": 5,
        "env": {"A": "b"},
    }
    assert tomllib.loads(after)["tail"] == {"x": 1}
    assert tomllib.loads(removed(after, (table,), found_before(text, (table,)))) == tomllib.loads(text)


def test_what_was_there_before_setup_is_not_taken_out() -> None:
    text = json.dumps({"permissions": {"allow": [ALLOWED.data]}, "version": 1})
    changes = (ALLOWED, Put(("version",), 1, stays=True), HOOKED)
    after = added(text, changes)
    assert json.loads(removed(after, changes, found_before(text, changes))) == json.loads(text)


def test_a_hook_of_somebody_else_in_one_group_with_ours_stays() -> None:
    theirs = {"type": "command", "command": "echo"}
    ours = MARKED["hooks"][0]
    text = json.dumps({"hooks": {"Stop": [{"hooks": [theirs, ours]}]}})
    assert added(text, (HOOKED,)) == text, "it is there already"
    assert json.loads(removed(text, (HOOKED,), found_before("", (HOOKED,)))) == {
        "hooks": {"Stop": [{"hooks": [theirs]}]}
    }


def test_a_moved_program_takes_the_place_of_the_old_one() -> None:
    old = {"hooks": [{"type": "command", "command": "& 'C:\\Old Place\\commonplace.exe' 'hook' 'claude-code'"}]}
    theirs = {"hooks": [{"type": "command", "command": "say 'hook claude-code'"}]}
    after = added(json.dumps({"hooks": {"Stop": [old, theirs]}}), (HOOKED,))
    assert json.loads(after)["hooks"]["Stop"] == [theirs, MARKED]


def test_a_key_that_is_there_twice_is_changed_where_it_counts() -> None:
    text = '{"mcpServers": {"a": {"command": "x"}}, "mcpServers": {"b": {"command": "y"}}}'
    after = added(text, (ENTRY,))
    assert '"a": {"command": "x"}' in after
    assert set(json.loads(after)["mcpServers"]) == {"b", "commonplace"}


def test_something_else_in_the_place_of_permissions_does_no_harm() -> None:
    optional = Put(("permission", "commonplace_memory_forget"), "ask", optional=True)
    assert added('{"permission": "allow"}', (optional,)) == '{"permission": "allow"}'


def test_a_file_that_is_ours_altogether_is_not_somebody_elses() -> None:
    ours = Whole("// made by 'commonplace setup x'\nnew\n", "made by 'commonplace setup")
    assert added("", (ours,)) == ours.text == added("// made by 'commonplace setup x'\nold\n", (ours,))
    with pytest.raises(CannotChange):
        added("// theirs\n", (ours,))


def test_large_files_take_a_moment_and_not_an_hour() -> None:
    history = {f"/home/ada/project-{number}": {"history": ["x" * 200] * 20} for number in range(500)}
    text = json.dumps({"projects": history, "mcpServers": {}}, indent=2)
    assert len(text) > 2_000_000
    after = added(text, (ENTRY,))
    assert removed(after, (ENTRY,), found_before(text, (ENTRY,))) == text
    (edit,) = edits_between(text, after)
    assert "project-" not in edit[1] + edit[2], "a receipt keeps only what was changed"
