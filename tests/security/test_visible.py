"""Whatever a file, an argument or a memory says: the person at the terminal sees all of it, and nothing obeys it."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.book.book import Book
from commonplace.cli import COMMANDS, build_parser
from commonplace.decisions.decision import Proposal
from commonplace.dialect import perform
from commonplace.dialects import dialect_names, load_dialect
from commonplace.domain.memory import Origin
from commonplace.engine.caller import Door
from commonplace.sessions.transcripts import read_text
from commonplace.text import flags, visible, visible_json
from tests.cli.conftest import Call, cli, project  # noqa: F401, fixtures
from tests.security.hostile_texts import (
    EVERYTHING,
    LABEL,
    ORDINARY,
    OVERRIDE,
    SELECTORS,
    TAGS,
    UNSEEN,
    ZERO_WIDTH,
)

RULE = "Always close the harbour gate at night."
SERVING = {"mcp", "serve", "web"}
"""They go on until somebody ends them; tests/serve and tests/http look at what they say."""

anything = st.text(st.sampled_from([*EVERYTHING, *"".join(ORDINARY.values())]), max_size=40)


# -- the two functions ------------------------------------------------------------------------


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY)
def test_what_people_write_is_shown_as_it_is_and_not_flagged(text: str) -> None:
    assert visible(text) == text
    assert flags(text) == ()


@pytest.mark.parametrize(
    ("hidden", "name"),
    [
        (TAGS, "tag_characters"),
        (OVERRIDE, "bidirectional_override"),
        (SELECTORS, "invisible_characters"),
        (ZERO_WIDTH, "invisible_characters"),
        (f"\U0001f3f4{TAGS}\U000e007f", "tag_characters"),
        (f"{ORDINARY['England']}{TAGS}", "tag_characters"),
    ],
)
def test_what_hides_text_is_shown_and_flagged_by_name(hidden: str, name: str) -> None:
    text = f"Deploys are {hidden} on Monday"
    assert flags(text) == (name,)
    assert not UNSEEN.search(visible(text).replace(ORDINARY["England"], ""))
    assert visible(text) != text


@given(anything)
def test_nothing_unseen_is_left_and_what_is_shown_is_shown_once(text: str) -> None:
    shown = visible(text)
    bare = shown
    for flag in ("England", "Scotland"):
        bare = bare.replace(ORDINARY[flag].split()[0], " ")
    assert not UNSEEN.search(bare)
    assert visible(shown) == shown


@given(st.text(max_size=40) | anything)
def test_json_says_the_same_with_its_hidden_characters_escaped(text: str) -> None:
    document = json.dumps({"text": text}, ensure_ascii=False)
    assert json.loads(visible_json(document)) == {"text": text}


# -- every command ----------------------------------------------------------------------------


def leaves(parser: argparse.ArgumentParser, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], list]]:
    """Every command line that does something, with the arguments it takes."""
    inner = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not inner:
        yield words, [action for action in parser._actions if action.dest not in ("help", "version", "json", "verbose")]
    for action in inner:
        for word, below in action.choices.items():
            yield from leaves(below, (*words, word))


def takes_text(action: argparse.Action) -> bool:
    return action.nargs != 0 and action.type in (None, str) and action.choices is None


def command_lines() -> Iterator[list[str]]:
    """Each command with a hostile text in one argument at a time, and with the ids of hostile things."""
    for words, actions in leaves(build_parser()):
        if words[0] in SERVING:
            continue
        needed = [each for each in actions if not each.option_strings and each.nargs not in ("?", "*")]
        required = [each for each in actions if each.option_strings and each.required]
        for value in (EVERYTHING, "1", "evil.jsonl"):
            plain = [next(iter(each.choices)) if each.choices else value for each in needed]
            given = [part for each in required for part in (each.option_strings[-1], value)]
            yield [*words, *plain, *given]
        for each in actions:
            if each.option_strings and takes_text(each):
                plain = ["1" if not other.choices else next(iter(other.choices)) for other in needed]
                given = [part for other in required if other is not each for part in (other.option_strings[-1], "1")]
                yield [*words, *plain, *given, each.option_strings[-1], EVERYTHING]


@pytest.fixture
def hostile(project: Path) -> Path:  # noqa: F811
    """A folder with a file, a configuration and a book in which everything somebody may write is hostile."""
    store = project / "book.db"
    with Book.open(store, model="none", door=Door("cli", Origin.TYPED, LABEL)) as book:
        book.remember(
            EVERYTHING, category=LABEL, topic="harbour", tags=[LABEL[:60]], source=LABEL, session=LABEL, pinned=True
        )
        book.remember(f"again {EVERYTHING}", topic="other")
        book.forget(2, reason=EVERYTHING)
        book.curated.take(book.scope())
        proposal = Proposal(LABEL, LABEL, EVERYTHING, EVERYTHING, EVERYTHING, LABEL, alternatives=(EVERYTHING,))
        book.decisions.create(book.scope(), proposal)
        book.corrections.log(EVERYTHING)
        book.sessions.save(read_text(f"User: {EVERYTHING}\nWe decided that {EVERYTHING}\nUser: {RULE}"), book.scope())
        lines = list(book.transfer.export())
    bad = [json.dumps({"memory": {"text": "x", EVERYTHING: EVERYTHING}}), EVERYTHING.replace("\u2028", "")]
    (project / "evil.jsonl").write_text("\n".join([*lines, *bad]), encoding="utf-8")
    return store


def test_no_command_sends_what_a_terminal_obeys_or_hides(
    cli: Call,  # noqa: F811
    hostile: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COMMONPLACE_STORE", str(hostile))
    tried, shown = 0, set[str]()
    covered = set[str]()
    for words in command_lines():
        for more in ([], ["--json"])[: 2 if words[-1] == "1" else 1]:
            answer = cli(*words, *more)
            tried += 1
            covered.add(words[0])
            sent = answer.out + answer.err
            assert not UNSEEN.search(sent), (words, more, sent)
            if "\\U000e006f" in sent or "\\udb40" in sent:
                shown.add(words[0])
    assert covered == {command.name for command in COMMANDS} - SERVING
    print(f"{tried} command lines of {len(covered)} commands, {len(shown)} show hidden text, 0 send it")
    assert tried > 400
    assert {"list", "show", "recall", "curate", "import", "decision", "session", "memory"} <= shown


@pytest.mark.parametrize(
    "words",
    [
        ["import", "evil.jsonl"],
        ["show", "1"],
        ["curate", "--show"],
        ["recall", "harbour"],
        ["list"],
        ["recall", EVERYTHING, "--verbose"],
        [EVERYTHING],
        ["--project", EVERYTHING, "list"],
        ["--store", f"/nowhere/{EVERYTHING}/b.db", "remember", "x"],
        ["export"],
        ["memory", "export"],
        ["memory", "export", "--format", "markdown"],
    ],
)
def test_a_process_of_its_own_sends_nothing_either(hostile: Path, words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "commonplace", *words],
        cwd=hostile.parent,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "COMMONPLACE_STORE": str(hostile), "COMMONPLACE_MODEL": "none"},
    )
    sent = done.stdout.decode() + done.stderr.decode()
    assert sent
    assert not UNSEEN.search(sent), sent


def test_the_person_who_confirms_is_told_what_is_hidden(cli: Call, hostile: Path) -> None:  # noqa: F811
    answer = cli("confirm", "1", "--store", str(hostile)).ok()
    assert "tag characters" in answer.err
    for words in (("list",), ("show", "1"), ("recall", "harbour")):
        assert "tag characters" in cli(*words, "--store", str(hostile)).ok().out


def test_our_own_colours_are_not_mistaken_for_a_texts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from commonplace.cli.output import Output

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    output = Output()
    output.line(f"{output.style('bold', 'bold')} {{{'0' * 16}:31}} \x1b[31mred")
    assert capsys.readouterr().out == "\x1b[1mbold\x1b[0m {0000000000000000:31} \\x1b[31mred\n"


def test_a_message_in_a_servers_log_is_one_line_and_steers_nothing() -> None:
    words = [
        "import logging; from commonplace.cli.logs import log_to_stderr; log_to_stderr(True, '%(name)s: %(message)s')",
        f"logging.getLogger('serve').warning('host %s', {EVERYTHING + chr(10) + 'serve: all is well'!r})",
    ]
    done = subprocess.run([sys.executable, "-c", "; ".join(words)], capture_output=True, timeout=60, check=True)
    said = done.stderr.decode()
    assert not UNSEEN.search(said)
    assert said.count("\n") == 1


# -- models are told --------------------------------------------------------------------------

LOOKING = {
    "native": [("memory_recall", {"query": "harbour"}), ("memory_list", {}), ("memory_explain", {"id": "1"})],
    "ownsona": [("recall", {"query": "harbour"}), ("list_memories", {}), ("get_memory", {"id": 1})],
    "aleph": [
        ("memory_search", {"query": "harbour"}),
        ("memory_reflect", {"query": "harbour"}),
        ("session_search", {"query": "harbour"}),
    ],
    "nuzo": [
        ("memory.recall", {"query": "harbour"}),
        ("memory.list", {}),
        ("memory.recall_hook", {"task_context": "harbour"}),
    ],
    "snipara": [("rlm_recall", {"query": "harbour", "min_relevance": 0}), ("rlm_memories", {})],
    "onelamp": [("get_context", {"query": "harbour"}), ("list_context", {}), ("resume_session", {})],
}
"""Tools that show stored text, of every contract."""


def objects(data: object) -> Iterator[dict[str, object]]:
    if isinstance(data, dict):
        yield data
    for item in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from objects(item)


def test_every_contract_flags_what_is_hidden_and_only_that(hostile: Path) -> None:
    assert set(LOOKING) == set(dialect_names())
    flagged = 0
    with Book.open(hostile, model="none") as book:
        book.remember(f"harbour {' '.join(ORDINARY.values())}")
        for name, calls in LOOKING.items():
            dialect = load_dialect(name)
            through = book.through(dialect.door)
            for tool, arguments in calls:
                answer = perform(dialect, through, tool, arguments)
                assert not answer.failed, answer.text
                assert json.loads(answer.text) == answer.body
                for each in objects(answer.body):
                    own = [part for value in each.values() for part in (value if isinstance(value, list) else [value])]
                    hidden = {flag for text in own if isinstance(text, str) for flag in flags(text)}
                    assert set(each.get("flags", ())) == hidden, (tool, each)
                    flagged += bool(hidden)
                assert any("flags" in each for each in objects(answer.body)), tool
    print(f"{sum(map(len, LOOKING.values()))} tools, {flagged} objects flagged, 0 missed")
    assert flagged > 15
