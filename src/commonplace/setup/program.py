"""Which words start this very program from anywhere, and whether they will still do so tomorrow."""

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path, PurePath

from commonplace.setup.launch import WINDOWS

NAMES = ("commonplace", "commonplace-memory")
_FLEETING = ("uv", "archive-v0"), ("uv", "cache"), (".cache", "uv"), ("uv", "builds-v0")


def own_words(first_word: str, executable: str, system: str, is_file: Callable[[Path], bool]) -> tuple[str, ...]:
    """The program that was called, by its whole path; else the one beside Python; else Python with our module.

    A link is not followed: whoever upgrades the program changes where it leads.
    """
    suffix = ".exe" if system == WINDOWS else ""
    called = Path(os.path.abspath(first_word))
    if called.name.removesuffix(".exe") in NAMES:
        whole = called if called.suffix == suffix else called.with_name(called.name + suffix)
        if is_file(whole):
            return (str(whole),)
    beside = Path(executable).parent / f"{NAMES[0]}{suffix}"
    # Without -P, a folder called like our module in the one a host works in would be run in its place.
    return (str(beside),) if is_file(beside) else (executable, "-P", "-m", NAMES[0])


def is_fleeting(program: PurePath) -> bool:
    """Whether a program lies in a cache that is emptied now and then, as what `uvx` runs does."""
    parts = [part.lower() for part in program.parts]
    return any(pair in _FLEETING for pair in pairwise(parts))
