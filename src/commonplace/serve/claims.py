"""The claims of an issuer's token as a visitor.

Rights come from the scopes `read`, `write`, `purge`, `person` and `admin` (also as `commonplace:read`), the user from
`sub`, the tenant from `tenant`, teams from `teams` and the project from `project`. Users, tenants and teams may be
called anything there; here they have names, made so that no two of them become one (`name_for`).
"""

from collections.abc import Mapping

from commonplace.domain.scope import EVERY_TEAM, Principal, Right, Scope, ScopeKind, name_for
from commonplace.errors import Denied, InvalidInput
from commonplace.serve.gate import Visitor

PREFIX = "commonplace:"
RESERVED_SUBJECTS = frozenset({"local", "default"})  # the person at this machine, and everybody's word for oneself
DEFAULT_TENANT = "local"

Claims = Mapping[str, object]


def visitor_of(claims: Claims) -> Visitor:
    """Whom verified claims stand for; Denied where they cannot be meant."""
    try:
        principal = Principal.bearer(_tenant(claims), _user(claims), _teams(claims), _rights(claims), None)
        project = _project(claims)
    except InvalidInput as error:
        raise Denied(f"The token's claims cannot be used: {error.message}") from error
    return Visitor(f"oauth:{principal.tenant}:{principal.user}", principal, project)


def _user(claims: Claims) -> str:
    subject = _text(claims.get("sub"), "sub")
    if subject.casefold() in RESERVED_SUBJECTS:
        raise InvalidInput(f"'{subject}' as sub stands for the person at the server itself: use another.", "sub")
    return name_for(subject)


def _tenant(claims: Claims) -> str:
    tenant = claims.get("tenant")
    return DEFAULT_TENANT if tenant is None else name_for(_text(tenant, "tenant"))


def _teams(claims: Claims) -> tuple[str, ...]:
    teams = claims.get("teams")
    if teams is None:
        return ()
    if not isinstance(teams, list):
        raise InvalidInput("teams must be a list of names.", "teams")
    named = [_text(team, "teams") for team in teams]
    if EVERY_TEAM in named:
        raise InvalidInput("teams must name each team: '*' is not a name.", "teams")
    return tuple(map(name_for, named))


def _project(claims: Claims) -> Scope | None:
    project = claims.get("project")
    return None if project is None else Scope(ScopeKind.PROJECT, _text(project, "project"))


def _rights(claims: Claims) -> frozenset[Right]:
    scopes = claims.get("scope", claims.get("scp"))
    words = scopes.split() if isinstance(scopes, str) else scopes if isinstance(scopes, list) else []
    names = {str(word).removeprefix(PREFIX) for word in words}
    rights = frozenset(right for right in Right if right.value in names)
    if not rights:
        raise InvalidInput("it has none of the scopes read, write and admin; ask the issuer for one.", "scope")
    return rights


def _text(value: object, name: str) -> str:
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"{name} must be a text.", name)
    return value
