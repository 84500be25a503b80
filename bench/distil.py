"""How well what is worth remembering is picked out of labelled turns and talks, by the rules alone and with a pack.

    python bench/distil.py [--pack auto|none|NAME] [--pace] [--misses] [--json FILE]

`turns` and `talks` were written by people who had not seen the rules, and the judge was trained on them too: the
figure to believe is that of `bench/train_judge.py --check`, which asks a judge that has not seen the row. `dev` is what
the rules were tuned on; `held-out` was written by somebody else, and neither rules nor judge were made with it.

An item and a labelled quotation match if they are from the same turn and overlap by at least half of the shorter
one's characters. Precision is the share of items that match, recall the share of quotations that are matched (one
that a later one replaces need not be), kind and type the share of matches with the labelled one, explicit the recall
on rows where somebody asked for it in so many words. `leaked` counts labelled secrets and injected lines that stand
in an item, and must be 0.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from commonplace.config import load
from commonplace.ports import Embedder
from commonplace.sessions.distil import Item, distil
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import collapse
from commonplace.wiring import assemble

CORPORA = Path(__file__).parent.parent / "tests" / "corpora"
FRESH = {"fresh turns": "fresh_turns.jsonl", "fresh talks": "fresh_talks.jsonl"}
HALVES = {"dev": "transcripts_dev.jsonl", "held-out": "transcripts_heldout.jsonl"}
TURNS, TALKS = "learn_dev.jsonl", "talks_dev.jsonl"
SECONDS_BEFORE = 26.7
"""What the rules alone took for 10 MB before there was a judge, on the machine that this was written on."""


class Quotation(NamedTuple):
    turn: int
    text: str
    memory_type: str = ""
    kind: str = ""
    superseded: bool = False


class Transcript(NamedTuple):
    language: str
    turns: tuple[Turn, ...]
    durable: tuple[Quotation, ...]
    secrets: tuple[str, ...] = ()
    explicit: bool = False


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


Distil = Callable[[Sequence[Turn]], Iterable[Item]]


def read(file: Path) -> list[Transcript]:
    """The transcripts of a file of any of the three shapes: talks, single turns, talks with what replaces what."""
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    if records and "durable" in records[0]:
        return [_transcript(record) for record in records]
    if records and "turns" not in records[0]:
        return [_turn(record) for record in records]
    extra = file.with_suffix(".extra.jsonl")
    extras = {each["id"]: each for each in map(json.loads, extra.read_text("utf-8").splitlines())}
    return [_talk(record, extras[record["id"]]) for record in records]


def _transcript(record: Any) -> Transcript:  # JSON as it comes
    return Transcript(
        record["language"],
        tuple(Turn(Speaker(turn["role"]), turn["text"]) for turn in record["turns"]),
        tuple(Quotation(entry["turn"], entry["quote"], entry["type"]) for entry in record["durable"]),
        tuple(record["secrets"]),
    )


def _turn(record: Any) -> Transcript:
    quotations = tuple(Quotation(0, entry["quote"], kind=entry["kind"]) for entry in record["keep"])
    return Transcript(
        record["lang"], (Turn(Speaker.USER, record["text"]),), quotations, explicit=bool(record.get("explicit"))
    )


def _talk(record: Any, extra: Any) -> Transcript:
    old = {pair[0] for pair in extra["supersedes_keep"]}
    return Transcript(
        record["lang"],
        tuple(Turn(Speaker(turn["role"]), turn["text"]) for turn in record["turns"]),
        tuple(
            Quotation(entry["turn"], entry["quote"], kind=entry["kind"], superseded=place in old)
            for place, entry in enumerate(record["keep"])
        ),
        tuple(each["text"] for each in (*extra["secrets"], *extra["injected"])),
    )


def score(transcript: Transcript, items: Iterable[Item]) -> Score:
    items = tuple(items)
    pairs = [
        (item, quotation)
        for item in items
        for quotation in transcript.durable
        if item.turn == quotation.turn and overlaps(transcript.turns[item.turn].text, item.quote, quotation.text)
    ]
    wanted = [quotation for quotation in transcript.durable if not quotation.superseded]
    return Score(
        items=len(items),
        matching=len({id(item) for item, _ in pairs}),
        quotations=len(wanted),
        matched=len({id(quotation) for _, quotation in pairs if not quotation.superseded}),
        pairs=len(pairs),
        typed=sum(_agrees(item, quotation) for item, quotation in pairs),
        leaked=sum(
            secret in item.text or collapse(secret) in item.text or collapse(secret) in item.quote
            for item in items
            for secret in transcript.secrets
        ),
    )


def _agrees(item: Item, quotation: Quotation) -> bool:
    return item.kind.value == quotation.kind if quotation.kind else item.memory_type.value == quotation.memory_type


def overlaps(turn: str, item: str, quotation: str) -> bool:
    """Whether they have at least half of the shorter one's characters in common, by their places in the turn."""
    whole = collapse(turn)
    item, quotation = collapse(item), collapse(quotation)
    start, other = whole.find(item), whole.find(quotation)
    if start < 0 or other < 0:
        return False
    shared = min(start + len(item), other + len(quotation)) - max(start, other)
    return shared * 2 >= min(len(item), len(quotation))


