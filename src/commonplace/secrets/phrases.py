"""Secrets made of ordinary words: wallet seed phrases and passphrases, recognised by how they are introduced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from commonplace.secrets.detector import Detector, FoundSecret
from commonplace.secrets.form import Form
from commonplace.secrets.regex import pattern

SHORTEST_SEED_WORDS: Final = 12

_SEED_NAMES: Final = (
    r"(?:seed|recovery|backup|mnemonic|wallet|secret) ?(?:recovery )?(?:phrases?|words?|seeds?|key)"
    r"|mnemonics?|\bseed\b|bip-?39|(?:12|15|18|21|24|twelve|twenty-four)[- ]words?|wiederherstellungs(?:phrase|wörter)"
    r"|phrase (?:de )?(?:récupération|secrète|seed)|frase (?:semilla|de recuperación|seme|di recupero|de recuperação)"
    r"|herstelzin|助记词|助記詞|シードフレーズ|リカバリーフレーズ|시드 ?(?:구문|문구)|복구 ?구문"
)
# Wallets print the words in rows, with commas, or numbered.
_SEED: Final = (
    rf"(?:{_SEED_NAMES})[^\n]{{0,60}}?[^a-z]((?:(?:\d{{1,2}}[.):]? ?)?[a-z]{{3,8}}[ ,;\r\n\t]{{1,3}}){{11,29}}"
    r"(?:\d{1,2}[.):]? ?)?[a-z]{3,8})(?:[^a-z]|$)"
)
# None of these is in the BIP-39 list, and no sentence of twelve words goes without one.
_NOT_IN_SEEDS: Final = frozenset(
    b"the and for are was were not but his her has had its our their from have been which would could should your"
    b" does did who with und der die das ist nicht mit von les des une est pas dans pour que los las por con"
    b" para".split()
)

_PASSPHRASE: Final = (
    r"(?:pass ?phrase|passwords?|mot de passe|passwort|kennwort|contraseña|senha|wachtwoord|diceware)"
    r"(?: (?:for|to|of|on) [^.;:=\n]{1,50}?)?(?: is| was| =|:| ist| lautet| est| es| é| è)(?: now)?:? "
    r"[\"'`]?((?:[a-z]{3,10}[ -]){3,9}[a-z]{3,10})[\"'`]?(?:[.,;!\n]|$)"
)
# What a sentence about a password is made of, and a drawn word list hardly ever is.
_DESCRIBING: Final = _NOT_IN_SEEDS | frozenset(
    b"must can may because while each per without stored never always kept only when before after until into also"
    b" than then that this these those them they there here where using used uses shared rotated required encrypted"
    b" hashed generated changed sent saved set needs need least long characters digits letters too very easy hard weak"
    b" strong same different known unknown written every all any more less about between somewhere nowhere anywhere"
    b" still now again soon currently yet end safe file vault password passwords nobody everyone someone anyone".split()
)


def _seed_phrases(form: Form) -> Iterator[FoundSecret]:
    for match in pattern(_SEED).finditer(form.lowered):
        start, end = match.span(1)
        words = [word.group() or b"" for word in pattern(r"[a-z]+").finditer(form.lowered[start:end])]
        if _longest_run(words) >= SHORTEST_SEED_WORDS:
            yield FoundSecret("seed_phrase", start, end)


def _longest_run(words: list[bytes]) -> int:
    longest = run = 0
    for word in words:
        run = 0 if word in _NOT_IN_SEEDS else run + 1
        longest = max(longest, run)
    return longest


def _passphrases(form: Form) -> Iterator[FoundSecret]:
    for match in pattern(_PASSPHRASE).finditer(form.lowered):
        start, end = match.span(1)
        words = form.lowered[start:end].replace(b"-", b" ").split()
        if not _describes(words):
            yield FoundSecret("passphrase", start, end)


def _describes(words: list[bytes]) -> bool:
    if words[0].endswith((b"ed", b"able", b"ing", b"ible")):
        return True
    return any(word in _DESCRIBING or (len(word) > 4 and word.endswith(b"ly")) for word in words)


DETECTORS: Final[tuple[Detector, ...]] = (
    Detector(_SEED_NAMES, _seed_phrases),
    Detector(
        r"pass ?phrase|password|mot de passe|passwort|kennwort|contraseña|senha|wachtwoord|diceware", _passphrases
    ),
)
