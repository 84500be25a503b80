"""Teams: who is in them, what they share, and how they settle what they do not agree on."""

from collections.abc import Sequence

from commonplace import deadline
from commonplace.domain.entries import EntryFilter
from commonplace.domain.events import Event, EventType, Plain
from commonplace.domain.ids import ulid
from commonplace.domain.memory import Memory, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import EVERY_TEAM, Principal, ScopeKind
from commonplace.domain.validation import check_id, check_label, check_reason
from commonplace.engine import membership
from commonplace.engine.caller import Caller, Work
from commonplace.engine.context import Context
from commonplace.engine.intake import embedded, refuse_secrets, refuse_secrets_in
from commonplace.engine.lifecycle import archive as put_away
from commonplace.engine.membership import Member, Role, Team, find_member, find_team, put_member
from commonplace.engine.paging import each_memory
from commonplace.errors import Conflict, Denied, InvalidInput, NotFound, RevisionConflict
from commonplace.ports import Unit
from commonplace.teams import promotion
from commonplace.teams.promotion import Contest, Contribution, Promoted


class Place(Record):
    """A team, and the caller's place in it. The one person on a local book sees teams they have no place in."""

    team: Team
    member: Member | None


class Deleted(Record):
    """A team that is no more, and how many of its memories were archived."""

    team: Team
    archived: int


