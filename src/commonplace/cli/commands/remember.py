"""remember: from arguments, from files, from a pipe; one thing or a hundred thousand."""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from commonplace.book.book import Book
from commonplace.cli.commands import Action
from commonplace.cli.output import Output
from commonplace.cli.render import article, count, excerpt, one_line
from commonplace.cli.session import CommandSession, UsageError
from commonplace.domain.memory import Kind, Memory
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal
from commonplace.engine.duplicates import Near
from commonplace.engine.intake import BATCH_LIMIT, Draft, NearPolicy, Refused, Remembered, Repeats, Verdict
from commonplace.errors import InvalidInput
from commonplace.text import visible
from commonplace.text.kinds import guessed_kind

TOLD_ONE_BY_ONE = 20
"""Of more texts than that, only those are told of which there is more to say."""
INPUT_LIMIT = 256_000_000  # bytes of one file or pipe

_WORDS = {
    Verdict.CREATED: ("remembered as", "green"),
    Verdict.REPEATED: ("already known as", "cyan"),
    Verdict.SKIPPED: ("skipped, nearly the same as", "yellow"),
    Verdict.REPLAYED: ("stored before as", "cyan"),
}


def add_labels(parser: ArgumentParser, unset: object = None) -> None:
    """What a memory can be given besides its text; update takes the same."""
    kinds = [kind.value for kind in Kind]
    parser.add_argument("--kind", metavar="KIND", choices=kinds, default=unset, help=", ".join(kinds))
    parser.add_argument("--tag", metavar="TAG", action="append", default=unset, help="a tag; repeat it for more")
    parser.add_argument("--category", metavar="NAME", default=unset, help="what it is filed under")
    parser.add_argument("--topic", metavar="NAME", default=unset, help="its topic: the newest memory on it counts")
    parser.add_argument("--importance", metavar="SHARE", type=float, default=unset, help="from 0 to 1")
    parser.add_argument("--confidence", metavar="SHARE", type=float, default=unset, help="from 0 to 1")
    parser.add_argument("--priority", metavar="N", type=int, default=unset, help="from 1 to 10")
    parser.add_argument("--expires", metavar="TIME", default=unset, help="when it stops being recalled: 7d, 2026-12-31")
    parser.add_argument("--valid-from", metavar="TIME", default=unset, help="since when it is true")
    parser.add_argument("--valid-to", metavar="TIME", default=unset, help="until when it is true")


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", nargs="*", help="one memory for each argument; - reads stdin")
    parser.add_argument("--file", metavar="FILE", action="append", default=[], help="each line of a file is a memory")
    parser.add_argument("--whole", action="store_true", help="a file, or stdin, is one memory")
    add_labels(parser)
    parser.add_argument("--pin", action="store_true", help="keep it near the top")
    parser.add_argument("--source", metavar="NAME", help="where it comes from")
    parser.add_argument("--session", metavar="ID", help="the conversation it comes from")
    near = [policy.value for policy in NearPolicy]
    parser.add_argument("--near", metavar="POLICY", choices=near, help="near repeats: report, skip or ignore")
    parser.add_argument("--key", metavar="KEY", help="an idempotency key: a retry with it stores nothing twice")


def _run(session: CommandSession) -> int:
    texts = _texts(session)
    if not texts:
        raise InvalidInput("There is nothing to remember: the input has no line with text.", "text")
    output = session.output
    tally: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    documents: list[object] = []
    with session.book(create=True) as book:
        for place, result in _stored(session, book, texts):
            if len(texts) == 1 and isinstance(result, Refused):
                raise result.error
            tally["refused" if isinstance(result, Refused) else result.verdict.value] += 1
            guessed = _guessed(result, session)
            if guessed is not None:
                kinds[guessed.value] += 1
            if len(texts) <= TOLD_ONE_BY_ONE or output.json or _is_noteworthy(result):
                _tell(result, place, book, output, documents)
                _tell_kind(result, guessed, output)
    _conclude(tally, documents, output)
    if len(texts) > TOLD_ONE_BY_ONE and kinds and not output.json:
        output.said(f"Kept as {', '.join(f'{kind} {number:,}' for kind, number in kinds.items())}; the rest as facts.")
    return 1 if tally["refused"] else 0


