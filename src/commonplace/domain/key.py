"""A secret of the operator in memory, which shows itself nowhere."""


class Key:
    """A key or a password: never printed, never written; `reveal` is for the one request it belongs to."""

    __slots__ = ("_value",)

    def __init__(self, value: str = "") -> None:
        self._value = value

    def reveal(self) -> str:
        """The secret itself, for the one call that needs it."""
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return "Key(…)" if self._value else "Key()"


NO_KEY = Key()
