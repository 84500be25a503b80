"""What hooks know from one call to the next, in the user's own state folder and not in the book.

Which memories were brought in which session (their ids, never their words), which moments have been answered, which
conversations wait to be learnt from, what went wrong, and whether the person asked for a pause. Every file is small,
for the user's eyes only, appears whole or not at all, and may be deleted at any time.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from commonplace.domain.addresses import without_password
from commonplace.domain.record import Record, Some, replace
from commonplace.workspace.files import PRIVATE, read_regular

FILE_BYTES = 262_144
SESSIONS_KEPT = 200
WAITING_KEPT = 500
TROUBLES_KEPT = 50
ENTRIES_KEPT = 500
SAME_MOMENT = 10_000  # milliseconds
SENTENCE_LENGTH = 300
_SESSIONS, _MOMENTS, _WAITING, _TROUBLES, _PAUSE, _LEARNT = (
    "sessions",
    "moments",
    "waiting",
    "troubles",
    "pause",
    "learnt",
)
_NUMBERS = ("at", "since", "tokens")


class Brought(Record):
    """Something that was put before a model: the memory, or the session whose hand-over it was, and why."""

    at: int
    moment: str
    id: str
    why: str
    tokens: int


class BroughtSession(Record):
    """What went into one session of a host, in order, and what it cost with everything around it.

    What was brought before `since` is not before the model any more: the session was cleared or compacted.
    """

    session: str
    host: str
    folder: str
    at: int
    since: int
    tokens: int
    brought: tuple[Brought, ...] = ()


class Waiting(Record):
    """A conversation whose new turns nothing was learnt from yet.

    `looked` says that it was looked through by words, and is to be looked at again with the model.
    """

    session: str
    host: str
    folder: str
    transcript: str
    store: str
    at: int
    looked: bool = False


class Trouble(Record):
    """Something that went wrong while a hook ran, which kept silent about it."""

    at: int
    host: str
    moment: str
    what: str


class State:
    """The folder. Whoever reads it takes what is there; what cannot be read counts as not there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    # -- what was brought ----------------------------------------------------------------------

    def session(self, session: str) -> BroughtSession | None:
        """What was brought in a session, if anything was."""
        return _session(self._read(_SESSIONS, _name(session)))

    def sessions(self) -> tuple[BroughtSession, ...]:
        """The sessions in which something was brought, newest first."""
        found = (_session(given) for given in self._all(_SESSIONS))
        return tuple(sorted((each for each in found if each is not None), key=lambda each: -each.at))

    def keep_session(self, brought: BroughtSession) -> None:
        """Write down what was brought in a session; the oldest sessions give way."""
        kept = {**_fields(brought), "brought": [_fields(each) for each in brought.brought[-ENTRIES_KEPT:]]}
        self._write(_SESSIONS, _name(brought.session), kept)
        self._thin(_SESSIONS, SESSIONS_KEPT)

    def claim(self, key: str, now: int) -> bool:
        """Whether this call is the first for a moment. Whoever comes within a few seconds of another is not."""
        place = self._made(_MOMENTS) / key
        for _ in range(2):
            try:
                os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
            except FileExistsError:
                with suppress(FileNotFoundError):
                    if abs(now - place.stat().st_mtime * 1_000) < SAME_MOMENT:
                        return False
                    place.unlink()
            else:
                self._thin(_MOMENTS, SESSIONS_KEPT)
                return True
        return False

    # -- what waits to be learnt from ----------------------------------------------------------

    def wait(self, waiting: Waiting) -> None:
        """Note that a conversation has grown, and no password; the oldest of too many give way."""
        kept = replace(waiting, store=without_password(waiting.store))
        self._write(_WAITING, _name(waiting.session), _fields(kept))
        self._thin(_WAITING, WAITING_KEPT)

    def waiting(self, store: str) -> tuple[Waiting, ...]:
        """The conversations that wait to go into the book at this place, oldest first."""
        found = (_record(Waiting, given) for given in self._all(_WAITING))
        place = without_password(store)
        return tuple(
            sorted((each for each in found if each is not None and each.store == place), key=lambda each: each.at)
        )

    def done(self, waiting: Waiting) -> None:
        """Take a conversation off the list, unless it has grown since."""
        now = _record(Waiting, self._read(_WAITING, _name(waiting.session)))
        if now is not None and now.at == waiting.at:
            (self.folder / _WAITING / _name(waiting.session)).unlink(missing_ok=True)

    # -- what the person is told ---------------------------------------------------------------

    def trouble(self, trouble: Trouble) -> None:
        """Note what went wrong, the same thing once; the oldest of many give way."""
        others = [each for each in self.troubles() if (each.host, each.what) != (trouble.host, trouble.what)]
        kept = (*others, _cut(trouble))[-TROUBLES_KEPT:]
        self._write("", _TROUBLES, {"troubles": [_fields(each) for each in kept]})

    def troubles(self) -> tuple[Trouble, ...]:
        """What went wrong in hooks, oldest first."""
        listed = self._read("", _TROUBLES).get("troubles")
        found = (_record(Trouble, given) for given in listed) if isinstance(listed, list) else ()
        return tuple(each for each in found if each is not None)

    def learnt(self, count: int) -> None:
        """Note that so many things were learnt, for the next session to say so."""
        if count:
            before = self._read("", _LEARNT).get("count")
            self._write("", _LEARNT, {"count": count + (before if isinstance(before, int) else 0)})

    def take_learnt(self) -> int:
        """How many things were learnt since somebody last said so."""
        count = self._read("", _LEARNT).get("count")
        (self.folder / _LEARNT).unlink(missing_ok=True)
        return count if isinstance(count, int) else 0

    # -- pause ---------------------------------------------------------------------------------

    def pause(self, until: int | None) -> None:
        """Let hooks do nothing until a moment, in milliseconds, or until they are told to go on."""
        self._write("", _PAUSE, {"until": until})

    def go_on(self) -> bool:
        """End a pause; whether there was one."""
        paused = (self.folder / _PAUSE).exists()
        (self.folder / _PAUSE).unlink(missing_ok=True)
        return paused

    def paused(self, now: int) -> bool:
        """Whether the person asked hooks to do nothing for now. A note that cannot be read is a pause."""
        return self.paused_until(now) is not None

    def paused_until(self, now: int) -> int | None:
        """Until when there is a pause: 0 for one without an end, None for no pause."""
        if not (self.folder / _PAUSE).exists():
            return None
        until = self._read("", _PAUSE).get("until")
        if not isinstance(until, int):
            return 0
        return until if now < until else None

    # -- files ---------------------------------------------------------------------------------

    def _read(self, *place: str) -> Mapping[str, object]:
        try:
            found = json.loads(read_regular(self.folder.joinpath(*place), FILE_BYTES, own=True))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _all(self, shelf: str) -> Iterator[Mapping[str, object]]:
        return (self._read(shelf, name) for name in self._names(shelf))

    def _names(self, shelf: str) -> list[str]:
        try:
            return [name for name in os.listdir(self.folder / shelf) if "." not in name]
        except OSError:
            return []

    def _made(self, shelf: str) -> Path:
        """The folder of a shelf, which only the user may look into."""
        for folder in (self.folder, self.folder / shelf):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return self.folder / shelf

    def _write(self, shelf: str, name: str, content: Mapping[str, object]) -> None:
        """Whole or not at all, and without waiting for the disk: what a power cut takes is a note."""
        folder = self._made(shelf)
        partial = folder / f"{name}.{os.urandom(6).hex()}.partial"
        try:
            with open(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE), "wb") as file:
                file.write(json.dumps(content).encode())
            os.replace(partial, folder / name)
        except BaseException:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise

    def _thin(self, shelf: str, kept: int) -> None:
        """Take away the oldest of a shelf, now and then."""
        folder = self.folder / shelf
        names = os.listdir(folder)
        if len(names) <= kept + kept // 2:
            return
        aged: list[tuple[float, Path]] = []
        for name in names:
            with suppress(OSError):
                aged.append(((folder / name).stat().st_mtime, folder / name))
        for _, place in sorted(aged)[: max(0, len(aged) - kept)]:
            with suppress(OSError):
                place.unlink()


def _name(session: str) -> str:
    """A name for a file, whatever a host calls its sessions."""
    return blake2b(session.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _fields(record: Record) -> dict[str, object]:
    return {name: getattr(record, name) for name in type(record).fields}


def _record(kind: type[Some], given: object) -> Some | None:
    """What a file says, if it says what it should."""
    if not isinstance(given, dict) or set(given) != set(kind.fields):
        return None
    right = all(isinstance(value, int if name in _NUMBERS else (str, bool, tuple)) for name, value in given.items())
    return kind(**given) if right else None


def _session(given: Mapping[str, object]) -> BroughtSession | None:
    listed = given.get("brought")
    if not isinstance(listed, list):
        return None
    brought = tuple(each for each in (_record(Brought, entry) for entry in listed) if each is not None)
    return _record(BroughtSession, {**given, "brought": brought})


def _cut(trouble: Trouble) -> Trouble:
    what = " ".join(trouble.what.split())[:SENTENCE_LENGTH]
    return Trouble(trouble.at, trouble.host, trouble.moment, what)
