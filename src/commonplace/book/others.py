"""What a recall finds beside memories: decisions that stand, what was said, and what documents say.

All of it in the recall's own transaction and within what its caller may see. Of a conversation or a document the best
passage is shown, and where memories are shown too, no more than a few of all of them.
"""

import shlex
from collections.abc import Mapping, Sequence

from commonplace.decisions.decision import DecisionStatus
from commonplace.decisions.log import SHELF as DECISIONS
from commonplace.decisions.log import decision_of
from commonplace.documents.evidence import CHUNK_SHELF, DOCUMENT_SHELF
from commonplace.documents.ingest import chunk_of, document_of
from commonplace.domain.entries import EntryFilter
from commonplace.domain.memory import Kind
from commonplace.domain.query import Filter, Only, OtherHit, Recall
from commonplace.domain.record import replace
from commonplace.domain.scope import Scope
from commonplace.engine.caller import Work
from commonplace.engine.others import EntryHit, find, vectors_of
from commonplace.engine.recall import TOKENS_PER_MEMORY, AskedQuery
from commonplace.errors import InvalidInput
from commonplace.sessions.entries import SESSIONS, TURNS, session_of
from commonplace.text import collapse, estimate_tokens, query_terms
from commonplace.text.excerpts import around

BESIDE_MEMORIES = 3
PASSAGES_OF_ONE = 2  # of a document or a conversation, where nothing else is asked for
EXCERPT_LENGTH = 200
LEAST_BESIDE = 0.3
"""Stricter than for memories: what stands beside them comes on top, and a long text shares a word with any question."""
SHARE_OF_BEST = 0.5  # of the best memory or entry; with less, it would only be in the way

SHELVES: Mapping[Only, tuple[str, ...]] = {
    Only.DECISIONS: (DECISIONS,),
    Only.SESSIONS: (TURNS, SESSIONS),
    Only.DOCUMENTS: (CHUNK_SHELF,),
}


def with_others(work: Work, asked: AskedQuery, found: Recall) -> Recall:
    """The recall with what stands beside the memories, as far as there is anything relevant and room for it."""
    # That memories are to be true now goes without saying; a decision that stands is.
    filter = replace(found.query.filter, valid_at=asked.query.filter.valid_at)
    only = found.query.only
    scopes = _scopes(work, asked, filter)
    pairs = vectors_of(asked)
    held = work.unit.entry_vectors.held(pairs[0][0].space if pairs else None, [str(scope) for scope in scopes])
    shelves = [shelf for kind in _kinds(only, filter) for shelf in SHELVES[kind] if shelf in held]
    if not shelves:
        return found
    hits = find(work.unit, asked, [_wanted(shelf, scopes, filter) for shelf in shelves], _floor(asked, found))
    most, of_one = (BESIDE_MEMORIES, 1) if only is None else (found.query.limit, PASSAGES_OF_ONE)
    new = [hit for hit in hits if not _is_shown(hit, found) and (only is not None or _counts(hit, hits[0], found))]
    others = _fitting(_shown(work, new, most, of_one), found)
    missing = sum(held[shelf][0] - held[shelf][1] for shelf in shelves) if pairs else 0
    warnings = (*found.warnings, *((_without_vectors(missing),) if missing else ()))
    return replace(found, others=others, warnings=warnings)


def _floor(asked: AskedQuery, found: Recall) -> float:
    """How relevant the least may be: what is asked for alone is cut as memories are, what comes on top sooner."""
    if found.query.min_relevance is not None:
        return found.query.min_relevance
    if found.query.only is None:
        return LEAST_BESIDE
    return asked.profile.floor if vectors_of(asked) else 0.0


def _counts(hit: EntryHit, best: EntryHit, found: Recall) -> bool:
    """Whether it is worth a place beside the best that was found."""
    most = max(best.relevance, *(shown.relevance for shown in found.hits[:1]), 0.0)
    return found.query.min_relevance is not None or hit.relevance >= SHARE_OF_BEST * most


def _scopes(work: Work, asked: AskedQuery, filter: Filter) -> tuple[Scope, ...]:
    """Those of the recall, or where none was named the caller's own; teams too that have no memory."""
    return filter.scopes if asked.query.filter.scopes or filter.automatic else work.default_scopes()


def _kinds(only: Only | None, filter: Filter) -> tuple[Only, ...]:
    """What may be looked for. Unasked, decisions alone; a condition that only memories can meet leaves nothing."""
    kinds = (Only.DECISIONS,) if filter.automatic else tuple(SHELVES)
    if filter.kinds == (Kind.DECISION,):
        kinds, filter = (Only.DECISIONS,), replace(filter, kinds=())
    if only is not None:
        kinds = tuple(kind for kind in kinds if kind is only)
    if filter == filter.beyond_memories:
        return kinds
    if only is not None:
        raise InvalidInput(
            f"Only memories have kinds, tags, statuses and a past: for {only.value} name a scope or dates alone.",
            "only",
        )
    return ()


