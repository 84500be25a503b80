"""Every command as data: its name, what it is for, and the module where its arguments and its action are."""

from argparse import ArgumentParser
from collections.abc import Callable

from commonplace.cli.session import CommandSession
from commonplace.domain.record import Record


class Action(Record):
    """What a command takes and does. `run` gives the exit code; `examples` follow the word `commonplace`."""

    description: str
    examples: tuple[str, ...]
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[CommandSession], int]


class Command(Record):
    """A line of the table. The module, which has an `ACTIONS` by name, is imported for that command only.

    The command line of a contract is a package of its own.
    """

    name: str
    help: str
    group: str
    module: str
    package: str = __name__


_USE, _CORRECT, _FORGET, _SHARE = "Remember and recall", "Correct", "Forget", "Decide and share"
_MOVE, _CARE, _SERVE, _START = "Copy and move", "Look after", "Serve", "Get started"

COMMANDS: tuple[Command, ...] = (
    Command("remember", "write something down", _USE, "remember"),
    Command("recall", "find what is known about something", _USE, "recall"),
    Command("list", "page through memories", _USE, "read"),
    Command("show", "everything about one memory", _USE, "read"),
    Command("why", "why a recall answers as it does", _USE, "why"),
    Command("docs", "documents that memories rest on", _USE, "docs"),
    Command("session", "conversations, and what was learnt from them", _USE, "session_"),
    Command("update", "change a memory", _CORRECT, "change"),
    Command("review", "go through what waits for you", _CORRECT, "review"),
    Command("confirm", "say that memories still hold", _CORRECT, "status"),
    Command("supersede", "put a newer memory in the place of an older one", _CORRECT, "change"),
    Command("invalidate", "say that a memory is not true any more", _CORRECT, "status"),
    Command("archive", "put a memory out of sight", _CORRECT, "status"),
    Command("restore", "bring a memory back", _CORRECT, "status"),
    Command("evidence", "what a memory rests on, and whether it holds", _CORRECT, "evidence"),
    Command("history", "what happened to a memory", _CORRECT, "read"),
    Command("correct", "say what was wrong, to be made a rule of", _CORRECT, "corrections"),
    Command("corrections", "what was said to be wrong, and what came of it", _CORRECT, "corrections"),
    Command("undo", "take back what was changed", _CORRECT, "undo"),
    Command("forget", "leave a tombstone, which can be undone", _FORGET, "status"),
    Command("purge", "remove memories for good, every byte", _FORGET, "purge"),
    Command("decision", "what was decided, why, and what took its place", _SHARE, "decision"),
    Command("team", "people who share memories, and what they agree on", _SHARE, "team"),
    Command("export", "write memories to a document", _MOVE, "transfer"),
    Command("import", "read memories from a document", _MOVE, "transfer"),
    Command("backup", "copy the book to a file", _MOVE, "copies"),
    Command("restore-backup", "put a back-up in the place of the book", _MOVE, "copies"),
    Command("dream", "tidy the book up, with a plan and an undo", _CARE, "dream"),
    Command("migrate", "copy the whole book to another engine", _MOVE, "migrate"),
    Command("doctor", "examine the book, and repair it", _CARE, "upkeep"),
    Command("models", "the model packs that look by meaning", _CARE, "models"),
    Command("reembed", "give every memory its vector", _CARE, "upkeep"),
    Command("config", "settings, and where they come from", _CARE, "settings"),
    Command("upgrade", "bring an older book up to date", _CARE, "upkeep"),
    Command("reset", "empty the book", _CARE, "copies"),
    Command("curate", "take the snapshot of curated memory anew", _CARE, "curate"),
    Command("mcp", "serve the book to an AI tool over stdio", _SERVE, "mcp"),
    Command("serve", "serve the book over HTTP", _SERVE, "serve"),
    Command("rpc", "call one of Aleph's methods", _SERVE, "rpc", "commonplace.cli.aleph"),
    Command("token", "who may use the book over HTTP", _SERVE, "token"),
    Command("memory", "the commands of Nuzo's contract", _SERVE, "memory", "commonplace.cli.nuzo"),
    Command("demo", "the main job, on a book of its own", _START, "demo"),
    Command("setup", "put in place what other programs look for", _START, "shim", "commonplace.cli.nuzo"),
    Command("completion", "completion for your shell", _START, "completion"),
)
