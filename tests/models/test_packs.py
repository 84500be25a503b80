"""The list of packs is well formed."""

import re

import pytest

from commonplace.models.packs import DEFAULT_PACK, PACKS, Pack, PackFile
from commonplace.ports import Space

SHA256 = re.compile(r"[0-9a-f]{64}")
every_pack = pytest.mark.parametrize("pack", PACKS.values(), ids=PACKS.keys())


def test_the_default_pack_is_known() -> None:
    assert DEFAULT_PACK in PACKS


@every_pack
def test_a_pack_is_listed_under_its_name(pack: Pack) -> None:
    assert PACKS[pack.name] is pack
    assert re.fullmatch(r"[a-z][a-z0-9-]*", pack.name)


@every_pack
def test_every_file_and_wheel_is_pinned_by_hash_and_size(pack: Pack) -> None:
    for digest, size in [(pack.wheel_sha256, pack.wheel_size), *((file.sha256, file.size) for file in pack.files)]:
        assert SHA256.fullmatch(digest)
        assert size > 0
    assert pack.size == sum(file.size for file in pack.files)


@every_pack
def test_the_licence_allows_everybody_to_use_the_model(pack: Pack) -> None:
    assert pack.licence in {"Apache-2.0", "MIT"}


def test_the_space_names_the_weights_and_the_runtime() -> None:
    assert PACKS["arctic-s"].space == Space("snowflake-arctic-embed-s", "f93ff2253206", "onnxruntime", 384)


def test_no_two_packs_share_a_space() -> None:
    assert len({pack.space for pack in PACKS.values()}) == len(PACKS)


@every_pack
def test_a_repeat_is_closer_than_what_is_merely_relevant(pack: Pack) -> None:
    assert 0 < pack.calibration.relevance.midpoint < pack.calibration.near < 1
    assert pack.calibration.relevance.width > 0


@pytest.mark.parametrize("name", ["../model.onnx", "a/b", "a\\b", "", ".", "..", ".hidden", "C:model"])
def test_a_file_name_that_leads_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="plain file name"):
        PackFile(name, "wheel/model.onnx", "0" * 64, 1)
