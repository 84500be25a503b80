"""What of a conversation belongs into a hand-over: who chose what, how the work stands, what is open, what comes next.

A sentence counts by what it is an answer to: "Valkey then" says nothing by itself, and decides what was asked.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cache
from typing import NamedTuple

from commonplace import deadline
from commonplace.domain.memory import Kind
from commonplace.domain.record import Record
from commonplace.sessions.distil import handover_words as told
from commonplace.sessions.distil.cues import LEANING, is_unspaced, lead_in, words
from commonplace.sessions.distil.items import Item
from commonplace.sessions.distil.judging import is_question
from commonplace.sessions.distil.prose import NOTHING_OPEN, Span, left_open, passages
from commonplace.sessions.distil.secrecy import Secrecy
from commonplace.sessions.distil.sentences import sentences
from commonplace.sessions.distil.wording import statement
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import collapse, content_terms, is_wide

FEWEST_WORDS = 4
FEWEST_CHOSEN = 2  # words of an answer that chooses something
FEWEST_CHARACTERS = 6  # of a script without blanks
LONGEST_LINE = 300
LONGEST_CHOICE = 30  # words: who chooses does not explain at length
LONGEST_PARTING = 12  # words: a longer sentence says more than good-bye
SHORT_ANSWER = 6  # words of an answer that says too little without its question
RECENT_TURNS = 400  # turns that are looked at
FEW_TURNS = 6  # of so few nothing is beside the subject that was worth keeping
LINES_LIMIT = 1_000  # of what may be shown, many times what there is room for
REPEATED_SHARE = 0.6  # of its telling words that one sentence may share with another to be about the same


class Part(IntEnum):
    """The parts of a hand-over, in the order they are shown in."""

    DECIDED = 0
    STATE = 1
    OPEN = 2
    NEXT = 3
    FILES = 4


class Line(Record):
    """A line that may be shown, its place in the conversation, and how much a reader would miss it.

    It may be the one with which somebody `changes` their mind. Of one that is `sure` no other sign is wanted.
    """

    part: Part
    place: tuple[int, int]
    text: str
    weight: float
    changes: bool = False
    sure: bool = False


class Said(NamedTuple):
    """A sentence of a turn. A tuple: there are millions of them in a long transcript."""

    number: int
    turn: Turn
    span: Span

    @property
    def text(self) -> str:
        return self.turn.text[self.span[0] : self.span[1]]


_PARTS = {
    Kind.DECISION: Part.DECIDED,
    Kind.INSTRUCTION: Part.DECIDED,
    Kind.PREFERENCE: Part.DECIDED,
    Kind.TASK: Part.NEXT,
}
_LEARNT, _CHOSEN, _WAITING, _REPORTED, _ANSWERED = 3.0, 2.5, 3.0, 2.0, 1.5
_TOLD, _PLANNED = 0.0, -0.5
_RECENT = 1.5  # that a line of the last turn counts for more than one of the first
_AIM = -2.0  # what somebody opens with is what the talk is about: its label says that
# What an assistant was asked for, and did: no state of anything.
_REQUESTS = re.compile(
    r"(?:(?:ok|okay|and|so|now|please|pls|also|then|great|thanks|bitte|und|y|et|e)[,.]?\s){0,3}"
    r"(?:(?:can|could|would|will) (?:you|u)\b"
    r"|(?:write|give|show|tell|draft|help|make|explain)(?: it)?(?: to)? (?:me|us)\b"
    r"|(?:kannst|könntest|würdest) du\b|(?:schreib|gib|zeig|erklär|hilf|mach)e? (?:mir|uns)\b"
    r"|(?:puedes|podrías|me (?:puedes|haces|escribes)|(?:escríbe|da|haz|ayúda|explíca|muéstra)me)\b"
    r"|(?:tu peux|peux-tu|pourrais-tu|tu pourrais|(?:écris|donne|montre|explique|aide|fais)-moi)\b"
    r"|(?:puoi|potresti|mi (?:puoi|scrivi|fai|dai)|(?:scrivi|dam|fam|mostra|spiega|aiuta)mi)\b"
    r"|(?:pode|podes|poderia|me (?:escreve|dá|faz|ajuda|mostra))\b"
    r"|帮我|请你|能不能|可以帮|[^。]{0,40}(?:してくれ|してください|お願いします)$)",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[^\W\d_][\w ]{1,30}: \S")
_ASKS_FOR = re.compile(
    r"(?:what|how|who|when|where|which|wie|was|wer|wann|wo|welche\w?|cómo|qué|quién|cuándo|comment|quand|qui|quel\w{0,3}"
    r"|come|chi|quando|quale|como|quem|hoe|wat|wie)\b(?! about| if)",
    re.IGNORECASE,
)
_POINTS_BACK = frozenset("it that this them those these one das es dies die sie".split())
_DID = re.compile(
    r"^(?:[A-Z][a-z]{2,14}ed|Done|Set|Written|Built|Put|Split|Made)\b"
    r"|\bI(?:'ve| have)? (?!need|want|would|could|can|will|think|suggest|see\b)(?:also |just |now )?"
    r"(?:[a-z]{2,14}ed|wrote|built|set|made|put|ran|split|cut|found|left|gave|took|kept|sent|got)\b"
)
_ENDS = ("then", "instead", "dann", "stattdessen", "entonces", "alors", "allora", "então", "dan")
_LETS = ("let's", "use", "we'll", "then", "nehmen", "nimm")
_COUNTED = re.compile(r"\b\d{1,9} (?:of|von|de|di|van) \d{1,9}\b")
_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w.+-]{1,40}|\b[a-z]\w{0,40}[A-Z_]\w{0,40}")
_AGAINST = re.compile(
    r"\b(?:instead of|rather than|not|no|drop|dropped|dropping|without|away from|replaces?|forget|skip|over|against"
    r"|statt|kein\w{0,2}|nicht|ohne|en vez de|sin|au lieu de|sans|invece di|senza|em vez de|sem)\s"
    r"(?:(?:the|a|an|using|use|about|den|die|das|el|la|le)\s)?([\w.+-]{2,40})",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:no|nope|non|não)\s+$", re.IGNORECASE)
_OPTION = re.compile(r"\(?[1-9a-h]\)\s")
"""One of several that an assistant lists to choose from."""
_PLANS = re.compile(r"I'll|I will|we'll|ich werde", re.IGNORECASE)
_NAMES = re.compile(r"\d|`|(?<![.!?:] )(?<=[^A-Z\W_] )[A-ZÀ-Þ][\w-]|[a-z][A-Z]|[A-Z]{2}|\w_\w|\w[./]\w")
_BUT = re.compile(r"[,;] (?:but|aber|pero|mais|ma|mas|maar) ", re.IGNORECASE)


def learnt(items: Sequence[Item], turns: Sequence[Turn]) -> list[Line]:
    """What was learnt, by its kind; a task that was reported as done is no longer one, an idea is none of it."""
    done = _reports(turns) if any(item.kind is Kind.TASK for item in items) else []
    opening = next((number for number, turn in enumerate(turns) if turn.role is not Speaker.ASSISTANT), -1)
    lines = []
    for number, item in enumerate(items):
        text = _meant(collapse(item.text))
        task = item.kind is Kind.TASK
        if not text or len(text) > LONGEST_LINE or (task and _is_done(item.text, item.turn, done)):
            continue
        part = _waiting(text) or _PARTS.get(item.kind, Part.STATE)
        aim = _AIM if item.turn == opening and len(turns) > 2 and (task or not item.explicit) else 0.0
        weight = _LEARNT - (part is Part.STATE) + aim + (item.explicit or item.corrects) + _recency(item.turn, turns)
        changes = item.corrects or tells(item.quote, "CHANGED_MIND")
        noted = turns[item.turn].role is Speaker.UNKNOWN or len(turns) < FEW_TURNS
        sure = item.explicit or noted or item.kind in (Kind.DECISION, Kind.INSTRUCTION)
        lines.append(Line(part, (item.turn, number), text, weight, changes, sure))
    return lines


def told_of(turns: Sequence[Turn]) -> list[Line]:
    """The sentences that choose something, report how the work stands, or say what is open and what comes next.

    What somebody gave up again, after it was spoken against or of their own accord, is none of it.
    """
    secrecy = Secrecy()
    lines: list[Line] = []
    done = _reports(turns)
    talk = list(by_turn(turns, len(turns) - RECENT_TURNS))
    for number, of_turn in enumerate(deadline.each(talk)):
        before = talk[number - 1] if number else []
        given_up = is_given_up(talk[number + 1 : number + 3])
        for place, said in enumerate(of_turn):
            spoken = collapse(said.text)
            if said.turn.role is not Speaker.ASSISTANT and tells(spoken, "DROPS"):
                lines = _without_dropped(lines[-LINES_LIMIT:], spoken, said.number)
                continue
            found = _classified(said, spoken, Around(_earlier(of_turn, place), before, len(turns) - 1))
            if found is None or secrecy.covers(said.turn.text, said.span):
                continue
            part, text, weight = found
            if len(text) > LONGEST_LINE or (given_up and part is Part.DECIDED):
                continue
            if part is Part.NEXT and _is_done(text, said.number, done):
                continue
            sure = part is not Part.DECIDED and weight >= _REPORTED
            weight += _recency(said.number, turns)
            lines.append(Line(part, (said.number, place), text, weight, tells(spoken, "CHANGED_MIND"), sure))
    return lines[-LINES_LIMIT:]


def _earlier(of_turn: Sequence[Said], place: int) -> Sequence[Said]:
    """The first sentence of a turn and the last two before a place: nobody looks at others."""
    return [*of_turn[: min(place, 1)], *of_turn[max(1, place - 2) : place]]


class Options(NamedTuple):
    """What was spoken of as a possibility: the words that did, and of those turned down the turn in which they were."""

    offered: frozenset[str]
    turned_down: dict[str, int]


def options(turns: Sequence[Turn]) -> Options:
    """The telling words of questions, ideas and proposals, and what somebody said no to of them."""
    offered: set[str] = set()
    turned_down: dict[str, int] = {}
    for said in every_sentence(turns, len(turns) - RECENT_TURNS):
        sentence = said.text
        if is_question(sentence) or tells(sentence, "IDEAS") or tells(sentence, "OFFERS"):
            offered.update(content_terms(sentence))
        elif said.turn.role is not Speaker.ASSISTANT:
            denied = (term for found in _AGAINST.finditer(sentence) for term in content_terms(found[1]))
            turned_down.update((term, said.number) for term in denied if term in offered)
    return Options(frozenset(offered), turned_down)


def names_in(text: str) -> frozenset[str]:
    """The telling words among what is written as a name."""
    return frozenset(term for found in _NAME.finditer(text) for term in content_terms(found[0]))


def is_given_up(following: Sequence[Sequence[Said]]) -> bool:
    """Whether an assistant spoke against what was just said, and whoever said it gave in."""
    if len(following) < 2 or following[0][0].turn.role is not Speaker.ASSISTANT:
        return False
    answer, reply = (" ".join(said.text for said in each) for each in following)
    if following[1][0].turn.role is Speaker.ASSISTANT or not tells(answer, "OBJECTS"):
        return False
    return tells(reply[:24], "CONCEDES") and not tells(reply, "INSISTS")


def _without_dropped(lines: Sequence[Line], spoken: str, turn: int) -> list[Line]:
    """The lines, without what a sentence takes back: what it names, else what was chosen just before."""
    named = frozenset(content_terms(opened(spoken))) - frozenset(content_terms(mentioned(spoken, "DROPS")))
    about = [each for each in lines if len(named & frozenset(content_terms(each.text))) * 2 > len(named) > 0]
    if not about:
        about = [each for each in lines if each.part is Part.DECIDED and 0 < turn - each.place[0] <= 2][-1:]
    places = {each.place for each in about}
    return [each for each in lines if each.place not in places]


def says_something(said: Said, secrecy: Secrecy) -> bool:
    """Whether a sentence has words enough to say something, and no secret among them."""
    return _is_long_enough(said.text) and not secrecy.covers(said.turn.text, said.span)


def is_specific(text: str) -> bool:
    """Whether it names something: a number, a name, a file or another word of a machine's."""
    return _NAMES.search(text, 1) is not None


