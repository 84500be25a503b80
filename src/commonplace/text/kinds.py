"""What sort of thing a short statement says, where its words leave no doubt: a liking, a rule, a decision, a task.

The judge of whole conversations knows far more, and takes as long to load as everything else that remembering needs.
"""

from typing import Literal

Guess = Literal["preference", "instruction", "decision", "task", "learning"]

LENGTH_LIMIT = 400
"""Of a longer text no single word tells what it is."""

_BEGINNINGS: tuple[tuple[Guess, tuple[str, ...]], ...] = (
    ("task", ("todo", "to do", "remind me", "reminder", "follow up", "we need to", "i need to", "we still need to")),
    ("task", ("wir müssen noch", "ich muss noch", "erinnere mich", "recuérdame", "rappelle-moi")),
    ("instruction", ("always", "never", "don't", "do not", "please always", "please never", "make sure to")),
    ("instruction", ("immer", "nie", "niemals", "siempre", "nunca", "toujours", "ne jamais", "sempre", "non usare")),
    ("learning", ("it turns out", "turns out", "lesson learned", "lesson learnt", "i learned that", "i learnt that")),
    ("learning", ("we learned that", "we learnt that")),
)
_ANYWHERE: tuple[tuple[Guess, tuple[str, ...]], ...] = (
    (
        "decision",
        ("we decided", "i decided", "was decided", "have decided", "we agreed to", "we chose", "we settled on"),
    ),
    ("decision", ("wir haben entschieden", "haben beschlossen", "decidimos", "nous avons décidé", "abbiamo deciso")),
    (
        "preference",
        ("i prefer", "prefers", "we prefer", "prefer to", "i'd rather", "would rather", "i like", "user likes"),
    ),
    ("preference", ("i dislike", "i hate", "favourite", "favorite", "ich bevorzuge", "bevorzugt", "ich mag", "lieber")),
    ("preference", ("prefiero", "prefiere", "je préfère", "préfère", "preferisco", "preferisce", "prefiro", "prefere")),
)
_MARKS = '.,;:!()[]"“”«»*-'


def guessed_kind(text: str) -> Guess | None:
    """The kind that its words speak for; None for most texts, which are facts, and for questions."""
    if len(text) > LENGTH_LIMIT or text.rstrip().endswith("?"):
        return None
    words = [word.strip(_MARKS) for word in text.casefold().replace("’", "'").split()]
    said = f" {' '.join(filter(None, words))} "
    for kind, phrases in _BEGINNINGS:
        if any(said.startswith(f" {phrase} ") for phrase in phrases):
            return kind
    for kind, phrases in _ANYWHERE:
        if any(f" {phrase} " in said for phrase in phrases):
            return kind
    return None
