"""init and doctor of `memory`: the files Nuzo expects in a project, and whether anything is amiss."""

import json
import subprocess
from argparse import ArgumentParser
from pathlib import Path

from commonplace.cli.nuzo import CONFIG, DOOR, ask, default_scope
from commonplace.cli.session import Session
from commonplace.config import GIT_CHECK_SWITCH, skips_git_check
from commonplace.dialect import Json
from commonplace.dialects.nuzo import doctor as doctor_tool
from commonplace.dialects.nuzo.diagnosis import Diagnosis, abbreviated, network
from commonplace.dialects.nuzo.refusals import Refusal
from commonplace.project import scope_of
from commonplace.record import Record

IGNORED = (".nuzo/memory/", "*.memory.export.json", "*.memory.export.md")
_TRACKED = (".nuzo/memory", "*.sqlite", "*.sqlite-*", "*.memory.export.json", "*.memory.export.md")
_GIT_SECONDS = 10
_NO_REPOSITORY = 128


# -- init -------------------------------------------------------------------------------------


def add_init(parser: ArgumentParser) -> None:
    """--project, which every command takes, here also marks the project; DIR may be left out."""


def init(session: Session) -> None:
    """Make what is missing and leave alone what is there."""
    given, configuration, output = session.arguments, session.configuration, session.output
    in_project = given.project is not None
    if in_project and given.store is not None:
        raise Refusal("MEMORY_INIT_STORE_CONFLICT", "--project and --store exclude each other: give one of them.")
    with session.book(DOOR) as book:
        if not session.exists:
            book.care.upgrade()
        told = {"store": book.care.facts()["place"], "scope": "", "network": network(book)}
    if in_project:
        _mark_project(configuration.project_root, told["store"])
    told["scope"] = default_scope(session)
    if output.json:
        output.document(told)
        return
    output.line("Nuzo initialized")
    for name, value in told.items():
        output.line(f"{name.capitalize()}: {value}")


def _mark_project(root: Path, store: str) -> None:
    file = root / CONFIG
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        with file.open("x", encoding="utf-8") as target:
            target.write(json.dumps(_project_settings(root, store), indent=2) + "\n")
    _ignore(root / ".gitignore")


def _project_settings(root: Path, store: str) -> Json:
    """The file as Nuzo writes it. Where the store is stands there to be read; our own settings decide it."""
    scheme, server, _ = store.partition("://")
    return {
        "version": 1,
        "default_scope": str(scope_of(root)),
        "storage": {"driver": scheme} if server else {"driver": "sqlite", "path": abbreviated(store)},
        "recall": {"limit": 8, "include_global": True},
        "privacy": {"allow_network": False, "record_recall_events": True},
    }


def _ignore(file: Path) -> None:
    """Add the rules that are not there yet."""
    present = file.read_text(encoding="utf-8") if file.exists() else ""
    missing = [rule for rule in IGNORED if rule not in present.splitlines()]
    if missing:
        gap = "" if not present or present.endswith("\n") else "\n"
        with file.open("a", encoding="utf-8") as target:
            target.write(gap + "\n".join(missing) + "\n")


# -- doctor -----------------------------------------------------------------------------------


class Tracking(Record):
    """What git knows of memory files: a word for it, the files, and whether that is fine."""

    word: str
    files: tuple[str, ...] = ()
    warning: str | None = None


def add_doctor(parser: ArgumentParser) -> None:
    """It takes nothing of its own."""


def doctor(session: Session) -> None:
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


def _place(session: Session, report: Diagnosis) -> list[str]:
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
    if skips_git_check():
        return Tracking(f"skipped ({GIT_CHECK_SWITCH}=1)")
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z", "--", *_TRACKED],
            capture_output=True, text=True, timeout=_GIT_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return Tracking("unavailable (git is not at hand)", warning="Whether git tracks memory files is not known.")
    files = tuple(filter(None, done.stdout.split("\0")))
    if done.returncode not in (0, _NO_REPOSITORY):
        return Tracking("unavailable (git failed)", warning="Whether git tracks memory files is not known.")
    if files:
        return Tracking(
            f"warning ({len(files)} tracked)", files, "Git tracks memory files: run git rm --cached on them."
        )
    return Tracking("clean")


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"
