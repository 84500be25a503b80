"""docs: the documents that memories rest on."""

from argparse import ArgumentParser

from commonplace.book.book import Book
from commonplace.cli.commands import Action
from commonplace.cli.output import Output
from commonplace.cli.parser import add_subcommands
from commonplace.cli.progress import progress
from commonplace.cli.render import count, elsewhere, excerpt, one_line
from commonplace.cli.session import CommandSession, UsageError
from commonplace.cli.short import MARKS, short_ids, shown, whole_id
from commonplace.cli.tables import print_table
from commonplace.cli.vectors import give_vectors
from commonplace.documents.evidence import CHUNK_SHELF, DOCUMENT_SHELF, Verification
from commonplace.documents.ingest import Chunk, Document, Looked
from commonplace.domain.scope import Principal
from commonplace.engine.short_ids import LAST
from commonplace.text import show_time, visible

NOTHING_READ = 1
SKIPPED_SHOWN = 20
PASSAGES = 5
_ACTIONS = {
    "add": "put files on the shelf, or read them again",
    "list": "every document",
    "show": "a document with its chunks, or one chunk",
    "search": "find passages by their words",
    "refresh": "read what has changed, and verify what rests on it",
    "remove": "take documents off the shelf",
}


def _add_arguments(parser: ArgumentParser) -> None:
    made = add_subcommands(parser, _ACTIONS)
    made["add"].add_argument("paths", metavar="PATH", nargs="+", help="a text file, or a folder")
    made["add"].add_argument(
        "--pattern",
        metavar="GLOB",
        action="append",
        default=[],
        help="of a folder only these: *.md by name, guides/* by path; several are alternatives",
    )
    made["show"].add_argument("path", metavar="ID", help="its id or path, or the id of a chunk")
    made["search"].add_argument("query", metavar="QUERY", help="the words to look for")
    made["search"].add_argument(
        "--limit", metavar="N", dest="passages", type=int, default=PASSAGES, help=f"how many, {PASSAGES} by default"
    )
    made["remove"].add_argument("path", metavar="PATH|ID", help="its path or id, or the path of a folder")


def _run(session: CommandSession) -> int:
    actions = {
        "add": _add,
        "list": _list,
        "show": _show,
        "search": _search,
        "refresh": _refresh,
        "remove": _remove,
    }
    with session.book(create=session.arguments.action == "add") as book:
        return actions[session.arguments.action](session, book)


def _scope(session: CommandSession) -> str | None:
    named = session.arguments.scope
    if len(named) > 1:
        raise UsageError("A document lives in one scope: give --scope once.")
    return named[0] if named else None


def _add(session: CommandSession, book: Book) -> int:
    given = session.arguments
    with progress("reading", session.output) as report:
        looked = book.documents.add(*given.paths, scope=_scope(session), patterns=given.pattern, progress=report)
    _tell(session, book, looked)
    give_vectors(session, book)
    read = looked.added or looked.changed or looked.unchanged
    return NOTHING_READ if looked.skipped and not read else 0


def _refresh(session: CommandSession, book: Book) -> int:
    with progress("looking", session.output) as report:
        looked = book.documents.refresh(scope=_scope(session), progress=report)
    _tell(session, book, looked)
    give_vectors(session, book)
    return 0


def _remove(session: CommandSession, book: Book) -> int:
    output = session.output
    removed = book.documents.remove(_named(book, session.arguments.path), scope=_scope(session))
    if output.json:
        documents = [_document_json(document, book.principal) for document in removed.documents]
        output.document({"removed": documents, "verified": _verified_json(removed.verified)})
    else:
        for document in removed.documents:
            output.said(f"{output.style('removed', 'green')} {visible(document.place)}")
        _tell_verified(removed.verified, output)
    return 0


def _named(book: Book, name: str) -> str:
    """A document by the whole of its id, where the beginning of one was typed, or `last`."""
    is_id = name == LAST or name.startswith(MARKS[DOCUMENT_SHELF])
    return whole_id(book, DOCUMENT_SHELF, name) if is_id else name


def _list(session: CommandSession, book: Book) -> int:
    output = session.output
    documents = book.documents.list(scopes=session.arguments.scope)
    if output.json:
        output.listing("documents", [_document_json(document, book.principal) for document in documents])
    elif documents:
        here, short = book.here(), short_ids(book, DOCUMENT_SHELF)
        rows = [
            (
                short[document.id],
                document.state.value,
                f"{document.chunks:,}",
                visible(document.place) + elsewhere(book, document.project, here),
            )
            for document in documents
        ]
        print_table(("id", "state", "chunks", "place"), rows, output)
    else:
        output.note("There are no documents here: 'commonplace docs add PATH' puts some on the shelf.")
    return 0


