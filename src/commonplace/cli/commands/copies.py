"""backup, restore-backup and reset: the whole book at once, never without a way back unless asked for."""

import os
from argparse import ArgumentParser
from pathlib import Path

from commonplace.cli.commands import Action
from commonplace.cli.render import count
from commonplace.cli.session import CommandSession
from commonplace.engine.caller import system_clock
from commonplace.errors import BookDamaged, CommonplaceError, IndexCorrupted, InvalidInput, NotABook, NotFound
from commonplace.text import show_time

EXIT_DECLINED = 1
_FILES_OF_A_BOOK = ("", "-wal", "-shm")


def _add_backup(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a new file to copy the book to")


def _backup(session: CommandSession) -> int:
    target = session.target(session.arguments.file).absolute()
    if session.on_server:
        raise InvalidInput("A book on a server is backed up with the server's own tools: use pg_dump.", "store")
    with session.book() as book:
        book.care.backup(str(target))
    size = target.stat().st_size
    if session.output.json:
        session.output.document({"path": str(target), "bytes": size})
    else:
        session.output.said(f"Copied the book to {target} ({size:,} bytes).")
    return 0


def _add_restore(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="what backup wrote")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _restore(session: CommandSession) -> int:
    """The present book is set aside first; where nothing could be restored, it goes back to its place."""
    source, output = Path(session.arguments.file).expanduser().absolute(), session.output
    if not source.is_file():
        raise NotFound(f"There is no back-up {source}: name a file that backup wrote.")
    if session.place.exists() and source.samefile(session.place):
        raise InvalidInput(f"{source} is the book itself: name a file that backup wrote.")
    if not session.confirmed(f"Put {source} in the place of {session.place}?"):
        output.fail("Nothing was restored.")
        return EXIT_DECLINED
    kept, moved = _set_aside(session)
    try:
        with session.book(create=True) as book:
            purged = book.care.restore(str(source)).purged_again
    except BaseException:
        if moved and kept is not None:
            _move(kept, session.place)
        raise
    if output.json:
        kept_as = None if kept is None else str(kept)
        output.document({"restored": str(source), "safety_copy": kept_as, "purged_again": purged})
        return 0
    if kept is not None:
        output.said(f"The book as it was is kept as {kept}.")
    output.said(f"Restored {session.place} from {source}.")
    if purged:
        stays = "stays" if purged == 1 else "stay"
        output.said(f"{count(purged, 'memory', 'memories')} purged since that back-up {stays} purged.")
    return 0


def _set_aside(session: CommandSession) -> tuple[Path | None, bool]:
    """Where the present book is kept, and whether it was moved there because it cannot be copied any more."""
    if not session.place.exists():
        return None, False
    target = _beside(session.place, "before-restore")
    try:
        with session.book() as book:
            book.care.backup(str(target))
    except (BookDamaged, IndexCorrupted, NotABook):
        _move(session.place, target)
        session.output.warn(
            "The present book is damaged, so what was purged and revoked since the back-up may be back."
        )
        return target, True
    return target, False


def _move(book: Path, target: Path) -> None:
    """A book with the files that belong to it, put in the place of whatever was there."""
    for suffix in _FILES_OF_A_BOOK:
        file, place = book.with_name(book.name + suffix), target.with_name(target.name + suffix)
        place.unlink(missing_ok=True)
        if file.exists():
            os.replace(file, place)


def _add_reset(parser: ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--no-backup", action="store_true", help="do not copy the book first")


def _reset(session: CommandSession) -> int:
    output, place = session.output, session.configuration.shown_store
    session.require_book()
    if session.on_server and not session.arguments.no_backup:
        raise InvalidInput("A book on a server is not copied first: use pg_dump, then reset --no-backup.")
    if not session.confirmed(f"Remove every memory of everybody in {place}?"):
        output.fail("Nothing was removed.")
        return EXIT_DECLINED
    kept = None if session.arguments.no_backup else _beside(session.place, "before-reset")
    with session.book() as book:
        if kept is not None:
            book.care.backup(str(kept))
        book.care.reset()
    if output.json:
        output.document({"reset": place, "safety_copy": None if kept is None else str(kept)})
        return 0
    if kept is not None:
        output.said(f"The book as it was is kept as {kept}.")
    output.said(f"{place} is empty.")
    return 0


def _beside(place: Path, why: str) -> Path:
    """A new name beside the book that says when and why the copy was made."""
    moment = show_time(system_clock()).translate({ord(mark): None for mark in "-:."})
    for attempt in range(1_000):
        target = place.with_name(f"{place.name}.{why}-{moment}" + (f"-{attempt}" if attempt else ""))
        if not target.exists():
            return target
    raise CommonplaceError(f"There are too many copies of {place} beside it: move some away.")


ACTIONS = {
    "backup": Action(
        description="Copy the book to a new file, while it is in use. Only you can read the copy.",
        examples=("backup ~/book-2026-03-01.db",),
        add_arguments=_add_backup,
        run=_backup,
    ),
    "restore-backup": Action(
        description="Put a back-up in the place of the book. The book as it was is kept beside it,\n"
        "and what was purged since the back-up stays purged.",
        examples=("restore-backup ~/book-2026-03-01.db --yes",),
        add_arguments=_add_restore,
        run=_restore,
    ),
    "reset": Action(
        description="Empty the book. It is copied first, to a file beside it, unless --no-backup says otherwise.",
        examples=("reset --yes",),
        add_arguments=_add_reset,
        run=_reset,
    ),
}
