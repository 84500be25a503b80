"""The document that describes the API: valid, and the same as the table."""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from commonplace.api.openapi import document
from commonplace.api.operations import OPERATIONS, PREFIX, operations
from commonplace.dream import Limits
from tests.api.conftest import Page, Peopled

BESIDE = {"sign_in", "sign_out"}


def test_the_document_has_every_operation_of_the_table_and_nothing_else() -> None:
    described = document(OPERATIONS)
    found = {
        (each["operationId"], method.upper(), path)
        for path, item in described["paths"].items()
        for method, each in item.items()
    }
    table = {(each.name, each.method, each.path) for each in OPERATIONS}
    assert {each for each in found if each[0] not in BESIDE} == table
    assert len(found) == len(table) + len(BESIDE)


@pytest.mark.parametrize("operation", OPERATIONS, ids=[each.name for each in OPERATIONS])
def test_each_is_described_with_schemas_that_are_schemas(operation: object) -> None:
    described = document([operation])  # type: ignore[list-item]
    (path,) = (path for path in described["paths"] if path not in ("/sign-in", "/sign-out"))
    (item,) = described["paths"][path].values()
    assert item["description"].endswith(".")
    in_path = {each["name"] for each in item.get("parameters", []) if each["in"] == "path"}
    assert in_path == set(re.findall(r"{(\w+)}", path))
    assert all(each["required"] for each in item.get("parameters", []) if each["in"] == "path")
    names = [each["name"] for each in item.get("parameters", [])]
    body = item.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    arguments = operation.tool.input_schema()["properties"]  # type: ignore[attr-defined]
    assert sorted([*names, *body.get("properties", {})]) == sorted(arguments)
    assert set(body.get("required", [])) <= set(body.get("properties", {}))
    schemas = [each["schema"] for each in item.get("parameters", [])] + ([body] if body else [])
    answers = [each["content"]["application/json"]["schema"] for each in item["responses"].values()]
    for schema in [*schemas, *answers]:
        Draft202012Validator.check_schema(schema)
        assert "$defs" not in json.dumps(schema)
    for reference in re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(described)):
        place = described
        for part in reference.split("/"):
            place = place[part]


def test_no_two_operations_share_a_name_or_a_place() -> None:
    assert len({each.name for each in OPERATIONS}) == len(OPERATIONS)
    assert len({(each.method, each.path) for each in OPERATIONS}) == len(OPERATIONS)
    assert [each.path for each in operations(Limits(edits=1))] == [each.path for each in OPERATIONS]


def test_a_path_without_arguments_stands_before_those_it_would_fit() -> None:
    """Routes are tried in their order: else `purge` would be taken for an act."""
    for place, operation in enumerate(OPERATIONS):
        pattern = re.compile(re.sub(r"{\w+}", "[^/]+", operation.path))
        later = OPERATIONS[place + 1 :]
        hidden = [each.path for each in later if each.method == operation.method and pattern.fullmatch(each.path)]
        assert hidden == [], operation.path


def test_it_is_served_to_whoever_may_ask(there: Peopled, page: Page) -> None:
    served = there.server.send("GET", f"{PREFIX}/openapi.json", token=there.ada.token)
    assert served.json == json.loads(json.dumps(document(OPERATIONS)))
    assert there.server.send("GET", f"{PREFIX}/openapi.json").status == 401
    assert page.server.send("GET", f"{PREFIX}/openapi.json", **page.person().headers).json == served.json
    assert served.json["openapi"] == "3.1.0"
    assert served.json["servers"] == [{"url": PREFIX}]
