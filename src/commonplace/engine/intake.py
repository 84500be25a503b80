"""The write path: a draft is checked, compared with what is known, and stored with all its indexes."""

from collections.abc import Sequence
from enum import StrEnum
from hashlib import blake2b

from commonplace import deadline, secrets
from commonplace.domain import trust
from commonplace.domain.canonical_json import dumps
from commonplace.domain.events import EventType
from commonplace.domain.ids import DAY, ulid
from commonplace.domain.memory import (
    CaptureMode,
    Kind,
    Memory,
    MemoryType,
    Provenance,
    Standing,
    Status,
)
from commonplace.domain.query import Filter
from commonplace.domain.record import Record, replace, texts_in
from commonplace.domain.scope import Scope, ScopeKind
from commonplace.domain.validation import check_label, check_tags, check_text
from commonplace.engine.context import Context
from commonplace.engine.duplicates import Contradicted, Near, Search, compared
from commonplace.engine.lifecycle import (
    Changes,
    log,
    on_topic,
    propose,
    retire,
    revised,
    take_over,
    update,
    worth_after,
)
from commonplace.errors import (
    CommonplaceError,
    Conflict,
    InvalidInput,
    KeyReused,
    ModelError,
    NotFound,
    SecretRefused,
    TooMany,
)
from commonplace.ports import Embedder, KeptAnswer, Unit, Vector
from commonplace.text import collapse, normalise, query_terms, slug, tidy_tags
from commonplace.text.nearness import nearly_one_topic

BATCH_LIMIT = 500
NEAR_LIMIT = 5
TOPICS_COMPARED = 32
KEY_LIFETIME = 7 * DAY


class ExactPolicy(StrEnum):
    """What counts as the same text letter for letter."""

    FOLDED = "folded"
    CASED = "cased"
    NEVER = "never"


class NearPolicy(StrEnum):
    """What to do about memories that say nearly the same."""

    REPORT = "report"
    SKIP = "skip"
    IGNORE = "ignore"


class Repeats(Record):
    """How a caller wants repeats handled. Nothing is ever merged or dropped unsaid.

    A text that comes back under another topic is a new memory, unless the known one `moves_topic`;
    with `same_kind`, so is one that comes back as another kind.
    """

    exact: ExactPolicy = ExactPolicy.FOLDED
    near: NearPolicy = NearPolicy.REPORT
    moves_topic: bool = False
    same_kind: bool = False


class Draft(Record):
    """Something to remember, as the caller gives it."""

    text: str
    scope: Scope
    kind: Kind = Kind.FACT
    memory_type: MemoryType | None = None
    tags: tuple[str, ...] = ()
    category: str | None = None
    topic: str | None = None
    importance: float = 0.5
    confidence: float = 1.0
    priority: int = 5
    pinned: bool = False
    source: str | None = None
    capture_mode: CaptureMode | None = None
    session: str | None = None
    standing: Standing = Standing.UNVERIFIED
    confirmed_at: int | None = None
    expires_at: int | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    project: str | None = None


class Verdict(StrEnum):
    CREATED = "created"
    REPEATED = "repeated"
    SKIPPED = "skipped"
    REPLAYED = "replayed"


class Remembered(Record):
    """What became of a draft: the memory it is kept as, and what the caller should know about it.

    `contradicts` are older memories that still stand: nothing gives way by itself, `Book.supersede` lets it.
    """

    memory: Memory
    verdict: Verdict
    near: tuple[Near, ...] = ()
    previously_corrected: tuple[Near, ...] = ()
    superseded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    contradicts: tuple[Contradicted, ...] = ()


class _Known(Record):
    """What the book has on a draft: what says nearly the same, what did and was forgotten, what it contradicts."""

    near: tuple[Near, ...] = ()
    forgotten: tuple[Near, ...] = ()
    contradicts: tuple[Contradicted, ...] = ()


class Refused(Record):
    """Something of a batch that was not done, and why."""

    error: CommonplaceError


class Prepared(Record):
    """A draft that passed every check, ready to be stored."""

    memory: Memory
    vector: Vector | None
    warnings: tuple[str, ...]