class Teams:
    """The teams of one caller. Roles are those of the member list; a foreign team answers like an unknown one."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    # -- members -----------------------------------------------------------------------------

    def create(self, id: str, name: str | None = None) -> Team:
        """A new team, whose scope is `team:ID`; whoever creates it owns it."""
        check_id(id, "team")
        check_label(name, "name")
        with self._caller.writing() as work:
            unit, user = work.unit, self._caller.principal.user
            team = Team(id, name or id, user, work.now)
            refuse_secrets_in(team)
            if membership.name_is_taken(unit, id) or _taken(work, team):
                raise Conflict(f"The name '{id}' is taken: choose another one.")
            membership.put_team(unit, team)
            put_member(unit, Member(id, user, Role.OWNER, True, user, work.now))
            _log(unit, work.context, EventType.TEAM_CREATED, team)
        return team

    def invite(self, team: str, user: str, role: Role = Role.MEMBER) -> Member:
        """Offer somebody a place, which is theirs once they accept. Nobody gives a role above their own."""
        user = Principal(user=user).user
        with self._caller.writing() as work:
            unit, context = work.unit, work.context
            found, leader = _led(work, team, "invite")
            if role is Role.OWNER and leader.role is not Role.OWNER:
                raise Denied("Only an owner can make somebody an owner.")
            known = find_member(unit, team, user)
            if known is not None and known.accepted:
                raise Conflict(f"{user} is in {team} already, as {known.role.value}.")
            invited = Member(team, user, role, False, leader.user, context.now)
            put_member(unit, invited)
            _log(unit, context, EventType.TEAM_INVITED, found, user=user, role=role.value)
        return invited

    def accept(self, team: str) -> Member:
        """Take the place one was invited to."""
        with self._caller.writing() as work:
            unit, context = work.unit, work.context
            found, invited = find_team(unit, team), find_member(unit, team, context.principal.user)
            if found is None or invited is None:
                raise NotFound(f"You are not invited to a team '{team[:64]}': ask one of its owners or admins.")
            if invited.accepted:
                return invited
            joined = replace(invited, accepted=True, since=context.now)
            put_member(unit, joined)
            _log(unit, context, EventType.TEAM_JOINED, found, user=joined.user, role=joined.role.value)
        return joined

    def change_role(self, team: str, user: str, role: Role) -> Member:
        """Give a member, or somebody invited, another role. Owners do that."""
        with self._caller.writing() as work:
            unit, context = work.unit, work.context
            found, leader = _led(work, team, "change roles")
            if leader.role is not Role.OWNER:
                raise Denied("Only an owner can change roles.")
            member = _member(unit, team, user)
            if role is not Role.OWNER:
                _keep_an_owner(unit, member)
            changed = replace(member, role=role)
            put_member(unit, changed)
            _log(unit, context, EventType.TEAM_ROLE_CHANGED, found, user=user, role=role.value)
        return changed

    def leave(self, team: str) -> Member:
        """Give up one's place, or turn an invitation down. From then on the team's memories are out of reach."""
        with self._caller.writing() as work:
            unit, context = work.unit, work.context
            found, member = find_team(unit, team), find_member(unit, team, context.principal.user)
            if found is None or member is None:
                raise _missing(team)
            _keep_an_owner(unit, member)
            membership.drop_member(unit, member)
            _log(unit, context, EventType.TEAM_LEFT, found, user=member.user)
        return member

    def remove(self, team: str, user: str) -> Member:
        """Take somebody's place or invitation away: owners anybody's, admins a member's."""
        with self._caller.writing() as work:
            unit, context = work.unit, work.context
            found, leader = _led(work, team, "remove members")
            member = _member(unit, team, user)
            if leader.role is not Role.OWNER and member.role is not Role.MEMBER and member.user != leader.user:
                raise Denied(f"Only an owner can remove an {member.role.value}.")
            _keep_an_owner(unit, member)
            membership.drop_member(unit, member)
            _log(unit, context, EventType.TEAM_MEMBER_REMOVED, found, user=user)
        return member

    def delete(self, team: str, *, archive: bool = False) -> Deleted:
        """End a team. Owners do that; what it remembers is archived, for which `archive` has to be said.

        The owner who deletes it may still read, restore, export and purge what is archived; nobody else sees it,
        whatever a token claims, and the name is not given out again.
        """
        with self._caller.writing_for_good() as work:
            unit, context = work.unit, work.context
            found, owner = _seen(work, team), find_member(unit, team, context.principal.user)
            if owner is None or not owner.accepted or owner.role is not Role.OWNER:
                raise Denied(f"Only an owner can delete {team}.")
            memories = list(each_memory(unit, remembered_by(found), context.now))
            if memories and not archive:
                raise Conflict(f"{team} remembers {len(memories):,} things: say that they are to be archived with it.")
            for memory in deadline.each(memories):
                put_away(unit, context, memory, f"{team} was deleted")
            membership.close_team(unit, found, owner.user)
            _log(unit, context, EventType.TEAM_DELETED, found, archived=len(memories))
        return Deleted(found, len(memories))

    def list(self) -> tuple[Place, ...]:
        """The teams the caller is in or invited to; on a local book every team there is."""
        who = self._caller.principal
        with self._caller.reading() as work:
            unit = work.unit
            places = {member.team: member for member in membership.places_of(unit, who.user)}
            if EVERY_TEAM in who.teams:
                return tuple(Place(team, places.get(team.id)) for team in membership.every_team(unit))
            found = [(find_team(unit, id), member) for id, member in places.items()]
        return tuple(Place(team, member) for team, member in found if team is not None)

    def members(self, team: str) -> tuple[Member, ...]:
        """Everybody in a team, and who is invited, in the order they came."""
        with self._caller.reading() as work:
            unit = work.unit
            return tuple(membership.members_of(unit, _seen(work, team).id))

    def teams_of(self, user: str) -> tuple[str, ...]:
        """The ids of the teams somebody is in: what `Principal.teams` is for whom the book keeps its teams."""
        with self._caller.reading() as work:
            unit = work.unit
            return membership.teams_of(unit, user)

    def history(self, team: str) -> tuple[Event, ...]:
        """Who came, went and changed their role, oldest first."""
        with self._caller.reading() as work:
            unit = work.unit
            return unit.log.events(_subject(_seen(work, team)))

    # -- what they share ---------------------------------------------------------------------

    def promote(self, memory: Memory, team: str) -> Promoted:
        """Copy one's memory into a team; the original stays where it is. What says the same is credited to both."""
        with self._caller.reading() as work:
            source = _own(work, memory)
        refuse_secrets_in(source)
        vectors, _ = embedded([source.text], self._caller.models.embedder)
        with self._caller.writing() as work:
            unit, context = work.unit, work.context
            found = _seen(work, team)
            member = find_member(unit, team, context.principal.user)
            if member is None or not member.accepted:
                raise Denied(f"Only members can promote to {team}: ask one of its owners or admins to invite you.")
            if _own(work, source).revision != source.revision:
                raise RevisionConflict(f"{source.id} was changed just now: promote it again.")
            return promotion.promote(unit, context, source, found.scope, vectors[0], self._caller.models.embedder)

    def contributions(self, memory: Memory) -> tuple[Contribution, ...]:
        """Who is credited for a team's memory, the first one first."""
        with self._caller.reading() as work:
            unit = work.unit
            return tuple(promotion.contributions(unit, work.find(memory)))

    def review(self, team: str) -> tuple[Contest, ...]:
        """What the team does not agree on, oldest first."""
        with self._caller.reading() as work:
            unit = work.unit
            return promotion.contests(unit, _seen(work, team).scope, work.now)

    def resolve(
        self, team: str, keep: Sequence[Memory] = (), drop: Sequence[Memory] = (), *, reason: str | None = None
    ) -> tuple[Memory, ...]:
        """End a contest: every memory of it is kept or dropped. Owners and admins do that; nothing is deleted."""
        check_reason(reason)
        refuse_secrets(reason or "", "reason")
        if not keep and not drop:
            raise InvalidInput("Name what to keep and what to drop.")
        if {memory.id for memory in keep} & {memory.id for memory in drop}:
            raise InvalidInput("A memory is either kept or dropped.")
        with self._caller.writing() as work:
            unit, context = work.unit, work.context
            found, _ = _led(work, team, "resolve")
            kept, dropped = (
                [_of_team(work, each, found) for each in {memory.id: memory for memory in named}.values()]
                for named in (keep, drop)
            )
            return promotion.resolve(unit, context, kept, dropped, reason)


