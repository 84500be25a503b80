"""Plain text with speakers, in the ways people paste conversations, or with none at all."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from commonplace.sessions.transcripts.spoken import own_words
from commonplace.sessions.transcripts.turns import TURN_AT_MOST, TURN_CHARACTERS, Speaker, Turn

_SPEAKERS = {
    Speaker.USER: "user human you me q benutzer nutzer ich usuario usuário yo utilisateur moi utente gebruiker"
    " пользователь 用户 使用者 我 ユーザー 사용자",
    Speaker.ASSISTANT: "assistant ai bot claude chatgpt gpt codex gemini copilot a asistente assistent assistente ki ia"
    " ассистент 助手 助理 アシスタント 어시스턴트",
}
_ROLES = {name: role for role, names in _SPEAKERS.items() for name in names.split()}
_HOST = ("system", "developer")  # whose words stand above a conversation, if anywhere

# `User: …`, `**Assistant:** …`, `## Human`, `[10:15] You: …`, `### ChatGPT said:`, `用户：…`
_LABEL = re.compile(
    r"\s{0,3}(?:\[[^\]\n]{1,40}\]\s{0,3})?(?P<heading>\#{1,6}\s{0,3})?(?:\*\*|__)?(?P<name>[^\W\d_]{1,14})(?:\ssaid)?"
    r"(?P<close>\s?(?:\*\*|__)?\s?[:：]\s?(?:\*\*|__)?|\s*$)"
)
_PROMPT = re.compile(r"[>❯]\s")
_ANSWER = re.compile(r"\s*[⏺●•]\s")
_FENCE = re.compile(r"[ \t]{0,12}(?P<mark>`{3,200}|~{3,200})(?P<rest>[^`\n]{0,200})$")

NOTE_CHARACTERS = 500
"""What one person says alone, on a line of so few letters, is no conversation."""

_Line = tuple[str, bool]  # and whether it is in a block of code, where a name is quoted
_Found = tuple[Speaker | None, str]  # who speaks, None if a host does, and what they say on the line


def turns(lines: Iterator[str]) -> Iterator[Turn]:
    """The turns of a text. One line of a user, and nothing else, is a note that somebody wrote down."""
    spoken = _spoken(lines)
    opening = list(islice(spoken, 2))
    if len(opening) == 1 and opening[0].role is Speaker.USER and _is_note(opening[0].text):
        yield Turn(Speaker.UNKNOWN, opening[0].text)
    else:
        yield from opening
        yield from spoken


def _spoken(lines: Iterator[str]) -> Iterator[Turn]:
    """One turn for each change of speaker; where nobody is named, one for the whole text.

    A text that opens with a prompt is a terminal's, and its marks say who speaks; in any other, names do. A name in a
    code block is quoted. A turn that grows too long goes on in another, if it can be at an empty line.
    """
    role: Speaker | None = Speaker.UNKNOWN
    gathered: list[str] = []
    size = 0
    prompted = started = goes_on = False
    for line, quoted in _marked(lines):
        prompted = prompted or (not started and _PROMPT.match(line) is not None)
        found = None if quoted else _prompt(line, role) if prompted else _label(line, started)
        started = started or bool(line.strip())
        changed = found is not None and not (prompted and found[0] is role)
        full = size + len(line) > (TURN_AT_MOST if line.strip() else TURN_CHARACTERS)
        if changed or full:
            yield from _said(role, gathered, goes_on)
            gathered, size, goes_on = [], 0, full and not changed
        role, rest = found or (role, line)
        gathered.append(rest)
        size += len(rest)
    yield from _said(role, gathered, goes_on)


def _is_note(text: str) -> bool:
    return "\n" not in text.strip() and len(text) <= NOTE_CHARACTERS


def names_speakers(lines: Iterable[str]) -> bool:
    """Whether a text says who speaks in it."""
    opening = True
    for line in lines:
        if (opening and _PROMPT.match(line)) or _label(line, started=True):
            return True
        opening = opening and not line.strip()
    return False


def _said(role: Speaker | None, lines: list[str], goes_on: bool) -> Iterator[Turn]:
    text = "" if role is None else own_words(role, "".join(lines))
    if role is not None and text:
        yield Turn(role, text, goes_on=goes_on)


# -- who speaks -------------------------------------------------------------------------------


def _label(line: str, started: bool) -> _Found | None:
    """The speaker a line names, and the rest of the line. A host speaks only before anybody else does."""
    found = _LABEL.match(line)
    if found is None or not (":" in found["close"] or "：" in found["close"] or found["heading"]):
        return None
    name = found["name"]
    if name.lower() in _HOST:
        return None if started else (None, line[found.end() :])
    speaker = _ROLES.get(name.lower())
    known = speaker is not None and not (len(name) == 1 and name.islower())
    return (speaker, line[found.end() :]) if known else None


def _prompt(line: str, role: Speaker | None) -> _Found | None:
    """In a terminal's copy, a prompt is the user's until a line that neither has the mark nor is indented."""
    if _PROMPT.match(line):
        return Speaker.USER, line[2:]
    spoken = bool(line.strip()) and not line.startswith("  ")
    if role is Speaker.USER and spoken:
        answer = _ANSWER.match(line)
        return Speaker.ASSISTANT, line[answer.end() :] if answer else line
    return None


# -- code -------------------------------------------------------------------------------------


def _marked(lines: Iterator[str]) -> Iterator[_Line]:
    """The lines, with those in code marked. A fence may stand behind a name.

    Lines are held until their fence is closed, since one that never is would take all the names behind it: if a name
    was held, such a fence counts for nothing. Neither does one before a name and another fence that opens.
    """
    fence = ""
    named, size = False, 0
    held: list[str] = []
    for line in lines:
        opens = _opening(line)
        closes = bool(fence) and _closes(line, fence)
        named = named or (bool(fence) and _label(line, started=True) is not None)
        reopens = named and bool(fence) and opens.startswith(fence) and not closes
        if closes or reopens or size > TURN_AT_MOST:
            yield from _released(held, quoted=closes or not named)
            held, size = [], 0
            fence = "" if closes or named else fence
            named = False
        if fence:
            held.append(line)
            size += len(line)
        else:
            yield line, closes
            fence = "" if closes else opens
    yield from _released(held, not named)


def _released(held: list[str], quoted: bool) -> Iterator[_Line]:
    return ((line, quoted) for line in held)


def _opening(line: str) -> str:
    """The mark of a fence that opens here, if one does: at the beginning, or behind a name."""
    if "```" not in line and "~~~" not in line:
        return ""
    label = _label(line, started=True)
    found = _FENCE.match(label[1] if label else line)
    return found["mark"] if found else ""


def _closes(line: str, fence: str) -> bool:
    found = _FENCE.match(line)
    return found is not None and found["mark"].startswith(fence) and not found["rest"].strip()
