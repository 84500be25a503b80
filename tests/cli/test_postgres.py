"""The command line on a book that is on a server."""

import subprocess
import sys
from pathlib import Path

import pytest

from commonplace.store.postgres.schema import migrations
from tests.cli.conftest import Call
from tests.postgres import Server

LATEST = migrations()[-1].number
SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture
def address(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> str:
    """A server's address with a password in it, which must never be shown."""
    made = postgres.address(postgres.new_database()).replace("librarian@", "librarian:hunter2@")
    monkeypatch.setenv("COMMONPLACE_STORE", made)
    return made


@pytest.mark.usefixtures("address")
def test_the_main_job_is_done_on_a_server(cli: Call) -> None:
    assert "no" in (cli("recall", "anything").out + cli("recall", "anything").err).lower()
    cli("remember", "Deploys are on Monday", "--topic", "deploy day").ok()
    again = cli("remember", "Deploys are on Thursday", "--topic", "deploy day", "--json").ok().json
    assert again
    assert "Thursday" in cli("recall", "deploys").ok().out
    assert "superseded" in cli("history", "1").ok().out
    cli("purge", "2", "--yes").ok()
    assert "Thursday" not in cli("list").ok().out
    assert cli("doctor", "--json").ok().json["ok"]
    assert cli("doctor", "--repair").ok()


@pytest.mark.parametrize(
    "words",
    [
        ("doctor", "--json"),
        ("doctor", "-v"),
        ("config", "show"),
        ("config", "get", "store"),
        ("config", "path"),
        ("list", "-v"),
        ("upgrade",),
        ("backup", "x.db"),
        ("reset", "--yes"),
        ("reset", "--yes", "--no-backup"),
    ],
)
@pytest.mark.usefixtures("address")
def test_the_password_is_never_shown(cli: Call, words: tuple[str, ...]) -> None:
    said = cli(*words)
    assert "hunter2" not in said.out + said.err


@pytest.mark.usefixtures("address")
def test_a_server_is_upgraded_and_emptied_but_copied_with_its_own_tools(cli: Call) -> None:
    assert cli("upgrade", "--json").ok().json == {"before": 0, "after": LATEST, "copy": None}
    assert "up to date" in cli("upgrade").ok().err + cli("upgrade").ok().out
    cli("remember", "Deploys are on Monday").ok()
    for words in (("backup", "copy.db"), ("reset", "--yes")):
        answer = cli(*words)
        assert answer.code == 1
        assert "pg_dump" in answer.err
    cli("reset", "--yes", "--no-backup").ok()
    assert cli("list", "--json").ok().json["total"] == 0


def test_a_book_moves_to_a_server_and_back(cli: Call, address: str, tmp_path: Path) -> None:
    file, back = str(tmp_path / "book.db"), str(tmp_path / "back.db")
    cli("remember", "Deploys are on Monday", "--store", file).ok()
    cli("remember", "Lunch is at noon", "--tag", "food", "--store", file).ok()
    moved = cli("migrate", file, address, "--json").ok()
    assert moved.json["memories"] == 2
    assert "hunter2" not in moved.out
    assert "2 memories of 1 tenant" in (answer := cli("migrate", address, back).ok()).err + answer.out
    exports = [cli("export", "--store", place).ok().out.splitlines()[1:] for place in (file, address, back)]
    assert exports[0] == exports[1] == exports[2]
    assert len(exports[0]) == 2


def test_a_copy_to_itself_is_refused(cli: Call, tmp_path: Path) -> None:
    file = str(tmp_path / "book.db")
    assert cli("migrate", file, file).code == 1


def test_without_the_driver_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    script = (
        "import sys\nsys.modules['psycopg'] = None\nfrom commonplace.cli import main\n"
        "sys.exit(main(['recall', 'x', '--store', 'postgresql://host/db', '--model', 'none']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PYTHONPATH": str(SOURCE), "HOME": str(tmp_path)},
    )
    assert done.returncode == 1
    assert done.stderr.strip().splitlines() == [
        "commonplace: A PostgreSQL store needs its driver: install commonplace-memory[postgres]."
    ]
