"""A small world for questions of who may see what: one place full of things that all say one word.

`fill` puts something of every subject into a scope, as somebody who may. Whoever should see nothing of it
is then sent through every verb of the book with the names of all of it.
"""

from collections.abc import Callable
from pathlib import Path

from commonplace import imports
from commonplace.book.book import Book
from commonplace.book.edits import Edit
from commonplace.decisions.decision import Inquiry, Proposal
from commonplace.documents.evidence import EvidenceType, Source
from commonplace.domain.memory import Kind, Memory, RelationKind
from commonplace.domain.query import Filter, Query
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope
from commonplace.dream import Plan
from commonplace.engine.intake import Draft
from commonplace.engine.lifecycle import Changes
from commonplace.engine.membership import Role
from commonplace.maintenance.transfer import Arrival
from commonplace.sessions.transcripts import Speaker, Turn

CANARY = "quetzalcoatlus"
ASKED = "harbour deploys service login noon decide"
"""Words that everything in the world has some of; the one word a leak would show is never asked with."""
PROPOSAL = Proposal("Use the heron", "ada", "It is grey", "We use the heron", "It is near", "backend")


class World(Record):
    """The names of what lies in a scope."""

    scope: Scope
    memory: Memory
    other: Memory
    waits: Memory
    forgotten: Memory
    session: str
    correction: str
    decision: str
    document: str
    chunk: str
    evidence: str
    team: str


def fill(book: Book, scope: Scope, team: str) -> World:
    """Put something of every subject into a scope."""
    first, second, third = (
        book.remember(Draft(f"{text} {CANARY}", scope, topic=topic)).memory
        for text, topic in (("The harbour is run by", "harbour"), ("Deploys wait for", None), ("Nobody knows", None))
    )
    waits = book.remember(Draft(f"Always greet {CANARY}", scope, kind=Kind.INSTRUCTION)).memory
    book.relate(first, [second], RelationKind.RELATED_TO)
    book.forget(third, reason=f"because of {CANARY}")
    turn = Turn(Speaker.USER, f"We decided that service three uses {CANARY} for the login, remember that.")
    saved = book.sessions.save([turn], scope)
    correction = book.corrections.log(f"The harbour is not closed, says {CANARY}", scope=scope).correction
    decision = book.decisions.create(scope, Proposal(*[f"harbour {CANARY} {name}" for name in "abcde"], area="backend"))
    added = book.documents.add_text("notes.md", f"# Notes\n\nThe {CANARY} sleeps at noon.\n", scope=scope)
    chunk = book.documents.chunks("notes.md", scope=scope)[0]
    attached = book.evidence.attach(first, Source(EvidenceType.COMMIT, "abc", snippet=f"see {CANARY}"))
    assert saved.session is not None
    return World(
        scope,
        first,
        second,
        waits,
        third,
        saved.session.id,
        correction.id,
        decision.id,
        added.touched[0],
        chunk.id,
        attached.evidence.id,
        team,
    )


def query(world: World) -> Query:
    return Query(ASKED, Filter((world.scope,)), counts_use=False)


Call = Callable[[Book, World], object]
INTRUDING = imports.Plan(items=(imports.Item("An intruder was here"),))

