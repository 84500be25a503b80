"""What stands beside a transcript and not in it: the folder it was held in, or an id that is only its file's name."""

import json
from pathlib import Path

from commonplace.domain.record import replace
from commonplace.sessions.transcripts.spoken import milliseconds, text_in
from commonplace.sessions.transcripts.turns import Conversation
from commonplace.workspace.files import read_regular

BYTES_AT_MOST = 65_536


def completed(found: Conversation, path: Path) -> Conversation:
    """A conversation of this file, with what its host wrote elsewhere in its folder; strange things are nothing."""
    if found.host == "cursor":
        return replace(found, key=found.key or path.stem)
    if found.host == "gemini-cli" and found.project is None:
        return replace(found, project=_read(path.parent.parent / ".project_root").strip() or None)
    if found.host == "cline" and found.project is None:
        about = _object(_read(path.with_name(path.name.removesuffix(".messages.json") + ".json")))
        started = found.started if found.started is not None else milliseconds(about.get("started_at"))
        return replace(found, project=text_in(about, "cwd"), started=started)
    return found


def _read(path: Path) -> str:
    try:
        return read_regular(path, BYTES_AT_MOST).decode()
    except (OSError, UnicodeDecodeError):
        return ""


def _object(text: str) -> dict[str, object]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
