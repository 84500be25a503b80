"""Every host's JSON becomes one event, and every answer has the host's own form."""

import json

import pytest

from commonplace.hooks.events import Event, Host, Moment, answer, read

CLAUDE = {"session_id": "54b4", "transcript_path": "/t.jsonl", "cwd": "/home/ada/shop", "prompt_id": "86ae"}
VSCODE = {"sessionId": "v1", "cwd": "/home/ada/shop", "timestamp": "2026-11-16T04:16:07.143Z"}
CURSOR = {"conversation_id": "c1", "generation_id": "g1", "workspace_roots": ["/home/ada/shop"], "cursor_version": "2"}


@pytest.mark.parametrize(
    ("named", "given", "host", "moment"),
    [
        ("claude-code", {**CLAUDE, "hook_event_name": "SessionStart", "source": "compact"}, "claude-code", "start"),
        ("claude-code", {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "Hi"}, "claude-code", "prompt"),
        ("claude-code", {**CLAUDE, "hook_event_name": "PreCompact", "trigger": "auto"}, "claude-code", "compact"),
        ("codex", {**CLAUDE, "hook_event_name": "Stop", "turn_id": "t"}, "codex", "stop"),
        ("gemini", {**CLAUDE, "hook_event_name": "BeforeAgent", "prompt": "Hi"}, "gemini", "prompt"),
        ("gemini", {**CLAUDE, "hook_event_name": "AfterAgent"}, "gemini", "stop"),
        ("gemini", {**CLAUDE, "hook_event_name": "SessionEnd", "reason": "exit"}, "gemini", "end"),
        ("cursor", {**CURSOR, "hook_event_name": "beforeSubmitPrompt", "prompt": "Hi"}, "cursor", "prompt"),
        ("claude-code", {**CURSOR, "hook_event_name": "UserPromptSubmit", "prompt": "Hi"}, "cursor", "prompt"),
        ("claude-code", {**VSCODE, "hookEventName": "SessionStart", "source": "new"}, "vscode", "start"),
        ("opencode", {**CLAUDE, "hook_event_name": "SessionStart"}, "opencode", "start"),
    ],
)
def test_the_host_is_told_by_what_it_says(named: str, given: object, host: str, moment: str) -> None:
    event = read(Host(named), given, {})
    assert event is not None
    assert (event.host, event.moment) == (Host(host), Moment(moment))
    assert event.folder == "/home/ada/shop"


def test_cursor_is_known_by_its_surroundings() -> None:
    event = read(Host.CLAUDE_CODE, {**CLAUDE, "hook_event_name": "Stop"}, {"CURSOR_VERSION": "2.1"})
    assert event is not None
    assert event.host is Host.CURSOR


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        "text",
        {},
        {**CLAUDE, "hook_event_name": "PreCompress"},
        {**CLAUDE, "hook_event_name": "PostToolUse"},
        {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "Hi", "source": "poll_event"},
        {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "Hi", "agent_id": "a1"},
        {**CLAUDE, "hook_event_name": "Stop", "session_id": 7},
        {**CLAUDE, "hook_event_name": "Stop", "session_id": "a\x1b[31m"},
        {**CLAUDE, "hook_event_name": "Stop", "session_id": "a" * 10_000},
    ],
)
def test_what_is_not_ours_to_answer_is_nothing(given: object) -> None:
    assert read(Host.CLAUDE_CODE, given, {}) is None


@pytest.mark.parametrize("source", ["", "user", "sdk"])
def test_a_persons_prompt_is_answered(source: str) -> None:
    given = {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "Hi", "source": source}
    assert read(Host.CLAUDE_CODE, given, {}) is not None


def event(host: str, name: str, moment: str) -> Event:
    return Event(Host(host), Moment(moment), name, "s", "/")


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            event("claude-code", "SessionStart", "start"),
            {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "X"}, "systemMessage": "N"},
        ),
        (
            event("gemini", "BeforeAgent", "prompt"),
            {"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "X"}, "systemMessage": "N"},
        ),
        (event("cursor", "sessionStart", "start"), {"additional_context": "X"}),
        (event("cursor", "beforeSubmitPrompt", "prompt"), {"continue": True, "additional_context": "X"}),
        (event("opencode", "SessionStart", "start"), {"additionalContext": "X"}),
        (event("vscode", "UserPromptSubmit", "prompt"), {"systemMessage": "N"}),
        (event("claude-code", "Stop", "stop"), {"systemMessage": "N"}),
    ],
)
def test_an_answer_has_the_hosts_form(event: Event, expected: object) -> None:
    assert json.loads(answer(event, "X", "N")) == expected


@pytest.mark.parametrize("host", list(Host))
def test_nothing_to_say_is_no_output(host: Host) -> None:
    assert answer(event(host, "SessionStart", "start"), "") == ""


def test_the_same_moment_has_one_key_whoever_runs_the_hook() -> None:
    given = {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "Hi"}
    ours, theirs = read(Host.CLAUDE_CODE, given, {}), read(Host.CLAUDE_CODE, given, {"CURSOR_VERSION": "2"})
    other = read(Host.CLAUDE_CODE, {**given, "prompt": "Hello"}, {})
    assert ours is not None
    assert theirs is not None
    assert other is not None
    assert ours.key == theirs.key != other.key