def prepare(
    drafts: Sequence[Draft | Refused], context: Context, embedder: Embedder | None, needs_vectors: bool = False
) -> list[Prepared | Refused]:
    """Check every draft and embed the good ones in one batch, before any transaction is open."""
    if len(drafts) > BATCH_LIMIT:
        raise TooMany(f"{len(drafts)} drafts are too many at once: {BATCH_LIMIT} is the limit.", "drafts")
    checked = [draft if isinstance(draft, Refused) else _checked(draft, context) for draft in deadline.each(drafts)]
    good = [memory for memory in checked if isinstance(memory, Memory)]
    try:
        vectors, warnings = embedded([memory.text for memory in good], embedder, needs_vectors)
    except ModelError as error:
        return [Refused(error) if isinstance(item, Memory) else item for item in checked]
    by_id = dict(zip((memory.id for memory in good), vectors, strict=True))
    return [Prepared(item, by_id[item.id], warnings) if isinstance(item, Memory) else item for item in checked]


def _checked(draft: Draft, context: Context) -> Memory | Refused:
    try:
        return _memory(draft, context)
    except CommonplaceError as error:
        return Refused(error)


def _memory(draft: Draft, context: Context) -> Memory:
    check_text(draft.text)
    text = normalise(draft.text)
    for name in ("topic", "category", "source", "session"):
        check_label(getattr(draft, name), name)
    check_tags(draft.tags)
    refuse_secrets_in(replace(draft, text=text))
    return Memory(
        id=f"mem_{ulid(context.now)}",
        number=0,
        text=text,
        scope=draft.scope,
        created_at=context.now,
        updated_at=context.now,
        owner=context.principal.user,
        kind=draft.kind,
        memory_type=draft.memory_type,
        tags=tidy_tags(draft.tags),
        category=draft.category,
        topic=None if draft.topic is None else topic_of(draft.topic),
        importance=draft.importance,
        confidence=draft.confidence,
        priority=draft.priority,
        pinned=draft.pinned,
        provenance=Provenance(draft.source, context.surface, context.actor, draft.capture_mode, draft.session),
        origin=trust.of_new(context.origin, draft.capture_mode is CaptureMode.INFERRED),
        standing=_standing(draft),
        confirmed_at=draft.confirmed_at,
        expires_at=draft.expires_at,
        valid_from=draft.valid_from,
        valid_to=draft.valid_to,
        project=draft.project,
    )


def _standing(draft: Draft) -> Standing:
    """What a team thinks of a memory is the team's to say, not its author's."""
    return Standing.UNVERIFIED if draft.scope.kind is ScopeKind.TEAM else draft.standing


def topic_of(text: str) -> str:
    """A topic in its canonical form."""
    topic = slug(text)
    if not topic:
        raise InvalidInput("topic must have a letter or a digit in it.", "topic")
    return topic


def refuse_secrets_in(given: object) -> None:
    """Refuse a secret in any text of a record, of whatever field, by the field's name."""
    for name, text in texts_in(given):
        refuse_secrets(text, name)


def refuse_secrets(text: str | None, argument: str) -> None:
    """SecretRefused with the argument and each kind found in it, once; the secret itself is not repeated."""
    findings = secrets.find(text) if text else ()
    if findings:
        raise SecretRefused(tuple(dict.fromkeys(finding.kind for finding in findings)), argument)


def embedded(
    texts: Sequence[str], embedder: Embedder | None, needed: bool = False
) -> tuple[list[Vector | None], tuple[str, ...]]:
    """A vector for each text; a model that fails costs the vectors, never the memories, unless they are needed."""
    nothing: list[Vector | None] = [None] * len(texts)
    if embedder is None or not texts:
        return nothing, ()
    try:
        return [*embedder.embed(texts)], ()
    except ModelError as error:
        if needed:
            raise
        return nothing, (f"Stored without a vector, run 'commonplace reembed' later: {error.message}",)