def remembered_by(team: Team) -> Filter:
    """Everything that a team remembers at this moment."""
    return Filter((team.scope,), statuses=(Status.ACTIVE, Status.STALE), include_expired=True)


def _taken(work: Work, team: Team) -> bool:
    """Whether somebody else's memories or decisions are in the scope: nobody gets at them by founding its team."""
    if work.may_see(team.scope):
        return False
    decisions = EntryFilter("decision", (str(team.scope),))
    return team.scope in work.unit.memories.scopes() or work.unit.entries.count(decisions) > 0


def _seen(work: Work, id: str) -> Team:
    """A team the caller may look into."""
    team = find_team(work.unit, id)
    if team is None or not work.may_see(team.scope):
        raise _missing(id)
    return team


def _led(work: Work, id: str, action: str) -> tuple[Team, Member]:
    """A team the caller leads, and their place in it."""
    team, member = _seen(work, id), find_member(work.unit, id, work.caller.principal.user)
    if member is None or not member.leads:
        raise Denied(f"Only owners and admins of {id} can {action}.")
    return team, member


def _member(unit: Unit, team: str, user: str) -> Member:
    member = find_member(unit, team, user)
    if member is None:
        raise NotFound(f"{user[:64]} is not in {team}: see 'commonplace team show {team}'.")
    return member


def _keep_an_owner(unit: Unit, member: Member) -> None:
    owners = [
        each.user for each in membership.members_of(unit, member.team) if each.accepted and each.role is Role.OWNER
    ]
    if owners == [member.user]:
        raise Conflict(
            f"{member.user} is the last owner of {member.team}: make somebody else an owner first "
            f"('commonplace team role {member.team} USER owner'), or delete the team."
        )


def _own(work: Work, memory: Memory) -> Memory:
    """A memory that can be promoted, as it stands now."""
    found = work.find(memory)
    if found.scope.kind is ScopeKind.TEAM:
        raise InvalidInput(f"{found.id} is a team's already: promote one of your own or of a project.", "memory")
    if found.status is not Status.ACTIVE or found.expired(work.now):
        raise Conflict(f"{found.id} does not stand any more and cannot be promoted: restore it first.")
    return found


def _of_team(work: Work, memory: Memory, team: Team) -> Memory:
    found = work.find(memory)
    if found.scope != team.scope:
        raise InvalidInput(f"{found.id} is not a memory of {team.id}.", "memory")
    return found


def _missing(id: str) -> NotFound:
    return NotFound(f"There is no team '{id[:64]}' that you are in: see 'commonplace team list'.")


def _subject(team: Team) -> str:
    return str(team.scope)


def _log(unit: Unit, context: Context, type: EventType, team: Team, **payload: Plain) -> None:
    event = Event(
        f"evt_{ulid(context.now)}",
        type,
        _subject(team),
        context.actor,
        context.now,
        {"scope": str(team.scope), "by": context.principal.user, **payload},
    )
    unit.log.append(event)
