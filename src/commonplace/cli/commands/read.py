"""list, show and history: looking at memories without ranking them."""

from argparse import ArgumentParser
from collections.abc import Mapping

from commonplace.book.reader import BookReader
from commonplace.cli.commands import Action
from commonplace.cli.output import Output
from commonplace.cli.parser import add_filters
from commonplace.cli.render import ROW_SHOWN, age, count, labels, one_line
from commonplace.cli.session import CommandSession
from commonplace.cli.short import numbered
from commonplace.cli.tables import print_table
from commonplace.domain.events import Event, Revision
from commonplace.domain.memory import Memory, Relation, Status
from commonplace.domain.query import Order, Page
from commonplace.domain.scope import Principal
from commonplace.engine.caller import system_clock
from commonplace.text import flags, show_time, visible

PAGE_SIZE = 50


def _add_list(parser: ArgumentParser) -> None:
    orders = [order.value for order in Order]
    parser.add_argument("--order", metavar="ORDER", choices=orders, default="newest", help=", ".join(orders))
    parser.add_argument(
        "--limit", metavar="N", dest="page_size", type=int, default=PAGE_SIZE, help=f"how many, {PAGE_SIZE} by default"
    )
    parser.add_argument("--cursor", metavar="N", type=int, help="where the page before ended")
    parser.add_argument("--full", action="store_true", help="show long texts whole, on a terminal too")
    add_filters(parser)


def _list(session: CommandSession) -> int:
    given, output = session.arguments, session.output
    with session.reading() as book:
        filter = session.filter(book, session.recall_scopes(book))
        page = book.list(filter, order=Order(given.order), limit=given.page_size, cursor=given.cursor)
        output.log(f"list: {len(page.memories)} of {page.total}")
        if output.json:
            from commonplace.book.display_json import about_json, memory_json

            named = book.names_of(page.memories)
            memories = [
                {**memory_json(memory, book.principal), **about_json(memory.about, named)} for memory in page.memories
            ]
            output.listing("memories", memories, page.total, page.next_cursor)
        else:
            _print_page(page, book.names_of(page.memories), output, given.full or not output.terminal)
    return 0


def _print_page(page: Page, projects: Mapping[str, str], output: Output, full: bool) -> None:
    now = system_clock()
    if page.memories:
        rows = [_list_row(memory, now, projects, full) for memory in page.memories]
        print_table(("id", "kind", "age", "text"), rows, output)
    else:
        output.note("No memory matches: try --status any, another --scope, or fewer filters.")
    if page.next_cursor is not None:
        output.note(f"{len(page.memories):,} of {page.total:,} shown: --cursor {page.next_cursor} shows more.")


def _list_row(memory: Memory, now: int, projects: Mapping[str, str], full: bool) -> tuple[str, ...]:
    beside = " · ".join(labels(memory, now, projects)[3:])
    text = one_line(memory.text, None if full else ROW_SHOWN)
    return f"{memory.number}", memory.kind.value, age(memory.created_at, now), f"{text}  ({beside})" if beside else text


def add_reference(parser: ArgumentParser) -> None:
    """The one memory a command is about."""
    parser.add_argument("id", metavar="ID", help="its number, its id (mem_…), the beginning of that, or last")


def add_references(parser: ArgumentParser) -> None:
    """The memories a command is about, one or several."""
    parser.add_argument("ids", metavar="ID", nargs="+", help="numbers, ids (mem_…), the beginning of an id, or last")


def _add_show(parser: ArgumentParser) -> None:
    add_references(parser)
    parser.add_argument("--history", action="store_true", help="also every state it has had")


def _show(session: CommandSession) -> int:
    given, output = session.arguments, session.output
    with session.reading() as book:
        memories = [book.get(id) for id in given.ids]
        if output.json:
            shown = [_show_document(memory, book, given.history) for memory in memories]
            output.document(shown[0]) if len(shown) == 1 else output.listing("memories", shown)
            return 0
        for place, memory in enumerate(memories):
            if place:
                output.line()
            _print_memory(memory, book, output)
            _print_relations(book.relations(memory), book, output)
            _print_revisions(book.revisions(memory) if given.history else (), output)
    return 0


def _show_document(memory: Memory, book: BookReader, history: bool) -> dict[str, object]:
    from commonplace.book.display_json import memory_json, relation_json, revision_json

    document = memory_json(memory, book.principal)
    document["relations"] = [relation_json(relation) for relation in book.relations(memory)]
    if history:
        document["revisions"] = [revision_json(revision, book.principal) for revision in book.revisions(memory)]
    return document


def _print_memory(memory: Memory, book: BookReader, output: Output) -> None:
    first, *others = visible(memory.text).split("\n")
    for line in (first, *(f"  {line}" for line in others)):  # indented: no line of it can pass for one of ours below
        output.line(output.style(line, "bold"))
    output.line()
    for name, value in _fields(memory, book.principal, book.project_name(memory.about)):
        output.line(f"{output.style(f'{name:<12}', 'dim')}{visible(value if name == 'id' else numbered(value, book))}")


