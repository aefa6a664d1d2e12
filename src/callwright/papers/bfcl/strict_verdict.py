"""The strict verdict on one BFCL call: mode `strict`.

Where it differs from `official`, and why:

- Types are JSON Schema's, at every depth: an integer is a float everywhere and 2.0 is an integer, while a wrong type
  deep inside is wrong. `any` is any type; a tuple is an array. The leaderboard looks one level deep.
- A value of an undocumented type is wrong, even if the answer accepts one: a server would refuse it. The
  documented default (often null) is of a right type.
- Strings are standardised, and dictionaries compared key by key with the accepted values inside, at every depth. The
  leaderboard compares deeper values literally, so that spelling decides.
- Numbers are equal by value and never equal a boolean, also inside lists.
- An empty list does not count as an omitted argument.
- Positional arguments are bound in the document's order, as in Python. The leaderboard ignores them.
- Several calls are paired so that as many as possible are right (see `result_scoring`). The leaderboard is greedy, so
  a correct reply can fail because of the order of its calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from callwright.lang.calls import WrittenCall
from callwright.match.values import equal
from callwright.papers.bfcl.call_errors import BfclError, Wanted, call_error, listed, named_arguments, standardised
from callwright.records.jsontext import Json

_JSON_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "float": (int, float),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "tuple": (list,),
    "dict": (dict,),
    "object": (dict,),
    "null": (type(None),),
}
"""Types a value may have; other names, and no name, allow any."""


def strict_error(call: WrittenCall, wanted: Wanted) -> BfclError | None:
    """Return why a call is not the wanted one; None when it is."""
    arguments = named_arguments(call, wanted.properties)
    if arguments is None:
        return "unexpected_parameter" if wanted.is_called(call.tool) else "wrong_function_name"
    plain = {name: _without_tuples(value) for name, value in arguments.items()}
    return call_error(call.tool, plain, wanted, _value_error)


def _without_tuples(value: Json) -> Json:
    if isinstance(value, list | tuple):
        return [_without_tuples(item) for item in value]
    if isinstance(value, dict):
        return {key: _without_tuples(item) for key, item in value.items()}
    return value


def _value_error(value: Json, schema: dict[str, Json], accepted: list[Json]) -> BfclError | None:
    is_default = "default" in schema and equal(value, schema["default"])
    if not is_default and not _has_type(value, schema.get("type")):
        return "type:simple"
    if not is_default and not _fits_inside(value, schema):
        return "type:nested"
    return None if any(_accepts(choice, value) for choice in accepted) else _value_class(value, accepted)


def _has_type(value: Json, name: Json) -> bool:
    if isinstance(name, list):
        return any(_has_type(value, one) for one in name)
    kinds = _JSON_TYPES.get(name) if isinstance(name, str) else None
    if kinds is None:
        return True
    if isinstance(value, bool):
        return bool in kinds
    return isinstance(value, kinds) or (name == "integer" and isinstance(value, float) and value.is_integer())


def _fits_inside(value: Json, schema: dict[str, Json]) -> bool:
    if isinstance(value, list):
        items = schema.get("items")
        return not isinstance(items, dict) or all(_fits(item, items) for item in value)
    if isinstance(value, dict):
        inner = schema.get("properties")
        known = inner if isinstance(inner, dict) else {}
        return all(_fits(item, known[key]) for key, item in value.items() if isinstance(known.get(key), dict))
    return True


def _fits(value: Json, schema: dict[str, Json]) -> bool:
    return _has_type(value, schema.get("type")) and _fits_inside(value, schema)


def _accepts(choice: Json, value: Json) -> bool:
    """Return whether a value is an accepted one: dictionaries hold lists of accepted values, lists hold items."""
    if isinstance(choice, str) and isinstance(value, str):
        return standardised(choice) == standardised(value)
    if isinstance(choice, list) and isinstance(value, list):
        return len(choice) == len(value) and all(map(_accepts, choice, value))
    if isinstance(choice, dict) and isinstance(value, dict):
        return _keys_fit(choice, value) and all(
            any(_accepts(one, item) for one in listed(choice[key])) for key, item in value.items()
        )
    return equal(choice, value)


def _keys_fit(choice: dict[str, Json], value: dict[str, Json]) -> bool:
    left_out = (accepted for key, accepted in choice.items() if key not in value)
    return value.keys() <= choice.keys() and all("" in listed(accepted) for accepted in left_out)


def _value_class(value: Json, accepted: Sequence[Json]) -> BfclError:
    """The class of a wrong value, by its type and by the last accepted value of that type."""
    choice = next((one for one in reversed(accepted) if type(one) is type(value)), None)
    if isinstance(value, str):
        return "value:string"
    if isinstance(value, dict):
        return "value:dict_value" if isinstance(choice, dict) and _keys_fit(choice, value) else "value:dict_key"
    if isinstance(value, list) and any(isinstance(item, dict) for item in [*value, *(choice or ())]):
        return _class_of_dicts(value, choice)
    return "value:list" if isinstance(value, list) else "value:others"


def _class_of_dicts(value: list[Json], choice: list[Json] | None) -> BfclError:
    if choice is None or len(choice) != len(value):
        return "value:list_of_dict_count"
    wrong = next((pair for pair in zip(value, choice, strict=True) if not _accepts(pair[1], pair[0])), None)
    return "value:dict_value" if wrong is None else _value_class(wrong[0], [wrong[1]])