def every_sentence(turns: Iterable[Turn], start: int = 0) -> Iterator[Said]:
    """Every sentence somebody said in their own words, from a turn on."""
    inside = NOTHING_OPEN
    for number, turn in enumerate(deadline.each(turns)):
        if number < start:
            continue
        inside = inside if turn.goes_on else NOTHING_OPEN
        for passage in passages(turn.text, inside):
            for span in sentences(turn.text, passage):
                yield Said(number, turn, span)
        inside = left_open(turn.text, inside)


def tells(sentence: str, table: str) -> bool:
    """Whether a sentence has one of the phrases of a table, as words of their own."""
    return bool(mentioned(sentence, table))


def mentioned(sentence: str, table: str) -> str:
    """The first phrase of a table that a sentence has, as words of its own; else nothing."""
    unspaced = next((each for each in _unspaced(table) if each in sentence), "")
    if unspaced:
        return unspaced
    found = words(sentence)
    phrases = _phrases(table)
    for place, word in enumerate(found):
        for rest in phrases.get(word, ()):
            if tuple(found[place + 1 : place + 1 + len(rest)]) == rest:
                return " ".join((word, *rest))
    return ""


# -- what a sentence is -------------------------------------------------------------------------


class Around(NamedTuple):
    """What a sentence stands behind: the others of its turn, the turn before, and which turn is the last."""

    earlier: Sequence[Said]
    before: Sequence[Said]
    last: int

    @property
    def question(self) -> str:
        """The question that the turn before ended with."""
        spoken = collapse(self.before[-1].text) if self.before else ""
        return opened(spoken) if spoken and is_question(spoken) and not tells(spoken, "PARTING") else ""

    @property
    def offered(self) -> bool:
        """Whether an assistant just offered or proposed something."""
        offers = (tells(said.text, "OFFERS") for said in self.before)
        return bool(self.before) and self.before[0].turn.role is Speaker.ASSISTANT and any(offers)

    @property
    def agreed(self) -> bool:
        """Whether the turn began with a yes or a no."""
        return bool(self.earlier) and _agreement(f"{collapse(self.earlier[0].text)} x") > 0