def _fields(memory: Memory, principal: Principal, project: str) -> list[tuple[str, str]]:
    """A name and a value for each line that has something to say, what people look for first on top."""
    provenance, usage = memory.provenance, memory.usage
    status = memory.status.value + (f": {memory.status_reason}" if memory.status_reason else "")
    fields = [
        ("id", f"{memory.id} (number {memory.number}, revision {memory.revision})"),
        ("kind", _kind(memory)),
        ("scope", principal.show(memory.scope)),
        ("project", project),
        ("status", status if memory.status_at is None else f"{status} (since {show_time(memory.status_at)})"),
        ("successor", memory.successor or ""),
        ("topic", memory.topic or ""),
        ("category", memory.category or ""),
        ("tags", ", ".join(memory.tags)),
        (
            "weight",
            f"importance {memory.importance:g}, confidence {memory.confidence:g}, priority {memory.priority}"
            + (", pinned" if memory.pinned else ""),
        ),
        ("written by", f"{provenance.actor} through {provenance.surface}, owner {memory.owner}"),
        ("origin", f"{memory.origin.value}, {memory.standing.value}" + (", unconfirmed" if memory.waits else "")),
        ("hidden", ", ".join(name.replace("_", " ") for name in flags(memory.text))),
        ("source", provenance.source or ""),
        ("session", provenance.session or ""),
        ("captured", provenance.capture_mode.value if provenance.capture_mode else ""),
        ("used", count(usage.count, "time", "times") + (f", last {show_time(usage.used_at)}" if usage.used_at else "")),
    ]
    times = ("created_at", "updated_at", "confirmed_at", "expires_at", "valid_from", "valid_to")
    moments = [(name.removesuffix("_at").replace("_", " "), getattr(memory, name)) for name in times]
    fields += [(name, show_time(value)) for name, value in moments if value is not None]
    return [(name, value) for name, value in fields if value]


def _kind(memory: Memory) -> str:
    """Its kind, and the type it was given where that says something else."""
    type = memory.memory_type
    return (
        memory.kind.value if type is None or type.value == memory.kind.value else f"{memory.kind.value}, {type.value}"
    )


def _print_relations(relations: tuple[Relation, ...], book: BookReader, output: Output) -> None:
    for relation in relations:
        because = f" ({one_line(relation.reason)})" if relation.reason else ""
        sentence = f"{relation.source} {relation.kind.value} {relation.target}{because}"
        output.line(f"{output.style('relation    ', 'dim')}{numbered(sentence, book)}")


def _print_revisions(revisions: tuple[Revision, ...], output: Output) -> None:
    if revisions:
        output.line()
        rows = [_revision_row(revision.memory, revision.recorded_at) for revision in revisions]
        print_table(("revision", "recorded", "status", "text"), rows, output)


def _revision_row(memory: Memory, recorded_at: int) -> tuple[str, ...]:
    return f"{memory.revision}", show_time(recorded_at), memory.status.value, one_line(memory.text)


def _history(session: CommandSession) -> int:
    output = session.output
    with session.reading() as book:
        events = book.history(session.arguments.id)
        if not events:
            book.get(session.arguments.id)  # says that there is no such memory
        if output.json:
            from commonplace.book.display_json import event_json

            output.listing("events", [event_json(event, book.principal) for event in events])
        else:
            rows = [tuple(numbered(cell, book) for cell in _event_row(event, book.principal)) for event in events]
            print_table(("when", "what", "who", "details"), rows, output)
        output.log(f"history: {count(len(events), 'event', 'events')}")
    return 0


def _event_row(event: Event, principal: Principal) -> tuple[str, ...]:
    from commonplace.book.display_json import payload_json

    told = {name: value for name, value in payload_json(event, principal).items() if value not in (None, (), [])}
    details = ", ".join(f"{name} {_plain(value)}" for name, value in told.items())
    return show_time(event.at), event.type.value.removeprefix("memory."), event.actor, visible(details)


def _plain(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple | list | dict) else str(value)


ACTIONS = {
    "list": Action(
        description="Page through memories, newest first.",
        examples=("list --limit 20", "list --tag imported --order oldest", f"list --status {Status.FORGOTTEN.value}"),
        add_arguments=_add_list,
        run=_list,
    ),
    "show": Action(
        description="Everything about a memory: its text, where it came from, and what it is related to.",
        examples=("show 12", "show last --history", "show 12 13"),
        add_arguments=_add_show,
        run=_show,
    ),
    "history": Action(
        description="What happened to a memory, oldest first. The history of a purged memory stays, without content.",
        examples=("history 12",),
        add_arguments=add_reference,
        run=_history,
    ),
}
