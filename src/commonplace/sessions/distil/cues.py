"""What words tell about a sentence: a table of cues for each language, and the one pass that looks them up.

A cue is a word or a phrase. All languages are looked up at once: people mix them, and a word
that means something else in another language is left out of the table instead. Chinese and Japanese are written
without blanks: their cues are looked for anywhere in the sentence.
"""

import re
from functools import cache

from commonplace.sessions.distil.cues_against import CUES_AGAINST
from commonplace.sessions.distil.cues_for import CUES_FOR
from commonplace.sessions.distil.cues_told import CUES_TOLD
from commonplace.sessions.distil.signs import Cues, Sign

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
UNSPACED_LANGUAGES = ("zh", "ja")
LETTERS_PER_WORD = 2  # of a script that is written without blanks

# A question only by its form: it asks for what it says to be remembered.
_ASKS_TO_NOTE = re.compile(
    r"""(?:(?:can|could|would|will)\ (?:you|u)\ (?:please\ |pls\ |maybe\ |mind\ ){0,2}
        (?:remember|note|keep|hold|make|save|store|bear|jot|write|take)(?:ing|ting)?\b[^?,:]{0,40}?\bthat
      | (?:kannst|könntest|würdest)\ du\ (?:dir\ )?(?:bitte\ )?[^?,:]{0,30}?
        (?:merken|behalten|notieren|aufschreiben|ablegen|speichern|abspeichern|festhalten),?\ dass
      | (?:me\ )?(?:puedes|podrías)\ (?:recordar|tener|anotar|apuntar|guardar|memorizar)[^?,:]{0,24}?\ que
      | (?:tu\ peux|peux-tu|tu\ pourrais|pourrais-tu)\ (?:retenir|noter|garder|te\ souvenir|mémoriser)[^?,:]{0,24}?\ que
      | (?:puoi|potresti)\ (?:ricordar(?:ti)?|tenere|tener|annotar(?:ti|e)?|segnar(?:ti|e)?|memorizzare)
        [^?,:]{0,24}?\ che
      | (?:(?:você\ )?pode|consegue|dá\ p(?:ra|ara))\ (?:lembrar|anotar|guardar|ter|memorizar)[^?,:]{0,24}?\ que
    )\s+(?=\S+\s+\S)""",
    re.IGNORECASE | re.VERBOSE,
)

TABLE: Cues = {**CUES_FOR, **CUES_TOLD, **CUES_AGAINST}

# As people type, and as the table writes it.
_CHAT = dict(
    pair.split()
    for pair in """dont don't|doesnt doesn't|didnt didn't|cant can't|wont won't|isnt isn't|arent aren't|wasnt wasn't|
    shouldnt shouldn't|couldnt couldn't|im i'm|ive i've|thats that's|whats what's|theres there's|youre you're|
    theyre they're|lets let's|havent haven't|hasnt hasn't|mustnt mustn't|u you|ur your|pls please|plz please|
    bc because|cuz because|tmrw tomorrow|abt about|hab habe|nen einen|vc você|pq porque|q que|jai j'ai""".split("|")
)

# What an assistant begins with that takes note of what it was just told.
ACKNOWLEDGEMENTS = """
    noted, understood, good to know, clear, will do, got it, of course, deal, that's important, okay i'll, ok
    i'll, from now on, thanks that, thank you for, i'll keep, i'll remember, makes sense, agreed, verstanden,
    notiert, vermerkt, danke das, alles klar, ist notiert, gut zu wissen, merke ich mir, in ordnung, entendido,
    anotado, apuntado, de acuerdo, tomo nota, noté, c'est noté, promis, compris, bien reçu, entendu, je note,
    d'accord, anotei, combinado, annotato, ricevuto, capito
"""

# Words that only lead into a sentence; a denial does so only with a stop behind it ("no lavender" is not one).
LEADING = """ok okay yes yeah yep oh ah hm hmm so and but well right also then hi hey hello wait btw lol ngl tbh anyway
    alright sorry plus morning next
    ja na ach und aber dann übrigens hallo moin servus moment
    sí vale y pero pues bueno hola buenas entonces oye perdona
    oui et mais donc alors bon salut coucou voilà attends bah
    oi olá então mas bom aliás ah
    ciao sì allora beh comunque"""
DENIALS = "no nope nah nein nee ne non não 不对 不是 いや いいえ 違う"

