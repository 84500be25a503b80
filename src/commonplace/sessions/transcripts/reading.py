"""Opening a transcript: which format it has, and its conversations and turns one after another, within the limits."""

import io
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TextIO

from commonplace.domain.record import replace
from commonplace.domain.validation import LABEL_LENGTH_LIMIT
from commonplace.errors import InvalidInput, TooMany
from commonplace.sessions.transcripts import (
    archives,
    beside,
    claude_code,
    codex,
    exports,
    gemini,
    messages,
    opencode,
    plain,
)
from commonplace.sessions.transcripts.json_stream import Member, members
from commonplace.sessions.transcripts.lines import PIECE_CHARACTERS, Ahead, Records, clean, loaded, pieces
from commonplace.sessions.transcripts.spoken import Json, text_in
from commonplace.sessions.transcripts.turns import TURN_COUNT_LIMIT, Conversation, Turn, cut
from commonplace.workspace.bounded_files import open_plain

PROBE_LINES = 20
PATH_LENGTH_LIMIT = 4_096
_DATABASE = b"SQLite format 3\0"
_PACKED = {b"\x28\xb5\x2f\xfd": "zstd -d", b"\x1f\x8b": "gunzip"}


class Format(StrEnum):
    """How a transcript is written. `auto` looks at how it begins."""

    AUTO = "auto"
    TEXT = "text"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini-cli"
    OPENCODE = "opencode"
    CLINE = "cline"
    CURSOR = "cursor"
    COPILOT = "copilot"
    CHATGPT = "chatgpt"
    CLAUDE_AI = "claude-ai"
    MESSAGES = "messages"


LINES: Mapping[Format, Callable[[Iterable[Json]], Conversation]] = {
    Format.CLAUDE_CODE: claude_code.read,
    Format.CODEX: codex.read,
    Format.GEMINI: gemini.read,
    Format.CURSOR: messages.read_cursor,
    Format.COPILOT: messages.read_copilot,
    Format.MESSAGES: messages.read,
}
DOCUMENTS: Mapping[Format, Callable[[Iterable[Member]], Iterator[Conversation]]] = {
    Format.GEMINI: gemini.read_document,
    Format.OPENCODE: opencode.read_document,
    Format.CLINE: messages.read_cline,
    Format.COPILOT: messages.read_copilot_document,
    Format.CHATGPT: exports.read_chatgpt,
    Format.CLAUDE_AI: exports.read_claude_ai,
    Format.MESSAGES: messages.read_document,
}
SEVERAL = (Format.CHATGPT, Format.CLAUDE_AI)
NONE_OF_THESE = (
    "The transcript is JSON in none of the formats that are read. These are: the files of Claude Code, Codex, Gemini "
    "CLI, opencode, Cline, Cursor and GitHub Copilot, the exports of ChatGPT and Claude.ai, messages with role and "
    "content, and plain text with speakers (User: …)."
)


# -- doors ------------------------------------------------------------------------------------


def read_text(text: str, format: Format = Format.AUTO, surface: str | None = None) -> Iterator[Turn]:
    """The turns of a transcript that is at hand as a text."""
    return _turns(_conversations(io.StringIO(text), format), surface)


def read_file(path: Path, format: Format = Format.AUTO, surface: str | None = None) -> Iterator[Turn]:
    """The turns of a transcript in a file, read as they are asked for."""
    return (turn for each in read_conversations(path, format, surface) for turn in each.turns)


def read_stream(stream: TextIO, name: str, format: Format = Format.AUTO, surface: str | None = None) -> Iterator[Turn]:
    """The turns of a transcript in a stream that is called so, read as they are asked for."""
    try:
        yield from _turns(_conversations(stream, format), surface)
    except UnicodeDecodeError:
        raise InvalidInput(f"{name} is not UTF-8 text: convert it, or name the right file.", "path") from None


def read_conversations(path: Path, format: Format = Format.AUTO, surface: str | None = None) -> Iterator[Conversation]:
    """The conversations in a file, one after another: text, JSON, an archive as downloaded, opencode's database.

    The turns of one have to be read before the next is asked for. A file with several is looked through to its end
    before the first is given: one that is damaged gives none.
    """
    try:
        with open_plain(path) as file, io.TextIOWrapper(file, "utf-8-sig", "surrogateescape") as text:
            start = file.read(len(_DATABASE))
            file.seek(0)
            for magic, command in _PACKED.items():
                if start.startswith(magic):
                    raise InvalidInput(f"{path} is compressed: unpack it with '{command}' and name what comes out.")
            found: Iterable[Conversation]
            if start == _DATABASE:
                found = opencode.read_database(path)
            elif start.startswith(archives.MAGIC):
                found = archives.read_archive(file, path, lambda part: _conversations(part, Format.AUTO))
            else:
                found = _conversations(text, format)
            for each in found:
                yield _within_limits(beside.completed(each, path), surface)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read ({error.strerror or error}): name a readable file.") from error


def _turns(found: Iterable[Conversation], surface: str | None) -> Iterator[Turn]:
    for each in found:
        yield from _within_limits(each, surface).turns


# -- which format -----------------------------------------------------------------------------


def detect(lines: Iterable[str]) -> Format:
    """What the beginning of a transcript says about its format. JSON of none that we know is refused."""
    text = Ahead(iter(lines))
    probe = _probe(text.look())
    if not _is_json(probe):
        return Format.TEXT
    found = _line_format(probe) or _document_format(iter(text))
    if found is None:
        raise InvalidInput(NONE_OF_THESE, "transcript")
    return found


