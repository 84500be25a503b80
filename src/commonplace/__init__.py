"""Memory for AI agents that people can trust.

>>> from commonplace import Book
>>> with Book.open("book.db") as book:
...     book.remember("The user prefers SQLite for prototypes", kind="preference")
...     print(book.recall("which database?").hits[0].memory.text)
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from commonplace.access import Issued
    from commonplace.alike import Group
    from commonplace.bearer import Token
    from commonplace.book import Book
    from commonplace.caller import Door
    from commonplace.care import Restored, SpotCheck
    from commonplace.conversation import Session
    from commonplace.corrections import Correction, Logged, Severity
    from commonplace.curated import Curation, Snapshot
    from commonplace.decision import Decision, Found, Impact, Inquiry, Proposal
    from commonplace.deeds import Beside, Edit, Receipt
    from commonplace.documents import Passage, Removed
    from commonplace.dream.dreams import Undone
    from commonplace.dream.limits import Due, Limits
    from commonplace.dream.planning import Plan
    from commonplace.dream.runs import Insight, Run
    from commonplace.errors import CommonplaceError
    from commonplace.events import Event, Revision
    from commonplace.evidence import Attached, Evidence, EvidenceType, Source, Verification
    from commonplace.fields import ChangeFields, DraftFields, FilterFields, QueryFields
    from commonplace.intake import Draft, ExactPolicy, NearPolicy, Refused, Remembered, Repeats, Verdict
    from commonplace.lifecycle import Changes
    from commonplace.membership import Member, Role, Team
    from commonplace.memory import Kind, Memory, MemoryType, Origin, Relation, RelationKind, Standing, Status
    from commonplace.operations import Operation
    from commonplace.ports import Erasure, Finding
    from commonplace.promotion import Contest, Contribution, Promoted
    from commonplace.query import Filter, Hit, Mode, Order, Page, Query, Recall
    from commonplace.reflect import Depth, Reflection
    from commonplace.review import Review, Waiting, Why
    from commonplace.scope import Principal, Right, Scope
    from commonplace.sessions import Saved, Told
    from commonplace.shelving import Chunk, Document, Looked
    from commonplace.teams import Deleted, Place
    from commonplace.transcripts.turns import Turn
    from commonplace.transfer import Arrival, Imported
    from commonplace.undo import TakenBack
    from commonplace.why import Explanation

__version__ = "0.1.0"

_HOMES = {
    "commonplace.access": ("Issued",),
    "commonplace.alike": ("Group",),
    "commonplace.bearer": ("Token",),
    "commonplace.book": ("Book",),
    "commonplace.caller": ("Door",),
    "commonplace.care": ("Restored", "SpotCheck"),
    "commonplace.conversation": ("Session",),
    "commonplace.corrections": (
        "Correction",
        "Logged",
        "Severity",
    ),
    "commonplace.curated": (
        "Curation",
        "Snapshot",
    ),
    "commonplace.decision": (
        "Decision",
        "Found",
        "Impact",
        "Inquiry",
        "Proposal",
    ),
    "commonplace.deeds": (
        "Beside",
        "Edit",
        "Receipt",
    ),
    "commonplace.documents": (
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
    "commonplace.events": (
        "Event",
        "Revision",
    ),
    "commonplace.evidence": (
        "Attached",
        "Evidence",
        "EvidenceType",
        "Source",
        "SpotCheck",
        "Verification",
    ),
    "commonplace.fields": (
        "ChangeFields",
        "DraftFields",
        "FilterFields",
        "QueryFields",
    ),
    "commonplace.intake": (
        "Draft",
        "ExactPolicy",
        "NearPolicy",
        "Refused",
        "Remembered",
        "Repeats",
        "Verdict",
    ),
    "commonplace.lifecycle": ("Changes",),
    "commonplace.membership": (
        "Member",
        "Role",
        "Team",
    ),
    "commonplace.memory": (
        "Kind",
        "Memory",
        "MemoryType",
        "Origin",
        "Relation",
        "RelationKind",
        "Standing",
        "Status",
    ),
    "commonplace.operations": ("Operation",),
    "commonplace.ports": (
        "Erasure",
        "Finding",
    ),
    "commonplace.promotion": (
        "Contest",
        "Contribution",
        "Promoted",
    ),
    "commonplace.query": (
        "Filter",
        "Hit",
        "Mode",
        "Order",
        "Page",
        "Query",
        "Recall",
    ),
    "commonplace.reflect": (
        "Depth",
        "Reflection",
    ),
    "commonplace.review": (
        "Review",
        "Waiting",
        "Why",
    ),
    "commonplace.scope": (
        "Principal",
        "Right",
        "Scope",
    ),
    "commonplace.sessions": (
        "Saved",
        "Told",
    ),
    "commonplace.shelving": (
        "Chunk",
        "Document",
        "Looked",
    ),
    "commonplace.teams": ("Deleted", "Place"),
    "commonplace.transcripts.turns": ("Turn",),
    "commonplace.transfer": (
        "Arrival",
        "Imported",
    ),
    "commonplace.undo": ("TakenBack",),
    "commonplace.why": ("Explanation",),
}

__all__ = [
    "Arrival",
    "Attached",
    "Beside",
    "Book",
    "ChangeFields",
    "Changes",
    "Chunk",
    "CommonplaceError",
    "Contest",
    "Contribution",
    "Correction",
    "Curation",
    "Decision",
    "Deleted",
    "Depth",
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
    "Found",
    "Group",
    "Hit",
    "Impact",
    "Imported",
    "Inquiry",
    "Insight",
    "Issued",
    "Kind",
    "Limits",
    "Logged",
    "Looked",
    "Member",
    "Memory",
    "MemoryType",
    "Mode",
    "NearPolicy",
    "Operation",
    "Order",
    "Origin",
    "Page",
    "Passage",
    "Place",
    "Plan",
    "Principal",
    "Promoted",
    "Proposal",
    "Query",
    "QueryFields",
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
