"""team: who shares memories with whom, what they promoted, and what they have to settle."""

from argparse import ArgumentParser

from commonplace.book.book import Book
from commonplace.book.display_json import memory_json
from commonplace.book.team_json import claim_json, member_json, place_json, promoted_json, role_of
from commonplace.cli.commands import Action
from commonplace.cli.parser import add_subcommands
from commonplace.cli.render import EXCERPT_LENGTH, count, excerpt, one_line
from commonplace.cli.session import CommandSession
from commonplace.cli.tables import print_table
from commonplace.domain.memory import Memory
from commonplace.domain.validation import choice
from commonplace.engine.membership import Role
from commonplace.teams.promotion import ContestVerdict, Promoted
from commonplace.teams.teams import Place, remembered_by
from commonplace.text import show_time

EXIT_DECLINED = 1

_MEANINGS = {
    "create": "make a team, which you own",
    "list": "the teams you are in or invited to",
    "show": "who is in a team",
    "invite": "invite somebody",
    "accept": "accept an invitation",
    "role": "give somebody another role",
    "leave": "leave, or turn an invitation down",
    "remove": "remove somebody",
    "delete": "end a team, and archive what it remembers",
    "promote": "copy a memory into a team",
    "review": "what a team does not agree on",
    "resolve": "settle what a team does not agree on",
}
_ROLES = ", ".join(role.value for role in Role)
_TOLD = {
    ContestVerdict.SHARED: "shared with {team}, unverified until somebody else says the same",
    ContestVerdict.REPEATED: "{team} has it from you already",
    ContestVerdict.CORROBORATED: "corroborated: {team} had it from somebody else",
    ContestVerdict.CONTESTED: "contested: {team} says otherwise",
}


def _add_arguments(parser: ArgumentParser) -> None:
    made = add_subcommands(parser, _MEANINGS)
    for word, each in made.items():
        if word == "promote":
            each.add_argument("id", metavar="ID", help="the number or id of a memory of yours or of a project")
        if word != "list":
            each.add_argument("team", metavar="TEAM", help="the team's id, as in team:ID")
        if word in ("invite", "role", "remove"):
            each.add_argument("user", metavar="USER", help="the name of the user")
    made["create"].add_argument("--name", metavar="TEXT", help="what people call it")
    made["invite"].add_argument("--role", metavar="ROLE", default=Role.MEMBER.value, help=f"{_ROLES} (default member)")
    made["role"].add_argument("role", metavar="ROLE", help=_ROLES)
    made["delete"].add_argument("--yes", action="store_true", help="do not ask")
    resolve = made["resolve"]
    resolve.add_argument("--keep", metavar="ID", action="append", default=[], help="stays; repeatable")
    resolve.add_argument("--drop", metavar="ID", action="append", default=[], help="goes, as history; repeatable")
    resolve.add_argument("--reason", metavar="TEXT", help="why, in a sentence")
    for each in made.values():
        each.add_argument("--server", metavar="URL", help="a team on this server, with the token in COMMONPLACE_TOKEN")


def _run(session: CommandSession) -> int:
    given = session.arguments
    if given.server is not None:
        from commonplace.cli.team_server import run  # few teams are on a server elsewhere

        return run(session)
    with session.book(create=given.action == "create") as book:
        match given.action:
            case "create":
                team = book.teams.create(given.team, given.name)
                return _said(session, f"created {team.id}", {"id": team.id, "name": team.name})
            case "list":
                return _list(session, book.teams.list())
            case "show":
                return _show(session, book)
            case "delete":
                return _delete(session, book)
            case "promote":
                return _promote(session, book)
            case "review":
                return _review(session, book)
            case "resolve":
                return _resolve(session, book)
            case _:
                return _change(session, book)


def _delete(session: CommandSession, book: Book) -> int:
    team = next((place.team for place in book.teams.list() if place.team.id == session.arguments.team), None)
    remembered = 0 if team is None else book.count(remembered_by(team))
    things = f" and archive the {count(remembered, 'memory', 'memories')} it has" if remembered else ""
    if team is not None and not session.confirmed(f"Delete {team.id} for everybody in it{things}?"):
        session.output.fail("Nothing was deleted.")
        return EXIT_DECLINED
    deleted = book.teams.delete(session.arguments.team, archive=True)
    told = f"deleted {deleted.team.id}"
    if deleted.archived:
        told += (
            f"; you can read what was archived with 'commonplace list --scope {deleted.team.scope} --status archived'"
        )
    return _said(session, told, {"id": deleted.team.id, "archived": deleted.archived})


