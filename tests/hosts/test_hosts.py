"""In real hosts: what a person says in one session is there in the first request of the next, and nothing is left.

`make test-hosts` installs the hosts at pinned versions and runs this; ROUNDS=10 repeats each pair of sessions.
"""

import os
import random
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hosts.driver import HOSTS, Desk, Host, kill_host, processes_about
from tests.hosts.standin import StandIn
from tests.test_docs import ROOT, blocks
from tests.waiting import kill_after, wait_until

pytestmark = [
    pytest.mark.skipif(not os.environ.get("COMMONPLACE_TEST_HOSTS"), reason="make test-hosts installs the hosts"),
    pytest.mark.timeout(3_600),
]

ROUNDS = int(os.environ.get("COMMONPLACE_TEST_ROUNDS", "1"))
KILLED = int(os.environ.get("COMMONPLACE_TEST_KILLED", "5"))
BLOCK = re.compile(r"(?:<|&lt;)commonplace-memory.*?(?:<|&lt;)/commonplace-memory")  # Gemini CLI escapes it
CHARACTERS_A_TOKEN = 4


@pytest.fixture
def model() -> Iterator[StandIn]:
    with StandIn() as standing_in:
        yield standing_in


@pytest.fixture(params=HOSTS, ids=lambda host: host.name)
def desk(request: pytest.FixtureRequest, tmp_path: Path, model: StandIn) -> Desk:
    host: Host = request.param
    return Desk.at(tmp_path, host, model)


def set_up(desk: Desk) -> None:
    done = desk.ours("setup", desk.host.name, "--yes")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "connected" in done.stdout, done.stdout


def injected(text: str) -> str:
    """What stands within our marks in a request, each block with its marks."""
    return "\n".join(BLOCK.findall(text))


def test_what_was_said_is_there_in_the_next_session(desk: Desk) -> None:
    """Each round another server: the newest must be there, in a sub-folder, in the first request."""
    set_up(desk)
    for number in range(1, ROUNDS + 1):
        server, name = f"server {number}", f"heron{random.randrange(1_000, 9_999)}"
        first = desk.session(f"Please remember: {server} is called {name}.", desk.repository)
        assert "memory_recall" in first[0].tools
        second = desk.session(f"What is {server} called?", desk.repository / "src" / "api")
        assert "memory_recall" in second[0].tools
        assert name in injected(second[0].text), (number, desk.ours("status").stdout)
        print(f"{desk.host.name}, {number}: {len(injected(second[0].text)) // CHARACTERS_A_TOKEN} tokens injected")


def test_the_first_commands_of_the_readme_lead_from_a_clone_to_a_memory_in_a_host(
    tmp_path: Path, model: StandIn
) -> None:
    """As they stand there, but that a new environment is made for the program by hand, as pipx makes one."""
    desk = Desk.at(tmp_path, HOSTS[0], model)
    (install, set_up_all, say, ask) = map(shlex.split, blocks(ROOT / "README.md", "shell")[0].splitlines())
    assert install == ["pipx", "install", "."]
    own = tmp_path / "own"
    subprocess.run([sys.executable, "-m", "venv", own], check=True)
    subprocess.run([own / "bin" / "pip", "install", "--quiet", ROOT], check=True)
    desk.program = own / "bin" / "commonplace"
    (desk.home / ".claude").mkdir()  # what a host that was started once leaves there
    assert set_up_all[0] == "commonplace"
    done = desk.ours(*set_up_all[1:])
    assert "connected" in done.stdout, done.stdout + done.stderr
    assert say[:2] == ask[:2] == ["claude", "-p"]
    desk.session(say[2], desk.repository)
    asked = desk.session(ask[2], desk.repository)
    assert "heron" in injected(asked[0].text)
    assert "memory_recall" in asked[0].tools


def test_with_inject_off_nothing_is_brought(desk: Desk) -> None:
    set_up(desk)
    assert desk.ours("remember", "Our staging server is called heron77").returncode == 0
    assert desk.ours("config", "set", "inject", "off").returncode == 0
    asked = desk.session("What is the staging server called?", desk.repository)
    assert "heron77" not in asked[0].text
    assert not injected(asked[0].text)


def test_a_set_up_that_is_removed_leaves_the_files_as_they_were(desk: Desk) -> None:
    before = desk.files()
    set_up(desk)
    assert desk.files() != before
    again = desk.files()
    set_up(desk)
    assert desk.files() == again
    done = desk.ours("setup", desk.host.name, "--remove", "--yes")
    assert done.returncode == 0, done.stdout + done.stderr
    assert desk.files() == before


def test_nothing_of_ours_outlives_a_killed_host(desk: Desk) -> None:
    """Seen after every one of them, and how long the slowest of ours took to go."""
    set_up(desk)
    longest = 0.0
    for _ in range(KILLED):
        process = desk.start("What is the staging server called?", desk.repository)
        kill_after(process.pid, random.uniform(0.2, 4))
        kill_host(desk)
        process.wait()
        killed = time.monotonic()
        wait_until(lambda: not processes_about(desk.home), 5, "something of ours outlived its host")
        longest = max(longest, time.monotonic() - killed)
    print(f"{desk.host.name}: {KILLED} killed, the last of ours gone after {longest:.1f} s at most")
