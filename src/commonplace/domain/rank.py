"""Ranking: numbers in, numbers out. Nothing here knows a store, a clock or a text.

Scores are absolute: none depends on what else was found, so that a relevance of 0.5 means the
same for every query. Inside, a relevance is a logit, to which each stage adds its share.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from commonplace.domain.ids import DAY
from commonplace.domain.record import Record, replace
from commonplace.domain.validation import check_share

BM25_K1 = 1.2
BM25_B = 0.75
PREVIOUS_SHARE = 0.6
NEXT_SHARE = 0.4
ANSWER_SHARE = 0.4  # added for the question that a message answers
LENDING_LENGTH = 250  # terms: messages of people are shorter, answers of assistants longer
LENDING_SPREAD = 42
LONG_WORDS = 100  # a longer text speaks of many things
REMARK_WORDS = 6  # a remark, as people make them in passing
NAMES_THAT_COUNT = 2
OCCASION_MESSAGES = 3  # of one occasion that count for it
OCCASION_REACH = 3.0  # log-odds behind the best from which on it is no matter how many


class Features(NamedTuple):
    """What ranking needs to know of a memory, without its text. A tuple: hundreds are made for each recall."""

    number: int
    session: str | None
    created_at: int
    fresh_at: int
    confidence: float
    importance: float
    pinned: bool
    distrust: int
    doubt: int
    text_key: int
    used_at: int | None = None
    project: str | None = None


class Counts(Protocol):
    """How often a text uses each term of a query, and how many terms it has in all."""

    @property
    def of_terms(self) -> Sequence[int]:
        """How often the text uses each term, in the order of the query's terms."""

    @property
    def length(self) -> int:
        """How many terms the text has in all."""

    @property
    def asks(self) -> bool:
        """Whether the text ends as a question."""


class Candidate:
    """A memory on its way through the stages."""

    __slots__ = (
        "context",
        "contradicted",
        "cosine",
        "exact",
        "features",
        "judged",
        "logit",
        "number",
        "occasion",
        "of_another",
        "parts",
        "places",
        "points",
        "spoken",
        "unheard",
        "word",
    )

    def __init__(self, features: Features) -> None:
        self.features = features
        self.number = features.number
        self.word = 0.0
        self.cosine: float | None = None
        self.context = 0.0
        self.occasion = 0.0
        self.exact = False
        self.logit = 0.0
        self.places: tuple[int | None, int | None, int | None] | None = None
        self.points: float | None = None
        self.judged: tuple[float, ...] = ()
        self.parts: tuple[float, ...] = ()
        self.unheard = False
        self.of_another = False
        self.contradicted = False
        self.spoken = False


def best_first(candidate: Candidate) -> tuple[float, int]:
    """The order of candidates: the most relevant first, or the one with the most points, and of equals the newest."""
    return -(candidate.logit if candidate.points is None else candidate.points), -candidate.number


class Scale(Record):
    """Where a score turns from irrelevant to relevant, and how fast."""

    midpoint: float
    width: float

    def logit(self, score: float) -> float:
        """A score as log-odds: 0 at the midpoint, 1 more for each width above it."""
        return (score - self.midpoint) / self.width


class Ranks(Record):
    """Reciprocal rank fusion: what a place in each list counts for, and how slowly that falls with the place."""

    meaning: float = 1.0
    words: float = 1.0
    exact: float = 2.0
    constant: int = 60

    def sum(self, meaning: int | None, words: int | None, exact: int | None) -> float:
        """What the places in the three lists, counted from 1, come to."""
        places = ((self.meaning, meaning), (self.words, words), (self.exact, exact))
        return sum(weight / (self.constant + place) for weight, place in places if place is not None)

    def points(self, meaning: int | None, words: int | None, exact: int | None) -> float:
        """The same as a share of the most there is to have."""
        return self.sum(meaning, words, exact) * (self.constant + 1) / (self.meaning + self.words + self.exact)


