"""The leaderboard's verdict on one call, with its peculiarities: mode `official`.

Types are exactly Python's: a boolean is not an integer, a tuple is not a list. Peculiarities:

- An integer is accepted for a documented `float`, at the top level only.
- Items are checked one level deep, and only against an accepted value that is a list: each must have the documented
  item type or the type of the list's first item that is not `""`.
- A value of a type that is not documented is right when the first accepted value that is not `""` has that type (this
  is how variables are accepted). It is then compared by Python's equality, as is any value where that first accepted
  value has another type than documented.
- Strings are standardised in the value itself, in a list, and in a dictionary's values, but no deeper.
- `""` among the accepted values also accepts an empty string, or an empty list.
- Positional arguments are ignored.

If a call has several faults, its class is the first of `BfclError` over all parameters. The leaderboard stops at the
first faulty parameter, so its class can differ, but never its verdict.

Deliberate differences, some because the leaderboard's rule depends on the model (see also `lang.calls`):

- A documented name with dots may be called with underscores. The leaderboard takes one of both: underscores from
  models that call natively and whose servers forbid dots, dots from all others.
- A fence may name a language. The leaderboard's decoder takes backticks away and stumbles over the word after them,
  unless the model's own decoder knows it.
- Arithmetic is text (`x=5 * 60`), as nothing is ever evaluated; the leaderboard computes it. It turns the sign of any
  number behind an operator (`+2` is -2 there), and reads a call with named arguments as a dictionary.
- Python text that is not a plain call, and text beyond the bounds of `lang.calls`, cannot be decoded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from callwright.lang.calls import WrittenCall
from callwright.papers.bfcl.call_errors import BfclError, Wanted, call_error, listed, standardised
from callwright.records.jsontext import Json

_TYPES: Final[dict[str, type]] = {
    "string": str,
    "any": str,
    "integer": int,
    "float": float,
    "number": float,
    "boolean": bool,
    "array": list,
    "tuple": list,
    "dict": dict,
    "object": dict,
}


def official_error(call: WrittenCall, wanted: Wanted) -> BfclError | None:
    """Return why the leaderboard rejects a call; None if it accepts it."""
    return call_error(call.tool, call.arguments, wanted, _value_error)


def _value_error(value: Json, schema: dict[str, Json], accepted: list[Json]) -> BfclError | None:
    documented = _type_named(schema.get("type"))
    items = _item_type(schema) if documented is list else None
    if schema.get("type") == "tuple" and isinstance(value, tuple):
        value = list(value)
    found = float if documented is float and type(value) is int else type(value)
    answered = _first_type(accepted)
    if found is documented:
        if items and not _items_fit(value, items, accepted):
            return "type:nested"
        if answered in (None, documented):
            return _documented_error(value, items, accepted)
    elif found is not answered and documented:
        return "type:simple"
    return None if value in accepted else "value:others"


def _type_named(name: Json) -> type | None:
    return _TYPES.get(name) if isinstance(name, str) else None


def _item_type(schema: dict[str, Json]) -> type | None:
    items = schema.get("items")
    return _type_named(items.get("type")) if isinstance(items, dict) else None


def _first_type(accepted: Sequence[Json]) -> type | None:
    """Return the type of the first value that is not `""`; None if there is none."""
    return next((type(one) for one in accepted if one != ""), None)


def _items_fit(value: list[Json], documented: type, accepted: list[Json]) -> bool:
    return any(
        not isinstance(choice, list) or all(type(item) in (documented, _first_type(choice)) for item in value)
        for choice in accepted
    )


def _documented_error(value: Json, items: type | None, accepted: list[Json]) -> BfclError | None:
    if isinstance(value, dict):
        return _dict_error(value, accepted)
    if isinstance(value, list) and items is dict:
        return _dicts_error(value, accepted)
    if isinstance(value, str):
        choices = [_standard(one) for one in accepted if isinstance(one, str)]
        return None if _standard(value) in choices else "value:string"
    if isinstance(value, list):
        lists = [_standard_items(one) for one in accepted if isinstance(one, list | str)]  # `""` is an empty list
        return None if _standard_items(value) in lists else "value:list"
    return None if value in accepted else "value:others"


def _standard(value: Json) -> Json:
    return standardised(value) if isinstance(value, str) else value


def _standard_items(items: Sequence[Json]) -> list[Json]:
    return [_standard(item) for item in items]


def _dict_error(value: Json, accepted: Sequence[Json]) -> BfclError | None:
    error: BfclError | None = "value:dict_value"
    for choice in accepted:
        if isinstance(choice, dict) and isinstance(value, dict):
            error = _error_of_choice(value, choice)
            if error is None:
                break
    return error


def _error_of_choice(value: dict[str, Json], choice: dict[str, Json]) -> BfclError | None:
    if any(key not in choice for key in value):
        return "value:dict_key"
    if any(key not in value and "" not in listed(accepted) for key, accepted in choice.items()):
        return "value:dict_key"
    fits = all(_standard(item) in _standard_items(listed(choice[key])) for key, item in value.items())
    return None if fits else "value:dict_value"


def _dicts_error(value: list[Json], accepted: list[Json]) -> BfclError | None:
    error: BfclError | None = "value:list_of_dict_count"
    for choice in accepted:
        if not isinstance(choice, list | str) or len(choice) != len(value):
            error = "value:list_of_dict_count"
            continue
        pairs = zip(value, choice, strict=True)
        error = next((wrong for item, one in pairs if (wrong := _dict_error(item, [one]))), None)
        if error is None:
            break
    return error
