"""Whether an answer answers and a removal removes only what was meant: reflect and forget, through aleph's tools.

    python bench/contracts.py [reflect|forget] [--model PACK] [--half before|after] [--misses]

`tests/corpora/reflect.jsonl` has lines {half, question, depth, must, must_not, first, memories: [{day, text}]}: pieces
of text that must and must not be in the answer, and one that its first sentence has. `tests/corpora/forget.jsonl` has
lines {half, say, right, may, memories}: `right` is "one" where exactly that memory is described, "all" where several
are, "ask" where a question is right, "none" where nothing is meant; only what is in `may` may go. Forget is asked
twice: shown first and then confirmed, and confirmed at once. Confirmed at once it also asks where another memory
differs by the very name, "old" or "new" that was said: that is no needless question. The half "before" was written
before the code was read, the half "after" afterwards.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from commonplace import Book
from commonplace.dialects.aleph.forgetting import ForgetParameters, forget
from commonplace.dialects.aleph.searching import ReflectParameters, reflect
from commonplace.errors import NotFound

CORPORA = Path(__file__).parent.parent / "tests" / "corpora"
START = "2026-01-01"
DAY_MILLISECONDS = 86_400_000

Row = dict[str, Any]


class Clock:
    """The day on which each memory is written, and then the day after the last."""

    def __init__(self) -> None:
        self.now = 0
        self.set(START)

    def __call__(self) -> int:
        self.now += 1
        return self.now

    def set(self, day: str) -> None:
        self.now = int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 1_000


class Scored(NamedTuple):
    """One line of a set with what came of it."""

    row: Row
    good: int
    wanted: int
    bad: int
    unwanted: int
    note: str


def rows(name: str, half: str | None) -> list[Row]:
    lines = [json.loads(line) for line in (CORPORA / name).read_text("utf-8").splitlines()]
    return [line for line in lines if half in (None, line["half"])]


def books(lines: Sequence[Row], model: str) -> Iterator[tuple[Row, Book, list[str]]]:
    """Each line with a book of its memories, and their ids. Lines that share their memories share a book."""
    for _, group in groupby(lines, key=lambda row: json.dumps(row["memories"])):
        those = list(group)
        clock = Clock()
        with (
            tempfile.TemporaryDirectory() as folder,
            Book.open(Path(folder) / "book.db", model=model, clock=clock) as book,
        ):
            ids = []
            for each in those[0]["memories"]:
                if isinstance(each, dict):
                    clock.set(each["day"])
                ids.append(book.remember(each["text"] if isinstance(each, dict) else each).memory.id)
            clock.now += DAY_MILLISECONDS
            yield from ((row, book, ids) for row in those)


def _same(id: str, other: str) -> bool:
    return id.partition("_")[2] == other.partition("_")[2]


# -- reflect ----------------------------------------------------------------------------------


def score_reflect(lines: Sequence[Row], model: str) -> list[Scored]:
    found = []
    for row, book, _ in books(lines, model):
        try:
            body = reflect(book, ReflectParameters(query=row["question"], depth=row["depth"]))
            answer, first = body["answer"], body["sentences"][0]["text"]
        except NotFound:
            answer = first = ""
        said = answer.lower()
        good = [piece for piece in row["must"] if piece.lower() in said]
        bad = [piece for piece in row["must_not"] if piece.lower() in said]
        wanted = len(row["must"]) + (row["first"] is not None)
        right = len(good) + (row["first"] is not None and row["first"].lower() in first.lower())
        found.append(Scored(row, right, wanted, len(bad), len(row["must_not"]), answer))
    return found


def show_reflect(found: Sequence[Scored], misses: bool) -> None:
    good, wanted = sum(each.good for each in found), sum(each.wanted for each in found)
    bad, unwanted = sum(each.bad for each in found), sum(each.unwanted for each in found)
    print(f"reflect: {len(found)} questions, must-have {good / wanted:.2f} ({good} of {wanted}), ", end="")
    print(f"must-not {bad / unwanted:.2f} ({bad} of {unwanted})")
    for each in found:
        if misses and (each.good < each.wanted or each.bad):
            print(f"\n{each.row['question']} {each.row['must']} not {each.row['must_not']}\n{each.note}")


# -- forget -----------------------------------------------------------------------------------


def score_forget(lines: Sequence[Row], model: str, at_once: bool) -> list[Scored]:
    found = []
    for row, book, ids in books(lines, model):
        gone, note, twin = _forgotten(book, row["say"], at_once)
        for id in gone:
            book.restore(id)
        places = [place for place, id in enumerate(ids) if any(_same(id, each) for each in gone)]
        wrong = len(set(places) - set(row["may"])) if row["right"] in ("one", "all") else len(places)
        clear = row["right"] == "one" and not twin
        found.append(Scored(row, bool(places), clear, wrong, len(ids), note))
    return found


class Asked(NamedTuple):
    """What was removed, what was shown, and whether it was asked because a twin of the one that is meant is there."""

    gone: list[str]
    note: str
    twin: bool = False


def _forgotten(book: Book, say: str, at_once: bool) -> Asked:
    try:
        if not at_once:
            forget(book, ForgetParameters(query=say))
        body = forget(book, ForgetParameters(query=say, confirm=True))
    except NotFound as refusal:
        return Asked([], refusal.message)
    shown = body.get("candidates", [])
    return Asked(body["forgotten"], " | ".join(each["content"] for each in shown), any(each["goes"] for each in shown))


def show_forget(name: str, found: Sequence[Scored], misses: bool) -> None:
    clear = [each for each in found if each.wanted]
    needless = [each for each in clear if not each.good]
    wrong = sum(each.bad for each in found)
    print(f"forget, {name}: {len(found)} descriptions, {wrong} wrong removals, ", end="")
    print(f"needless questions {len(needless) / (len(clear) or 1):.2f} ({len(needless)} of {len(clear)} clear)")
    for each in found:
        if misses and (each.bad or each in needless):
            what = f"WRONG ({each.row['right']})" if each.bad else "asked"
            print(f"  {what}: {each.row['say']} -> {each.note or each.row['memories']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("reflect", "forget"))
    parser.add_argument("--model", default="arctic-s", help="model pack, or none")
    parser.add_argument("--half", choices=("before", "after"))
    parser.add_argument("--misses", action="store_true", help="also list what went wrong")
    given = parser.parse_args()
    if given.what != "forget":
        show_reflect(score_reflect(rows("reflect.jsonl", given.half), given.model), given.misses)
    if given.what != "reflect":
        lines = rows("forget.jsonl", given.half)
        for name, at_once in (("shown first", False), ("at once", True)):
            show_forget(name, score_forget(lines, given.model, at_once), given.misses)


if __name__ == "__main__":
    main()
