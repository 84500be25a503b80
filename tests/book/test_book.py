"""The book itself: how memories are named, who may do what, how it is opened, shared and listed."""

import inspect
import threading
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path

import pytest

import commonplace
from commonplace import imports
from commonplace.book.book import Book
from commonplace.book.edits import Edit
from commonplace.book.subjects import Subjects
from commonplace.config import Settings
from commonplace.decisions.decision import Inquiry, Proposal
from commonplace.documents.evidence import EvidenceType, Source
from commonplace.domain.entries import Entry
from commonplace.domain.memory import Memory, RelationKind, Status
from commonplace.domain.query import PAGE_LIMIT, Filter, Order
from commonplace.domain.scope import Principal, Right, Scope
from commonplace.dream import Plan, Run, RunStatus
from commonplace.dream.runs import put_run
from commonplace.engine.caller import Door
from commonplace.engine.lifecycle import Changes
from commonplace.engine.membership import Role
from commonplace.errors import BookClosed, CommonplaceError, Denied, InvalidInput, NotFound
from commonplace.store.sqlite import SqliteStore
from commonplace.wiring import store_at
from tests.conftest import ManualClock, OpenBook
from tests.hashing import HashingEmbedder
from tests.postgres import Server

READER = Principal(rights=frozenset({Right.READ}))
NOBODY = Principal(rights=frozenset())


# -- references -------------------------------------------------------------------------------


def spellings(memory: Memory) -> dict[str, object]:
    ulid = memory.id.removeprefix("mem_")
    return {
        "the memory": memory,
        "id": memory.id,
        "context": f"ctx_{ulid}",
        "curated": f"cur_{ulid}",
        "bare": ulid,
        "number": memory.number,
        "number as text": str(memory.number),
        "with a hash": f"#{memory.number}",
        "lower case": memory.id.lower(),
        "blanks": f" {memory.id} ",
    }


@pytest.mark.parametrize("spelling", sorted(spellings(Memory("mem_X", 1, "x", Scope.parse("user:a"), 0, 0))))
def test_a_memory_is_known_by_many_names(book: Book, spelling: str) -> None:
    book.remember("before it")
    memory = book.remember("Deploys are on Monday").memory
    assert book.get(spellings(memory)[spelling]) == memory  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "reference",
    [
        "",
        " ",
        "mem_",
        "evt_01KDVDNA00H98YQT6QR33ZC24E",
        "#",
        "#x",
        "1.5",
        "-1",
        -1,
        0,
        99,
        2**70,
        -(2**70),
        "9" * 30,
        "\ud800",
        "mem_\ud800",
        "mem_a\x00b",
        "x" * 100_000,
        "mem_' OR 1=1 --",
        "١",
    ],
)
def test_any_other_name_is_an_unknown_memory(book: Book, reference: str | int) -> None:
    book.remember("Deploys are on Monday")
    with pytest.raises(NotFound) as caught:
        book.get(reference)
    assert len(caught.value.message) < 200


# -- rights -----------------------------------------------------------------------------------

TABS = Proposal("Tabs", "ada", "We argue", "Tabs it is", "Peace", "style")


def first(book: Book) -> Memory:
    """The first memory, found without the right to read."""
    with book._caller.store.reading("local") as unit:
        found = unit.memories.by_number(1)
    assert found is not None
    return found


