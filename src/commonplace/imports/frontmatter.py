"""The few lines above a Markdown text that tell of it: names with a value, a list, or names of their own below them.

That much of YAML is what tools write there; the rest is passed over, and nothing in it is ever carried out.
"""

from collections.abc import Mapping

from commonplace.domain.record import Record

LINES_LIMIT = 200
_FENCE = "---"


class Page(Record):
    """A text without the lines above it, what these say by name, and how many lines they are."""

    body: str
    told: Mapping[str, tuple[str, ...]]
    lines: int = 0

    def first(self, *names: str) -> str | None:
        """The first value of the first of these names that has one."""
        return next((self.told[name][0] for name in names if self.told.get(name)), None)


def page_of(text: str) -> Page:
    """The text and what stands above it; names below another are written `metadata.type`."""
    lines = text.split("\n")
    if lines[0].rstrip() != _FENCE:
        return Page(text, {})
    end = next((place for place, line in enumerate(lines[1:LINES_LIMIT], 1) if line.rstrip() == _FENCE), None)
    if end is None:
        return Page(text, {})
    return Page("\n".join(lines[end + 1 :]), _fields(lines[1:end]), end + 1)


def _fields(lines: list[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    above = name = ""
    for line in lines:
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        if bare.startswith("- ") and name:
            found[name] = (*found.get(name, ()), _unquoted(bare[2:]))
            continue
        key, colon, value = bare.partition(":")
        if not colon or (value and not value.startswith((" ", "\t"))):
            continue
        indented = line[:1] in (" ", "\t")
        name = f"{above}.{key.strip()}" if indented and above else key.strip()
        if not indented:
            above = name
        found[name] = _values(value.strip())
    return found


def _values(value: str) -> tuple[str, ...]:
    if value.startswith("[") and value.endswith("]"):
        parts = (_unquoted(part) for part in value[1:-1].split(","))
        return tuple(part for part in parts if part)
    return (_unquoted(value),) if _unquoted(value) and value not in ("|", ">", "|-", ">-") else ()


def _unquoted(value: str) -> str:
    value = value.strip()
    quoted = len(value) >= 2 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1] if quoted else value
