"""evidence: what a memory rests on, and whether it still holds."""

from argparse import ArgumentParser
from pathlib import Path

from commonplace.book.book import Book
from commonplace.cli.commands import Action
from commonplace.cli.commands.read import add_reference
from commonplace.cli.parser import add_subcommands
from commonplace.cli.render import count, excerpt, one_line
from commonplace.cli.session import CommandSession, UsageError
from commonplace.cli.short import short_ids, whole_id
from commonplace.cli.tables import print_table
from commonplace.documents.evidence import SHELF, Evidence, EvidenceFinding, EvidenceType, Source, Verification
from commonplace.text import show_time, visible

DOES_NOT_HOLD = 1
_ACTIONS = {
    "attach": "say what a memory rests on",
    "list": "what a memory rests on",
    "verify": "look whether it still holds",
    "detach": "take a piece of evidence away",
}


def _add_arguments(parser: ArgumentParser) -> None:
    made = add_subcommands(parser, _ACTIONS)
    attach = made["attach"]
    add_reference(attach)
    types = [type.value for type in EvidenceType]
    attach.add_argument("type", metavar="TYPE", choices=types, help=", ".join(types))
    attach.add_argument(
        "source", metavar="SOURCE", nargs="?", help="a path or an id on the shelf, else a link, a number, a hash"
    )
    attach.add_argument("--snippet", metavar="TEXT", help="the words it rests on")
    attach.add_argument("--lines", metavar="N-N", help="the lines it rests on, as in 12-20")
    attach.add_argument("--weight", metavar="SHARE", type=float, help="how much it counts, from 0 to 1 (default 1)")
    add_reference(made["list"])
    made["verify"].add_argument("ids", metavar="ID", nargs="+", help="its number, or its id (mem_…)")
    made["verify"].add_argument(
        "--keep-active", action="store_true", help="do not mark a memory stale when nothing of it holds"
    )
    made["detach"].add_argument("id", metavar="EVIDENCE", help="its id (evd_…), as much of it as the list shows")


def _run(session: CommandSession) -> int:
    actions = {"attach": _attach, "list": _list, "verify": _verify, "detach": _detach}
    with session.book() as book:
        return actions[session.arguments.action](session, book)


def _attach(session: CommandSession, book: Book) -> int:
    given, output = session.arguments, session.output
    attached = book.evidence.attach(given.id, _source(session))
    evidence = attached.evidence
    if output.json:
        output.document({**_json(evidence), "known": attached.known})
    else:
        action = "brought up to date" if attached.known else "attached"
        output.said(
            f"{output.style(action, 'green')} {short_ids(book, SHELF)[evidence.id]} to {given.id}: {_shown(evidence)}"
        )
    return 0


def _source(session: CommandSession) -> Source:
    given = session.arguments
    type, named = EvidenceType(given.type), given.source
    start, end = _lines(given.lines)
    places = {"reference": named}
    if type is EvidenceType.CHUNK:
        places = {"chunk_id": named}
    elif type is EvidenceType.DOCUMENT and named is not None:
        places = {"document_id": named} if named.startswith("doc_") else {"reference": _place(session, named)}
    return Source(type, snippet=given.snippet, line_start=start, line_end=end, weight=given.weight, **places)


def _place(session: CommandSession, path: str) -> str:
    """A path from here as documents of the project spell it."""
    root, real = session.configuration.project_root.resolve(), Path(path).expanduser().resolve()
    return real.relative_to(root).as_posix() if real.exists() and real.is_relative_to(root) else path


def _lines(text: str | None) -> tuple[int | None, int | None]:
    if text is None:
        return None, None
    first, _, last = text.partition("-")
    try:
        return int(first), int(last or first)
    except ValueError:
        raise UsageError(f"'{text[:20]}' are no lines: write --lines 12-20.") from None


def _list(session: CommandSession, book: Book) -> int:
    output = session.output
    found = book.evidence.of(session.arguments.id)
    if output.json:
        output.listing("evidence", [_json(evidence) for evidence in found])
    elif found:
        short = short_ids(book, SHELF)
        rows = [
            (short[evidence.id], evidence.type.value, f"{evidence.weight:g}", _shown(evidence)) for evidence in found
        ]
        print_table(("id", "type", "weight", "source"), rows, output)
    else:
        output.note("It rests on nothing yet: 'commonplace evidence attach' says on what.")
    return 0


def _verify(session: CommandSession, book: Book) -> int:
    given, output = session.arguments, session.output
    verified = [book.evidence.verify(id, mark_stale=not given.keep_active) for id in given.ids]
    if output.json:
        output.listing("verified", [_verification_json(each) for each in verified])
    else:
        short = short_ids(book, SHELF)
        for each in verified:
            held = f"{each.valid:,} of {count(each.total, 'piece', 'pieces')} of evidence hold"
            output.line(
                f"{each.memory.number} {output.style(each.status.value, 'green')}, {held}: {excerpt(each.memory)}"
            )
            for finding in each.failing:
                output.line(f"  {short[finding.evidence.id]} {_shown(finding.evidence)}: {finding.problem}")
    return DOES_NOT_HOLD if any(each.total and not each.valid for each in verified) else 0


def _detach(session: CommandSession, book: Book) -> int:
    evidence = book.evidence.detach(whole_id(book, SHELF, session.arguments.id))
    if session.output.json:
        session.output.document(_json(evidence))
    else:
        session.output.said(f"{session.output.style('detached', 'green')} {session.arguments.id}: {_shown(evidence)}")
    return 0


def _shown(evidence: Evidence) -> str:
    """What it points to, its lines and its words, on one line."""
    target = _target(evidence)
    lines = f":{evidence.line_start}-{evidence.line_end or evidence.line_start}" if evidence.line_start else ""
    snippet = f'"{one_line(evidence.snippet, 60)}"' if evidence.snippet else ""
    return " ".join(filter(None, (f"{visible(target)}{lines}" if target else lines, snippet))) or "nothing"


def _target(evidence: Evidence) -> str | None:
    return evidence.chunk_id or evidence.reference or evidence.document_id


def _json(evidence: Evidence) -> dict[str, object]:
    shown = {name: getattr(evidence, name) for name in Evidence.fields}
    return {**shown, "type": evidence.type.value, "created_at": show_time(evidence.created_at)}


def _verification_json(verified: Verification) -> dict[str, object]:
    return {
        "id": verified.memory.id,
        "number": verified.memory.number,
        "status": verified.status.value,
        "total": verified.total,
        "valid": verified.valid,
        "invalid": verified.invalid,
        "score": verified.score,
        "changed": verified.changed,
        "failing": [_failing_json(finding) for finding in verified.failing],
    }


def _failing_json(finding: EvidenceFinding) -> dict[str, object]:
    names = ("id", "line_start", "line_end")
    shown = {name: getattr(finding.evidence, name) for name in names}
    described = {"type": finding.evidence.type.value, "source": _target(finding.evidence)}
    return {**shown, **described, "problem": finding.problem}


ACTIONS = {
    "evidence": Action(
        description="What a memory rests on. One of which nothing holds any more becomes stale and is not recalled;\n"
        "it comes back when something holds again.",
        examples=(
            "evidence attach 12 document docs/deploys.md --lines 12-20",
            "evidence attach 12 commit 4f2a91c --snippet 'ship on Mondays'",
            "evidence verify 12 15",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
