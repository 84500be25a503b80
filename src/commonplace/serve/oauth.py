"""Tokens of an OAuth 2.1 issuer: signature, issuer, audience and time are checked, then claims become a visitor.

We are the resource server of RFC 9728; the issuer is somebody else's.
"""

import json
from urllib.parse import urlsplit
from urllib.request import urlopen

import jwt

from commonplace.errors import Denied, StoreError
from commonplace.record import Record
from commonplace.serve.claims import visitor_of
from commonplace.serve.gate import WELL_KNOWN, Visitor

ALGORITHMS = ("RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "EdDSA")
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
            if jwt.get_unverified_header(presented).get("alg") not in ALGORITHMS:
                raise jwt.InvalidAlgorithmError("not worth asking the issuer for keys, like what is no JWT at all")
            key = self._key_client().get_signing_key_from_jwt(presented)
            claims = jwt.decode(
                presented, key, algorithms=list(ALGORITHMS), issuer=self._issuer.issuer,
                audience=self._issuer.resource, leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )  # fmt: skip
        except jwt.PyJWKClientConnectionError as error:
            raise StoreError("The issuer's keys cannot be fetched: try again.") from error
        except (jwt.PyJWTError, RecursionError) as error:  # of JSON nested without end; older PyJWT lets it pass
            raise Denied("The token is not valid here: get a new one from the issuer.") from error
        return visitor_of(claims)

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
