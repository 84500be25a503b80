"""suggest-capture and confirm-capture: drafts an agent prints, and what a person decides about them."""

from argparse import ArgumentParser
from typing import get_args

from commonplace.cli.nuzo.asking import CONFIRMING, ask, default_scope, named_scope, read
from commonplace.cli.nuzo.verbs import add_labels, read_json, tell
from commonplace.cli.session import CommandSession, UsageError
from commonplace.dialects.nuzo.capture import SOURCE, Confirmed, Decision, check_decision, confirm, suggest
from commonplace.dialects.nuzo.refusals import Refusal

BATCH_LIMIT = 100

Draft = dict[str, object]


def add_suggest(parser: ArgumentParser) -> None:
    """Its arguments: the text, and why it seems worth keeping."""
    parser.add_argument("text", metavar="TEXT", help="what seems worth keeping")
    add_labels(parser, required=True)
    parser.add_argument("--reason", metavar="TEXT", required=True, help="why it seems worth keeping")
    parser.add_argument("--source", metavar="NAME", default=SOURCE, help=f"where it comes from (default {SOURCE})")


def suggest_capture(session: CommandSession) -> None:
    """Prints a draft as JSON, to be read and given to confirm-capture. Nothing is stored."""
    given = session.arguments
    suggested = ask(
        session,
        suggest,
        content=given.text,
        kind=given.kind,
        scope=default_scope(session),
        tags=given.tag,
        source=given.source,
        confidence=given.confidence,
        reason=given.reason,
    )
    session.output.document(suggested)


def add_confirm(parser: ArgumentParser) -> None:
    """Its arguments: the drafts, and what is decided about those that do not say."""
    parser.add_argument("file", metavar="FILE", help="a draft, or a list of drafts, as JSON; - reads stdin")
    decisions = get_args(Decision)
    parser.add_argument(
        "--decision",
        metavar="DECISION",
        choices=decisions,
        default="create",
        help=f"{', '.join(decisions)}, for every draft that names none itself (default create)",
    )
    parser.add_argument("--target", metavar="ID", help="the memory that --decision update changes")
    parser.add_argument("--content", metavar="TEXT", help="keep it in these words instead")
    add_labels(parser)
    parser.add_argument("--confirm", "--yes", action="store_true", help="you have read the drafts and want them kept")


def confirm_capture(session: CommandSession) -> None:
    """Everything is checked before the first draft of a batch is stored."""
    document = read_json(session.arguments.file)
    drafts = _drafts(document)
    edits = _edits(session)
    if edits and len(drafts) > 1:
        raise UsageError("One draft can be edited at a time: give --content, --kind, --tag and --scope with one.")
    with session.book(CONFIRMING, create=True) as book:
        asked = [read(confirm, {**_decided(session, draft), **edits}) for draft in drafts]
        for each in asked:
            check_decision(book, each)
        outcomes = [confirm(book, each) for each in asked]
    lines = ["\t".join([each["status"], *_id(each)]) for each in outcomes]
    alone = len(outcomes) == 1 and not isinstance(document, list)
    tell(session, outcomes[0] if alone else {"results": outcomes}, *lines)


def _drafts(document: object) -> list[Draft]:
    """One draft, what suggest-capture printed, or a list of either."""
    items = document if isinstance(document, list) else [document]
    if len(items) > BATCH_LIMIT:
        raise Refusal("MEMORY_INPUT_INVALID", f"{len(items)} drafts are too many: {BATCH_LIMIT} at once.")
    drafts = [_draft(item) for item in items]
    if not drafts:
        raise Refusal("MEMORY_INPUT_INVALID", "There is no draft in the document.")
    return drafts


def _draft(item: object) -> Draft:
    if not isinstance(item, dict):
        raise Refusal("MEMORY_INPUT_INVALID", "A draft is a JSON object: use what suggest-capture printed.")
    inner = item.get("draft")
    if not isinstance(inner, dict):
        return item
    decided = {name: item[name] for name in ("decision", "target_memory_id") if name in item}
    return {**inner, **decided}


def _decided(session: CommandSession, draft: Draft) -> Draft:
    """A draft with what this call says of it. Whether it is confirmed is never the draft's to say."""
    given = session.arguments
    defaults: Draft = {"decision": given.decision, "target_memory_id": given.target}
    return {**defaults, **draft, "confirm": given.confirm}


def _edits(session: CommandSession) -> Draft:
    given = session.arguments
    asked = {
        "content": given.content,
        "kind": given.kind,
        "tags": given.tag,
        "confidence": given.confidence,
        "scope": named_scope(session),
    }
    return {name: value for name, value in asked.items() if value is not None}


def _id(outcome: Confirmed) -> list[str]:
    return [] if outcome["memory"] is None else [outcome["memory"]["id"]]
