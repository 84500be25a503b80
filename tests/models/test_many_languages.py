"""The pack of many languages: its pieces and vectors against the reference, and its two shares."""

import base64
import hashlib
import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from commonplace.domain.record import replace
from commonplace.errors import ModelMissing, PackDamaged
from commonplace.models.local import LocalEmbedder
from commonplace.models.packs import PACKS, Pack, PackFile
from commonplace.models.sentencepiece import END, START, SentencePiece
from commonplace.models.shares import LanguageShare, shares
from commonplace.ports import Embedder, Vector, is_blank
from tests.models.conftest import MANY_LANGUAGES

PACK = PACKS[MANY_LANGUAGES]
ROWS = json.loads((Path(__file__).parent / "use_reference.json").read_text("utf-8"))["rows"]
SAME = 0.9999
GERMAN, ENGLISH, CHINESE = "Der Wagen steht in der Tiefgarage.", "The car is in the garage.", "车停在地下车库。"

every_row = pytest.mark.parametrize("row", ROWS, ids=[str(number) for number in range(len(ROWS))])


@pytest.fixture(scope="module")
def tokenizer(models: Path) -> SentencePiece:
    return SentencePiece((models / PACK.name / PACK.vocabulary.name).read_bytes())


@pytest.fixture(scope="module")
def embedder(models: Path) -> LocalEmbedder:
    return LocalEmbedder(PACK, models)


@pytest.fixture
def copied(models: Path, tmp_path: Path) -> Path:
    """A folder with a copy of the pack that a test may spoil."""
    shutil.copytree(models / PACK.name, tmp_path / PACK.name)
    return tmp_path


def cosine(a: Vector, b: Vector) -> float:
    pairs = zip(struct.unpack(f"<{len(a) // 2}e", a), struct.unpack(f"<{len(b) // 2}e", b), strict=True)
    return sum(x * y for x, y in pairs)


def published(folder: Path, file: PackFile, content: bytes) -> PackFile:
    """A file that its makers published as it is, whatever it is."""
    (folder / PACK.name / file.name).write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    with (folder / PACK.name / "manifest.json").open("a", encoding="utf-8") as manifest:
        manifest.write(digest)
    return replace(file, sha256=digest, size=len(content))


# -- the same as the reference ----------------------------------------------------------------


@every_row
def test_pieces_are_those_of_the_reference(row: dict[str, str | list[int]], tokenizer: SentencePiece) -> None:
    assert tokenizer.encode(str(row["text"]), PACK.max_length) == row["numbers"]


@every_row
def test_vectors_are_those_of_the_reference(row: dict[str, str], embedder: LocalEmbedder) -> None:
    expected = base64.b64decode(row["vector"])
    assert cosine(embedder.embed([row["text"]])[0], expected) > SAME
    assert cosine(embedder.embed_query(row["text"]), expected) > SAME


def test_control_pieces_in_a_text_are_text(tokenizer: SentencePiece) -> None:
    inside = tokenizer.encode("<s> a </s> extra_token_id_1 <unk>", PACK.max_length)[1:-1]
    assert not {START, END, 3, 4, 5} & set(inside)


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "\ud800", "x" * 200_000, "数" * 200_000, "a " * 200_000, "\u2581" * 9]
)
def test_whatever_the_text_it_has_a_bounded_number_of_pieces_and_a_vector(
    text: str, tokenizer: SentencePiece, embedder: LocalEmbedder
) -> None:
    numbers = tokenizer.encode(text, PACK.max_length)
    assert numbers[0] == START
    assert numbers[-1] == END
    assert 3 <= len(numbers) <= PACK.max_length
    (vector,) = embedder.embed([text])
    assert cosine(vector, vector) == pytest.approx(1, abs=0.005)


def test_a_vector_does_not_depend_on_the_company_of_its_text(embedder: LocalEmbedder) -> None:
    texts = [str(row["text"]) for row in ROWS]
    assert embedder.embed(texts) == [embedder.embed([text])[0] for text in texts]


