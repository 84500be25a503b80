"""A model pack that somebody has changed is noticed before it is run, and said plainly."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.errors import PackDamaged
from commonplace.models.installed import MANIFEST, is_installed
from commonplace.models.local import LocalEmbedder
from commonplace.models.packs import DEFAULT_PACK, PACKS
from tests.models.conftest import models

__all__ = ["models"]

PACK = PACKS[DEFAULT_PACK]
FLIPPED = bytes(byte ^ 0xFF for byte in range(256))


def _flipped(content: bytes, start: int, count: int = 1) -> bytes:
    return content[:start] + content[start : start + count].translate(FLIPPED) + content[start + count :]


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "its first byte": lambda content: _flipped(content, 0),
    "one in its middle": lambda content: _flipped(content, len(content) // 2),
    "its last byte": lambda content: _flipped(content, len(content) - 1),
    "many in its middle": lambda content: _flipped(content, len(content) // 2, min(200_000, len(content) // 4)),
    "all of them": lambda content: bytes(len(content)),
}


@pytest.fixture
def copied(models: Path, tmp_path: Path) -> Path:
    """A folder with a copy of the pack that a test may spoil."""
    shutil.copytree(models / PACK.name, tmp_path / "models" / PACK.name)
    return tmp_path / "models"


def spoil(folder: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    """Another file of the same size and of the same times."""
    file = folder / PACK.name / name
    before = file.stat()
    file.write_bytes(change(file.read_bytes()))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("name", [file.name for file in PACK.files])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_changed_file_is_never_loaded(copied: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    spoil(copied, name, change)
    assert is_installed(PACK, copied), "nothing but the content tells"
    with pytest.raises(PackDamaged, match=f"{name} is not as published"):
        LocalEmbedder(PACK, copied).embed_query("question")


def test_a_manifest_that_vouches_for_the_change_is_not_believed(copied: Path) -> None:
    spoil(copied, PACK.weights.name, CHANGES["many in its middle"])
    manifest, weights = copied / PACK.name / MANIFEST, copied / PACK.name / PACK.weights.name
    forged = hashlib.sha256(weights.read_bytes()).hexdigest()
    manifest.write_text(manifest.read_text("utf-8") + f'{{"sha256": "{forged}"}}', "utf-8")
    with pytest.raises(PackDamaged, match="not as published"):
        LocalEmbedder(PACK, copied).embed(["text"])


def test_a_pack_that_was_mended_is_used_without_a_new_start(copied: Path, models: Path) -> None:
    spoil(copied, PACK.weights.name, CHANGES["one in its middle"])
    embedder = LocalEmbedder(PACK, copied)
    with pytest.raises(PackDamaged):
        embedder.embed(["text"])
    shutil.copy(models / PACK.name / PACK.weights.name, copied / PACK.name)
    assert len(embedder.embed(["text"])) == 1


def _commonplace(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    variables = {"COMMONPLACE_MODELS": str(folder), "COMMONPLACE_MODEL": PACK.name}
    return subprocess.run(
        [sys.executable, "-m", "commonplace", *words],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


SPOILED: dict[str, Callable[[bytes], bytes]] = {"changed": CHANGES["its last byte"], "cut short": lambda it: it[:-1]}


@pytest.mark.parametrize("change", SPOILED.values(), ids=SPOILED.keys())
def test_every_command_that_meets_it_says_so_and_none_uses_it(copied: Path, change: Callable[[bytes], bytes]) -> None:
    assert _commonplace(copied, "remember", "Ships are grey").returncode == 0
    assert _commonplace(copied, "doctor").returncode == 0
    spoil(copied, PACK.weights.name, change)
    remembered = _commonplace(copied, "remember", "The user is allergic to peanuts")
    assert remembered.returncode == 0
    assert "Stored without a vector" in remembered.stderr
    assert "arctic-s is damaged" in remembered.stderr
    recalled = _commonplace(copied, "recall", "peanuts", "--json")
    assert json.loads(recalled.stdout)["effective_mode"] == "lexical"
    assert "arctic-s is damaged" in recalled.stdout
    examined = _commonplace(copied, "doctor", "--json")
    (model,) = [each for each in json.loads(examined.stdout)["findings"] if each["check"] == "model"]
    assert (examined.returncode, model["ok"]) == (1, False)
    assert "arctic-s is damaged" in model["detail"]
    assert "commonplace models pull arctic-s" in model["detail"]
    verified = _commonplace(copied, "models", "verify")
    assert verified.returncode == 1
    assert PACK.weights.name in verified.stdout
