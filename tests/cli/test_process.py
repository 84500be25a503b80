"""The command line as a process of its own: the main flows, pipes, terminals, encodings and exit codes."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import warm
from tests.cli.conftest import TIMEOUT_SECONDS, Call

COMMAND = [sys.executable, "-m", "commonplace"]

COLD = """
import sys
from commonplace.cli import main
code = main(["recall", "deploys", "--store", sys.argv[1]])
loaded = [name for name in sys.argv[2:] if name in sys.modules]
sys.exit(f"loaded {loaded}" if loaded else code)
"""
NOT_FOR_A_RECALL = (
    "rich",
    "shtab",
    "logging",
    "subprocess",
    "shutil",
    "tempfile",
    "importlib.metadata",
    "dataclasses",
    "inspect",
    "tomllib",
    "tomlkit",
    "numpy",
    "onnxruntime",
    "re2",
    "commonplace.book.book",
    "commonplace.engine.intake",
    "commonplace.secrets",
    "commonplace.maintenance.doctor",
    "commonplace.cli.commands.remember",
    "commonplace.cli.commands.why",
    "commonplace.cli.tables",
)


def on_a_terminal(*words: str, answer: bytes = b"", **variables: str) -> tuple[int, str]:
    """Run a command whose stdin, stdout and stderr are a terminal; its exit code and all that was shown."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", **variables}
    process = subprocess.Popen(warm.command(*words), stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    os.write(ours, answer)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65_536)
        except OSError:  # Linux's way to say that the other side has closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    return process.wait(timeout=TIMEOUT_SECONDS), shown.decode()


def test_the_main_job_works_from_one_process_to_the_next(forked: Call) -> None:
    forked("remember", "Deploys are on Monday", "--topic", "deploy day").ok()
    forked("remember", stdin="The user likes tea\nThe user dislikes coffee\n").ok()
    assert "Deploys are on Monday" in forked("recall", "when do we deploy?").ok().out
    corrected = forked("remember", "Deploys are on Friday", "--topic", "deploy day", "--json").ok().json
    assert len(corrected["results"][0]["superseded"]) == 1
    (hit,) = forked("recall", "when do we deploy?", "--json").ok().json["hits"]
    assert hit["text"] == "Deploys are on Friday"
    assert "surfaced at place 1" in forked("why", "deploy", "--memory", str(hit["number"])).ok().out
    forked("forget", str(hit["number"]), "--reason", "freeze").ok()
    assert forked("recall", "when do we deploy?").ok().out == ""
    assert forked("purge", str(hit["number"]), "--yes", "--json").ok().json["complete"] is True
    assert forked("doctor").ok().out.endswith("No problems found.\n")


