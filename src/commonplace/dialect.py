"""What a dialect is made of: tools as data, and the one path on which every call of one goes.

A dialect is a module of `commonplace.dialects` with a `DIALECT`. It turns JSON arguments into one
call on the book and the answer into the shapes its contract shows. Nothing here knows how the
bytes came in.
"""

import json
import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter, ValidationError

from commonplace import deadline
from commonplace.book.book import Book
from commonplace.book.display_json import flagged
from commonplace.domain.record import Record
from commonplace.domain.scope import Right
from commonplace.domain.validation import check_unicode
from commonplace.engine.caller import Door
from commonplace.errors import CommonplaceError, InvalidInput
from commonplace.secrets import Asked
from commonplace.text import flags

DEPTH_LIMIT = 32  # no tool takes anything nearly as deep
NAME_SHOWN = 60

# What JSON-RPC 2.0 calls its own errors, and the first number it leaves to servers.
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, SERVER_ERROR = -32602, -32603, -32000

Json = Mapping[str, object]

log = logging.getLogger("commonplace.dialect")


class Parameters(BaseModel):
    """The arguments of a tool. `null` means not given; arguments a tool does not know are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    @classmethod
    def is_given(cls, name: str, value: object) -> bool:
        """Whether an argument says anything."""
        return value is not None


def whole(value: object) -> object:
    """JSON has one kind of number: 8.0 is a whole one too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = Annotated[int, BeforeValidator(whole)]
"""An integer, however JSON spells it."""

Given = TypeVar("Given", bound=Parameters)


class Effect(Record):
    """What a call may do, for hosts that ask before some calls and not before others."""

    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False


READS = Effect(read_only=True, idempotent=True)
ADDS = Effect()
ADDS_ONCE = Effect(idempotent=True)
CHANGES = Effect(destructive=True)
REMOVES = Effect(destructive=True, idempotent=True)


class Tool(Record):
    """One tool: what a model sees of it, and the call it stands for. Made by `tool`, which checks the types."""

    name: str
    title: str
    description: str
    parameters: type[Parameters]
    result: type
    effect: Effect
    call: Callable[[Book, Any], Json]

    def input_schema(self) -> dict[str, object]:
        """JSON Schema of the arguments, as `tools/list` shows it."""
        return _object(_tidy(self.parameters.model_json_schema()))

    def output_schema(self) -> dict[str, object]:
        """JSON Schema of a successful answer."""
        return _object(_tidy(TypeAdapter(self.result).json_schema()))

    def read(self, arguments: Mapping[str, object]) -> Parameters:
        """The arguments as parameters, or one sentence about the first that cannot be used."""
        for path, value in _leaves(arguments):
            _refuse_unusable(path, value)
        if self.parameters.model_config.get("extra") == "forbid":
            _refuse_unknown(self, [name for name, value in arguments.items() if value is not None])
        return read(self.parameters, arguments)


def read(parameters: type[Given], arguments: Mapping[str, object]) -> Given:
    """Arguments, or an item of a batch, as parameters, or one sentence about the first that cannot be used."""
    try:
        given = {name: value for name, value in arguments.items() if parameters.is_given(name, value)}
        return parameters.model_validate(given)
    except ValidationError as error:
        raise _refusal(error) from None


def tool(
    name: str,
    title: str,
    description: str,
    parameters: type[Given],
    call: Callable[[Book, Given], Json],
    result: type,
    effect: Effect,
) -> Tool:
    """A tool whose call takes exactly its parameters."""
    return Tool(name, title, description, parameters, result, effect, call)


class Prompt(Record):
    """A prompt a person picks in their host; `arguments` are names with what they mean, all of them texts.

    Some hosts fill in only what is `required`.
    """

    name: str
    title: str
    description: str
    arguments: Mapping[str, str]
    write: Callable[[Book, Mapping[str, str]], str]
    required: tuple[str, ...] = ()


