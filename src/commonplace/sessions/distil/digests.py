"""A digest: a text that nobody speaks, in which somebody has distilled already. It is taken line by line."""

import re
from collections.abc import Iterator

from commonplace.domain.memory import Kind
from commonplace.sessions.distil import cues
from commonplace.sessions.distil.judging import ENOUGH, UNWORTHY, Judgement, is_question, signs_of
from commonplace.sessions.distil.prose import Span, injected_spans, passages
from commonplace.sessions.distil.sentences import sentences
from commonplace.sessions.distil.signs import Sign
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import collapse

DIGEST_CHARACTERS = 20_000
"""A longer text is no digest: nobody distils so much."""

ALONE_CHARACTERS = 160
"""Of so short a text, what asks for something now is no note."""

HEADING_WORDS = 6
FEWEST_WORDS = 3

_LISTED = re.compile(r"\s*(?:[-*•–]|\d{1,3}[.)])\s")
_ENDED = re.compile(r"[.!?…。！？][\"'”“»’)\]*_]*$")
_TOLD_BY_HEADINGS = {
    Kind.TASK: "next steps, next, todo, to do, tasks, open tasks, follow-ups, remaining, action items, open questions,"
    " open question, open points, open, still open, questions, nächste schritte, aufgaben, offen, offene fragen,"
    " offene punkte, preguntas abiertas, pendiente, pendientes, questions ouvertes, en suspens, domande aperte,"
    " in sospeso, questões em aberto, em aberto, open vragen, 待定, 未解決,"
    " próximos pasos, tareas, prochaines étapes, à faire, prossimi passi, próximos passos, 下一步, 次の作業",
    Kind.DECISION: "decisions made, decisions, decided, decision, entscheidungen, entschieden, decisiones, décisions,"
    " decisioni, decisões, 决定, 決定",
    Kind.PREFERENCE: "preferences, preference, feedback given, feedback, likes, vorlieben, präferenzen, preferencias,"
    " préférences, preferenze, preferências, 偏好",
    Kind.INSTRUCTION: "instructions, procedures, procedure, runbook, runbooks, how to, rules, conventions, workflow,"
    " workflows, anleitung, regeln, instrucciones, reglas, règles, procédure, istruzioni, regole, instruções, regras",
    Kind.EVENT: "actions taken, actions, done, what happened, events, erledigt, hecho, fait, fatto, feito",
    Kind.FACT: "facts, key facts, fakten, hechos, faits, fatti, fatos, 事实",
}
_HEADINGS = {name.strip(): kind for kind, names in _TOLD_BY_HEADINGS.items() for name in names.split(",")}
_LABEL = re.compile(
    r"\s{0,8}(?:[-*•#]{1,6}\s{1,4})?(?:\*\*|__)?([^\W\d_][\w /-]{1,30}?)(?:\*\*|__)?\s?[:：](?:\*\*|__)?\s{0,4}"
)
_TITLE = re.compile(
    r"\s{0,8}(?:#{1,6}\s{1,4})?(?:\*\*|__)?([^\W\d_][\w /-]{1,30}?)(?:\*\*|__)?\s?[:：]?(?:\*\*|__)?\s*$"
)
_LABELLED = re.compile(
    r"\n(?=[ \t]{0,8}(?:\*\*|__)?[^\W\d_][\w /-]{1,30}(?:\*\*|__)?\s?[:：]|[ \t]{0,8}\*\*[^*\n]{2,40}\*\*\s)"
)
_BOX = re.compile(r"\s*[-*]\s+\[ ?\]\s")
_OF_ITSELF = re.compile(
    r"(?:(?:the |this )?(?:session|conversation|chat|meeting) )?(?:summary|digest|notes|recap)"
    r"(?:\.|\s(?:of|from|for)\b)"
    r"|here(?:'s| is| are) (?:what|the)|zusammenfassung (?:der|des|von)|résumé d|resumen de|riassunto d|resumo d"
    r"|samenvatting van",
    re.IGNORECASE,
)
_NOT_STATED = frozenset({Sign.CHATTER, Sign.MOCKERY, Sign.RETRACTED})
_OF_THE_MOMENT = frozenset({Sign.REQUEST, Sign.FICTION})
_LASTING = frozenset({Sign.TASK, Sign.RULE, Sign.STANDING, Sign.WISH, Sign.DECISION, Sign.PREFERENCE, Sign.DATE})
_NOW, _BRIEF = frozenset({Sign.MOMENT, Sign.TROUBLE}), frozenset({Sign.SHORT, Sign.SHORTER, Sign.SHORTEST})


