"""No secret comes into a book through any field of any surface, and none is repeated in an answer."""

from collections import Counter
from pathlib import Path

from commonplace.book.book import Book
from tests.conftest import OpenBook
from tests.security.fields import Field, call, fields, marker, stored, token, ways, world

LEAST_FIELDS = 218
LEAST_STORED = 70


def tried(book: Book, field: Field, text: str, number: int) -> list[str]:
    return [call(book, field, arguments) for arguments in ways(field, text, world(book, number))]


def test_a_secret_in_any_field_of_any_tool_is_neither_stored_nor_repeated(open_book: OpenBook, tmp_path: Path) -> None:
    """And the same calls store harmless words: what is not stored here is not let in, rather than not tried."""
    book = open_book("attack/book.db", project_root=tmp_path)
    control = open_book("control/book.db", project_root=tmp_path)
    secrets: dict[str, Field] = {}
    harmless: dict[str, Field] = {}
    repeated: list[str] = []
    requests = 0
    for number, field in enumerate(fields()):
        secret, word = token(), marker()
        secrets[secret], harmless[word] = field, field
        answers = tried(book, field, secret, number)
        repeated += [f"{field}: {answer}" for answer in answers if secret in answer]
        requests += len(answers)
        tried(control, field, word, number)
    book.close()
    control.close()
    leaked = sorted(str(secrets[secret]) for secret in stored(tmp_path / "attack", secrets))
    kept = [harmless[word] for word in stored(tmp_path / "control", harmless)]
    by_surface = Counter(field.dialect.name for field in secrets.values())
    print(f"\n{len(secrets)} fields of {dict(by_surface)}, {requests} requests;", end=" ")
    print(f"{len(kept)} fields store harmless words, {len(leaked)} secrets stored, {len(repeated)} repeated")
    assert leaked == []
    assert repeated == []
    assert len(secrets) >= LEAST_FIELDS
    assert len(kept) >= LEAST_STORED