class Resource(Record):
    """Something to be read by address. `template` has one `{id}`."""

    template: str
    name: str
    description: str
    read: Callable[[Book, str], Json]

    def id_in(self, address: str) -> str | None:
        """The id an address of this resource names, or None when it is another's."""
        before, _, after = self.template.partition("{id}")
        if not address.startswith(before) or not address.endswith(after):
            return None
        id = address[len(before) : len(address) - len(after)]
        return id if id and "/" not in id else None


class Dialect(Record):
    """A contract as data.

    `render_error` gives an error the contract's own envelope; `core` names the tools that a host should
    have at hand without looking for them; `indent` is how the text of an answer is laid out; `begin` is done
    once in each process that a host starts, before its first call. `methods` gives what is called as JSON-RPC
    beside the tools, as a dialect of its own, to servers that have a path for it. `refuses_unknown_tools`
    by an error of the protocol, as that asks for; other contracts ask for a result.
    """

    name: str
    server: str
    instructions: str
    door: Door
    tools: tuple[Tool, ...]
    render_error: Callable[[CommonplaceError], Json]
    core: tuple[str, ...] = ()
    indent: int | None = None
    prompts: tuple[Prompt, ...] = ()
    resources: tuple[Resource, ...] = ()
    begin: Callable[[Book], None] = lambda book: None
    methods: "Callable[[], Dialect] | None" = None
    refuses_unknown_tools: bool = False

    def tool(self, name: str) -> Tool:
        """The tool of that name; InvalidInput that names the closest one otherwise."""
        for each in self.tools:
            if each.name == name:
                return each
        close = get_close_matches(_shown(name), [each.name for each in self.tools], 1)
        hint = f"did you mean '{close[0]}'?" if close else f"there are {', '.join(each.name for each in self.tools)}."
        raise InvalidInput(f"There is no tool '{_shown(name)}': {hint}", "name")


class Answer(Record):
    """What a call came to: the body that is both the text and the structured content, or an error's."""

    body: Json
    text: str
    failed: bool = False


def perform(dialect: Dialect, book: Book, name: str, arguments: Mapping[str, object]) -> Answer:
    """One call of a tool. Whatever the engine raises becomes the contract's error, here and nowhere else."""
    asked = Asked((name, arguments))
    try:
        chosen = dialect.tool(name)
        return _answered(dialect, asked.unsaid(chosen.call(book, chosen.read(arguments))))
    except CommonplaceError as error:
        return _answered(dialect, asked.unsaid(dialect.render_error(told(book, error))), failed=True)


def told(book: Book, error: CommonplaceError) -> CommonplaceError:
    """An error as a caller may see it: only who runs the book learns of places on its machine."""
    if Right.ADMIN in book.rights or not error.outside:
        return error
    log.warning("kept from a caller: %s", error.message)
    return error.for_strangers()


def refused(dialect: Dialect, error: CommonplaceError) -> Answer:
    """The contract's error, for a call that did not come so far as to be performed."""
    return _answered(dialect, dialect.render_error(error), failed=True)


def _answered(dialect: Dialect, body: Json, failed: bool = False) -> Answer:
    """Half characters, which an error may quote, are escaped: the wire is UTF-8. What hides text is flagged."""
    text = json.dumps(body, ensure_ascii=False, indent=dialect.indent)
    if not failed and flags(text):
        return _answered_with_flags(dialect, body)
    if failed:
        text = text.encode("utf-8", "backslashreplace").decode()
    return Answer(body, text, failed)


def _answered_with_flags(dialect: Dialect, body: Json) -> Answer:
    marked: Json = flagged(body)  # type: ignore[assignment]
    return Answer(marked, json.dumps(marked, ensure_ascii=False, indent=dialect.indent))


# -- arguments --------------------------------------------------------------------------------


