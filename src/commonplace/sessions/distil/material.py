"""What somebody hands over to be worked on: a text to translate, to proofread or to put in other words says nothing."""

import re

from commonplace.sessions.distil.prose import Span

_WORK = re.compile(
    r"\b(?:translate|turn (?:the following|this|these)|put (?:the following|this|these)|convert|read this|shorten"
    r"|(?:english|german|french|spanish|italian) for|critique|better headline|the (?:sentence|phrase|comma)"
    r"|proof-?read|rephrase|paraphrase|reword|polish|summari[sz]e|rewrite|(?:fix|correct|check|improve) (?:the|my) "
    r"(?:grammar|spelling|wording|english)|how (?:do|would) you say|what does (?:this|it) mean|übersetz\w{0,5}"
    r"|korrigier\w{0,3}"
    r"|lektorier\w{0,3}|formulier\w{0,3}|umformulieren|korrekturles\w{0,3}|trad[uú](?:ce|cir|ceme|zca|zcas|is"
    r"|isez|ire|z|za|zir|ci"
    r"|cimi)|corr[ií]ge(?:me|z)?|corrija|corregir|reformul[ae]z?|relis|relisez|résume[zr]?|resum[ae]|revis[ae]"
    r"|reescrev[ae]"
    r"|pon en|mets au|metti al|passa pro|setz das|kürz\w{0,4}|frase|satz|phrase|correggi(?:mi)?|riscrivi|riassumi"
    r"|vertaal|herschrijf)\b|翻译|润色|改写|校对|改一下|压缩|精简|翻成|译成|语法|翻訳|英訳|和訳|添削|校正|訳して"
    r"|言い換え|要約|言い方|書き換え|直して|過去形|过去时|英语怎么说",
    re.IGNORECASE,
)
_HANDED = re.compile(r"[^\n:：\"“„«「『']{0,80}(?:[:：]|\n|(?=[\"“„«「『']))\s*")
_QUOTED = re.compile(
    r"\"[^\"]{0,4000}\"|“[^”]{0,4000}”|„[^“”\"]{0,4000}[“”\"]|«[^»]{0,4000}»|「[^」]{0,4000}」|『[^』]{0,4000}』"
    r"|'(?:[^'\n]|(?<=\w)'(?=\w)){4,600}'(?!\w)"
)
HANDED_OVER_AT_MOST = 8


def material(text: str) -> list[Span]:
    """Where somebody asks for work on a text, with that text: in quotation marks, or up to the next empty line."""
    found: list[Span] = []
    place = 0
    while len(found) < HANDED_OVER_AT_MOST:
        work = _WORK.search(text, place)
        if work is None:
            break
        place = work.end()
        handed = _HANDED.match(text, place)
        if handed is None:
            continue
        quoted = _QUOTED.match(text, handed.end())
        empty_line = text.find("\n\n", handed.end())
        place = quoted.end() if quoted else len(text) if empty_line < 0 else empty_line
        found.append((work.start(), place))
    return found
