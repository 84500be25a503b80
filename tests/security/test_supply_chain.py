"""What is installed is what was tested: dependencies have bounds, and the locked set has hashes and is within them."""

import json
import re
import tomllib
from functools import cache
from importlib.metadata import distributions
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from commonplace.domain.record import Record

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OURS = PROJECT["project"]["name"]
LOCKS = ("build", "dev", "run")

# What we do not import: it is named to keep known holes out, and its ceiling is set by those who do import it.
BROUGHT_BY_OTHERS = {
    "cryptography": "PyJWT",
    "h11": "uvicorn",
    "protobuf": "onnxruntime",
    "pygments": "rich",
    "python-multipart": "mcp",
}

# The first version without the holes that were known when it was written down.
CLOSED_SINCE = {
    "anyio": ("4.14.2", "CVE-2026-63349"),
    "cryptography": ("50.0.0", "CVE-2026-69247, CVE-2026-69249, GHSA-537c-gmf6-5ccf"),
    "h11": ("0.16.0", "CVE-2025-43859"),
    "mcp": ("1.28.1", "CVE-2026-52869, CVE-2026-52870, CVE-2026-59950"),
    "protobuf": ("6.33.5", "CVE-2026-0994"),
    "pygments": ("2.20.0", "CVE-2026-4539"),
    "pyjwt": ("2.13.0", "CVE-2026-32597, CVE-2026-48522 to CVE-2026-48526"),
    "python-multipart": ("0.0.32", "CVE-2026-42561, CVE-2026-53538 to CVE-2026-53540"),
    "starlette": ("1.3.1", "CVE-2026-48710, CVE-2026-48818, CVE-2026-54282, CVE-2026-54283"),
}


class Pin(Record):
    """One line of a locked set."""

    requirement: Requirement
    version: Version
    hashes: tuple[str, ...]

    @property
    def name(self) -> str:
        return canonicalize_name(self.requirement.name)

    @property
    def counts_here(self) -> bool:
        return self.requirement.marker is None or self.requirement.marker.evaluate()


def declared() -> list[Requirement]:
    """Every dependency that pyproject.toml names, of any kind, but for our own extras."""
    project = PROJECT["project"]
    lists = [
        project["dependencies"],
        *project["optional-dependencies"].values(),
        *PROJECT["dependency-groups"].values(),
        PROJECT["build-system"]["requires"],
    ]
    return [each for each in map(Requirement, chain(*lists)) if each.name != OURS]


@cache
def text(lock: str) -> str:
    return (ROOT / "constraints" / f"{lock}.txt").read_text(encoding="utf-8")


@cache
def pins(lock: str) -> tuple[Pin, ...]:
    lines = text(lock).replace("\\\n", " ").splitlines()
    found = []
    for line in lines:
        if line.strip() and not line.startswith("#"):
            before, *hashes = re.split(r"\s+--hash=", line.strip())
            requirement = Requirement(before)
            (pinned,) = requirement.specifier
            assert pinned.operator == "==", line
            found.append(Pin(requirement, Version(pinned.version), tuple(hashes)))
    return tuple(found)


def bounds(requirement: Requirement) -> dict[str, Version]:
    return {each.operator: Version(each.version) for each in requirement.specifier}


# -- bounds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("requirement", declared(), ids=str)
def test_a_dependency_has_a_floor_and_a_ceiling(requirement: Requirement) -> None:
    given = bounds(requirement)
    assert ">=" in given
    if canonicalize_name(requirement.name) in BROUGHT_BY_OTHERS:
        assert "<" not in given
    else:
        assert given["<"] > given[">="]


@pytest.mark.parametrize("name", CLOSED_SINCE)
def test_no_floor_admits_a_known_hole(name: str) -> None:
    floors = [bounds(each)[">="] for each in declared() if canonicalize_name(each.name) == name]
    assert floors
    assert min(floors) >= Version(CLOSED_SINCE[name][0]), CLOSED_SINCE[name][1]


