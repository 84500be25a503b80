"""Claude Code's transcripts: a tree of lines, of which going back and asking again leaves branches."""

from collections.abc import Iterable

from commonplace.domain.record import Record
from commonplace.sessions.transcripts.spoken import Json, milliseconds, text_in, texts_of, turn_of, wrapped
from commonplace.sessions.transcripts.turns import Conversation, Speaker, Turn

TYPES = frozenset(
    "user assistant summary system progress attachment file-history-snapshot queue-operation last-prompt mode"
    " permission-mode atis-latch api-request api-request-shape api-request-blob tools-used cost-state custom-title"
    " ai-title".split()
)
_TREE = ("user", "assistant", "system", "attachment", "progress")
_ASIDE = ("isMeta", "isSidechain", "isCompactSummary", "isApiErrorMessage", "isVisibleInTranscriptOnly")
_NOTED = ("user-memory-input",)  # what somebody typed behind #, to be remembered


class _Line(Record):
    """A line of the tree, with what was said in it."""

    id: str | None
    parent: str | None
    turn: Turn | None


def read(records: Iterable[Json]) -> Conversation:
    """What people and the model said in the main conversation, without what was taken back."""
    key = project = title = None
    started: int | None = None
    lines: list[_Line] = []
    known: set[str] = set()
    leaf: str | None = None
    for record in records:
        key = text_in(record, "sessionId") or key
        project = project or text_in(record, "cwd")
        started = milliseconds(record.get("timestamp")) if started is None else started
        id, sort = text_in(record, "uuid"), record.get("type")
        title = text_in(record, "customTitle") or title or text_in(record, "aiTitle")
        if sort == "last-prompt":
            leaf = text_in(record, "leafUuid") or leaf
        if sort not in _TREE or id in known or record.get("isSidechain"):
            continue
        if id is not None:
            known.add(id)
            leaf = id if sort in ("user", "assistant") else leaf
        parent = text_in(record, "parentUuid") or text_in(record, "logicalParentUuid")
        lines.append(_Line(id, parent, _said(record)))
    turns = tuple(line.turn for line in _standing(lines, leaf) if line.turn is not None)
    return Conversation(turns, "claude-code", key, project, started, title)


def _said(record: Json) -> Turn | None:
    message = record.get("message")
    if record.get("type") not in ("user", "assistant") or not isinstance(message, dict):
        return None
    if any(record.get(mark) for mark in _ASIDE) or message.get("model") == "<synthetic>":
        return None
    content = message.get("content")
    if record.get("type") == "user":
        content = [wrapped(text, _NOTED) or text for text in texts_of(content)]
    return turn_of(record.get("type"), content, record.get("timestamp"))


def _standing(lines: list[_Line], leaf: str | None) -> list[_Line]:
    """The lines that were not taken back.

    From the last line up, each one's parent stands. Beside that way, a prompt was taken back with all that hangs on
    it; other lines stand like what they hang on, since a host also forks where tools run side by side.
    """
    way = _way(lines, leaf)
    gone: set[str] = set()
    standing = []
    for line in lines:
        if line.id is None or line.id in way or not (_is_prompt(line) or line.parent in gone):
            standing.append(line)
        else:
            gone.add(line.id)
    return standing


def _is_prompt(line: _Line) -> bool:
    return line.turn is not None and line.turn.role is Speaker.USER


def _way(lines: list[_Line], leaf: str | None) -> set[str]:
    """The ids from the last line up to the first.

    Where a parent is lost, or a line that is no prompt has none, the line before takes its place. A prompt without
    one begins a conversation, perhaps anew.
    """
    place = {line.id: number for number, line in enumerate(lines) if line.id is not None}
    way: set[str] = set()
    at = place.get(leaf) if leaf is not None else None
    at = at if at is not None else len(lines) - 1
    while at >= 0:
        line = lines[at]
        if line.id is not None:
            if line.id in way:
                break
            way.add(line.id)
        if line.id is not None and line.parent is None and _is_prompt(line):
            break
        above = place.get(line.parent) if line.parent is not None else None
        at = above if above is not None else at - 1
    return way
