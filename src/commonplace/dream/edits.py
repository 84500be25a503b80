"""What a dream would change, as data: each edit can be read by a person, and kept without what a memory says."""

from collections.abc import Mapping

from commonplace.domain.memory import Kind, Origin, RelationKind
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope


class Supersede(Record):
    """A memory gives way to another that says the same. It was at `revision` when this was planned."""

    id: str
    revision: int
    successor: str
    successor_revision: int
    reason: str


class Archive(Record):
    """A memory goes out of sight, as it stood at `revision`."""

    id: str
    revision: int
    reason: str


class AddMemory(Record):
    """A rule is written down, in the words of the correction it comes from."""

    id: str
    text: str
    scope: Scope
    kind: Kind
    importance: float
    origin: Origin
    correction: str


class AddRelation(Record):
    """An edge between two memories."""

    id: str
    source: str
    target: str
    kind: RelationKind
    reason: str


class InsightSentence(Record):
    """One sentence of an insight, with the memories it rests on."""

    text: str
    sources: tuple[str, ...]


class AddInsight(Record):
    """Something worth a person's look. Changes no memory."""

    id: str
    kind: str
    scope: Scope
    date: str
    sentences: tuple[InsightSentence, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The ids its sentences rest on, each once, in the order they are named."""
        return tuple(dict.fromkeys(id for sentence in self.sentences for id in sentence.sources))


class MarkDistilled(Record):
    """A correction has led to something."""

    correction: str
    results: tuple[str, ...]


Edit = Supersede | Archive | AddMemory | AddRelation | AddInsight | MarkDistilled

Plain = dict[str, object]


def key_of(edit: Edit) -> str:
    """What identifies an edit: one that somebody undid is not made again in another form."""
    match edit:
        case Supersede() | Archive():
            return f"change {edit.id}"
        case AddMemory():
            return f"distil {edit.correction}"
        case AddRelation():
            return f"relate {edit.kind.value} {edit.source} {edit.target}"
        case AddInsight():
            return f"insight {edit.id}"
        case MarkDistilled():
            return f"mark {edit.correction}"


def text_bytes(edit: Edit) -> int:
    """How much an edit says, in bytes."""
    said: tuple[str, ...] = ()
    match edit:
        case Supersede() | Archive() | AddRelation():
            said = (edit.reason,)
        case AddMemory():
            said = (edit.text,)
        case AddInsight():
            said = tuple(sentence.text for sentence in edit.sentences)
    return sum(len(text.encode()) for text in said)


def describe(edit: Edit) -> str:
    """An edit as a line for a person."""
    match edit:
        case Supersede():
            return f"supersede {edit.id} by {edit.successor}: {edit.reason}"
        case Archive():
            return f"archive {edit.id}: {edit.reason}"
        case AddMemory():
            return f"remember as {edit.kind.value} ({edit.id}, from {edit.correction}): {edit.text}"
        case AddRelation():
            return f"relate {edit.source} {edit.kind.value} {edit.target}: {edit.reason}"
        case AddInsight():
            said = " ".join(sentence.text for sentence in edit.sentences)
            return f"note ({edit.kind}, {edit.scope}): {said}"
        case MarkDistilled():
            return f"mark {edit.correction} as distilled into {', '.join(edit.results)}"


def edit_json(edit: Edit, texts: bool = True) -> Plain:
    """An edit as plain JSON. Without texts there is nothing in it that a purge would have to take out."""
    match edit:
        case Supersede():
            return {
                "edit": "supersede",
                "id": edit.id,
                "revision": edit.revision,
                "successor": edit.successor,
                "successor_revision": edit.successor_revision,
                "reason": edit.reason,
            }
        case Archive():
            return {"edit": "archive", "id": edit.id, "revision": edit.revision, "reason": edit.reason}
        case AddMemory():
            said: Plain = {"text": edit.text} if texts else {}
            return {
                "edit": "add_memory",
                "id": edit.id,
                "scope": str(edit.scope),
                "kind": edit.kind.value,
                "importance": edit.importance,
                "origin": edit.origin.value,
                "correction": edit.correction,
                **said,
            }
        case AddRelation():
            return {
                "edit": "add_relation",
                "id": edit.id,
                "source": edit.source,
                "target": edit.target,
                "kind": edit.kind.value,
                "reason": edit.reason,
            }
        case AddInsight():
            sentences = [{"text": each.text, "sources": list(each.sources)} for each in edit.sentences]
            return {
                "edit": "add_insight",
                "id": edit.id,
                "kind": edit.kind,
                "scope": str(edit.scope),
                "date": edit.date,
                "sources": list(edit.sources),
                **({"sentences": sentences} if texts else {}),
            }
        case MarkDistilled():
            return {"edit": "mark_distilled", "correction": edit.correction, "results": list(edit.results)}


def edit_of(data: Mapping[str, object]) -> Edit:
    """The inverse of `edit_json`, as far as it goes without texts."""
    word = {name: str(value) for name, value in data.items() if isinstance(value, str)}
    match word["edit"]:
        case "supersede":
            return Supersede(
                word["id"],
                _whole(data["revision"]),
                word["successor"],
                _whole(data["successor_revision"]),
                word["reason"],
            )
        case "archive":
            return Archive(word["id"], _whole(data["revision"]), word["reason"])
        case "add_memory":
            return AddMemory(
                word["id"],
                word.get("text", ""),
                Scope.parse(word["scope"]),
                Kind(word["kind"]),
                float(str(data["importance"])),
                Origin(word["origin"]),
                word["correction"],
            )
        case "add_relation":
            return AddRelation(word["id"], word["source"], word["target"], RelationKind(word["kind"]), word["reason"])
        case "add_insight":
            return AddInsight(word["id"], word["kind"], Scope.parse(word["scope"]), word["date"], _kept_sentences(data))
        case _:
            return MarkDistilled(word["correction"], _strings(data["results"]))


def sentences_of(value: object) -> tuple[InsightSentence, ...]:
    """The sentences that were stored, in their order; of anything but a list, none."""
    found = value if isinstance(value, list) else []
    return tuple(InsightSentence(str(each["text"]), _strings(each["sources"])) for each in found)


def _kept_sentences(data: Mapping[str, object]) -> tuple[InsightSentence, ...]:
    """What an insight said, or if that was not kept, a blank with all its sources."""
    return sentences_of(data.get("sentences")) or (InsightSentence("", _strings(data["sources"])),)


def _strings(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, list) else ()


def _whole(value: object) -> int:
    return int(str(value))
