"""What a book is asked to change, and what it says of what it removed."""

from typing import TYPE_CHECKING

from commonplace.domain.memory import Status
from commonplace.domain.record import Record, replace
from commonplace.domain.validation import check_tags, check_text
from commonplace.engine import intake
from commonplace.engine.caller import Reference
from commonplace.engine.intake import Refused
from commonplace.engine.lifecycle import Changes
from commonplace.errors import InvalidInput
from commonplace.ports import Erasure
from commonplace.text import normalise, tidy_tags

if TYPE_CHECKING:
    from commonplace.documents.evidence import Source


class Receipt(Record):
    """What a purge removed, and whether the bytes are gone from the book's files already."""

    ids: tuple[str, ...]
    purged_at: int
    erasure: Erasure


class Beside(Record):
    """What goes with a memory once it is there, in the same transaction: what it rests on, what it is related to."""

    sources: "tuple[Source, ...]" = ()
    related: tuple[Reference, ...] = ()


class Edit(Record):
    """A change to a memory; with `expected_revision`, only if nobody else changed it meanwhile.

    A `status` that the memory cannot be brought to undoes whatever else the same call changed.
    """

    reference: Reference
    changes: Changes
    expected_revision: int | None = None
    status: Status | None = None
    reason: str | None = None

    @property
    def brings_text(self) -> bool:
        """Whether it gives the memory new words, which have to be looked at for secrets and embedded."""
        return isinstance(self.changes.text, str)


def checked_edit(edit: Edit) -> Edit | Refused:
    """An edit in its normal form, or why it cannot be made."""
    try:
        intake.refuse_secrets(edit.reason, "reason")
        return replace(edit, changes=checked(edit.changes))
    except InvalidInput as error:
        return Refused(error)


def checked(changes: Changes) -> Changes:
    """Changes in their normal form; secrets are refused wherever they are."""
    if isinstance(changes.text, str):
        check_text(changes.text)
        changes = replace(changes, text=normalise(changes.text))
    intake.refuse_secrets_in(changes)
    if isinstance(changes.tags, tuple) and changes.tags:
        check_tags(changes.tags)
        changes = replace(changes, tags=tidy_tags(changes.tags))
    if isinstance(changes.topic, str):
        changes = replace(changes, topic=intake.topic_of(changes.topic))
    return changes
