"""Metrics say how much and how fast, and nothing else."""

from commonplace.dialects import NATIVE, dialect_names
from tests.http.conftest import StartServer


def test_calls_are_counted_by_surface_name_and_outcome(start: StartServer) -> None:
    server = start()
    server.call("/mcp", "memory_remember", {"text": "Deploys are on Monday"})
    server.call("/mcp", "memory_remember", {"text": ""})
    server.call("/mcp", "no_such_tool", {})
    text = server.send("GET", "/metrics").body.decode()
    assert 'commonplace_calls_total{name="memory_remember",outcome="done",surface="native"} 1.0' in text
    assert 'commonplace_calls_total{name="memory_remember",outcome="refused",surface="native"} 1.0' in text
    assert 'commonplace_calls_total{name="other",outcome="refused",surface="native"} 1.0' in text
    assert 'commonplace_call_seconds_count{name="memory_remember",surface="native"} 2.0' in text
    assert 'commonplace_http_requests_total{route="/mcp",status="200"} 3.0' in text
    size = next(line for line in text.splitlines() if line.startswith("commonplace_store_bytes "))
    assert float(size.split()[1]) > 0


def test_no_content_nor_path_of_a_caller_gets_into_the_metrics(start: StartServer) -> None:
    server = start()
    for dialect in dialect_names():
        path = "/mcp" if dialect == NATIVE else f"/{dialect}/mcp"
        server.call(path, "canary_tool", {"text": "canary", "query": "canary", "content": "canary"})
    server.call("/mcp", "memory_remember", {"text": "The canary sings", "tags": ["canary"]})
    server.send("GET", "/canary/path")
    assert b"canary" not in server.send("GET", "/metrics").body
