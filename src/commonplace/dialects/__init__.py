"""The contracts Commonplace speaks: a module each, and whatever module is here is one."""

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
        raise InvalidInput(f"There is no dialect '{name[:40]}': choose one of {', '.join(dialect_names())}.", "dialect")
    found: Dialect = import_module(f"{__name__}.{name}").DIALECT
    return found
