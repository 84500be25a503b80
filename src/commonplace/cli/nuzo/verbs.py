"""The operations of Nuzo's contract as commands: remember, recall, list, update, history, forget, export, import."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path

from commonplace.cli.nuzo.asking import SOURCE, ask, default_scope, named_scope
from commonplace.cli.render import one_line
from commonplace.cli.session import CommandSession, UsageError
from commonplace.dialects.nuzo import portable, tools
from commonplace.dialects.nuzo.markdown import markdown
from commonplace.dialects.nuzo.policy import KINDS
from commonplace.dialects.nuzo.refusals import Refusal
from commonplace.workspace.bounded_files import open_plain
from commonplace.workspace.files import new_file

FILE_LIMIT = 64_000_000  # bytes of an export document


def add_labels(parser: ArgumentParser, required: bool = False) -> None:
    """What a memory is labelled with; `required` makes the kind a must."""
    parser.add_argument("--kind", metavar="KIND", required=required, help=", ".join(KINDS))
    add_tags(parser, "its tags, one or more; may be repeated")
    parser.add_argument("--confidence", metavar="SHARE", type=float, help="from 0 to 1")


def add_tags(parser: ArgumentParser, meaning: str) -> None:
    """Tags, several at once or one by one; None when none is given."""
    parser.add_argument("--tag", metavar="TAG", nargs="+", action="extend", help=meaning)


def add_remember(parser: ArgumentParser) -> None:
    """Its arguments: the text and its kind are a must."""
    parser.add_argument("text", metavar="TEXT", help="what to remember")
    add_labels(parser, required=True)
    parser.add_argument("--source", metavar="NAME", default=SOURCE, help=f"where it comes from (default {SOURCE})")


def remember(session: CommandSession) -> None:
    """Stores it and prints its id; warnings go to stderr."""
    given = session.arguments
    stored = ask(
        session,
        tools.remember,
        content=given.text,
        kind=given.kind,
        scope=default_scope(session),
        tags=given.tag,
        source=given.source,
        confidence=given.confidence,
    )
    tell(session, stored, stored["id"])
    for warning in stored["warnings"]:
        session.output.note(warning)


def add_recall(parser: ArgumentParser) -> None:
    """Its arguments: what to look for, how many at most, and whether to look in user:default too."""
    parser.add_argument("query", metavar="QUERY", help="what to look for")
    parser.add_argument("--limit", metavar="N", type=int, default=8, help="how many at most, from 1 to 50 (default 8)")
    parser.add_argument("--include-global", action="store_true", help="look in user:default too")


def recall(session: CommandSession) -> None:
    """Prints what was found, best first: id, score and one line of text, between tabs."""
    given = session.arguments
    if given.limit not in tools.RECALL_LIMITS:
        raise UsageError(f"--limit must be from 1 to {tools.RECALL_LIMITS[-1]}, not {given.limit}.")
    found = ask(
        session,
        tools.recall,
        query=given.query,
        scope=default_scope(session),
        limit=given.limit,
        include_global=given.include_global,
    )
    lines = [f"{each['id']}\t{each['score']:.4g}\t{one_line(each['content'])}" for each in found["results"]]
    tell(session, found, *lines)


def add_list(parser: ArgumentParser) -> None:
    """Its arguments: tags a memory must all have, and whether archived ones count."""
    add_tags(parser, "has all of these tags")
    parser.add_argument("--include-archived", action="store_true", help="also what is archived")


def list_(session: CommandSession) -> None:
    """Prints what is in the scope: id, kind and one line of text, between tabs."""
    given = session.arguments
    found = ask(
        session, tools.list_, scope=default_scope(session), tags=given.tag, include_archived=given.include_archived
    )
    lines = [
        f"{each['id']}\t{each['kind']}{' archived' if each['archived_at'] else ''}\t{one_line(each['content'])}"
        for each in found["memories"]
    ]
    tell(session, found, *lines)


def add_update(parser: ArgumentParser) -> None:
    """Its arguments: the id, and what shall be different; what is not named stays as it is."""
    _add_id(parser)
    parser.add_argument("--content", metavar="TEXT", help="what it says from now on")
    add_labels(parser)


def update(session: CommandSession) -> None:
    """Changes a memory and prints its id."""
    given = session.arguments
    changed = ask(
        session,
        tools.update,
        id=given.id,
        content=given.content,
        kind=given.kind,
        scope=named_scope(session),
        tags=given.tag,
        confidence=given.confidence,
    )
    tell(session, changed, changed["memory"]["id"])


def add_history(parser: ArgumentParser) -> None:
    """Its one argument: the id."""
    _add_id(parser)


def history(session: CommandSession) -> None:
    """Prints what happened to a memory: time, event, actor and payload, between tabs."""
    told = ask(session, tools.history, id=session.arguments.id)
    lines = [
        "\t".join([each["created_at"], each["event_type"], each["actor"], one_line(json.dumps(each["payload"]))])
        for each in told["events"]
    ]
    tell(session, told, *lines)


def add_forget(parser: ArgumentParser) -> None:
    """Its arguments: the id, and what happens to the memory: it is archived unless told otherwise."""
    _add_id(parser)
    parser.add_argument("--archive", action="store_true", help="put it out of sight (the default)")
    _add_deletion(parser)


def forget(session: CommandSession) -> None:
    """Archives a memory, or deletes it for good if that was confirmed."""
    given = session.arguments
    if given.archive and given.delete:
        raise Refusal("MEMORY_FORGET_MODE_CONFLICT", "--archive and --delete exclude each other: give one of them.")
    done = ask(session, tools.forget, id=given.id, mode=_mode(session), reason=given.reason, confirm=given.yes)
    tell(session, done, "Deleted" if given.delete else "Archived")


def add_forget_many(parser: ArgumentParser) -> None:
    """Its arguments: which ones, and whether to do it; a preview unless told otherwise."""
    add_tags(parser, "what has all of these tags")
    parser.add_argument("--all", action="store_true", help="everything, instead of --scope and --tag")
    parser.add_argument("--apply", action="store_true", help="do it; without this it is only a preview")
    _add_deletion(parser)


def forget_many(session: CommandSession) -> None:
    """Prints how many match and were affected, then their ids. Nothing changes without --apply."""
    given = session.arguments
    done = ask(
        session,
        tools.forget_many,
        scope=named_scope(session),
        tags=given.tag,
        all=given.all,
        mode=_mode(session),
        dry_run=not given.apply,
        confirm=given.yes,
        reason=given.reason,
    )
    head = "Preview" if done["dry_run"] else "Applied"
    counts = f"matched={done['matched']}\taffected={done['affected']}\tmode={done['mode']}"
    tell(session, done, f"{head}\t{counts}", *done["ids"])


def add_export(parser: ArgumentParser) -> None:
    """Its arguments: where to, in which format, and which memories."""
    parser.add_argument("--path", metavar="FILE", help="write to a file, for your eyes only, instead of stdout")
    parser.add_argument(
        "--format", metavar="FORMAT", choices=("json", "markdown"), help="json, or markdown as for a FILE.md"
    )
    add_tags(parser, "what has all of these tags")
    parser.add_argument("--include-archived", action="store_true", help="also what is archived")


def export(session: CommandSession) -> None:
    """Writes the scope's memories to stdout, or to a file that only its owner can read."""
    given, output = session.arguments, session.output
    document = ask(
        session, portable.export, scope=default_scope(session), tags=given.tag, include_archived=given.include_archived
    )
    path = None if given.path is None else session.target(given.path)
    readable = given.format == "markdown" or (given.format is None and path is not None and path.suffix == ".md")
    text = markdown(document) if readable else json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    if path is None and readable:
        output.line(text.rstrip("\n"))
    elif path is None:
        output.written(text)
    if path is None:
        return
    with new_file(path, replace=True) as target:
        target.write(text)
    count = len(document["memories"])
    if output.json:
        output.document({"path": str(path), "exported": count})
    else:
        output.line(f"Exported {count} memories to {path}")


