"""What Aleph's tools promise in sense: answers to the point, removals of what was meant, conversations by meaning."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench import contracts

from commonplace.book.book import Book
from commonplace.dialects.aleph.forgetting import ForgetParameters, forget
from commonplace.dialects.aleph.talks import SessionSearchParameters, search_sessions
from commonplace.errors import ModelError, NotFound
from commonplace.sessions.transcripts import Speaker, Turn
from tests.conftest import having
from tests.contracts.conftest import Serve
from tests.contracts.requirements import requires

MODELS_VARIABLE = "COMMONPLACE_TEST_MODELS"
PACK = "arctic-s"

AUTH = [
    Turn(Speaker.USER, "The auth module is a mess. Should we take OAuth with PKCE, or cookies?"),
    Turn(Speaker.ASSISTANT, "OAuth with PKCE suits a single-page app, with a JWT of 15 minutes."),
    Turn(Speaker.USER, "We decided to use OAuth with PKCE."),
]
GARDEN = [
    Turn(Speaker.USER, "We decided to plant tomatoes on the balcony in April."),
    Turn(Speaker.ASSISTANT, "They need full sun."),
]


class Scripted:
    """A language model that says what the test tells it to."""

    uses_network = False

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def complete(self, system: str, prompt: str, max_tokens: int) -> str:
        if isinstance(self.answer, ModelError):
            raise self.answer
        return json.dumps(self.answer)


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = Path(os.environ.get(MODELS_VARIABLE, ""))
    if not (folder / PACK / "model.onnx").is_file():
        pytest.skip(f"NOT RUN: {MODELS_VARIABLE} does not name a folder with {PACK}.")
    monkeypatch.setenv("COMMONPLACE_MODELS", str(folder))
    return folder


@requires("aleph.sessions.meaning", "aleph.sessions.nothing", "aleph.reflect.nothing")
def test_conversations_are_found_by_meaning_and_nothing_is_made_up(serve: Serve, models: Path, tmp_path: Path) -> None:
    with Book.open(tmp_path / "book.db", model=PACK) as book:
        auth = book.sessions.save(AUTH, book.scope(), key="auth").session
        book.sessions.save(GARDEN, book.scope(), key="garden")
        book.care.reembed()
    assert auth is not None
    client = serve("aleph", COMMONPLACE_MODEL=PACK, COMMONPLACE_MODELS=str(models))
    found = client.call("session_search", query="When did we discuss authentication?")
    assert [session["session_id"] for session in found["sessions"]] == [auth.id]
    assert any("OAuth" in quote for quote in found["sessions"][0]["evidence_quotes"])
    unknown = "What is the capital of France?"
    for tool in ("session_search", "memory_reflect"):
        assert client.refusal(tool, query=unknown)["error"]["code"] == "MemoryNotFound"


@requires("aleph.sessions.model")
def test_with_a_language_model_the_summary_is_the_models(tmp_path: Path) -> None:
    book = Book.open(tmp_path / "book.db", model="none")
    saved = book.sessions.save(AUTH, book.scope(), key="auth").session
    assert saved is not None
    asked = SessionSearchParameters(query="OAuth")
    said = {"text": "They chose OAuth with PKCE.", "sources": [saved.id]}
    model = having(book, llm=Scripted({"summaries": [said]}))
    assert search_sessions(model, asked)["sessions"][0]["summary"] == "They chose OAuth with PKCE."
    bare = search_sessions(model, SessionSearchParameters(query="OAuth", summarise=False))
    assert "summary" not in bare["sessions"][0]
    useless: list[object] = [
        {"summaries": []},
        {"summaries": [{"text": "A summary of 99 things.", "sources": [saved.id]}]},
        {"summaries": [{"text": "Somebody else's.", "sources": ["ses_INVENTED"]}]},
        ModelError("It is away."),
    ]
    for answer in useless:
        found = search_sessions(having(book, llm=Scripted(answer)), asked)
        assert found["sessions"][0]["summary"] == saved.summary
        assert "the model was of no use" in found["fell_back"]


# -- the scored sets --------------------------------------------------------------------------


@requires("aleph.forget.described")
@pytest.mark.parametrize(
    ("halves", "at_once"),
    [
        (("before", "after"), False),
        (("before", "after"), True),
        (("own", "fresh"), False),
        (("own", "fresh"), True),
        (("stranger",), True),
    ],
)
def test_of_a_hundred_descriptions_none_removes_what_was_not_meant(halves: tuple[str, ...], at_once: bool) -> None:
    """A stranger's are asked at once: shown first, one that names what is not there would be shown its like."""
    rows = [row for row in contracts.rows(contracts.CORPORA / "forget.jsonl", None) if row["half"] in halves]
    found = contracts.score_forget(rows, "none", at_once)
    assert len(found) >= 100
    assert [each.row["say"] for each in found if each.bad] == []


