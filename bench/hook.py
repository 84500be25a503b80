"""How long a host waits for a hook, beside bare Python measured in the same run, and what a hook says.

    python bench/hook.py [--memories 10000] [--runs 15] [--models FOLDER] [--json FILE]

A prompt comes to a cold `commonplace hook` on a book of seeded texts: by words, with the model where `--models` has
one (or COMMONPLACE_MODELS names them), and beside them a start of a session and the end of a turn. Calls are
interleaved with `python -c pass`, so that a busy machine slows all of them.
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
from itertools import islice
from pathlib import Path

from commonplace import Book, NearPolicy, Repeats
from commonplace.text import estimate_tokens
from speed import texts

WORDS_TARGET, MODEL_TARGET = 8.0, 25.0
SECONDS, CHARACTERS = 2.0, 6_000
SEED = 7
PROMPT = "Which port does the staging database of the harbour service listen on?"
FACT = "The staging database of the harbour service listens on port 6543"
LINES = (
    {"type": "user", "uuid": "a", "parentUuid": None, "message": {"role": "user", "content": "Hello there"}},
    {
        "type": "assistant",
        "uuid": "b",
        "parentUuid": "a",
        "message": {"role": "assistant", "content": [{"type": "text", "text": "Hello."}]},
    },
    {
        "type": "user",
        "uuid": "c",
        "parentUuid": "b",
        "message": {"role": "user", "content": "From now on, always run the linter before you commit."},
    },
)


def fill(path: Path, count: int, model: str | None) -> None:
    with Book.open(path, model=model) as book:
        made = [*islice(texts(SEED), count - 1), FACT]
        for start in range(0, len(made), 500):
            drafts = [book.draft(text) for text in made[start : start + 500]]
            book.remember_many(drafts, repeats=Repeats(near=NearPolicy.IGNORE))


def call(event: dict[str, object], environment: dict[str, str], folder: Path) -> tuple[float, str]:
    """Seconds that the host waits, and what it is told."""
    command = shutil.which("commonplace", path=str(Path(sys.executable).parent)) or "commonplace"
    given = json.dumps({"cwd": str(folder), **event}).encode()
    started = time.perf_counter()
    done = subprocess.run(
        [command, "hook", "claude-code"], input=given, env=environment, cwd=folder, capture_output=True, check=False
    )
    passed = time.perf_counter() - started
    assert done.returncode == 0, done
    return passed, done.stdout.decode()


def bare() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--models", default=os.environ.get("COMMONPLACE_MODELS", ""))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        found = measure(Path(place), given.memories, given.runs, given.models)
    if given.json:
        given.json.write_text(json.dumps(found, indent=2), encoding="utf-8")


def measure(folder: Path, memories: int, runs: int, models: str) -> dict[str, object]:
    home, project = folder / "home", folder / "project"
    project.mkdir()
    transcript = home / ".claude" / "projects" / "p" / "s.jsonl"
    transcript.parent.mkdir(parents=True)
    about = {"sessionId": "stop", "cwd": str(project), "timestamp": "2026-11-16T04:14:28.000Z"}
    transcript.write_text("".join(json.dumps({**about, **line}) + "\n" for line in LINES), encoding="utf-8")
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("COMMONPLACE_")}
    surroundings |= {"HOME": str(home), "COMMONPLACE_STORE": str(folder / "book.db")}
    by_words = {**surroundings, "COMMONPLACE_MODEL": "none"}
    kinds = {"prompt by words": by_words, "start": by_words, "stop": by_words}
    if models:
        kinds["prompt with model"] = {**surroundings, "COMMONPLACE_MODELS": models}
        os.environ["COMMONPLACE_MODELS"] = models
    os.chdir(project)  # what is written elsewhere is about another project, and not brought here
    fill(folder / "book.db", memories, None if models else "none")
    times: dict[str, list[float]] = {"bare": [], **{kind: [] for kind in kinds}}
    answers = dict.fromkeys(kinds, "")
    for run in range(runs):
        times["bare"].append(bare())
        for kind, environment in kinds.items():
            name = {"start": "SessionStart", "stop": "Stop"}.get(kind, "UserPromptSubmit")
            event = {"session_id": f"{kind} {run}", "hook_event_name": name, "prompt": PROMPT}
            seconds, answers[kind] = call({**event, "transcript_path": str(transcript)}, environment, project)
            times[kind].append(seconds)
    return tell(times, answers, memories)


def tell(times: dict[str, list[float]], answers: dict[str, str], memories: int) -> dict[str, object]:
    usual = {kind: statistics.median(seconds) for kind, seconds in times.items()}
    print(f"cold hooks on {memories:,} memories; bare Python {usual['bare'] * 1000:.0f} ms")
    targets = {"prompt by words": WORDS_TARGET, "prompt with model": MODEL_TARGET}
    found: dict[str, object] = {"bare": usual["bare"]}
    for kind, answer in answers.items():
        ratio, longest = usual[kind] / usual["bare"], max(times[kind])
        target = targets.get(kind)
        verdict = "" if target is None else f"  (target <= {target:g}: {'met' if ratio <= target else 'MISSED'})"
        held = "held" if longest <= SECONDS and len(answer) <= CHARACTERS else "BROKEN"
        tokens = estimate_tokens(answer) if answer else 0
        print(
            f"  {kind:18}{usual[kind] * 1000:6.0f} ms  x {ratio:5.1f}{verdict}; longest {longest * 1000:.0f} ms, "
            f"{len(answer):,} characters, {tokens:,} tokens ({held})"
        )
        found[kind] = {"ratio": ratio, "longest": longest, "characters": len(answer), "tokens": tokens}
    return found


if __name__ == "__main__":
    main()
