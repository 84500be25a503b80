"""The contract's tags: lower case, words joined by hyphens, synonyms under one name, anything else dropped."""

import re
import unicodedata
from collections.abc import Iterable

from commonplace.domain.record import Record
from commonplace.errors import InvalidInput
from commonplace.text import normalise

TAG_LENGTH_LIMIT = 64
TAG_COUNT_LIMIT = 16

_SYNONYMS = {
    "software": "tech technology programming coding code dev development engineering",
    "publishing": "book books writing author authorship",
    "personal": "bio biography personal-info",
    "family": "relatives kin fam families",
    "work": "job career employment",
    "preferences": "preference pref prefs likes dislikes",
    "health": "medical medicine medications",
    "philosophy": "religion beliefs values",
}
_CANONICAL = {synonym: tag for tag, synonyms in _SYNONYMS.items() for synonym in synonyms.split()}
_BLANKS = re.compile(r"\s+")


class Tags(Record):
    """Tags as they are kept, in the order they came, and those that are none."""

    kept: tuple[str, ...]
    dropped: tuple[str, ...]


def tidy(raw: Iterable[str | None]) -> Tags:
    """Tags in the contract's form, each once."""
    given = [tag.strip() for tag in raw if tag is not None and tag.strip()]
    for tag in given:
        if len(tag) > TAG_LENGTH_LIMIT:
            raise InvalidInput(f"The tag '{tag[:20]}…' is longer than {TAG_LENGTH_LIMIT} characters.", "tags")
    forms = {tag: canonical(tag) for tag in given}
    kept = tuple(dict.fromkeys(form for form in forms.values() if _is_tag(form)))
    if len(kept) > TAG_COUNT_LIMIT:
        raise InvalidInput(f"{len(kept)} tags are too many: {TAG_COUNT_LIMIT} is the limit.", "tags")
    return Tags(kept, tuple(tag for tag, form in forms.items() if not _is_tag(form)))


def wanted(raw: Iterable[str | None]) -> tuple[str, ...]:
    """Tags to look for: as they are kept here, and as they stand, since other doors keep them so."""
    given = [tag.strip() for tag in raw if tag is not None and tag.strip()]
    tidied = tidy(given)
    return tuple(dict.fromkeys((*tidied.kept, *given)))


def canonical(tag: str) -> str:
    """`Home Office` is `home-office`, `Books` is `publishing`."""
    joined = _BLANKS.sub("-", normalise(normalise(tag).lower())).strip("-")
    return _CANONICAL.get(joined, joined)


def _is_tag(form: str) -> bool:
    """Two or more letters, digits and hyphens, of any script."""
    return len(form) > 1 and all(each == "-" or unicodedata.category(each)[0] in "LMN" for each in form)
