"""init and doctor of `memory`: the files Nuzo expects in a project, and whether anything is amiss."""

import json
from argparse import ArgumentParser
from fnmatch import fnmatchcase
from pathlib import Path

from commonplace.cli.nuzo.asking import DOOR, ask, default_scope
from commonplace.cli.render import one_line
from commonplace.cli.session import CommandSession
from commonplace.config import is_switched_on
from commonplace.dialects.nuzo import DIALECT
from commonplace.dialects.nuzo import doctor as doctor_tool
from commonplace.dialects.nuzo.diagnosis import Diagnosis, network
from commonplace.dialects.nuzo.refusals import Refusal
from commonplace.domain.record import Record
from commonplace.workspace.dialect_settings import project_files
from commonplace.workspace.files import SHARED, append_lines, new_file, read_regular, refuse_links
from commonplace.workspace.git_index import NoRepository, Tracked, Unavailable, tracked_below
from commonplace.workspace.project import scope_of

GIT_CHECK_SWITCH = "NUZO_DOCTOR_SKIP_GIT"
IGNORED = (".nuzo/memory/", "*.memory.export.json", "*.memory.export.md")
IGNORE_FILE_BYTES = 1_000_000
_MEMORY_FILES = (".nuzo/memory/*", "*.sqlite", "*.sqlite-*", "*.memory.export.json", "*.memory.export.md")


# -- init -------------------------------------------------------------------------------------


def add_init(parser: ArgumentParser) -> None:
    """--project, which every command takes, here also marks the project; DIR may be left out."""


def init(session: CommandSession) -> None:
    """Make what is missing and leave alone what is there."""
    given, configuration, output = session.arguments, session.configuration, session.output
    in_project = given.project is not None
    if in_project and given.store is not None:
        raise Refusal("MEMORY_INIT_STORE_CONFLICT", "--project and --store exclude each other: give one of them.")
    if in_project:
        _mark_project(configuration.project_root)
    with session.book(DOOR, create=True) as book:
        if not session.exists:
            book.care.upgrade()
        told = {"store": book.care.facts()["place"], "scope": "", "network": network(book)}
    told["scope"] = default_scope(CommandSession(given, output))  # which looks again at what was just written
    if output.json:
        output.document(told)
        return
    output.line("Nuzo initialized")
    for name, value in told.items():
        output.line(f"{name.capitalize()}: {value}")


def _mark_project(root: Path) -> None:
    """Write the file that marks a project, as far as we obey it, and the rules; links are left alone."""
    file, rules = root / project_files()[DIALECT.name].path, root / ".gitignore"
    for each in (file, rules):
        refuse_links(each, root)
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        with new_file(file, replace=False, mode=SHARED) as target:
            target.write(json.dumps({"version": 1, "default_scope": str(scope_of(root))}, indent=2) + "\n")
    _ignore(rules)


def _ignore(file: Path) -> None:
    """Add the rules that are not there yet."""
    present = read_regular(file, IGNORE_FILE_BYTES).decode("utf-8", "replace") if file.exists() else ""
    missing = [rule for rule in IGNORED if rule not in present.splitlines()]
    if missing:
        append_lines(file, missing if not present or present.endswith("\n") else ["", *missing])


# -- doctor -----------------------------------------------------------------------------------


class Tracking(Record):
    """What git knows of memory files: a word for it, the files, and whether that is fine."""

    word: str
    files: tuple[str, ...] = ()
    warning: str | None = None


def add_doctor(parser: ArgumentParser) -> None:
    """It takes nothing of its own."""


def doctor(session: CommandSession) -> None:
    """Changes nothing and does not create the store."""
    report = ask(session, doctor_tool)
    if session.output.json:
        session.output.document(report)
        return
    tracking = _tracking(session.configuration.project_root)
    warnings = list(report["warnings"])
    if not session.exists:
        warnings.append("There is no store yet: run 'commonplace memory init'.")
    if tracking.warning is not None:
        warnings.append(tracking.warning)
    lines = [
        *_place(session, report),
        f"Scope: {default_scope(session)}",
        f"Network: {report['network']}",
        f"Git tracking: {tracking.word}",
        *(f"Tracked memory file: {file}" for file in tracking.files),
        *(f"Warning: {warning}" for warning in warnings),
        f"Status: {'warning' if warnings else 'ok'}",
    ]
    for line in lines:
        session.output.line(line)


def _place(session: CommandSession, report: Diagnosis) -> list[str]:
    """Where the store is; one on a server has no folder."""
    if "://" in session.configuration.store:
        return [f"Store: {report['store']['path']}", f"Store exists: {_yes(report['store']['readable'])}"]
    folder = session.place.parent
    return [
        f"Store: {session.place}",
        f"Store exists: {_yes(session.exists)}",
        f"Store directory: {folder}",
        f"Store directory exists: {_yes(folder.is_dir())}",
    ]


def _tracking(root: Path) -> Tracking:
    if is_switched_on(GIT_CHECK_SWITCH):
        return Tracking(f"skipped ({GIT_CHECK_SWITCH}=1)")
    match tracked_below(root):
        case NoRepository():
            return Tracking("clean")
        case Unavailable(reason=reason):
            return Tracking(f"unavailable ({reason})", warning="Whether git tracks memory files is not known.")
        case Tracked(files=names):
            files = tuple(one_line(name) for name in names if any(fnmatchcase(name, each) for each in _MEMORY_FILES))
            warning = "Git tracks memory files: run git rm --cached on them."
            return Tracking(f"warning ({len(files)} tracked)", files, warning) if files else Tracking("clean")


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"