def _change(session: CommandSession, book: Book) -> int:
    """The actions that change one person's place."""
    given = session.arguments
    match given.action:
        case "invite":
            member = book.teams.invite(given.team, given.user, choice(Role, given.role, "role"))
            told = f"invited {member.user} to {member.team}, as {member.role.value}"
        case "accept":
            member = book.teams.accept(given.team)
            told = f"{member.user} is in {member.team}, as {member.role.value}"
        case "role":
            member = book.teams.change_role(given.team, given.user, choice(Role, given.role, "role"))
            told = f"{member.user} is {member.role.value} of {member.team}"
        case "leave":
            member = book.teams.leave(given.team)
            told = f"{member.user} left {member.team}"
        case _:
            member = book.teams.remove(given.team, given.user)
            told = f"removed {member.user} from {member.team}"
    return _said(session, told, member_json(member))


def _said(session: CommandSession, text: str, document: dict[str, object]) -> int:
    if session.output.json:
        session.output.document(document)
    else:
        session.output.said(text)
    return 0


def _list(session: CommandSession, places: tuple[Place, ...]) -> int:
    output = session.output
    if output.json:
        output.listing("teams", [place_json(place) for place in places])
    elif places:
        rows = [(place.team.id, role_of(place.member) or "", one_line(place.team.name)) for place in places]
        print_table(("id", "role", "name"), rows, output)
    else:
        output.note("You are in no team: 'commonplace team create ID' makes one.")
    return 0


def _show(session: CommandSession, book: Book) -> int:
    members = book.teams.members(session.arguments.team)
    if session.output.json:
        session.output.listing("members", [member_json(member) for member in members])
        return 0
    rows = [(each.user, role_of(each) or "", show_time(each.since)[:10], each.invited_by) for each in members]
    print_table(("user", "role", "since", "invited by"), rows, session.output)
    return 0


def _promote(session: CommandSession, book: Book) -> int:
    promoted = book.teams.promote(book.get(session.arguments.id), session.arguments.team)
    document = promoted_json(promoted, book.principal)
    return _said(session, _told(promoted, session.arguments.team), document)


def _told(promoted: Promoted, team: str) -> str:
    lines = [f"{promoted.memory.number}: {excerpt(promoted.memory)}", f"  {_TOLD[promoted.verdict].format(team=team)}"]
    return "\n".join([*lines, *(f"  {memory.number}: {excerpt(memory)}" for memory in promoted.conflicts)])


def _review(session: CommandSession, book: Book) -> int:
    contests = book.teams.review(session.arguments.team)
    if session.output.json:
        shown = [[claim_json(book, each) for each in contest.memories] for contest in contests]
        session.output.listing("contests", shown)
        return 0
    rows = [
        (str(place), str(each.number), ", ".join(_people(book, each)), one_line(each.text, EXCERPT_LENGTH))
        for place, contest in enumerate(contests, 1)
        for each in contest.memories
    ]
    if rows:
        print_table(("contest", "id", "by", "text"), rows, session.output)
    else:
        session.output.note("There is nothing to settle.")
    return 0


def _people(book: Book, memory: Memory) -> list[str]:
    return list(dict.fromkeys(credit.user for credit in book.teams.contributions(memory)))


def _resolve(session: CommandSession, book: Book) -> int:
    given = session.arguments
    keep, drop = ([book.get(id) for id in named] for named in (given.keep, given.drop))
    memories = book.teams.resolve(given.team, keep, drop, reason=given.reason)
    told = "\n".join(f"{each.status.value} {each.number}: {excerpt(each)}" for each in memories)
    return _said(session, told, {"memories": [memory_json(memory, book.principal) for memory in memories]})


ACTIONS = {
    "team": Action(
        description="Teams share memories in the scope team:ID. A memory reaches a team only by being promoted:\n"
        "a second member who says the same verifies it, another word on it makes both contested.",
        examples=(
            "team create core",
            "team invite core bob --role admin",
            "team promote 12 core",
            'team resolve core --keep 14 --drop 15 --reason "the calendar says so"',
            "team accept core --server https://memory.example.org",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
