"""Who has hung up is not worked for any more: a call ends when its client's connection does."""

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

GONE: Message = {"type": "http.disconnect"}


class WhileHeard:
    """ASGI middleware: listens on while the app answers a POST, or anything of the API, and cancels the app when the
    client is gone: whoever types on lets go of what was asked before.

    What a cancelled call was doing on its thread stops at its next look at the deadline.
    """

    def __init__(self, app: ASGIApp, api: str) -> None:
        self._app = app
        self._api = api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not (scope["method"] == "POST" or scope["path"].startswith(self._api)):
            await self._app(scope, receive, send)
            return
        whole, gone = anyio.Event(), anyio.Event()
        async with anyio.create_task_group() as tasks:

            async def watch() -> None:
                while (await receive())["type"] != GONE["type"]:
                    pass
                gone.set()
                tasks.cancel_scope.cancel()

            async def heard() -> Message:
                """The body as it comes; whoever asks for more is told when the client goes."""
                if whole.is_set():
                    await gone.wait()
                    return GONE
                message = await receive()
                if message["type"] == "http.request" and not message.get("more_body", False):
                    whole.set()
                    tasks.start_soon(watch)
                return message

            await self._app(scope, heard, send)
            tasks.cancel_scope.cancel()
