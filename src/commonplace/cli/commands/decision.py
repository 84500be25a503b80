"""decision: the log of what was decided, why, and what took its place."""

from argparse import ArgumentParser, Namespace
from collections import Counter

from commonplace.book.book import Book
from commonplace.book.display_json import decision_json
from commonplace.cli.commands import Action
from commonplace.cli.output import Output
from commonplace.cli.parser import add_subcommands
from commonplace.cli.render import EXCERPT_LENGTH, count, elsewhere, one_line
from commonplace.cli.session import CommandSession
from commonplace.cli.tables import print_table
from commonplace.decisions.decision import Decision, DecisionStatus, Found, Impact, Inquiry, Proposal
from commonplace.decisions.markdown_files import files
from commonplace.domain.query import PAGE_LIMIT
from commonplace.domain.validation import choice
from commonplace.engine.parse import moment
from commonplace.engine.short_ids import LAST
from commonplace.errors import Conflict
from commonplace.text import show_time, visible
from commonplace.workspace.files import SHARED, new_file

_MEANINGS = {
    "create": "write a decision down",
    "list": "every decision, newest first",
    "show": "one decision, with its chain",
    "query": "find decisions by their words",
    "supersede": "put a new decision in the place of an older one",
    "revert": "take a decision back",
    "export": "write the decisions about this project to a folder, as Markdown",
}
_IMPACTS = ", ".join(impact.value for impact in Impact)
_STATUSES = ", ".join(status.value for status in DecisionStatus)


def _add_arguments(parser: ArgumentParser) -> None:
    made = add_subcommands(parser, _MEANINGS)
    made["supersede"].add_argument("id", metavar="ID", help="the decision that gives way, such as DEC-014, or last")
    for name in ("create", "supersede"):
        _add_proposal(made[name], area_needed=name == "create")
    made["show"].add_argument("id", metavar="ID", help="such as DEC-014, or last")
    revert = made["revert"]
    revert.add_argument("id", metavar="ID", help="such as DEC-014, or last")
    revert.add_argument("--reason", metavar="TEXT", required=True, help="why, in a sentence")
    made["export"].add_argument("folder", metavar="DIR", help="where the files go; it is made if it is not there")
    query = made["query"]
    query.add_argument("text", metavar="TEXT", nargs="?", help="words to look for")
    query.add_argument("--area", metavar="NAME", help="concerns this")
    query.add_argument("--impact", metavar="IMPACT", help=_IMPACTS)
    query.add_argument("--status", metavar="STATUS", help=_STATUSES)
    query.add_argument("--tag", metavar="TAG", action="append", default=[], help="has any of these tags")
    query.add_argument("--include-superseded", action="store_true", help="also what was superseded")
    for name in ("list", "query"):
        made[name].add_argument("--limit", metavar="N", type=int, default=50 if name == "list" else 10, help="how many")
        made[name].add_argument("--offset", metavar="N", type=int, default=0, help="how many to pass over first")


def _add_proposal(parser: ArgumentParser, area_needed: bool) -> None:
    parser.add_argument("title", metavar="TITLE", help="what was decided, in a line")
    for name, meaning in (
        ("context", "what made a decision necessary"),
        ("decision", "what was decided"),
        ("rationale", "why this and nothing else"),
    ):
        parser.add_argument(f"--{name}", metavar="TEXT", required=True, help=meaning)
    parser.add_argument(
        "--area",
        metavar="NAME",
        required=area_needed,
        help="what it concerns, such as backend" if area_needed else "what it concerns; else as before",
    )
    parser.add_argument("--owner", metavar="NAME", help="who decided (default: you)")
    parser.add_argument("--impact", metavar="IMPACT", default=Impact.MEDIUM.value, help=f"{_IMPACTS} (default medium)")
    parser.add_argument(
        "--alternative", metavar="TEXT", action="append", default=[], help="what was considered instead; repeatable"
    )
    parser.add_argument("--revert-plan", metavar="TEXT", help="how to go back")
    parser.add_argument("--tag", metavar="TAG", action="append", default=[], help="repeatable")
    parser.add_argument("--decided-at", metavar="TIME", help="when, if it was not just now: 2026-03-01 or 3d")


def _run(session: CommandSession) -> int:
    with session.book(create=session.arguments.action == "create") as book:
        match session.arguments.action:
            case "create":
                return _tell(session, book, book.decisions.create(session.write_scope(book), _proposal(session, book)))
            case "supersede":
                return _supersede(session, book)
            case "revert":
                decision = _named(session, book)
                return _tell_reverted(session, book, decision)
            case "show":
                return _show(session, book)
            case "export":
                return _export(session, book)
            case action:
                return _print_found(session, book, _look(session, book, action))


def _proposal(session: CommandSession, book: Book) -> Proposal:
    given: Namespace = session.arguments
    at = None if given.decided_at is None else moment(given.decided_at, book.now(), "--decided-at")
    return Proposal(
        given.title,
        given.owner or book.principal.user,
        given.context,
        given.decision,
        given.rationale,
        given.area,
        choice(Impact, given.impact, "impact"),
        tuple(given.alternative),
        given.revert_plan,
        tuple(given.tag),
        at,
    )


def _named(session: CommandSession, book: Book) -> Decision:
    """A decision by its number, or the one that was written down last."""
    named, scopes = session.arguments.id, session.read_scopes(book)
    if named.strip().lower() == LAST and (newest := book.decisions.list(scopes, limit=1).decisions):
        return newest[0]
    return book.decisions.get(named, scopes)


def _supersede(session: CommandSession, book: Book) -> int:
    old = _named(session, book)
    new = book.decisions.supersede(old.scope, old.id, _proposal(session, book))
    return _tell(session, book, new)


