"""Aleph's errors with their real causes: a damaged index, and a writer that holds the book."""

import shutil
from pathlib import Path

import apsw
import pytest

from tests.contracts.client import serving
from tests.contracts.requirements import requires
from tests.contracts.test_aleph_tools import code, command
from tests.faults.workshop import Companion


@pytest.fixture
def store(tmp_path: Path) -> Path:
    place = tmp_path / "sound.db"
    for text in ("The harbour opens at six", "Deploys are on Monday"):
        assert command(place, "remember", text).returncode == 0
    return place


@requires("aleph.errors.index")
def test_a_damaged_index_is_index_corrupted_until_doctor_mends_it(store: Path, project: Path) -> None:
    damaged = store.with_name("damaged.db")
    shutil.copy(store, damaged)
    connection = apsw.Connection(str(damaged))
    connection.execute("UPDATE words_data SET block = zeroblob(length(block)) WHERE id > 10")
    connection.close()
    with serving("aleph", damaged, project) as client:
        for tool, given in (
            ("memory_search", {"query": "harbour"}),
            ("memory_reflect", {"query": "harbour"}),
            ("forget", {"query": "harbour", "confirm": True}),
        ):
            refusal = client.refusal(tool, **given)
            assert code(refusal) == "IndexCorrupted"
            assert "doctor --repair" in refusal["error"]["message"]
        assert client.call("memory_status")["index_health"]["fts"] == "corrupted"
    failed = command(damaged, "rpc", "memory.search", '{"query": "harbour"}', "--json")
    assert (failed.returncode, '"IndexCorrupted"' in failed.stdout) == (1, True)
    assert command(damaged, "doctor", "--repair").returncode == 0
    with serving("aleph", damaged, project) as client:
        assert client.call("memory_search", query="harbour")["facts"][0]["content"] == "The harbour opens at six"
        assert client.call("memory_status")["index_health"]["fts"] == "ok"


@requires("aleph.errors.lock")
def test_a_writer_that_waits_too_long_is_lock_timeout_and_may_try_again(store: Path, project: Path) -> None:
    with (
        Companion(store) as other,
        serving("aleph", store, project, COMMONPLACE_BUSY_SECONDS="0.1") as client,
    ):
        assert client.call("memory_search", query="harbour")["facts"]
        other.ask("begin_writing")
        refusal = client.refusal("remember", content="The lighthouse is red")
        assert code(refusal) == "LockTimeout"
        assert refusal["error"]["retryable"] is True
        assert code(client.refusal("forget", query="harbour", confirm=True)) == "LockTimeout"
        assert client.call("memory_search", query="harbour")["facts"]
        other.ask("end")
        assert client.call("remember", content="The lighthouse is red")["created"]
