"""How long a host waits for the server, beside a bare server of the SDK measured in the same run.

    python bench/start.py [--runs 15] [--json FILE]

The reference is an `MCPServer` with one tool on stdio. Each run starts one process of every
kind in turn, so that a busy machine slows all of them, and takes the time from the start of the
process to the answer to `tools/list`. The book is empty and no model may be loaded by then.
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
from pathlib import Path

from commonplace.dialects import dialect_names

TARGET = 1.4
RUNS = 15
MODEL_MODULES = ("onnxruntime", "numpy")

BARE = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("bare")


@server.tool()
def echo(text: str) -> str:
    \"\"\"Say it again.\"\"\"
    return text


server.run("stdio")
"""
# The command itself, and at its end what was imported.
WATCHED = """
import os, sys, threading
from commonplace.cli import main

leave = os._exit

def tell(code=0):
    sys.stderr.write(" ".join(sys.modules) + "\\n")
    sys.stderr.flush()
    leave(code)

os._exit = tell
threading._register_atexit(tell)
main(sys.argv[1:])
"""
QUESTIONS = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list"},
)


def until_listed(command: list[str], environment: dict[str, str]) -> tuple[float, str]:
    """Seconds from nothing to the list of tools, and what was said on stderr until the end."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for question in QUESTIONS:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **question}) + "\n")
            process.stdin.flush()
            if "id" in question:
                answer = json.loads(process.stdout.readline())
                assert "result" in answer, answer
        elapsed = time.perf_counter() - started
        assert answer["result"]["tools"]
        _, said = process.communicate()
    return elapsed, said


def commands(folder: Path) -> dict[str, list[str]]:
    bare = folder / "bare.py"
    bare.write_text(BARE, "utf-8")
    ours = shutil.which("commonplace", path=str(Path(sys.executable).parent)) or "commonplace"
    book = str(folder / "book.db")
    return {
        "bare": [sys.executable, str(bare)],
        **{name: [ours, "mcp", "--dialect", name, "--store", book] for name in dialect_names()},
    }


def models_loaded(dialect: str, folder: Path) -> list[str]:
    command = [sys.executable, "-c", WATCHED, "mcp", "--dialect", dialect, "--store", str(folder / "book.db")]
    _, said = until_listed(command, dict(os.environ))
    loaded = said.split()
    assert "commonplace.serve.stdio" in loaded, said
    return [name for name in MODEL_MODULES if name in loaded]


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
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = commands(folder)
        for run in range(arguments.runs + 1):
            for kind, command in started.items():
                elapsed, _ = until_listed(command, dict(os.environ))
                if run:  # the first reads the files of all of them from the disk
                    times.setdefault(kind, []).append(elapsed * 1000)
        loaded = {kind: models_loaded(kind, folder) for kind in dialect_names()}
    print("start to tools/list, median in ms and the ratio to a bare server of the SDK")
    print("  " + ", ".join(f"{name} {value}" for name, value in stamp().items()))
    middle = {kind: statistics.median(found) for kind, found in times.items()}
    print(f"  {'bare, one tool':34}{middle['bare']:>10.0f}")
    for kind, models in loaded.items():
        ratio = middle[kind] / middle["bare"]
        met = "met" if ratio <= TARGET else "MISSED"
        held = f"loaded {', '.join(models)}: MISSED" if models else "no model loaded"
        print(f"  {kind:34}{middle[kind]:>10.0f}   {ratio:6.2f}  (target <= {TARGET:g}: {met}; {held})")
    if arguments.json:
        figures = {"milliseconds": middle, "loaded": loaded, "runs": arguments.runs}
        arguments.json.write_text(json.dumps({"stamp": stamp(), "figures": figures}, indent=2), "utf-8")


if __name__ == "__main__":
    main()
