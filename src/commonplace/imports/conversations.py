"""Files with conversations: looked through to their end before any is saved, so that one that is damaged gives none."""

from pathlib import Path

from commonplace.domain.record import Record
from commonplace.errors import InvalidInput
from commonplace.sessions.transcripts import read_conversations
from commonplace.sessions.transcripts.reading import NONE_OF_THESE

NOT_READ = "it is JSON, but in none of the formats we read ('commonplace import --help' names them)"


class Talks(Record):
    """How many conversations a file has, and how many turns they have together."""

    conversations: int = 0
    turns: int = 0


def look(path: Path) -> Talks:
    """What a file holds; InvalidInput where it is no transcript or export that can be read to its end."""
    conversations = turns = 0
    try:
        for each in read_conversations(path):
            said = sum(1 for _ in each.turns)
            conversations += said > 0
            turns += said
    except InvalidInput as error:
        raise InvalidInput(NOT_READ if error.message == NONE_OF_THESE else error.message) from None
    if not turns:
        raise InvalidInput("nobody says anything in it")
    return Talks(conversations, turns)
