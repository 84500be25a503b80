"""The keys of an issuer: fetched when the first token comes, kept for a while, and asked for by one thread at a time.

Whoever presents a token makes us ask, so what that costs is bounded: one question at a time, no second one for half a
minute whatever became of the first, an answer of a certain size in a certain time, from where the issuer said.
"""

import json
import logging
import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence

import jwt

from commonplace.domain.record import Record
from commonplace.errors import StoreError
from commonplace.http_client import Address, AnswerTooLarge, Bounds, TooSlow, Unreachable, ask

BOUNDS = Bounds(seconds=5.0, bytes=262_144)
KEPT_SECONDS = 300
PAUSE_SECONDS = 30

log = logging.getLogger("commonplace.serve")


class _Unusable(Exception):
    """Why there are no keys, for whoever runs the server."""


class _Known(Record):
    """Keys by their names, and until when they are believed."""

    keys: Mapping[str, jwt.PyJWK]
    until: float


class IssuerKeys:
    """Finds an issuer's keys, at `jwks` or else where one of its documents says."""

    def __init__(
        self, issuer: str, described_at: Sequence[str], jwks: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._issuer = issuer
        self._described_at = described_at
        self._jwks = jwks
        self._clock = clock
        self._known = _Known({}, -math.inf)
        self._next_at = -math.inf
        self._asking = threading.Lock()

    def find(self, name: str) -> jwt.PyJWK | None:
        """The key of that name, None if the issuer has none; StoreError while it cannot be asked."""
        known = self._known
        current = self._clock() < known.until
        if current and name in known.keys:
            return known.keys[name]
        # While good keys are at hand nobody waits for a name that may be anything.
        if self._asking.acquire(blocking=not current):
            try:
                self._ask_unless_just_asked(name)
            finally:
                self._asking.release()
        if self._clock() >= self._known.until:
            raise StoreError("The issuer's keys cannot be fetched: try again.")
        return self._known.keys.get(name)

    def _ask_unless_just_asked(self, name: str) -> None:
        answered = self._clock() < self._known.until and name in self._known.keys  # while we waited
        if answered or self._clock() < self._next_at:
            return
        try:
            self._known = _Known(self._fetched(), self._clock() + KEPT_SECONDS)
        except _Unusable as error:
            log.warning("no keys of %s: %s", self._issuer, error)
        finally:
            self._next_at = self._clock() + PAUSE_SECONDS

    def _fetched(self) -> Mapping[str, jwt.PyJWK]:
        document = _document(self._jwks or self._discovered())
        try:
            keys = jwt.PyJWKSet.from_dict(document).keys
        except jwt.PyJWTError as error:
            raise _Unusable(str(error)) from error
        return {key.key_id: key for key in keys if key.key_id and key.public_key_use in ("sig", None)}

    def _discovered(self) -> str:
        """Where the issuer says that its keys are. Only a document in which it names itself is its own."""
        refused = []
        for place in self._described_at:
            try:
                document = _document(place)
                if document.get("issuer") != self._issuer:
                    raise _Unusable(f"what is at {place} is of another issuer")
                return _no_plainer(str(document.get("jwks_uri")), place)
            except _Unusable as error:
                refused.append(str(error))
        raise _Unusable("; ".join(refused))


def _no_plainer(jwks: str, place: str) -> str:
    """Keys that come in the clear could be anybody's; a document that came over TLS does not lead there."""
    if place.startswith("https:") and not jwks.startswith("https:"):
        raise _Unusable(f"the jwks_uri at {place} is not https")
    return jwks


def _document(place: str) -> dict[str, object]:
    """The JSON object at an address."""
    try:
        reply = ask(Address.parse(place), BOUNDS, headers={"Accept": "application/json"})
        found = json.loads(reply.body) if reply.status == 200 else None
    except Unreachable as error:
        raise _Unusable(f"{place} cannot be reached ({error})") from error
    except TooSlow as error:
        raise _Unusable(f"{place} did not answer within {BOUNDS.seconds:g} seconds") from error
    except AnswerTooLarge as error:
        raise _Unusable(f"{place} answered with more than {BOUNDS.bytes:,} bytes") from error
    except (ValueError, RecursionError) as error:
        raise _Unusable(f"{place} is no address, or there is no JSON there") from error
    if not isinstance(found, dict):
        raise _Unusable(f"{place} answered {reply.status} and no JSON object")
    return found
