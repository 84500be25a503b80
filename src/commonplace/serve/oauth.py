"""Tokens of an OAuth 2.1 issuer: signature, issuer, audience and time are checked, then claims become a visitor.

We are the resource server of RFC 9728; the issuer is somebody else's. `issuer_keys` has its keys.
"""

from urllib.parse import SplitResult, urlsplit

import jwt

from commonplace.domain.record import Record
from commonplace.errors import Denied, InvalidInput
from commonplace.http_client import Address
from commonplace.serve.claims import visitor_of
from commonplace.serve.gate import WELL_KNOWN, Visitor
from commonplace.serve.issuer_keys import IssuerKeys

ALGORITHMS = ("RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "EdDSA")
LEEWAY_SECONDS = 30


class Issuer(Record):
    """Whose tokens are taken, and for which resource they must have been made."""

    issuer: str
    resource: str
    jwks: str = ""

    def __post_init__(self) -> None:
        for name, address in (
            ("oauth_issuer", self.issuer),
            ("oauth_resource", self.resource),
            ("oauth_jwks", self.jwks),
        ):
            if address and not _is_address(address):
                raise InvalidInput(f"{name} must be an address such as https://login.example.org/memory.", name)
        if urlsplit(self.issuer).query:
            raise InvalidInput("oauth_issuer must have nothing after its path.", "oauth_issuer")

    @property
    def metadata_path(self) -> str:
        """Where this server says who issues its tokens, as RFC 9728 puts it: before the resource's own path."""
        path = urlsplit(self.resource).path.rstrip("/")
        return f"{WELL_KNOWN}oauth-protected-resource{path}"

    @property
    def metadata_url(self) -> str:
        """The same as an address, for the header of a refusal."""
        return _origin(urlsplit(self.resource)) + self.metadata_path

    @property
    def described_at(self) -> tuple[str, str]:
        """Where an issuer may describe itself: its path comes last for RFC 8414, and first for OpenID Connect."""
        parts = urlsplit(self.issuer)
        origin, path = _origin(parts), parts.path.rstrip("/")
        return (
            f"{origin}{WELL_KNOWN}oauth-authorization-server{path}",
            f"{origin}{path}{WELL_KNOWN}openid-configuration",
        )


class Verifier:
    """Checks one issuer's tokens."""

    def __init__(self, issuer: Issuer) -> None:
        self._issuer = issuer
        self._keys = IssuerKeys(issuer.issuer, issuer.described_at, issuer.jwks)

    def verify(self, presented: str) -> Visitor:
        """Whose token it is; Denied if it is not signed by the issuer, meant for us and in force."""
        try:
            claims = jwt.decode(
                presented,
                self._key_of(presented),
                algorithms=list(ALGORITHMS),
                issuer=self._issuer.issuer,
                audience=self._issuer.resource,
                leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except (jwt.PyJWTError, RecursionError) as error:  # of JSON nested without end; older PyJWT lets it pass
            raise Denied("The token is not valid here: get a new one from the issuer.") from error
        return visitor_of(claims)

    def _key_of(self, presented: str) -> jwt.PyJWK:
        header = jwt.get_unverified_header(presented)
        if header.get("alg") not in ALGORITHMS:
            raise jwt.InvalidAlgorithmError("not worth asking the issuer for keys, like what is no JWT at all")
        key = self._keys.find(header.get("kid") or "")
        if key is None:
            raise jwt.InvalidKeyError("the issuer has no key of that name")
        return key


def _is_address(text: str) -> bool:
    try:
        Address.parse(text)
    except ValueError:
        return False
    return not urlsplit(text).fragment


def _origin(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc}"
