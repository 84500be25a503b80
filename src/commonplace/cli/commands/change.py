"""update and supersede: a memory changes, or gives way to another."""

from argparse import SUPPRESS, ArgumentParser, BooleanOptionalAction, Namespace

from commonplace.book.book import Book
from commonplace.book.edits import Edit
from commonplace.cli.commands import Action
from commonplace.cli.commands.read import add_references
from commonplace.cli.commands.remember import add_labels, print_remembered
from commonplace.cli.commands.standing import tell_each
from commonplace.cli.render import excerpt
from commonplace.cli.session import CommandSession, UsageError
from commonplace.domain.memory import Kind, Memory
from commonplace.domain.record import replace
from commonplace.engine.caller import system_clock
from commonplace.engine.intake import Remembered
from commonplace.engine.lifecycle import PRESENT, Changes
from commonplace.engine.parse import expiry, moment
from commonplace.errors import Conflict

NEVER = "never"


def _add_update(parser: ArgumentParser) -> None:
    add_references(parser)
    parser.add_argument("--text", metavar="TEXT", default=SUPPRESS, help="what it says from now on")
    add_labels(parser, unset=SUPPRESS)
    parser.add_argument("--clear-tags", action="store_true", help="take all tags away; --tag replaces them")
    parser.add_argument("--pin", action=BooleanOptionalAction, default=SUPPRESS, help="keep it near the top, or not")
    parser.add_argument("--move-to", metavar="SELECTOR", default=SUPPRESS, help="the scope it is to live in")
    parser.add_argument("--expect-revision", metavar="N", type=int, help="only if it is still at this revision")


def _update(session: CommandSession) -> int:
    given = session.arguments
    if len(given.ids) > 1 and ("text" in vars(given) or given.expect_revision is not None):
        raise UsageError("--text and --expect-revision are about one memory: update each apart.")
    with session.book() as book:
        named = _changes(given, book)
        if not named:
            raise UsageError("Say what to change: --text 'new words', --kind, --tag, --topic or another option.")
        changes = replace(Changes(), **named)
        answers = book.update_many([Edit(id, changes, given.expect_revision) for id in given.ids])
        return tell_each(session, book, answers, "updated")


def _changes(given: Namespace, book: Book) -> dict[str, object]:
    """The fields named on the command line. An empty value clears a label, `never` clears a time."""
    named = vars(given)
    changes: dict[str, object] = {
        name: named[name] for name in ("text", "importance", "confidence", "priority") if name in named
    }
    changes |= {name: named[name] or None for name in ("category", "topic") if name in named}
    if "kind" in named:
        changes["kind"] = Kind(named["kind"])
    if "pin" in named:
        changes["pinned"] = named["pin"]
    if "move_to" in named:
        changes["scope"] = book.scope(named["move_to"])
    if "tag" in named or given.clear_tags:
        changes["tags"] = tuple(named.get("tag", ()))
    now = system_clock()
    for name, read in (("valid_from", moment), ("valid_to", moment), ("expires", expiry)):
        if name in named:
            value = named[name]
            field = "expires_at" if name == "expires" else name
            changes[field] = None if value in ("", NEVER) else read(value, now, f"--{name.replace('_', '-')}")
    return changes


def _add_supersede(parser: ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="the number or id of the memory that gives way")
    parser.add_argument("new", metavar="NEW", nargs="?", help="the number or id of the memory that takes its place")
    parser.add_argument("--text", metavar="TEXT", help="instead of NEW: remember this, with the labels of OLD")
    parser.add_argument("--reason", metavar="TEXT", help="why, in a sentence")


def _supersede(session: CommandSession) -> int:
    given = session.arguments
    if (given.new is None) == (given.text is None):
        raise UsageError("Name what takes its place: NEW, or --text, and not both.")
    with session.book() as book:
        written = None if given.text is None else _write(book, book.get(given.old), given.text)
        new = book.get(given.new) if written is None else written.memory
        old = book.supersede(given.old, new, reason=given.reason)
        new = _take_over_topic(book, old, new)
        _tell(session, book, old, new, written)
    return 0


def _write(book: Book, old: Memory, text: str) -> Remembered:
    """Remember the successor with the labels of what it replaces, its topic excepted: a topic would replace unasked."""
    if old.status not in PRESENT:
        raise Conflict(f"{old.id} is {old.status.value} and cannot be superseded: restore it first.")
    return book.remember(
        text,
        scope=old.scope,
        kind=old.kind.value,
        tags=old.tags,
        category=old.category,
        importance=old.importance,
        priority=old.priority,
        pinned=old.pinned,
    )


def _take_over_topic(book: Book, old: Memory, new: Memory) -> Memory:
    if old.topic is None or new.topic is not None:
        return new
    return book.update(new, Changes(topic=old.topic))


def _tell(session: CommandSession, book: Book, old: Memory, new: Memory, written: Remembered | None) -> None:
    output = session.output
    if output.json:
        from commonplace.book.display_json import memory_json

        output.document({"memory": memory_json(old, book.principal), "successor": memory_json(new, book.principal)})
        return
    if written is not None:
        print_remembered(written, book, output)
    output.said(f"{output.style('superseded', 'green')} {old.number}: {excerpt(old)}")
    output.said(f"  by {new.number}: {excerpt(new)}")


ACTIONS = {
    "update": Action(
        description="Change memories. What stood before stays readable with 'show ID --history'.\n"
        "An empty value clears --category and --topic; 'never' clears a time.",
        examples=(
            'update 12 --text "Deploys are on Friday"',
            "update 12 13 --tag ops --tag weekly --expires 30d",
            "update 12 --importance 0.9 --expect-revision 3",
        ),
        add_arguments=_add_update,
        run=_update,
    ),
    "supersede": Action(
        description="Put a newer memory in the place of an older one, which stays readable as history.",
        examples=('supersede 12 15 --reason "schedule changed"', 'supersede 12 --text "Deploys are on Friday"'),
        add_arguments=_add_supersede,
        run=_supersede,
    ),
}
