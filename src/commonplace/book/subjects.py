"""The subjects of a book beside its memories: sessions, documents, decisions, teams and others.

Each takes the caller and nothing else, and is built when it is first used, by imports inside functions:
whoever remembers one thing should not wait for dreams and documents.
"""

from functools import cached_property
from typing import TYPE_CHECKING

from commonplace.book.reader import BookReader

if TYPE_CHECKING:
    from commonplace.book.access import Access
    from commonplace.book.curated import Curated
    from commonplace.book.projects import Projects
    from commonplace.book.undo import Undo
    from commonplace.decisions.log import Decisions
    from commonplace.documents.documents import Documents
    from commonplace.documents.evidence_log import EvidenceLog
    from commonplace.dream import Dreams
    from commonplace.dream.corrections import Corrections
    from commonplace.imports.taking import Imports
    from commonplace.maintenance.doctor import Maintenance
    from commonplace.maintenance.transfer import Transfer
    from commonplace.sessions.sessions import Sessions
    from commonplace.teams.teams import Teams


class Subjects(BookReader):
    """A book with what stands beside its memories."""

    @cached_property
    def care(self) -> "Maintenance":
        """Examine, repair, copy, upgrade."""
        from commonplace.maintenance.doctor import Maintenance

        return Maintenance(self._caller)

    @cached_property
    def access(self) -> "Access":
        """Tokens: who may come in over the network."""
        from commonplace.book.access import Access

        return Access(self._caller)

    @cached_property
    def sessions(self) -> "Sessions":
        """Conversations, their digests, and what was learnt from them."""
        from commonplace.sessions.sessions import Sessions

        return Sessions(self._caller)

    @cached_property
    def transfer(self) -> "Transfer":
        """Export and import."""
        from commonplace.maintenance.transfer import Transfer

        return Transfer(self._caller)

    @cached_property
    def imports(self) -> "Imports":
        """What other tools remembered, brought along."""
        from commonplace.imports.taking import Imports

        return Imports(self._caller)

    @cached_property
    def corrections(self) -> "Corrections":
        """What somebody said was wrong."""
        from commonplace.dream.corrections import Corrections

        return Corrections(self._caller)

    @cached_property
    def dreams(self) -> "Dreams":
        """Memory that tidies itself: plan, apply, undo."""
        from commonplace.dream import Dreams

        return Dreams(self._caller)

    @cached_property
    def documents(self) -> "Documents":
        """Files and texts in chunks."""
        from commonplace.documents.documents import Documents

        return Documents(self._caller)

    @cached_property
    def evidence(self) -> "EvidenceLog":
        """What memories rest on."""
        from commonplace.documents.evidence_log import EvidenceLog

        return EvidenceLog(self._caller)

    @cached_property
    def decisions(self) -> "Decisions":
        """The decision log."""
        from commonplace.decisions.log import Decisions

        return Decisions(self._caller)

    @cached_property
    def teams(self) -> "Teams":
        """Who is in which team, and what they share."""
        from commonplace.teams.teams import Teams

        return Teams(self._caller)

    @cached_property
    def curated(self) -> "Curated":
        """The few pinned things, and their snapshot."""
        from commonplace.book.curated import Curated

        return Curated(self._caller)

    @cached_property
    def projects(self) -> "Projects":
        """What the person works in: names, folders, and what was put together."""
        from commonplace.book.projects import Projects

        return Projects(self._caller)

    @cached_property
    def undo(self) -> "Undo":
        """What was changed, listed and taken back."""
        from commonplace.book.undo import Undo

        return Undo(self._caller)
