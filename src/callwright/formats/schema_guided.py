"""Schema-Guided Dialogue's services, and MultiWOZ 2.2's in the same layout: each intent is a tool.

Values of a categorical slot are all there are, others are examples; the default `dontcare` is none. A search returns a
list, a transaction one result. MultiWOZ names no result slots: `returns` then holds every slot of the service, and
counts as inferred.
"""

from __future__ import annotations

from collections.abc import Iterator

from callwright.formats.described import Described, as_list, by_name, collect, object_schema
from callwright.formats.keywords import Schema
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog, LeftOut

LAYOUT = "SGD or MultiWOZ 2.2 (an array of services with `service_name`, `slots` and `intents`)"

_NO_MATTER = "dontcare"


def fits(document: Json) -> bool:
    """True for services with intents."""
    return any(isinstance(one, dict) and {"service_name", "intents"} <= one.keys() for one in as_list(document))


def read(document: Json, *, source: str) -> Catalog:
    """Return the intents of all services. Raises BadDocument when there is no usable one."""
    return collect(_entries(as_list(document)), source=source)


def _entries(services: list[Json]) -> Iterator[Described | LeftOut]:
    for number, service in enumerate(services, 1):
        name = service.get("service_name") if isinstance(service, dict) else None
        if not isinstance(name, str):
            yield LeftOut(f"service {number}", "no service: it has no `service_name`")
            continue
        slots, intents = by_name(service.get("slots")), service.get("intents")
        if slots is None or not isinstance(intents, list):
            yield LeftOut(name[:80], "`slots` or `intents` is no list of objects with different names")
            continue
        yield from (_described(intent, service, slots, f"{name}, intent {i}") for i, intent in enumerate(intents, 1))


def _described(
    intent: Json, service: dict[str, Json], slots: dict[str, dict[str, Json]], where: str
) -> Described | LeftOut:
    if not isinstance(intent, dict) or not isinstance(intent.get("name"), str):
        return LeftOut(where, "no intent: it has no `name`")
    place = f"{where} ({intent['name'][:80]})"
    required, optional = intent.get("required_slots", []), intent.get("optional_slots", {})
    results = intent.get("result_slots", list(slots))
    if not _all_names(required) or not isinstance(optional, dict) or not _all_names(results):
        return LeftOut(place, "its slots are laid out differently")
    used = list(dict.fromkeys([*required, *optional, *results]))
    if unknown := [slot for slot in used if slot not in slots]:
        return LeftOut(place, f"its slot `{unknown[0][:80]}` is none of the service's")
    return Described(
        name=intent["name"],
        owner=service["service_name"],
        description=intent.get("description"),
        parameters=_arguments(required, optional, slots),
        returns=_results([slots[name] for name in results], single=intent.get("is_transactional") is True),
        returns_inferred="result_slots" not in intent,
        domain=service["service_name"],
        source=where,
        raw={**service, "intents": [intent], "slots": [slots[name] for name in used]},
    )


def _all_names(listed: Json) -> bool:
    return isinstance(listed, list) and all(isinstance(name, str) for name in listed)


def _arguments(required: list[str], optional: dict[str, Json], slots: dict[str, dict[str, Json]]) -> Schema:
    properties = {name: _property(slots[name]) for name in required}
    for name, default in optional.items():
        schema = properties.setdefault(name, _property(slots[name]))
        if default != _NO_MATTER:
            schema["default"] = default
    return object_schema(properties, required)


def _results(slots: list[dict[str, Json]], *, single: bool) -> Schema | None:
    if not slots:
        return None
    result = object_schema({slot["name"]: _property(slot) for slot in slots}, [])
    return result if single else {"type": "array", "items": result}


def _property(slot: dict[str, Json]) -> Schema:
    schema: Schema = {"type": "string"}
    if "description" in slot:
        schema["description"] = slot["description"]
    values = slot.get("possible_values")
    if isinstance(values, list) and values:
        schema["enum" if slot.get("is_categorical") is True else "examples"] = values
    return schema
