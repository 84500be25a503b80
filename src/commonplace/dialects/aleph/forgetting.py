"""forget, which asks first, and removes what the words describe and nothing else."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters
from commonplace.dialects.aleph.confirmations import Confirmations
from commonplace.dialects.aleph.shapes import AgentId, fact_id, question
from commonplace.domain.memory import Memory, Status
from commonplace.domain.query import Hit
from commonplace.domain.rank import logit
from commonplace.domain.scope import Right
from commonplace.errors import NotFound
from commonplace.text import descriptions
from commonplace.text.descriptions import Description, Fit

CANDIDATES = 10
RELEVANT = 0.5  # below it, a memory is not what was described
WORTH_ASKING = 0.2  # below it, a memory is not worth a question
ALMOST_EQUAL = 1.8  # in log-odds: nearer to the best, another that has as many of the words may be meant as well
BARELY_WORSE = 0.7  # the same for another that has fewer of the words
SAID_OTHERWISE = ((2.2, 0.0), (1.4, 0.5))
"""A memory may lack a word of the description if its meaning alone has such log-odds, and the word adds so much."""

MEANT = 0.6
FAR_AHEAD = 2.0
"""A memory that has no word of the description is meant if its meaning alone has such log-odds, and so many more than
that of any other. Where words are shared this says nothing: a name alone brings two texts as near."""

TWIN = 0.8
REASON = "forgotten through aleph"


class ForgetParameters(Parameters):
    query: Annotated[str, Field(description="what the fact to remove says, or its id")]
    confirm: Annotated[bool, Field(description="false shows what would be removed")] = False
    agent_id: AgentId = None


class Candidate(TypedDict):
    id: str
    content: str
    score: float
    goes: bool


class Forgotten(TypedDict):
    confirmation_required: bool
    forgotten: list[str]
    count: int
    message: str
    candidates: NotRequired[list[Candidate]]
    prompt: NotRequired[str]


class Meant(NamedTuple):
    """What a description means: what would go, what is only like it, and whether it may go unseen."""

    goes: list[Hit]
    beside: list[Hit]
    clear: bool


def forget(book: Book, given: ForgetParameters) -> Forgotten:
    """With `confirm`, what was shown to go for the same words is removed, or the one match that is clearly meant."""
    book.principal.require(Right.WRITE)
    asked = given.query if given.agent_id is None else f"agent:{given.agent_id} {given.query}"
    confirmations = Confirmations(book.caller)
    if given.confirm:
        shown = _still_as_shown(book, confirmations.shown(asked))
        if shown:
            confirmations.drop(asked)
            return _removed(book, shown)
    meant = _meant(book, given)
    if given.confirm and meant.clear:
        return _removed(book, [hit.memory for hit in meant.goes])
    confirmations.keep(asked, [_state(hit.memory) for hit in meant.goes])
    return _previewed(meant)


def _meant(book: Book, given: ForgetParameters) -> Meant:
    """The memory of that id, or what the words describe."""
    memory = _named(book, given.query.strip())
    if memory is not None:
        if memory.status is Status.FORGOTTEN:
            raise NotFound(f"{fact_id(memory)} is forgotten already.")
        return Meant([Hit(memory, 1.0)], [], True)
    description = descriptions.read(given.query)
    hits = _found(book, given, description.text)
    if not hits:
        raise NotFound("Nothing that is stored matches this: describe it in its own words, or give its id.")
    fits = [(hit, _fit(description, hit.memory)) for hit in hits]
    _refuse_unheard(description, fits)
    if description.several:
        return _several(fits)
    return _single(book, given, description, fits)


def _found(book: Book, given: ForgetParameters, text: str) -> list[Hit]:
    """What is worth a question, the most relevant first; where words are all there is, whatever has one."""
    hits = book.recall(question(book, text, given.agent_id, CANDIDATES)).hits
    worth = [hit for hit in hits if hit.vector_score is None or hit.relevance >= WORTH_ASKING]
    return sorted(worth, key=lambda hit: -hit.relevance)


def _fit(description: Description, memory: Memory) -> Fit:
    labels = " ".join(filter(None, (memory.topic, memory.category, *memory.tags)))
    return descriptions.fit(description, memory.text, labels)


Fits = Sequence[tuple[Hit, Fit]]


def _refuse_unheard(description: Description, fits: Fits) -> None:
    """A name or number that nothing has is not in the book."""
    for said in (*description.names, *sorted(description.numbers)):
        if all(said in fit.wrong for _, fit in fits):
            raise NotFound(f"Nothing that is stored about this mentions '{said}': give other words, or an id.")


def _several(fits: Fits) -> Meant:
    """All that fit as well as the best; never unseen."""
    fitting = [(hit, fit) for hit, fit in fits if fit.possible and fit.has and _is_relevant(hit)]
    most = max((len(fit.has) for _, fit in fitting), default=0)
    goes = [hit for hit, fit in fitting if len(fit.has) == most]
    return Meant(goes, [hit for hit, _ in fits if hit not in goes][: CANDIDATES - len(goes)] if not goes else [], False)


def _single(book: Book, given: ForgetParameters, description: Description, fits: Fits) -> Meant:
    """The one that is described, if there is one; without, whatever may be meant, and none of it goes."""
    possible = [(hit, fit) for hit, fit in fits if fit.possible and _is_relevant(hit)]
    if not possible:
        return Meant([], _nearly_as_good([hit for hit, _ in fits]), False)
    best, best_fit = max(possible, key=lambda each: (each[0].relevance, len(each[1].has)))
    rivals = [hit for hit, fit in possible if hit is not best and _rivals(best, best_fit, hit, fit)]
    if rivals:
        return Meant([], [best, *rivals], False)
    by_meaning = not best_fit.has and _is_far_ahead(book, description, best, fits)
    plain = best_fit.has and not best_fit.lacks
    if not plain and not by_meaning and not _says_otherwise(book, given, description, best, best_fit):
        return Meant([], _nearly_as_good([best, *(hit for hit, _ in fits if hit is not best)]), False)
    twins = [hit for hit, fit in fits if hit is not best and _is_twin(description, best_fit, hit, fit)]
    return Meant([best], twins, not twins and not by_meaning)


def _is_relevant(hit: Hit) -> bool:
    return hit.vector_score is None or hit.relevance >= RELEVANT


def _nearly_as_good(hits: Sequence[Hit]) -> list[Hit]:
    return [hit for hit in hits if hit.relevance >= TWIN * hits[0].relevance]


def _rivals(best: Hit, best_fit: Fit, other: Hit, fit: Fit) -> bool:
    """Whether another may be meant as well as the best."""
    if best.vector_score is None or other.vector_score is None:
        return len(fit.has) >= len(best_fit.has)
    apart = logit(best.relevance) - logit(other.relevance)
    return apart < (ALMOST_EQUAL if len(fit.has) >= len(best_fit.has) else BARELY_WORSE)


def _says_otherwise(book: Book, given: ForgetParameters, description: Description, best: Hit, best_fit: Fit) -> bool:
    """Whether a memory means what it does not say: close in meaning, and no closer without the words that it lacks."""
    if best.vector_score is None or book.embedder is None or not best_fit.has:
        return False
    scale = book.embedder.calibration.relevance
    meant = scale.logit(best.vector_score)
    if meant < min(least for least, _ in SAID_OTHERWISE):
        return False
    shorter = descriptions.without(description, best_fit.lacks)
    without = {hit.memory.id: hit.vector_score for hit in _found(book, given, shorter)} if shorter else {}
    added = meant - scale.logit(without.get(best.memory.id) or 0.0)
    return any(meant >= least and added >= gain for least, gain in SAID_OTHERWISE)


def _is_far_ahead(book: Book, description: Description, best: Hit, fits: Fits) -> bool:
    """Whether the meaning of a memory that has none of the words is close, and no other's is nearly as close."""
    if best.vector_score is None or book.embedder is None or not description.terms:
        return False
    scale = book.embedder.calibration.relevance
    meant = scale.logit(best.vector_score)
    others = (scale.logit(hit.vector_score or 0.0) for hit, _ in fits if hit is not best)
    return meant >= MEANT and all(meant - other >= FAR_AHEAD for other in others)


