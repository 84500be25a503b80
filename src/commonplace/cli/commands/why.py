"""why: how a recall came about, stage by stage, and what became of one memory in it."""

from argparse import ArgumentParser

from commonplace.book.book import Book
from commonplace.book.display_json import why_json
from commonplace.cli.commands import Action
from commonplace.cli.commands.recall import add_query, build_query
from commonplace.cli.output import Output
from commonplace.cli.render import EXCERPT_LENGTH, bar, excerpt, one_line
from commonplace.cli.session import CommandSession
from commonplace.cli.short import numbered
from commonplace.cli.stages import print_stages
from commonplace.cli.tables import print_table
from commonplace.domain.query import Hit, OtherHit, Recall
from commonplace.engine.explain import Explanation
from commonplace.text import visible

_SHOWN_BESIDE = ("words", "meaning")  # have a column of their own


def _add_arguments(parser: ArgumentParser) -> None:
    add_query(parser)
    parser.add_argument("--memory", metavar="ID", help="say why this memory surfaced or did not")


def _run(session: CommandSession) -> int:
    output = session.output
    with session.book() as book:
        query = build_query(session, book, explain=True)
        explanation = book.why(query, session.arguments.memory)
        for warning in explanation.recall.warnings:
            output.note(warning)
        if output.json:
            output.document(why_json(explanation, book.principal))
        else:
            _print(explanation, book, output)
    return 0


def _print(explanation: Explanation, book: Book, output: Output) -> None:
    print_stages(explanation, output)
    if explanation.recall.hits:
        output.line()
        rows = [_score_row(place, hit, explanation.recall) for place, hit in enumerate(explanation.recall.hits, 1)]
        print_table(("place", "id", "relevance", "words", "meaning", "weighed", "text"), rows, output)
    if explanation.recall.others:
        output.line()
        found = [_other_row(place, other, book) for place, other in enumerate(explanation.recall.others, 1)]
        print_table(("place", "beside memories", "relevance", "because", "title"), found, output)
    if explanation.path:
        output.line()
        path = [(stage, numbered(said, book)) for stage, said in explanation.path]
        print_table(("stage", "this memory"), path, output)
    output.line()
    output.line(output.style(visible(numbered(explanation.verdict, book)), "bold"))


def _score_row(place: int, hit: Hit, recall: Recall) -> tuple[str, ...]:
    return (
        f"{place}",
        f"{hit.memory.number}",
        f"{hit.relevance:.2f} {bar(hit.relevance)}",
        _score(None if hit.word_score is None else min(1.0, hit.word_score)),  # one that repeats a word has more
        _score(hit.vector_score),
        _weighed(hit, recall),
        excerpt(hit.memory),
    )


def _other_row(place: int, other: OtherHit, book: Book) -> tuple[str, ...]:
    relevance = f"{other.relevance:.2f} {bar(other.relevance)}"
    title = one_line(other.title, EXCERPT_LENGTH)
    return f"{place}", f"{other.kind.one} {numbered(other.id, book)}", relevance, visible(other.reason), title


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f} {bar(value)}"


def _weighed(hit: Hit, recall: Recall) -> str:
    """What else moved the score up or down: age, trust, importance and the like."""
    scores = recall.trace.stages[-1].scores if recall.trace is not None else ()
    parts = next((score.parts for score in scores if score.number == hit.memory.number), ())
    return (
        ", ".join(f"{name} {value:+.2f}" for name, value in parts if abs(value) >= 0.005 and name not in _SHOWN_BESIDE)
        or "-"
    )


ACTIONS = {
    "why": Action(
        description="Say why a recall answers as it does: what each stage kept, and each score.\n"
        "With --memory, why that one surfaced or did not.",
        examples=('why "when do we deploy?"', 'why "which database?" --memory 12'),
        add_arguments=_add_arguments,
        run=_run,
    )
}
