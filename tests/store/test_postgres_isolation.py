"""A foreign tenant's rows cannot be seen or written, whatever SQL the application's role is made to run."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import errors, sql

from commonplace.domain.entries import Entry
from commonplace.domain.memory import Relation, RelationKind
from commonplace.domain.scope import Principal
from commonplace.domain.token import Token
from commonplace.errors import StoreUnwritable
from commonplace.ports import KeptAnswer, Use
from commonplace.store.postgres import PostgresStore
from tests.postgres import MEMBER, OWNER, Server
from tests.store.making import NOW, OURS, SPACE, THEIRS, add, revise

VECTOR = b"\x00\x3c" + b"\x00" * 6
TABLES = (
    "tenants",
    "memories",
    "tags",
    "revisions",
    "postings",
    "sketches",
    "vectors",
    "uses",
    "relations",
    "events",
    "keys",
    "entries",
    "entry_postings",
    "entry_vectors",
    "entry_counts",
    "sequences",
)


@pytest.fixture(scope="module")
def database(postgres: Server) -> str:
    """A book in which two tenants have something in every table."""
    name = postgres.new_database()
    store = PostgresStore(postgres.address(name))
    for tenant in (OURS, THEIRS):
        with store.writing(tenant) as unit:
            kept = add(unit, f"Deploys of {tenant} are on Monday", tags=("ops",), vector=VECTOR)
            revise(unit, kept, importance=0.9)
            unit.uses.record([Use(kept.number, NOW, "test")])
            unit.relations.add(Relation("rel_1", kept.id, "mem_x", RelationKind.SUPPORTS, None, NOW))
            unit.keys.keep("local", "key", KeptAnswer(b"digest", (kept.id,)), NOW)
            unit.entries.put(Entry("notes", "a", "user:local", NOW, text="the harbour"))
            decided = Entry("decision", "a", "user:local", NOW, text="the harbour")
            unit.entries.put(decided)
            unit.entry_vectors.put(decided, SPACE, VECTOR)
            unit.entries.next_in("notes")
        store.tokens.add(Token(f"tok_{tenant}", b"digest", "test", Principal(tenant), None, NOW))
    store.close()
    return name


@pytest.fixture
def application(postgres: Server, database: str) -> Iterator[psycopg.Connection]:
    """A login that may act as commonplace_app and nothing else, in a transaction of our tenant that is undone."""
    with psycopg.connect(postgres.address(database, MEMBER)) as connection:
        connection.execute("SELECT set_config('search_path', 'commonplace, public', true)")
        connection.execute("SELECT set_config('commonplace.tenant', %s, true)", (OURS,))
        yield connection
        connection.rollback()


def contents(postgres: Server, database: str) -> dict[str, list[tuple[object, ...]]]:
    """Every row of the other tenant, as the superuser sees them."""
    with psycopg.connect(postgres.address(database, "postgres")) as connection:
        return {
            table: connection.execute(
                f"SELECT x::text FROM commonplace.{table} AS x WHERE tenant = %s ORDER BY 1", (THEIRS,)
            ).fetchall()
            for table in TABLES
        }


def test_there_is_something_to_hide_in_every_table(postgres: Server, database: str) -> None:
    assert [table for table, rows in contents(postgres, database).items() if not rows] == []
    with psycopg.connect(postgres.address(database, "postgres")) as connection:
        found = connection.execute(
            "SELECT DISTINCT table_name FROM information_schema.columns JOIN pg_class ON relname = table_name "
            "WHERE table_schema = 'commonplace' AND column_name = 'tenant' AND NOT relispartition"
        )
        assert {name for (name,) in found} == {*TABLES, "tokens"}


@pytest.mark.parametrize("table", TABLES)
def test_foreign_rows_are_invisible(application: psycopg.Connection, table: str) -> None:
    seen = {tenant for (tenant,) in application.execute(f"SELECT tenant FROM {table}")}
    assert seen == {OURS}
    assert application.execute(f"SELECT count(*) FROM {table} WHERE tenant = %s", (THEIRS,)).fetchone() == (0,)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("tenant", [None, "", "acm", f"{OURS}' OR 'a' = 'a"])
def test_without_the_right_tenant_there_is_nothing(
    application: psycopg.Connection, table: str, tenant: str | None
) -> None:
    if tenant is None:
        application.execute("RESET commonplace.tenant")
    else:
        application.execute("SELECT set_config('commonplace.tenant', %s, true)", (tenant,))
    assert application.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


@pytest.mark.parametrize("table", TABLES)
def test_foreign_rows_cannot_be_changed(
    application: psycopg.Connection, postgres: Server, database: str, table: str
) -> None:
    before = contents(postgres, database)
    assert application.execute(f"DELETE FROM {table} WHERE tenant = %s", (THEIRS,)).rowcount == 0
    assert application.execute(f"UPDATE {table} SET tenant = tenant WHERE tenant = %s", (THEIRS,)).rowcount == 0
    application.commit()
    assert contents(postgres, database) == before


@pytest.mark.parametrize("table", TABLES)
def test_nothing_can_be_put_into_a_foreign_tenant(application: psycopg.Connection, table: str) -> None:
    with pytest.raises(errors.InsufficientPrivilege), application.transaction():
        application.execute(f"UPDATE {table} SET tenant = %s", (THEIRS,))
    columns = [column.name for column in application.execute(f"SELECT * FROM {table}").description or ()]
    values = sql.SQL(", ").join(
        sql.Literal(f"{THEIRS}") if name == "tenant" else sql.Identifier(name) for name in columns
    )
    with pytest.raises(errors.InsufficientPrivilege), application.transaction():
        application.execute(
            sql.SQL("INSERT INTO {} SELECT {} FROM {}").format(sql.Identifier(table), values, sql.Identifier(table))
        )


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM memories_{}",
        "DELETE FROM postings_{}",
        "TRUNCATE memories",
        "TRUNCATE keys",
        "ALTER TABLE memories DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE memories NO FORCE ROW LEVEL SECURITY",
        "DROP POLICY of_the_tenant ON memories",
        "CREATE POLICY mine ON memories USING (true)",
        "DROP TABLE keys",
        f"SET ROLE {OWNER}",
        "UPDATE book SET schema = 0",
        "COPY memories TO '/tmp/x'",
    ],
)
def test_there_is_no_way_round(application: psycopg.Connection, statement: str) -> None:
    for remainder in range(8) if "{}" in statement else [0]:
        with pytest.raises(errors.InsufficientPrivilege), application.transaction():
            application.execute(statement.format(remainder))


@pytest.mark.parametrize("table", TABLES)
def test_saying_upkeep_helps_only_the_owner(
    application: psycopg.Connection, postgres: Server, database: str, table: str
) -> None:
    application.execute("SET LOCAL commonplace.upkeep = 'on'")
    assert application.execute(f"SELECT count(*) FROM {table} WHERE tenant = %s", (THEIRS,)).fetchone() == (0,)
    with psycopg.connect(postgres.address(database)) as owner:
        assert owner.execute(f"SELECT count(*) FROM commonplace.{table}").fetchone() == (0,), "the owner is bound too"
        owner.execute("SET LOCAL commonplace.upkeep = 'on'")
        assert owner.execute(f"SELECT count(DISTINCT tenant) FROM commonplace.{table}").fetchone() == (2,)


def test_every_key_is_led_by_the_tenant(postgres: Server, database: str) -> None:
    with psycopg.connect(postgres.address(database, "postgres")) as connection:
        rows = connection.execute(
            "SELECT c.relname, a.attname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid "
            "JOIN pg_class AS t ON t.oid = i.indrelid JOIN pg_attribute AS a ON a.attrelid = t.oid "
            "AND a.attnum = i.indkey[0] WHERE t.relnamespace = 'commonplace'::regnamespace"
        ).fetchall()
    assert len(rows) > 20
    assert [name for name, first in rows if first != "tenant"] == ["tokens_pkey"], "it says whose tenant it is"


def test_a_tenants_transaction_sees_and_makes_no_token(application: psycopg.Connection) -> None:
    assert application.execute("SELECT count(*) FROM tokens").fetchone() == (0,)
    assert application.execute("UPDATE tokens SET rights = '[]'").rowcount == 0
    with pytest.raises(errors.InsufficientPrivilege), application.transaction():
        application.execute("INSERT INTO tokens VALUES ('tok_x', '', '', 'globex', 'x', '[]', '[]', NULL, 1)")
    with pytest.raises(errors.InsufficientPrivilege), application.transaction():
        application.execute("DELETE FROM tokens")


@pytest.mark.parametrize("user", [OWNER, MEMBER])
def test_a_unit_of_work_runs_as_the_application_and_leaves_nothing_on_its_connection(
    postgres: Server, database: str, user: str
) -> None:
    store = PostgresStore(postgres.address(database, user))
    who = "SELECT current_user, current_setting('commonplace.tenant', true)"
    for block in (store.reading(OURS), store.writing(OURS), store.best_effort(OURS, 0.5)):
        with block as unit:
            assert unit.memories._transaction.rows(who) == [("commonplace_app", OURS)]
    pool = store._connections._opened()
    with pool.connection() as connection:
        found = connection.execute(who).fetchone()
    assert found in [(user, ""), (user, None)]
    store.close()


@pytest.mark.parametrize("attribute", ["BYPASSRLS", "SUPERUSER"])
def test_a_role_that_sees_everything_is_refused(postgres: Server, database: str, attribute: str) -> None:
    with postgres.admin() as admin:
        admin.execute(f"ALTER ROLE commonplace_app {attribute}")
        try:
            store = PostgresStore(postgres.address(database))
            with pytest.raises(StoreUnwritable, match="ALTER ROLE"), store.reading(OURS):
                pass
            assert "isolation" in [each.check for each in store.upkeep.examine() if not each.ok]
        finally:
            admin.execute(f"ALTER ROLE commonplace_app NO{attribute}")
            store.close()


# -- the one question that may be asked about everybody ----------------------------------------


@pytest.mark.parametrize(
    "trick",
    [
        "SELECT 1",
        "SET LOCAL commonplace.upkeep = 'on'",
        "CREATE TEMP TABLE tenants (tenant text)",
        "SET LOCAL search_path = pg_temp, commonplace",
        "SET LOCAL ROLE commonplace_app",
        "SET LOCAL row_security = off",
    ],
)
def test_a_tenants_transaction_does_not_learn_who_the_others_are(application: psycopg.Connection, trick: str) -> None:
    application.execute(trick)
    with pytest.raises(errors.InsufficientPrivilege), application.transaction():
        application.execute("SELECT commonplace.tenant_names()")


@pytest.mark.parametrize("user", [OWNER, MEMBER])
def test_a_login_that_owns_nothing_learns_the_names_and_sees_no_more_than_before(
    postgres: Server, database: str, user: str
) -> None:
    store = PostgresStore(postgres.address(database, user))
    assert store.upkeep.tenants() == tuple(sorted((OURS, THEIRS)))
    store.close()
    with psycopg.connect(postgres.address(database, MEMBER)) as connection:
        connection.execute("SELECT commonplace.tenant_names()")
        left = connection.execute("SELECT current_setting('commonplace.upkeep', true)").fetchone()
        assert left in [("",), (None,)], "what the function may do, its caller may not do after it"
        for table in TABLES:
            assert connection.execute(f"SELECT count(*) FROM commonplace.{table}").fetchone() == (0,), table


def test_tenants_are_found_whatever_it_is_that_they_have(postgres: Server) -> None:
    store = PostgresStore(postgres.address(postgres.new_database()))
    with store.writing("a") as unit:
        unit.relations.add(Relation("rel_1", "mem_x", "mem_y", RelationKind.SUPPORTS, None, NOW))
    with store.writing("b") as unit:
        unit.keys.keep("local", "key", KeptAnswer(b"digest", ()), NOW)
    with store.writing("c") as unit:
        unit.entries.next_in("notes")
    with store.writing("d") as unit:
        unit.entries.put(Entry("notes", "a", "user:local", NOW))
    with store.writing("e") as unit:
        add(unit, "Deploys are on Monday")
    with store.writing("nobody"):
        pass
    assert store.upkeep.tenants() == ("a", "b", "c", "d", "e")
    store.close()


def test_it_is_the_only_function_with_rights_of_its_own_and_nobody_else_may_call_it(
    postgres: Server, database: str
) -> None:
    with psycopg.connect(postgres.address(database, "postgres")) as connection:
        found = connection.execute(
            "SELECT proname, proacl::text, proconfig[1] FROM pg_proc "
            "WHERE pronamespace = 'commonplace'::regnamespace AND prosecdef"
        ).fetchall()
    [(name, rights, path)] = found
    assert name == "tenant_names"
    assert rights == f"{{{OWNER}=X/{OWNER},commonplace_app=X/{OWNER}}}", "and so not everybody"
    assert path == "search_path=pg_catalog, commonplace, pg_temp"
