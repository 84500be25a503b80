"""A sentence as a statement: without what only leads into it or trails behind it."""

import re

from commonplace.sessions.distil.cues import asking_to_note, is_unspaced, lead_in
from commonplace.sessions.distil.frames import without_frames

FEWEST_WORDS, FEWEST_LETTERS = 2, 4
EDGES = 4  # times that something is taken off, in front and behind

_PLEASE = r"(?:please|pls|plz|bitte|por favor|s'il te plaît|s'il vous plaît|stp|svp|per favore|alsjeblieft)"
# What asks for something to be remembered, in front of what is to be remembered.
_WISH = re.compile(
    rf"""(?:{_PLEASE},?\s+)?(?:
        note\ to\ self
      | (?:remember|note|memori[sz]e|don'?t\ forget|(?:save|store)(?=[:,]|\ (?:for\ |this\b|that\b)))
        (?:\ (?:for\ later|for\ next\ time|for\ the\ future|this|that|down))?
      | (?:keep|bear)\ in\ mind(?:\ for\ [\w\ ]{{1,30}})?(?:\ that)? | for\ the\ record
      | for\ future\ reference | fyi
      | for\ your\ (?:information|memory) | by\ the\ way | (?:small\ |quick\ )?correction | one\ more\ thing
      | merk(?:e)?\ dir | notier(?:e)?\ (?:dir)? | vergiss\ nicht | denk\ (?:dran|daran) | zur\ info
      | für\ später | korrektur
      | (?:recuerda|acuérdate\ de|apunta|apúntate|anota|ten\ en\ cuenta|no\ olvides) | corrección | que\ conste
      | (?:retiens|souviens-toi|rappelle-toi|note|garde\ en\ tête|n'oublie\ pas|sache) | pour\ info | correction
      | (?:lembra|lembre(?:-se)?|anota|anote|guarda|não\ esque(?:ce|ça))(?:\ (?:disso|isso|aí|de))? | correção
      | (?:ricorda(?:ti)?|segnati|annota|tieni\ (?:a\ mente|presente)|non\ dimenticare) | correzione
      | onthoud | vergeet\ niet
    )(?:,?\s+{_PLEASE})?\s*(?:[:,–—-]\s*|\s)(?:(?:that|dass|que|che|dat)\s+|qu'|:\s*)?""",
    re.IGNORECASE | re.VERBOSE,
)
_WISH_UNSPACED = re.compile(
    r"(?:请|帮我|麻烦)?(?:记住|记一下|记下|记着|记得|注意|备忘|更正|别忘了)(?:了|一下|这个|这点)?[，,：:、\s]*"
    r"|(?:覚えておいて(?:ください|ね)?|メモして|訂正)[、。:：\s]+"
)
_BEHIND = re.compile(
    r"(?<![\s,;–—-])[\s,;–—-]{1,8}(?:btw|by the way|tbh|lol|haha|ok|okay|thanks|thx|thank you|please|pls"
    r"|bitte|danke|por favor|gracias|stp|svp|merci"
    r"|obrigad[oa]|grazie|per favore|(?:please )?remember (?:that|this)|note that|merk dir das(?: bitte)?"
    r"|recuérdalo|retiens-le"
    r"|lembra disso|ricordatelo)(?P<mark>[.!…]{0,8})$",
    re.IGNORECASE,
)
_SMILES = re.compile(r"(?<![\s\U0001F300-\U0001FAFF☀-➿\uFE0F])[\s\U0001F300-\U0001FAFF☀-➿\uFE0F]+$")


def statement(sentence: str) -> str:
    """The words of a sentence that state something, as they were said; all of them where too few would be left."""
    found = _SMILES.sub("", sentence)
    if asked := asking_to_note(found):
        found = found[asked:].rstrip(" ?？")
    for _ in range(EDGES):
        shorter = _without_lead(without_frames(_without_trail(found)))
        if shorter == found or not _says_something(shorter):
            break
        found = shorter
    return found if _says_something(found) else sentence


def _without_lead(text: str) -> str:
    text = text[lead_in(text) :]
    wish = (_WISH_UNSPACED if is_unspaced(text) else _WISH).match(text)
    return text[wish.end() :] if wish else text


def _without_trail(text: str) -> str:
    trail = _BEHIND.search(text, max(0, len(text) - 40))
    return text[: trail.start()] + trail["mark"] if trail else text


def _says_something(text: str) -> bool:
    return len(text.split()) >= FEWEST_WORDS or (is_unspaced(text) and len(text) >= FEWEST_LETTERS)
