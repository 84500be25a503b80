"""The ownsona contract: `remember`, the tool of the published document."""

import string
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from commonplace.book.book import Book
from commonplace.dialects.ownsona.tags import tidy
from commonplace.domain.memory import Kind
from tests.contracts.client import Client
from tests.contracts.conftest import Serve
from tests.contracts.ownsona_calls import COLBY, COLBY_NOW, MATCH_KEYS, ahead, blame, code, got, key
from tests.contracts.requirements import requires

# -- what it takes ----------------------------------------------------------------------------


@requires("ownsona.remember.example", "ownsona.remember.output", "ownsona.remember.output.near", "ownsona.ids.numbers")
def test_the_published_example_is_stored(serve: Serve) -> None:
    client = serve("ownsona")
    answer = client.call("remember", text=COLBY, tags=["family"], capture_mode="explicit")
    assert answer == {"ok": True, "memory_id": answer["memory_id"], "message": "Ok", "near_duplicates": []}
    assert isinstance(answer["memory_id"], int)
    stored = got(client, answer["memory_id"])
    assert (stored["text"], stored["tags"], stored["capture_mode"]) == (COLBY, ["family"], "explicit")
    assert client.call("remember", text="Lunch is at noon.")["memory_id"] > answer["memory_id"]


@requires("ownsona.remember.text.required", "ownsona.remember.text.limit", "ownsona.remember.text.kept")
def test_a_text_is_required_trimmed_and_bounded(serve: Serve) -> None:
    client = serve("ownsona")
    for arguments in ({}, {"text": None}, {"text": ""}, {"text": " \n\t "}):
        assert blame(client, "remember", **arguments) == "text"
    longest = "word " * 3_199 + "ends."
    assert len(longest) == 16_000
    assert client.call("remember", text=f"  {longest}\n")["message"] == "Ok"
    assert blame(client, "remember", text=longest + "!") == "text"
    id = client.call("remember", text="\n two  blanks\n inside ")["memory_id"]
    assert got(client, id)["text"] == "two  blanks\n inside"
    assert client.call("count_memories")["count"] == 2


@requires(
    "ownsona.remember.secrets",
    "ownsona.remember.secrets.forms",
    "ownsona.remember.secrets.ordinary",
    "ownsona.remember.secrets.unsaid",
)
def test_secrets_are_rejected_and_what_only_looks_odd_is_not(serve: Serve) -> None:
    client = serve("ownsona")
    capitals = string.ascii_uppercase + string.digits
    secrets = [
        key("sk-proj-", 40),
        key("sk-ant-", 40),
        key("sk-", 48),
        key("ghp_", 36),
        key("ghs_", 36),
        key("github_pat_", 82),
        key("AKIA", 16, capitals),
        key("ASIA", 16, capitals),
        key("xoxb-", 24),
        key("AIza", 35),
        ".".join((key("eyJ", 20), key("eyJz", 30), key("x", 30))),
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----",
    ]
    for secret in secrets:
        body = client.refusal("remember", text=f"The user said it is {secret} and to keep it.")
        assert body["error"]["code"] == "SECRET_REJECTED", secret
        assert secret not in str(body)
    assert client.call("count_memories", include_deleted=True)["count"] == 0
    for ordinary in (
        "Order #SK-12 was shipped.",
        "The stub in the docs is AKIA1234.",
        "The phone number is +1 555 010 9999.",
        "The build has the id 123e4567-e89b-12d3-a456-426614174000.",
        "We use gpt-4o-mini and claude-3-5-sonnet.",
    ):
        assert client.call("remember", text=ordinary)["message"] == "Ok"


@requires("ownsona.remember.tags", "ownsona.remember.tags.rules", "ownsona.remember.tags.limits")
def test_tags_are_kept_in_their_canonical_form(serve: Serve) -> None:
    client = serve("ownsona")

    def kept(*tags: str | None) -> list[str]:
        text = f"A fact about {' '.join(str(tag) for tag in tags)[:300]}."
        return got(client, client.call("remember", text=text, tags=list(tags), dedup_policy="insert")["memory_id"])[
            "tags"
        ]

    assert kept("books", "tech", "family") == ["publishing", "software", "family"]
    assert kept("  Home   Office ", "FAM", "families", "kin") == ["home-office", "family"]
    assert kept("job", "prefs", "dislikes", "medicine", "beliefs", "bio", "v2", "größe") == [
        "work",
        "preferences",
        "health",
        "philosophy",
        "personal",
        "v2",
        "größe",
    ]
    assert kept("x", "", " ", None, "c++", "a_b", "ok-tag") == ["ok-tag"]
    assert kept("- Garden -", "--", "-") == ["garden"]
    assert "c++" in client.call("remember", text="Said aloud.", tags=["c++"])["note"]
    assert kept("y" * 64) == ["y" * 64]
    assert kept(*(f"tag{number}" for number in range(16)), "TAG1") == [f"tag{number}" for number in range(16)]
    assert code(client, "remember", text="Too long.", tags=["y" * 65]) == "INVALID_INPUT"
    assert code(client, "remember", text="Too many.", tags=[f"t{number}" for number in range(17)]) == "INVALID_INPUT"


