"""The read path: a query becomes candidates, candidates become hits.

`STAGES` is the whole path, in order. One runner times every stage and, when asked, writes
down what it scored and dropped. Each stage is a function on the working set.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence

from commonplace import deadline
from commonplace.domain import rank
from commonplace.domain.memory import Memory
from commonplace.domain.query import EffectiveMode, Filter, Hit, Mode, Query, Recall
from commonplace.domain.rank import PROFILES, Candidate, Decay, Features, Profile, Ranks, best_first
from commonplace.domain.record import Record, replace
from commonplace.domain.trace import Drop, Score, StageTrace, Trace
from commonplace.engine.joined import JoinedEmbedder
from commonplace.errors import InvalidInput, ModelError
from commonplace.ports import Embedder, Match, Unit, Vector, Wording, is_blank, wording_of
from commonplace.text import estimate_tokens, nearness, query_terms, questions, slugs_within, terms
from commonplace.text.languages import is_foreign
from commonplace.text.questions import Question

WIDENING = 4
POINTS_DECIMALS = 4
PLACES = ("place by meaning", "place by words", "place by key")
A_LITTLE = 1e-6
OLDER, NEWER, PAIRS = 3, 8, 4  # how many of the best are compared, with how many that came later, in how many pairs
ALIKE_TO_CONTRADICT = 0.79  # the likeness from which on two memories are read for a contradiction
SHARED_BY_CONTRADICTIONS = 0.2  # the same without a model: the share of their words
LONGEST_STATEMENT = 300  # characters of a memory that states one thing: what is longer states many
TOKENS_PER_MEMORY = 12  # what an id, a date and a label around each memory cost


class AskedQuery(Record):
    """A query with what is made of it before any transaction is open: its profile, its words and its vector."""

    query: Query
    question: Question
    profile: Profile
    embedder: Embedder | None
    terms: list[str]
    vector: Vector | None
    warnings: tuple[str, ...]
    elapsed_ms: float


class RecallState:
    """What the stages hand on to each other."""

    def __init__(self, query: Query, now: int, asked: AskedQuery, unit: Unit) -> None:
        self.query = query
        self.question = asked.question
        self.profile = asked.profile
        self.now = now
        self.terms = asked.terms
        self.vector = asked.vector
        self.unit = unit
        self.embedder = asked.embedder
        self.decay = Decay()
        self.here: tuple[str, ...] = ()
        self.candidates: dict[int, Candidate] = {}
        self.ranked: list[Candidate] | None = None
        self.memories: dict[int, Memory] = {}
        self.wordings: Mapping[int, Wording] = {}
        self.drops: list[Drop] = []
        self.rarities: list[float] = []
        self.omitted = 0

    @property
    def remaining(self) -> list[Candidate]:
        """Who is still there, best first once they are ranked."""
        return list(self.candidates.values()) if self.ranked is None else self.ranked

    def candidate(self, features: Features) -> Candidate:
        """The candidate for a memory: the same one, whichever index found it."""
        known = self.candidates.get(features.number)
        if known is None:
            known = self.candidates[features.number] = Candidate(features)
        return known

    def similarity(self, one: int, other: int) -> float:
        """The cosine of two memories, 0 where one has no vector."""
        return self.similarities(one, [other]).get(other, 0.0)

    def similarities(self, one: int, others: Sequence[int]) -> Mapping[int, float]:
        """The cosine of a memory with each of others that has a vector; nothing where it has none itself."""
        if self.embedder is None or not others:
            return {}
        vectors, space = self.unit.vectors, self.embedder.space
        vector = vectors.of([one], space).get(one)
        return {} if vector is None else vectors.similarity(vector, space, others)

    def keep(self, count: int, reason: str) -> None:
        """Keep the first `count`, drop the others."""
        for candidate in self.remaining[count:]:
            self.drop(candidate, reason)
        self.ranked = self.remaining[:count]

    def leave_out(self, numbers: Collection[int], reason: str) -> None:
        """Drop those, keep the others in their order."""
        for candidate in self.remaining:
            if candidate.number in numbers:
                self.drop(candidate, reason)
        self.ranked = [candidate for candidate in self.remaining if candidate.number not in numbers]

    def drop(self, candidate: Candidate, reason: str) -> None:
        """Note why a candidate went, for whoever asked for an explanation; the caller takes it away."""
        if self.query.explain:
            self.drops.append(Drop(candidate.number, reason))


def ask(query: Query, embedder: Embedder | None) -> AskedQuery:
    """Make the words and the vector of a query."""
    profile = _chosen(query.profile)
    started = time.perf_counter()
    vector, warnings = _embedded(query, embedder)
    question = questions.read(query.text)
    wanted = [] if query.mode is Mode.VECTORS else list(dict.fromkeys((*query_terms(query.text), *question.days)))
    elapsed = (time.perf_counter() - started) * 1000
    return AskedQuery(query, question, profile, embedder, wanted, vector, warnings, elapsed)


def _chosen(profile: str | Profile) -> Profile:
    """The profile that a query brings, or that of ours which it names."""
    if isinstance(profile, Profile):
        return profile
    if profile not in PROFILES:
        raise InvalidInput(f"There is no ranking profile '{profile}': use {', '.join(PROFILES)}.", "profile")
    return PROFILES[profile]


def answer(
    unit: Unit, asked: AskedQuery, filter: Filter, now: int, decay: Decay = Decay(), here: tuple[str, ...] = ()
) -> Recall:
    """Run what was asked through the stages, on one snapshot and within a filter the caller has checked.

    `here` are the ids of the project one is in, whose memories come first among equals.
    """
    query = replace(asked.query, filter=filter)
    working = RecallState(query, now, asked, unit)
    working.decay, working.here = decay, here
    traces = [StageTrace("query", len(asked.terms), asked.elapsed_ms)]
    for name, stage in STAGES:
        deadline.check()
        if query.explain:
            traces.append(_traced(name, stage, working))
        else:
            stage(working)
    hits = tuple(_hit(candidate, working) for candidate in working.remaining)
    return Recall(
        query,
        hits,
        effective_mode(query, asked.vector),
        asked.warnings,
        working.omitted,
        Trace(tuple(traces), unit.memories.by_numbers(list(working.candidates))) if query.explain else None,
    )


def nothing(asked: AskedQuery, filter: Filter) -> Recall:
    """The answer to a query that is not for memories."""
    query = replace(asked.query, filter=filter)
    return Recall(query, (), effective_mode(query, asked.vector), asked.warnings)


def _traced(name: str, stage: Callable[[RecallState], None], working: RecallState) -> StageTrace:
    working.drops = []
    started = time.perf_counter()
    stage(working)
    elapsed = (time.perf_counter() - started) * 1000
    scores = tuple(_score(candidate, working.profile) for candidate in working.remaining)
    return StageTrace(name, len(scores), elapsed, scores, tuple(working.drops))


def _score(candidate: Candidate, profile: Profile) -> Score:
    weighed = (
        *zip(rank.JUDGEMENTS, candidate.judged, strict=False),
        *zip((*rank.ADJUSTMENTS, rank.DOUBT), candidate.parts, strict=False),
    )
    parts = [("words", candidate.word), *((name, value) for name, value in weighed if value)]
    if candidate.cosine is not None:
        parts.insert(1, ("meaning", candidate.cosine))
    if candidate.context:
        parts.append(("neighbours", candidate.context))
    if candidate.occasion:
        parts.append(("said beside less", candidate.occasion))
    parts += _placed(candidate, profile.ranks)
    return Score(candidate.number, rank.sigmoid(candidate.logit), tuple(parts))


def _placed(candidate: Candidate, ranks: Ranks | None) -> list[tuple[str, float]]:
    """The place in each list, where places count, the sum they come to, and its share of the most there is to have."""
    if ranks is None or candidate.places is None or candidate.points is None:
        return []
    named = zip(PLACES, candidate.places, strict=True)
    places = [(name, float(place)) for name, place in named if place is not None]
    return [*places, ("sum", ranks.sum(*candidate.places)), ("points", round(candidate.points, POINTS_DECIMALS))]


def _embedded(query: Query, embedder: Embedder | None) -> tuple[Vector | None, tuple[str, ...]]:
    """The query's vector, before any transaction is open; without one, words have to do."""
    if query.mode is Mode.WORDS:
        return None, ()
    if embedder is None:
        if query.mode is Mode.VECTORS:
            raise InvalidInput("There is no model to search by meaning: run 'commonplace models pull'.", "mode")
        return None, ("Searched by words only: no model is in use ('commonplace models pull' fetches one).",)
    try:
        vector = embedder.embed_query(query.text)
    except ModelError as error:
        if query.mode is Mode.VECTORS or query.needs_vectors:
            raise
        return None, (f"Searched by words only: {error.message}",)
    if is_blank(vector):
        remedy = "one of many languages would ('commonplace models list')"
        return None, (f"Searched by words only: {embedder.space.model} does not read this script, {remedy}.",)
    return vector, ()