class Decay(Record):
    """How confidence fades when a memory is not used: by `rate` a day, never below `floor`; use lifts it by `boost`."""

    rate: float = 0.98
    boost: float = 0.05
    floor: float = 0.1

    def __post_init__(self) -> None:
        for name in ("rate", "boost", "floor"):
            check_share(getattr(self, name), f"decay_{name}")

    def faded(self, base: float, since: int, now: int) -> float:
        """Confidence after so long unused, down to the floor and no lower; a clock that went back fades nothing."""
        days = max(0, now - since) / DAY
        return max(min(base, self.floor), base * float(self.rate**days))

    def lifted(self, base: float, since: int, now: int) -> float:
        """Confidence after one more use: as far as it has faded, and the boost, 1 at most."""
        return min(1.0, self.faded(base, since, now) + self.boost)


USUAL_DECAY = Decay()


class Profile(Record):
    """How a surface ranks, as data.

    With `ranks` the order and the score come from places in lists; relevance still decides who is in.
    Where it `decays`, confidence counts for what is left of it, and `confidence_share` is the share of a relevance
    that goes with it. What scores below `relative_floor` of
    the best score is cut off too, and with a `margin`, what lies so many log-odds below the best.
    Where even the best is no more relevant than a step of `doubtful` says, no more than that many are
    shown, and of what lacks a name that nobody has, the best alone, from `unheard_floor` on, and none that has more
    than `other_words` of the question's words: it says of another name what was asked. The best `judged` are looked at
    once more, as answers.
    """

    name: str = "native"
    pool_per_hit: int = 4
    talk_pool: int = 120
    vector_pool: int = 100
    context_seeds: int = 20
    word_weight: float = 0.15
    words_alone: Scale = Scale(0.35, 0.12)
    exact_key_bonus: float = 3.0
    confidence_weight: float = 1.0
    confidence_share: float = 0.0
    importance_weight: float = 1.0
    pinned_bonus: float = 0.5
    age_penalty: float = 0.5
    age_half_life_days: float = 180.0
    distrust_penalties: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.3, 0.3, 0.6, 0.6)
    doubt_weights: tuple[float, ...] = (1.0, 0.8, 0.5)  # for a team's memory: verified, unverified, contested
    judged: int = 60
    teller_bonus: float = 0.75
    day_bonus: float = 1.5
    unfit_penalty: float = 0.75
    asking_penalty: float = 2.0
    long_penalty: float = 0.75  # for each time a text is e times too long
    remark_penalty: float = 1.25  # for the shortest messages of a conversation
    missing_penalty: float = 1.0
    unheard_penalty: float = 2.5  # for a name that is nowhere in the book
    occasion_share: float = 0.15  # of how far the rest of what was said on an occasion is behind
    second_share: float = 0.3  # of what a second model finds, beside the first; not of what people said
    unheard_ceiling: float = -0.2  # no answer to such a question is more likely than not
    project_bonus: float = 0.5  # in the order alone, for what is about the project one is in
    floor: float = 0.1
    margin: float | None = None
    doubtful: tuple[tuple[float, int], ...] = ()
    unheard_floor: float | None = None
    other_words: float = 0.5  # of what all its words come to
    relative_floor: float = 0.0
    ranks: Ranks | None = None
    decays: bool = False


PLAIN = Profile(
    "plain",
    confidence_weight=0.0,
    importance_weight=0.0,
    pinned_bonus=0.0,
    age_penalty=0.0,
    distrust_penalties=(0.0,) * 8,
    doubt_weights=(1.0,) * 3,
)
"""By words and meaning alone, for contracts that let nothing else count."""

FADING = replace(PLAIN, name="fading", confidence_share=0.3, decays=True)
"""Like the plain one, but what is not used loses relevance: a part of it, so that what fits far better still leads."""

RANKS = replace(PLAIN, name="ranks", ranks=Ranks())
"""By places in lists, as reciprocal rank fusion has it."""

NATIVE = Profile(margin=2.0, doubtful=((0.15, 1), (0.25, 2), (0.5, 6)), unheard_floor=0.25)
"""Ours: what is likely to help, and then no more."""

PROFILES: Mapping[str, Profile] = {profile.name: profile for profile in (NATIVE, PLAIN, FADING, RANKS)}
"""Ours by name; a surface may bring another."""


