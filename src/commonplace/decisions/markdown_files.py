"""Decisions as Markdown files, one each, in the sections that architecture decision records usually have.

The same decisions make the same bytes: nothing in a file says when it was written.
"""

from collections.abc import Iterator, Sequence

from commonplace.decisions.decision import Decision
from commonplace.text import show_time, slug
from commonplace.text.envelope import in_list_item, in_markdown, in_markdown_line

INDEX = "index.md"
SLUG_LENGTH_LIMIT = 60


def file_name(decision: Decision) -> str:
    """`DEC-001-use-redis.md`: stable, since a decision that stands keeps its title."""
    words = slug(decision.title)[:SLUG_LENGTH_LIMIT].rstrip("-")
    return f"{decision.id}-{words}.md" if words else f"{decision.id}.md"


def files(decisions: Sequence[Decision]) -> Iterator[tuple[str, str]]:
    """The name and content of every file for the decisions of one scope: theirs by number, then the index."""
    ordered = sorted(decisions, key=lambda decision: decision.number)
    names = {decision.id: file_name(decision) for decision in ordered}
    for decision in ordered:
        yield names[decision.id], _record(decision, names)
    lines = [_listed(each, names[each.id]) for each in ordered]
    yield INDEX, "\n".join(["# Decisions", "", *lines]) + "\n"


def _listed(decision: Decision, name: str) -> str:
    title, area = in_markdown_line(decision.title), in_markdown_line(decision.area)
    return f"- [{decision.id}]({name}) {title} ({_standing(decision)}, {area})"


def _standing(decision: Decision) -> str:
    return f"{decision.status.value}, {decision.impact.value} impact"


def _record(decision: Decision, names: dict[str, str]) -> str:
    facts = [
        ("Status", decision.status.value),
        ("Date", show_time(decision.decided_at)[:10]),
        ("Owner", in_markdown_line(decision.owner)),
        ("Area", in_markdown_line(decision.area)),
        ("Impact", decision.impact.value),
        ("Tags", in_markdown_line(", ".join(decision.tags))),
        ("Supersedes", _link(decision.supersedes, names)),
        ("Superseded by", _link(decision.superseded_by, names)),
    ]
    sections = [
        ("Context", in_markdown(decision.context)),
        ("Decision", in_markdown(decision.decision)),
        ("Rationale", in_markdown(decision.rationale)),
        ("Alternatives", "\n".join(map(in_list_item, decision.alternatives))),
        ("Revert plan", in_markdown(decision.revert_plan or "")),
        ("Reverted", in_markdown(decision.revert_reason or "")),
    ]
    lines = [f"# {decision.id}: {in_markdown_line(decision.title)}", ""]
    lines += [f"- {name}: {value}" for name, value in facts if value]
    for title, text in sections:
        if text:
            lines += ["", f"## {title}", "", text]
    return "\n".join(lines) + "\n"


def _link(id: str | None, names: dict[str, str]) -> str | None:
    if id is None:
        return None
    return f"[{id}]({names[id]})" if id in names else id
