"""How much is kept of what people ask to be remembered, and of chatter, wherever in a conversation it is said.

    python bench/asked.py [--pack auto|none|NAME] [--wishes FILE] [--chatter FILE] [--misses]

A wish (`{lang, sort, text, quote}`) is said as the first, the middle and the last turn of a short conversation, with an
answer that takes note of it and with one that does not; it is kept if an item of its turn overlaps the quotation.
Chatter (`{lang, sort, text}`) is said in the same places, where nobody takes note of it, and should leave nothing
behind. The files of this repository are parts of its corpora that the judge has not learnt from.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from commonplace.ports import Embedder
from commonplace.sessions.distil import distil
from commonplace.sessions.transcripts import Speaker, Turn
from distil import CORPORA, embedder, overlaps

WISHES, CHATTER = CORPORA / "asked_wishes.jsonl", CORPORA / "asked_chatter.jsonl"

PASSING = {
    "en": ("how do I sort a list by length?", "Pass the length as the key.", "Noted.", "There are three ways."),
    "de": ("wie sortiere ich eine Liste nach Länge?", "Die Länge als Schlüssel.", "Notiert.", "Da gibt es drei Wege."),
    "es": ("¿cómo ordeno una lista?", "Con la longitud como clave.", "Entendido.", "Hay tres maneras de hacerlo."),
    "fr": ("comment trier une liste ?", "Avec la longueur comme clé.", "C'est noté.", "Il y a trois façons de faire."),
    "it": ("come ordino una lista?", "Con la lunghezza come chiave.", "Annotato.", "Ci sono tre modi per farlo."),
    "pt": ("como ordeno uma lista?", "Com o tamanho como chave.", "Anotado.", "Há três maneiras de fazer isso."),
    "zh": ("怎么按长度排序？", "用长度作为键。", "记住了。", "有三种办法。"),
    "ja": ("リストを長さで並べるには？", "長さをキーにします。", "了解しました。", "方法は三つあります。"),
}
"""For each language a question and its answer, an answer that takes note, and one that does not."""


class Line(NamedTuple):
    """What somebody says, and what of it should be kept: nothing, where it is chatter."""

    language: str
    sort: str
    text: str
    quote: str = ""


def read(file: Path) -> list[Line]:
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    return [Line(each["lang"], each["sort"], each["text"], each.get("quote", "")) for each in records]


def said(line: Line) -> Iterator[tuple[str, int, list[Turn]]]:
    """The conversations in which it is said: the place, the number of its turn, the turns."""
    question, answer, noted, other = PASSING[line.language]
    around = [Turn(Speaker.USER, question), Turn(Speaker.ASSISTANT, answer)]
    own = Turn(Speaker.USER, line.text)
    replies = (("noted", noted), ("not noted", other)) if line.quote else (("not noted", other),)
    for name, reply in replies:
        answered = [own, Turn(Speaker.ASSISTANT, reply)]
        yield f"first, {name}", 0, [*answered, *around]
        yield f"middle, {name}", 2, [*around, *answered, *around]
        yield f"last, {name}", 2, [*around, *answered]


def is_kept(line: Line, number: int, turns: Sequence[Turn], model: Embedder | None) -> bool:
    """Whether anything of the line is kept; of a wish, whether it is what was asked for."""
    items = [item for item in distil(turns, model).items if item.turn == number]
    if not line.quote:
        return bool(items)
    return any(overlaps(line.text, item.quote, line.quote) for item in items)


def shares(lines: Sequence[Line], model: Embedder | None) -> dict[str, tuple[int, int]]:
    """How many are kept, of how many: of all, by language, by sort and by place."""
    kept: dict[str, int] = defaultdict(int)
    every: dict[str, int] = defaultdict(int)
    for line in lines:
        for place, number, turns in said(line):
            found = is_kept(line, number, turns, model)
            for name in ("all", line.language, line.sort, place):
                kept[name] += found
                every[name] += 1
    return {name: (kept[name], every[name]) for name in every}


def show(title: str, found: Mapping[str, tuple[int, int]]) -> None:
    print(f"\n{title:30}{'kept':>7}{'of':>7}{'share':>8}")
    for name, (kept, every) in found.items():
        print(f"  {name:28}{kept:7}{every:7}{kept / every:8.3f}")


def show_misses(lines: Sequence[Line], model: Embedder | None) -> None:
    """Wishes that are lost somewhere, and chatter of which something is kept."""
    for line in lines:
        kept = [is_kept(line, number, turns, model) for _, number, turns in said(line)]
        if set(kept) != {bool(line.quote)}:
            print(
                f"  {'-' if line.quote else '+'} {line.language} {line.sort} {sum(kept)} of {len(kept)} {line.text!r}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", default="auto", help="a pack, several joined by +, auto, or none for no pack")
    parser.add_argument("--wishes", type=Path, default=WISHES)
    parser.add_argument("--chatter", type=Path, default=CHATTER)
    parser.add_argument("--misses", action="store_true", help="also say what was lost and what was kept in vain")
    arguments = parser.parse_args()
    model = embedder(arguments.pack)
    for title, file in (("wishes", arguments.wishes), ("chatter", arguments.chatter)):
        lines = read(file)
        show(f"{title}, {len(lines)} lines", shares(lines, model))
        if arguments.misses:
            show_misses(lines, model)


if __name__ == "__main__":
    main()
