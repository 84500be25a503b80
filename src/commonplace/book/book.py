"""The book: the verbs on memories. What stands beside them are the subjects it carries.

Its imports inside functions are those of verbs that few calls use: whoever remembers loads no more than that takes.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

from commonplace import deadline
from commonplace.book.reader import narrowed_filter
from commonplace.book.subjects import Subjects
from commonplace.domain.memory import Memory, RelationKind, Status
from commonplace.domain.query import MOST_SOURCES, Depth, Filter, Only, Query
from commonplace.domain.record import replace
from commonplace.domain.scope import Right, Scope
from commonplace.domain.validation import check_label, check_reason
from commonplace.engine import intake, lifecycle, parse
from commonplace.engine.caller import Reference, Selector, Work
from commonplace.engine.duplicates import Group, Search, groups
from commonplace.engine.guard import guarded
from commonplace.engine.intake import Draft, ExactPolicy, Prepared, Refused, Remembered, Repeats
from commonplace.engine.lifecycle import Changes
from commonplace.errors import Conflict, InvalidInput, ModelError, NotFound
from commonplace.ports import Store, Vector
from commonplace.text.nearness import NEAR

if TYPE_CHECKING:
    from commonplace.book.edits import Beside, Edit, Receipt
    from commonplace.book.pairs import Pair
    from commonplace.book.reflect import Reflection
    from commonplace.book.review import Review
    from commonplace.engine.explain import Explanation
    from commonplace.engine.fields import ChangeFields, DraftFields, FilterFields, QueryFields
    from commonplace.maintenance.reach import Reached


class Book(Subjects):
    """Memory for agents, in one place. Thread-safe; use it as a context manager or close it.

    >>> with Book.open("book.db") as book:
    ...     book.remember("Deploys are on Monday", topic="deploy day")
    ...     for hit in book.recall("when do we deploy?").hits:
    ...         print(hit.memory.text, hit.relevance, hit.reason)
    """

    @staticmethod
    def _behind_guard(store: Store) -> Store:
        return guarded(store)

    # -- remember ----------------------------------------------------------------------------

    def draft(self, text: str, *, scope: Selector = None, **fields: "Unpack[DraftFields]") -> Draft:
        """A draft for `remember`; `fields` are those of `Draft`, times also as datetimes or ISO 8601."""
        return Draft(text, self.scope(scope), **parse.draft_fields(fields, self.now()))  # type: ignore[arg-type]

    def remember(
        self,
        text: str | Draft,
        *,
        scope: Selector = None,
        repeats: Repeats = Repeats(),
        idempotency_key: str | None = None,
        replaces: Reference | None = None,
        needs_vectors: bool = False,
        **fields: "Unpack[DraftFields]",
    ) -> Remembered:
        """Remember one thing. The result says whether it is new, a repeat, or near something known.

        With `replaces` it takes the place of an older memory, in the same transaction, and is listed as a
        correction. A model that fails costs the vector and a warning, or with `needs_vectors` the call.
        """
        asked: object = text
        if isinstance(text, Draft):
            named = "scope" if scope is not None else next(iter(fields), None)
            if named is not None:
                raise InvalidInput(f"Set '{named}' on the draft.", named)
            draft = text
        else:
            draft = self.draft(text, scope=scope, **fields)
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
        beside: "Sequence[Beside]" = (),
    ) -> tuple[Remembered | Refused, ...]:
        """Remember several things at once: one embedding run, one transaction; a bad one spoils no other.

        `repeats` is one policy for all of them, or one for each. What is to go with each of them is
        `beside` it: all of that is written, or nothing of the whole call.
        """
        policies = [repeats] * len(drafts) if isinstance(repeats, Repeats) else repeats
        if beside:
            from commonplace.documents.evidence import check_source

            for source in (source for each in beside for source in each.sources):
                check_source(source)
        asked = [list(drafts), list(beside)]
        return self._remember(drafts, policies, idempotency_key, asked, None, needs_vectors, beside)

    def _remember(
        self,
        drafts: Sequence[Draft],
        policies: Sequence[Repeats],
        key: str | None,
        asked: object,
        replaces: Reference | None = None,
        needs_vectors: bool = False,
        beside: "Sequence[Beside]" = (),
    ) -> tuple[Remembered | Refused, ...]:
        """The path of both verbs. What is slow comes before the transaction; the key is looked up inside it.

        Of two calls with one key at the same time, so, only one stores. Refusals are kept under the key too.
        """
        self.principal.require(Right.WRITE)
        check_label(key, "idempotency_key")
        prepared = intake.prepare(self._placed(drafts), self._caller.context(), self.embedder, needs_vectors)
        if key is None and all(isinstance(item, Refused) for item in prepared):
            return tuple(item for item in prepared if isinstance(item, Refused))
        digest = b"" if key is None else intake.digest_of(asked, list(policies), replaces)
        with self._caller.writing() as work:
            if key is not None:
                known = intake.replayed(work.unit, work.context, key, digest, prepared)
                if known is not None:
                    return known
            results = tuple(
                item if isinstance(item, Refused) else self._stored(work, item, policy)
                for item, policy in deadline.each(zip(prepared, policies, strict=True))
            )
            if replaces is not None:
                from commonplace.book.replacing import in_the_place_of

                results = tuple(in_the_place_of(work, replaces, result) for result in results)
            for result, companions in zip(results, beside, strict=False):
                if isinstance(result, Remembered):
                    self._put_beside(work, result.memory, companions)
            if key is not None:
                intake.keep_key(work.unit, work.context, key, digest, results)
        return results if self.principal.may(Right.READ) else tuple(map(_without_others, results))

    def _placed(self, drafts: Sequence[Draft]) -> list[Draft | Refused]:
        """The drafts whose scope is the caller's to write to, and why the others have no place here."""
        own = self._caller.places[0]
        if drafts and all(draft.scope == own for draft in drafts):
            return list(drafts)
        with self._caller.looking() as work:
            return [_in_place(work, draft) for draft in drafts]

    def _stored(self, work: Work, item: Prepared, policy: Repeats) -> Remembered | Refused:
        """Stored, unless the caller lost the right to its scope since they were asked."""
        if not work.may_see(item.memory.scope):
            return Refused(InvalidInput(f"'{item.memory.scope}' is not one of your scopes.", "scope"))
        if item.memory.project is None and work.names_project(item.memory.scope):
            item = replace(item, memory=replace(item.memory, project=work.about(item.memory.scope)))
        return intake.store(item, work.unit, policy, work.context, self.embedder)

    def _put_beside(self, work: Work, memory: Memory, beside: "Beside") -> None:
        for source in beside.sources:
            self.evidence.attach_in(work, memory, source)
        others = [other for other in map(work.find, beside.related) if other.id != memory.id]
        lifecycle.relate(work.unit, work.context, memory, others, RelationKind.RELATED_TO)

    def near_groups(self, least: float = NEAR, filter: Filter | None = None) -> tuple[list[Group], int]:
        """Groups of memories that say nearly the same, the closest first, and how many pairs there are in all.

        `least` is a likeness from 0 to 1; from 0.9 on, `remember` calls two texts near.
        """
        with self._caller.reading() as work:
            return groups(work.unit, Search(work.filter(filter), work.now, self.embedder, least))

    # -- explain -------------------------------------------------------------------------------

    def why(
        self, query: str | Query, reference: Reference | None = None, **options: "Unpack[QueryFields]"
    ) -> "Explanation":
        """Why a recall answers as it does and, for one memory, why it surfaced or did not."""
        from commonplace.engine.explain import explain

        query = self._query(query, **options)
        memory = None if reference is None else self.get(reference)
        found = self.recall(replace(query, explain=True, counts_use=False))
        return explain(found, memory, self.now())

    def reflect(
        self, query: str | Query, depth: Depth = Depth.STANDARD, **options: "Unpack[QueryFields]"
    ) -> "Reflection":
        """What is known about something as an answer that cites its sources, and what is not known."""
        from commonplace.book.reflect import about, reflect

        asked = replace(self._query(query, **options), limit=MOST_SOURCES, counts_use=False, only=Only.MEMORIES)
        found = replace(self.recall(about(asked)), query=asked)
        return reflect(found, depth, self.llm, self.now())

    # -- lifecycle ---------------------------------------------------------------------------

    def update(
        self,
        reference: Reference,
        changes: Changes | None = None,
        *,
        expected_revision: int | None = None,
        exact: ExactPolicy = ExactPolicy.NEVER,
        status: Status | None = None,
        reason: str | None = None,
        **fields: "Unpack[ChangeFields]",
    ) -> Memory:
        """Change a memory, as `Changes` say or by their fields; with `expected_revision`, only if nobody else did.

        `exact` says what counts as the same text: a text that another present memory has is then refused.
        With `status` it is also archived, invalidated or restored, for a `reason`, in the same transaction.
        """
        if changes is not None and fields:
            raise InvalidInput(f"Set '{next(iter(fields))}' on the changes.", next(iter(fields)))
        from commonplace.book.edits import Edit  # whoever only adds needs none of it

        asked = changes or Changes(**parse.change_fields(fields, self.now()))  # type: ignore[arg-type]
        (result,) = self._update([Edit(reference, asked, expected_revision, status, reason)], exact)
        if isinstance(result, Refused):
            raise result.error
        return result

    def update_many(
        self, edits: "Sequence[Edit]", *, exact: ExactPolicy = ExactPolicy.NEVER, needs_vectors: bool = False
    ) -> tuple[Memory | Refused, ...]:
        """Change several memories at once: one embedding run, one transaction; a bad one spoils no other.

        A model that fails costs the vectors, or with `needs_vectors` the edits that bring a text.
        """
        return self._update(edits, exact, needs_vectors)

    def _update(
        self, edits: "Sequence[Edit]", exact: ExactPolicy, needs_vectors: bool = False
    ) -> tuple[Memory | Refused, ...]:
        from commonplace.book.edits import Edit, checked_edit  # whoever only adds needs none of it

        self.principal.require(Right.WRITE)
        checked = [checked_edit(edit) for edit in deadline.each(edits)]
        texts = [edit.changes.text for edit in checked if isinstance(edit, Edit) and isinstance(edit.changes.text, str)]
        try:
            vectors, _ = intake.embedded(texts, self.embedder, needs_vectors)
        except ModelError as error:
            texts, vectors = [], []
            checked = [Refused(error) if isinstance(edit, Edit) and edit.brings_text else edit for edit in checked]
        by_text = dict(zip(texts, vectors, strict=True))
        with self._caller.writing() as work:
            return tuple(
                edit if isinstance(edit, Refused) else self._edited(work, edit, exact, by_text)
                for edit in deadline.each(checked)
            )

    def _edited(
        self, work: Work, edit: "Edit", exact: ExactPolicy, vectors: Mapping[str, Vector | None]
    ) -> Memory | Refused:
        """The memory as it is now. Whatever speaks against an edit does so before anything of it is written."""
        unit, context = work.unit, work.context
        try:
            memory = changed = work.find(edit.reference)
            lifecycle.check_revision(memory, edit.expected_revision)
            changes = edit.changes
            if isinstance(changes.scope, Scope):
                changes = replace(changes, scope=work.scope(changes.scope))
            if changes.asked() or edit.status is None:
                changed = lifecycle.revised(context, memory, changes)
            if changed.text != memory.text:
                intake.refuse_repeat(changed, unit, exact, context)
            if changed.topic != memory.topic:
                lifecycle.require_topic(unit, context, changed)
        except (InvalidInput, NotFound, Conflict) as error:
            return Refused(error)
        if changed is not memory:
            lifecycle.update(unit, context, changed, changes)
        vector = vectors.get(changed.text)
        if vector is not None and self.embedder is not None and changed.text != memory.text:
            unit.vectors.put(changed.number, self.embedder.space, vector)
        if changed.topic != memory.topic and changed.status in lifecycle.PRESENT:
            changed = lifecycle.settle_topic(unit, context, changed)
        if edit.status is None:
            return changed
        return lifecycle.set_status(unit, context, changed, edit.status, edit.reason)

    def review(
        self,
        filter: Filter | None = None,
        *,
        limit: int = 50,
        cursor: int | None = None,
        **narrowed: "Unpack[FilterFields]",
    ) -> "Review":
        """What waits for a person, newest first, each with the other text it is to be compared with.

        Without scopes it is looked for wherever the caller may see something. `confirm` says yes, `reject` says no.
        """
        from commonplace.book import review

        chosen = narrowed_filter(filter, **narrowed)
        with self._caller.reading() as work:
            return review.page(work, chosen, limit, cursor)

    def confirm(self, reference: Reference, *, at: int | None = None) -> Memory:
        """Say that a memory still holds."""
        with self._caller.writing() as work:
            return lifecycle.confirm(work.unit, work.context, work.find(reference), at)

    def confirm_many(self, references: Sequence[Reference], *, at: int | None = None) -> tuple[Memory | Refused, ...]:
        """Say that several memories still hold, in one transaction; one that cannot be confirmed spoils no other."""
        with self._caller.writing() as work:
            return tuple(_confirmed(work, reference, at) for reference in deadline.each(references))

    def reject(self, reference: Reference, *, reason: str | None = None) -> tuple[Memory, ...]:
        """Say no to what waits for a person; the memories that changed, with what stands again first.

        A revision gives way to the words in whose place it stands, a pin is taken off, anything else is forgotten.
        """
        from commonplace.book import review

        intake.refuse_secrets(reason, "reason")
        check_reason(reason)
        with self._caller.looking() as work:
            texts = [old.text for old in review.words_before(work.unit, work.find(reference))]
        made, _ = intake.embedded(texts, self.embedder)
        vectors = dict(zip(texts, made, strict=True))
        with self._caller.writing() as work:
            changed = review.reject(work, work.find(reference), reason)
            for memory in changed:
                vector = vectors.get(memory.text)
                if vector is not None and self.embedder is not None:
                    work.unit.vectors.put(memory.number, self.embedder.space, vector)
        return changed

    def reject_many(
        self, references: Sequence[Reference], *, reason: str | None = None
    ) -> tuple[tuple[Memory, ...] | Refused, ...]:
        """Say no to several in one transaction, which one undo takes back; one that does not wait spoils no other."""
        from commonplace.book import review

        intake.refuse_secrets(reason, "reason")
        check_reason(reason)
        with self._caller.writing() as work:
            return tuple(review.rejected(work, reference, reason) for reference in deadline.each(references))

    def pairs(self, filter: Filter | None = None) -> "tuple[Pair, ...]":
        """Memories that may contradict each other, and those that say nearly the same, for a person to settle."""
        from commonplace.book import pairs

        with self._caller.reading() as work:
            return pairs.find(work, filter, self.embedder)

    def supersede(self, old: Reference, new: Reference, *, reason: str | None = None) -> Memory:
        """Put `new` in the place of `old`; gives back the old one."""
        intake.refuse_secrets(reason, "reason")
        with self._caller.writing() as work:
            return lifecycle.supersede(work.unit, work.context, work.find(old), work.find(new), reason)

    def invalidate(self, reference: Reference, *, at: int | None = None, reason: str | None = None) -> Memory:
        """Say that a memory is not true any more, from `at` on."""
        intake.refuse_secrets(reason, "reason")
        with self._caller.writing() as work:
            return lifecycle.invalidate(work.unit, work.context, work.find(reference), at, reason)

    def relate(self, reference: Reference, others: Sequence[Reference], kind: RelationKind) -> None:
        """Say how a memory stands to others."""
        with self._caller.writing() as work:
            found = [work.find(other) for other in others]
            lifecycle.relate(work.unit, work.context, work.find(reference), found, kind)

    def archive(self, reference: Reference, *, reason: str | None = None) -> Memory:
        """Put a memory out of sight."""
        intake.refuse_secrets(reason, "reason")
        with self._caller.writing() as work:
            return lifecycle.archive(work.unit, work.context, work.find(reference), reason)

    def archive_many(
        self, references: Sequence[Reference], *, reason: str | None = None
    ) -> tuple[Memory | Refused, ...]:
        """Put several memories out of sight in one transaction; one that cannot be put away spoils no other."""
        intake.refuse_secrets(reason, "reason")
        check_reason(reason)
        with self._caller.writing() as work:
            return tuple(_archived(work, reference, reason) for reference in deadline.each(references))

    def archive_all(self, filter: Filter, *, reason: str | None = None) -> int:
        """Put everything out of sight that a filter finds, in one transaction; how many that were."""
        from commonplace.engine.paging import each_memory

        intake.refuse_secrets(reason, "reason")
        with self._caller.writing() as work:
            found = list(each_memory(work.unit, work.filter(filter), work.now))
            for memory in deadline.each(found):
                lifecycle.archive(work.unit, work.context, memory, reason)
        return len(found)

    def forget(
        self, reference: Reference, *, reason: str | None = None, replaced_by: Reference | None = None
    ) -> Memory:
        """Leave a tombstone, which `restore` can undo and which warns whoever adds the same again."""
        intake.refuse_secrets(reason, "reason")
        with self._caller.writing() as work:
            successor = None if replaced_by is None else work.find(replaced_by)
            return lifecycle.forget(work.unit, work.context, work.find(reference), reason, successor)

    def forget_many(
        self, references: Sequence[Reference], *, reason: str | None = None
    ) -> tuple[Memory | Refused, ...]:
        """Forget several memories in one transaction; an unknown one spoils no other."""
        intake.refuse_secrets(reason, "reason")
        check_reason(reason)
        with self._caller.writing() as work:
            return tuple(_forgotten(work, reference, reason) for reference in deadline.each(references))

    def restore(self, reference: Reference) -> Memory:
        """Bring a memory back that was archived, forgotten, superseded, invalidated or stale."""
        with self._caller.writing() as work:
            return lifecycle.restore(work.unit, work.context, work.find(reference))

    def restore_many(self, references: Sequence[Reference]) -> tuple[Memory | Refused, ...]:
        """Bring several memories back in one transaction; one that cannot be brought back spoils no other."""
        with self._caller.writing() as work:
            return tuple(_restored(work, reference) for reference in deadline.each(references))

    def purge_preview(self, *references: Reference) -> "Reached":
        """What a purge of these would reach, found out by the purge itself, which then does nothing."""
        from commonplace.maintenance.reach import preview

        self.principal.require(Right.PURGE)
        with self._caller.reading() as work:
            return preview(work, references)

    def purge(self, *references: Reference, reason: str | None = None) -> "Receipt":
        """Remove memories for good: no byte of them stays in the book, which is rewritten for that.

        The `reason` is written into the log and stays there: leave out what should be gone.
        """
        from commonplace.book.edits import Receipt
        from commonplace.maintenance import erasure

        intake.refuse_secrets(reason, "reason")
        with self._caller.purging() as work:
            memories = {memory.id: memory for memory in map(work.find, references)}
            for memory in memories.values():
                work.require_ownership(memory)
            for memory in deadline.each(memories.values()):
                erasure.purge(work.unit, work.context, memory, reason)
        return Receipt(tuple(memories), work.now, self._caller.store.upkeep.erase_traces())


