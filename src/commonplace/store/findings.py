"""What doctor says about a book, the same on every engine; how it looks is the engine's."""

from collections.abc import Sequence

from commonplace.domain.canonical_json import encode, row_hash
from commonplace.errors import BookDamaged
from commonplace.ports import Finding
from commonplace.store.rows import Row, memory_of

NAMED = 5  # how many of what is wrong a finding names


def of_words(count: int, wrong: int) -> Finding:
    """How many entries of the word index are wrong, of how many memories."""
    if wrong:
        return Finding("words", False, f"{wrong:,} of {count:,} entries are wrong: run doctor --repair")
    return Finding(
        "words", True, "1 memory, with its words" if count == 1 else f"{count:,} memories, each with its words"
    )


def of_hashes(wrong: Sequence[str]) -> Finding:
    """Which memories are not what their hash was made of; the first few are named."""
    if wrong:
        return Finding("hashes", False, f"changed behind our back: {', '.join(wrong[:NAMED])}")
    return Finding("hashes", True, "every row is as it was written")


def of_orphans(count: int) -> Finding:
    """How many entries of an index stand for a memory that is not there."""
    if count:
        return Finding("orphans", False, f"{count:,} index entries have no memory: run doctor --repair")
    return Finding("orphans", True, "every index entry has its memory")


def of_entries(count: int, changed: Sequence[str], unfound: int) -> Finding:
    """What was changed among the entries comes first, then what is not found by its words."""
    if changed:
        return Finding("shelves", False, f"changed behind our back: {', '.join(changed[:NAMED])}")
    if unfound:
        return Finding("shelves", False, f"{unfound:,} of {count:,} entries have the wrong words: run doctor --repair")
    return Finding("shelves", True, f"{count:,} entries beside the memories are as they were written")


def of_entry_vectors(count: int, orphans: int, wrong: int) -> Finding:
    """How many vectors have no entry, and how many counts are wrong."""
    if orphans or wrong:
        detail = f"{orphans:,} vectors have no entry and {wrong:,} counts of entries are wrong: run doctor --repair"
        return Finding("entry vectors", False, detail)
    return Finding("entry vectors", True, f"{count:,} vectors of entries, each with its entry")


def is_as_written(row: Row) -> bool:
    """Whether a memory in a row of `MEMORY_COLUMNS` is what the hash at the row's end was made of."""
    try:
        memory = memory_of(row[:-1])
    except BookDamaged:
        return False
    return bool(row_hash(encode(memory)) == row[-1])
