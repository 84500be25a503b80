"""The knowledge graph of MCP's reference memory server: entities with observations, and relations between them."""

from collections.abc import Iterable, Iterator

from commonplace import deadline
from commonplace.imports.items import Found, Item, LeftOut
from commonplace.imports.json_text import Json, document, lines, objects_of, text_of, texts_of

TYPES = ("entity", "relation")
TAG_LENGTH = 64


def read(text: str) -> Found:
    """An item for each observation, under the name of what it is about, and one for each relation."""
    items: list[Item] = []
    left_out: list[LeftOut] = []
    for line, record in deadline.each(_records(text)):
        if record.get("type") == "entity":
            observed = tuple(_observations(record, line))
            items.extend(observed)
            if not observed:
                left_out.append(LeftOut("it is an entity without a name or without observations", line))
        elif record.get("type") == "relation" and (item := _relation(record, line)) is not None:
            items.append(item)
        else:
            left_out.append(LeftOut("it is neither an entity nor a relation that has both ends", line))
    return Found(tuple(items), left_out=tuple(left_out))


def _records(text: str) -> Iterable[tuple[int | None, Json]]:
    """One on each line as the server keeps them, or all in one document as its tools answer."""
    begun = text.lstrip()[:200]
    if '"entities"' not in begun and '"relations"' not in begun:
        return lines(text)
    graph = document(text)
    found = graph if isinstance(graph, dict) else {}
    entities = [{**each, "type": "entity"} for each in objects_of(found.get("entities"))]
    relations = [{**each, "type": "relation"} for each in objects_of(found.get("relations"))]
    return [(None, each) for each in (*entities, *relations)]


def _observations(entity: Json, line: int | None) -> Iterator[Item]:
    name, sort = text_of(entity, "name"), text_of(entity, "entityType")
    tags = (sort,) if sort is not None and len(sort) <= TAG_LENGTH and sort.isprintable() else ()
    for observed in texts_of(entity.get("observations")):
        if name is not None and observed.strip():
            yield Item(f"{name}: {observed}", line, tags=tags)


def _relation(relation: Json, line: int | None) -> Item | None:
    source, how, target = (text_of(relation, name) for name in ("from", "relationType", "to"))
    if source is None or how is None or target is None:
        return None
    return Item(f"{source} {how.replace('_', ' ')} {target}", line)
