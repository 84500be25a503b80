"""opencode's conversations: one that was exported, or all that are in its database."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import apsw

from commonplace import deadline
from commonplace.domain.record import replace
from commonplace.errors import InvalidInput
from commonplace.sessions.transcripts.json_stream import Member
from commonplace.sessions.transcripts.spoken import Json, milliseconds, text_in, turn_of
from commonplace.sessions.transcripts.turns import LINE_CHARACTERS, Conversation, Speaker, Turn

STEPS_BETWEEN_CHECKS = 100_000
_TABLES = {
    "session": ("id", "parent_id", "directory", "title", "time_created"),
    "message": ("id", "session_id", "time_created", "data"),
    "part": ("id", "message_id", "data"),
}


def read_document(members: Iterable[Member]) -> Iterator[Conversation]:
    """The conversation of an export."""
    about: Json = {}
    found: list[tuple[str, Turn]] = []
    skipped = 0
    for name, value in members:
        if name == "info" and isinstance(value, dict):
            about = value
        elif name == "messages":
            message = value if isinstance(value, dict) else {}
            info, parts = message.get("info"), message.get("parts")
            if not isinstance(info, dict) or not isinstance(parts, list):
                skipped += 1
            elif (turn := _turn(info, parts)) is not None:
                found.append((text_in(info, "id") or "", turn))
    times = about.get("time")
    yield Conversation(
        () if text_in(about, "parentID") else _standing(found, about.get("revert")),
        "opencode",
        text_in(about, "id"),
        text_in(about, "directory"),
        milliseconds(times.get("created")) if isinstance(times, dict) else None,
        text_in(about, "title"),
        skipped,
    )


def _turn(info: Json, parts: Iterable[object]) -> Turn | None:
    """What a message says itself: no part that was put there for it, no summary of what was cut off."""
    times = info.get("time")
    spoken = (part for part in parts if isinstance(part, dict) and part.get("type") == "text")
    texts = [part for part in spoken if not part.get("synthetic") and not part.get("ignored")]
    at = times.get("created") if isinstance(times, dict) else None
    turn = None if info.get("summary") is True else turn_of(info.get("role"), texts, at)
    return turn if turn is None or turn.role is not Speaker.USER else replace(turn, text=_unquoted(turn.text))


def _unquoted(text: str) -> str:
    """What was asked on the command line, which opencode puts in quotation marks."""
    inside = text[1:-1].replace('\\"', "")
    quoted = len(text) > 2 and text[0] == text[-1] == '"' and '"' not in inside and not inside.endswith("\\")
    return text[1:-1].replace('\\"', '"') if quoted else text


def _standing(found: list[tuple[str, Turn]], reverted: object) -> tuple[Turn, ...]:
    """The turns before the message that was gone back to; ids are in order of time."""
    first = text_in(reverted, "messageID") if isinstance(reverted, dict) else None
    return tuple(turn for id, turn in found if first is None or id < first)


# -- the database -----------------------------------------------------------------------------


def read_session(path: Path, session: str) -> Conversation | None:
    """One conversation of the database that a person began, if it is there."""
    return next(read_database(path, session), None)


def read_database(path: Path, session: str | None = None) -> Iterator[Conversation]:
    """Every conversation that a person began in the database, the oldest first, or one; nothing is written to it."""
    try:
        connection = _opened(path)
        try:
            yield from _sessions(connection, session)
        finally:
            connection.close()
    except (apsw.Error, UnicodeDecodeError):  # whose words may be the file's
        raise InvalidInput(
            f"{path} cannot be read as a database, it is damaged or in use: close opencode, or copy it again."
        ) from None


def _opened(path: Path) -> apsw.Connection:
    """A connection that only reads. Without a log of changes beside it, the file is taken as it is and not locked."""
    place = path.resolve()
    log = place.with_name(place.name + "-wal")
    how = "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(f"{place.as_uri()}?{how}", flags=flags)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, LINE_CHARACTERS)
    connection.set_progress_handler(_in_time, STEPS_BETWEEN_CHECKS)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA query_only = ON")
    return connection


def _in_time() -> bool:
    deadline.check()
    return False


def _sessions(connection: apsw.Connection, only: str | None) -> Iterator[Conversation]:
    for table, columns in _TABLES.items():
        plain = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql NOT LIKE 'CREATE VIRTUAL%'"
        held = {str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")}
        if not connection.execute(plain, (table,)).fetchone() or not held.issuperset(columns):
            raise InvalidInput(
                "The file is a database, but not opencode's, the one whose database is read: name its opencode.db, or "
                "export the conversations from the program that holds them."
            )
    reverts = any(row[1] == "revert" for row in connection.execute("PRAGMA table_info(session)"))
    listed = f"id, directory, title, time_created, {'revert' if reverts else 'NULL'}"
    began = f"SELECT {listed} FROM session WHERE parent_id IS NULL AND ifnull(id = ?, 1) ORDER BY time_created, id"
    for id, directory, title, created, reverted in connection.execute(began, (only,)).fetchall():
        about = {"id": id, "directory": directory, "title": title}
        turns, skipped = _said(connection, id, reverted)
        key, project, name = (text_in(about, field) for field in ("id", "directory", "title"))
        yield Conversation(turns, "opencode", key, project, milliseconds(created), name, skipped)


def _said(connection: apsw.Connection, session: object, reverted: object) -> tuple[tuple[Turn, ...], int]:
    found: list[tuple[str, Turn]] = []
    skipped = 0
    messages = "SELECT id, time_created, CAST(data AS BLOB) FROM message WHERE session_id = ? ORDER BY time_created, id"
    for id, created, data in connection.execute(messages, (session,)):
        info = _object(data)
        rows = connection.execute("SELECT CAST(data AS BLOB) FROM part WHERE message_id = ? ORDER BY id", (id,))
        parts = [_object(row[0]) for row in rows]
        skipped += (info is None) + sum(part is None for part in parts)
        turn = None if info is None else _turn({"time": {"created": created}, **info}, parts)
        if turn is not None:
            found.append((str(id), turn))
    return _standing(found, _object(reverted)), skipped


def _object(value: object) -> dict[str, object] | None:
    """A column that holds a JSON object."""
    try:
        found = json.loads(value) if isinstance(value, str | bytes) else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
