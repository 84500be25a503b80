"""Memory for AI agents that people can trust.

>>> from commonplace import Book
>>> with Book.open("book.db") as book:
...     book.remember("The user prefers SQLite for prototypes", kind="preference")
...     print(book.recall("which database?").hits[0].memory.text)
"""

TYPE_CHECKING = False  # what `typing` calls by this name, without its import: a server answers sooner than that
if TYPE_CHECKING:
    from commonplace.book.access import Issued
    from commonplace.book.book import Book
    from commonplace.book.curated import Curation, Snapshot
    from commonplace.book.edits import Beside, Edit, Receipt
    from commonplace.book.pairs import Pair
    from commonplace.book.projects import ListedProject
    from commonplace.book.reflect import Reflection
    from commonplace.book.review import Review, Waiting, Why
    from commonplace.book.undo import TakenBack
    from commonplace.decisions.decision import Decision, Found, Impact, Inquiry, Proposal
    from commonplace.documents.documents import Passage, Removed
    from commonplace.documents.evidence import Attached, Evidence, EvidenceType, Source, Verification
    from commonplace.documents.grounds import Ground
    from commonplace.documents.ingest import Chunk, Document, Looked
    from commonplace.domain.corrections import Correction, Severity
    from commonplace.domain.events import Event, Revision
    from commonplace.domain.memory import Kind, Memory, MemoryType, Origin, Relation, RelationKind, Standing, Status
    from commonplace.domain.query import Depth, Filter, Hit, Mode, Only, Order, OtherHit, Page, Query, Recall
    from commonplace.domain.scope import Principal, Right, Scope
    from commonplace.domain.token import Token
    from commonplace.dream.corrections import Logged
    from commonplace.dream.dreams import Undone
    from commonplace.dream.limits import Due, Limits
    from commonplace.dream.planning import Plan
    from commonplace.dream.runs import Insight, Run
    from commonplace.engine.caller import Door
    from commonplace.engine.duplicates import Contradicted, Group
    from commonplace.engine.explain import Explanation
    from commonplace.engine.fields import ChangeFields, DraftFields, FilterFields, QueryFields
    from commonplace.engine.intake import Draft, ExactPolicy, NearPolicy, Refused, Remembered, Repeats, Verdict
    from commonplace.engine.lifecycle import Changes
    from commonplace.engine.membership import Member, Role, Team
    from commonplace.engine.operations import Operation
    from commonplace.engine.projects import KnownProject
    from commonplace.errors import CommonplaceError
    from commonplace.imports.taking import Outlook, Taken
    from commonplace.maintenance.doctor import Restored, SpotCheck
    from commonplace.maintenance.reach import Reached
    from commonplace.maintenance.transfer import Arrival, Imported
    from commonplace.ports import Erasure, Finding
    from commonplace.sessions.distil.items import Distilled, LeftOut
    from commonplace.sessions.entries import Session
    from commonplace.sessions.learning import About, Forgotten, Learnt
    from commonplace.sessions.sessions import Saved, Told
    from commonplace.sessions.transcripts.turns import Turn
    from commonplace.teams.promotion import Contest, Contribution, Promoted
    from commonplace.teams.teams import Deleted, Place

__version__ = "0.1.0"

