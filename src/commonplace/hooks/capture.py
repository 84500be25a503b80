"""What was said, on its way into the book: kept at once by its words, learnt from later.

At the end of a turn the new turns are appended and the conversation is noted in the state folder. At the next start,
in an idle server or by `commonplace catch-up` it is learnt from, out of the host's own transcript. Whoever is killed
on the way has lost nothing: the note stays until all is done, and saving again finds what is known.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from commonplace.book.book import Book
from commonplace.config import Configuration, load
from commonplace.deadline import Deadline
from commonplace.domain.memory import Origin
from commonplace.domain.record import Record, replace
from commonplace.engine.caller import Door, Models, Project
from commonplace.errors import CommonplaceError, TookTooLong
from commonplace.hooks.private import Private
from commonplace.hooks.state import State, Waiting
from commonplace.hooks.transcripts import Source, source_of
from commonplace.sessions.learning import About
from commonplace.sessions.sessions import Saved
from commonplace.sessions.transcripts import Conversation, Format, Turn, read_conversations
from commonplace.sessions.transcripts.opencode import read_session

HOOK = Door(surface="hook", origin=Origin.HEARD, actor="hook")
"""The one door that can say that it heard something."""

_FORMATS = {
    "claude-code": Format.CLAUDE_CODE,
    "codex": Format.CODEX,
    "gemini": Format.GEMINI,
    "cursor": Format.CURSOR,
    "vscode": Format.COPILOT,
}


class Heard(Record):
    """A conversation that may be kept: its turns without the private ones, its key, and where it was held."""

    turns: tuple[Turn, ...]
    key: str
    surface: str
    root: str


def heard(waiting: Waiting, configuration: Configuration) -> Heard | None:
    """What was said in a conversation that waits, or None where there is nothing, or nothing that may be kept."""
    private = private_of(configuration)
    if configuration.settings.capture == "off" or private.covers(waiting.folder):
        return None
    source = _source(waiting, configuration)
    conversation = None if source is None else _read(source)
    if conversation is None:
        return None
    turns = tuple(turn for turn in conversation.turns if not private.holds(turn.text))
    key = conversation.key or waiting.session
    return Heard(turns, key, conversation.host or waiting.host, str(configuration.project_root)) if turns else None


def private_of(configuration: Configuration) -> Private:
    """What the person keeps to themselves, from the settings."""
    return Private.of(configuration.settings.private_paths, configuration.settings.private_patterns)


def _source(waiting: Waiting, configuration: Configuration) -> Source | None:
    return source_of(waiting.host, waiting.transcript, waiting.session, configuration.project_root)


def _read(source: Source) -> Conversation | None:
    if source.session is not None:
        return read_session(source.path, source.session)
    return next(read_conversations(source.path, _FORMATS[source.host]), None)


# -- while a host waits ------------------------------------------------------------------------


def append_at_once(waiting: Waiting, configuration: Configuration) -> None:
    """Keep the new turns of a conversation in the book, which is made if it is not there."""
    with Book.open(configuration=configuration, door=HOOK) as book:
        _refuse_older(book)
        append(book, waiting, configuration)


def catch_up_quickly(seconds: float, state: State, configuration: Configuration) -> None:
    """Learn by words from what waits, newest first, as far as the time goes; a model has its turn later."""
    unseen = [each for each in reversed(state.waiting(configuration.store)) if not each.looked]
    if not unseen:
        return
    with Book.open(configuration=configuration, door=HOOK) as book:
        _refuse_older(book)
        again = book.embedder is not None
        by_words = Book(replace(book.caller, models=Models()))
        with suppress(TookTooLong):
            Deadline(seconds).run(lambda: _look_at(by_words, unseen, state, again))


def _look_at(book: Book, unseen: Sequence[Waiting], state: State, again: bool) -> None:
    for waiting in unseen:
        _look(book, waiting, state, again)


def _look(book: Book, waiting: Waiting, state: State, again: bool) -> None:
    configuration = place_of(waiting)
    if configuration.settings.capture == "ask":
        return
    source = _source(waiting, configuration)
    if source is None or not source.is_short:
        return
    saved = learn(book, waiting, configuration, again)
    if again:
        state.wait(replace(waiting, looked=True))
    else:
        state.done(waiting)
    state.learnt(0 if saved is None else len(saved.learnt))


def _refuse_older(book: Book) -> None:
    """Raise for a book that has to be brought up to date first: that takes longer than a host waits."""
    with book.caller.reading():
        pass


# -- one conversation --------------------------------------------------------------------------


def append(book: Book, waiting: Waiting, configuration: Configuration) -> int:
    """Keep the new turns of a conversation by their words; how many were new."""
    found = heard(waiting, configuration)
    if found is None:
        return 0
    about = About(found.root, heard=True)
    return _there(book, configuration).sessions.append(
        found.turns, book.principal.own_scope, surface=found.surface, key=found.key, about=about
    )


def _there(book: Book, configuration: Configuration) -> Book:
    """The book through the hook's own door, in the project that a conversation was held in."""
    return Book(replace(book.caller, door=HOOK, project=Project.at(configuration.place)))


def learn(book: Book, waiting: Waiting, configuration: Configuration, again: bool = False) -> Saved | None:
    """Learn from a conversation; what the user asked for or corrected in so many words counts as heard.

    With `again` it is looked at by words now and by the model later. What taught nothing is not kept.
    """
    found = heard(waiting, configuration)
    if found is None:
        return None
    sessions, own = _there(book, configuration).sessions, book.principal.own_scope
    about = About(found.root, heard=True, again=again)
    saved = sessions.save(found.turns, own, surface=found.surface, key=found.key, about=about)
    if saved.session is None and not again:
        sessions.discard_unfinished(found.key, own)
    return saved


def place_of(waiting: Waiting) -> Configuration:
    """The settings as they hold in the folder that a conversation was held in; where that is gone, the person's own."""
    folder = Path(waiting.folder)
    return load(folder=folder if folder.is_dir() else Path.home())


def catch_up(
    book: Book,
    state: State,
    waiting: Sequence[Waiting],
    stop: Callable[[], bool] = lambda: False,
    within: Deadline = Deadline(),
    *,
    asked: bool = False,
) -> Iterator[tuple[Waiting, Saved | CommonplaceError]]:
    """Learn from conversations that wait and take them off the list, one after another, until told to stop.

    Where the person wants to be asked, only once they were. What cannot be read stays, and spoils no other.
    """
    for each in waiting:
        configuration = place_of(each)
        if stop():
            return
        if configuration.settings.capture == "ask" and not asked:
            continue
        try:
            saved = within.run(partial(learn, book, each, configuration))
        except CommonplaceError as error:
            yield each, error
            continue
        state.done(each)
        if saved is not None:
            state.learnt(len(saved.learnt))
            yield each, saved
