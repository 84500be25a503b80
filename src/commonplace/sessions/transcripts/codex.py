"""Codex's rollouts, with their envelopes, and the older form without."""

from collections.abc import Iterable

from commonplace.sessions.transcripts.spoken import Json, milliseconds, text_in, turn_of
from commonplace.sessions.transcripts.turns import Conversation, Speaker, Turn

TYPES = frozenset("session_meta response_item event_msg turn_context compacted world_state token_usage_record".split())


def read(records: Iterable[Json]) -> Conversation:
    """What people and the model said: events repeat what items say, but tell what was taken back."""
    about: Json = {}
    turns: list[Turn] = []
    for record in records:
        payload = record.get("payload") if "payload" in record else record
        if not isinstance(payload, dict):
            continue
        sort = record.get("type")
        if not about and (sort == "session_meta" or "instructions" in record):
            about = payload
        if sort == "event_msg" and payload.get("type") == "thread_rolled_back":
            _take_back(turns, payload.get("num_turns"))
        elif sort in ("response_item", "message") and payload.get("type") == "message":
            turn = turn_of(payload.get("role"), _from_people(payload), record.get("timestamp"))
            turns.extend(() if turn is None else (turn,))
    if _of_an_agent(about):
        turns.clear()
    started = milliseconds(about.get("timestamp"))
    return Conversation(tuple(turns), "codex", text_in(about, "id"), text_in(about, "cwd"), started)


def _from_people(payload: Json) -> object:
    """A message's content, without the parts that newer versions say are the host's."""
    content, about = payload.get("content"), payload.get("internal_chat_message_metadata_passthrough")
    origins = about.get("content_item_metadata") if isinstance(about, dict) else None
    if not isinstance(origins, list) or not isinstance(content, list) or len(origins) != len(content):
        return content
    return [part for part, origin in zip(content, origins, strict=True) if _sort_of(origin) in (None, "user")]


def _sort_of(origin: object) -> str | None:
    source = origin.get("provenance") if isinstance(origin, dict) else None
    return text_in(source, "type") if isinstance(source, dict) else None


def _of_an_agent(about: Json) -> bool:
    """Whether an agent gave another one this errand: what its user says, no person said."""
    source = about.get("source")
    return about.get("thread_source") == "subagent" or (isinstance(source, dict) and "subagent" in source)


def _take_back(turns: list[Turn], count: object) -> None:
    """Without the last so many things that the user said, and all that came of them."""
    for _ in range(min(count, len(turns)) if isinstance(count, int) else 0):
        while turns and turns.pop().role is not Speaker.USER:
            pass
