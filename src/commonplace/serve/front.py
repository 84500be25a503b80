"""The front: hears a host and speaks to it from the first moment, and answers its first words before a server is there.

It reads the wire on a thread of its own, which never waits for the event loop and so always hears the end. Lines that
`opening` cannot answer wait, in their order, until the server takes over; from then on it only hands them on.
"""

import threading
from functools import cache
from queue import SimpleQueue

from commonplace.serve.opening import Opening, answers_of
from commonplace.serve.wire import Wire, claim, exit_after_grace, leave

TYPE_CHECKING = False  # what `typing` calls by this name, without its import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

LINE_LIMIT = 16 * 1024 * 1024
SKIPPED_AT_ONCE = 65_536
LINE_COST_BYTES = 256  # what the shortest line takes while it waits
WAITING_LIMIT_BYTES = 2 * LINE_LIMIT  # lines that wait for the server; more are read when it is there
MESSAGES_LIMIT = 1_024  # messages of a host that are under way; further ones are read when an answer has left
HANG_UP_CHECK_SECONDS = 0.25  # how often whoever waits for that looks whether the host is still there
LAST_WORDS_SECONDS = 1.2  # a host that has hung up still gets the answers that come this soon
FIRST_WORDS_SECONDS = 0.05  # the host's first words come at once, or the server need not wait for them


class Heard:
    """A line of the host's, and whether it has been answered already. Of one that is too long nothing is kept."""

    def __init__(self, line: bytes, answered: bool = False, too_long: bool = False) -> None:
        self.line = line
        self.answered = answered
        self.too_long = too_long


class Voice:
    """Says lines to the host in the order they were given, on a thread of its own: nobody else waits for the host."""

    def __init__(self, writer: "BinaryIO") -> None:
        self._writer = writer
        self._lines: SimpleQueue[tuple[bytes, Callable[[], None]] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="stdout", daemon=True)
        self._thread.start()
        self.on_unheard: Callable[[], None] = leave

    def say(self, line: bytes, then: "Callable[[], None]") -> None:
        """Say a line when its turn comes, and do what is to be done once it was said."""
        self._lines.put((line, then))

    def finish(self, seconds: float) -> None:
        """Say what is left to be said, in so many seconds and not longer."""
        self._lines.put(None)
        self._thread.join(seconds)

    def _run(self) -> None:
        while entry := self._lines.get():
            line, then = entry
            try:
                self._writer.write(line)
                self._writer.flush()
            except OSError:  # a host that stopped reading has gone
                self.on_unheard()
                return
            then()


class Front:
    """The one reader of a wire. `voice` is the one that writes it, and `room` what bounds the messages under way."""

    def __init__(self, wire: Wire, opening: Opening, limit: int = MESSAGES_LIMIT) -> None:
        self.limit = limit
        self.room = threading.Semaphore(limit)
        self.voice = Voice(wire.writer)
        self._wire = wire
        self._opening = opening
        self._listed = threading.Event()
        self._turn = threading.Condition()
        self._waiting: list[Heard] = []
        self._held = 0
        self._owed = False
        self._ended = False
        self._hand_on: Callable[[Heard], None] | None = None
        self._hang_up: Callable[[], None] = leave
        threading.Thread(target=self._listen, name="stdin", daemon=True).start()

    def wait_for_first_words(self) -> None:
        """Return when the host has its lists or wants something else, and soon in any case."""
        self._listed.wait(FIRST_WORDS_SECONDS)

    def hand_over(self, hand_on: "Callable[[Heard], None]", hang_up: "Callable[[], None]") -> None:
        """Hand on what waits, and from now on every line; tell when the host has hung up. May wait for room."""
        with self._turn:
            for heard in self._waiting:
                hand_on(heard)
            self._waiting.clear()
            self._hand_on, self._hang_up = hand_on, hang_up
            self._turn.notify_all()
        if self._ended:
            self._go()

    def take_room(self) -> None:
        """Wait until one more message may be under way. When the host has gone, little is left to come."""
        while not self.room.acquire(timeout=HANG_UP_CHECK_SECONDS):
            if self._wire.has_hung_up():
                break

    # -- on the reading thread ---------------------------------------------------------------

    def _listen(self) -> None:
        try:
            for heard in self._lines():
                self._hear(heard)
        finally:  # a server that cannot hear is of no use to anybody
            self._end()

    def _lines(self) -> "Iterator[Heard]":
        reader = self._wire.reader
        while line := reader.readline(LINE_LIMIT + 1):
            if len(line) > LINE_LIMIT:
                ended = line.endswith(b"\n")
                del line  # it is held no longer than it takes to see that it is too long
                while not ended:
                    part = reader.readline(SKIPPED_AT_ONCE)
                    ended = not part or part.endswith(b"\n")
                yield Heard(b"", too_long=True)
            elif line.strip():
                yield Heard(line)

    def _hear(self, heard: Heard) -> None:
        with self._turn:
            if self._hand_on is None:
                self._meet(heard)
                return
        self._hand_on(heard)

    def _meet(self, heard: Heard) -> None:
        """Answer, or keep for the server; the request that opens the connection is for both of them."""
        told = self._opening.hear(heard.line)
        if told.answer is not None:
            self.take_room()
            self.voice.say(told.answer, self.room.release if told.opens else self._lists_are_out)
        if told.answer is None or told.opens:
            self._waiting.append(Heard(heard.line, told.answer is not None, heard.too_long))
            self._held += len(heard.line) + LINE_COST_BYTES
        if told.answer is None and told.asks:
            self._owed = True
            self._listed.set()
        while self._hand_on is None and self._held > WAITING_LIMIT_BYTES:
            self._turn.wait()

    def _lists_are_out(self) -> None:
        self.room.release()
        self._listed.set()

    def _end(self) -> None:
        with self._turn:
            self._ended = True
            if self._hand_on is None and self._owed:
                return  # what was asked is answered first, once the server is there
        self._listed.set()
        self._go()

    def _go(self) -> None:
        if self._hang_up is leave:
            self.voice.finish(LAST_WORDS_SECONDS)
            leave()
        self._hang_up()
        exit_after_grace()


def begin_early(dialect: str) -> None:
    """Let the host have what is known before anything else is looked at, if this dialect's answers are."""
    if answers_of(dialect):
        begin(dialect).wait_for_first_words()


@cache
def begin(dialect: str) -> Front:
    """The front of this process, for the one host it has: made by whoever first asks for it."""
    return Front(claim(), Opening(answers_of(dialect)))
