"""What a host says of a task, as queries: the end of it counts as much as its beginning."""

from commonplace.text import collapse
from commonplace.text.pieces import pieces as cut

QUERY_LENGTH = 500  # of what is shown
PIECE_LENGTH = 160  # of what is looked up: to a model, a longer text is a little about everything
ENDS = 6  # how many pieces from either end are looked up; what lies between is mostly what was pasted in
_ELISION = " … "


def concise(context: str) -> str:
    """One query to show: the whole task where it is short, else its beginning and its end."""
    text = collapse(context)
    if len(text) <= QUERY_LENGTH:
        return text
    room = (QUERY_LENGTH - len(_ELISION)) // 2
    head, tail = text[:room].rpartition(" ")[0] or text[:room], text[-room:].partition(" ")[2] or text[-room:]
    return f"{head}{_ELISION}{tail}"


def pieces(context: str) -> list[str]:
    """The task in pieces that are short enough to be about one thing: all of them, or those from either end."""
    return cut(context, PIECE_LENGTH, ENDS)
