"""migrate: the whole book to another engine, with all that happened in it."""

from argparse import ArgumentParser

from commonplace.cli.commands import Action
from commonplace.cli.progress import progress
from commonplace.cli.render import count
from commonplace.cli.session import CommandSession
from commonplace.domain.addresses import without_password
from commonplace.domain.key import Key
from commonplace.errors import InvalidInput
from commonplace.maintenance.migrate import migrate
from commonplace.ports import Store
from commonplace.wiring import store_at


def _add_migrate(parser: ArgumentParser) -> None:
    parser.add_argument("source", metavar="FROM", help="the book to copy: a file, or postgresql://…")
    parser.add_argument("target", metavar="TO", help="an empty one, or the beginning of a copy that was interrupted")


def _migrate(session: CommandSession) -> int:
    given, output = session.arguments, session.output
    if given.source == given.target:
        raise InvalidInput("FROM and TO are the same book: name two.")
    source, target = _store(session, given.source, create=False), _store(session, given.target, create=True)
    try:
        with progress("copying", output) as report:
            copied = migrate(source, target, report)
    finally:
        source.close()
        target.close()
    tenants = len({each.tenant for each in copied})
    memories = sum(each.rows for each in copied if each.table == "memories")
    rows = sum(each.rows for each in copied)
    place = without_password(given.target)
    if output.json:
        tables = [
            {"tenant": each.tenant, "table": each.table, "rows": each.rows, "digest": each.digest} for each in copied
        ]
        output.document({"from": without_password(given.source), "to": place, "memories": memories, "tables": tables})
        return 0
    output.said(
        f"Copied {count(memories, 'memory', 'memories')} of {count(tenants, 'tenant', 'tenants')} to {place}; "
        f"all {rows:,} rows compare equal."
    )
    output.note("Nothing was changed in FROM. Name TO with --store or COMMONPLACE_STORE from now on.")
    return 0


def _store(session: CommandSession, place: str, create: bool) -> Store:
    """The password that is kept apart is for the book one uses, and for no other server."""
    configuration = session.configuration
    password = configuration.read_password if place == configuration.store else Key
    return store_at(place, configuration.settings, password, create)


ACTIONS = {
    "migrate": Action(
        description="Copy a whole book from a file to a PostgreSQL server, or back, or to another of its own kind:\n"
        "memories with their ids, numbers and times, revisions, events, relations, uses, keys and vectors.\n"
        "An interrupted copy goes on where it was. At the end every row is compared.",
        examples=(
            "migrate ~/.local/share/commonplace/book.db postgresql://librarian@db.example/memory",
            "migrate postgresql://librarian@db.example/memory copy.db",
        ),
        add_arguments=_add_migrate,
        run=_migrate,
    ),
}
