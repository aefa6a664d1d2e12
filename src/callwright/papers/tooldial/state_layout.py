"""Dialogue state and retriever status as the paper writes them (A.4), and as records.

{"api_confirmed": "false", "api_status": "none"}
{"api_confirmed": "true",
 "api_status": {"api_name": NAME, "required_parameters": {NAME: VALUE}, "optional_parameters": {}}}
{"retriever_call": "true", "retrieved_api": {NAME: SCORE}, or a list of sentences on sources, or "none"}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from callwright.environment.asked_parameters import parameters
from callwright.errors import BadDocument
from callwright.records.annotations.tooldial_notes import RetrieverStatus
from callwright.records.dialogue_state import ApiState, ParameterValue
from callwright.records.jsontext import Json, decode, encode
from callwright.records.retrieved import Retrieved
from callwright.records.tool import Tool

NONE: Final = "none"
PARTS: Final = ("required_parameters", "optional_parameters")


def state_document(state: ApiState) -> dict[str, Json]:
    """Return a state in the paper's layout."""
    if not state.api:
        return {"api_confirmed": "false", "api_status": NONE}
    status: dict[str, Json] = {
        "api_name": state.api,
        "required_parameters": {one.name: decode(one.value) for one in state.required},
        "optional_parameters": {one.name: decode(one.value) for one in state.optional},
    }
    return {"api_confirmed": "true", "api_status": status}


def api_state(tool: Tool, values: Mapping[str, Json], known: set[str]) -> ApiState:
    """Return the state that aims at a tool: values that are known, or that the schema fixes; the others empty texts."""
    fixed = values.keys() - set(parameters(tool))
    shown = {name: values[name] for name in values if name in known or name in fixed}
    filled = {name: encode(shown.get(name, "")) for name in tool.properties}
    optional = (name for name in tool.properties if name not in tool.required)
    return ApiState(
        api=tool.name,
        required=tuple(ParameterValue(name, filled[name]) for name in tool.required),
        optional=tuple(ParameterValue(name, filled[name]) for name in optional),
    )


def read_state(document: Json, *, where: str) -> ApiState:
    """Return the state in a document of the paper's layout. Raises BadDocument."""
    confirmed = said(document, "api_confirmed")
    if confirmed == "false":
        return ApiState()
    status = document.get("api_status") if isinstance(document, dict) else None
    if confirmed != "true" or not isinstance(status, dict) or not isinstance(status.get("api_name"), str):
        raise BadDocument(
            f"{where}: a dialogue state needs api_confirmed and api_status with api_name: {document!r:.80}"
        )
    required, optional = (_parameters(status.get(part), f"{where}, {part}") for part in PARTS)
    return ApiState(api=status["api_name"], required=required, optional=optional)


def said(document: Json, name: str) -> str:
    """Return a field that holds a word, in small letters; empty where there is none. True is `true`."""
    value = document.get(name) if isinstance(document, dict) else None
    return str(value).lower() if isinstance(value, str | bool) else ""


def _parameters(values: Json, where: str) -> tuple[ParameterValue, ...]:
    if not isinstance(values, dict):
        raise BadDocument(f"{where}: give an object of values by parameter.")
    return tuple(ParameterValue(name, encode(value)) for name, value in values.items())


def retriever_document(status: RetrieverStatus) -> dict[str, Json]:
    """Return a retriever status in the paper's layout."""
    found: Json = {api.name: api.score for api in status.apis} or list(status.sources) or NONE
    return {"retriever_call": "true" if status.called else "false", "retrieved_api": found}


def read_retriever(document: Json, *, where: str) -> RetrieverStatus:
    """Return the retriever status in a document of the paper's layout. Raises BadDocument."""
    called = said(document, "retriever_call")
    if called not in ("true", "false"):
        raise BadDocument(f"{where}: a retriever status needs retriever_call, true or false: {document!r:.80}")
    found = document.get("retrieved_api", NONE)
    if isinstance(found, dict) and all(type(score) in (int, float) for score in found.values()):
        apis = tuple(Retrieved(name, float(score)) for name, score in found.items())
        return RetrieverStatus(called=called == "true", apis=apis)
    if isinstance(found, list) and all(isinstance(one, str) for one in found):
        return RetrieverStatus(called=called == "true", sources=tuple(found))
    if found not in (NONE, None):
        raise BadDocument(f"{where}: retrieved_api is neither scores by name nor a list of sentences: {found!r:.80}")
    return RetrieverStatus(called=called == "true")
