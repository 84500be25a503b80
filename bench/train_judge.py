"""Makes the weights of the learned judge from the labelled corpora of this repository.

    python bench/train_judge.py [--check] [--write]

Each question to the judge (keep it? of which kind? said explicitly?) is a logistic regression over the sentence's
vector and its features, with a ridge, found by Newton's method from zero: no chance is involved. Weights are rounded to
one byte each. `--check` says how well judges do that have not seen the row they are asked about: the rows of every
corpus are dealt into folds, and each fold is judged by weights made without it. `--write` puts the weights in place.
"""

import argparse
import json
import sys
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))
from commonplace.engine.joined import parts_of
from commonplace.ports import Embedder, Vector
from commonplace.sessions.distil import learned, selecting
from commonplace.sessions.distil.features import Judged
from commonplace.sessions.distil.learned import EXPLICIT, KEEP, KINDS, SIGNS_ONLY
from commonplace.text import collapse
from distil import CORPORA, Score, Transcript, embedder, overlaps, read, score, show

PLACE = Path(selecting.__file__).with_name("weights.json")
CORPUS_FILES = ("learn_dev.jsonl", "talks_dev.jsonl", "transcripts_dev.jsonl", "learn_own.jsonl", "learn_more.jsonl", "learn_wide.jsonl", "talks_own.jsonl")
FOLDS = 5
RIDGE_OF_VECTOR = 0.5
RIDGE_FOR_KINDS = 0.2
RIDGE_OF_FEATURES = 3.0
RIDGE_OF_START = 0.0001
ROUNDS = 15
THRESHOLDS = {"use-multilingual": 0.45, "arctic-s": 0.5, SIGNS_ONLY: 0.55}
PACKS = ("use-multilingual", "arctic-s")
FACTS = ("fact", "preference", "decision", "learning", "context")

Floats = NDArray[np.float64]


class Example(NamedTuple):
    """A sentence with what is known about it; what is not known is None."""

    row: str
    text: str
    features: Mapping[str, float]
    keep: bool
    kinds: frozenset[str]
    explicit: bool | None
    foreign: bool
    weight: float = 1.0


class Row(NamedTuple):
    """A transcript of a corpus, with the sentences that the judge is asked about."""

    name: str
    transcript: Transcript
    looked_at: list[tuple[Judged, dict[str, float]]]


def rows(names: Iterable[str] = CORPUS_FILES) -> list[Row]:
    """Every transcript of the corpora."""
    found = []
    for name in names:
        for number, transcript in enumerate(read(CORPORA / name)):
            found.append(Row(f"{name}:{number}", transcript, list(selecting.worthy(transcript.turns))))
    return found


def examples(row: Row) -> list[Example]:
    """The sentences of a transcript with their labels."""
    found = []
    for judged, told in row.looked_at:
        text = collapse(judged.sentence)
        labels = [
            quotation
            for quotation in row.transcript.durable
            if quotation.turn == judged.number and overlaps(judged.turn.text, text, quotation.text)
        ]
        kinds = frozenset(kind for label in labels for kind in _kinds(label.kind, label.memory_type))
        explicit = None if len(row.transcript.turns) > 1 else row.transcript.explicit and bool(labels)
        found.append(Example(row.name, text, told, bool(labels), kinds, explicit, row.transcript.language != "en"))
    return found


def _kinds(kind: str, memory_type: str) -> tuple[str, ...]:
    """The kinds a label may mean: the one it names, or those of its type."""
    if kind:
        return (kind,)
    return FACTS if memory_type == "fact" else (memory_type,)


def logistic(inputs: Floats, wanted: Floats, ridge: Floats) -> Floats:
    """The weights that fit best, by Newton's method from zero; the last is the start."""
    found = np.zeros(inputs.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ found, -30, 30)))
        slope = inputs.T @ (chance - wanted) + ridge * found
        curve = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        found -= step
        if np.abs(step).max() < 1e-7:
            break
    return found


class Model(NamedTuple):
    """One whose vectors the judge reads; the one without a name reads signs only."""

    name: str
    dimensions: int
    vectors: Mapping[str, Vector]
    threshold: float = THRESHOLDS[SIGNS_ONLY]


