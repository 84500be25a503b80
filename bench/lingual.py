"""How well recall finds memories in other languages, with the default pack and with a second one beside it.

    python bench/lingual.py [--data FILE] [--english FOLDER] [--models FOLDER] [--json FILE]

FILE has lines {lang, memory, question, question_en}; without one, tests/corpora/lingual_dev.jsonl. All memories are in
one book. Each question is asked in the memory's own language and in English; R@k is how often its memory is among the
first k with the cut-off off, "shown" how often it is there with the cut-off as it comes. "Without ar, hi": the second
pack did not learn Hindi, and Arabic is its weakest. With --english, memories of another data set ({text} a line in
`corpus.jsonl`) are in the book too, as company that answers nothing.
"""

import argparse
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from commonplace import Book
from commonplace.config import load

DATA = Path(__file__).parent.parent / "tests" / "corpora" / "lingual_dev.jsonl"
APART = ("ar", "hi")
LIMIT = 10
AT_ONCE = 200


class Case(NamedTuple):
    lang: str
    memory: str
    question: str
    question_en: str


class Places(NamedTuple):
    """Where the right memory came for a question in its own language and in English, 0 for nowhere; was it shown?"""

    lang: str
    own: int
    english: int
    own_shown: bool
    english_shown: bool


def read(file: Path) -> list[Case]:
    return [Case(**json.loads(line)) for line in file.read_text("utf-8").splitlines()]


def company(folder: Path | None) -> list[str]:
    lines = [] if folder is None else (folder / "corpus.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines]


def measure(cases: list[Case], others: list[str], model: str, models: Path | None) -> tuple[list[Places], float]:
    """The places of every case, and the milliseconds a question took in the mean."""
    with tempfile.TemporaryDirectory() as folder:
        given = {"store": str(Path(folder) / "book.db"), "model": model, "models": models}
        with Book.open(configuration=load({name: value and str(value) for name, value in given.items()})) as book:
            if model != "none" and book.embedder is None:
                raise SystemExit(f"{model} is not installed: commonplace models pull {model}")
            texts = [*(case.memory for case in cases), *others]
            for start in range(0, len(texts), AT_ONCE):
                book.remember_many([book.draft(text) for text in texts[start : start + AT_ONCE]])
            started = time.perf_counter()
            places = list(_asked(book, cases))
            return places, (time.perf_counter() - started) * 1000 / (4 * len(cases))


def _asked(book: Book, cases: list[Case]) -> Iterator[Places]:
    for case in cases:
        asked = (case.question, case.question_en)
        own, english = (_place(book, question, case.memory, 0.0) for question in asked)
        own_shown, english_shown = (_place(book, question, case.memory, None) > 0 for question in asked)
        yield Places(case.lang, own, english, own_shown, english_shown)


def _place(book: Book, question: str, right: str, least: float | None) -> int:
    hits = book.recall(question, limit=LIMIT, min_relevance=least, counts_use=False).hits
    return next((place for place, hit in enumerate(hits, 1) if hit.memory.text == right), 0)


def shares(places: list[Places]) -> dict[str, float]:
    count = len(places)
    return {
        "own R@10": sum(each.own > 0 for each in places) / count,
        "own R@1": sum(each.own == 1 for each in places) / count,
        "own shown": sum(each.own_shown for each in places) / count,
        "en R@10": sum(each.english > 0 for each in places) / count,
        "en R@1": sum(each.english == 1 for each in places) / count,
        "en shown": sum(each.english_shown for each in places) / count,
        "n": count,
    }


def by_language(places: list[Places]) -> dict[str, dict[str, float]]:
    found: dict[str, list[Places]] = defaultdict(list)
    for each in places:
        found[each.lang].append(each)
    rows = {lang: shares(some) for lang, some in sorted(found.items(), key=lambda item: -len(item[1]))}
    rows["all"] = shares(places)
    rows[f"without {', '.join(APART)}"] = shares([each for each in places if each.lang not in APART])
    return rows


def show(model: str, rows: dict[str, dict[str, float]], milliseconds: float) -> None:
    print(f"\n{model}, {milliseconds:.1f} ms a question")
    print(f"  {'':16}{'own language':>24}{'asked in English':>28}")
    print(f"  {'':16}{'R@10':>8}{'R@1':>8}{'shown':>8}{'R@10':>12}{'R@1':>8}{'shown':>8}{'n':>6}")
    for lang, row in rows.items():
        print(
            f"  {lang:16}{row['own R@10']:8.2f}{row['own R@1']:8.2f}{row['own shown']:8.2f}{row['en R@10']:12.2f}"
            f"{row['en R@1']:8.2f}{row['en shown']:8.2f}{row['n']:6.0f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="lines of lang, memory, question and question_en")
    parser.add_argument("--english", type=Path, help="folder whose corpus.jsonl stands in the book as well")
    parser.add_argument("--model", action="append", help="packs to measure, one run for each")
    parser.add_argument("--models", type=Path, help="folder with the packs")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    arguments = parser.parse_args()
    cases, others = read(arguments.data), company(arguments.english)
    results = {}
    for model in arguments.model or ["arctic-s", "arctic-s+use-multilingual", "use-multilingual"]:
        places, milliseconds = measure(cases, others, model, arguments.models)
        results[model] = by_language(places)
        show(model, results[model], milliseconds)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=2), "utf-8")


if __name__ == "__main__":
    main()
