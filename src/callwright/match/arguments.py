"""Compares one call with one gold call under a leniency: every fault is an issue, never an exception.

    tool       its name; another tool's arguments are not compared
    schema     (`leniency.schema`) required parameters, unknown keys, types, enumerations, at every depth
    keys       no unexpected and no missing keys
    values     each against the accepted values (see `fits_value`)

Faults come in this order, and a parameter that violates its schema has no further fault. If the gold call has a fault
of the same kind in the same place (real documents can contradict their gold calls), it does not count: a call equal to
the gold call is always right.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

import msgspec

from callwright.lang.kinds import kind_of
from callwright.match.leniency import Leniency
from callwright.match.likeness import folded, near, normalised
from callwright.match.pairing import maximum_pairing
from callwright.match.schema import CallIssue, IssueCode, schema_issues
from callwright.match.values import (
    Schema,
    alternatives,
    arguments_of,
    coerce,
    equal,
    item_schema,
    property_schemas,
    untyped,
)
from callwright.records.dialogue import Call, GoldArgument, GoldCall
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.tool import Tool

MAX_SET: Final = 200
"""Most items of an array that is compared without order; longer ones are compared in order."""

_NUMBER: Final = re.compile(r"\d+")
_FREE_TEXT: Final = ("text", "title")
_FEWEST_GAPS: Final = 3
"""Between the words of a value of no known kind that is a sentence, and no name."""


def call_issues(
    call: Call, gold: GoldCall, tool: Tool, *, known: Collection[str], leniency: Leniency
) -> tuple[CallIssue, ...]:
    """Return all differences between `call` and the gold call of `tool`; `known` are the names of the tools shown."""
    if call.tool != gold.tool:
        code: IssueCode = "wrong_tool" if call.tool in known else "unknown_tool"
        return (CallIssue(code, "", f"called {call.tool!r}; the gold tool is {gold.tool!r}"),)
    return tuple(_issues(call.arguments, gold, tool, leniency))


def fits(call: Call, gold: GoldCall, tool: Tool, *, leniency: Leniency) -> bool:
    """Return whether `call` is the gold call of `tool`."""
    return call.tool == gold.tool and arguments_fit(call.arguments, gold, tool, leniency=leniency)


def arguments_fit(arguments: JsonText, gold: GoldCall, tool: Tool, *, leniency: Leniency) -> bool:
    """Return whether the arguments match the gold arguments: none missing, unexpected or different."""
    return next(_issues(arguments, gold, tool, leniency), None) is None


def fits_value(value: Json, accepted: Json, parameter: str, tool: Tool, *, leniency: Leniency) -> bool:
    """Return whether `value` is the accepted one for a parameter of `tool`."""
    if equal(value, accepted):  # equal without changes: equal under any leniency
        return True
    schema: Json = tool.properties.get(parameter, {})
    if leniency.literals != "never":
        value, accepted = (coerce(one, schema, root=tool.schema) for one in (value, accepted))
    return _Likeness(tool.schema, leniency).alike(value, accepted, parameter, schema)


def is_free_text(text: str, parameter: str, tool: Tool) -> bool:
    """Return whether a value of a parameter is a text that people word in many ways."""
    return _is_free(text, parameter, tool.properties.get(parameter))


def is_phrase(text: str, parameter: str, tool: Tool) -> bool:
    """Return whether a value of no known kind is some words in small letters, such as `a fallen willow`: no name."""
    schema = tool.properties.get(parameter)
    kind = kind_of(parameter, schema if isinstance(schema, dict) else {})
    return kind == "other" and " " in text and text.islower() and not any(map(str.isdigit, text))


def _is_free(text: str, name: str, schema: Json) -> bool:
    kind = kind_of(name, schema if isinstance(schema, dict) else {})
    return kind in _FREE_TEXT or (kind == "other" and text.count(" ") >= _FEWEST_GAPS)


def _issues(arguments: JsonText, gold: GoldCall, tool: Tool, leniency: Leniency) -> Iterator[CallIssue]:
    values = arguments_of(arguments)
    if values is None:
        yield CallIssue("not_an_object", "", f"the arguments are no JSON object: {arguments[:80]!r}")
        return
    breaches = _breaches(values, gold, tool, leniency) if leniency.schema else ()
    yield from breaches
    wanted = {argument.name: argument for argument in gold.arguments}
    spoilt = {name for name in values.keys() | wanted.keys() if any(_is_in(issue.path, name) for issue in breaches)}
    for name in sorted(values.keys() - wanted.keys() - spoilt):
        yield CallIssue("unexpected", name, f"{name!r} was not asked for")
    for name, argument in wanted.items():
        if name in spoilt:
            continue
        if name in values:
            yield from _value_issues(values[name], argument, tool, leniency)
        elif not (argument.optional or (leniency.missing_optional and name not in tool.required)):
            yield CallIssue("missing", name, f"{name!r} is missing")


def _breaches(values: dict[str, Json], gold: GoldCall, tool: Tool, leniency: Leniency) -> tuple[CallIssue, ...]:
    found = schema_issues(_as_declared(values, tool, leniency), tool)
    if not found:
        return ()
    excused = {(issue.code, issue.path) for issue in schema_issues(_as_declared(gold.values, tool, leniency), tool)}
    return tuple(issue for issue in found if (issue.code, issue.path) not in excused)


def _as_declared(values: dict[str, Json], tool: Tool, leniency: Leniency) -> JsonText:
    return encode(values if leniency.literals == "never" else coerce(values, tool.schema))


def _is_in(path: str, parameter: str) -> bool:
    return path == parameter or path.startswith((f"{parameter}.", f"{parameter}["))


def _value_issues(value: Json, argument: GoldArgument, tool: Tool, leniency: Leniency) -> Iterator[CallIssue]:
    accepted = [decode(one) for one in argument.accepted]
    if not any(fits_value(value, one, argument.name, tool, leniency=leniency) for one in accepted):
        wanted = " or ".join(argument.accepted)
        yield CallIssue("wrong_value", argument.name, f"{encode(value)[:80]} is not {wanted[:200]}")


class _Likeness(msgspec.Struct, frozen=True):
    root: Json
    leniency: Leniency

    def alike(self, value: Json, accepted: Json, name: str, schema: Json) -> bool:
        if self.leniency.literals == "any":
            value, accepted = untyped(value), untyped(accepted)
        if isinstance(value, str) and isinstance(accepted, str):
            return self._same_text(value, accepted, name, schema)
        if isinstance(value, list) and isinstance(accepted, list):
            return self._same_array(value, accepted, name, alternatives(schema, self.root))
        if isinstance(value, dict) and isinstance(accepted, dict):
            inner = property_schemas(alternatives(schema, self.root))
            return value.keys() == accepted.keys() and all(
                self.alike(item, accepted[key], key, inner.get(key)) for key, item in value.items()
            )
        return equal(value, accepted)

    def _same_text(self, text: str, gold: str, name: str, schema: Json) -> bool:
        if text == gold or self.leniency.strings == "exact":
            return text == gold
        if self.leniency.strings == "near_text":
            return _is_free(gold, name, schema) and _says_the_same(text, gold)
        form = folded if self.leniency.strings == "folded" else normalised
        if form(text) == form(gold):
            return True
        if self.leniency.strings != "near":
            return False
        return _is_free(gold, name, schema) and near(text, gold)

    def _same_array(self, items: list[Json], gold: list[Json], name: str, among: tuple[Schema, ...]) -> bool:
        if len(items) != len(gold):
            return False
        schema = item_schema(among)
        if not self.leniency.sets or len(gold) > MAX_SET or not _is_set(among, schema):
            return all(self.alike(item, one, name, schema) for item, one in zip(items, gold, strict=True))
        pairs = maximum_pairing(len(gold), len(items), lambda g, i: self.alike(items[i], gold[g], name, schema))
        return None not in pairs


def _says_the_same(text: str, gold: str) -> bool:
    """Whether a text is the gold one up to spelling, or near it with the same numbers, in any order."""
    if normalised(text) == normalised(gold):
        return True
    return sorted(_NUMBER.findall(text)) == sorted(_NUMBER.findall(gold)) and near(text, gold)


def _is_set(among: tuple[Schema, ...], items: Json) -> bool:
    return any(one.get("uniqueItems") is True for one in among) or (isinstance(items, dict) and "enum" in items)
