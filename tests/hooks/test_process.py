"""A hook as the host starts it: exit code 0, within two seconds and 6,000 characters, whatever happens."""

import json
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from commonplace.book.book import Book
from tests.hooks.calling import Person, context_of
from tests.hooks.test_bringing import ASKED, FACT, TYPED, config, remember
from tests.waiting import kill_after

SECONDS, CHARACTERS = 2.0, 6_000
FIXTURES = Path(__file__).parents[1] / "fixtures"
NOT_FOR_A_PROMPT = (
    "argparse",
    "rich",
    "logging",
    "subprocess",
    "pydantic",
    "mcp",
    "numpy",
    "onnxruntime",
    "re2",
    "commonplace.book.book",
    "commonplace.engine.intake",
    "commonplace.sessions",
    "commonplace.cli.run",
    "commonplace.cli.parser",
)


def prompt(person: Person) -> bytes:
    return json.dumps(person.event("UserPromptSubmit", prompt=ASKED)).encode()


def silent(person: Person, given: bytes, **variables: str) -> None:
    """What every fault comes to: nothing is said, by nobody, in time."""
    code, said, complained, seconds = person.run(given, **variables)
    assert (code, said, complained) == (0, "", "")
    assert seconds < SECONDS + 0.5, seconds  # with the start of Python on a busy machine


def test_a_prompt_is_answered(person: Person) -> None:
    remember(person, FACT)
    code, said, complained, _ = person.run(prompt(person))
    assert (code, complained) == (0, "")
    assert FACT in context_of(said)
    assert len(said) <= CHARACTERS


@pytest.mark.parametrize(
    "given",
    [
        b"",
        b"not json",
        b"[1, 2",
        b"{" * 100_000,
        b"\x00\xff\xfe" * 1_000,
        b'{"hook_event_name": "UserPromptSubmit"}',
        b'{"session_id": [], "hook_event_name": {}, "prompt": 7, "cwd": false}',
        b'"' + b"x" * 10_000_000 + b'"',
    ],
    ids=["nothing", "words", "cut off", "deep", "bytes", "few fields", "strange fields", "10 MB"],
)
def test_garbage_is_answered_with_nothing(person: Person, given: bytes) -> None:
    remember(person, FACT)
    silent(person, given)


def test_a_prompt_of_ten_megabytes_is_answered_with_nothing(person: Person) -> None:
    remember(person, FACT)
    silent(person, json.dumps(person.event("UserPromptSubmit", prompt=f"{ASKED} {'x ' * 5_000_000}")).encode())


def test_a_prompt_of_three_megabytes_is_read(person: Person) -> None:
    remember(person, FACT)
    given = json.dumps(person.event("UserPromptSubmit", prompt=f"{ASKED} {'x ' * 1_500_000}")).encode()
    code, _, complained, seconds = person.run(given)
    assert (code, complained) == (0, "")
    assert seconds < SECONDS + 0.5


def missing(person: Person) -> None:
    person.book.unlink()


def damaged(person: Person) -> None:
    with open(person.book, "r+b") as file:
        file.seek(4_096)
        file.write(os.urandom(person.book.stat().st_size - 4_096))


def no_book(person: Person) -> None:
    person.book.write_bytes(b"no book" * 1_000)


def newer(person: Person) -> None:
    connection = apsw.Connection(str(person.book))
    connection.pragma("user_version", 10_000)
    connection.close()


def older(person: Person) -> None:
    person.book.unlink()
    shutil.copy(FIXTURES / "schema-7.db", person.book)


def a_folder(person: Person) -> None:
    person.book.unlink()
    person.book.mkdir()


def a_pipe(person: Person) -> None:
    person.book.unlink()
    os.mkfifo(person.book)


def bad_settings(person: Person) -> None:
    config(person, 'inject = "sometimes"')


def no_settings_at_all(person: Person) -> None:
    config(person, "= = =")


def no_state(person: Person) -> None:
    person.state.folder.parent.mkdir(parents=True)
    person.state.folder.write_text("a file where a folder should be", encoding="utf-8")


FAULTS = (missing, damaged, no_book, newer, older, a_folder, a_pipe, bad_settings, no_settings_at_all, no_state)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", ["UserPromptSubmit", "SessionStart", "Stop"])
def test_a_fault_is_answered_with_nothing(person: Person, fault: Callable[[Person], None], name: str) -> None:
    with Book.open(person.book, model="none") as book:
        book.remember(FACT)
    path = person.says(("user", "hello"), ("assistant", "Hello!"))
    fault(person)
    silent(person, json.dumps(person.event(name, prompt=ASKED, transcript_path=str(path))).encode())