def sigmoid(logit: float) -> float:
    """From log-odds to a probability between 0 and 1, without overflow however far out."""
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else (e := math.exp(logit)) / (1 + e)


def inverse_frequency(frequency: int, total: int) -> float:
    """How much a term says: as in FTS5, never quite nothing."""
    return max(math.log((total - frequency + 0.5) / (frequency + 0.5)), 1e-6)


def rarities(frequencies: Sequence[int], total: int) -> list[float]:
    """How much each term says. A term nobody uses counts as if one did. Their sum is about the best BM25 there is."""
    return [inverse_frequency(max(1, frequency), max(1, total)) for frequency in frequencies]


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


def in_context(
    own: Counts, previous: Counts | None, following: Counts | None, rarities: Sequence[float], usual: float
) -> float:
    """BM25 of a memory together with what was said just before and after it, each a share of its own words.

    The neighbours count towards the length too: else a short reply would inherit too much. A question lends more of
    its words to its answer. Long messages neither lend nor borrow: what an assistant explains at length is about too
    much to say what the messages beside it are about.
    """
    parts = [(own, 1.0, 1.0)]
    for beside, share in ((previous, PREVIOUS_SHARE), (following, NEXT_SHARE)):
        if beside is not None:
            open_to = _briefness(own.length) * _briefness(beside.length)
            answered = ANSWER_SHARE if beside is previous and beside.asks else 0.0
            parts.append((beside, (share + answered) * open_to, open_to))
    together = sum(part.length * weight for part, _, weight in parts) / sum(weight for *_, weight in parts)
    length = BM25_K1 * (1 - BM25_B + BM25_B * together / usual)
    score = 0.0
    for place, rarity in enumerate(rarities):
        frequency = sum(share * part.of_terms[place] for part, share, _ in parts)
        score += rarity * frequency * (BM25_K1 + 1) / (frequency + length)
    return score


def _briefness(length: int) -> float:
    """1 for what people write to each other, 0 for pages."""
    return 1 / (1 + math.exp(min(50.0, (length - LENDING_LENGTH) / LENDING_SPREAD)))


def fused(word: float, cosine: float | None, scale: Scale | None, profile: Profile) -> float:
    """Words and meaning as one logit; by words alone where there is no vector to compare."""
    if cosine is None or scale is None:
        return profile.words_alone.logit(word)
    return scale.logit(cosine + profile.word_weight * word)


class Signs(Protocol):
    """What in a text speaks for or against its being the answer to a question. Shares are from 0 to 1."""

    @property
    def told_by(self) -> bool:
        """Whether somebody speaks in it whom the question is about."""

    @property
    def unfit(self) -> float:
        """How much of what such an answer has in it is not there."""

    @property
    def asking(self) -> float:
        """How far it is a question itself."""

    @property
    def dated(self) -> float:
        """How far it is of the time that the question names."""

    @property
    def words(self) -> int:
        """How many words it has."""


JUDGEMENTS = ("told by", "day", "kind of answer", "a question itself", "length", "names missing", "second model")


def judgements(
    signs: Signs, missing: int, unheard: int, in_talk: bool, profile: Profile, differs: float = 0.0
) -> tuple[float, ...]:
    """What the signs of an answer add to a logit, in the order of `JUDGEMENTS`.

    `missing` is how many names of the question a memory lacks that others have, `unheard` how many nobody has.
    `differs` is how many log-odds more relevant a second model finds it than the first one.
    """
    too_long = profile.long_penalty * math.log(max(signs.words, LONG_WORDS) / LONG_WORDS)
    too_short = profile.remark_penalty * math.exp(-signs.words / REMARK_WORDS) if in_talk else 0.0
    return (
        profile.teller_bonus if signs.told_by else 0.0,
        profile.day_bonus * signs.dated,
        -profile.unfit_penalty * signs.unfit,
        -profile.asking_penalty * signs.asking,
        -too_long - too_short,
        -profile.missing_penalty * min(missing, NAMES_THAT_COUNT)
        - profile.unheard_penalty * min(unheard, NAMES_THAT_COUNT),
        profile.second_share * differs,
    )


