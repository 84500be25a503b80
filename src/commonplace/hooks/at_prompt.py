"""What a prompt brings: what it needs and the model does not have before it yet. Often nothing; it counts as no use."""

import os
import threading
from contextlib import suppress

from commonplace.book.reader import BookReader
from commonplace.domain.query import Filter, Mode, Only
from commonplace.engine.joined import parts_of
from commonplace.errors import CommonplaceError
from commonplace.hooks.block import Block, Section, fitted
from commonplace.hooks.choosing import Choice
from commonplace.hooks.private import Private
from commonplace.ports import BYTES_PER_NUMBER, Embedder

TOKENS = 400
RELEVANT = 0.5
"""How relevant a memory has to be to a prompt to be brought unasked."""
BEGINNING, END = 1_500, 500
HITS = 8
ANY_QUESTION = "?"


def for_prompt(book: BookReader, prompt: str, private: Private, known: frozenset[str], mode: Mode) -> Block:
    """What the book has on a prompt, best first; `known` are ids that the model has before it."""
    asked = prompt if len(prompt) <= BEGINNING + END else _shortened(prompt)
    if not asked.strip() or private.holds(asked):
        return Block()
    found = book.recall(
        asked,
        filter=Filter((), automatic=True),
        limit=HITS,
        min_relevance=RELEVANT,
        mode=mode,
        counts_use=False,
        surface="hook",
        only=Only.MEMORIES,
    )
    if not found.hits:
        return Block()
    with book.caller.reading() as work:
        choice = Choice(work, private, known)
        fits = [hit for hit in found.hits if choice.admits(hit.memory)]
        pieces = tuple(choice.piece(hit.memory, f"fits the prompt, relevance {hit.relevance:.2f}") for hit in fits)
    return fitted((Section(pieces, TOKENS),))


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
