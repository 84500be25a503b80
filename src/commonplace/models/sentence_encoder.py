"""Google's universal sentence encoder, multilingual, on numpy alone: a text's pieces in, one vector out.

Each piece has a vector; three convolutions over 2, 3 and 5 neighbours add what stands around it; the sum over the
text goes through a few dense layers. The weights are the file's own; the pieces' vectors are kept in the eight
bits they are published in, and only those a text uses are made whole.
"""

import zipfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from commonplace.errors import PackDamaged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

SHARDS = 17  # piece n is row n // 17 of shard n % 17
CONVOLUTIONS = ((2, 0), (3, 1), (5, 2))
"""How many neighbours each looks at, and how many of them are to the left."""

READERS = 2  # threads that unpack the weights: they are half of the time it takes to load


class SentenceEncoder:
    """The loaded weights. Threads may share it: nothing is changed after loading."""

    def __init__(self, content: bytes) -> None:
        try:
            weights = _unpacked(content)
            self._pieces = [weights[f"q{shard + 1}"] for shard in range(SHARDS)]
            self._lowest, self._step = weights["lo"], weights["scale"]
            self._least = float(weights["eps"])
            self._projection, self._bias, self._gain, self._shift = (
                np.concatenate([weights[f"{name}{width}"] for width, _ in CONVOLUTIONS], axis=-1)
                for name in ("proj", "proj_b", "ln_g", "ln_b")
            )
            self._convolutions = [_Convolution(weights, width, left) for width, left in CONVOLUTIONS]
            self._weights = weights
            self._dimensions = weights["d3"].shape[1]
        except (KeyError, ValueError, zipfile.BadZipFile) as error:
            raise PackDamaged("The pack's weights are not those of a sentence encoder: pull it again.") from error

    def vector(self, numbers: Sequence[int]) -> "Matrix":
        """The unit vector of a text, of its piece numbers."""
        found = self._weights
        own = self._looked_up(numbers)
        states = own @ self._projection + self._bias
        _normalise(states, self._gain, self._shift, self._least)
        parts = zip(self._convolutions, np.split(states, len(CONVOLUTIONS), axis=1), strict=True)
        each = np.concatenate([own, *(convolution.seen(part) for convolution, part in parts)], axis=1)
        _normalise(each, found["ln_g"], found["ln_b"], self._least)
        count = np.float32(len(numbers))
        whole = (each.sum(axis=0) @ found["cnn_W"] + count * found["cnn_b"]) / np.sqrt(count)
        first = np.maximum(whole @ found["d0"], 0)
        second = np.maximum(whole @ found["p1"] + first @ found["d1"], 0)
        third = np.maximum(second @ found["d2"], 0)
        vector = np.tanh(second @ found["p3"] + third @ found["d3"])
        unit: Matrix = vector / np.sqrt(max(float(vector @ vector), self._least))
        return unit

    def _looked_up(self, numbers: Sequence[int]) -> "Matrix":
        shards = [number % SHARDS for number in numbers]
        rows = [self._pieces[shard][number // SHARDS] for shard, number in zip(shards, numbers, strict=True)]
        made: Matrix = np.array(rows, dtype=np.float32)
        made *= self._step[shards, None]
        made += self._lowest[shards, None]
        return made


class _Convolution:
    """Two residual layers over each piece and its neighbours."""

    def __init__(self, weights: "Mapping[str, Matrix]", width: int, left: int) -> None:
        self._width, self._left = width, left
        self._layers = [(weights[f"w{layer}_{width}"], weights[f"b{layer}_{width}"]) for layer in (1, 2)]

    def seen(self, states: "Matrix") -> "Matrix":
        for weights, bias in self._layers:
            states = states + np.maximum(self._windows(states) @ weights + bias, 0)
        return states

    def _windows(self, states: "Matrix") -> "Matrix":
        """Each row with its neighbours beside it; beyond the ends there are zeros."""
        padded = np.pad(states, ((self._left, self._width - 1 - self._left), (0, 0)))
        return np.concatenate([padded[place : place + len(states)] for place in range(self._width)], axis=1)


def _normalise(states: "Matrix", gain: "Matrix", shift: "Matrix", least: float) -> None:
    """Layer normalisation of each row, in place."""
    states -= states.mean(axis=1, keepdims=True)
    states /= np.sqrt((states * states).mean(axis=1, keepdims=True) + least)
    states *= gain
    states += shift


def _unpacked(content: bytes) -> "dict[str, Matrix]":
    """The arrays of an .npz file by name; nothing in it is unpickled."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        names = archive.namelist()
    with ThreadPoolExecutor(READERS) as readers:
        parts = readers.map(lambda share: _read(content, names[share::READERS]), range(READERS))
        return {name: array for part in parts for name, array in part.items()}


def _read(content: bytes, names: Sequence[str]) -> "dict[str, Matrix]":
    with zipfile.ZipFile(BytesIO(content)) as archive:
        return {
            name.removesuffix(".npy"): np.lib.format.read_array(BytesIO(archive.read(name)), allow_pickle=False)
            for name in names
        }
