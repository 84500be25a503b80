"""How well recall finds what answers a question, on several kinds of talk, beside plain BM25 on the same data.

    python bench/quality.py --data FOLDER [FOLDER …] [--as memories transcript] [--json FILE] [--against FILE]

Each FOLDER holds `corpus.jsonl` {id, text, pool, ts, meta.session}, `queries.jsonl` {id, text, pool, category} and
`qrels.tsv`. Protocol: each pool is a scope of its own; every turn is one memory, in order, with its date, and as a
transcript also with its session; every question of the answerable categories is asked once, with the cut-off off.
R@k is found/gold averaged over questions, any@10 whether one was found, MRR and NDCG at 10. "BM25" is FTS5 with its
porter tokenizer over the same texts, stop words dropped from the query, one index for each pool. "newer first" is how
often, of several statements that answer a question of knowledge_update, the last one stands above the first.
With --against, the figures are compared question by question with those of an earlier --json, by a paired bootstrap.
"""

import argparse
import json
import math
import os
import random
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import apsw

from commonplace import Book, Filter, Mode, Scope
from commonplace.text.stopwords import STOPWORDS

CATEGORIES = (
    "multi-hop",
    "temporal",
    "open-domain",
    "single-hop",
    "information_extraction",
    "knowledge_update",
    "multi_session_reasoning",
    "temporal_reasoning",
    "contradiction_resolution",
)
"""What is counted together; the other categories are shown apart."""

UPDATES = "knowledge_update"
FORMATS = ("%I:%M %p on %d %B, %Y", "%d.%m.%Y, %H:%M:%S", "%B-%d-%Y")
FIGURES = ("R@5", "R@10", "any@10", "MRR@10", "NDCG@10")
ROUNDS = 2_000
Ranking = list[str]


class Turn(NamedTuple):
    id: str
    text: str
    pool: str
    session: str
    at: int | None


class Question(NamedTuple):
    id: str
    text: str
    pool: str
    category: str
    gold: frozenset[str]


class Data(NamedTuple):
    name: str
    turns: list[Turn]
    questions: list[Question]


class Measured(NamedTuple):
    """One way to rank one set: a row of figures for each question, and how often the newer statement came first."""

    of_questions: dict[str, dict[str, float]]
    newer_first: float | None
    seconds: float


def read(folder: Path) -> Data:
    turns = [_turn(json.loads(line)) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]
    gold: dict[str, set[str]] = defaultdict(set)
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines():
        query, turn, *_ = line.split("\t")
        gold[query].add(turn)
    questions = []
    for line in (folder / "queries.jsonl").read_text("utf-8").splitlines():
        item = json.loads(line)
        if gold.get(item["id"]):
            found = frozenset(gold[item["id"]])
            questions.append(Question(item["id"], item["text"], item["pool"], item["category"], found))
    return Data(folder.name, turns, questions)


def _turn(item: dict[str, str | dict[str, str]]) -> Turn:
    meta = item["meta"]
    session = f"{item['pool']}/{meta['session']}" if isinstance(meta, dict) else str(item["pool"])
    return Turn(str(item["id"]), str(item["text"]), str(item["pool"]), session, _moment(str(item.get("ts"))))


def _moment(written: str) -> int | None:
    for form in FORMATS:
        try:
            return int(datetime.strptime(written, form).replace(tzinfo=UTC).timestamp() * 1000)
        except ValueError:
            continue
    return None


