"""Services of a schema as functions: one tool for each domain, whose parameters are what users constrain.

    service hotel: intents find_hotel, book_hotel    ->    find_book_hotel(area, ..., bookday, accommodation_type)

Nothing is required. `dontcare` is legal for every parameter, as users say it of every one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, Literal

import msgspec

from callwright.errors import BadInput
from callwright.lang.schemas import name_words
from callwright.papers.fnctod.canonical_values import canonical_slot
from callwright.records.jsontext import Json, encode, parse
from callwright.records.tool import Tool

DONTCARE: Final = "dontcare"

ParameterType = Literal["boolean", "integer", "string"]

_SAMPLES: Final = 10
_RENAMED: Final = {"arrive": "arrive_by", "leave": "leave_at_or_after"}
_RENAMED_IN: Final = {("hotel", "type"): "accommodation_type"}
_USE: Final = "Give `dontcare` for a parameter where the user has no preference."


class ServiceSlot(msgspec.Struct, frozen=True):
    """A slot of a service."""

    name: str
    description: str = ""
    is_categorical: bool = False
    possible_values: tuple[str, ...] = ()


class ServiceIntent(msgspec.Struct, frozen=True):
    """Something that a service does."""

    name: str
    description: str = ""
    required_slots: tuple[str, ...] = ()
    optional_slots: dict[str, Json] = {}


class Service(msgspec.Struct, frozen=True):
    """One service of a schema in the layout of Schema-Guided Dialogue, and of MultiWOZ 2.2."""

    service_name: str
    description: str = ""
    slots: tuple[ServiceSlot, ...] = ()
    intents: tuple[ServiceIntent, ...] = ()


def read_services(document: Json, *, where: str) -> tuple[Service, ...]:
    """Return the services of a schema. Raises BadInput."""
    try:
        return msgspec.convert(document, tuple[Service, ...])
    except msgspec.ValidationError as error:
        raise BadInput(f"{where}: no schema of services: {error}. Give one of SGD or MultiWOZ 2.2.") from error


@cache
def multiwoz_services() -> tuple[Service, ...]:
    """Return the services of MultiWOZ 2.2 with the slots that users constrain."""
    path = files("callwright.papers.fnctod") / "data" / "multiwoz_services.json"
    return read_services(parse(path.read_bytes()), where=path.name)


def domain_tools(services: Iterable[Service]) -> dict[str, Tool]:
    """Return the function of each service, by its name."""
    return {service.service_name: _tool(service) for service in services}


def parameter_of(domain: str, slot: str) -> str:
    """Return what a slot under its canonical name is called in the function of a domain."""
    return _RENAMED_IN.get((domain, slot)) or _RENAMED.get(slot, slot)


def slot_of(domain: str, parameter: str) -> str:
    """Return the slot of a parameter; the inverse of `parameter_of`."""
    for (where, slot), name in _RENAMED_IN.items():
        if (where, name) == (domain, parameter):
            return slot
    return next((slot for slot, name in _RENAMED.items() if name == parameter), parameter)


def parameter_type(values: Iterable[str]) -> ParameterType:
    """Return the type that a parameter with these values is shown with."""
    known = set(values)
    if known & {"yes", "no"}:
        return "boolean"
    return "integer" if known & set("12345") else "string"


def _tool(service: Service) -> Tool:
    domain = service.service_name
    used = {name for intent in service.intents for name in (*intent.required_slots, *intent.optional_slots)}
    properties = {
        parameter_of(domain, _plain(slot.name, domain)): _property(slot) for slot in service.slots if slot.name in used
    }
    return Tool(
        name=function_name(domain, [intent.name for intent in service.intents]),
        description=f"{service.description[:1].upper()}{service.description[1:].rstrip('.')}. {_USE}",
        parameters=encode({"type": "object", "properties": properties, "required": [], "additionalProperties": False}),
        domain=domain,
        source=domain,
    )


def function_name(domain: str, intents: Sequence[str]) -> str:
    """Return the verbs of the intents and the domain, such as `find_book_hotel`; `find` where no intent has a verb."""
    heads = (name_words(intent)[:1] for intent in intents)
    verbs = [word for words in heads for word in words if word != domain.lower()]
    return "_".join((*dict.fromkeys(verbs or ["find"]), domain.lower()))


def _plain(slot: str, domain: str) -> str:
    return canonical_slot(slot.removeprefix(f"{domain}-"))


def _property(slot: ServiceSlot) -> dict[str, Json]:
    """Return the schema of a parameter; its values are texts, whatever type it is shown with."""
    values = list(slot.possible_values)
    kind = parameter_type(values)
    schema: dict[str, Json] = {"type": "string" if kind == "string" else [kind, "string"]}
    if slot.is_categorical and values:
        return schema | {"description": slot.description, "enum": [*values, DONTCARE]}
    samples = f", such as {', '.join(values[:_SAMPLES])}" if values else ""
    return schema | {"description": f"{slot.description}{samples}"}


def rendered(tool: Tool) -> str:
    """Return a function as lines of plain text: name and purpose, then one line for each parameter."""
    lines = [f"{tool.name}: {tool.description}"]
    for name, schema in tool.properties.items():
        kind = schema.get("type", "string")
        shown = kind if isinstance(kind, str) else kind[0]
        choices = f"; one of {', '.join(map(str, schema['enum']))}" if "enum" in schema else ""
        lines.append(f"- {name} ({shown}): {schema.get('description', '')}{choices}")
    return "\n".join(lines)


def choices_of(tools: Mapping[str, Tool]) -> dict[tuple[str, str], frozenset[str]]:
    """Return the documented values of each closed slot, by domain and slot; `dontcare` is none of them."""
    return {
        (domain, slot_of(domain, name)): frozenset(schema["enum"]) - {DONTCARE}
        for domain, tool in tools.items()
        for name, schema in tool.properties.items()
        if "enum" in schema
    }
