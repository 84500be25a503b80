"""Makes the weights of the learned judge from the labelled corpora of this repository.

    python bench/train_judge.py [--check] [--write]

Each question to the judge (keep it? of which kind? said explicitly?) is a logistic regression over the sentence's
vector, its features and its words, with a ridge, found by descent from zero: no chance is involved. Weights are rounded
to one byte each. `--check` says how well judges do that have not seen the row they are asked about: the rows of every
corpus are dealt into folds, and each fold is judged by weights made without it. `--write` puts the weights in place.
"""

import argparse
import json
import sys
from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from zlib import compress

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))
from commonplace.engine.joined import parts_of
from commonplace.ports import Embedder, Vector
from commonplace.sessions.distil import learned, selecting
from commonplace.sessions.distil.features import Judged, Told
from commonplace.sessions.distil.hashed import PLACES
from commonplace.sessions.distil.learned import EXPLICIT, KEEP, KINDS, SIGNS_ONLY
from commonplace.text import collapse
from distil import CORPORA, Score, Transcript, embedder, overlaps, read, score, show

PLACE = Path(selecting.__file__).with_name("weights.json")
CORPUS_FILES = (
    "learn_dev.jsonl",
    "talks_dev.jsonl",
    "transcripts_dev.jsonl",
    "learn_own.jsonl",
    "learn_more.jsonl",
    "learn_wide.jsonl",
    "learn_tempting.jsonl",
    "learn_plain.jsonl",
    "learn_contrast.jsonl",
    "learn_fresh.jsonl",
    "talks_own.jsonl",
    "talks_fresh.jsonl",
)
FOLDS = 5
RIDGE_OF_VECTOR = 0.5
RIDGE_FOR_KINDS = 1.0
RIDGE_OF_FEATURES = 3.0
RIDGE_OF_WORDS = 40.0
RIDGE_OF_START = 0.0001
ROUNDS, CLOSE_ENOUGH, REMEMBERED_STEPS = 400, 1e-6, 12
THRESHOLDS = {"use-multilingual": 0.45, "arctic-s": 0.45, SIGNS_ONLY: 0.5}
PACKS = ("use-multilingual", "arctic-s")
FACTS = ("fact", "preference", "decision", "learning", "context")

Floats = NDArray[np.float64]


class Example(NamedTuple):
    """A sentence with what is known about it; what is not known is None."""

    row: str
    text: str
    told: Told
    keep: bool
    kinds: frozenset[str]
    explicit: bool | None
    foreign: bool
    weight: float = 1.0


class Row(NamedTuple):
    """A transcript of a corpus, with the sentences that the judge is asked about."""

    name: str
    transcript: Transcript
    looked_at: list[tuple[Judged, Told]]


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


class Words:
    """For each sentence the places its words fall into, as a matrix of noughts and ones that holds only the ones."""

    def __init__(self, rows: Sequence[Sequence[int]]) -> None:
        self._count = len(rows)
        self._columns = np.array([place for row in rows for place in row], int)
        self._rows = np.repeat(np.arange(len(rows)), [len(row) for row in rows])

    def times(self, weights: Floats) -> Floats:
        return np.bincount(self._rows, weights=weights[self._columns], minlength=self._count).astype(float)

    def summed(self, of_rows: Floats) -> Floats:
        return np.bincount(self._columns, weights=of_rows[self._rows], minlength=PLACES).astype(float)


def logistic(inputs: Floats, words: Words | None, wanted: Floats, ridge: Floats) -> Floats:
    """The weights that fit best, by L-BFGS from zero; those of words come last."""
    width = inputs.shape[1]

    def slope_at(weights: Floats) -> tuple[float, Floats]:
        told = inputs @ weights[:width]
        if words is not None:
            told = told + words.times(weights[width:])
        lost = float((np.logaddexp(0, told) - wanted * told).sum() + 0.5 * (ridge * weights * weights).sum())
        off = 1 / (1 + np.exp(-np.clip(told, -30, 30))) - wanted
        slope = inputs.T @ off
        return lost, (slope if words is None else np.r_[slope, words.summed(off)]) + ridge * weights

    curve = 0.25 * (inputs * inputs).sum(0)
    if words is not None:
        curve = np.r_[curve, 0.25 * words.summed(np.ones(len(wanted)))]
    return descended(slope_at, 1 / np.sqrt(ridge + curve))


