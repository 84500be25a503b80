"""What a dialect's server answers to a host's first words, asked of the server itself and written down.

    python -m commonplace.serve.surface

writes `surface.json` into the folder of each dialect, for `opening` to answer from; a test holds that it is current.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from commonplace import dialects
from commonplace.book.book import Book
from commonplace.dialects import dialect_names, load_dialect
from commonplace.serve.opening import CAPABILITIES_KEY, FILE, INITIALIZE, VERSION_KEY
from commonplace.serve.protocol import Context, build_server

LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
HANDSHAKE = (INITIALIZE, "ping", *LISTS)
MODERN = ("server/discover", *LISTS)

Json = Mapping[str, object]


def answers(dialect: str) -> dict[tuple[str, str], Json]:
    """By version and method, what the server of a dialect answers, without the id."""
    server = build_server(load_dialect(dialect), _no_book)
    found: dict[tuple[str, str], Json] = {}
    for version in HANDSHAKE_PROTOCOL_VERSIONS:
        hello: Json = {
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "surface", "version": "1"},
        }
        asked: list[tuple[str, Json]] = [(method, hello if method == INITIALIZE else {}) for method in HANDSHAKE]
        found |= {(version, method): answer for method, answer in anyio.run(_asked, server, asked)}
    for version in MODERN_PROTOCOL_VERSIONS:
        envelope: Json = {"_meta": {VERSION_KEY: version, CAPABILITIES_KEY: {}}}
        asked = [(method, envelope) for method in MODERN]
        found |= {(version, method): answer for method, answer in anyio.run(_asked, server, asked)}
    return found


def written(dialect: str) -> str:
    """The same as the text of a file: each answer once, on a line of its own, with what it is an answer to."""
    lines: dict[str, dict[str, list[str]]] = {}
    for (version, method), answer in answers(dialect).items():
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        lines.setdefault(text, {}).setdefault(method, []).append(version)
    entries = [f'{{"to":{json.dumps(to, separators=(",", ":"))},"answer":{text}}}' for text, to in lines.items()]
    return "[\n" + ",\n".join(entries) + "\n]\n"


def place(dialect: str) -> Path:
    """Where the file of a dialect is."""
    return Path(dialects.__path__[0]) / dialect / FILE


async def _asked(server: Server[Any], questions: list[tuple[str, Json]]) -> list[tuple[str, Json]]:
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](1)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](1)
    answered: list[tuple[str, Json]] = []
    async with anyio.create_task_group() as tasks, from_server:
        tasks.start_soon(server.run, incoming, outgoing, server.create_initialization_options())
        async with to_server:
            for id, (method, params) in enumerate(questions):
                request = types.JSONRPCRequest(jsonrpc="2.0", id=id, method=method, params=dict(params))
                await to_server.send(SessionMessage(request))
                message = (await from_server.receive()).message
                dumped = message.model_dump(by_alias=True, exclude_unset=True)
                answered.append((method, {key: value for key, value in dumped.items() if key not in ("jsonrpc", "id")}))
    return answered


def _no_book(context: Context) -> Book:
    raise LookupError("a host's first words need no book")


def main() -> None:
    """Write the file of every dialect."""
    for name in dialect_names():
        place(name).write_text(written(name), encoding="utf-8")


if __name__ == "__main__":
    main()
