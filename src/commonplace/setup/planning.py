"""From a host to the changes of its files: what would be written or taken out, and then doing so."""

from collections.abc import Mapping
from difflib import unified_diff
from pathlib import Path

from commonplace.domain.record import Record, replace
from commonplace.setup import jsonc, toml_text
from commonplace.setup.changes import CannotChange, Change, Put, added, found_before, removed
from commonplace.setup.host_files import HostFile, delete, look, missing_folders, write
from commonplace.setup.hosts import FileChange, Host, Plugin
from commonplace.setup.launch import Launch, Surroundings
from commonplace.setup.receipts import Receipt, digest, edits_between

PLUGIN_KEY = "commonplace@"
CONTEXT_LINES = 1


class Step(Record):
    """One file: as it is, as it will be (None: gone), what else is to be known; or the problem, and nothing is done."""

    path: str
    file: HostFile | None
    after: str | None
    changes: tuple[Change, ...] = ()
    receipt: Receipt | None = None
    problem: str = ""

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to do."""
        return not self.problem and self.file is not None and self.file.text == self.after


# -- what is there ----------------------------------------------------------------------------


def has_plugin(plugin: Plugin) -> bool:
    """Whether our plugin is installed in a host; a file that cannot be read does not say so."""
    if not plugin.keys:
        return Path(plugin.place).is_dir()
    try:
        text = look(Path(plugin.place)).text or ""
        data = toml_text.read(text) if plugin.place.endswith(".toml") else jsonc.read(text).data
    except (CannotChange, jsonc.NotJson, toml_text.NotToml):
        return False
    there = toml_text.at(data, plugin.keys)
    named = there.items() if isinstance(there, Mapping) else ()
    return any(key.startswith(PLUGIN_KEY) and _is_on(value) for key, value in named)


def _is_on(value: object) -> bool:
    return bool(value.get("enabled", True)) if isinstance(value, Mapping) else bool(value)


def is_found(host: Host, around: Surroundings, on_path: frozenset[str]) -> bool:
    """Whether a host is installed: its program is on the path, or its folder is there."""
    return any(program in on_path for program in host.programs) or Path(host.folder(around)).is_dir()


def keeps_own_memory(host: Host, around: Surroundings) -> bool:
    """Whether a host remembers by itself, as far as its settings say, and could be told not to."""
    own = None if host.own_memory is None else host.own_memory(around)
    if own is None or own.off is None:
        return False
    try:
        text = look(Path(own.off.path)).text or ""
        return added(text, own.off.changes) != text
    except CannotChange:
        return False


def to_switch_off(host: Host, around: Surroundings) -> str:
    """What a person is to do, where a host remembers by itself and only they can tell it not to; empty elsewhere."""
    own = None if host.own_memory is None else host.own_memory(around)
    if own is None or own.by_hand is None:
        return ""
    path, (table, key) = own.by_hand
    try:
        said = toml_text.at(toml_text.read(look(Path(path)).text or ""), (table, key))
    except (CannotChange, toml_text.NotToml):
        return ""
    told = f"{host.title} also remembers by itself: set {key} to false under [{table}] in {path}, to have one memory."
    return told if said is True else ""


def own_files(host: Host, around: Surroundings) -> str:
    """The folder in which a host has kept something by itself; empty if there is nothing."""
    own = None if host.own_memory is None else host.own_memory(around)
    return own.folder if own is not None and any(Path(own.folder).glob(own.pattern)) else ""


# -- plans ------------------------------------------------------------------------------------


def wanted(
    host: Host, around: Surroundings, launch: Launch, receipts: Mapping[str, Receipt], alone: bool
) -> tuple[FileChange, ...]:
    """Every change of a host's files; with `alone`, or if it was so before, its own memory is switched off too."""
    files = [replace(each, path=_name(each)) for each in host.files(around, launch)]
    own = None if host.own_memory is None else host.own_memory(around)
    if own is None or own.off is None:
        return tuple(files)
    off, old = own.off, receipts.get(own.off.path)
    paths = [change.path for change in off.changes if isinstance(change, Put)]
    was = old is not None and any(path in (*old.before.made, *dict(old.before.replaced)) for path in paths)
    if not alone and not was:
        return tuple(files)
    return tuple(
        replace(each, changes=(*each.changes, *off.changes)) if each.path == off.path else each for each in files
    )


