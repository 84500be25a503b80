"""One search: a recall finds decisions that stand, conversations and documents, for whoever may see them."""

from collections.abc import Callable, Sequence

import pytest

from commonplace.book.book import Book
from commonplace.book.others import BESIDE_MEMORIES, EXCERPT_LENGTH
from commonplace.decisions.decision import Proposal
from commonplace.dialects import dialect_names, load_dialect
from commonplace.domain.memory import Kind
from commonplace.domain.query import Filter, Mode, Only, Recall
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal, Scope
from commonplace.errors import InvalidInput, ModelError
from commonplace.ports import Embedder, Store, Vector
from commonplace.sessions.transcripts import Speaker, Turn
from tests.conftest import DAY, START, ManualClock
from tests.hashing import HashingEmbedder

POSTGRES_FOR_ORDERS = Proposal(
    "Orders live in PostgreSQL", "ada", "Many write at once", "PostgreSQL 16 holds orders", "No file lock", "backend"
)
RED = "Remember that the zeppelin is always painted red."
TALK = (
    Turn(Speaker.USER, "The staging disk filled up because the log rotation was never switched on."),
    Turn(Speaker.ASSISTANT, "I switched logrotate on with a weekly schedule."),
    Turn(Speaker.USER, "I decided that we page the harbour master for the lighthouse, remember that."),
)
RUNBOOK = "# Certificates\n\nCertbot renews the certificates of the edge host.\n\n# Queue\n\nReplay the queue first.\n"

Opened = Callable[..., Book]


@pytest.fixture
def opened(either_store: Store, clock: ManualClock) -> Opened:
    """The book as anybody uses it, with a model unless told otherwise."""

    def open_as(principal: Principal = Principal(), embedder: Embedder | None = HashingEmbedder()) -> Book:
        return Book.over(either_store, principal, embedder, clock)

    return open_as


@pytest.fixture
def filled(opened: Opened) -> Book:
    """Something of each, with every vector made."""
    book = opened()
    book.remember("Deploys are on Monday")
    book.decisions.create(book.scope(), POSTGRES_FOR_ORDERS)
    book.sessions.save(TALK, book.scope())
    book.documents.add_text("runbook.md", RUNBOOK)
    book.care.reembed()
    return book


def kinds(found: Recall) -> list[Only]:
    return [other.kind for other in found.others]


# -- what is found ----------------------------------------------------------------------------


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("embedder", [None, HashingEmbedder()])
def test_each_is_found_and_says_what_it_is(opened: Opened, embedder: Embedder | None) -> None:
    book = opened(embedder=embedder)
    (decision,) = book.recall("which database holds orders?").others
    assert (decision.kind, decision.id, decision.title) == (Only.DECISIONS, "DEC-001", "Orders live in PostgreSQL")
    assert decision.excerpt == "PostgreSQL 16 holds orders"
    assert decision.open_with == "commonplace decision show DEC-001 --scope user:default"
    (session,) = book.recall("logrotate weekly schedule").others
    (saved,) = book.sessions.list(book.scopes)
    assert (session.kind, session.id, session.title) == (Only.SESSIONS, saved.id, saved.label)
    assert session.excerpt == TALK[1].text
    assert session.open_with == f"commonplace session show {saved.id} --turns"
    assert session.part == f"{saved.id}_1"
    (document,) = book.recall("who renews certificates").others
    assert (document.kind, document.title) == (Only.DOCUMENTS, "runbook.md, lines 1 to 3")
    assert "Certbot renews" in document.excerpt
    assert document.part is not None
    assert document.open_with == f"commonplace docs show {document.part}"
    assert book.documents.get_chunk(document.part).document_id == document.id
    for other in (decision, session, document):
        assert 0.3 <= other.relevance <= 1.0
        assert other.reason.startswith("matched ")
        assert ("meaning 0." in other.reason) == (embedder is not None)
        assert other.at == START


