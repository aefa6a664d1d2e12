"""Parameters as a list of `name`, `type` and `desc`, as TaskBench and DICE-BENCH write them."""

from __future__ import annotations

import re

from callwright.formats.keywords import Schema
from callwright.records.jsontext import Json

_SAID_OPTIONAL = re.compile(r"\boptional\b|\bdefault(?::| is\b)", re.IGNORECASE)


def listed_parameters(listed: Json) -> Schema | None:
    """Return the schema of the arguments, all required but those whose description says that they may be left out.

    None where the list holds anything else, or a name twice.
    """
    if not isinstance(listed, list) or not all(
        isinstance(one, dict) and isinstance(one.get("name"), str) for one in listed
    ):
        return None
    properties = {one["name"]: _property(one) for one in listed}
    if len(properties) < len(listed):
        return None
    required = [one["name"] for one in listed if not _SAID_OPTIONAL.search(str(one.get("desc", "")))]
    schema: Schema = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema


def _property(parameter: dict[str, Json]) -> Schema:
    schema: Schema = {"type": parameter.get("type")}
    return {**schema, "description": parameter["desc"]} if "desc" in parameter else schema
