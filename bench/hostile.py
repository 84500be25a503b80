"""How the time of every intake grows with a hostile text: it must grow at most as the text does.

    python bench/hostile.py [--lengths 1000 8000 64000] [--only NAME] [--json FILE]

Every shape of `tests/corpora/hostile.jsonl` goes through every intake: the functions that look at text, the verbs of
the book, and each text argument of each tool of each dialect, read from the dialects themselves. Printed is, for each
intake, the shape whose time grew most: how many times as long the longest text took as the shortest, beside how many
times as long it is. Times are processor time of this thread, the best of several runs.
"""

import argparse
import io
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from commonplace import imports, secrets, text
from commonplace.book.book import Book
from commonplace.decisions.decision import Proposal
from commonplace.decisions.markdown_files import files
from commonplace.dialect import Dialect, perform
from commonplace.dialects import dialect_names, load_dialect
from commonplace.dialects.aleph.methods import METHODS
from commonplace.documents.chunking import pieces
from commonplace.errors import CommonplaceError
from commonplace.imports import reading, telling
from commonplace.maintenance import erasure
from commonplace.models import wordpiece
from commonplace.sessions.distil import cleaned, distil, label, summarise
from commonplace.sessions.transcripts import Format, Speaker, Turn, read_text
from commonplace.text import nearness, normal_forms

CORPUS = Path(__file__).parent.parent / "tests" / "corpora" / "hostile.jsonl"
SHORTEST_SECONDS = 0.000_5  # below it the clock and the start of a call are what is measured
RUNS = 3

Intake = Callable[[str], object]
Result = TypeVar("Result")


