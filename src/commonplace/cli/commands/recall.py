"""recall: find what the book knows about something."""

import time
from argparse import ArgumentParser

from commonplace.book.reader import BookReader
from commonplace.cli.commands import Action
from commonplace.cli.parser import add_filters
from commonplace.cli.render import print_hit, print_others
from commonplace.cli.session import DOOR, CommandSession
from commonplace.config import NO_MODEL
from commonplace.domain.query import EffectiveMode, Mode, Only, Query, Recall
from commonplace.engine.caller import system_clock


def add_query(parser: ArgumentParser) -> None:
    """What recall and why both take."""
    parser.add_argument("query", metavar="QUERY", nargs="+", help="what to look for; several words make one query")
    parser.add_argument("--limit", metavar="N", type=int, help="how many memories at most")
    parser.add_argument("--max-tokens", metavar="N", type=int, help="stop when this many tokens are filled")
    parser.add_argument("--min-relevance", metavar="SHARE", type=float, help="from 0 to 1; weaker ones are left out")
    modes = [mode.value for mode in Mode]
    parser.add_argument("--mode", metavar="MODE", choices=modes, help="auto, words or vectors")
    kinds = [only.value for only in Only]
    parser.add_argument(
        "--only", metavar="WHAT", choices=kinds, help="memories, decisions, sessions or documents alone"
    )
    add_filters(parser)


def build_query(session: CommandSession, book: BookReader, explain: bool) -> Query:
    """The query that the options ask for, within the settings."""
    given, settings = session.arguments, session.configuration.settings
    mode = Mode(settings.mode)
    if mode is Mode.AUTO and settings.model == NO_MODEL:
        mode = Mode.WORDS  # asked for, so nothing to warn about
    if mode is Mode.VECTORS and book.embedder is None and session.configuration.is_from_project("mode"):
        mode = Mode.AUTO  # a project may prefer meaning, but not make a recall fail
    return Query(
        text=" ".join(given.query),
        filter=session.filter(book, session.recall_scopes(book)),
        limit=settings.limit,
        max_tokens=settings.max_tokens or None,
        min_relevance=given.min_relevance,
        mode=mode,
        surface=DOOR.surface,
        counts_use=not getattr(given, "no_count", False),
        explain=explain,
        only=None if given.only is None else Only(given.only),
    )


def _add_arguments(parser: ArgumentParser) -> None:
    add_query(parser)
    parser.add_argument("--no-count", action="store_true", help="do not count this as use of what is found")
    parser.add_argument("--full", action="store_true", help="show long texts whole, on a terminal too")
    parser.add_argument("--explain", action="store_true", help="also how each stage narrowed the answer down")


def _run(session: CommandSession) -> int:
    output, explain = session.output, session.arguments.explain
    with session.reading() as book:
        query = build_query(session, book, explain)
        started = time.perf_counter()
        found = book.recall(query)
        elapsed_ms = (time.perf_counter() - started) * 1000
        count = len(found.hits) + len(found.others)
        output.log(f"recall {found.effective_mode.value}, {count} found, {elapsed_ms:.1f} ms")
        for warning in found.warnings:
            output.note(warning)
        if output.json:
            output.document(_document(found, book))
        else:
            _print(found, book, session)
            if not found.hits:
                _say_what_lacks_vectors(book, session)
    return 0


def _say_what_lacks_vectors(book: BookReader, session: CommandSession) -> None:
    """Why nothing may have been found by meaning: it was stored before there was this model."""
    if book.embedder is None:
        return
    with book.caller.reading() as work:
        missing = work.unit.vectors.count_missing(book.embedder.space)
    if missing:
        lacking = "1 memory has" if missing == 1 else f"{missing:,} memories have"
        session.output.note(f"{lacking} no vector yet: run 'commonplace reembed'.")


def _print(found: Recall, book: BookReader, session: CommandSession) -> None:
    output, now = session.output, system_clock()
    for hit in found.hits:
        print_hit(hit, now, found.projects, output, full=session.arguments.full)
    if found.omitted and not found.hits:
        output.note(f"{found.omitted} found, but not even the first fits into --max-tokens {found.query.max_tokens}.")
    elif found.omitted:
        output.note(f"{found.omitted} more did not fit into --max-tokens.")
    if found.others:
        print_others(found, book, output)
    if not found.hits and not found.others and not found.omitted:
        output.note(f"Nothing found. {_advice(found)}")
    if found.trace is not None:
        from commonplace.cli.stages import print_stages
        from commonplace.engine.explain import explain

        output.line()
        print_stages(explain(found, None, now), output)


def _advice(found: Recall) -> str:
    """What could be done about an empty answer."""
    tries = ["Try other words"]
    if found.effective_mode is EffectiveMode.LEXICAL:
        tries.append("search by meaning too ('commonplace models pull')")
    if found.query.min_relevance:
        tries.append("a lower --min-relevance")
    if found.query.filter.statuses:
        tries.append("--status any for what was superseded or forgotten")
    if found.query.filter.projects:
        tries.append("another project or none with --about")
    tries.append("another --scope")
    return f"{', '.join(tries[:-1])}, or {tries[-1]}."


def _document(found: Recall, book: BookReader) -> dict[str, object]:
    from commonplace.book.display_json import hit_json, other_json, trace_json

    document: dict[str, object] = {
        "query": found.query.text,
        "effective_mode": found.effective_mode.value,
        "hits": [hit_json(hit, book.principal, found.projects) for hit in found.hits],
        "others": [other_json(other, book.principal, found.projects) for other in found.others],
        "omitted": found.omitted,
        "warnings": list(found.warnings),
    }
    if found.trace is not None:
        document["trace"] = trace_json(found.trace)
    return document


ACTIONS = {
    "recall": Action(
        description="Find what the book knows about something, best first: memories, and below them decisions that\n"
        "stand, conversations and documents, each saying what it is.\n"
        "Looks in your own scope, the current project's and your teams' unless --scope says otherwise. What is about\n"
        "the project you are in comes first among equals, and what is about another is shown with its name.",
        examples=(
            'recall "when do we deploy?"',
            "recall database --kind decision --since 30d --limit 3",
            'recall "which queue" --about .',
            'recall "why PostgreSQL" --only decisions',
            'recall "who is on call" --as-of 2026-03-01 --json',
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
