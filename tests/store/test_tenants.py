"""A foreign row does not exist: not for reading, not for writing, not as a statistic."""

import pytest

from commonplace import ports
from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.events import Activity, EventType
from commonplace.domain.memory import Memory, Provenance, Relation, RelationKind
from commonplace.domain.record import replace
from commonplace.domain.shelves import Entries
from commonplace.domain.tables import TABLES, Tables
from commonplace.errors import NotFound
from commonplace.ports import KeptAnswer, Store, Use
from commonplace.text import terms
from commonplace.text.nearness import sketch
from tests.store.making import EVERYTHING, NOW, OURS, SPACE, THEIRS, add, log, numbers, revise

BESIDE = {"tables": Tables, "entries": Entries}
"""What a unit has and `ports` only names."""

VECTOR = b"\x00\x3c" + b"\x00" * 6
TEXT = "Deploys are on Monday"
TOPIC = "deploy-day"
DECISION = Entry("decision", "a", "user:local", NOW, text=TEXT)
DECISIONS = EntryFilter("decision")


@pytest.fixture
def foreign(store: Store) -> Memory:
    """A memory of the other tenant, with everything a memory can have; ours has another under number 1."""
    with store.writing(THEIRS) as unit:
        first = add(unit, "before it", provenance=Provenance(session="ses_1"))
        theirs = add(unit, TEXT, topic=TOPIC, tags=("ops",), provenance=Provenance(session="ses_1"), vector=VECTOR)
        theirs = revise(unit, theirs, at=NOW + 1, importance=0.9)
        unit.relations.add(Relation("rel_1", theirs.id, first.id, RelationKind.SUPERSEDES, None, NOW))
        unit.entries.put(Entry("notes", "a", "user:local", NOW, text=TEXT))
        unit.entries.put(DECISION)
        unit.entry_vectors.put(DECISION, SPACE, VECTOR)
        unit.keys.keep("local", "key", KeptAnswer(b"digest", (theirs.id,)), NOW)
        unit.uses.record([Use(theirs.number, NOW, "test")])
        log(unit, EventType.PURGED, replace(theirs, id="mem_GONE"))
    return theirs


def test_no_question_finds_a_foreign_row(store: Store, foreign: Memory) -> None:
    everywhere = replace(EVERYTHING, scopes=(*EVERYTHING.scopes, foreign.scope))
    n = foreign.number
    with store.reading(OURS) as unit:
        answers = {
            "memories.by_id": unit.memories.by_id(foreign.id),
            "memories.by_number": unit.memories.by_number(n),
            "memories.by_numbers": unit.memories.by_numbers([n]),
            "memories.ids": unit.memories.ids("mem_", 10),
            "memories.by_text": unit.memories.by_text(everywhere, NOW, TEXT),
            "memories.by_topic": unit.memories.by_topic(everywhere, NOW, [TOPIC]),
            "memories.scopes": unit.memories.scopes(),
            "memories.has": any(map(unit.memories.has, ("topic", "session", "team", "entry"))),
            "memories.page": unit.memories.page(everywhere, NOW, ports.Order.NEWEST, 10, None),
            "memories.count": unit.memories.count(everywhere, NOW),
            "memories.features": unit.memories.features(everywhere, NOW, [n]),
            "memories.wordings": unit.memories.wordings([n]),
            "memories.neighbours": unit.memories.neighbours(everywhere, NOW, [n]),
            "memories.each": list(unit.memories.each()),
            "words.matching": unit.words.matching(terms(TEXT), everywhere, NOW, 10),
            "words.counts": unit.words.counts(terms(TEXT), [n]),
            "vectors.nearest": unit.vectors.nearest(VECTOR, SPACE, everywhere, NOW, 10),
            "vectors.similarity": unit.vectors.similarity(VECTOR, SPACE, [n]),
            "vectors.of": unit.vectors.of([n], SPACE),
            "vectors.missing": unit.vectors.missing(SPACE, 10),
            "vectors.count_missing": unit.vectors.count_missing(SPACE),
            "vectors.counts": sum(unit.vectors.counts().values()),
            "sketches.sharing": unit.sketches.sharing(sketch(terms(TEXT)), everywhere, NOW, 10),
            "log.events": unit.log.events(foreign.id),
            "log.revisions": unit.log.revisions(n),
            "log.states_at": list(unit.log.states_at(NOW + 1)),
            "log.purged_ids": unit.log.purged_ids(),
            "log.activity": unit.log.activity() != Activity(0, 0, None),
            "keys.find": unit.keys.find("local", "key", 0),
            "relations.of": unit.relations.of(foreign.id),
            "tables.rows": [row for table in TABLES for row in unit.tables.rows(table.name)],
            "tables.count": sum(unit.tables.count(table.name) for table in TABLES),
            "entries.get": unit.entries.get("notes", "a"),
            "entries.ids": unit.entries.ids("notes", "", 10),
            "entries.page": unit.entries.page(EntryFilter("notes"), 10),
            "entries.count": unit.entries.count(EntryFilter("notes")),
            "entries.holding": unit.entries.holding(EntryFilter("notes"), terms(TEXT)),
            "relations.get": unit.relations.get("rel_1"),
            "memories.last_number": unit.memories.last_number(),
            "words.lead_to": unit.words.lead_to(n, terms(TEXT)[:1]),
            "entries.passages": unit.entries.passages([DECISIONS], terms(TEXT), 10),
            "entries.term_counts": unit.entries.term_counts([DECISION], terms(TEXT)),
            "entry_vectors.nearest": unit.entry_vectors.nearest(VECTOR, SPACE, DECISIONS, 10),
            "entry_vectors.similarity": unit.entry_vectors.similarity(VECTOR, SPACE, [DECISION]),
            "entry_vectors.missing": unit.entry_vectors.missing(SPACE, 10),
            "entry_vectors.held": unit.entry_vectors.held(SPACE),
            "entry_vectors.counts": unit.entry_vectors.counts(),
            "entries.matching": unit.entries.matching(EntryFilter("notes"), terms(TEXT), 10),
        }
    assert {name: answer for name, answer in answers.items() if answer} == {}
    assert answers.keys() == _questions() - {"words.frequencies", "entries.frequencies"}, (
        "only how rare a word is may be judged by the whole book"
    )