def _classified(said: Said, spoken: str, around: Around) -> tuple[Part, str, float] | None:
    """Where a sentence belongs, how it is shown and how much it weighs; None for most of what people say."""
    if is_question(spoken):
        waits = said.number == around.last or tells(spoken, "OPEN")
        shown = waits and _is_long_enough(spoken) and not tells(spoken, "PARTING")
        return (Part.OPEN, opened(spoken), _WAITING) if shown else None
    if tells(spoken, "PARTING") and len(words(spoken)) < LONGEST_PARTING:
        return None
    if said.turn.role is Speaker.ASSISTANT:
        return _of_assistant(spoken, around)
    text = statement(_meant(opened(spoken)))
    if not text:
        return None
    waiting = _waiting(spoken)
    if waiting is not None and _is_long_enough(text):
        return waiting, _behind(around, text), _WAITING
    if _DID.search(spoken) and _is_long_enough(text):
        return Part.STATE, text, _REPORTED
    if _chooses(spoken, text, around):
        return Part.DECIDED, _answer(around.question, text), _CHOSEN - tells(text, "TRIES")
    if tells(text, "SMALL_TALK") or not (_is_long_enough(text) or is_specific(text)) or _REQUESTS.match(spoken):
        return None
    return Part.STATE, text, _PLANNED if words(text)[:1] and words(text)[0] in LEANING else _TOLD


