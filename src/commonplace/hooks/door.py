"""What a hook does: one event in, one answer or nothing out.

It is done well within two seconds (`watch` ends it if it is not), says at most 6,000 characters, and never says why it
kept silent: that is noted in the state folder. Its imports inside functions are those of single moments: a prompt
loads what a recall by words takes and no more.
"""

import gc
import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, Protocol

from commonplace.config import Configuration, load, state_folder
from commonplace.domain.record import replace
from commonplace.engine.caller import system_clock
from commonplace.errors import BookMissing, CommonplaceError
from commonplace.hooks.block import Block
from commonplace.hooks.events import Event, Host, Moment, answer, read
from commonplace.hooks.private import Private
from commonplace.hooks.state import Brought, BroughtSession, State, Trouble, Waiting

LEARNING_SECONDS = 0.7
BUSY_SECONDS = 0.3
INPUT_BYTES = 4_000_000
OUTPUT_CHARACTERS = 6_000
STDIN = 0
CHUNK = 1 << 20
_LEARNT = "Commonplace learnt {} {} from your conversations: 'commonplace review' shows them."


class Answering(Protocol):
    def offer(self, text: str, keep: Callable[[], None]) -> None:
        """A better answer than the one before; `keep` writes down what it brings."""


def main(words: Sequence[str], late: float, offered: Callable[[str], None], said: Callable[[str], None]) -> NoReturn:
    """Do what one call of a hook asks for and end the process.

    Every answer is `offered` as soon as there is one, and the last is `said` at the end, or when it is `late`.
    """
    gc.disable()  # a process of a second leaves its litter to the kernel
    answer = _Answer(offered, said)
    threading.Thread(target=_at, args=(late, answer.say), daemon=True).start()
    try:
        host, store = _understood(words)
        call = Call(State(state_folder() / "hooks"), os.environ, system_clock(), store)
        call.respond(host, _input(), answer)
        answer.say()
    finally:
        os._exit(0)  # whatever was raised: there is nobody to tell, and nothing to tidy up


def _understood(words: Sequence[str]) -> tuple[str, str | None]:
    """The host and the book that are named; a host's settings file may name the book, in whatever order."""
    rest, store = list(words), None
    if "--store" in rest[:-1]:
        place = rest.index("--store")
        store = rest[place + 1]
        del rest[place : place + 2]
    return rest[0] if rest else "", store


def _at(moment: float, work: Callable[[], None]) -> None:
    time.sleep(max(moment - time.monotonic(), 0.0))
    work()


def _input() -> bytes:
    """What the host says, up to what can be of use. The rest is taken too: a host may mind a closed pipe."""
    taken: list[bytes] = []
    size = 0
    while chunk := os.read(STDIN, CHUNK):
        size += len(chunk)
        taken = [*taken, chunk] if size <= INPUT_BYTES else []
    return b"".join(taken)


class _Answer:
    """What is to be said, at most once; the best so far is kept until somebody says it."""

    def __init__(self, offered: Callable[[str], None], said: Callable[[str], None]) -> None:
        self._lock = threading.Lock()
        self._offered, self._said = offered, said
        self._text = ""

    def offer(self, text: str, keep: Callable[[], None]) -> None:
        """A better answer than the one before. What it brings is noted now, since `watch` may say it."""
        if len(text) <= OUTPUT_CHARACTERS:
            with self._lock:
                self._text = text
                self._offered(text)
                with suppress(OSError):
                    keep()

    def say(self) -> None:
        """Say it and end the process."""
        with self._lock:
            self._said(self._text)
            os._exit(0)


class Call:
    """One call of a hook, with the state it goes by, its surroundings and the moment it came."""

    def __init__(self, state: State, surroundings: Mapping[str, str], now: int, store: str | None = None) -> None:
        self.state = state
        self.surroundings = surroundings
        self.now = now
        self.store = store

    def respond(self, named: str, given: bytes, said: Answering) -> None:
        """Do what an event asks for and offer the answer. Nothing is raised: what goes wrong is noted."""
        event: Event | None = None
        try:
            event = self._event(named, given)
            if event is not None and not self.state.paused(self.now):
                self._do(event, said)
        except BookMissing:  # the first conversation that teaches something makes it
            return
        except CommonplaceError as error:
            self.note(named, event, error.message)
        except Exception as error:  # noqa: BLE001 - a door: a host must not notice, and status tells
            self.note(named, event, f"{type(error).__name__} in a hook: run 'commonplace status' and report it.")

    def note(self, named: str, event: Event | None, what: str) -> None:
        """Write down what went wrong, if there is room for that."""
        host, moment = (named[:20], "") if event is None else (event.host.value, event.moment.value)
        with suppress(OSError):
            self.state.trouble(Trouble(self.now, host, moment, what))

    def _event(self, named: str, given: bytes) -> Event | None:
        if named not in set(Host):
            self.note(named, None, f"There are no hooks for '{named[:20]}': name one of {', '.join(Host)}.")
            return None
        try:
            parsed: object = json.loads(given) if given else None
        except (ValueError, RecursionError):
            parsed = None
        if not isinstance(parsed, dict):
            self.note(named, None, "What the host said is not JSON, or too much of it.")
            return None
        return read(Host(named), parsed, self.surroundings)

    def _do(self, event: Event, said: Answering) -> None:
        folder = Path(event.folder) if event.folder and Path(event.folder).is_dir() else Path.cwd()
        configuration = load({"busy_seconds": BUSY_SECONDS, "store": self.store}, folder=folder)
        settings = configuration.settings
        private = Private.of(settings.private_paths, settings.private_patterns)
        if private.covers(str(folder)):
            return
        match event.moment:
            case Moment.START | Moment.PROMPT:
                if self.state.claim(event.key, self.now):
                    Bringing(self, event, configuration, private, said).do()
            case _:
                if settings.capture != "off":
                    self._capture(event, folder, configuration)

    def _capture(self, event: Event, folder: Path, configuration: Configuration) -> None:
        """Note that a conversation has grown and, unless the person wants to be asked, keep its new turns."""
        from commonplace.hooks.transcripts import source_of

        source = source_of(event.host, event.transcript, event.session, configuration.project_root)
        if source is None:
            return
        place = (str(folder), event.transcript, configuration.store)
        waiting = Waiting(event.session, source.host.value, *place, self.now)
        self.state.wait(waiting)
        if configuration.settings.capture == "on" and source.is_short:
            from commonplace.hooks.capture import append_at_once

            append_at_once(waiting, configuration)