def trained(seen: Sequence[Example], model: Model, names: Sequence[str]) -> dict[str, object]:
    """The heads of one model, as they are stored."""
    told = np.array([[each.features.get(name, 0.0) for name in names] for each in seen])
    vectors = np.array([numbers(model.vectors[each.text]) if model.dimensions else [] for each in seen])
    inputs = np.hstack([vectors.reshape(len(seen), model.dimensions), told, np.ones((len(seen), 1))])
    ridge = np.r_[np.full(model.dimensions, RIDGE_OF_VECTOR), np.full(len(names), RIDGE_OF_FEATURES), RIDGE_OF_START]

    softer = np.r_[np.full(model.dimensions, RIDGE_FOR_KINDS), ridge[model.dimensions :]]

    def head(rows: Sequence[int], wanted: Sequence[bool], ridge: Floats = ridge) -> dict[str, str | float]:
        found = logistic(inputs[list(rows)], np.array(wanted, float), ridge)
        return _stored(found[: model.dimensions], found[model.dimensions : -1], float(found[-1]))

    every = range(len(seen))
    known = [place for place in every if seen[place].explicit is not None]
    heads: dict[str, object] = {
        KEEP: head(every, [each.keep for each in seen]),
        EXPLICIT: head(known, [bool(seen[place].explicit) for place in known]),
    }
    kept = [place for place in every if seen[place].kinds]
    for kind in KINDS:
        sure = [place for place in kept if kind.value not in seen[place].kinds or len(seen[place].kinds) == 1]
        heads[kind.value] = head(sure, [kind.value in seen[place].kinds for place in sure], softer)
    return heads


def numbers(vector: Vector) -> Floats:
    return np.frombuffer(vector, "<f2").astype(float)


def _stored(of_vector: Floats, of_features: Floats, start: float) -> dict[str, str | float]:
    stored: dict[str, str | float] = {"start": round(start, 4)}
    for name, weights in (("vector", of_vector), ("features", of_features)):
        unit = float(f"{max(np.abs(weights).max(initial=0), 1e-6) / 127:.4g}")
        stored[name] = b64encode(np.round(weights / unit).astype(np.int8).tobytes()).decode()
        stored[f"{name}_unit"] = unit
    return stored


def weights_of(seen: Sequence[Example], models: Sequence[Model]) -> str:
    """The file of weights that these examples make."""
    names = sorted({name for each in seen for name in each.features})
    spaces = {model.name: trained(seen, model, names) for model in models}
    stored = {"features": names, "threshold": {model.name: model.threshold for model in models}, "spaces": spaces}
    return json.dumps(stored, indent=1) + "\n"


def models(texts: Iterable[str]) -> list[Model]:
    """Signs only, and every installed model that reads any of the texts."""
    texts = list(dict.fromkeys(texts))
    found = [Model(SIGNS_ONLY, 0, {})]
    for name in PACKS:
        part = parts_of(embedder(name))
        vectors: dict[str, Vector] = {}
        for each in part:
            vectors |= {text: vector for text, vector in zip(texts, each.embed(texts), strict=True) if any(vector)}
        blank = bytes(2 * part[0].space.dimensions)
        found.append(
            Model(
                learned.name_of(part[0]),
                part[0].space.dimensions,
                {t: vectors.get(t, blank) for t in texts},
                THRESHOLDS[name],
            )
        )
    return found


class Remembered:
    """A model whose vectors were made before."""

    def __init__(self, model: Model, real: Embedder) -> None:
        self._model = model
        self.space, self.calibration, self.uses_network = real.space, real.calibration, real.uses_network

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self._model.vectors[text] for text in texts]

    def embed_query(self, text: str) -> Vector:
        return self._model.vectors[text]


def check(every: Sequence[Row], known: Sequence[Model]) -> None:
    """Print how well judges do that were made without the row they are asked about."""
    of_row = {row.name: examples(row) for row in every}
    fold_of = {row.name: int(sha256(row.name.encode()).hexdigest(), 16) % FOLDS for row in every}
    scores: dict[tuple[str, str], dict[str, Score]] = defaultdict(lambda: defaultdict(Score))
    for fold in range(FOLDS):
        seen = [each for row in every if fold_of[row.name] != fold for each in of_row[row.name]]
        weights = learned.parsed(weights_of(seen, known))
        for model in known:
            reader = None if model.name == SIGNS_ONLY else Remembered(model, real_part(model.name))
            for row in every:
                if fold_of[row.name] != fold:
                    continue
                own = score(row.transcript, selecting.chosen(row.looked_at, reader, weights).items)
                into = scores[model.name, row.name.split(":")[0]]
                languages = ["all", row.transcript.language]
                for name in languages + ["explicit"] * row.transcript.explicit:
                    into[name] = into[name].plus(own)
    for (model_name, file), found in scores.items():
        show(f"{model_name[:24]} {file[:-6]}", found)


@cache
def real_part(name: str) -> Embedder:
    return next(part for pack in PACKS for part in parts_of(embedder(pack)) if learned.name_of(part) == name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="how well it does on rows that it was not made from")
    parser.add_argument("--write", action="store_true", help="put the weights in their place")
    arguments = parser.parse_args()
    every = rows()
    seen = [each for row in every for each in examples(row)]
    known = models(each.text for each in seen)
    if arguments.check:
        check(every, known)
    made = weights_of(seen, known)
    print(f"\n{len(every)} rows, {len(seen)} sentences, {len(made):,} bytes of weights")
    if arguments.write:
        PLACE.write_text(made, "utf-8")


if __name__ == "__main__":
    main()
