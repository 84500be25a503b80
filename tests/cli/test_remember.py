"""remember: where texts come from, and what is said about each."""

from pathlib import Path

import pytest

from tests.cli.conftest import Call

LABELS = (
    "--kind",
    "decision",
    "--tag",
    "ops",
    "--tag",
    "weekly",
    "--category",
    "releases",
    "--importance",
    "0.9",
    "--confidence",
    "0.8",
    "--priority",
    "7",
    "--pin",
    "--source",
    "stand-up",
    "--session",
    "s-1",
    "--expires",
    "7d",
    "--valid-from",
    "2026-01-01",
    "--valid-to",
    "2099-01-01",
)


def test_each_argument_is_one_memory(cli: Call) -> None:
    answer = cli("remember", "One thing", "Another thing").ok()
    assert "remembered as 1: One thing\nremembered as 2: Another thing\n" in answer.out
    assert "2 texts: 2 created." in answer.out


def test_labels_and_provenance_are_kept(cli: Call) -> None:
    (result,) = cli("remember", "Deploys are on Friday", *LABELS, "--json").ok().json["results"]
    memory = result["memory"]
    assert (memory["kind"], memory["tags"], memory["category"]) == ("decision", ["ops", "weekly"], "releases")
    assert (memory["importance"], memory["confidence"], memory["priority"]) == (0.9, 0.8, 7)
    assert (memory["pinned"], memory["source"], memory["session"]) == (True, "stand-up", "s-1")
    assert memory["valid_from"] == "2026-01-01T00:00:00.000Z"
    assert memory["expires_at"] > memory["created_at"]
    assert (memory["surface"], memory["actor"], memory["origin"]) == ("cli", "cli", "typed")


@pytest.mark.parametrize("words", [("remember",), ("remember", "-")])
def test_each_line_of_a_pipe_is_a_memory(cli: Call, words: tuple[str, ...]) -> None:
    answer = cli(*words, "--json", stdin="First line\r\n\n   \nSecond line\n").ok()
    assert [result["memory"]["text"] for result in answer.json["results"]] == ["First line", "Second line"]


def test_a_whole_pipe_is_one_memory_when_asked(cli: Call) -> None:
    answer = cli("remember", "--whole", "--json", stdin="A title\n\nand its body\n").ok()
    assert [result["memory"]["text"] for result in answer.json["results"]] == ["A title\n\nand its body"]


def test_files_are_read_line_by_line_or_whole(cli: Call, tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("\ufeffApples are red\nPears are green\n", encoding="utf-8")
    two.write_text("Plums are blue\n", encoding="utf-8")
    lines = cli("remember", "--file", str(one), "--file", str(two), "--json").ok().json["results"]
    assert [result["memory"]["text"] for result in lines] == ["Apples are red", "Pears are green", "Plums are blue"]
    (whole,) = cli("remember", "--whole", "--file", str(one), "--json").ok().json["results"]
    assert whole["memory"]["text"] == "Apples are red\nPears are green"


def test_many_lines_go_in_batches_and_all_arrive(cli: Call) -> None:
    lines = "".join(f"Fact number {number} about the warehouse\n" for number in range(1_201))
    answer = cli("remember", "--near", "ignore", stdin=lines).ok()
    assert "1,201 texts: 1,201 created." in answer.out
    assert cli("list", "--limit", "1", "--json").ok().json["total"] == 1_201


def test_an_empty_pipe_is_refused(cli: Call) -> None:
    answer = cli("remember", stdin="\n \n")
    assert answer.code == 1
    assert "nothing to remember" in answer.err


def test_a_terminal_without_text_is_a_usage_error(cli: Call) -> None:
    answer = cli("remember", typed="")
    assert answer.code == 2
    assert "Say what to remember" in answer.err


def test_a_repeat_is_already_known_and_says_what_stays(cli: Call) -> None:
    cli("remember", "The moon is round", "--tag", "sky").ok()
    answer = cli("remember", "the moon  is round", "--tag", "night").ok()
    assert "already known as 1: The moon is round" in answer.out
    assert "keeps its tags" in answer.err


def test_a_near_repeat_is_stored_and_reported_or_skipped_on_request(cli: Call) -> None:
    text = "The quarterly report is due on the last Friday of the month in the finance folder"
    near = text.replace("The quarterly", "Our quarterly")
    cli("remember", text).ok()
    reported = cli("remember", near).ok()
    assert "remembered as 2" in reported.out
    assert "  near 1 (" in reported.out
    skipped = cli("remember", near.replace("Our", "That"), "--near", "skip").ok()
    assert "skipped, nearly the same as" in skipped.out


def test_what_was_corrected_before_is_warned_about(known: Call) -> None:
    known("forget", "3", "--reason", "heron was retired").ok()
    answer = known("remember", "The staging server is called heron").ok()
    assert "you forgot this before: 3 (heron was retired)" in answer.out
    document = known("remember", "The staging server is called heron", "--scope", "project:auto", "--json").ok().json
    assert document["results"][0]["previously_corrected"] == []


def test_a_topic_supersedes_and_says_what(known: Call) -> None:
    answer = known("remember", "Deploys are on Thursday", "--topic", "Deploy day").ok()
    assert "  supersedes 2: Deploys are on Monday" in answer.out


def test_an_idempotency_key_stores_nothing_twice(cli: Call) -> None:
    cli("remember", "Only once", "--key", "k1").ok()
    again = cli("remember", "Only once", "--key", "k1").ok()
    assert "stored before as 1: Only once" in again.out
    other = cli("remember", "Something else", "--key", "k1", "--json")
    assert (other.code, other.json["error"]["code"]) == (1, "key_reused")


def test_a_secret_is_refused_with_one_sentence(cli: Call) -> None:
    answer = cli("remember", "The wifi password is Tr0ub4dor&3xyz")
    assert (answer.code, answer.out) == (1, "")
    assert "was not stored" in answer.err
    assert "Tr0ub4dor" not in answer.err
    assert cli("list", "--json").json["error"]["code"] == "book_missing"  # not even an empty one was made


def test_a_bad_line_spoils_no_other_and_is_counted(cli: Call) -> None:
    lines = "A good line\nThe wifi password is Tr0ub4dor&3xyz\nAnother good line\n"
    answer = cli("remember", stdin=lines)
    assert answer.code == 1
    assert "number 2 was not stored" in answer.err
    assert "3 texts: 2 created, 1 refused." in answer.out
    document = cli("remember", "--json", stdin=lines)
    verdicts = [result["verdict"] for result in document.json["results"]]
    assert (document.code, verdicts) == (1, ["repeated", "refused", "repeated"])
    assert document.json["results"][1]["error"]["code"] == "secret_refused"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("remember", ""), "empty"),
        (("remember", "x" * 64_001), "64,000 is the limit"),
        (("remember", "half \ud800 of a pair"), "not valid Unicode"),
        (("remember", "x", "--tag", "half \ud800"), "tag is not valid Unicode"),
        (("recall", "half \ud800"), "query is not valid Unicode"),
        (("list", "--category", "half \ud800"), "category is not valid Unicode"),
        (("remember", "x", "--expires", "soon"), "is not a time"),
        (("remember", "x", "--importance", "3"), "from 0 to 1"),
        (("remember", "x", "--priority", "11"), "from 1 to 10"),
        (("remember", "x", "--scope", "planet:earth"), "is not a scope"),
        (("remember", "x", "--scope", "user:somebody"), "not one of your scopes"),
        (("remember", "x", "--file", "no-such-file"), "No such file"),
        (("remember", "x", "--project", "no-such-folder"), "There is no folder"),
    ],
)
def test_what_cannot_be_stored_is_one_clear_sentence(cli: Call, words: tuple[str, ...], said: str) -> None:
    answer = cli(*words)
    assert (answer.code, answer.out) == (1, "")
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_text_with_a_nul_byte_is_refused(cli: Call) -> None:
    answer = cli("remember", "--whole", stdin=b"before\x00after")
    assert answer.code == 1
    assert "NUL" in answer.err


