"""How fast the page is on a hundred memories and on a hundred thousand, as a person in a browser sees it.

    python bench/page.py [--sizes 100,100000] [--rounds 15] [--stores FOLDER] [--json FILE]

Two books, two `commonplace web`, one browser; rounds take turns, so that a busy machine slows both. All times are taken
in the page by its own clock, up to the second frame after what is waited for stands in the document: then it was
painted. What a person waits for after the last letter has the pause in it that the page makes there. Looking is by
words, so that no model is part of it. With `--stores` the books are kept there, and made only once.
"""

import argparse
import json
import os
import random
import statistics
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

from playwright.sync_api import BrowserContext, Page

from browsing import chromium, entered, page_of
from commonplace import Book, NearPolicy, Repeats
from commonplace.store.sqlite import SqliteStore
from commonplace.text import query_terms
from speed import SEED, progress, texts, verdict

TARGET = 2.0
BATCH = 500
SCROLLED_ROWS = 2_000
READY = "http://127.0.0.1"

WATCH = """
window.painted = (so) => new Promise((done) => {
  const look = () => {
    if (!so()) return false;
    watching.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
    return true;
  };
  const watching = new MutationObserver(look);
  watching.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  look();
});
window.firstPaint = window.painted(() => document.querySelector('li.row .row-text'));
"""
"""Put into the page before anything of it runs: when something stands there and was painted."""

TYPED = """() => {
  const list = document.querySelector('section[data-view="search"] [aria-busy]');
  let last = 0, asked = false;
  const typed = () => { last = performance.now(); asked = false; };
  document.querySelector('#query').addEventListener('input', typed);
  new MutationObserver(() => { asked ||= list.getAttribute('aria-busy') === 'true'; })
    .observe(list, {attributes: true, attributeFilter: ['aria-busy']});
  const isThere = () => asked && list.getAttribute('aria-busy') === 'false';
  window.answered = () => window.painted(isThere).then((at) => at - last);
}"""
OPENED = """(place) => {
  const link = document.querySelectorAll('li.row .row-link')[place];
  const id = link.closest('li').dataset.id, began = performance.now();
  link.click();
  return window.painted(() => document.querySelector(`article[data-id="${id}"] .memory-text`)).then((at) => at - began);
}"""
SCROLLED = """async (wanted) => {
  const box = document.querySelector('section[data-view="search"] [aria-busy]');
  const row = document.querySelector('li.row'), height = row.offsetHeight, total = Number(row.ariaSetSize);
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const began = performance.now(), perFrame = Math.max(1, Math.floor(box.clientHeight / height) - 1);
  let seen = 0, place = 0, slowest = 0, step = perFrame;
  while (seen < wanted) {
    const at = performance.now();
    place = Math.max(0, Math.min(total - 1, place + step));
    box.scrollTop = place * height;
    const wantedRow = `li.row[aria-posinset="${place + 1}"]`;
    while (!document.querySelector(wantedRow)) { box.scrollTop = place * height; await frame(); }
    await frame();
    slowest = Math.max(slowest, performance.now() - at);
    seen += perFrame;
    if (place >= total - 1 || (place === 0 && step < 0)) step = -step;
  }
  return [performance.now() - began, slowest];
}"""
"""A screenful a frame, and back again where the book ends: the same number of rows in either."""


