"""The pictures of the page that the docs show: every view, light and dark, on a desk and on a phone.

    python bench/pictures.py [--folder docs/pictures]

The book in them is made here: what a team might know of a service that nobody has.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from playwright.sync_api import Page, expect

from browsing import Scheme, Size, chromium, entered, page_of
from commonplace import Book
from commonplace.decisions.decision import Proposal
from commonplace.documents.evidence import EvidenceType, Source
from commonplace.domain.memory import Origin, RelationKind
from commonplace.domain.scope import Principal
from commonplace.engine.caller import Door
from commonplace.sessions.transcripts import read_text
from commonplace.store.sqlite import SqliteStore
from small_png import squeezed

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
LIMIT_BYTES = 150_000
HOUR, DAY = 3_600_000, 86_400_000
SIZES: Mapping[str, tuple[Size, int]] = {"desktop": ((1280, 760), 1), "phone": ((390, 780), 2)}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")

PERSON = Door("cli", Origin.TYPED, "cli")
ASSISTANT = Door("mcp", Origin.AGENT, "assistant")
LEARNT = Door("mcp", Origin.INFERRED, "assistant")

FACTS: tuple[tuple[str, dict[str, object]], ...] = (
    ("Invoices are rounded per line, half up, as the tax office asks", {"kind": "fact", "tags": ["invoices"]}),
    ("The staging database is restored from production every Sunday night", {"kind": "fact", "tags": ["staging"]}),
    ("Feature flags older than ninety days are removed in the first week of a quarter", {"kind": "instruction"}),
    ("Commit messages say why, in one sentence", {"kind": "preference", "tags": ["style"]}),
    ("Search results are cached for sixty seconds", {"kind": "fact", "tags": ["search"], "topic": "search cache"}),
    ("Timestamps are stored in UTC and shown in the reader's time zone", {"kind": "decision", "tags": ["time"]}),
    ("The import job needs two gigabytes of memory for the largest catalogue", {"kind": "learning"}),
    ("Prefer small pull requests, at most four hundred lines", {"kind": "preference", "tags": ["style"]}),
    ("Error budgets are looked at on the first Tuesday of a month", {"kind": "event"}),
    ("The mobile app retries a payment at most once", {"kind": "fact", "tags": ["payments"]}),
)
HEARD = (
    "Load tests run against staging, never against production",
    "The catalogue service owns the price list",
    "Integration tests take eleven minutes on two runners",
)
TALK = """User: From now on, please run the migration check before each release.
Assistant: Noted: the migration check runs before each release.
User: We decided to release on Tuesday, because support is fully staffed then.
Assistant: I will plan releases for Tuesday."""


class Clock:
    """Time that the script sets, so that things in the pictures have ages."""

    def __init__(self) -> None:
        self.now = time.time_ns() // 1_000_000 - 40 * DAY

    def __call__(self) -> int:
        return self.now

    def pass_by(self, milliseconds: int) -> None:
        self.now += milliseconds


def fill(place: Path) -> str:
    """The book of the pictures; gives the id of the memory that is shown."""
    clock = Clock()
    with Book.over(SqliteStore(place), Principal(), None, clock, PERSON, None) as book:
        first = book.remember("Releases go out on Friday afternoon", topic="release day", tags=["release"]).memory
        for text, fields in FACTS:
            clock.pass_by(3 * DAY + HOUR)
            book.remember(text, source="docs/handbook.md:12" if "tags" in fields else None, **fields)  # type: ignore[arg-type]
        agent, learnt = book.through(ASSISTANT), book.through(LEARNT)
        agent.remember("The build cache lies on the second disk of the runner", tags=["build"])
        clock.pass_by(2 * DAY)
        second = book.remember(
            "Releases go out on Tuesday morning, after the migration check",
            topic="release day",
            kind="decision",
            tags=["release"],
            replaces=first.id,
            pinned=True,
        ).memory
        check = book.remember("The migration check takes nine minutes", tags=["release", "build"]).memory
        book.relate(second.id, [check.id], RelationKind.RELATED_TO)
        book.evidence.attach(
            second.id, Source(EvidenceType.PR, "catalogue#412", snippet="release on Tuesdays from now on")
        )
        typed = book.remember("Backups are kept for thirty days").memory
        clock.pass_by(DAY)
        book.sessions.save(read_text(TALK), book.scope())
        clock.pass_by(9 * HOUR)
        for text in HEARD:
            learnt.remember(text, session="planning")
            clock.pass_by(HOUR // 3)
        agent.update(typed.id, text="Backups are kept for ninety days, encrypted")
        book.remember("Search results are not cached", tags=["search"])
        book.decisions.create(
            book.scope(),
            Proposal("Queues between services", "platform", "Load grows", "We use queues", "They hold", "services"),
        )
    return second.id


def search(page: Page, id: str) -> None:
    """A search with what it found."""
    page.get_by_role("searchbox", name="Search memories").fill("when do releases go out")
    expect(page.locator("li.row mark").first).to_be_visible()
    page.get_by_role("searchbox", name="Search memories").blur()


def memory(page: Page, id: str) -> None:
    """One memory, open beside the list."""
    page.evaluate("(hash) => { location.hash = hash; }", f"#/search?open=memory/{id}")
    article = page.locator(f'article[data-id="{id}"]')
    expect(article).to_be_visible()


def review(page: Page, id: str) -> None:
    """What waits, at an agent's change of a person's words."""
    page.evaluate("() => { location.hash = '#/review'; }")
    card = page.get_by_role("region", name="What to decide on")
    expect(page.locator('[data-key="dream"]').first).to_be_attached()
    for _ in range(20):
        if "ninety" in card.inner_text():
            break
        page.keyboard.press("j")
    expect(card).to_contain_text("ninety")


def health(page: Page, id: str) -> None:
    """How the book is doing."""
    page.evaluate("() => { location.hash = '#/health'; }")
    expect(page.get_by_role("region", name="Health", exact=True)).to_contain_text("Memories")
    expect(page.locator(".figures dt").first).to_be_visible()


VIEWS: tuple[Callable[[Page, str], None], ...] = (search, memory, review, health)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="book-") as home, chromium() as browser:
        store = Path(home) / ".local" / "share" / "commonplace" / "book.db"
        store.parent.mkdir(parents=True)
        id = fill(store)
        for scheme in SCHEMES:
            for name, (size, scale) in SIZES.items():
                with page_of(store, Path(home)) as link:
                    context = entered(browser, link, size, scheme, scale)
                    for view in VIEWS:
                        page = context.new_page()
                        page.goto(link.partition("#")[0])
                        expect(page.locator("li.row").first).to_be_visible()
                        view(page, id)
                        picture = squeezed(page.screenshot())
                        assert len(picture) < LIMIT_BYTES, view.__name__
                        place = folder / f"{view.__name__}-{name}-{scheme}.png"
                        place.write_bytes(picture)
                        print(f"{place.name}: {len(picture) / 1000:.0f} kB")
                        page.close()
                    context.close()


if __name__ == "__main__":
    main()
