"""Architecture decision records, as Nygard's template, MADR and our own export have them, for the decision log."""

import re

from commonplace.decisions.decision import (
    ALTERNATIVE_COUNT_LIMIT,
    ALTERNATIVE_LENGTH_LIMIT,
    BODY_LENGTH_LIMIT,
    DecisionStatus,
    Impact,
    Proposal,
    Recorded,
)
from commonplace.domain.validation import LABEL_LENGTH_LIMIT
from commonplace.errors import InvalidInput
from commonplace.imports.frontmatter import Page, page_of
from commonplace.imports.items import Found, LeftOut
from commonplace.imports.markdown import said_in
from commonplace.imports.times import time_of

AREA = "architecture"
NO_REASON = "The record gives no reason."
_TITLE = re.compile(r"#[ \t]+(?:(?:ADR|DEC)[- ]?)?(?:(\d{1,9})[.:)\]-]?[ \t:-]*)?([^\n]{1,2000})", re.IGNORECASE)
_NUMBER = re.compile(r"(?:^|[^\d])(\d{1,9})[-_ .]")
_NAMED = re.compile(r"(?:ADR|DEC)?[- #]?(\d{1,9})", re.IGNORECASE)
_FACT = re.compile(r"(?:[-*][ \t]+)?\*{0,2}([A-Za-z ]{1,24})\*{0,2}[ \t]*:\*{0,2}[ \t]+(\S[^\n]{0,500})")
_CONTEXT = ("context and problem statement", "context", "problem statement", "problem", "background")
_DECISION = ("decision outcome", "decision")
_REASON = ("rationale", "justification", "decision drivers", "consequences", "positive consequences")
_OPTIONS = ("considered options", "alternatives", "alternatives considered", "options considered", "options")
_GONE = ("rejected", "deprecated", "reverted", "obsolete")


def is_one(page: Page) -> bool:
    """Whether a page is a decision record: it has a title, a section on the context and one on the decision."""
    sections = _sections(page.body)
    return _first(sections, _CONTEXT) is not None and _first(sections, _DECISION) is not None


def read(text: str, name: str = "") -> Found:
    """The decision that a record is of; `name` is the file's, which often has its number."""
    page = page_of(text)
    title = next((match for line in page.body.split("\n") if (match := _TITLE.fullmatch(line.strip()))), None)
    if title is None:
        return Found(left_out=(LeftOut("it has no title, as a decision record does"),))
    sections, facts = _sections(page.body), _facts(page)
    number = _NUMBER.search(f" {name}")
    status, after, reason = _standing(facts.get("status") or _first(sections, ("status",)) or "")
    after = _named(facts["superseded by"]) if "superseded by" in facts else after
    try:
        proposal = _proposal(title[2], sections, facts, status)
    except InvalidInput as error:
        return Found(left_out=(LeftOut(f"it cannot go into the decision log: {error.message}"),))
    own = title[1] or (number[1] if number else None)
    return Found(decisions=(Recorded(proposal, None if own is None else int(own), status, after, reason),))


def _proposal(title: str, sections: dict[str, str], facts: dict[str, str], status: DecisionStatus) -> Proposal:
    options = [said.text for said in said_in(_first(sections, _OPTIONS) or "") if said.listed]
    impact = facts.get("impact", "").lower()
    tags = tuple(tag for part in facts.get("tags", "").split(",") if 0 < len(tag := part.strip()) <= 64)
    return Proposal(
        _label(title),
        _label(facts.get("owner") or facts.get("deciders") or facts.get("decision-makers") or "unknown"),
        _body(_first(sections, _CONTEXT) or ""),
        _body(_first(sections, _DECISION) or ""),
        _body(_first(sections, _REASON) or NO_REASON),
        _label(facts.get("area") or AREA),
        Impact(impact) if impact in set(Impact) else Impact.MEDIUM,
        tuple(each[:ALTERNATIVE_LENGTH_LIMIT] for each in options[:ALTERNATIVE_COUNT_LIMIT]),
        sections.get("revert plan"),
        tags[:16],
        time_of(facts.get("date", "")[:10]),
        status is DecisionStatus.DRAFT,
    )


def _sections(body: str) -> dict[str, str]:
    """What stands below each heading of the second level, or of the third, by its name in small letters."""
    found: dict[str, list[str]] = {}
    name, fenced = "", False
    for line in body.split("\n"):
        fenced = fenced != line.lstrip().startswith(("```", "~~~"))
        if not fenced and line.startswith(("## ", "### ")):
            name = line.lstrip("#").strip().strip("#: ").lower()
        elif name and not line.startswith("# "):
            found.setdefault(name, []).append(line)
    return {name: text for name, lines in found.items() if (text := "\n".join(lines).strip())}


def _facts(page: Page) -> dict[str, str]:
    """What is said of a record above its text or below its title: the status, the date, who decided."""
    above = {name.lower(): ", ".join(values) for name, values in page.told.items() if values}
    head = page.body.partition("\n## ")[0].split("\n")
    told = {match[1].strip().lower(): match[2].strip() for line in head if (match := _FACT.fullmatch(line.strip()))}
    return {**told, **above}


def _standing(told: str) -> tuple[DecisionStatus, int | None, str | None]:
    """The status, the number of the record that took its place, and why it stands no more."""
    lines = [line.strip(" *-_") for line in told.split("\n") if line.strip()]
    small = [line.lower() for line in lines]
    after = next((line for line in small if line.startswith("superseded by")), None)
    if after is not None or any(line.startswith("superseded") for line in small):
        return DecisionStatus.SUPERSEDED, None if after is None else _named(after), None
    gone = next((line for line, each in zip(lines, small, strict=True) if each.startswith(_GONE)), None)
    if gone is not None:
        return DecisionStatus.REVERTED, None, gone[:LABEL_LENGTH_LIMIT]
    drafted = any(line.startswith(("proposed", "draft", "pending")) for line in small)
    return DecisionStatus.DRAFT if drafted else DecisionStatus.ACTIVE, None, None


def _named(told: str) -> int | None:
    match = _NAMED.search(told.lower().removeprefix("superseded by"))
    return None if match is None else int(match[1])


def _first(sections: dict[str, str], names: tuple[str, ...]) -> str | None:
    return next((sections[name] for name in names if name in sections), None)


def _body(text: str) -> str:
    return text if len(text) <= BODY_LENGTH_LIMIT else text[: BODY_LENGTH_LIMIT - 1] + "…"


def _label(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LABEL_LENGTH_LIMIT else flat[: LABEL_LENGTH_LIMIT - 1] + "…"
