"""The book on a server: who makes it, who may use it, and what happens when the server goes away."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.entries import Entry
from commonplace.domain.record import replace
from commonplace.errors import (
    CommonplaceError,
    InvalidInput,
    LockTimeout,
    SchemaOutdated,
    SchemaTooNew,
    StoreError,
    StoreUnavailable,
    StoreUnwritable,
)
from commonplace.ports import KeptAnswer, Store, Use
from commonplace.store.migrations import Migration
from commonplace.store.postgres import PostgresStore, upkeep, vectors
from commonplace.store.postgres.schema import migrations
from commonplace.store.sqlite import SqliteStore
from tests.postgres import MEMBER, Server, start
from tests.store.conftest import NewTenant
from tests.store.making import ELSEWHERE, EVERYTHING, HERE, NOW, OURS, SPACE, THEIRS, add, numbers, remove, scores
from tests.store.test_vectors import seeded

LATEST = migrations()[-1].number

OpenAs = Callable[..., PostgresStore]


@pytest.fixture
def database(postgres: Server) -> str:
    return postgres.new_database()


@pytest.fixture
def open_as(postgres: Server, database: str) -> Iterator[OpenAs]:
    """Opens the test's database, as the owner of the book unless another user is named."""
    opened: list[PostgresStore] = []

    def open_one(user: str = "librarian", *, busy_seconds: float = 2.0, steps: object = None) -> PostgresStore:
        opened.append(PostgresStore(postgres.address(database, user), busy_seconds, steps))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(open_as: OpenAs) -> PostgresStore:
    return open_as()


@pytest.fixture
def admin(postgres: Server, database: str) -> Iterator[psycopg.Connection]:
    """The superuser, to look and to meddle."""
    with psycopg.connect(postgres.address(database, "postgres"), autocommit=True) as connection:
        connection.execute("SET search_path = commonplace, public")
        yield connection


def terminate(admin: psycopg.Connection) -> int:
    """End every other session of the database, as a restart or a failover would."""
    done = admin.execute(
        "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    ).fetchone()
    return done[0] if done else 0


# -- making the book --------------------------------------------------------------------------


def test_opening_and_reading_write_nothing(store: PostgresStore, admin: psycopg.Connection) -> None:
    with store.reading(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 0
        with pytest.raises(StoreError):
            unit.memories.next_number()
    assert [finding.ok for finding in store.upkeep.examine()] == [True]
    assert store.upkeep.facts()["schema"] == "0"
    assert store.upkeep.tenants() == ()
    assert admin.execute("SELECT to_regnamespace('commonplace')").fetchone() == (None,)


FIRST_WRITE = """
import sys
from commonplace.store.postgres import PostgresStore
from tests.store.making import add
store = PostgresStore(sys.argv[1], busy_seconds=30)
sys.stdin.readline()
for _ in range(20):
    with store.writing("acme") as unit:
        add(unit, "written at once")
store.close()
"""


def test_processes_that_write_first_at_the_same_moment_make_one_book(
    store: PostgresStore, postgres: Server, database: str
) -> None:
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(root / "src"), str(root)))}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", FIRST_WRITE, postgres.address(database)],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for _ in range(3)
    ]
    for each in started:
        each.stdin.write("go\n")
        each.stdin.flush()
    for each in started:
        _, said = each.communicate(timeout=60)
        assert each.returncode == 0, said
    with store.reading(OURS) as unit:
        assert [memory.number for memory, _, _ in unit.memories.each()] == list(range(1, 61))
    assert [finding for finding in store.upkeep.examine() if not finding.ok] == []