def test_input_that_is_not_utf8_stores_nothing(known: Call) -> None:
    answer = known("remember", stdin=b"fine\nnot \xff fine\n")
    assert answer.code == 1
    assert "stdin is not valid UTF-8 in line 2" in answer.err
    assert known("list", "--json").ok().json["total"] == 3


def test_a_memory_goes_to_one_scope_only(cli: Call) -> None:
    answer = cli("remember", "x", "--scope", "user", "--scope", "project:auto")
    assert answer.code == 2
    assert "one scope" in answer.err


def test_quiet_says_nothing_about_success(cli: Call) -> None:
    answer = cli("remember", "Quietly kept", "--quiet").ok()
    assert (answer.out, answer.err) == ("", "")


def test_a_contradiction_is_said_with_the_command_that_settles_it(cli: Call) -> None:
    cli("remember", "The gateway listens on port 8443", "--topic", "gateway port").ok()
    answer = cli("remember", "The gateway listens on port 9443").ok()
    assert "contradicts 1: The gateway listens on port 8443" in answer.out
    (command,) = [line.strip() for line in answer.out.splitlines() if "commonplace supersede" in line]
    assert [each["status"] for each in cli("list", "--status", "any", "--json").ok().json["memories"]] == ["active"] * 2
    cli(*command.partition("commonplace ")[2].split()).ok()
    statuses = {
        each["number"]: each["status"] for each in cli("list", "--status", "any", "--json").ok().json["memories"]
    }
    assert statuses == {1: "superseded", 2: "active"}


def test_what_a_text_contradicts_is_in_json_and_silent_where_there_is_nothing(cli: Call) -> None:
    cli("remember", "The gateway listens on port 8443").ok()
    (result,) = cli("remember", "The gateway listens on port 9443", "--json").ok().json["results"]
    assert [(each["memory"]["number"], each["supersede"]) for each in result["contradicts"]] == [
        (1, "commonplace supersede 1 2")
    ]
    (other,) = cli("remember", "The harbour opens at seven", "--json").ok().json["results"]
    assert other.get("contradicts", []) == []


def test_a_topic_that_is_nearly_another_is_named(cli: Call) -> None:
    cli("remember", "The gateway listens on port 8443", "--topic", "gateway port").ok()
    answer = cli("remember", "Every gateway has a port", "--topic", "gateway-ports").ok()
    assert "gateway-port is there already" in answer.err
    assert "is there already" not in cli("remember", "Lunch is at noon", "--topic", "lunch").ok().err


def test_a_correction_puts_the_wrong_memory_away(cli: Call) -> None:
    cli("remember", "The gateway listens on port 8443").ok()
    assert "not recalled any more: 1" in cli("correct", "No, it listens on 7000", "--memory", "1").ok().out
    assert cli("recall", "gateway port", "--json").ok().json["hits"] == []


def test_an_expiry_in_the_past_is_refused_in_one_sentence_and_stores_nothing(cli: Call) -> None:
    answer = cli("remember", "Tea is at four", "--expires", "2020-01-01")
    assert answer.code != 0
    assert len(answer.err.strip().splitlines()) == 1
    assert cli("list", "--json").json.get("memories", []) == []