def test_the_same_said_in_another_language_is_near(embedder: LocalEmbedder) -> None:
    german, chinese, other = embedder.embed([GERMAN, CHINESE, "Bananas are yellow."])
    question = embedder.embed_query("where is the car parked?")
    assert min(cosine(question, german), cosine(question, chinese)) > cosine(question, other) + 0.2


def test_nothing_of_it_is_loaded_before_it_is_asked() -> None:
    code = "import sys, commonplace.models.local, commonplace.models.shares; print('numpy' in sys.modules)"
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# -- damage -----------------------------------------------------------------------------------


def test_a_missing_pack_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="commonplace models pull use-multilingual"):
        LocalEmbedder(PACK, tmp_path).embed_query("text")


@pytest.mark.parametrize("name", ["weights.npz", "sp.model", "manifest.json"])
def test_a_pack_that_lacks_a_file_is_damaged(name: str, copied: Path) -> None:
    (copied / PACK.name / name).unlink()
    with pytest.raises(PackDamaged, match="commonplace models pull use-multilingual"):
        LocalEmbedder(PACK, copied).embed_query("text")


@pytest.mark.parametrize("name", ["weights.npz", "sp.model"])
def test_a_changed_byte_is_found_before_anything_is_read(name: str, copied: Path) -> None:
    file = copied / PACK.name / name
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(PackDamaged, match="not as published"):
        LocalEmbedder(PACK, copied).embed_query("text")


@pytest.mark.parametrize(
    "content", [b"", b"no model", b"\x0a\x02", b"\x0a\x0e\x0a\x05<unk>\x15\x00\x00\x00\x00\x18\x02"]
)
def test_a_vocabulary_that_is_none_is_damaged(content: bytes, copied: Path) -> None:
    pack: Pack = replace(PACK, vocabulary=published(copied, PACK.vocabulary, content))
    with pytest.raises(PackDamaged, match="no SentencePiece model"):
        LocalEmbedder(pack, copied).embed_query("text")


@pytest.mark.parametrize("content", [b"", b"no weights"])
def test_weights_that_are_none_are_damaged(content: bytes, copied: Path) -> None:
    pack: Pack = replace(PACK, weights=published(copied, PACK.weights, content))
    with pytest.raises(PackDamaged, match="not those of a sentence encoder"):
        LocalEmbedder(pack, copied).embed_query("text")


# -- shares -----------------------------------------------------------------------------------


def told(share: LanguageShare, texts: list[str]) -> list[bool]:
    return [not is_blank(vector) for vector in share.embed(texts)]


def test_each_text_is_in_one_share(embedder: LocalEmbedder) -> None:
    other, english = shares(embedder, beside_another=True)
    texts = [GERMAN, ENGLISH, CHINESE, "staging port", ENGLISH]
    assert told(other, texts) == [True, False, True, False, False]
    assert told(english, texts) == [False, True, False, True, True]
    assert other.embed([GERMAN, CHINESE]) == embedder.embed([GERMAN, CHINESE])


def test_beside_a_better_model_english_texts_are_not_compared_with_english_questions(embedder: LocalEmbedder) -> None:
    other, english = shares(embedder, beside_another=True)
    assert is_blank(english.embed_query("where is the car?"))
    assert english.embed_query("wo steht der Wagen?") == other.embed_query("wo steht der Wagen?")
    assert not is_blank(other.embed_query("where is the car?"))


def test_alone_the_model_answers_english_questions_too(embedder: LocalEmbedder) -> None:
    other, english = shares(embedder, beside_another=False)
    assert english.embed_query("where is the car?") == other.embed_query("where is the car?")


def test_the_share_of_other_languages_has_the_packs_own_space(embedder: LocalEmbedder) -> None:
    other, english = shares(embedder, beside_another=True)
    sockets: tuple[Embedder, ...] = (other, english)
    assert sockets[0].space == PACK.space
    assert str(english.space) == str(PACK.space).replace("-3@", "-3:english@")
    assert {each.calibration for each in sockets} == {PACK.calibration}
    assert not any(each.uses_network for each in sockets)


def test_a_share_without_texts_of_its_own_loads_nothing(tmp_path: Path) -> None:
    other, _ = shares(LocalEmbedder(PACK, tmp_path), beside_another=True)
    assert told(other, [ENGLISH]) == [False]