_READS = {
    "recall": lambda book: book.recall("deploys"),
    "why": lambda book: book.why("deploys"),
    "get": lambda book: book.get(1),
    "list": lambda book: book.list(),
    "history": lambda book: book.history(1),
    "revisions": lambda book: book.revisions(1),
    "relations": lambda book: book.relations(1),
    "relations_of": lambda book: book.relations_of([1]),
    "same": lambda book: book.same("x"),
    "each": lambda book: list(book.each()),
    "reinforce": lambda book: book.reinforce(book.get(1)),
    "use": lambda book: book.use([book.get(1)], "test"),
    "every_scope": lambda book: book.every_scope(),
    "here": lambda book: book.here(),
    "names_of": lambda book: book.names_of([]),
    "project_ids": lambda book: book.project_ids("harbour"),
    "project_name": lambda book: book.project_name("shop"),
    "places": lambda book: book.places(),
    "projects.list": lambda book: book.projects.list(),
    "projects.unnamed": lambda book: book.projects.unnamed(),
    "projects.claimed": lambda book: book.projects.claimed(),
    "default_scopes": lambda book: book.default_scopes(),
    "reflect": lambda book: book.reflect("deploys"),
    "curated.entries": lambda book: book.curated.entries(book.scope()),
    "curated.snapshot": lambda book: book.curated.snapshot(book.scope()),
    "curated.waiting": lambda book: book.curated.waiting(book.scope()),
    "sessions.count": lambda book: book.sessions.count([book.principal.own_scope]),
    "sessions.list": lambda book: book.sessions.list(book.scopes),
    "sessions.get": lambda book: book.sessions.get("ses_1"),
    "sessions.turns": lambda book: book.sessions.turns("ses_1"),
    "sessions.search": lambda book: book.sessions.search("deploys", book.scopes),
    "sessions.learnt": lambda book: book.sessions.learnt("ses_1"),
    "sessions.left_out": lambda book: book.sessions.left_out("ses_1"),
    "sessions.raw": lambda book: book.sessions.raw(book.scopes),
    "near_groups": lambda book: book.near_groups(),
    "pairs": lambda book: book.pairs(),
    "corrections.list": lambda book: book.corrections.list(),
    "dreams.plan": lambda book: book.dreams.plan(),
    "dreams.due": lambda book: book.dreams.due(Settings()),
    "dreams.get_run": lambda book: book.dreams.get_run("drm_1"),
    "dreams.list_runs": lambda book: book.dreams.list_runs(),
    "dreams.list_insights": lambda book: book.dreams.list_insights(),
    "transfer.note_export": lambda book: book.transfer.note_export({}),
    "transfer.export": lambda book: list(book.transfer.export()),
    "transfer.export_all": lambda book: list(book.transfer.export_all()),
    "transfer.page": lambda book: list(book.transfer.page()),
    "documents.list": lambda book: book.documents.list(),
    "documents.get": lambda book: book.documents.get("notes.md"),
    "documents.chunks": lambda book: book.documents.chunks("notes.md"),
    "documents.get_chunk": lambda book: book.documents.get_chunk(book.documents.chunks("notes.md")[0].id),
    "documents.search": lambda book: book.documents.search("deploys"),
    "evidence.of": lambda book: book.evidence.of(1),
    "get_many": lambda book: book.get_many([1]),
    "team_scopes": lambda book: book.team_scopes(),
    "undo.list": lambda book: book.undo.list(),
    "evidence.counts": lambda book: book.evidence.counts(["mem_X"]),
    "evidence.grounds": lambda book: book.evidence.grounds(["mem_X"]),
    "decisions.get": lambda book: book.decisions.get("DEC-001", book.scopes),
    "decisions.list": lambda book: book.decisions.list(book.scopes),
    "decisions.query": lambda book: book.decisions.query(Inquiry(book.scopes, "tabs")),
    "decisions.chain": lambda book: book.decisions.chain(book.scope(), "DEC-001"),
    "decisions.history": lambda book: book.decisions.history(book.scope(), "DEC-001"),
    "teams.list": lambda book: book.teams.list(),
    "teams.members": lambda book: book.teams.members("core"),
    "teams.teams_of": lambda book: book.teams.teams_of("local"),
    "teams.history": lambda book: book.teams.history("core"),
    "teams.review": lambda book: book.teams.review("core"),
    "teams.contributions": lambda book: book.teams.contributions(first(book)),
    "care.doctor": lambda book: list(book.care.doctor()),
    "care.missing_vectors": lambda book: book.care.missing_vectors(),
    "care.spot_check": lambda book: book.care.spot_check(book.scopes),
    "count": lambda book: book.count(),
    "review": lambda book: book.review(),
}
_WRITES = {
    "sessions.is_saved": lambda book: book.sessions.is_saved(book.scope(), "k"),
    "projects.noted": lambda book: book.projects.noted(Path("/srv/shop")),
    "projects.rename": lambda book: book.projects.rename("shop", "till"),
    "projects.merge": lambda book: book.projects.merge("shop", "till"),
    "projects.bind": lambda book: book.projects.bind(Path("."), "shop"),
    "remember": lambda book: book.remember("x"),
    "remember_many": lambda book: book.remember_many([]),
    "update": lambda book: book.update(1, Changes(text="x")),
    "update_many": lambda book: book.update_many([Edit(1, Changes(text="x"))]),
    "confirm": lambda book: book.confirm(1),
    "confirm_many": lambda book: book.confirm_many([1]),
    "reject": lambda book: book.reject(1),
    "supersede": lambda book: book.supersede(1, 2),
    "invalidate": lambda book: book.invalidate(1),
    "archive": lambda book: book.archive(1),
    "archive_many": lambda book: book.archive_many([1]),
    "archive_all": lambda book: book.archive_all(Filter(())),
    "undo.take_back": lambda book: book.undo.take_back(),
    "forget": lambda book: book.forget(1),
    "forget_many": lambda book: book.forget_many([1]),
    "reject_many": lambda book: book.reject_many([1]),
    "restore_many": lambda book: book.restore_many([1]),
    "restore": lambda book: book.restore(3),
    "purge_preview": lambda book: book.purge_preview(1),
    "purge": lambda book: book.purge(1),
    "relate": lambda book: book.relate(1, [2], RelationKind.RELATED_TO),
    "corrections.log": lambda book: book.corrections.log("x"),
    "dreams.apply": lambda book: book.dreams.apply(Plan(0, (), 0, ())),
    "dreams.run": lambda book: book.dreams.run(),
    "dreams.undo": lambda book: book.dreams.undo("drm_1"),
    "curated.add": lambda book: book.curated.add("x", book.scope()),
    "curated.take": lambda book: book.curated.take(book.scope()),
    "sessions.save": lambda book: book.sessions.save([], book.scope()),
    "sessions.append": lambda book: book.sessions.append([], book.scope(), key="k"),
    "sessions.discard_unfinished": lambda book: book.sessions.discard_unfinished("k", book.scope()),
    "sessions.distil_raw": lambda book: book.sessions.distil_raw(book.scopes),
    "sessions.forget": lambda book: book.sessions.forget("ses_1"),
    "sessions.remove": lambda book: book.sessions.remove("ses_1"),
    "transfer.import_": lambda book: book.transfer.import_(DOCUMENT),
    "transfer.take_in": lambda book: book.transfer.take_in([], lambda known, new: True),
    "imports.look": lambda book: book.imports.look(imports.Plan()),
    "imports.take": lambda book: book.imports.take(imports.Plan(items=(imports.Item("Tabs"),))),
    "documents.add": lambda book: book.documents.add("."),
    "documents.add_text": lambda book: book.documents.add_text("notes.md", "x"),
    "documents.refresh": lambda book: book.documents.refresh(),
    "documents.look_again": lambda book: book.documents.look_again([]),
    "documents.remove": lambda book: book.documents.remove("notes.md"),
    "evidence.attach": lambda book: book.evidence.attach(1, Source(EvidenceType.COMMIT, "x")),
    "evidence.detach": lambda book: book.evidence.detach("evd_x"),
    "evidence.verify": lambda book: book.evidence.verify(1),
    "decisions.create": lambda book: book.decisions.create(book.scope(), TABS),
    "decisions.supersede": lambda book: book.decisions.supersede(book.scope(), "DEC-001", TABS),
    "decisions.revert": lambda book: book.decisions.revert(book.scope(), "DEC-001", "no"),
    "decisions.update": lambda book: book.decisions.update(book.scope(), "DEC-001", TABS),
    "decisions.remove": lambda book: book.decisions.remove(book.scope(), "DEC-001"),
    "teams.create": lambda book: book.teams.create("other"),
    "teams.invite": lambda book: book.teams.invite("core", "bob"),
    "teams.accept": lambda book: book.teams.accept("core"),
    "teams.change_role": lambda book: book.teams.change_role("core", "local", Role.OWNER),
    "teams.leave": lambda book: book.teams.leave("core"),
    "teams.remove": lambda book: book.teams.remove("core", "local"),
    "teams.delete": lambda book: book.teams.delete("core"),
    "teams.promote": lambda book: book.teams.promote(first(book), "core"),
    "teams.resolve": lambda book: book.teams.resolve("core", [first(book)]),
    "care.reembed": lambda book: book.care.reembed(),
    "care.upgrade": lambda book: book.care.upgrade(),
}
_OWNS = {  # every tenant's memories at once
    "care.repair": lambda book: list(book.care.repair()),
    "care.backup": lambda book: book.care.backup("copy.db"),
    "care.restore": lambda book: book.care.restore("copy.db"),
    "care.reset": lambda book: book.care.reset(),
    "care.tenants": lambda book: book.care.tenants(),
    "care.owners": lambda book: book.care.owners("local"),
    "access.create": lambda book: book.access.create(Principal(user="ada"), "laptop"),
    "access.list": lambda book: book.access.list(),
    "access.revoke": lambda book: book.access.revoke("cp_0"),
}
_NEITHER = {
    "open",
    "close",
    "through",
    "seen_by",
    "confidence",
    "now",
    "scope",
    "over",
    "access.exist",  # asked by the gate of whoever comes
    "access.verify",
    "evidence.attach_in",  # within a transaction that has asked already
    "draft",
    "sessions.preview",
    "care.facts",
    "documents.resting_on",
    "undo.together",  # opens no transaction of its own
}
DOCUMENT = ['{"format":"commonplace-export","version":1}']


