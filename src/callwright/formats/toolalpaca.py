"""ToolAlpaca: simulated APIs, each with an OpenAPI document as text and the functions that it offers.

Operations are read as OpenAPI's are. Files that describe APIs without their functions hold no tools.
"""

from __future__ import annotations

import msgspec

from callwright.errors import BadDocument
from callwright.formats import openapi
from callwright.formats.described import Draft, as_list, assemble, merge_equal
from callwright.records.jsontext import Json, parse
from callwright.records.tool import Catalog, LeftOut

LAYOUT = "ToolAlpaca (an array of APIs with `Name` and `Documentation`)"

_NO_FUNCTION = "components"
"""Key of `Function_Description` that stands for the document's shared schemas."""


def fits(document: Json) -> bool:
    """True for a list of APIs, also for one without functions."""
    return any(
        isinstance(api, dict) and ({"Name", "Documentation"} <= api.keys() or {"API", "Description"} <= api.keys())
        for api in _listed(document)
    )


def read(document: Json, *, source: str) -> Catalog:
    """Return the operations of all APIs. Raises BadDocument when there is no usable one."""
    apis = _listed(document)
    if not any(isinstance(api, dict) and "Documentation" in api for api in apis):
        raise BadDocument(
            f"{source}: a list of {len(apis):,} APIs without functions. "
            "Give a file whose APIs have `Documentation`, such as ToolAlpaca's simulated ones."
        )
    drafts: list[Draft] = []
    left_out: list[LeftOut] = []
    for number, api in enumerate(apis, 1):
        found, missing = _functions(api, f"API {number}")
        drafts += found
        left_out += missing
    return assemble(merge_equal(drafts), left_out, source=source)


def _listed(document: Json) -> list[Json]:
    if isinstance(document, dict):
        document = document.get("entries", document)
    return as_list(document)


def _functions(api: Json, where: str) -> tuple[list[Draft], list[LeftOut]]:
    if not isinstance(api, dict) or not isinstance(api.get("Documentation"), str):
        return [], [LeftOut(where, "no API: `Documentation` is no text")]
    name, category = (api[key] if isinstance(api.get(key), str) else "" for key in ("Name", "Category"))
    where = f"{where} ({name[:80]})"
    try:
        document = parse(api["Documentation"], where="Documentation")
        found, left_out = openapi.read_drafts(document, source="Documentation")
    except BadDocument as error:
        return [], [LeftOut(where, str(error))]
    drafts = [
        Draft(
            msgspec.structs.replace(draft.tool, domain=category, service=name, source=f"{name}: {draft.tool.source}"),
            draft.notes,
        )
        for draft in found
    ]
    documented = {draft.tool.name for draft in drafts}
    described = api.get("Function_Description")
    promised = list(described) if isinstance(described, dict) else []
    missing = [function for function in promised if function not in documented and function != _NO_FUNCTION]
    return drafts, [
        *(LeftOut(f"{where}: {entry.where}", entry.reason) for entry in left_out),
        *(LeftOut(f"{where}: {function[:80]}", "is described, but is no operation") for function in missing),
    ]
