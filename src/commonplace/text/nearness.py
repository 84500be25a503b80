"""Near repeats: how alike two texts are by their words, and whether they differ in substance.

Two texts that differ by a number, a date, a negation or an opposite, or by who does what to whom, are never near,
however alike they look: "deploys are on Monday" must not swallow "deploys are on Tuesday", nor "tabs over spaces"
"spaces over tabs".
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from zlib import crc32

from commonplace.text import content_terms, fold, terms, without_invisible
from commonplace.text.stopwords import STOPWORDS

SKETCH_SIZE = 4
WORDS_NEAR = 0.8  # share of terms in common from which two texts count as near by words
SLIP_LENGTH = 5  # letters that a word of a topic must have for another with one letter less to be a slip
NEAR = 0.9  # the likeness from which two texts count as near, by words or by meaning
VECTORS_NEAR_OVERLAP = 0.4  # what they must share for a model's word that they are near to count

_WRITTEN = re.compile(r"\w[\w-]*")
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NUMBER_WORDS = _words(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million
    billion first second third fourth fifth sixth seventh eighth ninth tenth once twice thrice half quarter
    double triple dozen both
    null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig hundert
    tausend erste zweite dritte vierte fünfte einmal zweimal halb
    deux trois quatre cinq sept huit neuf dix onze douze quinze vingt trente quarante cinquante cent mille
    premier première deuxième troisième
    dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta cuarenta cincuenta cien mil
    primero primera segundo segunda tercero
    dois duas três quatro sete oito nove dez onze doze vinte trinta quarenta cinquenta cem primeiro primeira
    due tre quattro cinque sei sette otto nove dieci venti trenta cento primo"""
)
_DATE_WORDS = _words(
    """january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun mondays tuesdays
    wednesdays thursdays fridays saturdays sundays weekday weekdays weekend weekends
    this next last week weeks month months year years übermorgen vorgestern nächste nächsten nächster letzte letzten
    woche monat jahr pasado pasada próximo próxima semana mes año semaine mois prochain prochaine dernier dernière
    today tomorrow yesterday tonight morning afternoon evening night noon midnight daily weekly monthly yearly
    hourly spring summer autumn fall winter am pm
    januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag
    sonntag montags dienstags mittwochs donnerstags freitags samstags sonntags heute morgen gestern abend abends
    morgens täglich wöchentlich monatlich
    janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi
    vendredi samedi dimanche demain hier matin soir aujourd'hui
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes
    miércoles jueves viernes sábado domingo hoy mañana ayer tarde noche
    janeiro fevereiro março maio junho julho setembro outubro novembro dezembro segunda-feira terça quarta quinta
    sexta hoje amanhã ontem manhã noite"""
)
_NEGATIONS = _words(
    """not no never none nobody nothing neither nor nowhere without cannot n't hardly barely unless except
    nicht kein keine keinen keinem keiner keines nie niemals nichts ohne niemand
    pas jamais aucun aucune rien sans non ne personne
    nunca jamás ningún ninguna ninguno nada sin nadie tampoco
    não nem nenhum nenhuma sem ninguém
    mai nessuno nessuna niente senza"""
)
_OPPOSITES = _words(
    """enabled disabled enable disable enables disables on off before after always sometimes rarely likes dislikes
    loves hates allowed forbidden allow deny true false open closed opens closes start stop started stopped
    increase decrease increased decreased increases decreases more less above below up down left right top bottom
    old new minimum maximum min max include exclude includes excludes included excluded public private required
    optional accept reject accepted rejected yes add remove added removed success failure passed failed early late
    inside outside begin end upgrade downgrade won lost buy sell hot cold light dark high low import export
    prefer avoid prefers avoids with against internal external sync async online offline safe unsafe still
    any more longer first last plus
    immer selten avant après toujours antes después siempre depois sempre prima dopo"""
)
_ARTICLES = _words("the a an der die das le la les el los las o os il lo gli het")
_WIDE_MARKS = (
    "[零〇一二三四五六七八九十百千万億亿两兩半]|"
    "(?:月|火|水|木|金|土|日)曜|(?:星期|周|週|礼拜)[一二三四五六日天]|今天|明天|昨天|今日|明日|昨日|上午|下午|早上|晚上|"
    "午前|午後|오늘|내일|어제|오전|오후|[월화수목금토일]요일|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|"
    "不|没|沒|无|無|非|别|未|禁止|ない|ません|なく|なかっ|せず|ずに|않|없|아니|안 |못|말고|"
    "之前|之后|以前|以後|以后|前に|後に|开|关|開|閉|전에|후에|켜|꺼|끄"
)


@cache
def _wide_marks() -> re.Pattern[str]:
    return re.compile(_WIDE_MARKS)


def likeness(value: float, threshold: float) -> float:
    """A share of words or a cosine on one scale, where its own threshold lies at `NEAR`."""
    if value <= threshold:
        return NEAR * max(value, 0.0) / threshold
    return NEAR + (1 - NEAR) * (min(value, 1.0) - threshold) / (1 - threshold)


def sketch(words: Sequence[str]) -> tuple[int, ...]:
    """A few numbers that texts with most of their words in common are very likely to share.

    The smallest hashes of words and word pairs: a bottom-k sketch.
    """
    plain = [word for word in words if word not in STOPWORDS] or list(words)
    shingles = {*plain, *(f"{a} {b}" for a, b in pairwise(plain))}
    return tuple(sorted({crc32(shingle.encode()) for shingle in shingles})[:SKETCH_SIZE])


