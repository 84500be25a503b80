"""config: settings, and where each of them comes from."""

from argparse import ArgumentParser

from commonplace.cli.commands import Action
from commonplace.cli.parser import add_subcommands
from commonplace.cli.render import one_line
from commonplace.cli.session import DEFAULT_SOURCE, CommandSession
from commonplace.cli.tables import print_table
from commonplace.config import DESCRIPTIONS, Configuration, save, save_in_project, shown
from commonplace.workspace.project_settings import ALLOWED


def _add_arguments(parser: ArgumentParser) -> None:
    actions = add_subcommands(
        parser,
        {
            "show": "every setting, its value and where that comes from",
            "get": "the value of one setting",
            "set": "write a setting to a configuration file",
            "path": "where the configuration files, the book and the models are",
        },
    )
    names = list(DESCRIPTIONS)
    actions["get"].add_argument("name", metavar="NAME", choices=names, help=", ".join(names))
    actions["set"].add_argument("name", metavar="NAME", choices=names, help=", ".join(names))
    actions["set"].add_argument("value", metavar="VALUE", help="its new value")
    actions["set"].add_argument("--in-project", action="store_true", help="for this project only")


def _run(session: CommandSession) -> int:
    match session.arguments.action:
        case "show":
            return _show(session)
        case "get":
            return _get(session)
        case "set":
            return _set(session)
        case _:
            return _path(session)


def _show(session: CommandSession) -> int:
    configuration, output = session.configuration, session.output
    rows = [
        (name, _value(configuration, name), configuration.sources.get(name, DEFAULT_SOURCE), meaning)
        for name, meaning in DESCRIPTIONS.items()
    ]
    if output.json:
        names = ("name", "value", "source", "description")
        ignored = [{"file": str(each.file), "name": each.name, "reason": each.reason} for each in configuration.ignored]
        output.listing("settings", [dict(zip(names, row, strict=True)) for row in rows], ignored=ignored)
        return 0
    print_table(("setting", "value", "from", "what it is"), [tuple(map(str, row)) for row in rows], output)
    if configuration.ignored:
        output.line()
        found = [(each.name or "(all of it)", each.reason, str(each.file)) for each in configuration.ignored]
        print_table(("ignored", "because", "in"), [tuple(map(one_line, row)) for row in found], output)
    return 0


def _get(session: CommandSession) -> int:
    configuration, output, name = session.configuration, session.output, session.arguments.name
    value = _value(configuration, name)
    if output.json:
        output.document({"name": name, "value": value, "source": configuration.sources.get(name, DEFAULT_SOURCE)})
    else:
        output.line(str(value))
    return 0


def _set(session: CommandSession) -> int:
    given, configuration = session.arguments, session.configuration
    file = configuration.project_file if given.in_project else configuration.user_file
    if given.in_project:
        save_in_project(configuration.project_root, given.name, given.value)
    else:
        save(file, given.name, given.value)
    value = shown(given.name, given.value)
    if session.output.json:
        session.output.document({"name": given.name, "value": value, "file": str(file)})
    else:
        session.output.said(f"{given.name} = {value} ({file})")
        session.say_what_comes_first(given.name, file)
    return 0


def _path(session: CommandSession) -> int:
    configuration, output = session.configuration, session.output
    places = {
        "user file": str(configuration.user_file),
        "project file": str(configuration.project_file),
        "project": str(configuration.project_root),
        "store": configuration.shown_store,
        "models": str(configuration.models_folder),
    }
    if output.json:
        output.document({name.replace(" ", "_"): place for name, place in places.items()})
    else:
        print_table(("what", "where"), list(places.items()), output)
    return 0


def _value(configuration: Configuration, name: str) -> object:
    """What is in effect, with the places that are worked out when nothing is set."""
    match name:
        case "store":
            return configuration.shown_store
        case "project":
            return str(configuration.project_root)
        case "models":
            return str(configuration.models_folder)
        case _:
            return shown(name, configuration.settings.value(name))


ACTIONS = {
    "config": Action(
        description="Settings come from the first of: a flag, the environment (COMMONPLACE_NAME), the project's\n"
        f".commonplace/config.toml (only {', '.join(ALLOWED)}), your own config.toml, the default.",
        examples=("config show", "config get store", "config set model none", "config set near skip --in-project"),
        add_arguments=_add_arguments,
        run=_run,
    )
}
