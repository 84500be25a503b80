"""A real MCP client on a real server process, with calls that read like calls."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import mcp_types as types
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client as McpClient
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.conftest import HASTY
from tests.warm import command


class Client:
    """Calls tools and checks on every answer that its text and its structured content say the same."""

    def __init__(self, portal: BlockingPortal, inner: McpClient) -> None:
        self._portal = portal
        self.inner = inner

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """The body of an answer that is no error."""
        result = self.raw(tool, arguments)
        body = json.loads(text_of(result))
        assert not result.is_error, body
        assert result.structured_content == body
        return body

    def refusal(self, tool: str, /, **arguments: Any) -> Any:
        """The body of an error."""
        result = self.raw(tool, arguments)
        assert result.is_error, text_of(result)
        return json.loads(text_of(result))

    def raw(self, tool: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
        result = self._portal.call(self.inner.call_tool, tool, dict(arguments))
        assert isinstance(result, types.CallToolResult)
        return result

    def tools(self) -> list[types.Tool]:
        return self._portal.call(self.inner.list_tools).tools

    def read(self, address: str) -> Any:
        """The JSON of a resource."""
        (content,) = self._portal.call(self.inner.read_resource, address).contents
        assert isinstance(content, types.TextResourceContents)
        return json.loads(content.text)

    def prompt(self, name: str, /, **arguments: str) -> str:
        """The text of a prompt."""
        (message,) = self._portal.call(self.inner.get_prompt, name, arguments).messages
        assert isinstance(message.content, types.TextContent)
        return message.content.text


def text_of(result: types.CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text


@contextmanager
def serving(
    dialect: str, store: Path | str, project: Path, *, mode: str = "auto", **environment: str
) -> Iterator[Client]:
    """A server of a dialect in a process of its own, and a client on it."""
    program, *words = command("mcp", "--dialect", dialect, "--store", str(store), "--project", str(project))
    surroundings = {**os.environ, "COMMONPLACE_MODEL": "none", "COMMONPLACE_SYNCHRONOUS": HASTY, **environment}
    parameters = StdioServerParameters(command=program, args=words, env=surroundings, cwd=project)
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(McpClient(stdio_client(parameters), mode=mode)) as inner,
    ):
        yield Client(portal, inner)
