"""Hypothesis strategies for every record, made from the records' own type hints."""

from __future__ import annotations

import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st

from callwright.records.jsontext import JsonText, encode

TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
"""Text that has a UTF-8 form."""

FLOATS = st.floats(allow_nan=False, allow_infinity=False)

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
"""Any JSON value, lone surrogates among its strings."""

_SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    bool: st.booleans(),
    int: st.integers(-(2**63), 2**63 - 1),
    float: FLOATS,
    type(None): st.none(),
    msgspec.UnsetType: st.just(msgspec.UNSET),
    JsonText: st.builds(encode, JSON_VALUES),
}


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for the values of a type that records use; KeyError for one they do not use yet."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return st.one_of([values_of(arg) for arg in args])
    if origin is tuple:
        return st.lists(values_of(args[0]), max_size=2).map(tuple)
    if origin is dict:
        return st.dictionaries(values_of(args[0]), values_of(args[1]), max_size=2)
    if origin is Literal:
        return st.sampled_from(args)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return records(hint)
    return _SCALARS[hint]


def records(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Return a strategy for records of `kind`; their schema version is the current one."""
    return st.deferred(lambda: st.builds(kind, **_fields(kind)))


def _fields(kind: type[Any]) -> dict[str, st.SearchStrategy[Any]]:
    hints = get_type_hints(kind)
    names = [field for field in kind.__struct_fields__ if field != "schema_version"]
    return {name: values_of(hints[name]) for name in names}