def effective_mode(query: Query, vector: Vector | None) -> EffectiveMode:
    """How a query that has this vector, or none, is really looked for."""
    if vector is None:
        return EffectiveMode.LEXICAL
    return EffectiveMode.SEMANTIC if query.mode is Mode.VECTORS else EffectiveMode.HYBRID


# -- stages ----------------------------------------------------------------------------------


def gather(working: RecallState) -> None:
    """The pool: what words, vectors and exact keys find among the memories the filter admits."""
    if working.query.filter.as_of is not None:
        _gather_past(working)
        return
    unit, query, now = working.unit, working.query, working.now
    if working.terms:
        working.rarities = rank.rarities(*unit.words.frequencies(working.terms))
        best = sum(working.rarities)
        for features, score in _matching(working):
            working.candidate(features).word = score / best
    for features, score in _nearest(working):
        working.candidate(features).cosine = score
    if unit.memories.has("topic"):
        for features in unit.memories.by_topic(query.filter, now, slugs_within(query.text)):
            working.candidate(features).exact = True


def _gather_past(working: RecallState) -> None:
    # Late for the command line: few look into the past.
    from commonplace.engine.recall_past import features_of, past_pool

    meaning = None
    if working.vector is not None and working.embedder is not None:
        meaning = (working.vector, working.embedder.space)
    query, most = working.query, working.profile.vector_pool
    working.memories, words, cosines = past_pool(working.unit, query.filter, working.terms, meaning, most)
    for number, score in words.items():
        working.candidate(features_of(working.memories[number])).word = score
    for number, cosine in cosines.items():
        working.candidate(features_of(working.memories[number])).cosine = cosine