def overlap(a: Iterable[str], b: Iterable[str]) -> float:
    """The share of terms two texts have in common, from 0 to 1."""
    left, right = frozenset(a), frozenset(b)
    shared = len(left & right)
    return shared / (len(left) + len(right) - shared) if shared else 0.0


def same_substance(a: str, b: str) -> bool:
    """Whether two texts agree in numbers, dates, negations and opposites, in what they are about, and in order."""
    same = _substance(a) == _substance(b) and not _other_names(a, b) and not _one_swapped(a, b)
    return same and (a == b or not _turned_round(a, b))


def says_the_same(a: str, b: str) -> bool:
    """The same, and also whether both tell of what is so or both of what was, is wanted or may be, of the same people.

    Texts that differ so are no repeats, and no contradictions either.
    """
    if not same_substance(a, b):
        return False
    from commonplace.text.stance import told_apart  # for texts that are alike only: few writes meet one

    return a == b or not told_apart(a, b)


def _turned_round(a: str, b: str) -> bool:
    """A sentence of the one has the words of a sentence of the other with their parts exchanged."""
    from commonplace.text.statements import read, turned_round  # for texts that are alike only: few writes meet one

    return any(turned_round(first, second) for first in read(a) for second in read(b))


def _other_names(a: str, b: str) -> bool:
    """Each has a name, a version or an identifier that the other lacks."""
    a, b = without_invisible(a), without_invisible(b)
    left, right = a.casefold(), b.casefold()
    return any(name.casefold() not in right for name in _names(a)) and any(
        name.casefold() not in left for name in _names(b)
    )


def _names(text: str) -> Iterator[str]:
    """Words with a digit or an inner capital, all in capitals, or capitalised within a sentence."""
    for found in _WRITTEN.finditer(text):
        word, start = found[0], found.start()
        marked = any(character.isdigit() for character in word) or _INNER_CAPITAL.search(word) is not None
        shouted = len(word) > 1 and word[:2].isupper()
        within = start > 1 and text[start - 1] == " " and (text[start - 2].isalnum() or text[start - 2] in ",;")
        if marked or shouted or (within and word[0].isupper()):
            yield word


def _one_swapped(a: str, b: str) -> bool:
    """They differ by one telling word on each side: another person, tool or place, said the same way.

    In Chinese, Japanese and Korean, where terms are characters, by any character on each side.
    """
    left, right = set(content_terms(a)), set(content_terms(b))
    only_left, only_right = left - right, right - left
    if len(only_left) == 1 and len(only_right) == 1:
        return True
    return bool(_characters(a) - _characters(b)) and bool(_characters(b) - _characters(a))


def _characters(text: str) -> set[str]:
    return set() if text.isascii() else {term for term in terms(text) if len(term) == 1 and not term.isascii()}


def restated(text: str) -> str:
    """What two texts have in common when one is the other said again: the same words and signs in the same order.

    Case, blanks, articles and the stop at the end of a word do not count; everything else does, a question mark too.
    """
    words = (word.rstrip(".,;!") for word in fold(without_invisible(text)).split())
    return " ".join(word for word in words if word and word not in _ARTICLES)


def nearly_one_topic(a: str, b: str) -> bool:
    """Whether two topics are different and yet may be meant to be one: by their stems, or but for a slip of the pen."""
    if a == b:
        return False
    first, second = a.split("-"), b.split("-")
    if sorted(map(_topic_stem, first)) == sorted(map(_topic_stem, second)):
        return True
    if len(first) != len(second) or _NUMBER.findall(a) != _NUMBER.findall(b):
        return False
    others = [(one, other) for one, other in zip(first, second, strict=True) if one != other]
    return len(others) == 1 and min(map(len, others[0])) >= SLIP_LENGTH and _one_letter_apart(*others[0])


def _topic_stem(word: str) -> str:
    return (terms(word) or [word])[0]


def _one_letter_apart(a: str, b: str) -> bool:
    """A letter is missing, doubled, another one, or has changed places with the next."""
    start = next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    left, right = a[start:], b[start:]
    return (
        left[1:] == right
        or left == right[1:]
        or left[1:] == right[1:]
        or (left[:2] == right[1::-1] and left[2:] == right[2:])
    )


def skeleton(text: str) -> frozenset[str]:
    """What a text is about, not what of it: its telling terms without numbers, dates, negations and opposites."""
    folded = fold(without_invisible(text)).replace("’", "'")
    telling = [word for word in _WORD.findall(folded) if not _is_mark(word) and word not in STOPWORDS]
    return frozenset(terms(" ".join(telling)))


def _is_mark(word: str) -> bool:
    negated = word.endswith("n't") or word.startswith("n'") or word in _NEGATIONS
    return negated or word in _NUMBER_WORDS or word in _DATE_WORDS or word in _OPPOSITES


def _substance(text: str) -> Counter[str]:
    folded = fold(without_invisible(text)).replace("’", "'")
    marks: Counter[str] = Counter(_NUMBER.findall(folded))
    for word in _WORD.findall(folded):
        if word.endswith("n't") or word.startswith("n'") or word in _NEGATIONS:
            marks["not"] += 1
        elif word in _NUMBER_WORDS or word in _DATE_WORDS or word in _OPPOSITES:
            marks[word] += 1
    if not folded.isascii():
        marks.update(_wide_marks().findall(folded))
    return marks
