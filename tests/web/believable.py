"""A small book with something in every view, about a project that nobody has: for looking at all of the page."""

from pathlib import Path

from commonplace.decisions.decision import Proposal
from commonplace.documents.evidence import EvidenceType, Source
from commonplace.domain.memory import Origin, RelationKind
from commonplace.sessions.transcripts import read_text
from tests.web.running import AGENT, opened

TALK = """User: Remember this rule: always run the harbour check before a release, for good.
Assistant: Noted, the harbour check runs first.
User: We decided to keep releases on Monday because the office is full then.
Assistant: I will plan for Monday."""
OPEN = "Deploys are on Monday after the harbour check"


def fill(store: Path) -> str:
    """Fills it; gives the id of a memory that has something to tell in every section."""
    with opened(store) as book:
        memory = book.remember("Deploys are on Friday", kind="decision", topic="deploy day", tags=["release"]).memory
        book.update(memory.id, text=OPEN, pinned=True)
        other = book.remember("The pipeline takes nine minutes", tags=["release", "build"], source="notes.md:4").memory
        book.relate(memory.id, [other.id], RelationKind.RELATED_TO)
        book.evidence.attach(memory.id, Source(EvidenceType.PR, "acme/harbour#12", snippet="ship on Mondays"))
        book.remember("Tabs are four blanks wide", kind="preference")
        book.archive(book.remember("The old crane stood at pier two", tags=["harbour"]).memory.id)
        old = book.remember("The gate opens at eight").memory
        book.remember("The gate opens at nine", replaces=old.id)
        book.remember("The release manager deploys on Monday")
        book.remember("The release manager does not deploy on Monday")
        agent = book.through(AGENT)
        agent.remember("The build cache lies on the second disk", tags=["build"])
        book.through(AGENT.__replace__(origin=Origin.INFERRED)).remember("Reviews wait for the tide", session="standup")
        typed = book.remember("Lunch is at noon").memory
        agent.update(typed.id, text="Lunch is at one")
        book.sessions.save(read_text(TALK), book.scope())
        first = Proposal("Queues between services", "platform", "Load grows", "We use queues", "They hold", "roads")
        made = book.decisions.create(book.scope(), first)
        second = Proposal("Streams between services", "platform", "Load grew", "We use streams", "They replay", "roads")
        book.decisions.supersede(book.scope(), made.id, second)
    return memory.id
