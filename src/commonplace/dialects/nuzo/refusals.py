"""Nuzo's error codes: what its contract refuses by a code of its own, and the one table for the engine's errors."""

from collections.abc import Mapping
from types import MappingProxyType

from commonplace.errors import (
    CommonplaceError,
    Conflict,
    Denied,
    InvalidInput,
    NotABook,
    NotFound,
    RevisionConflict,
    SchemaOutdated,
    SchemaTooNew,
    SecretRefused,
    StoreError,
    TookTooLong,
)

INTERNAL = "NUZO_INTERNAL_ERROR"
INPUT_INVALID = "MEMORY_INPUT_INVALID"
NOT_FOUND = "MEMORY_NOT_FOUND"

# The first row that fits an error names it.
_CODES: tuple[tuple[type[CommonplaceError], str], ...] = (
    (SecretRefused, "MEMORY_SECRET_DETECTED"),
    (NotFound, NOT_FOUND),
    (RevisionConflict, "MEMORY_REVISION_CONFLICT"),
    (Conflict, "MEMORY_STATE_CONFLICT"),
    (Denied, "MEMORY_SCOPE_FORBIDDEN"),
    (SchemaTooNew, "MEMORY_SCHEMA_UNSUPPORTED"),
    (SchemaOutdated, "MEMORY_SCHEMA_UNSUPPORTED"),
    (NotABook, "MEMORY_SCHEMA_UNSUPPORTED"),
    (StoreError, "MEMORY_STORE_UNAVAILABLE"),
    (TookTooLong, INPUT_INVALID),
)
_CODES_BY_ARGUMENT = {
    "content": "MEMORY_CONTENT_EMPTY",
    "text": "MEMORY_CONTENT_EMPTY",
    "kind": "MEMORY_KIND_UNSUPPORTED",
    "scope": "MEMORY_SCOPE_INVALID",
    "project_scope": "MEMORY_SCOPE_INVALID",
    "tags": "MEMORY_TAG_INVALID",
    "source": "MEMORY_SOURCE_EMPTY",
    "confidence": "MEMORY_CONFIDENCE_INVALID",
    "id": "MEMORY_ID_EMPTY",
    "query": "RECALL_QUERY_EMPTY",
    "task_context": "RECALL_QUERY_EMPTY",
    "limit": "RECALL_LIMIT_INVALID",
    "document": "MEMORY_EXPORT_INVALID",
    "format": "MEMORY_EXPORT_UNSUPPORTED",
}

_SECRET_KINDS = {"password": "generic_api_key"}  # the contract has no kind of its own for passwords


class Refusal(InvalidInput):
    """A refusal that the contract has a code for, with what its `details` say."""

    def __init__(
        self, code: str, message: str, argument: str | None = None, details: Mapping[str, object] = MappingProxyType({})
    ) -> None:
        super().__init__(message, argument)
        self.nuzo_code = code
        self.details = details


def code_of(error: CommonplaceError) -> str:
    """The code a client of the contract expects for an error."""
    if isinstance(error, Refusal):
        return error.nuzo_code
    for kind, code in _CODES:
        if isinstance(error, kind):
            return code
    if isinstance(error, InvalidInput):
        head = (error.argument or "").partition(".")[0].partition("[")[0]
        return _CODES_BY_ARGUMENT.get(head, INPUT_INVALID)
    return INTERNAL


def details_of(error: CommonplaceError) -> dict[str, object]:
    """What `details` hold; of a secret its kind, never its value."""
    if isinstance(error, Refusal):
        return dict(error.details)
    if isinstance(error, SecretRefused):
        kinds = [_SECRET_KINDS.get(kind, kind) for kind in error.kinds]
        return {"findings": [{"kind": kind, "message": _looks_like(kind)} for kind in kinds]}
    return {}


def error_shape(error: CommonplaceError) -> dict[str, object]:
    """The contract's code and sentence; `details` only where there are any."""
    body: dict[str, object] = {"code": code_of(error), "message": error.message}
    details = details_of(error)
    return {**body, "details": details} if details else body


def _looks_like(kind: str) -> str:
    return f"This looks like a secret of the kind {kind.replace('_', ' ')}: leave its value out."
