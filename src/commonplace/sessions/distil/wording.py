"""A sentence as a statement: without what only leads into it or trails behind it."""

from commonplace.sessions.distil.cues import lead_in


def statement(sentence: str) -> str:
    """The words of a sentence that state something, as they were said."""
    return sentence[lead_in(sentence) :] or sentence
