"""docs/page.md is true: its commands are answered, and its table names every operation."""

import json
import re
import shlex
from collections.abc import Iterator

from commonplace.api.operations import OPERATIONS, PREFIX
from tests.api.conftest import Peopled
from tests.test_docs import ROOT, blocks

PAGE = ROOT / "docs" / "page.md"


def commands() -> Iterator[tuple[list[str], dict[str, str], str | None]]:
    """The address, the headers and the body of each line with curl."""
    for block in blocks(PAGE, "shell"):
        for line in block.splitlines():
            words = iter(shlex.split(line)[1:])
            headers: dict[str, str] = {}
            body, addresses = None, []
            for word in words:
                if word == "-H":
                    name, _, value = next(words).partition(": ")
                    headers[name.lower().replace("-", "_")] = value
                elif word == "-d":
                    body = next(words)
                else:
                    addresses.append(word)
            yield addresses, headers, body


def test_what_the_page_shows_of_the_api_is_answered(there: Peopled) -> None:
    ran = 0
    for (address,), headers, body in commands():
        path = address.removeprefix("http://127.0.0.1:8765")
        assert path.startswith(PREFIX)
        headers["authorization"] = headers["authorization"].replace("$COMMONPLACE_TOKEN", str(there.ada.token))
        reply = there.server.send("GET" if body is None else "POST", path, body and body.encode(), **headers)
        assert reply.status == 200, reply
        assert json.loads(reply.body)
        ran += 1
    assert ran >= 2


def test_the_table_has_every_operation() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for operation in OPERATIONS:
        last = operation.path.rpartition("/")[2]
        assert re.search(rf"[/…]{re.escape(last)}\b|{re.escape(last)}", text), operation.path
