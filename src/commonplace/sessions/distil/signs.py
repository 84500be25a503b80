"""What can be told about a sentence, and what it is a sign of."""

from collections.abc import Mapping
from enum import StrEnum

Cues = Mapping["Sign", Mapping[str, str]]
"""For each sign the words and phrases that tell it, by language."""


class Sign(StrEnum):
    """What can be told about a sentence, and what it is a sign of. Those with a row in `TABLE` are told by words."""

    RULE = "a standing rule"
    EXCLUSION = "something ruled out"
    NEED = "something that must be"
    ADDRESS = "said to the assistant"
    ORDER = "an order"
    TASK = "something to be done later"
    DATE = "a date"
    DAY = "a certain day"
    REASON = "a reason"
    CAUSE = "what something came from"
    DECISION = "a decision"
    PREFERENCE = "a liking"
    PERSONAL = "about the speaker or their people"
    BOUND = "a limit"
    SETTING = "what the work is about"
    STATE = "how something is arranged"
    NUMBER = "a number"
    NAME = "a name"
    LONG = "a full sentence"
    ACKNOWLEDGED = "the assistant took note"
    LISTED = "a box to tick"

    CHATTER = "chatter"
    HEDGE = "a guess"
    HYPOTHESIS = "a hypothesis"
    REQUEST = "a request of the moment"
    PROGRESS = "progress of the session"
    MOMENT = "only true now"
    TROUBLE = "a problem under discussion"
    REPORTED = "somebody else's words"
    TAKEN_BACK = "taken back"
    RETRACTED = "not to be kept"
    LEANING = "about what was just said"
    OPENING = "the first turn, which says what is wanted now"
    TRAILING = "an unfinished sentence"
    SHORT = "few words"
    SHORTER = "fewer words"
    SHORTEST = "hardly a word"
