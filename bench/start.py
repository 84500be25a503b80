"""How long a host waits for the server, beside a bare server of the SDK measured in the same run.

    python bench/start.py [--runs 15] [--json FILE]

The reference is an `MCPServer` with one tool on stdio. Each run starts one process of every
kind in turn, so that a busy machine slows all of them, and takes the time from the start of the
process to the answer to `tools/list`, and to the answer to a first call: a search by words in a
book that is empty.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

LISTED_TARGET = 0.3
CALLED_TARGET = 1.2
RUNS = 15
FIRST_CALLS: Mapping[str, tuple[str, str]] = {
    "bare": ("echo", "text"),
    "native": ("memory_recall", "query"),
    "aleph": ("memory_search", "query"),
    "nuzo": ("memory.recall", "query"),
    "onelamp": ("get_context", "query"),
    "ownsona": ("recall", "query"),
    "snipara": ("rlm_recall", "query"),
}
"""The tool of each that is called first, and the argument that it needs."""

BARE = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("bare")


@server.tool()
def echo(text: str) -> str:
    \"\"\"Say it again.\"\"\"
    return text


server.run("stdio")
"""
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


def waited(kind: str, command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Seconds from nothing to the list of tools and to the answer of a first call."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None
        assert stdout is not None

        def send(**message: object) -> None:
            stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            stdin.flush()

        def ask(id: int, method: str, **params: object) -> dict[str, object]:
            send(id=id, method=method, params=params)
            answer = json.loads(stdout.readline())
            assert answer["id"] == id, answer
            found: dict[str, object] = answer["result"]
            return found

        ask(1, "initialize", **HELLO)
        send(method="notifications/initialized")
        assert ask(2, "tools/list")["tools"]
        listed = time.perf_counter() - started
        tool, argument = FIRST_CALLS[kind]
        answer = ask(3, "tools/call", name=tool, arguments={argument: "harbour"})
        called = time.perf_counter() - started
        assert answer["content"], answer  # that nothing is known is an answer too
        process.communicate()
    return listed, called


def commands(folder: Path) -> dict[str, list[str]]:
    bare = folder / "bare.py"
    bare.write_text(BARE, "utf-8")
    ours = shutil.which("commonplace", path=str(Path(sys.executable).parent)) or "commonplace"
    return {
        "bare": [sys.executable, str(bare)],
        **{name: [ours, *_words(name, folder)] for name in FIRST_CALLS if name != "bare"},
    }


def _words(dialect: str, folder: Path) -> list[str]:
    return ["mcp", "--dialect", dialect, "--store", str(folder / "book.db"), "--model", "none"]


def stamp() -> dict[str, object]:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    ).stdout.strip()
    return {
        "commit": commit or "unknown",
        "machine": os.uname().machine,
        "cores": os.cpu_count(),
        "python": sys.version.split()[0],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=RUNS, help="how many starts of each")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    arguments = parser.parse_args()
    listed: dict[str, list[float]] = {}
    called: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = commands(folder)
        for run in range(arguments.runs + 1):
            for kind, command in started.items():
                to_list, to_call = waited(kind, command, dict(os.environ))
                if run:  # the first reads the files of all of them from the disk
                    listed.setdefault(kind, []).append(to_list * 1000)
                    called.setdefault(kind, []).append(to_call * 1000)
    print("start to tools/list, and to the answer of a first call: median in ms and the ratio to a bare server")
    print("  " + ", ".join(f"{name} {value}" for name, value in stamp().items()))
    lists = {kind: statistics.median(found) for kind, found in listed.items()}
    calls = {kind: statistics.median(found) for kind, found in called.items()}
    print(f"  {'bare, one tool':16}{lists['bare']:>8.0f}{calls['bare']:>26.0f}")
    for kind in started:
        if kind != "bare":
            print(f"  {kind:16}{_beside(lists, kind, LISTED_TARGET)}{_beside(calls, kind, CALLED_TARGET)}")
    if arguments.json:
        figures = {"listed": lists, "called": calls, "runs": arguments.runs}
        arguments.json.write_text(json.dumps({"stamp": stamp(), "figures": figures}, indent=2), "utf-8")


def _beside(middle: dict[str, float], kind: str, target: float) -> str:
    ratio = middle[kind] / middle["bare"]
    return f"{middle[kind]:>8.0f} {ratio:5.2f} (<= {target:g}: {'met' if ratio <= target else 'MISSED'})"


if __name__ == "__main__":
    main()