@requires("aleph.forget.described", "aleph.forget.asks")
@pytest.mark.usefixtures("models")
def test_with_a_model_few_questions_are_needless() -> None:
    found = contracts.score_forget(contracts.rows(contracts.CORPORA / "forget.jsonl", "after"), PACK, False)
    clear = [each for each in found if each.wanted]
    assert [each.row["say"] for each in found if each.bad] == []
    assert sum(not each.good for each in clear) <= 0.15 * len(found)


HEALTH = (
    "Mum's doctor is in Station Road.",
    "The dentist appointment is on 4 June at nine.",
    "The user takes vitamin D in winter.",
    "The health insurance card is in the drawer.",
)


@pytest.fixture
def health(models: Path, tmp_path: Path) -> Iterator[Book]:
    with Book.open(tmp_path / "book.db", model=PACK) as book:
        for text in HEALTH:
            book.remember(text)
        yield book


def gone(book: Book, say: str) -> list[str]:
    """What a description removes; nothing where it finds nothing."""
    try:
        return forget(book, ForgetParameters(query=say, confirm=True))["forgotten"]
    except NotFound:
        return []


@requires("aleph.forget.described")
def test_what_is_described_in_none_of_its_words_is_shown_and_goes_by_its_id(health: Book) -> None:
    say = "the supplement in the cold months"
    for _ in range(2):
        asked = forget(health, ForgetParameters(query=say, confirm=True))
        assert asked["forgotten"] == []
        assert [(each["content"], each["goes"]) for each in asked["candidates"]] == [(HEALTH[2], False)]
    (shown,) = asked["candidates"]
    assert forget(health, ForgetParameters(query=shown["id"], confirm=True))["count"] == 1


@requires("aleph.forget.asks")
@pytest.mark.parametrize("say", ["the painkiller for headaches", "the thing", "the people", "Mum's birthday"])
def test_what_is_only_of_its_kind_never_goes(say: str, health: Book) -> None:
    assert [gone(health, say) for _ in range(2)] == [[], []]
    assert len(list(health.each())) == len(HEALTH)


@requires("aleph.forget.described", "aleph.forget.asks")
def test_who_asks_for_a_person_means_what_names_one_or_says_what_they_are(tmp_path: Path) -> None:
    with Book.open(tmp_path / "book.db", model="none") as book:
        book.remember("The report job runs at five in the morning.")
        assert gone(book, "who gets the reports") == []
        book.remember("Reports are mailed to the finance team.")
        (id,) = gone(book, "who gets the reports")
        assert book.get(id).text == "Reports are mailed to the finance team."


@requires("aleph.forget.asks")
@pytest.mark.usefixtures("models")
def test_a_name_in_common_is_not_enough(tmp_path: Path) -> None:
    with Book.open(tmp_path / "book.db", model=PACK) as book:
        for text in (
            "Ida's bow tie was mended at Bergmann for 20 euros.",
            "Jonas has a viola on loan from the school.",
            "The choir meets on Mondays at seven.",
            "The hall key hangs behind the stage.",
            "Concert dress is black.",
        ):
            book.remember(text)
        for say in ("Ida's suit size", "Ida's key", "the cost of Ida's hotel"):
            assert [gone(book, say) for _ in range(2)] == [[], []], say
        assert len(gone(book, "the repair of Ida's tie")) == 1


@requires("aleph.forget.asks", "aleph.forget.preview")
def test_where_one_is_likely_the_question_is_whether_it_is_that(health: Book) -> None:
    asked = forget(health, ForgetParameters(query="where I show that I am insured"))
    (shown,) = asked["candidates"]
    assert (shown["content"], shown["goes"]) == (HEALTH[3], False)
    assert asked["prompt"].startswith("Ask the user whether this is what they mean")
    assert shown["id"] in asked["prompt"]
    assert forget(health, ForgetParameters(query=shown["id"], confirm=True))["forgotten"] == [shown["id"]]


@requires("aleph.reflect.answers")
@pytest.mark.usefixtures("models")
def test_answers_have_what_they_must_and_little_that_they_must_not() -> None:
    found = contracts.score_reflect(contracts.rows(contracts.CORPORA / "reflect.jsonl", "before"), PACK)
    assert sum(each.good for each in found) >= 0.8 * sum(each.wanted for each in found)
    assert sum(each.bad for each in found) <= 0.1 * sum(each.unwanted for each in found)