def store(prepared: Prepared, unit: Unit, repeats: Repeats, context: Context, embedder: Embedder | None) -> Remembered:
    """Store one prepared draft inside the caller's write transaction, unless it is known already."""
    draft = prepared.memory
    repeat = _exact_repeat(draft, unit, repeats, context)
    if repeat is not None and draft.topic not in (None, repeat.topic):
        change = Changes(topic=draft.topic)
        moved = revised(context, repeat, change)
        update(unit, context, moved, change)
        weaker, stronger = on_topic(unit, context, moved)
        moved = take_over(unit, context, moved, weaker)
        superseded, warnings = _settled(unit, context, moved, weaker, stronger)
        return Remembered(moved, Verdict.REPEATED, superseded=superseded, warnings=warnings)
    if repeat is not None:
        return Remembered(repeat, Verdict.REPEATED, warnings=_left_as_they_are(draft, repeat))
    known = _Known()
    if repeats.near is not NearPolicy.IGNORE:
        known = _compared(prepared, unit, context, embedder)
        whole = next((each.memory for each in known.near if each.says_all), None)
        if repeats.near is NearPolicy.SKIP and whole is not None:  # what may have something new is stored
            return Remembered(whole, Verdict.SKIPPED, known.near, known.forgotten)
    weaker, stronger = on_topic(unit, context, draft)
    origin = worth_after(context, draft.origin, weaker)
    memory = replace(draft, number=unit.memories.next_number(), origin=origin)
    unit.memories.add(memory, context.now)
    if prepared.vector is not None and embedder is not None:
        unit.vectors.put(memory.number, embedder.space, prepared.vector)
    payload = {"kind": memory.kind.value, "scope": str(memory.scope), "tags": memory.tags}
    log(unit, context, EventType.CREATED, memory, payload)
    superseded, warnings = _settled(unit, context, memory, weaker, stronger)
    if memory.topic is not None and not weaker and not stronger:
        warnings = (*warnings, *_other_topic(unit, context, memory, memory.topic))
    contradicts = tuple(each for each in known.contradicts if each.memory.id not in superseded)[:NEAR_LIMIT]
    return Remembered(
        memory,
        Verdict.CREATED,
        known.near,
        known.forgotten,
        superseded,
        (*prepared.warnings, *warnings),
        contradicts,
    )


def known(prepared: Prepared, unit: Unit, repeats: Repeats, context: Context) -> Memory | None:
    """The memory that `store` would find to be the same, if there is one."""
    return _exact_repeat(prepared.memory, unit, repeats, context)


def refuse_repeat(changed: Memory, unit: Unit, policy: ExactPolicy, context: Context) -> None:
    """A memory that is to change must not say the same as another one that is present."""
    known = _exact_repeat(changed, unit, Repeats(policy), context)
    if known is not None:
        raise Conflict(f"{known.id} (number {known.number}) says the same already: use that one or forget it first.")


def _exact_repeat(draft: Memory, unit: Unit, repeats: Repeats, context: Context) -> Memory | None:
    """The present memory that says the same; under a topic only if it is that topic's or may move to it."""
    if repeats.exact is ExactPolicy.NEVER:
        return None
    for known in unit.memories.by_text(Filter((draft.scope,)), context.now, draft.text):
        same_case = repeats.exact is ExactPolicy.FOLDED or collapse(known.text) == collapse(draft.text)
        same_topic = repeats.moves_topic or draft.topic in (None, known.topic)
        same_kind = not repeats.same_kind or known.kind is draft.kind
        same_thing = known.id != draft.id and not draft.is_apart_from(known)
        if same_case and same_topic and same_kind and same_thing:
            return known
    return None


def _left_as_they_are(draft: Memory, known: Memory) -> tuple[str, ...]:
    """A repeat changes nothing: say so when the caller gave other labels this time."""
    other = [
        name
        for name in ("kind", "tags", "category", "importance", "expires_at")
        if getattr(draft, name) != getattr(known, name)
    ]
    if not other:
        return ()
    return (f"{known.id} keeps its {' and '.join(other)}: use update to change them.",)


def _compared(prepared: Prepared, unit: Unit, context: Context, embedder: Embedder | None) -> _Known:
    """What stands in the scope and what was forgotten there that says nearly the same, and what stands against it.

    Never one as near that differs in substance. All are looked for at once: a write pays for it.
    """
    draft, now = prepared.memory, context.now
    filter = Filter((draft.scope,), statuses=(Status.ACTIVE, Status.FORGOTTEN), include_expired=True)
    found = compared(unit, Search(filter, now, embedder, neighbours=4 * NEAR_LIMIT), draft.text, prepared.vector)
    standing = [each for each in found.near if _stands(each.memory, now) and not draft.is_apart_from(each.memory)]
    forgotten = [each for each in found.near if each.memory.status is Status.FORGOTTEN]
    against = [
        each
        for each in found.contradicts
        if _stands(each.memory, now) and _meet(each.memory, draft) and not draft.is_apart_from(each.memory)
    ]
    return _Known(tuple(standing[:NEAR_LIMIT]), tuple(forgotten[:NEAR_LIMIT]), tuple(against))


def _stands(memory: Memory, now: int) -> bool:
    return memory.status is Status.ACTIVE and not memory.expired(now)