def subjects() -> dict[str, type]:
    """The small objects a book carries, by name, from the book's own list."""
    book = Book.over(SqliteStore(Path("nowhere.db")))
    return {
        name: type(getattr(book, name)) for name, kind in vars(Subjects).items() if isinstance(kind, cached_property)
    }


def public_verbs() -> set[str]:
    """Every public method of the book and of the small objects it carries."""
    owners = {"": Book, **{f"{name}.": kind for name, kind in subjects().items()}}
    return {
        prefix + name
        for prefix, owner in owners.items()
        for name, _ in inspect.getmembers(owner, inspect.isroutine)
        if not name.startswith("_") and not isinstance(getattr(owner, name), cached_property)
    }


def test_every_verb_is_known_to_read_to_write_or_to_do_neither() -> None:
    assert public_verbs() == _READS.keys() | _WRITES.keys() | _OWNS.keys() | _NEITHER


@pytest.fixture
def written(open_book: OpenBook) -> Book:
    book = open_book()
    for text in ("Deploys are on Monday", "Lunch is at noon", "It rains"):
        book.remember(text)
    book.forget(3)
    book.documents.add_text("notes.md", "Deploys are on Monday")
    book.decisions.create(book.scope(), TABS)
    book.teams.create("core")
    book.projects.noted(Path("/srv/harbour"))
    with book._caller.store.writing("local") as unit:
        body = {"label": "x", "summary": "x", "surface": None, "turns": 0, "learnings": []}
        unit.entries.put(Entry("session", "ses_1", "user:local", 0, body))
        put_run(unit, Run("drm_1", Scope.parse("user:local"), 0, RunStatus.APPLIED))
    return book