class Shape(NamedTuple):
    """A text made to be slow: something, then one thing over and over, then what closes it, then something."""

    name: str
    before: str
    unit: str
    close: str
    after: str

    def of_length(self, length: int) -> str:
        """About so many characters of it."""
        if self.close:
            times = max(1, length // len(self.unit + self.close))
            return self.before + self.unit * times + self.close * times + self.after
        return (self.before + self.unit * (length // len(self.unit) + 1))[:length] + self.after


class Growth(NamedTuple):
    """How an intake took one shape: the seconds for each length."""

    intake: str
    shape: str
    lengths: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def times(self) -> float:
        """How many times as long the longest took as the shortest."""
        return self.seconds[-1] / max(self.seconds[0], SHORTEST_SECONDS)

    @property
    def excess(self) -> float:
        """The same for each time the text is as long: 1 is linear; a square would be as much as the lengths."""
        return self.times * self.lengths[0] / self.lengths[-1]


@cache
def shapes() -> tuple[Shape, ...]:
    with CORPUS.open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return tuple(Shape(each["shape"], *(each.get(part, "") for part in Shape._fields[1:])) for each in found)


def growth(name: str, intake: Intake, shape: Shape, lengths: Sequence[int], runs: int = RUNS) -> Growth:
    return Growth(
        name, shape.name, tuple(lengths), tuple(fastest(intake, shape.of_length(length), runs) for length in lengths)
    )


def fastest(intake: Intake, said: str, runs: int) -> float:
    """The shortest of several runs, in seconds of this thread's own work; no two with quite the same text."""
    best = float("inf")
    for run in range(runs):
        text = f"{said} {run}"
        started = time.thread_time()
        intake(text)
        best = min(best, time.thread_time() - started)
    return best


# -- functions --------------------------------------------------------------------------------


def functions() -> dict[str, Intake]:
    """The pure functions that look at somebody's text."""
    found: dict[str, Intake] = {
        "secrets.find": secrets.find,
        "text.normalise": text.normalise,
        "text.fold": text.fold,
        "text.terms": text.terms,
        "text.query_terms": text.query_terms,
        "text.slug": text.slug,
        "text.slugs_within": text.slugs_within,
        "text.estimate_tokens": text.estimate_tokens,
        "text.matched_words": lambda said: text.matched_words(said, {"a"}),
        "near.sketch": lambda said: nearness.sketch(text.terms(said)),
        "near.same_substance": lambda said: nearness.same_substance(said, said + " a"),
        "near.skeleton": nearness.skeleton,
        "near.restated": nearness.restated,
        "erasure.without": lambda said: erasure.without(said, said[: len(said) // 2] + "b"),
        "wordpiece.words": wordpiece.words,
        "chunking.pieces as Markdown": lambda said: list(pieces(io.StringIO(said), True)),
        "chunking.pieces as text": lambda said: list(pieces(io.StringIO(said), False)),
        "distil.cleaned": lambda said: list(cleaned([Turn(Speaker.USER, said)])),
        "distil.distil": lambda said: distil([Turn(Speaker.USER, said)]),
        "distil.label": lambda said: label([Turn(Speaker.USER, said)]),
        "distil.summarise": lambda said: summarise([Turn(Speaker.USER, said)]),
    }
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        found[f"normal_forms.{form}"] = partial(_normal_form, form)
    for told in imports.Format:
        found[f"imports as {told.value}"] = partial(_taken_apart, told)
    found["imports told"] = lambda said: refusable(lambda: telling.tell("notes.md", said))
    for format in Format:
        found[f"transcripts as {format.value}"] = partial(_read, format)
        found[f"distil of {format.value}"] = partial(_distilled, format)
    return found


def _normal_form(form: Any, said: str) -> object:
    return normal_forms.normal_form(form, said)


def _taken_apart(format: imports.Format, said: str) -> object:
    return refusable(lambda: reading.found_in(said, format, "0001-notes.md"))


def _read(format: Format, said: str) -> object:
    return refusable(lambda: list(read_text(said, format)))


def _distilled(format: Format, said: str) -> object:
    return refusable(lambda: distil(cleaned(read_text(said, format))))


def refusable(work: Callable[[], object]) -> object:
    """What came of it; an error of ours is an answer too."""
    try:
        return work()
    except CommonplaceError as error:
        return error


# -- the book ---------------------------------------------------------------------------------


def verbs(book: Book) -> dict[str, Intake]:
    """What the library and the command line do with a text."""
    own = book.principal.own_scope
    book.remember("The first memory")
    header, line, *_ = book.transfer.export()

    def exported(said: str) -> list[str]:
        document = json.loads(line)
        return [header, json.dumps({"memory": {**document["memory"], "id": "mem_1", "text": said}})]

    def decided(said: str) -> object:
        proposal = Proposal("A title", "ada", said, said, said)
        return list(files([book.decisions.create(own, proposal)]))

    found: dict[str, Intake] = {
        "book.remember": book.remember,
        "book.recall": book.recall,
        "book.why": book.why,
        "book.reflect": book.reflect,
        "book.purge": lambda said: book.purge(book.remember(said + " purged").memory),
        "transfer.import_": lambda said: book.transfer.import_(exported(said), dry_run=True),
        "documents.add_text": lambda said: book.documents.add_text("a.md", said),
        "documents.search": book.documents.search,
        "corrections.log": book.corrections.log,
        "decisions.create": decided,
        "sessions.search": lambda said: book.sessions.search(said, (own,)),
    }
    for format in Format:
        found[f"sessions.save as {format.value}"] = partial(_save, book, format)
    return {name: partial(_refusable_with, intake) for name, intake in found.items()}


def _save(book: Book, format: Format, said: str) -> object:
    return book.sessions.save(read_text(said, format), book.principal.own_scope)


def _refusable_with(intake: Intake, said: str) -> object:
    return refusable(lambda: intake(said))


# -- tools ------------------------------------------------------------------------------------

_PLAIN: Mapping[str, object] = {"string": "a", "integer": 1, "number": 1, "boolean": False}


def dialects() -> list[Dialect]:
    return [*(load_dialect(name) for name in dialect_names()), METHODS]


def tools(book: Book) -> dict[str, Intake]:
    """Every argument of every tool that takes a text, as an intake of its own; new ones are here at once."""
    found: dict[str, Intake] = {}
    for dialect in dialects():
        seen = book.through(dialect.door)
        for tool in dialect.tools:
            schema: Any = tool.input_schema()
            for path in text_paths(schema):
                name = f"{dialect.name}.{tool.name} {'.'.join(path)}"
                found[name] = partial(_call, dialect, seen, tool.name, schema, path)
    return found


def _call(dialect: Dialect, book: Book, tool: str, schema: Any, path: tuple[str, ...], said: str) -> object:
    return perform(dialect, book, tool, filled(schema, path, said))


def text_paths(schema: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Where in some arguments a text of any kind may stand."""
    if schema.get("type") == "string" and "enum" not in schema:
        yield above
    elif schema.get("type") == "array":
        yield from text_paths(schema.get("items", {}), (*above, "[]"))
    for name, part in schema.get("properties", {}).items():
        yield from text_paths(part, (*above, name))


def filled(schema: Mapping[str, Any], path: tuple[str, ...], said: str) -> Any:
    """Arguments with what is required, and the text at one place."""
    if not path:
        return said
    if path[0] == "[]":
        return [filled(schema.get("items", {}), path[1:], said)]
    needed = {name: plain(schema["properties"][name]) for name in schema.get("required", ()) if name != path[0]}
    return {**needed, path[0]: filled(schema["properties"][path[0]], path[1:], said)}


def plain(schema: Mapping[str, Any]) -> object:
    """The least that fits a schema."""
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "array":
        return [plain(schema.get("items", {}))]
    if schema.get("type") == "object":
        return {name: plain(schema["properties"][name]) for name in schema.get("required", ())}
    return _PLAIN.get(str(schema.get("type")), "a")


# -- the table --------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lengths", type=int, nargs="+", default=[1_000, 8_000, 64_000])
    parser.add_argument("--only", default="", help="intakes whose name begins so")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    worst: list[Growth] = []
    names = [name for name in intakes_of(list) if name.startswith(given.only)]
    print(f"{len(names)} intakes, {len(shapes())} shapes, {given.lengths} characters")
    print(f"{'intake':58}{'shape':28}{'ms':>10}{'times as long':>15}{'of linear':>11}")
    for name in names:
        worst.append(intakes_of(partial(_worst, name, given.lengths)))
        print(row(worst[-1]), flush=True)
    top = max(worst, key=lambda each: each.excess)
    print(f"text {given.lengths[-1] / given.lengths[0]:.0f} times as long; worst:\n{row(top)}")
    if given.json:
        given.json.write_text(json.dumps([each._asdict() for each in worst], indent=1), encoding="utf-8")


def intakes_of(use: Callable[[Mapping[str, Intake]], Result]) -> Result:
    """Something done with every intake, on a book of their own."""
    with tempfile.TemporaryDirectory() as folder, Book.open(str(Path(folder) / "book.db"), model="none") as book:
        return use({**functions(), **verbs(book), **tools(book)})


def _worst(name: str, lengths: Sequence[int], intakes: Mapping[str, Intake]) -> Growth:
    grown = (growth(name, intakes[name], shape, lengths) for shape in shapes())
    return max(grown, key=lambda each: each.excess)


def row(grown: Growth) -> str:
    milliseconds = grown.seconds[-1] * 1000
    return f"{grown.intake[:57]:58}{grown.shape:28}{milliseconds:10.2f}{grown.times:15.1f}{grown.excess:11.2f}"


if __name__ == "__main__":
    main()
