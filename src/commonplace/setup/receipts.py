"""What setup did to which file, so that it can be taken back to the byte as long as nobody else wrote there."""

import json
from collections.abc import Mapping
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path
from typing import Any

from commonplace.domain.record import Record
from commonplace.setup.changes import Before
from commonplace.workspace.files import new_file, read_regular

RECEIPT_BYTES = 5_000_000
LINES_COMPARED = 5_000
_VERSION = 1

Edit = tuple[int, str, str]


class Receipt(Record):
    """One file: whether it was there, how it was left, and the edits from one to the other, by place."""

    existed: bool
    left_as: str
    edits: tuple[Edit, ...]
    before: Before
    folders: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()

    def undone(self, text: str) -> str | None:
        """The text as it was before setup came, if it is as setup left it."""
        if digest(text) != self.left_as:
            return None
        for start, old, new in reversed(self.edits):
            text = text[:start] + old + text[start + len(new) :]
        return text


def digest(text: str) -> str:
    """What tells one text from another."""
    return sha256(text.encode()).hexdigest()


def edits_between(before: str, after: str) -> tuple[Edit, ...]:
    """What is to be put where, line by line, so that the one becomes the other; places as they are afterwards."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    middle_old, middle_new = old[first : len(old) - last], new[first : len(new) - last]
    if max(len(middle_old), len(middle_new)) > LINES_COMPARED:
        codes = [("replace", 0, len(middle_old), 0, len(middle_new))]
    else:
        codes = list(SequenceMatcher(None, middle_old, middle_new, autojunk=False).get_opcodes())
    places = [sum(map(len, new[:first]))]
    for line in middle_new:
        places.append(places[-1] + len(line))
    return tuple(
        (places[new_from], "".join(middle_old[old_from:old_to]), "".join(middle_new[new_from:new_to]))
        for kind, old_from, old_to, new_from, new_to in codes
        if kind != "equal"
    )


def load(file: Path) -> dict[str, Receipt]:
    """The receipts by path; none where the file is missing or cannot be used."""
    try:
        found = json.loads(read_regular(file, RECEIPT_BYTES, own=True))
        return {path: _receipt(each) for path, each in found["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def save(file: Path, receipts: Mapping[str, Receipt]) -> None:
    """Write all receipts, for the user's eyes only; a file without any is taken away."""
    if not receipts:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    told = {path: _told(each) for path, each in receipts.items()}
    with new_file(file, replace=True) as target:
        json.dump({"version": _VERSION, "files": told}, target, ensure_ascii=False, indent=1)


def _told(receipt: Receipt) -> dict[str, object]:
    before = receipt.before
    found = {"made": before.made, "replaced": before.replaced, "kept": before.kept}
    return {**{name: getattr(receipt, name) for name in Receipt.fields}, "before": found}


def _receipt(told: Mapping[str, Any]) -> Receipt:
    def paired(name: str) -> tuple[tuple[tuple[str, ...], object], ...]:
        return tuple((tuple(path), data) for path, data in told["before"][name])

    before = Before(tuple(tuple(path) for path in told["before"]["made"]), paired("replaced"), paired("kept"))
    edits = tuple((int(start), str(old), str(new)) for start, old, new in told["edits"])
    folders, backups = tuple(map(str, told["folders"])), tuple(map(str, told["backups"]))
    return Receipt(bool(told["existed"]), str(told["left_as"]), edits, before, folders, backups)
