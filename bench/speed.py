"""How fast the book is, beside a plain FTS5 store and bare Python measured in the same run.

    python bench/speed.py [--sizes 1000,10000,100000] [--quick] [--json FILE]

The reference is a table and an FTS5 index written through APSW with the same durability (WAL,
synchronous FULL, BEGIN IMMEDIATE, one transaction a text), asked for every word of the question, as
a plain store is. Beside it stands the same store asked only for the terms we ask for, without stop
words: what our stages cost on top of the search itself. Calls are interleaved, so that a busy
machine slows all of them. Texts are made from a seeded
vocabulary whose words are as unevenly spread as in a real language. Runs about scale use seeded
random vectors of 384 dimensions instead of a model, and "already embedded" queries.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import apsw
import numpy as np

from commonplace import Book, Mode, NearPolicy, Repeats
from commonplace.config import load
from commonplace.domain.query import Filter
from commonplace.domain.rank import Scale
from commonplace.ports import Calibration, Embedder, Space, Vector
from commonplace.store.sqlite import SqliteStore
from commonplace.text import query_terms
from commonplace.wiring import assemble

DIMENSIONS = 384
FILL_BATCH = 500
SEED = 7
STORE_CALLS = 300
QUERIES = 200
COLD_RUNS = 15
COMMON = "the a to of and in is for on with that it as was we our from by at this are be not use has when".split()


class RandomVectors:
    """An embedder whose vectors are seeded by the text: nothing to load, nothing to compute."""

    space = Space("seeded-random", "1", "none", DIMENSIONS)
    calibration = Calibration(Scale(0.73, 0.05), 0.95)
    uses_network = False

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
        vector = np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
        return (vector / np.linalg.norm(vector)).astype("<f2").tobytes()


def texts(seed: int) -> Iterator[str]:
    """Sentences of 8 to 20 words: a third of them common, the others from a long tail."""
    chance = random.Random(seed)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "il", "on", "us")]
    vocabulary = ["".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(30_000)]
    weights = [1 / (rank + 20) for rank in range(len(vocabulary))]
    while True:
        for size in [chance.randint(8, 20) for _ in range(256)]:
            words = chance.choices(vocabulary, weights, k=size)
            yield " ".join(chance.choice(COMMON) if chance.random() < 0.35 else word for word in words)


class PlainStore:
    """The reference: rows and FTS5, nothing else."""

    def __init__(self, path: Path) -> None:
        self.connection = apsw.Connection(str(path))
        self.connection.set_busy_timeout(10_000)
        self.connection.pragma("journal_mode", "wal")
        self.connection.pragma("synchronous", "FULL")
        self.connection.execute(
            "CREATE TABLE plain (number INTEGER PRIMARY KEY, text TEXT NOT NULL, at INTEGER NOT NULL)"
        )
        self.connection.execute("CREATE VIRTUAL TABLE plain_words USING fts5(text, tokenize = 'porter unicode61')")

    def store(self, text: str) -> None:
        self.connection.execute("BEGIN IMMEDIATE")
        self._insert(text)
        self.connection.execute("COMMIT")

    def fill(self, batch: Sequence[str]) -> None:
        self.connection.execute("BEGIN IMMEDIATE")
        for text in batch:
            self._insert(text)
        self.connection.execute("COMMIT")

    def _insert(self, text: str) -> None:
        self.connection.execute("INSERT INTO plain (text, at) VALUES (?, ?)", (text, time.time_ns()))
        number = self.connection.last_insert_rowid()
        self.connection.execute("INSERT INTO plain_words (rowid, text) VALUES (?, ?)", (number, text))

    def recall(self, words: Sequence[str]) -> list[tuple[int, str, float]]:
        match = " OR ".join(f'"{word}"' for word in words)
        return list(
            self.connection.execute(
                "SELECT p.number, p.text, w.rank FROM plain_words AS w JOIN plain AS p ON p.number = w.rowid "
                "WHERE plain_words MATCH ? ORDER BY w.rank LIMIT 8",
                (match,),
            )
        )


def seconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def percentiles(times: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(times)
    return statistics.median(ordered) * 1000, ordered[int(len(ordered) * 0.95)] * 1000


def storing(folder: Path, real: Embedder | None) -> dict[str, float]:
    """Memories a second, one call each: the reference, ours without and with vectors."""
    plain = PlainStore(folder / "plain.db")
    words = Book.over(SqliteStore(folder / "words.db"))
    vectors = Book.over(SqliteStore(folder / "vectors.db"), embedder=real or RandomVectors())
    source = texts(SEED)
    vectors.remember(next(source))  # a model is loaded at the first need: not part of the rate
    times: dict[str, list[float]] = {"plain": [], "words": [], "vectors": []}
    for text in islice(source, STORE_CALLS):
        times["plain"].append(seconds(lambda t=text: plain.store(t)))  # type: ignore[misc]
        times["words"].append(seconds(lambda t=text: words.remember(t)))  # type: ignore[misc]
        times["vectors"].append(seconds(lambda t=text: vectors.remember(t)))  # type: ignore[misc]
    words.close()
    vectors.close()
    return {name: len(found) / sum(found) for name, found in times.items()}


def recalling(folder: Path, size: int) -> dict[str, float]:
    """p50 and p95 in milliseconds at one size; by words, by vectors alone, by both."""
    plain, embedder = PlainStore(folder / f"plain-{size}.db"), RandomVectors()
    store = SqliteStore(folder / f"book-{size}.db")
    book = Book.over(store, embedder=embedder)
    source = texts(SEED)
    for start in range(0, size, FILL_BATCH):
        batch = list(islice(source, min(FILL_BATCH, size - start)))
        plain.fill(batch)
        book.remember_many([book.draft(text) for text in batch], repeats=Repeats(near=NearPolicy.IGNORE))
        progress(f"filling {size:,}", start + len(batch), size)
    chance = random.Random(SEED + 1)
    asked = [" ".join(["what", "is", "the", *chance.sample(text.split(), 5)]) for text in islice(texts(SEED), QUERIES)]
    times: dict[str, list[float]] = {"plain": [], "terms": [], "words": [], "hybrid": [], "stage": []}
    book.recall(asked[0])  # the vector cache is filled by the first recall of a process
    for query in asked:
        embedder.embed_query(query)
        times["plain"].append(seconds(lambda q=query: plain.recall(q.split())))  # type: ignore[misc]
        times["terms"].append(seconds(lambda q=query: plain.recall(query_terms(q))))  # type: ignore[misc]
        times["words"].append(seconds(lambda q=query: book.recall(q, mode=Mode.WORDS)))  # type: ignore[misc]
        times["hybrid"].append(seconds(lambda q=query: book.recall(q)))  # type: ignore[misc]
        times["stage"].append(_vector_stage(store, embedder, book, query))
    book.close()
    measured = {}
    for name, found in times.items():
        measured[f"{name} p50"], measured[f"{name} p95"] = percentiles(found)
    return measured


def _vector_stage(store: SqliteStore, embedder: RandomVectors, book: Book, query: str) -> float:
    vector, filter, now = embedder.embed_query(query), Filter(book.scopes), time.time_ns() // 1_000_000
    with store.reading("local") as unit:
        return seconds(lambda: unit.vectors.nearest(vector, embedder.space, filter, now, 100))


def memory(path: Path) -> float:
    """Peak resident memory of a process that recalls from a book, in MB."""
    code = (
        "import sys, resource; sys.path.insert(0, sys.argv[2]); import speed; from pathlib import Path;"
        "from commonplace import Book; from commonplace.store.sqlite import SqliteStore;"
        "book = Book.over(SqliteStore(Path(sys.argv[1])), embedder=speed.RandomVectors());"
        "[book.recall(text) for text in speed.islice(speed.texts(1), 20)];"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    command = [sys.executable, "-c", code, str(path), str(Path(__file__).parent)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def cold(path: Path) -> tuple[float, float]:
    """Milliseconds from nothing to an answer: bare Python, and `commonplace recall` by words."""
    command = shutil.which("commonplace", path=str(Path(sys.executable).parent)) or "commonplace"
    ours = [command, "recall", "--store", str(path), "--mode", "words", "what is the deploy day"]
    times: dict[str, list[float]] = {"bare": [], "ours": []}
    for _ in range(COLD_RUNS):
        times["bare"].append(_run([sys.executable, "-c", "pass"]))
        times["ours"].append(_run(ours))
    return statistics.median(times["bare"]) * 1000, statistics.median(times["ours"]) * 1000


def _run(command: list[str]) -> float:
    return seconds(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True))


def progress(what: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{what}: {done:,} of {total:,}   ", end="" if done < total else "\n", file=sys.stderr, flush=True)


def verdict(label: str, value: str, ratio: float, target: float, at_most: bool = True) -> None:
    met = ratio <= target if at_most else ratio >= target
    sign = "<=" if at_most else ">="
    print(f"  {label:34}{value:>28}   {ratio:6.2f}  (target {sign} {target:g}: {'met' if met else 'MISSED'})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000", help="sizes of the books to recall from")
    parser.add_argument("--quick", action="store_true", help="1,000 and 10,000 only")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    arguments = parser.parse_args()
    sizes = [1_000, 10_000] if arguments.quick else [int(size) for size in arguments.sizes.split(",")]
    real = assemble(load({"model": "arctic-s"})).embedder
    print((__doc__ or "").split("\n\n")[2].strip())
    with tempfile.TemporaryDirectory() as name:
        figures = run(Path(name), sizes, real)
    if arguments.json:
        stamp = {"machine": os.uname().machine, "cores": os.cpu_count(), "python": sys.version.split()[0]}
        arguments.json.write_text(json.dumps({"stamp": stamp, "figures": figures}, indent=2), "utf-8")


def run(folder: Path, sizes: list[int], real: Embedder | None) -> dict[str, object]:
    rates = storing(folder, real)
    print(
        f"\nstoring, memories a second, one durable call each (with vectors: {real.space if real else 'seeded random'})"
    )
    print(f"  {'plain FTS5':34}{rates['plain']:>22,.0f} /s")
    share = rates["words"] / rates["plain"]
    verdict("ours, without vectors", f"{rates['words']:,.0f} /s", share, 0.5, at_most=False)
    print(f"  {'ours, with vectors':34}{rates['vectors']:>26,.0f} /s   {rates['vectors'] / rates['plain']:6.2f}")
    found: dict[int, dict[str, float]] = {}
    print("\nrecall, p50 / p95 in ms, and the ratio of the medians (vectors: seeded random)")
    for size in sizes:
        found[size] = row = recalling(folder, size)
        print(f" {size:,} memories")
        print(f"  {'plain FTS5, every word':34}{row['plain p50']:>19.2f} / {row['plain p95']:.2f}")
        print(f"  {'plain FTS5, our terms only':34}{row['terms p50']:>19.2f} / {row['terms p95']:.2f}")
        words = f"{row['words p50']:.2f} / {row['words p95']:.2f}"
        verdict("ours, by words", words, row["words p50"] / row["plain p50"], 2.0)
        print(f"  {'  beside our terms only':62}   {row['words p50'] / row['terms p50']:6.2f}")
        print(f"  {'ours, hybrid, query embedded':34}{row['hybrid p50']:>19.2f} / {row['hybrid p95']:.2f}")
        stage = f"{row['stage p50']:.2f} / {row['stage p95']:.2f}"
        verdict("the vector stage of it, in ms", stage, row["stage p50"], 10.0)
    growth = found[sizes[-1]]["hybrid p50"] / found[sizes[0]]["hybrid p50"]
    verdict(f"hybrid grows from {sizes[0]:,} to {sizes[-1]:,}", "", growth, 8.0)
    megabytes = memory(folder / f"book-{sizes[-1]}.db")
    print(f"\npeak memory of a process recalling from {sizes[-1]:,} memories")
    verdict("in MB", "", megabytes, 600.0)
    bare, ours = cold(folder / f"book-{sizes[0]}.db")
    print(f"\ncold start, ms: bare Python {bare:.0f}")
    verdict("commonplace recall, by words", f"{ours:.0f}", ours / bare, 6.0)
    return {"storing": rates, "recall": found, "megabytes": megabytes, "cold": {"bare": bare, "ours": ours}}


if __name__ == "__main__":
    main()
