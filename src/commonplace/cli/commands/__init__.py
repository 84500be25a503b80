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


EVERY_DAY = "Every day"
CONTRACTS = "Contracts of other tools"
_USE, _CORRECT, _FORGET, _SHARE = "Look closer", "Correct", "Forget for good", "Decide and share"
_MOVE, _CARE, _SERVE, _START = "Copy and move", "Look after", "Serve", "Get started"

COMMANDS: tuple[Command, ...] = (
    Command("remember", "write something down", EVERY_DAY, "remember"),
    Command("recall", "find what is known about something", EVERY_DAY, "recall"),
    Command("list", "page through memories", EVERY_DAY, "read"),
    Command("show", "everything about a memory", EVERY_DAY, "read"),
    Command("update", "change memories", EVERY_DAY, "change"),
    Command("forget", "leave a tombstone, which can be undone", EVERY_DAY, "standing"),
    Command("undo", "take back what was changed", EVERY_DAY, "undo"),
    Command("review", "go through what waits for you", EVERY_DAY, "review"),
    Command("status", "the book, what is connected to it, what waits, what went wrong", EVERY_DAY, "status"),
    Command("web", "see, review and correct it all in your browser", EVERY_DAY, "web"),
    Command("setup", "connect your AI tools to the book", EVERY_DAY, "setup"),
    Command("import", "bring in what other tools remembered, or what export wrote", EVERY_DAY, "import_"),
    Command("export", "write memories to a document", EVERY_DAY, "transfer"),
    Command("why", "why a recall answers as it does", _USE, "why"),
    Command("tags", "every tag, and how many memories have it", _USE, "labels"),
    Command("topics", "every topic, with its newest memory", _USE, "labels"),
    Command("docs", "documents that memories rest on", _USE, "docs"),
    Command("session", "conversations, and what was learnt from them", _USE, "session_"),
    Command("catch-up", "learn from the conversations that wait", _USE, "hooks"),
    Command("confirm", "say that memories still hold", _CORRECT, "standing"),
    Command("supersede", "put a newer memory in the place of an older one", _CORRECT, "change"),
    Command("invalidate", "say that memories are not true any more", _CORRECT, "standing"),
    Command("archive", "put memories away; nothing is lost", _CORRECT, "standing"),
    Command("restore", "bring memories back", _CORRECT, "standing"),
    Command("evidence", "what a memory rests on, and whether it holds", _CORRECT, "evidence"),
    Command("history", "what happened to a memory", _CORRECT, "read"),
    Command("correct", "say what was wrong, to be made a rule of", _CORRECT, "corrections"),
    Command("corrections", "what was said to be wrong, and what came of it", _CORRECT, "corrections"),
    Command("purge", "remove memories for good, every byte", _FORGET, "purge"),
    Command("decision", "what was decided, why, and what took its place", _SHARE, "decision"),
    Command("team", "people who share memories, and what they agree on", _SHARE, "team"),
    Command("projects", "what you work in, and which folders belong together", _SHARE, "projects"),
    Command("backup", "copy the book to a file", _MOVE, "copies"),
    Command("restore-backup", "put a back-up in the place of the book", _MOVE, "copies"),
    Command("migrate", "copy the whole book to another engine", _MOVE, "migrate"),
    Command("dream", "tidy the book up, with a plan and an undo", _CARE, "dream"),
    Command("doctor", "examine the book, and repair it", _CARE, "upkeep"),
    Command("models", "the model packs that search by meaning", _CARE, "models"),
    Command("reembed", "give every memory its vector", _CARE, "upkeep"),
    Command("config", "settings, and where they come from", _CARE, "settings"),
    Command("upgrade", "bring an older book up to date", _CARE, "upkeep"),
    Command("reset", "empty the book", _CARE, "copies"),
    Command("curate", "take the snapshot of curated memory anew", _CARE, "curate"),
    Command("injected", "what hooks gave to a model, why, and what it cost", _CARE, "hooks"),
    Command("pause", "pause hooks for a while", _CARE, "hooks"),
    Command("hook", "answer a call of a host's hook", _SERVE, "hooks"),
    Command("mcp", "serve the book to an AI tool over stdio", _SERVE, "mcp"),
    Command("serve", "serve the book over HTTP", _SERVE, "serve"),
    Command("token", "who may use the book over HTTP", _SERVE, "token"),
    Command("help", "these pages, or how to use one command", _START, "help"),
    Command("demo", "the main job, on a book of its own", _START, "demo"),
    Command("completion", "completion for your shell", _START, "completion"),
    Command("memory", "the commands of Nuzo's contract", CONTRACTS, "memory", "commonplace.cli.nuzo"),
    Command("rpc", "call one of Aleph's methods", CONTRACTS, "rpc", "commonplace.cli.aleph"),
)

OTHER_WORDS = {
    "search": "recall",
    "find": "recall",
    "ask": "recall",
    "query": "recall",
    "add": "remember",
    "save": "remember",
    "get": "show",
    "ls": "list",
    "edit": "update",
    "delete": "forget",
    "remove": "forget",
    "rm": "forget",
    "stats": "status",
    "init": "setup",
}
"""What other tools call a command of ours. Each is understood, and it is said how it is called here."""
