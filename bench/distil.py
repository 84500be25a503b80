"""How well the rules pick out of labelled transcripts what is worth remembering.

    python bench/distil.py [--pace] [--json FILE]

Two halves: `dev`, which the rules were tuned on, and `held-out`, written by somebody else and never looked at.
An item and a labelled quotation match if they are from the same turn and overlap by at least half of the shorter
one's characters. Precision is the share of items that match, recall the share of quotations that are matched, type
the share of matches with the labelled type. `leaked` counts labelled secrets that stand in an item, and must be 0.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from commonplace.sessions.distil import Item, distil
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import collapse

CORPORA = Path(__file__).parent.parent / "tests" / "corpora"
HALVES = {"dev": "transcripts_dev.jsonl", "held-out": "transcripts_heldout.jsonl"}


class Quotation(NamedTuple):
    turn: int
    text: str
    memory_type: str


class Transcript(NamedTuple):
    language: str
    turns: tuple[Turn, ...]
    durable: tuple[Quotation, ...]
    secrets: tuple[str, ...]


class Score(NamedTuple):
    """Counts that add up over transcripts."""

    items: int = 0
    matching: int = 0
    quotations: int = 0
    matched: int = 0
    pairs: int = 0
    typed: int = 0
    leaked: int = 0

    def plus(self, other: "Score") -> "Score":
        return Score(*(a + b for a, b in zip(self, other, strict=True)))

    def shares(self) -> dict[str, float]:
        return {
            "precision": self.matching / max(1, self.items),
            "recall": self.matched / max(1, self.quotations),
            "type": self.typed / max(1, self.pairs),
            "items": self.items,
            "quotations": self.quotations,
            "leaked": self.leaked,
        }


def read(file: Path) -> list[Transcript]:
    return [_transcript(json.loads(line)) for line in file.read_text("utf-8").splitlines() if line.strip()]


def _transcript(record: Any) -> Transcript:  # JSON as it comes
    return Transcript(
        record["language"],
        tuple(Turn(Speaker(turn["role"]), turn["text"]) for turn in record["turns"]),
        tuple(Quotation(entry["turn"], entry["quote"], entry["type"]) for entry in record["durable"]),
        tuple(record["secrets"]),
    )


def score(transcript: Transcript, items: Iterable[Item]) -> Score:
    items = tuple(items)
    pairs = [
        (item, quotation)
        for item in items
        for quotation in transcript.durable
        if item.turn == quotation.turn and overlaps(transcript.turns[item.turn].text, item.text, quotation.text)
    ]
    return Score(
        items=len(items),
        matching=len({id(item) for item, _ in pairs}),
        quotations=len(transcript.durable),
        matched=len({id(quotation) for _, quotation in pairs}),
        pairs=len(pairs),
        typed=sum(item.memory_type.value == quotation.memory_type for item, quotation in pairs),
        leaked=sum(
            secret in item.text or collapse(secret) in item.text for item in items for secret in transcript.secrets
        ),
    )


def overlaps(turn: str, item: str, quotation: str) -> bool:
    """Whether they have at least half of the shorter one's characters in common, by their places in the turn."""
    whole = collapse(turn)
    quotation = collapse(quotation)
    start, other = whole.find(item), whole.find(quotation)
    if start < 0 or other < 0:
        return False
    shared = min(start + len(item), other + len(quotation)) - max(start, other)
    return shared * 2 >= min(len(item), len(quotation))


def measure(transcripts: Iterable[Transcript]) -> dict[str, Score]:
    """The scores by language, and of all."""
    found: dict[str, Score] = defaultdict(Score)
    for transcript in transcripts:
        own = score(transcript, distil(transcript.turns))
        for name in ("all", transcript.language):
            found[name] = found[name].plus(own)
    return dict(found)


def show(half: str, found: Mapping[str, Score]) -> None:
    print(f"\n{half:10}{'precision':>10}{'recall':>8}{'type':>7}{'items':>7}{'labelled':>10}{'leaked':>8}")
    for language, counts in sorted(found.items()):
        share = counts.shares()
        print(
            f"  {language:8}{share['precision']:10.2f}{share['recall']:8.2f}{share['type']:7.2f}"
            f"{counts.items:7}{counts.quotations:10}{counts.leaked:8}"
        )


def pace(transcripts: Iterable[Transcript], megabytes: int = 10) -> float:
    """Processor seconds for that much conversation, the transcripts said over and over with other numbers in them."""
    spoken = [turn for transcript in transcripts for turn in transcript.turns]
    turns: list[Turn] = []
    size = 0
    while size < megabytes * 1_000_000:
        turn = spoken[len(turns) % len(spoken)]
        turns.append(Turn(turn.role, f"{turn.text} {len(turns)}"))
        size += len(turn.text)
    started = time.process_time()
    distil(turns)
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--pace", action="store_true", help="also time 10 MB of conversation")
    arguments = parser.parse_args()
    results = {}
    for half, name in HALVES.items():
        found = measure(read(CORPORA / name))
        show(half, found)
        results[half] = {language: counts.shares() for language, counts in found.items()}
    if arguments.pace:
        print(f"\n10 MB of conversation: {pace(read(CORPORA / HALVES['dev'])):.1f} s of one processor")
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=2), "utf-8")


if __name__ == "__main__":
    main()
