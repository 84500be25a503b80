"""How long a dream over a large book takes, and how much memory.

    python bench/dream.py [--size 100000]

The book is filled with texts of a seeded vocabulary, by words alone (no vectors: a dream compares by words). One in
twenty is said again, one in fifty again with a word more, one in a hundred contradicts another; half of them are old
enough to have faded, and two hundred corrections wait. The dream runs in a process of its own, with its progress on
stderr; the targets are ten minutes and 1.5 GB.
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from commonplace import Book, NearPolicy, Repeats
from commonplace.dream import Limits
from commonplace.engine.caller import system_clock
from commonplace.engine.intake import ExactPolicy
from commonplace.store.sqlite import SqliteStore
from speed import FILL_BATCH, SEED, progress, texts, verdict

DAY = 86_400_000
CORRECTIONS = 200
MINUTES = 10.0
MEGABYTES = 1_500.0
AS_IT_COMES = Repeats(ExactPolicy.NEVER, NearPolicy.IGNORE)


def fill(path: Path, size: int) -> None:
    """A book that grew over two years, half of it before the last."""
    chance, source, now = random.Random(SEED), texts(SEED), system_clock()
    started = now - 730 * DAY
    clock = [started]
    with Book.over(SqliteStore(path, synchronous="NORMAL"), clock=lambda: clock[0]) as book:
        for done in range(0, size, FILL_BATCH):
            batch = list(islice(source, min(FILL_BATCH, size - done)))
            said = [_varied(text, batch, chance) for text in batch]
            book.remember_many([book.draft(text) for text in said], repeats=AS_IT_COMES)
            clock[0] = started + (now - started) * (done + FILL_BATCH) // size
            progress(f"filling {size:,}", done + len(batch), size)
        for number in range(CORRECTIONS):
            book.corrections.log(f"No, {next(source)} ({number})", memories=[number + 1])


def _varied(text: str, batch: list[str], chance: random.Random) -> str:
    other, share = chance.choice(batch), chance.random()
    if share < 0.05:
        return f"The {other}."
    if share < 0.07:
        return f"{other} altogether"
    return f"never {other}" if share < 0.08 else text


def dream(path: Path) -> None:
    """In this process: one dream, then its figures on one line."""
    with Book.over(SqliteStore(path)) as book:
        started = time.perf_counter()
        run = book.dreams.run(Limits(), progress=lambda done, total: progress("dreaming", done, total))
        elapsed = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    stages = ", ".join(f"{each.stage} {each.elapsed_ms / 1000:.1f} s ({each.proposed:,})" for each in run.stages)
    print(f"{elapsed}\t{peak}\t{run.status.value}, {len(run.done)} edits, {run.waiting:,} wait; {stages}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=100_000, help="memories in the book")
    parser.add_argument("--dream", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.dream:
        dream(arguments.dream)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.db"
        fill(path, arguments.size)
        command = [sys.executable, __file__, "--dream", str(path)]
        answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    elapsed, peak, said = answer.strip().split("\t")
    print(f"a dream over {arguments.size:,} memories, without vectors: {said}")
    verdict("minutes", f"{float(elapsed):.1f} s", float(elapsed) / 60, MINUTES)
    verdict("MB at the peak", "", float(peak), MEGABYTES)


if __name__ == "__main__":
    main()