_DEEDS = {
    "memories.next_number",
    "memories.add",
    "memories.replace",
    "memories.take_back",
    "memories.remove",
    "vectors.put",
    "vectors.drop_space",
    "entry_vectors.put",
    "entry_vectors.drop_space",
    "entries.put",
    "entries.remove",
    "entries.remove_children",
    "entries.next_in",
    "log.append",
    "log.scrub",
    "uses.record",
    "keys.keep",
    "keys.scrub",
    "keys.sweep",
    "relations.add",
    "relations.remove",
    "relations.drop",
    "tables.take",
}


def _questions() -> set[str]:
    """Every method of every protocol a unit has, but for those that change something."""
    found = set()
    for subject in (name for name in vars(ports.Unit) if not name.startswith("_")):
        protocol = BESIDE.get(subject) or getattr(ports, subject.title().replace("_", ""))
        found |= {f"{subject}.{name}" for name in vars(protocol) if not name.startswith("_")}
    return found - _DEEDS


def test_no_deed_reaches_a_foreign_row(store: Store, foreign: Memory) -> None:
    with store.reading(THEIRS) as unit:
        before = _everything(unit, foreign)
    with store.writing(OURS) as unit:
        unit.vectors.put(foreign.number, SPACE, b"\x00" * 6 + b"\x00\x3c")
        unit.vectors.drop_space(str(SPACE))
        unit.entry_vectors.put(DECISION, SPACE, b"\x00" * 6 + b"\x00\x3c")
        unit.entry_vectors.drop_space(str(SPACE))
        unit.log.scrub(foreign.id)
        unit.uses.record([Use(foreign.number, NOW, "test")])
        unit.entries.put(Entry("notes", "a", "user:local", NOW, text=TEXT))
        unit.keys.keep("local", "key", KeptAnswer(b"other", ()), NOW)
        unit.keys.scrub(foreign.id)
        unit.keys.sweep(NOW + 1)
        unit.relations.drop(foreign.id)
        unit.relations.remove("rel_1")
    with pytest.raises(NotFound), store.writing(OURS) as unit:
        unit.memories.take_back(foreign.number, 1)
    with pytest.raises(NotFound), store.writing(OURS) as unit:
        unit.memories.replace(replace(foreign, text="overwritten", revision=3), NOW)
    with pytest.raises(NotFound), store.writing(OURS) as unit:
        unit.memories.remove(foreign.number)
    with store.reading(THEIRS) as unit:
        assert _everything(unit, foreign) == before


def _everything(unit: ports.Unit, foreign: Memory) -> dict[str, object]:
    return {
        "row": unit.memories.by_id(foreign.id),
        "words": numbers(unit.words.matching(terms(TEXT), EVERYTHING, NOW, 10)),
        "vectors": unit.vectors.similarity(VECTOR, SPACE, [foreign.number]),
        "stored vectors": unit.vectors.counts(),
        "vectors of entries": unit.entry_vectors.similarity(VECTOR, SPACE, [DECISION]),
        "events": unit.log.events(foreign.id),
        "revisions": unit.log.revisions(foreign.number),
        "key": unit.keys.find("local", "key", 0),
        "relations": unit.relations.of(foreign.id),
    }


def test_the_same_number_id_key_and_topic_can_live_in_two_tenants(store: Store) -> None:
    for tenant in (OURS, THEIRS):
        with store.writing(tenant) as unit:
            added = add(unit, f"of {tenant}", topic=TOPIC, vector=VECTOR)
            assert added.number == 1
            unit.entries.put(Entry("notes", "a", "user:local", NOW, text=TEXT))
            unit.keys.keep("local", "key", KeptAnswer(tenant.encode(), ()), NOW)
    for tenant in (OURS, THEIRS):
        with store.reading(tenant) as unit:
            found = unit.memories.by_number(1)
            assert found is not None
            assert found.text == f"of {tenant}"
            assert numbers(unit.vectors.nearest(VECTOR, SPACE, EVERYTHING, NOW, 10)) == [1]
            kept = unit.keys.find("local", "key", 0)
            assert kept is not None
            assert kept.digest == tenant.encode()
