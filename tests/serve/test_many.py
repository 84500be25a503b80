"""Many servers on one file: what one remembers all recall, and no lock error reaches a caller."""

import asyncio
import itertools
import os
from pathlib import Path

import mcp_types as types
import pytest
from mcp import Client as McpClient
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client

from commonplace.dialects import dialect_names
from tests.contracts.client import Client, serving
from tests.faults.workshop import assert_sound, note, word
from tests.serve.wire import environment, forked_command

SERVERS = 8
REMEMBERS = 100 if os.environ.get("COMMONPLACE_SOAK") == "1" else 40
IN_FLIGHT = 10  # more than a server has threads for

# How each dialect remembers a text and finds texts again: name of the tool, argument of the text or the query.
SPEECH: dict[str, tuple[str, str, str, str]] = {
    "native": ("memory_remember", "text", "memory_recall", "query"),
    "snipara": ("rlm_remember", "text", "rlm_recall", "query"),
    "aleph": ("remember", "content", "memory_search", "query"),
}
PAIRS = [pair for pair in itertools.combinations_with_replacement(dialect_names(), 2) if set(pair) <= set(SPEECH)]


def remember(client: Client, dialect: str, text: str) -> None:
    tool, argument, _, _ = SPEECH[dialect]
    client.call(tool, **{argument: text})


def recall(client: Client, dialect: str, query: str) -> str:
    _, _, tool, argument = SPEECH[dialect]
    return str(client.call(tool, **{argument: query}))


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_what_one_server_remembers_another_recalls_at_once(first: str, second: str, store: Path, project: Path) -> None:
    with serving(first, store, project) as one, serving(second, store, project) as other:
        for number in range(20):
            speaker, listener = (one, other) if number % 2 == 0 else (other, one)
            spoken, heard = (first, second) if number % 2 == 0 else (second, first)
            remember(speaker, spoken, note(0, number))
            assert note(0, number) in recall(listener, heard, word(0, number))


async def _remember_all(store: Path, project: Path, server: int, ready: asyncio.Barrier) -> dict[str, str]:
    """All of one server's memories through a real client, several at a time; the ids with their words."""
    program, *words = forked_command(store)
    parameters = StdioServerParameters(command=program, args=words, env=environment(), cwd=project)
    acknowledged: dict[str, str] = {}
    room = asyncio.Semaphore(IN_FLIGHT)
    async with McpClient(stdio_client(parameters)) as client:

        async def one(item: int) -> None:
            async with room:
                result = await client.call_tool("memory_remember", {"text": note(server, item)})
            assert isinstance(result, types.CallToolResult)
            assert not result.is_error, result.content
            assert result.structured_content is not None
            acknowledged[result.structured_content["id"]] = word(server, item)

        await ready.wait()
        async with asyncio.TaskGroup() as tasks:
            for item in range(REMEMBERS):
                tasks.create_task(one(item))
    return acknowledged


def test_eight_servers_remember_at_once_and_nothing_acknowledged_is_lost(store: Path, project: Path) -> None:
    async def all_at_once() -> list[dict[str, str]]:
        ready = asyncio.Barrier(SERVERS)
        return await asyncio.gather(*(_remember_all(store, project, server, ready) for server in range(SERVERS)))

    found = asyncio.run(all_at_once())
    acknowledged = {id: word for each in found for id, word in each.items()}
    assert len(acknowledged) == SERVERS * REMEMBERS
    report = assert_sound(store, acknowledged=acknowledged, vectors=False)
    assert report["rows"] == SERVERS * REMEMBERS
