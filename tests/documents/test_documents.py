"""Documents on the shelf: real files, what they are cut into, and what becomes of them when files change."""

import io
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.book.book import Book
from commonplace.documents import ingest
from commonplace.documents.chunking import pieces
from commonplace.documents.documents import SEARCH_LIMIT, Documents
from commonplace.documents.folders import FILE_SIZE_LIMIT
from commonplace.documents.ingest import STAMP_COUNTS_FROM, Chunk, DocumentState, Looked
from commonplace.domain.query import QUERY_LENGTH_LIMIT
from commonplace.domain.scope import Principal, Right, Scope
from commonplace.errors import Denied, InvalidInput, NotFound, SecretRefused
from commonplace.workspace.project import scope_of
from tests.conftest import ManualClock, OpenBook

GUIDE = "# Guide\n\nHow we work.\n\n## Deploys\n\nDeploys are on Monday.\n\n## Lunch\n\nLunch is at noon.\n"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder.resolve()


@pytest.fixture
def shelf(open_book: OpenBook, root: Path) -> Documents:
    return open_book(project_root=root).documents


@pytest.fixture
def guide(root: Path) -> Path:
    return written(root / "docs" / "guide.md", GUIDE)


def written(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def ids(shelf: Documents, name: str = "docs/guide.md") -> list[str]:
    return [chunk.id for chunk in shelf.chunks(name)]


def outline(looked: Looked) -> tuple[int, int, int, int]:
    return len(looked.added), len(looked.changed), len(looked.missing), looked.unchanged


# -- adding -----------------------------------------------------------------------------------


def test_a_file_is_on_the_shelf_in_chunks(shelf: Documents, guide: Path, clock: ManualClock) -> None:
    (document,) = shelf.add(guide).added
    assert (document.place, document.state, document.chunks) == ("docs/guide.md", DocumentState.PRESENT, 3)
    assert (document.read_at, document.stamp.size) == (clock(), len(GUIDE))
    chunks = shelf.chunks("docs/guide.md")
    assert [chunk.title for chunk in chunks] == [("Guide",), ("Guide", "Deploys"), ("Guide", "Lunch")]
    deploys = chunks[1]
    assert deploys.content == "## Deploys\n\nDeploys are on Monday."
    assert (deploys.line_start, deploys.line_end, deploys.place) == (5, 7, "docs/guide.md")
    assert deploys.token_count == 9
    assert shelf.get_chunk(deploys.id) == deploys


def test_a_file_is_known_again(shelf: Documents, guide: Path) -> None:
    first = shelf.add(guide)
    assert outline(first) == (1, 0, 0, 0)
    assert outline(shelf.add(guide)) == (0, 0, 0, 1)
    assert outline(shelf.add(guide.parent)) == (0, 0, 0, 1)
    assert shelf.list() == first.added


def test_a_folder_is_added_with_what_is_in_its_folders(shelf: Documents, root: Path) -> None:
    for name in ("b.md", "a.txt", "deep/er/c.py", ".hidden/d.md", ".e.md", "node_modules/f.md"):
        written(root / name, f"text of {name}")
    assert [document.place for document in shelf.add(root).added] == ["a.txt", "b.md", "deep/er/c.py"]


@pytest.mark.parametrize(
    ("patterns", "places"),
    [
        (("*.md",), ["b.md", "deep/c.md"]),
        (("deep/*",), ["deep/c.md", "deep/d.txt"]),
        (("*.txt", "b.*"), ["a.txt", "b.md", "deep/d.txt"]),
        (("*.rst",), []),
    ],
)
def test_patterns_choose_among_the_files_of_a_folder(
    shelf: Documents, root: Path, patterns: tuple[str, ...], places: list[str]
) -> None:
    for name in ("a.txt", "b.md", "deep/c.md", "deep/d.txt"):
        written(root / name, f"text of {name}")
    assert [document.place for document in shelf.add(root, patterns=patterns).added] == places


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("picture.md", b"\x89PNG\x00\x00", "binary"),
        ("latin.txt", "Grüße".encode("latin-1"), "not UTF-8"),
        ("cut.txt", "Grüße".encode()[:3], "not UTF-8"),
        ("wide.txt", "text".encode("utf-16"), "binary"),
    ],
)
def test_what_is_not_text_is_skipped_and_named(
    shelf: Documents, root: Path, name: str, content: bytes, reason: str
) -> None:
    written(root / name, content)
    written(root / "good.md", "good")
    looked = shelf.add(root)
    assert [document.place for document in looked.added] == ["good.md"]
    assert [(each.place, reason in each.reason) for each in looked.skipped] == [(name, True)]


