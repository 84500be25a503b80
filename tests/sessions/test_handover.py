"""A summary is a hand-over: what a careful person must find in it, and what must not be there."""

import json
from typing import NamedTuple

import pytest

from commonplace.book.book import Book
from commonplace.sessions.distil import cleaned, summarise
from commonplace.sessions.transcripts import Speaker, Turn
from tests.test_architecture import ROOT

LIMIT = 1_500
TALKS = [json.loads(line) for line in (ROOT / "tests" / "corpora" / "talks_dev.jsonl").read_text("utf-8").splitlines()]


class Case(NamedTuple):
    """A conversation, words that a line of its summary must have, by heading, and words that must be nowhere."""

    language: str
    talk: str
    needed: tuple[tuple[str, str], ...]
    gone: tuple[str, ...]


CASES = (
    Case(
        "en",
        """user: Morning! I want to get the invoice export of the billing service out this week.
assistant: Good morning! Let me look at src/billing/export.py first.
user: We decided to use CSV for the invoice export, because the tax office cannot read JSON.
assistant: We could also offer XML with a schema, or zip archives. CSV is done: I changed src/billing/export.py.
user: The exporter runs every night at 02:00 on the worker host.
assistant: Noted.
user: No, wait, it runs every night at 03:30 on the worker host.
assistant: Understood. The tests in tests/test_export.py pass now.
user: I need to ask Ines for the production bucket before Friday. It is still open who signs the files.
assistant: All tests are green and the export is in place. Should the old endpoint be removed? Have a nice evening!
""",
        (
            ("Decided", "CSV"),
            ("State", "03:30"),
            ("State", "green"),
            ("Open", "who signs the files"),
            ("Open", "old endpoint be removed"),
            ("Next", "ask Ines"),
            ("Files", "src/billing/export.py"),
            ("Files", "tests/test_export.py"),
        ),
        ("02:00", "XML", "nice evening", "Good morning", "zip"),
    ),
    Case(
        "de",
        """user: Hallo, wir ziehen das Wiki um.
assistant: Hallo! Gerne.
user: Wir haben entschieden, dass das neue Wiki auf dem Server in Kiel läuft, weil dort die Leitung besser ist.
assistant: Verstanden. Man könnte auch einen Container in Bonn nehmen.
user: Bitte immer erst ein Backup machen, bevor du etwas am alten Server änderst.
assistant: Alles klar. Die Seite umzug.md enthält jetzt den Ablauf.
user: Ich muss noch bis Freitag die Zertifikate bei Frau Brandt bestellen.
assistant: Viel Erfolg! Sag Bescheid, wenn ich helfen kann.
""",
        (
            ("Entschieden", "Kiel"),
            ("Entschieden", "Backup"),
            ("Stand", "umzug.md enthält jetzt"),
            ("Nächste Schritte", "Zertifikate"),
            ("Dateien", "umzug.md"),
        ),
        ("Viel Erfolg", "Bonn", "Sag Bescheid"),
    ),
)


def spoken(case: Case) -> list[Turn]:
    lines = (line.partition(": ") for line in case.talk.splitlines() if line)
    return [Turn(Speaker(role), text) for role, _, text in lines]


def parts(summary: str) -> dict[str, str]:
    """The lines below each heading."""
    found: dict[str, str] = {}
    heading = ""
    for line in summary.splitlines():
        listed = line.startswith("- ")
        heading, text = (heading, line) if listed else line.split(":", 1)
        found[heading] = f"{found.get(heading, '')}\n{text}"
    return found


@pytest.mark.parametrize("case", CASES, ids=[case.language for case in CASES])
def test_whoever_goes_on_finds_what_they_need_and_nothing_that_was_discarded(book: Book, case: Case) -> None:
    session = book.sessions.save(spoken(case), book.scope()).session
    assert session is not None
    found = parts(session.summary)
    missing = [(part, words) for part, words in case.needed if words not in found.get(part, "")]
    assert len(missing) <= len(case.needed) // 8, (missing, session.summary)
    assert [words for words in case.gone if words in session.summary] == []


@pytest.mark.parametrize("talk", TALKS, ids=[talk["id"] for talk in TALKS])
def test_a_summary_is_short_headed_lines_the_same_every_time_without_parting_words(talk: dict[str, object]) -> None:
    turns = talk["turns"]
    assert isinstance(turns, list)
    said = list(cleaned(Turn(Speaker(turn["role"]), turn["text"]) for turn in turns))
    summary = summarise(said, LIMIT)
    assert 0 < len(summary) <= LIMIT
    assert summarise(said, LIMIT) == summary
    lines = summary.splitlines()
    assert lines[0].endswith(":")
    assert all(line.startswith("- ") or line.endswith(":") or ": " in line for line in lines)
    for parting in ("evening!", "Good luck", "Safe travels", "Viel Erfolg", "Buena campaña", "祝你们"):
        assert parting not in summary


