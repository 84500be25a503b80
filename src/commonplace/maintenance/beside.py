"""What stands beside memories in an export, and back: decisions, conversations, documents, evidence and the rest.

Everything is exported that somebody said or decided; what a program keeps for itself (leases, previews, what can be
undone) is not. Decisions come back from any document, numbered anew; conversations, and what memories rest on, only
from one that a person vouches for. Documents are read again from where they lie; who is in which team, and which folder
is which project's, is said by hand.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from commonplace import deadline
from commonplace.decisions.bringing import bring, check_record, known_among
from commonplace.decisions.decision import Decision, DecisionStatus, Proposal, Recorded, number_of
from commonplace.decisions.log import SHELF as DECISIONS
from commonplace.decisions.log import decision_of
from commonplace.documents.evidence import CHUNK_SHELF, DOCUMENT_SHELF, evidence_of
from commonplace.documents.evidence import SHELF as EVIDENCE
from commonplace.domain.canonical_json import Json
from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.record import Record, texts_in
from commonplace.domain.scope import Scope, ScopeKind, Viewer
from commonplace.domain.validation import check_unicode
from commonplace.engine.caller import Work
from commonplace.engine.intake import refuse_secrets
from commonplace.engine.lifecycle import WAITING_PINS
from commonplace.engine.paging import each_entry
from commonplace.engine.projects import SHELF as PROJECTS
from commonplace.errors import CommonplaceError, InvalidInput
from commonplace.sessions.entries import LEARNINGS, SESSIONS, TURNS, learning_of, session_of, turn_of

EXPORTED = (
    PROJECTS,
    DECISIONS,
    SESSIONS,
    TURNS,
    LEARNINGS,
    DOCUMENT_SHELF,
    CHUNK_SHELF,
    EVIDENCE,
    WAITING_PINS,
    "correction",
    "insight",
    "snapshot",
    "snapshot_line",
    "team",
    "member",
    "contribution",
)
"""The shelves in an export, in this order: what belongs to something stands behind it."""

_READ: Mapping[str, Callable[[Entry], object]] = {
    SESSIONS: session_of,
    TURNS: turn_of,
    LEARNINGS: learning_of,
    EVIDENCE: evidence_of,
    WAITING_PINS: lambda entry: entry,
}
"""What comes back from a document that somebody vouches for, and what an entry must be readable as."""

_OF_A_MEMORY = (LEARNINGS, EVIDENCE, WAITING_PINS)


class Beside(Record):
    """What became of the entries of a document, by shelf: those that came in, and those that did not."""

    came: Mapping[str, int]
    left: Mapping[str, int]


def exported(work: Work) -> Iterator[Json]:
    """Every entry that the caller may see and that says something, shelf by shelf, oldest first."""
    for shelf in EXPORTED:
        for entry in deadline.each(each_entry(work.unit, EntryFilter(shelf), newest_first=False)):
            if entry.scope and work.may_see(entry.scope):
                shown = {name: getattr(entry, name) for name in Entry.fields}
                shown["scope"] = work.caller.principal.show(Scope.parse(entry.scope))
                yield {**shown, "body": dict(entry.body)}


def entry_of(data: Json, who: Viewer) -> Entry:
    """An entry out of a document, in a scope the caller may see; InvalidInput where it is none, or holds a secret."""
    try:
        body = data["body"]
        entry = Entry(
            _text(data["shelf"]),
            _text(data["id"]),
            _scope(_text(data["scope"]), who),
            _whole(data["at"]),
            body if isinstance(body, dict) else {},
            _text(data.get("text", "")),
            None if data.get("parent") is None else _text(data["parent"]),
            _text(data.get("state", "")),
        )
        if entry.shelf == DECISIONS:
            check_record(_record(decision_of(entry)))
        elif entry.shelf in _READ:
            _READ[entry.shelf](entry)
    except CommonplaceError:
        raise
    except (KeyError, ValueError, TypeError, AttributeError, IndexError):
        raise InvalidInput("The entry lacks something, or says something that cannot be.") from None
    for name, text in texts_in(dict(entry.body)):
        check_unicode(text, name)
        refuse_secrets(text, name)
    for name in ("text", "state"):
        check_unicode(getattr(entry, name), name)
        refuse_secrets(getattr(entry, name), name)
    return entry


def take(work: Work, entries: Sequence[Entry], memories: Container[str], trust: bool, dry_run: bool) -> Beside:
    """Put the entries where they belong that may come in and are not there yet; `memories` come in with them."""
    came, left = Counter[str](), Counter[str]()
    for scope, records in _by_scope(entries).items():
        known = len(known_among(work.unit, scope, records))
        came[DECISIONS] += len(records) - known if dry_run else len(bring(work, scope, records))
        left[DECISIONS] += known
    sessions: set[str] = set()
    for entry in deadline.each(entries):
        if entry.shelf == DECISIONS:
            continue
        if not trust or entry.shelf not in _READ or not _may_come(work, entry, sessions, memories):
            left[entry.shelf] += 1
            continue
        sessions.update((entry.id,) if entry.shelf == SESSIONS else ())
        came[entry.shelf] += 1
        if not dry_run:
            work.unit.entries.put(entry)
    return Beside(+came, +left)


def _may_come(work: Work, entry: Entry, sessions: Container[str], memories: Container[str]) -> bool:
    """Whether it is new, and what it belongs to is there or comes with it. What rests on a document waits for that."""
    if work.unit.entries.get(entry.shelf, entry.id) is not None:
        return False
    if entry.shelf == TURNS:
        return entry.parent in sessions
    if entry.shelf in _OF_A_MEMORY:
        known = None if entry.parent is None else work.unit.memories.by_id(entry.parent)
        there = entry.parent in memories or (known is not None and work.may_see(known.scope))
        return there and not (entry.shelf == EVIDENCE and entry.state)
    return True


def _by_scope(entries: Sequence[Entry]) -> dict[Scope, list[Recorded]]:
    found: dict[Scope, list[Recorded]] = {}
    for entry in entries:
        if entry.shelf == DECISIONS:
            decision = decision_of(entry)
            found.setdefault(decision.scope, []).append(_record(decision))
    return found


def _record(decision: Decision) -> Recorded:
    """A decision of a log as one that comes from elsewhere: what was decided, and who took its place."""
    proposal = Proposal(
        decision.title,
        decision.owner,
        decision.context,
        decision.decision,
        decision.rationale,
        decision.area,
        decision.impact,
        decision.alternatives,
        decision.revert_plan,
        decision.tags,
        decision.decided_at,
        decision.status is DecisionStatus.DRAFT,
    )
    after = None if decision.superseded_by is None else number_of(decision.superseded_by)
    return Recorded(proposal, decision.number, decision.status, after, decision.revert_reason)


def _scope(text: str, who: Viewer) -> str:
    """A person's own scope is the caller's own here; any other has to be one that they may see."""
    own = who.principal.own_scope
    scope = own if text == "user:default" or Scope.parse(text).kind is ScopeKind.USER else Scope.parse(text)
    if not who.may_see(scope):
        raise InvalidInput(f"{scope} is not one of your scopes.")
    return str(scope)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value