def plain_bm25(turns: Sequence[Turn], limit: int) -> Callable[[Question], Ranking]:
    """FTS5 as it comes: porter stemming, quoted terms joined by OR."""
    pools: dict[str, tuple[apsw.Connection, list[str]]] = {}
    for turn in turns:
        if turn.pool not in pools:
            connection = apsw.Connection(":memory:")
            connection.execute("CREATE VIRTUAL TABLE plain USING fts5(text, tokenize = 'porter unicode61')")
            pools[turn.pool] = (connection, [])
        connection, ids = pools[turn.pool]
        connection.execute("INSERT INTO plain (rowid, text) VALUES (?, ?)", (len(ids) + 1, turn.text))
        ids.append(turn.id)

    def rank(question: Question) -> Ranking:
        connection, ids = pools[question.pool]
        words = [word for word in re.findall(r"\w+", question.text.lower()) if word not in STOPWORDS]
        match = " OR ".join(f'"{word}"' for word in words)
        rows = connection.execute("SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?", (match, limit))
        return [ids[row - 1] for (row,) in rows]

    return rank


def remember_all(book: Book, turns: Sequence[Turn], as_talk: bool) -> dict[str, str]:
    """Store every turn; gives back which memory is which turn."""
    turn_of: dict[str, str] = {}
    for start in range(0, len(turns), 200):
        batch = turns[start : start + 200]
        drafts = [
            book.draft(
                turn.text,
                scope=f"agent:{turn.pool}",
                session=turn.session if as_talk else None,
                valid_from=turn.at,
            )
            for turn in batch
        ]
        for turn, result in zip(batch, book.remember_many(drafts), strict=True):
            memory = getattr(result, "memory", None)
            if memory is None:
                print(f"not stored: {turn.id}: {result}", file=sys.stderr)
            else:
                turn_of.setdefault(memory.id, turn.id)
        _progress(start + len(batch), len(turns))
    return turn_of


def ours(book: Book, turn_of: Mapping[str, str], mode: Mode, limit: int) -> Callable[[Question], Ranking]:
    def rank(question: Question) -> Ranking:
        filter = Filter((Scope.parse(f"agent:{question.pool}"),))
        found = book.recall(question.text, filter=filter, limit=limit, mode=mode, min_relevance=0.0, counts_use=False)
        return [turn_of[hit.memory.id] for hit in found.hits]

    return rank


def measure(rank: Callable[[Question], Ranking], data: Data) -> Measured:
    order = {turn.id: place for place, turn in enumerate(data.turns)}
    rows, newer = {}, []
    started = time.perf_counter()
    for question in data.questions:
        ranking = rank(question)
        rows[question.id] = _metrics(ranking, question.gold)
        if question.category == UPDATES and len(question.gold) > 1:
            places = {id: place for place, id in enumerate(ranking)}
            stated = sorted(question.gold, key=order.__getitem__)
            newer.append(places.get(stated[-1], 99) < places.get(stated[0], 100))
    elapsed = time.perf_counter() - started
    return Measured(rows, sum(newer) / len(newer) if newer else None, elapsed / max(1, len(data.questions)))


def _metrics(ranking: Ranking, gold: frozenset[str]) -> dict[str, float]:
    hits = [place for place, id in enumerate(ranking[:10], 1) if id in gold]
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(10, len(gold)) + 1))
    return {
        "R@5": sum(id in gold for id in ranking[:5]) / len(gold),
        "R@10": len(hits) / len(gold),
        "any@10": float(bool(hits)),
        "MRR@10": 1 / hits[0] if hits else 0.0,
        "NDCG@10": sum(1 / math.log2(place + 1) for place in hits) / ideal,
    }


def of_set(data: Data, arguments: argparse.Namespace) -> dict[str, Measured]:
    """Every way to rank one set that was asked for, by name."""
    results = {"BM25": measure(plain_bm25(data.turns, 10), data)}
    for way in arguments.ways:
        with tempfile.TemporaryDirectory() as folder:
            with Book.open(Path(folder) / "book.db", model=arguments.model) as book:
                turn_of = remember_all(book, data.turns, way == "transcript")
                if arguments.parts:
                    results[f"{way}, words"] = measure(ours(book, turn_of, Mode.WORDS, 10), data)
                    results[f"{way}, vectors"] = measure(ours(book, turn_of, Mode.VECTORS, 10), data)
                results[way] = measure(ours(book, turn_of, Mode.AUTO, 10), data)
            if arguments.other:
                results |= _compared(data, way, arguments)
    return results


