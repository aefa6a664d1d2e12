"""The regular expressions of the package, found in its modules and in its source."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
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


@cache
def all_patterns() -> tuple[Found, ...]:
    """Return every expression of the package in every place where it stands."""
    names = [found.name for found in pkgutil.walk_packages(callwright.__path__, "callwright.")]
    modules = [importlib.import_module(name) for name in names if not name.endswith("__main__")]
    found: list[Found] = []
    for module in modules:
        held = list(_held(module))
        called = _called(module) if held else {}
        found += [
            Found(f"{module.__name__}.{name}", pattern, _narrowed(called.get(name, set()))) for name, pattern in held
        ]
        found += _written(module)
    return tuple({(one.pattern.pattern, one.pattern.flags, one.methods): one for one in found}.values())


def _called(module: ModuleType) -> dict[str, set[str]]:
    """Return the methods that a module calls on each of its names; `?` where a name is used in another way."""
    called: dict[str, set[str]] = {}
    nodes = _nodes(module)
    owned = {id(node.value): node.attr for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
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
    for node, texts in _calls(module):
        text = _spelt(node.args[0], texts)
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if text is not None:
            methods = _narrowed({"?" if method == "compile" else method})
            yield Found(f"{module.__name__}:{node.lineno}", re.compile(text, _flags(node)), methods)


def unread_places() -> set[str]:
    """Return the modules and functions that compile an expression that nothing in them spells out."""
    found = set()
    for info in pkgutil.walk_packages(callwright.__path__, "callwright."):
        if not info.name.endswith("__main__"):
            module = importlib.import_module(info.name)
            for function, calls in _functions(module):
                texts = _texts(function, module)
                if any(_spelt(call.args[0], texts) is None for call in calls):
                    found.add(f"{info.name}.{function.name}")
    return found


def _calls(module: ModuleType) -> Iterator[tuple[ast.Call, dict[str, str]]]:
    """Yield calls of `re`, with the texts that names of their function hold; those of modules hold a name."""
    inside: dict[int, dict[str, str]] = {}
    for function, calls in _functions(module):
        inside |= dict.fromkeys(map(id, calls), _texts(function, module))
    for call in _calls_of_re(_nodes(module)):
        is_compiled = isinstance(call.func, ast.Attribute) and call.func.attr == "compile"
        if id(call) in inside or not is_compiled:
            yield call, inside.get(id(call), {})


def _functions(module: ModuleType) -> Iterator[tuple[ast.FunctionDef, list[ast.Call]]]:
    """Yield the functions of a module that call `re`, with these calls; an inner one after those around it."""
    lines = {call.lineno for call in _calls_of_re(_nodes(module))}
    for node in _nodes(module) if lines else ():
        if isinstance(node, ast.FunctionDef) and not lines.isdisjoint(range(node.lineno, (node.end_lineno or 0) + 1)):
            yield node, _calls_of_re(ast.walk(node))


def _calls_of_re(nodes: Iterable[ast.AST]) -> list[ast.Call]:
    return [node for node in nodes if isinstance(node, ast.Call) and _uses_re(node.func) and node.args]


@cache
def _nodes(module: ModuleType) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(_source(module))))


def _texts(function: ast.FunctionDef, module: ModuleType) -> dict[str, str]:
    """Return the texts that have names in a function, its own and those of its module."""
    held = ((name, one) for name, one in vars(module).items() if isinstance(one, str | re.Pattern))
    texts = {
        name: one if isinstance(one, str) else one.pattern for name, one in held if isinstance(one, str | re.Pattern)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            text = _spelt(node.value, texts)
            if text is not None:
                texts[node.targets[0].id] = text
    return texts


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


def _spelt(node: ast.expr, texts: Mapping[str, str]) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name):
        return texts.get(node.id)
    if isinstance(node, ast.JoinedStr):
        return "".join(_part(part, texts) for part in node.values)
    return "value" if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.escape" else None


def _part(node: ast.expr, texts: Mapping[str, str]) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    name = node.value.id if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Name) else ""
    return texts.get(name, "value")


def _flags(call: ast.Call) -> int:
    """Return the flags that a call names."""
    given: Iterable[ast.AST] = [*call.args[1:], *(word.value for word in call.keywords)]
    names = {part.attr for argument in given for part in ast.walk(argument) if isinstance(part, ast.Attribute)}
    names |= {"IGNORECASE" for argument in given if isinstance(argument, ast.Name) and argument.id == "_I"}
    return sum((re.RegexFlag[name] for name in names & set(re.RegexFlag.__members__)), re.RegexFlag(0))
