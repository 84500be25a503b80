"""Every error Commonplace raises, in one tree.

::

    CommonplaceError
    ├── InvalidInput            an argument cannot be used; `argument` names it
    │   ├── TooMany             more at once than one call may carry: split it up
    │   └── SecretRefused       the text holds a secret; `kinds` names what sort, never the value
    ├── Denied                  the caller lacks the right to do it
    ├── NotFound                no such memory (or it belongs to somebody else)
    │   └── BookMissing         there is no book at the place: make one by remembering, or name another
    ├── Conflict                the book is not in the state the caller assumed
    │   ├── RevisionConflict    somebody changed the memory first
    │   └── KeyReused           an idempotency key came back with another request
    ├── QuotaExceeded           a budget is full: make room first
    ├── TookTooLong             the call had its time, or nobody waits for it: ask for less at once
    ├── StoreError              the file or the server failed
    │   ├── LockTimeout         another writer held the book for too long; try again
    │   ├── StoreUnavailable    the server cannot be reached, or went away in the middle; try again
    │   ├── StoreFull           no space left
    │   ├── StoreUnwritable     the place cannot be written (or not be opened at all)
    │   ├── BookClosed          the book was closed by whoever opened it: open it again
    │   ├── NotABook            the file is something else
    │   ├── SchemaOutdated      an older book: `commonplace upgrade` brings it up
    │   ├── SchemaTooNew        a newer book: it is left untouched
    │   ├── BookDamaged         rows cannot be read: restore a back-up
    │   └── IndexCorrupted      rows are fine, an index is not: `commonplace doctor --repair`
    ├── ModelError              a model could not be had or used
    │   ├── ModelMissing        the pack is not installed: `commonplace models pull`
    │   └── PackDamaged         a file does not have the hash its manifest names
    └── Unexpected              a bug of ours, told to a caller without its insides

The message is one sentence that says what to do next. `code` is stable and is what
a contract maps to its own codes; `retryable` says whether the same call may succeed later.
Where a message may name places of the machine, `outside` is said instead to whoever does not run it.
"""

from typing import ClassVar


class CommonplaceError(Exception):
    """Something went wrong that the caller can do something about."""

    code: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False
    outside: ClassVar[str] = ""

    @property
    def message(self) -> str:
        """One sentence for whoever asked, without a traceback; the code where there is none."""
        return str(self.args[0]) if self.args else self.code

    def for_strangers(self) -> "CommonplaceError":
        """The same error without the places it may name."""
        return type(self)(self.outside) if self.outside else self


class InvalidInput(CommonplaceError):
    """An argument cannot be used."""

    code = "invalid_input"

    def __init__(self, message: str, argument: str | None = None) -> None:
        super().__init__(message)
        self.argument = argument


class TooMany(InvalidInput):
    """More at once than one call may carry."""

    code = "too_many"


class SecretRefused(InvalidInput):
    """The text holds a secret and was not stored."""

    code = "secret_refused"

    def __init__(self, kinds: tuple[str, ...], argument: str = "text") -> None:
        named = ", ".join(kind.replace("_", " ") for kind in kinds)
        super().__init__(
            f"The {argument} looks like it holds a secret ({named}) and was not stored: "
            "leave the value out and say where it is kept instead.",
            argument,
        )
        self.kinds = kinds


class Denied(CommonplaceError):
    """The caller lacks the right to do it."""

    code = "denied"


class NotFound(CommonplaceError):
    """No such memory for this caller."""

    code = "not_found"


class BookMissing(NotFound):
    """There is no book at the place, and whoever opened it did not want one made."""

    code = "book_missing"

    def __init__(self, place: str) -> None:
        super().__init__(
            f"There is no book at {place} yet: make one with 'commonplace remember', or name another with --store."
        )


class Conflict(CommonplaceError):
    """The book is not in the state the caller assumed."""

    code = "conflict"


class RevisionConflict(Conflict):
    """The memory was changed by somebody else first."""

    code = "revision_conflict"


class KeyReused(Conflict):
    """An idempotency key came back with a different request."""

    code = "key_reused"


class QuotaExceeded(CommonplaceError):
    """A budget is full."""

    code = "quota_exceeded"


class TookTooLong(CommonplaceError):
    """The call had its time, or nobody waits for it any more; nothing of it is half done."""

    code = "took_too_long"


class StoreError(CommonplaceError):
    """The file or the server failed."""

    code = "store_error"
    outside = "The server's store failed: tell whoever runs the server, whose log says why."


class LockTimeout(StoreError):
    """Another writer held the book for too long."""

    code = "lock_timeout"
    retryable = True
    outside = "Another writer held the book for too long: try again."


class StoreUnavailable(StoreError):
    """The server cannot be reached, or went away before it could say whether it was done."""

    code = "store_unavailable"
    retryable = True
    outside = "The server's database went away, and whether it was done is not known: try again with the same key."


class StoreFull(StoreError):
    """No space left for the book."""

    code = "store_full"


class StoreUnwritable(StoreError):
    """The place cannot be written, or not be opened at all."""

    code = "store_unwritable"


class BookClosed(StoreError):
    """The book was closed by whoever opened it."""

    code = "book_closed"

    def __init__(self, message: str = "The book was closed: open it again to use it.") -> None:
        super().__init__(message)


class NotABook(StoreError):
    """The file is not a Commonplace book."""

    code = "not_a_book"


class SchemaOutdated(StoreError):
    """The book was written by an older version."""

    code = "schema_outdated"
    outside = "The server's book is of an older version: whoever runs it runs 'commonplace upgrade'."


class SchemaTooNew(StoreError):
    """The book was written by a newer version."""

    code = "schema_too_new"
    outside = "The server's book is of a newer version: whoever runs it upgrades the package and restarts the server."


class BookDamaged(StoreError):
    """Rows of the book cannot be read."""

    code = "book_damaged"


class IndexCorrupted(StoreError):
    """An index of the book is damaged; the rows are not."""

    code = "index_corrupted"


class ModelError(CommonplaceError):
    """A model could not be had or used."""

    code = "model_error"
    outside = "The server's model could not be used: tell whoever runs the server, whose log says why."


class ModelMissing(ModelError):
    """The model pack is not installed."""

    code = "model_missing"


class PackDamaged(ModelError):
    """A file of a pack does not have the hash its manifest names."""

    code = "pack_damaged"


class Unexpected(CommonplaceError):
    """A bug of ours: the log says where."""

    code = "internal"