def _stored(session: CommandSession, book: Book, texts: list[str]) -> Iterator[tuple[int, Remembered | Refused]]:
    """Store in batches, each in one transaction; every result with the place of its text."""
    template, key = _template(session, book), session.arguments.key
    repeats = Repeats(near=NearPolicy(session.configuration.settings.near))
    with _progress(session.output, len(texts)) as report:
        for start in range(0, len(texts), BATCH_LIMIT):
            report(start, len(texts))
            batch = [_draft(template, text, session.arguments.kind) for text in texts[start : start + BATCH_LIMIT]]
            numbered = key if key is None or start == 0 else f"{key}/{start // BATCH_LIMIT}"
            results = book.remember_many(batch, repeats=repeats, idempotency_key=numbered)
            yield from enumerate(results, start + 1)


def _draft(template: Draft, text: str, named: str | None) -> Draft:
    """One text, of the kind that was named or else of the one its words speak for."""
    guess = guessed_kind(text) if named is None else None
    return replace(template, text=text) if guess is None else replace(template, text=text, kind=Kind(guess))


def _progress(output: Output, count: int) -> "AbstractContextManager[Callable[[int, int], None]]":
    """Told for several batches, or to a log: nobody waits long for one."""
    if count <= BATCH_LIMIT and not output.verbose:
        return nullcontext(lambda done, total: None)
    from commonplace.cli.progress import progress  # few wait long enough to be told

    return progress("remembering", output, count > BATCH_LIMIT)


def _template(session: CommandSession, book: Book) -> Draft:
    given = session.arguments
    return book.draft(
        "",
        scope=session.write_scope(book),
        kind=given.kind,
        tags=given.tag,
        category=given.category,
        topic=given.topic,
        importance=given.importance,
        confidence=given.confidence,
        priority=given.priority,
        pinned=given.pin,
        source=given.source,
        session=given.session,
        expires_at=given.expires,
        valid_from=given.valid_from,
        valid_to=given.valid_to,
    )


def _texts(session: CommandSession) -> list[str]:
    given = session.arguments
    texts: list[str] = []
    for text in given.text:
        texts += _memories(_read(None), given.whole) if text == "-" else [text]
    for file in given.file:
        texts += _memories(_read(Path(file).expanduser()), given.whole)
    if not given.text and not given.file:
        if sys.stdin.isatty():
            raise UsageError("Say what to remember: as an argument, with --file, or through a pipe.")
        texts += _memories(_read(None), given.whole)
    return texts


def _memories(content: str, whole: bool) -> list[str]:
    parts = [content] if whole else content.replace("\r\n", "\n").split("\n")
    return [part for part in parts if part.strip()]