def test_memories_are_as_they_were_and_nothing_is_shown_for_an_unrelated_question(filled: Book) -> None:
    beside = filled.recall("when do we deploy?", counts_use=False)
    alone = filled.recall("when do we deploy?", counts_use=False, only="memories")
    assert beside.hits == alone.hits != ()
    assert beside.others == alone.others == filled.recall("zeppelin").others == ()


def test_meaning_finds_what_shares_no_word(filled: Book) -> None:
    """The model of these tests lets inflections meet, which words do not: it has letters, not senses."""
    found = filled.recall("certifiers", only="documents", min_relevance=0.05)
    assert [other.title for other in found.others][:1] == ["runbook.md, lines 1 to 3"]
    assert found.others[0].reason.startswith("meaning ")
    assert filled.recall("certificates", only="documents", mode=Mode.VECTORS).others[0].reason.startswith("meaning ")
    assert filled.recall("certificates", mode=Mode.WORDS).others[0].reason == "matched certificates"


@pytest.mark.parametrize("only", list(Only))
def test_only_one_of_them_when_asked(filled: Book, only: Only) -> None:
    found = filled.recall("Monday orders staging certificates", only=only, min_relevance=0.01)
    assert bool(found.hits) == (only is Only.MEMORIES)
    assert set(kinds(found)) == ({only} - {Only.MEMORIES})


def test_only_something_else_is_refused_with_a_sentence(filled: Book) -> None:
    with pytest.raises(InvalidInput, match="only"):
        filled.recall("orders", only="everything")  # type: ignore[arg-type]


def test_beside_memories_are_at_most_three_and_alone_as_many_as_the_limit(opened: Opened) -> None:
    book = opened()
    for number in range(6):
        title = f"Crane {number} is painted red"
        book.decisions.create(book.scope(), replace(POSTGRES_FOR_ORDERS, title=title, decision=title))
    assert len(book.recall("which crane is painted red").others) == BESIDE_MEMORIES
    assert len(book.recall("which crane is painted red", only="decisions", limit=5).others) == 5


def test_of_a_conversation_and_a_document_the_best_passage_is_shown(opened: Opened) -> None:
    book = opened()
    turns = [Turn(Speaker.USER, f"The zeppelin was seen {number} times over the bay") for number in range(20)]
    turns += [Turn(Speaker.ASSISTANT, "One could moor the zeppelin at pier nine."), Turn(Speaker.USER, RED)]
    book.sessions.save(turns, book.scope())
    sections = [f"# Part {number}\n\nA zeppelin needs {number} ropes.\n" for number in range(5)]
    book.documents.add_text("ships.md", "\n".join(sections))
    book.care.reembed()
    found = book.recall("moor the zeppelin at a pier")
    assert sorted(kinds(found)) == [Only.DOCUMENTS, Only.SESSIONS] or kinds(found) == [Only.SESSIONS]
    assert len(book.recall("zeppelin", only="sessions", min_relevance=0.0).others) == 2
    assert len(book.recall("zeppelin", only="documents", min_relevance=0.0).others) == 2
    best = book.recall("moor the zeppelin at a pier", only="sessions").others[0]
    assert "pier nine" in best.excerpt


def test_what_a_memory_says_already_is_not_shown_again(filled: Book) -> None:
    learnt = filled.recall("who is paged for the lighthouse", only="memories").hits[0].memory.text
    assert learnt in TALK[2].text
    asked = "who is paged for the lighthouse"
    assert TALK[2].text not in [other.excerpt for other in filled.recall(asked, min_relevance=0.0).others]
    assert filled.recall(asked, only="sessions").others[0].excerpt == TALK[2].text