def _leaves(value: object, path: str = "", depth: int = 0) -> Iterator[tuple[str, object]]:
    """Every text and number in the arguments, with where it stands."""
    deadline.check()
    if depth > DEPTH_LIMIT:
        argument = _shown(path.partition("[")[0].partition(".")[0])
        raise InvalidInput(f"{argument} is nested too deep: give something flatter.", argument)
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield f"a name in {path or 'the arguments'}", str(name)
            yield from _leaves(item, f"{path}.{name}" if path else str(name), depth + 1)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for place, item in enumerate(value):
            yield from _leaves(item, f"{path}[{place}]", depth + 1)
    else:
        yield path, value


def _refuse_unusable(path: str, value: object) -> None:
    """What no argument can be: a number without a value, which Python's JSON lets through, and half characters."""
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidInput(f"{_shown(path)} must be a finite number.", _shown(path))
    if isinstance(value, str) and not value.isascii():
        check_unicode(value, _shown(path))


def _refuse_unknown(tool: Tool, given: Sequence[str]) -> None:
    known = list(tool.parameters.model_fields)
    for name in given:
        if name not in known:
            close = get_close_matches(_shown(name), known, 1)
            hint = f"did you mean '{close[0]}'?" if close else f"it takes {', '.join(known)}."
            raise InvalidInput(f"{tool.name} has no argument '{_shown(name)}': {hint}", _shown(name))


def _shown(name: str) -> str:
    """A name that somebody else chose, fit to be shown: not endless, and valid Unicode."""
    return name[:NAME_SHOWN].encode("utf-8", "backslashreplace").decode()


_WANTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "is_instance_of": "something else",
}


def _refusal(error: ValidationError) -> InvalidInput:
    """Pydantic's first complaint as one sentence that names the argument and never quotes its value."""
    first = error.errors(include_url=False, include_input=False)[0]
    argument = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]).lstrip(".")
    match first["type"]:
        case "missing":
            sentence = f"{argument} is missing: give it."
        case "literal_error":
            sentence = f"{argument} must be {first['ctx']['expected']}."
        case "value_error":  # a dialect's own check, which says the rest of the sentence
            sentence = f"{argument} {first['ctx']['error']}"
        case kind if kind in _WANTED:
            sentence = f"{argument} must be {_WANTED[kind]}."
        case _:
            sentence = f"{argument}: {first['msg']}."
    return InvalidInput(sentence, argument)


# -- schemas ----------------------------------------------------------------------------------


_BOUNDS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}
"""JSON Schema's own words for bounds that come through under a checker's names."""


def _tidy(schema: dict[str, Any]) -> object:
    """A schema without what no reader needs: titles, references, and null as another way not to give something."""
    return _lean(schema, schema.get("$defs", {}))


def _lean(node: object, definitions: Mapping[str, object]) -> object:
    """The same node without those. `X | None` with a default is only how a model says that X may be left out."""
    if isinstance(node, list):
        return [_lean(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _lean(definitions[str(node["$ref"]).rpartition("/")[2]], definitions)
    if "anyOf" in node:
        others = [option for option in node["anyOf"] if option != {"type": "null"}]
        if len(others) == 1 and len(node["anyOf"]) == 2 and "default" in node:
            rest = {key: value for key, value in node.items() if key != "anyOf"}
            return _lean({**others[0], **rest}, definitions)
    lean: dict[str, object] = {}
    for key, value in node.items():
        if key in ("$defs", "title") or (key == "default" and value in (None, [])):
            continue
        if key in _BOUNDS and isinstance(value, int | float):
            lean[_BOUNDS[key]] = value
        elif key == "properties":  # its keys are names of arguments, and one may well be called title
            lean[key] = {name: _lean(item, definitions) for name, item in value.items()}
        else:
            lean[key] = _lean(value, definitions)
    return lean


def _object(schema: object) -> dict[str, object]:
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise TypeError("a tool's parameters and its result are objects")
    schema.pop("description", None)
    return schema