def _matching(working: RecallState) -> tuple[Match, ...]:
    unit, query, profile = working.unit, working.query, working.profile
    # Neighbours can lift a memory from far down: a conversation needs a wider pool.
    reach = max(profile.talk_pool if unit.memories.has("session") else 0, profile.pool_per_hit * query.limit)
    while True:
        found = unit.words.matching(working.terms, query.filter, working.now, reach)
        different = len({features.text_key for features, _ in found})
        if len(found) < reach or different >= min(reach, 2 * query.limit):
            return found
        reach *= WIDENING  # the same text over and over must not take the places of others


def _nearest(working: RecallState) -> tuple[Match, ...]:
    if working.vector is None or working.embedder is None:
        return ()
    space = working.embedder.space
    return working.unit.vectors.nearest(
        working.vector, space, working.query.filter, working.now, working.profile.vector_pool
    )


def join_context(working: RecallState) -> None:
    """What was said just before and after: neighbours in a conversation lend each other their words."""
    if working.query.filter.as_of is not None or not working.terms:
        return
    talking = [candidate for candidate in working.candidates.values() if candidate.features.session is not None]
    if talking:
        _lend_words(working, _with_neighbours(working, talking))


Beside = dict[int, tuple[int | None, int | None]]
"""For each candidate of a conversation, the number of what was said before it and of what was said after it."""


def _with_neighbours(working: RecallState, talking: list[Candidate]) -> Beside:
    """Who stands beside whom. Neighbours of the strongest become candidates, though they share no word with the query.

    An answer often has none of the words of its question. Only beside the strongest it is let in: with both neighbours
    of every candidate the pool could become three times as large.
    """
    unit, query, now = working.unit, working.query, working.now
    beside = unit.memories.neighbours(query.filter, now, [candidate.number for candidate in talking])
    strongest = sorted(talking, key=lambda candidate: -candidate.word)[: working.profile.context_seeds]
    nearby = {number for seed in strongest for number in beside.get(seed.number, ()) if number is not None}
    absent = sorted(nearby - working.candidates.keys())
    for features in unit.memories.features(query.filter, now, absent).values():
        working.candidate(features)
    return beside | unit.memories.neighbours(query.filter, now, absent)


