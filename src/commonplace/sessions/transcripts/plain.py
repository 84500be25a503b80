"""Plain text with speakers, in the ways people paste conversations, or with none at all."""

import re
from collections.abc import Iterator

from commonplace.sessions.transcripts.turns import TURN_AT_MOST, TURN_CHARACTERS, Speaker, Turn

_SPEAKERS = {
    Speaker.USER: "user human you me q benutzer nutzer ich usuario yo utilisateur moi",
    Speaker.ASSISTANT: "assistant ai bot claude chatgpt gpt codex gemini copilot a asistente assistent ki ia",
}
_ROLES = {name: role for role, names in _SPEAKERS.items() for name in names.split()}

# `User: …`, `**Assistant:** …`, `## Human`, `[10:15] You: …`, `### ChatGPT said:`
_LABEL = re.compile(
    r"\s{0,3}(?:\[[^\]\n]{1,40}\]\s{0,3})?(?P<heading>\#{1,6}\s{0,3})?(?:\*\*|__)?(?P<name>[A-Za-z]{1,12})(?:\ssaid)?"
    r"(?P<close>\s?(?:\*\*|__)?\s?:\s?(?:\*\*|__)?|\s*$)"
)
_PROMPT = re.compile(r"[>❯]\s")
_ANSWER = re.compile(r"\s*[⏺●•]\s")


def turns(lines: Iterator[str]) -> Iterator[Turn]:
    """One turn for each change of speaker; where nobody is named, one for the whole text.

    A text that opens with a prompt is a terminal's, and its marks say who speaks; in any other, names do. A name in a
    code block is quoted. A turn that grows too long goes on in another, if it can be at an empty line.
    """
    role = Speaker.UNKNOWN
    gathered: list[str] = []
    size = 0
    fenced = prompted = started = goes_on = False
    for line in lines:
        prompted = prompted or (not started and _PROMPT.match(line) is not None)
        started = started or bool(line.strip())
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        found = None if fenced else _prompt(line, role) if prompted else _label(line)
        changed = found is not None and not (prompted and found[0] is role)
        full = size + len(line) > (TURN_AT_MOST if line.strip() else TURN_CHARACTERS)
        if changed or full:
            yield from _said(role, gathered, goes_on)
            gathered, size, goes_on = [], 0, full and not changed
        role, rest = found or (role, line)
        gathered.append(rest)
        size += len(rest)
    yield from _said(role, gathered, goes_on)


def _said(role: Speaker, lines: list[str], goes_on: bool) -> Iterator[Turn]:
    text = "".join(lines).strip()
    if text:
        yield Turn(role, text, goes_on=goes_on)


def _label(line: str) -> tuple[Speaker, str] | None:
    """The speaker a line names, and the rest of the line."""
    found = _LABEL.match(line)
    speaker = _ROLES.get(found["name"].lower()) if found else None
    if found is None or speaker is None or (len(found["name"]) == 1 and found["name"].islower()):
        return None
    named = ":" in found["close"] or found["heading"]
    return (speaker, line[found.end() :]) if named else None


def _prompt(line: str, role: Speaker) -> tuple[Speaker, str] | None:
    """In a terminal's copy, a prompt is the user's until a line that neither has the mark nor is indented."""
    if _PROMPT.match(line):
        return Speaker.USER, line[2:]
    spoken = bool(line.strip()) and not line.startswith("  ")
    if role is Speaker.USER and spoken:
        answer = _ANSWER.match(line)
        return Speaker.ASSISTANT, line[answer.end() :] if answer else line
    return None