def behind(occasions: Mapping[str, Sequence[float]], profile: Profile) -> dict[str, float]:
    """What is taken from the logits of each occasion for having less to say of the question than the best of them.

    An answer is seldom the only thing said of its matter. What an occasion has to say are its best few messages.
    """
    if len(occasions) < 2:
        return {}
    have = {
        session: math.log(sum(math.exp(each) for each in sorted(logits)[-OCCASION_MESSAGES:]))
        for session, logits in occasions.items()
    }
    most = max(have.values())
    return {session: profile.occasion_share * max(-OCCASION_REACH, each - most) for session, each in have.items()}


class Standing(Protocol):
    """A memory as far as it got: its log-odds, and what decides who is shown beside whom."""

    number: int
    logit: float
    cosine: float | None
    exact: bool
    unheard: bool
    of_another: bool


def unheard(ranked: Sequence[Standing], profile: Profile) -> set[int]:
    """Who goes because a name was asked for that nobody has: one memory may mean it by another name, more are company.

    What says of another name what was asked of this one means that other. A topic that was named stays.
    """
    if profile.unheard_floor is None:
        return set()
    lacking = [each for each in ranked if each.unheard and not each.exact]
    least = logit(profile.unheard_floor)
    may_mean_it = [each.number for each in lacking if not each.of_another and each.logit >= least]
    return {each.number for each in lacking}.difference(may_mean_it[:1])


def far_below(ranked: Sequence[Standing], profile: Profile) -> set[int]:
    """Who is much less relevant than the best.

    What has no vector yet is not compared, and a topic that was named makes nobody else less relevant.
    """
    compared = [each for each in ranked if each.cosine is not None]
    if not compared or profile.margin is None:
        return set()
    least = max(each.logit - profile.exact_key_bonus * each.exact for each in compared) - profile.margin
    return {each.number for each in compared if each.logit < least}


def most(ranked: Sequence[Standing], profile: Profile) -> int:
    """How many are shown: all, if one of them is clearly relevant; a topic that was named in any case."""
    best = max((sigmoid(each.logit) for each in ranked if each.cosine is not None), default=1.0)
    few = next((count for below, count in profile.doubtful if best < below), len(ranked))
    return min(len(ranked), max(few, sum(each.exact for each in ranked)))


ADJUSTMENTS = ("confidence", "importance", "pinned", "age", "origin")
DOUBT = "standing"


def adjustments(features: Features, now: int, profile: Profile, decay: Decay) -> tuple[float, ...]:
    """What confidence, trust, importance and age add to a logit, in the order of `ADJUSTMENTS`."""
    age_days = max(0, now - features.fresh_at) / DAY
    return (
        profile.confidence_weight * (_confidence(features, now, profile, decay) - 1.0),
        profile.importance_weight * (features.importance - 0.5),
        profile.pinned_bonus if features.pinned else 0.0,
        profile.age_penalty * (0.5 ** (age_days / profile.age_half_life_days) - 1.0),
        -profile.distrust_penalties[features.distrust],
    )


def kept(features: Features, now: int, profile: Profile, decay: Decay) -> float:
    """How much of its relevance a memory keeps beside one that is certain: above 0 and up to 1."""
    return 1.0 - profile.confidence_share * (1.0 - _confidence(features, now, profile, decay))


def _confidence(features: Features, now: int, profile: Profile, decay: Decay) -> float:
    if not profile.decays:
        return features.confidence
    return decay.faded(features.confidence, features.used_at or features.created_at, now)


def weighted(logit: float, weight: float) -> float:
    """The logit of a relevance times a weight above 0 and up to 1."""
    if weight == 1.0:
        return logit
    if logit < 0:  # either way, nothing overflows
        return math.log(weight) + logit - math.log1p((1 - weight) * math.exp(logit))
    return math.log(weight) - math.log(1 - weight + math.exp(-logit))


def logit(share: float) -> float:
    """The inverse of `sigmoid`."""
    if share <= 0.0:
        return -math.inf
    return math.inf if share >= 1.0 else math.log(share / (1.0 - share))