def _lend_words(working: RecallState, beside: Beside) -> None:
    """Score each candidate again with the words around it; `context` is only what that adds to its own words."""
    said = {*beside, *(number for pair in beside.values() for number in pair if number is not None)}
    counts = working.unit.words.counts(working.terms, sorted(said))
    usual = sum(each.length for each in counts.values()) / (len(counts) or 1) or 1.0
    for number, (previous, following) in beside.items():
        if number not in counts:  # a damaged index: doctor will say so
            continue
        candidate = working.candidates[number]
        around = (counts.get(previous or 0), counts.get(following or 0))  # there is no memory number 0
        score = rank.in_context(counts[number], *around, working.rarities, usual)
        candidate.context = score / sum(working.rarities) - candidate.word


def fuse(working: RecallState) -> None:
    """Words and meaning become one logit."""
    scale = None
    if working.vector is not None and working.embedder is not None:
        scale = working.embedder.calibration.relevance
        if working.query.filter.as_of is None:  # of the past, vectors are only those of texts that still stand
            _compare_the_rest(working, working.vector, working.embedder)
    profile = working.profile
    for candidate in working.candidates.values():
        logit = rank.fused(candidate.word + candidate.context, candidate.cosine, scale, profile)
        candidate.logit = logit + (profile.exact_key_bonus if candidate.exact else 0.0)
    if profile.ranks is not None:
        _give_points(list(working.candidates.values()), profile.ranks)
    working.ranked = sorted(working.candidates.values(), key=best_first)


def _give_points(candidates: list[Candidate], ranks: Ranks) -> None:
    """Points for the place in each of three lists: by meaning, by words, and by an exact key."""
    by_meaning = _places([each for each in candidates if each.cosine is not None], lambda each: each.cosine or 0.0)
    by_words = _places([each for each in candidates if each.word > 0], lambda each: each.word)
    by_key = _places([each for each in candidates if each.exact], lambda each: each.features.created_at)
    for each in candidates:
        each.places = (by_meaning.get(each.number), by_words.get(each.number), by_key.get(each.number))
        each.points = ranks.points(*each.places)


def _places(candidates: list[Candidate], value: Callable[[Candidate], float]) -> dict[int, int]:
    """Places counted from 1; equals are in the order of their age, the newest first."""
    ordered = sorted(candidates, key=lambda each: (-value(each), -each.number))
    return {each.number: place for place, each in enumerate(ordered, 1)}


def _compare_the_rest(working: RecallState, vector: Vector, embedder: Embedder) -> None:
    """What words found has a meaning too."""
    unknown = [number for number, candidate in working.candidates.items() if candidate.cosine is None]
    for number, cosine in working.unit.vectors.similarity(vector, embedder.space, unknown).items():
        working.candidates[number].cosine = cosine


def judge(working: RecallState) -> None:
    """The best are looked at once more, as answers: who tells it, of which day, and whether it names what was asked."""
    profile = working.profile
    working.keep(max(profile.judged, 2 * working.query.limit), "others match the query better")
    working.wordings = _wordings(working, [candidate.number for candidate in working.remaining])
    found = {number: questions.signs(working.question, *said) for number, said in working.wordings.items()}
    # A name that nobody has is not in the book, as far as the filter admits it.
    nowhere = set(working.question.names).intersection(*(signs.missing for signs in found.values()))
    foreign = bool(working.question.names) and is_foreign(working.query.text)
    unheard = set() if foreign else nowhere  # elsewhere a capital makes no name for sure: each German noun has one
    # In a conversation nobody says the names of those who are there: a message lacks none.
    written_down = 2 * sum(signs.labelled for signs in found.values()) > len(found)
    second = _second_opinion(working)
    for candidate in working.remaining:
        signs = found.get(candidate.number)
        if signs is None:  # a damaged index: doctor will say so
            continue
        in_talk = candidate.features.session is not None
        labelled = candidate.spoken = signs.labelled and written_down
        # Names are written otherwise in other languages.
        across = bool(signs.missing) and is_foreign(working.wordings[candidate.number].text) != foreign
        names_all = not in_talk and not labelled and not across
        counts = (len(signs.missing) - len(nowhere), len(unheard)) if names_all else (0, 0)
        differs = 0.0 if labelled else second.get(candidate.number, 0.0)
        candidate.judged = rank.judgements(signs, *counts, in_talk, profile, differs)
        candidate.logit += sum(candidate.judged)
        candidate.unheard = bool(unheard) and names_all
        if candidate.unheard:
            candidate.logit = min(candidate.logit, profile.unheard_ceiling)
            said = working.wordings[candidate.number].text
            candidate.of_another = candidate.word > profile.other_words and not questions.has_with_a_slip(unheard, said)
    _weigh_occasions(working)
    working.ranked = sorted(working.remaining, key=best_first)


