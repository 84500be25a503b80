"""Transcripts of conversations as a stream of turns: plain text, Claude Code, Codex, and messages as JSON lines."""

from commonplace.sessions.transcripts.reading import Format, detect, read_file, read_stream, read_text
from commonplace.sessions.transcripts.turns import Speaker, Turn

__all__ = ["Format", "Speaker", "Turn", "detect", "read_file", "read_stream", "read_text"]
