"""Which format a file has, by its name and by how it begins."""

from enum import StrEnum

from commonplace.errors import InvalidInput
from commonplace.imports import chat_memory, decision_records, host_memory, instructions, mem0, notes, server_memory
from commonplace.imports.files import is_json
from commonplace.imports.frontmatter import page_of
from commonplace.imports.json_text import document, lines

OWN_MARK = '"commonplace-export"'


class Format(StrEnum):
    """What a file may be. `conversations` are what hosts write, and the exports of ChatGPT and Claude.ai."""

    COMMONPLACE = "commonplace"
    INSTRUCTIONS = "instructions"
    HOST_MEMORY = "host-memory"
    CHAT_MEMORY = "chat-memory"
    SERVER_MEMORY = "server-memory"
    MEM0 = "mem0"
    BASIC_MEMORY = "basic-memory"
    MARKDOWN = "markdown"
    DECISIONS = "decisions"
    CONVERSATIONS = "conversations"


def tell(name: str, text: str) -> Format:
    """The format of a text file that is called so. What is JSON and none of ours may be conversations."""
    small = name.lower()
    if is_json(name, text):
        return _json_format(text)
    if small in instructions.NAMES or small.endswith(instructions.RULE):
        return Format.INSTRUCTIONS
    if small in host_memory.NAMES:
        return Format.HOST_MEMORY
    if chat_memory.is_list(text):
        return Format.CHAT_MEMORY
    page = page_of(text)
    if host_memory.is_one(page):
        return Format.HOST_MEMORY
    if decision_records.is_one(page):
        return Format.DECISIONS
    return Format.BASIC_MEMORY if notes.is_basic_memory(page) else Format.MARKDOWN


def _json_format(text: str) -> Format:
    first, _, rest = text.lstrip().partition("\n")
    try:
        _, record = next(lines(first), (0, {}))
    except InvalidInput:
        record = {}
    if record.get("type") in server_memory.TYPES:
        return Format.SERVER_MEMORY
    if record and rest.lstrip().startswith("{"):  # one object on each line, and none of ours
        return Format.CONVERSATIONS
    found = document(text)
    if isinstance(found, dict) and {"entities", "relations"} <= found.keys():
        return Format.SERVER_MEMORY
    if mem0.is_one(found):
        return Format.MEM0
    return Format.CHAT_MEMORY if chat_memory.is_document(found) else Format.CONVERSATIONS
