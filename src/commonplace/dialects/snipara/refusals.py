"""Errors as the contract shows them: one sentence under `error`, with what belongs to it beside it."""

from collections.abc import Iterable

from commonplace.errors import CommonplaceError, InvalidInput, SecretRefused


class Refusal(InvalidInput):
    """A refusal in the contract's own words; `details` stand beside the sentence."""

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.details = details


def unsupported(argument: str, what: str, value: str, expected: Iterable[str]) -> Refusal:
    """The refusal of a word the contract does not know, with those it does. It is returned, not raised."""
    return Refusal(
        f"Invalid parameter '{argument}': unsupported {what} '{value[:40]}'. Expected one of: {', '.join(expected)}."
    )


def unknown_memory(id: str) -> Refusal:
    """The one answer for unknown ids and for foreign ones."""
    return Refusal(f"Memory '{id[:60]}' not found in Memory V2", memory_id=id[:60])


def error_shape(error: CommonplaceError) -> dict[str, object]:
    """The contract's envelope: one sentence, and the details of a refusal of its own."""
    return {"error": sentence(error), **(error.details if isinstance(error, Refusal) else {})}


def sentence(error: CommonplaceError) -> str:
    """Our message, or of a secret the contract's own words for it; the secret is never repeated."""
    if not isinstance(error, SecretRefused):
        return error.message
    kinds = ", ".join(kind.replace("_", " ") for kind in error.kinds)
    return (
        f"The {error.argument} appears to contain sensitive material and was not stored ({kinds}): "
        "leave the value out and say where it is kept instead."
    )
