"""The local embedder: an installed model pack, run by onnxruntime or by numpy on this machine's processor.

Nothing leaves the machine, and nothing but the published files is run: what is loaded is hashed first.
"""

import os
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from commonplace import deadline
from commonplace.errors import ModelError, ModelMissing, PackDamaged
from commonplace.models.installed import is_installed
from commonplace.models.packs import Pack, PackFile
from commonplace.models.wordpiece import WordPiece, read_vocabulary
from commonplace.ports import BYTES_PER_NUMBER, Calibration, Space, Vector

if TYPE_CHECKING:
    from numpy import float16, float32, int64
    from numpy.typing import NDArray

    from commonplace.models.sentence_encoder import SentenceEncoder
    from commonplace.models.sentencepiece import SentencePiece

DEFAULT_THREADS = 2
TEXTS_AT_ONCE = 16  # between two looks at the clock
"""Small models gain little from more, and the machine has other work to do."""

LAST_LATIN = "\u024f"
LATIN_ADDITIONAL = ("\u1e00", "\u1eff")
FOREIGN_SHARE = 0.3

NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"
"""From 1.29 on onnxruntime keeps a device id and reports to its maker unless this is set before it is imported;
its `disable_telemetry_events` comes too late for that. It stays set: a process we start has to be silent as well."""

FATAL_ONLY = 4
"""onnxruntime's quietest log level. Its errors reach us as exceptions; standard error is not its place."""


class LocalEmbedder:
    """Turns texts into vectors with one pack. It is loaded at the first text, once; threads may share it.

    Every text is a run of its own. The packs quantise activations by the range of the whole batch, so
    that within one a text's vector would depend on its company (cosine down to .990); alone, the same
    text always has the same vector. Running as many texts at once as there are threads is as fast.
    """

    uses_network = False

    def __init__(self, pack: Pack, folder: Path, threads: int = DEFAULT_THREADS) -> None:
        self._pack = pack
        self._folder = folder
        self._threads = threads
        self._lock = Lock()
        self._model: _Model | _ManyLanguages | None = None

    @property
    def space(self) -> Space:
        return self._pack.space

    @property
    def calibration(self) -> Calibration:
        return self._pack.calibration

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        model = self._loaded()
        if len(texts) == 1:
            return [model.vector("", texts[0])]
        # Late for the command line: it takes 10 ms, and most commands embed one text or none.
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(self._threads) as workers:
            batches = (texts[start : start + TEXTS_AT_ONCE] for start in range(0, len(texts), TEXTS_AT_ONCE))
            return [
                vector for batch in deadline.each(batches) for vector in workers.map(partial(model.vector, ""), batch)
            ]

    def embed_query(self, text: str) -> Vector:
        return self._loaded().vector(self._pack.query_prefix, text)

    def _loaded(self) -> "_Model | _ManyLanguages":
        # A failed load is not remembered: once the pack was pulled, the next text finds it.
        if self._model is None:
            with self._lock:
                if self._model is None:
                    self._model = _load(self._pack, self._folder, self._threads)
        return self._model


class _Session(Protocol):
    """What we use of onnxruntime's InferenceSession. Its `run` may be called from many threads."""

    def run(self, output_names: None, input_feed: "Mapping[str, NDArray[int64]]") -> "Sequence[NDArray[float32]]":
        """Every output of the model for one batch, in the order the model names them."""


class _Model:
    """A loaded pack."""

    def __init__(self, pack: Pack, tokenizer: WordPiece, session: _Session) -> None:
        self._pack = pack
        self._tokenizer = tokenizer
        self._session = session

    def vector(self, prefix: str, text: str) -> Vector:
        if not readable(text):
            return bytes(BYTES_PER_NUMBER * self._pack.dimensions)
        # Late for the command line: numpy takes 0.1 s, and many commands need no vector.
        import numpy

        numbers = numpy.array([self._tokenizer.encode(prefix + text, self._pack.max_length)], dtype=numpy.int64)
        inputs = {
            "input_ids": numbers,
            "attention_mask": numpy.ones_like(numbers),
            "token_type_ids": numpy.zeros_like(numbers),
        }
        states = self._run(inputs)[0][0]
        pooled = states[0] if self._pack.pooling == "cls" else states.mean(axis=0)
        length = float(numpy.linalg.norm(pooled))
        if not length > 0:  # Also true of NaN.
            raise PackDamaged(_damaged(self._pack, "it computes no vector"))
        vector: NDArray[float16] = (pooled / length).astype("<f2")
        return vector.tobytes()

    def _run(self, inputs: "Mapping[str, NDArray[int64]]") -> "Sequence[NDArray[float32]]":
        try:
            return self._session.run(None, inputs)
        except Exception as error:  # onnxruntime's errors have no common class of their own.
            raise ModelError(f"The model pack {self._pack.name} could not embed a text: {error}") from error


