"""No secret comes into a book through the library: records, arguments of any method, documents to import."""

import inspect
import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from commonplace.book.book import Book
from commonplace.decisions.decision import Proposal
from commonplace.dialect import perform
from commonplace.dialects import load_dialect
from commonplace.documents.evidence import EvidenceType, Source
from commonplace.domain.memory import Memory
from commonplace.domain.record import Record
from commonplace.domain.scope import Principal, Scope, ScopeKind
from commonplace.engine.intake import Draft
from commonplace.engine.lifecycle import Changes
from commonplace.errors import CommonplaceError
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.store.postgres import PostgresStore
from tests.conftest import OpenBook
from tests.postgres import Server
from tests.security.fields import call, fields, marker, stored, token, ways, world

HERE = Scope.parse("user:local")
TALK = (Turn(Speaker.USER, "We decided to deploy on Mondays because the office is full then."),)
SUBJECTS = (
    "",
    "access",
    "sessions",
    "corrections",
    "documents",
    "evidence",
    "decisions",
    "teams",
    "curated",
)
# They read files of the user's own choice, or ask for what is in the book.
APART = {"open", "close", "add", "sync", "watch", "look_again"}
LEAST_PARAMETERS = 45
LEAST_TEXTS = 16


class Parameter(NamedTuple):
    """A text that a method of the book takes."""

    subject: str
    method: str
    name: str

    def __str__(self) -> str:
        return f"book.{self.subject}.{self.method}({self.name})".replace("..", ".")


def parameters(book: Book) -> Iterator[Parameter]:
    for subject in SUBJECTS:
        on = getattr(book, subject) if subject else book
        for method, function in inspect.getmembers(on, inspect.ismethod):
            if not method.startswith("_") and method not in APART:
                for name, parameter in inspect.signature(function).parameters.items():
                    fields = parameter.kind is inspect.Parameter.VAR_KEYWORD
                    if "str" in str(parameter.annotation) or parameter.annotation is object or fields:
                        yield Parameter(subject, method, name)


def sample(book: Book, name: str, annotation: str, number: int) -> Any:
    """Something that a method can use under this name."""
    there = world(book, number)
    place = book.scope("project:auto") if name == "scope" and annotation.endswith("Scope'>") else HERE
    named: dict[str, Any] = {
        "reference": there.one.id,
        "old": there.one.id,
        "new": there.other.id,
        "memory": there.one,
        "scope": place,
        "principal": Principal(teams=()),
        "turns": TALK,
        "id": there.decision,
        "changes": Changes(importance=0.7),
        "proposal": Proposal("Way", "ada", "context", "We take it", "it is short", area="roads"),
        "keep": (there.one,),
        "source": Source(EvidenceType.PR, "PR 1"),
        "references": [there.one.id],
        "others": [there.other.id],
        "scopes": (HERE,),
        "ids": [there.one.id],
        "team": "core",
        "user": "bob",
        "drafts": (),
        "edits": (),
    }
    return named.get(name, f"plain words {number}" if "str" in annotation else inspect.Parameter.empty)


def called(book: Book, parameter: Parameter, text: str, number: int) -> str:
    """What came of a call with the text for one parameter, and something usable for all that are asked for."""
    on = getattr(book, parameter.subject) if parameter.subject else book
    method = getattr(on, parameter.method)
    given: dict[str, Any] = {}
    for name, each in inspect.signature(method).parameters.items():
        if name == parameter.name:
            if each.kind is inspect.Parameter.VAR_KEYWORD:
                given |= {"topic": text} if parameter.method in ("remember", "draft") else {}
            else:
                given[name] = text
        elif each.default is inspect.Parameter.empty and each.kind is not inspect.Parameter.VAR_KEYWORD:
            given[name] = sample(book, name, str(each.annotation), number)
    try:
        answer = method(**given)
        return repr(list(answer)) if inspect.isgenerator(answer) else ""
    except CommonplaceError as error:
        return error.message
    except (TypeError, AttributeError, ValueError):
        return ""  # no text can be given there


def test_a_secret_in_any_argument_of_any_method_is_not_stored(open_book: OpenBook, tmp_path: Path) -> None:
    attack, control = (open_book(f"{name}/book.db", project_root=tmp_path) for name in ("attack", "control"))
    secrets = {token(): parameter for parameter in parameters(attack)}
    harmless = {marker(): parameter for parameter in parameters(attack)}
    for book, texts in ((attack, secrets), (control, harmless)):
        book.teams.create("core")
        for number, (text, parameter) in enumerate(texts.items()):
            called(book, parameter, text, number)
        book.close()
    leaked = sorted(str(secrets[secret]) for secret in stored(tmp_path / "attack", secrets))
    kept = stored(tmp_path / "control", harmless)
    print(f"\n{len(secrets)} parameters: {len(kept)} store harmless words, {len(leaked)} secrets stored")
    assert leaked == []
    assert len(secrets) >= LEAST_PARAMETERS
    assert len(kept) >= LEAST_TEXTS


# -- records ------------------------------------------------------------------------------------


def _attach(book: Book, source: Record) -> object:
    return book.evidence.attach(book.remember("Deploys are on Monday").memory.id, source)  # type: ignore[arg-type]


def _update(book: Book, changes: Record) -> object:
    return book.update(book.remember("Deploys are on Monday").memory.id, changes)  # type: ignore[arg-type]


