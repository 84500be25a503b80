"""Which project a caller is in, and what selectors stand for."""

from hashlib import sha256
from pathlib import Path

import pytest

from commonplace.domain.scope import Principal, Scope
from commonplace.errors import InvalidInput
from commonplace.workspace.project import locate, resolve, scope_of

ADA = Principal(tenant="acme", user="ada", teams=("core",))


@pytest.mark.parametrize("marker", [".commonplace/config.toml", ".nuzo/config.json"])
def test_the_nearest_marked_folder_is_the_root(tmp_path: Path, marker: str) -> None:
    for folder in ("outer", "outer/inner"):
        file = tmp_path / folder / marker
        file.parent.mkdir(parents=True)
        file.touch()
    deep = tmp_path / "outer" / "inner" / "a" / "b"
    deep.mkdir(parents=True)
    assert locate(deep).root == (tmp_path / "outer" / "inner").resolve()


def test_without_a_marker_the_folder_itself_is_the_root(tmp_path: Path) -> None:
    assert locate(tmp_path).root == tmp_path.resolve()


def test_a_bare_nuzo_folder_is_no_marker(tmp_path: Path) -> None:
    (tmp_path / ".nuzo").mkdir()
    inner = tmp_path / "inner"
    inner.mkdir()
    assert locate(inner).root == inner.resolve()


def test_a_projects_scope_is_sixteen_digits_of_the_hash_of_its_real_path(tmp_path: Path) -> None:
    link = tmp_path / "link"
    (tmp_path / "real").mkdir()
    link.symlink_to(tmp_path / "real")
    expected = sha256(str((tmp_path / "real").resolve()).encode()).hexdigest()[:16]
    assert str(scope_of(link)) == f"project:{expected}"
    assert scope_of(link) == scope_of(tmp_path / "real")


@pytest.mark.parametrize("selector", ["user", "user:default", " user:default ", "user:ada"])
def test_ones_own_scope_has_several_selectors(selector: str) -> None:
    assert resolve(selector, ADA, None) == Scope.parse("user:ada")


@pytest.mark.parametrize("selector", ["project", "project:auto"])
def test_the_current_project_has_two(selector: str, tmp_path: Path) -> None:
    assert resolve(selector, ADA, scope_of(tmp_path)) == scope_of(tmp_path)


def test_without_a_project_its_selector_is_refused() -> None:
    with pytest.raises(InvalidInput, match="project"):
        resolve("project:auto", ADA, None)


@pytest.mark.parametrize("selector", ["project:atlas", "agent:reviewer", "team:core", "user:bob"])
def test_other_scopes_are_taken_as_written(selector: str) -> None:
    assert str(resolve(selector, ADA, None)) == selector


@pytest.mark.parametrize("selector", ["nonsense", ""])
def test_what_is_no_scope_is_refused(selector: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        resolve(selector, ADA, None)
    assert caught.value.argument == "scope"
