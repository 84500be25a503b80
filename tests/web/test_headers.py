"""What every answer of the page's server says of itself to a browser, over every file and every operation there is."""

import json
from collections.abc import Iterator, Mapping

import pytest

from commonplace.api.operations import OPERATIONS, PREFIX
from commonplace.serve.page_files import page_files
from tests.security.door import Heard, ask
from tests.web.running import Process

FILES = sorted(page_files())
ROUTES = [
    *sorted({(each.method, f"{PREFIX}{each.path}") for each in OPERATIONS}),
    ("POST", f"{PREFIX}/sign-in"),
    ("POST", f"{PREFIX}/sign-out"),
    ("GET", f"{PREFIX}/openapi.json"),
    ("GET", f"{PREFIX}/no-such-operation"),
]
STRICT = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'"],
    "connect-src": ["'self'"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "frame-ancestors": ["'none'"],
    "require-trusted-types-for": ["'script'"],
    "trusted-types": ["'none'"],
}
ALWAYS = {"x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin"}


def policy(heard: Heard) -> dict[str, list[str]]:
    parts = (part.split() for part in heard.headers["content-security-policy"].split(";"))
    return {name: sources for name, *sources in parts}


def own(process: Process, **more: str) -> Iterator[tuple[str, str]]:
    yield "host", f"127.0.0.1:{process.port}"
    yield from ((name.replace("_", "-"), value) for name, value in more.items())


def answers(process: Process, headers: Mapping[str, str]) -> Iterator[tuple[str, Heard]]:
    for method, path in ROUTES:
        lines = [*own(process), *headers.items(), ("content-type", "application/json"), ("content-length", "2")]
        yield (
            f"{method} {path}",
            ask(process.port, method, path.replace("{id}", "1").replace("{act}", "confirm"), lines, b"{}"),
        )


def test_there_are_files_and_routes_to_look_at() -> None:
    assert {"/", "/page/main.js", "/page/style.css"} <= set(FILES)
    assert len(ROUTES) > 20


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """One server for the whole file: nothing here changes anything."""
    from tests.web.running import web

    folder = tmp_path_factory.mktemp("headers")
    with web(folder / "book.db", folder) as process:
        yield process


def test_every_file_is_served_under_the_strict_policy_and_is_only_what_it_says(asked: Process) -> None:
    for path in FILES:
        heard = ask(asked.port, "GET", path, own(asked))
        assert heard.status == 200, path
        assert policy(heard) == STRICT, path
        assert {name: heard.headers.get(name) for name in ALWAYS} == ALWAYS, path
        assert heard.headers["referrer-policy"] == "no-referrer"
        assert heard.headers["cross-origin-opener-policy"] == "same-origin"
        assert "set-cookie" not in heard.headers
        assert "access-control-allow-origin" not in heard.headers


def test_a_file_that_did_not_change_is_not_sent_again(asked: Process) -> None:
    for path in FILES:
        mark = ask(asked.port, "GET", path, own(asked)).headers["etag"]
        again = ask(asked.port, "GET", path, own(asked, if_none_match=mark))
        assert (again.status, again.body) == (304, b""), path
        assert policy(again) == STRICT, path


def test_every_answer_of_the_api_is_kept_by_nobody_and_read_by_no_other_page(asked: Process) -> None:
    for headers in (
        {},
        {"authorization": "Bearer wrong"},
        {"origin": "http://harbour.test", "sec-fetch-site": "cross-site"},
    ):
        for name, heard in answers(asked, headers):
            assert heard.status in (400, 401, 403, 404, 405), (name, headers)
            assert heard.headers["content-type"].startswith("application/json"), name
            assert heard.headers["cache-control"] == "no-store", name
            assert {each: heard.headers.get(each) for each in ALWAYS} == ALWAYS, name
            assert not [each for each in heard.headers if each.startswith("access-control-")], name
            error = json.loads(heard.body)["error"]
            assert error["code"], name
            assert error["message"].endswith("."), name


def test_nothing_is_asked_beforehand_by_another_origin(asked: Process) -> None:
    for _, path in ROUTES:
        lines = [*own(asked, origin="http://localhost:1"), ("access-control-request-method", "POST")]
        heard = ask(asked.port, "OPTIONS", path.replace("{id}", "1").replace("{act}", "confirm"), lines)
        assert heard.status >= 400, path
        assert not [each for each in heard.headers if each.startswith("access-control-")], path


def test_no_other_path_serves_anything(asked: Process) -> None:
    tried = (
        "/page/",
        "/page/index.html",
        "/page/../cli/main.py",
        "/page/%2e%2e/__init__.py",
        "/page/shapes.d.ts",
        "/mcp",
    )
    for path in (*tried, "/favicon.ico", "/page/main.js/", "//page/main.js", "/page/main.js.map"):
        heard = ask(asked.port, "GET", path, own(asked))
        assert heard.status in (401, 404), path
        assert b"<script" not in heard.body, path
