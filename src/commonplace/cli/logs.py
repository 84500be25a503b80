"""The log of a server on stderr, in which nothing that a caller sent can steer a terminal or pass for another line."""

import logging
import sys

from commonplace.text import visible


class _Visible(logging.Formatter):
    """One line for each message, all of it visible; the lines of a traceback follow it."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        record.message = record.message.replace("\n", "\\n")
        return super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def log_to_stderr(verbose: bool, form: str) -> None:
    """Log warnings, or with `verbose` what goes on as well."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Visible(form))
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[handler])
