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

COLUMNS = 16
SMALL_PRODUCT = 262_144
"""So many multiplications OpenBLAS does on the calling thread. More are shared out among threads that wait for each
other actively: on a busy machine a vector takes twenty times as long, and it depends on the number of cores."""


class SentenceEncoder:
    """The loaded weights. Threads may share it: nothing is changed after loading."""

    def __init__(self, content: bytes) -> None:
        try:
            weights = _unpacked(content)
            self._pieces = [weights[f"q{shard + 1}"] for shard in range(SHARDS)]
            self._lowest, self._step = weights["lo"], weights["scale"]
            self._least = float(weights["eps"])
            projection, self._bias, self._gain, self._shift = (
                np.concatenate([weights[f"{name}{width}"] for width, _ in CONVOLUTIONS], axis=-1)
                for name in ("proj", "proj_b", "ln_g", "ln_b")
            )
            self._projection = _Matrix(projection)
            self._convolutions = [_Convolution(weights, width, left) for width, left in CONVOLUTIONS]
            self._dense = {name: _Matrix(weights[name]) for name in ("cnn_W", "d0", "d1", "p1", "d2", "p3", "d3")}
            self._last_gain, self._last_shift, self._sum_bias = weights["ln_g"], weights["ln_b"], weights["cnn_b"]
        except (KeyError, ValueError, zipfile.BadZipFile) as error:
            raise PackDamaged("The pack's weights are not those of a sentence encoder: pull it again.") from error

    def vector(self, numbers: Sequence[int]) -> "Matrix":
        """The unit vector of a text, of its piece numbers."""
        own = self._looked_up(numbers)
        states = self._projection.times(own) + self._bias
        _normalise(states, self._gain, self._shift, self._least)
        parts = zip(self._convolutions, np.split(states, len(CONVOLUTIONS), axis=1), strict=True)
        each = np.concatenate([own, *(convolution.seen(part) for convolution, part in parts)], axis=1)
        _normalise(each, self._last_gain, self._last_shift, self._least)
        return self._summed_up(each)

    def _looked_up(self, numbers: Sequence[int]) -> "Matrix":
        shards = [number % SHARDS for number in numbers]
        rows = [self._pieces[shard][number // SHARDS] for shard, number in zip(shards, numbers, strict=True)]
        made: Matrix = np.array(rows, dtype=np.float32)
        made *= self._step[shards, None]
        made += self._lowest[shards, None]
        return made

    def _summed_up(self, each: "Matrix") -> "Matrix":
        dense, count = self._dense, np.float32(len(each))
        total = each.sum(axis=0, keepdims=True)
        whole = (dense["cnn_W"].times(total) + count * self._sum_bias) / np.sqrt(count)
        first = np.maximum(dense["d0"].times(whole), 0)
        second = np.maximum(dense["p1"].times(whole) + dense["d1"].times(first), 0)
        third = np.maximum(dense["d2"].times(second), 0)
        vector = np.tanh(dense["p3"].times(second) + dense["d3"].times(third))[0]
        unit: Matrix = vector / np.sqrt(max(float((vector * vector).sum()), self._least))
        return unit


class _Matrix:
    """A matrix of weights, cut into blocks of a few columns so that each product is a small one."""

    def __init__(self, weights: "Matrix") -> None:
        self._rows, columns = weights.shape
        cut = weights.reshape(self._rows, columns // COLUMNS, COLUMNS)
        self._blocks = np.ascontiguousarray(cut.transpose(1, 0, 2))

    def times(self, states: "Matrix") -> "Matrix":
        """What comes of multiplying each row of states with the matrix."""
        at_once = SMALL_PRODUCT // (self._rows * COLUMNS)
        parts = [self._some(states[start : start + at_once]) for start in range(0, len(states), at_once)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _some(self, states: "Matrix") -> "Matrix":
        if len(states) == 1:  # one row alone would be another routine, with another measure of what is small
            return self._some(np.concatenate([states, states]))[:1]
        product: Matrix = np.matmul(states, self._blocks).transpose(1, 0, 2).reshape(len(states), -1)
        return product


class _Convolution:
    """Two residual layers over each piece and its neighbours."""

    def __init__(self, weights: "Mapping[str, Matrix]", width: int, left: int) -> None:
        self._width, self._left = width, left
        self._layers = [(_Matrix(weights[f"w{layer}_{width}"]), weights[f"b{layer}_{width}"]) for layer in (1, 2)]

    def seen(self, states: "Matrix") -> "Matrix":
        for weights, bias in self._layers:
            states = states + np.maximum(weights.times(self._windows(states)) + bias, 0)
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
    """The arrays of an .npz file by name; nothing in it is unpickled.

    Threads inflate and one reads: numpy parses each header with `ast`, whose state Python 3.11 shares among threads, so
    that two at once may end in a SystemError.
    """
    with zipfile.ZipFile(BytesIO(content)) as archive:
        names = archive.namelist()
    with ThreadPoolExecutor(READERS) as readers:
        parts = readers.map(lambda share: _inflated(content, names[share::READERS]), range(READERS))
        files = {name: file for part in parts for name, file in part.items()}
    return {
        name.removesuffix(".npy"): np.lib.format.read_array(BytesIO(file), allow_pickle=False)
        for name, file in files.items()
    }


def _inflated(content: bytes, names: Sequence[str]) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name) for name in names}
