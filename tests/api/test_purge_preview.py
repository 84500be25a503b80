"""What a purge would reach is told before it is done, and is what it then reaches."""

from collections import Counter
from collections.abc import Callable

from commonplace.domain.scope import Principal
from commonplace.domain.tables import TABLES
from commonplace.sessions.transcripts import Speaker, Turn
from tests.api.conftest import Peopled
from tests.http.conftest import Server

SHELF = {"turns": "turn", "learnt": "learning", "evidence": "evidence"}


TEACHES = "We decided that service nine uses Redis for the queue, remember that."


def counted(server: Server) -> dict[str, Counter[str]]:
    with server.book.caller.store.reading("org") as unit:
        return {table.name: Counter(map(repr, unit.tables.rows(table.name))) for table in TABLES}


def gone_or_changed(before: Counter[str], after: Counter[str]) -> list[str]:
    return list((before - after).elements())


def test_a_preview_tells_exactly_what_a_purge_then_reaches(there: Peopled) -> None:
    server, world = there.server, there.world
    ada = server.book.seen_by(Principal("org", "ada", ()), server.book.door, None)
    said = f"By the way: {world.memory.text}"
    talk = [Turn(Speaker.USER, said), Turn(Speaker.USER, TEACHES), Turn(Speaker.USER, said)]
    assert ada.sessions.save(talk, world.scope).session is not None
    there.ada.ask("update", id=world.memory.id, tags=["x"], expected_revision=1)
    before = counted(server)
    told = there.ada.ask("purge_preview", ids=[world.memory.id, world.forgotten.id])
    assert counted(server) == before, "a preview changes nothing"
    there.ada.ask("purge", ids=[world.memory.id, world.forgotten.id])
    after = counted(server)
    lost = {name: gone_or_changed(before[name], after[name]) for name in before}
    entries = lost["entries"]
    assert len(told["memories"]) == len(lost["memories"]) == 2
    assert told["revisions"] == len(lost["revisions"]) + len(lost["memories"])
    assert told["relations"] == len(lost["relations"])
    assert told["events"] >= len(lost["events"])
    for name, shelf in SHELF.items():
        number = sum(f"'{shelf}'" in row for row in entries)
        shown = sum(each["turns"] for each in told["sessions"]) if name == "turns" else told[name]
        assert shown == number, (name, entries)
    assert told["notes"] == sum("'insight'" in row or "'correction'" in row for row in entries)
    assert sum(each["turns"] for each in told["sessions"]) == 2
    assert told["copies"]


def test_what_cannot_be_purged_has_no_preview(there: Peopled, rows: Callable[[Server], list[str]]) -> None:
    before = rows(there.server)
    there.ada.refused("purge_preview", 404, ids=["mem_01ARZ3NDEKTSV4RRFFQ69G5FAV"])
    there.ada.refused("purge_preview", 400, ids=[])
    assert rows(there.server) == before
