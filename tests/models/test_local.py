"""The local embedder, on the real default pack."""

import base64
import hashlib
import json
import math
import shutil
import struct
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from commonplace.domain.record import replace
from commonplace.errors import ModelError, ModelMissing, PackDamaged
from commonplace.models import local
from commonplace.models.local import LocalEmbedder
from commonplace.models.packs import DEFAULT_PACK, PACKS, Pack, PackFile
from commonplace.ports import Embedder, Vector, is_blank

ARCTIC = PACKS[DEFAULT_PACK]
REFERENCE = json.loads((Path(__file__).parent / "arctic_reference.json").read_text("utf-8"))
SAME = 0.999

TEXTS = [
    "The staging database is PostgreSQL 16.",
    "Priya owns the billing service and reviews every change to it, however small it may seem to its author.",
    "Tabs.",
    "",
    "👍🏽🚀",
    "Žluťoučký kůň pěl ďábelské ódy.",
    "Der Wagen steht in der Tiefgarage, Ebene 3.",
    "unaffable " * 40,
]


@pytest.fixture(scope="module")
def embedder(models: Path) -> LocalEmbedder:
    return LocalEmbedder(ARCTIC, models)


@pytest.fixture
def copied(models: Path, tmp_path: Path) -> Path:
    """A folder with a copy of the pack that a test may spoil."""
    shutil.copytree(models / ARCTIC.name, tmp_path / ARCTIC.name)
    return tmp_path


def published(folder: Path, file: PackFile, content: bytes) -> PackFile:
    """A file that its makers published as it is, whatever it is."""
    (folder / ARCTIC.name / file.name).write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    with (folder / ARCTIC.name / "manifest.json").open("a", encoding="utf-8") as manifest:
        manifest.write(digest)
    return replace(file, sha256=digest, size=len(content))


def _numbers(vector: Vector) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 2}e", vector)


def _cosine(a: Vector, b: Vector) -> float:
    return sum(x * y for x, y in zip(_numbers(a), _numbers(b), strict=True))


def _reference(name: str) -> Vector:
    return base64.b64decode(REFERENCE[name])


def test_it_is_an_embedder_of_the_packs_space(embedder: LocalEmbedder) -> None:
    socket_of_the_engine: Embedder = embedder
    assert socket_of_the_engine.space == ARCTIC.space
    assert socket_of_the_engine.calibration == ARCTIC.calibration
    assert not socket_of_the_engine.uses_network


def test_vectors_agree_with_the_reference_made_with_another_tokenizer(embedder: LocalEmbedder) -> None:
    assert _cosine(embedder.embed([REFERENCE["text"]])[0], _reference("text_vector")) > SAME
    assert _cosine(embedder.embed_query(REFERENCE["query"]), _reference("query_vector")) > SAME


def test_mean_pooling_agrees_with_the_reference(models: Path) -> None:
    averaging = LocalEmbedder(replace(ARCTIC, pooling="mean"), models)
    assert _cosine(averaging.embed([REFERENCE["text"]])[0], _reference("text_mean_vector")) > SAME


@pytest.mark.parametrize("text", TEXTS)
def test_every_text_has_a_unit_vector_of_half_floats(text: str, embedder: LocalEmbedder) -> None:
    (vector,) = embedder.embed([text])
    assert len(vector) == 2 * ARCTIC.dimensions
    assert math.isclose(_cosine(vector, vector), 1, abs_tol=0.005)


@pytest.mark.parametrize(
    "text",
    [
        "我喜欢吃北京烤鸭，你呢？",
        "次の会議は東京です。",
        "회의는 서울에서 합니다.",
        "Завтра встреча в офисе",
        "SQLite 数据库的备份在每天凌晨",
    ],
)
def test_what_the_model_cannot_read_has_a_blank_vector(text: str, embedder: LocalEmbedder) -> None:
    assert embedder.embed([text]) == [bytes(2 * ARCTIC.dimensions)]
    assert is_blank(embedder.embed_query(text))


@pytest.mark.parametrize(
    "text", ["", "3.14", "👍🏽🚀", "Žluťoučký kůň, Đặng", "The 北京 office opens on Monday morning"]
)
def test_what_is_mostly_latin_is_read(text: str, embedder: LocalEmbedder) -> None:
    assert not is_blank(embedder.embed([text])[0])


def test_no_texts_give_no_vectors_and_load_nothing(tmp_path: Path) -> None:
    assert LocalEmbedder(ARCTIC, tmp_path).embed([]) == []


def test_vectors_come_in_the_order_of_the_texts_and_do_not_depend_on_their_company(embedder: LocalEmbedder) -> None:
    together = embedder.embed(TEXTS)
    backwards = embedder.embed(TEXTS[::-1])[::-1]
    alone = [embedder.embed([text])[0] for text in TEXTS]
    for one, other, single in zip(together, backwards, alone, strict=True):
        assert _cosine(one, single) > SAME
        assert _cosine(other, single) > SAME


