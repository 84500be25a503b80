"""What git tracks is read from its index: as git itself says it, and unmoved by an index that somebody made up."""

import os
import random
import re
import subprocess
from pathlib import Path

import pytest

from commonplace.workspace import git_index
from commonplace.workspace.git_index import NoRepository, Tracked, Unavailable, tracked_below
from tests.security.hostile import needs_git
from tests.test_architecture import modules

pytestmark = needs_git


def git(folder: Path, *words: str) -> str:
    surroundings = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.email=a@example.org", "-c", "user.name=a", "-c", "protocol.file.allow=always")
    done = subprocess.run(["git", *who, *words], cwd=folder, env=surroundings, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "backslashreplace")


def names_by_git(folder: Path) -> set[str]:
    return set(filter(None, git(folder, "ls-files", "-z").split("\0")))


def tracked(folder: Path) -> set[str]:
    found = tracked_below(folder)
    assert isinstance(found, Tracked), found
    return set(found.files)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Names short and long, deep, alike and odd."""
    root = tmp_path / "repository"
    names = [
        "a",
        "ab",
        "abc",
        "deep/er/and/deeper/x.db",
        "deep/er/x.db-wal",
        "with blank",
        "ümlaut",
        "x" * 200,
        "new\nline",
    ]
    names += [f"many/file{number:03}" for number in range(300)]
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    git(root, "init", "-q")
    git(root, "add", "-A")
    return root


# -- as git says it ---------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_of_the_index_is_read_as_git_reads_it(repository: Path, version: str) -> None:
    git(repository, "update-index", "--index-version", version)
    if version == "3":
        (repository / "later").touch()
        git(repository, "add", "--intent-to-add", "later")  # what needs the longer flags of this version
    assert tracked(repository) == names_by_git(repository)
    for below in ("deep", "deep/er", "many"):
        assert tracked(repository / below) == names_by_git(repository / below)
    git(repository, "commit", "-q", "-m", "all")  # which adds an extension
    assert tracked(repository) == names_by_git(repository)


def test_a_repository_with_longer_hashes_is_read(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256")
    for name in ("a", "b/c"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    git(tmp_path, "add", "-A")
    assert tracked(tmp_path) == {"a", "b/c"}


def test_worktrees_and_submodules_have_an_index_of_their_own(repository: Path, tmp_path: Path) -> None:
    git(repository, "commit", "-q", "-m", "all")
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    git(tmp_path / "tree", "rm", "-q", "a")
    assert tracked(tmp_path / "tree") == names_by_git(tmp_path / "tree") == names_by_git(repository) - {"a"}
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "submodule", "add", "-q", str(repository), "inner")
    assert tracked(outer / "inner") == names_by_git(outer / "inner")


def test_without_a_repository_or_without_an_index_nothing_is_tracked(tmp_path: Path) -> None:
    assert tracked_below(tmp_path) == NoRepository()
    git(tmp_path, "init", "-q")
    assert tracked_below(tmp_path) == Tracked(())


def test_an_index_that_must_be_understood_and_is_not_is_unavailable(repository: Path) -> None:
    git(repository, "update-index", "--split-index")
    assert isinstance(tracked_below(repository), Unavailable)


# -- made up ----------------------------------------------------------------------------------


def test_no_damaged_index_is_more_than_unavailable(repository: Path) -> None:
    """Cut anywhere, changed anywhere, or pure noise: an answer, and never an error."""
    dice = random.Random(1)
    tried = 0
    for version in ("2", "4"):
        git(repository, "update-index", "--index-version", version)
        index = repository / ".git" / "index"
        whole = index.read_bytes()
        for _ in range(400):
            damaged = bytearray(whole[: dice.randrange(len(whole))] if dice.random() < 0.3 else whole)
            for _ in range(dice.randrange(1, 9)):
                if damaged:
                    damaged[dice.randrange(len(damaged))] = dice.randrange(256)
            index.write_bytes(damaged)
            assert isinstance(tracked_below(repository), Tracked | Unavailable)
            tried += 1
        index.write_bytes(whole)
    for size in (0, 1, 11, 12, 100, 5_000):
        for start in (b"", b"DIRC\0\0\0\2\xff\xff\xff\xff", b"DIRC\0\0\0\4\0\0\0\1", b"DIRC\0\0\0\x09\0\0\0\0"):
            index.write_bytes(start + dice.randbytes(size))
            assert isinstance(tracked_below(repository), Unavailable), (size, start)
            tried += 1
    print(f"{tried} damaged indexes, 0 errors")


def test_names_that_grow_with_each_entry_are_bounded(tmp_path: Path) -> None:
    """In version 4 each name may lengthen the one before: a small file could stand for gigabytes of names."""
    count = 20_000
    entry = bytes(60) + b"\0\0" + b"\0" + b"xx\0"
    (tmp_path / ".git").mkdir()
    header = b"DIRC" + (4).to_bytes(4) + count.to_bytes(4)
    (tmp_path / ".git" / "index").write_bytes(header + entry * count + bytes(20))
    assert isinstance(tracked_below(tmp_path), Unavailable)


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "device", "too large"])
def test_only_a_plain_file_of_some_size_is_an_index(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / ".git"
    folder.mkdir()
    index = folder / "index"
    match kind:
        case "link":
            (tmp_path / "other").write_bytes(b"DIRC\0\0\0\2\0\0\0\0" + bytes(20))
            index.symlink_to(tmp_path / "other")
        case "pipe":
            os.mkfifo(index)
        case "folder":
            index.mkdir()
        case "device":
            index.symlink_to("/dev/zero")
        case _:
            monkeypatch.setattr(git_index, "INDEX_BYTES", 31)
            index.write_bytes(b"DIRC\0\0\0\2\0\0\0\0" + bytes(20))
    assert isinstance(tracked_below(tmp_path), Unavailable)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"gitdir:",
        b"gitdir: \0",
        b"gitdir: //evil.example/share",
        b"gitdir: \\\\evil.example\\share",
        b"x" * 5_000,
        b"gitdir: /dev/zero",
        b"gitdir: " + b"/a" * 2_000,
        b"nonsense",
        b"gitdir: ../pipe\n",
    ],
)
def test_a_pointer_leads_to_an_index_on_this_machine_or_nowhere(tmp_path: Path, content: bytes) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "index")
    (root / ".git").write_bytes(content)
    found = tracked_below(root)
    assert isinstance(found, Unavailable)
    assert "evil" not in found.reason


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_marker_that_is_a_link_or_a_pipe_is_not_followed(tmp_path: Path, repository: Path, kind: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    if kind == "link":
        (root / ".git").symlink_to(repository / ".git")
    else:
        os.mkfifo(root / ".git")
    assert isinstance(tracked_below(root), Unavailable)


def test_nothing_in_the_package_starts_git() -> None:
    """A process is started in three modules only: one starts pip, one ourselves, as a host would, one is itself twice.

    What setup starts is this very program by its whole path, in the user's home: no folder has a say in it. A hook
    forks: the other half of it does the work.
    """
    signs = re.compile(
        r"\bsubprocess\b|\bos\.(?:system|popen|exec|spawn|posix_spawn|fork|startfile)|\bmultiprocessing\b"
    )
    starters = {name for name, path in modules().items() if signs.search(path.read_text())}
    assert starters == {
        "commonplace.cli.output",  # os.system('') for an old Windows console
        "commonplace.hooks.watch",  # forks, and starts nothing
        "commonplace.models.pull",  # pip
        "commonplace.setup.connecting",  # our own server
        "commonplace.setup.launch",  # starts nothing: it takes list2cmdline, which quotes words for Windows
    }
