"""token: who may use the book over the network."""

from argparse import ArgumentParser

from commonplace.book.book import Book
from commonplace.cli.commands import Action
from commonplace.cli.parser import add_subcommands
from commonplace.cli.session import CommandSession
from commonplace.cli.tables import print_table
from commonplace.domain.scope import Principal, Right, Scope, ScopeKind
from commonplace.domain.token import Token
from commonplace.domain.validation import choice
from commonplace.engine.parse import deadline
from commonplace.engine.short_ids import NAMED
from commonplace.errors import InvalidInput
from commonplace.text import show_time
from commonplace.workspace.project import scope_of


def _add_arguments(parser: ArgumentParser) -> None:
    made = add_subcommands(
        parser,
        {"create": "make a token, and show it once", "list": "every token there is", "revoke": "end a token at once"},
    )
    create = made["create"]
    create.add_argument("--user", metavar="NAME", required=True, help="whom the token stands for")
    create.add_argument(
        "--scopes",
        metavar="LIST",
        default="read,write",
        help="read, write, purge, admin, separated by commas; person: for your own page, never for a tool",
    )
    create.add_argument("--tenant", metavar="NAME", default="local", help="the organisation (default local)")
    create.add_argument("--teams", metavar="LIST", default="", help="teams the user is in, separated by commas")
    create.add_argument(
        "--only-project", metavar="NAME", help="reach this project and nothing else, as in project:NAME"
    )
    create.add_argument("--label", metavar="TEXT", help="what it is for, so that you recognise it")
    create.add_argument("--expires", metavar="WHEN", help="2027-01-01, or 90d")
    made["revoke"].add_argument("id", metavar="ID", help="the token's id, or the beginning of it")


def _run(session: CommandSession) -> int:
    match session.arguments.action:
        case "create":
            return _create(session)
        case "revoke":
            return _revoke(session)
        case _:
            return _list(session)


def _create(session: CommandSession) -> int:
    given = session.arguments
    rights = frozenset(choice(Right, word, "scopes") for word in _words(given.scopes))
    only = None if given.only_project is None else _project(given.only_project)
    principal = Principal.bearer(given.tenant, given.user, tuple(_words(given.teams)), rights, only)
    project = only or (None if given.project is None else scope_of(session.configuration.project_root))
    with session.book(create=True) as book:
        expires = None if given.expires is None else deadline(given.expires, book.now(), "expires")
        issued = book.access.create(principal, given.label or given.user, project=project, expires_at=expires)
        local = book.principal
    if session.output.json:
        session.output.document({**_plain(issued.token), "token": issued.secret})
    else:
        session.output.line(issued.secret)
        session.output.note("This is shown once: keep it where the tool that needs it reads it.")
    if (principal.tenant, principal.user) != (local.tenant, local.user):
        session.output.note(_of_somebody_else(principal, local))
    return 0


def _project(name: str) -> Scope:
    """A project by its name, with or without the word in front."""
    return Scope(ScopeKind.PROJECT, name.strip().removeprefix(f"{ScopeKind.PROJECT.value}:"))


def _of_somebody_else(bearer: Principal, local: Principal) -> str:
    """What the bearer of a new token will miss, and the words for a token that does not miss it."""
    words = f"--user {local.user}" if bearer.tenant == local.tenant else f"--user {local.user} --tenant {local.tenant}"
    return (
        f"It stands for {bearer.user} of {bearer.tenant}, who does not see what was remembered on this machine: "
        f"for the tools of the person here, make a token with {words}."
    )


def _revoke(session: CommandSession) -> int:
    with session.book() as book:
        token = book.access.revoke(_meant(book, session.arguments.id))
    if session.output.json:
        session.output.document(_plain(token))
    else:
        session.output.said(f"revoked {token.id} ({token.label})")
    return 0


def _meant(book: Book, typed: str) -> str:
    """A token's id where only one begins with what was typed, else what was typed."""
    found = [token.id for token in book.access.list() if token.id.startswith(typed.strip().lower())]
    if len(found) > 1 and typed not in found:
        raise InvalidInput(f"'{typed[:20]}' may be any of {', '.join(found[:NAMED])}: say more of it.", "id")
    return found[0] if len(found) == 1 else typed


def _list(session: CommandSession) -> int:
    with session.book() as book:
        tokens, now = book.access.list(), book.now()
    if session.output.json:
        session.output.listing("tokens", [_plain(token) for token in tokens])
        return 0
    rows = [
        (
            token.id,
            token.label,
            token.principal.tenant,
            token.principal.user,
            ",".join(token.principal.teams),
            ",".join(_rights(token)),
            _state(token, now),
        )
        for token in tokens
    ]
    if rows:
        print_table(("id", "label", "tenant", "user", "teams", "scopes", "state"), rows, session.output)
    else:
        session.output.note("There are no tokens: 'commonplace token create --user NAME' makes one.")
    return 0


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _rights(token: Token) -> list[str]:
    return sorted(right.value for right in token.principal.rights)


def _state(token: Token, now: int) -> str:
    if token.revoked_at is not None:
        return f"revoked {show_time(token.revoked_at)[:10]}"
    if not token.in_force(now):
        return "expired"
    return "in force" if token.expires_at is None else f"until {show_time(token.expires_at)[:10]}"


def _plain(token: Token) -> dict[str, object]:
    who = token.principal
    return {
        "id": token.id,
        "label": token.label,
        "tenant": who.tenant,
        "user": who.user,
        "teams": list(who.teams),
        "scopes": _rights(token),
        "project": None if token.project is None else str(token.project),
        "only_project": who.only_project is not None,
        "created_at": show_time(token.created_at),
        "expires_at": None if token.expires_at is None else show_time(token.expires_at),
        "revoked_at": None if token.revoked_at is None else show_time(token.revoked_at),
    }


ACTIONS = {
    "token": Action(
        description="Tokens for 'commonplace serve'. Once there is one, nobody gets in without one.",
        examples=(
            "token create --user ada --scopes read,write",
            "token create --user ada --scopes read,write,person --label page",
            "token create --user ci --scopes read --expires 90d --label nightly",
            "token revoke 3f9a1c22b7d0",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
