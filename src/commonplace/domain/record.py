"""Records: frozen values with named fields, checked when they are made.

What `@dataclass(frozen=True)` gives, without its 20 ms of imports and 1 ms for each class: a
memory is recalled from a cold start in the time that alone would take. Type checkers
treat a record as a dataclass.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar, NoReturn, Self, TypeVar, dataclass_transform


@dataclass_transform(frozen_default=True)
class Record:
    """Base of every noun. Subclasses annotate their fields; defaults must be immutable themselves."""

    fields: ClassVar[tuple[str, ...]] = ()
    _names: ClassVar[frozenset[str]] = frozenset()
    _defaults: ClassVar[Mapping[str, object]] = {}

    def __init_subclass__(cls) -> None:
        own = list(cls.__dict__.get("__annotations__", {}))  # noqa: RUF063, inspect is what we do without
        cls.fields = (*cls.fields, *own)
        cls._names = frozenset(cls.fields)
        cls._defaults = {**cls._defaults, **{name: cls.__dict__[name] for name in own if name in cls.__dict__}}

    def __init__(self, *args: Any, **named: Any) -> None:
        values = {**self._defaults, **named}
        if args:
            values |= zip(self.fields, args, strict=False)
        if values.keys() != self._names or len(args) > len(self.fields):
            self._refuse(values, args)
        if args and named and not named.keys().isdisjoint(self.fields[: len(args)]):
            raise TypeError(f"{type(self).__name__} got a value twice")
        object.__setattr__(self, "__dict__", values)
        self.__post_init__()

    def __post_init__(self) -> None:
        """Raise InvalidInput unless the values can stand together."""

    @classmethod
    def trusted(cls, *values: Any) -> Self:
        """A record of values that were checked before they were stored, one for each field in order."""
        record = object.__new__(cls)
        object.__setattr__(record, "__dict__", dict(zip(cls.fields, values, strict=True)))
        return record

    def _refuse(self, values: Mapping[str, object], args: tuple[object, ...]) -> NoReturn:
        name = type(self).__name__
        if len(args) > len(self.fields):
            raise TypeError(f"{name} takes {len(self.fields)} values, not {len(args)}")
        unknown = values.keys() - set(self.fields)
        if unknown:
            raise TypeError(f"{name} has no field '{sorted(unknown)[0]}'")
        missing = [field for field in self.fields if field not in values]
        raise TypeError(f"{name} lacks '{missing[0]}'")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: use replace() to get a changed one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *(self.__dict__[name] for name in self.fields)))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={self.__dict__[name]!r}" for name in self.fields)
        return f"{type(self).__name__}({shown})"

    def __replace__(self, **changes: Any) -> Self:
        return type(self)(**{**self.__dict__, **changes})


Some = TypeVar("Some", bound=Record)


def replace(record: Some, **changes: Any) -> Some:
    """The same record with some fields changed, checked like a new one."""
    return record.__replace__(**changes)


_WORDLESS = frozenset({type(None), bool, int, float})


def texts_in(value: object, name: str = "") -> list[tuple[str, str]]:
    """Every text in a value, however deep, with the name of the field of the whole that it is in."""
    found: list[tuple[str, str]] = []
    _collect(value, name, found)
    return found


def _collect(value: object, name: str, found: list[tuple[str, str]]) -> None:
    if type(value) in _WORDLESS:  # every row that is written comes through here, and most of it is numbers
        return
    match value:
        case StrEnum():
            return
        case str():
            found.append((name, value))
        case Record():
            for field in value.fields:
                _collect(getattr(value, field), name or field, found)
        case tuple() | list() | set() | frozenset():
            for item in value:
                _collect(item, name, found)
        case Mapping():
            for key, item in value.items():
                found.append((name, str(key)))
                _collect(item, name or str(key), found)