def _probe(lines: Iterator[str]) -> list[str]:
    """The first lines that say something, but no more of them than can be held."""
    found: list[str] = []
    size = 0
    for line in islice(lines, PROBE_LINES):
        size += len(line)
        found.extend((line,) if line.strip() else ())
        if size >= PIECE_CHARACTERS:
            break
    return found


def _is_json(lines: list[str]) -> bool:
    """Whether lines are meant to be JSON: they begin like it, or the first lost its beginning and the others do.

    A bracket opens a time, a link or a task in prose too: there JSON goes on as JSON does.
    """
    first, *rest = [line.strip() for line in lines] or [""]
    if first.startswith("["):
        inside = first.lstrip("[ \t")
        whole = not rest and first.endswith("]") and not (first.startswith("[[") and inside[:1].isalnum())
        return first in ("[", "[[") or inside.startswith(("{", '"')) or first.startswith("[[[") or whole
    follows = bool(rest) and all(line.startswith("{") for line in rest)
    return first.startswith("{") or (first.endswith("}") and follows)


def _line_format(lines: list[str]) -> Format | None:
    """The format that one of these lines is a record of, if the first or most are records: a document may hold some."""
    records = [loaded(line) for line in lines]
    lined = records[:1] != [None] or records.count(None) * 2 <= len(records)
    formats = (_record_format(record) for record in records if lined and record is not None)
    return next((found for found in formats if found is not None), None)


def _record_format(record: Json) -> Format | None:
    sort = text_in(record, "type") or ""
    if (sort in codex.TYPES and "payload" in record) or (sort == "message" and "role" in record):
        return Format.CODEX
    if sort in messages.COPILOT_EVENTS and "data" in record:
        return Format.COPILOT
    if sort in claude_code.TYPES and not record.keys().isdisjoint(("message", "sessionId", "leafUuid")):
        return Format.CLAUDE_CODE
    if "$set" in record or "$rewindTo" in record or (sort in gemini.TYPES and {"id", "content"} <= record.keys()):
        return Format.GEMINI
    if "projectHash" in record and "messages" not in record:
        return Format.GEMINI
    if "role" in record and isinstance(record.get("message"), dict):
        return Format.CURSOR
    return Format.MESSAGES if "role" in record and not record.keys().isdisjoint(("content", "text")) else None


def _document_format(lines: Iterator[str]) -> Format | None:
    """The format that a document turns out to have, as far as it has to be read for that."""
    try:
        formats = (_member_format(name, value) for name, value in members(lines))
        return next((found for found in formats if found is not None), None)
    except TooMany:
        raise
    except InvalidInput:  # it is no JSON to that place, and so none of ours
        return None


def _member_format(name: str | None, value: object) -> Format | None:
    if name == "mapping":
        return Format.CHATGPT
    if name == "chat_messages":
        return Format.CLAUDE_AI
    if name not in (None, "messages", "requests", "conversations") or not isinstance(value, dict):
        return None
    if name in (None, "conversations") and not value.keys().isdisjoint(("mapping", "chat_messages")):
        return Format.CHATGPT if "mapping" in value else Format.CLAUDE_AI
    if name == "requests":
        return Format.COPILOT if "message" in value else None
    if name == "messages" and isinstance(value.get("info"), dict) and "parts" in value:
        return Format.OPENCODE
    if name == "messages" and text_in(value, "type") in gemini.TYPES:
        return Format.GEMINI
    if "role" not in value or value.keys().isdisjoint(("content", "text")):
        return None
    return Format.CLINE if "ts" in value else Format.MESSAGES


# -- conversations ----------------------------------------------------------------------------


def _conversations(stream: TextIO, format: Format) -> Iterator[Conversation]:
    ahead = Ahead(pieces(stream))
    lined = _line_format(_probe(ahead.look()))
    format = detect(ahead.look()) if format is Format.AUTO else format
    text = iter(ahead)
    if format is Format.TEXT:
        yield Conversation(plain.turns(clean(text)))
    elif format in LINES and (format not in DOCUMENTS or lined is format):
        records = Records(text)
        found = LINES[format](records)
        yield replace(found, skipped=records.skipped)
    else:
        if format in SEVERAL and stream.seekable():
            deque(members(clean(text)), maxlen=0)  # to its end, so that one that is damaged gives nothing
            stream.seek(0)
            text = pieces(stream)
        yield from DOCUMENTS[format](members(clean(text)))


def _within_limits(found: Conversation, surface: str | None) -> Conversation:
    """A conversation whose turns know where they were held, and that says of itself only what can be used."""
    folder, title = found.project, " ".join((found.title or "").split())
    known = folder is not None and len(folder) <= PATH_LENGTH_LIMIT and folder.isprintable()
    return replace(
        found,
        turns=_limited(found.turns, surface or found.host),
        key=found.key if found.key and len(found.key) <= LABEL_LENGTH_LIMIT and found.key.isprintable() else None,
        project=folder if known else None,
        title=title[:LABEL_LENGTH_LIMIT] if title.isprintable() and title else None,
    )


def _limited(turns: Iterable[Turn], surface: str | None) -> Iterator[Turn]:
    for count, turn in enumerate(part for each in turns for part in cut(each)):
        if count >= TURN_COUNT_LIMIT:
            raise InvalidInput(
                f"The transcript has more than {TURN_COUNT_LIMIT:,} turns: split it up and read the parts.",
                "transcript",
            )
        yield turn if turn.surface or not surface else replace(turn, surface=surface)
