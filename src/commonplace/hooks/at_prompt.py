"""What a prompt brings: what it needs and the model does not have before it yet. Often nothing; it counts as no use."""

import os
import re
import threading
from contextlib import suppress

from commonplace.book.reader import BookReader
from commonplace.domain.query import Filter, Hit, Mode, Only
from commonplace.engine.joined import parts_of
from commonplace.errors import CommonplaceError
from commonplace.hooks.block import Block, Section, fitted
from commonplace.hooks.choosing import Choice
from commonplace.hooks.private import Private
from commonplace.ports import BYTES_PER_NUMBER, Embedder
from commonplace.text.pieces import pieces

TOKENS = 400
RELEVANT, STATED = 0.5, 0.7
"""How relevant a memory has to be to a question to be brought unasked, and to what only says something."""
BESIDE_THE_BEST = 0.15
"""So much less relevant than the best, and it is of the topic more than of use."""
BEGINNING, END = 1_500, 500
PIECE, ENDS = 100, 2
"""To a model a long prompt is a little about everything: its pieces are looked up, at most two from either end."""
HITS = 8
MOST = 5
ANY_QUESTION = "?"
_ASKS = re.compile(
    r"[?？]|^(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|should|has|have|wer|was"
    r"|wann|wo|warum|wieso|wie|welche\w?|qui|quoi|quel\w*|quand|où|pourquoi|comment|quién|qué|cuál|cuándo|dónde|cómo|chi|cosa"
    r"|quale|quando|dove|perché|come|quem|qual|onde|como)\b",
    re.IGNORECASE,
)


def for_prompt(book: BookReader, prompt: str, private: Private, known: frozenset[str], mode: Mode) -> Block:
    """What the book has on a prompt, best first; `known` are ids that the model has before it."""
    asked = prompt if len(prompt) <= BEGINNING + END else _shortened(prompt)
    if not asked.strip() or private.holds(asked):
        return Block()
    hits = _whole(book, asked) if mode is Mode.WORDS else _by_pieces(book, asked)
    if not hits:
        return Block()
    with book.caller.reading() as work:
        choice = Choice(work, private, known)
        fits = [hit for hit in hits if choice.admits(hit.memory)]
        lines = tuple(choice.piece(hit.memory, f"fits the prompt, relevance {hit.relevance:.2f}") for hit in fits)
    return fitted((Section(lines, TOKENS),))


def _whole(book: BookReader, prompt: str) -> tuple[Hit, ...]:
    return _found(book, prompt, Mode.WORDS, RELEVANT)


def _by_pieces(book: BookReader, prompt: str) -> list[Hit]:
    """What any piece of a prompt is about, by words and meaning."""
    best: dict[str, Hit] = {}
    for piece in pieces(prompt, PIECE, ENDS):
        found = _found(book, piece, Mode.AUTO, RELEVANT if _ASKS.search(piece) else STATED)
        for hit in found:
            near = hit.relevance >= found[0].relevance - BESIDE_THE_BEST
            if near and (hit.memory.id not in best or best[hit.memory.id].relevance < hit.relevance):
                best[hit.memory.id] = hit
    return sorted(best.values(), key=lambda hit: -hit.relevance)[:MOST]


def _found(book: BookReader, words: str, mode: Mode, least: float) -> tuple[Hit, ...]:
    return book.recall(
        words,
        filter=Filter((), automatic=True),
        limit=HITS,
        min_relevance=least,
        mode=mode,
        counts_use=False,
        surface="hook",
        only=Only.MEMORIES,
    ).hits


def get_ready(embedder: Embedder) -> None:
    """Load the models while something else is done: most of that time Python has nothing to do."""
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # numpy makes its threads as it is imported; one query needs none
    for part in parts_of(embedder):
        if not part.uses_network:
            threading.Thread(target=_load, args=(part,), daemon=True).start()


def _load(part: Embedder) -> None:
    with suppress(CommonplaceError):  # whoever asks it next is told
        part.embed_query(ANY_QUESTION)


def read_vectors(book: BookReader) -> None:
    """Have the vectors of the book at hand before the models are."""
    with book.caller.reading() as work:
        for part in parts_of(book.embedder):
            work.unit.vectors.similarity(bytes(BYTES_PER_NUMBER * part.space.dimensions), part.space, ())


def _shortened(prompt: str) -> str:
    """The beginning and the end of a long prompt, where people say what they want."""
    return f"{prompt[:BEGINNING]}\n{prompt[-END:]}"