def add_import(parser: ArgumentParser) -> None:
    """Its arguments: the document, and whether only to say what would happen."""
    parser.add_argument("file", metavar="FILE", help="a JSON document that export wrote; - reads stdin")
    parser.add_argument("--dry-run", action="store_true", help="say what would happen and change nothing")


def import_(session: CommandSession) -> None:
    """Takes in what export wrote, and prints how many memories came in and how many were skipped."""
    given = session.arguments
    document = read_json(given.file)
    if not isinstance(document, dict):
        raise Refusal("MEMORY_EXPORT_INVALID", f"{given.file} is not an export document.", "document")
    done = ask(session, portable.import_, document=document, scope=named_scope(session), dry_run=given.dry_run)
    action = "Would import" if done["dry_run"] else "Imported"
    skipped = f", skipped {done['skipped']}" if done["skipped"] else ""
    tell(session, done, f"{action} {done['imported']} memories{skipped}")


def read_json(file: str) -> object:
    """A JSON document from a file, or from stdin for `-`."""
    if file == "-":
        content = sys.stdin.buffer.read(FILE_LIMIT + 1)
    else:
        with open_plain(Path(file).expanduser()) as source:
            content = source.read(FILE_LIMIT + 1)
    if len(content) > FILE_LIMIT:
        raise Refusal("MEMORY_EXPORT_TOO_LARGE", f"{file} is larger than {FILE_LIMIT:,} bytes: split it up.")
    try:
        document: object = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Refusal("MEMORY_EXPORT_INVALID", f"{file} is not JSON.", "document") from None
    return document


def tell(session: CommandSession, body: object, *lines: str) -> None:
    """The tool's own body for --json, else one line for each item."""
    if session.output.json:
        session.output.document(body)
        return
    for line in lines:
        session.output.line(line)


def _add_id(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the memory's id (mem_…)")


def _add_deletion(parser: ArgumentParser) -> None:
    parser.add_argument("--delete", action="store_true", help="erase for good; needs --yes")
    parser.add_argument("--yes", action="store_true", help="confirm a deletion")
    parser.add_argument("--reason", metavar="TEXT", help="why, for the history")


def _mode(session: CommandSession) -> str:
    return "delete" if session.arguments.delete else "archive"
