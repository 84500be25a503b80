"""What the tests of the ownsona contract say again and again."""

import random
import string
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.contracts.client import Client

COLBY = "My son Colby lives in Los Angeles."
COLBY_NOW = "My son Colby lives in Los Angeles now."
MATCH_KEYS = {"id", "text", "score", "created_at", "updated_at", "tags"}


def told(client: Client, *texts: str, **arguments: Any) -> list[int]:
    return [client.call("remember", text=text, dedup_policy="insert", **arguments)["memory_id"] for text in texts]


def got(client: Client, id: object) -> Any:
    return client.call("get_memory", id=id)["memory"]


def code(client: Client, tool: str, /, **arguments: Any) -> str:
    """The code of a refusal, whose envelope is checked on the way."""
    body = client.refusal(tool, **arguments)
    assert body.keys() == {"ok", "error"}
    assert body["ok"] is False
    assert body["error"].keys() == {"code", "message"}
    assert body["error"]["message"].endswith((".", "?"))
    return body["error"]["code"]


def blame(client: Client, tool: str, /, **arguments: Any) -> str:
    """The first word of an INVALID_INPUT, which is the argument it is about."""
    body = client.refusal(tool, **arguments)
    assert body["error"]["code"] == "INVALID_INPUT", body
    return body["error"]["message"].split()[0]


def ahead(**span: float) -> str:
    return (datetime.now(UTC) + timedelta(**span)).isoformat()


def key(prefix: str, length: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return prefix + "".join(random.Random(prefix).choices(alphabet, k=length))
