"""doctor, upgrade, reembed, backup, restore-backup and reset."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Call


@pytest.fixture
def store(known: Call) -> Path:
    return Path(known("config", "get", "store").ok().out.strip())


def finding(call: Call, check: str) -> dict[str, Any]:
    (found,) = [each for each in call("doctor", "--json").json["findings"] if each["check"] == check]
    return found


def test_doctor_finds_a_healthy_book_well(known: Call) -> None:
    answer = known("doctor").ok()
    assert answer.out.endswith("No problems found.\n")
    document = known("doctor", "--json").ok().json
    assert document["ok"] is True
    assert {"schema", "pages", "words", "hashes", "permissions", "secrets", "git", "network"} <= {
        finding["check"] for finding in document["findings"]
    }


def test_doctor_fails_with_exit_code_1_and_names_the_check(known: Call, store: Path) -> None:
    os.chmod(store, 0o644)
    answer = known("doctor")
    assert answer.code == 1
    assert "FAILED  permissions" in answer.out
    assert answer.out.endswith("1 check failed.\n")
    assert known("doctor", "--json").json["ok"] is False


def test_doctor_of_what_is_no_book_is_a_finding_too(cli: Call, tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("These are my notes, and no database at all. " * 50)
    answer = cli("doctor", "--store", str(other), "--json")
    assert (answer.code, answer.json["ok"]) == (1, False)


def test_doctor_repairs_indexes_from_the_rows(known: Call) -> None:
    answer = known("doctor", "--repair").ok()
    assert "repaired: rebuilt the word index" in answer.out
    assert len(known("doctor", "--repair", "--json").ok().json["repaired"]) == 2
    assert len(known("recall", "deploys", "--json").ok().json["hits"]) == 1


def test_doctor_says_that_the_other_package_of_our_name_is_in_the_way(
    known: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert finding(known, "package")["ok"] is True
    described = tmp_path / "packages" / "commonplace-0.0.4.dist-info" / "METADATA"
    described.parent.mkdir(parents=True)
    described.write_text("Metadata-Version: 2.1\nName: commonplace\nVersion: 0.0.4\n")
    monkeypatch.syspath_prepend(described.parents[1])
    package = finding(known, "package")
    assert package["ok"] is False
    assert "'commonplace' 0.0.4, which is another program" in package["detail"]
    assert "pip uninstall commonplace" in package["detail"]


def test_upgrade_says_that_a_book_is_up_to_date(known: Call) -> None:
    assert "is up to date: schema" in known("upgrade").ok().out
    document = known("upgrade", "--json").ok().json
    assert (document["before"], document["copy"]) == (document["after"], None)


def test_reembed_without_a_model_says_what_to_do(known: Call) -> None:
    answer = known("reembed", "--json")
    assert (answer.code, answer.json["error"]["code"]) == (1, "model_missing")


def test_backup_copies_the_book_for_its_owner_only(known: Call, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    answer = known("backup", str(target)).ok()
    assert f"Copied the book to {target}" in answer.out
    if os.name == "posix":
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert known("list", "--store", str(target), "--json").ok().json["total"] == 3
    again = known("backup", str(target))
    assert again.code == 1
    assert "exists already" in again.err
    assert known("backup", str(tmp_path / "second.db"), "--json").ok().json["bytes"] > 0


def test_restore_backup_keeps_the_present_book_beside_it(known: Call, tmp_path: Path) -> None:
    target = str(tmp_path / "copy.db")
    known("backup", target).ok()
    known("remember", "Written after the back-up").ok()
    known("purge", "1", "--yes").ok()
    answer = known("restore-backup", target, "--yes").ok()
    assert "1 memory purged since that back-up stays purged." in answer.out
    kept = answer.out.splitlines()[0].removeprefix("The book as it was is kept as ").removesuffix(".")
    assert known("list", "--store", kept, "--json").ok().json["total"] == 3
    assert {memory["number"] for memory in known("list", "--json").ok().json["memories"]} == {2, 3}


def test_restore_backup_brings_back_a_damaged_book(known: Call, store: Path, tmp_path: Path) -> None:
    target = str(tmp_path / "copy.db")
    known("backup", target).ok()
    store.write_bytes(b"this is not a database any more" * 300)
    answer = known("restore-backup", target, "--yes", "--json").ok()
    assert known("list", "--json").ok().json["total"] == 3
    assert Path(answer.json["safety_copy"]).read_bytes().startswith(b"this is not a database")
    assert "damaged" in answer.err


def test_a_damaged_book_stays_where_it_is_when_the_back_up_is_no_better(
    known: Call, store: Path, tmp_path: Path
) -> None:
    (tmp_path / "copy.db").write_bytes(b"nonsense" * 1_000)
    store.write_bytes(b"this is not a database any more" * 300)
    assert known("restore-backup", str(tmp_path / "copy.db"), "--yes").code == 1
    assert store.read_bytes().startswith(b"this is not a database")


def test_restore_backup_refuses_the_book_itself(known: Call, store: Path) -> None:
    answer = known("restore-backup", str(store), "--yes")
    assert answer.code == 1
    assert "is the book itself" in answer.err


def test_restore_backup_needs_yes_away_from_a_terminal(known: Call, tmp_path: Path) -> None:
    target = str(tmp_path / "copy.db")
    known("backup", target).ok()
    answer = known("restore-backup", target)
    assert answer.code == 2
    assert "Add --yes" in answer.err


@pytest.mark.parametrize("content", [None, b"", b"nonsense" * 1_000])
def test_restore_backup_from_something_else_changes_nothing(known: Call, tmp_path: Path, content: bytes | None) -> None:
    source = tmp_path / "wrong.db"
    if content is not None:
        source.write_bytes(content)
    answer = known("restore-backup", str(source), "--yes")
    assert answer.code == 1
    assert answer.err.startswith("commonplace: ")
    assert "--store" not in answer.err, "the file that was named is wrong, not the book"
    assert known("list", "--json").ok().json["total"] == 3


def test_reset_empties_the_book_and_keeps_a_copy(known: Call) -> None:
    answer = known("reset", "--yes", "--json").ok()
    assert known("list", "--status", "any", "--json").ok().json["total"] == 0
    assert known("list", "--store", answer.json["safety_copy"], "--json").ok().json["total"] == 3


def test_reset_without_a_copy_leaves_no_byte(known: Call, store: Path) -> None:
    answer = known("reset", "--yes", "--no-backup").ok()
    assert answer.out == f"{store} is empty.\n"
    assert not any(b"heron" in file.read_bytes() for file in store.parent.iterdir())


def test_reset_needs_yes_away_from_a_terminal(known: Call) -> None:
    assert known("reset").code == 2
    assert known("list", "--json").ok().json["total"] == 3
