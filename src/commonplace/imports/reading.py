"""From paths to a plan: each file is told, read by the module of its format, and what it says is gathered."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from commonplace.decisions.decision import Recorded
from commonplace.domain.record import Record, replace
from commonplace.errors import InvalidInput
from commonplace.imports import (
    chat_memory,
    conversations,
    decision_records,
    files,
    host_memory,
    instructions,
    mem0,
    notes,
    server_memory,
)
from commonplace.imports.conversations import Talks
from commonplace.imports.files import Listed
from commonplace.imports.items import Found, Item, LeftOut
from commonplace.imports.telling import OWN_MARK, Format, tell

ITEMS_LIMIT = 100_000
_BINARY = (b"PK\x03\x04", b"SQLite format 3\x00")
"""How an archive as ChatGPT and Claude.ai give it begins, and a host's database of conversations."""

READERS: Mapping[Format, Callable[[str], Found]] = {
    Format.INSTRUCTIONS: instructions.read,
    Format.HOST_MEMORY: host_memory.read,
    Format.SERVER_MEMORY: server_memory.read,
    Format.MEM0: mem0.read,
    Format.BASIC_MEMORY: notes.read,
    Format.MARKDOWN: notes.read,
}

Progress = Callable[[int], None]


class Source(Record):
    """A file that something comes from, and the format it has."""

    path: Path
    name: str
    format: Format
    talks: Talks = Talks()


class Plan(Record):
    """What is to be taken in, before the book is asked about any of it.

    `sources` are the files. What is in those of conversations and in our own is taken from them when it is taken in.
    """

    sources: tuple[Source, ...] = ()
    items: tuple[Item, ...] = ()
    decisions: tuple[Recorded, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    def paths(self, format: Format) -> tuple[Path, ...]:
        """The files of a format, in their order."""
        return tuple(source.path for source in self.sources if source.format is format)


def look_through(paths: Iterable[Path], format: Format | None = None, progress: Progress = lambda _: None) -> Plan:
    """Everything that the files say. One that was named and cannot be read is refused, and with it all of them.

    Of a folder, what cannot be read or says nothing is left out and told.
    """
    total = looked_at = 0
    gathered: list[Plan] = []
    for path in paths:
        for each in files.listed(path):
            if isinstance(each, LeftOut):
                gathered.append(Plan(left_out=(each,)))
                continue
            total += files.size_of(each)
            looked_at += 1
            gathered.append(_looked_at(each, path, format, total))
            progress(looked_at)
    plan = _joined(gathered)
    if len(plan.items) > ITEMS_LIMIT:
        raise InvalidInput(
            f"There are {len(plan.items):,} things in it and {ITEMS_LIMIT:,} is the limit: import a part of it."
        )
    return plan


def _looked_at(file: Listed, named: Path, format: Format | None, total: int) -> Plan:
    """What one file comes to. What was named itself has to be readable; in a folder it is left out."""
    alone = file.name == named.name
    try:
        told = format or _told(file)
        source = Source(file.path, file.name, told)
        if told is Format.COMMONPLACE:
            return Plan((source,))
        if told is Format.CONVERSATIONS:
            return Plan((replace(source, talks=conversations.look(file.path)),))
        if total > files.TOTAL_BYTES:
            raise InvalidInput(f"the files together have more than {files.TOTAL_BYTES:,} bytes: take a part of them")
        return _placed(found_in(files.read(file), told, file.name), source)
    except InvalidInput as error:
        if alone:
            raise InvalidInput(f"{named}: {error.message.rstrip('.')}; nothing was imported.", "path") from None
        return Plan(left_out=(LeftOut(error.message, file=file.name),))


def _told(file: Listed) -> Format:
    begun = files.beginning(file)
    if OWN_MARK.encode() in begun.partition(b"\n")[0]:
        return Format.COMMONPLACE
    if begun.startswith(_BINARY) or files.size_of(file) > files.FILE_BYTES:
        return Format.CONVERSATIONS
    return tell(file.path.name, files.read(file))


def found_in(text: str, told: Format, name: str) -> Found:
    """What a text of a format says; `name` is the file's, with the folders above it."""
    if told is Format.DECISIONS:
        return decision_records.read(text, name.rpartition("/")[2])
    if told is Format.CHAT_MEMORY:
        return chat_memory.read_document(text) if text.lstrip()[:1] in ("{", "[") else chat_memory.read_list(text)
    if host_memory.SUMMARIES in name.split("/"):
        return Found(left_out=(LeftOut("it sums a session up: 'commonplace session save' reads the session itself"),))
    reader = READERS.get(told)
    if reader is None:
        raise InvalidInput(f"{told.value} is read from a file: name one")
    return reader(text)


def _placed(found: Found, source: Source) -> Plan:
    """What was found, with the name of its file; a file in which nothing was found says so."""
    items = tuple(replace(each, file=source.name) for each in found.items)
    decisions = tuple(replace(each, file=source.name) for each in found.decisions)
    left_out = tuple(replace(each, file=source.name) for each in found.left_out)
    if not items and not decisions and not left_out:
        left_out = (LeftOut("there is nothing to remember in it", file=source.name),)
    return Plan((source,), items, decisions, left_out)


def _joined(plans: list[Plan]) -> Plan:
    return Plan(
        tuple(source for plan in plans for source in plan.sources),
        tuple(item for plan in plans for item in plan.items),
        tuple(each for plan in plans for each in plan.decisions),
        tuple(each for plan in plans for each in plan.left_out),
    )