def _meet(known: Memory, draft: Memory) -> bool:
    """Whether there is a time at which both are said to be true: what was so before may differ from what is so now."""
    return (known.valid_to is None or draft.valid_from is None or draft.valid_from < known.valid_to) and (
        draft.valid_to is None or known.valid_from is None or known.valid_from < draft.valid_to
    )


def _other_topic(unit: Unit, context: Context, memory: Memory, topic: str) -> tuple[str, ...]:
    """What to say about a new topic that is nearly another one of the scope: then neither is the newest word."""
    filter = Filter((memory.scope,))
    matches = unit.words.matching(query_terms(topic.replace("-", " ")), filter, context.now, TOPICS_COMPARED)
    found = unit.memories.by_numbers([features.number for features, _ in matches]).values()
    near = sorted({each.topic for each in found if each.topic and nearly_one_topic(topic, each.topic)})
    if not near:
        return ()
    return (f"{topic} is a new topic, and {near[0]} is there already: use that one if you mean the same.",)


def _settled(
    unit: Unit, context: Context, memory: Memory, weaker: Sequence[Memory], stronger: Sequence[Memory]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The newest word on a topic stands, unless it is trusted less than what it would replace: then it proposes to."""
    for known in weaker:
        retire(unit, context, known, Status.SUPERSEDED, f"a newer memory on {memory.topic}", memory)
    for known in stronger:
        propose(unit, context, memory, known)
    return tuple(known.id for known in weaker), still_standing(stronger)


def still_standing(stronger: Sequence[Memory]) -> tuple[str, ...]:
    """What to say about memories that were to give way and are trusted more."""
    if not stronger:
        return ()
    named = ", ".join(known.id for known in stronger)
    stay = "stays" if len(stronger) == 1 else "stay"
    return (f"{named} {stay}, trusted more than what was just remembered, until a person confirms the change.",)


def digest_of(*asked: object) -> bytes:
    """A fingerprint of a request as the caller wrote it, to tell a retry from another use of the same key.

    The same in every process: what has no order of its own is put in one.
    """
    return blake2b(dumps(list(map(_stable, asked))).encode("utf-8", "replace"), digest_size=16).digest()


def _stable(value: object) -> str:
    match value:
        case Memory():
            return value.id
        case set() | frozenset():
            return f"{{{', '.join(sorted(map(_stable, value)))}}}"
        case list() | tuple():
            return f"[{', '.join(map(_stable, value))}]"
        case _:
            return repr(value)


def replayed(
    unit: Unit, context: Context, key: str, digest: bytes, prepared: Sequence[Prepared | Refused]
) -> tuple[Remembered | Refused, ...] | None:
    """What the key led to before, place by place, or None when it is new."""
    kept = unit.keys.find(context.principal.user, kept_as(key), context.now - KEY_LIFETIME)
    if kept is None:
        return None
    if kept.digest not in (b"", digest) or len(kept.ids) != len(prepared):
        raise KeyReused("This idempotency key was used for another request: use a new one.")
    return tuple(_replay(unit, item, id) for item, id in zip(prepared, kept.ids, strict=True))


def _replay(unit: Unit, item: Prepared | Refused, id: str) -> Remembered | Refused:
    if isinstance(item, Refused):
        return item
    if not id:
        return Refused(Conflict("This was refused when the key was first used: use a new key to try it again."))
    memory = unit.memories.by_id(id)
    if memory is None:
        return Refused(NotFound(f"{id}, which this key led to, was purged since: use a new key to remember it again."))
    return Remembered(memory, Verdict.REPLAYED)


def kept_as(key: str) -> str:
    """A key is only ever compared: its digest does as well, and tells nothing should it be somebody's secret."""
    return blake2b(key.encode(), digest_size=16).hexdigest()


def keep_key(unit: Unit, context: Context, key: str, digest: bytes, results: Sequence[Remembered | Refused]) -> None:
    """Keep what a key led to, unless it failed for something that may pass: then a retry is a first try."""
    refusals = [result.error for result in results if isinstance(result, Refused)]
    if any(error.retryable or isinstance(error, ModelError) for error in refusals):
        return
    ids = tuple(result.memory.id if isinstance(result, Remembered) else "" for result in results)
    unit.keys.keep(context.principal.user, kept_as(key), KeptAnswer(digest, ids), context.now)
    unit.keys.sweep(context.now - KEY_LIFETIME)
