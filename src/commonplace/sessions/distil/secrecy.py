"""Which sentences of a turn are left out because a secret stands in them, or may."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from commonplace import secrets
from commonplace.secrets.regex import pattern
from commonplace.sessions.distil.prose import Span

# A turn that speaks of a secret by one of these names may hold it in another sentence, where no rule sees it.
# In RE2, which reads a megabyte in the time that `re` takes for a page.
_SPOKEN_OF = (
    r"pass(?:word|phrase|code|wort)|\bpass\b|\bpins?\b|kennwort|credential|zugangsdaten|contraseña|\bclave|mot de passe"
    r"|schlüssel|\bchiav[ei]\b|\bchaves?\b|\bllaves?\b|\bclés?\b|\btokens?\b|secret|geheim|api[ -_]?key|private key"
    r"|\bpwd?\b|\blogin\b|\bsenha\b|wachtwoord|密码|密碼|口令|パスワード|暗証"
)
_WORD = re.compile(r"\S{6,}+")
_UNQUOTED = re.compile(r"[^`]{6,}+")
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_PLAIN_MIXED = re.compile(
    r"[\"'(]?(?:\d+(?:[.,:/-]\d+)*[^\W\d_]{0,3}|[^\W\d_]+-?\d{1,4}|\d{4}-\d\d-\d\d\S*)[\"').,;:!?]*"
)


class Secrecy:
    """Looks through a turn once, however many of its sentences are asked about."""

    def __init__(self) -> None:
        self._text: str | None = None
        self._found: tuple[secrets.FoundSecret, ...] = ()
        self._spoken_of = False

    def suspects(self, text: str) -> bool:
        """Whether there is anything in the turn that might have to be left out."""
        self._look_through(text)
        return bool(self._found) or self._spoken_of

    def covers(self, text: str, span: Span) -> bool:
        """Whether a sentence of the turn touches a secret, or might."""
        self._look_through(text)
        first = bisect_right(self._found, span[0], key=lambda found: found.end)
        if first < len(self._found) and self._found[first].start < span[1]:
            return True
        sentence = text[span[0] : span[1]]
        if len(sentence) < len(text) and secrets.find(sentence):
            return True
        return self._spoken_of and any(not _PLAIN_MIXED.fullmatch(word) for word in _mixed_words(sentence))

    def _look_through(self, text: str) -> None:
        if text is not self._text:
            self._text, self._found = text, secrets.find(text)
            lowered = text.lower().encode("utf-8", "replace")
            self._spoken_of = pattern(_SPOKEN_OF).search(lowered) is not None


def _mixed_words(text: str) -> Iterator[str]:
    """Stretches of six characters or more with a digit and a letter in them, or behind them in the same word."""
    for word in _WORD.findall(text):
        last = min(_last(_DIGIT, word), _last(_LETTER, word))
        for stretch in _UNQUOTED.finditer(word):
            if stretch.start() <= last:
                yield stretch[0]


def _last(pattern: re.Pattern[str], word: str) -> int:
    """Where the last one of its kind stands, -1 if there is none."""
    return max((found.start() for found in pattern.finditer(word)), default=-1)