def _read(file: Path | None) -> str:
    """The text of a file, or of stdin, whole: nothing is stored of an input that turns out to be unreadable."""
    name = "stdin" if file is None else str(file)
    if file is None:
        content = sys.stdin.buffer.read(INPUT_LIMIT + 1)
    else:
        from commonplace.workspace.bounded_files import open_plain  # for files only

        with open_plain(file) as source:
            content = source.read(INPUT_LIMIT + 1)
    if len(content) > INPUT_LIMIT:
        raise InvalidInput(f"{name} is larger than {INPUT_LIMIT:,} bytes: split it up; nothing was stored.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InvalidInput(f"{name} is not valid UTF-8 in line {line}: convert it first; nothing was stored.") from None


def _tell(result: Remembered | Refused, place: int, book: Book, output: Output, documents: list[object]) -> None:
    if output.json:
        documents.append(_document(result, book.principal))
    if isinstance(result, Refused):
        output.warn(f"number {place} was not stored: {result.error.message}")
    elif not output.json:
        print_remembered(result, book, output)


def _guessed(result: Remembered | Refused, session: CommandSession) -> Kind | None:
    """The kind that a new memory got from its words."""
    if isinstance(result, Refused) or result.verdict is not Verdict.CREATED or session.arguments.kind is not None:
        return None
    return None if result.memory.kind is Kind.FACT else result.memory.kind


def _tell_kind(result: Remembered | Refused, guessed: Kind | None, output: Output) -> None:
    """A kind that nobody named is said."""
    if guessed is not None and isinstance(result, Remembered) and not output.json:
        remedy = f"'commonplace update {result.memory.number} --kind fact' says otherwise"
        output.said(f"  kept as {article(guessed.value)} ({remedy})")


def _is_noteworthy(result: Remembered | Refused) -> bool:
    """Whether more is to be said of a text than that it was kept."""
    if isinstance(result, Refused):
        return True
    return bool(result.contradicts or result.superseded or result.previously_corrected or result.warnings)


def _document(result: Remembered | Refused, principal: Principal) -> dict[str, object]:
    if isinstance(result, Refused):
        return {"verdict": "refused", "error": {"code": result.error.code, "message": result.error.message}}
    from commonplace.book.display_json import memory_json  # for --json only

    return {
        "verdict": result.verdict.value,
        "memory": memory_json(result.memory, principal),
        "near": [_near_document(each, memory_json(each.memory, principal)) for each in result.near],
        "previously_corrected": [
            _near_document(each, memory_json(each.memory, principal)) for each in result.previously_corrected
        ],
        "superseded": list(result.superseded),
        "warnings": list(result.warnings),
        "contradicts": [
            {
                "reason": each.reason,
                "similarity": each.similarity,
                "memory": memory_json(each.memory, principal),
                "supersede": _way_out(each.memory, result.memory),
            }
            for each in result.contradicts
        ],
    }


def _way_out(old: Memory, new: Memory) -> str:
    """The command that lets the older memory give way."""
    return f"commonplace supersede {old.number} {new.number}"


def _near_document(near: Near, memory: object) -> dict[str, object]:
    return {"similarity": near.similarity, "memory": memory}


def print_remembered(result: Remembered, book: Book, output: Output) -> None:
    """What became of one draft, and what its writer should know."""
    word, colour = _WORDS[result.verdict]
    memory = result.memory
    output.said(f"{output.style(word, colour)} {memory.number}: {excerpt(memory)}")
    for near in result.near:
        output.said(f"  near {near.memory.number} ({near.similarity:.2f}): {excerpt(near.memory)}")
    for old in result.previously_corrected:
        reason = f" ({one_line(old.memory.status_reason)})" if old.memory.status_reason else ""
        output.said(output.style(f"  you forgot this before: {old.memory.number}{reason}", "yellow"))
    for each in result.contradicts:
        said = f"  contradicts {each.memory.number}: {excerpt(each.memory)} ({one_line(each.reason)})"
        output.said(output.style(said, "yellow"))
        output.said(f"    to let the older one give way: {_way_out(each.memory, memory)}")
    for old_one in map(book.get, result.superseded):
        output.said(f"  supersedes {old_one.number}: {excerpt(old_one)}")
    for warning in result.warnings:
        output.note(f"  {visible(warning)}")


def _conclude(tally: Counter[str], documents: list[object], output: Output) -> None:
    total = sum(tally.values())
    if output.json:
        output.document({"results": documents, "counts": dict(tally)})
    elif total > 1:
        parts = ", ".join(f"{number:,} {name}" for name, number in tally.items())
        output.said(f"{count(total, 'text', 'texts')}: {parts}.")
    output.log(f"remember: {dict(tally)}")


ACTIONS = {
    "remember": Action(
        description="Write something down. Each argument is one memory; so is each line of a file or a pipe.\n"
        "A memory with a topic takes the place of the older one on it. Secrets are refused.",
        examples=(
            'remember "The user prefers SQLite for prototypes" --kind preference',
            'remember "Deploys are on Thursday" --topic "deploy day"',
            "remember --file notes.txt --tag imported",
            "remember --whole - < decision.md",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
