"""No secret is stored, answered or logged by a server of its own process, wherever in a request it stands."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from commonplace.dialects import dialect_names
from tests.security.fields import Field, fields, marker, stored, token
from tests.serve.wire import HANDSHAKE, wired
from tests.warm import command

SENTENCE = "Deploys are on Monday"


def plainly(field: Field, text: str) -> Mapping[str, Any]:
    """The text in a field, with nothing but plain words in those that are asked for."""
    schema = field.tool.input_schema()
    given: dict[str, Any] = dict.fromkeys(schema.get("required", ()), SENTENCE)
    first, *rest = field.path
    value: Any = text
    for part in reversed(rest):
        value = [value] if isinstance(part, int) else {part: value}
    return {**given, str(first): value}


@pytest.mark.parametrize("dialect", dialect_names())
def test_a_server_keeps_answers_and_logs_no_secret(dialect: str, tmp_path: Path) -> None:
    """One request for each field, and one in every other place where a client has something to say."""
    chosen = [field for field in fields() if field.dialect.name == dialect]
    secrets = [token() for _ in range(len(chosen) + 5)]
    harmless = [marker() for _ in chosen]
    name, tool, argument, prompt, resource = secrets[:5]
    place = tmp_path / "book"
    with wired(command("mcp", "--store", str(place / "book.db"), "--dialect", dialect, "--verbose"), tmp_path) as wire:
        client = {**HANDSHAKE, "clientInfo": {"name": name, "version": name}}
        wire.ask("initialize", client)
        wire.send(method="notifications/initialized")
        wire.ask("tools/call", {"name": tool, "arguments": {}})
        wire.ask("tools/call", {"name": chosen[0].tool.name, "arguments": {argument: argument}})
        wire.ask("prompts/get", {"name": prompt, "arguments": {prompt: prompt}})
        wire.ask("resources/read", {"uri": f"memory://{resource}"})
        for field, secret, word in zip(chosen, secrets[5:], harmless, strict=True):
            for text in (secret, word):
                wire.ask("tools/call", {"name": field.tool.name, "arguments": plainly(field, text)})
        wire.hang_up()
        wire.ended(60)
        said = b"\n".join(wire.lines)
        logged = wire.logged
    answered = [secret for secret in secrets if secret.encode() in said]
    kept = stored(place, harmless)
    print(f"\n{dialect}: {len(secrets)} places for a secret, {len(kept)} harmless words stored;", end=" ")
    print(f"{len(answered)} secrets answered", end="")
    assert kept, "nothing was stored at all"
    assert stored(place, secrets) == set()
    assert answered == []
    assert not any(secret.encode() in logged for secret in secrets)
