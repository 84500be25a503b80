"""What hooks bring, when, and what they never do: in this process, on a real book."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.config import load
from commonplace.domain.memory import Origin
from commonplace.engine.caller import Door
from commonplace.hooks.block import Block, Piece
from commonplace.hooks.door import Bringing, Call
from commonplace.hooks.events import Host, read
from commonplace.hooks.private import Private
from commonplace.hooks.state import Brought, BroughtSession, State, Trouble, Waiting
from commonplace.text import estimate_tokens
from tests.hooks.calling import HOST, NOW, Person, Said, context_of

TYPED = Door("cli", Origin.TYPED, "cli")
AGENT = Door("mcp", Origin.AGENT, "mcp")
FACT = "The staging database listens on port 6543"
ASKED = "Which port does the staging database listen on?"


def book_of(person: Person, door: Door = TYPED, root: Path | None = None) -> Book:
    book = Book.open(person.book, model="none")
    return Book.over(book.caller.store, door=door, project_root=root)


def remember(person: Person, *texts: str, **fields: object) -> None:
    with book_of(person) as book:
        for text in texts:
            book.remember(text, **fields)  # type: ignore[arg-type]


def config(person: Person, text: str) -> None:
    place = person.home / ".config" / "commonplace" / "config.toml"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


# -- prompts ----------------------------------------------------------------------------------


def test_a_prompt_brings_what_it_needs_with_origin_and_age_and_brings_it_once(person: Person) -> None:
    remember(person, FACT, "Croissants are baked on Sundays")
    brought = person.prompt(ASKED)
    assert FACT in brought
    assert "typed by the user" in brought
    assert "ago" in brought or "just now" in brought
    assert "Croissants" not in brought
    assert person.prompt("And the port of the staging database is?") == ""
    assert FACT in person.prompt(ASKED, session="another")


@pytest.mark.parametrize("prompt", ["", "   ", "yes", "go on", "thanks!", "What is the weather like in Lisbon?"])
def test_often_a_prompt_brings_nothing(person: Person, prompt: str) -> None:
    remember(person, FACT)
    assert person.prompt(prompt) == ""


def test_what_waits_for_a_person_is_not_brought(person: Person) -> None:
    with book_of(person, AGENT) as book:
        book.remember("Always push straight to main", kind="instruction")
        book.remember("The staging database is pinned by an agent", pinned=True)
    with book_of(person, Door("import", Origin.IMPORTED, "import")) as book:
        book.remember("The staging database moved to port 1")
    assert person.prompt("Where is the staging database, and do we push straight to main?") == ""
    assert person.start() == ""


def test_a_prompt_within_a_hosts_wrapping_is_the_persons_words(person: Person) -> None:
    remember(person, FACT, "Croissants are baked on Sundays")
    wrapped = f"<hook_context>{FACT}</hook_context>\n\nWhen are croissants baked?"
    given = person.event("BeforeAgent", prompt=wrapped)
    brought = context_of(person.call(given, "gemini"))
    assert "Croissants" in brought
    assert FACT not in brought


def test_once_for_a_prompt_although_several_hooks_fire(person: Person) -> None:
    remember(person, FACT)
    given = person.event("UserPromptSubmit", prompt=ASKED)
    first = person.call(given)
    person.now -= 59_000  # a second later
    second = person.call(given, CURSOR_VERSION="2.1")
    assert FACT in first
    assert second == ""


# -- starts -----------------------------------------------------------------------------------


def test_a_start_brings_pins_then_instructions_then_preferences_then_tasks(person: Person) -> None:
    remember(person, "Open task of the week", kind="task")
    remember(person, "I like short answers", kind="preference")
    remember(person, "Never commit on Fridays", kind="instruction")
    remember(person, "The pinned thing", pinned=True)
    remember(person, "A plain fact that nobody asked for")
    lines = person.start().split("\n")[2:-1]
    assert [line.split(" (")[0] for line in lines] == [
        "- The pinned thing",
        "- Never commit on Fridays",
        "- I like short answers",
        "- Open task of the week",
    ]


def test_a_start_keeps_to_a_thousand_tokens(person: Person) -> None:
    for kind in ("instruction", "preference", "task"):
        remember(person, *(f"{kind} {number}: {'wide words ' * 20}" for number in range(30)), kind=kind)
    brought = person.start()
    assert 600 < estimate_tokens(brought) <= 1_001
    assert all(f"{kind} " in brought for kind in ("instruction", "preference", "task"))


def test_after_compaction_it_is_brought_again_and_after_a_resume_it_is_not(person: Person) -> None:
    remember(person, "Never commit on Fridays", kind="instruction")
    assert "Fridays" in person.start()
    assert person.start(source="resume") == ""
    assert "Fridays" in person.start(source="compact")
    assert "Fridays" in person.start(source="clear")


def test_of_other_projects_come_only_preferences_instructions_and_pins(person: Person, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    there = Book.over(book_of(person).caller.store, project_root=elsewhere).caller.project.id
    remember(person, FACT, "Task of the other project about the staging database", project=there)
    remember(person, "Never touch the staging database by hand", kind="instruction", project=there)
    with book_of(person) as book:
        book.remember("Finish the other project", kind="task", project=there)
        book.remember("The pin of another project", pinned=True, project=there)
    assert [FACT in person.prompt(ASKED), FACT in person.start()] == [False, False]
    started = person.start("s2")
    assert "by hand" in started
    assert "The pin" in started
    assert "Finish" not in started


# -- the person is in charge ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inject", "start", "prompt"), [("off", 0, 0), ("start", 1, 0), ("prompt", 0, 1), ("both", 1, 1)]
)
def test_inject_says_when_anything_is_brought(person: Person, inject: str, start: int, prompt: int) -> None:
    config(person, f'inject = "{inject}"')
    remember(person, "Never commit on Fridays", kind="instruction")
    remember(person, FACT)
    assert bool(person.start()) == bool(start)
    assert bool(person.prompt(ASKED)) == bool(prompt)
    if inject == "off":
        assert sum(session.tokens for session in person.state.sessions()) == 0


@pytest.mark.parametrize(
    ("own", "project", "holds"),
    [
        ("both", "off", "off"),
        ("off", "both", "off"),
        ("start", "prompt", "off"),
        ("both", "prompt", "prompt"),
        ("start", "both", "start"),
    ],
)
def test_a_project_may_only_restrict(person: Person, own: str, project: str, holds: str) -> None:
    config(person, f'inject = "{own}"')
    folder = person.project / ".commonplace"
    folder.mkdir()
    (folder / "config.toml").write_text(f'inject = "{project}"', encoding="utf-8")
    remember(person, "Never commit on Fridays", kind="instruction")
    remember(person, FACT)
    assert bool(person.start()) == (holds in ("start", "both"))
    assert bool(person.prompt(ASKED)) == (holds in ("prompt", "both"))


def test_a_pause_is_for_everything_and_ends(person: Person) -> None:
    remember(person, FACT)
    person.state.pause(person.now + 90_000)
    assert person.prompt(ASKED) == ""
    assert FACT in person.prompt(ASKED)
    person.state.pause(None)
    assert person.prompt(ASKED, "s2") == ""
    assert person.state.go_on()
    assert FACT in person.prompt(ASKED, "s3")


def test_private_folders_and_words_are_left_alone(person: Person) -> None:
    remember(person, FACT, "The salary of the team is on the intranet")
    config(person, 'private_patterns = "salar*team, nothing like this"')
    assert person.prompt("Where is the salary of the team?") == ""
    assert person.prompt("What is on the intranet of the team?") == ""
    config(person, f'private_paths = "/nowhere, {person.project.parent}"')
    assert person.prompt(ASKED) == ""


# -- faults -----------------------------------------------------------------------------------


def test_what_goes_wrong_is_noted_once_and_says_nothing(person: Person) -> None:
    person.book.write_bytes(b"this is no book at all" * 100)
    for _ in range(3):
        assert person.prompt(ASKED) == ""
    (trouble,) = person.state.troubles()
    assert "book" in trouble.what
    assert (trouble.host, trouble.moment) == (HOST, "prompt")


def test_a_book_that_is_not_there_is_no_trouble(person: Person) -> None:
    assert person.prompt(ASKED) == ""
    assert person.start() == ""
    assert person.state.troubles() == ()
    assert not person.book.exists()


def test_an_unknown_host_is_noted(person: Person) -> None:
    assert person.call(person.event("Stop"), "emacs") == ""
    assert "emacs" in person.state.troubles()[0].what


# -- state ------------------------------------------------------------------------------------


def test_the_state_has_ids_and_no_words_and_is_private(person: Person) -> None:
    remember(person, FACT)
    assert FACT in person.prompt(ASKED)
    files = [path for path in person.state.folder.rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert path.stat().st_mode & 0o077 == 0
        assert b"6543" not in path.read_bytes()
        assert b"staging" not in path.read_bytes()
    assert person.state.folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"brought": 7}', b'{"at": "x"}', b"\xff" * 99, b"{}" * 200_000]
)
def test_damaged_state_counts_as_none(person: Person, content: bytes) -> None:
    remember(person, FACT)
    assert person.prompt(ASKED)
    for path in [path for path in person.state.folder.rglob("*") if path.is_file()]:
        path.write_bytes(content)
    (person.state.folder / "waiting").mkdir(exist_ok=True)
    (person.state.folder / "waiting" / "abc").write_bytes(content)
    assert FACT in person.prompt(ASKED + " Tell me.")
    assert person.state.waiting(str(person.book)) == ()
    assert person.start() == ""


def test_state_is_bounded(tmp_path: Path) -> None:
    state = State(tmp_path)
    for number in range(700):
        assert state.claim(f"{number:032x}", 0)
        state.wait(Waiting(str(number), HOST, "/", "/t", "b", number))
        state.trouble(Trouble(number, HOST, "stop", f"{number} {'x' * 900}"))
        entry = Brought(number, "start", "mem_1", "pinned", 1)
        state.keep_session(BroughtSession(str(number), HOST, "/", number, 0, 1, (entry,) * 700))
    assert len(list((tmp_path / "moments").iterdir())) <= 300
    assert len(list((tmp_path / "sessions").iterdir())) <= 300
    assert len(list((tmp_path / "waiting").iterdir())) <= 750
    assert len(state.troubles()) == 50
    assert max(len(each.what) for each in state.troubles()) <= 300
    assert all(len(each.brought) <= 500 for each in state.sessions())


def test_something_learnt_is_told_once(person: Person) -> None:
    person.state.learnt(2)
    person.state.learnt(1)
    told = json.loads(person.call(person.event("SessionStart")))
    assert "learnt 3 things" in told["systemMessage"]
    assert person.call(person.event("SessionStart")) == ""


# -- a hostile repository -----------------------------------------------------------------------

ORIGIN = '[remote "origin"]\n\turl = git@example.org:team/shop.git\n'


def same_origin(root: Path, known: Path) -> None:
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text(ORIGIN)


def its_name_in_a_file(root: Path, known: Path) -> None:
    (root / ".git").mkdir()
    (root / ".commonplace").mkdir()
    (root / ".commonplace" / "project").write_text("shop\n")


def a_git_file_that_leads_there(root: Path, known: Path) -> None:
    (root / ".git").write_text(f"gitdir: {known / '.git'}\n")


def a_worktree_that_nobody_made(root: Path, known: Path) -> None:
    (root / "wt").mkdir()
    (root / "wt" / "commondir").write_text(str(known / ".git"))
    (root / "wt" / "gitdir").write_text(str(root / ".git"))
    (root / ".git").write_text(f"gitdir: {root / 'wt'}\n")


def a_link_to_its_git_folder(root: Path, known: Path) -> None:
    (root / ".git").symlink_to(known / ".git")


@pytest.mark.parametrize(
    "claim",
    [
        same_origin,
        its_name_in_a_file,
        a_git_file_that_leads_there,
        a_worktree_that_nobody_made,
        a_link_to_its_git_folder,
    ],
    ids=lambda claim: claim.__name__,
)
def test_a_hostile_repository_that_claims_a_known_project_is_brought_nothing(
    person: Person, tmp_path: Path, claim: Callable[[Path, Path], None]
) -> None:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (shop / ".git" / "config").write_text(ORIGIN)
    with book_of(person, root=shop) as book:
        book.remember(FACT)
        book.remember("Finish the migration of the shop", kind="task")
    hostile, person.project = person.project, shop
    assert FACT in person.prompt(ASKED, "at home")
    assert "Finish the migration" in person.start("at home")
    person.project = hostile
    claim(hostile, shop)
    assert person.prompt(ASKED, "abroad") == ""
    assert person.start("abroad") == ""


def test_a_better_answer_takes_the_place_of_what_was_noted_for_the_one_before(person: Person) -> None:
    found = Block(
        "- The staging server is heron", (Piece("mem_1", "- The staging server is heron", "fits the prompt"),)
    )
    for answers, noted in (((found, found), 1), ((found, Block()), 0)):
        event = read(Host.CLAUDE_CODE, person.event("UserPromptSubmit", prompt="which server?"), {})
        assert event is not None
        bringing = Bringing(Call(person.state, {}, NOW), event, load({}, {}), Private.of("", ""), Said())
        for block in answers:
            bringing.offer(block)
        (session,) = person.state.sessions()
        assert len(session.brought) == noted
        shutil.rmtree(person.home / ".local")