READS: dict[str, Call] = {
    "recall": lambda book, world: book.recall(query(world)),
    "why": lambda book, world: book.why(query(world), world.memory),
    "reflect": lambda book, world: book.reflect(query(world)),
    "get_many": lambda book, world: book.get_many([world.memory.id]),
    "team_scopes": lambda book, world: [scope for scope in book.team_scopes() if scope == world.scope],
    "undo.list": lambda book, world: book.undo.list(),
    "here": lambda book, world: book.here(),
    "names_of": lambda book, world: book.names_of([world.memory]),
    "project_ids": lambda book, world: book.project_ids("shop"),
    "project_name": lambda book, world: book.project_name("shop"),
    "places": lambda book, world: book.places(),
    "projects.list": lambda book, world: book.projects.list(),
    "projects.unnamed": lambda book, world: book.projects.unnamed(),
    "projects.claimed": lambda book, world: book.projects.claimed(),
    "curated.waiting": lambda book, world: book.curated.waiting(world.scope),
    "get": lambda book, world: book.get(world.memory.id),
    "list": lambda book, world: book.list(Filter((world.scope,), statuses=())),
    "each": lambda book, world: list(book.each(Filter((world.scope,), statuses=()))),
    "same": lambda book, world: book.same(world.memory.text, Filter((world.scope,))),
    "history": lambda book, world: book.history(world.forgotten.id),
    "revisions": lambda book, world: book.revisions(world.forgotten.id),
    "relations": lambda book, world: book.relations(world.memory.id),
    "relations_of": lambda book, world: book.relations_of([world.memory.id]),
    "every_scope": lambda book, world: [scope for scope in book.every_scope() if scope == world.scope],
    "sessions.count": lambda book, world: book.sessions.count([world.scope]),
    "pairs": lambda book, world: (book.pairs(), book.pairs(Filter((world.scope,)))),
    "near_groups": lambda book, world: book.near_groups(0.1, Filter((world.scope,))),
    "use": lambda book, world: book.use([book.get(world.memory.id)], "test"),
    "reinforce": lambda book, world: book.reinforce(book.get(world.memory.id)),
    "curated.entries": lambda book, world: book.curated.entries(world.scope),
    "curated.snapshot": lambda book, world: book.curated.snapshot(world.scope),
    "default_scopes": lambda book, world: book.default_scopes(),
    "sessions.list": lambda book, world: book.sessions.list([world.scope]),
    "sessions.get": lambda book, world: book.sessions.get(world.session),
    "sessions.turns": lambda book, world: book.sessions.turns(world.session),
    "sessions.search": lambda book, world: book.sessions.search(ASKED, [world.scope]),
    "sessions.learnt": lambda book, world: book.sessions.learnt(world.session),
    "sessions.left_out": lambda book, world: book.sessions.left_out(world.session),
    "sessions.raw": lambda book, world: book.sessions.raw([world.scope]),
    "corrections.list": lambda book, world: (book.corrections.list(), book.corrections.list(scope=world.scope)),
    "dreams.plan": lambda book, world: book.dreams.plan(),
    "dreams.due": lambda book, world: None,
    "dreams.get_run": lambda book, world: book.dreams.get_run("drm_1"),
    "dreams.list_runs": lambda book, world: book.dreams.list_runs(),
    "dreams.list_insights": lambda book, world: book.dreams.list_insights(),
    "transfer.note_export": lambda book, world: book.transfer.note_export({}),
    "transfer.export": lambda book, world: list(book.transfer.export()),
    "transfer.export_all": lambda book, world: list(book.transfer.export_all()),
    "transfer.page": lambda book, world: list(book.transfer.page()),
    "documents.list": lambda book, world: book.documents.list(scopes=[world.scope]),
    "documents.get": lambda book, world: book.documents.get(world.document, scope=world.scope),
    "documents.chunks": lambda book, world: book.documents.chunks(world.document, scope=world.scope),
    "documents.get_chunk": lambda book, world: book.documents.get_chunk(world.chunk),
    "documents.search": lambda book, world: book.documents.search(ASKED, scopes=[world.scope]),
    "evidence.of": lambda book, world: book.evidence.of(world.memory.id),
    "evidence.counts": lambda book, world: book.evidence.counts([world.memory.id]),
    "evidence.grounds": lambda book, world: book.evidence.grounds([world.memory.id]),
    "decisions.get": lambda book, world: book.decisions.get(world.decision, [world.scope]),
    "decisions.list": lambda book, world: book.decisions.list([world.scope]),
    "decisions.query": lambda book, world: book.decisions.query(Inquiry((world.scope,), "harbour")),
    "decisions.chain": lambda book, world: book.decisions.chain(world.scope, world.decision),
    "decisions.history": lambda book, world: book.decisions.history(world.scope, world.decision),
    "teams.list": lambda book, world: [place for place in book.teams.list() if place.team.id == world.team],
    "teams.members": lambda book, world: book.teams.members(world.team),
    "teams.teams_of": lambda book, world: [team for team in book.teams.teams_of("local") if team == world.team],
    "teams.history": lambda book, world: book.teams.history(world.team),
    "teams.review": lambda book, world: book.teams.review(world.team),
    "teams.contributions": lambda book, world: book.teams.contributions(world.memory),
    "care.missing_vectors": lambda book, world: None,
    "care.spot_check": lambda book, world: book.care.spot_check([world.scope]),
    "count": lambda book, world: book.count(Filter((world.scope,))),
    "review": lambda book, world: (book.review(), book.review(scopes=(world.scope,))),
}

