"""The first words of a host, answered from a file: who we are, and what tools, prompts and resources there are.

The answers are those of the SDK's server, written down by `surface` into each dialect's `surface.json`. What is not
understood to the last word is not answered here: the server, when it is there, knows more. Nothing slow is imported.
"""

import json
import os
from functools import cache

TYPE_CHECKING = False  # what `typing` calls by this name, without its import
if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "surface.json"
LOOKED_AT_BYTES = 65_536  # no first word of a host is nearly as long
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
RESERVED = "io.modelcontextprotocol/"
INITIALIZE = "initialize"

_DIALECTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "dialects")
_MEMBERS = frozenset({"jsonrpc", "id", "method", "params"})

# What the protocol says of capabilities it knows: objects within objects, or true and false.
_CAPABILITIES: "Mapping[str, object]" = {
    "roots": {"listChanged": bool},
    "sampling": {"context": {}, "tools": {}},
    "elicitation": {"form": {}, "url": {}},
    "tasks": {
        "cancel": {},
        "list": {},
        "requests": {"sampling": {"createMessage": {}}, "elicitation": {"create": {}}},
    },
}
_NAMED_OBJECTS = ("experimental", "extensions")
_CLIENT_TEXTS = ("title", "description", "websiteUrl")


class Told:
    """What became of a line: the answer, if there is one, and whether the server has to hear the line all the same."""

    def __init__(self, answer: bytes | None, opens: bool = False, asks: bool = True) -> None:
        self.answer = answer
        self.opens = opens
        self.asks = asks


class Opening:
    """One host's first words. The first request decides on the era and the version of all that follow.

    When a request that decides about that goes to the server unanswered, nothing is answered here any more.
    """

    def __init__(self, answers: "Mapping[tuple[str, str], Mapping[str, object]]") -> None:
        self._answers = answers
        self._version: str | None = None
        self._silent = not answers

    def hear(self, line: bytes) -> Told:
        """The answer to a line, where it is one of those that are known."""
        if not line or len(line) > LOOKED_AT_BYTES:  # whatever that was: too long to be looked at here
            self._silent = True
            return Told(None)
        message = _read(line)
        if message is None:
            return Told(None)
        method, asks = message.get("method"), "id" in message
        if not asks:
            return Told(None, asks=False)
        opens = self._version is None
        answer = None if self._silent else self._answer(message)
        if answer is None:
            self._silent = self._silent or opens or method == INITIALIZE
            return Told(None)
        return Told(_line(message["id"], answer), opens)

    def _answer(self, message: "Mapping[str, object]") -> "Mapping[str, object] | None":
        method, params = message.get("method"), message.get("params", {})
        known = message.keys() <= _MEMBERS and message.get("jsonrpc") == "2.0" and _is_id(message["id"])
        if not known or not isinstance(method, str) or not isinstance(params, dict):
            return None
        if self._version is None:
            version = self._opened(method, params)
            answer = None if version is None else self._answers.get((version, method))
            self._version = None if answer is None else version
            return answer
        if method == INITIALIZE or not _is_bare(params):
            return None
        modern = (self._version, INITIALIZE) not in self._answers
        meta = params.get("_meta")
        fits = _is_envelope(meta, self._version) if modern else not _names_a_version(meta)
        return self._answers.get((self._version, method)) if fits else None

    def _opened(self, method: str, params: "Mapping[str, object]") -> str | None:
        """The version that this first request settles on, if it is one that can be answered."""
        if method == INITIALIZE:
            asked = params.get("protocolVersion")
            rest = {name: value for name, value in params.items() if name == "_meta"}
            shaped = _are_capabilities(params.get("capabilities")) and _is_client(params.get("clientInfo"))
            if not isinstance(asked, str) or not shaped or not _is_bare(rest) or _names_a_version(rest.get("_meta")):
                return None
            if params.keys() - {"protocolVersion", "capabilities", "clientInfo", "_meta"}:
                return None
            return asked if (asked, INITIALIZE) in self._answers else self._newest_handshake()
        meta = params.get("_meta")
        asked = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
        if not isinstance(asked, str) or (asked, INITIALIZE) in self._answers:
            return None
        return asked if _is_bare(params) and _is_envelope(meta, asked) else None

    def _newest_handshake(self) -> str:
        return max(version for version, method in self._answers if method == INITIALIZE)


@cache
def answers_of(dialect: str) -> "Mapping[tuple[str, str], Mapping[str, object]]":
    """By version and method, what a dialect's server answers; nothing where that was not written down."""
    if not dialect.isidentifier():
        return {}
    try:
        with open(os.path.join(_DIALECTS, dialect, FILE), encoding="utf-8") as file:
            written = json.load(file)
        return {
            (version, method): entry["answer"]
            for entry in written
            for method, versions in entry["to"].items()
            for version in versions
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _read(line: bytes) -> "dict[str, object] | None":
    try:
        message = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _line(id: object, answer: "Mapping[str, object]") -> bytes:
    said = {"jsonrpc": "2.0", "id": id, **answer}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"


def _is_id(id: object) -> bool:
    return (isinstance(id, int) and not isinstance(id, bool)) or (isinstance(id, str) and id.isascii())


def _is_bare(params: "Mapping[str, object]") -> bool:
    """No parameters but `_meta`, and in that nothing reserved that is not known here."""
    if not params:
        return True
    meta = params.get("_meta")
    if params.keys() != {"_meta"} or not isinstance(meta, dict):
        return False
    token = meta.get("progressToken", "")
    reserved = {name for name in meta if name.startswith(RESERVED)}
    return _is_id(token) and reserved <= {VERSION_KEY, CAPABILITIES_KEY, CLIENT_KEY}


def _names_a_version(meta: object) -> bool:
    return isinstance(meta, dict) and VERSION_KEY in meta


def _is_envelope(meta: object, version: str) -> bool:
    if not isinstance(meta, dict) or meta.get(VERSION_KEY) != version:
        return False
    return _are_capabilities(meta.get(CAPABILITIES_KEY)) and (CLIENT_KEY not in meta or _is_client(meta[CLIENT_KEY]))


def _is_client(client: object) -> bool:
    if not isinstance(client, dict) or "icons" in client:
        return False
    named = isinstance(client.get("name"), str) and isinstance(client.get("version"), str)
    return named and all(isinstance(client.get(text, ""), str) for text in _CLIENT_TEXTS)


def _are_capabilities(given: object) -> bool:
    if not isinstance(given, dict):
        return False
    for name in _NAMED_OBJECTS:
        named = given.get(name, {})
        if not isinstance(named, dict) or not all(isinstance(each, dict) for each in named.values()):
            return False
    return _fits(given, _CAPABILITIES)


def _fits(given: object, shape: "Mapping[str, object]") -> bool:
    """Objects where objects are known to stand; what has no name here may be anything."""
    if not isinstance(given, dict):
        return False
    return all(
        isinstance(given[name], bool) if inner is bool else _fits(given[name], inner)  # type: ignore[arg-type]
        for name, inner in shape.items()
        if name in given
    )