def _of_assistant(spoken: str, around: Around) -> tuple[Part, str, float] | None:
    text = opened(spoken)
    if _OPTION.match(spoken):
        return None
    if tells(spoken, "OFFERS"):
        return (Part.STATE, text, _PLANNED) if _PLANS.match(text) and is_specific(text) else None
    long_enough = _is_long_enough(text)
    waiting = _waiting(spoken)
    if waiting is not None and long_enough:
        return waiting, _behind(around, text), _WAITING
    counted = _NUMBER.search(text) is not None
    if (_DID.search(spoken) or _COUNTED.search(spoken) or tells(spoken, "DONE")) and (long_enough or counted):
        return Part.STATE, text, _REPORTED
    if counted and _ASKS_FOR.match(around.question) and content_terms(text):
        return Part.STATE, _answer(around.question, text), _ANSWERED
    if tells(text, "OBJECTS") or not (long_enough or (is_specific(text) and len(words(text)) >= FEWEST_CHOSEN)):
        return None
    return Part.STATE, text, _PLANNED if words(text)[:1] and words(text)[0] in LEANING else _TOLD


def _waiting(sentence: str) -> Part | None:
    if tells(sentence, "OPEN"):
        return Part.OPEN
    return Part.NEXT if tells(sentence, "NEXT") else None


