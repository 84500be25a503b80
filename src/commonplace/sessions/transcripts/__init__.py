"""Transcripts of conversations as a stream of turns: plain text, what hosts write, and exports; one or a folder."""

from commonplace.sessions.transcripts.folders import transcripts_in
from commonplace.sessions.transcripts.reading import (
    Format,
    detect,
    read_conversations,
    read_file,
    read_stream,
    read_text,
)
from commonplace.sessions.transcripts.turns import Conversation, Speaker, Turn

__all__ = [
    "Conversation",
    "Format",
    "Speaker",
    "Turn",
    "detect",
    "read_conversations",
    "read_file",
    "read_stream",
    "read_text",
    "transcripts_in",
]
