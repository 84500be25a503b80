"""Which sentences of a turn are left out because a secret stands in them, or may."""

import re

from commonplace import secrets
from commonplace.distil.prose import Span

# A turn that speaks of a secret by one of these names may hold it in another sentence, where no rule sees it.
_SPOKEN_OF = re.compile(
    r"pass(?:word|phrase|code|wort)|\bpins?\b|kennwort|credential|zugangsdaten|contraseña|\bclave|mot de passe"
    r"|\btokens?\b|secret|geheim|api[ -_]?key|private key",
    re.IGNORECASE,
)
_MIXED = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_])[^\s`]{6,}")
_PLAIN_MIXED = re.compile(
    r"[\"'(]?(?:\d+(?:[.,:/-]\d+)*[^\W\d_]{0,3}|[^\W\d_]+-?\d{1,4}|\d{4}-\d\d-\d\d\S*)[\"').,;:!?]*"
)


class Secrecy:
    """Looks through a turn once, however many of its sentences are asked about."""

    def __init__(self) -> None:
        self._text: str | None = None
        self._found: tuple[secrets.Finding, ...] = ()
        self._spoken_of = False

    def suspects(self, text: str) -> bool:
        """Whether there is anything in the turn that might have to be left out."""
        self._look_through(text)
        return bool(self._found) or self._spoken_of

    def covers(self, text: str, span: Span) -> bool:
        """Whether a sentence of the turn touches a secret, or might."""
        self._look_through(text)
        if any(found.start < span[1] and span[0] < found.end for found in self._found):
            return True
        sentence = text[span[0] : span[1]]
        if len(sentence) < len(text) and secrets.find(sentence):
            return True
        return self._spoken_of and any(not _PLAIN_MIXED.fullmatch(word[0]) for word in _MIXED.finditer(sentence))

    def _look_through(self, text: str) -> None:
        if text is not self._text:
            self._text, self._found = text, secrets.find(text)
            self._spoken_of = _SPOKEN_OF.search(text) is not None