def _chooses(spoken: str, text: str, around: Around) -> bool:
    """Whether somebody takes up or turns down what was offered, answers a question, or says how something is to be."""
    found = words(text)
    if not FEWEST_CHOSEN <= len(found) <= LONGEST_CHOICE or not content_terms(text):
        return bool(is_unspaced(text) and around.question and len(text) >= FEWEST_CHARACTERS)
    ends = found[-1] in _ENDS or tuple(found[-2:]) == ("it", "is")
    if ends or found[0] in _LETS or _NAMED.match(text) is not None:
        return True
    if found[0] in LEANING:
        return False
    opens = len(text) < len(spoken) and tells(spoken[: len(spoken) - len(text)], "AGREES")
    return opens or around.agreed or bool(around.question) or around.offered


def _meant(text: str) -> str:
    """The sentence, without an idea that was dropped within it; nothing where it only is one."""
    if not tells(text, "IDEAS"):
        return text
    turned = _BUT.search(text)
    return text[turned.end() :] if turned and not tells(text[turned.end() :], "IDEAS") else ""


def opened(text: str) -> str:
    """The sentence behind what only leads into it; "next" says what it is."""
    if text[:4].lower() in ("next", "then"):
        return text
    start = max(lead_in(text), _agreement(text))
    return text[start:] if len(words(text[start:])) >= FEWEST_CHOSEN else text


def _agreement(text: str) -> int:
    found = _agreements().match(text)
    if found is None:
        return 0
    # "no timers" turns them down, "no, timers" asks for them.
    denies = _DENIES.search(found[0])
    return found.end() if denies is None else denies.start()


@cache
def _agreements() -> re.Pattern[str]:
    each = sorted((" ".join(phrase.split()) for phrase in told.AGREES.split(",")), key=lambda phrase: -len(phrase))
    return re.compile(rf"(?:(?:{'|'.join(map(re.escape, each))})(?:[,.:;!…]+\s{{1,4}}|\s{{1,4}}(?=\w))){{1,4}}", re.I)


def _answer(question: str, text: str) -> str:
    """An answer that says too little alone, behind a question that asks for it and offers nothing else."""
    short = len(words(text)) <= SHORT_ANSWER
    return f"{question} {text}" if question and short and _ASKS_FOR.match(question) else text


def _behind(around: Around, text: str) -> str:
    """What waits, behind the sentence that says what it is about if it only points back."""
    if len(words(text)) > LONGEST_PARTING or _POINTS_BACK.isdisjoint(words(text)):
        return _answer(around.question, text)
    about = collapse(around.earlier[-1].text) if around.earlier else around.question
    if around.earlier and len(around.earlier) > 1 and not _is_long_enough(about):
        about = collapse(around.earlier[-2].text)
    return f"{opened(about)} {text}" if _is_long_enough(about) else text


def _is_long_enough(sentence: str) -> bool:
    wide = len(sentence) >= FEWEST_CHARACTERS and not sentence.isascii() and any(map(is_wide, sentence))
    return wide or len(words(sentence)) >= FEWEST_WORDS


# -- the conversation ---------------------------------------------------------------------------


def by_turn(turns: Iterable[Turn], start: int = 0) -> Iterator[list[Said]]:
    """The sentences of each turn that has any."""
    gathered: list[Said] = []
    for said in every_sentence(turns, start):
        if gathered and gathered[0].number != said.number:
            yield gathered
            gathered = []
        gathered.append(said)
    if gathered:
        yield gathered


def _recency(turn: int, turns: Sequence[Turn]) -> float:
    return _RECENT * turn / max(1, len(turns) - 1)


def _reports(turns: Sequence[Turn]) -> list[tuple[int, frozenset[str]]]:
    """The sentences that report something as done, by their turn and their telling words."""
    return [
        (said.number, frozenset(content_terms(said.text)))
        for said in every_sentence(turns, len(turns) - RECENT_TURNS)
        if not is_question(said.text) and tells(said.text, "DONE") and not tells(said.text, "OFFERS")
    ]


def _is_done(text: str, said_in: int, reports: Sequence[tuple[int, frozenset[str]]]) -> bool:
    wanted = frozenset(content_terms(text))
    return any(turn > said_in and len(wanted & said) > REPEATED_SHARE * len(wanted) for turn, said in reports)


@cache
def _phrases(table: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """By their first words, what follows in each of the phrases."""
    made: dict[str, list[tuple[str, ...]]] = {}
    for phrase in getattr(told, table).split(","):
        first, *rest = words(phrase)
        made.setdefault(first, []).append(tuple(rest))
    return {first: tuple(rests) for first, rests in made.items()}


@cache
def _unspaced(table: str) -> tuple[str, ...]:
    return tuple(getattr(told, f"{table}_UNSPACED", ()))
