"""The nouns as plain JSON: the names of `canonical_json`, times as ISO 8601, scopes as the caller selects them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from commonplace.domain.canonical_json import Json, relation_to_json, to_json
from commonplace.domain.events import Event, Revision
from commonplace.domain.memory import Memory, Relation
from commonplace.domain.query import Hit, OtherHit
from commonplace.domain.scope import Principal, Scope
from commonplace.text import flags, show_time

if TYPE_CHECKING:
    from commonplace.decisions.decision import Decision
    from commonplace.domain.trace import Trace
    from commonplace.engine.explain import Explanation
    from commonplace.sessions.distil import LeftOut
    from commonplace.sessions.entries import Session
    from commonplace.sessions.learning import Learnt

_TIMES = (
    "created_at",
    "updated_at",
    "confirmed_at",
    "expires_at",
    "valid_from",
    "valid_to",
    "status_at",
)


def flagged(data: object) -> object:
    """JSON in which every object whose own texts hide something from a person says what, under `flags`."""
    if isinstance(data, Mapping):
        own = [text for value in data.values() for text in (value if isinstance(value, list | tuple) else [value])]
        found = dict.fromkeys(flag for text in own if isinstance(text, str) for flag in flags(text))
        inner = {name: flagged(value) for name, value in data.items()}
        return {**inner, "flags": list(found)} if found else inner
    return [flagged(item) for item in data] if isinstance(data, list | tuple) else data


def memory_json(memory: Memory, principal: Principal) -> Json:
    """Everything a memory is, times as text and its scope in the person's own words; what is None is left out."""
    data = to_json(memory)
    for name in _TIMES:
        if name in data:
            data[name] = show_time(getattr(memory, name))
    data["scope"] = principal.show(memory.scope)
    usage = memory.usage
    data["usage"] = {
        "count": usage.count,
        "used_at": None if usage.used_at is None else show_time(usage.used_at),
        "surface": usage.surface,
    }
    return data


def about_json(id: str | None, names: Mapping[str, str]) -> Json:
    """What another project is called that something is about; nothing for this one, or where there is none."""
    return {} if id is None or id not in names else {"project_name": names[id]}


def hit_json(hit: Hit, principal: Principal, names: Mapping[str, str]) -> Json:
    """A memory with how well it fits and why, and what the project it is about is called, by `names`, if it is another.

    A score no index gave is None.
    """
    return {
        **memory_json(hit.memory, principal),
        **about_json(hit.memory.about, names),
        "relevance": hit.relevance,
        "reason": hit.reason,
        "word_score": hit.word_score,
        "vector_score": hit.vector_score,
    }


def other_json(other: OtherHit, principal: Principal, names: Mapping[str, str]) -> Json:
    """What was found beside memories: what it is, a piece of it, how well it fits and why, and how to open it."""
    return {
        **about_json(other.project, names),
        "kind": other.kind.one,
        "id": other.id,
        "part": other.part,
        "scope": principal.show(other.scope),
        "at": show_time(other.at),
        "title": other.title,
        "excerpt": other.excerpt,
        "relevance": other.relevance,
        "reason": other.reason,
        "open_with": other.open_with,
    }


def relation_json(relation: Relation) -> Json:
    """Both ends by id, the kind by its word, the time as text."""
    return {**relation_to_json(relation), "created_at": show_time(relation.created_at)}


def revision_json(revision: Revision, principal: Principal) -> Json:
    """A state of the past, without the use: that is counted for the memory, not for a revision."""
    data = memory_json(revision.memory, principal)
    del data["usage"]
    return {"recorded_at": show_time(revision.recorded_at), "memory": data}


def decision_json(decision: "Decision", principal: Principal) -> Json:
    """Every field of a decision, its scope in the person's own words and its time as text."""
    return {
        **{name: getattr(decision, name) for name in decision.fields},
        "scope": principal.show(decision.scope),
        "impact": decision.impact.value,
        "status": decision.status.value,
        "decided_at": show_time(decision.decided_at),
        "alternatives": list(decision.alternatives),
        "tags": list(decision.tags),
    }


def session_json(found: "Session", principal: Principal) -> Json:
    """What is kept of a conversation beside its turns."""
    return {
        "id": found.id,
        "label": found.label,
        "summary": found.summary,
        "surface": found.surface,
        "scope": principal.show(found.scope),
        "saved_at": show_time(found.saved_at),
        "held_at": None if found.held_at is None else show_time(found.held_at),
        "project": found.project,
        "project_id": found.project_id,
        "turns": found.turns,
        "learnings": list(found.learnings),
    }


def learnt_json(learnt: "Learnt", principal: Principal) -> Json:
    """A memory that a conversation taught, where it was said there, in which words, and what spoke for it."""
    shown = memory_json(learnt.memory, principal)
    return {**shown, "turn": learnt.turn, "quote": learnt.quote, "reason": learnt.reason}


def left_out_json(left: "LeftOut") -> Json:
    """What was looked at in a conversation and not learnt, and why."""
    return {"turn": left.turn, "quote": left.quote, "reason": left.reason}


def event_json(event: Event, principal: Principal) -> Json:
    """A line of the audit log, with its times as text."""
    return {
        "id": event.id,
        "type": event.type.value,
        "memory_id": event.memory_id,
        "actor": event.actor,
        "at": show_time(event.at),
        "payload": payload_json(event, principal),
    }


def payload_json(event: Event, principal: Principal) -> Json:
    """What an event says, with its scope and time as a person reads them; the rest as it was stored."""
    payload: Json = dict(event.payload)
    if isinstance(payload.get("scope"), str):
        payload["scope"] = principal.show(Scope.parse(str(payload["scope"])))
    if isinstance(payload.get("at"), int):
        payload["at"] = show_time(int(str(payload["at"])))
    return payload


def trace_json(trace: "Trace") -> list[Json]:
    """The stages in the order they ran; scores rounded to four digits, times to microseconds."""
    return [
        {
            "stage": stage.stage,
            "count": stage.count,
            "elapsed_ms": round(stage.elapsed_ms, 3),
            "scores": [
                {"number": score.number, "value": round(score.value, 4), "parts": _rounded(score.parts)}
                for score in stage.scores
            ],
            "drops": [{"number": drop.number, "reason": drop.reason} for drop in stage.drops],
        }
        for stage in trace.stages
    ]


def why_json(explanation: "Explanation", principal: Principal) -> Json:
    """Why a recall answered as it did: its stages, every score and, if one memory was asked about, its way."""
    recall = explanation.recall
    return {
        "query": recall.query.text,
        "effective_mode": recall.effective_mode.value,
        "verdict": explanation.verdict,
        "steps": [
            {"stage": step.stage, "meaning": step.meaning, "count": step.count, "elapsed_ms": round(step.elapsed_ms, 3)}
            for step in explanation.steps
        ],
        "path": [{"stage": stage, "said": said} for stage, said in explanation.path],
        "hits": [hit_json(hit, principal, recall.projects) for hit in recall.hits],
        "others": [other_json(other, principal, recall.projects) for other in recall.others],
        "trace": [] if recall.trace is None else trace_json(recall.trace),
        "warnings": list(recall.warnings),
    }


def _rounded(parts: tuple[tuple[str, float], ...]) -> Json:
    return {name: round(value, 4) for name, value in parts}
