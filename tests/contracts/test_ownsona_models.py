"""The ownsona contract with a model: one that works, and one that fails."""

import os
import shutil
from pathlib import Path

import pytest

from tests.contracts.conftest import Serve
from tests.contracts.ownsona_calls import COLBY, code, got, told
from tests.contracts.requirements import requires

MODELS_VARIABLE = "COMMONPLACE_TEST_MODELS"
PACK = "arctic-s"


@pytest.fixture
def models() -> Path:
    folder = Path(os.environ.get(MODELS_VARIABLE, ""))
    if not (folder / PACK / "model.onnx").is_file():
        pytest.skip(f"{MODELS_VARIABLE} does not name a folder with {PACK}: what a model does is NOT TESTED.")
    return folder


@pytest.fixture
def broken(models: Path, tmp_path: Path) -> Path:
    """The same pack with a vocabulary that is none."""
    copy = tmp_path / "models"
    shutil.copytree(models / PACK, copy / PACK)
    vocabulary = copy / PACK / "vocab.txt"
    vocabulary.write_bytes(b"x" * vocabulary.stat().st_size)
    return copy


@requires("ownsona.recall.meaning")
def test_memories_are_found_by_meaning(serve: Serve, models: Path) -> None:
    client = serve("ownsona", COMMONPLACE_MODEL=PACK, COMMONPLACE_MODELS=str(models))
    peanuts, _, _ = told(
        client, "The user is allergic to peanuts.", "The meeting room is on the third floor.", "It rained in May."
    )
    answer = client.call("recall", query="Which food must be avoided?")
    assert answer["matches"][0]["id"] == peanuts
    assert len(answer["matches"]) == 3, "nothing but the limit and min_score cuts"
    assert "note" not in answer
    (falcon,) = told(client, "The staging database runs on the server called falcon.")
    reworded = "The database for staging is on falcon, the server."
    repeat = client.call("remember", text=reworded, dedup_policy="skip_if_near")
    assert (repeat["memory_id"], repeat["message"]) == (falcon, "Already remembered")


@requires(
    "ownsona.remember.near.meaning", "ownsona.remember.output.corrected.meaning", "ownsona.near_duplicates.meaning"
)
def test_paraphrases_are_near_to_memories_and_to_tombstones(serve: Serve, models: Path) -> None:
    client = serve("ownsona", COMMONPLACE_MODEL=PACK, COMMONPLACE_MODELS=str(models))
    pairs = (
        ("We deploy every Thursday.", "Deploys happen on Thursdays."),
        ("My mother lives in Portland.", "My mom lives in Portland."),
        (COLBY, "My son Colby resides in Los Angeles."),
        ("The user is allergic to peanuts.", "The user has a peanut allergy."),
    )
    groups = []
    for known, again in pairs:
        (first,) = told(client, known)
        answer = client.call("remember", text=again)
        assert [match["id"] for match in answer["near_duplicates"]] == [first], again
        assert answer["near_duplicates"][0]["score"] >= 0.92
        groups.append([first, answer["memory_id"]])
    told(client, "We used to deploy every Thursday.", "The user's brother is allergic to peanuts.")
    found = client.call("find_near_duplicates")
    assert sorted(group["ids"] for group in found["groups"]) == groups
    highest = max(group["max_similarity"] for group in found["groups"])
    assert len(client.call("find_near_duplicates", threshold=highest)["groups"]) < len(groups)
    assert client.call("find_near_duplicates", threshold=1)["groups"] == []
    (berlin,) = told(client, "The user lives in Berlin.")
    client.call("forget", id=berlin, reason="moved")
    answer = client.call("remember", text="The user has his home in Berlin.")
    assert [tombstone["id"] for tombstone in answer["previously_corrected"]] == [berlin]
    assert "previously_corrected" not in client.call("remember", text="The user's brother lives in Berlin.")


@requires("ownsona.errors.embedding.damaged")
@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt", "manifest.json"])
def test_a_pack_that_is_cut_short_is_an_embedding_error(serve: Serve, models: Path, tmp_path: Path, name: str) -> None:
    copy = tmp_path / "models"
    shutil.copytree(models / PACK, copy / PACK)
    damaged = copy / PACK / name
    damaged.write_bytes(damaged.read_bytes()[: damaged.stat().st_size // 2])
    for setting in (PACK, "auto"):
        client = serve("ownsona", COMMONPLACE_MODEL=setting, COMMONPLACE_MODELS=str(copy))
        for tool, given in (("remember", {"text": COLBY}), ("recall", {"query": "Colby"})):
            body = client.refusal(tool, **given)
            assert body["error"]["code"] == "EMBEDDING_ERROR"
            assert "no model pack is installed" not in body["error"]["message"]
        assert client.call("count_memories", include_deleted=True)["count"] == 0


@requires("ownsona.errors.embedding", "ownsona.remember_batch.embedding", "ownsona.recall.errors")
def test_a_model_that_fails_is_an_embedding_error_and_nothing_is_stored(serve: Serve, broken: Path) -> None:
    client = serve("ownsona", COMMONPLACE_MODEL=PACK, COMMONPLACE_MODELS=str(broken))
    assert code(client, "remember", text=COLBY) == "EMBEDDING_ERROR"
    batch = client.call("remember_batch", items=[{"text": COLBY}, {"text": " "}, {"text": "Lunch is at noon."}])
    codes = [result["error"]["code"] for result in batch["results"]]
    assert codes == ["EMBEDDING_ERROR", "INVALID_INPUT", "EMBEDDING_ERROR"]
    assert batch["summary"]["failed"] == 3
    assert code(client, "recall", query="Colby") == "EMBEDDING_ERROR"
    assert code(client, "build_context_prompt", user_prompt="Colby?") == "EMBEDDING_ERROR"
    assert client.call("count_memories", include_deleted=True)["count"] == 0


@requires("ownsona.update.embedding")
def test_a_model_that_fails_fails_only_changes_of_text(serve: Serve, broken: Path) -> None:
    first, second = told(serve("ownsona"), COLBY, "Lunch is at noon.")
    client = serve("ownsona", COMMONPLACE_MODEL=PACK, COMMONPLACE_MODELS=str(broken))
    assert code(client, "update_memory", id=first, text="Colby moved.") == "EMBEDDING_ERROR"
    assert client.call("update_memory", id=first, text="Colby moved.", dry_run=True)["message"] == "Would update"
    items = [{"id": first, "text": "Colby moved."}, {"id": second, "importance": 0.9}]
    results = client.call("update_memory_batch", items=items)["results"]
    assert [result["ok"] for result in results] == [False, True]
    assert results[0]["error"]["code"] == "EMBEDDING_ERROR"
    assert (got(client, first)["text"], got(client, second)["importance"]) == (COLBY, 0.9)