@requires("ownsona.remember.tags.order")
@given(st.lists(st.one_of(st.text(max_size=20), st.sampled_from(["Books", "home office", "tech", "İx", "-a b-"]))))
def test_tidying_tags_twice_changes_nothing(raw: list[str]) -> None:
    once = tidy(raw[:16]).kept
    assert tidy(once).kept == once
    assert tidy([*once, *once]).kept == once
    assert tidy(reversed(once)).kept == tuple(reversed(once))


@requires(
    "ownsona.remember.source_provider",
    "ownsona.remember.importance",
    "ownsona.remember.capture_mode",
    "ownsona.remember.session_id",
)
def test_provenance_and_importance_are_kept_and_checked(serve: Serve) -> None:
    client = serve("ownsona")
    id = client.call(
        "remember", text="One.", source_provider="openai", importance=1, capture_mode=" inferred ", session_id=" s 1 "
    )["memory_id"]
    stored = got(client, id)
    assert (stored["source_provider"], stored["importance"]) == ("openai", 1.0)
    assert (stored["capture_mode"], stored["session_id"]) == ("inferred", " s 1 ")
    plain = got(client, client.call("remember", text="Two.", capture_mode=" ", session_id=" ")["memory_id"])
    assert plain["importance"] == 0.5
    assert plain["source_provider"] is plain["capture_mode"] is plain["session_id"] is None
    for wrong in (
        {"importance": 1.01},
        {"importance": -0.1},
        {"capture_mode": "Explicit"},
        {"capture_mode": "typed"},
        {"session_id": "s" * 257},
        {"session_id": "a\nb"},
        {"source_provider": "p" * 257},
    ):
        assert blame(client, "remember", text="Three.", **wrong) == next(iter(wrong))
    assert client.call("remember", text="Four.", session_id="s" * 256)["message"] == "Ok"
    assert client.call("count_memories")["count"] == 3


@requires("ownsona.remember.importance.unused")
def test_importance_does_not_change_a_score(serve: Serve) -> None:
    client = serve("ownsona")
    for colour, importance in (("red", 0.0), ("blue", 1.0), ("green", 0.5)):
        client.call("remember", text=f"The cat sleeps on the {colour} sofa.", importance=importance)
    scores = {match["score"] for match in client.call("recall", query="Where does the cat sleep?")["matches"]}
    assert len(scores) == 1


# -- repeats ----------------------------------------------------------------------------------


@requires("ownsona.remember.ask", "ownsona.remember.entries", "ownsona.remember.policy")
def test_ask_stores_and_lists_what_is_near(serve: Serve) -> None:
    client = serve("ownsona")
    first = client.call("remember", text=COLBY, tags=["family"], source_provider="openai")["memory_id"]
    for place, policy in enumerate(({}, {"dedup_policy": "ask"}, {"dedup_policy": " "}, {"dedup_policy": " ask "})):
        text = COLBY_NOW + "!" * place
        answer = client.call("remember", text=text, **policy)
        assert (answer["ok"], answer["message"], got(client, answer["memory_id"])["text"]) == (True, "Ok", text)
        near = answer["near_duplicates"]
        assert first in [match["id"] for match in near]
        assert all(match.keys() >= MATCH_KEYS and 0.9 <= match["score"] <= 1 for match in near)
        assert [match["score"] for match in near] == sorted((match["score"] for match in near), reverse=True)
        assert "previously_corrected" not in answer
    assert next(match for match in near if match["id"] == first)["source_provider"] == "openai"
    for wrong in ("ASK", "merge"):
        assert blame(client, "remember", text="Another.", dedup_policy=wrong) == "dedup_policy"