def test_what_others_bring_is_still_brought_by_them() -> None:
    """Else it is installed for nothing."""
    names = {canonicalize_name(each.name) for each in declared()}
    assert names >= BROUGHT_BY_OTHERS.keys()
    for name, bringer in BROUGHT_BY_OTHERS.items():
        assert canonicalize_name(bringer) in names
        assert {pin.name for pin in pins("run")} >= {name, canonicalize_name(bringer)}


# -- the locked set ---------------------------------------------------------------------------


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_is_one_version_with_its_hashes(lock: str) -> None:
    assert len(pins(lock)) > 5
    for pin in pins(lock):
        assert pin.hashes, pin.name
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in pin.hashes), pin.name


@pytest.mark.parametrize("lock", LOCKS)
def test_no_place_is_named_that_packages_come_from(lock: str) -> None:
    """Whoever installs has an index of their own; a hash is the same everywhere."""
    assert "://" not in text(lock)
    assert [line for line in text(lock).splitlines() if line.lstrip().startswith("-") and "--hash=" not in line] == []


@pytest.mark.parametrize("requirement", declared(), ids=str)
def test_the_locked_version_is_within_the_bounds(requirement: Requirement) -> None:
    name = canonicalize_name(requirement.name)
    locked = [pin for lock in LOCKS for pin in pins(lock) if pin.name == name]
    assert locked
    assert [pin for pin in locked if pin.version not in requirement.specifier] == []


def test_the_three_sets_agree() -> None:
    everything = {(pin.name, pin.version) for pin in pins("dev")}
    assert {(pin.name, pin.version) for lock in LOCKS for pin in pins(lock)} == everything


def test_these_tests_run_on_the_locked_set() -> None:
    here = [pin for pin in pins("dev") if pin.counts_here]
    found = {canonicalize_name(each.name): each.version for each in distributions()}
    others = [f"{pin.name} {found.get(pin.name)}" for pin in here if found.get(pin.name) != str(pin.version)]
    assert others == [], "run 'make dev'"
    print(f"{len(here)} packages, as locked; {sum(len(pin.hashes) for pin in here)} hashes")


# -- who installs -----------------------------------------------------------------------------


def test_whatever_the_makefile_installs_is_pinned() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    pip = re.findall(r"^.*(?:pip|PIP\)) .*install.*$", makefile, re.MULTILINE)
    assert len(pip) >= 3
    pinned = ("--require-hashes", "--no-deps --no-build-isolation --editable .", "==$(UV_VERSION)")
    assert [line for line in pip if not any(how in line for how in pinned)] == []
    npm = re.findall(r"\$\(NPM\) (\S+)", makefile)
    assert len(npm) == 2
    assert [what for what in npm if not what.endswith("_VERSION)")] == []
    assert re.findall(r"_VERSION := (?!\d+\.\d+\.\d+$).*$", makefile, re.MULTILINE) == []


def test_what_npm_brings_for_the_page_is_locked_by_hash_and_names_no_place() -> None:
    folder = ROOT / "tests" / "web"
    wanted = json.loads((folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
    packages = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    locked = {name: package for name, package in packages.items() if name}
    assert {f"node_modules/{name}": version for name, version in wanted.items()}.items() <= {
        name: package["version"] for name, package in locked.items()
    }.items()
    assert [name for name, package in locked.items() if not package["integrity"].startswith("sha512-")] == []
    assert [name for name, package in locked.items() if "resolved" in package] == []
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    installs = re.findall(r"npm ci .*", makefile)
    assert installs
    assert [line for line in installs if "--ignore-scripts" not in line] == []


def test_the_recipes_for_operators_install_what_was_tested() -> None:
    recipes = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
    installs = re.findall(r"^.*pip install.*$", recipes, re.MULTILINE)
    assert len(installs) >= 4
    ours = (f"{OURS}=={PROJECT['project']['version']}", "--no-deps --no-build-isolation ")
    tested = ("--require-hashes", *ours)
    assert [line for line in installs if not any(how in line for how in tested)] == []
