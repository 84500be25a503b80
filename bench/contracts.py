"""Whether an answer answers, a removal removes only what was meant, a hand-over hands over and an insight tells.

    python bench/contracts.py [reflect|forget|resume|insights|digests|careful] [--model PACK] [--half NAME]
                              [--set FILE] [--absent] [--misses]

Reflect, forget and insights go through aleph's doors, the others through onelamp's. All sets are in `tests/corpora`,
one line each; `--set` takes another file instead. `must` and `must_not` are pieces of text that have to be in an answer
or must not be.

`reflect.jsonl`: {question, depth, must, must_not, first, memories: [{day, text}]}; `first` is a piece of the first
sentence. `forget.jsonl`: {say, right, may, memories}: `right` is "one" where exactly that memory is described, "all"
where several are, "ask" where a question is right, "none" where nothing is meant; only what is in `may` may go. Forget
is asked twice: shown first and then confirmed, and confirmed at once. Confirmed at once it also asks where another
memory differs by the very name, "old" or "new" that was said, and where what is meant has none of the words: neither is
a needless question. One that shows what is meant and nothing else takes a yes. With `--absent` each memory that is
described is taken out of its book first: then nothing may go.

`resume.jsonl`: {turns:
[{role, text}], must, must_not}, what `resume_session` says of a conversation that was saved. `insights.jsonl`: {day,
memories: [{day, text}], decisions: [{day, title, text}], corrections: [{wrong, right}], tasks, must, must_not}, what
the insight of the day says after a dream in the night that follows.

`digests.jsonl`: {text, keep: [six quotations]}, each of which has to be a learning of its own. `careful.jsonl`: {turns,
keep: [{turn, quote}], gone}, talks of forty turns and what a careful person would keep of them; `gone` was said and
replaced later in the talk, `or` is the same in other words. A learning and a quotation are the same if they have at
least half of the shorter one in common in one piece (of a digest four fifths of the quotation).

`half` names who wrote a line: "before" was written before the code was read, "after" and "own" afterwards, "stranger"
by somebody who has not seen the code, "fresh" by somebody who had seen this file only, to be scored and not looked at.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from commonplace import Book
from commonplace.decisions.decision import Proposal
from commonplace.dialects.aleph.dreaming import InsightsParameters, list_insights
from commonplace.dialects.aleph.forgetting import ForgetParameters, forget
from commonplace.dialects.aleph.searching import ReflectParameters, reflect
from commonplace.dialects.onelamp.recorded import ResumeParameters, SaveParameters, resume, save
from commonplace.errors import NotFound, SecretRefused

CORPORA = Path(__file__).parent.parent / "tests" / "corpora"
START = "2026-01-01"
DAY_MILLISECONDS = 86_400_000
NIGHT = 26 * 3_600_000  # from the beginning of a day to the night that follows
HANDED_OVER_AT_MOST = 1_500
SETS = ("reflect", "forget", "resume", "insights", "digests", "careful")
OF_THE_SHORTER, OF_A_FACT = 0.5, 0.8

Row = dict[str, Any]


class Clock:
    """The day on which each memory is written, and then the day after the last."""

    def __init__(self) -> None:
        self.now = 0
        self.set(START)

    def __call__(self) -> int:
        self.now += 1
        return self.now

    def set(self, day: str) -> None:
        self.now = int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 1_000


class Scored(NamedTuple):
    """One line of a set with what came of it; `alone` where nothing but what is meant was asked about."""

    row: Row
    good: int
    wanted: int
    bad: int
    unwanted: int
    note: str
    alone: bool = False


def rows(path: Path, half: str | None) -> list[Row]:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [line for line in lines if half is None or half == line.get("half")]


def books(lines: Sequence[Row], model: str) -> Iterator[tuple[Row, Book, list[str]]]:
    """Each line with a book of its memories, and their ids. Lines that share their memories share a book."""
    for _, group in groupby(lines, key=lambda row: json.dumps(row["memories"])):
        those = list(group)
        clock = Clock()
        with (
            tempfile.TemporaryDirectory() as folder,
            Book.open(Path(folder) / "book.db", model=model, clock=clock) as book,
        ):
            ids = []
            for each in those[0]["memories"]:
                if isinstance(each, dict):
                    clock.set(each["day"])
                try:
                    ids.append(book.remember(each["text"] if isinstance(each, dict) else each).memory.id)
                except SecretRefused:  # nothing to be found or removed then
                    ids.append("")
            clock.now += DAY_MILLISECONDS
            yield from ((row, book, ids) for row in those)


def _same(id: str, other: str) -> bool:
    return bool(id) and id.partition("_")[2] == other.partition("_")[2]


# -- reflect ----------------------------------------------------------------------------------


def score_reflect(lines: Sequence[Row], model: str) -> list[Scored]:
    found = []
    for row, book, _ in books(lines, model):
        try:
            body = reflect(book, ReflectParameters(query=row["question"], depth=row["depth"]))
            answer, first = body["answer"], body["sentences"][0]["text"]
        except NotFound:
            answer = first = ""
        scored = told(row, answer)
        opens = row.get("first")
        right = scored.good + (opens is not None and opens.lower() in first.lower())
        found.append(scored._replace(good=right, wanted=scored.wanted + (opens is not None)))
    return found


def told(row: Row, answer: str) -> Scored:
    """What of a line is in an answer."""
    said = answer.lower()
    good = [piece for piece in row["must"] if piece.lower() in said]
    bad = [piece for piece in row["must_not"] if piece.lower() in said]
    return Scored(row, len(good), len(row["must"]), len(bad), len(row["must_not"]), answer)


def show_told(name: str, found: Sequence[Scored], misses: bool) -> None:
    good, wanted = sum(each.good for each in found), sum(each.wanted for each in found)
    bad, unwanted = sum(each.bad for each in found), sum(each.unwanted for each in found)
    print(f"{name}: {len(found)} lines, must-have {good / (wanted or 1):.2f} ({good} of {wanted}), ", end="")
    print(f"must-not {bad / (unwanted or 1):.2f} ({bad} of {unwanted})")
    for each in found:
        if misses and (each.good < each.wanted or each.bad):
            said = each.note.lower()
            missing = [piece for piece in each.row["must"] if piece.lower() not in said]
            wrong = [piece for piece in each.row["must_not"] if piece.lower() in said]
            print(f"\n{each.row.get('question', '')} missing {missing} wrong {wrong}\n{each.note}")


# -- resume -----------------------------------------------------------------------------------


def resumed(transcript: str, model: str) -> Row:
    """What `resume_session` says of a transcript that `save_session` took."""
    with tempfile.TemporaryDirectory() as folder, Book.open(Path(folder) / "book.db", model=model) as book:
        id = save(book, SaveParameters(transcript=transcript)).get("session_id", "")
        return dict(resume(book, ResumeParameters(session_id=id))["session"]) if id else {}


def spoken(turns: Sequence[Row]) -> str:
    return "\n".join(f"{turn['role'].title()}: {turn['text']}" for turn in turns)


def score_resume(lines: Sequence[Row], model: str) -> list[Scored]:
    return [told(row, resumed(spoken(row["turns"]), model).get("summary", "")[:HANDED_OVER_AT_MOST]) for row in lines]


# -- digests and careful ----------------------------------------------------------------------


class Kept(NamedTuple):
    """What should be learnt of one line and was not, and what was learnt beyond it."""

    row: Row
    wanted: int
    learnt: int
    missed: list[str]
    beyond: list[str]


def score_digests(lines: Sequence[Row], model: str) -> list[Kept]:
    """A learning counts for one quotation only."""
    found = []
    for row in lines:
        learnt, missed = learnings(row["text"], model), []
        left = list(learnt)
        for quotation in row["keep"]:
            same = next((each for each in left if in_common(quotation, each) >= OF_A_FACT * len(quotation)), None)
            if same is None:
                missed.append(quotation)
            else:
                left.remove(same)
        found.append(Kept(row, len(row["keep"]), len(learnt), missed, left))
    return found


def score_careful(lines: Sequence[Row], model: str) -> list[Kept]:
    """A learning may say two things of the list at once."""
    found = []
    for row in lines:
        learnt, keep = (
            learnings(spoken(row["turns"]), model),
            [(each["quote"], *each.get("or", ())) for each in row["keep"]],
        )
        missed = [ways[0] for ways in keep if not any(overlapping(way, text) for way in ways for text in learnt)]
        beyond = [text for text in learnt if not any(overlapping(way, text) for ways in keep for way in ways)]
        found.append(Kept(row, len(keep), len(learnt), missed, beyond))
    return found


def learnings(transcript: str, model: str) -> list[str]:
    return [each["text"] for each in resumed(transcript, model).get("learnings", ()) if not each.get("superseded")]


def in_common(one: str, other: str) -> int:
    """How long the longest piece is that both texts have."""
    one, other = one.casefold(), other.casefold()
    return SequenceMatcher(None, one, other, autojunk=False).find_longest_match().size


def overlapping(one: str, other: str) -> bool:
    return in_common(one, other) >= OF_THE_SHORTER * min(len(one), len(other))


def show_kept(name: str, found: Sequence[Kept], misses: bool) -> None:
    wanted, learnt = sum(each.wanted for each in found), sum(each.learnt for each in found)
    kept = wanted - sum(len(each.missed) for each in found)
    right = learnt - sum(len(each.beyond) for each in found)
    whole = sum(not each.missed and not each.beyond for each in found)
    print(f"{name}: {len(found)} lines, kept {kept / (wanted or 1):.2f} ({kept} of {wanted}), ", end="")
    print(f"on the list {right / (learnt or 1):.2f} ({right} of {learnt}), exactly {whole}")
    for each in found:
        if misses and (each.missed or each.beyond):
            print(f"\n{each.row['id']}", *(f"  missed: {text}" for text in each.missed), sep="\n")
            print(*(f"  beyond: {text}" for text in each.beyond), sep="\n")


# -- insights ---------------------------------------------------------------------------------


def score_insights(lines: Sequence[Row], model: str) -> list[Scored]:
    found = []
    for row in lines:
        clock = Clock()
        with (
            tempfile.TemporaryDirectory() as folder,
            Book.open(Path(folder) / "book.db", model=model, clock=clock) as book,
        ):
            _lived(book, clock, row)
            clock.set(row["day"])
            clock.now += NIGHT
            book.dreams.run()
            daily = list_insights(book, InsightsParameters())["daily"]
            found.append(told(row, "\n".join(each["content"] for each in daily if each["date"] == row["day"])))
    return found


def _lived(book: Book, clock: Clock, row: Row) -> None:
    """What was remembered, decided and corrected up to the end of the day."""
    wrong = [book.remember(each["wrong"]).memory for each in row["corrections"]]
    for day in sorted({row["day"], *(each["day"] for each in (*row["memories"], *row["decisions"]))}):
        clock.set(day)
        clock.now += DAY_MILLISECONDS // 2
        for each in row["memories"]:
            if each["day"] == day:
                book.remember(each["text"])
        for each in row["decisions"]:
            if each["day"] == day:
                text = each["text"]
                book.decisions.create(book.scope(), Proposal(each["title"], "me", text, text, text, "general"))
    for task in row["tasks"]:
        book.remember(task, kind="task")
    for each, memory in zip(row["corrections"], wrong, strict=True):
        book.corrections.log(each["right"], memories=[memory])


# -- forget -----------------------------------------------------------------------------------


def score_forget(lines: Sequence[Row], model: str, at_once: bool) -> list[Scored]:
    found = []
    for row, book, ids in books(lines, model):
        gone, note, twin, shown = _forgotten(book, row["say"], at_once)
        for id in gone:
            book.restore(id)
        places, asked = (
            [place for place, id in enumerate(ids) if any(_same(id, each) for each in those)] for those in (gone, shown)
        )
        wrong = len(set(places) - set(row["may"])) if row["right"] in ("one", "all") else len(places)
        clear = row["right"] == "one" and not twin
        alone = row["right"] == "one" and asked == row["may"]
        found.append(Scored(row, bool(places), clear, wrong, len(ids), note, alone))
    return found


class Asked(NamedTuple):
    """What was removed, what was shown, whether it was asked because a twin of the one that is meant is there, and the
    ids of what it was asked about."""

    gone: list[str]
    note: str
    twin: bool = False
    ids: Sequence[str] = ()


def absent(lines: Sequence[Row]) -> list[Row]:
    """The descriptions of one memory, each with a book that lacks it."""
    return [
        row
        | {"right": "none", "may": [], "memories": [m for at, m in enumerate(row["memories"]) if at not in row["may"]]}
        for row in lines
        if row["right"] == "one"
    ]


def _forgotten(book: Book, say: str, at_once: bool) -> Asked:
    try:
        if not at_once:
            forget(book, ForgetParameters(query=say))
        body = forget(book, ForgetParameters(query=say, confirm=True))
    except NotFound as refusal:
        return Asked([], refusal.message)
    shown = body.get("candidates", [])
    note, ids = " | ".join(each["content"] for each in shown), [each["id"] for each in shown]
    return Asked(body["forgotten"], note, any(each["goes"] for each in shown), ids)


def show_forget(name: str, found: Sequence[Scored], misses: bool) -> None:
    clear = [each for each in found if each.wanted]
    needless = [each for each in clear if not each.good]
    wrong = sum(each.bad for each in found)
    print(f"forget, {name}: {len(found)} descriptions, {wrong} wrong removals, ", end="")
    light = sum(each.alone for each in needless)
    print(
        f"needless questions {len(needless) / (len(clear) or 1):.2f} ({len(needless)} of {len(clear)} clear), ", end=""
    )
    print(f"{light} of them whether it is the one that is meant")
    for each in found:
        if misses and (each.bad or each in needless):
            what = f"WRONG ({each.row['right']})" if each.bad else "asked"
            print(f"  {what}: {each.row['say']} -> {each.note or each.row['memories']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=SETS)
    parser.add_argument("--model", default="arctic-s", help="model pack, or none")
    parser.add_argument("--half", choices=("before", "after", "own", "stranger", "fresh"))
    parser.add_argument("--set", type=Path, help="this file instead; name which of them it is")
    parser.add_argument("--absent", action="store_true", help="forget: what is described is not in the book")
    parser.add_argument("--misses", action="store_true", help="also list what went wrong")
    given = parser.parse_args()
    if given.set is not None and given.what is None:
        parser.error("--set needs the name of the set")
    for name in SETS if given.what is None else (given.what,):
        lines = rows(given.set or CORPORA / f"{name}.jsonl", given.half)
        match name:
            case "forget":
                lines = absent(lines) if given.absent else lines
                for way, at_once in (("shown first", False), ("at once", True)):
                    show_forget(way, score_forget(lines, given.model, at_once), given.misses)
            case "reflect":
                show_told(name, score_reflect(lines, given.model), given.misses)
            case "resume":
                show_told(name, score_resume(lines, given.model), given.misses)
            case "digests":
                show_kept(name, score_digests(lines, given.model), given.misses)
            case "careful":
                show_kept(name, score_careful(lines, given.model), given.misses)
            case _:
                show_told(name, score_insights(lines, given.model), given.misses)


if __name__ == "__main__":
    main()
