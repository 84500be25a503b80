"""Who is in which team: the nouns, how they stand on their shelves, and what a principal may see by them.

A book's own teams decide who reads them, at every moment: leaving one ends reads at once. A team the
book knows nothing of is as the token or the host says, and the one person on a local book sees them all.
"""

from collections.abc import Iterator
from enum import StrEnum
from hashlib import blake2b

from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.record import Record
from commonplace.domain.scope import EVERY_TEAM, Principal, Scope, ScopeKind, Viewer
from commonplace.engine.paging import each_entry
from commonplace.ports import Unit

TEAMS = "team"
MEMBERS = "member"
INVITED = "invited"
DELETED = "deleted"


class Role(StrEnum):
    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"


class Team(Record):
    """Some people who share memories in the scope `team:ID`."""

    id: str
    name: str
    created_by: str
    created_at: int

    @property
    def scope(self) -> Scope:
        """Where what the team knows is kept."""
        return scope_of_team(self.id)


class Member(Record):
    """Somebody's place in a team; as long as it is not `accepted` it is an invitation."""

    team: str
    user: str
    role: Role
    accepted: bool
    invited_by: str
    since: int

    @property
    def leads(self) -> bool:
        """Whether they may invite and resolve."""
        return self.accepted and self.role in (Role.OWNER, Role.ADMIN)


def scope_of_team(id: str) -> Scope:
    """Whether or not there is such a team."""
    return Scope(ScopeKind.TEAM, id)


def viewer(unit: Unit, principal: Principal) -> Viewer:
    """The principal in the teams they are in at this moment.

    The member list decides. What a token claims counts only for a team the book keeps no list of.
    """
    if EVERY_TEAM in principal.teams:
        return Viewer(principal, (EVERY_TEAM,))
    claimed = [team for team in principal.teams if not name_is_taken(unit, team)]
    return Viewer(principal, tuple(dict.fromkeys((*claimed, *teams_of(unit, principal.user)))))


def teams_of(unit: Unit, user: str) -> tuple[str, ...]:
    """The teams somebody is in, invitations left out."""
    return tuple(sorted(member.team for member in places_of(unit, user) if member.accepted))


def places_of(unit: Unit, user: str) -> Iterator[Member]:
    """Every team somebody is in or invited to."""
    return _each(unit, EntryFilter(MEMBERS, parent=_key(user)))


def members_of(unit: Unit, team: str) -> Iterator[Member]:
    """Everybody who is in a team or invited to it, in the order they came."""
    return _each(unit, EntryFilter(MEMBERS, (str(scope_of_team(team)),)))


def find_member(unit: Unit, team: str, user: str) -> Member | None:
    """Somebody who is in a team or invited to it; None otherwise."""
    if not (team.isascii() and user.isascii()):  # as every name of a team or a person is
        return None
    entry = unit.entries.get(MEMBERS, _entry_id(team, user))
    return None if entry is None else _member_of(entry)


def put_member(unit: Unit, member: Member) -> None:
    """Add somebody, or put them in the place of what they were in that team."""
    body = {"team": member.team, "user": member.user, "role": member.role.value, "invited_by": member.invited_by}
    unit.entries.put(
        Entry(
            MEMBERS,
            _entry_id(member.team, member.user),
            str(scope_of_team(member.team)),
            member.since,
            body,
            parent=_key(member.user),
            state=member.role.value if member.accepted else INVITED,
        )
    )


def drop_member(unit: Unit, member: Member) -> None:
    """Take somebody out; nothing happens if they were not there."""
    unit.entries.remove(MEMBERS, _entry_id(member.team, member.user))


def find_team(unit: Unit, id: str) -> Team | None:
    """None when there never was one, or it was deleted."""
    entry = unit.entries.get(TEAMS, id) if id.isascii() else None
    return None if entry is None or entry.state == DELETED else _team_of(entry)


def name_is_taken(unit: Unit, id: str) -> bool:
    """Whether the book keeps a team of this name, or has kept one: what was a deleted team's is nobody else's."""
    return id.isascii() and unit.entries.get(TEAMS, id) is not None


def put_team(unit: Unit, team: Team, state: str = "") -> None:
    """Add a team, or put it in the place of the one with its id."""
    body = {"name": team.name, "created_by": team.created_by}
    unit.entries.put(Entry(TEAMS, team.id, str(team.scope), team.created_at, body, state=state))


def close_team(unit: Unit, team: Team, keeper: str) -> None:
    """Nobody is in it any more but the keeper, who may still read what it has left behind."""
    put_team(unit, team, DELETED)
    for member in members_of(unit, team.id):
        if member.user != keeper:
            drop_member(unit, member)


def every_team(unit: Unit) -> tuple[Team, ...]:
    """All that were not deleted, oldest first."""
    return tuple(map(_team_of, each_entry(unit, EntryFilter(TEAMS, states=("",)), newest_first=False)))


def _each(unit: Unit, wanted: EntryFilter) -> Iterator[Member]:
    return map(_member_of, list(each_entry(unit, wanted, newest_first=False)))


def _key(user: str) -> str:
    """What a person's places are found by; no memory's id has a colon in it."""
    return f"user:{user}"


def _entry_id(team: str, user: str) -> str:
    return f"mbr_{blake2b(f'{team} {user}'.encode(), digest_size=16).hexdigest()}"


def _team_of(entry: Entry) -> Team:
    return Team(entry.id, str(entry.body["name"]), str(entry.body["created_by"]), entry.at)


def _member_of(entry: Entry) -> Member:
    body = entry.body
    return Member(
        str(body["team"]),
        str(body["user"]),
        Role(str(body["role"])),
        entry.state != INVITED,
        str(body["invited_by"]),
        entry.at,
    )
