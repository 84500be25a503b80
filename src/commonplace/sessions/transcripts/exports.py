"""What ChatGPT and Claude.ai give who asks for their conversations: a list of them, each a tree of messages."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from commonplace.domain.record import replace
from commonplace.sessions.transcripts.json_stream import Member
from commonplace.sessions.transcripts.spoken import Json, milliseconds, text_in, turn_of
from commonplace.sessions.transcripts.turns import Conversation, Turn

_UNSHOWN = "```\nThis block is not supported on your current device yet.\n```"
_SPOKEN_PARTS = ("audio_transcription",)


def read_chatgpt(members: Iterable[Member]) -> Iterator[Conversation]:
    """The conversations of ChatGPT's export, each as it was left: without what was asked or answered anew."""
    yield from _each(members, "mapping", _chatgpt)


def read_claude_ai(members: Iterable[Member]) -> Iterator[Conversation]:
    """The conversations of Claude.ai's export, each as it was left."""
    yield from _each(members, "chat_messages", _claude_ai)


def _each(members: Iterable[Member], mark: str, made: Callable[[Json], Conversation]) -> Iterator[Conversation]:
    """Conversations out of a list, or the one that is the whole document; with each, how many before it were none."""
    alone: dict[str, object] = {}
    messages: list[object] = []
    skipped = 0
    for name, value in members:
        if name is not None and name != "conversations":
            messages.extend((value,) if name == "chat_messages" else ())
            alone[name] = messages if name == "chat_messages" else value
        elif isinstance(value, dict) and mark in value:
            yield replace(made(value), skipped=skipped)
            skipped = 0
        else:
            skipped += 1
    if mark in alone:
        yield made(alone)
    elif skipped:
        yield Conversation((), skipped=skipped)


# -- ChatGPT ----------------------------------------------------------------------------------


def _chatgpt(document: Json) -> Conversation:
    mapping = document.get("mapping")
    nodes = {id: node for id, node in mapping.items() if isinstance(node, dict)} if isinstance(mapping, dict) else {}
    leaf = text_in(document, "current_node")
    times = {id: _seconds(_object(node.get("message")).get("create_time")) for id, node in nodes.items()}
    leaf = leaf if leaf in nodes else _newest(times)
    parents = {id: text_in(node, "parent") for id, node in nodes.items()}
    turns = (_chatgpt_turn(nodes[id].get("message")) for id in _way(parents, leaf))
    return Conversation(
        tuple(turn for turn in turns if turn is not None),
        "chatgpt",
        text_in(document, "conversation_id") or text_in(document, "id"),
        started=_seconds(document.get("create_time")),
        title=text_in(document, "title"),
    )


def _chatgpt_turn(message: object) -> Turn | None:
    """What a node of the tree says to everybody, in writing or aloud: no code, no thoughts, no profile."""
    if not isinstance(message, dict):
        return None
    author, content, about = (_object(message.get(name)) for name in ("author", "content", "metadata"))
    hidden = about.get("is_visually_hidden_from_conversation") or about.get("is_user_system_message")
    aside = message.get("recipient") not in (None, "all")
    if hidden or aside or content.get("content_type") not in ("text", "multimodal_text"):
        return None
    parts = [
        part.get("text") if isinstance(part, dict) and part.get("content_type") in _SPOKEN_PARTS else part
        for part in _list(content.get("parts"))
    ]
    texts = [part for part in parts if isinstance(part, str)]
    return turn_of(author.get("role"), texts, _seconds(message.get("create_time")))


def _seconds(value: object) -> int | None:
    """Seconds with a fraction as milliseconds, if they are a time at all."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e11:
        return None
    return int(value * 1000)


# -- Claude.ai --------------------------------------------------------------------------------


def _claude_ai(document: Json) -> Conversation:
    messages = [message for message in _list(document.get("chat_messages")) if isinstance(message, dict)]
    nodes = {str(message.get("uuid", number)): message for number, message in enumerate(messages)}
    parents = {id: text_in(message, "parent_message_uuid") for id, message in nodes.items()}
    leaf = text_in(document, "current_leaf_message_uuid")
    times = {id: milliseconds(message.get("created_at")) for id, message in nodes.items()}
    leaf = leaf if leaf in nodes else _newest(times)
    ids = _way(parents, leaf) if any(parent in nodes for parent in parents.values()) else list(nodes)
    turns = (_claude_ai_turn(nodes[id]) for id in ids)
    return Conversation(
        tuple(turn for turn in turns if turn is not None),
        "claude-ai",
        text_in(document, "uuid"),
        started=milliseconds(document.get("created_at")),
        title=text_in(document, "name"),
    )


def _claude_ai_turn(message: Json) -> Turn | None:
    """The blocks of text; the text beside them has the same again, with notes on what cannot be shown."""
    blocks = _list(message.get("content"))
    said = turn_of(message.get("sender"), blocks or message.get("text"), message.get("created_at"))
    rest = "" if said is None else said.text.replace(_UNSHOWN, "").strip()
    return replace(said, text=rest) if said is not None and rest else None


# -- in common --------------------------------------------------------------------------------


def _newest(times: Mapping[str, int | None]) -> str | None:
    """The last message by its time, and of those without one, by its place."""
    return max(reversed(list(times)), key=lambda id: times[id] or 0, default=None)


def _way(parents: Mapping[str, str | None], leaf: str | None) -> list[str]:
    """The ids from the first message to this one; a tree that bites its tail ends there."""
    way: dict[str, None] = {}
    while leaf is not None and leaf in parents and leaf not in way:
        way[leaf] = None
        leaf = parents[leaf]
    return list(reversed(way))


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
