"""The book: the verbs. It owns the clock, ids and transactions, and thinks with the paths beside it."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from commonplace import intake, lifecycle, parse, sessions
from commonplace.access import Access
from commonplace.alike import Group, Search, groups
from commonplace.care import Care
from commonplace.checks import check_label, check_reason, check_tags, check_text
from commonplace.corrections import Corrections
from commonplace.curated import Curated
from commonplace.decisions import Decisions
from commonplace.deeds import Edit, Receipt
from commonplace.documents import Documents, Home
from commonplace.dream import Dreams
from commonplace.errors import Conflict, InvalidInput, ModelError, NotFound
from commonplace.evidence import Grounds
from commonplace.ids import Clock, system_clock
from commonplace.intake import Draft, ExactPolicy, Refused, Remembered, Repeats
from commonplace.lifecycle import Changes, Context
from commonplace.memory import Memory, RelationKind, Status
from commonplace.near import NEAR
from commonplace.ports import Embedder, Store, Unit, Vector
from commonplace.previews import Previews
from commonplace.query import Filter, Query
from commonplace.rank import Decay
from commonplace.reading import Door, Reading, Reference
from commonplace.record import replace
from commonplace.reflect import MOST_SOURCES, Depth, Reflection, reflect
from commonplace.scope import Principal, Right, Scope
from commonplace.sessions import Sessions
from commonplace.teams import Teams
from commonplace.text import normalise, tidy_tags
from commonplace.transfer import Transfer
from commonplace.why import Explanation, explain


class Book(Reading):
    """Memory for agents, in one place. Thread-safe; use it as a context manager or close it.

    >>> with Book.open("book.db") as book:
    ...     book.remember("Deploys are on Monday", topic="deploy day")
    ...     for hit in book.recall("when do we deploy?").hits:
    ...         print(hit.memory.text, hit.relevance, hit.reason)
    """

    def __init__(
        self,
        store: Store,
        principal: Principal = Principal(),
        embedder: Embedder | None = None,
        clock: Clock = system_clock,
        door: Door = Door(),
        project_root: Path | None = None,
        decay: Decay = Decay(),
    ) -> None:
        super().__init__(store, principal, embedder, clock, door, project_root, decay)
        self.care = Care(store, principal, embedder, clock)
        self.access = Access(store, clock)
        self.sessions = Sessions(store, principal, embedder, self._context)
        self.transfer = Transfer(store, principal, clock, door.actor, embedder)
        self.corrections = Corrections(store, principal, embedder, clock, door.origin, self._find)
        self.dreams = Dreams(store, principal, embedder, clock, decay)
        self.documents = Documents(store, principal, self._context, self._home)
        self.evidence = Grounds(store, principal, self._find, self._context, self.documents)
        self.decisions = Decisions(store, self._context)
        self.teams = Teams(store, self._context, embedder)
        self.curated = Curated(store, principal, embedder, self._context, lambda: self.curated_budget)
        self.previews = Previews(store, principal, clock)

    # -- remember ----------------------------------------------------------------------------

    def draft(self, text: str, *, scope: str | Scope | None = None, **fields: object) -> Draft:
        """A draft for `remember`; `fields` are those of `Draft`, times also as datetimes or ISO 8601."""
        return Draft(text, self.scope(scope), **parse.draft_fields(fields, self._clock()))  # type: ignore[arg-type]

    def remember(
        self,
        text: str | Draft,
        *,
        repeats: Repeats = Repeats(),
        idempotency_key: str | None = None,
        replaces: Reference | None = None,
        needs_vectors: bool = False,
        **fields: object,
    ) -> Remembered:
        """Remember one thing. The result says whether it is new, a repeat, or near something known.

        With `replaces` it takes the place of an older memory, in the same transaction. A model that
        fails costs the vector and a warning, or with `needs_vectors` the call.
        """
        asked: object = text
        if isinstance(text, Draft):
            if fields:
                raise InvalidInput(f"'{next(iter(fields))}' belongs into the draft itself.", next(iter(fields)))
            draft = text
        else:
            draft = self.draft(text, **fields)  # type: ignore[arg-type]
            asked = (text, sorted(fields.items()), str(draft.scope))
        (result,) = self._remember([draft], [repeats], idempotency_key, asked, replaces, needs_vectors)
        if isinstance(result, Refused):
            raise result.error
        return result

    def remember_many(
        self,
        drafts: Sequence[Draft],
        *,
        repeats: Repeats | Sequence[Repeats] = Repeats(),
        idempotency_key: str | None = None,
        needs_vectors: bool = False,
    ) -> tuple[Remembered | Refused, ...]:
        """Remember several things at once: one embedding run, one transaction; a bad one spoils no other.

        `repeats` is one policy for all of them, or one for each.
        """
        policies = [repeats] * len(drafts) if isinstance(repeats, Repeats) else repeats
        return self._remember(drafts, policies, idempotency_key, list(drafts), needs_vectors=needs_vectors)

    def _remember(
        self,
        drafts: Sequence[Draft],
        policies: Sequence[Repeats],
        key: str | None,
        asked: object,
        replaces: Reference | None = None,
        needs_vectors: bool = False,
    ) -> tuple[Remembered | Refused, ...]:
        self._principal.require(Right.WRITE)
        check_label(key, "idempotency_key")
        context = self._context()
        placed = [self._placed(draft) for draft in drafts]
        prepared = intake.prepare(placed, context, self._embedder, needs_vectors)
        digest = intake.digest_of(asked, policies)
        with self._writing() as unit:
            if key is not None:
                known = intake.replayed(unit, context, key, digest, prepared)
                if known is not None:
                    return known
            results = tuple(
                item if isinstance(item, Refused) else intake.store(item, unit, policy, context, self._embedder)
                for item, policy in zip(prepared, policies, strict=True)
            )
            if replaces is not None:
                results = tuple(self._put_in_place(unit, context, replaces, result) for result in results)
            if key is not None:
                intake.keep_key(unit, context, key, digest, results)
        return results

    def _put_in_place(
        self, unit: Unit, context: Context, old: Reference, result: Remembered | Refused
    ) -> Remembered | Refused:
        if isinstance(result, Refused):
            return result
        replaced = self._find(unit, old)
        if replaced.id in (result.memory.id, *result.superseded):
            return result
        lifecycle.supersede(unit, context, replaced, result.memory, None)
        return replace(result, superseded=(*result.superseded, replaced.id))

    def _placed(self, draft: Draft) -> Draft | Refused:
        """The draft with its scope resolved, or why it has no place here."""
        try:
            return replace(draft, scope=self.scope(draft.scope))
        except InvalidInput as error:
            return Refused(error)

    def near_groups(self, least: float = NEAR, filter: Filter | None = None) -> tuple[list[Group], int]:
        """Groups of memories that say nearly the same, the closest first, and how many pairs there are in all.

        `least` is a likeness from 0 to 1; from 0.9 on, `remember` calls two texts near.
        """
        self._principal.require(Right.READ)
        search = Search(self.filter(filter), self._clock(), self._embedder, least)
        with self._store.reading(self._principal.tenant) as unit:
            return groups(unit, search)

    # -- explain -------------------------------------------------------------------------------

    def why(self, query: str | Query, reference: Reference | None = None, **options: object) -> Explanation:
        """Why a recall answers as it does and, for one memory, why it surfaced or did not."""
        query = self._query(query, **options)
        memory = None if reference is None else self.get(reference)
        found = self.recall(replace(query, explain=True, counts_use=False))
        return explain(found, memory, self._clock())

    def reflect(self, query: str | Query, depth: Depth = Depth.STANDARD, **options: object) -> Reflection:
        """What is known about something as an answer that cites its sources, and what is not known."""
        asked = replace(self._query(query, **options), limit=MOST_SOURCES, counts_use=False)
        return reflect(self.recall(asked), depth, self.llm, lambda at: parse.show(at)[:10])

    # -- lifecycle ---------------------------------------------------------------------------

    def update(
        self,
        reference: Reference,
        changes: Changes,
        *,
        expected_revision: int | None = None,
        exact: ExactPolicy = ExactPolicy.NEVER,
        status: Status | None = None,
        reason: str | None = None,
    ) -> Memory:
        """Change a memory; with `expected_revision`, only if nobody else did meanwhile.

        `exact` says what counts as the same text: a text that another present memory has is then refused.
        With `status` it is also archived, invalidated or restored, for a `reason`, in the same transaction.
        """
        self._refuse_secrets(reason)
        (result,) = self._update([Edit(reference, changes, expected_revision, status, reason)], exact)
        if isinstance(result, Refused):
            raise result.error
        return result

    def update_many(
        self, edits: Sequence[Edit], *, exact: ExactPolicy = ExactPolicy.NEVER, needs_vectors: bool = False
    ) -> tuple[Memory | Refused, ...]:
        """Change several memories at once: one embedding run, one transaction; a bad one spoils no other.

        A model that fails costs the vectors, or with `needs_vectors` the edits that bring a text.
        """
        return self._update(edits, exact, needs_vectors)

    def _update(
        self, edits: Sequence[Edit], exact: ExactPolicy, needs_vectors: bool = False
    ) -> tuple[Memory | Refused, ...]:
        self.principal.require(Right.WRITE)
        context = self._context()
        checked = [self._checked_edit(edit) for edit in edits]
        texts = [edit.changes.text for edit in checked if isinstance(edit, Edit) and isinstance(edit.changes.text, str)]
        try:
            vectors, _ = intake.embedded(texts, self._embedder, needs_vectors)
        except ModelError as error:
            texts, vectors = [], []
            checked = [Refused(error) if isinstance(edit, Edit) and edit.brings_text else edit for edit in checked]
        by_text = dict(zip(texts, vectors, strict=True))
        with self._writing() as unit:
            return tuple(
                edit if isinstance(edit, Refused) else self._edited(unit, context, edit, exact, by_text)
                for edit in checked
            )

    def _checked_edit(self, edit: Edit) -> Edit | Refused:
        try:
            return replace(edit, changes=self._checked(edit.changes))
        except InvalidInput as error:
            return Refused(error)

    def _edited(
        self, unit: Unit, context: Context, edit: Edit, exact: ExactPolicy, vectors: Mapping[str, Vector | None]
    ) -> Memory | Refused:
        """The memory as it is now. Whatever speaks against an edit does so before anything of it is written."""
        try:
            memory = changed = self._find(unit, edit.reference)
            lifecycle.expect(memory, edit.expected_revision)
            if edit.changes.asked() or edit.status is None:
                changed = lifecycle.revised(context, memory, edit.changes)
            if changed.text != memory.text:
                intake.refuse_repeat(changed, unit, exact, context)
        except (InvalidInput, NotFound, Conflict) as error:
            return Refused(error)
        if changed is not memory:
            lifecycle.update(unit, context, changed, edit.changes)
        vector = vectors.get(changed.text)
        if vector is not None and self._embedder is not None and changed.text != memory.text:
            unit.vectors.put(changed.number, self._embedder.space, vector)
        if edit.status is None:
            return changed
        return lifecycle.bring_to(unit, context, changed, edit.status, edit.reason)

    def confirm(self, reference: Reference, *, at: int | None = None) -> Memory:
        """Say that a memory still holds."""
        with self._writing() as unit:
            return lifecycle.confirm(unit, self._context(), self._find(unit, reference), at)

    def supersede(self, old: Reference, new: Reference, *, reason: str | None = None) -> Memory:
        """Put `new` in the place of `old`; gives back the old one."""
        self._refuse_secrets(reason)
        with self._writing() as unit:
            return lifecycle.supersede(unit, self._context(), self._find(unit, old), self._find(unit, new), reason)

    def invalidate(self, reference: Reference, *, at: int | None = None, reason: str | None = None) -> Memory:
        """Say that a memory is not true any more, from `at` on."""
        self._refuse_secrets(reason)
        with self._writing() as unit:
            return lifecycle.invalidate(unit, self._context(), self._find(unit, reference), at, reason)

    def relate(self, reference: Reference, others: Sequence[Reference], kind: RelationKind) -> None:
        """Say how a memory stands to others."""
        with self._writing() as unit:
            found = [self._find(unit, other) for other in others]
            lifecycle.relate(unit, self._context(), self._find(unit, reference), found, kind)

    def archive(self, reference: Reference, *, reason: str | None = None) -> Memory:
        """Put a memory out of sight."""
        self._refuse_secrets(reason)
        with self._writing() as unit:
            return lifecycle.archive(unit, self._context(), self._find(unit, reference), reason)

    def forget(
        self, reference: Reference, *, reason: str | None = None, replaced_by: Reference | None = None
    ) -> Memory:
        """Leave a tombstone, which `restore` can undo and which warns whoever adds the same again."""
        self._refuse_secrets(reason)
        with self._writing() as unit:
            successor = None if replaced_by is None else self._find(unit, replaced_by)
            return lifecycle.forget(unit, self._context(), self._find(unit, reference), reason, successor)

    def forget_many(
        self, references: Sequence[Reference], *, reason: str | None = None
    ) -> tuple[Memory | Refused, ...]:
        """Forget several memories in one transaction; an unknown one spoils no other."""
        self._refuse_secrets(reason)
        check_reason(reason)
        context = self._context()
        with self._writing() as unit:
            return tuple(self._forgotten(unit, context, reference, reason) for reference in references)

    def _forgotten(self, unit: Unit, context: Context, reference: Reference, reason: str | None) -> Memory | Refused:
        try:
            memory = self._find(unit, reference)
        except NotFound as error:
            return Refused(error)
        return lifecycle.forget(unit, context, memory, reason, None)

    def restore(self, reference: Reference) -> Memory:
        """Bring a memory back that was archived, forgotten, superseded, invalidated or stale."""
        with self._writing() as unit:
            return lifecycle.restore(unit, self._context(), self._find(unit, reference))

    def purge(self, *references: Reference, reason: str | None = None) -> Receipt:
        """Remove memories for good: no byte of them stays in the book, which is rewritten for that.

        The `reason` is written into the log and stays there: leave out what should be gone.
        """
        self._refuse_secrets(reason)
        context = self._context()
        with self._writing() as unit:
            memories = {memory.id: memory for memory in (self._find(unit, each) for each in references)}
            for memory in memories.values():
                lifecycle.purge(unit, context, memory, reason)
                sessions.erase(unit, memory)
        return Receipt(tuple(memories), context.now, self._store.upkeep.erase_traces())

    # -- inside --------------------------------------------------------------------------------

    def _home(self) -> Home:
        return Home(self._project, self._root)

    def _context(self) -> Context:
        return Context(self.principal, self.door.surface, self.door.actor, self.door.origin, self._clock())

    def _writing(self) -> AbstractContextManager[Unit]:
        self._principal.require(Right.WRITE)
        return self._store.writing(self._principal.tenant)

    def _checked(self, changes: Changes) -> Changes:
        if isinstance(changes.text, str):
            check_text(changes.text)
            self._refuse_secrets(changes.text, "text")
            changes = replace(changes, text=normalise(changes.text))
        labels = [value for name, value in changes.asked().items() if isinstance(value, str) and name != "text"]
        tags = changes.tags if isinstance(changes.tags, tuple) else ()
        for label in (*labels, *tags):
            self._refuse_secrets(label, "labels")
        if tags:
            check_tags(tags)
            changes = replace(changes, tags=tidy_tags(tags))
        if isinstance(changes.topic, str):
            changes = replace(changes, topic=intake.topic_of(changes.topic))
        if isinstance(changes.scope, Scope):
            changes = replace(changes, scope=self.scope(changes.scope))
        return changes

    def _refuse_secrets(self, text: str | None, argument: str = "reason") -> None:
        if text:
            intake.refuse_secrets(text, argument)