def _is_twin(description: Description, best_fit: Fit, other: Hit, fit: Fit) -> bool:
    """Whether another has all the words that the best has, but for the name or the "old" that was said."""
    told_apart = not fit.possible and all(said in description.told_apart_by for said in fit.wrong)
    return told_apart and _is_relevant(other) and len(best_fit.has - fit.has) <= len(fit.wrong)


# -- by its id --------------------------------------------------------------------------------


def _named(book: Book, query: str) -> Memory | None:
    """The memory that a query names instead of describing it. A bare number describes: `#12` names."""
    if query.startswith(("mem_", "cur_", "ctx_")):
        return book.get(query)
    return None if query.isdigit() else book.get_many([query])[0]


# -- what was shown ---------------------------------------------------------------------------


def _state(memory: Memory) -> str:
    """What was shown is one revision: a memory that somebody changes meanwhile is not what was agreed to."""
    return f"{memory.id}:{memory.revision}"


def _still_as_shown(book: Book, states: Sequence[str]) -> list[Memory]:
    """All of what was shown, or nothing if any of it has changed."""
    try:
        memories = [book.get(state.partition(":")[0]) for state in states]
    except NotFound:
        return []
    return memories if [_state(memory) for memory in memories] == list(states) else []


def _removed(book: Book, memories: Sequence[Memory]) -> Forgotten:
    done = [memory for memory in book.forget_many(memories, reason=REASON) if isinstance(memory, Memory)]
    ids = [fact_id(memory) for memory in done]
    return Forgotten(
        confirmation_required=False,
        forgotten=ids,
        count=len(ids),
        message=f"Forgotten: {', '.join(ids)}. 'commonplace restore' brings it back; 'commonplace curate' "
        "takes it out of the snapshot.",
    )


def _previewed(meant: Meant) -> Forgotten:
    shown = [*((hit, True) for hit in meant.goes), *((hit, False) for hit in meant.beside)]
    return Forgotten(
        confirmation_required=True,
        forgotten=[],
        count=0,
        message="Nothing was removed yet.",
        candidates=[
            Candidate(id=fact_id(hit.memory), content=hit.memory.text, score=hit.score, goes=goes)
            for hit, goes in shown
        ],
        prompt=_prompt(meant),
    )


def _prompt(meant: Meant) -> str:
    if not meant.goes:
        return (
            "Ask the user which of these is meant, then call forget with its id, or with words that only it has, and "
            "confirm true; confirm with these words removes none of them."
        )
    what = "this fact" if len(meant.goes) == 1 else f"these {len(meant.goes)} facts"
    named = (
        f"{what} ({', '.join(fact_id(hit.memory) for hit in meant.goes)}; the others stay)" if meant.beside else what
    )
    return (
        f"Ask the user, then call forget with the same query and confirm true within ten minutes to remove {named}, "
        "or with the id of one of them."
    )