# The first word of a sentence that leans on the one before it.
LEANING = frozenset(
    """it it's its that that's this these those they they're he he's she she's there's which so then
    das es dies diese die der er sie dann
    eso esto esa ese lo él ella
    ça c'est cela ce il elle ils elles
    isso isto ele ela questo quello""".split()
)


def words(text: str) -> list[str]:
    """The words of a sentence, as the table writes them."""
    return [_CHAT.get(word, word) for word in _WORD.findall(text.lower().replace("’", "'"))]


def is_unspaced(text: str) -> bool:
    """Whether it holds words of a script that is written without blanks."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def length(text: str, said: list[str]) -> int:
    """How many words it has; where none are told apart, by its letters."""
    if text.isascii():
        return len(said)
    letters = len(_UNSPACED.findall(text))
    return len(said) + letters // LETTERS_PER_WORD if letters else len(said)


def lead_in(sentence: str) -> int:
    """How much of a sentence only leads into it."""
    found = _lead_in().match(sentence)
    return found.end() if found else 0


def asking_to_note(sentence: str) -> int:
    """How much of a sentence is a question whether something may be remembered, in front of what that is."""
    found = _ASKS_TO_NOTE.search(sentence)
    return found.end() if found else 0


def denies(sentence: str) -> bool:
    """Whether it begins with a no to what was said before."""
    return _denial().match(sentence) is not None


@cache
def _lead_in() -> re.Pattern[str]:
    leading, denials = "|".join(LEADING.split()), "|".join(DENIALS.split())
    return re.compile(rf"(?:(?:(?:{leading})\b[\s,.:;!…-]*|(?:{denials})\s?[,.:;!…，、。-]+\s*))+", re.IGNORECASE)


@cache
def _denial() -> re.Pattern[str]:
    leading, denials = "|".join(LEADING.split()), "|".join(DENIALS.split())
    return re.compile(
        rf"(?:(?:{leading})\b[\s,.:;!…-]*)*(?:{denials})(?:\s(?:no|nein|non|não)\b)?\s?[,.:;!，、。]", re.IGNORECASE
    )


def find(found: list[str], sentence: str = "") -> dict[Sign, int]:
    """The signs among these words, each with the place of the first word that tells it.

    The "now" of "from now on" tells of no moment.
    """
    table = _phrases()
    signs: dict[Sign, int] = {}
    for_good = -1
    for place, word in enumerate(found):
        for rest, sign in table.get(word, ()):
            if rest and tuple(found[place + 1 : place + 1 + len(rest)]) != rest:
                continue
            if sign is Sign.STANDING:
                for_good = max(for_good, place + len(rest))
            if sign not in signs and (sign is not Sign.MOMENT or place > for_good):
                signs[sign] = place
    if is_unspaced(sentence):
        for sign, pattern in _unspaced().items():
            told = pattern.search(sentence)
            if told and sign not in signs:
                signs[sign] = 0
    return signs


def may_tell(sign: Sign, found: list[str], sentence: str = "") -> bool:
    """Whether any of these words could begin a cue of that sign: a quick look before `find`."""
    if not _first_words(sign).isdisjoint(found):
        return True
    return is_unspaced(sentence) and sign in _unspaced() and _unspaced()[sign].search(sentence) is not None


@cache
def _first_words(sign: Sign) -> frozenset[str]:
    return frozenset(words(phrase)[0] for phrase in ",".join(TABLE[sign].values()).split(","))


@cache
def _unspaced() -> dict[Sign, re.Pattern[str]]:
    found = {}
    for sign, languages in TABLE.items():
        phrases = [each.strip() for name in UNSPACED_LANGUAGES for each in languages.get(name, "").split(",")]
        if any(phrases):
            found[sign] = re.compile("|".join(re.escape(each) for each in phrases if each))
    return found


def acknowledges(text: str) -> bool:
    """Whether an answer begins by taking note of what was said before it."""
    start = " ".join(words(text[:60])) + " "
    return start.startswith(_acknowledgements())


@cache
def _acknowledgements() -> tuple[str, ...]:
    return tuple(" ".join(words(phrase)) + " " for phrase in ACKNOWLEDGEMENTS.split(","))


@cache
def _phrases() -> dict[str, tuple[tuple[tuple[str, ...], Sign], ...]]:
    table: dict[str, set[tuple[tuple[str, ...], Sign]]] = {}
    for sign, languages in TABLE.items():
        for phrase in ",".join(languages.values()).split(","):
            first, *rest = words(phrase)
            table.setdefault(first, set()).add((tuple(rest), sign))
    return {word: tuple(sorted(phrases)) for word, phrases in table.items()}