def _show(session: CommandSession, book: Book) -> int:
    output, name = session.output, session.arguments.path
    if name.startswith(MARKS[CHUNK_SHELF]):
        chunk = book.documents.get_chunk(whole_id(book, CHUNK_SHELF, name))
        if output.json:
            output.document(_chunk_json(chunk))
        else:
            _print_chunk(chunk, book, output)
            output.line(visible(chunk.content))
        return 0
    document = book.documents.get(_named(book, name), scope=_scope(session))
    chunks = book.documents.chunks(document.id)
    if output.json:
        output.document({**_document_json(document, book.principal), "chunks": [_chunk_json(each) for each in chunks]})
        return 0
    short = short_ids(book, DOCUMENT_SHELF)[document.id]
    output.line(f"{output.style(visible(document.place), 'bold')}  {short} · {document.state.value}")
    for chunk in chunks:
        _print_chunk(chunk, book, output)
        output.line(f"  {one_line(chunk.content, 100)}")
    return 0


def _search(session: CommandSession, book: Book) -> int:
    given, output = session.arguments, session.output
    passages = book.documents.search(given.query, given.passages, scopes=given.scope)
    if output.json:
        found = [{**_chunk_json(each.chunk), "score": round(each.score, 4)} for each in passages]
        output.listing("passages", found, limit=given.passages, query=given.query)
        return 0
    for passage in passages:
        _print_chunk(passage.chunk, book, output)
        for line in visible(passage.chunk.content).split("\n"):
            output.line(f"  {line}")
    if not passages:
        output.note("No passage has these words: try others, or 'commonplace docs refresh'.")
    return 0


# -- telling ----------------------------------------------------------------------------------


def _print_chunk(chunk: Chunk, book: Book, output: Output) -> None:
    place = f"{visible(chunk.place)}:{chunk.line_start}-{chunk.line_end}"
    above = f"  {one_line(' › '.join(chunk.title), 80)}" if chunk.title else ""
    output.line(f"{output.style(shown(chunk.id, book), 'green')}  {place}{output.style(above, 'dim')}")


def _tell(session: CommandSession, book: Book, looked: Looked) -> None:
    output = session.output
    if output.json:
        kinds = {"added": looked.added, "changed": looked.changed, "missing": looked.missing}
        shown = {name: [_document_json(each, book.principal) for each in found] for name, found in kinds.items()}
        skipped = [{"place": each.place, "reason": each.reason} for each in looked.skipped]
        verified = _verified_json(looked.verified)
        output.document({**shown, "unchanged": looked.unchanged, "skipped": skipped, "verified": verified})
    else:
        chunks = sum(document.chunks for document in (*looked.added, *looked.changed))
        output.said(
            f"{len(looked.added):,} added, {len(looked.changed):,} changed, {looked.unchanged:,} unchanged, "
            f"{len(looked.missing):,} missing; {count(chunks, 'chunk', 'chunks')} read."
        )
        _tell_verified(looked.verified, output)
    for each in looked.skipped[:SKIPPED_SHOWN]:
        output.warn(f"skipped {visible(each.place)}: {each.reason}")
    if len(looked.skipped) > SKIPPED_SHOWN:
        output.warn(f"{len(looked.skipped) - SKIPPED_SHOWN:,} more were skipped: --json lists them all.")


def _tell_verified(verified: tuple[Verification, ...], output: Output) -> None:
    for each in verified:
        output.said(f"{output.style(each.status.value, 'yellow')} {each.memory.number}: {excerpt(each.memory)}")


def _document_json(document: Document, principal: Principal) -> dict[str, object]:
    return {
        "id": document.id,
        "place": document.place,
        "scope": principal.show(document.scope),
        "project": document.project,
        "from_file": document.from_file,
        "state": document.state.value,
        "size": document.stamp.size,
        "chunk_count": document.chunks,
        "read_at": show_time(document.read_at),
    }


def _chunk_json(chunk: Chunk) -> dict[str, object]:
    return {
        "id": chunk.id,
        "document_id": chunk.document_id,
        "place": chunk.place,
        "title": list(chunk.title),
        "content": chunk.content,
        "line_start": chunk.line_start,
        "line_end": chunk.line_end,
        "token_count": chunk.token_count,
    }


def _verified_json(verified: tuple[Verification, ...]) -> list[dict[str, object]]:
    return [
        {"id": each.memory.id, "number": each.memory.number, "status": each.status.value, "score": each.score}
        for each in verified
    ]


ACTIONS = {
    "docs": Action(
        description="Documents for memories to rest on: text files in chunks, which keep their ids while the text\n"
        "around them changes. They are yours, about the project you are in, unless --scope says otherwise.",
        examples=(
            "docs add README.md docs --pattern '*.md'",
            'docs search "how do we deploy"',
            "docs refresh",
            "docs remove docs/old",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
