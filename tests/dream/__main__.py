"""Dreams in processes of their own: `python -m tests.dream NOW` forks one for each path it reads.

It says the child's process id at once, and how the dream ended, or that the child was killed.
"""

import os
import sys
from pathlib import Path

from commonplace.book.book import Book
from commonplace.dream import Limits
from commonplace.errors import CommonplaceError
from commonplace.store.sqlite import SqliteStore
from tests.faults.workshop import say


def dream(path: str, now: int) -> list[str]:
    with Book.over(SqliteStore(Path(path)), clock=lambda: now) as book:
        try:
            run = book.dreams.run(Limits(edits=1_000))
            return [run.status.value, run.id]
        except CommonplaceError as error:
            return ["refused", error.message]


def main(now: int) -> None:
    say("ready")
    for line in sys.stdin:
        child = os.fork()
        if not child:
            say(dream(line.strip(), now))
            os._exit(0)
        say(child)
        _, status = os.waitpid(child, 0)
        say(["ended", os.waitstatus_to_exitcode(status)])


if __name__ == "__main__":
    main(int(sys.argv[1]))