def test_threads_that_write_first_at_the_same_moment_make_one_book(open_as: OpenAs) -> None:
    """A session that looked for the book before it waited for another's migration must look again, not remember."""
    store, failed, ready = open_as(busy_seconds=10.0), [], threading.Barrier(16)

    def write() -> None:
        ready.wait()
        try:
            with store.writing(OURS) as unit:
                unit.memories.next_number()
        except StoreError as error:
            failed.append(error)

    threads = [threading.Thread(target=write) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_newer_book_is_refused_untouched(store: PostgresStore, open_as: OpenAs, admin: psycopg.Connection) -> None:
    with store.writing(OURS) as unit:
        add(unit, "one")
    admin.execute("UPDATE book SET schema = 99")
    for each in (store, open_as()):  # one that was open before, one that is opened now
        with pytest.raises(SchemaTooNew), each.reading(OURS):
            pass
        with pytest.raises(SchemaTooNew), each.writing(OURS):
            pass
        assert each.upkeep.upgrade() == 99
    assert admin.execute("SELECT schema, (SELECT count(*) FROM memories) FROM book").fetchone() == (99, 1)


def test_an_older_book_is_refused_to_readers_and_brought_up_by_a_writer(
    store: PostgresStore, open_as: OpenAs, tmp_path: Path
) -> None:
    with store.writing(OURS) as unit:
        added = add(unit, "one")
    script = tmp_path / "002_more.sql"
    script.write_text("CREATE TABLE commonplace.more (x integer); INSERT INTO commonplace.more VALUES (1);")
    newer = open_as(steps=(*migrations(), Migration(LATEST + 1, script)))
    with pytest.raises(SchemaOutdated), newer.reading(OURS):
        pass
    with newer.writing(OURS) as unit:
        assert unit.memories.by_number(added.number) == added
    assert newer.upkeep.facts()["schema"] == str(LATEST + 1)
    with pytest.raises(SchemaTooNew), store.reading(OURS):
        pass


def test_a_migration_that_fails_leaves_the_book_as_it_was(
    store: PostgresStore, open_as: OpenAs, tmp_path: Path, admin: psycopg.Connection
) -> None:
    with store.writing(OURS) as unit:
        add(unit, "one")
    script = tmp_path / "002_wrong.sql"
    script.write_text("CREATE TABLE commonplace.more (x integer); SELECT 1 / 0;")
    newer = open_as(steps=(*migrations(), Migration(LATEST + 1, script)))
    with pytest.raises(StoreError), newer.writing(OURS):
        pass
    assert admin.execute("SELECT schema, to_regclass('more') FROM book").fetchone() == (LATEST, None)
    with store.reading(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 1


def test_somebody_elses_schema_is_left_alone(store: PostgresStore, admin: psycopg.Connection) -> None:
    admin.execute("CREATE SCHEMA commonplace AUTHORIZATION librarian")
    admin.execute("CREATE TABLE commonplace.memories (x integer)")
    with pytest.raises(StoreError, match="another program"), store.writing(OURS):
        pass
    assert admin.execute(
        "SELECT count(*) FROM pg_class WHERE relnamespace = 'commonplace'::regnamespace"
    ).fetchone() == (1,)


# -- who may use it ---------------------------------------------------------------------------


def test_a_member_of_the_role_can_do_everything_but_make_the_book(store: PostgresStore, open_as: OpenAs) -> None:
    member = open_as(MEMBER)
    with pytest.raises(StoreUnwritable, match="commonplace upgrade"), member.writing(OURS):
        pass
    assert store.upkeep.upgrade() == 0
    with member.writing(OURS) as unit:
        kept, gone = add(unit, "one"), add(unit, "two")
    with member.writing(OURS) as unit:
        remove(unit, gone)
    assert member.upkeep.erase_traces().complete
    with member.reading(OURS) as unit:
        assert [memory for memory, _, _ in unit.memories.each()] == [kept]
    assert all(finding.ok for finding in member.upkeep.examine())
    for deed in (member.upkeep.reset, lambda: list(member.upkeep.repair())):
        with pytest.raises(StoreUnwritable, match="owner"):
            deed()


def test_who_may_not_act_as_the_role_is_told_what_to_ask_for(
    store: PostgresStore, postgres: Server, open_as: OpenAs
) -> None:
    store.upkeep.upgrade()
    with postgres.admin() as admin:
        admin.execute("DROP ROLE IF EXISTS stranger")
        admin.execute("CREATE ROLE stranger LOGIN")
    with pytest.raises(StoreUnwritable, match="rights"), open_as("stranger").reading(OURS):
        pass


def test_a_server_without_the_role_gets_it_from_whoever_may_make_roles() -> None:
    server = start(prepared=False)
    try:
        address = server.address(server.new_database())
        store = PostgresStore(address)
        with pytest.raises(StoreUnwritable, match="CREATE ROLE commonplace_app"), store.writing(OURS):
            pass
        with server.admin() as admin:
            admin.execute("ALTER ROLE librarian CREATEROLE")
        for each in (store, PostgresStore(server.address(server.new_database()))):
            with each.writing(OURS) as unit:
                add(unit, "one")
            assert [finding for finding in each.upkeep.examine() if not finding.ok] == []
            each.close()
    finally:
        server.stop()


def test_a_server_without_pgvector_says_so(postgres: Server) -> None:
    store = PostgresStore(postgres.address(postgres.new_database("template1")))
    with pytest.raises(StoreUnwritable, match="CREATE EXTENSION vector"), store.writing(OURS):
        pass
    store.close()


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("postgresql://me:hunter2@127.0.0.1:1/x", StoreUnavailable),
        ("postgresql://me:hunter2@no.such.host.invalid/x", StoreUnavailable),
    ],
)
def test_a_server_that_cannot_be_reached_is_an_error_to_retry_without_the_password(
    address: str, error: type[CommonplaceError]
) -> None:
    store = PostgresStore(address, busy_seconds=0.2)
    with pytest.raises(error) as caught, store.reading(OURS):
        pass
    assert caught.value.retryable
    assert "hunter2" not in caught.value.message