def _without_others(result: Remembered | Refused) -> Remembered | Refused:
    """What may be said to whoever may write and not read: nothing of what others said."""
    return result if isinstance(result, Refused) else replace(result, near=(), previously_corrected=(), contradicts=())


def _in_place(work: Work, draft: Draft) -> Draft | Refused:
    try:
        return replace(draft, scope=work.scope(draft.scope))
    except InvalidInput as error:
        return Refused(error)


def _confirmed(work: Work, reference: Reference, at: int | None) -> Memory | Refused:
    return _or_refused(lambda: lifecycle.confirm(work.unit, work.context, work.find(reference), at))


def _forgotten(work: Work, reference: Reference, reason: str | None) -> Memory | Refused:
    return _or_refused(lambda: lifecycle.forget(work.unit, work.context, work.find(reference), reason, None))


def _archived(work: Work, reference: Reference, reason: str | None) -> Memory | Refused:
    return _or_refused(lambda: lifecycle.archive(work.unit, work.context, work.find(reference), reason))


def _restored(work: Work, reference: Reference) -> Memory | Refused:
    return _or_refused(lambda: lifecycle.restore(work.unit, work.context, work.find(reference)))


def _or_refused(change: Callable[[], Memory]) -> Memory | Refused:
    try:
        return change()
    except (NotFound, Conflict, InvalidInput) as error:
        return Refused(error)
