"""The contracts Commonplace speaks: a module each, and whatever module is here is one."""

from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules

from commonplace.dialect import Dialect
from commonplace.errors import InvalidInput

NATIVE = "native"


def dialect_names() -> tuple[str, ...]:
    """Every dialect there is; our own leads."""
    return tuple(sorted((module.name for module in iter_modules(__path__)), key=lambda name: (name != NATIVE, name)))


def load_dialect(name: str) -> Dialect:
    """A dialect by its name. Only its own module is imported."""
    if name not in dialect_names():
        raise InvalidInput(_unknown(name), "dialect")
    found: Dialect = import_module(f"{__name__}.{name}").DIALECT
    return found


def dialects_in(setting: str) -> tuple[str, ...]:
    """The dialects of a list separated by commas, each once and in our own order; every one where nothing is set."""
    if not setting:
        return dialect_names()
    named = [word.strip() for word in setting.split(",") if word.strip()]
    if not named:
        raise InvalidInput(f"dialects names none: choose from {', '.join(dialect_names())}.", "dialects")
    for name in named:
        if name not in dialect_names():
            raise InvalidInput(_unknown(name), "dialects")
    return tuple(name for name in dialect_names() if name in named)


def _unknown(name: str) -> str:
    close = get_close_matches(name.lower(), dialect_names(), 1)
    hint = f"did you mean '{close[0]}'? There are" if close else "there are"
    return f"There is no dialect '{name[:40]}': {hint} {', '.join(dialect_names())}."
