"""Every format is told by its file and read as it is written: what it says, where, and nothing that only frames it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from commonplace.decisions.decision import DecisionStatus
from commonplace.domain.memory import Kind
from commonplace.imports import Format, Plan, look_through

FIXTURES = Path(__file__).parents[1] / "fixtures"
GIVEN = FIXTURES / "imports"
TALKS = FIXTURES / "transcripts"


def read(*names: str) -> Plan:
    return look_through([GIVEN / name for name in names])


def texts(plan: Plan) -> list[str]:
    return [item.text for item in plan.items]


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("CLAUDE.md", Format.INSTRUCTIONS),
        ("AGENTS.md", Format.INSTRUCTIONS),
        ("GEMINI.md", Format.INSTRUCTIONS),
        (".cursorrules", Format.INSTRUCTIONS),
        ("cursor-rules/tests.mdc", Format.INSTRUCTIONS),
        ("claude-code-memory/MEMORY.md", Format.HOST_MEMORY),
        ("claude-code-memory/user_role.md", Format.HOST_MEMORY),
        ("codex-memories/memory_summary.md", Format.HOST_MEMORY),
        ("gemini-memory/MEMORY.md", Format.HOST_MEMORY),
        ("chatgpt-memory.md", Format.CHAT_MEMORY),
        ("claude-ai-memories.json", Format.CHAT_MEMORY),
        ("server-memory.jsonl", Format.SERVER_MEMORY),
        ("mem0.json", Format.MEM0),
        ("basic-memory/coffee.md", Format.BASIC_MEMORY),
        ("basic-memory/plain.md", Format.MARKDOWN),
        ("adr/0001-use-redis.md", Format.DECISIONS),
        ("madr/0003-log-format.md", Format.DECISIONS),
    ],
)
def test_the_format_is_told_by_the_file(name: str, format: Format) -> None:
    (source,) = read(name).sources
    assert source.format is format


@pytest.mark.parametrize(
    "name", ["chatgpt.json", "claude-ai.json", "claude-code.jsonl", "codex.jsonl", "cline.messages.json"]
)
def test_what_hosts_and_exports_hold_are_conversations(name: str) -> None:
    (source,) = look_through([TALKS / name]).sources
    assert source.format is Format.CONVERSATIONS
    assert source.talks.conversations >= 1
    assert source.talks.turns >= 1


def test_instructions_stand_under_their_headings_and_not_under_the_title() -> None:
    plan = read("CLAUDE.md")
    assert [(item.line, item.text) for item in plan.items] == [
        (3, "This file guides Claude Code in this repository."),
        (9, "Commands: `make check` before every commit"),
        (10, "Commands: Run one test file at a time: `pytest tests/test_api.py`"),
        (17, "Architecture: The API lives in `src/api`, and the workers in `src/jobs`."),
        (22, "Architecture: Never: push to main"),
        (23, "Architecture: Never: edit generated files in `src/gen`"),
        (27, "Architecture: Database: Migrations are run like this:\n```bash\nmake migrate\n```"),
        (33, "Architecture: Database: Move the session table to PostgreSQL"),
    ]
    assert [item.kind for item in plan.items] == [Kind.INSTRUCTION] * 7 + [Kind.TASK]
    assert [(each.place, each.reason.partition(":")[0]) for each in plan.left_out] == [
        ("CLAUDE.md:5", "it names another file, which is not followed"),
        ("CLAUDE.md:34", "it is a task that is done"),
    ]


def test_agents_and_cursor_are_read_like_that_too() -> None:
    assert texts(read("AGENTS.md", ".cursorrules", "cursor-rules/tests.mdc")) == [
        "Style: Two spaces in TypeScript, four in Python",
        "Style: Prefer composition",
        "Pull requests: Keep them under 400 lines.",
        "You are an expert in FastAPI.",
        "Use async def for I/O",
        "Return early on errors",
        "Name a test after what it claims",
    ]


def test_what_gemini_was_told_to_remember_are_facts() -> None:
    plan = read("GEMINI.md")
    assert [(item.kind, item.text) for item in plan.items] == [
        (Kind.INSTRUCTION, "Project notes: Answer in British English."),
        (Kind.FACT, "The staging cluster is called heron."),
        (Kind.FACT, "Releases are cut on Thursdays."),
    ]


def test_a_hosts_memory_folder_gives_each_thing_once_and_not_its_index() -> None:
    plan = read("claude-code-memory")
    assert [(item.file, item.kind, item.text.partition("\n")[0]) for item in plan.items] == [
        ("feedback_testing.md", Kind.INSTRUCTION, "Integration tests use a real database, not mocks."),
        ("user_role.md", Kind.FACT, "A data scientist who looks into logging"),
    ]
    assert [each.place for each in plan.left_out] == ["MEMORY.md:3", "MEMORY.md:4"]


def test_codex_and_gemini_keep_lists_under_headings() -> None:
    plan = read("codex-memories", "gemini-memory")
    assert texts(plan) == [
        "api repository: Tests need `docker compose up db` first",
        "User preferences: Wants short answers",
        "The harbour API is rate limited to 10 requests a second",
    ]
    assert [each.file for each in plan.left_out] == ["rollout_summaries/2026-11-01.md"]


def test_what_chats_remember_has_its_day() -> None:
    plan = read("chatgpt-memory.md")
    assert texts(plan) == ["User loves dogs.", "User is writing a book about tides."]
    assert [datetime.fromtimestamp((item.at or 0) / 1000).date().isoformat() for item in plan.items] == [
        "2024-04-26",
        "2024-04-30",
    ]
    assert texts(read("claude-ai-memories.json")) == [
        "Work context: Mara leads the tide table project at a harbour office.",
        "Personal context: Mara lives in Hamburg.",
        "Purpose: Translate the tide tables into Danish.",
    ]


def test_a_knowledge_graph_is_observations_and_relations() -> None:
    plan = read("server-memory.jsonl")
    assert [(item.line, item.text, item.tags) for item in plan.items] == [
        (1, "Mara_Lind: Speaks fluent Danish", ("person",)),
        (1, "Mara_Lind: Prefers meetings in the morning", ("person",)),
        (3, "Mara_Lind works at Harbour_Office", ()),
    ]
    assert [each.place for each in plan.left_out] == ["server-memory.jsonl:2"]


def test_a_knowledge_graph_may_be_one_document(tmp_path: Path) -> None:
    (tmp_path / "graph.json").write_text(
        '{"entities":[{"name":"A","entityType":"x","observations":["is one"]}],'
        '"relations":[{"from":"A","to":"B","relationType":"knows"}]}'
    )
    assert texts(look_through([tmp_path / "graph.json"])) == ["A: is one", "A knows B"]


def test_mem0_gives_texts_with_categories_and_times() -> None:
    plan = read("mem0.json")
    assert [(item.text, item.tags, item.key and item.key[-1]) for item in plan.items] == [
        ("Works at the harbour office as a hydrographer", ("work",), "1"),
        ("Is allergic to walnuts", ("health", "food"), "2"),
        ("mara lives in hamburg", (), None),
    ]
    assert plan.items[0].at == int(datetime(2025, 3, 1, 16, 30, tzinfo=UTC).timestamp() * 1000)


def test_notes_stand_under_their_title() -> None:
    plan = read("basic-memory")
    assert [(item.text, item.kind, item.category, item.tags) for item in plan.items] == [
        (
            "Coffee Brewing: Pour over gives more clarity than a French press",
            Kind.FACT,
            "method",
            ("coffee", "brewing", "pourover"),
        ),
        (
            "Coffee Brewing: Ethiopian beans suit a light roast (own experience)",
            Kind.PREFERENCE,
            "preference",
            ("coffee", "brewing"),
        ),
        ("Coffee Brewing requires Proper Grinding", Kind.FACT, None, ("coffee", "brewing")),
        ("Coffee Brewing links to Tea", Kind.FACT, None, ("coffee", "brewing")),
        ("Boiler: The boiler is serviced every March.", Kind.NOTE, None, ()),
    ]


def test_decision_records_are_decisions() -> None:
    first, second, third = read("adr", "madr").decisions
    assert (first.number, first.status, first.superseded_by) == (1, DecisionStatus.SUPERSEDED, 2)
    assert first.proposal.title == "Use Redis for job deduplication"
    assert first.proposal.context == "Jobs run twice when a worker restarts."
    assert first.proposal.decision == "We keep a Redis set with a time to live."
    assert first.proposal.rationale == "One more service to run."
    assert (second.number, second.status) == (2, DecisionStatus.ACTIVE)
    assert (third.number, third.status, third.proposal.draft) == (3, DecisionStatus.DRAFT, True)
    assert third.proposal.owner == "Mara, Jo"
    assert third.proposal.alternatives == ("JSON lines", "logfmt")
    assert third.proposal.decision == 'Chosen option: "JSON lines", because every tool reads them.'


def test_of_a_repository_only_what_is_for_agents_and_its_records_are_read(tmp_path: Path) -> None:
    for name in (".git/config", "README.md", "docs/guide.md", "src/data.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("# Nothing\n\nfor an agent\n")
    for name, fixture in {
        "CLAUDE.md": "AGENTS.md",
        ".cursor/rules/tests.mdc": "cursor-rules/tests.mdc",
        "docs/adr/0001-use-redis.md": "adr/0001-use-redis.md",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((GIVEN / fixture).read_text())
    plan = look_through([tmp_path])
    assert [source.name for source in plan.sources] == [
        ".cursor/rules/tests.mdc",
        "CLAUDE.md",
        "docs/adr/0001-use-redis.md",
    ]


def test_a_format_that_is_named_is_the_one_it_is_read_in() -> None:
    plan = look_through([GIVEN / "AGENTS.md"], Format.MARKDOWN)
    assert texts(plan)[0] == "Repository Guidelines: Style: Two spaces in TypeScript, four in Python"
    assert plan.items[0].kind is Kind.NOTE