@requires("ownsona.remember.skip_if_near", "ownsona.remember.output.skipped")
def test_skip_if_near_returns_the_nearest_and_writes_nothing(serve: Serve) -> None:
    client = serve("ownsona")
    first = client.call("remember", text=COLBY, tags=["family"])["memory_id"]
    second = client.call("remember", text=COLBY_NOW)["memory_id"]
    before = [got(client, id) for id in (first, second)]
    answer = client.call("remember", text=COLBY_NOW + "!", tags=["work"], dedup_policy="skip_if_near")
    assert answer == {
        "ok": True,
        "memory_id": second,
        "message": "Already remembered",
        "near_duplicates": answer["near_duplicates"],
    }
    assert [match["id"] for match in answer["near_duplicates"]] == [second, first]
    assert [got(client, id) for id in (first, second)] == before
    assert client.call("count_memories", include_deleted=True)["count"] == 2
    fresh = client.call("remember", text="Lunch is at noon.", dedup_policy="skip_if_near")
    assert (fresh["message"], "near_duplicates" in fresh) == ("Ok", False)


@requires("ownsona.remember.skip_if_near.new", "ownsona.remember.near.apart")
def test_skip_if_near_stores_whatever_may_be_new(serve: Serve) -> None:
    client = serve("ownsona")
    for known, other in (
        ("I prefer tabs over spaces.", "I prefer spaces over tabs."),
        ("We migrated from MySQL to PostgreSQL.", "We migrated from PostgreSQL to MySQL."),
        ("I work at Acme.", "I used to work at Acme."),
        ("Anna manages Bob.", "Bob manages Anna."),
        ("My aunt is a doctor.", "My aunt was a doctor."),
    ):
        client.call("remember", text=known)
        answer = client.call("remember", text=other, dedup_policy="skip_if_near")
        assert (answer["message"], answer.get("near_duplicates")) == ("Ok", None), other
    whole = "The two grey cats of the old lighthouse keeper sleep in the boat house every winter"
    known = client.call("remember", text=whole)["memory_id"]
    more = client.call("remember", text=f"{whole}, said Ivo.", dedup_policy="skip_if_near")
    assert (more["message"], [match["id"] for match in more["near_duplicates"]]) == ("Ok", [known])
    less = client.call("remember", text=f"{whole}!", dedup_policy="skip_if_near")
    assert (less["message"], less["memory_id"] in (known, more["memory_id"])) == ("Already remembered", True)


@requires("ownsona.remember.text.setting")
def test_the_longest_text_is_a_setting(serve: Serve) -> None:
    for place, name in enumerate(("MAX_TEXT_CHARS", "COMMONPLACE_OWNSONA_MAX_TEXT_CHARS")):
        client = serve("ownsona", **{name: "100"})
        id = client.call("remember", text=str(place) * 100)["memory_id"]
        for tool, named in (("remember", {}), ("update_memory", {"id": id})):
            body = client.refusal(tool, text="y" * 101, **named)
            assert body["error"]["code"] == "INVALID_INPUT"
            assert "100" in body["error"]["message"]
        assert blame(client, "recall", query="z" * 101) == "query"
    longer = serve("ownsona", MAX_TEXT_CHARS="20000")
    assert longer.call("remember", text="long " * 3_999)["message"] == "Ok"


@requires("ownsona.remember.insert", "ownsona.remember.output.corrected")
def test_tombstones_warn_unless_the_check_is_skipped(serve: Serve) -> None:
    client = serve("ownsona")
    wrong = client.call("remember", text=COLBY)["memory_id"]
    right = client.call("remember", text="Colby moved to Denver, Colorado.")["memory_id"]
    assert "previously_corrected" not in client.call("remember", text="Lunch is at noon.")
    client.call("forget", id=wrong, reason="he moved", replaced_by_id=right)
    answer = client.call("remember", text=COLBY)
    assert answer["message"] == "Ok"
    assert answer["memory_id"] not in (wrong, right)
    (tombstone,) = answer["previously_corrected"]
    assert tombstone.keys() >= {*MATCH_KEYS, "deleted_at"}
    assert (tombstone["id"], tombstone["forget_reason"], tombstone["replaced_by_id"]) == (wrong, "he moved", right)
    assert tombstone["score"] >= 0.99
    plain = client.call("remember", text=COLBY_NOW, dedup_policy="insert")
    assert plain == {"ok": True, "memory_id": plain["memory_id"], "message": "Ok"}