class Bringing:
    """Something to be brought before the model, at a start or with a prompt."""

    def __init__(
        self, call: Call, event: Event, configuration: Configuration, private: Private, said: Answering
    ) -> None:
        self.call = call
        self.event = event
        self.configuration = configuration
        self.private = private
        self.said = said
        before = call.state.session(event.session)
        fresh = BroughtSession(event.session, event.host.value, event.folder, call.now, call.now, 0)
        self.session = fresh if before is None else replace(before, at=call.now)
        self.is_kept = False
        if event.moment is Moment.START and event.source != "resume":
            self.session = replace(self.session, since=call.now)

    @property
    def known(self) -> frozenset[str]:
        """What the model has before it already."""
        return frozenset(each.id for each in self.session.brought if each.at >= self.session.since)

    @property
    def wanted(self) -> bool:
        """Whether the person wants something brought at this moment, and the host can."""
        return self.event.takes_context and self.configuration.settings.inject in ("both", self.event.moment.value)

    def do(self) -> None:
        """Bring what is there; at a start, learn first from what waits."""
        if self.event.moment is Moment.START:
            self._start()
        elif self.wanted:
            self._prompt()

    def _start(self) -> None:
        if self.configuration.settings.capture == "on" and self.call.state.waiting(self.configuration.store):
            from commonplace.hooks.capture import catch_up_quickly

            try:
                catch_up_quickly(LEARNING_SECONDS, self.call.state, self.configuration)
            except CommonplaceError as error:  # what cannot be learnt from now waits on
                self.call.note(self.event.host.value, self.event, error.message)
        learnt = self.call.state.take_learnt()
        note = _LEARNT.format(learnt, "thing" if learnt == 1 else "things") if learnt else ""
        self.offer(Block(), note)
        if self.wanted:
            from commonplace.book.reader import BookReader
            from commonplace.hooks.at_start import for_start

            with BookReader.open(configuration=self.configuration, create=False) as book:
                self.offer(for_start(book, self.private, self.known), note)

    def _prompt(self) -> None:
        from commonplace.book.reader import BookReader
        from commonplace.domain.query import Mode
        from commonplace.hooks.at_prompt import for_prompt, get_ready, read_vectors

        prompt = self.event.prompt
        if "<" in prompt:  # few prompts have what hosts put around them
            from commonplace.sessions.transcripts.spoken import own_words
            from commonplace.sessions.transcripts.turns import Speaker

            prompt = own_words(Speaker.USER, prompt)
        with BookReader.open(configuration=self.configuration, create=False) as book:
            self.offer(for_prompt(book, prompt, self.private, self.known, Mode.WORDS))
            if book.embedder is None:
                return
            get_ready(book.embedder)  # not before there is an answer: what hangs in a library may hang all of it
            read_vectors(book)
            self.offer(for_prompt(book, prompt, self.private, self.known, Mode.AUTO))

    def offer(self, block: Block, note: str = "") -> None:
        """Offer what was found, and with it the note that it was brought."""
        now = self.call.now
        cost = [(piece, len(piece.line) // 4 + 1) for piece in block.pieces]
        brought = (Brought(now, self.event.moment.value, piece.id, piece.why, tokens) for piece, tokens in cost)
        session = replace(
            self.session, tokens=self.session.tokens + block.tokens, brought=(*self.session.brought, *brought)
        )
        self.is_kept = self.is_kept or bool(block.pieces) or self.event.moment is Moment.START
        keep = (lambda: self.call.state.keep_session(session)) if self.is_kept else (lambda: None)
        self.said.offer(answer(self.event, block.text, note), keep)
