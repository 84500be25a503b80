"""Every requirement has a test, and every test names a requirement."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from commonplace.dialects import dialect_names
from tests.contracts.requirements import Requirement

HERE = Path(__file__).parent
EVERYWHERE = "test_everywhere.py"


def manifest(dialect: str) -> tuple[Requirement, ...]:
    found: tuple[Requirement, ...] = import_module(f"tests.contracts.{dialect}_requirements").REQUIREMENTS
    return found


def marked_tests(dialect: str) -> Iterator[tuple[str, list[str]]]:
    """Each test of the dialect's files, and of the one for all, with the requirements its mark names."""
    yield from ((name, ids) for name, ids in _marked(HERE / EVERYWHERE) if ids[0].startswith(f"{dialect}."))
    for path in sorted(HERE.glob(f"test_{dialect}*.py")):
        yield from _marked(path)


def _marked(path: Path) -> Iterator[tuple[str, list[str]]]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            marks = [each for each in node.decorator_list if _is_mark(each)]
            ids = [str(ast.literal_eval(word)) for mark in marks for word in mark.args]
            yield f"{path.name}::{node.name}", ids


def _is_mark(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "requires"


@pytest.mark.parametrize("dialect", dialect_names())
def test_every_requirement_is_written_once(dialect: str) -> None:
    ids = [requirement.id for requirement in manifest(dialect)]
    assert len(ids) == len(set(ids))
    assert all(each.id.startswith(f"{dialect}.") and each.source and each.sentence for each in manifest(dialect))


@pytest.mark.parametrize("dialect", dialect_names())
def test_every_requirement_has_a_test(dialect: str) -> None:
    met = {id for _, ids in marked_tests(dialect) for id in ids}
    assert {requirement.id for requirement in manifest(dialect)} - met == set()


@pytest.mark.parametrize("dialect", dialect_names())
def test_every_test_names_a_requirement_there_is(dialect: str) -> None:
    known = {requirement.id for requirement in manifest(dialect)}
    strayed = {name: ids for name, ids in marked_tests(dialect) if not ids or set(ids) - known}
    assert strayed == {}