def test_a_file_that_is_too_large_is_skipped_and_named(shelf: Documents, root: Path) -> None:
    with (root / "huge.log").open("wb") as file:
        file.truncate(FILE_SIZE_LIMIT + 1)
    (skipped,) = shelf.add(root).skipped
    assert (skipped.place, "16,000,001 bytes" in skipped.reason) == ("huge.log", True)


def test_a_large_file_is_read_in_batches_and_found_to_its_end(shelf: Documents, root: Path) -> None:
    chance = random.Random(3)
    words = [f"word{place}" for place in range(500)]
    lines = [" ".join(chance.choices(words, k=12)) for _ in range(16_000)]
    assert len("\n".join(lines)) > STAMP_COUNTS_FROM
    path = written(root / "large.log", "\n".join([*lines, "the heron sleeps"]))
    (document,) = shelf.add(path).added
    assert document.chunks > 500
    assert "the heron sleeps" in shelf.search("heron")[0].chunk.content
    assert outline(shelf.refresh()) == (0, 0, 0, 1)


def test_links_are_not_followed(shelf: Documents, root: Path, tmp_path: Path) -> None:
    outside = written(tmp_path / "outside" / "private.md", "not yours")
    written(root / "docs" / "mine.md", "mine")
    (root / "docs" / "link.md").symlink_to(outside)
    (root / "docs" / "folder").symlink_to(outside.parent, target_is_directory=True)
    (root / "docs" / "loop").symlink_to(root / "docs", target_is_directory=True)
    looked = shelf.add(root / "docs")
    assert [document.place for document in looked.added] == ["docs/mine.md"]
    assert [(each.place, "link" in each.reason) for each in looked.skipped] == [("docs/link.md", True)]


def test_a_file_that_became_a_link_is_not_read_again(shelf: Documents, guide: Path, tmp_path: Path) -> None:
    shelf.add(guide)
    outside = written(tmp_path / "outside.md", "# Guide\n\nsomebody else's words\n")
    guide.unlink()
    guide.symlink_to(outside)
    assert outline(shelf.refresh()) == (0, 0, 1, 0)
    assert shelf.search("somebody") == ()


def test_a_folder_that_became_a_link_is_not_read_again(shelf: Documents, guide: Path, tmp_path: Path) -> None:
    shelf.add(guide)
    written(tmp_path / "outside" / "guide.md", "somebody else's words")
    guide.parent.rename(tmp_path / "moved")
    guide.parent.symlink_to(tmp_path / "outside", target_is_directory=True)
    assert outline(shelf.refresh()) == (0, 0, 1, 0)


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\t\r\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_a_document_without_chunks(shelf: Documents, root: Path, content: bytes) -> None:
    (document,) = shelf.add(written(root / "empty.md", content)).added
    assert (document.chunks, shelf.chunks("empty.md")) == (0, ())


def test_line_ends_and_a_byte_order_mark_make_no_difference(shelf: Documents, root: Path) -> None:
    plain = shelf.add(written(root / "a.md", GUIDE)).added[0]
    before = [(chunk.content, chunk.line_start, chunk.line_end) for chunk in shelf.chunks(plain.id)]
    for content in (GUIDE.replace("\n", "\r\n"), "\ufeff" + GUIDE, GUIDE.replace("\n", "\r")):
        kept = ids(shelf, "a.md")
        written(root / "a.md", content)
        assert outline(shelf.refresh()) == (0, 1, 0, 0)
        assert ids(shelf, "a.md") == kept
        assert [(chunk.content, chunk.line_start, chunk.line_end) for chunk in shelf.chunks("a.md")] == before


def test_every_script_is_kept_and_found(shelf: Documents, root: Path) -> None:
    text = "# Ünïcödé 🦩\n\nデプロイは月曜日です\u2028Straße e\u0301\n"
    shelf.add(written(root / "名前 with blanks.md", text))
    (passage,) = shelf.search("月曜日")
    assert (passage.chunk.place, passage.chunk.title) == ("名前 with blanks.md", ("Ünïcödé 🦩",))
    assert passage.chunk.content == text.strip()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_that_is_not_utf8_is_skipped(shelf: Documents, root: Path) -> None:
    (root / os.fsdecode(b"caf\xe9.md")).write_text("text")
    (skipped,) = shelf.add(root).skipped
    assert "not UTF-8" in skipped.reason
    skipped.place.encode()


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read_is_skipped_and_stays_as_it_was(shelf: Documents, guide: Path) -> None:
    shelf.add(guide)
    guide.chmod(0)
    looked = shelf.refresh()
    assert (outline(looked), len(looked.skipped)) == ((0, 0, 0, 0), 1)
    assert len(ids(shelf)) == 3


