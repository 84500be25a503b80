"""A model of many languages in two shares: texts in English, and all others, each in a space of its own.

Beside a model that knows English better, the English share answers only questions that are not in English: two English
texts are compared by the better model alone.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from commonplace.domain.record import replace
from commonplace.ports import BYTES_PER_NUMBER, Calibration, Embedder, Space, Vector
from commonplace.text.languages import is_foreign


class LanguageShare:
    """The texts that are a share's own; others have a blank vector in it. Threads may share it."""

    def __init__(self, model: Embedder, space: Space, owns: Callable[[str], bool], asks: Callable[[str], bool]) -> None:
        self._model = model
        self._space = space
        self._owns, self._asks = owns, asks
        self._blank = bytes(BYTES_PER_NUMBER * space.dimensions)

    @property
    def space(self) -> Space:
        return self._space

    @property
    def calibration(self) -> Calibration:
        return self._model.calibration

    @property
    def uses_network(self) -> bool:
        return self._model.uses_network

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        own = [text for text in texts if self._owns(text)]
        made = iter(self._model.embed(own) if own else ())
        return [next(made) if self._owns(text) else self._blank for text in texts]

    def embed_query(self, text: str) -> Vector:
        return self._model.embed_query(text) if self._asks(text) else self._blank


class _LastQuery:
    """A model that remembers the last question, because both shares ask it the same."""

    def __init__(self, model: Embedder) -> None:
        self._model = model
        self.space, self.calibration, self.uses_network = model.space, model.calibration, model.uses_network
        self.embed = model.embed
        self.embed_query = lru_cache(maxsize=1)(model.embed_query)


def shares(model: Embedder, beside_another: bool) -> tuple[LanguageShare, LanguageShare]:
    """The two shares of a model, the one for other languages first; `beside_another` knows English better."""
    asked = _LastQuery(model)
    english = replace(model.space, model=f"{model.space.model}:english")
    return (
        LanguageShare(asked, model.space, owns=is_foreign, asks=lambda text: True),
        LanguageShare(
            asked,
            english,
            owns=lambda text: not is_foreign(text),
            asks=is_foreign if beside_another else lambda text: True,
        ),
    )