def is_digest(turn: Turn) -> bool:
    """Whether nobody speaks here, and it is short enough for somebody to have written it down as a digest."""
    return (
        turn.role is Speaker.UNKNOWN
        and len(turn.text) <= DIGEST_CHARACTERS
        and not turn.goes_on
        and not injected_spans(turn.text)[0]
    )


def noted(text: str) -> Iterator[Span]:
    """What a digest notes: each point of a list as a whole, else sentence by sentence; headings are left out."""
    for number, passage in enumerate(passages(text)):
        if _is_listed(text, passage):
            yield _unlabelled(text, passage)
        elif not _is_heading(text, passage):
            for line in _lines(text, passage):
                found = list(sentences(text, _unlabelled(text, line)))
                yield from found[1:] if number == 0 and found and _OF_ITSELF.match(text, found[0][0]) else found


def of_digest(text: str, span: Span) -> Judgement:
    """The verdict on one note: it is kept unless it states nothing. A question counts where it is noted as open."""
    sentence = text[span[0] : span[1]]
    said = cues.words(sentence)
    signs = frozenset(signs_of(sentence, said))
    if cues.length(sentence, said) < FEWEST_WORDS or not signs.isdisjoint(_NOT_STATED):
        return UNWORTHY
    if (is_question(sentence) or _asks_now(text, signs)) and _headed(text, sentence) is not Kind.TASK:
        return UNWORTHY
    return Judgement(ENOUGH, frozenset({*signs, Sign.DIGESTED}))


def _asks_now(text: str, signs: frozenset[Sign]) -> bool:
    """Whether a line that stands alone is no note at all, but what somebody wants or runs into now."""
    if len(text) > ALONE_CHARACTERS or _LISTED.match(text) or not signs.isdisjoint(_LASTING):
        return False
    return not signs.isdisjoint(_OF_THE_MOMENT) or not (signs.isdisjoint(_NOW) or signs.isdisjoint(_BRIEF))


def _headed(text: str, sentence: str) -> Kind | None:
    """What a sentence is by the heading it stands below or behind."""
    quote = collapse(sentence)
    return next((kind for line, kind in kinds_by_heading(text).items() if quote in line), None)


def _lines(text: str, passage: Span) -> Iterator[Span]:
    """The parts of a passage: lines that a label opens stand for themselves, however long they are."""
    start = passage[0]
    for cut in _LABELLED.finditer(text, *passage):
        yield start, cut.start()
        start = cut.end()
    yield start, passage[1]


def kinds_by_heading(text: str) -> dict[str, Kind]:
    """The lines of a digest, each on one line, that stand below or behind a heading which tells their kind."""
    found: dict[str, Kind] = {}
    current: Kind | None = None
    for line in text.splitlines():
        title, label = _TITLE.match(line), _LABEL.match(line)
        if title is not None and (line.lstrip().startswith(("#", "*", "_")) or title[1].strip().lower() in _HEADINGS):
            current = _HEADINGS.get(title[1].strip().lower())
            continue
        named = _HEADINGS.get(label[1].strip().lower()) if label else None
        boxed = Kind.TASK if _BOX.match(line) else None
        if boxed or named or current:
            found[collapse(line)] = boxed or named or current or Kind.FACT
    return found


def _unlabelled(text: str, span: Span) -> Span:
    """A note without the heading that it has in front of it."""
    label = _LABEL.match(text, *span)
    return (label.end(), span[1]) if label and label[1].strip().lower() in _HEADINGS and label.end() < span[1] else span


def _is_listed(text: str, passage: Span) -> bool:
    start = text.rfind("\n", 0, passage[0]) + 1
    return bool(text[start : passage[0]].strip())


def _is_heading(text: str, passage: Span) -> bool:
    """Whether a line of its own only says what the lines below it are about."""
    line = text[passage[0] : passage[1]].strip()
    if line.endswith((":", "：")):
        return True
    if cues.length(line, cues.words(line)) > HEADING_WORDS or _ENDED.search(line):
        return False
    below = text[passage[1] :].lstrip("\r\n")
    return bool(below) and (_LISTED.match(below) is not None or text[passage[1] :].startswith(("\n\n", "\r\n\r\n")))
