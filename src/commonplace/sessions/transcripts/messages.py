"""Messages with a role and a content: any program's, Cline's, Cursor's and GitHub Copilot's."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from commonplace.sessions.transcripts.json_stream import Member
from commonplace.sessions.transcripts.spoken import Json, milliseconds, text_in, texts_of, turn_of, wrapped
from commonplace.sessions.transcripts.turns import Conversation, Speaker, Turn

COPILOT_EVENTS = frozenset("session.start user.message assistant.message".split())
_CLINE = re.compile(r"<(user_input|task|feedback|user_message|answer)(?:\s[^<>]{0,300})?>")
_CURSOR = re.compile(r"<(user_query)>")

Made = TypeVar("Made")
_Tagged = tuple[Turn | None, bool]


def read(records: Iterable[Json]) -> Conversation:
    """Messages as most programs write them, each with its own time and surface if it has them."""
    return Conversation(tuple(turn for record in records if (turn := _turn(record)) is not None))


def read_document(members: Iterable[Member]) -> Iterator[Conversation]:
    """The same in one document: a list of messages, or an object with one."""
    about, turns, skipped = _gathered(members, "messages", _turn)
    yield Conversation(
        tuple(turn for turn in turns if turn is not None),
        key=text_in(about, "id") or text_in(about, "sessionId"),
        title=text_in(about, "title"),
        skipped=skipped,
    )


def _turn(record: Json) -> Turn | None:
    own = record.get("surface")
    said = record.get("content", record.get("text"))
    at = record.get("at", record.get("timestamp"))
    return turn_of(record.get("role"), said, at, own if isinstance(own, str) else None)


# -- Cline ------------------------------------------------------------------------------------


def read_cline(members: Iterable[Member]) -> Iterator[Conversation]:
    """Cline's messages: its system prompt stands beside them, and tags say which words are the user's."""

    def said(record: Json) -> _Tagged:
        return _tagged(record.get("role"), record.get("content"), record.get("ts"), _CLINE)

    about, found, skipped = _gathered(members, "messages", said)
    turns = _by_tags(found)
    started = next((turn.at for turn in turns if turn.at is not None), None)
    yield Conversation(turns, "cline", text_in(about, "sessionId"), started=started, skipped=skipped)


# -- Cursor -----------------------------------------------------------------------------------


def read_cursor(records: Iterable[Json]) -> Conversation:
    """Cursor's lines: a role beside a message, the user's words in a tag of their own."""
    found = (
        _tagged(record.get("role"), message.get("content"), record.get("timestamp"), _CURSOR)
        for record in records
        if isinstance(message := record.get("message"), dict)
    )
    return Conversation(_by_tags(found), "cursor")


# -- GitHub Copilot ---------------------------------------------------------------------------


def read_copilot(records: Iterable[Json]) -> Conversation:
    """The events that Copilot writes in an editor and in a terminal: what was said stands in their data."""
    about: Json = {}
    turns: list[Turn] = []
    for record in records:
        sort, data = record.get("type"), record.get("data")
        if not isinstance(data, dict):
            continue
        if sort == "session.start":
            about = about or data
        elif sort in ("user.message", "assistant.message") and data.get("source") in (None, "user"):
            turn = turn_of(str(sort).partition(".")[0], data.get("content"), record.get("timestamp"))
            turns.extend(() if turn is None else (turn,))
    context = about.get("context")
    project = text_in(context, "cwd") if isinstance(context, dict) else None
    started = milliseconds(about.get("startTime"))
    return Conversation(tuple(turns), "copilot", text_in(about, "sessionId"), project, started)


def read_copilot_document(members: Iterable[Member]) -> Iterator[Conversation]:
    """The older form of an editor's: a list of requests, each with its response in parts."""
    about, found, skipped = _gathered(members, "requests", _asked_and_answered)
    yield Conversation(
        tuple(turn for both in found for turn in both if turn is not None),
        "copilot",
        text_in(about, "sessionId"),
        started=milliseconds(about.get("creationDate")),
        title=text_in(about, "customTitle"),
        skipped=skipped,
    )


def _asked_and_answered(request: Json) -> tuple[Turn | None, Turn | None]:
    asked, answered, at = request.get("message"), request.get("response"), request.get("timestamp")
    parts = answered if isinstance(answered, list) else []
    spoken = [part.get("value") for part in parts if isinstance(part, dict) and "kind" not in part]
    return (
        turn_of("user", asked.get("text") if isinstance(asked, dict) else asked, at),
        turn_of("assistant", "".join(part for part in spoken if isinstance(part, str)), at),
    )


# -- in common --------------------------------------------------------------------------------


def _gathered(
    members: Iterable[Member], name: str, made: Callable[[Json], Made]
) -> tuple[dict[str, object], list[Made], int]:
    """What a document says about itself, what is made of each element of its list, and how many are no messages."""
    about: dict[str, object] = {}
    found: list[Made] = []
    skipped = 0
    for own, value in members:
        if own not in (None, name):
            about[str(own)] = value
        elif isinstance(value, dict):
            found.append(made(value))
        else:
            skipped += 1
    return about, found, skipped


def _tagged(role: object, content: object, at: object, tags: re.Pattern[str]) -> _Tagged:
    """A turn, and whether it is what stood in the tags."""
    user = str(role).lower() in ("user", "human")
    texts = list(texts_of(content))
    own = [words for text in texts if (words := wrapped(text, tags)) is not None] if user else []
    return turn_of(role, own or texts, at), bool(own)


def _by_tags(found: Iterable[_Tagged]) -> tuple[Turn, ...]:
    """Turns in which the user's words stand in tags: once one does, what has none is the host's."""
    held = list(found)
    tagged = any(own for _, own in held)
    return tuple(
        turn for turn, own in held if turn is not None and (own or not tagged or turn.role is not Speaker.USER)
    )
