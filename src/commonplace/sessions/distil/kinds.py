"""What a statement is by its form, where that says more than the judge: steps are an instruction, only work a task."""

import re

from commonplace.domain.memory import Kind
from commonplace.text.kinds import guessed_kind

# "To restore a backup, stop the worker …", "How to …", "Runbook for …", "1. … 2. …"
_PROCEDURE = re.compile(
    r"\s{0,8}(?:how to |to \w{1,30}[^,:.\w][^,:.]{0,80}[,:] (?:first |just |always )?[a-z]{1,30} |(?:the )?"
    r"(?:runbook|procedure|playbook|how-to|steps)(?: (?:for|to|of) [^:.]{1,80})?(?::| is\b)"
    r"|(?:ablauf|anleitung|vorgehen)\b|um [^,]{3,80} zu \w{1,30}[,:]"
    r"|(?:procedimiento|pasos)\b|para \w{1,30}r [^,:]{2,80}[,:]|(?:procédure|étapes)\b|pour \w{1,30}r [^,:]{2,80}[,:]"
    r"|(?:procedura|passaggi)\b|per \w{1,30}re [^,:]{2,80}[,:])",
    re.IGNORECASE,
)
_STEPS = re.compile(r"(?:^|[\s(])1[.)]\s[^\n]{2,400}?(?<=[\s;,.])2[.)]\s", re.DOTALL)
_SEQUENCE = re.compile(
    r": [a-z]{1,30} [^,;]{2,60}[,;] (?:then )?[a-z]{1,30} [^,;]{2,60}[,;] (?:and |then |and then )?[a-z]{1,30} ",
    re.IGNORECASE,
)
# What holds for good, whoever is to see to it: "all customer data has to stay in the EU".
_STANDING = re.compile(
    r"\b(?:all|every|each|any|no|always|never|only|must (?:not|never)|is required|are required|law|legal|policy|gdpr"
    r"|compliance|alle|jede[rsn]?|immer|nie|niemals|nur|todo[sa]?|siempre|nunca|toujours|jamais|tous|tutti|sempre|mai|todos)\b",
    re.IGNORECASE,
)
_STAYS = re.compile(
    r"\b(?:(?:has|have|needs?|must|should) (?:to )?(?:stay|remain|be|keep|use|go|live)|must|muss|müssen|debe|deben|doit"
    r"|doivent|deve|devono|devem)\b",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"\b(?:i|i'll|i'm|we|we'll|you|ich|wir|du|yo|je|nous|io|eu)\b|\bto ?do\b|\b(?:by|until|before|till)\b"
    r"|\b(?:bis|hasta|avant|entro|até)\b"
    r"|\b(?:today|tomorrow|tonight|next|this week|later|heute|morgen|mañana|demain|domani|amanhã)\b",
    re.IGNORECASE,
)
# What comes round is no event and nobody's task: "deploys happen on Mondays and Thursdays".
_RECURS = re.compile(
    r"\b(?:every|each|(?:mon|tues|wednes|thurs|fri|satur|sun)days|daily|weekly|monthly|nightly|always|usually|jeden|jede|täglich"
    r"|wöchentlich|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|cada|todos los|chaque|tous les|ogni|toda)\b",
    re.IGNORECASE,
)
_LENGTH = 2_000


def kind_of(text: str, kind: Kind) -> Kind:
    """The kind of a statement, the judge's unless its form or plain words ("I prefer") tell another."""
    text = text[:_LENGTH]
    if kind is not Kind.PREFERENCE and (_PROCEDURE.match(text) or _STEPS.search(text) or _SEQUENCE.search(text)):
        return Kind.INSTRUCTION
    if kind is Kind.TASK and _STAYS.search(text) and _STANDING.search(text) and not _SOMEBODY.search(text):
        return Kind.INSTRUCTION
    if _RECURS.search(text) and (kind is Kind.EVENT or (kind is Kind.TASK and not _SOMEBODY.search(text))):
        return Kind.FACT
    return Kind(guessed_kind(text) or kind)
