"""What of a message somebody said: not what a host says in the user's name, nor thinking, nor what tools answered."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from commonplace.domain.ids import DAY
from commonplace.sessions.transcripts.turns import Speaker, Turn

Json = Mapping[str, object]

HOST_TAGS = tuple(
    # Claude Code
    "system-reminder command-name command-message command-args command-contents local-command-caveat"
    " local-command-stdout local-command-stderr bash-input bash-stdout bash-stderr task-notification"
    " user-prompt-submit-hook session-start-hook post-tool-use-hook new-diagnostics ide_opened_file ide_selection"
    " ide_diagnostics teammate-message persisted-output"
    # Codex
    " environment_context user_instructions user_shell_command turn_aborted permissions skills_instructions skill"
    " hook_prompt subagent_notification collaboration_mode personality_spec model_switch apps_instructions"
    " plugins_instructions realtime_conversation user_action image"
    # Gemini CLI, opencode, Cline, Cursor, GitHub Copilot
    " session_context hook_context state_snapshot untrusted_context mcp_instructions environment_details"
    " file_content explicit_instructions attached_files open_and_recently_viewed_files additional_data user_info"
    " git_status project_layout agent_skills environment_info workspace_info editorContext reminderInstructions"
    " current_datetime".split()
)
"""Blocks that hosts put into what the user says: surroundings, reminders, echoes of commands, context of hooks."""

HOST_OPENINGS = (
    "Caveat: The messages below",
    "Stop hook feedback:",
    "# AGENTS.md instructions",
    "[Request interrupted",
    "This session is being continued from a previous conversation",
    "Another language model started to solve this problem",
    "This is the Gemini CLI. We are setting up the context for our chat",
    "Here is the user's editor context",
    "System: Please continue.",
    "[TASK RESUMPTION]",
    "[ERROR] You did not use a tool",
)
"""How messages begin that a host writes in the user's name from the first word to the last."""

INDENT = 20
"""So far from the margin a line may begin."""

_REQUEST = "## My request for Codex:"  # what stands above it is about the editor
_TAG = re.compile(rf"<(/?)({'|'.join(HOST_TAGS)})(?=[\s>/])[^<>]{{0,300}}>")
_THINKING = re.compile(r"<(/?)(think|thinking)>")
_CITED = re.compile("\ue200[^\ue201]{0,500}\ue201")
_SPEAKERS = {
    "user": Speaker.USER,
    "human": Speaker.USER,
    "assistant": Speaker.ASSISTANT,
    "model": Speaker.ASSISTANT,
    "gemini": Speaker.ASSISTANT,
}


def turn_of(role: object, content: object, at: object = None, surface: str | None = None) -> Turn | None:
    """The turn that a message is: what its speaker said, or nothing where nobody did."""
    speaker = _SPEAKERS.get(str(role).lower())
    said = "" if speaker is None else "\n\n".join(own_words(speaker, text) for text in texts_of(content)).strip()
    return Turn(speaker, said, milliseconds(at), surface) if speaker is not None and said else None


def own_words(speaker: Speaker, text: str) -> str:
    """What a speaker said in a text, without what a machine put around it."""
    if speaker is Speaker.ASSISTANT:
        return _CITED.sub("", _without_blocks(text, _THINKING)).strip()
    said = _without_blocks(text, _TAG).strip()
    if said.startswith("# Context from my IDE setup") and _REQUEST in said:
        said = said.partition(_REQUEST)[2].strip()
    return "" if speaker is Speaker.USER and said.startswith(HOST_OPENINGS) else said


def wrapped(text: str, tags: re.Pattern[str]) -> str | None:
    """What stands in blocks with these tags, if there are any: the user's words in a message of the host's."""
    found, place = [], 0
    for opening in tags.finditer(text):
        if opening.start() >= place:
            end = text.find(f"</{opening[1]}>", opening.end())
            place = len(text) if end < 0 else end
            found.append(text[opening.end() : place].strip())
    return "\n\n".join(found) if found else None


def text_in(record: Json, name: str) -> str | None:
    """A member of a record that is a text and says something."""
    value = record.get(name)
    return value if isinstance(value, str) and value else None


def texts_of(content: object) -> Iterator[str]:
    """The texts in a message's content: the whole of it, or its blocks of text."""
    for block in content if isinstance(content, list) else [content]:
        text = block if isinstance(block, str) else _block_text(block)
        if text and not text.isspace():
            yield text if text.isascii() and "\0" not in text else _encodable(text)


def _block_text(block: object) -> str:
    """Blocks of text have that type; those of Gemini have none, and say it of thoughts."""
    if not isinstance(block, dict) or block.get("type", "text") not in ("text", "input_text", "output_text"):
        return ""
    text = block.get("text")
    return text if isinstance(text, str) and not block.get("thought") else ""


def _encodable(text: str) -> str:
    """JSON can hold half characters and NUL, which no store can."""
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _without_blocks(text: str, tags: re.Pattern[str]) -> str:
    """The text without what stands between tags, and without tags that have no other.

    A block that is never closed counts if it begins a line, to the end; else somebody writes about it.
    """
    if "<" not in text:
        return text
    kept, place = [], 0
    never_closed: set[str] = set()  # looked for once, so that a text full of tags takes no longer than any other
    for opening in tags.finditer(text):
        start, closing = opening.start(), f"</{opening[2]}>"
        if start < place:
            continue
        if opening[1] or opening[0].endswith("/>"):
            end = opening.end()
        elif closing not in never_closed and (found := text.find(closing, opening.end())) >= 0:
            end = found + len(closing)
        else:
            never_closed.add(closing)
            if not _begins_line(text, start):
                continue
            end = len(text)
        kept.append(text[place:start])
        place = end
    return "".join((*kept, text[place:]))


def _begins_line(text: str, place: int) -> bool:
    before = text[max(0, place - INDENT) : place]
    return not before.rpartition("\n")[2].strip() and (place <= INDENT or "\n" in before)


def milliseconds(value: object) -> int | None:
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
