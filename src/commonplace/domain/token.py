"""A token: what lets whoever bears it act as somebody over the network."""

from commonplace.domain.record import Record
from commonplace.domain.scope import Principal, Scope
from commonplace.errors import InvalidInput


class Token(Record):
    """What lets its bearer act as somebody over the network. Of its secret only the digest is known."""

    id: str
    digest: bytes
    label: str
    principal: Principal
    project: Scope | None
    created_at: int
    expires_at: int | None = None
    revoked_at: int | None = None

    def __post_init__(self) -> None:
        if self.principal.only_project not in (None, self.project):
            raise InvalidInput("A token that is bound to a project is in that project and in no other.", "project")

    def in_force(self, now: int) -> bool:
        """Whether it lets its bearer in at that moment: not revoked, and its end not reached."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)
