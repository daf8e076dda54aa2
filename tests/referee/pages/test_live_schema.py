"""The OpenAPI document of `tourney serve`: it is one, it has every address, and every answer is as it says."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from starlette.routing import Route

from referee.pages.live.api import routes
from referee.pages.live.schema import ROOT, document
from referee.pages.live.watch import Watch
from tests.referee.pages.serving import eventful, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

DOCUMENT = json.loads(json.dumps(document()))
OPERATIONS = {path: item["get"] for path, item in DOCUMENT["paths"].items()}
GAME = "/games/{competition}/{board}/{seating}"
#: What a real answer of each address is asked with.
ASKED = {
    "/ratings/{competition}": ("/ratings/trix", "/ratings/short%2Fvytrix%20100%20%25"),
    GAME: ("/games/trix/0/0", "/games/trix/0/1", "/games/short%2Fvytrix%20100%20%25/0/0"),
    f"{GAME}/record": ("/games/trix/0/0/record", "/games/short%2Fvytrix%20100%20%25/0/0/record"),
    "/games": ("/games", "/games?after=3&limit=2&entrant=ana", "/games?after=20&competition=trix"),
    "/faults": ("/faults", "/faults?after=1&limit=1"),
}
REFUSED = (
    ("GET", "/games?limt=1", 400),
    ("GET", "/games?limit=0", 400),
    ("GET", "/faults?after=1&after=2", 400),
    ("GET", "/ratings/nothing", 404),
    ("GET", "/games/trix/2/0", 404),
    ("GET", "/games/trix/x/0/record", 404),
    ("GET", "/nowhere", 404),
    ("POST", "/games", 405),
)


@pytest.fixture(scope="module", params=[False, True], ids=["goes on", "over"])
def client(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[httpx.Client]:
    path = eventful(tmp_path_factory.mktemp("schema") / "cup.db", over=request.param)
    with served(path) as (found, _):
        yield found


def closed(schema: Any) -> Any:
    """The same, but an object may have no keys beside those that are described."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: closed(one) for key, one in schema.items()}
    if "properties" in found and "required" in found:
        found.setdefault("additionalProperties", False)
    return found


SCHEMAS = closed(DOCUMENT["components"]["schemas"])


def check(schema: dict[str, Any], value: object) -> None:
    whole = {**closed(schema), "components": {"schemas": SCHEMAS}}
    Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(value)


def resolved(value: dict[str, Any]) -> dict[str, Any]:
    """What a reference leads to."""
    if "$ref" not in value:
        return value
    found: Any = DOCUMENT
    assert value["$ref"].startswith("#/")
    for part in value["$ref"][2:].split("/"):
        found = found[part]
    assert isinstance(found, dict)
    return found


