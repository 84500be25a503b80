"""The recording of the command line that the README shows: real commands on a real terminal, drawn as an SVG.

    COMMONPLACE_MODELS=FOLDER python bench/recording.py [--to docs/pictures/terminal.svg]

Lines appear one after the other where motion is welcome, and all at once elsewhere.
"""

import argparse
import os
import pty
import re
import shlex
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from html import escape
from pathlib import Path

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "terminal.svg"
STEPS = (
    'commonplace remember "Deploys are on Monday" --topic "deploy day"',
    'commonplace remember "Deploys are on Tuesday now" --topic "deploy day"',
    'commonplace recall "which day do we release?"',
    'commonplace remember "I prefer short commit messages"',
    "commonplace forget last",
    "commonplace undo",
)
COLUMNS, ROWS = 98, 60
CHUNK = 1 << 16
CELL_WIDTH, LINE_HEIGHT, MARGIN = 8.4, 20, 18
TYPING_SECONDS, ANSWER_SECONDS = 1.6, 0.15
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
PAPER, INK, PROMPT = "#16181d", "#d7dae0", "#8a919e"
STYLES = {"1": "font-weight:bold", "2": "fill:#8a919e", "31": "fill:#ff8080", "32": "fill:#7fd88f"} | {
    "33": "fill:#e5c06a",
    "36": "fill:#6cc7d9",
}
_STYLE = re.compile(r"\x1b\[([\d;]*)m")


def recorded(models: Path) -> list[tuple[str, list[str]]]:
    """Each command with the lines of its answer, colours included, on a book of its own."""
    with tempfile.TemporaryDirectory() as home:
        around = {"HOME": home, "TERM": "xterm", "COMMONPLACE_MODELS": str(models), "COMMONPLACE_MODEL": "arctic-s"}
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("COMMONPLACE_", "XDG_"))}
        return [(step, _answer(shlex.split(step)[1:], home, {**kept, **around})) for step in STEPS]


def _answer(words: list[str], folder: str, around: dict[str, str]) -> list[str]:
    around.pop("NO_COLOR", None)
    master, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (ROWS, COLUMNS))
    command = [sys.executable, "-m", "commonplace", *words]
    with subprocess.Popen(command, cwd=folder, env=around, stdin=terminal, stdout=terminal, stderr=terminal) as process:
        os.close(terminal)
        said = b"".join(_read(master))
    os.close(master)
    if process.returncode:
        raise SystemExit(f"{words} ended with {process.returncode}: {said.decode()}")
    return said.decode().replace("\r\n", "\n").rstrip("\n").split("\n")


def _read(master: int) -> Iterator[bytes]:
    while True:
        try:
            chunk = os.read(master, CHUNK)
        except OSError:  # how Linux tells that nobody is left on the other side
            return
        if not chunk:
            return
        yield chunk


def drawn(steps: list[tuple[str, list[str]]]) -> str:
    """The recording as an SVG."""
    rows: list[tuple[float, str]] = []
    moment = 0.0
    for command, answer in steps:
        moment += TYPING_SECONDS
        rows.append((moment, f'<tspan fill="{PROMPT}">$ </tspan>{escape(command, quote=False)}'))
        for line in answer:
            moment += ANSWER_SECONDS
            rows.append((moment, _spans(line)))
        rows.append((moment, ""))
    height = 2 * MARGIN + LINE_HEIGHT * (len(rows) - 1)
    width = 2 * MARGIN + round(CELL_WIDTH * COLUMNS)
    texts = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE_HEIGHT * place + 14}" style="animation-delay:{at:.2f}s">{row}</text>'
        for place, (at, row) in enumerate(rows)
        if row
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-label="Commonplace in a terminal">\n'
        f"<style>text{{font:14px {FONT};fill:{INK};white-space:pre}}\n"
        "@media (prefers-reduced-motion:no-preference){text{animation:appear .2s linear backwards}}\n"
        "@keyframes appear{from{opacity:0}}</style>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>\n{texts}\n</svg>\n'
    )


def _spans(line: str) -> str:
    spans, style = [], ""
    for place, part in enumerate(_STYLE.split(line.rstrip())):
        if place % 2:
            style = ";".join(STYLES[code] for code in part.split(";") if code in STYLES)
        elif part:
            text = escape(part, quote=False)
            spans.append(f'<tspan style="{style}">{text}</tspan>' if style else text)
    return "".join(spans)


def main() -> None:
    """Write the recording to its file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--to", type=Path, default=PICTURE)
    drawing = drawn(recorded(Path(os.environ["COMMONPLACE_MODELS"]).resolve()))
    parser.parse_args().to.write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