def measure(transcripts: Iterable[Transcript], distilled: Distil) -> dict[str, Score]:
    """The scores by language, of the explicit ones, and of all."""
    found: dict[str, Score] = defaultdict(Score)
    for transcript in transcripts:
        own = score(transcript, distilled(transcript.turns))
        for name in ("all", transcript.language, *(("explicit",) if transcript.explicit else ())):
            found[name] = found[name].plus(own)
    return dict(found)


def show(half: str, found: Mapping[str, Score]) -> None:
    print(f"\n{half:18}{'precision':>10}{'recall':>8}{'kind':>7}{'items':>7}{'labelled':>10}{'leaked':>8}")
    for language, counts in sorted(found.items(), key=lambda each: (len(each[0]) == 2, each[0])):
        share = counts.shares()
        print(
            f"  {language:16}{share['precision']:10.2f}{share['recall']:8.2f}{share['type']:7.2f}"
            f"{counts.items:7}{counts.quotations:10}{counts.leaked:8}"
        )


def show_misses(transcripts: Iterable[Transcript], distilled: Distil) -> None:
    """What was labelled and not kept (-), and kept and not labelled (+)."""
    for transcript in transcripts:
        items = tuple(distilled(transcript.turns))
        for quotation in transcript.durable:
            alone = Transcript(transcript.language, transcript.turns, (quotation,))
            if not quotation.superseded and not score(alone, items).matched:
                print(f"  - {transcript.language} {quotation.turn} {collapse(quotation.text)}")
        for item in items:
            if not score(transcript, (item,)).matching:
                print(f"  + {transcript.language} {item.turn} {item.text}  ({item.reason})")


def pace(transcripts: Iterable[Transcript], distilled: Distil, megabytes: int = 10) -> float:
    """Processor seconds for that much conversation, the transcripts said over and over with other numbers in them."""
    spoken = [turn for transcript in transcripts for turn in transcript.turns]
    turns: list[Turn] = []
    size = 0
    while size < megabytes * 1_000_000:
        turn = spoken[len(turns) % len(spoken)]
        turns.append(Turn(turn.role, f"{turn.text} {len(turns)}"))
        size += len(turn.text)
    started = time.process_time()
    tuple(distilled(turns))
    return time.process_time() - started


def embedder(name: str) -> Embedder | None:
    """The embedder that a book would have with this setting of `model`."""
    return None if name == "none" else assemble(load({"model": name})).embedder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", default="auto", help="a pack, several joined by +, auto, or none for the rules alone")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--pace", action="store_true", help="also time 10 MB of conversation")
    parser.add_argument("--misses", action="store_true", help="also say what was missed and what was kept in vain")
    parser.add_argument("--only", help="one of turns, talks, fresh turns, fresh talks, dev, held-out")
    arguments = parser.parse_args()
    model = embedder(arguments.pack)

    def distilled(turns: Sequence[Turn]) -> Iterable[Item]:
        return distil(turns, model).items

    results = {}
    for half, name in {"turns": TURNS, "talks": TALKS, **FRESH, **HALVES}.items():
        if arguments.only not in (None, half):
            continue
        transcripts = read(CORPORA / name)
        found = measure(transcripts, distilled)
        show(half, found)
        if arguments.misses:
            show_misses(transcripts, distilled)
        results[half] = {language: counts.shares() for language, counts in found.items()}
    if arguments.pace:
        seconds = pace(read(CORPORA / HALVES["dev"]), distilled)
        print(f"\n10 MB of conversation: {seconds:.1f} s of one processor, {SECONDS_BEFORE} before there was a judge")
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=2), "utf-8")


if __name__ == "__main__":
    main()
