"""What a host says on stdin as an event, and what is answered in the host's own form. Nothing here reads or writes."""

import json
from collections.abc import Mapping
from enum import StrEnum
from hashlib import blake2b

from commonplace.domain.record import Record

LABEL_LENGTH = 200
PATH_LENGTH = 4_096


class Host(StrEnum):
    """The programs whose hooks are understood."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"
    OPENCODE = "opencode"
    CURSOR = "cursor"
    VSCODE = "vscode"


class Moment(StrEnum):
    """When in a session a hook is called, whatever the host calls it."""

    START = "start"
    PROMPT = "prompt"
    STOP = "stop"
    COMPACT = "compact"
    END = "end"


_MOMENTS = {
    "sessionstart": Moment.START,
    "userpromptsubmit": Moment.PROMPT,
    "beforesubmitprompt": Moment.PROMPT,
    "beforeagent": Moment.PROMPT,
    "stop": Moment.STOP,
    "afteragent": Moment.STOP,
    "precompact": Moment.COMPACT,
    "sessionend": Moment.END,
}
"""Gemini's PreCompress is not among them: it comes before every request to the model."""

_PEOPLE = ("", "user", "sdk")
"""The sources of a prompt that is a person's; the others are alarms and polls of the host."""

_CANNOT_ADD = {(Host.VSCODE, Moment.PROMPT)}
_SHOWS_NOTES = (Host.CLAUDE_CODE, Host.CODEX, Host.GEMINI, Host.VSCODE)


class Event(Record):
    """One call of a hook: by which host, when, in which session and folder, and what the person typed."""

    host: Host
    moment: Moment
    name: str
    session: str
    folder: str
    prompt: str = ""
    transcript: str = ""
    source: str = ""
    turn: str = ""

    @property
    def takes_context(self) -> bool:
        """Whether the host can put something before the model at this moment."""
        return self.moment in (Moment.START, Moment.PROMPT) and (self.host, self.moment) not in _CANNOT_ADD

    @property
    def key(self) -> str:
        """The same for every hook that fires for this one moment of a session, whoever runs it."""
        said = self.turn if self.moment is not Moment.PROMPT else self.prompt
        name = "\x00".join((self.session, self.moment, self.source, said))
        return blake2b(name.encode("utf-8", "replace"), digest_size=16).hexdigest()


def read(named: Host, given: object, surroundings: Mapping[str, str]) -> Event | None:
    """The event that a host's JSON tells of, or None where there is nothing for us to do.

    Hosts run each other's hooks: which one it is, what came in tells better than the name in the settings.
    """
    if not isinstance(given, dict):
        return None
    name = _label(given, "hook_event_name", "hookEventName")
    moment = _MOMENTS.get(name.lower())
    session = _label(given, "session_id", "sessionId", "conversation_id")
    if moment is None or not session or given.get("agent_id"):
        return None
    source = _label(given, "source")
    if moment is Moment.PROMPT and source not in _PEOPLE:
        return None
    return Event(
        host=_host(named, given, surroundings),
        moment=moment,
        name=name,
        session=session,
        folder=_path(given, "cwd") or _first_root(given),
        prompt=_text(given, "prompt"),
        transcript=_path(given, "transcript_path"),
        source=source,
        turn=_label(given, "prompt_id", "turn_id", "generation_id"),
    )


def _host(named: Host, given: Mapping[str, object], surroundings: Mapping[str, str]) -> Host:
    if surroundings.get("CURSOR_VERSION") or "cursor_version" in given:
        return Host.CURSOR
    if "hook_event_name" not in given:
        return Host.VSCODE
    return named


def answer(event: Event, context: str, note: str = "") -> str:
    """What goes to stdout, in the host's form: context for the model, a note for the person; nothing is an empty text.

    Only the two moments that take context are answered: at the end of a turn it would make the model go on.
    """
    added = context if event.takes_context else ""
    shown = note if event.host in _SHOWS_NOTES else ""
    said: dict[str, object] = {}
    if added and event.host is Host.CURSOR:
        said = {"continue": True} if event.moment is Moment.PROMPT else {}
        said["additional_context"] = added
    elif added and event.host is Host.OPENCODE:
        said["additionalContext"] = added
    elif added:
        said["hookSpecificOutput"] = {"hookEventName": event.name, "additionalContext": added}
    if shown:
        said["systemMessage"] = shown
    return json.dumps(said, ensure_ascii=False) if said else ""


def _text(given: Mapping[str, object], name: str) -> str:
    value = given.get(name)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _label(given: Mapping[str, object], *names: str) -> str:
    found = next((text for name in names if (text := _text(given, name))), "")
    return found if len(found) <= LABEL_LENGTH and found.isprintable() else ""


def _path(given: Mapping[str, object], name: str) -> str:
    found = _text(given, name)
    return found if len(found) <= PATH_LENGTH and "\0" not in found else ""


def _first_root(given: Mapping[str, object]) -> str:
    roots = given.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return _path({"root": first}, "root")
