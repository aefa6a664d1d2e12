"""The regular expressions of the package, found in its modules and in its source."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import callwright

_USES = {"compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}


class Found(NamedTuple):
    """One expression, where it stands (`module.NAME` or `module:line`), and the methods that are called on it."""

    where: str
    pattern: re.Pattern[str]
    methods: frozenset[str]


def all_patterns() -> list[Found]:
    """Return every expression of the package in every place where it stands."""
    names = [found.name for found in pkgutil.walk_packages(callwright.__path__, "callwright.")]
    modules = [importlib.import_module(name) for name in names if not name.endswith("__main__")]
    found: list[Found] = []
    for module in modules:
        called = _called(module)
        found += [
            Found(f"{module.__name__}.{name}", pattern, _narrowed(called.get(name, set())))
            for name, pattern in _held(module)
        ]
        found += _written(module)
    return list({(one.pattern.pattern, one.pattern.flags, one.methods): one for one in found}.values())


def _called(module: ModuleType) -> dict[str, set[str]]:
    """Return the methods that a module calls on each of its names; `?` where a name is used in another way."""
    called: dict[str, set[str]] = {}
    tree = ast.parse(_source(module))
    owned = {id(node.value): node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            called.setdefault(node.id, set()).add(owned.get(id(node), "?"))
    return called


def _narrowed(methods: set[str]) -> frozenset[str]:
    """Return which of `match`, `fullmatch` and `finditer` stand for the methods; all where they are not known."""
    if "?" in methods or not methods & _USES:
        return frozenset(("finditer", "fullmatch"))
    anchored = methods & {"match", "fullmatch"}
    return frozenset(anchored | ({"finditer"} if methods & (_USES - {"match", "fullmatch", "compile"}) else set()))


def _held(module: ModuleType) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the compiled expressions that a module holds by name, also inside tables."""
    for name, value in vars(module).items():
        if not name.startswith("__"):
            yield from ((name, pattern) for pattern in _inside(value, depth=4))


def _inside(value: object, *, depth: int) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth and isinstance(value, Mapping):
        yield from _inside((*value.keys(), *value.values()), depth=depth - 1)
    elif depth and isinstance(value, tuple | list | set | frozenset):
        yield from (found for item in value for found in _inside(item, depth=depth - 1))


def _written(module: ModuleType) -> Iterator[Found]:
    """Yield the expressions that calls of `re` in a module's source spell out, a filled-in part read as `value`."""
    for node in ast.walk(ast.parse(_source(module))):
        if isinstance(node, ast.Call) and _uses_re(node.func) and node.args:
            text = _spelt(node.args[0])
            if text is not None and isinstance(node.func, ast.Attribute) and node.func.attr != "compile":
                pattern = re.compile(text, _flags(node))
                yield Found(f"{module.__name__}:{node.lineno}", pattern, _narrowed({node.func.attr}))


def _source(module: ModuleType) -> str:
    assert module.__file__
    return Path(module.__file__).read_text(encoding="utf-8")


def _uses_re(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
        and function.attr in _USES
    )


def _spelt(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "value" for part in node.values)
    return None


def _flags(call: ast.Call) -> int:
    """Return the flags that a call names."""
    given: Iterable[ast.AST] = [*call.args[1:], *(word.value for word in call.keywords)]
    names = {part.attr for argument in given for part in ast.walk(argument) if isinstance(part, ast.Attribute)}
    names |= {"IGNORECASE" for argument in given if isinstance(argument, ast.Name) and argument.id == "_I"}
    return sum((re.RegexFlag[name] for name in names & set(re.RegexFlag.__members__)), re.RegexFlag(0))