@requires("ownsona.remember.exact", "ownsona.remember.exact.expired", "ownsona.remember.exact.near")
def test_an_exact_repeat_is_already_remembered_under_every_policy(serve: Serve) -> None:
    client = serve("ownsona")
    first = client.call("remember", text=COLBY, tags=["family"])["memory_id"]
    near = client.call("remember", text=COLBY_NOW)["memory_id"]
    for policy in ("ask", "insert", "skip_if_near"):
        answer = client.call("remember", text=f" {COLBY.upper()} ".replace(" ", "  "), dedup_policy=policy)
        assert (answer["memory_id"], answer["message"]) == (first, "Already remembered")
        listed = [(match["id"], match["score"]) for match in answer.get("near_duplicates", ())]
        assert listed == ([] if policy == "insert" else [(first, 1.0)])
        assert "previously_corrected" not in answer
    assert got(client, first)["tags"] == ["family"]
    client.call("update_memory", id=near, expires_at="2020-01-01T00:00:00Z")
    again = client.call("remember", text=COLBY_NOW)
    assert (again["message"], again["memory_id"] > near) == ("Ok", True)


@requires("ownsona.remember.substance")
def test_what_differs_in_substance_is_never_near(serve: Serve) -> None:
    client = serve("ownsona")
    client.call("remember", text="The standup with the whole platform team is at 9:15 on Monday.")
    for other in (
        "The standup with the whole platform team is at 9:45 on Monday.",
        "The standup with the whole platform team is at 9:15 on Friday.",
        "The standup with the whole platform team is not at 9:15 on Monday.",
    ):
        answer = client.call("remember", text=other, dedup_policy="skip_if_near")
        assert answer["message"] == "Ok", other


@requires("ownsona.remember.concurrent")
def test_of_two_who_say_the_same_at_once_one_stores_it(serve: Serve) -> None:
    clients = (serve("ownsona"), serve("ownsona"))
    with ThreadPoolExecutor(2) as pool:
        for number in range(10):
            text = f"Fact number {number}."
            answers = list(pool.map(partial(_remember, text), clients))
            assert sorted(answer["message"] for answer in answers) == ["Already remembered", "Ok"]
            assert len({answer["memory_id"] for answer in answers}) == 1


def _remember(text: str, client: Client) -> Any:
    return client.call("remember", text=text, dedup_policy="insert")


# -- times ------------------------------------------------------------------------------------


@requires("ownsona.remember.expires_at", "ownsona.remember.expires_at.limit", "ownsona.recall.excludes")
def test_recall_leaves_out_what_has_expired_or_was_forgotten(serve: Serve) -> None:
    client = serve("ownsona")
    kept = client.call("remember", text="The code word is heron.", expires_at=ahead(days=1))["memory_id"]
    gone = client.call("remember", text="The code word was magpie.", expires_at="2020-02-01T00:00:00Z")["memory_id"]
    forgotten = client.call("remember", text="The code word might be raven.")["memory_id"]
    client.call("forget", id=forgotten)
    assert [match["id"] for match in client.call("recall", query="code word")["matches"]] == [kept]
    assert got(client, gone)["expires_at"].startswith("2020-02-01T00:00:00")
    assert client.call("remember", text="Far off.", expires_at=ahead(days=36_000))["message"] == "Ok"
    assert blame(client, "remember", text="Too far off.", expires_at=ahead(days=36_530)) == "expires_at"


@requires("ownsona.remember.last_confirmed_at", "ownsona.remember.timestamps")
def test_timestamps_are_iso_8601_and_confirmation_defaults_to_now(serve: Serve) -> None:
    client = serve("ownsona")

    def confirmed(**arguments: str) -> str:
        text = f"Said at {arguments or 'no time'}."
        id = client.call("remember", text=text, dedup_policy="insert", **arguments)["memory_id"]
        return got(client, id)["last_confirmed_at"]

    before = datetime.now(UTC) - timedelta(milliseconds=1)
    now = confirmed()
    assert now.endswith("Z")
    assert before <= datetime.fromisoformat(now) <= datetime.now(UTC)
    for written in (
        "2024-03-01T09:30:00Z",
        "2024-03-01T09:30Z",
        "2024-03-01T10:30:00+01:00",
        "20240301T093000Z",
        "2024-03-01 09:30:00.000Z",
        "2024-W09-5T09:30:00Z",
    ):
        assert confirmed(last_confirmed_at=written) == "2024-03-01T09:30:00.000Z"
    assert confirmed(last_confirmed_at="2024-03-01") == "2024-03-01T00:00:00.000Z"
    assert confirmed(last_confirmed_at=ahead(minutes=4)) > now
    assert blame(client, "remember", text="Ahead.", last_confirmed_at=ahead(minutes=6)) == "last_confirmed_at"
    for name in ("expires_at", "last_confirmed_at"):
        for wrong in ("yesterday", "3d", "", "2024-13-01", "0001-01-01"):
            assert blame(client, "remember", text="Malformed.", **{name: wrong}) == name