def _compared(data: Data, way: str, arguments: argparse.Namespace) -> dict[str, Measured]:
    """The same questions to another, empty store."""
    with Book.open(arguments.other, model=arguments.model) as other:
        turn_of = remember_all(other, data.turns, way == "transcript")
        return {f"{way}, other store": measure(ours(other, turn_of, Mode.AUTO, 10), data)}


def show(data: Data, results: Mapping[str, Measured], before: Mapping[str, dict[str, dict[str, float]]]) -> None:
    together = [each.id for each in data.questions if each.category in CATEGORIES]
    print(f"\n{data.name}: {len(data.turns):,} turns, {len(together)} questions")
    print(f"  {'':26}" + "".join(f"{name:>9}" for name in FIGURES) + "   ms a question")
    for name, result in results.items():
        newer = "" if result.newer_first is None else f"   newer first {100 * result.newer_first:.0f} %"
        print(f"  {name:26}{_figures(result, together)}   {1000 * result.seconds:8.1f}{newer}")
        if name in before:
            for figure in ("R@10", "MRR@10"):
                print(f"  {'':26}{figure} {_gain(result.of_questions, before[name], together, figure)}")
    rest = sorted({each.category for each in data.questions} - set(CATEGORIES))
    for category in rest:
        those = [each.id for each in data.questions if each.category == category]
        for way in (name for name in results if name in ("memories", "transcript")):
            print(f"  {f'{category}, {way}':40}{_figures(results[way], those)}")


def _figures(result: Measured, ids: Sequence[str]) -> str:
    return "".join(f"{100 * sum(result.of_questions[id][name] for id in ids) / len(ids):9.1f}" for name in FIGURES)


def _gain(
    now: Mapping[str, Mapping[str, float]], then: Mapping[str, Mapping[str, float]], ids: Sequence[str], figure: str
) -> str:
    """The mean difference to an earlier run and where 95 of 100 resamplings of the questions put it."""
    differences = [now[id][figure] - then[id][figure] for id in ids if id in then]
    chance = random.Random(0)
    means = sorted(sum(chance.choices(differences, k=len(differences))) / len(differences) for _ in range(ROUNDS))
    low, high = means[round(0.025 * ROUNDS)], means[round(0.975 * ROUNDS) - 1]
    mean = sum(differences) / len(differences)
    return f"{100 * mean:+.1f} beside the earlier run ({100 * low:+.1f} to {100 * high:+.1f})"


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\rstoring {done:,} of {total:,}", end="" if done < total else "\n", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=Path, nargs="+", required=True, help="folders with corpus.jsonl, queries.jsonl, qrels.tsv"
    )
    parser.add_argument(
        "--as", dest="ways", nargs="+", choices=["memories", "transcript"], default=["memories", "transcript"]
    )
    parser.add_argument("--model", default="arctic-s", help="model pack, or none")
    parser.add_argument("--parts", action="store_true", help="also words alone and vectors alone")
    parser.add_argument("--json", type=Path, help="also write the figures of every question here")
    parser.add_argument("--against", type=Path, help="compare with the figures of an earlier --json")
    parser.add_argument("--other", metavar="URL", help="a second, empty store to measure beside the file")
    arguments = parser.parse_args()
    earlier = json.loads(arguments.against.read_text("utf-8"))["results"] if arguments.against else {}
    print(__doc__.split("\n\n")[2].strip() if __doc__ else "")
    kept: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for folder in arguments.data:
        data = read(folder)
        results = of_set(data, arguments)
        show(data, results, earlier.get(data.name, {}))
        kept[data.name] = {name: result.of_questions for name, result in results.items()}
    if arguments.json:
        stamp = {"at": datetime.now(UTC).isoformat(), "machine": os.uname().machine, "model": arguments.model}
        arguments.json.write_text(json.dumps({"stamp": stamp, "results": kept}, indent=2), "utf-8")


if __name__ == "__main__":
    main()