class Bench:
    """One book in the browser."""

    def __init__(self, context: BrowserContext, origin: str, questions: list[str]) -> None:
        self.context, self.origin, self.questions = context, origin, questions
        context.add_init_script(WATCH)

    def page(self) -> Page:
        """Nothing of the page before is left but what a browser keeps of the files."""
        page = self.context.new_page()
        page.goto(f"{self.origin}/")
        return page

    def first_paint(self, round: int) -> float:
        page = self.page()
        taken = float(page.evaluate("() => window.firstPaint"))
        page.close()
        return taken

    def answer(self, round: int) -> float:
        """From the last letter to the answer; the letters come as fast as a person types."""
        page = self.page()
        page.evaluate("() => window.firstPaint")
        page.evaluate(TYPED)
        page.locator("#query").press_sequentially(self.questions[round % len(self.questions)], delay=40)
        taken = float(page.evaluate("() => window.answered()"))
        page.close()
        return taken

    def open_one(self, round: int) -> float:
        page = self.page()
        page.evaluate("() => window.firstPaint")
        taken = float(page.evaluate(OPENED, round % 8))
        page.close()
        return taken

    def scroll(self, round: int) -> float:
        page = self.page()
        page.evaluate("() => window.firstPaint")
        taken, slowest = page.evaluate(SCROLLED, SCROLLED_ROWS)
        self.slowest_frames.append(float(slowest))
        page.close()
        return float(taken)

    slowest_frames: list[float]


MEASURED: Mapping[str, Callable[[Bench, int], float]] = {
    "first paint with memories": Bench.first_paint,
    "search as you type": Bench.answer,
    "opening one memory": Bench.open_one,
    f"scrolling {SCROLLED_ROWS:,} rows": Bench.scroll,
}


def made(place: Path, size: int) -> Path:
    """A book of that size, unless it is there already."""
    if place.exists():
        return place
    book = Book.over(SqliteStore(place, synchronous="NORMAL"))
    source = texts(SEED)
    for start in range(0, size, BATCH):
        batch = list(islice(source, min(BATCH, size - start)))
        book.remember_many([book.draft(text) for text in batch], repeats=Repeats(near=NearPolicy.IGNORE))
        progress(f"filling {size:,}", start + len(batch), size)
    book.close()
    return place


def questions(size: int) -> list[str]:
    """Three words each, of a memory that is in the book."""
    chance = random.Random(SEED + size)
    terms = (list(dict.fromkeys(query_terms(text))) for text in islice(texts(SEED), min(size, 50)))
    return [" ".join(chance.sample(found, 3)) for found in terms if len(found) >= 3]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="100,100000", help="of the two books, with a comma between")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--stores", type=Path, help="where the books are kept")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    small, large = (int(size) for size in given.sizes.split(","))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="commonplace-page-")))
        stores = given.stores or folder
        browser = stack.enter_context(chromium())
        benches: dict[int, Bench] = {}
        for size in (small, large):
            link = stack.enter_context(page_of(made(stores / f"page-{size}.db", size), folder))
            context = entered(browser, link)
            bench = Bench(context, link.partition("/#")[0], questions(size))
            bench.slowest_frames = []
            benches[size] = bench
        report = compare(benches, given.rounds)
    if given.json:
        given.json.write_text(json.dumps(report, indent=2) + os.linesep, encoding="utf-8")


def compare(benches: Mapping[int, Bench], rounds: int) -> dict[str, dict[str, float]]:
    """Prints each of what is measured for both books, and how many times longer it takes in the second."""
    small, large = benches
    report: dict[str, dict[str, float]] = {}
    print(f"\n{small:,} memories, {large:,} memories, ratio; medians of {rounds} rounds\n")
    for name, measure in MEASURED.items():
        times: dict[int, list[float]] = {size: [] for size in benches}
        for round in range(rounds + 1):
            for size, bench in benches.items():
                taken = measure(bench, round)
                if round > 0:  # the first one warms up what either keeps
                    times[size].append(taken)
            progress(name, round, rounds)
        one, other = (statistics.median(times[size]) for size in (small, large))
        report[name] = {str(small): one, str(large): other, "ratio": other / one}
        verdict(name, f"{one:7.0f} ms {other:7.0f} ms", other / one, TARGET)
    slowest = {size: max(bench.slowest_frames) for size, bench in benches.items()}
    print(f"  slowest screenful while scrolling: {slowest[small]:.0f} ms and {slowest[large]:.0f} ms")
    return report


if __name__ == "__main__":
    main()
