"""Claude Code's transcripts: a tree of lines, of which going back and asking again leaves branches."""

import re
from collections.abc import Iterable

from commonplace.domain.record import Record
from commonplace.sessions.transcripts.spoken import Json, milliseconds, text_in, texts_of, turn_of, wrapped
from commonplace.sessions.transcripts.turns import Conversation, Turn

TYPES = frozenset(
    "user assistant summary system progress attachment file-history-snapshot queue-operation last-prompt mode"
    " permission-mode atis-latch api-request api-request-shape api-request-blob tools-used cost-state custom-title"
    " ai-title".split()
)
_TREE = ("user", "assistant", "system", "attachment", "progress")
_ASIDE = ("isMeta", "isSidechain", "isCompactSummary", "isApiErrorMessage", "isVisibleInTranscriptOnly")
_NOTED = re.compile(r"<(user-memory-input)>")  # what somebody typed behind #, to be remembered


class _Line(Record):
    """A line of the tree, with what was said in it."""

    id: str | None
    parent: str | None
    turn: Turn | None
    asks: bool  # it is a prompt, at which one can go back and ask anew


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
        turn = _said(record) if sort in ("user", "assistant") else _said_meanwhile(record)
        lines.append(_Line(id, parent, turn, sort == "user" and turn is not None))
    turns = tuple(line.turn for line in _standing(lines, leaf) if line.turn is not None)
    return Conversation(turns, "claude-code", key, project, started, title)


def _said(record: Json) -> Turn | None:
    message = record.get("message")
    if not isinstance(message, dict) or not _by_somebody(record) or message.get("model") == "<synthetic>":
        return None
    content = message.get("content")
    if record.get("type") == "user":
        content = [wrapped(text, _NOTED) or text for text in texts_of(content)]
    return turn_of(record.get("type"), content, record.get("timestamp"))


def _said_meanwhile(record: Json) -> Turn | None:
    """What a person typed while the model worked: of all attachments the one that has words of theirs."""
    held = record.get("attachment")
    if not isinstance(held, dict) or held.get("type") != "queued_command" or held.get("commandMode") != "prompt":
        return None
    if not isinstance(held.get("origin"), dict) or not _by_somebody(held):
        return None
    return turn_of("user", held.get("prompt"), record.get("timestamp"))


def _by_somebody(record: Json) -> bool:
    """Whether a line is neither an aside of the host nor another agent's."""
    origin = record.get("origin")
    other = isinstance(origin, dict) and origin.get("kind") != "human"
    return not other and not any(record.get(mark) for mark in _ASIDE)


def _standing(lines: list[_Line], leaf: str | None) -> list[_Line]:
    """The lines that were not taken back.

    From the last line up, each one's parent stands. Beside that way, a prompt was taken back with all that hangs on
    it; other lines stand like what they hang on, since a host also forks where tools run side by side.
    """
    way = _way(lines, leaf)
    gone: set[str] = set()
    standing = []
    for line in lines:
        if line.id is None or line.id in way or not (line.asks or line.parent in gone):
            standing.append(line)
        else:
            gone.add(line.id)
    return standing


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
        if line.id is not None and line.parent is None and line.asks:
            break
        above = place.get(line.parent) if line.parent is not None else None
        at = above if above is not None else at - 1
    return way