def _wanted(shelf: str, scopes: Sequence[Scope], filter: Filter) -> EntryFilter:
    states = (DecisionStatus.ACTIVE.value,) if shelf == DECISIONS else ()
    within = tuple(map(str, scopes))
    return EntryFilter(shelf, within, states=states, since=filter.created_since, until=filter.created_until)


def _is_shown(hit: EntryHit, found: Recall) -> bool:
    """Whether a memory that is shown was taken from the passage word for word, as from a conversation."""
    said = collapse(hit.entry.text) if found.hits else ""
    return any(collapse(shown.memory.text) in said for shown in found.hits)


def _shown(work: Work, hits: Sequence[EntryHit], most: int, of_one: int) -> list[OtherHit]:
    """The best hits, of each conversation and document so many; what has lost its whole is passed over.

    What was said comes before the digest that sums it up.
    """
    shown: list[OtherHit] = []
    taken: dict[str, int] = {}
    said = {hit.entry.parent for hit in hits if hit.entry.shelf == TURNS}
    for hit in hits:
        whole = hit.entry.parent or hit.entry.id
        if len(shown) == most:
            break
        if hit.entry.shelf == SESSIONS and whole in said:
            continue
        if taken.get(whole, 0) < of_one and (other := _other(work, hit)) is not None:
            taken[whole] = taken.get(whole, 0) + 1
            shown.append(other)
    return shown


def _other(work: Work, hit: EntryHit) -> OtherHit | None:
    match hit.entry.shelf:
        case shelf if shelf == DECISIONS:
            return _decided(work, hit)
        case shelf if shelf == CHUNK_SHELF:
            return _written(work, hit)
        case _:
            return _said(work, hit)


def _decided(work: Work, hit: EntryHit) -> OtherHit:
    decision = decision_of(hit.entry)
    opened = f"decision show {decision.id} --scope {work.caller.principal.show(decision.scope)}"
    shown = _hit(Only.DECISIONS, decision.id, hit, decision.title, decision.decision, opened)
    return replace(shown, project=decision.project)


def _said(work: Work, hit: EntryHit) -> OtherHit | None:
    """A turn, or the digest; a conversation whose saving was cut short is not there yet."""
    if hit.entry.shelf == SESSIONS:
        session = session_of(hit.entry)
        shown = _hit(Only.SESSIONS, session.id, hit, session.label, session.summary, f"session show {session.id}")
        return replace(shown, project=session.project_id)
    entry = work.unit.entries.get(SESSIONS, hit.entry.parent or "")
    if entry is None:
        return None
    session = session_of(entry)
    opened = f"session show {session.id} --turns"
    shown = _hit(Only.SESSIONS, session.id, hit, session.label, hit.entry.text, opened, hit.entry.id)
    return replace(shown, project=session.project_id)


def _written(work: Work, hit: EntryHit) -> OtherHit | None:
    entry = work.unit.entries.get(DOCUMENT_SHELF, hit.entry.parent or "")
    if entry is None:
        return None
    document = document_of(entry)
    chunk = chunk_of(hit.entry, document.place)
    title = f"{document.place}, lines {chunk.line_start} to {chunk.line_end}"
    opened = f"docs show {shlex.quote(chunk.id)}"
    shown = _hit(Only.DOCUMENTS, document.id, hit, title, chunk.content, opened, chunk.id)
    return replace(shown, project=document.project)


def _hit(kind: Only, id: str, hit: EntryHit, title: str, text: str, opened: str, part: str | None = None) -> OtherHit:
    return OtherHit(
        kind,
        id,
        Scope.parse(hit.entry.scope),
        hit.entry.at,
        title,
        around(text, query_terms(hit.query), EXCERPT_LENGTH),
        hit.relevance,
        hit.reason,
        f"commonplace {opened}",
        part,
    )


def _fitting(others: Sequence[OtherHit], found: Recall) -> tuple[OtherHit, ...]:
    """As many as the token budget has room for behind the memories."""
    if found.query.max_tokens is None:
        return tuple(others)
    left = found.query.max_tokens - sum(estimate_tokens(hit.memory.text) + TOKENS_PER_MEMORY for hit in found.hits)
    fitting = []
    for other in others:
        left -= estimate_tokens(f"{other.title} {other.excerpt}") + TOKENS_PER_MEMORY
        if left < 0:
            break
        fitting.append(other)
    return tuple(fitting)


def _without_vectors(missing: int) -> str:
    several = "entry beside the memories has" if missing == 1 else "entries beside the memories have"
    return f"{missing:,} {several} no vector yet and can be found by words only: run 'commonplace reembed'."
