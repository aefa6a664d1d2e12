"""Errors of one call: the checks that both modes share, and the classes of errors they give.

A mode brings its own check of values (`official_verdict`, `strict_verdict`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Literal, get_args

import msgspec

from callwright.lang.calls import WrittenCall
from callwright.records.dialogue import GoldCall
from callwright.records.jsontext import Json, decode

BfclError = Literal[
    "undecodable",
    "wrong_count",
    "cannot_find_match",
    "wrong_function_name",
    "missing_required",
    "unexpected_parameter",
    "type:simple",
    "type:nested",
    "value:string",
    "value:list",
    "value:dict_key",
    "value:dict_value",
    "value:list_of_dict_count",
    "value:others",
    "missing_optional",
]
"""Classes of errors. A wrong reply has one, the first of this list that applies.

`undecodable`: the reply is no list of calls. `wrong_count`: more or fewer calls than wanted, or any call where none is
wanted. `cannot_find_match`: several calls are wanted, and one of them has no counterpart. All others are about one
call; `unexpected_parameter`: the document or the answer lacks the parameter. `missing_optional`: the answer has the
parameter and does not allow to leave it out.
"""

_RANK: Final = {error: rank for rank, error in enumerate(get_args(BfclError))}


class Wanted(msgspec.Struct, frozen=True):
    """A gold call with its tool's document, decoded once for many comparisons. Do not change what is inside."""

    tool: str
    properties: dict[str, Json]
    """Parameter to its schema, in the document's order, with BFCL's types (`float`, `tuple`, `dict`, `any`)."""
    required: tuple[str, ...]
    accepted: dict[str, list[Json]]
    """Parameter to its accepted values; where `""` is among them, the parameter may be left out."""

    def is_called(self, name: str) -> bool:
        """Return whether `name` is the tool's. Underscores may replace its dots: some servers forbid dots."""
        return name in (self.tool, self.tool.replace(".", "_"))


ValueCheck = Callable[[Json, dict[str, Json], list[Json]], BfclError | None]
"""From a value, its parameter's schema and the accepted values to what is wrong with it, or None."""


def wanted_call(gold: GoldCall, document: dict[str, Json]) -> Wanted:
    """Return the gold call with the tool's document as published; a document without parameters has none."""
    properties, required = documented_parameters(document)
    return Wanted(
        tool=str(document.get("name", gold.tool)),
        properties=properties,
        required=required,
        accepted={argument.name: [decode(one) for one in argument.accepted] for argument in gold.arguments},
    )


def documented_parameters(document: dict[str, Json]) -> tuple[dict[str, Json], tuple[str, ...]]:
    """Return the parameters of a document by name with their schemas, and the names of the required ones."""
    parameters = document.get("parameters")
    schema = parameters if isinstance(parameters, dict) else {}
    properties, required = schema.get("properties"), schema.get("required")
    return (
        properties if isinstance(properties, dict) else {},
        tuple(name for name in required if isinstance(name, str)) if isinstance(required, list) else (),
    )


def call_error(tool: str, arguments: dict[str, Json], wanted: Wanted, check: ValueCheck) -> BfclError | None:
    """Return the first class of error of a call over all parameters, in the order of `BfclError`, or None."""
    if not wanted.is_called(tool):
        return "wrong_function_name"
    if any(name not in arguments for name in wanted.required):
        return "missing_required"
    if any(name not in wanted.properties or name not in wanted.accepted for name in arguments):
        return "unexpected_parameter"
    checks = (check(value, _schema_of(wanted, name), wanted.accepted[name]) for name, value in arguments.items())
    if found := min((error for error in checks if error), key=_RANK.__getitem__, default=None):
        return found
    left_out = (accepted for name, accepted in wanted.accepted.items() if name not in arguments)
    return "missing_optional" if any("" not in accepted for accepted in left_out) else None


def _schema_of(wanted: Wanted, parameter: str) -> dict[str, Json]:
    schema = wanted.properties.get(parameter)
    return schema if isinstance(schema, dict) else {}


def named_arguments(call: WrittenCall, parameters: Iterable[str]) -> dict[str, Json] | None:
    """Return all arguments by name: those without a name are bound in the document's order, as Python does.

    Return None where there are more of them than parameters, or one has the name of another argument.
    """
    names = list(parameters)[: len(call.positional)]
    if len(names) < len(call.positional) or any(name in call.arguments for name in names):
        return None
    return dict(zip(names, call.positional, strict=True)) | call.arguments


def listed(accepted: Json) -> list[Json]:
    """Return accepted values as a list: those of a list, or the one value."""
    return accepted if isinstance(accepted, list) else [accepted]


_DROPPED = dict.fromkeys(map(ord, " ,./-_*^"), "")


def standardised(text: str) -> str:
    """Return `text` in the form in which BFCL takes two spellings of one value for equal.

    The form has lower case alone, no spaces, none of `,./-_*^`, and `"` for `'`.

    >>> standardised("St. John's, N.Y."), standardised("A_b-c*2^d/e")
    ('stjohn"sny', 'abc2de')
    """
    return text.translate(_DROPPED).lower().replace("'", '"')