def everywhere(value: Any) -> Iterator[dict[str, Any]]:
    """All objects of the document."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from everywhere(one)


def schemas() -> Iterator[dict[str, Any]]:
    """All schemas of the document, outermost ones."""
    yield from DOCUMENT["components"]["schemas"].values()
    for one in everywhere([DOCUMENT["paths"], DOCUMENT["components"]["parameters"], responses()]):
        if isinstance(one.get("schema"), dict):
            yield one["schema"]


def responses() -> list[dict[str, Any]]:
    return [resolved(one) for operation in OPERATIONS.values() for one in operation["responses"].values()]


# The document.


def test_it_is_a_document_of_openapi_3_1() -> None:
    assert re.fullmatch(r"3\.1\.\d", DOCUMENT["openapi"])
    assert set(DOCUMENT) <= {
        "openapi",
        "info",
        "jsonSchemaDialect",
        "servers",
        "paths",
        "components",
        "tags",
    }
    assert {"title", "version"} <= set(DOCUMENT["info"])
    assert all(path.startswith("/") for path in DOCUMENT["paths"])
    assert all(set(item) == {"get"} for item in DOCUMENT["paths"].values())
    assert all(
        re.fullmatch(r"[a-zA-Z0-9._-]+", key) for one in DOCUMENT["components"].values() for key in one
    )


def test_every_operation_has_a_name_of_its_own_a_tag_and_its_answers() -> None:
    names = [operation["operationId"] for operation in OPERATIONS.values()]
    assert len(set(names)) == len(names)
    tags = {one["name"] for one in DOCUMENT["tags"]}
    assert {tag for operation in OPERATIONS.values() for tag in operation["tags"]} == tags
    for path, operation in OPERATIONS.items():
        assert operation["summary"], path
        assert {"200", "304", "400", "405", "500", "503"} <= set(operation["responses"]), path
        assert ("404" in operation["responses"]) == ("{" in path)
        assert all(resolved(one)["description"] for one in operation["responses"].values())


def test_every_parameter_is_described_and_those_of_an_address_are_in_it() -> None:
    for path, operation in OPERATIONS.items():
        parameters = [resolved(one) for one in operation["parameters"]]
        places = [(one["in"], one["name"]) for one in parameters]
        assert len(set(places)) == len(places)
        assert {name for where, name in places if where == "path"} == set(re.findall(r"{(\w+)}", path))
        for one in parameters:
            assert one["description"]
            assert one["in"] in {"path", "query", "header"}
            assert one.get("required", False) == (one["in"] == "path")
            check(one["schema"], one["example"])


def test_every_reference_leads_somewhere_and_every_part_is_used() -> None:
    used = {one["$ref"] for one in everywhere(DOCUMENT) if "$ref" in one}
    for one in used:
        assert resolved({"$ref": one})
    there = {
        f"#/components/{kind}/{name}" for kind, parts in DOCUMENT["components"].items() for name in parts
    }
    assert used == there


def test_every_schema_is_one_and_requires_only_what_it_describes() -> None:
    for schema in schemas():
        Draft202012Validator.check_schema(schema)
        for one in everywhere(schema):
            if isinstance(one.get("required"), list):
                assert set(one["required"]) <= set(one.get("properties", one["required"]))


def test_every_example_is_as_it_says() -> None:
    examples = 0
    for response in responses():
        for content in response.get("content", {}).values():
            if "example" in content:
                check(content["schema"], content["example"])
                examples += 1
        for header in response.get("headers", {}).values():
            if "example" in header:
                check(header["schema"], header["example"])
    assert examples >= len(OPERATIONS)


# The document and the server.


def test_every_address_of_the_server_is_in_it_and_the_other_way_round() -> None:
    served_ones = [one.path_format for one in routes(Watch(Path("cup.db"))) if isinstance(one, Route)]
    *known, nowhere = served_ones
    assert nowhere == ROOT + "/{address}"
    assert sorted(known) == sorted(DOCUMENT["paths"])


def test_the_parameters_of_an_address_are_those_that_it_takes(client: httpx.Client) -> None:
    for path, operation in OPERATIONS.items():
        asked = ASKED.get(path.removeprefix(ROOT), (path.removeprefix(ROOT),))[0]
        known = [one["name"] for one in map(resolved, operation["parameters"]) if one["in"] == "query"]
        message = client.get(ROOT + asked, params={"": "1"}).json()["error"]["message"]
        listed = message.partition("; here are ")[2]
        assert (listed.split(", ") if listed else []) == known, path


def test_every_answer_of_a_store_is_as_it_says(client: httpx.Client) -> None:
    for path, operation in OPERATIONS.items():
        short = path.removeprefix(ROOT)
        for asked in ASKED.get(short, (short,)):
            response = client.get(ROOT + asked)
            assert response.status_code == 200, (asked, response.text)
            described = operation["responses"]["200"]
            check(described["content"]["application/json"]["schema"], response.json())
            for name, header in described["headers"].items():
                check(header["schema"], response.headers[name])
            again = client.get(ROOT + asked, headers={"If-None-Match": response.headers["etag"]})
            assert again.status_code in {200, 304}


def test_every_refusal_is_as_it_says(client: httpx.Client) -> None:
    for method, path, status in REFUSED:
        response = client.request(method, ROOT + path)
        assert response.status_code == status, path
        check({"$ref": "#/components/schemas/Error"}, response.json())


def test_the_document_that_is_served_is_this_one(client: httpx.Client) -> None:
    assert client.get(f"{ROOT}/openapi.json").json() == DOCUMENT


def test_an_undescribed_key_would_be_found() -> None:
    (path,) = (one for one in OPERATIONS if one.endswith("/progress"))
    content = deepcopy(OPERATIONS[path]["responses"]["200"]["content"]["application/json"])
    content["example"]["run"]["more"] = 1
    with pytest.raises(Exception, match="Additional properties"):
        check(content["schema"], content["example"])
