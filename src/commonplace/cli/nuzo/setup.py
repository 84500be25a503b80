"""init and doctor of `memory`: the files Nuzo expects in a project, and whether anything is amiss."""

import json
from argparse import ArgumentParser
from pathlib import Path

from commonplace.cli.nuzo.asking import DOOR, ask, default_scope
from commonplace.cli.session import CommandSession
from commonplace.dialects.nuzo import DIALECT
from commonplace.dialects.nuzo import doctor as doctor_tool
from commonplace.dialects.nuzo.diagnosis import Diagnosis, network
from commonplace.dialects.nuzo.git_tracking import tracked_memory_files
from commonplace.dialects.nuzo.refusals import Refusal
from commonplace.workspace.dialect_settings import project_files
from commonplace.workspace.files import SHARED, append_lines, new_file, read_regular, refuse_links
from commonplace.workspace.project import scope_of

IGNORED = (".nuzo/memory/", "*.memory.export.json", "*.memory.export.md")
IGNORE_FILE_BYTES = 1_000_000


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


def add_doctor(parser: ArgumentParser) -> None:
    """It takes nothing of its own."""


def doctor(session: CommandSession) -> None:
    """Changes nothing and does not create the store. As JSON it says what the lines say, and more."""
    report = ask(session, doctor_tool)
    tracking, warnings = tracked_memory_files(session.configuration.project_root), report["warnings"]
    scope = default_scope(session)
    if session.output.json:
        store = {**report["store"], "exists": session.exists}
        git = {"git_tracking": tracking.word, "tracked_files": list(tracking.files)}
        session.output.document({**report, "store": store, "scope": scope, **git})
        return
    lines = [
        *_place(session, report),
        f"Scope: {scope}",
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


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"