def test_an_older_book_is_left_as_it_is(person: Person) -> None:
    shutil.copy(FIXTURES / "schema-7.db", person.book)
    before = person.book.read_bytes()
    path = person.says(("user", "Please remember: deploys are on Thursday"))
    for name in ("Stop", "SessionStart", "UserPromptSubmit"):
        silent(person, json.dumps(person.event(name, prompt=ASKED, transcript_path=str(path))).encode())
    assert person.book.read_bytes() == before
    assert any("upgrade" in trouble.what for trouble in person.state.troubles())


def test_a_locked_book_is_read_or_passed_over(person: Person) -> None:
    remember(person, FACT)
    connection = apsw.Connection(str(person.book))
    connection.execute("BEGIN EXCLUSIVE")
    path = person.says(("user", "Please remember: deploys are on Thursday"))
    for name in ("UserPromptSubmit", "Stop", "SessionStart"):
        given = json.dumps(person.event(name, prompt=ASKED, transcript_path=str(path))).encode()
        code, _, complained, seconds = person.run(given)
        assert (code, complained) == (0, "")
        assert seconds < SECONDS + 0.5
    connection.close()


def test_a_model_that_is_not_there_or_damaged_leaves_words(person: Person, tmp_path: Path) -> None:
    remember(person, FACT)
    broken = tmp_path / "models" / "arctic-s"
    broken.mkdir(parents=True)
    (broken / "manifest.json").write_text("{", encoding="utf-8")
    for number, models in enumerate((tmp_path / "nothing", tmp_path / "models")):
        given = json.dumps(person.event("UserPromptSubmit", f"s{number}", prompt=ASKED)).encode()
        variables = {"COMMONPLACE_MODEL": "auto", "COMMONPLACE_MODELS": str(models)}
        code, said, complained, _ = person.run(given, **variables)
        assert (code, complained) == (0, "")
        assert FACT in context_of(said)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="NOT RUN: there is no /dev/full here")
def test_a_full_pipe_or_disk_is_no_reason_to_fail(person: Person) -> None:
    remember(person, FACT)
    command = [sys.executable, "-m", "commonplace", "hook", "claude-code", "--store", str(person.book)]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command, input=prompt(person), stdout=full, stderr=subprocess.PIPE, env=person.environment, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_state_folder_that_cannot_be_written_is_no_reason_to_fail(person: Person) -> None:
    """As on a full disk: what cannot be noted is answered with nothing, since it might be brought twice."""
    remember(person, FACT)
    limit = "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0));"
    run = f"{limit} sys.argv = ['commonplace', *sys.argv[1:]]; runpy.run_module('commonplace', run_name='__main__')"
    path = person.says(("user", "Please remember: deploys are on Thursday"))
    for name in ("UserPromptSubmit", "Stop", "SessionStart"):
        given = json.dumps(person.event(name, prompt=ASKED, transcript_path=str(path))).encode()
        done = subprocess.run(
            [sys.executable, "-c", run, "hook", "claude-code", "--store", str(person.book)],
            input=given,
            capture_output=True,
            env={**person.environment, "PYTHONDONTWRITEBYTECODE": "1"},
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b""), name


def test_a_host_that_says_nothing_is_not_waited_for(person: Person) -> None:
    command = [sys.executable, "-m", "commonplace", "hook", "claude-code", "--store", str(person.book)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=person.environment) as process:
        assert process.wait(SECONDS + 1.5) == 0


STALLS = {
    "before anything": "import commonplace.config as config; config.load = stall",
    "the store": "import commonplace.wiring as wiring; wiring.store_at = stall",
    "a query": "import commonplace.engine.recall as recall; recall.answer = stall",
    "the model": "import commonplace.models.local as local; local._load = stall",
}


def stalled(person: Person, models: Path, fault: str) -> tuple[str, float]:
    """What is said, and after how long, if something hangs in a library that lets no other thread run."""
    (models / "arctic-s").mkdir(parents=True)
    code = (
        "import ctypes, sys, time, commonplace.cli as cli\n"
        "def stall(*given, **named):\n    ctypes.PyDLL(None).sleep(60)\n"
        f"{fault}\nsys.argv = ['commonplace', *sys.argv[1:]]\ncli.main()"
    )
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, "hook", "claude-code", "--store", str(person.book)],
        input=prompt(person),
        env={**person.environment, "COMMONPLACE_MODEL": "auto", "COMMONPLACE_MODELS": str(models)},
        cwd=person.project,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode(), time.perf_counter() - started


