"""Which memories a command looks at: the options for it, and the filter they make."""

from argparse import ArgumentParser, Namespace

from commonplace.cli.session import Session
from commonplace.domain.memory import Kind, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import replace
from commonplace.domain.scope import Scope
from commonplace.text import slug

ANY_STATUS = "any"
_TIMES = {"since": "created_since", "until": "created_until", "valid_at": "valid_at", "as_of": "as_of"}
NARROWING = (
    "kind",
    "tag",
    "category",
    "topic",
    "session",
    "since",
    "until",
    "valid_at",
    "status",
    "automatic",
    "verified_only",
)


def add_filters(parser: ArgumentParser, past: bool = True) -> None:
    """The options that narrow a reading down; `past` for commands that can look at a past moment."""
    group = parser.add_argument_group("which memories")
    kinds = [kind.value for kind in Kind]
    group.add_argument(
        "--kind",
        metavar="KIND",
        action="append",
        choices=kinds,
        default=[],
        help=f"{', '.join(kinds)}; several are alternatives",
    )
    group.add_argument("--tag", metavar="TAG", action="append", default=[], help="has this tag; of several, all")
    group.add_argument("--category", metavar="NAME", help="is filed under this category")
    group.add_argument("--topic", metavar="NAME", help="is the word on this topic")
    group.add_argument("--session", metavar="ID", help="comes from this conversation")
    group.add_argument("--since", metavar="TIME", help="created since: 7d, 2026-03-01 or 2026-03-01T09:30Z")
    group.add_argument("--until", metavar="TIME", help="created before")
    group.add_argument("--valid-at", metavar="TIME", help="was true at that time")
    if past:
        group.add_argument("--as-of", metavar="TIME", help="the book as it stood at that time")
    statuses = [ANY_STATUS, *(status.value for status in Status)]
    group.add_argument(
        "--status", metavar="STATUS", action="append", choices=statuses, default=[], help=", ".join(statuses)
    )
    group.add_argument("--include-expired", action="store_true", help="also what has expired")
    group.add_argument("--automatic", action="store_true", help="only what needs nobody's confirmation any more")
    group.add_argument("--verified-only", action="store_true", help="of a team's memories, only verified ones")


def build_filter(
    session: Session, scopes: tuple[Scope, ...], statuses: tuple[Status, ...] = (Status.ACTIVE,)
) -> Filter:
    """The filter the options ask for, on these scopes; `statuses` are those to look at when none is named."""
    given = session.arguments
    if given.status:
        statuses = () if ANY_STATUS in given.status else tuple(Status(status) for status in given.status)
    filter = Filter(
        scopes=scopes,
        kinds=tuple(Kind(kind) for kind in given.kind),
        tags=tuple(given.tag),
        category=given.category,
        topic=None if given.topic is None else slug(given.topic),
        session=given.session,
        statuses=statuses,
        include_expired=given.include_expired,
        automatic=given.automatic,
        verified_only=given.verified_only,
    )
    return replace(filter, **_moments(given))


def _moments(given: Namespace) -> dict[str, int]:
    named = {name: value for name in _TIMES if (value := getattr(given, name, None)) is not None}
    if not named:
        return {}
    from commonplace.engine.caller import system_clock
    from commonplace.engine.parse import moment

    now = system_clock()
    return {_TIMES[name]: moment(value, now, f"--{name.replace('_', '-')}") for name, value in named.items()}
