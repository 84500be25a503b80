"""How a book is doing, as `status` and the page tell it: at a cost that does not grow with the book."""

from commonplace.book.book import Book
from commonplace.config import NO_MODEL
from commonplace.domain.query import Filter, Order
from commonplace.domain.record import Record
from commonplace.dream import RunStatus
from commonplace.text import show_time

RUNS_LOOKED_AT = 5
NO_SCHEMA = "0"


class Report(Record):
    """What there is to say of a book; all but its model is unknown while there is none."""

    exists: bool
    memories: int = 0
    bytes: int = 0
    schema: str = ""
    last_written: int | None = None
    scopes: tuple[tuple[str, int], ...] = ()
    waiting: int = 0
    without_vector: int = 0
    wrong: tuple[str, ...] = ()
    model: str = NO_MODEL
    installed: bool = False


def report(book: Book, exists: bool | None = None) -> Report:
    """Everything the caller may see of it. Whoever knows already whether it `exists` says so."""
    model = NO_MODEL if book.embedder is None else book.embedder.space.model
    facts = book.care.facts() if exists is not False else {"schema": NO_SCHEMA}
    if facts["schema"] == NO_SCHEMA:
        return Report(False, model=model, installed=book.embedder is not None)
    everywhere = Filter(book.every_scope())
    newest = book.list(everywhere, order=Order.UPDATED, limit=1).memories
    counted = [(book.principal.show(scope), book.count(Filter((scope,)))) for scope in everywhere.scopes]
    return Report(
        True,
        book.count(everywhere),
        int(facts.get("bytes", 0)),
        facts.get("schema", ""),
        newest[0].updated_at if newest else None,
        tuple((name, number) for name, number in counted if number),
        book.review(limit=1).total,
        0 if book.embedder is None else book.care.missing_vectors(),
        _went_wrong(book),
        model,
        book.embedder is not None,
    )


def _went_wrong(book: Book) -> tuple[str, ...]:
    """What a person would otherwise not hear of, newest first."""
    failed = [run for run in book.dreams.list_runs(RUNS_LOOKED_AT) if run.status is RunStatus.FAILED]
    return tuple(f"a dream failed on {show_time(run.started_at)[:10]}: {'; '.join(run.errors)}" for run in failed)


def report_json(report: Report, place: str | None) -> dict[str, object]:
    """The book of a report as plain JSON; where it is, is told to whoever runs it."""
    return {
        "place": place,
        "exists": report.exists,
        "memories": report.memories,
        "bytes": report.bytes,
        "schema": report.schema,
        "last_written": None if report.last_written is None else show_time(report.last_written),
        "scopes": [{"scope": name, "memories": number} for name, number in report.scopes],
    }


def model_json(report: Report) -> dict[str, object]:
    """The model of a report as plain JSON."""
    return {"name": report.model, "installed": report.installed, "without_vector": report.without_vector}
