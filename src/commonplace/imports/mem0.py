"""What mem0 gives who asks for all memories: a list of them, or a document with the list in it."""

from commonplace import deadline
from commonplace.imports.items import Found, Item, LeftOut
from commonplace.imports.json_text import Json, document, objects_of, text_of, texts_of
from commonplace.imports.times import time_of

LISTS = ("results", "memories")
TAG_LENGTH = 64
TAGS_LIMIT = 16


def is_one(found: object) -> bool:
    """Whether a document holds memories as mem0 gives them."""
    listed = _listed(found)
    return bool(listed) and "memory" in listed[0] and "id" in listed[0]


def read(text: str) -> Found:
    """An item for each memory, with its categories as tags and its day, and one for each relation."""
    found = document(text)
    items: list[Item] = []
    left_out: list[LeftOut] = []
    for number, memory in enumerate(deadline.each(_listed(found)), 1):
        words = text_of(memory, "memory")
        if words is None:
            left_out.append(LeftOut(f"memory {number:,} of the list has no text"))
            continue
        items.append(_item(memory, words))
    if isinstance(found, dict):
        items += [item for edge in objects_of(found.get("relations")) if (item := _relation(edge)) is not None]
    return Found(tuple(items), left_out=tuple(left_out))


def _listed(found: object) -> tuple[Json, ...]:
    if isinstance(found, dict):
        return next((listed for name in LISTS if (listed := objects_of(found.get(name)))), ())
    return objects_of(found)


def _item(memory: Json, words: str) -> Item:
    usable = (each for each in texts_of(memory.get("categories")) if 0 < len(each) <= TAG_LENGTH and each.isprintable())
    return Item(
        words,
        tags=tuple(usable)[:TAGS_LIMIT],
        at=time_of(memory.get("created_at")),
        expires_at=time_of(memory.get("expiration_date")),
        key=text_of(memory, "id"),
    )


def _relation(edge: Json) -> Item | None:
    source, how, target = text_of(edge, "source"), text_of(edge, "relationship"), text_of(edge, "target", "destination")
    if source is None or how is None or target is None:
        return None
    return Item(f"{source} {how.replace('_', ' ')} {target}")