def _weigh_occasions(working: RecallState) -> None:
    """Of what was said on several occasions, that counts more which others said there speak for."""
    said: dict[str, list[float]] = {}
    for candidate in working.remaining:
        if candidate.features.session is not None:
            said.setdefault(candidate.features.session, []).append(candidate.logit)
    taken = rank.behind(said, working.profile)
    for candidate in working.remaining if taken else ():
        candidate.occasion = taken.get(candidate.features.session or "", 0.0)
        candidate.logit += candidate.occasion


def _second_opinion(working: RecallState) -> dict[int, float]:
    """How many log-odds more relevant the second of two models finds each memory than the first."""
    embedder, vector = working.embedder, working.vector
    if not isinstance(embedder, JoinedEmbedder) or vector is None or working.query.filter.as_of is not None:
        return {}
    compared = {each.number: each.cosine for each in working.remaining if each.cosine is not None}
    return embedder.second_opinion(working.unit.vectors, vector, compared)


def _wordings(working: RecallState, numbers: list[int]) -> Mapping[int, Wording]:
    if working.query.filter.as_of is None:
        return working.unit.memories.wordings(numbers)
    return {number: wording_of(working.memories[number]) for number in numbers}


def put_newer_first(working: RecallState) -> None:
    """Of two values that were asked for the newer one comes first, and before a memory what later contradicts it."""
    if working.question.values and working.vector is not None and working.embedder is not None:
        # Late for the command line: few questions ask for a number.
        from commonplace.engine.newest import newer_statement

        ranked = [candidate.number for candidate in working.remaining]
        pair = newer_statement(ranked, working.wordings, working.question.values, working.similarity)
        if pair is not None:
            _put_before(working, *pair)
    if working.question.days:  # who asks about a day means what was said of it
        return
    later = {pair: share for older in working.remaining[:OLDER] for pair, share in _later(working, older).items()}
    if later:
        from commonplace.engine.newest import contradicted  # late, too: two memories are seldom so alike

        likest = sorted(later, key=lambda pair: -later[pair])[:PAIRS]
        for older, newer in contradicted(likest, working.wordings, {} if working.vector is None else later):
            working.candidates[older].contradicted = True
            _put_before(working, older, newer)


def _put_before(working: RecallState, older: int, newer: int) -> None:
    """Just before it, unless it deserves less trust."""
    before, after = working.candidates[older], working.candidates[newer]
    if (after.features.distrust, after.features.doubt) <= (before.features.distrust, before.features.doubt):
        after.logit = max(after.logit, before.logit + A_LITTLE)
        working.ranked = sorted(working.remaining, key=best_first)


def _later(working: RecallState, older: Candidate) -> dict[tuple[int, int], float]:
    """What was said later than a memory and is so alike, in meaning or else in words, that it may contradict it."""
    said = {
        each.number: wording
        for each in working.remaining[:NEWER]
        if not each.spoken and (wording := working.wordings.get(each.number)) and _is_statement(wording.text)
    }
    first = said.get(older.number)
    if first is None:
        return {}
    since = (first.said_at, older.number)
    after = {number: wording.text for number, wording in said.items() if (wording.said_at, number) > since}
    if working.vector is None or working.embedder is None:
        words, least = set(terms(first.text)), SHARED_BY_CONTRADICTIONS
        spoken = {number: set(terms(text)) for number, text in after.items()}
        alike = {number: len(words & others) / (len(words | others) or 1) for number, others in spoken.items()}
    else:
        threshold, least = working.embedder.calibration.near, ALIKE_TO_CONTRADICT
        cosines = working.similarities(older.number, list(after))
        alike = {number: nearness.likeness(cosine, threshold) for number, cosine in cosines.items()}
    return {(older.number, number): share for number, share in alike.items() if share >= least}


def _is_statement(text: str) -> bool:
    return len(text) <= LONGEST_STATEMENT and "?" not in text and "？" not in text


