"""Turns as they may be kept: without what recall put there, and without sentences that hold a secret or may."""

from collections.abc import Iterable, Iterator

from commonplace import deadline, secrets
from commonplace.sessions.distil.prose import Span, injected_spans
from commonplace.sessions.distil.secrecy import Secrecy
from commonplace.sessions.distil.sentences import sentences
from commonplace.sessions.transcripts import Turn


def cleaned(turns: Iterable[Turn]) -> Iterator[Turn]:
    """The turns of a conversation that say something of their own; nothing else is changed in them."""
    secrecy = Secrecy()
    closing = ""
    for turn in deadline.each(turns):
        injected, closing = injected_spans(turn.text, closing if turn.goes_on else "")
        text = _without(turn.text, injected)
        if secrecy.suspects(text):
            text = "\n".join(_open_lines(text, secrecy))
            text = unless_secret(text)
        if text == turn.text:
            yield turn
        elif text.strip():
            yield Turn(turn.role, text.strip(), turn.at, turn.surface, turn.goes_on)


def unless_secret(text: str) -> str:
    """The text, or nothing where sentences that stood apart say a secret together."""
    return "" if secrets.find(text) else text


def _without(text: str, spans: list[Span]) -> str:
    borders = [0, *(border for span in spans for border in span), len(text)]
    return "".join(text[start:end] for start, end in zip(borders[::2], borders[1::2], strict=True))


def _open_lines(text: str, secrecy: Secrecy) -> Iterator[str]:
    """Line by line and sentence by sentence; what spans lines, like a key, takes all of its lines along."""
    place = 0
    for line in deadline.each(text.splitlines(keepends=True)):
        span = (place, place + len(line))
        place = span[1]
        if not secrecy.covers(text, span):
            yield line.rstrip("\r\n")
            continue
        kept = [part for part in sentences(text, span) if not secrecy.covers(text, part)]
        if kept:
            yield " ".join(text[first:last] for first, last in kept)
