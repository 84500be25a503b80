"""The repository a folder is in: told by its files alone, and never by what a stranger's file claims."""

import os
from pathlib import Path

import pytest

from commonplace.workspace.project import locate, repository_root, scope_of
from commonplace.workspace.repository import POINTER_BYTES, SETTINGS_BYTES, origin_of


def repository(folder: Path, name: str = ".git") -> Path:
    (folder / name).mkdir(parents=True)
    return folder.resolve()


def worktree(main: Path, folder: Path, relative: bool = False) -> Path:
    """A worktree as git makes one."""
    inner = main / ".git" / "worktrees" / folder.name
    inner.mkdir(parents=True)
    folder.mkdir(parents=True)
    pointed, back = (
        (os.path.relpath(inner, folder), os.path.relpath(folder / ".git", inner))
        if relative
        else (
            str(inner),
            str(folder / ".git"),
        )
    )
    (folder / ".git").write_text(f"gitdir: {pointed}\n")
    (inner / "commondir").write_text("../..\n")
    (inner / "gitdir").write_text(f"{back}\n")
    return folder.resolve()


@pytest.mark.parametrize("name", [".git", ".jj", ".hg"])
def test_a_folder_within_a_repository_belongs_to_its_root(tmp_path: Path, name: str) -> None:
    root = repository(tmp_path / "shop", name)
    deep = root / "src" / "api"
    deep.mkdir(parents=True)
    place = locate(deep)
    assert (place.root, place.is_project) == (root, True)
    assert place.older == (deep, root / "src")


def test_a_folder_in_no_repository_is_itself_and_no_project(tmp_path: Path) -> None:
    assert (locate(tmp_path).root, locate(tmp_path).is_project) == (tmp_path.resolve(), False)


def test_what_the_user_marked_comes_before_the_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "mono")
    part = root / "services" / "pay"
    (part / ".commonplace").mkdir(parents=True)
    assert locate(part).root == part
    assert locate(root / "services").root == root
    (tmp_path / ".commonplace").mkdir()
    assert locate(root / "services").root == tmp_path.resolve()


@pytest.mark.parametrize("relative", [False, True])
def test_worktrees_of_one_git_folder_are_one_project(tmp_path: Path, relative: bool) -> None:
    main = repository(tmp_path / "shop")
    tree = worktree(main, tmp_path / "shop-fix", relative)
    (tree / "src").mkdir()
    assert locate(tree).root == locate(tree / "src").root == main
    assert locate(tree / "src").older == (tree / "src", tree)
    assert scope_of(locate(tree).root) == scope_of(main)


def test_a_worktree_of_a_bare_repository_belongs_to_its_folder(tmp_path: Path) -> None:
    bare = tmp_path / "shop.git"
    inner = bare / "worktrees" / "fix"
    inner.mkdir(parents=True)
    tree = tmp_path / "fix"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {inner}")
    (inner / "commondir").write_text("../..")
    (inner / "gitdir").write_text(str(tree / ".git"))
    assert repository_root(tree) == bare.resolve()


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    main = repository(tmp_path / "shop")
    inner = main / ".git" / "modules" / "lib"
    inner.mkdir(parents=True)
    part = main / "lib"
    part.mkdir()
    (part / ".git").write_text("gitdir: ../.git/modules/lib\n")
    assert locate(part).root == part


def hostile(tmp_path: Path) -> dict[str, Path]:
    """Folders that say they are worktrees of a repository that does not know them."""
    main = repository(tmp_path / "shop")
    worktree(main, tmp_path / "real")
    inner = main / ".git" / "worktrees" / "real"
    made: dict[str, Path] = {}

    def folder(name: str, pointer: str | bytes) -> Path:
        made[name] = tmp_path / name
        made[name].mkdir()
        (made[name] / ".git").write_bytes(pointer.encode() if isinstance(pointer, str) else pointer)
        return made[name]

    folder("points at another's worktree", f"gitdir: {inner}")
    folder("points at the repository", f"gitdir: {main / '.git'}")
    fake = folder("brings a folder of its own", "gitdir: fake/worktrees/x")
    (fake / "fake" / "worktrees" / "x").mkdir(parents=True)
    (fake / "fake" / "worktrees" / "x" / "commondir").write_text(str(main / ".git"))
    (fake / "fake" / "worktrees" / "x" / "gitdir").write_text(str(fake / ".git"))
    link = folder("goes through a link", "gitdir: link/real")
    (link / "link").symlink_to(main / ".git" / "worktrees")
    folder("is too long", b"gitdir: " + b"a" * POINTER_BYTES)
    folder("is no text", b"gitdir: \xff\xfe\x00")
    folder("names another machine", "gitdir: //host/share/worktrees/x")
    folder("goes round in circles", "gitdir: .git")
    made["is a link"] = tmp_path / "is a link"
    made["is a link"].mkdir()
    (made["is a link"] / ".git").symlink_to(main / ".git")
    made["is a pipe"] = tmp_path / "is a pipe"
    made["is a pipe"].mkdir()
    os.mkfifo(made["is a pipe"] / ".git")
    return made


def test_a_folder_that_says_it_is_a_worktree_is_itself_unless_the_repository_says_so_too(tmp_path: Path) -> None:
    for how, folder in hostile(tmp_path).items():
        assert locate(folder).root == folder.resolve(), how


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_another_persons_repository_marks_nothing(tmp_path: Path) -> None:
    shared = repository(tmp_path / "shared")
    below = shared / "mine"
    below.mkdir()
    os.chown(shared / ".git", 65_534, 65_534)
    assert locate(below).root == below
    assert not locate(below).is_project


# -- where it was cloned from -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("git@example.org:team/shop.git", "example.org/team/shop"),
        ("https://example.org/team/shop", "example.org/team/shop"),
        ("https://ada:word@Example.org:8443/team/shop.git/", "example.org/team/shop"),
        ("ssh://git@example.org:22/team/shop.git?x=1", "example.org/team/shop"),
        ("/srv/git/shop.git", None),
        ("../shop", None),
        ("file:///srv/git/shop.git", None),
        ("C:\\code\\shop", None),
        ("https://example.org/", None),
        ("ext::sh -c touch% /tmp/x", None),
        ("https://example.org/" + "a" * 400, None),
    ],
)
def test_an_origin_is_a_place_without_names_and_passwords(tmp_path: Path, url: str, origin: str | None) -> None:
    root = repository(tmp_path / "shop")
    (root / ".git" / "config").write_text(
        f'[core]\n\tbare = false\n[remote "fork"]\n\turl = https://x.org/y\n'
        f'[remote "origin"]\n\turl = {url}\n\tfetch = +refs/heads/*\n'
    )
    assert origin_of(root) == origin


def test_a_config_that_cannot_be_read_names_no_origin(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop")
    assert origin_of(root) is None
    file = root / ".git" / "config"
    file.write_bytes(b'[remote "origin"]\nurl = https://x.org/y\n' + b"#" * SETTINGS_BYTES)
    assert origin_of(root) is None
    file.unlink()
    (tmp_path / "other").write_text('[remote "origin"]\nurl = https://x.org/y\n')
    file.symlink_to(tmp_path / "other")
    assert origin_of(root) is None
