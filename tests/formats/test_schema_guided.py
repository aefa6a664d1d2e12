"""Services of Schema-Guided Dialogue and of MultiWOZ 2.2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from layout_examples import EXAMPLES, SLOT

from callwright.app.catalogs import read_catalog
from callwright.formats.schema_guided import read

(SERVICE,) = EXAMPLES["sgd"]
(INTENT,) = SERVICE["intents"]
SEATS = {"name": "seats", "description": "How many.", "is_categorical": False, "possible_values": ["2", "4"]}


def service(**intent: Any) -> dict[str, Any]:
    return {**SERVICE, "slots": [SLOT, SEATS], "intents": [{**INTENT, **intent}]}


def test_an_intent_is_a_tool() -> None:
    """Slots are parameters, values of a categorical slot an enumeration, other values examples."""
    catalog = read([service(required_slots=["seats"], optional_slots={"city": "Ely"})], source="doc")
    (tool,) = catalog.tools
    assert (tool.name, tool.description, tool.domain) == ("FindPlace", "Finds a place.", "Maps_1")
    assert tool.required == ("seats",)
    assert tool.properties == {
        "city": {"type": "string", "description": "Where.", "enum": ["Ely", "Wells"], "default": "Ely"},
        "seats": {"type": "string", "description": "How many.", "examples": ["2", "4"]},
    }
    assert catalog.altered == ()


def test_not_caring_is_no_default() -> None:
    """`dontcare` says that a slot need not be given, not what it is."""
    (tool,) = read([service(optional_slots={"city": "dontcare"})], source="doc").tools
    assert "default" not in tool.properties["city"]


@pytest.mark.parametrize("transaction", [True, False])
def test_results(transaction: bool) -> None:
    """A search returns a list of results, a transaction one."""
    (tool,) = read([service(is_transactional=transaction, result_slots=["seats"])], source="doc").tools
    returns = json.loads(tool.returns or "")
    one = returns if transaction else returns["items"]
    assert one["properties"].keys() == {"seats"}
    assert not tool.returns_inferred


def test_results_that_are_not_told_are_inferred() -> None:
    """Where no result slots are named, all slots of the service may be, and are marked as inferred."""
    intent = {key: value for key, value in INTENT.items() if key != "result_slots"}
    (tool,) = read([{**SERVICE, "slots": [SLOT, SEATS], "intents": [intent]}], source="doc").tools
    assert json.loads(tool.returns or "")["items"]["properties"].keys() == {"city", "seats"}
    assert tool.returns_inferred


def test_names_that_several_services_have() -> None:
    """Intents of one name say which service they are of."""
    catalog = read([SERVICE, {**SERVICE, "service_name": "Maps_2"}], source="doc")
    assert [tool.name for tool in catalog.tools] == ["FindPlace_for_Maps_1", "FindPlace_for_Maps_2"]


def test_what_is_laid_out_differently_is_left_out() -> None:
    """Services and intents of other shapes are named with the reason."""
    services = [
        SERVICE,
        5,
        {**SERVICE, "slots": None},
        {**SERVICE, "slots": [SLOT, SLOT]},
        {**SERVICE, "intents": [5]},
        service(required_slots="city"),
        service(optional_slots=["city"]),
        service(result_slots=[5]),
        service(required_slots=["planet"]),
    ]
    catalog = read(services, source="doc")
    assert len(catalog.tools) == 1
    assert [entry.where for entry in catalog.left_out] == [
        "service 2",
        "Maps_1",
        "Maps_1",
        "Maps_1, intent 1",
        *["Maps_1, intent 1 (FindPlace)"] * 4,
    ]
    assert "`planet` is none of the service's" in catalog.left_out[-1].reason


@pytest.mark.parametrize(
    ("file", "services", "intents"),
    [("sgd/train", 26, 53), ("sgd/dev", 17, 30), ("sgd/test", 21, 38), ("multiwoz", 8, 11)],
)
def test_the_real_schemas_are_read_whole(shared_data: Path, file: str, services: int, intents: int) -> None:
    """Every intent of every service is a tool, with every slot, required or not, and every result."""
    path = shared_data / file / ("schema_2.2.json" if file == "multiwoz" else "schema.json")
    document = json.loads(path.read_text())
    listed = [(one, intent) for one in document for intent in one["intents"]]
    catalog = read_catalog(path)
    assert (len(document), len(listed)) == (services, intents)
    assert (len(catalog.tools), catalog.left_out) == (intents, ())
    for (one, intent), tool in zip(listed, catalog.tools, strict=True):
        assert tool.domain == one["service_name"]
        assert set(tool.properties) == {*intent["required_slots"], *intent["optional_slots"]}
        assert list(tool.required) == intent["required_slots"]
        returns = json.loads(tool.returns or "")
        assert returns.get("items", returns)["properties"].keys() == set(
            intent.get("result_slots", [slot["name"] for slot in one["slots"]])
        )
