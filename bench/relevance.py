"""Whether recall shows what helps and stops: what it shows first, how much, and what for questions without an answer.

    python bench/relevance.py [--books FILE --questions FILE] [--prompts] [--model PACK] [--misses]

`books` has lines {book, memories: [{n, text, kind}]}, `questions` lines {book, q, right: [n…], style}; `right` is empty
where the book has no answer. Each book is a book of its own. Every question is asked once, with ten hits at most and
the cut-off as it comes. "first" is how often the first hit is right, "shown" how often any is, "hits" how many there
are; without an answer, "at 0.5" is how often something is called at least that relevant. With `--prompts` the questions
are prompts, and shown is what a hook brings for one.
"""

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from commonplace import Book, Hit
from commonplace.domain.memory import Origin
from commonplace.domain.query import Mode
from commonplace.engine.caller import Door
from commonplace.hooks.at_prompt import for_prompt
from commonplace.hooks.private import Private

CORPORA = Path(__file__).parent.parent / "tests" / "corpora"
LIMIT = 10
DOOR = Door("bench", Origin.TYPED, "bench")


class Question(NamedTuple):
    book: str
    text: str
    right: frozenset[int]
    style: str


class Asked(NamedTuple):
    """A question with the numbers of the hits, best first, and the relevance of the best."""

    question: Question
    shown: list[int]
    best: float

    @property
    def is_first(self) -> bool:
        return bool(self.shown) and self.shown[0] in self.question.right

    @property
    def is_shown(self) -> bool:
        return any(number in self.question.right for number in self.shown)


Look = Callable[[Book, str], tuple[list[str], float]]
"""What a book shows for a text, by id, and how relevant the best of it is."""


def recalled(book: Book, text: str) -> tuple[list[str], float]:
    hits = book.recall(text, limit=LIMIT, counts_use=False).hits
    return [hit.memory.id for hit in hits], _best(hits)


def brought(book: Book, text: str) -> tuple[list[str], float]:
    pieces = for_prompt(book, text, Private(), frozenset(), Mode.WORDS if book.embedder is None else Mode.AUTO).pieces
    return [piece.id for piece in pieces], float(bool(pieces))


def ask_all(books: Path, questions: Path, model: str, look: Look) -> list[Asked]:
    wanted = [_question(line) for line in questions.read_text("utf-8").splitlines()]
    found: list[Asked] = []
    for line in books.read_text("utf-8").splitlines():
        item = json.loads(line)
        with (
            tempfile.TemporaryDirectory() as folder,
            Book.open(Path(folder) / "book.db", model=model, door=DOOR) as book,
        ):
            drafts = [book.draft(each["text"], kind=each["kind"]) for each in item["memories"]]
            kept = zip(item["memories"], book.remember_many(drafts), strict=True)
            numbers = {result.memory.id: each["n"] for each, result in kept if hasattr(result, "memory")}
            for question in (each for each in wanted if each.book == item["book"]):
                shown, best = look(book, question.text)
                found.append(Asked(question, [numbers[id] for id in shown], best))
    return found


def _question(line: str) -> Question:
    item = json.loads(line)
    return Question(item["book"], item["q"], frozenset(item["right"]), item["style"])


def _best(hits: Sequence[Hit]) -> float:
    return max((hit.relevance for hit in hits), default=0.0)


def show(found: Sequence[Asked]) -> None:
    with_answer = [each for each in found if each.question.right]
    without = [each for each in found if not each.question.right]
    print(f"\n{'with an answer':28}{'n':>5}{'first':>8}{'shown':>8}{'hits':>7}")
    for style, those in (*_by_style(with_answer), ("all", with_answer)):
        first, shown = _share([each.is_first for each in those]), _share([each.is_shown for each in those])
        print(f"  {style:26}{len(those):5}{first:8.2f}{shown:8.2f}{_hits(those):7.1f}")
    print(f"\n{'without an answer':28}{'n':>5}{'at 0.5':>8}{'any':>8}{'hits':>7}")
    for style, those in (*_by_style(without), ("all", without)):
        half, some = _share([each.best >= 0.5 for each in those]), _share([bool(each.shown) for each in those])
        print(f"  {style:26}{len(those):5}{half:8.2f}{some:8.2f}{_hits(those):7.1f}")


def _by_style(found: Sequence[Asked]) -> list[tuple[str, list[Asked]]]:
    styles: dict[str, list[Asked]] = defaultdict(list)
    for each in found:
        styles[each.question.style].append(each)
    return list(styles.items())


def _share(those: Sequence[bool]) -> float:
    return sum(those) / len(those) if those else 0.0


def _hits(those: Sequence[Asked]) -> float:
    return sum(len(each.shown) for each in those) / len(those) if those else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--books", type=Path, default=CORPORA / "relevance_books.jsonl")
    parser.add_argument("--questions", type=Path, default=CORPORA / "relevance_questions.jsonl")
    parser.add_argument("--model", default="arctic-s", help="model pack, or none")
    parser.add_argument("--prompts", action="store_true", help="they are prompts: what does a hook bring?")
    parser.add_argument("--misses", action="store_true", help="also list the questions that went wrong")
    arguments = parser.parse_args()
    found = ask_all(arguments.books, arguments.questions, arguments.model, brought if arguments.prompts else recalled)
    show(found)
    if arguments.misses:
        for each in found:
            wrong = not each.is_first if each.question.right else each.best >= 0.5
            if wrong:
                print(f"{each.question.style}: {each.question.text} {sorted(each.question.right)} {each.shown[:3]}")


if __name__ == "__main__":
    main()
