"""A dialect as an MCP server: what the SDK asks for, answered from the dialect's data.

The same server object speaks both protocol eras; the SDK decides which by the client's first word.
Calls run on worker threads, since the engine is synchronous and thread-safe.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import anyio
import mcp_types as types
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from commonplace import __version__, secrets
from commonplace.book.book import Book
from commonplace.book.display_json import flagged
from commonplace.dialect import Answer, Dialect, Prompt, Resource, Tool, refused, told
from commonplace.errors import CommonplaceError, InvalidInput, NotFound, StoreError
from commonplace.secrets import Asked
from commonplace.serve.calls import Result, Timing, apart, fit_name, perform_at_door, unexpected, untimed

CALLS_AT_ONCE = 8
ADDRESS_SHOWN = 200
UNCHANGING = CacheHint(ttl_ms=3_600_000, scope="public")
UNCHANGING_LISTS: Mapping[CacheableMethod, CacheHint] = {
    "tools/list": UNCHANGING,
    "prompts/list": UNCHANGING,
    "resources/templates/list": UNCHANGING,
}

Context = ServerRequestContext[Any, Any]
OpenBook = Callable[[Context], Book]
"""The book as whoever sent this request may use it."""


def build_server(
    dialect: Dialect, open_book: OpenBook, timing: Timing = untimed, seconds: float | None = None
) -> Server[Any]:
    """The MCP server of a dialect. Opening the book costs nothing until a call needs it.

    A call may take so many `seconds`; without any, all the time until its client cancels it or goes.
    """
    desk = ToolHandlers(dialect, open_book, timing, seconds)
    more: dict[str, Any] = {}
    if dialect.prompts:
        more |= {"on_list_prompts": desk.list_prompts, "on_get_prompt": desk.get_prompt}
    if dialect.resources:
        more |= {
            "on_list_resources": desk.list_resources,
            "on_list_resource_templates": desk.list_templates,
            "on_read_resource": desk.read_resource,
        }
    return Server(
        dialect.server,
        version=__version__,
        instructions=dialect.instructions or None,
        cache_hints=UNCHANGING_LISTS,
        on_list_tools=desk.list_tools,
        on_call_tool=desk.call_tool,
        **more,
    )


class ToolHandlers:
    """Answers the requests of one dialect's clients."""

    def __init__(self, dialect: Dialect, open_book: OpenBook, timing: Timing, seconds: float | None) -> None:
        self._dialect = dialect
        self._open_book = open_book
        self._timing = timing
        self._seconds = seconds
        self._names = {tool.name for tool in dialect.tools}
        self._tools: list[types.Tool] | None = None
        self._limiter: anyio.CapacityLimiter | None = None

    async def list_tools(self, context: Context, params: object) -> types.ListToolsResult:
        """The dialect's tools in its own order, all on one page."""
        if self._tools is None:  # most hosts have the list from the front, and no call waits for schemas
            self._tools = [_tool(each, each.name in self._dialect.core) for each in self._dialect.tools]
        return types.ListToolsResult(tools=self._tools)

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """The tool's answer as text and as data. An error is an answer too: a text, and `is_error`.

        For a tool nobody knows INVALID_PARAMS, where the contract has nothing else for it.
        """
        if self._dialect.refuses_unknown_tools and params.name not in self._names:
            self._refuse_unknown(params.name)
        answer = await self._apart(partial(self._timed, context, params.name, params.arguments or {}))
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=answer.text)],
            structured_content=None if answer.failed else answer.body,
            is_error=answer.failed,
        )

    async def list_prompts(self, context: Context, params: object) -> types.ListPromptsResult:
        """The dialect's prompts in its own order, all on one page."""
        return types.ListPromptsResult(prompts=[_prompt(each) for each in self._dialect.prompts])

    async def get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """One message, as from the user; INVALID_PARAMS for a prompt nobody knows. Unknown arguments are left out."""
        prompt = next((each for each in self._dialect.prompts if each.name == params.name), None)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, secrets.masked(f"There is no prompt '{params.name[:60]}'."))
        given = {name: text for name, text in (params.arguments or {}).items() if name in prompt.arguments}
        text = await self._apart(partial(self._written, context, prompt, given))
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=prompt.description, messages=[message])

    async def list_resources(self, context: Context, params: object) -> types.ListResourcesResult:
        """Memories are many and come and go: they are read by address, through the templates."""
        return types.ListResourcesResult(resources=[])

    async def list_templates(self, context: Context, params: object) -> types.ListResourceTemplatesResult:
        """The dialect's resources, all on one page. Each is a template: what there is depends on who asks."""
        templates = [
            types.ResourceTemplate(
                name=each.name, uri_template=each.template, description=each.description, mime_type="application/json"
            )
            for each in self._dialect.resources
        ]
        return types.ListResourceTemplatesResult(resource_templates=templates)

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """What is at the address, as JSON, under the address it was asked by."""
        text = await self._apart(partial(self._read, context, str(params.uri)))
        contents = types.TextResourceContents(uri=params.uri, text=text, mime_type="application/json")
        return types.ReadResourceResult(contents=[contents])

    # -- on a worker thread --------------------------------------------------------------------

    async def _apart(self, work: Callable[[], Result]) -> Result:
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(CALLS_AT_ONCE)
        return await apart(work, self._seconds, self._limiter)

    def _refuse_unknown(self, name: str) -> None:
        try:
            self._dialect.tool(name)
        except InvalidInput as error:
            with self._timing(self._dialect.name, "other") as answers:
                answers.append(refused(self._dialect, error))
            raise MCPError(types.INVALID_PARAMS, secrets.masked(error.message)) from error

    def _timed(self, context: Context, name: str, arguments: Mapping[str, object]) -> Answer:
        with self._timing(self._dialect.name, name if name in self._names else "other") as answers:
            answers.append(self._perform(context, name, arguments))
            return answers[0]

    def _perform(self, context: Context, name: str, arguments: Mapping[str, object]) -> Answer:
        return perform_at_door(self._dialect, lambda: self._open_book(context), name, arguments)

    def _with_book(self, context: Context, use: Callable[[Book], Result]) -> Result:
        """What a use of the book comes to, or an error as this caller may see it."""
        book = self._open_book(context)
        try:
            return use(book)
        except CommonplaceError as error:
            raise told(book, error) from None

    def _written(self, context: Context, prompt: Prompt, given: Mapping[str, str]) -> str:
        try:
            return Asked(given).unsaid(self._with_book(context, lambda book: prompt.write(book, given)))
        except CommonplaceError as error:
            raise MCPError(_code(error), secrets.masked(error.message)) from error
        except Exception as error:
            raise MCPError(types.INTERNAL_ERROR, unexpected(prompt.name, error).message) from error

    def _read(self, context: Context, address: str) -> str:
        try:
            for resource in self._dialect.resources:
                id = resource.id_in(address)
                if id is not None:
                    return self._with_book(context, partial(_resource, resource, id))
            raise NotFound(f"There is nothing at '{address[:80]}'.")
        except CommonplaceError as error:
            where = {"uri": secrets.masked(address[:ADDRESS_SHOWN])}
            raise MCPError(_code(error), secrets.masked(error.message), where) from error
        except Exception as error:
            raise MCPError(types.INTERNAL_ERROR, unexpected("reading", error).message) from error


def _code(error: CommonplaceError) -> int:
    """Whose fault it is: the book's, or what was asked for."""
    return types.INTERNAL_ERROR if isinstance(error, StoreError) else types.INVALID_PARAMS


def client_name(context: Context) -> str | None:
    """What the client calls itself, such as `claude-code`, as far as it can and may be written down."""
    params = context.session.client_params
    return None if params is None else fit_name(params.client_info.name)


def _resource(resource: Resource, id: str, book: Book) -> str:
    return json.dumps(flagged(resource.read(book, id)), ensure_ascii=False)


def _tool(tool: Tool, core: bool) -> types.Tool:
    effect = tool.effect
    annotations = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=effect.read_only,
        destructive_hint=effect.destructive,
        idempotent_hint=effect.idempotent,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(),
        output_schema=tool.output_schema(),
        annotations=annotations,
        _meta={"anthropic/alwaysLoad": True} if core else None,
    )


def _prompt(prompt: Prompt) -> types.Prompt:
    arguments = [
        types.PromptArgument(name=name, description=text, required=name in prompt.required)
        for name, text in prompt.arguments.items()
    ]
    return types.Prompt(name=prompt.name, title=prompt.title, description=prompt.description, arguments=arguments)