def test_only_decisions_that_stand_are_found(filled: Book) -> None:
    scope = filled.scope()
    filled.decisions.create(scope, replace(POSTGRES_FOR_ORDERS, title="Orders in a drawer", draft=True))
    new = filled.decisions.supersede(scope, "DEC-001", replace(POSTGRES_FOR_ORDERS, title="Orders live in DuckDB"))
    assert [other.id for other in filled.recall("where do orders live", only="decisions").others] == [new.id]
    filled.decisions.revert(scope, new.id, "it was too new")
    assert [other.id for other in filled.recall("where do orders live", only="decisions").others] == ["DEC-001"]
    filled.decisions.remove(scope, "DEC-001")
    assert filled.recall("where do orders live", only="decisions").others == ()


def test_a_long_passage_is_shortened_around_what_was_asked_for(opened: Opened) -> None:
    book = opened()
    book.decisions.create(
        book.scope(),
        replace(POSTGRES_FOR_ORDERS, title="Boats", decision="word " * 400 + "the zeppelin lands " + "word " * 400),
    )
    (other,) = book.recall("zeppelin", only="decisions", min_relevance=0.0).others
    assert len(other.excerpt) <= EXCERPT_LENGTH
    assert "zeppelin" in other.excerpt


def test_beside_a_memory_that_fits_well_nothing_is_shown_that_hardly_does(filled: Book) -> None:
    asked = "PostgreSQL 16 holds orders, many write at once, no file lock; and the queue"
    (document, *_) = filled.recall(asked, only="documents").others
    assert document.relevance < 0.5
    assert kinds(filled.recall(asked)) == [Only.DECISIONS]
    assert Only.DOCUMENTS in kinds(filled.recall(asked, min_relevance=document.relevance))


def test_the_token_budget_holds_for_them_too(filled: Book) -> None:
    assert filled.recall("orders", max_tokens=500).others
    assert filled.recall("orders", max_tokens=5).others == ()


# -- what narrows it down ---------------------------------------------------------------------


def test_what_goes_in_unasked_is_memories_and_decisions(filled: Book) -> None:
    unasked = Filter((), automatic=True)
    assert kinds(filled.recall("orders certificates staging", filter=unasked, min_relevance=0.01)) == [Only.DECISIONS]
    for only in (Only.SESSIONS, Only.DOCUMENTS):
        found = filled.recall("orders certificates staging", filter=unasked, only=only, min_relevance=0.01)
        assert (found.hits, found.others) == ((), ())


@pytest.mark.parametrize(
    "narrowed",
    [
        {"tags": ("ops",)},
        {"kinds": (Kind.FACT,)},
        {"statuses": ()},
        {"as_of": START},
        {"valid_at": START},
        {"topic": "orders"},
        {"pinned": True},
        {"verified_only": True},
    ],
)
def test_what_only_memories_can_meet_leaves_the_others_out(filled: Book, narrowed: dict[str, object]) -> None:
    filter = replace(Filter(()), **narrowed)
    assert filled.recall("orders in postgresql", filter=filter).others == ()
    with pytest.raises(InvalidInput, match="for decisions name a scope or dates alone"):
        filled.recall("orders in postgresql", filter=filter, only="decisions")


def test_decisions_are_of_the_kind_decision(filled: Book) -> None:
    found = filled.recall("orders certificates", filter=Filter((), kinds=(Kind.DECISION,)), min_relevance=0.01)
    assert kinds(found) == [Only.DECISIONS]


def test_dates_hold_for_them_too(filled: Book) -> None:
    since, until = Filter((), created_since=START + DAY), Filter((), created_until=START + DAY)
    assert filled.recall("orders", filter=since).others == ()
    assert kinds(filled.recall("orders", filter=until)) == [Only.DECISIONS]


# -- who may see it ---------------------------------------------------------------------------


