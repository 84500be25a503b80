"""The MCP Inspector, which is not ours, drives the server: it lists the tools, remembers and recalls."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import NOT_RUN
from tests.serve.wire import LIMIT_SECONDS, ROOT, environment, forked_command

NODE = ROOT / ".node"
INSPECTOR = NODE / "node_modules" / ".bin" / "mcp-inspector"
OLDEST_NODE = 22
ERAS = ("legacy", "modern")


@pytest.fixture(scope="module")
def path() -> str:
    """A PATH with a Node that the Inspector can run on, or the reason why there is none."""
    place = os.pathsep.join((str(NODE / "bin"), os.environ.get("PATH", "")))
    node = shutil.which("node", path=place)
    if not INSPECTOR.exists():
        pytest.skip(f"{NOT_RUN}the MCP Inspector, since it is not installed ('make node' with npm and a network).")
    if node is None:
        pytest.skip(f"{NOT_RUN}the MCP Inspector, since there is no Node.")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.lstrip("v").split(".")[0]) < OLDEST_NODE:
        pytest.skip(f"{NOT_RUN}the MCP Inspector, since Node {version} is older than {OLDEST_NODE} ('make node').")
    return place


def inspect(path: str, store: Path, era: str, method: str, *words: str) -> Any:
    command = [str(INSPECTOR), "--cli", "--protocol-era", era, "--method", method, *words]
    done = subprocess.run(
        [*command, "--", *forked_command(store)],
        cwd=store.parent,
        env={**environment(), "PATH": path},
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("era", ERAS)
def test_the_inspector_lists_the_tools_remembers_and_recalls(path: str, store: Path, era: str) -> None:
    listed = inspect(path, store, era, "tools/list", "--strict")
    assert [tool["name"] for tool in listed["tools"]][:2] == ["memory_recall", "memory_remember"]
    text = "The harbour opens at dawn"
    kept = inspect(path, store, era, "tools/call", "--tool-name", "memory_remember", "--tool-arg", f"text={text}")
    assert kept["structuredContent"]["outcome"] == "created"
    found = inspect(path, store, era, "tools/call", "--tool-name", "memory_recall", "--tool-arg", "query=harbour")
    (memory,) = found["structuredContent"]["memories"]
    assert (memory["id"], memory["text"]) == (kept["structuredContent"]["id"], text)
