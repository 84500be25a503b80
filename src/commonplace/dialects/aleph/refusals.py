"""Aleph's error codes: four that its contract names, and names of the same making for the rest."""

from commonplace.errors import (
    CommonplaceError,
    Conflict,
    Denied,
    IndexCorrupted,
    InvalidInput,
    LockTimeout,
    ModelError,
    NotFound,
    QuotaExceeded,
    SecretRefused,
    StoreError,
    StoreUnavailable,
    TookTooLong,
)

INTERNAL = "InternalError"
INVALID = "InvalidParams"

# The first row that fits an error names it.
_CODES: tuple[tuple[type[CommonplaceError], str], ...] = (
    (NotFound, "MemoryNotFound"),
    (IndexCorrupted, "IndexCorrupted"),
    (QuotaExceeded, "QuotaExceeded"),
    (LockTimeout, "LockTimeout"),
    (SecretRefused, "SecretRefused"),
    (InvalidInput, INVALID),
    (Denied, "PermissionDenied"),
    (Conflict, "Conflict"),
    (StoreUnavailable, "StoreUnavailable"),
    (StoreError, "StoreError"),
    (TookTooLong, "TookTooLong"),
    (ModelError, "ModelError"),
)


def code_of(error: CommonplaceError) -> str:
    """The code a client of the contract expects for an error."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), INTERNAL)


def error_shape(error: CommonplaceError) -> dict[str, object]:
    """The contract's envelope: code, sentence, and whether the same call may succeed later."""
    return {"error": {"code": code_of(error), "message": error.message, "retryable": error.retryable}}
