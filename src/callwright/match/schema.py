"""Validates arguments against a tool's JSON Schema: every violation is an issue, never an exception.

Schemas and arguments are untrusted: references cannot leave the document, and patterns run on the linear-time engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from callwright.match.values import arguments_of
from callwright.records.jsontext import EMPTY_OBJECT, Json, JsonText, decode, encode, whole
from callwright.records.tool import Tool

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, Validator

IssueCode = Literal[
    "unknown_tool",
    "wrong_tool",
    "not_an_object",
    "missing",
    "unexpected",
    "wrong_value",
    "type",
    "enum",
    "constraint",
    "bad_schema",
]
"""Kinds of fault.

`unknown_tool`, `wrong_tool`: the name is not among the tools shown, or is not the gold tool's. `not_an_object`: the
arguments are not a JSON object. `missing`, `unexpected`: a key. `wrong_value`: differs from all accepted values.
`type`, `enum`, `constraint`: breaks the tool's schema. `bad_schema`: the schema itself cannot be used.
"""


class CallIssue(msgspec.Struct, frozen=True):
    """One fault of one call."""

    code: IssueCode
    path: str
    """Where in the arguments, such as `filter.size` or `ids[2]`; empty for the call as a whole."""
    message: str


MAX_ISSUES: Final = 50

_CODES: Final[dict[str, IssueCode]] = {"type": "type", "enum": "enum", "const": "enum", "falseSchema": "unexpected"}


def schema_issues(arguments: JsonText, tool: Tool) -> tuple[CallIssue, ...]:
    """Return at most `MAX_ISSUES` violations of the tool's parameter schema, or `bad_schema` if it cannot be used.

    A key the tool does not document is `unexpected`, unless its schema allows additional keys.
    """
    values = arguments_of(arguments)
    if values is None:
        return (CallIssue("not_an_object", "", f"the arguments are no JSON object: {arguments[:80]!r}"),)
    validator = _validator(tool.parameters)
    if isinstance(validator, str):
        return (CallIssue("bad_schema", "", f"the schema of {tool.name!r} cannot be used: {validator}"),)
    return tuple(issue for issue, _ in zip(_issues(values, validator, tool), range(MAX_ISSUES), strict=False))


def conforms(arguments: JsonText, tool: Tool) -> bool:
    return not schema_issues(arguments, tool)


def fits_returns(value: Json, tool: Tool) -> bool:
    """Return whether a result follows the tool's return schema; true for tools without a usable one.

    What a call may say in any form (`channel`) its result may repeat, whatever pattern it has for that.
    """
    return tool.returns is None or fits_schema(value, _repeating(tool))


def fits_schema(value: Json, schema: JsonText) -> bool:
    """Return whether a value follows a schema; true for unusable schemas."""
    validator = _validator(schema)
    if isinstance(validator, str):
        return True
    try:
        return bool(validator.is_valid(value))
    except UnicodeEncodeError:
        return bool(validator.is_valid(whole(value)))


def returns_issue(value: Json, tool: Tool) -> str:
    """Return the first place at which a result breaks the return schema, and why; empty where it fits."""
    validator = _validator(_repeating(tool)) if tool.returns is not None else ""
    error = None if isinstance(validator, str) else next(_errors(value, validator), None)
    return "" if error is None else f"{_path(error.instance_path) or 'the whole'}: {error.message[:300]}"


@lru_cache(maxsize=4096)
def _repeating(tool: Tool) -> JsonText:
    """The return schema without the patterns of fields that repeat parameters which have none."""
    returns = tool.returns or EMPTY_OBJECT
    schema = decode(returns)
    found = schema.get("properties") if isinstance(schema, dict) else None
    free = {name for name, one in tool.properties.items() if _BINDING.isdisjoint(one)}
    told = found if isinstance(found, dict) else {}
    loose = {name: one for name, one in told.items() if name in free and isinstance(one, dict) and "pattern" in one}
    if not loose or not isinstance(schema, dict):
        return returns
    freed: dict[str, Json] = {
        name: {key: held for key, held in one.items() if key != "pattern"} for name, one in loose.items()
    }
    return encode({**schema, "properties": {**told, **freed}})


_BINDING = frozenset(("pattern", "enum", "const", "$ref", "allOf", "anyOf", "oneOf"))


def _issues(values: dict[str, Json], validator: Validator, tool: Tool) -> Iterator[CallIssue]:
    for error in _errors(values, validator):
        yield from _translate(error)
    if "additionalProperties" not in tool.schema and "properties" in tool.schema:
        for name in sorted(values.keys() - tool.properties.keys()):
            yield CallIssue("unexpected", name, f"{tool.name!r} has no parameter {name!r}")


def _errors(values: Json, validator: Validator) -> Iterator[ValidationError]:
    try:
        yield from validator.iter_errors(values)
    except UnicodeEncodeError:
        yield from validator.iter_errors(whole(values))


def _translate(error: ValidationError) -> Iterator[CallIssue]:
    keyword = error.kind.name
    path = _path(error.instance_path)
    if keyword == "required":
        name = str(error.kind.value)
        yield CallIssue("missing", f"{path}.{name}".lstrip("."), f"{name!r} is required")
    elif keyword in ("additionalProperties", "unevaluatedProperties"):
        for name in error.kind.value:
            yield CallIssue("unexpected", f"{path}.{name}".lstrip("."), f"no parameter {name!r} is allowed here")
    else:
        yield CallIssue(_CODES.get(keyword, "constraint"), path, error.message[:300])


def _path(parts: list[str | int]) -> str:
    written = ""
    for part in parts:
        written += f"[{part}]" if isinstance(part, int) else f".{part}"
    return written.lstrip(".")


@lru_cache(maxsize=4096)
def _validator(parameters: JsonText) -> Validator | str:
    return compiled(decode(parameters))


def compiled(schema: Json) -> Validator | str:
    """Return the validator of a schema, or why there is none."""
    from jsonschema_rs import Draft202012Validator, ReferencingError, RegexOptions, ValidationError

    if not isinstance(schema, dict):
        return "it is no object"
    try:
        return Draft202012Validator(schema, retriever=_refuse, pattern_options=RegexOptions())
    except (ValidationError, ReferencingError, ValueError) as error:
        return str(error).splitlines()[0][:200]


def _refuse(uri: str) -> Json:
    raise ValueError(f"{uri!r} is not in the document, and nothing is fetched")
