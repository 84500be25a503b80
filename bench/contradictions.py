"""How well a write says what it contradicts and what it repeats, through a real book.

    python bench/contradictions.py [--data FILE ...] [--model NAME|none] [--wrong]

Each line of a file has `a`, `b` and a `label`: contradiction, compatible or repeat. `a` is remembered, then `b`, in a
scope of its own. Precision is the share of contradictions said that are labelled so, recall the share of those labelled
that are said; `compatible` is the share of compatible pairs that were called a contradiction, `repeats near` that of
repeats that were called near. Without `--data`: `dev`, `house` and `own`, which the rules were made with, and
`others`, by two writers who had not seen them, hard on purpose, in two halves by a digest of the pair: one that was
looked at while rules were made, and one that nobody looks at, only at its figures: those are the ones to believe.
"""

import argparse
import json
import tempfile
from collections import Counter
from hashlib import sha256
from pathlib import Path

from commonplace import Book

CORPORA = Path(__file__).parent.parent / "tests" / "corpora"
Pair = dict[str, str]
DEFAULT = [CORPORA / f"contradictions_{name}.jsonl" for name in ("dev", "house", "own", "others")]
HALVED = "contradictions_others"


def said(book: Book, place: int, a: str, b: str) -> tuple[str, str]:
    """What the book says of `b` after `a`, and why."""
    scope = f"project:pair-{place}"
    book.remember(a, scope=scope)
    result = book.remember(b, scope=scope)
    if result.contradicts:
        return "contradiction", result.contradicts[0].reason
    return ("near" if result.near else "nothing"), ""


def parts(file: Path) -> dict[str, list[Pair]]:
    """The pairs of a file by the name of their part: one part, or the two halves of what strangers wrote."""
    pairs = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
    if file.stem != HALVED:
        return {file.stem: pairs}
    found: dict[str, list[Pair]] = {f"{HALVED}, seen": [], f"{HALVED}, unseen": []}
    for pair in pairs:
        odd = sha256(f"{pair['a']}\n{pair['b']}".encode()).digest()[0] % 2
        found[f"{HALVED}, {'unseen' if odd else 'seen'}"].append(pair)
    return found


def measure(pairs: list[Pair], model: str | None, show_wrong: bool) -> dict[str, float]:
    """The four shares for some pairs."""
    counts: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder, Book.open(Path(folder) / "book.db", model=model) as book:
        for place, pair in enumerate(pairs):
            answer, reason = said(book, place, pair["a"], pair["b"])
            counts[pair["label"], answer] += 1
            right = {"contradiction": "contradiction", "repeat": "near", "compatible": "nothing"}[pair["label"]]
            if show_wrong and answer != right:
                print(f"  {pair['label']}, said {answer}: {pair['a']} | {pair['b']} {reason}")
    return shares(counts)


def shares(counts: Counter[tuple[str, str]]) -> dict[str, float]:
    """The counts of label and answer as the figures that are reported."""
    labelled: Counter[str] = Counter()
    for (label, _), count in counts.items():
        labelled[label] += count
    right = counts["contradiction", "contradiction"]
    called = sum(count for (_, answer), count in counts.items() if answer == "contradiction")
    return {
        "precision": right / max(1, called),
        "recall": right / max(1, labelled["contradiction"]),
        "compatible": counts["compatible", "contradiction"] / max(1, labelled["compatible"]),
        "repeats near": counts["repeat", "near"] / max(1, labelled["repeat"]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, action="append", help="a file of pairs; repeat it for more")
    parser.add_argument(
        "--model", default=None, help="a model pack, or none; by default with the default one and without"
    )
    parser.add_argument("--wrong", action="store_true", help="print every pair that was judged otherwise than labelled")
    given = parser.parse_args()
    for file in given.data or DEFAULT:
        for part, pairs in parts(file).items():
            for model in [given.model] if given.model else [None, "none"]:
                found = measure(pairs, model, given.wrong and not part.endswith("unseen"))
                figures = "  ".join(f"{name} {share:.3f}" for name, share in found.items())
                print(f"{part:30} {'default pack' if model is None else model:14} {figures}")


if __name__ == "__main__":
    main()
