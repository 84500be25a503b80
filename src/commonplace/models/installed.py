"""Which model packs are installed.

Apart from pull.py, whose imports every start of the command line would otherwise pay for.
"""

from pathlib import Path

from commonplace.models.packs import PACKS, Pack

MANIFEST = "manifest.json"


def installed(folder: Path) -> tuple[Pack, ...]:
    """The packs that can be used from this folder."""
    return tuple(pack for pack in PACKS.values() if is_installed(pack, folder))


def is_installed(pack: Pack, folder: Path) -> bool:
    """Whether the pack's files are there, by their sizes and the manifest; `verify` reads them whole."""
    place = folder / pack.name
    return manifest_agrees(pack, place) and all(size(place / file.name) == file.size for file in pack.files)


def manifest_agrees(pack: Pack, place: Path) -> bool:
    """Whether the installed pack is of the revision we know, and not of an earlier or later one."""
    try:
        manifest = (place / MANIFEST).read_bytes()
    except OSError:
        return False
    # Looked for, not parsed: a hash is not found by chance, and importing json takes longer than this.
    return all(file.sha256.encode() in manifest for file in pack.files)


def size(path: Path) -> int | None:
    """In bytes; None if it is not there or cannot be looked at."""
    try:
        return path.stat().st_size
    except OSError:
        return None