WRITES: dict[type[Record], tuple[dict[str, Any], Callable[[Book, Any], object]]] = {
    Draft: ({"text": "Something is so", "scope": HERE}, lambda book, draft: book.remember(draft)),
    Changes: ({"importance": 0.7}, _update),
    Source: ({"type": EvidenceType.PR, "reference": "PR 1"}, _attach),
    Proposal: (
        {"title": "t", "owner": "o", "context": "c", "decision": "d", "rationale": "r", "area": "a"},
        lambda book, proposal: book.decisions.create(HERE, proposal),
    ),
    Turn: ({"role": Speaker.USER, "text": TALK[0].text}, lambda book, turn: book.sessions.save([*TALK, turn], HERE)),
    Scope: (
        {"kind": ScopeKind.AGENT, "id": "reviewer"},
        lambda book, scope: book.remember(Draft("Something is so", scope)),
    ),
    Principal: ({"teams": ()}, lambda book, who: book.access.create(who, "a label")),
}


def text_fields(record: type[Record]) -> list[str]:
    hints = inspect.get_annotations(record)
    return [name for name in record.fields if "str" in str(hints.get(name, "")) and "Enum" not in str(hints.get(name))]


@pytest.mark.parametrize("record", WRITES)
def test_a_secret_in_any_field_of_a_record_is_not_stored(
    record: type[Record], open_book: OpenBook, tmp_path: Path
) -> None:
    base, write = WRITES[record]
    book = open_book("attack/book.db")
    write(book, record(**base))  # which can be stored but for the secret
    hints = inspect.get_annotations(record)
    secrets = {}
    for name in text_fields(record):
        secret = token()
        secrets[secret] = name
        value: Any = secret
        if "tuple" in str(hints[name]):
            value = (secret,)
        elif "frozenset" in str(hints[name]):
            value = frozenset({secret})
        with suppress(CommonplaceError):
            write(book, record(**{**base, name: value}))
    book.close()
    assert secrets
    assert [secrets[secret] for secret in stored(tmp_path / "attack", secrets)] == []


# -- documents ----------------------------------------------------------------------------------


def planted(value: object, text: str) -> Iterator[object]:
    """The JSON once for each text and name in it, with another in its place."""
    if isinstance(value, str):
        yield text
    elif isinstance(value, dict):
        for name, item in value.items():
            yield {**value, text: item}
            for changed in planted(item, text):
                yield {**value, name: changed}
    elif isinstance(value, list):
        for place, item in enumerate(value):
            for changed in planted(item, text):
                yield [*value[:place], changed, *value[place + 1 :]]


def whole(book: Book) -> Memory:
    """A memory that has something in each of its fields."""
    known = book.remember(
        "Deploys are on Monday", tags=("ops",), category="ops", topic="deploys", source="mail", session="ses_1"
    ).memory
    book.archive(known.id, reason="over")
    return known


@pytest.mark.parametrize("trust", [False, True])
def test_a_secret_anywhere_in_a_document_is_not_imported(open_book: OpenBook, tmp_path: Path, trust: bool) -> None:
    source, book = open_book("source.db"), open_book("attack/book.db")
    source.supersede(source.remember("Old").memory.id, source.remember("New").memory.id, reason="newer")
    whole(source)
    header, *lines = source.transfer.export()
    secrets = {}
    for line in lines:
        number = random.Random(line).randrange(10**6)
        for place, _ in enumerate(planted(json.loads(line), "")):
            secret = token()
            changed = list(planted(json.loads(line), secret))[place]
            secrets[secret] = f"{number} {place}"
            book.transfer.import_([header, json.dumps(changed)], trust=trust)
    book.close()
    print(f"\n{len(secrets)} places in a document, {len(stored(tmp_path / 'attack', secrets))} secrets stored")
    assert stored(tmp_path / "attack", secrets) == set()
    assert len(secrets) > 100


def test_a_secret_anywhere_in_a_nuzo_document_is_not_imported(open_book: OpenBook, tmp_path: Path) -> None:
    nuzo = load_dialect("nuzo")
    source, book = open_book("source.db"), open_book("attack/book.db")
    source.remember("Deploys are on Monday", tags=("ops",), source="mail", scope="user")
    document = perform(nuzo, source.through(nuzo.door), "memory.export", {}).body
    secrets = set()
    for place, _ in enumerate(planted(document, "")):
        secret = token()
        secrets.add(secret)
        changed = list(planted(document, secret))[place]
        answer = perform(nuzo, book.through(nuzo.door), "memory.import", {"document": changed})
        assert secret not in answer.text
    book.close()
    print(f"\n{len(secrets)} places in a document, {len(stored(tmp_path / 'attack', secrets))} secrets stored")
    assert stored(tmp_path / "attack", secrets) == set()
    assert len(secrets) > 20


# -- the other engine ---------------------------------------------------------------------------


def test_a_secret_in_any_field_of_any_tool_is_not_stored_on_a_server(postgres: Server, tmp_path: Path) -> None:
    """The same calls on PostgreSQL, and a look at every row of every table."""
    import psycopg

    name = postgres.new_database()
    book = Book.over(PostgresStore(postgres.address(name)), project_root=tmp_path)
    known: dict[str, str] = {}
    control = marker()
    book.remember(f"It is called {control}")
    for number, field in enumerate(each for each in fields() if not each.tool.effect.read_only):
        secret = token()
        known[secret] = str(field)
        for arguments in ways(field, secret, world(book, number)):
            call(book, field, arguments)
    book.close()
    with psycopg.connect(postgres.address(name, "postgres"), autocommit=True) as connection:
        tables = connection.execute(
            "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'commonplace'"
        ).fetchall()
        rows = "\n".join(
            str(row[0]).lower() for (table,) in tables for row in connection.execute(f"SELECT t::text FROM {table} t")
        )
    leaked = [field for secret, field in known.items() if secret.partition("_")[2].lower() in rows]
    print(f"\n{len(known)} fields of writing tools on PostgreSQL, {len(tables)} tables, {len(leaked)} secrets stored")
    assert control in rows
    assert leaked == []
    assert len(known) >= 100