def test_a_recall_loads_nothing_it_does_not_need(spawn: Call, tmp_path: Path) -> None:
    store = str(tmp_path / "book.db")
    spawn("remember", "Deploys are on Monday", "--store", store).ok()
    done = subprocess.run(
        [sys.executable, "-c", COLD, store, *NOT_FOR_A_RECALL], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Deploys are on Monday" in done.stdout


def test_the_demo_performs_the_main_job_with_real_commands(spawn: Call) -> None:
    answer = spawn("demo").ok()
    for part in (
        "$ commonplace remember",
        "$ commonplace recall",
        "$ commonplace why",
        "$ commonplace forget",
        "$ commonplace purge",
        "supersedes 2: Deploys are on Monday",
        "you forgot this before: 3",
        "erasure complete",
        "No problems found.",
    ):
        assert part in answer.out
    assert "bug" not in answer.err


def test_the_demo_as_json_is_one_document_and_its_book_can_be_kept(spawn: Call, tmp_path: Path) -> None:
    document = spawn("demo", "--json", "--keep", TMPDIR=str(tmp_path)).ok().json
    assert all(step["exit_code"] == 0 for step in document["steps"])
    assert spawn("list", "--store", document["store"], "--json").ok().json["total"] == 2


def test_the_demo_touches_neither_the_users_book_nor_the_temporary_folder(
    spawn: Call, clean_environment: Path, tmp_path: Path
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    spawn("demo", TMPDIR=str(temporary)).ok()
    assert list(temporary.iterdir()) == []
    assert list(clean_environment.rglob("*.db")) == []


def test_every_answer_as_json_is_one_document(forked: Call) -> None:
    forked("remember", "Something to look at").ok()
    for words in (
        ("recall", "something"),
        ("list",),
        ("show", "1"),
        ("why", "something"),
        ("history", "1"),
        ("doctor",),
        ("config", "show"),
        ("config", "path"),
        ("models", "list"),
        ("upgrade",),
        ("confirm", "1"),
    ):
        assert isinstance(forked(*words, "--json").ok().json, dict)


def test_text_in_any_script_survives_a_system_that_is_not_utf8(spawn: Call) -> None:
    variables = {"LC_ALL": "C", "PYTHONIOENCODING": "cp1252"}
    text = "東京で会議がある – naïve café 🦉"
    spawn("remember", stdin=text, **variables).ok()
    assert spawn("recall", "東京の会議", "--json", **variables).ok().json["hits"][0]["text"] == text


def test_input_that_is_not_utf8_is_one_sentence(spawn: Call) -> None:
    answer = spawn("remember", "-", stdin=b"\xc3\x28\n")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == "commonplace: stdin is not valid UTF-8 in line 1: convert it first; nothing was stored.\n"


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS refuses such arguments itself")
def test_an_argument_that_is_not_utf8_is_refused_by_the_engine() -> None:
    done = subprocess.run([*COMMAND, "remember", b"half \xff"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "not valid Unicode" in done.stderr


def test_a_pipe_closed_early_is_no_error(forked: Call) -> None:
    forked("remember", "--near", "ignore", stdin="".join(f"Fact {number}\n" for number in range(500))).ok()
    process = subprocess.Popen(
        [*COMMAND, "export"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert json.loads(process.stdout.readline())["format"] == "commonplace-export"
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=TIMEOUT_SECONDS), said) == (141, b"")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_ctrl_c_ends_with_exit_code_130_and_one_sentence() -> None:
    process = subprocess.Popen(
        [*COMMAND, "remember", "--verbose", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A suite run in the background has the signal ignored, and its children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    assert process.stdin is not None
    process.stdin.write(b"a line without an end")  # it waits for more of its input
    process.stdin.flush()
    while not _reads_its_input(process.pid):
        pass
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=TIMEOUT_SECONDS)
    assert (process.returncode, said) == (130, b"commonplace: Interrupted.\n")


def _reads_its_input(pid: int) -> bool:
    """Whether a process has emptied the pipe it was given, so that Python is up and waiting."""
    import fcntl
    import struct
    import termios

    with open(f"/proc/{pid}/fd/0", "rb", buffering=0) as pipe:
        (waiting,) = struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4))
    return bool(waiting == 0)


def test_a_terminal_gets_colour_and_tables(forked: Call) -> None:
    forked("remember", "Deploys are on Monday", "--tag", "ops").ok()
    code, shown = on_a_terminal("recall", "deploys")
    assert code == 0
    assert "\x1b[1mDeploys are on Monday\x1b[0m" in shown
    assert "█" in shown
    code, shown = on_a_terminal("list")
    assert code == 0
    assert "\x1b[" in shown


@pytest.mark.parametrize(
    ("words", "variables"), [(("--no-color",), {}), ((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"})]
)
def test_colour_can_be_switched_off(forked: Call, words: tuple[str, ...], variables: dict[str, str]) -> None:
    forked("remember", "Deploys are on Monday").ok()
    for command in (("recall", "deploys"), ("recall", "zeppelin"), ("show", "1"), ("list",), ("doctor",)):
        _, shown = on_a_terminal(*command, *words, **variables)
        assert "\x1b" not in shown


def test_many_lines_show_their_progress_on_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("".join(f"Line {number} of many\n" for number in range(700)))
    code, shown = on_a_terminal("remember", "--near", "ignore", "--file", str(file))
    assert code == 0
    assert "remembering" in shown
    assert "/700" in shown
    assert "700 texts: 700 created." in shown


def test_a_purge_asks_on_a_terminal(forked: Call) -> None:
    forked("remember", "To be purged").ok()
    code, shown = on_a_terminal("purge", "1", answer=b"no\n")
    assert code == 1
    assert "for good? This cannot be undone. [y/N]" in shown
    code, shown = on_a_terminal("purge", "1", answer=b"yes\n")
    assert code == 0
    assert "complete" in shown


def test_verbose_logs_what_was_opened_and_no_content(forked: Call) -> None:
    forked("remember", "The heron flies at dawn").ok()
    answer = forked("recall", "heron", "--verbose").ok()
    assert "commonplace: opened " in answer.err
    assert "recall lexical, 1 found" in answer.err
    assert "heron" not in answer.err
    assert "heron" not in forked("-v", "remember", "The heron flies at dusk").ok().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"These are my notes, not a database. " * 200, "is not a Commonplace book"),
        (None, "is a folder"),
    ],
)
def test_a_store_that_is_no_book_is_one_sentence_and_left_as_it_is(
    spawn: Call, tmp_path: Path, content: bytes | None, said: str
) -> None:
    store = tmp_path / "store"
    if content is None:
        store.mkdir()
    else:
        store.write_bytes(content)
    answer = spawn("remember", "x", "--store", str(store), "--json")
    assert (answer.code, answer.json["error"]["code"]) == (1, "not_a_book")
    assert said in answer.err
    assert answer.err.count("\n") == 1
    assert content is None or store.read_bytes() == content


def test_a_server_does_not_begin_with_a_file_that_is_no_book(spawn: Call, tmp_path: Path) -> None:
    store = tmp_path / "notes.txt"
    store.write_text("These are my notes, not a database. " * 200)
    answer = spawn("serve", "--port", "0", "--store", str(store))
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == f"commonplace: {store} is not a Commonplace book: name another file with --store.\n"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_one_sentence(spawn: Call, tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    answer = spawn("remember", "x", "--store", str(folder / "book.db"))
    assert answer.code == 1
    assert "cannot be created" in answer.err


def test_a_folder_in_the_way_of_the_store_is_one_sentence(spawn: Call, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file where a folder should be")
    answer = spawn("remember", "x", "--store", str(tmp_path / "file" / "book.db"))
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.count("\n") == 1