def test_a_database_that_is_not_there_is_no_reason_to_wait(postgres: Server) -> None:
    store = PostgresStore(postgres.address("nowhere"))
    with pytest.raises(StoreUnwritable, match="nowhere"), store.reading(OURS):
        pass


def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(InvalidInput):
        PostgresStore("postgresql://host:port:x/db?what=ever")


# -- sessions that end ------------------------------------------------------------------------


def test_a_session_that_ended_while_idle_is_not_noticed(store: PostgresStore, admin: psycopg.Connection) -> None:
    with store.writing(OURS) as unit:
        add(unit, "one")
    for _ in range(3):
        with store.reading(OURS), store.reading(OURS), store.writing(OURS):
            pass  # three sessions are idle afterwards
        assert terminate(admin) >= 3
        with store.reading(OURS) as unit:
            assert unit.memories.count(EVERYTHING, NOW) == 1
        terminate(admin)
        with store.writing(OURS) as unit:
            remove(unit, add(unit, "passing"))


def test_a_session_that_ends_in_the_middle_is_an_error_to_retry_and_nothing_is_written(
    store: PostgresStore, admin: psycopg.Connection
) -> None:
    with store.writing(OURS) as unit:
        add(unit, "one")
    with pytest.raises(StoreUnavailable) as caught, store.writing(OURS) as unit:  # noqa: PT012, the block is under test
        add(unit, "two")
        terminate(admin)
        add(unit, "three")
    assert caught.value.retryable
    with pytest.raises(StoreUnavailable), store.reading(OURS) as unit:  # noqa: PT012
        terminate(admin)
        unit.memories.count(EVERYTHING, NOW)
    with store.reading(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 1
        terminate(admin)  # what was read was read
    with store.writing(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 1
        assert add(unit, "four").number == 2


def test_a_commit_that_is_not_answered_is_not_tried_again(store: PostgresStore, admin: psycopg.Connection) -> None:
    """The session ends inside its own commit: only whoever has a key can tell whether it was written."""
    with store.writing(OURS) as unit:
        add(unit, "one")
    admin.execute("CREATE SEQUENCE attempts")
    admin.execute(
        "CREATE FUNCTION fall() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql SET search_path = commonplace AS "
        "$$ BEGIN PERFORM nextval('attempts'); PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$"
    )
    admin.execute(
        "CREATE CONSTRAINT TRIGGER fall AFTER INSERT ON keys DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION fall()"
    )
    with pytest.raises(StoreUnavailable, match="not known") as caught, store.writing(OURS) as unit:
        unit.keys.keep("local", "key", KeptAnswer(b"digest", ()), NOW)
    assert caught.value.retryable
    assert admin.execute("SELECT last_value FROM attempts").fetchone() == (1,)
    with store.reading(OURS) as unit:
        assert unit.keys.find("local", "key", 0) is None


def test_nothing_acknowledged_is_lost_while_sessions_are_ended(store: PostgresStore, admin: psycopg.Connection) -> None:
    with store.writing(OURS) as unit:
        add(unit, "first")
    acknowledged: list[int] = []
    failed: list[CommonplaceError] = []

    def write(count: int) -> None:
        for _ in range(count):
            try:
                with store.writing(OURS) as unit:
                    number = add(unit, "written while sessions end").number
                acknowledged.append(number)
            except CommonplaceError as error:
                failed.append(error)

    writers = [threading.Thread(target=write, args=(40,)) for _ in range(3)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        terminate(admin)
        writers[0].join(0.05)
    for writer in writers:
        writer.join()
    assert acknowledged
    assert {type(error) for error in failed} <= {StoreUnavailable, LockTimeout}
    with store.reading(OURS) as unit:
        found = [memory.number for memory, _, _ in unit.memories.each()]
    assert len(acknowledged) == len(set(acknowledged))
    assert set(acknowledged) <= set(found)
    assert len(found) == len(set(found)) <= 1 + len(acknowledged) + len(failed)
    assert [finding for finding in store.upkeep.examine() if not finding.ok] == []


def test_a_server_that_was_away_is_found_again(
    open_as: OpenAs, postgres: Server, database: str, admin: psycopg.Connection
) -> None:
    store = open_as(busy_seconds=0.3)
    with store.writing(OURS) as unit:
        add(unit, "one")
    with postgres.admin() as elsewhere:
        elsewhere.execute(f"ALTER DATABASE {database} ALLOW_CONNECTIONS false")
    terminate(admin)
    for _ in range(2):
        with pytest.raises(StoreUnavailable) as caught, store.reading(OURS):
            pass
        assert caught.value.retryable
    with postgres.admin() as elsewhere:
        elsewhere.execute(f"ALTER DATABASE {database} ALLOW_CONNECTIONS true")
    patient = 0
    while True:  # the pool is between two attempts: whoever retries is served soon
        patient += 1
        try:
            with store.reading(OURS) as unit:
                assert unit.memories.count(EVERYTHING, NOW) == 1
            break
        except StoreUnavailable:
            assert patient < 60


def test_a_statement_that_takes_too_long_is_ended(store: PostgresStore) -> None:
    store.upkeep.upgrade()
    with pytest.raises(StoreUnavailable), store.reading(OURS) as unit:  # noqa: PT012
        transaction = unit.memories._transaction
        assert transaction.rows("SELECT current_setting('statement_timeout')") == [("1min",)]
        transaction.rows("SELECT set_config('statement_timeout', '20', true)")
        transaction.rows("SELECT pg_sleep(30)")


def test_a_forked_child_leaves_its_parents_sessions_alone(store: PostgresStore) -> None:
    with store.writing(OURS) as unit:
        add(unit, "one")
    with store.reading(OURS) as before:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                with store.writing(OURS) as unit:
                    add(unit, "two")
                store.close()
                code = 0
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        assert before.memories.count(EVERYTHING, NOW) == 1
    with store.reading(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 2


def test_a_unit_of_work_that_is_over_does_nothing_more(store: PostgresStore) -> None:
    """Its connection may be in the middle of somebody else's transaction by then."""
    with store.writing(OURS) as unit:
        add(unit, "one")
    with pytest.raises(StoreError, match="over"):
        unit.memories.next_number()


# -- writers beside each other ----------------------------------------------------------------


def test_writers_of_two_tenants_do_not_wait_for_each_other(open_as: OpenAs) -> None:
    one, other = open_as(busy_seconds=0.2), open_as(busy_seconds=0.2)
    with one.writing(OURS) as unit, other.writing(THEIRS) as elsewhere:
        add(unit, "one")
        add(elsewhere, "two")
        with pytest.raises(LockTimeout), open_as(busy_seconds=0.05).writing(OURS):
            pass


def test_writers_queue_and_every_number_is_given_once(open_as: OpenAs) -> None:
    stores = [open_as(busy_seconds=30) for _ in range(4)]

    def write(store: PostgresStore) -> None:
        for _ in range(25):
            with store.writing(OURS) as unit:
                number = add(unit, "queued").number
            with store.best_effort(OURS, 30) as unit:
                unit.uses.record([Use(each, NOW, "test") for each in range(number, 0, -1)])

    threads = [threading.Thread(target=write, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with stores[0].reading(OURS) as unit:
        assert [memory.number for memory, _, _ in unit.memories.each()] == list(range(1, 101))
        assert unit.memories.by_numbers([1])[1].usage.count == 100


# -- erasing ----------------------------------------------------------------------------------


def test_erasing_vacuums_what_was_touched_and_names_what_is_outside(
    store: PostgresStore, admin: psycopg.Connection
) -> None:
    with store.writing(OURS) as unit:
        remove(unit, add(unit, "gone for good", vector=b"\x00\x3c" + b"\x00" * 6))
    receipt = store.upkeep.erase_traces()
    assert receipt.complete
    for outside in ("write-ahead log", "archive", "replicas", "back-ups"):
        assert outside in receipt.detail
    rows = admin.execute(
        "SELECT relname FROM pg_stat_user_tables WHERE schemaname = 'commonplace' AND vacuum_count > 0"
    )
    vacuumed = {name for (name,) in rows}
    [remainder] = {name.rpartition("_")[2] for name in vacuumed if name.startswith("memories")}
    split = (
        "memories",
        "revisions",
        "postings",
        "sketches",
        "vectors",
        "events",
        "entries",
        "entry_postings",
        "entry_vectors",
    )
    whole = {"tags", "uses", "relations", "keys", "sequences", "entry_counts"}
    assert vacuumed == {f"{name}_{remainder}" for name in split} | whole


def test_erasing_is_pending_while_another_transaction_still_sees_it(store: PostgresStore, open_as: OpenAs) -> None:
    with store.writing(OURS) as unit:
        gone = add(unit, "gone for good")
    with open_as().reading(OURS) as before:
        assert before.memories.count(EVERYTHING, NOW) == 1
        with store.writing(OURS) as unit:
            remove(unit, gone)
        assert not store.upkeep.erase_traces().complete
    with store.writing(OURS) as unit:
        remove(unit, add(unit, "another"))
    with open_as().reading(OURS) as after:  # one that began later is no hindrance
        assert after.memories.count(EVERYTHING, NOW) == 0
        assert store.upkeep.erase_traces().complete


def test_back_ups_are_the_servers_own(store: PostgresStore) -> None:
    with pytest.raises(InvalidInput, match="pg_dump"):
        store.upkeep.backup("file")
    with pytest.raises(InvalidInput, match="pg_restore"):
        store.upkeep.restore("file", lambda copy: None)


# -- doctor -----------------------------------------------------------------------------------

_DAMAGE = {
    "words": "DELETE FROM postings WHERE ctid IN (SELECT ctid FROM postings LIMIT 1)",
    "hashes": "UPDATE memories SET text = 'something else' WHERE number = 1",
    "orphans": "INSERT INTO sketches VALUES ('acme', 'user:local', 1, 99)",
    "isolation": "ALTER TABLE keys NO FORCE ROW LEVEL SECURITY",
    "shelves": "UPDATE entries SET body = '{}'",
}


@pytest.mark.parametrize("check", sorted(_DAMAGE))
def test_doctor_sees_what_was_done_behind_our_back(store: PostgresStore, admin: psycopg.Connection, check: str) -> None:
    with store.writing(OURS) as unit:
        unit.entries.put(Entry("notes", "a", "user:local", NOW, {"x": 1}, "the harbour"))
        add(unit, "Deploys are on Monday")
        add(unit, "Lunch is at noon")
    admin.execute(_DAMAGE[check])
    assert check in [finding.check for finding in store.upkeep.examine() if not finding.ok]


@pytest.mark.parametrize("check", ["words", "orphans"])
def test_repair_mends_what_can_be_derived(store: PostgresStore, admin: psycopg.Connection, check: str) -> None:
    with store.writing(OURS) as unit:
        unit.entries.put(Entry("notes", "a", "user:local", NOW, {"x": 1}, "the harbour"))
        add(unit, "Deploys are on Monday", tags=("ops",))
        add(unit, "Lunch is at noon")
    admin.execute(_DAMAGE[check])
    admin.execute("UPDATE tenants SET memories = 77, length = 0, entries = 0")
    admin.execute("DELETE FROM entry_postings")
    assert list(store.upkeep.repair())
    assert [finding for finding in store.upkeep.examine() if not finding.ok] == []
    counted = admin.execute("SELECT memories, length, entries, entry_length FROM tenants").fetchone()
    assert counted == (2, 9, 1, 2)


# -- finding ----------------------------------------------------------------------------------

words = st.sampled_from(("ant", "bee", "cat", "dog", "elk", "fox"))
documents = st.lists(st.lists(words, min_size=1, max_size=12), min_size=1, max_size=20)


@pytest.fixture(scope="module")
def both(postgres: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Callable[[], Store]]]:
    server = PostgresStore(postgres.address(postgres.new_database()))
    folder = tmp_path_factory.mktemp("both")
    count = iter(range(1_000_000))
    yield server, lambda: SqliteStore(folder / f"{next(count)}.db", synchronous="NORMAL")
    server.close()


@given(documents, st.lists(words, min_size=1, max_size=4, unique=True))
def test_words_score_as_they_do_in_a_file(
    both: tuple[Store, Callable[[], Store]], new_tenant: NewTenant, texts: list[list[str]], asked: list[str]
) -> None:
    server, new_file = both
    tenant, file = new_tenant(), new_file()
    for store in (server, file):
        with store.writing(tenant) as unit:
            added = [add(unit, " ".join(text)) for text in texts]
            if len(added) > 2:
                remove(unit, added[0])
    found = []
    for store in (server, file):
        with store.reading(tenant) as unit:
            found.append(unit.words.matching(asked, HERE, NOW, 50))
            frequencies = unit.words.frequencies(asked)[0]
            assert frequencies == [sum(word in text for text in texts[len(texts) > 2 :]) for word in asked]
    file.close()
    assert scores(found[0]) == pytest.approx(scores(found[1]), rel=1e-9)
    assert numbers(found[0]) == numbers(found[1])
    assert [features for features, _ in found[0]] == [features for features, _ in found[1]]


def test_words_are_looked_up_in_their_index(store: PostgresStore, admin: psycopg.Connection) -> None:
    with store.writing(OURS) as unit:
        for place in range(2_000):
            add(unit, f"word{place} and more words{place % 7}")
    admin.execute("ANALYZE")
    with store.reading(OURS) as unit:
        plan = unit.memories._transaction.rows(
            "EXPLAIN SELECT number, count, length FROM postings WHERE tenant = %s AND term = ANY(%s::text[])",
            (OURS, ["word77", "words3"]),
        )
    assert any("_pkey" in line and "Index" in line for (line,) in plan), plan
    assert not any("Seq Scan" in line for (line,) in plan), plan


def test_a_tenant_that_outgrows_exact_comparison_gets_an_index_and_filters_do_not_starve_it(
    store: PostgresStore, admin: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (vectors, upkeep):
        monkeypatch.setattr(module, "EXACT_LIMIT", 500)
    made = seeded(1_500, 32)
    space = replace(SPACE, dimensions=32)
    with store.writing(OURS) as unit:
        for place, vector in enumerate(made):
            rare = {"tags": ("rare",)} if place % 100 == 7 else {"scope": ELSEWHERE} if place % 100 == 8 else {}
            unit.vectors.put(add(unit, "x", **rare).number, space, vector)
    [(index,)] = admin.execute("SELECT indexname FROM pg_indexes WHERE indexdef LIKE '%hnsw%'").fetchall()
    assert index.startswith("vectors_")
    assert store.upkeep.index_vectors(OURS, str(space), 32) is False, "it is there already"
    admin.execute("ANALYZE")
    for filter in (HERE, EVERYTHING, replace(HERE, tags=("rare",)), replace(HERE, scopes=(ELSEWHERE,))):
        with store.reading(OURS) as unit:
            run = unit.memories._transaction.rows
            run("SELECT set_config('enable_sort', 'off', true)")  # so few rows would be sorted faster
            by_index = unit.vectors.nearest(made[3], space, filter, NOW, 10)
            run("SELECT pg_stat_force_next_flush()")
            monkeypatch.setattr(vectors, "EXACT_LIMIT", 10_000)
            exactly = unit.vectors.nearest(made[3], space, filter, NOW, 10)
            monkeypatch.setattr(vectors, "EXACT_LIMIT", 500)
        assert len(by_index) == 10
        assert len(set(numbers(by_index)) & set(numbers(exactly))) >= 9
        assert scores(by_index) == sorted(scores(by_index), reverse=True)
    used = admin.execute("SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = %s", (index,)).fetchone()
    assert used is not None
    assert used[0] > 0
