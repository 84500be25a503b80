"""Taking a plan in: every item is checked before the book is touched, then all of them go in with one transaction."""

from collections.abc import Callable

from commonplace import deadline
from commonplace.decisions.bringing import bring, check_record, known_among
from commonplace.decisions.decision import Decision, Recorded
from commonplace.domain.ids import ulid_for
from commonplace.domain.memory import Memory, Origin, Provenance
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Scope
from commonplace.domain.validation import LABEL_LENGTH_LIMIT
from commonplace.engine.caller import Caller, Selector, Work
from commonplace.engine.context import Context
from commonplace.engine.intake import refuse_secrets_in
from commonplace.errors import CommonplaceError, InvalidInput, SecretRefused
from commonplace.imports.items import Item, LeftOut, place_of
from commonplace.imports.reading import Plan
from commonplace.maintenance.transfer import Arrival, add, fresh, kind_and_scope, same_text
from commonplace.text import normalise, tidy_tags

SURFACE = "import"
Progress = Callable[[int, int], None]


class Outlook(Record):
    """What a plan comes to in this book: what is new to it, how much it knows already, and what is left out."""

    memories: tuple[Memory, ...]
    decisions: tuple[Recorded, ...]
    known: int
    left_out: tuple[LeftOut, ...]


class Taken(Record):
    """What was taken in, how much was known, and what was left out."""

    memories: tuple[Memory, ...]
    decisions: tuple[Decision, ...]
    known: int
    left_out: tuple[LeftOut, ...]


class Imports:
    """What other tools remembered, for one principal."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def look(self, plan: Plan, scope: Selector = None, *, trust: bool = False) -> Outlook:
        """What would be taken in, and what not. Nothing is changed."""
        with self._caller.looking() as work:
            place = work.scope(scope)
            arrivals, records, left_out = self._checked(work, plan, place, trust)
            new = [arrival.memory for arrival in fresh(work.unit, arrivals, work.now, _same)]
            there = known_among(work.unit, place, records)
        decisions = tuple(record for number, record in enumerate(records) if number not in there)
        known = len(arrivals) - len(new) + len(there)
        return Outlook(tuple(new), decisions, known, left_out)

    def take(
        self, plan: Plan, scope: Selector = None, *, trust: bool = False, progress: Progress = lambda done, total: None
    ) -> Taken:
        """Take it in, all of it or nothing. What the book knows, has forgotten or had to purge stays as it is.

        It waits for a person's word like anything imported, unless `trust` says that a person vouches for it. Vectors
        come later, as for any import.
        """
        with self._caller.looking() as work:
            place = work.scope(scope)
            arrivals, records, left_out = self._checked(work, plan, place, trust)
            new = list(fresh(work.unit, arrivals, work.now, _same))
        with self._caller.writing() as work:
            place = work.scope(place)
            context = replace(work.context, surface=SURFACE, origin=Origin.IMPORTED)
            new = [_about(each, work, place) for each in fresh(work.unit, new, work.now, _same)]
            for done, arrival in enumerate(deadline.each(new), 1):
                add(work.unit, context, arrival, None, None)
                progress(done, len(new))
            decisions = bring(work, place, records)
        known = len(arrivals) - len(new) + len(records) - len(decisions)
        return Taken(tuple(each.memory for each in new), decisions, known, left_out)

    def _checked(
        self, work: Work, plan: Plan, scope: Scope, trust: bool
    ) -> tuple[list[Arrival], list[Recorded], tuple[LeftOut, ...]]:
        """What can be stored, and beside what the plan leaves out, what must not be: secrets first of all."""
        left_out = list(plan.left_out)
        context = self._caller.context()
        here = self._of_here(plan) if work.names_project(scope) else frozenset()
        arrivals: list[Arrival] = []
        for item in deadline.each(plan.items):
            try:
                project = self._caller.project.id if item.file in here else None
                arrivals.append(_arrival(item, scope, context, trust, project))
            except CommonplaceError as error:
                left_out.append(LeftOut(_why(error), item.line, item.file))
        records: list[Recorded] = []
        for record in deadline.each(plan.decisions):
            try:
                check_record(record)
                records.append(record)
            except SecretRefused as error:
                left_out.append(LeftOut(_why(error), None, record.file))
        return arrivals, records, tuple(left_out)

    def _of_here(self, plan: Plan) -> frozenset[str]:
        """The names of files that lie in the project where the caller is, and nowhere else: they are about it."""
        root = self._caller.project.root
        if root is None:
            return frozenset()
        outside = {each.name for each in plan.sources if not each.path.resolve().is_relative_to(root)}
        return frozenset({each.name for each in plan.sources} - outside)


def _same(known: Memory, memory: Memory) -> bool:
    """The same words in two projects are two memories."""
    return same_text(known, memory) and not known.is_apart_from(memory)


def _about(arrival: Arrival, work: Work, scope: Scope) -> Arrival:
    """An arrival from a file of a project, with the id under which the person has that project."""
    memory = arrival.memory
    if memory.project is None:
        return arrival
    return replace(arrival, memory=replace(memory, project=work.about(scope)))


def _arrival(item: Item, scope: Scope, context: Context, trust: bool, project: str | None) -> Arrival:
    """An item as a memory that has the same id whenever it comes, so that what was changed since is known again."""
    text = normalise(item.text)
    at = context.now if item.at is None else min(item.at, context.now)
    if item.expires_at is not None and item.expires_at <= context.now:
        raise InvalidInput("its time has passed")
    key = "\x00".join((str(scope), item.key or "", text, *(() if project is None else (project,))))
    memory = Memory(
        id=f"mem_{ulid_for(key, item.at or 0)}",
        number=0,
        text=text,
        scope=scope,
        created_at=at,
        updated_at=at,
        owner=context.principal.user,
        kind=item.kind,
        tags=tidy_tags(item.tags),
        category=item.category,
        project=project,
        provenance=Provenance(_source(item), SURFACE, context.actor),
        origin=Origin.CONFIRMED if trust else Origin.IMPORTED,
        confirmed_at=context.now if trust else None,
        expires_at=item.expires_at,
    )
    refuse_secrets_in(memory)
    return Arrival(memory, payload=kind_and_scope(memory))


def _source(item: Item) -> str | None:
    """Where it stood, as far as a label can say it."""
    place = "".join(character for character in place_of(item.file, item.line) if character.isprintable())
    return place[-LABEL_LENGTH_LIMIT:].strip() or None


def _why(error: CommonplaceError) -> str:
    """Why something is left out, without repeating it."""
    if isinstance(error, SecretRefused):
        return f"it holds a secret ({', '.join(error.kinds)})"
    return error.message.rstrip(".")
