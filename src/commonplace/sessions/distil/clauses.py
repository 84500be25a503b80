"""Sentences taken apart where somebody tells something and then asks for something in one breath."""

import re
from collections.abc import Iterator

from commonplace.sessions.distil.cues import is_unspaced
from commonplace.sessions.distil.prose import Span

FEWEST_LETTERS = 6  # of what is told, so that "ok, can you" stays whole
FEWEST_WORDS = 4  # of what is told, unless somebody speaks of themselves
TAIL_WORDS = 6  # a question of so few words at the end is only about what was told before it
LONGEST_LOOKED_AT = 2_000

# What a question or a request of the moment begins with, behind a comma.
_ASKS = r"""
    (?:can|could|would|will)\ (?:you|u|i|we)\b|how\ (?:do|does|can|could|should|would|to|is|are|many|much|about|long)\b
  | what(?:'?s|\ is|\ are|\ do|\ does|\ would|\ should|\ could|\ can|\ about|\ if|\ kind|\ sort|ever)\b
  | which\ (?:ones?|of|would|should|do)\b|where\ (?:do|does|can|could|should|would|is|are)\b
  | why\ (?:is|are|do|does|did|would|was|isn'?t|doesn'?t)\b|should\ (?:i|we)\b|do\ (?:you|i|we)\b|does\ \w+
  |is\ (?:it|there)\b
  | any\ (?:ideas?|tips?|chance|suggestions?|thoughts|recommendations?)\b|ideas\b|thoughts\b|tips\b|suggestions\b
  | (?:need|want|please)\ help\b|help\ me\b|plan\ me\b|(?:write|draft|make|give|show|tell|find|build)\ (?:me|a|an
  |the)\b
  | (?:explain|translate|suggest|recommend|rewrite|summari[sz]e|redo)\b|(?:fix|check|update|look\ at)\ (?:the
  |this|my|it)\b
  | (?:pls|please)\ (?:fix|check|update|look|help|write|make|give|show|redo|draft|explain)\b|first\ let'?s\b
  |let'?s\ do\b
  | kannst\ du\b|könntest\ du\b|kann\ ich\b|soll\ ich\b|wie\ |warum\b|wieso\b|was\ (?:ist|wäre|heißt|kann|soll|mach)
  | welche[rsn]?\b|wo\ |gibt\ es\b|gibt's\b|hast\ du\b|schreib\ mir\b|mach\ mir\b|hilf\ mir\b|zeig\ mir\b|weißt\ du\b
  | (?:me\ )?puedes\b|(?:me\ )?podrías\b|me\ ayudas\b|me\ l[oa]\b|me\ haces\b|me\ recomiendas\b|¿?cómo\b|¿?qué\b
  |¿?cuál\b
  | ¿?dónde\b|¿?por\ qué\b|hay\ algun[ao]?\b|ayúdame\b|¿
  | tu\ (?:peux|pourrais|aurais|connais|as)\b|peux-tu\b|pourrais-tu\b|aurais-tu\b|comment\b|pourquoi\b|quel(?:le)?s?\b
  | est-ce\ que\b|aide-moi\b|t'as\b
  | como\ (?:faço|eu|posso|que)\b|(?:você\ )?pode\b|consegue\b|me\ ajuda\b|qua(?:l|is)\b|o\ que\b|onde\b|será\ que\b
  | tem\ como\b|dá\ pra\b|mi\ aiuti\b|(?:mi\ )?puoi\b|(?:mi\ )?potresti\b|come\ (?:faccio|si|posso|mai)\b
  |quali?\b|cosa\b
  | dove\b|mi\ (?:consigli|dai|fai|dici)\b|aiutami\b
"""
# What begins a wish, behind a comma.
_WISHES = r"""
    (?:please\ |pls\ )?(?:remember|note|keep\ in\ mind|bear\ in\ mind|don'?t\ forget)\b
  | from\ now\ on\b|(?:and\ )?never\ \w+\ (?!or\b)\w
  | don'?t\ ever\b|btw\b|by\ the\ way\b|fyi\b|merk(?:e)?\ dir\b|ab\ (?:jetzt|sofort)\b|übrigens\b
  |a\ partir\ de\ (?:ahora|agora)\b
  | recuerda\b|apunta\b|por\ cierto\b|retiens\b|désormais\b|dorénavant\b|au\ fait\b|lembra\b|anota\b
  |d'ora\ in\ poi\b|ricorda
"""
_AND = r"(?:so|and|but|then|now|anyway|ok|also|und|aber|dann|y|pero|entonces|et|mais|donc|alors|e|mas|então|ma|quindi)"
_BREAK = re.compile(
    rf"(?:[,;:–—]|\s--?)\s{{1,3}}(?:{_AND},?\s){{0,2}}(?:{_ASKS}|{_WISHES})"
    rf"|\s(?:so|then|but|and)\s(?=(?:how|what|which|where|why|can|could|would)\b)(?:{_ASKS})",
    re.IGNORECASE | re.VERBOSE,
)
_TAG = re.compile(
    r",?\s(?:ok|okay|right|yeah|alright|deal|understood|got it|gell|oder|ne|ja|klar|vale|entendido|sí|d'accord"
    r"|hein|compris|tá"
    r"|tá bom|né|beleza|va bene|capito|chiaro)\s?\?+$",
    re.IGNORECASE,
)
_LAST_COMMA = re.compile(r"[,;]\s(?=[^,;]{1,60}\?[\"'!)]*$)")
_HANGS_ON = re.compile(
    r"(?:because|since|if|when|that|which|who|or|and|weil|wenn|dass|oder|und|da|ob|porque|si|que|o|y|parce|car|ou"
    r"|et|pois|se"
    r"|e|perché|che)\b",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(
    r"\b(?:i|i'm|im|i've|we|we're|my|our|ich|wir|mein|meine|unser|unsere|je|j'|mon|ma|mes|nous|notre|on|yo|soy"
    r"|tengo|mi|mis|nuestra?|eu|sou"
    r"|meu|minha|io|sono|ho|mio|mia)\b|[我私]",
    re.IGNORECASE,
)
_PART = re.compile(r"[，、；,;][^，、；,;]*")
_ASKED = re.compile(
    r"吗|呢|什么|怎么|为什么|哪|多少|能不能|谁|会怎样|帮我|推荐|有没有|是不是|可以.{0,12}[吗么]|请问|如何|嗎|什麼"
    r"|给我(?:写|看|做)"
    r"|(?:ですか|ますか|かな|でしょうか|ませんか|ください|下さい|教えて|たいです|たいんです|お願い|どう|どこ|何"
    r"|いくら|どれ)"
)


def clauses(text: str, span: Span) -> Iterator[Span]:
    """The parts of a sentence that stand for themselves: what is told, and what is asked behind it."""
    start, end = span
    if end - start > LONGEST_LOOKED_AT:
        yield span
        return
    for cut, going_on in _cuts(text, start, end):
        if _tells(text[start:cut].strip()):
            yield start, cut
            start = going_on
    yield start, end


def _cuts(text: str, start: int, end: int) -> list[Span]:
    """Where a clause ends and where the next one begins."""
    sentence = text[start:end]
    if is_unspaced(sentence):
        return [
            (start + part.start(), start + part.start() + 1)
            for part in _PART.finditer(sentence)
            if _ASKED.search(part[0])
        ][:1]
    found = [(start + cut.start(), start + _behind_mark(sentence, cut.start())) for cut in _BREAK.finditer(sentence)]
    if sentence.endswith("?"):
        tag = _TAG.search(sentence)
        if tag:
            return [*found, (start + tag.start(), start + _behind_mark(sentence, tag.start()))]
        last = None if found else _LAST_COMMA.search(sentence)
        tail = sentence[last.end() :] if last else ""
        if last and len(tail.split()) <= TAIL_WORDS and not _HANGS_ON.match(tail):
            return [(start + last.start(), start + last.end())]
    return found


def _tells(told: str) -> bool:
    """Whether it is long enough to be more than the beginning of what is asked."""
    if len(told) < FEWEST_LETTERS:
        return False
    return is_unspaced(told) or len(told.split()) >= FEWEST_WORDS or _OF_ONESELF.search(told) is not None


def _behind_mark(sentence: str, place: int) -> int:
    """The first letter behind the comma, dash or blank at a place."""
    place += 1
    while place < len(sentence) and sentence[place] in " -\t\n":
        place += 1
    return place
