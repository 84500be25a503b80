"""`commonplace web` as it is started: a process that says where its page is, once, and leaves nothing behind."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commonplace.api.operations import PREFIX
from commonplace.serve.visits import KEY_LASTS
from tests import warm
from tests.security.door import LIMIT_SECONDS, Heard, ask
from tests.serve.wire import environment

INTERRUPTED = 130


class Started:
    """The command, with the link it printed."""

    def __init__(self, folder: Path, *words: str, **variables: str) -> None:
        self.process = subprocess.Popen(
            warm.command("web", "--no-open", "--json", *words),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(HOME=str(folder), COMMONPLACE_STORE=str(folder / "book.db"), **variables),
        )

    def link(self) -> tuple[int, str]:
        """The port and the key."""
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        assert told["link"].startswith(f"{told['address']}/#/enter?key=")
        return int(told["address"].rpartition(":")[2]), told["link"].partition("key=")[2]

    def ended(self) -> tuple[int, str]:
        out, err = self.process.communicate(timeout=LIMIT_SECONDS)
        return self.process.returncode, (out + err).decode()


@contextmanager
def started(folder: Path, *words: str, **variables: str) -> Iterator[Started]:
    made = Started(folder, *words, **variables)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.process.kill()
        made.ended()


def sign_in(port: int, key: str) -> Heard:
    lines = (("Host", "127.0.0.1"), ("Authorization", f"Bearer {key}"), ("Content-Type", "application/json"))
    return ask(port, "POST", f"{PREFIX}/sign-in", lines)


def halves(heard: Heard) -> tuple[tuple[str, str], ...]:
    half = json.loads(heard.body)["half"]
    cookie = heard.headers["set-cookie"].partition(";")[0]
    return (("Host", "127.0.0.1"), ("Cookie", cookie), ("X-Commonplace-Half", half))


def test_the_page_is_there_at_the_link_and_the_key_works_once(tmp_path: Path) -> None:
    with started(tmp_path) as web:
        port, key = web.link()
        shell = ask(port, "GET", "/", (("Host", f"127.0.0.1:{port}"),))
        assert shell.status == 200
        assert shell.headers["content-type"].startswith("text/html")
        assert key.encode() not in shell.body
        heard = sign_in(port, key)
        assert heard.status == 200
        assert sign_in(port, key).status == 401
        me = ask(port, "GET", f"{PREFIX}/me", halves(heard))
        assert json.loads(me.body)["person"] is True
        for path in ("/mcp", "/rpc", "/metrics", "/ready"):
            assert ask(port, "GET", path, halves(heard)).status in (401, 404), path
        assert not (tmp_path / "book.db").exists(), "looking makes no book"


def test_the_key_is_over_after_five_minutes(tmp_path: Path) -> None:
    clock = warm.FileClock(tmp_path / "clock")
    with started(tmp_path, **{warm.CLOCK: str(tmp_path / "clock")}) as web:
        port, key = web.link()
        clock.advance(KEY_LASTS)
        heard = sign_in(port, key)
        assert heard.status == 401
        assert "five minutes" in json.loads(heard.body)["error"]["message"]


def test_it_listens_to_this_machine_only(tmp_path: Path) -> None:
    with started(tmp_path) as web:
        port, _ = web.link()
        assert not answers("127.0.0.2", port)


def test_a_port_that_is_taken_is_said_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with started(tmp_path, "--port", str(taken.getsockname()[1])) as web:
            code, said = web.ended()
    assert code == 1
    assert "in use" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("port", ["70000", "-1", "x"])
def test_a_port_that_is_none_is_said_in_a_sentence(tmp_path: Path, port: str) -> None:
    with started(tmp_path, f"--port={port}") as web:
        code, said = web.ended()
    assert code in (1, 2)
    assert "Traceback" not in said
    assert "bug" not in said


def answers(host: str, port: int) -> bool:
    with socket.socket() as knocking:
        knocking.settimeout(LIMIT_SECONDS)
        return knocking.connect_ex((host, port)) == 0


def left(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=["Ctrl-C", "TERM", "kill -9"])
def test_when_it_ends_the_page_is_gone_and_nothing_is_left_of_it(tmp_path: Path, way: signal.Signals) -> None:
    with started(tmp_path) as web:
        port, key = web.link()
        heard = sign_in(port, key)
        body = b'{"text": "The heron is grey"}'
        lines = (*halves(heard), ("Content-Type", "application/json"), ("Content-Length", str(len(body))))
        assert ask(port, "POST", f"{PREFIX}/memories", lines, body).status == 200
        assert not any(key in path.read_text("latin-1") for path in tmp_path.rglob("*") if path.is_file())
        web.process.send_signal(way)
        code, said = web.ended()
        assert "Traceback" not in said
        assert way is not signal.SIGINT or code in (0, INTERRUPTED)
        assert not answers("127.0.0.1", port)
    assert all(name.startswith("book.db") or name.endswith(".json") for name in left(tmp_path)), left(tmp_path)
    with started(tmp_path) as again:
        port, other = again.link()
        assert other != key
        assert sign_in(port, key).status == 401
        heard = sign_in(port, other)
        found = ask(port, "GET", f"{PREFIX}/memories", halves(heard))
        assert json.loads(found.body)["total"] == 1, "what was acknowledged is there"


def test_the_link_is_printed_for_whoever_opens_it_by_hand(tmp_path: Path) -> None:
    process = subprocess.Popen(
        warm.command("web", "--no-open"),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(HOME=str(tmp_path), COMMONPLACE_STORE=str(tmp_path / "book.db")),
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline().decode().strip()
        assert line.startswith("http://127.0.0.1:")
        assert "/#/enter?key=" in line
    finally:
        process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        _, err = process.communicate(timeout=LIMIT_SECONDS)
    assert "works once" in err.decode()


def test_the_page_does_not_load_the_sdk() -> None:
    """It takes most of a second to import, and a person is waiting."""
    code = "import sys, commonplace.serve.web; print(*sys.modules)"
    source = {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **source}, capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "commonplace.serve.web" in loaded
    assert [name for name in loaded if name.partition(".")[0] in ("mcp", "mcp_types")] == []