@pytest.mark.parametrize("name", ["nowhere.md", "docs/guide.md/inside", "a\x00b", "x" * 5_000])
@pytest.mark.usefixtures("guide")
def test_a_path_that_is_not_there_is_refused(shelf: Documents, root: Path, name: str) -> None:
    with pytest.raises(NotFound):
        shelf.add(root / name)


def test_a_text_is_a_document_under_its_name(shelf: Documents) -> None:
    (document,) = shelf.add_text("notes.md", "# Notes\r\n\r\nHeron is staging.\r\n").added
    assert (document.place, document.from_file) == ("notes.md", False)
    assert shelf.chunks("notes.md")[0].content == "# Notes\n\nHeron is staging."
    assert outline(shelf.add_text("notes.md", "# Notes\r\n\r\nHeron is staging.\r\n")) == (0, 0, 0, 1)
    assert outline(shelf.add_text("notes.md", "Heron is gone.")) == (0, 1, 0, 0)
    assert [chunk.content for chunk in shelf.chunks("notes.md")] == ["Heron is gone."]
    assert outline(shelf.refresh()) == (0, 0, 0, 0), "a text has no file to look at"


@pytest.mark.parametrize(
    ("name", "text"), [("", "x"), ("a\nb", "x"), ("a.md", "\x00"), ("a.md", "\ud800"), ("a.md", "x" * 16_000_001)]
)
def test_a_text_that_cannot_be_kept_is_refused(shelf: Documents, name: str, text: str) -> None:
    with pytest.raises(InvalidInput):
        shelf.add_text(name, text)
    assert shelf.list() == ()


