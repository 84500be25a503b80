"""The companion: another process with a book open, which does what it is told, one deed at a time."""

import json
import sys
from typing import Any

from commonplace.book.book import Book
from commonplace.domain.scope import Scope
from commonplace.engine.lifecycle import Changes
from commonplace.errors import CommonplaceError
from commonplace.ports import Unit
from tests.faults.workshop import become, found, open_book, say, texts


class Obedience:
    """Deeds on one book, asked for one at a time on standard input."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._held: list[Any] = []

    def remember(self, text: str, **fields: object) -> str:
        return self.book.remember(text, **fields).memory.id

    def update(self, id: str, text: str) -> int:
        return self.book.update(id, Changes(text=text)).revision

    def move(self, id: str, scope: str) -> None:
        self.book.update(id, Changes(scope=Scope.parse(scope)))

    def forget(self, id: str) -> None:
        self.book.forget(id)

    def restore(self, id: str) -> None:
        self.book.restore(id)

    def purge(self, id: str) -> bool:
        return self.book.purge(id).erasure.complete

    def recall(self, query: str) -> list[str]:
        return sorted(found(self.book, query))

    def texts(self) -> list[str]:
        return sorted(texts(self.book))

    def restore_backup(self, source: str) -> int:
        return self.book.care.restore(source).purged_again

    def reset(self) -> None:
        self.book.care.reset()

    def drop_vectors(self) -> None:
        with self._unit("writing") as unit:
            for name in unit.vectors.counts():
                unit.vectors.drop_space(name)

    def begin_writing(self) -> None:
        """Open a write transaction, with something in it, and keep it open."""
        unit = self._hold("writing")
        unit.memories.next_number()

    def begin_reading(self) -> int:
        """Keep a snapshot open."""
        return len(list(self._hold("reading").memories.each()))

    def end(self) -> None:
        self._held.pop().__exit__(None, None, None)

    def _hold(self, how: str) -> Unit:
        self._held.append(self._unit(how))
        unit: Unit = self._held[-1].__enter__()
        return unit

    def _unit(self, how: str) -> Any:
        return getattr(self.book._caller.store, how)("local")


def obey(path: str, user: int | None = None, **options: Any) -> None:
    if user is not None:
        become(user)
    with open_book(path, **options) as book:
        deeds = Obedience(book)
        for line in sys.stdin:
            asked = json.loads(line)
            try:
                result = getattr(deeds, asked.pop("deed"))(**asked)
            except CommonplaceError as error:
                say({"error": f"{type(error).__name__}: {error}"})
            else:
                say({"result": result})
