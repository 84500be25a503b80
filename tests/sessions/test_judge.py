"""The learned judge: what it is made of, what it is told, and that its weights are what the data make."""

import importlib.util
import json
import sys
from base64 import b64decode
from pathlib import Path
from types import ModuleType

import pytest

from commonplace.domain.memory import Kind
from commonplace.sessions.distil import distil
from commonplace.sessions.distil.clauses import clauses
from commonplace.sessions.distil.wording import statement
from commonplace.sessions.transcripts import Speaker, Turn, read_text

ROOT = Path(__file__).parents[2]


def said(text: str) -> list[Turn]:
    return [Turn(Speaker.USER, text)]


def training() -> ModuleType:
    spec = importlib.util.spec_from_file_location("train_judge", ROOT / "bench" / "train_judge.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_weights_for_signs_are_what_the_data_make() -> None:
    module = training()
    seen = [each for row in module.rows() for each in module.examples(row)]
    made = json.loads(module.weights_of(seen, [module.Model(module.SIGNS_ONLY, 0, {})]))
    shipped = json.loads(module.PLACE.read_text("utf-8"))
    assert made["features"] == shipped["features"]
    for name, head in made["spaces"][module.SIGNS_ONLY].items():
        stored = shipped["spaces"][module.SIGNS_ONLY][name]
        assert head["start"] == pytest.approx(stored["start"], abs=0.01), name
        assert head["features_unit"] == pytest.approx(stored["features_unit"], rel=0.01), name
        pairs = zip(b64decode(head["features"]), b64decode(stored["features"]), strict=True)
        assert all((made_of - of_shipped + 2) % 256 <= 4 for made_of, of_shipped in pairs), name


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I am coeliac, so what can I order there?", ["I am coeliac", "so what can I order there?"]),
        ("wir sind auf Hetzner, kannst du das einrichten", ["wir sind auf Hetzner", "kannst du das einrichten"]),
        ("我女儿对芒果过敏，野餐能带什么水果", ["我女儿对芒果过敏", "野餐能带什么水果"]),
        ("never push to main ok?", ["never push to main", "ok?"]),
        ("the deadline, is it in hours?", ["the deadline, is it in hours?"]),
    ],
)
def test_what_is_told_stands_apart_from_what_is_asked(text: str, parts: list[str]) -> None:
    assert [text[start:end].strip(" ,") for start, end in clauses(text, (0, len(text)))] == parts


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("btw remember that my sister is called Aoife", "my sister is called Aoife"),
        ("Please remember: the office moved to Dock Street", "the office moved to Dock Street"),
        ("merk dir bitte: mein Hund heißt Oskar", "mein Hund heißt Oskar"),
        ("记住，我周三不上班", "我周三不上班"),
        ("use grams, please", "use grams"),
        ("ok", "ok"),
        ("our staging box is called heron, please keep that in mind", "our staging box is called heron"),
        ("Please remember that for good, and always answer in metric units.", "always answer in metric units."),
        ("no wait, it's on Tuesday", "it's on Tuesday"),
        ("actually, that's outdated, we use pnpm now", "we use pnpm now"),
        ("I want you to know that I am deaf", "I am deaf"),
        ("hab mich vertan, der Port ist 8090", "der Port ist 8090"),
        ("je me suis trompée, le port est 8090", "le port est 8090"),
        ("端口是8090，记住了", "端口是8090"),
        ("ポートは8090です、覚えておいて", "ポートは8090です"),
        ("for the newsletter: never use emojis", "for the newsletter: never use emojis"),
        ("I don't remember that we ever paid", "I don't remember that we ever paid"),
        ("save the file as notes.md", "save the file as notes.md"),
        ("the rule is no phones at dinner", "the rule is no phones at dinner"),
    ],
)
def test_a_statement_has_no_lead_in_and_no_trail(sentence: str, expected: str) -> None:
    assert statement(sentence) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Please remember that I work Tuesday to Saturday.",
        "Merk dir bitte: ich bin montags nie da.",
        "Recuerda que soy celíaca.",
        "Retiens que je ne travaille pas le mercredi.",
        "Lembra que eu não trabalho às quartas.",
        "Ricorda che il mercoledì non lavoro.",
        "记住，我周三不上班。",
        "覚えておいて、水曜日は休みです。",
    ],
)
def test_a_wish_is_kept_as_the_first_turn_and_is_explicit(text: str) -> None:
    (item,) = distil(said(text)).items
    assert item.explicit
    assert item.quote == text


FACTS = (
    "The API runs on Python 3.11",
    "Deploys happen on Tuesdays at ten",
    "Marta owns the billing service",
    "We chose Postgres over MySQL because of JSONB",
    "The staging database listens on port 5433",
    "The contract with Lumeva ends on 31 October",
)


@pytest.mark.parametrize(
    "text",
    [
        ". ".join(FACTS) + ".",
        "".join(f"- {fact}\n" for fact in FACTS),
        "# Notes\n\n## Facts\n- " + "\n- ".join(FACTS[:3]) + "\n\nDecisions\n\n" + "\n".join(FACTS[3:]),
    ],
)
def test_a_digest_is_taken_line_by_line(text: str) -> None:
    assert [item.text.rstrip(".") for item in distil(read_text(text)).items] == list(FACTS)


@pytest.mark.parametrize(
    "text",
    [
        'translate into German: "Our office is closed on Mondays and we never answer the phone."',
        "proofread this please: I always prefers tea.",
        "$ git log\n9f21c0a Always use UTC in reports\n77b1e02 Never cache auth responses",
        "what if we only used SQLite? just thinking",
        "oh great, another yaml file. exactly what I always wanted",
    ],
)
def test_what_is_not_meant_to_last_is_left_out(text: str) -> None:
    assert distil(said(text)).items == ()


def test_what_was_left_out_is_listed_with_its_reason() -> None:
    found = distil(said("Maybe we will move our office to Cork in May, who knows."))
    assert found.items == ()
    (left,) = found.left_out
    assert left.turn == 0
    assert "a guess" in left.reason


def test_kinds_are_told_apart() -> None:
    assert distil(said("From now on answer in German please.")).items[0].kind is Kind.INSTRUCTION


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Would you mind keeping track of the fact that Marek signs the invoices?", "Marek signs the invoices"),
        ("Kannst du dir bitte merken, dass Marek die Rechnungen unterschreibt?", "Marek die Rechnungen unterschreibt"),
        ("¿Puedes tener presente que Marek firma las facturas?", "Marek firma las facturas"),
    ],
)
def test_a_question_whether_something_may_be_remembered_is_a_wish(text: str, expected: str) -> None:
    (item,) = distil(said(text)).items
    assert item.text == expected
    assert item.explicit


@pytest.mark.parametrize("text", ["can you remember that?", "could you note what the error says?"])
def test_other_questions_whether_something_is_remembered_say_nothing(text: str) -> None:
    assert distil(said(text)).items == ()