def descended(slope_at: Callable[[Floats], tuple[float, Floats]], scale: Floats) -> Floats:
    """Where a convex function is lowest, with each direction measured on its own scale."""
    found = np.zeros(len(scale))
    lost, slope = slope_at(found)
    slope = slope * scale
    steps: list[tuple[Floats, Floats, float]] = []
    for _ in range(ROUNDS):
        way = -_curved(slope, steps)
        length = 1.0 if steps else min(1.0, 1 / float(np.linalg.norm(slope)))
        while True:
            new_lost, new_slope = slope_at((found + length * way) * scale)
            if new_lost <= lost + 1e-4 * length * float(slope @ way) or length < 1e-9:
                break
            length /= 2
        new_slope = new_slope * scale
        moved, turned = length * way, new_slope - slope
        if moved @ turned > 0:
            steps = [*steps, (moved, turned, 1 / float(moved @ turned))][-REMEMBERED_STEPS:]
        found, slope, gained, lost = found + moved, new_slope, lost - new_lost, new_lost
        if gained <= CLOSE_ENOUGH * abs(lost):
            break
    return found * scale


def _curved(slope: Floats, steps: Sequence[tuple[Floats, Floats, float]]) -> Floats:
    """The slope as the last steps say that the ground bends."""
    way, shares = slope.copy(), []
    for moved, turned, weight in reversed(steps):
        shares.append(weight * float(moved @ way))
        way -= shares[-1] * turned
    if steps:
        moved, turned, weight = steps[-1]
        way /= weight * float(turned @ turned)
    for (moved, turned, weight), share in zip(steps, reversed(shares), strict=True):
        way += moved * (share - weight * float(turned @ way))
    return way


class Model(NamedTuple):
    """One whose vectors the judge reads; the one without a name reads signs only."""

    name: str
    dimensions: int
    vectors: Mapping[str, Vector]
    threshold: float = THRESHOLDS[SIGNS_ONLY]


def trained(seen: Sequence[Example], model: Model, names: Sequence[str]) -> dict[str, object]:
    """The heads of one model, as they are stored."""
    told = np.array([[each.told.features.get(name, 0.0) for name in names] for each in seen])
    vectors = np.array([numbers(model.vectors[each.text]) if model.dimensions else [] for each in seen])
    inputs = np.hstack([vectors.reshape(len(seen), model.dimensions), told, np.ones((len(seen), 1))])
    ridges = (model.dimensions, len(names), 1)

    def head(
        rows: Sequence[int], wanted: Sequence[bool], softness: float = RIDGE_OF_VECTOR, words: Words | None = None
    ) -> dict[str, str | float]:
        ridge = np.repeat([softness, RIDGE_OF_FEATURES, RIDGE_OF_START], ridges)
        if words is not None:
            ridge = np.r_[ridge, np.full(PLACES, RIDGE_OF_WORDS)]
        found = logistic(inputs[list(rows)], words, np.array(wanted, float), ridge)
        of_vector, of_features, start, of_words = np.split(found, np.cumsum(ridges))
        return _stored(of_vector, of_features, of_words, float(start[0]))

    every = range(len(seen))
    known = [place for place in every if seen[place].explicit is not None]
    heads: dict[str, object] = {
        KEEP: head(every, [each.keep for each in seen], words=Words([each.told.words for each in seen])),
        EXPLICIT: head(known, [bool(seen[place].explicit) for place in known]),
    }
    kept = [place for place in every if seen[place].kinds]
    for kind in KINDS:
        sure = [place for place in kept if kind.value not in seen[place].kinds or len(seen[place].kinds) == 1]
        wanted = [kind.value in seen[place].kinds for place in sure]
        heads[kind.value] = head(sure, wanted, RIDGE_FOR_KINDS)
    return heads


def numbers(vector: Vector) -> Floats:
    return np.frombuffer(vector, "<f2").astype(float)


def _stored(of_vector: Floats, of_features: Floats, of_words: Floats, start: float) -> dict[str, str | float]:
    stored: dict[str, str | float] = {"start": round(start, 4)}
    for name, weights in (("vector", of_vector), ("features", of_features), ("words", of_words)):
        if name == "words" and not weights.size:
            continue
        unit = float(f"{max(np.abs(weights).max(initial=0), 1e-6) / 127:.4g}")
        raw = np.round(weights / unit).astype(np.int8).tobytes()
        stored[name] = b64encode(compress(raw, 9) if name == "words" else raw).decode()
        stored[f"{name}_unit"] = unit
    return stored


def weights_of(seen: Sequence[Example], models: Sequence[Model]) -> str:
    """The file of weights that these examples make."""
    names = sorted({name for each in seen for name in each.told.features})
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