def test_nobody_finds_what_is_not_theirs_to_see(opened: Opened) -> None:
    ada, eve = opened(Principal("org", "ada", ())), opened(Principal("org", "eve", ()))
    foreign = opened(Principal("other", "ada", ()))
    for scope in (ada.scope("user"), Scope.parse("agent:reviewer")):
        ada.decisions.create(scope, POSTGRES_FOR_ORDERS)
        ada.sessions.save(TALK, scope)
        ada.documents.add_text("runbook.md", RUNBOOK, scope=scope)
    ada.care.reembed()
    asked = "orders in postgresql, certificates, staging disk"
    for only in (None, Only.DECISIONS, Only.SESSIONS, Only.DOCUMENTS):
        assert ada.recall(asked, only=only, min_relevance=0.0).others
        for stranger in (eve, foreign):
            found = stranger.recall(asked, only=only, min_relevance=0.0)
            assert (found.others, found.warnings) == ((), ())
    with pytest.raises(InvalidInput, match="not one of your scopes"):
        eve.recall(asked, filter=Filter((ada.scope("user"),)))


def test_a_team_that_has_decisions_and_no_memory_is_looked_in_by_its_members(opened: Opened) -> None:
    ada, carl, eve = (opened(Principal("org", name, ("core",))) for name in ("ada", "carl", "eve"))
    ada.teams.create("core")
    ada.teams.invite("core", "carl")
    carl.teams.accept("core")
    ada.decisions.create(Scope.parse("team:core"), POSTGRES_FOR_ORDERS)
    assert kinds(carl.recall("orders")) == [Only.DECISIONS]
    assert eve.recall("orders").others == ()
    carl.teams.leave("core")
    assert carl.recall("orders").others == ()


@pytest.mark.parametrize("name", sorted(set(dialect_names()) - {"native"}))
def test_a_published_contract_neither_sees_them_nor_looks(filled: Book, name: str) -> None:
    seen = filled.through(load_dialect(name).door)
    assert kinds(filled.recall("orders")) == [Only.DECISIONS]
    found = seen.recall("orders")
    assert (found.others, found.warnings) == ((), ())


# -- vectors ----------------------------------------------------------------------------------


def test_a_decision_has_its_vector_at_once_and_a_recall_says_how_many_are_without(opened: Opened) -> None:
    book = opened()
    book.decisions.create(book.scope(), POSTGRES_FOR_ORDERS)
    assert book.care.missing_vectors() == 0
    assert "meaning" in book.recall("orders").others[0].reason
    book.documents.add_text("runbook.md", RUNBOOK)
    missing = book.care.missing_vectors()
    assert missing == len(book.documents.chunks("runbook.md"))
    (warning,) = book.recall("orders").warnings
    assert warning.startswith(f"{missing} entries beside the memories have no vector yet")
    assert "commonplace reembed" in warning
    assert book.recall("certificates").others[0].reason == "matched certificates"
    assert opened(embedder=None).recall("orders", mode=Mode.WORDS).warnings == ()
    assert book.recall("orders", only="memories").warnings == ()
    assert book.care.reembed(most=1) == missing, "a portion is small, and this is less than one"
    assert book.recall("orders").warnings == ()
    assert "meaning" in book.recall("certificates").others[0].reason


def test_what_was_kept_before_there_was_a_model_gets_its_vectors_and_goes_over_to_another(opened: Opened) -> None:
    without = opened(embedder=None)
    without.decisions.create(without.scope(), POSTGRES_FOR_ORDERS)
    without.sessions.save(TALK, without.scope())
    without.documents.add_text("runbook.md", RUNBOOK)
    pulled = opened()
    missing = pulled.care.missing_vectors()
    assert missing >= 5
    steps: list[tuple[int, int]] = []
    assert pulled.care.reembed(lambda done, total: steps.append((done, total))) == missing
    assert steps[0] == (0, missing)
    assert steps[-1] == (missing, missing)
    assert "meaning" in pulled.recall("certificates").others[0].reason
    other = opened(embedder=HashingEmbedder(32))
    other.care.reembed(prune=True)
    assert "meaning" in other.recall("certificates").others[0].reason
    assert "meaning" not in pulled.recall("certificates").others[0].reason, "the old vectors were dropped"


