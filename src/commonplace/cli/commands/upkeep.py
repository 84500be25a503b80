"""doctor, reembed and upgrade: keeping a book in good health."""

from argparse import ArgumentParser
from importlib.metadata import PackageNotFoundError, version

from commonplace.book.book import Book
from commonplace.cli.commands import Action
from commonplace.cli.output import Output
from commonplace.cli.progress import progress
from commonplace.cli.render import count
from commonplace.cli.session import DEFAULT_SOURCE, CommandSession
from commonplace.cli.tables import print_table
from commonplace.config import NO_MODEL
from commonplace.errors import BookMissing, CommonplaceError, ModelMissing
from commonplace.ports import Finding
from commonplace.text import visible

EXIT_UNWELL = 1
NAMESAKE = "commonplace"
"""What our distribution is not called, since it is somebody else's: it has the same import and the same command."""


def _add_doctor(parser: ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="rebuild every index from the rows first")


def _doctor(session: CommandSession) -> int:
    output = session.output
    with session.book() as book:
        repaired = list(book.care.repair()) if session.arguments.repair else []
        findings = [*_findings(book), _examine_package()]
    well = all(finding.ok for finding in findings)
    if output.json:
        shown = [{"check": each.check, "ok": each.ok, "detail": each.detail} for each in findings]
        output.document(
            {"ok": well, "store": session.configuration.shown_store, "findings": shown, "repaired": repaired}
        )
    else:
        _print_findings(findings, repaired, output)
    return 0 if well else EXIT_UNWELL


def _findings(book: Book) -> list[Finding]:
    """What doctor found; a book that cannot even be examined is a finding too."""
    findings: list[Finding] = []
    try:
        findings += book.care.doctor()
    except BookMissing:
        raise
    except CommonplaceError as error:
        findings.append(Finding("book", False, error.message))
    return findings


def _examine_package() -> Finding:
    """Two packages that bring the same files overwrite one another, whichever was installed first."""
    try:
        other = version(NAMESAKE)
    except PackageNotFoundError:
        return Finding("package", True, "no other package brings the same command")
    return Finding(
        "package",
        False,
        f"the package '{NAMESAKE}' {other}, which is another program, is installed in the same environment and brings "
        f"the same command: run 'pip uninstall {NAMESAKE}', then install commonplace-memory again",
    )


def _print_findings(findings: list[Finding], repaired: list[str], output: Output) -> None:
    for action in repaired:
        output.line(f"repaired: {action}")
    rows = [("ok" if each.ok else "FAILED", each.check, visible(each.detail)) for each in findings]
    print_table(("", "check", "detail"), rows, output)
    failed = sum(not each.ok for each in findings)
    if failed:
        output.line(output.style(f"{count(failed, 'check', 'checks')} failed.", "red"))
    else:
        output.said(output.style("No problems found.", "green"))


def _add_reembed(parser: ArgumentParser) -> None:
    parser.add_argument("--prune", action="store_true", help="then drop the vectors of other models")


def _reembed(session: CommandSession) -> int:
    output = session.output
    session.require_book()
    settings = session.configuration
    if settings.settings.model == NO_MODEL:
        source = settings.sources.get("model", DEFAULT_SOURCE)
        raise ModelMissing(f"There is nothing to embed with: the model is '{NO_MODEL}', which {source} says.")
    with session.book() as book:
        with progress("embedding", output) as report:
            done = book.care.reembed(report, prune=session.arguments.prune)
        missing = book.care.missing_vectors()
        space = "" if book.embedder is None else str(book.embedder.space)
    if output.json:
        output.document({"embedded": done, "missing": missing, "space": space, "pruned": session.arguments.prune})
    else:
        output.said(f"Gave {count(done, 'text', 'texts')} a vector in {space}; {missing:,} still lack one.")
    return 0


def _add_upgrade(parser: ArgumentParser) -> None:
    """It takes nothing of its own."""


def _upgrade(session: CommandSession) -> int:
    output = session.output
    place = session.configuration.shown_store
    with session.book(create=session.on_server) as book:
        before, after = book.care.upgrade()
    copy = None
    if before != after and not session.on_server:
        copy = session.place.with_name(f"{session.place.name}.schema-{before}.backup")
    if output.json:
        output.document({"before": before, "after": after, "copy": None if copy is None else str(copy)})
    elif before == after:
        output.said(f"{place} is up to date: schema {after}.")
    else:
        kept = "" if copy is None else f"; the old one is kept as {copy}"
        output.said(f"Brought {place} from schema {before} to {after}{kept}.")
    return 0


ACTIONS = {
    "doctor": Action(
        description="Examine the book: pages, schema, words, hashes, permissions, vectors, secrets, git, network,\n"
        "and whether another program's package is in the way.\n"
        "Changes nothing without --repair. The exit code is 1 if a check fails.",
        examples=("doctor", "doctor --repair", "doctor --json"),
        add_arguments=_add_doctor,
        run=_doctor,
    ),
    "reembed": Action(
        description="Give every memory, decision, conversation and document a vector of the model in use.\n"
        "Goes on where it was stopped.",
        examples=("reembed", "reembed --model bge-small --prune"),
        add_arguments=_add_reembed,
        run=_reembed,
    ),
    "upgrade": Action(
        description="Bring a book of an older version up to date. A file is copied first, to a file beside it;\n"
        "a book on a server is brought up in one transaction, and created if it is not there yet.",
        examples=("upgrade",),
        add_arguments=_add_upgrade,
        run=_upgrade,
    ),
}