def weigh_lifecycle(working: RecallState) -> None:
    """Confidence, trust, importance and age have their say."""
    now, profile, decay = working.now, working.profile, working.decay
    for candidate in working.remaining:
        parts = rank.adjustments(candidate.features, now, profile, decay)
        own = candidate.logit + sum(parts)
        sure = rank.weighted(own, rank.kept(candidate.features, now, profile, decay))
        candidate.logit = rank.weighted(sure, profile.doubt_weights[candidate.features.doubt])
        candidate.parts = (parts[0] + sure - own, *parts[1:], candidate.logit - sure)
    working.ranked = sorted(working.remaining, key=best_first)


def cut(working: RecallState) -> None:
    """What is not relevant enough goes."""
    floor, profile = working.query.min_relevance, working.profile
    as_it_comes = floor is None and working.vector is not None
    if floor is None:  # a word in common is reason enough when words are all there is
        floor = 0.0 if working.vector is None else profile.floor
    lowest = rank.logit(floor)
    low = {candidate.number for candidate in working.remaining if candidate.logit < lowest}
    working.leave_out(low, f"its relevance is below the cut-off of {floor:.2f}")
    if as_it_comes:
        working.leave_out(rank.unheard(working.remaining, profile), "as all others, it lacks a name that was asked for")
        working.leave_out(rank.far_below(working.remaining, profile), "it is much less relevant than the best")
        working.keep(rank.most(working.remaining, profile), "nothing is clearly relevant, and others are more so")
    _cut_relatively(working)


def _cut_relatively(working: RecallState) -> None:
    """What scores too little beside the best goes too."""
    share, remaining = working.profile.relative_floor, working.remaining
    if not share or not remaining:
        return
    least = share * _value(remaining[0])
    low = {candidate.number for candidate in remaining if _value(candidate) < least}
    working.leave_out(low, f"its score is below {share:.0%} of the best")


def diversify(working: RecallState) -> None:
    """The same text twice helps nobody: the better-ranked one stands for both. Then the limit is kept."""
    if working.here:
        working.ranked = sorted(working.remaining, key=lambda each: _nearest_first(each, working))
    first: dict[int, Candidate] = {}
    for candidate in working.remaining:
        shown = first.setdefault(candidate.features.text_key, candidate)
        if shown is not candidate:
            working.drop(candidate, f"it says the same as number {shown.number}")
    working.ranked = list(first.values())
    working.keep(working.query.limit, f"it ranks beyond the limit of {working.query.limit}")
    absent = [candidate.number for candidate in working.ranked if candidate.number not in working.memories]
    working.memories |= working.unit.memories.by_numbers(absent)
    # A damaged index may name what it cannot find: doctor will say so.
    working.ranked = [candidate for candidate in working.ranked if candidate.number in working.memories]


def fit_budget(working: RecallState) -> None:
    """Best first until the token budget is full; what does not fit is counted, not forgotten."""
    budget = working.query.max_tokens
    if budget is None:
        return
    fitting = 0
    for candidate in working.remaining:
        budget -= estimate_tokens(working.memories[candidate.number].text) + TOKENS_PER_MEMORY
        if budget < 0:
            break
        fitting += 1
    working.omitted = len(working.remaining) - fitting
    working.keep(fitting, "the token budget is full")


STAGES: tuple[tuple[str, Callable[[RecallState], None]], ...] = (
    ("pool", gather),
    ("context", join_context),
    ("fusion", fuse),
    ("judgement", judge),
    ("lifecycle", weigh_lifecycle),
    ("newest", put_newer_first),
    ("cutoff", cut),
    ("diversity", diversify),
    ("budget", fit_budget),
)


def _nearest_first(candidate: Candidate, working: RecallState) -> tuple[float, int]:
    """The order with this project's own a little ahead. What is shown as relevance, and who is shown, is as before."""
    first, number = best_first(candidate)
    own = candidate.points is None and candidate.features.project in working.here
    return first - (working.profile.project_bonus if own else 0.0), number


def _value(candidate: Candidate) -> float:
    """What a hit will show as its score."""
    return rank.sigmoid(candidate.logit) if candidate.points is None else round(candidate.points, POINTS_DECIMALS)


def _hit(candidate: Candidate, working: RecallState) -> Hit:
    return Hit.trusted(
        working.memories[candidate.number],
        round(rank.sigmoid(candidate.logit), 4),
        candidate.word or None,
        candidate.cosine,
        working.query.text if working.terms else "",
        candidate.exact,
        candidate.context > 0.0,
        None if candidate.points is None else _value(candidate),
        candidate.contradicted,
    )
