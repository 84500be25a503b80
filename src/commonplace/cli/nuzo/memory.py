"""memory: Nuzo's command line, with its words, its lines and its exit codes."""

from argparse import ArgumentParser
from collections.abc import Callable

from commonplace.cli.commands import Action
from commonplace.cli.nuzo import capture, setup, verbs
from commonplace.cli.output import without_secrets
from commonplace.cli.parser import add_subcommands
from commonplace.cli.session import CommandSession, UsageError
from commonplace.dialects.nuzo.refusals import INPUT_INVALID, INTERNAL, Refusal, error_shape
from commonplace.domain.record import Record
from commonplace.errors import CommonplaceError, Unexpected

REFUSED = 1
BUG = 70


class Verb(Record):
    """A word after `memory`: what it is for, what it takes, what it does."""

    meaning: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[CommandSession], None]


VERBS = {
    "init": Verb("make the store, and with --project mark a project", setup.add_init, setup.init),
    "remember": Verb("store a memory", verbs.add_remember, verbs.remember),
    "recall": Verb("find relevant memories", verbs.add_recall, verbs.recall),
    "list": Verb("list memories, the last changed first", verbs.add_list, verbs.list_),
    "update": Verb("edit a memory", verbs.add_update, verbs.update),
    "history": Verb("the audit history of a memory", verbs.add_history, verbs.history),
    "forget": Verb("archive a memory, or delete it", verbs.add_forget, verbs.forget),
    "forget-many": Verb("preview or apply a bulk archive or deletion", verbs.add_forget_many, verbs.forget_many),
    "export": Verb("write memories as JSON or Markdown", verbs.add_export, verbs.export),
    "import": Verb("read a JSON export", verbs.add_import, verbs.import_),
    "doctor": Verb("check store, git and network", setup.add_doctor, setup.doctor),
    "suggest-capture": Verb("print a draft for a person to confirm", capture.add_suggest, capture.suggest_capture),
    "confirm-capture": Verb("decide about drafts", capture.add_confirm, capture.confirm_capture),
}


def _add_arguments(parser: ArgumentParser) -> None:
    parsers = add_subcommands(parser, {word: verb.meaning for word, verb in VERBS.items()}, "init")
    for word, verb in VERBS.items():
        verb.add_arguments(parsers[word])


def _run(session: CommandSession) -> int:
    """A door of its own: the contract wants its code before the sentence, also for a bug of ours."""
    try:
        VERBS[session.arguments.action].run(session)
    except (UsageError, BrokenPipeError):
        raise
    except CommonplaceError as error:
        return _refused(session, error, REFUSED)
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        return _refused(session, Refusal(INPUT_INVALID, f"{named}{error.strerror or error}."), REFUSED)
    except Exception as error:
        if session.output.verbose:
            raise
        return _refused(session, Unexpected(f"This is a bug ({type(error).__name__}); --verbose shows where."), BUG)
    return 0


def _refused(session: CommandSession, error: CommonplaceError, exit_code: int) -> int:
    body = error_shape(error)
    if session.output.json:
        session.output.document({**body, "message": without_secrets(str(body["message"]))})
    session.output.complain(f"{body['code']}: {' '.join(str(body['message']).split())}")
    return BUG if body["code"] == INTERNAL else exit_code


ACTIONS = {
    "memory": Action(
        description="The commands of Nuzo's contract on your book, as scripts and skills written for 'nuzo memory'\n"
        "expect them. Its errors are a code and a sentence.",
        examples=(
            'memory remember "The user prefers concise output." --kind preference --tag codex',
            'memory recall "output style"',
            "memory forget-many --scope project:auto --apply",
            "memory export --path memories.memory.export.json",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