class Broken(HashingEmbedder):
    """A model that reads questions and fails over texts."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        raise ModelError("The model is away.")


def test_a_model_that_fails_costs_a_decision_its_vector_only(opened: Opened) -> None:
    book = opened(embedder=Broken())
    book.decisions.create(book.scope(), POSTGRES_FOR_ORDERS)
    assert book.care.missing_vectors() == 1
    assert kinds(book.recall("orders")) == [Only.DECISIONS]


def test_a_very_long_turn_is_embedded_by_its_beginning(opened: Opened) -> None:
    read: list[int] = []

    class Measuring(HashingEmbedder):
        def embed(self, texts: Sequence[str]) -> list[Vector]:
            read.extend(map(len, texts))
            return super().embed(texts)

    book = opened(embedder=Measuring())
    book.sessions.save([*TALK, Turn(Speaker.ASSISTANT, "zeppelin " * 50_000)], book.scope())
    book.care.reembed()
    assert max(read) <= 4_000
    assert kinds(book.recall("zeppelin")) == [Only.SESSIONS]


# -- what is gone -----------------------------------------------------------------------------


def held(store: Store) -> dict[str, tuple[int, int]]:
    with store.reading("local") as unit:
        return unit.entry_vectors.held(HashingEmbedder().space)


def test_what_is_removed_takes_its_vectors_along(either_store: Store, filled: Book) -> None:
    assert set(held(either_store)) == {"decision", "session", "turn", "chunks"}
    assert all(entries == embedded for entries, embedded in held(either_store).values())
    (session,) = filled.sessions.list(filled.scopes)
    filled.sessions.remove(session.id)
    assert filled.recall("staging disk rotation", only="sessions", min_relevance=0.0).others == ()
    filled.documents.remove("runbook.md")
    assert filled.recall("certificates", only="documents", min_relevance=0.0).others == ()
    filled.decisions.remove(filled.scope(), "DEC-001")
    assert filled.recall("orders", only="decisions", min_relevance=0.0).others == ()
    assert held(either_store) == {}
    with either_store.reading("local") as unit:
        assert unit.entry_vectors.counts() == {}


def test_a_purge_that_cuts_a_turn_takes_the_vector_of_what_it_said(either_store: Store, filled: Book) -> None:
    memory = filled.recall("who is paged for the lighthouse", only="memories").hits[0].memory
    before = held(either_store)
    filled.purge(memory)
    assert filled.recall("lighthouse", only="sessions", min_relevance=0.0, mode=Mode.WORDS).others == ()
    lost = sum(entries - embedded for entries, embedded in held(either_store).values())
    assert lost >= 1
    assert sum(embedded for _, embedded in held(either_store).values()) < sum(
        embedded for _, embedded in before.values()
    )
    filled.care.reembed()
    assert filled.care.missing_vectors() == 0


def test_an_edited_document_keeps_the_vectors_of_what_did_not_change(either_store: Store, filled: Book) -> None:
    before = held(either_store)["chunks"]
    filled.documents.add_text("runbook.md", RUNBOOK.replace("Replay the queue first.", "Drain the queue first."))
    assert held(either_store)["chunks"] == (before[0], before[1] - 1)


def test_an_undone_decision_is_found_no_more(filled: Book) -> None:
    filled.decisions.create(filled.scope(), replace(POSTGRES_FOR_ORDERS, title="A zeppelin carries orders"))
    assert [other.id for other in filled.recall("zeppelin").others] == ["DEC-002"]
    filled.undo.take_back()
    assert filled.recall("zeppelin").others == ()


def test_why_tells_the_reasons_of_the_others(filled: Book) -> None:
    explained = filled.why("which database holds orders?")
    assert explained.recall.others[0].reason in explained.verdict
    assert "beside them decision DEC-001 (matched holds, orders; meaning 0." in explained.verdict
    assert "beside" not in filled.why("when do we deploy?").verdict


def test_a_reflection_rests_on_memories(filled: Book) -> None:
    assert filled.reflect("which database holds orders?").sources == ()
