"""The learned judge: a linear model over a sentence's vector, its words and what the rules tell of it.

`bench/train_judge.py` made the weights. There is a set for each model that we know, and one that knows signs only: it
says which sentences are clear without a vector. Those that are not are embedded, of a long conversation the least
clear ones only; a model that we have no weights for is not asked at all.
"""

import json
from array import array
from base64 import b64decode
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import exp
from operator import mul
from struct import unpack
from zlib import decompress

from commonplace import deadline
from commonplace.domain.memory import Kind
from commonplace.domain.record import Record
from commonplace.engine.joined import parts_of
from commonplace.ports import Embedder, Vector, is_blank

SIGNS_ONLY = "signs"
KEEP, EXPLICIT = "keep", "explicit"
KINDS = tuple(kind for kind in Kind if kind is not Kind.NOTE)
EMBEDDED_FREELY = 1_000
EMBEDDED_OF = 10
"""So many sentences of a conversation are embedded as they come; later on one in ten, the least clear ones."""

CLEARLY_NOT, CLEARLY = 0.04, 0.98
RULED = 0.3
"""The judge need not be as sure of what opens as a standing rule and is about nothing at hand."""
OF_ASSISTANT = 0.15
"""The little of an assistant's words that rules let through, a cause that was found, is kept from this chance on."""
UNDER_WAY, IN_PASSING = 6, 0.05
"""From so many turns on a talk is under way, and much is said in passing: that has to be so much likelier."""


class Head(Record):
    """One question to the judge: a weight for each number of the vector, each feature, each place of words; a start."""

    of_vector: tuple[float, ...]
    of_features: Mapping[str, float]
    start: float
    of_words: Sequence[int]
    unit_of_words: float

    def chance(self, sentence: "Sentence", numbers: Sequence[float]) -> float:
        """How likely the answer is yes, from 0 to 1."""
        weight = self.of_features.get
        told = self.start + sum(weight(name, 0.0) * value for name, value in sentence.features.items())
        if self.of_words:
            told += self.unit_of_words * sum(map(self.of_words.__getitem__, sentence.words))
        if numbers:
            told += sum(map(mul, self.of_vector, numbers))
        return 1 / (1 + exp(-max(-30.0, min(30.0, told))))


Heads = Mapping[str, Head]


class Weights(Record):
    """What was learnt: the heads by the name of the model whose vectors they read."""

    spaces: Mapping[str, Heads]
    threshold: Mapping[str, float]


class Opinion(Record):
    """What the judge thinks of a sentence."""

    chance: float
    kept: bool
    kind: Kind
    explicit: bool


class Sentence(Record):
    """What the judge gets to see of a sentence; `least` is how likely it has to be, where that is not as usual.

    What is said `in_passing` has to be likelier than usual. Whether it is `explicit` the judge is asked only where some
    of its words say so.
    """

    text: str
    features: Mapping[str, float]
    least: float | None = None
    in_passing: bool = False
    explicit: bool = False
    says_so: bool = False
    words: Sequence[int] = ()


class Judge:
    """Gives opinions on the sentences of one conversation, batch by batch as it is read."""

    def __init__(self, embedder: Embedder | None, weights: Weights) -> None:
        order = list(weights.spaces)
        readers = [part for part in parts_of(embedder) if name_of(part) in order]
        self._readers = sorted(readers, key=lambda part: order.index(name_of(part)))  # the best reader first
        self._weights = weights
        self._free = EMBEDDED_FREELY

    def opinions(self, sentences: Sequence[Sentence]) -> list[Opinion]:
        """What is thought of each sentence, with its vector where the signs leave it unclear."""
        signs = self._weights.spaces[SIGNS_ONLY]
        chances = [signs[KEEP].chance(each, ()) for each in deadline.each(sentences)]
        unclear = sorted(
            (place for place, chance in enumerate(chances) if CLEARLY_NOT < chance < CLEARLY),
            key=lambda place: (abs(chances[place] - 0.5), place),
        )
        vectors = self._vectors([sentences[place].text for place in unclear]) if self._readers else {}
        found = []
        for sentence in sentences:
            space, numbers = vectors.get(sentence.text, (SIGNS_ONLY, ()))
            heads, threshold = self._weights.spaces[space], self._weights.threshold[space]
            found.append(_opinion(sentence, numbers, heads, threshold))
        return found

    def _vectors(self, texts: Sequence[str]) -> dict[str, tuple[str, tuple[float, ...]]]:
        """The vectors of the first texts, each with the name of the model it is from."""
        wanted = list(dict.fromkeys(texts))
        wanted = wanted[: max(self._free, len(wanted) // EMBEDDED_OF)]
        self._free = max(0, self._free - len(wanted))
        found: dict[str, tuple[str, tuple[float, ...]]] = {}
        for reader in self._readers:
            left = [text for text in wanted if text not in found]
            for text, vector in zip(left, reader.embed(left) if left else (), strict=True):
                if not is_blank(vector):
                    found[text] = (name_of(reader), numbers_of(vector))
        return found


def _opinion(sentence: Sentence, numbers: Sequence[float], heads: Heads, threshold: float) -> Opinion:
    chance = heads[KEEP].chance(sentence, numbers)
    usual = threshold + IN_PASSING * sentence.in_passing
    if chance < (usual if sentence.least is None else sentence.least):
        return Opinion(chance, False, Kind.FACT, False)
    kind = max(KINDS, key=lambda kind: heads[kind.value].chance(sentence, numbers))
    explicit = sentence.explicit or (sentence.says_so and heads[EXPLICIT].chance(sentence, numbers) >= 0.5)
    return Opinion(chance, True, kind, explicit)


def name_of(embedder: Embedder) -> str:
    """The model of an embedder, whichever share of its texts it has."""
    space = embedder.space
    return f"{space.model.partition(':')[0]}@{space.revision}"


def numbers_of(vector: Vector) -> tuple[float, ...]:
    """A vector as numbers."""
    return unpack(f"<{len(vector) // 2}e", vector)


@cache
def shipped() -> Weights:
    """The weights that come with the package."""
    return parsed((files("commonplace.sessions.distil") / "weights.json").read_text("utf-8"))


def parsed(text: str) -> Weights:
    """Weights as they are stored: whole numbers of one byte, with what each is a part of."""
    stored = json.loads(text)
    names = stored["features"]
    spaces = {
        space: {name: _head(head, names) for name, head in heads.items()} for space, heads in stored["spaces"].items()
    }
    return Weights(spaces, stored["threshold"])


def _head(stored: Mapping[str, str | float], names: Sequence[str]) -> Head:
    of_vector = _numbers(str(stored["vector"]), float(stored["vector_unit"]))
    of_features = _numbers(str(stored["features"]), float(stored["features_unit"]))
    weights = {name: weight for name, weight in zip(names, of_features, strict=True) if weight}
    of_words = array("b", decompress(b64decode(str(stored["words"]))) if "words" in stored else b"")
    return Head(of_vector, weights, float(stored["start"]), of_words, float(stored.get("words_unit", 0.0)))


def _numbers(text: str, unit: float) -> tuple[float, ...]:
    raw = b64decode(text)
    return tuple(unit * each for each in unpack(f"{len(raw)}b", raw))
