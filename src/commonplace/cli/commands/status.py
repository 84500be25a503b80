"""status: the book, the project, what is connected, the model, what waits, and what went wrong."""

from argparse import ArgumentParser
from pathlib import Path

from commonplace.book.report import Report, model_json, report, report_json
from commonplace.cli.commands import Action
from commonplace.cli.render import age, count, one_line
from commonplace.cli.session import CommandSession
from commonplace.config import NO_MODEL, state_folder
from commonplace.domain.record import replace
from commonplace.engine.caller import system_clock
from commonplace.hooks.report import standing, went_wrong
from commonplace.hooks.state import State
from commonplace.setup.connected import connected_hosts, hooked_hosts
from commonplace.workspace.project import Place

MEGABYTE = 1_000_000


def _add_arguments(parser: ArgumentParser) -> None:
    """It takes nothing of its own."""


def _run(session: CommandSession) -> int:
    with session.book() as book:
        told = report(book, session.exists)
    model = told.model if told.installed else session.configuration.settings.model
    told = replace(told, model=model, wrong=(*_hooks_went_wrong(), *told.wrong, *_not_obeyed(session)))
    document = _document(session, told)
    if session.output.json:
        session.output.document(document)
    else:
        _print(session, told, document)
    return 0


def _hooks() -> State:
    return State(state_folder() / "hooks")


def _hooks_went_wrong() -> list[str]:
    return went_wrong(_hooks(), system_clock())


def _not_obeyed(session: CommandSession) -> list[str]:
    ignored = session.configuration.ignored
    return (
        [f"{count(len(ignored), 'setting', 'settings')} of this folder ignored: see 'config show'"] if ignored else []
    )


def _document(session: CommandSession, told: Report) -> dict[str, object]:
    configuration, home = session.configuration, Path.home()
    return {
        "book": report_json(told, configuration.shown_store),
        "project": {"root": str(configuration.project_root), "is_project": configuration.place.is_project},
        "hosts": connected_hosts(home),
        "hooks": hooked_hosts(home),
        "inject": configuration.settings.inject,
        "capture": configuration.settings.capture,
        "hooks_now": standing(_hooks(), configuration.store, system_clock()),
        "model": model_json(told),
        "waiting": told.waiting,
        "wrong": list(told.wrong),
    }


def _print(session: CommandSession, report: Report, document: dict[str, object]) -> None:
    hosts, hooks = document["hosts"], document["hooks"]
    lines = [
        ("book", _book_line(session, report)),
        *(("", f"{number:,} in {name}") for name, number in report.scopes if len(report.scopes) > 1),
        ("project", _project_line(session.configuration.place)),
        ("hosts", _named(hosts, "none: 'commonplace setup' connects a tool")),
        ("hooks", _named(hooks, "none: nothing is brought to a prompt or learnt by itself")),
        ("", f"inject {document['inject']}, capture {document['capture']}"),
        *(("", said) for said in standing(_hooks(), session.configuration.store, system_clock())),
        ("model", _model_line(report)),
        ("waits", _waits_line(report)),
        *(("went wrong", sentence) for sentence in report.wrong or ("nothing that is known",)),
    ]
    for name, said in lines:
        session.output.line(f"{session.output.style(f'{name:<12}', 'dim')}{one_line(said)}")


def _project_line(place: Place) -> str:
    return str(place.root) if place.is_project else f"none: {place.root} is in no repository"


def _named(names: object, otherwise: str) -> str:
    return ", ".join(map(str, names)) if isinstance(names, list) and names else otherwise


def _book_line(session: CommandSession, report: Report) -> str:
    place = session.configuration.shown_store
    if not report.exists:
        return f"none yet at {place}: 'commonplace remember' makes one"
    parts = [place, count(report.memories, "memory", "memories")]
    if report.bytes:
        parts.append(f"{report.bytes / MEGABYTE:.1f} MB")
    if report.last_written is not None:
        parts.append(f"last changed {age(report.last_written, system_clock())}")
    return ", ".join(parts)


def _model_line(report: Report) -> str:
    name = report.model
    if name in ("", NO_MODEL):
        return "none: recall searches by words"
    if not report.installed:
        return f"{name}, not installed: 'commonplace models pull' fetches it; until then recall searches by words"
    if report.without_vector:
        lacking = count(report.without_vector, "text has", "texts have")
        return f"{name}; {lacking} no vector yet: 'commonplace reembed' makes them"
    return name


def _waits_line(report: Report) -> str:
    return f"{report.waiting:,} for you: 'commonplace review'" if report.waiting else "nothing"


ACTIONS = {
    "status": Action(
        description="The book, the project, the tools and hooks that are connected, the model, what waits for you,\n"
        "and what went wrong. It examines nothing closely: that is what doctor is for.",
        examples=("status", "status --json"),
        add_arguments=_add_arguments,
        run=_run,
    )
}
