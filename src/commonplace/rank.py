"""Ranking: numbers in, numbers out. Nothing here knows a store, a clock or a text.

Scores are absolute: none depends on what else was found, so that a relevance of 0.5 means the
same for every query. Inside, a relevance is a logit, to which each stage adds its share.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from commonplace.query import Features
from commonplace.record import Record

BM25_K1 = 1.2
BM25_B = 0.75
DAY = 86_400_000


class Scale(Record):
    """Where a score turns from irrelevant to relevant, and how fast."""

    midpoint: float
    width: float

    def logit(self, score: float) -> float:
        return (score - self.midpoint) / self.width


class Profile(Record):
    """How a surface ranks, as data."""

    name: str = "native"
    word_pool: int = 100
    words_alone_pool: int = 200
    vector_pool: int = 100
    context_seeds: int = 20
    previous_share: float = 0.5
    next_share: float = 0.3
    word_weight: float = 0.13
    words_alone: Scale = Scale(0.55, 0.15)
    exact_key_bonus: float = 3.0
    confidence_weight: float = 1.0
    importance_weight: float = 1.0
    pinned_bonus: float = 0.5
    age_penalty: float = 0.5
    age_half_life_days: float = 180.0
    distrust_penalties: tuple[float, ...] = (0.0, 0.0, 0.0, 0.3, 0.6, 0.6)
    contested_penalty: float = 1.0
    floor: float = 0.1


PROFILES: Mapping[str, Profile] = {"native": Profile()}


def sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else (e := math.exp(logit)) / (1 + e)


def inverse_frequency(frequency: int, total: int) -> float:
    """How much a term says: as in FTS5, never quite nothing."""
    return max(math.log((total - frequency + 0.5) / (frequency + 0.5)), 1e-6)


def best_score(frequencies: Sequence[int], total: int) -> float:
    """About what BM25 gives a text that has every term once. A term nobody uses counts as if one did."""
    return sum(inverse_frequency(max(1, frequency), max(1, total)) for frequency in frequencies) or 1.0


def bm25(documents: Mapping[int, Sequence[str]], terms: Sequence[str]) -> dict[int, float]:
    """BM25 of each document that has one of the terms; for texts that are in no index."""
    counted = {number: Counter(words) for number, words in documents.items()}
    frequency = Counter(term for counts in counted.values() for term in terms if term in counts)
    usual = sum(counts.total() for counts in counted.values()) / (len(counted) or 1) or 1.0
    scores: dict[int, float] = {}
    for number, counts in counted.items():
        length = BM25_K1 * (1 - BM25_B + BM25_B * counts.total() / usual)
        score = sum(
            inverse_frequency(frequency[term], len(counted)) * counts[term] * (BM25_K1 + 1) / (counts[term] + length)
            for term in terms
            if term in counts
        )
        if score > 0:
            scores[number] = score
    return scores


def smoothed(own: float, previous: float, following: float, profile: Profile) -> float:
    """What a memory's words say together with those of its neighbours in the conversation."""
    return own + profile.previous_share * previous + profile.next_share * following


def fused(word: float, cosine: float | None, scale: Scale | None, profile: Profile) -> float:
    """Words and meaning as one logit; by words alone where there is no vector to compare."""
    if cosine is None or scale is None:
        return profile.words_alone.logit(word)
    return scale.logit(cosine + profile.word_weight * word)


def adjustments(features: Features, now: int, profile: Profile) -> tuple[tuple[str, float], ...]:
    """What confidence, trust, importance and age add to a logit; what adds nothing is left out."""
    age_days = max(0, now - features.fresh_at) / DAY
    parts = (
        ("confidence", profile.confidence_weight * (features.confidence - 1.0)),
        ("importance", profile.importance_weight * (features.importance - 0.5)),
        ("pinned", profile.pinned_bonus if features.pinned else 0.0),
        ("age", profile.age_penalty * (0.5 ** (age_days / profile.age_half_life_days) - 1.0)),
        ("origin", -profile.distrust_penalties[features.distrust]),
        ("contested", -profile.contested_penalty if features.contested else 0.0),
    )
    return tuple((name, value) for name, value in parts if value)
