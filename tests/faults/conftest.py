"""How long the fault tests run: briefly by default, in full with `pytest -m soak` or COMMONPLACE_SOAK=1."""

import os
from collections.abc import Callable

import pytest

SOAK_VARIABLE = "COMMONPLACE_SOAK"


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("markexpr", default="").strip() == "soak":
        os.environ[SOAK_VARIABLE] = "1"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In the full form, what is scaled counts as soak, so that `-m soak` selects it and nothing else."""
    if not _soaking():
        return
    for item in items:
        if "scaled" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.soak)


def _soaking() -> bool:
    return os.environ.get(SOAK_VARIABLE) == "1"


@pytest.fixture(scope="session")
def scaled() -> Callable[[int, int], int]:
    """`scaled(brief, full)`: how many rounds to run."""
    return lambda brief, full: full if _soaking() else brief
