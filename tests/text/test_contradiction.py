"""A newer text beside an older one: what contradicts it is told, what lives with it is left alone."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given

from commonplace.text.contradiction import Bearing, judge
from commonplace.text.nearness import same_substance
from tests.corpora import reversed_pairs
from tests.strategies import texts

CORPORA = Path(__file__).parents[1] / "corpora"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The API listens on port 5432.", "The API listens on port 6432."),
        ("The client is pinned to version 2.1.", "The client is pinned to version 3.0."),
        ("Deploys are on Monday.", "Deploys are on Friday."),
        ("Sofia lives in Porto.", "Sofia moved to Lisbon."),
        ("Marta is the lead of the search team.", "Jonas is the lead of the search team."),
        ("We use semicolons.", "We do not use semicolons."),
        ("The project uses Poetry.", "The project no longer uses Poetry."),
        ("Always squash commits.", "Never squash commits."),
        ("The user prefers tabs over spaces.", "The user prefers spaces over tabs."),
        ("I prefer tabs.", "I prefer spaces."),
        ("I prefer dark roast.", "I prefer light roast."),
        ("The cache is enabled.", "The cache is disabled."),
        ("The meeting is at 9:30.", "Actually the meeting is at 10:00."),
        ("数据库的端口是5432。", "数据库的端口是6432。"),
        ("Der Server läuft auf Port 80.", "Der Server läuft auf Port 8080."),
    ],
)
def test_another_value_a_no_and_a_changed_preference_are_contradictions(older: str, newer: str) -> None:
    found = judge(older, newer)
    assert found.bearing is Bearing.CONTRADICTION
    assert found.reason


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Staging listens on port 5432.", "Production listens on port 6432."),
        ("Marta lives in Porto.", "Jonas lives in Lisbon."),
        ("Julia speaks Italian.", "Julia speaks Portuguese."),
        ("Farid owns the checkout.", "Farid also owns the coupons."),
        ("We used Jenkins until 2021.", "CI runs on GitHub Actions now."),
        ("Invoice 881 was paid.", "Invoice 882 was not paid."),
        ("Rosa manages the shop.", "Rosa's husband manages the cafe now."),
        ("The server had an outage on 2 May.", "The server had an outage on 17 May."),
        ("The blog is built with Hugo.", "The blog's comments were moved to Giscus."),
        ("The customer asked for CSV export.", "The customer no longer needs the PDF export."),
        ("Vera's mother lives in Krakow.", "Vera's garage moved to Gdansk."),
        ("If a tracker release goes bad, run make rollback.", "No releases of the tracker on Fridays after noon."),
        ("The Holm family lends us both harbour paintings.", "The harbour paintings must hang at no more than 50 lux."),
        ("", "Deploys are on Friday."),
        ("…", "!!!"),
        ("Dogs must be ten weeks old for the summer class.", "Dogs must be six weeks old for the day class."),
        ("The contract ends in May.", "The contract can be extended by two years."),
        ("We hired a designer in Lyon.", "We hired a designer in Porto."),
        ("The second floor has two kitchens.", "The first floor has one kitchen."),
        ("Traces are deleted after 14 days.", "We keep traces for fourteen days."),
        ("The largest upload we take is 5 GB.", "Uploads over 5 GB are rejected."),
        ("The museum is closed on Mondays.", "The museum's shop is open on Mondays."),
        ("Dropped Redux in Tidepool: there are only three stores.", "Tidepool release: the store build is uploaded."),
    ],
)
def test_two_facts_that_live_together_are_left_alone(older: str, newer: str) -> None:
    assert judge(older, newer, 0.95).bearing is not Bearing.CONTRADICTION


def test_the_reason_names_what_became_of_what() -> None:
    assert judge("The API listens on port 5432.", "The API listens on port 6432.").reason == "'5432' became '6432'"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The band rehearses at 19:30.", "The band rehearses at half past seven in the evening."),
        ("The ferry leaves at 7:10.", "The ferry leaves at ten past seven."),
        ("The ferry leaves at 6:45.", "The ferry leaves at a quarter to seven."),
        ("The night build starts at 1 am.", "The night build is started at 01:00."),
        ("Only Anne may approve a refund.", "Nobody but Anne may approve refunds."),
        ("Bills are due within 14 days.", "Bills are due within two weeks."),
        ("Ole takes the pill twice a day.", "Ole takes the pill two times daily."),
        ("Ms. Ito teaches the evening class.", "The evening class is taught by Ms. Ito."),
    ],
)
def test_the_same_amount_time_or_person_in_other_words_is_a_repeat(older: str, newer: str) -> None:
    assert judge(older, newer, 0.96).bearing is Bearing.REPEAT


def test_of_a_hundred_reversed_pairs_none_is_a_repeat() -> None:
    pairs = reversed_pairs.pairs()
    wrong = [(a, b) for a, b in pairs if judge(a, b, 1.0).bearing is Bearing.REPEAT or same_substance(a, b)]
    assert len(pairs) >= 100
    assert wrong == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Marta leads the search team.", "The search team is led by Marta."),
        ("Our main database is MySQL.", "MySQL is the primary database we use."),
        ("The office is closed on Fridays.", "On Fridays the office is not open."),
    ],
)
def test_a_paraphrase_is_a_repeat_if_a_model_finds_it_near(older: str, newer: str) -> None:
    assert judge(older, newer, 0.95).bearing is Bearing.REPEAT
    assert judge(older, newer).bearing is Bearing.NEITHER
    assert judge(older, newer, 0.5).bearing is Bearing.NEITHER


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Elsa's birthday is 3 April.", "Elsa's birthday party was moved to the 8th."),
        ("The harbour is open until nine.", "The harbour ferry has been switched to seven."),
    ],
)
def test_what_changed_about_a_thing_named_after_another_changes_nothing_about_that(older: str, newer: str) -> None:
    assert judge(older, newer, 0.84).bearing is Bearing.NEITHER
    same = newer.replace(" party", "").replace(" ferry", "")
    assert judge(older, same, 0.84).bearing is Bearing.CONTRADICTION


def test_what_only_a_word_of_change_tells_must_be_more_alike() -> None:
    older, newer = "The monorepo is built with Bazel.", "The monorepo has a new build since May."
    found = [judge(older, newer, likeness).bearing is Bearing.CONTRADICTION for likeness in (0.7, 0.79, 0.81, None)]
    assert found == [False, False, True, True]


@pytest.mark.parametrize(
    ("older", "newer", "reason"),
    [
        ("Milan plays the cello.", "Milan gave up the cello.", None),
        (
            "Jakob is a member of the works council.",
            "Jakob left the works council.",
            "the newer one says it is over: 'left'",
        ),
        ("Hendrik's car is a Volvo.", "Hendrik walks now, the Volvo is sold.", None),
        ("Ruth is treasurer of the rowing club.", "The rowing club's treasurer is Kemal.", "'Ruth' became 'Kemal'"),
        ("Our mascot is a fox.", "Our mascot is an owl.", "'fox' became 'owl'"),
        ("The office dog is called Bruno.", "The office dog's name is Balu.", "'Bruno' became 'Balu'"),
        ("Dario is single.", "Dario got engaged to Lena.", "'single' became 'engaged'"),
        ("The repo uses npm; lock files are in git.", "The repo is on pnpm.", "'npm' became 'pnpm'"),
        (
            "Commit messages should be in English.",
            "Commit messages are to be written in Dutch.",
            "'in English' became 'in Dutch'",
        ),
        ("A library card costs 15 euros.", "The library card is 20 euros.", "'15 euros' became '20 euros'"),
        (
            "The nightly job takes 40 minutes.",
            "The nightly job takes three hours.",
            "'40 minutes' became 'three hours'",
        ),
        (
            "We publish the podcast every two weeks.",
            "The podcast comes out weekly.",
            "'every two weeks' became 'weekly'",
        ),
        ("The pool opens in May.", "The pool doesn't open before June.", "'May' became 'not before June'"),
        ("Carlos has never run a marathon.", "Carlos finished his third marathon.", "the older one says 'never'"),
        ("We host the shop on DigitalOcean.", "The shop was moved to Hetzner.", "'DigitalOcean' became 'Hetzner'"),
        ("Comments are in American English.", "Use British English in comments.", "'American' became 'British'"),
        (
            "The user wants tests for every function.",
            "No tests for trivial functions.",
            "the newer one says no to some of it",
        ),
        ("The user prefers email over phone calls.", "The user prefers phone calls over email.", None),
        ("Only HR can see salaries.", "Managers can see salaries too.", "the older one says it is the only one"),
        ("The bridge is closed until June.", "The bridge has been open again since Monday.", None),
        (
            "The film should run 58 minutes.",
            "After the call with the client the film is now fixed at 52 minutes.",
            None,
        ),
        ("The boat lies in berth 12.", "We sold the boat in spring.", None),
        (
            "Ole sings bass in the parish choir.",
            "Ole left the choir at Easter.",
            "the newer one says it is over: 'left'",
        ),
        ("We have no patents.", "We filed our first patent in May.", "the newer one tells of the first"),
        ("Nobody has audited the pump yet.", "Mette audited the pump last week.", "the older one says no to it"),
        ("There are two ovens on the third floor.", "The third floor has only one oven.", "'two' became 'one'"),
        ("Tim waters the plants.", "The plants are watered by Ole.", "'Tim' became 'Ole'"),
        ("The shop is open until 18:30.", "The shop closes at 20:00.", "'18:30' became '20:00'"),
        ("Imports may be at most 2 GB.", "Imports can't be larger than 500 MB.", "'2 GB' became '500 MB'"),
        ("The lease runs until 31 March 2027.", "The lease ends on 30 June 2027.", "'31 March' became '30 June'"),
    ],
)
def test_kinds_of_change_that_no_one_word_tells_are_contradictions(older: str, newer: str, reason: str | None) -> None:
    found = judge(older, newer)
    assert found.bearing is Bearing.CONTRADICTION
    assert reason is None or found.reason == reason


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("No releases on Fridays.", "No meetings on Mondays."),
        ("There's a cash machine in the lobby.", "There's no cash machine in the annex."),
        ("Hannah reads crime fiction.", "Hannah stopped reading the newspaper."),
        ("Nico hates olives.", "Nico loves olive oil."),
        ("Noor doesn't drink coffee.", "Noor's sister drinks coffee."),
        ("Lukas called the landlord on Monday.", "Lukas called the landlord on Thursday."),
        ("The office closes at 6 pm.", "The office shuts at 18:00."),
        ("The bus to school leaves at 7:25.", "The bus back from school leaves at 13:10."),
        ("The kitchen tap drips.", "The bathroom tap has been replaced."),
        ("The board of the society has five members.", "The society has 62 members since May."),
        ("The plugin supports Python 3.8.", "The plugin no longer supports Python 2.7."),
        ("The flag for dark mode is off.", "The flag for the new checkout is on."),
        ("The user prefers tabs in Go.", "The user prefers spaces in Python."),
        ("I prefer tabs.", "I prefer meetings after 10am."),
        ("I prefer tabs.", "I prefer short commit messages."),
        ("The user prefers small pull requests.", "The user prefers trains."),
        ("The first interview is by video.", "The second interview is on site."),
        ("Ingrid has taken over the data platform from Paul.", "Paul handed the data platform to Ingrid."),
        ("The mentor of Priyanka is Dr. Osei.", "The mentor of Rafael is Dr. Lund."),
        ("Felix plays chess on Tuesdays.", "Felix plays tennis on Fridays now."),
        ("Jakob is a member of the works council.", "Jakob left the football club."),
        ("Amara is a designer.", "Bo is a designer."),
        ("The course costs 100 euros.", "The book for the course costs 20 euros."),
        ("Always moor ship 3 at berth 21.", "Always moor ship 4 at berth 28."),
        ("Room 5 has a projector.", "Room 6 has a whiteboard instead of a projector."),
        ("The pharmacy delivers in the evening.", "The pharmacy moved its flu vaccinations to the back room."),
        ("The intern sits in room 3.", "The intern got a laptop instead of the old desktop."),
        ("The motor is under warranty.", "The battery is no longer under warranty."),
        ("Gunnar manages the warehouse in Kiel.", "Gunnar's deputy in Kiel has changed."),
        ("The cache lives for five minutes.", "The cache was moved to a second machine."),
        ("The shop closes for lunch.", "The shop now sells coffee to go."),
        ("We keep customer data for two years.", "Applicant data is deleted after six months now."),
        ("The ceremony is at the town hall.", "The dinner after the ceremony was moved to the harbour."),
    ],
)
def test_other_things_other_times_and_other_owners_are_no_contradiction(older: str, newer: str) -> None:
    assert judge(older, newer, 0.95).bearing is not Bearing.CONTRADICTION


@pytest.mark.parametrize(
    ("name", "least"), [("contradictions_dev", 0.65), ("contradictions_house", 0.8), ("contradictions_own", 0.7)]
)
def test_by_words_alone_contradictions_are_found_and_compatible_facts_are_not_called_one(
    name: str, least: float
) -> None:
    lines = (CORPORA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    called: Counter[str] = Counter()
    labelled: Counter[str] = Counter()
    for pair in map(json.loads, lines):
        labelled[pair["label"]] += 1
        called[pair["label"]] += judge(pair["a"], pair["b"]).bearing is Bearing.CONTRADICTION
    assert called["contradiction"] / labelled["contradiction"] >= least
    assert called["contradiction"] / called.total() >= 0.9
    assert called["compatible"] / labelled["compatible"] <= 0.05


@given(texts, texts)
def test_any_two_texts_are_judged_and_no_text_contradicts_itself(older: str, newer: str) -> None:
    assert judge(older, newer, 0.9).bearing in Bearing
    assert judge(older, older, 1.0).bearing is not Bearing.CONTRADICTION


def test_a_long_text_is_judged_by_its_first_sentences_only() -> None:
    long = "Deploys are on Monday. " * 5_000
    assert judge(long, "Deploys are on Friday.").bearing is Bearing.CONTRADICTION
    assert judge("no " * 50_000, "not " * 50_000).bearing is not Bearing.REPEAT


def test_things_that_are_told_apart_by_a_number_do_not_contradict_each_other() -> None:
    older = "Service number 4 listens on port 8028 and is owned by team 4."
    other = "Service number 39 listens on port 8273 and is owned by team 4."
    same = "Service number 4 listens on port 8273 and is owned by team 4."
    assert judge(older, other, 0.95).bearing is not Bearing.CONTRADICTION
    assert judge(older, same, 0.95).bearing is Bearing.CONTRADICTION
