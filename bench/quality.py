"""How well recall finds what answers a question, beside plain BM25 on the same data.

    python bench/quality.py --data FOLDER [--limit 10] [--json FILE]

FOLDER holds `corpus.jsonl` {id, text, pool, ts, meta.session}, `queries.jsonl` {id, text, pool,
category} and `qrels.tsv`. Protocol: each pool is a scope of its own; every turn is one memory, in
order, with its session and its date; every question of the answerable categories is asked once.
R@k is found/gold averaged over questions, any@10 whether one was found, MRR and NDCG at 10.
"BM25" is FTS5 with its porter tokenizer over the same texts, stop words dropped from the query,
one index for each pool.
"""

import argparse
import json
import math
import os
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import apsw

from commonplace import Book, Filter, Mode, Scope
from commonplace.text.stopwords import STOPWORDS

CATEGORIES = ("multi-hop", "temporal", "open-domain", "single-hop")
DATE = re.compile(r"(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d{4})")
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


def read(folder: Path) -> tuple[list[Turn], list[Question]]:
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
    return turns, questions


def _turn(item: dict[str, str | dict[str, str]]) -> Turn:
    match = DATE.fullmatch(str(item["ts"]))
    at = None
    if match:
        hour, minute, half, day, month, year = match.groups()
        moment = datetime.strptime(f"{day} {month} {year} {hour}:{minute} {half}", "%d %B %Y %I:%M %p")
        at = int(moment.replace(tzinfo=UTC).timestamp() * 1000)
    meta = item["meta"]
    session = f"{item['pool']}/{meta['session']}" if isinstance(meta, dict) else str(item["pool"])
    return Turn(str(item["id"]), str(item["text"]), str(item["pool"]), session, at)


def plain_bm25(turns: list[Turn], limit: int) -> Callable[[Question], Ranking]:
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


def remember_all(book: Book, turns: list[Turn]) -> dict[str, str]:
    """Store every turn; gives back which memory is which turn."""
    turn_of: dict[str, str] = {}
    for start in range(0, len(turns), 200):
        batch = turns[start : start + 200]
        drafts = [
            book.draft(turn.text, scope=f"agent:{turn.pool}", session=turn.session, valid_from=turn.at)
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
        found = book.recall(question.text, filter=filter, limit=limit, mode=mode, counts_use=False)
        return [turn_of[hit.memory.id] for hit in found.hits]

    return rank


def measure(rank: Callable[[Question], Ranking], questions: Iterable[Question]) -> dict[str, dict[str, float]]:
    rows: dict[str, list[dict[str, float]]] = defaultdict(list)
    for question in questions:
        ranking = rank(question)
        row = _metrics(ranking, question.gold)
        rows[question.category].append(row)
        if question.category in CATEGORIES:
            rows["all"].append(row)
    return {
        category: {name: 100 * sum(row[name] for row in found) / len(found) for name in found[0]} | {"n": len(found)}
        for category, found in rows.items()
    }


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


def compare(
    book: Book, turn_of: Mapping[str, str], arguments: argparse.Namespace, turns: list[Turn], questions: list[Question]
) -> dict[str, dict[str, dict[str, float]]]:
    """The same questions to another store, and how many of the ten best the two have in common."""
    with Book.open(arguments.other, model=arguments.model) as other:
        turn_there = remember_all(other, turns)
        results, modes = {}, {"words alone": Mode.WORDS, "hybrid": Mode.AUTO}
        for name, mode in modes.items():
            results[f"other store, {name}"] = measure(ours(other, turn_there, mode, 10), questions)
            here, there = ours(book, turn_of, mode, 10), ours(other, turn_there, mode, 10)
            shares = [len({*here(each)} & {*there(each)}) / (len(here(each)) or 1) for each in questions]
            print(f"top ten in common, {name}: {100 * sum(shares) / len(shares):.1f} %")
    return results


def show(results: Mapping[str, Mapping[str, Mapping[str, float]]]) -> None:
    names = ("R@5", "R@10", "any@10", "MRR@10", "NDCG@10")
    for category in ("all", *CATEGORIES, "adversarial"):
        rows = [(system, result[category]) for system, result in results.items() if category in result]
        if not rows:
            continue
        note = "" if category != "adversarial" else " (apart: the question names the wrong person)"
        print(f"\n{category}, {rows[0][1]['n']:.0f} questions{note}")
        print(f"  {'':24}" + "".join(f"{name:>9}" for name in names))
        for system, row in rows:
            print(f"  {system:24}" + "".join(f"{row[name]:9.1f}" for name in names))


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\rstoring {done:,} of {total:,}", end="" if done < total else "\n", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with corpus.jsonl, queries.jsonl, qrels.tsv")
    parser.add_argument("--model", default="arctic-s", help="model pack, or none")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--other", metavar="URL", help="a second, empty store to measure beside the file")
    arguments = parser.parse_args()
    turns, questions = read(arguments.data)
    print(__doc__.split("\n\n")[2].strip() if __doc__ else "")
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        with Book.open(Path(folder) / "book.db", model=arguments.model) as book:
            turn_of = remember_all(book, turns)
            model = "words only" if book.embedder is None else str(book.embedder.space)
            print(f"\n{len(turns):,} turns stored in {time.perf_counter() - started:.0f} s; model: {model}")
            results = {"BM25 (plain FTS5)": measure(plain_bm25(turns, 10), questions)}
            results["ours, words alone"] = measure(ours(book, turn_of, Mode.WORDS, 10), questions)
            if book.embedder is not None:
                results["vectors alone"] = measure(ours(book, turn_of, Mode.VECTORS, 10), questions)
                results["ours, hybrid"] = measure(ours(book, turn_of, Mode.AUTO, 10), questions)
            if arguments.other:
                results |= compare(book, turn_of, arguments, turns, questions)
    show(results)
    if arguments.json:
        stamp = {"at": datetime.now(UTC).isoformat(), "machine": os.uname().machine, "model": model}
        arguments.json.write_text(json.dumps({"stamp": stamp, "results": results}, indent=2), "utf-8")


if __name__ == "__main__":
    main()
