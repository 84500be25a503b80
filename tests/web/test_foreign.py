"""A page that is not ours, open beside the one that is signed in, can neither read nor change anything."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page

from commonplace.domain.query import Filter
from tests.web.conftest import OpenPage
from tests.web.running import Process, opened, served, web
from tests.web.strangers import FORGED, READING, WRITING, elsewhere
from tests.web.views import entered, row

SECRET = "The harbour gate opens at nine"
OTHER_NAME = "harbour.test"
ORIGINS = ("http://127.0.0.1:{port}", "http://localhost:{port}", f"http://{OTHER_NAME}:{{port}}")
"""Where a foreign page may stand: another port, another name of the machine, a name that leads to it."""


@pytest.fixture(params=[web, served], ids=["web", "serve without tokens"])
def running(store: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Process]:
    """A page with a visit of its own, and one that lets in whoever is at this machine."""
    with opened(store) as book:
        book.remember(SECRET)
    with request.param(store, tmp_path) as process:
        yield process


@pytest.fixture
def stranger(running: Process, open_page: OpenPage, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A foreign page in the browser in which a person is signed in."""
    own = open_page()
    own.goto(running.link)
    row(own, SECRET).wait_for()
    with elsewhere() as port:
        page = own.context.new_page()
        page.goto(request.param.format(port=port))
        yield page


def texts(store: Path) -> list[str]:
    with opened(store) as book:
        return sorted(memory.text for memory in book.list(Filter(book.every_scope(), statuses=())).memories)


@pytest.mark.parametrize("stranger", ORIGINS, indirect=True)
def test_a_foreign_page_reads_nothing(stranger: Page, running: Process) -> None:
    for name, way in READING.items():
        for address in (running.origin, running.origin.replace("127.0.0.1", "localhost")):
            try:
                said = stranger.evaluate(way, address)
            except Error:
                continue
            assert said in ("", None), (name, said)
    # what an error hides is not proof that the way would have worked: the foreign page reads itself by the same way
    assert "elsewhere" in stranger.evaluate(READING["the shell"], stranger.url.rstrip("/"))


@pytest.mark.parametrize("stranger", ORIGINS, indirect=True)
def test_a_foreign_page_changes_nothing(stranger: Page, running: Process, store: Path) -> None:
    before = texts(store)
    for way in WRITING.values():
        stranger.evaluate(f"([at, body]) => ({way})(at, body)", [running.origin, json.dumps({"text": FORGED})])
    assert texts(store) == before == [SECRET]
    stranger.goto("about:blank")
    own = stranger.context.pages[0]
    own.reload()
    own.get_by_text(SECRET).first.wait_for()  # still signed in: it was signed out by nobody


@pytest.mark.parametrize("stranger", ORIGINS, indirect=True)
def test_the_page_stands_in_no_frame_of_another(stranger: Page, running: Process) -> None:
    for place in ("/", "/api/v1/memories", "/api/v1/openapi.json", "/page/main.js"):
        stranger.evaluate(
            """(at) => new Promise((done) => {
                const frame = document.createElement('iframe');
                frame.onload = done; frame.src = at; document.body.append(frame);
            })""",
            running.origin + place,
        )
    frames = stranger.main_frame.child_frames
    assert len(frames) == 4
    for frame in frames:
        assert frame.evaluate("() => location.href").startswith("chrome-error://"), frame.url


def test_no_other_name_leads_to_the_book(running: Process, open_page: OpenPage) -> None:
    """What a name server says later of a name that a foreign page has."""
    page = open_page()
    for path in ("/", "/api/v1/memories", "/page/main.js"):
        answer = page.goto(f"http://{OTHER_NAME}:{running.port}{path}")
        assert answer is not None
        assert answer.status in (400, 403, 421), path
        assert SECRET not in answer.text()


def test_neither_half_of_a_credential_is_of_use_alone(store: Path, process: Process, open_page: OpenPage) -> None:
    with opened(store) as book:
        book.remember(SECRET)
    own = open_page()
    entered(own, process)
    ask = (
        "(headers) => fetch('/api/v1/memories', {headers}).then(async (answer) => [answer.status, await answer.text()])"
    )
    half = own.evaluate("() => localStorage.getItem('commonplace.half')")
    assert own.evaluate(ask, {"x-commonplace-half": half})[0] == 200
    assert own.evaluate(ask, {})[0] == 401  # the cookie goes with it
    (cookie,) = own.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/api")
    assert half not in cookie["value"]
    own.context.clear_cookies()
    status, said = own.evaluate(ask, {"x-commonplace-half": half})
    assert status == 401
    assert SECRET not in said
