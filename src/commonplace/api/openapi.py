"""The table of operations as an OpenAPI document."""

from collections.abc import Mapping, Sequence

from commonplace import __version__
from commonplace.api.operations import PREFIX, Operation
from commonplace.domain.scope import Right

Json = dict[str, object]

ERRORS: Mapping[int, str] = {
    400: "Part of the request cannot be used: `argument` names it.",
    401: "Nobody is signed in, or no longer.",
    403: "The right to do it is missing.",
    404: "There is no such thing, or it belongs to somebody else.",
    409: "Somebody changed it first, or it is not in the state for it.",
    413: "The request is too large.",
    429: "Too many requests: `Retry-After` says when to come back.",
    500: "The server failed.",
    503: "The server cannot do it now: try again.",
}
SIGN_IN = "Exchanges a bearer token, or the key of `commonplace web`, for a cookie and the half that goes with it."
SIGN_OUT = "Ends the session of a page."


def document(operations: Sequence[Operation]) -> Json:
    """The whole API, OpenAPI 3.1."""
    paths: dict[str, Json] = {
        "/sign-in": {
            "post": _session("sign_in", SIGN_IN, {"half": {"type": "string"}, "expires_at": {"type": "string"}})
        },
        "/sign-out": {"post": _session("sign_out", SIGN_OUT, {})},
    }
    for each in operations:
        paths.setdefault(each.path, {})[each.method.lower()] = _described(each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Commonplace",
            "version": __version__,
            "description": "The memory of your agents: looked at, reviewed, corrected and forgotten.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": PREFIX}],
        "security": [{"bearer": []}, {"cookie": [], "half": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "commonplace_PORT"},
                "half": {"type": "apiKey", "in": "header", "name": "X-Commonplace-Half"},
            },
            "schemas": {"Error": _ERROR},
        },
    }


def _described(operation: Operation) -> Json:
    schema = operation.tool.input_schema()
    fields, required = _mapping(schema.get("properties")), _list(schema.get("required"))
    in_path = [name for name in fields if f"{{{name}}}" in operation.path]
    parameters: list[Json] = [
        {"name": name, "in": "path", "required": True, "schema": fields[name]} for name in in_path
    ]
    rest = {name: field for name, field in fields.items() if name not in in_path}
    found: Json = {
        "operationId": operation.name,
        "summary": operation.tool.title,
        "description": operation.tool.description,
        "x-right": operation.right.value,
        "responses": _responses(operation.tool.output_schema(), operation.right),
    }
    if operation.method == "GET":
        parameters += [
            {"name": name, "in": "query", "required": name in required, "schema": field} for name, field in rest.items()
        ]
    elif rest:
        body = {**schema, "properties": rest, "required": [name for name in required if name not in in_path]}
        found["requestBody"] = {"required": bool(body["required"]), "content": {"application/json": {"schema": body}}}
    return {**found, "parameters": parameters} if parameters else found


def _session(name: str, description: str, fields: Mapping[str, Json]) -> Json:
    schema: Json = {"type": "object", "properties": dict(fields), "required": list(fields)}
    return {
        "operationId": name,
        "summary": name.replace("_", " ").capitalize(),
        "description": description,
        "responses": _responses(schema, Right.READ),
    }


def _responses(schema: Json, right: Right) -> Json:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    failures = {str(status): {"description": said, "content": error} for status, said in ERRORS.items()}
    return {"200": {"description": f"Needs the right to {right.value}.", "content": _json(schema)}, **failures}


def _json(schema: Json) -> Json:
    return {"application/json": {"schema": schema}}


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[str]:
    return value if isinstance(value, list) else []


_ERROR: Json = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string", "description": "One sentence that says what to do."},
                "argument": {"type": "string"},
            },
            "required": ["code", "message"],
        }
    },
    "required": ["error"],
}
