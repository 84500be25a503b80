"""The files of the page as they lie in the package, with the headers under which a browser may run them."""

from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from commonplace.domain.record import Record

SHELL = "/"
FOLDER = "/page/"
INDEX = "index.html"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
}
"""What is served; a file of any other sort in the folder is not."""


class File(Record):
    """A file in memory: what it holds never changes while the server runs."""

    content: bytes
    type: str
    mark: str

    async def answer(self, request: Request) -> Response:
        """The file, or that it is still the one the browser has."""
        headers = {**HEADERS, "etag": self.mark}
        known = [each.strip() for each in request.headers.get("if-none-match", "").split(",")]
        if self.mark in known:
            return Response(status_code=304, headers=headers)
        return Response(self.content, headers={**headers, "content-type": self.type})


def page_files() -> dict[str, File]:
    """Every path of the page with its file: the shell, and each file of the package's folder under its name."""
    folder = files("commonplace").joinpath("page")
    found = {f"{FOLDER}{name}": file for name, file in _in(folder, "")}
    shell = found.pop(f"{FOLDER}{INDEX}", None)
    return found if shell is None else {SHELL: shell, **found}


def page_routes(found: Mapping[str, File]) -> list[Route]:
    """A route for each of them, and none for anything else."""
    return [Route(path, file.answer, methods=["GET"]) for path, file in found.items()]


def _in(folder: Traversable, above: str) -> list[tuple[str, File]]:
    found: list[tuple[str, File]] = []
    for each in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = f"{above}{each.name}"
        if each.is_dir():
            found += _in(each, f"{name}/")
            continue
        type = TYPES.get(f".{each.name.rpartition('.')[2]}")
        if type is not None:
            content = each.read_bytes()
            found.append((name, File(content, type, f'"{sha256(content).hexdigest()[:32]}"')))
    return found