# -- refusals ---------------------------------------------------------------------------------


@requires("ownsona.remember.order")
def test_arguments_are_checked_in_the_contracts_order(serve: Serve) -> None:
    client = serve("ownsona")
    secret = key("ghp_", 36)
    wrong: dict[str, Any] = {
        "expires_at": "never",
        "text": " ",
        "tags": ["y" * 65],
        "importance": 2,
        "capture_mode": "typed",
        "session_id": "s" * 257,
        "dedup_policy": "merge",
        "last_confirmed_at": ahead(days=1),
    }
    assert blame(client, "remember", **wrong) == "expires_at"
    wrong["expires_at"] = ahead(days=50_000)
    assert blame(client, "remember", **wrong) == "text"
    wrong["text"] = f"It is {secret}"
    assert code(client, "remember", **wrong) == "SECRET_REJECTED"
    wrong["text"] = "A fact."
    assert "tag" in client.refusal("remember", **wrong)["error"]["message"]
    mended = {
        "tags": [],
        "importance": 0.5,
        "capture_mode": "explicit",
        "session_id": "s",
        "dedup_policy": "ask",
        "expires_at": ahead(days=1),
    }
    places = [*list(mended)[1:], "last_confirmed_at"]
    for name, following in zip(mended, places, strict=True):
        wrong[name] = mended[name]
        assert blame(client, "remember", **wrong) == following
    assert client.call("count_memories", include_deleted=True)["count"] == 0


@requires("ownsona.errors.wrong_type", "ownsona.errors.envelope")
def test_a_wrong_type_names_the_argument(serve: Serve) -> None:
    client = serve("ownsona")
    for wrong in (
        {"text": 5},
        {"tags": "family"},
        {"importance": "high"},
        {"importance": True},
        {"capture_mode": 1},
        {"session_id": 7},
        {"dedup_policy": []},
        {"expires_at": 1_700_000_000},
        {"source_provider": {}},
    ):
        assert blame(client, "remember", **{"text": "A fact.", **wrong}) == next(iter(wrong))
    assert blame(client, "remember", text="A fact.", tags=[7]) == "tags[0]"
    assert blame(client, "recall", query="x", limit=1.5) == "limit"
    assert blame(client, "forget", id=[1]) == "id"
    assert blame(client, "forget", id=1, hard_delete="yes") == "hard_delete"
    assert blame(client, "remember_batch", items="one") == "items"
    assert code(client, "remember", text="A fact.", tags=["y" * 65]) == "INVALID_INPUT"


@requires("ownsona.remember.errors", "ownsona.errors.database")
def test_a_book_that_cannot_be_used_is_a_database_error(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "book.db").write_text("This is a letter and no book. " * 200)
    client = serve("ownsona")
    assert code(client, "remember", text=COLBY) == "DATABASE_ERROR"
    assert code(client, "recall", query="Colby") == "DATABASE_ERROR"
    assert code(client, "remember", text=" ") == "INVALID_INPUT"
    assert code(client, "remember", text=key("ghp_", 36)) == "SECRET_REJECTED"


@requires("ownsona.scopes.written", "ownsona.use_not_counted")
def test_a_fact_goes_to_the_users_own_scope_and_recalling_it_is_no_use(serve: Serve, tmp_path: Path) -> None:
    client = serve("ownsona")
    id = client.call("remember", text=COLBY)["memory_id"]
    assert client.call("recall", query="Colby")["matches"]
    client.call("build_context_prompt", user_prompt="Colby?")
    with Book.open(tmp_path / "book.db", model="none") as book:
        memory = book.get(id)
        assert (memory.kind, memory.scope) == (Kind.FACT, book.principal.own_scope)
        assert (memory.provenance.surface, memory.provenance.actor) == ("ownsona", "ownsona")
        assert memory.usage.count == 0
