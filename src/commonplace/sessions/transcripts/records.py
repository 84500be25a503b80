"""What hosts write line by line as JSON, and which of it somebody said: no tool output, no thinking, no bookkeeping."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from commonplace.domain.ids import DAY
from commonplace.sessions.transcripts.turns import Speaker, Turn

CLAUDE_TYPES = frozenset("user assistant summary system progress file-history-snapshot queue-operation".split())
CODEX_TYPES = frozenset("session_meta response_item event_msg turn_context compacted".split())

# What hosts say in the user's name: instructions, surroundings, echoes of commands, summaries of what was cut off.
_NOT_SPOKEN = (
    "<environment_context",
    "<user_instructions",
    "<user_shell_command",
    "<turn_aborted",
    "<permissions",
    "<command-",
    "<local-command",
    "<system-reminder",
    "<task-notification",
    "<bash-",
    "Caveat: The messages below",
    "# AGENTS.md",
    "[Request interrupted",
    "This session is being continued from a previous conversation",
)


def sort_of(record: Mapping[str, object] | None) -> str | None:
    """The format a record belongs to; empty if it might be any, none if it is no record of ours."""
    if record is None:
        return None
    sort = record.get("type")
    if sort in CODEX_TYPES and "payload" in record:
        return "codex"
    if sort in CLAUDE_TYPES and ("message" in record or "sessionId" in record or "leafUuid" in record):
        return "claude-code"
    if sort == "message" and "role" in record:  # the older form, without an envelope
        return "codex"
    if "role" in record and ("content" in record or "text" in record):
        return "messages"
    return ""


def claude_turn(record: Mapping[str, object], surface: str | None) -> Turn | None:
    """A line of Claude Code: what a person or the model said in the main conversation."""
    aside = any(record.get(mark) for mark in ("isMeta", "isSidechain", "isCompactSummary", "isApiErrorMessage"))
    message = record.get("message")
    if aside or record.get("type") not in ("user", "assistant") or not isinstance(message, dict):
        return None
    return _turn(record.get("type"), message.get("content"), record.get("timestamp"), surface)


def codex_turn(record: Mapping[str, object], surface: str | None) -> Turn | None:
    """A line of a Codex rollout, or of the older form without an envelope. Events repeat what items say."""
    payload = record.get("payload") if record.get("type") == "response_item" else record
    if not isinstance(payload, dict) or payload.get("type") != "message":
        return None
    return _turn(payload.get("role"), payload.get("content"), record.get("timestamp"), surface)


def message_turn(record: Mapping[str, object], surface: str | None) -> Turn | None:
    """A message with role and content or text, as most programs write them."""
    own = record.get("surface")
    said = record.get("content", record.get("text"))
    at = record.get("at", record.get("timestamp"))
    return _turn(record.get("role"), said, at, own if isinstance(own, str) else surface)


PARSERS: Mapping[str, Callable[[Mapping[str, object], str | None], Turn | None]] = {
    "claude-code": claude_turn,
    "codex": codex_turn,
    "messages": message_turn,
}


_SPEAKERS = {
    "user": Speaker.USER,
    "human": Speaker.USER,
    "assistant": Speaker.ASSISTANT,
    "model": Speaker.ASSISTANT,
}


def _turn(role: object, content: object, at: object, surface: str | None) -> Turn | None:
    speaker = _SPEAKERS.get(str(role).lower())
    said = _spoken(content)
    if speaker is None or not said:
        return None
    return Turn(speaker, said, _milliseconds(at), surface)


def _spoken(content: object) -> str:
    """The text of a message: as it is, or its blocks of text."""
    blocks = content if isinstance(content, list) else [content]
    texts = [block if isinstance(block, str) else _block_text(block) for block in blocks]
    return "\n\n".join(text.strip() for text in texts if text.strip() and not text.lstrip().startswith(_NOT_SPOKEN))


def _block_text(block: object) -> str:
    if not isinstance(block, dict) or block.get("type") not in ("text", "input_text", "output_text"):
        return ""
    text = block.get("text")
    return text if isinstance(text, str) else ""


def _milliseconds(value: object) -> int | None:
    """A time as hosts write it; a strange one is no reason to lose what was said."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value >= 0 else None
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    since = moment - datetime.fromtimestamp(0, UTC)
    return max(0, since.days * DAY + since.seconds * 1000 + since.microseconds // 1000)