WRITES: dict[str, Call] = {
    "remember": lambda book, world: book.remember(Draft("An intruder was here", world.scope)),
    "remember_many": lambda book, world: book.remember_many([Draft("An intruder was here", world.scope)]),
    "update": lambda book, world: book.update(world.memory.id, Changes(text="An intruder was here")),
    "update_many": lambda book, world: book.update_many([Edit(world.memory.id, Changes(importance=0.9))]),
    "confirm": lambda book, world: book.confirm(world.memory.id),
    "confirm_many": lambda book, world: book.confirm_many([world.memory.id]),
    "reject": lambda book, world: book.reject(world.waits.id),
    "supersede": lambda book, world: book.supersede(world.memory.id, world.other.id),
    "invalidate": lambda book, world: book.invalidate(world.memory.id),
    "archive_all": lambda book, world: book.archive_all(Filter((world.scope,))),
    "undo.take_back": lambda book, world: book.undo.take_back(),
    "sessions.is_saved": lambda book, world: book.sessions.is_saved(world.scope, "k"),
    "projects.noted": lambda book, world: book.projects.noted(Path("/srv/shop")),
    "projects.rename": lambda book, world: book.projects.rename("shop", "till"),
    "projects.merge": lambda book, world: book.projects.merge("shop", "till"),
    "projects.bind": lambda book, world: book.projects.bind(Path("."), "shop"),
    "archive_many": lambda book, world: book.archive_many([world.memory.id]),
    "archive": lambda book, world: book.archive(world.memory.id),
    "forget": lambda book, world: book.forget(world.memory.id),
    "forget_many": lambda book, world: book.forget_many([world.memory.id]),
    "reject_many": lambda book, world: book.reject_many([world.waits.id]),
    "restore_many": lambda book, world: book.restore_many([world.memory.id]),
    "restore": lambda book, world: book.restore(world.forgotten.id),
    "purge_preview": lambda book, world: book.purge_preview(world.memory.id),
    "purge": lambda book, world: book.purge(world.memory.id),
    "relate": lambda book, world: book.relate(world.other.id, [world.memory.id], RelationKind.SUPPORTS),
    "corrections.log": lambda book, world: book.corrections.log("It is wrong", memories=[world.memory.id]),
    "dreams.apply": lambda book, world: book.dreams.apply(Plan(0, (), 0, ())),
    "dreams.run": lambda book, world: (book.dreams.run(), book.dreams.list_insights()),
    "dreams.undo": lambda book, world: book.dreams.undo("drm_1"),
    "curated.add": lambda book, world: book.curated.add("An intruder was here", world.scope),
    "curated.take": lambda book, world: book.curated.take(world.scope),
    "sessions.save": lambda book, world: book.sessions.save([Turn(Speaker.USER, "I prefer green")], world.scope),
    "sessions.append": lambda book, world: book.sessions.append(
        [Turn(Speaker.USER, "I prefer green")], world.scope, key="appended"
    ),
    "sessions.discard_unfinished": lambda book, world: book.sessions.discard_unfinished("appended", world.scope),
    "sessions.distil_raw": lambda book, world: book.sessions.distil_raw([world.scope]),
    "sessions.forget": lambda book, world: book.sessions.forget(world.session),
    "sessions.remove": lambda book, world: book.sessions.remove(world.session),
    "transfer.import_": lambda book, world: book.transfer.import_([HEADER, imported(world)]),
    "transfer.take_in": lambda book, world: book.transfer.take_in([arrival(world)], lambda known, new: False),
    "imports.look": lambda book, world: book.imports.look(INTRUDING, world.scope),
    "imports.take": lambda book, world: book.imports.take(INTRUDING, world.scope),
    "documents.add": lambda book, world: book.documents.add("nowhere.md", scope=world.scope),
    "documents.add_text": lambda book, world: book.documents.add_text("notes.md", "Overwritten", scope=world.scope),
    "documents.refresh": lambda book, world: book.documents.refresh(scope=world.scope),
    "documents.look_again": lambda book, world: book.documents.look_again([world.document]),
    "documents.remove": lambda book, world: book.documents.remove(world.document, scope=world.scope),
    "evidence.attach": lambda book, world: book.evidence.attach(world.memory.id, Source(EvidenceType.COMMIT, "def")),
    "evidence.detach": lambda book, world: book.evidence.detach(world.evidence),
    "evidence.verify": lambda book, world: book.evidence.verify(world.memory.id),
    "decisions.create": lambda book, world: book.decisions.create(world.scope, PROPOSAL),
    "decisions.supersede": lambda book, world: book.decisions.supersede(world.scope, world.decision, PROPOSAL),
    "decisions.revert": lambda book, world: book.decisions.revert(world.scope, world.decision, "no"),
    "decisions.update": lambda book, world: book.decisions.update(world.scope, world.decision, PROPOSAL),
    "decisions.remove": lambda book, world: book.decisions.remove(world.scope, world.decision),
    "teams.create": lambda book, world: book.teams.create(world.team),
    "teams.invite": lambda book, world: book.teams.invite(world.team, "eve"),
    "teams.accept": lambda book, world: book.teams.accept(world.team),
    "teams.change_role": lambda book, world: book.teams.change_role(world.team, "ada", Role.MEMBER),
    "teams.leave": lambda book, world: book.teams.leave(world.team),
    "teams.remove": lambda book, world: book.teams.remove(world.team, "ada"),
    "teams.delete": lambda book, world: book.teams.delete(world.team, archive=True),
    "teams.promote": lambda book, world: book.teams.promote(world.memory, world.team),
    "teams.resolve": lambda book, world: book.teams.resolve(world.team, [world.memory]),
    "care.reembed": lambda book, world: None,
    "care.upgrade": lambda book, world: None,
}

HEADER = '{"format":"commonplace-export","version":1}'


def arrival(world: World) -> Arrival:
    return Arrival(Memory("mem_01ARZ3NDEKTSV4RRFFQ69G5FAV", 0, "An intruder was here", world.scope, 1, 1))


def imported(world: World) -> str:
    return (
        '{"memory":{"id":"mem_01ARZ3NDEKTSV4RRFFQ69G5FAV","number":1,"text":"An intruder was here","scope":"'
        f'{world.scope}","created_at":1,"updated_at":1}}}}'
    )
