"""Teams as JSON-RPC methods, for people who come with a token: join one, promote to it, settle what is contested.

The published contract keeps these out of the tools, since a person does them; so they are here, beside the tools.
"""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.book.display_json import memory_json
from commonplace.book.team_json import claim_json, member_json, place_json, promoted_json
from commonplace.dialect import (
    ADDS_ONCE,
    CHANGES,
    INVALID_PARAMS,
    READS,
    REMOVES,
    SERVER_ERROR,
    Dialect,
    Json,
    Parameters,
    tool,
)
from commonplace.domain.validation import choice
from commonplace.engine.caller import Door
from commonplace.engine.membership import Role
from commonplace.errors import CommonplaceError, InvalidInput

TeamId = Annotated[str, Field(description="the team's id, as in team:ID")]
RoleName = Annotated[str, Field(json_schema_extra={"enum": [role.value for role in Role]})]


class ListParameters(Parameters):
    """None."""


class TeamParameters(Parameters):
    team: TeamId


class CreateParameters(TeamParameters):
    name: Annotated[str | None, Field(description="what people call it")] = None


class UserParameters(TeamParameters):
    user: Annotated[str, Field(description="the name of the user")]


class InviteParameters(UserParameters):
    role: RoleName = Role.MEMBER.value


class RoleParameters(UserParameters):
    role: RoleName


class PromoteParameters(TeamParameters):
    id: Annotated[str, Field(description="a memory of yours, in any spelling of its id")]


class ResolveParameters(TeamParameters):
    keep: Annotated[list[str], Field(default_factory=list, description="ids that stay")]
    drop: Annotated[list[str], Field(default_factory=list, description="ids that go, as history")]
    reason: str | None = None


class Teams(TypedDict):
    teams: list[Json]


class Team(TypedDict):
    id: str
    name: str


class Members(TypedDict):
    members: list[Json]


class MemberOut(TypedDict):
    member: Json


class PromotedOut(TypedDict):
    promoted: Json


class Contests(TypedDict):
    contests: list[list[Json]]


class Resolved(TypedDict):
    memories: list[Json]


def list_(book: Book, given: ListParameters) -> Teams:
    """The teams the caller is in or invited to."""
    return Teams(teams=[place_json(place) for place in book.teams.list()])


def create(book: Book, given: CreateParameters) -> Team:
    """A new team, which the caller owns."""
    team = book.teams.create(given.team, given.name)
    return Team(id=team.id, name=team.name)


def show(book: Book, given: TeamParameters) -> Members:
    """Everybody in a team, and who is invited."""
    return Members(members=[member_json(member) for member in book.teams.members(given.team)])


def invite(book: Book, given: InviteParameters) -> MemberOut:
    """A place for somebody, theirs once they accept it."""
    return MemberOut(member=member_json(book.teams.invite(given.team, given.user, choice(Role, given.role, "role"))))


def accept(book: Book, given: TeamParameters) -> MemberOut:
    """The place that the caller was invited to."""
    return MemberOut(member=member_json(book.teams.accept(given.team)))


def change_role(book: Book, given: RoleParameters) -> MemberOut:
    """Another role for somebody; owners give it."""
    role = choice(Role, given.role, "role")
    return MemberOut(member=member_json(book.teams.change_role(given.team, given.user, role)))


def leave(book: Book, given: TeamParameters) -> MemberOut:
    """The caller's place, given up, or an invitation, turned down."""
    return MemberOut(member=member_json(book.teams.leave(given.team)))


def remove(book: Book, given: UserParameters) -> MemberOut:
    """Somebody's place, taken away."""
    return MemberOut(member=member_json(book.teams.remove(given.team, given.user)))


def promote(book: Book, given: PromoteParameters) -> PromotedOut:
    """A copy of one's memory for the team; what says the same is credited to both, another word is contested."""
    return PromotedOut(promoted=promoted_json(book.teams.promote(book.get(given.id), given.team), book.principal))


def review(book: Book, given: TeamParameters) -> Contests:
    """What the team does not agree on, with who said which."""
    contests = book.teams.review(given.team)
    return Contests(contests=[[claim_json(book, memory) for memory in contest.memories] for contest in contests])


def resolve(book: Book, given: ResolveParameters) -> Resolved:
    """The end of a contest: every memory of it is kept or dropped. Owners and admins do that."""
    keep, drop = ([book.get(id) for id in named] for named in (given.keep, given.drop))
    found = book.teams.resolve(given.team, keep, drop, reason=given.reason)
    return Resolved(memories=[memory_json(memory, book.principal) for memory in found])


def _error(error: CommonplaceError) -> dict[str, object]:
    number = INVALID_PARAMS if isinstance(error, InvalidInput) else SERVER_ERROR
    return {
        "code": number,
        "message": error.message,
        "data": {"code": error.code, "retryable": error.retryable},
    }


METHODS = Dialect(
    name="teams",
    server="onelamp",
    instructions="",
    door=Door(surface="teams", actor="teams", others=False),
    render_error=_error,
    tools=(
        tool("team.list", "List", "The teams you are in or invited to.", ListParameters, list_, Teams, READS),
        tool("team.show", "Show", "Who is in a team.", TeamParameters, show, Members, READS),
        tool("team.create", "Create", "Make a team, which you own.", CreateParameters, create, Team, CHANGES),
        tool("team.invite", "Invite", "Offer somebody a place.", InviteParameters, invite, MemberOut, CHANGES),
        tool("team.accept", "Accept", "Take your place.", TeamParameters, accept, MemberOut, ADDS_ONCE),
        tool("team.role", "Role", "Give somebody another role.", RoleParameters, change_role, MemberOut, CHANGES),
        tool("team.leave", "Leave", "Give up your place.", TeamParameters, leave, MemberOut, REMOVES),
        tool("team.remove", "Remove", "Take somebody's place away.", UserParameters, remove, MemberOut, REMOVES),
        tool(
            "team.promote", "Promote", "Copy a memory into a team.", PromoteParameters, promote, PromotedOut, ADDS_ONCE
        ),
        tool("team.review", "Review", "What a team does not agree on.", TeamParameters, review, Contests, READS),
        tool("team.resolve", "Resolve", "Settle a contest.", ResolveParameters, resolve, Resolved, CHANGES),
    ),
)
