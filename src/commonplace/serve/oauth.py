"""Tokens of an OAuth 2.1 issuer: signature, issuer, audience and time are checked, then claims become a principal.

We are the resource server of RFC 9728; the issuer is somebody else's. Rights come from the scopes
`read`, `write` and `admin` (also as `commonplace:read`), the user from `sub`, the tenant from `tenant`
and teams from `teams`.
"""

import json
from urllib.parse import urlsplit
from urllib.request import urlopen

import jwt

from commonplace.errors import Denied, InvalidInput, StoreError
from commonplace.record import Record
from commonplace.scope import Principal, Right
from commonplace.scope import Scope as MemoryScope
from commonplace.serve.gate import WELL_KNOWN, Visitor

ALGORITHMS = ("RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "EdDSA")
PREFIX = "commonplace:"
LEEWAY_SECONDS = 30
FETCH_SECONDS = 10


class Issuer(Record):
    """Whose tokens are taken, and for which resource they must have been made."""

    issuer: str
    resource: str
    jwks: str = ""

    @property
    def metadata_path(self) -> str:
        path = urlsplit(self.resource).path.rstrip("/")
        return f"{WELL_KNOWN}oauth-protected-resource{path}"

    @property
    def metadata_url(self) -> str:
        parts = urlsplit(self.resource)
        return f"{parts.scheme}://{parts.netloc}{self.metadata_path}"


class Verifier:
    """Checks one issuer's tokens. Keys are fetched when the first token comes, and kept."""

    def __init__(self, issuer: Issuer) -> None:
        self._issuer = issuer
        self._keys: jwt.PyJWKClient | None = None

    def verify(self, presented: str) -> Visitor:
        try:
            jwt.get_unverified_header(presented)  # what is no JWT at all is not worth asking the issuer for keys
            key = self._key_client().get_signing_key_from_jwt(presented)
            claims = jwt.decode(
                presented, key, algorithms=list(ALGORITHMS), issuer=self._issuer.issuer,
                audience=self._issuer.resource, leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )  # fmt: skip
        except jwt.PyJWKClientConnectionError as error:
            raise StoreError("The issuer's keys cannot be fetched: try again.") from error
        except jwt.PyJWTError as error:
            raise Denied("The token is not valid here: get a new one from the issuer.") from error
        return _visitor(claims)

    def _key_client(self) -> jwt.PyJWKClient:
        if self._keys is None:
            self._keys = jwt.PyJWKClient(self._issuer.jwks or self._discover(), timeout=FETCH_SECONDS)
        return self._keys

    def _discover(self) -> str:
        """Where the issuer says its keys are (RFC 8414, or OpenID Connect's older place)."""
        base = self._issuer.issuer.rstrip("/")
        for place in ("oauth-authorization-server", "openid-configuration"):
            try:
                with urlopen(f"{base}{WELL_KNOWN}{place}", timeout=FETCH_SECONDS) as answer:
                    return str(json.load(answer)["jwks_uri"])
            except (OSError, ValueError, KeyError):
                continue
        raise StoreError("The issuer's metadata cannot be read: set oauth_jwks, or try again.")


def _visitor(claims: dict[str, object]) -> Visitor:
    scopes = claims.get("scope", claims.get("scp", ""))
    words = scopes.split() if isinstance(scopes, str) else [str(word) for word in _list(scopes)]
    names = {word.removeprefix(PREFIX) for word in words}
    rights = frozenset(right for right in Right if right.value in names)
    if not rights:
        raise Denied("The token has none of the scopes read, write and admin: ask the issuer for one.")
    project = claims.get("project")
    try:
        principal = Principal(
            str(claims.get("tenant", "local")), str(claims["sub"]), tuple(map(str, _list(claims.get("teams")))), rights
        )
        place = None if project is None else MemoryScope.parse(f"project:{project}")
    except InvalidInput as error:
        raise Denied(f"The token's claims cannot be used: {error.message}") from error
    return Visitor(f"oauth:{principal.tenant}:{principal.user}", principal, place)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
