"""Which model packs are installed.

Apart from pull.py, whose imports every start of the command line would otherwise pay for.
"""

from pathlib import Path

from commonplace.errors import InvalidInput
from commonplace.models.packs import DEFAULT_PACK, PACKS, Pack

MANIFEST = "manifest.json"
AUTO = "auto"
JOINED_BY = "+"


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


def chosen(setting: str, folder: Path) -> tuple[Pack, ...]:
    """The packs that a setting names, in its order, whether they are installed or not.

    `auto` is the default pack and, beside it, whichever of those that read many languages are installed; where only
    one of these is, that one.
    """
    if setting == AUTO:
        many = [pack for pack in PACKS.values() if pack.reads_many and (folder / pack.name).exists()]
        default = PACKS[DEFAULT_PACK]
        return (default, *many) if not many or (folder / default.name).exists() else tuple(many)
    names = [name.strip() for name in setting.split(JOINED_BY)]
    for name in names:
        if name not in PACKS:
            raise InvalidInput(f"There is no model pack '{name}': choose one of {', '.join(PACKS)} or none.", "model")
    if len({*names}) != len(names) or sum(not PACKS[name].reads_many for name in names) > 1:
        raise InvalidInput(
            f"'{setting}' cannot be used together: name one pack, and one of many languages after it.", "model"
        )
    return tuple(sorted((PACKS[name] for name in names), key=lambda pack: pack.reads_many))
