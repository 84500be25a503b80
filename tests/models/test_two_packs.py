"""A book with both real packs, on both engines: every language finds every other, and English stays what it was."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.config import load
from commonplace.engine.joined import JoiningStore, parts_of
from commonplace.errors import InvalidInput
from commonplace.models.installed import chosen
from commonplace.models.local import LocalEmbedder
from commonplace.models.packs import DEFAULT_PACK, PACKS
from commonplace.ports import is_blank
from commonplace.wiring import assemble
from tests.models.conftest import MANY_LANGUAGES
from tests.postgres import Server

BOTH = f"{DEFAULT_PACK}+{MANY_LANGUAGES}"
ENGLISH = ("The user is allergic to peanuts.", "The staging database listens on port 5433.", "Lunch is at noon.")
GERMAN = ("Der Wagen steht in der Tiefgarage auf Ebene 3.", "Die Bäckerei hat am Mittwoch geschlossen.")
CHINESE = "女儿每周三下午四点上芭蕾课。"

OpenPacks = Callable[..., Book]


@pytest.fixture(params=["sqlite", "postgres"])
def open_packs(request: pytest.FixtureRequest, models: Path, tmp_path: Path) -> Iterator[OpenPacks]:
    """Opens one book, again and again with other packs; all are closed at the end."""
    place = str(tmp_path / "book.db")
    if request.param == "postgres":
        server: Server = request.getfixturevalue("postgres")
        place = server.address(server.new_database())
    opened: list[Book] = []

    def open_one(model: str = BOTH, folder: Path = models) -> Book:
        book = Book.open(configuration=load({"store": place, "model": model, "models": str(folder)}, {}, tmp_path))
        opened.append(book)
        return book

    yield open_one
    for book in opened:
        book.close()


def best(book: Book, question: str) -> str:
    hits = book.recall(question, counts_use=False).hits
    return hits[0].memory.text if hits else ""


def counts(book: Book) -> dict[str, int]:
    with book.caller.reading() as work:
        return work.unit.vectors.counts()


def test_questions_in_one_language_find_memories_in_another(open_packs: OpenPacks) -> None:
    book = open_packs()
    for text in (*ENGLISH, *GERMAN, CHINESE):
        book.remember(text)
    assert best(book, "Where is the car parked?") == GERMAN[0]
    assert best(book, "On which day is the bakery closed?") == GERMAN[1]
    assert best(book, "When does the daughter have her dance class?") == CHINESE
    assert best(book, "Gegen welches Lebensmittel ist der Benutzer allergisch?") == ENGLISH[0]
    assert best(book, "测试数据库用哪个端口？") == ENGLISH[1]
    assert best(book, "Wo haben wir das Auto geparkt?") == GERMAN[0]


@pytest.mark.parametrize("speaker", ["", "Ruth: "])
def test_of_what_people_said_to_each_other_the_second_pack_has_no_opinion_in_english(
    open_packs: OpenPacks, speaker: str
) -> None:
    alone = open_packs(DEFAULT_PACK)
    for text in ENGLISH:
        alone.remember(f"{speaker}{text}")
    both = open_packs()
    assert both.care.missing_vectors() == len(ENGLISH)
    assert both.care.reembed() == len(ENGLISH)
    for question in ("which food must be avoided?", "what port is staging on?", "when do we eat?"):
        expected, found = (_relevances(book, question) for book in (alone, both))
        assert next(iter(found)) == next(iter(expected))
        assert found.keys() == expected.keys()
        assert (found == pytest.approx(expected, abs=2e-3)) == bool(speaker)


def test_what_the_second_pack_says_is_told_and_only_once(open_packs: OpenPacks) -> None:
    book = open_packs()
    for text in (ENGLISH[0], GERMAN[0]):
        book.remember(text)
    assert _told(book, "which food must be avoided?") == {ENGLISH[0]}
    assert _told(book, "Welches Lebensmittel muss man meiden?") == set(), "its say is in the likeness already"
    assert _told(open_packs(DEFAULT_PACK), "which food must be avoided?") == set()
    assert _told(open_packs(MANY_LANGUAGES), "which food must be avoided?") == set()


def _relevances(book: Book, question: str) -> dict[str, float]:
    hits = book.recall(question, min_relevance=0, counts_use=False).hits
    return {hit.memory.text: hit.relevance for hit in hits}


def _told(book: Book, question: str) -> set[str]:
    """The memories of which `why` names what a second model finds."""
    trace = book.recall(question, min_relevance=0, explain=True).trace
    assert trace is not None
    (stage,) = [each for each in trace.stages if each.stage == "judgement"]
    return {trace.memories[score.number].text for score in stage.scores if "second model" in dict(score.parts)}


def test_two_english_texts_are_as_alike_as_the_default_pack_finds_them(open_packs: OpenPacks) -> None:
    """What repeats a memory and what contradicts it does not depend on whether a second pack is installed."""
    alone = open_packs(DEFAULT_PACK)
    for text in ENGLISH:
        alone.remember(text)
    both = open_packs()
    both.care.reembed()
    for text in ("Peanuts give the user an allergic reaction.", "Staging's database is reached at port 5433."):
        expected, found = ([_likeness(book, text, memory) for memory in ENGLISH] for book in (alone, both))
        assert found == pytest.approx(expected, abs=2e-4)


def _likeness(book: Book, text: str, known: str) -> float:
    with book.caller.reading() as work:
        (number,) = [memory.number for memory in book.list().memories if memory.text == known]
        embedder = book.caller.models.embedder
        assert embedder is not None
        vector = embedder.embed([text])[0]
        return work.unit.vectors.similarity(vector, embedder.space, [number])[number]


def test_what_has_its_vector_is_not_embedded_again(open_packs: OpenPacks, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = open_packs(DEFAULT_PACK)
    made = [alone.remember(text).memory.number for text in (*ENGLISH, *GERMAN)]
    space = PACKS[DEFAULT_PACK].space
    with alone.caller.reading() as work:
        before = work.unit.vectors.of(made, space)
    both = open_packs()

    def refuse(texts: object) -> None:
        raise AssertionError("embedded again")

    monkeypatch.setattr(parts_of(both.embedder)[0], "embed", refuse)
    assert both.care.reembed(prune=True) == len(made)
    with both.caller.reading() as work:
        assert work.unit.vectors.of(made, space) == before
    assert both.care.missing_vectors() == 0
    assert best(both, "Where is the car parked?") == GERMAN[0]


def test_nobody_is_missing_in_a_space_that_is_not_for_their_language(open_packs: OpenPacks) -> None:
    book = open_packs()
    numbers = [book.remember(text).memory.number for text in (ENGLISH[0], GERMAN[0], CHINESE)]
    assert book.care.missing_vectors() == 0
    assert {finding.check: finding.ok for finding in book.care.doctor()}["vectors"]
    default, other, english = parts_of(book.embedder)
    with book.caller.reading() as work:
        held = [work.unit.vectors.of(numbers, part.space) for part in (default, other, english)]
    read = [[not is_blank(vectors[number]) for number in numbers] for vectors in held]
    assert read == [[True, True, False], [False, True, True], [True, False, False]]


def test_a_purge_reaches_every_space_and_a_new_text_has_new_vectors(open_packs: OpenPacks) -> None:
    book = open_packs()
    german, english = (book.remember(text).memory for text in (GERMAN[0], ENGLISH[0]))
    assert set(counts(book).values()) == {2}
    assert len(counts(book)) == 3
    book.purge(german.id)
    assert set(counts(book).values()) == {1}
    book.update(english.id, text=CHINESE)
    assert best(book, "When is the ballet lesson?") == CHINESE
    assert book.care.missing_vectors() == 0
    book.purge(english.id)
    assert counts(book) == {}


def test_every_way_in_gives_a_memory_all_its_vectors(open_packs: OpenPacks) -> None:
    book = open_packs()
    book.remember_many([book.draft(text) for text in (*ENGLISH, *GERMAN)])
    first = book.remember(CHINESE).memory
    book.update(first.id, text="女儿每周四下午四点上芭蕾课。")
    book.undo.take_back()
    assert book.care.missing_vectors() == 0
    assert set(counts(book).values()) == {len(ENGLISH) + len(GERMAN) + 1}


def test_the_older_packs_vectors_serve_until_the_new_ones_are_there(open_packs: OpenPacks) -> None:
    open_packs(DEFAULT_PACK).remember(ENGLISH[0])
    found = open_packs().recall("which food must be avoided?", min_relevance=0, counts_use=False)
    assert found.effective_mode.value == "hybrid"
    assert found.hits[0].vector_score is not None


# -- which packs ------------------------------------------------------------------------------


def folder_with(models: Path, folder: Path, *names: str) -> Path:
    folder.mkdir()
    for name in names:
        (folder / name).symlink_to(models / name)
    return folder


def test_the_default_pack_alone_is_what_it_was(models: Path, tmp_path: Path) -> None:
    folder = folder_with(models, tmp_path / "one", DEFAULT_PACK)
    settings = load({"store": str(tmp_path / "book.db"), "models": str(folder)}, {}, tmp_path)
    parts = assemble(settings)
    assert isinstance(parts.embedder, LocalEmbedder)
    assert not isinstance(parts.store, JoiningStore)
    assert parts.replaced == ()
    assert parts.embedder.space == PACKS[DEFAULT_PACK].space


def test_unless_packs_are_named_those_that_are_installed_are_used(models: Path, tmp_path: Path) -> None:
    many, default = PACKS[MANY_LANGUAGES], PACKS[DEFAULT_PACK]
    assert chosen("auto", tmp_path) == (default,)
    assert chosen("auto", folder_with(models, tmp_path / "one", DEFAULT_PACK)) == (default,)
    assert chosen("auto", folder_with(models, tmp_path / "other", MANY_LANGUAGES)) == (many,)
    assert chosen("auto", models) == (default, many)


def test_packs_are_named_in_any_order(tmp_path: Path) -> None:
    many, default = PACKS[MANY_LANGUAGES], PACKS[DEFAULT_PACK]
    assert chosen(BOTH, tmp_path) == chosen(f"{MANY_LANGUAGES} + {DEFAULT_PACK}", tmp_path) == (default, many)
    assert chosen(MANY_LANGUAGES, tmp_path) == (many,)


@pytest.mark.parametrize("setting", ["", "other", "arctic-s+", "arctic-s+arctic-s", "arctic-s+bge-small"])
def test_packs_that_do_not_go_together_are_refused(setting: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as refused:
        chosen(setting, tmp_path)
    assert refused.value.argument == "model"


def test_of_two_packs_the_one_that_is_there_is_used(models: Path, tmp_path: Path) -> None:
    folder = folder_with(models, tmp_path / "one", DEFAULT_PACK)
    settings = load({"store": str(tmp_path / "book.db"), "model": BOTH, "models": str(folder)}, {}, tmp_path)
    assert [str(part.space) for part in parts_of(assemble(settings).embedder)] == [str(PACKS[DEFAULT_PACK].space)]


def test_a_pack_that_is_damaged_is_not_passed_over_in_silence(models: Path, tmp_path: Path) -> None:
    folder = folder_with(models, tmp_path / "packs", DEFAULT_PACK)
    shutil.copytree(models / MANY_LANGUAGES, folder / MANY_LANGUAGES)
    (folder / MANY_LANGUAGES / "sp.model").write_bytes(b"")
    with Book.open(tmp_path / "book.db", configuration=None, model="none") as book:
        book.remember(ENGLISH[0])
    settings = load({"store": str(tmp_path / "book.db"), "models": str(folder)}, {}, tmp_path)
    with Book.open(configuration=settings) as book:
        remembered = book.remember(GERMAN[0])
        assert "models pull use-multilingual" in remembered.warnings[0]
        found = book.recall("peanuts")
        assert "models pull use-multilingual" in found.warnings[0]
        assert found.hits[0].memory.text == ENGLISH[0]
        findings = {(each.check, each.ok): each.detail for each in book.care.doctor()}
    assert "use-multilingual is damaged" in findings["model", False]
    assert "snowflake-arctic-embed-s can be used" in findings["model", True]
