"""Gemini CLI's sessions: a log of operations on a list of messages; in older versions the list itself."""

from collections.abc import Iterable, Iterator

from commonplace.sessions.transcripts.json_stream import Member
from commonplace.sessions.transcripts.spoken import Json, milliseconds, text_in, turn_of
from commonplace.sessions.transcripts.turns import Conversation, Turn

TYPES = frozenset("user gemini info error warning".split())


class _Log:
    """Messages by their id, in order: what was said in earlier sittings, and what the present one may replace."""

    def __init__(self) -> None:
        self.about: dict[str, object] = {}
        self.messages: dict[str, Turn | None] = {}
        self._earlier: set[str] = set()

    def do(self, record: Json) -> None:
        """Replay a line. A host that resumes sets its list anew without some of what was said: that stays said."""
        changed = record.get("$set")
        if isinstance(changed, dict):
            self._set(changed)
        elif "$rewindTo" in record:
            self._rewind(str(record["$rewindTo"]))
        elif "sessionId" in record and "type" not in record:
            self.about = {**record, **self.about}
            self._earlier = set(self.messages)
        else:
            self.say(record)

    def say(self, message: object) -> None:
        """One more message, or another wording of one that is there, which was said when it was."""
        if isinstance(message, dict) and text_in(message, "type") in TYPES:
            id = str(message.get("id", len(self.messages)))
            before = self.messages.get(id)
            at = message.get("timestamp") if before is None or before.at is None else before.at
            self.messages[id] = turn_of(message.get("type"), message.get("content"), at)

    def conversation(self) -> Conversation:
        """What is left of it; of an agent's errand nothing, since no person gave it."""
        errand = self.about.get("kind") == "subagent"
        return Conversation(
            tuple(turn for turn in self.messages.values() if turn is not None and not errand),
            "gemini-cli",
            text_in(self.about, "sessionId"),
            started=milliseconds(self.about.get("startTime")),
        )

    def _set(self, changed: Json) -> None:
        messages = changed.get("messages")
        if isinstance(messages, list):
            self.messages = {id: turn for id, turn in self.messages.items() if id in self._earlier}
            for message in messages:
                self.say(message)

    def _rewind(self, id: str) -> None:
        if id in self.messages:
            ids = list(self.messages)
            for gone in ids[ids.index(id) :]:
                del self.messages[gone]


def read(records: Iterable[Json]) -> Conversation:
    """What people and the model said, as the log leaves it."""
    log = _Log()
    for record in records:
        log.do(record)
    return log.conversation()


def read_document(members: Iterable[Member]) -> Iterator[Conversation]:
    """The same out of the older form, one document with its messages."""
    log = _Log()
    for name, value in members:
        if name == "messages":
            log.say(value)
        elif name is not None:
            log.about[name] = value
    yield log.conversation()