def _tell_reverted(session: CommandSession, book: Book, decision: Decision) -> int:
    """Also what stands in its place now, if anything does."""
    reverted = book.decisions.revert(decision.scope, decision.id, session.arguments.reason)
    before = None if reverted.supersedes is None else book.decisions.get(reverted.supersedes, (reverted.scope,))
    standing = before.id if before is not None and before.status is DecisionStatus.ACTIVE else None
    if session.output.json:
        session.output.document({**decision_json(reverted, book.principal), "standing": standing})
    else:
        told = f"{standing} stands again" if standing else "nothing stands in its place"
        done = session.output.style("reverted", "green")
        session.output.said(f"{done} {reverted.id}: {one_line(reverted.title)}; {told}")
    return 0


def _tell(session: CommandSession, book: Book, decision: Decision) -> int:
    if session.output.json:
        session.output.document(decision_json(decision, book.principal))
        return 0
    instead = f", in the place of {decision.supersedes}" if decision.supersedes else ""
    session.output.said(
        f"{session.output.style('decided', 'green')} {decision.id}{instead}: {one_line(decision.title)}"
    )
    return 0


def _look(session: CommandSession, book: Book, action: str) -> Found:
    given, scopes = session.arguments, session.read_scopes(book)
    if action == "list":
        return book.decisions.list(scopes, limit=given.limit, offset=given.offset)
    return book.decisions.query(
        Inquiry(
            scopes,
            given.text,
            given.area,
            None if given.impact is None else choice(Impact, given.impact, "impact"),
            None if given.status is None else choice(DecisionStatus, given.status, "status"),
            tuple(given.tag),
            given.include_superseded,
            given.limit,
            given.offset,
        )
    )


def _print_found(session: CommandSession, book: Book, found: Found) -> int:
    output = session.output
    if output.json:
        decisions = [decision_json(decision, book.principal) for decision in found.decisions]
        output.listing("decisions", decisions, found.total, has_more=found.has_more)
        return 0
    here = book.here()
    rows = [
        (
            each.id,
            show_time(each.decided_at)[:10],
            each.status.value,
            each.impact.value,
            one_line(each.area),
            one_line(each.title, EXCERPT_LENGTH) + elsewhere(book, each.about, here),
        )
        for each in found.decisions
    ]
    if rows:
        print_table(("id", "date", "status", "impact", "area", "title"), rows, output)
    else:
        output.note("There is no such decision.")
    if found.has_more:
        output.note(f"{len(rows)} of {found.total:,}: --offset and --limit show the others.")
    return 0


def _show(session: CommandSession, book: Book) -> int:
    decision = _named(session, book)
    chain = book.decisions.chain(decision.scope, decision.id)
    if session.output.json:
        session.output.document({**decision_json(decision, book.principal), "chain": [each.id for each in chain]})
        return 0
    _print_decision(decision, chain, session.output)
    return 0


def _print_decision(decision: Decision, chain: tuple[Decision, ...], output: Output) -> None:
    output.line(output.style(f"{decision.id}: {visible(decision.title)}", "bold"))
    small = [decision.status.value, f"{decision.impact.value} impact", decision.area, decision.owner]
    small += [show_time(decision.decided_at)[:10], *(f"#{tag}" for tag in decision.tags)]
    output.line(output.style(" · ".join(map(visible, small)), "dim"))
    sections = [
        ("context", decision.context),
        ("decision", decision.decision),
        ("rationale", decision.rationale),
        *(("alternative", text) for text in decision.alternatives),
        ("revert plan", decision.revert_plan),
        ("reverted", decision.revert_reason),
    ]
    for title, text in sections:
        if text:
            output.line(f"\n{output.style(title, 'cyan')}\n{visible(text)}")
    if len(chain) > 1:
        output.line(f"\n{output.style('chain', 'cyan')}")
        for each in chain:
            output.line(f"{'*' if each == decision else ' '} {each.id} {each.status.value}: {one_line(each.title)}")


def _exported(session: CommandSession, book: Book) -> list[Decision]:
    """Those of the scope that is named, else those about the project one is in, else one's own."""
    here = () if session.arguments.scope else book.here()
    scopes = session.read_scopes(book) if here else (session.write_scope(book),)
    decisions: list[Decision] = []
    while True:
        found = book.decisions.list(scopes, limit=PAGE_LIMIT, offset=len(decisions))
        decisions += found.decisions
        if not found.has_more:
            break
    chosen = [each for each in decisions if not here or each.about in here]
    twice = [id for id, times in Counter(each.id for each in chosen).items() if times > 1]
    if twice:
        raise Conflict(f"{twice[0]} stands in two scopes, and both would be one file: name one with --scope.")
    return chosen


def _export(session: CommandSession, book: Book) -> int:
    folder, decisions = session.target(session.arguments.folder), _exported(session, book)
    written = dict(files(decisions))
    targets = {name: session.target(str(folder / name)) for name in written}  # all are checked before one is written
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in written.items():
        with new_file(targets[name], replace=True, mode=SHARED) as target:
            target.write(content)
    if session.output.json:
        session.output.document({"folder": str(folder), "files": list(written)})
    else:
        session.output.said(f"wrote {count(len(decisions), 'decision', 'decisions')} and an index to {folder}")
    return 0


ACTIONS = {
    "decision": Action(
        description="The decision log. A decision that stands is never rewritten: another one supersedes it,\n"
        "or it is reverted. Numbers belong to a scope and are never given out twice.",
        examples=(
            'decision create "Use Redis for job deduplication" --area backend --context "Jobs run twice" '
            '--decision "A Redis set with a TTL" --rationale "It is there already"',
            'decision query "redis deduplication"',
            "decision export docs/decisions",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
