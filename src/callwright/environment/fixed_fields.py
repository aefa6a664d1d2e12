"""Fields of a result that are fixed before it is returned: what repeats the call, and what a plan needs there.

/tasks/1/id     one place, as a JSON pointer (RFC 6901)
/tasks/*/state  each item of the list
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Final, NamedTuple

from callwright.environment.echoes import asked_fields, echoes
from callwright.environment.tool_target import target_of, told_places
from callwright.lang.kinds import kind_of_value
from callwright.lang.schemas import name_words
from callwright.records.jsontext import Json, JsonText, decode, encode, parse, scalars
from callwright.records.tool import Tool

EACH = "*"
"""Key that stands for every item of a list."""


class FixedField(NamedTuple):
    """A field with the value that it must have."""

    path: str
    value: Json
    is_needed: bool = False
    """Whether there must be such a field; others have the value where they are."""

    def __str__(self) -> str:
        """Return the line of a prompt that `read_fixed` reads."""
        return f"{self.path} = {encode(self.value)}"


def read_fixed(line: str) -> FixedField:
    """Return the field of a line of a prompt. Raises BadDocument."""
    path, _, value = line.partition(" = ")
    return FixedField(path, parse(value))


def leaves_of(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Yield the plain values in a value, each with its pointer."""
    if isinstance(value, (dict, list)):
        named = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in named:
            yield from leaves_of(one, f"{path}/{_key(key)}")
    else:
        yield path, value


def repeated_fields(tool: Tool, arguments: Mapping[str, Json], value: Json) -> tuple[FixedField, ...]:
    """Return the fields of a result that repeat the call; of a list, those in which all items are alike."""
    target = target_of(tool)
    asked = asked_fields(tool, target, arguments)
    schema = decode(tool.returns) if tool.returns is not None else None
    told = [edit for place in told_places(target, value, schema) for edit in echoes(asked, target, place)]
    held = {(id(edit.place), edit.name) for edit in told if encode(edit.place.get(edit.name)) == encode(edit.value)}
    given = {encode(one) for one in scalars(dict(arguments))}
    found: dict[str, Json] = {}
    for path, one in _repeated(value, "", held, given):
        found.setdefault(path, one)
    fixed = (FixedField(path, one) for path, one in found.items())
    return tuple(one for one in fixed if not any(fixed_faults((one,), value)))


def _repeated(value: Json, path: str, held: set[tuple[int, str]], given: set[JsonText]) -> Iterator[tuple[str, Json]]:
    if isinstance(value, list):
        for item in value:
            yield from _repeated(item, f"{path}/{EACH}", held, given)
    for name, one in value.items() if isinstance(value, dict) else ():
        inner = f"{path}/{_key(name)}"
        if isinstance(one, (dict, list)):
            if (id(value), name) in held:
                yield from ((f"{inner}{at}", leaf) for at, leaf in leaves_of(one) if encode(leaf) in given)
            yield from _repeated(one, inner, held, given)
        elif (id(value), name) in held and one is not None:
            yield inner, one


def fixed_faults(fixed: Iterable[FixedField], value: Json) -> Iterator[str]:
    """Yield where a value has something else in place of what is fixed."""
    for one in fixed:
        found = list(_at(value, _keys(one.path)))
        other = next((held for held in found if encode(held) != encode(one.value)), None)
        if other is not None or (one.is_needed and not found):
            held = f"is {encode(other)[:200]}" if found else "is not there"
            yield f"{one.path} {held}; it must be {encode(one.value)}"


def _at(value: Json, keys: tuple[str, ...]) -> Iterator[Json]:
    if not keys:
        yield value
        return
    first, *rest = keys
    for one in _inside(value, first):
        yield from _at(one, tuple(rest))


def _inside(value: Json, key: str) -> list[Json]:
    if isinstance(value, dict):
        return [value[key]] if key in value else []
    if isinstance(value, list):
        return value if key == EACH else value[int(key) : int(key) + 1] if key.isdecimal() else []
    return []


def laid_on(value: Json, fixed: Iterable[FixedField]) -> Json:
    """Return a value with the fixed fields in their places; lists are as long as the places in them ask for."""
    made = deepcopy(value)
    listed = [one for one in fixed if EACH not in _keys(one.path)]
    for one in fixed:
        _lay(made, _keys(one.path), one.value)
    for one in listed:
        *above, _ = _keys(one.path)
        for depth, key in enumerate(above):
            for items in _at(made, tuple(above[:depth])):
                if isinstance(items, list) and key.isdecimal():
                    del items[1 + max(_positions(listed, above[:depth])) :]
    return made


def _positions(fixed: Iterable[FixedField], above: list[str]) -> Iterator[int]:
    """The positions in the list at a place that fixed fields name."""
    for one in fixed:
        keys = _keys(one.path)
        if list(keys[: len(above)]) == above and len(keys) > len(above) and keys[len(above)].isdecimal():
            yield int(keys[len(above)])


def _lay(value: Json, keys: tuple[str, ...], told: Json) -> None:
    first, *rest = keys
    if isinstance(value, list) and first.isdecimal() and value:
        value += [_another(value[-1], more) for more in range(1, int(first) + 2 - len(value))]
    if isinstance(value, dict) and (not rest or first not in value):
        value[first] = {} if rest else told
    elif isinstance(value, list) and not rest and first.isdecimal():
        value[int(first)] = told
    for one in _inside(value, first) if rest else ():
        _lay(one, tuple(rest), told)


def _another(value: Json, more: int) -> Json:
    """Something like a value, with other identifiers."""
    if isinstance(value, dict):
        return {
            name: one + more if type(one) is int and name_words(name)[-1:] == ("id",) else _another(one, more)
            for name, one in value.items()
        }
    if isinstance(value, list):
        return [_another(one, more) for one in value]
    if isinstance(value, str) and kind_of_value(value) == "code":
        return _LAST_DIGITS.sub(lambda one: str(int(one[0]) + more).zfill(len(one[0]))[-len(one[0]) :], value)
    return value


_LAST_DIGITS: Final = re.compile(r"\d+(?=\D*$)")


def _keys(path: str) -> tuple[str, ...]:
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:])


def _key(key: str | int) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")
