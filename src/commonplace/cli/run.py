"""The way in and the way out: streams, errors and exit codes."""

import gc
import io
import os
import sys
from collections.abc import Mapping, Sequence

from commonplace.cli.output import Output, without_secrets
from commonplace.cli.parser import action_of, asked_for_itself, overview, parse, renamed
from commonplace.cli.session import CommandSession, UsageError
from commonplace.domain.validation import check_text
from commonplace.errors import CommonplaceError

REFUSED = 1
USAGE = 2
INTERNAL = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130
PIPE_CLOSED = 141  # what a shell reports for a program that SIGPIPE ended

_MAY_BE_BYTES = frozenset({"text", "store", "project", "file", "path", "paths", "from_file"})


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code: 0, 1 refused, 2 usage, 70 a bug of ours, 130 interrupted."""
    words = sys.argv[1:] if argv is None else list(argv)
    _speak_utf8()
    try:
        code = perform(words, set())
        sys.stdout.flush()
    except BrokenPipeError:
        _let_go_of_stdout()
        code = PIPE_CLOSED
    if argv is None:
        gc.freeze()  # the process ends now: to look for garbage once more would take longer than a recall
    return code


def perform(words: Sequence[str], noted: set[str]) -> int:
    """Run one command; `noted` is what has been noted already and need not be said again."""
    output = Output("--json" in words, "--verbose" in words or "-v" in words)
    try:
        if not words:
            print(overview(), end="", file=sys.stderr)
            return USAGE
        about_us = asked_for_itself(words)
        if about_us is not None:
            print(about_us, end="")
            return 0
        command, arguments = parse(words)
        output = Output(arguments.json, arguments.verbose, arguments.quiet, arguments.no_color, noted)
        _refuse_half_characters(vars(arguments))
        called_otherwise = renamed(words, command)
        if called_otherwise is not None:
            output.note(called_otherwise)
        return action_of(command).run(CommandSession(arguments, output))
    except SystemExit as exit:  # argparse leaves this way after a command's --help
        return exit.code if isinstance(exit.code, int) else 0
    except UsageError as error:
        return _failed(output, "usage", str(error), USAGE)
    except CommonplaceError as error:
        return _failed(output, error.code, error.message, REFUSED)
    except BrokenPipeError:  # an OSError, but nobody is left to be told: `main` leaves quietly
        raise
    except UnicodeDecodeError as error:
        return _failed(output, "invalid_input", f"The input is not valid UTF-8 at byte {error.start}.", REFUSED)
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        return _failed(output, "system_error", f"{named}{error.strerror or error}.", REFUSED)
    except KeyboardInterrupt:
        return _failed(output, "interrupted", "Interrupted.", INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - a door: what nobody expected still ends in one sentence
        return _bug(output, error)


def _refuse_half_characters(arguments: Mapping[str, object]) -> None:
    """Bytes that are no UTF-8 are fine in a path; the engine speaks for the text of a memory itself."""
    for name, value in arguments.items():
        if name not in _MAY_BE_BYTES:
            for word in value if isinstance(value, list) else [value]:
                if isinstance(word, str) and not word.isascii():
                    check_text(word, name)


def _failed(output: Output, code: str, message: str, exit_code: int) -> int:
    from commonplace.domain.addresses import without_passwords  # only a complaint has to pay for it

    sentence = without_passwords(" ".join(message.split()))
    if output.json:
        output.document({"error": {"code": code, "message": without_secrets(sentence)}})
    output.fail(sentence)
    return exit_code


def _bug(output: Output, error: Exception) -> int:
    if output.verbose:
        import traceback

        output.complain("".join(traceback.format_exception(error)).rstrip())
    hint = "" if output.verbose else "; --verbose shows where"
    return _failed(output, "internal", f"This is a bug ({type(error).__name__}: {error}){hint}.", INTERNAL)


def _speak_utf8() -> None:
    """Whatever the system's code page. Paths that are not UTF-8 are still shown, escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="strict")


def _let_go_of_stdout() -> None:
    """The reader left, as `head` does; what Python would still flush at its end goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
