"""One call of the command line: its arguments, its settings, and the book it works on."""

import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from commonplace.book.reader import BookReader
from commonplace.cli.output import Output
from commonplace.cli.render import one_line
from commonplace.config import Configuration, load
from commonplace.domain.memory import Kind, Origin, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import replace
from commonplace.domain.scope import Scope, ScopeKind
from commonplace.engine.caller import Door
from commonplace.errors import BookMissing, CommonplaceError, InvalidInput
from commonplace.text import slug
from commonplace.workspace.files import refuse_links

if TYPE_CHECKING:
    from commonplace.book.book import Book
    from commonplace.workspace.project_settings import Ignored

ANY_STATUS = "any"
_TIMES = {"since": "created_since", "until": "created_until", "valid_at": "valid_at", "as_of": "as_of"}
NARROWING = (
    "kind",
    "tag",
    "category",
    "topic",
    "about",
    "session",
    "since",
    "until",
    "valid_at",
    "status",
    "automatic",
    "verified_only",
)
DEFAULT_SOURCE = "default"  # where a setting comes from that nobody has set
NAMES_SHOWN = 8
NAME_LENGTH = 40

Opened = TypeVar("Opened", bound=BookReader)

DOOR = Door(surface="cli", origin=Origin.TYPED, actor="cli", short_ids=True)
_SETTINGS = (
    "store",
    "project",
    "model",
    "mode",
    "near",
    "limit",
    "max_tokens",
    "host",
    "port",
    "allowed_hosts",
    "dialects",
)


class UsageError(Exception):
    """The words of the command line make no sense; the message is for the person who typed them."""