class _ManyLanguages:
    """A loaded pack that reads every script and runs on numpy alone."""

    def __init__(self, pack: Pack, tokenizer: "SentencePiece", encoder: "SentenceEncoder") -> None:
        self._pack = pack
        self._tokenizer = tokenizer
        self._encoder = encoder

    def vector(self, prefix: str, text: str) -> Vector:
        numbers = self._tokenizer.encode(prefix + text, self._pack.max_length)
        return self._encoder.vector(numbers).astype("<f2").tobytes()


def readable(text: str) -> bool:
    """Whether a text is in the script our English packs learned: mostly Latin letters.

    To an English model all Chinese looks alike; its vectors would call everything near.
    """
    if text.isascii():
        return True
    letters = [letter for letter in text if letter.isalpha()]
    foreign = sum(
        letter > LAST_LATIN and not LATIN_ADDITIONAL[0] <= letter <= LATIN_ADDITIONAL[1] for letter in letters
    )
    return foreign <= FOREIGN_SHARE * len(letters)


def _load(pack: Pack, folder: Path, threads: int) -> _Model | _ManyLanguages:
    place = folder / pack.name
    if not place.exists():
        raise ModelMissing(f"The model pack {pack.name} is not installed: run `commonplace models pull {pack.name}`.")
    if not is_installed(pack, folder):
        raise PackDamaged(_damaged(pack, "files are missing, cut short or of another revision"))
    if pack.runtime == "numpy":
        return _load_many_languages(
            pack, _published(pack, pack.vocabulary, place), _published(pack, pack.weights, place)
        )
    tokenizer = WordPiece(read_vocabulary(_published(pack, pack.vocabulary, place)))
    return _Model(pack, tokenizer, _open_session(pack, _published(pack, pack.weights, place), threads))


def _load_many_languages(pack: Pack, vocabulary: bytes, weights: bytes) -> _ManyLanguages:
    # Late for the command line, which most often needs neither.
    from concurrent.futures import ThreadPoolExecutor

    # As above, for numpy takes 0.1 s.
    from commonplace.models.sentence_encoder import SentenceEncoder
    from commonplace.models.sentencepiece import SentencePiece

    with ThreadPoolExecutor(1) as unpacking:  # which leaves Python to read the pieces meanwhile
        encoder = unpacking.submit(SentenceEncoder, weights)
        return _ManyLanguages(pack, SentencePiece(vocabulary), encoder.result())


def _published(pack: Pack, file: PackFile, place: Path) -> bytes:
    """What a file holds, if that is what was published. These very bytes are used, not the file once more."""
    try:
        content = (place / file.name).read_bytes()
    except OSError as error:
        raise PackDamaged(_damaged(pack, f"{file.name} cannot be read: {error.strerror or error}")) from error
    if sha256(content).hexdigest() != file.sha256:
        raise PackDamaged(_damaged(pack, f"{file.name} is not as published"))
    return content


def _open_session(pack: Pack, weights: bytes, threads: int) -> _Session:
    os.environ[NO_TELEMETRY] = "1"
    try:
        # Late for the command line: it takes 0.1 s and 20 MB, and many commands need no vector.
        import onnxruntime
    except ImportError as error:
        raise ModelError(
            f"The model pack {pack.name} needs onnxruntime, which cannot be imported ({error}): "
            "install it with `pip install onnxruntime`."
        ) from error
    onnxruntime.disable_telemetry_events()  # what there is on Windows, where the variable is not heeded
    onnxruntime.set_default_logger_severity(FATAL_ONLY)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = FATAL_ONLY
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Every length of text would get its own plan of buffers and keep them. The arena stays on: run one by one,
    # texts of all lengths peak at 165 MB with it, at 230 MB without.
    options.enable_mem_pattern = False
    # Waiting actively gains 2 ms a text on an idle machine and loses 5 to 15 on a busy one, which is where we live.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session: _Session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no common class of their own.
        raise PackDamaged(_damaged(pack, "onnxruntime cannot read it")) from error
    return session


def _damaged(pack: Pack, what: str) -> str:
    return f"The model pack {pack.name} is damaged ({what}): run `commonplace models pull {pack.name}` again."
