"""Many commands in one process, one after the other: words in as JSON lines, answers out as JSON lines."""

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout

from commonplace.cli import main


def run() -> None:
    """Read every line first: a command may read stdin itself."""
    for words in [json.loads(line) for line in sys.stdin]:
        sys.stdin = io.TextIOWrapper(io.BytesIO(b""))
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = main(words)
        print(json.dumps({"words": words, "code": code, "out": out.getvalue(), "err": err.getvalue()}))


if __name__ == "__main__":
    run()