class CommandSession:
    """What a command gets to work with."""

    def __init__(self, arguments: Namespace, output: Output) -> None:
        self.arguments = arguments
        self.output = output
        self._configuration: Configuration | None = None

    @property
    def configuration(self) -> Configuration:
        """The settings, with this call's flags before everything else."""
        if self._configuration is None:
            project = self.arguments.project
            if project is not None and not Path(project).expanduser().is_dir():
                raise InvalidInput(
                    f"There is no folder '{project}': name one that exists with --project, or a project with --about.",
                    "project",
                )
            given = vars(self.arguments)
            self._configuration = load({name: given.get(name) for name in _SETTINGS})
            self._tell(self._configuration)
        return self._configuration

    def _tell(self, configuration: Configuration) -> None:
        """What the user should know of the files that settings come from."""
        for file in dict.fromkeys(each.file for each in configuration.ignored):
            self.output.note(_not_obeyed([each for each in configuration.ignored if each.file == file]))
        if configuration.tells_a_password:
            self.output.note(f"Others can read the password in {configuration.user_file}: run chmod 600 on it.")

    def say_what_comes_first(self, name: str, file: Path | None = None) -> None:
        """A note where a setting that was just written, in the user's file or another, does not hold in this call."""
        user_file = self.configuration.user_file
        source = self.configuration.sources.get(name, DEFAULT_SOURCE)
        if source not in (DEFAULT_SOURCE, str(file or user_file), str(user_file)):
            self.output.note(f"It does not take effect here: {source} comes first.")

    @property
    def on_server(self) -> bool:
        """Whether the book is at an address rather than in a file."""
        return "://" in self.configuration.store

    @property
    def place(self) -> Path:
        """The book's file, for the commands that are about files."""
        store = self.configuration.store
        if self.on_server:
            raise InvalidInput(f"This is for a book in a file, not for one at '{store.split('://')[0]}://'.", "store")
        return Path(store).expanduser().absolute()

    @property
    def exists(self) -> bool:
        """Whether there is a book yet; a server's always is."""
        return self.on_server or self.place.exists()

    def require_book(self) -> None:
        """Refuse before anything is asked or done, for commands that ask first."""
        if not self.exists:
            raise BookMissing(str(self.place))

    def reading(self) -> AbstractContextManager[BookReader]:
        """The book, open to be read; all that a recall needs to import."""
        return self._open(BookReader)

    def book(self, door: Door = DOOR, *, create: bool = False) -> "AbstractContextManager[Book]":
        """The book, open, with all its verbs. Only whoever brings something new creates one that is not there."""
        from commonplace.book.book import Book

        return self._open(Book, door, create)

    @contextmanager
    def _open(self, kind: type[Opened], door: Door = DOOR, create: bool = False) -> Iterator[Opened]:
        """What is opened and how long it is used is logged on request."""
        started = time.perf_counter()
        with kind.open(configuration=self.configuration, door=door, create=create) as book:
            if self.output.verbose:
                space = "none" if book.embedder is None else str(book.embedder.space)
                self.output.log(f"opened {self.configuration.shown_store}, model {space}")
            try:
                yield book
            except CommonplaceError as error:
                from commonplace.cli.short import numbered  # which only a complaint needs

                error.args = (numbered(error.message, book), *error.args[1:])
                raise
        self.output.log(f"closed after {(time.perf_counter() - started) * 1000:.1f} ms")

    def write_scope(self, book: BookReader) -> Scope:
        """Where a new memory goes: the one scope named, else the setting's."""
        named = self.arguments.scope
        if len(named) > 1:
            raise UsageError("A memory lives in one scope: give --scope once.")
        return book.scope(named[0] if named else self.configuration.settings.scope)

    def read_scopes(self, book: BookReader) -> tuple[Scope, ...]:
        """Where to look: the scopes named, else your own, the current project's and the setting's."""
        named = self.arguments.scope
        if named:
            return tuple(dict.fromkeys(book.scope(selector) for selector in named))
        set_for_writing = book.scope(self.configuration.settings.scope)
        return tuple(dict.fromkeys((*book.places(), set_for_writing, *_scopes_of(book, self.about))))

    def recall_scopes(self, book: BookReader) -> tuple[Scope, ...]:
        """Where recall and list look: the same and, when asked, your teams'. None means where the book looks itself."""
        if self.arguments.scope or self.arguments.automatic:
            return self.read_scopes(book)
        set_for_writing = book.scope(self.configuration.settings.scope)
        if self.about is None and set_for_writing in book.scopes:
            return ()
        return tuple(dict.fromkeys((*book.default_scopes(), set_for_writing, *_scopes_of(book, self.about))))

    @property
    def about(self) -> str | None:
        """The project that a reading is narrowed to, by its name."""
        given: str | None = getattr(self.arguments, "about", None)
        return given

    def filter(
        self, book: BookReader, scopes: tuple[Scope, ...], statuses: tuple[Status, ...] = (Status.ACTIVE,)
    ) -> Filter:
        """The filter the options ask for, on these scopes; `statuses` are those to look at when none is named."""
        given = self.arguments
        if given.status:
            statuses = () if ANY_STATUS in given.status else tuple(Status(status) for status in given.status)
        filter = Filter(
            scopes=scopes,
            kinds=tuple(Kind(kind) for kind in given.kind),
            tags=tuple(given.tag),
            category=given.category,
            topic=None if given.topic is None else slug(given.topic),
            session=None if given.session is None else _conversation(book, given.session),
            statuses=statuses,
            include_expired=given.include_expired,
            automatic=given.automatic,
            verified_only=given.verified_only,
            projects=() if self.about is None else book.project_ids(self.about),
        )
        return replace(filter, **_moments(given))

    def target(self, path: str) -> Path:
        """A path to write to. Links in the project's folder, or in the one we are in, are not followed."""
        place = Path(path).expanduser()
        refuse_links(place, self.configuration.project_root, Path.cwd())
        return place

    def confirmed(self, question: str, *about: str) -> bool:
        """Ask before something that cannot be undone; without a terminal, --yes has to be there."""
        if self.arguments.yes:
            return True
        if not sys.stdin.isatty() or self.arguments.json:
            raise UsageError(f"{question} Add --yes to say so.")
        for line in about:
            self.output.complain(line)
        self.output.ask(f"{question} [y/N] ")
        return sys.stdin.readline().strip().lower() in ("y", "yes")


def _not_obeyed(ignored: "list[Ignored]") -> str:
    """One sentence about a project's file, whoever wrote what is in it."""
    names = [one_line(each.name, NAME_LENGTH) for each in ignored[:NAMES_SHOWN] if each.name]
    more = f" and {len(ignored) - NAMES_SHOWN} more" if len(ignored) > NAMES_SHOWN else ""
    what = f"{', '.join(names)}{more} in {one_line(str(ignored[0].file))}" if names else one_line(str(ignored[0].file))
    why = "" if names else f", because {ignored[0].reason}"
    return f"Ignored: {what}{why} ('commonplace config show' tells more)."


def _scopes_of(book: BookReader, project: str | None) -> tuple[Scope, ...]:
    """The scopes of a project that a reading is narrowed to: what was written to them is about it too."""
    return () if project is None else tuple(Scope(ScopeKind.PROJECT, id) for id in book.project_ids(project))


def _conversation(book: BookReader, named: str) -> str:
    from commonplace.cli.short import conversation  # few readings name one

    return conversation(book, named)


def _moments(given: Namespace) -> dict[str, int]:
    named = {name: value for name in _TIMES if (value := getattr(given, name, None)) is not None}
    if not named:
        return {}
    from commonplace.engine.caller import system_clock
    from commonplace.engine.parse import moment

    now = system_clock()
    return {_TIMES[name]: moment(value, now, f"--{name.replace('_', '-')}") for name, value in named.items()}
