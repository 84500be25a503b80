"""projects: what you work in, by name, and which folders belong together."""

from argparse import ArgumentParser
from pathlib import Path

from commonplace.book.book import Book
from commonplace.book.projects import ListedProject
from commonplace.cli.commands import Action
from commonplace.cli.parser import add_subcommands
from commonplace.cli.render import count
from commonplace.cli.session import CommandSession
from commonplace.cli.tables import print_table
from commonplace.engine.projects import KnownProject
from commonplace.text import visible

_MEANINGS = {
    "list": "every project that something was written in",
    "rename": "rename a project",
    "merge": "merge one project into another",
    "bind": "say that a folder belongs to a project",
}


def _add_arguments(parser: ArgumentParser) -> None:
    made = add_subcommands(parser, _MEANINGS, required=False)
    made["rename"].add_argument("name", metavar="NAME", help="the project, by its name or id")
    made["rename"].add_argument("new", metavar="NEW", help="its new name")
    made["merge"].add_argument("name", metavar="NAME", help="a project, or a scope such as project:3987f33621c2506d")
    made["merge"].add_argument("into", metavar="INTO", help="the project that it becomes part of")
    made["bind"].add_argument("folder", metavar="FOLDER", help="a folder of the project, such as .")
    made["bind"].add_argument("name", metavar="NAME", help="the project; one of that name is made if there is none")


def _run(session: CommandSession) -> int:
    given = session.arguments
    with session.book() as book:
        match given.action:
            case "rename":
                return _tell(session, f"renamed {given.name}", book.projects.rename(given.name, given.new))
            case "merge":
                merged = book.projects.merge(given.name, given.into)
                session.output.note("'commonplace undo' does not take a merge back: it is for memories.")
                return _tell(session, f"merged {given.name}", merged)
            case "bind":
                bound = book.projects.bind(Path(given.folder).expanduser(), given.name)
                return _tell(session, f"bound {given.folder}", bound)
            case _:
                return _list(session, book)


def _tell(session: CommandSession, done: str, project: KnownProject) -> int:
    if session.output.json:
        session.output.document(_project_json(project))
    else:
        session.output.said(f"{session.output.style(visible(done), 'green')}: {_summary(project)}")
    return 0


def _summary(project: KnownProject) -> str:
    lies = f" in {', '.join(map(visible, project.roots))}" if project.roots else ""
    return f"{visible(project.name)}{lies}"


def _list(session: CommandSession, book: Book) -> int:
    output, listed, unnamed = session.output, book.projects.list(), book.projects.unnamed()
    claimed = book.projects.claimed()
    if output.json:
        output.listing(
            "projects",
            [_listed_json(each) for each in listed],
            unnamed=[{"scope": str(scope), "memories": memories} for scope, memories in unnamed],
            claimed=[each.name for each in claimed],
        )
        return 0
    rows = [_row(each) for each in listed]
    rows += [("", str(scope), f"{memories:,}", "") for scope, memories in unnamed]
    if rows:
        print_table(("", "project", "memories", "folders"), rows, output)
    else:
        output.note("No project is known yet: the first is made when something is remembered in a repository.")
    for each in claimed:
        output.note(
            f"This folder says that it is {visible(each.name)}, which counts once you agree: "
            f"run 'commonplace projects bind . {visible(each.name)}'."
        )
    if unnamed:
        output.note(
            f"{count(len(unnamed), 'scope has', 'scopes have')} no name: "
            "'commonplace projects merge SCOPE NAME' adds one to a project."
        )
    return 0


def _row(each: ListedProject) -> tuple[str, ...]:
    project = each.project
    folders = ", ".join(map(visible, project.roots))
    return "*" if each.is_current else "", visible(project.name), f"{each.memories:,}", folders


def _listed_json(each: ListedProject) -> dict[str, object]:
    return {**_project_json(each.project), "memories": each.memories, "current": each.is_current}


def _project_json(project: KnownProject) -> dict[str, object]:
    return {
        "id": project.id,
        "name": project.name,
        "folders": list(project.roots),
        "aliases": list(project.aliases),
        "origins": list(project.origins),
    }


ACTIONS = {
    "projects": Action(
        description="What you work in. A repository is a project, its worktrees and folders included; what you write\n"
        "in it is yours, and says which project it is about. What a folder claims to be joins nothing by itself.",
        examples=(
            "projects",
            "projects rename shop-api shop",
            "projects bind ~/code/shop shop",
            "projects merge project:3987f33621c2506d shop",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