@pytest.mark.parametrize("limit", [0, 1, 30, 100, 400])
def test_no_limit_is_broken_and_no_line_is_cut(limit: int) -> None:
    summary = summarise(spoken(CASES[0]), limit)
    assert len(summary) <= limit
    whole = " ".join(turn.text for turn in spoken(CASES[0]))
    assert all(line.removeprefix("- ") in whole for line in summary.splitlines() if line.startswith("- "))


def test_a_task_that_was_done_is_no_longer_one() -> None:
    talk = [
        Turn(Speaker.USER, "hello"),
        Turn(Speaker.USER, "We decided to keep the harbour crane because it is listed."),
        Turn(Speaker.USER, "I need to migrate the invoices table to the new schema by Friday."),
        Turn(Speaker.ASSISTANT, "I migrated it: the invoices table is migrated to the new schema, done."),
    ]
    assert "Next:" not in summarise(talk, LIMIT)
    assert "Next:" in summarise(talk[:3], LIMIT)


DISCARDED = """user: We need a place for the feature flags. What are the options?
assistant: 1) a table in PostgreSQL. 2) environment variables. 3) a flag service in the cloud.
user: could we run a Unleash server on each node instead?
assistant: Then each node has flags of its own, unless they are synced. A table is the same for all three.
user: ok no Unleash servers. A table in PostgreSQL then.
assistant: Done: the flags are in the table feature_flags, migration 0012.
user: I was thinking of a badge for the admin page.
assistant: A badge needs an icon set, and badges have to be drawn in two sizes for 12 screens.
user: Too much. Scrap the badge. The admin page shows a plain list.
assistant: The admin page shows a plain list of 14 flags now.
user: and caching them in Memcached?
assistant: It would be stale for a minute after a switch, I'd advise against it.
user: Fair, not Memcached. Read them on each request.
assistant: They are read on each request, that costs 2 ms.
user: guessing the tenant from the host name makes no sense. Send the header X-Tenant.
assistant: X-Tenant is sent by the gateway now.
user: cool, the oven timer beeps, got to go!
"""


def test_what_was_turned_down_is_not_told_as_decided_nor_as_how_things_stand() -> None:
    turns = [Turn(Speaker(role), text) for role, _, text in (line.partition(": ") for line in DISCARDED.splitlines())]
    told = summarise(turns, LIMIT)
    for kept in ("table in PostgreSQL then", "feature_flags", "plain list", "read on each request", "X-Tenant"):
        assert kept in told, told
    for gone in ("Unleash", "badge", "Memcached", "guessing the tenant", "flag service", "oven timer"):
        assert gone.lower() not in told.lower(), told


def test_what_somebody_had_a_mind_to_do_is_no_decision_in_french() -> None:
    said = (
        "user: Pour la salle, j'avais pensé à la piscine, mais elle est fermée en mai.\n"
        "assistant: La piscine ferme en effet du 2 au 30 mai.\n"
        "user: Oui, on oublie la piscine. Le gymnase, samedi 9 mai à 14 h.\n"
        "assistant: Noté : le gymnase, samedi 9 mai à 14 h.\n"
        "user: Je file, à demain !\n"
    )
    turns = [Turn(Speaker(role), text) for role, _, text in (line.partition(": ") for line in said.splitlines())]
    told = summarise(turns, LIMIT)
    assert "gymnase" in told
    assert "piscine" not in told
    assert "file" not in told


def test_a_decision_stands_though_nobody_comes_back_to_it_and_what_was_asked_for_is_no_state() -> None:
    said = [
        (Speaker.USER, "hey, quick one. how do I list docker volumes?"),
        (Speaker.ASSISTANT, "docker volume ls"),
        (Speaker.USER, "btw our staging box is called heron and it runs debian 12, please keep that in mind"),
        (Speaker.ASSISTANT, "Noted."),
        (Speaker.USER, "No wait, it moved last week: staging runs on osprey now, heron is gone."),
        (Speaker.ASSISTANT, "Understood, osprey."),
        (Speaker.USER, "We decided to go with Postgres instead of MySQL because of the jsonb indexes."),
        (Speaker.ASSISTANT, "Sounds good."),
        (Speaker.USER, "can you write me a haiku about ducks, and always rhyme"),
        (Speaker.ASSISTANT, "Ducks on a still pond"),
        (Speaker.USER, "maybe we should switch to rust lol"),
        (Speaker.ASSISTANT, "Perhaps one day."),
    ]
    handed_over = summarise([Turn(*each) for each in said])
    assert "- We decided to go with Postgres" in handed_over
    assert "- it moved last week: staging runs on osprey now" in handed_over
    assert not any(word in handed_over for word in ("haiku", "debian", "keep that in mind", "rust"))