def rows(book: Book) -> list[object]:
    """Everything a verb could have written."""
    everything = Filter(book.scopes, statuses=(), include_expired=True)
    memories = [(memory.text, memory.revision) for memory in book.list(everything).memories]
    return [memories, book.decisions.list(book.scopes), book.teams.list(), book.teams.members("core")]


@pytest.mark.parametrize("verb", sorted([*_WRITES, *_OWNS]))
def test_a_reader_cannot_write_through_any_verb(
    open_book: OpenBook, written: Book, verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = rows(written)
    with pytest.raises(Denied):
        {**_WRITES, **_OWNS}[verb](open_book(principal=READER))
    assert rows(written) == before


@pytest.mark.parametrize("verb", sorted(_READS))
def test_a_reader_can_read_through_every_verb(open_book: OpenBook, written: Book, verb: str) -> None:
    assert written.list().total == 2
    _READS[verb](open_book(principal=READER))


@pytest.mark.parametrize("verb", sorted(_READS))
def test_without_the_right_to_read_nothing_can_be_read(open_book: OpenBook, written: Book, verb: str) -> None:
    assert written.list().total == 2
    with pytest.raises(Denied):
        _READS[verb](open_book(principal=NOBODY))


@pytest.mark.parametrize("verb", sorted(_OWNS))
def test_whoever_writes_memories_does_not_thereby_own_the_book(
    open_book: OpenBook, written: Book, verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    writer = Principal(rights=frozenset({Right.READ, Right.WRITE}))
    before = rows(written)
    with pytest.raises(Denied):
        _OWNS[verb](open_book(principal=writer))
    assert rows(written) == before


# -- opening ----------------------------------------------------------------------------------


def test_the_package_shows_its_public_names() -> None:
    assert commonplace.Book is Book
    assert all(getattr(commonplace, name) is not None for name in commonplace.__all__)
    with pytest.raises(AttributeError):
        commonplace.nothing  # noqa: B018


def test_a_book_is_opened_by_its_path_and_closed_by_its_block(tmp_path: Path, clock: ManualClock) -> None:
    with Book.open(tmp_path / "book.db", model="none", clock=clock) as book:
        kept = book.remember("Deploys are on Monday").memory
    assert sorted(file.name for file in tmp_path.iterdir()) == ["book.db"], "a closed book is one file"
    with Book.open(str(tmp_path / "book.db"), model="none") as book:
        assert book.get(kept) == kept


def test_a_block_left_by_an_error_closes_the_book_and_hides_nothing(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), Book.open(tmp_path / "book.db", model="none") as book:  # noqa: PT012
        book.remember("Deploys are on Monday")
        raise ZeroDivisionError
    assert [file.name for file in tmp_path.iterdir()] == ["book.db"]


def test_a_book_may_be_closed_twice_and_what_it_knew_is_there_when_it_is_opened_again(open_book: OpenBook) -> None:
    book = open_book()
    book.remember("Deploys are on Monday")
    book.close()
    book.close()
    assert open_book().list().total == 1


def after_closing(memory: Memory) -> dict[str, Callable[[Book], object]]:
    """Every verb that needs the book, with a memory that was had while it was open."""
    with_memory: dict[str, Callable[[Book], object]] = {
        "use": lambda book: book.use([memory], "test"),
        "reinforce": lambda book: book.reinforce(memory),
        "documents.get_chunk": lambda book: book.documents.get_chunk("chunk_1"),
        "teams.contributions": lambda book: book.teams.contributions(memory),
        "teams.promote": lambda book: book.teams.promote(memory, "core"),
        "teams.resolve": lambda book: book.teams.resolve("core", [memory]),
        "access.create": lambda book: book.access.create(Principal(user="ada", teams=()), "laptop"),
        "access.exist": lambda book: book.access.exist(),
        "access.verify": lambda book: book.access.verify("cp_0_0"),
        "care.facts": lambda book: book.care.facts(),
    }
    return {**_READS, **_WRITES, **_OWNS, **with_memory}


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_a_closed_book_says_so_whatever_it_is_asked(
    engine: str, tmp_path: Path, clock: ManualClock, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = str(tmp_path / "book.db")
    if engine == "postgres":
        server: Server = request.getfixturevalue("postgres")
        place = server.address(server.new_database())
    book = Book.over(store_at(place, Settings()), embedder=HashingEmbedder(), clock=clock)
    memory = book.remember("Deploys are on Monday").memory
    another = book.through(Door("elsewhere"))
    book.close()
    answers = dict[str, object]()
    on_server = {"care.backup"} if engine == "postgres" else set()  # which says that it is the server's to do
    for name, verb in after_closing(memory).items():
        for asked in (book, another):
            try:
                answers[name] = verb(asked)
            except CommonplaceError as error:
                if not isinstance(error, BookClosed) or "open it again" not in error.message:
                    answers[name] = error
    assert answers.keys() == on_server, answers


def test_without_a_path_the_settings_name_the_book(clean_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Book.open(model="none") as book:
        book.remember("Deploys are on Monday")
    assert len(list(clean_environment.rglob("book.db"))) == 1
    monkeypatch.setenv("COMMONPLACE_STORE", str(clean_environment / "named.db"))
    monkeypatch.setenv("COMMONPLACE_USER", "ada")
    with Book.open(model="none") as book:
        assert book.remember("Deploys are on Monday").memory.owner == "ada"
    assert (clean_environment / "named.db").is_file()


def test_opening_creates_nothing(tmp_path: Path) -> None:
    with Book.open(tmp_path / "folder" / "book.db", model="none") as book:
        assert book.list().total == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("store", "model"), [("mysql://x/y", "none"), ("book.db", "no-such-pack")])
def test_a_store_or_model_that_there_is_not_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: str, model: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput):
        Book.open(store, model=model)
    assert list(tmp_path.iterdir()) == []


def test_an_uninstalled_model_leaves_the_words(tmp_path: Path) -> None:
    with Book.open(tmp_path / "book.db") as book:
        assert book.embedder is None
        book.remember("Deploys are on Monday")
        assert "models pull" in book.recall("deploys").warnings[0]


# -- lists ------------------------------------------------------------------------------------


@pytest.fixture
def listed(book: Book, clock: ManualClock) -> Book:
    for place in range(7):
        book.remember(f"note {place}")
        clock.advance(place % 2)
    clock.advance(1)
    book.update(2, Changes(importance=0.9))
    return book


def walk(book: Book, size: int, filter: Filter | None = None, **options: object) -> Iterator[Memory]:
    cursor = None
    while True:
        page = book.list(filter, limit=size, cursor=cursor, **options)  # type: ignore[arg-type]
        yield from page.memories
        cursor = page.next_cursor
        if cursor is None:
            return


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
@pytest.mark.parametrize("order", list(Order))
@pytest.mark.parametrize("past", [False, True])
def test_pages_cover_a_listing_exactly_once(
    listed: Book, clock: ManualClock, size: int, order: Order, past: bool
) -> None:
    filter = Filter(listed.scopes, as_of=clock()) if past else None
    whole = listed.list(filter, order=order)
    assert (len(whole.memories), whole.total, whole.next_cursor) == (7, 7, None)
    assert list(walk(listed, size, filter, order=order)) == list(whole.memories)


def test_orders_are_by_age_and_by_change(listed: Book) -> None:
    newest = [memory.number for memory in listed.list().memories]
    assert newest == [7, 6, 5, 4, 3, 2, 1]
    assert [memory.number for memory in listed.list(order=Order.OLDEST).memories] == newest[::-1]
    assert listed.list(order=Order.UPDATED).memories[0].number == 2


@pytest.mark.parametrize("past", [False, True])
def test_a_listing_whose_last_memory_was_purged_says_to_begin_again(
    listed: Book, clock: ManualClock, past: bool
) -> None:
    """Losing the rest of a listing without a word would be wrong: what was purged leaves nothing to go on from."""
    filter = Filter(listed.scopes, as_of=clock()) if past else None
    first = listed.list(filter, limit=3)
    assert first.next_cursor is not None
    listed.purge(first.next_cursor)
    with pytest.raises(InvalidInput, match="list again") as caught:
        listed.list(filter, cursor=first.next_cursor)
    assert caught.value.argument == "cursor"
    assert [memory.number for memory in walk(listed, 3, filter)] == [7, 6, 4, 3, 2, 1]


@pytest.mark.parametrize("limit", [0, -1, PAGE_LIMIT + 1])
def test_a_page_has_a_size(book: Book, limit: int) -> None:
    with pytest.raises(InvalidInput) as caught:
        book.list(limit=limit)
    assert caught.value.argument == "limit"


@pytest.mark.parametrize("cursor", [99, -1, 2**70])
@pytest.mark.parametrize("past", [False, True])
def test_a_cursor_that_is_none_is_refused(listed: Book, clock: ManualClock, cursor: int, past: bool) -> None:
    filter = Filter(listed.scopes, as_of=clock()) if past else None
    with pytest.raises(InvalidInput, match="list again") as caught:
        listed.list(filter, cursor=cursor)
    assert caught.value.argument == "cursor"


def test_a_listing_counts_as_no_use(listed: Book) -> None:
    assert {memory.usage.count for memory in listed.list().memories} == {0}


def test_a_listing_shows_the_past_as_it_was(book: Book, clock: ManualClock) -> None:
    memory = book.remember("Deploys are on Monday").memory
    before = clock()
    clock.advance(10)
    book.update(memory, Changes(text="Deploys are on Tuesday"))
    book.forget(memory)
    past = Filter(book.scopes, as_of=before)
    assert [each.text for each in book.list(past).memories] == ["Deploys are on Monday"]
    assert book.list().total == 0


# -- threads ----------------------------------------------------------------------------------


def together(*deeds: Callable[[], object]) -> list[BaseException]:
    """Run every deed in a thread of its own; what went wrong."""
    failures: list[BaseException] = []
    start = threading.Barrier(len(deeds))

    def run(deed: Callable[[], object]) -> None:
        try:
            start.wait()
            deed()
        except BaseException as error:  # noqa: BLE001, whatever it is belongs to the test
            failures.append(error)

    threads = [threading.Thread(target=run, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures


def test_threads_share_a_book(open_book: OpenBook) -> None:
    book = open_book(embedder=HashingEmbedder())

    def write(who: int) -> None:
        for place in range(15):
            book.remember(f"note {place} of writer {who}")

    def read() -> None:
        for _ in range(15):
            book.recall("note of writer", min_relevance=0.0)
            book.list()

    assert together(*(partial(write, who) for who in range(4)), *[read] * 4) == []
    everything = book.list(limit=PAGE_LIMIT).memories
    assert len(everything) == 60
    assert sorted(memory.number for memory in everything) == list(range(1, 61))
    assert [finding for finding in book.care.doctor() if not finding.ok] == []
    assert book.care.missing_vectors() == 0


def test_of_many_threads_with_one_expected_revision_one_wins(open_book: OpenBook) -> None:
    book = open_book()
    memory = book.remember("Deploys are on Monday").memory
    failures = together(
        *(partial(book.update, memory, Changes(priority=place), expected_revision=1) for place in range(1, 6))
    )
    assert [type(each).__name__ for each in failures] == ["RevisionConflict"] * 4
    assert book.get(memory).revision == 2


def test_many_threads_that_remember_the_same_make_one_memory(open_book: OpenBook) -> None:
    book = open_book()
    assert together(*[partial(book.remember, "Deploys are on Monday")] * 6) == []
    assert book.list().total == 1


# -- where ------------------------------------------------------------------------------------


def test_a_selector_stands_for_a_scope(open_book: OpenBook, tmp_path: Path) -> None:
    book = open_book(principal=Principal(user="ada"), project_root=tmp_path)
    assert str(book.scope()) == str(book.scope("user")) == "user:ada"
    assert book.scope("project:auto") == book.scopes[1]
    assert book.scope(Scope.parse("agent:x")) == Scope.parse("agent:x")


def test_a_filter_is_narrowed_to_what_one_may_see(book: Book) -> None:
    with book._caller.reading() as work:
        assert work.filter() == Filter(book.scopes)
        assert work.filter(Filter((), statuses=(Status.ARCHIVED,))).scopes == book.scopes
        with pytest.raises(InvalidInput):
            work.filter(Filter((Scope.parse("user:somebody-else"),)))