def test_a_question_finds_its_answer(embedder: LocalEmbedder) -> None:
    answer, colour, lunch = embedder.embed(
        ["The car is in the garage on level 3.", "Bananas are yellow.", "Lunch is at noon."]
    )
    question = embedder.embed_query("where did I park?")
    assert _cosine(question, answer) > max(_cosine(question, colour), _cosine(question, lunch)) + 0.05


def test_the_prefix_is_put_before_questions_and_only_before_them(embedder: LocalEmbedder) -> None:
    question = "where did I park?"
    bare, prefixed = embedder.embed([question, ARCTIC.query_prefix + question])
    assert _cosine(embedder.embed_query(question), prefixed) > SAME
    assert _cosine(embedder.embed_query(question), bare) < 0.95


def test_a_very_long_text_is_cut_at_the_models_length(embedder: LocalEmbedder) -> None:
    endless, cut = embedder.embed(["memory " * 2_000_000, "memory " * ARCTIC.max_length])
    assert _cosine(endless, cut) > SAME


def test_eight_threads_at_first_use_load_the_model_once(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[str] = []
    load = local._load

    def counted(pack: Pack, folder: Path, threads: int) -> local._Model:
        loads.append(pack.name)
        return load(pack, folder, threads)

    monkeypatch.setattr(local, "_load", counted)
    embedder = LocalEmbedder(ARCTIC, models)
    vectors: list[Vector] = []
    together = threading.Barrier(8)

    def work() -> None:
        together.wait()
        vectors.append(embedder.embed([TEXTS[0]])[0])

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert loads == [ARCTIC.name]
    assert len(vectors) == 8
    assert min(_cosine(vectors[0], vector) for vector in vectors) > SAME


def test_nothing_is_printed(models: Path, capfd: pytest.CaptureFixture[str]) -> None:
    LocalEmbedder(ARCTIC, models).embed(["text"])
    assert capfd.readouterr() == ("", "")


def test_importing_it_loads_neither_numpy_nor_onnxruntime() -> None:
    code = "import sys, commonplace.models.local; print({'numpy', 'onnxruntime'} & set(sys.modules))"
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_missing_pack_says_how_to_get_it_and_works_once_it_is_there(models: Path, tmp_path: Path) -> None:
    embedder = LocalEmbedder(ARCTIC, tmp_path)
    with pytest.raises(ModelMissing, match="commonplace models pull arctic-s"):
        embedder.embed(["text"])
    (tmp_path / ARCTIC.name).symlink_to(models / ARCTIC.name)
    assert len(embedder.embed(["text"])) == 1


@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt", "manifest.json"])
def test_a_pack_that_lacks_a_file_is_damaged(name: str, copied: Path) -> None:
    (copied / ARCTIC.name / name).unlink()
    with pytest.raises(PackDamaged, match="commonplace models pull arctic-s"):
        LocalEmbedder(ARCTIC, copied).embed_query("question")


def test_a_pack_that_was_cut_short_is_damaged(copied: Path) -> None:
    weights = copied / ARCTIC.name / "model.onnx"
    weights.write_bytes(weights.read_bytes()[:1_000_000])
    with pytest.raises(PackDamaged, match="cut short"):
        LocalEmbedder(ARCTIC, copied).embed_query("question")


def test_weights_that_are_no_model_are_damaged_and_nothing_is_printed(
    copied: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pack = replace(ARCTIC, weights=published(copied, ARCTIC.weights, bytes(ARCTIC.weights.size)))
    with pytest.raises(PackDamaged, match="onnxruntime cannot read it"):
        LocalEmbedder(pack, copied).embed_query("question")
    assert capfd.readouterr() == ("", "")


def test_a_vocabulary_that_is_none_is_damaged(copied: Path) -> None:
    pack = replace(ARCTIC, vocabulary=published(copied, ARCTIC.vocabulary, b"no vocabulary"))
    with pytest.raises(PackDamaged, match="no WordPiece vocabulary"):
        LocalEmbedder(pack, copied).embed_query("question")


def test_without_onnxruntime_it_says_what_to_install(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelError, match="pip install onnxruntime"):
        LocalEmbedder(ARCTIC, models).embed(["text"])


def test_a_model_that_computes_nothing_is_damaged(embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy

    model = embedder._loaded()
    monkeypatch.setattr(model, "_run", lambda inputs: [numpy.zeros((1, 2, ARCTIC.dimensions), numpy.float32)])
    with pytest.raises(PackDamaged, match="computes no vector"):
        embedder.embed(["text"])


def test_an_error_of_the_runtime_becomes_ours(embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def run(self, output_names: None, input_feed: object) -> list[object]:
            raise RuntimeError("no memory left")

    monkeypatch.setattr(embedder._loaded(), "_session", Broken())
    with pytest.raises(ModelError, match="no memory left"):
        embedder.embed(["text"])
