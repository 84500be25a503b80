"""Queries that look like code, commands or noise: words, and nothing but words."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.book.book import Book
from commonplace.domain.memory import Memory, index_terms
from commonplace.domain.query import RECALL_LIMIT
from commonplace.errors import InvalidInput, SecretRefused
from commonplace.text import query_terms, terms
from tests.faults.workshop import open_book

QUERIES = 3_000
CORPUS = 24

WORDS = (
    "harbour",
    "boat",
    "tide",
    "near",
    "and",
    "or",
    "not",
    "the",
    "terms",
    "words",
    "rank",
    "column",
    "café",
    "Größe",
    "naïve",
    "straße",
    "don't",
    "user_name",
    "getUserName",
    "pre-edit",
    "20.04",
    "3.14",
    "GB/s",
    "C++",
    "C#",
    "node.js",
    "a@b.c",
    "v1.2.3-rc1",
    "--force",
    "../etc/passwd",
    "東京",
    "事務所",
    "九時",
    "개발",
    "환경",
    "ありがとう",
    "カタカナ",
    "ＦＵＬＬ",
    "ﬁne",
    "½",
    "²",
    "Ⅷ",
    "İstanbul",
    "ǅ",
    "ß",
    "ſ",
    "ŉ",
    "ﷺ",
    "Ångström",
    "e\u0301",
    "x\u0336y",
)
OPERATORS = (
    '"',
    '""',
    "'",
    "''",
    "*",
    "^",
    "(",
    ")",
    "()",
    "{",
    "}",
    ":",
    "-",
    "+",
    "AND",
    "OR",
    "NOT",
    "NEAR",
    "NEAR(",
    "NEAR(harbour boat, 2)",
    "terms:",
    "terms : ",
    "{terms}:",
    "- terms:",
    "words MATCH",
    "rank",
    "rowid:1",
    "harbour*",
    "^harbour",
    '"harbour boat"',
    "harbour + boat",
    "; DROP TABLE words; --",
    "%",
    "_",
    "\\",
    "/",
    "|",
    "&",
    "~",
    "`",
    "?",
    "?1",
    ":tenant",
    "@x",
    "$y",
    "<",
    ">",
    "=",
    "!",
    "#",
    ",",
    ".",
    "...",
)
NOISE = (
    "\x00",
    "\x01",
    "\x1b[31m",
    "\x7f",
    "\x85",
    "\u200b",
    "\u200d",
    "\u202e",
    "\ufeff",
    "\ufffd",
    "\U000e0041",
    "\n",
    "\r\n",
    "\t",
    "\u2028",
    "\u3000",
    "\ud800",
    "\udfff",
    "\u0301",
    "\U0001f600",
    "\U0001f469\u200d\U0001f467",
    "🇪🇸",
    "𝔘𝔫𝔦",
    "ﬀ",
    "ﾊﾝｶｸ",
    "א",
    "ى",
    "क्षि",
    "ไทย",
)


def noise(chance: random.Random) -> str:
    """A query from the worst of keyboards."""
    parts: list[str] = []
    for _ in range(chance.choice((1, 2, 3, 5, 9, 40))):
        match chance.randrange(8):
            case 0 | 1 | 2:
                parts.append(chance.choice(WORDS))
            case 3 | 4:
                parts.append(chance.choice(OPERATORS))
            case 5:
                parts.append(chance.choice(NOISE))
            case 6:
                parts.append(chr(chance.randrange(0x110000)))
            case _:
                parts.append("".join(chr(chance.randrange(1, 0x250)) for _ in range(chance.randrange(6))))
    return chance.choice(("", " ", " ", '"')).join(parts)


def fill(book: Book, chance: random.Random, count: int) -> None:
    """Memories of the same noise; what cannot be stored is left out, what looks like a secret said otherwise."""
    while count > 0:
        text = noise(chance).replace("\x00", "").encode("utf-8", "ignore").decode()
        labels = {"tags": [chance.choice(WORDS)], "category": chance.choice(WORDS)}
        with suppress(SecretRefused):
            book.remember(f"{count} {chance.choice(WORDS)} {text} {chance.choice(WORDS)}", **labels)
            count -= 1


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    chance = random.Random(1)
    with open_book(tmp_path_factory.mktemp("words") / "book.db", vectors=False) as book:
        fill(book, chance, CORPUS)
        yield book


@pytest.fixture(scope="module")
def indexed(book: Book) -> dict[int, set[str]]:
    """What each memory is to be found by: the terms that were made for the index, each a word of its own."""
    return {memory.number: indexed_terms(memory) for memory in book.list(limit=CORPUS + 1).memories}


def indexed_terms(memory: Memory) -> set[str]:
    return set(index_terms(memory, terms(memory.text)).split())


def sayable(query: str) -> bool:
    """Whether a query is text at all: not blank, no NUL, no half of a surrogate pair. What is not may be refused."""
    return bool(query.strip()) and "\x00" not in query and query.encode("utf-8", "replace").decode() == query


def found_numbers(book: Book, query: str) -> set[int] | None:
    """What a query finds, or None when it was refused."""
    try:
        recall = book.recall(query, limit=RECALL_LIMIT, counts_use=False)
    except InvalidInput:
        return None
    return {hit.memory.number for hit in recall.hits}


def meant(indexed: dict[int, set[str]], query: str) -> set[int]:
    wanted = set(query_terms(query))
    return {number for number, known in indexed.items() if known & wanted}


def test_every_query_finds_exactly_the_memories_that_share_a_word_with_it(
    book: Book, indexed: dict[int, set[str]], scaled: Callable[[int, int], int]
) -> None:
    chance = random.Random(20261115)
    wrong: list[str] = []
    refused = matched = 0
    count = scaled(QUERIES, 50_000)
    for _ in range(count):
        query = noise(chance)
        found = found_numbers(book, query)
        if found is None:
            refused += 1
            assert not sayable(query), f"refused: {query!r}"
            continue
        matched += bool(found)
        if found != meant(indexed, query):
            wrong.append(f"{query!r}: found {found}, meant {meant(indexed, query)}")
    assert wrong == []
    assert refused < count / 3
    assert matched > count / 5, "hardly a query found anything: the test tests nothing"


@given(query=st.text(max_size=80))
def test_any_text_is_a_query(book: Book, indexed: dict[int, set[str]], query: str) -> None:
    found = found_numbers(book, query)
    assert found == meant(indexed, query) if found is not None else not sayable(query)


@pytest.mark.parametrize(
    "query",
    [
        "terms:harbour",
        "harbour*",
        "^harbour",
        "harbour NOT boat",
        "NEAR(harbour boat)",
        '"harbour boat"',
        "-harbour",
        "harbour AND nothingelse",
        "{terms}: harbour",
        "harbour + boat",
        "(harbour",
        'harbour"',
    ],
)
def test_no_operator_has_a_meaning(query: str, tmp_path: Path) -> None:
    """Each of these means something to FTS5; here each means its words."""
    with open_book(tmp_path / "book.db", vectors=False) as book:
        book.remember("The harbour is old")
        book.remember("The boat is new")
        book.remember("The harbour has a boat")
        book.remember("Harbourmaster is somebody else")
        everything = {memory.number: indexed_terms(memory) for memory in book.list().memories}
        assert found_numbers(book, query) == meant(everything, query) != set()


def test_no_query_upsets_a_book_that_also_looks_by_meaning(tmp_path: Path, scaled: Callable[[int, int], int]) -> None:
    chance = random.Random(8)
    with open_book(tmp_path / "book.db") as book:
        fill(book, chance, 30)
        for word in WORDS[:10]:
            book.remember(f"The word of the day is {word}", topic=f"topic {word}")
        for _ in range(scaled(600, 5_000)):
            query = noise(chance)
            try:
                book.recall(query, counts_use=False)
                book.why(query, 1)
            except InvalidInput:
                assert not sayable(query), f"refused: {query!r}"


def test_a_query_that_is_too_long_is_refused_in_one_sentence(book: Book) -> None:
    with pytest.raises(InvalidInput) as caught:
        book.recall("harbour " * 2_001)
    assert caught.value.argument == "query"


@pytest.mark.parametrize("length", [100, 1_000, 7_999])
def test_a_long_query_is_answered_from_its_first_words(length: int, book: Book, indexed: dict[int, set[str]]) -> None:
    chance = random.Random(length)
    query = " ".join(chance.choice(WORDS) for _ in range(length))[:length]
    assert found_numbers(book, query) == meant(indexed, query)
