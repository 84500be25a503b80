"""What a contract demands, as data, and the mark by which a test says which demand it meets."""

from collections.abc import Callable
from typing import TypeVar

from commonplace.domain.record import Record

Test = TypeVar("Test", bound=Callable[..., object])


class Requirement(Record):
    """One behaviour. `source` says where it is written.

    `seed:LINE` is a line of the published document; `nuzo.md:§2` or `README:12` are the notes beside it.
    """

    id: str
    source: str
    sentence: str


def requires(*ids: str) -> Callable[[Test], Test]:
    """Marks a test with the requirements it meets; `test_manifests` reads the marks from the source."""

    def mark(test: Test) -> Test:
        return test

    return mark