_HOMES = {
    "commonplace.book.access": ("Issued",),
    "commonplace.book.projects": ("ListedProject",),
    "commonplace.engine.projects": ("KnownProject",),
    "commonplace.engine.duplicates": ("Contradicted", "Group"),
    "commonplace.domain.token": ("Token",),
    "commonplace.book.book": ("Book",),
    "commonplace.engine.caller": ("Door",),
    "commonplace.maintenance.doctor": ("Restored", "SpotCheck"),
    "commonplace.maintenance.reach": ("Reached",),
    "commonplace.sessions.distil.items": ("Distilled", "LeftOut"),
    "commonplace.sessions.entries": ("Session",),
    "commonplace.sessions.learning": ("About", "Forgotten", "Learnt"),
    "commonplace.domain.corrections": (
        "Correction",
        "Severity",
    ),
    "commonplace.dream.corrections": ("Logged",),
    "commonplace.book.curated": (
        "Curation",
        "Snapshot",
    ),
    "commonplace.decisions.decision": (
        "Decision",
        "Found",
        "Impact",
        "Inquiry",
        "Proposal",
    ),
    "commonplace.book.edits": (
        "Beside",
        "Edit",
        "Receipt",
    ),
    "commonplace.documents.documents": (
        "Passage",
        "Removed",
    ),
    "commonplace.dream.dreams": ("Undone",),
    "commonplace.dream.limits": (
        "Due",
        "Limits",
    ),
    "commonplace.dream.planning": ("Plan",),
    "commonplace.dream.runs": (
        "Insight",
        "Run",
    ),
    "commonplace.errors": ("CommonplaceError",),
    "commonplace.domain.events": (
        "Event",
        "Revision",
    ),
    "commonplace.documents.evidence": (
        "Attached",
        "Evidence",
        "EvidenceType",
        "Source",
        "SpotCheck",
        "Verification",
    ),
    "commonplace.documents.grounds": ("Ground",),
    "commonplace.engine.fields": (
        "ChangeFields",
        "DraftFields",
        "FilterFields",
        "QueryFields",
    ),
    "commonplace.engine.intake": (
        "Draft",
        "ExactPolicy",
        "NearPolicy",
        "Refused",
        "Remembered",
        "Repeats",
        "Verdict",
    ),
    "commonplace.engine.lifecycle": ("Changes",),
    "commonplace.engine.membership": (
        "Member",
        "Role",
        "Team",
    ),
    "commonplace.domain.memory": (
        "Kind",
        "Memory",
        "MemoryType",
        "Origin",
        "Relation",
        "RelationKind",
        "Standing",
        "Status",
    ),
    "commonplace.engine.operations": ("Operation",),
    "commonplace.ports": (
        "Erasure",
        "Finding",
    ),
    "commonplace.teams.promotion": (
        "Contest",
        "Contribution",
        "Promoted",
    ),
    "commonplace.domain.query": (
        "Depth",
        "Filter",
        "Hit",
        "Mode",
        "Only",
        "Order",
        "OtherHit",
        "Page",
        "Query",
        "Recall",
    ),
    "commonplace.book.pairs": ("Pair",),
    "commonplace.book.reflect": (
        "Depth",
        "Reflection",
    ),
    "commonplace.book.review": (
        "Review",
        "Waiting",
        "Why",
    ),
    "commonplace.domain.scope": (
        "Principal",
        "Right",
        "Scope",
    ),
    "commonplace.sessions.sessions": (
        "Saved",
        "Told",
    ),
    "commonplace.documents.ingest": (
        "Chunk",
        "Document",
        "Looked",
    ),
    "commonplace.teams.teams": ("Deleted", "Place"),
    "commonplace.sessions.transcripts.turns": ("Turn",),
    "commonplace.maintenance.transfer": (
        "Arrival",
        "Imported",
    ),
    "commonplace.book.undo": ("TakenBack",),
    "commonplace.imports.taking": ("Outlook", "Taken"),
    "commonplace.engine.explain": ("Explanation",),
}

__all__ = [
    "About",
    "Arrival",
    "Attached",
    "Beside",
    "Book",
    "ChangeFields",
    "Changes",
    "Chunk",
    "CommonplaceError",
    "Contest",
    "Contradicted",
    "Contribution",
    "Correction",
    "Curation",
    "Decision",
    "Deleted",
    "Depth",
    "Distilled",
    "Document",
    "Door",
    "Draft",
    "DraftFields",
    "Due",
    "Edit",
    "Erasure",
    "Event",
    "Evidence",
    "EvidenceType",
    "ExactPolicy",
    "Explanation",
    "Filter",
    "FilterFields",
    "Finding",
    "Forgotten",
    "Found",
    "Ground",
    "Group",
    "Hit",
    "Impact",
    "Imported",
    "Inquiry",
    "Insight",
    "Issued",
    "Kind",
    "KnownProject",
    "Learnt",
    "LeftOut",
    "Limits",
    "ListedProject",
    "Logged",
    "Looked",
    "Member",
    "Memory",
    "MemoryType",
    "Mode",
    "NearPolicy",
    "Only",
    "Operation",
    "Order",
    "Origin",
    "OtherHit",
    "Outlook",
    "Page",
    "Pair",
    "Passage",
    "Place",
    "Plan",
    "Principal",
    "Promoted",
    "Proposal",
    "Query",
    "QueryFields",
    "Reached",
    "Recall",
    "Receipt",
    "Reflection",
    "Refused",
    "Relation",
    "RelationKind",
    "Remembered",
    "Removed",
    "Repeats",
    "Restored",
    "Review",
    "Revision",
    "Right",
    "Role",
    "Run",
    "Saved",
    "Scope",
    "Session",
    "Severity",
    "Snapshot",
    "Source",
    "SpotCheck",
    "Standing",
    "Status",
    "Taken",
    "TakenBack",
    "Team",
    "Token",
    "Told",
    "Turn",
    "Undone",
    "Verdict",
    "Verification",
    "Waiting",
    "Why",
]


def __dir__() -> list[str]:
    """What there is to be had, though it is imported only when it is asked for."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    """The public names, imported when they are first asked for: a command that only reads loads half of them."""
    for home, names in _HOMES.items():
        if name in names:
            # Late like the names themselves: it is only needed for those.
            from importlib import import_module

            return getattr(import_module(home), name)
    raise AttributeError(f"module 'commonplace' has no attribute '{name}'")