@pytest.mark.skipif(sys.platform == "win32", reason="a stalled process is ended by another, which takes a fork")
@pytest.mark.parametrize("where", STALLS)
def test_whatever_hangs_the_answer_comes_in_time(person: Person, tmp_path: Path, where: str) -> None:
    remember(person, FACT)
    said, seconds = stalled(person, tmp_path / "models", STALLS[where])
    assert seconds < SECONDS
    assert (FACT in context_of(said)) == (where == "the model"), said
    noted = [len(each.brought) for each in person.state.sessions()]
    assert noted == ([1] if where == "the model" else []), "what was said is known to have been brought"


@pytest.mark.skipif(sys.platform == "win32", reason="a stalled process is ended by another, which takes a fork")
def test_on_a_busy_machine_too(person: Person, tmp_path: Path) -> None:
    remember(person, FACT)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4 * (os.cpu_count() or 1))]
    try:
        _, seconds = stalled(person, tmp_path / "models", STALLS["the model"])
    finally:
        for each in busy:
            each.kill()
            each.wait()
    assert seconds < SECONDS + 0.5  # until this process, as busy as the others, has noticed


@pytest.mark.skipif(sys.platform == "win32", reason="a stalled process is ended by another, which takes a fork")
def test_no_process_is_left_of_a_hook_that_was_killed(person: Person, tmp_path: Path) -> None:
    remember(person, FACT)
    fifo = tmp_path / "never"
    os.mkfifo(fifo)
    command = [sys.executable, "-m", "commonplace", "hook", "claude-code", "--store", str(fifo)]
    reading, writing = os.pipe()  # its end is held by the hook and by whoever it starts
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, env=person.environment, pass_fds=[writing], stdout=subprocess.DEVNULL
    ) as process:
        os.close(writing)
        kill_after(process.pid, 0.4)
    started = time.perf_counter()
    with open(reading, "rb") as ended:
        assert ended.read() == b""
    assert time.perf_counter() - started < SECONDS


def test_a_host_that_never_reads_is_not_waited_for(person: Person) -> None:
    remember(person, FACT)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    filled = b"x" * 65_536
    with open(reading, "rb"), open(writing, "wb", buffering=0) as full:
        while full.write(filled):
            pass
        os.set_blocking(writing, True)
        command = [sys.executable, "-m", "commonplace", "hook", "claude-code", "--store", str(person.book)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=full, env=person.environment)
        assert process.stdin is not None
        process.stdin.write(prompt(person))
        process.stdin.close()
        assert process.wait(SECONDS + 1.5) == 0


@pytest.mark.parametrize("words", [[], ["emacs"], ["--store"], ["claude-code", "--store"], ["--store", "x"]])
def test_strange_words_are_answered_with_nothing(person: Person, words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "commonplace", "hook", *words],
        input=prompt(person),
        env=person.environment,
        cwd=person.project,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_help_is_for_people(person: Person) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "commonplace", "hook", "--help"],
        env=person.environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert b"HOST" in done.stdout


def test_the_longest_answer_has_its_limit(person: Person) -> None:
    wide = '"\\ " and 漢字 '
    with Book.open(person.book, model="none") as book:
        for kind in ("instruction", "preference", "task"):
            for number in range(40):
                book.through(TYPED).remember(f"{kind} {number} {wide * 40}", kind=kind)
    code, said, _, _ = person.run(json.dumps(person.event("SessionStart", source="startup")).encode())
    assert code == 0
    assert 1_000 < len(said) <= CHARACTERS


def test_a_prompt_loads_no_more_than_a_recall(person: Person) -> None:
    remember(person, FACT)
    code = (  # no process to spare, so that this one does all of it
        "import os, sys, commonplace.cli as cli, commonplace.hooks.watch\n"
        "def full():\n    raise BlockingIOError\n"
        "def tell(code):\n    print('LOADED', *sys.modules, file=sys.stderr); sys.stderr.flush(); leave(code)\n"
        "leave = os._exit\nos.fork, os._exit = full, tell\n"
        "sys.argv = ['commonplace', *sys.argv[1:]]\ncli.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "hook", "claude-code", "--store", str(person.book)],
        input=prompt(person),
        env=person.environment,
        cwd=person.project,
        capture_output=True,
        check=False,
    )
    assert FACT in context_of(done.stdout.decode())
    loaded = done.stderr.decode().split()
    assert "commonplace.hooks.door" in loaded
    assert [name for name in NOT_FOR_A_PROMPT if name in loaded] == []


def test_the_state_folder_is_the_users_alone_although_the_umask_is_wide(person: Person) -> None:
    remember(person, FACT)
    before = os.umask(0)
    try:
        person.run(prompt(person))
    finally:
        os.umask(before)
    for path in (person.state.folder, *person.state.folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
