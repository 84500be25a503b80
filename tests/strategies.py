"""Generated nouns for property tests: valid memories and filters, with values that collide often."""

from hypothesis import strategies as st

from commonplace.domain.memory import (
    CaptureMode,
    Kind,
    Memory,
    MemoryType,
    Origin,
    Provenance,
    Standing,
    Status,
)
from commonplace.domain.query import Filter
from commonplace.domain.scope import Scope

NOW = 1_000_000
MOMENTS = (NOW - 2_000, NOW - 1_000, NOW - 1, NOW, NOW + 1, NOW + 1_000)

PROJECTS = ("atlas", "3987f33621c2506d")
SCOPES = tuple(map(Scope.parse, ("user:local", "project:atlas", "team:core")))
KINDS = (Kind.FACT, Kind.TASK, Kind.NOTE)
TAGS = ("urgent", "Über", "部署", "a b")
LABELS = ("deploy-day", "billing", "süd")
SESSIONS = ("ses_1", "ses_2")
_SPELT = """the deploy window opens monday café Straße 東京 部署 naïve l'église getUserName snake_case v1.2.3 C++ 42
서울 don't billing cat cats running"""
WORDS = tuple(_SPELT.split())

storable = st.characters(exclude_categories=("Cs",), exclude_characters="\x00")
printable = st.characters(exclude_categories=("Cs", "Cc"))

texts = st.text(storable, min_size=1, max_size=80).filter(str.strip)
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
labels = st.text(printable, min_size=1, max_size=20).filter(str.strip)
moments = st.sampled_from(MOMENTS)
shares = st.floats(0.0, 1.0)


def maybe(strategy: st.SearchStrategy) -> st.SearchStrategy:
    return st.none() | strategy


provenances = st.builds(
    Provenance,
    source=maybe(labels),
    surface=labels,
    actor=labels,
    capture_mode=maybe(st.sampled_from(CaptureMode)),
    session=maybe(st.sampled_from(SESSIONS)),
)


@st.composite
def memories(draw: st.DrawFn, number: int = 1, text: st.SearchStrategy[str] = texts) -> Memory:
    """Any memory that is valid by construction."""
    start, end = sorted([draw(moments), draw(moments)])
    return Memory(
        id=f"mem_{number:026d}",
        number=number,
        text=draw(text),
        scope=draw(st.sampled_from(SCOPES)),
        created_at=draw(moments),
        updated_at=draw(moments),
        owner=draw(st.sampled_from(("local", "ada@example.org"))),
        kind=draw(st.sampled_from(KINDS)),
        memory_type=draw(maybe(st.sampled_from(MemoryType))),
        tags=tuple(draw(st.lists(st.sampled_from(TAGS), unique=True))),
        category=draw(maybe(st.sampled_from(LABELS))),
        topic=draw(maybe(st.sampled_from(LABELS))),
        importance=draw(shares),
        confidence=draw(shares),
        priority=draw(st.integers(1, 10)),
        pinned=draw(st.booleans()),
        provenance=draw(provenances),
        origin=draw(st.sampled_from(Origin)),
        standing=draw(st.sampled_from(Standing)),
        status=draw(st.just(Status.ACTIVE) | st.sampled_from(Status)),
        status_at=draw(maybe(moments)),
        status_reason=draw(maybe(texts)),
        successor=draw(maybe(st.just("mem_SUCCESSOR"))),
        confirmed_at=draw(maybe(moments)),
        expires_at=draw(maybe(moments)),
        valid_from=draw(st.sampled_from((None, start))),
        valid_to=draw(st.sampled_from((None, end))),
        revision=draw(st.integers(1, 9)),
        project=draw(maybe(st.sampled_from(PROJECTS))),
    )


_CONDITIONS: dict[str, st.SearchStrategy] = {
    "kinds": st.lists(st.sampled_from(KINDS), unique=True, min_size=1, max_size=2).map(tuple),
    "memory_types": st.lists(st.sampled_from(MemoryType), unique=True, min_size=1, max_size=3).map(tuple),
    "tags": st.sampled_from((TAGS[:1], TAGS[1:2], TAGS[:2])),
    "any_tags": st.sampled_from((TAGS[:1], TAGS[1:2], TAGS[:2])),
    "category": st.sampled_from(LABELS),
    "topic": st.sampled_from(LABELS),
    "session": st.sampled_from(SESSIONS),
    "statuses": st.sampled_from(((), (Status.FORGOTTEN,), (Status.ACTIVE, Status.ARCHIVED))),
    "include_expired": st.just(True),
    "only_expired": st.just(True),
    "created_since": moments,
    "created_until": moments,
    "valid_at": moments,
    "automatic": st.just(True),
    "verified_only": st.just(True),
    "pinned": st.just(True),
    "waiting": st.just(True),
    "projects": st.sampled_from((PROJECTS[:1], PROJECTS[1:], PROJECTS)),
    "origins": st.lists(st.sampled_from(Origin), unique=True, min_size=1, max_size=3).map(tuple),
}


@st.composite
def filters(draw: st.DrawFn) -> Filter:
    """Any filter, of a few conditions at a time: with many at once hardly anything would pass."""
    names = draw(st.lists(st.sampled_from(sorted(_CONDITIONS)), unique=True, max_size=3))
    scopes = tuple(draw(st.lists(st.sampled_from(SCOPES), unique=True, min_size=1)))
    return Filter(scopes, **{name: draw(_CONDITIONS[name]) for name in names})