def _name(change: FileChange) -> str:
    names = (change.path, *change.other_names)
    return next((name for name in names if Path(name).exists()), change.path)


def to_add(change: FileChange, receipts: Mapping[str, Receipt]) -> Step:
    """What adding would make of a file."""
    try:
        file = look(Path(change.path))
        old = receipts.get(change.path)
        untouched = old.undone(file.text) if old and file.text is not None else None
        start = file.text or "" if untouched is None else untouched
        after = added(start, change.changes)
    except CannotChange as error:
        return Step(change.path, None, None, problem=error.message)
    if after == file.text:
        return Step(change.path, file, after, change.changes, old)
    before = found_before(start, change.changes)
    if old is not None and untouched is None:
        before = old.before.then(before)
    existed = old.existed if old is not None else file.text is not None
    receipt = Receipt(
        existed,
        digest(after),
        edits_between(start, after),
        before,
        old.folders if old else tuple(map(str, missing_folders(file.target))),
        old.backups if old else (),
    )
    return Step(change.path, file, after, change.changes, receipt)


def to_remove(change: FileChange, receipts: Mapping[str, Receipt]) -> Step:
    """What taking out would make of a file; one that setup did not change is left as it is."""
    old = receipts.get(change.path)
    try:
        file = look(Path(change.path))
        if old is None or file.text is None:
            return Step(change.path, file, file.text, change.changes, old)
        after: str | None = old.undone(file.text)
        if after is None:
            after = removed(file.text, change.changes, old.before)
    except CannotChange as error:
        return Step(change.path, None, None, problem=error.message)
    if not old.existed and after.strip(jsonc.BYTE_ORDER_MARK + " \t\r\n") in ("", "{}"):
        after = None
    return Step(change.path, file, after, change.changes, old)


def difference(step: Step) -> list[str]:
    """What a step changes, as the lines of a unified diff."""
    if step.file is None or step.is_done:
        return []
    old = (step.file.text or "").splitlines()
    new = (step.after or "").splitlines()
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    begin = max(0, first - CONTEXT_LINES)
    names = (
        step.path if step.file.text is not None else "/dev/null",
        step.path if step.after is not None else "/dev/null",
    )
    lines = list(unified_diff(old[begin:], new[begin:], *names, n=CONTEXT_LINES, lineterm=""))
    return [line.partition("@@ ")[0] + "@@" if line.startswith("@@ ") else line for line in lines]


# -- doing ------------------------------------------------------------------------------------


def carry_out(step: Step, receipts: dict[str, Receipt]) -> Path | None:
    """Write what a step wants, note it in the receipts, and give the copy that was made; raises CannotChange."""
    file, receipt = step.file, step.receipt
    if file is None or receipt is None or step.after is None:
        raise CannotChange("there is nothing to be written")
    backup = write(file, step.after, with_copy=not _is_ours_alone(step, receipts))
    copies = receipt.backups if backup is None else (*receipt.backups, str(backup))
    receipts[step.path] = replace(receipt, backups=copies)
    return backup


def take_back(step: Step, receipts: dict[str, Receipt]) -> tuple[Path, ...]:
    """Take out what setup put into a file, and the folders it made for it; gives the copies that are left beside it.

    A copy that says what the file says now is not needed any more, and goes too.
    """
    file, receipt = step.file, step.receipt
    if file is None or receipt is None:
        raise CannotChange("there is nothing to be taken out")
    if step.after is None:
        delete(file)
    elif step.after != file.text:
        copy = write(file, step.after, with_copy=not _is_ours_alone(step, receipts))
        if copy is not None:
            receipt = replace(receipt, backups=(*receipt.backups, str(copy)))
    receipts.pop(step.path, None)
    for folder in receipt.folders:
        _remove_if_empty(Path(folder))
    return tuple(Path(each) for each in receipt.backups if _is_needed(Path(each), step.after, file.text))


def _is_ours_alone(step: Step, receipts: Mapping[str, Receipt]) -> bool:
    """Whether a file is as setup left it: what is in it of others has its copy already, or is what comes back."""
    old = receipts.get(step.path)
    return old is not None and step.file is not None and old.left_as == digest(step.file.text or "")


def _is_needed(copy: Path, *known: str | None) -> bool:
    """Whether a copy says anything that is not said by the file, before or after."""
    try:
        if look(copy).text not in known:
            return True
        copy.unlink(missing_ok=True)
    except (CannotChange, OSError):
        return copy.exists()
    return False


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return
