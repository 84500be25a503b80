"""Teams as plain JSON: places in them, what they share, and what they have to settle."""

from typing import TYPE_CHECKING

from commonplace.book.display_json import memory_json
from commonplace.domain.canonical_json import Json
from commonplace.domain.memory import Memory
from commonplace.domain.scope import Principal
from commonplace.engine.membership import Member
from commonplace.teams.promotion import Promoted
from commonplace.teams.teams import Place
from commonplace.text import show_time

if TYPE_CHECKING:
    from commonplace.book.book import Book


def place_json(place: Place) -> Json:
    """A team and the caller's role in it."""
    return {"id": place.team.id, "name": place.team.name, "role": role_of(place.member)}


def role_of(member: Member | None) -> str | None:
    """A role as a word, that of an invitation as such; None for who has no place."""
    if member is None:
        return None
    return member.role.value if member.accepted else f"invited as {member.role.value}"


def member_json(member: Member) -> Json:
    """Somebody's place in a team, the time as text."""
    return {
        "team": member.team,
        "user": member.user,
        "role": member.role.value,
        "accepted": member.accepted,
        "invited_by": member.invited_by,
        "since": show_time(member.since),
    }


def promoted_json(promoted: Promoted, principal: Principal) -> Json:
    """The team's memory, what the promotion came to, and what it is at odds with."""
    return {
        "verdict": promoted.verdict.value,
        "memory": memory_json(promoted.memory, principal),
        "conflicts": [memory_json(memory, principal) for memory in promoted.conflicts],
    }


def claim_json(book: "Book", memory: Memory) -> Json:
    """One side of a contest, with who is credited for it."""
    credits = [
        {"user": credit.user, "source": credit.source, "at": show_time(credit.at)}
        for credit in book.teams.contributions(memory)
    ]
    return {**memory_json(memory, book.principal), "contributions": credits}