def test_progress_is_told_from_none_to_all(shelf: Documents, root: Path) -> None:
    for place in range(3):
        written(root / f"{place}.md", "text")
    told: list[tuple[int, int]] = []
    shelf.add(root, progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


@given(st.lists(st.sampled_from(["same", "same", "other", "# H", "", "x" * 3_000]), max_size=30).map("\n\n".join))
def test_ids_are_unique_and_cover_the_text(text: str) -> None:
    from tempfile import TemporaryDirectory

    from commonplace.store.sqlite import SqliteStore

    with TemporaryDirectory() as folder, Book.over(SqliteStore(Path(folder, "book.db"))) as book:
        book.documents.add_text("a.md", text)
        chunks = book.documents.chunks("a.md")
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert "".join("".join(chunk.content for chunk in chunks).split()) == "".join(text.split())


def test_the_same_words_said_twice_are_two_chunks(shelf: Documents) -> None:
    shelf.add_text("a.md", "# TODO\n\nnothing\n\n# TODO\n\nnothing\n")
    first, second = shelf.chunks("a.md")
    assert (first.content, first.id != second.id) == (second.content, True)


# -- secrets ----------------------------------------------------------------------------------


def test_a_chunk_with_a_secret_is_left_out_and_named_by_its_lines(shelf: Documents, root: Path) -> None:
    text = f"# One\n\nDeploys are on Monday.\n\n# Two\n\nThe token is {TOKEN}\n\n# Three\n\nLunch is at noon.\n"
    looked = shelf.add(written(root / "a.md", text))
    assert [chunk.title for chunk in shelf.chunks("a.md")] == [("One",), ("Three",)]
    (skipped,) = looked.skipped
    assert (skipped.place, "lines 5 to 7" in skipped.reason, TOKEN in skipped.reason) == ("a.md", True, False)
    assert TOKEN.encode() not in b"".join(file.read_bytes() for file in root.parent.glob("book.db*"))


def test_a_secret_across_the_edge_of_two_chunks_is_in_neither(shelf: Documents) -> None:
    across = 0
    for before in range(1_000, 3_000, 19):
        text = "x," * (before // 2) + TOKEN + ",y" * 1_500
        across += not any(TOKEN in piece.content for piece in pieces(io.StringIO(text), markdown=False))
        shelf.add_text("a.txt", text)
        stored = "".join(chunk.content for chunk in shelf.chunks("a.txt"))
        assert not any(part in stored for part in (TOKEN[4:16], TOKEN[-12:]))
    assert across >= 2


def test_no_chunk_stands_under_a_heading_with_a_secret(shelf: Documents) -> None:
    shelf.add_text("a.md", f"# {TOKEN}\n\nOne.\n\n## Below\n\nTwo.\n\n# Fine\n\nThree.\n")
    assert [chunk.title for chunk in shelf.chunks("a.md")] == [("Fine",)]


def test_a_name_with_a_secret_is_refused(shelf: Documents, root: Path) -> None:
    with pytest.raises(SecretRefused):
        shelf.add_text(f"{TOKEN}.md", "text")
    written(root / f"{TOKEN}.md", "text")
    looked = shelf.add(root)
    assert (looked.added, len(looked.skipped)) == ((), 1)


# -- files that change ------------------------------------------------------------------------


def test_an_edit_keeps_the_ids_of_what_it_did_not_touch_though_lines_shift(shelf: Documents, guide: Path) -> None:
    shelf.add(guide)
    intro, deploys, lunch = ids(shelf)
    guide.write_text(GUIDE.replace("How we work.", "How we work,\nand why.\n\nSince 2020."))
    assert outline(shelf.refresh()) == (0, 1, 0, 0)
    new_intro, *rest = ids(shelf)
    assert rest == [deploys, lunch]
    assert new_intro != intro
    assert shelf.get_chunk(lunch).line_start == 12
    with pytest.raises(NotFound):
        shelf.get_chunk(intro)


def test_an_edit_of_the_same_length_is_seen(shelf: Documents, guide: Path) -> None:
    shelf.add(guide)
    stamp = guide.stat()
    guide.write_text(GUIDE.replace("Monday", "Friday"))
    os.utime(guide, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert outline(shelf.refresh()) == (0, 1, 0, 0)


def test_a_file_that_was_only_touched_is_not_read_again(shelf: Documents, guide: Path) -> None:
    shelf.add(guide)
    os.utime(guide, ns=(1, 1))
    assert outline(shelf.refresh()) == (0, 0, 0, 1)
    assert shelf.get("docs/guide.md").stamp.modified_ns == 1


def test_a_deleted_file_leaves_a_document_that_is_missing_and_comes_back_with_its_ids(
    shelf: Documents, guide: Path
) -> None:
    shelf.add(guide)
    before = ids(shelf)
    guide.unlink()
    looked = shelf.refresh()
    assert (outline(looked), looked.skipped) == ((0, 0, 1, 0), ())
    assert (shelf.get("docs/guide.md").state, ids(shelf), shelf.search("deploys")) == (DocumentState.MISSING, [], ())
    assert outline(shelf.refresh()) == (0, 0, 0, 0), "it is told once"
    guide.write_text(GUIDE)
    assert outline(shelf.refresh()) == (0, 1, 0, 0)
    assert ids(shelf) == before


def test_a_file_that_is_no_text_any_more_is_missing_and_named(shelf: Documents, guide: Path) -> None:
    shelf.add(guide)
    guide.write_bytes(b"\x00\x01")
    looked = shelf.refresh()
    assert (outline(looked), [each.place for each in looked.skipped]) == ((0, 0, 1, 0), ["docs/guide.md"])


def test_a_document_whose_reading_was_cut_short_is_read_again(
    shelf: Documents, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(root / "a.txt", "\n\n".join(f"{place} " + "lorem " * 150 for place in range(900)))
    assert shelf.add(path).skipped == ()
    whole = ids(shelf, "a.txt")
    assert len(whole) > 300
    path.write_text(path.read_text().replace("lorem", "ipsum"))

    def stop(document: str, ids: frozenset[str]) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ingest, "_keep_only", stop)
        with pytest.raises(KeyboardInterrupt):
            shelf.refresh()
    assert shelf.get("a.txt").state is DocumentState.READING
    path.write_text(path.read_text().replace("ipsum", "lorem"))
    assert outline(shelf.refresh()) == (0, 1, 0, 0)
    assert ids(shelf, "a.txt") == whole


# -- places and scopes ------------------------------------------------------------------------


def test_a_place_within_the_project_is_relative_and_one_outside_is_whole(
    shelf: Documents, guide: Path, tmp_path: Path
) -> None:
    outside = written(tmp_path / "elsewhere" / "a.md", "text").resolve()
    assert [document.place for document in shelf.add(guide, outside).added] == ["docs/guide.md", outside.as_posix()]
    assert outline(shelf.add(guide, scope="user")) == (0, 0, 0, 1)  # one's own, about this project, is what they are
    assert [document.place for document in shelf.add(guide, scope="team:core").added] == [guide.as_posix()]


def test_documents_of_another_project_are_left_alone_by_a_refresh_from_here(
    open_book: OpenBook, root: Path, guide: Path, tmp_path: Path
) -> None:
    open_book(project_root=root).documents.add(guide)
    open_book(project_root=root).documents.add(guide, scope="project")
    other = tmp_path / "other"
    other.mkdir()
    here = open_book(project_root=other).documents
    assert [document.project for document in here.list()] == [scope_of(root).id]
    assert outline(here.refresh()) == (0, 0, 0, 0)
    assert outline(here.refresh(scope=scope_of(root))) == (0, 0, 0, 0)
    assert len(here.list(scopes=[scope_of(root)])) == 1


def test_what_was_put_into_the_projects_scope_before_is_read_again_there(
    open_book: OpenBook, root: Path, guide: Path
) -> None:
    shelf = open_book(project_root=root).documents
    shelf.add(guide, scope="project")
    guide.write_text("another text")
    assert outline(shelf.add(guide)) == (0, 1, 0, 0)
    assert [(document.scope, document.project) for document in shelf.list()] == [(scope_of(root), None)]


def test_files_of_one_name_in_two_projects_are_two_documents(open_book: OpenBook, tmp_path: Path) -> None:
    for name in ("shop", "till"):
        file = written(tmp_path / name / "README.md", f"The {name} is open")
        assert outline(open_book(project_root=file.parent).documents.add(file)) == (1, 0, 0, 0)
    assert len(open_book(project_root=tmp_path / "shop").documents.list()) == 2


def test_a_book_used_through_another_door_knows_the_project_folder(
    open_book: OpenBook, root: Path, guide: Path
) -> None:
    book = open_book(project_root=root)
    book.documents.add(guide)
    guide.unlink()
    assert outline(book.through(book.door).documents.refresh()) == (0, 0, 1, 0)


def test_whoever_is_in_another_project_does_not_get_this_one_s_folder(
    open_book: OpenBook, root: Path, guide: Path
) -> None:
    book = open_book(project_root=root)
    book.documents.add(guide)
    guide.unlink()
    elsewhere = book.seen_by(book.principal, book.door, Scope.parse("project:other"))
    assert outline(elsewhere.documents.refresh(scope=scope_of(root))) == (0, 0, 0, 0)


def test_without_a_project_documents_are_your_own(open_book: OpenBook) -> None:
    book = open_book(principal=Principal(user="ada"))
    assert str(book.documents.add_text("a.md", "text").added[0].scope) == "user:ada"


def test_another_tenant_sees_nothing(open_book: OpenBook, root: Path, guide: Path) -> None:
    mine = open_book(project_root=root).documents
    mine.add(guide)
    theirs = open_book(principal=Principal(tenant="other"), project_root=root).documents
    assert_sees_nothing(theirs, mine.chunks("docs/guide.md")[0], mine.list()[0].id)
    assert theirs.list() == theirs.search("deploys") == ()


def test_another_user_sees_nothing_of_your_own_documents(open_book: OpenBook) -> None:
    ada = open_book(principal=Principal(user="ada")).documents
    ada.add_text("a.md", "Deploys are on Monday")
    bob = open_book(principal=Principal(user="bob")).documents
    assert_sees_nothing(bob, ada.chunks("a.md")[0], ada.list()[0].id)
    assert bob.list() == bob.search("deploys") == ()
    for deed in (bob.list, lambda scopes: bob.search("deploys", scopes=scopes)):
        with pytest.raises(InvalidInput):
            deed(scopes=["user:ada"])
    assert len(ada.list()) == 1


def assert_sees_nothing(shelf: Documents, chunk: Chunk, document: str) -> None:
    unknown = "There is no"
    for deed in (
        lambda: shelf.get_chunk(chunk.id),
        lambda: shelf.get(document),
        lambda: shelf.chunks(document),
        lambda: shelf.remove(document),
    ):
        with pytest.raises(NotFound, match=unknown):
            deed()


@pytest.mark.parametrize("right", list(Right))
def test_rights_are_required(open_book: OpenBook, guide: Path, right: Right) -> None:
    shelf = open_book(principal=Principal(rights=frozenset({right}))).documents
    reads = (shelf.list, lambda: shelf.search("x"), lambda: shelf.get_chunk("x"), lambda: shelf.get("x"))
    writes = (lambda: shelf.add(guide), shelf.refresh, lambda: shelf.remove("x"), lambda: shelf.add_text("a", "b"))
    for needed, deeds in ((Right.READ, reads), (Right.WRITE, writes)):
        for deed in deeds if needed is not right else ():
            with pytest.raises(Denied):
                deed()


# -- finding and removing ---------------------------------------------------------------------


def test_a_search_brings_the_best_chunk_first(shelf: Documents, guide: Path) -> None:
    shelf.add(guide)
    shelf.add_text("other.md", "Monday is a day.\n\nNothing happens.")
    passages = shelf.search("when are deploys on monday?")
    assert passages[0].chunk.title == ("Guide", "Deploys")
    assert [passage.score for passage in passages] == sorted((each.score for each in passages), reverse=True)
    assert len(shelf.search("monday", 1)) == 1
    assert shelf.search("zebra") == ()


def test_a_chunk_is_found_by_the_headings_above_it(shelf: Documents) -> None:
    shelf.add_text("a.md", "# Flamingo\n\n" + "\n\n".join(f"{place} " + "lorem " * 100 for place in range(20)))
    assert len({passage.chunk.id for passage in shelf.search("flamingo", 50)}) == shelf.get("a.md").chunks > 5


@pytest.mark.parametrize(
    ("query", "limit"), [("", 5), ("x", 0), ("x", SEARCH_LIMIT + 1), ("x" * (QUERY_LENGTH_LIMIT + 1), 5)]
)
def test_a_search_that_makes_no_sense_is_refused(shelf: Documents, query: str, limit: int) -> None:
    with pytest.raises(InvalidInput):
        shelf.search(query, limit)


def test_a_document_is_removed_by_id_by_place_or_with_its_folder(
    shelf: Documents, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.md", "docs/b.md", "docs/c.md", "docs/d/e.md", "docsx.md"):
        written(root / name, f"words of {name}")
    shelf.add(root)
    assert [each.place for each in shelf.remove("./a.md").documents] == ["a.md"]
    assert [each.place for each in shelf.remove(shelf.get("docs/b.md").id).documents] == ["docs/b.md"]
    monkeypatch.chdir(root / "docs")
    assert [each.place for each in shelf.remove("c.md").documents] == ["docs/c.md"]
    assert [each.place for each in shelf.remove(str(root / "docs")).documents] == ["docs/d/e.md"]
    assert [each.place for each in shelf.list()] == ["docsx.md"]
    assert [passage.chunk.place for passage in shelf.search("words")] == ["docsx.md"]
    with pytest.raises(NotFound):
        shelf.remove("docs")


def test_a_folder_is_not_one_document(shelf: Documents, root: Path) -> None:
    for name in ("docs/b.md", "docs/c.md"):
        written(root / name, "text")
    shelf.add(root)
    with pytest.raises(InvalidInput, match="folder of 2"):
        shelf.get("docs")


# -- several at once --------------------------------------------------------------------------

ADDER = """
import sys
from pathlib import Path
from commonplace.book.book import Book
from commonplace.store.sqlite import SqliteStore
book, root = map(Path, sys.argv[1:])
with Book.over(SqliteStore(book), project_root=root) as book:
    sys.stdin.readline()
    looked = book.documents.add(root)
    print(len(looked.added) + len(looked.changed) + looked.unchanged, len(looked.skipped))
"""


def test_two_processes_that_add_the_same_folder_make_each_document_once(
    open_book: OpenBook, root: Path, tmp_path: Path
) -> None:
    for place in range(60):
        paragraphs = [f"{place} {number} " + "lorem " * 120 for number in range(20)]
        written(root / f"{place}.md", "\n\n".join(paragraphs))
    command = [sys.executable, "-c", ADDER, str(tmp_path / "book.db"), str(root)]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in running:
        out, err = process.communicate(timeout=120)
        assert (out.split(), err) == (["60", "0"], "")
    book = open_book(project_root=root)
    assert len(book.documents.list()) == 60
    for document in book.documents.list():
        assert (document.state, len(book.documents.chunks(document.id))) == (DocumentState.PRESENT, document.chunks)
    assert outline(book.documents.refresh()) == (0, 0, 0, 60)
    assert [finding for finding in book.care.doctor() if not finding.ok] == []
