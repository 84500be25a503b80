"""Nuzo's command line: its lines, options and exit codes, and drafts that a person confirms."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from commonplace.book.book import Book
from commonplace.cli import main
from commonplace.cli.session import CommandSession
from commonplace.domain.memory import Origin
from tests.contracts.client import serving
from tests.contracts.requirements import requires
from tests.contracts.test_nuzo_memory import ELEVEN, SECRETS, TIME, ULID, project_scope
from tests.warm import command

TIMEOUT_SECONDS = 60


class Answer(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[list[str]]:
        """The cells of every line of an answer that is no error."""
        assert self.code == 0, self
        return [line.split("\t") for line in self.out.splitlines()]

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def refusal(self) -> str:
        """The code of an error: one line on stderr, the code before the sentence."""
        assert self.code == 1, self
        (line,) = self.err.splitlines()
        return line.partition(": ")[0]


Nuzo = Callable[..., Answer]


@pytest.fixture
def nuzo(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Nuzo:
    """`commonplace memory` in this process, in a project of its own."""
    monkeypatch.chdir(project)
    monkeypatch.setenv("COMMONPLACE_MODEL", "none")

    def call(*words: str, stdin: str = "", before: tuple[str, ...] = ()) -> Answer:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main([*before, "memory", *words])
        return Answer(code, *capsys.readouterr())

    return call


def stored(nuzo: Nuzo, text: str, *words: str, kind: str = "fact") -> str:
    ((id,),) = nuzo("remember", text, "--kind", kind, *words).lines
    return id


# -- the operations ---------------------------------------------------------------------------


@requires("nuzo.cli.remember", "nuzo.cli.tags", "nuzo.cli.recall", "nuzo.cli.list", "nuzo.cli.update")
def test_the_commands_of_the_document_print_their_lines(nuzo: Nuzo) -> None:
    id = stored(nuzo, "The user prefers concise output.", "--tag", "codex", "style", "--tag", "cli", kind="preference")
    assert re.fullmatch(f"mem_{ULID}", id)
    record = nuzo("list", "--json").json["memories"][0]
    assert record["tags"] == ["codex", "style", "cli"]
    assert (record["source"], record["scope"]) == ("nuzo:cli", "user:default")
    ((found, score, content),) = nuzo("recall", "output style").lines
    assert (found, content) == (id, "The user prefers concise output.")
    assert 0 < float(score) <= 1
    assert len(score.removeprefix("0.").lstrip("0")) <= 4
    assert nuzo("list", "--tag", "codex").lines == [[id, "preference", content]]
    assert nuzo("list", "--tag", "codex", "other").lines == []
    assert nuzo("update", id, "--content", "The user prefers\nconcise final answers.").lines == [[id]]
    assert nuzo("list").lines == [[id, "preference", "The user prefers concise final answers."]]
    assert nuzo("update", id, "--kind", "note", "--confidence", "0.5", "--tag", "x").lines == [[id]]
    assert nuzo("forget", id, "--archive").out == "Archived\n"
    assert nuzo("list").lines == []
    assert nuzo("list", "--include-archived").lines[0][1] == "note archived"
    assert stored(nuzo, "x", "--source", "codex:cli")
    assert nuzo("list", "--json").json["memories"][0]["source"] == "codex:cli"


@requires("nuzo.cli.history", "nuzo.cli.forget")
def test_history_and_forget_print_what_happened(nuzo: Nuzo) -> None:
    id = stored(nuzo, "herons", "--tag", "birds")
    nuzo("recall", "herons")
    assert nuzo("forget", id, "--archive", "--delete", "--yes").refusal == "MEMORY_FORGET_MODE_CONFLICT"
    assert nuzo("forget", id, "--delete").refusal == "MEMORY_DELETE_CONFIRMATION_REQUIRED"
    created, recalled = nuzo("history", id).lines
    assert re.fullmatch(TIME, created[0])
    assert created[1:3] == ["memory.created", "nuzo:cli"]
    assert json.loads(created[3]) == {"kind": "fact", "scope": "user:default", "tags": ["birds"]}
    assert recalled[1] == "memory.recalled"
    assert nuzo("forget", id, "--delete", "--yes", "--reason", "over").out == "Deleted\n"
    assert json.loads(nuzo("history", id).lines[-1][3]) == {"reason": "over"}
    assert nuzo("forget", id).refusal == "MEMORY_NOT_FOUND"
    assert nuzo("history", "mem_unknown").lines == []


@requires("nuzo.cli.forget_many", "nuzo.cli.scope")
def test_forget_many_works_by_tag_and_by_scope(nuzo: Nuzo) -> None:
    own = stored(nuzo, "own", "--tag", "obsolete")
    here = stored(nuzo, "here", "--scope", "project:auto", "--tag", "obsolete")
    preview = [["Preview", "matched=2", "affected=0", "mode=archive"], [here], [own]]
    assert nuzo("forget-many", "--tag", "obsolete").lines == preview
    applied = [["Applied", "matched=1", "affected=1", "mode=archive"], [here]]
    assert nuzo("forget-many", "--scope", "project:auto", "--apply").lines == applied
    again = stored(nuzo, "again", "--scope", "project:auto")
    assert nuzo("--scope", "project:auto", "forget-many", "--apply").lines[1:] == [[again]]
    assert nuzo("forget-many").refusal == "MEMORY_BULK_SELECTOR_REQUIRED"
    assert nuzo("forget-many", "--all", "--tag", "x").refusal == "MEMORY_BULK_SELECTOR_CONFLICT"
    refused = nuzo("forget-many", "--all", "--apply", "--delete")
    assert refused.refusal == "MEMORY_DELETE_CONFIRMATION_REQUIRED"
    done = nuzo("forget-many", "--all", "--apply", "--delete", "--yes", "--reason", "over")
    assert done.lines == [["Applied", "matched=1", "affected=1", "mode=delete"], [own]]


@requires("nuzo.cli.scope", "nuzo.cli.same_operations")
def test_store_scope_and_project_stand_before_and_after(nuzo: Nuzo, tmp_path: Path) -> None:
    store, folder = str(tmp_path / "other.sqlite"), tmp_path / "folder"
    folder.mkdir()
    common = ("--store", store, "--scope", "project:auto", "--project", str(folder))
    ids = [
        nuzo("remember", "herons one", "--kind", "fact", *common).out.strip(),
        nuzo(*common, "remember", "herons two", "--kind", "fact").out.strip(),
        nuzo("remember", "herons three", "--kind", "fact", before=common).out.strip(),
    ]
    assert nuzo("list").lines == []
    shown = nuzo(*common, "list", "--json").json
    assert [each["id"] for each in shown["memories"]] == ids[::-1]
    assert {each["scope"] for each in shown["memories"]} == {project_scope(folder)}
    assert nuzo("recall", "herons", "--store", store).lines == []
    everywhere = nuzo("recall", "herons", "--include-global", *common)
    assert {line[0] for line in everywhere.lines} == set(ids)
    assert nuzo("recall", "herons", "--limit", "1", *common, "--json").json["results"][0]["reason"] == (
        "Matched herons term."
    )
    assert nuzo("list", "--scope", "user:default", "--scope", "project:auto").code == 2
    assert len(nuzo("list", "--store", store, "--project", str(folder), "--scope", "project").lines) == 3


@requires("nuzo.cli.same_operations", "nuzo.model.shared_store")
def test_the_json_of_a_command_is_the_body_of_its_tool(nuzo: Nuzo, tmp_path: Path, project: Path) -> None:
    store = ("--store", str(tmp_path / "book.db"))
    id = stored(nuzo, "Herons nest in March.", *store)
    with serving("nuzo", tmp_path / "book.db", project) as client:
        assert nuzo("list", "--json", *store).json == client.call("memory.list")
        assert nuzo("history", id, "--json", *store).json == client.call("memory.history", id=id)
        body = client.refusal("memory.remember", content=" ", kind="fact")
    refused = nuzo("remember", " ", "--kind", "fact", "--json", *store)
    assert refused.json == body
    assert refused.refusal == "MEMORY_CONTENT_EMPTY"


@requires("nuzo.cli.export", "nuzo.cli.import", "nuzo.cli.markdown")
def test_export_and_import_move_memories(nuzo: Nuzo, project: Path, tmp_path: Path) -> None:
    stored(nuzo, "Use `code` and\n````\nfences", "--tag", "x")
    stored(nuzo, "elsewhere", "--scope", "agent:reviewer")
    document = nuzo("export").json
    assert [item["content"] for item in document["memories"]] == ["Use `code` and\n````\nfences"]
    path = project / "memories.memory.export.json"
    assert nuzo("export", "--path", str(path)).out == f"Exported 1 memories to {path}\n"
    assert nuzo("export", "--path", str(path)).code == 0
    assert path.stat().st_mode & 0o077 == 0
    assert json.loads(path.read_text())["memories"] == document["memories"]
    other = ("--store", str(tmp_path / "other.db"))
    assert nuzo("import", str(path), "--dry-run", *other).out == "Would import 1 memories\n"
    assert nuzo("import", str(path), *other).out == "Imported 1 memories\n"
    assert nuzo("import", str(path), *other).out == "Imported 0 memories, skipped 1\n"
    assert nuzo("import", str(path), "--scope", "project:auto", *other).out == "Imported 1 memories\n"
    assert nuzo("import", "-", *other, stdin=path.read_text()).out == "Imported 0 memories, skipped 1\n"
    readable = project / "memories.memory.export.md"
    assert nuzo("export", "--path", str(readable)).code == 0
    text = readable.read_text()
    assert text.startswith("# Nuzo Memory Export\n")
    for part in ("count: 1\n", "## Memories\n", "### Memory 1\n", 'tags:\n  - "x"\n', "`````text\nUse `code`"):
        assert part in text
    assert nuzo("export", "--format", "markdown").out.startswith("# Nuzo Memory Export")
    empty = nuzo("export", "--format", "markdown", "--tag", "none").out
    assert empty.endswith("## Memories\n\n_No memories exported._\n")
    assert nuzo("import", str(readable), *other).refusal == "MEMORY_EXPORT_INVALID"
    assert nuzo("import", str(project / "missing.json")).code == 1


# -- init and doctor --------------------------------------------------------------------------


@requires("nuzo.cli.init", "nuzo.cli.doctor")
def test_init_makes_the_store_and_nothing_else(nuzo: Nuzo, clean_environment: Path, project: Path) -> None:
    def files() -> set[str]:
        return {path.name for path in clean_environment.rglob("*") if path.is_file()}

    before = nuzo("doctor")
    assert (before.code, files()) == (0, set())
    assert "Store exists: no\n" in before.out
    assert before.out.endswith("Status: warning\n")
    document = nuzo("doctor", "--json").json
    assert (document["ok"], document["store"]["exists"], document["store"]["readable"]) == (False, False, False)
    assert f"Warning: {document['warnings'][0]}\n" in before.out
    first = nuzo("init")
    assert [line[0].partition(":")[0] for line in first.lines] == ["Nuzo initialized", "Store", "Scope", "Network"]
    assert first.out.endswith("Scope: user:default\nNetwork: disabled\n")
    assert files() == {"book.db"}
    stored(nuzo, "herons")
    assert nuzo("init") == first
    assert len(nuzo("list").lines) == 1
    assert list(project.iterdir()) == []
    lines = [line[0] for line in nuzo("doctor").lines]
    assert [line.partition(":")[0] for line in lines] == [
        "Store",
        "Store exists",
        "Store directory",
        "Store directory exists",
        "Scope",
        "Network",
        "Git tracking",
        "Status",
    ]
    assert lines[5:] == ["Network: disabled", "Git tracking: clean", "Status: ok"]
    assert nuzo("doctor", "--json").json["tools"] == ELEVEN


@requires("nuzo.cli.init_project", "nuzo.cli.default_scope")
def test_init_marks_a_project_once(nuzo: Nuzo, project: Path) -> None:
    (project / ".gitignore").write_text("*.pyc\n*.memory.export.md")
    first = nuzo("init", "--project")
    assert f"Scope: {project_scope(project)}\n" in first.out
    config = project / ".nuzo" / "config.json"
    settings = json.loads(config.read_text())
    assert (settings["version"], settings["default_scope"]) == (1, project_scope(project))
    rules = (project / ".gitignore").read_text()
    assert rules == "*.pyc\n*.memory.export.md\n.nuzo/memory/\n*.memory.export.json\n"
    config.write_text('{"default_scope": "project:auto"}')
    assert "Scope: project:auto\n" in nuzo("init", "--project", str(project)).out
    assert config.read_text() == '{"default_scope": "project:auto"}'
    assert (project / ".gitignore").read_text() == rules
    id = stored(nuzo, "herons")
    assert nuzo("list", "--scope", project_scope(project)).lines[0][0] == id
    assert nuzo("list", "--scope", "user:default").lines == []
    assert nuzo("init", "--project", "--store", "x.db").refusal == "MEMORY_INIT_STORE_CONFLICT"


@requires("nuzo.cli.default_scope")
@pytest.mark.parametrize("foreign", ["{", "[]", '{"default_scope": 3}', '{"default_scope": "agent:reviewer"}'])
def test_a_configured_scope_outside_of_the_project_is_named_and_not_obeyed(
    nuzo: Nuzo, project: Path, foreign: str
) -> None:
    """The file comes with the folder, whoever made it: it neither leads elsewhere nor stops a command."""
    nuzo("init", "--project")
    config = project / ".nuzo" / "config.json"
    config.write_text(foreign)
    answer = nuzo("doctor")
    assert "Scope: user:default\n" in answer.out
    assert answer.err.count("Ignored: ") == answer.err.count("\n") == 1
    assert str(config) in answer.err


@requires("nuzo.cli.doctor", "nuzo.doctor.git")
def test_doctor_tells_when_git_tracks_memory_files(nuzo: Nuzo, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nuzo("init")
    subprocess.run(["git", "init", "-q"], check=True)
    (project / "a.memory.export.json").write_text("{}")
    assert "Git tracking: clean\n" in nuzo("doctor").out
    subprocess.run(["git", "add", "-A"], check=True)
    told = nuzo("doctor")
    assert told.code == 0
    assert "Git tracking: warning (1 tracked)\nTracked memory file: a.memory.export.json\nWarning: " in told.out
    assert told.out.endswith("Status: warning\n")
    document = nuzo("doctor", "--json").json
    assert (document["ok"], document["warnings"]) == (
        False,
        ["Git tracks memory files: run git rm --cached on them."],
    )
    assert (document["git_tracking"], document["tracked_files"]) == ("warning (1 tracked)", ["a.memory.export.json"])
    assert (document["scope"], document["store"]["exists"]) == ("user:default", True)
    monkeypatch.setenv("NUZO_DOCTOR_SKIP_GIT", "1")
    assert "Git tracking: skipped (NUZO_DOCTOR_SKIP_GIT=1)\nStatus: ok\n" in nuzo("doctor").out
    monkeypatch.delenv("NUZO_DOCTOR_SKIP_GIT")
    (project / ".git" / "index").write_bytes(b"nothing that git wrote")
    unknown = nuzo("doctor").out
    assert "Git tracking: unavailable (" in unknown
    assert unknown.endswith("Status: warning\n")


# -- capture drafts ---------------------------------------------------------------------------


def suggested(nuzo: Nuzo, text: str, *words: str) -> Any:
    return nuzo("suggest-capture", text, "--kind", "fact", "--reason", "said twice", *words).json


@requires("nuzo.capture.draft", "nuzo.capture.unsaved")
def test_a_suggestion_is_a_draft_and_writes_nothing(nuzo: Nuzo, project: Path) -> None:
    answer = suggested(nuzo, " Deploys are on Monday ", "--tag", "ops", "--scope", "project:auto")
    assert answer == {
        "status": "ready",
        "memory_writes": False,
        "requires_confirmation": True,
        "duplicate": None,
        "draft": {
            "content": "Deploys are on Monday",
            "kind": "fact",
            "scope": project_scope(project),
            "tags": ["ops"],
            "source": "nuzo:capture-suggestion",
            "confidence": 1.0,
            "reason": "said twice",
            "requires_confirmation": True,
        },
    }
    assert nuzo("list", "--scope", "project:auto").lines == []
    id = stored(nuzo, "deploys are  on Monday", "--scope", "project:auto")
    again = suggested(nuzo, "Deploys are on Monday", "--scope", "project:auto")
    assert (again["status"], again["duplicate"]["id"]) == ("duplicate", id)
    assert suggested(nuzo, "Deploys are on Monday")["status"] == "ready"
    assert nuzo("suggest-capture", "x", "--kind", "fact").code == 2
    refused = nuzo("suggest-capture", "x", "--kind", "fact", "--reason", SECRETS["github_token"])
    assert refused.refusal == "MEMORY_SECRET_DETECTED"


@requires("nuzo.capture.confirm", "nuzo.capture.edit", "nuzo.capture.reject", "nuzo.capture.policy")
def test_only_a_person_turns_a_draft_into_a_memory(nuzo: Nuzo) -> None:
    suggestion = suggested(nuzo, "Deploys are on Monday")
    suggestion["draft"] |= {"confirm": True, "requires_confirmation": False}  # which is not the draft's to say
    draft = json.dumps(suggestion)

    def confirm(*words: str) -> Answer:
        return nuzo("confirm-capture", "-", *words, stdin=draft)

    assert confirm().refusal == "MEMORY_CAPTURE_CONFIRMATION_REQUIRED"
    assert confirm("--decision", "reject").out == "skipped\n"
    assert nuzo("list").lines == []
    ((status, id),) = confirm("--confirm").lines
    assert status == "created"
    with Book.open() as book:
        memory = book.get(id)
        assert (memory.origin, memory.provenance.source) == (Origin.CONFIRMED, "nuzo:capture-suggestion")
    assert confirm("--yes").lines == [["skipped", id]]
    ((status, other),) = confirm("--yes", "--decision", "keep_separate").lines
    assert (status, other != id) == ("created", True)
    assert confirm("--yes", "--decision", "update").refusal == "MEMORY_TARGET_REQUIRED"
    edited = ("--content", "Deploys are on Tuesday", "--tag", "ops")
    assert confirm("--yes", "--decision", "update", "--target", id, *edited).lines == [["updated", id]]
    outcome = confirm("--yes", "--content", "Deploys are on Friday", "--json").json
    assert (outcome["status"], outcome["memory_writes"], outcome["requires_confirmation"]) == ("created", True, False)
    assert outcome["memory"]["content"] == "Deploys are on Friday"
    assert {line[2] for line in nuzo("list").lines} == {
        "Deploys are on Monday",
        "Deploys are on Tuesday",
        "Deploys are on Friday",
    }
    assert confirm("--yes", "--content", SECRETS["jwt"]).refusal == "MEMORY_SECRET_DETECTED"
    assert confirm("--yes", "--kind", "mood").refusal == "MEMORY_KIND_UNSUPPORTED"


@requires("nuzo.capture.batch", "nuzo.capture.policy")
def test_each_draft_of_a_batch_is_decided_by_itself(nuzo: Nuzo, project: Path) -> None:
    drafts = [suggested(nuzo, text)["draft"] for text in ("Herons nest", "Storks nest", "Geese nest")]
    drafts[1]["decision"] = "reject"
    batch = project / "drafts.json"
    batch.write_text(json.dumps(drafts))
    lines = nuzo("confirm-capture", str(batch), "--yes").lines
    assert [line[0] for line in lines] == ["created", "skipped", "created"]
    assert {line[2] for line in nuzo("list").lines} == {"Herons nest", "Geese nest"}
    drafts[0]["content"], drafts[2]["content"] = "Cranes nest", SECRETS["aws_access_key"]
    batch.write_text(json.dumps(drafts))
    assert nuzo("confirm-capture", str(batch), "--yes").refusal == "MEMORY_SECRET_DETECTED"
    assert len(nuzo("list").lines) == 2
    assert nuzo("confirm-capture", str(batch), "--yes", "--content", "x").code == 2


# -- errors -----------------------------------------------------------------------------------


@requires("nuzo.cli.errors")
def test_errors_are_a_code_a_sentence_and_an_exit_code(nuzo: Nuzo, monkeypatch: pytest.MonkeyPatch) -> None:
    assert nuzo("remember", "x", "--kind", "mood").refusal == "MEMORY_KIND_UNSUPPORTED"
    assert nuzo("list", "--scope", "nowhere").refusal == "MEMORY_SCOPE_INVALID"
    for words in (("remember", "x"), ("recall",), ("fly",), ("recall", "x", "--limit", "many"), ("list", "--loud")):
        assert nuzo(*words).code == 2, words
    for limit in ("0", "-1", "51"):
        answer = nuzo("recall", "x", f"--limit={limit}")
        assert (answer.code, answer.out) == (2, "")
        assert f"--limit must be from 1 to 50, not {limit}." in answer.err

    def fail(*_: object) -> None:
        raise RuntimeError("the gears have come off")

    monkeypatch.setattr(CommandSession, "book", fail)
    answer = nuzo("list")
    assert (answer.code, answer.out, answer.err.count("\n")) == (70, "", 1)
    assert answer.err.startswith("NUZO_INTERNAL_ERROR: ")


@requires("nuzo.cli.errors", "nuzo.server.store_variable")
def test_a_process_takes_the_store_from_the_variable_and_shows_no_stack(tmp_path: Path, project: Path) -> None:
    def spawn(*words: str, store: Path) -> subprocess.CompletedProcess[str]:
        surroundings = {
            **os.environ,
            "COMMONPLACE_MODEL": "none",
            "NUZO_MEMORY_STORE": str(store),
        }
        return subprocess.run(
            command("memory", *words),
            cwd=project,
            env=surroundings,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )

    store = tmp_path / "elsewhere.sqlite"
    assert spawn("remember", "herons", "--kind", "fact", store=store).returncode == 0
    assert store.exists()
    store.write_bytes(b"no database any more, long enough to look like a file of one" * 30)
    failed = spawn("list", store=store)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert re.fullmatch(r"MEMORY_[A-Z_]+: .+\n", failed.stderr)


# -- the name ---------------------------------------------------------------------------------


def setup(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command("setup", "nuzo-shim", *words), capture_output=True, text=True)


@requires("nuzo.cli.called_nuzo")
def test_after_the_shim_is_made_nuzo_memory_works(tmp_path: Path, project: Path) -> None:
    folder = tmp_path / "it's here"
    folder.mkdir()
    made = setup("--folder", str(folder))
    assert (made.returncode, made.stdout) == (0, f"Made {folder / 'nuzo'}\n")
    assert "PATH" in made.stderr
    surroundings = {**os.environ, "PATH": f"{folder}:/usr/bin:/bin", "NUZO_MEMORY_STORE": str(tmp_path / "book.db")}

    def nuzo(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(line, shell=True, cwd=project, env=surroundings, capture_output=True, text=True)

    kept = nuzo('nuzo memory remember "The user prefers concise output." --kind preference --tag codex')
    assert (kept.returncode, kept.stdout[:4]) == (0, "mem_"), kept.stderr
    assert "The user prefers concise output." in nuzo('nuzo memory recall "output style"').stdout
    assert nuzo("nuzo memory history nothing").returncode == 0
    assert setup("--folder", str(folder)).returncode == 0, "once more is no harm"
    assert setup("--folder", str(folder), "--remove").returncode == 0
    assert list(folder.iterdir()) == []
    assert setup("--folder", str(folder), "--remove").returncode == 1


@requires("nuzo.cli.called_nuzo")
def test_a_nuzo_that_is_somebody_elses_is_left_alone(tmp_path: Path) -> None:
    theirs = tmp_path / "nuzo"
    theirs.write_text("#!/bin/sh\necho theirs\n")
    for words in ((), ("--remove",)):
        refused = setup("--folder", str(tmp_path), *words)
        assert (refused.returncode, theirs.read_text()) == (1, "#!/bin/sh\necho theirs\n")
        assert str(theirs) in refused.stderr
    theirs.unlink()
    theirs.symlink_to(tmp_path / "elsewhere")
    assert setup("--folder", str(tmp_path)).returncode == 1
    assert not (tmp_path / "elsewhere").exists()
    assert "There is no folder" in setup("--folder", str(tmp_path / "none")).stderr
