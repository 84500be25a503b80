"""How fast this tree is beside another one, both measured in turn in one run.

    python bench/versus.py OTHER [--rounds N]

OTHER is the source folder of another version, such as `git worktree add ../before COMMIT` and then `../before/src`. A
worker of each does a small batch in turn, on a book of its own that grows alike; the figures are the medians of the
paired ratios, this tree by the other, of processor time without the disk. Cold commands are whole processes, and their
fastest runs are compared. Both trees are compiled first, or one of them would pay for that at every start.
"""

import argparse
import compileall
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parents[1] / "src"
BATCHES = {"remember, one by one": 20, "remember, many at once": 100, "recall": 20}
COLD = {"cold recall": ("recall", "ships"), "cold remember": ("remember", "Ship {round} is red")}
WORKER = """
import sys, tempfile, time
from pathlib import Path
from commonplace import Book
with Book.open(Path(tempfile.mkdtemp()) / "book.db", model="none") as book:
    for line in sys.stdin:
        kind, round, count = line.rsplit(" ", 2)
        texts = [f"Note {round}.{n} says that berth {n % 17} has water" for n in range(int(count))]
        drafts = [book.draft(text) for text in texts]
        started = time.thread_time()
        if kind == "recall":
            for n in range(int(count)):
                book.recall(f"which berth has water {n % 17}")
        elif kind.endswith("at once"):
            book.remember_many(drafts)
        else:
            for draft in drafts:
                book.remember(draft)
        print(time.thread_time() - started, flush=True)
"""


def environment(tree: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(tree), "COMMONPLACE_MODEL": "none"}


class Worker:
    """A process that has one of the trees loaded and a book open."""

    def __init__(self, tree: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            env=environment(tree),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, kind: str, round: int) -> float:
        """What one batch of a kind takes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{kind} {round} {BATCHES[kind]}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())


def cold(tree: Path, words: tuple[str, ...], store: Path, round: int) -> float:
    """What a whole command takes, from its start to its end."""
    started = time.perf_counter()
    told = [word.format(round=round) for word in words]
    command = [sys.executable, "-m", "commonplace", *told, "--store", str(store)]
    subprocess.run(command, env=environment(tree), check=True, capture_output=True)
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("--rounds", type=int, default=40)
    given = parser.parse_args()
    trees = (HERE, given.other.resolve())
    for tree in trees:
        compileall.compile_dir(tree, quiet=2)
    workers = [Worker(tree) for tree in trees]
    print("this tree beside the other; below 1 is faster")
    for kind in BATCHES:
        ratios = []
        for round in range(given.rounds):
            order = (0, 1) if round % 2 else (1, 0)
            taken = {each: workers[each].seconds(kind, round) for each in order}
            ratios.append(taken[0] / taken[1])
        print(f"  {kind:<26}{statistics.median(ratios):6.2f}")
    stores = [Path(tempfile.mkdtemp()) / "book.db" for _ in trees]
    for name, words in {"": ("remember", "Ships are grey"), **COLD}.items():
        fastest = [
            min(cold(tree, words, stores[each], round) for round in range(15)) for each, tree in enumerate(trees)
        ]
        if name:
            print(f"  {name:<26}{fastest[0] / fastest[1]:6.2f}")


if __name__ == "__main__":
    main()
