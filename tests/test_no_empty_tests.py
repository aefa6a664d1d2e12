"""No test passes because its cases never occurred: each states something outside of its loops.

A test *can pass empty* if it has assertions and each of them holds over nothing: it stands below an `if`, in a loop
over what may be empty, or is `all(...)`, `not any(...)`, `not [... for ...]`, `[... for ...] == []` or
`{... for ...} <= ...` over what may be empty. What may not be empty: a literal with elements, a name that one is given
to, a constant in capitals, a range, what `CERTAIN` names, and what a helper or fixture of the tests returns that has an
assertion, ends in an error or returns one of these. A property with an `@example` is taken to state its case there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from callwright.author.personas import bank
from diaforge_builders import bundled

HERE = Path(__file__).parent
FILES = sorted(path for path in HERE.rglob("test_*.py"))
CERTAIN = ("bundled().tools", "bank()")  # of the package itself
SAME_LENGTH = ("enumerate", "zip", "product", "sorted", "reversed", "list", "tuple", "set", "items", "values", "keys")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def can_pass_empty(test: ast.FunctionDef | ast.AsyncFunctionDef, stating: frozenset[str]) -> bool:
    """Return whether the test has assertions and each of them holds over nothing; `stating` names stating helpers."""
    if any(ast.unparse(decorator).startswith("example(") for decorator in test.decorator_list):
        return False
    found = list(_outside(test.body, stating | _named(test.body, stating)))
    return bool(found) and not any(found)


def states(helper: ast.FunctionDef | ast.AsyncFunctionDef, stating: frozenset[str]) -> bool:
    """Return whether what the helper returns is surely not empty: it asserts something, ends in an error or says so."""
    known = stating | _named(helper.body, stating)
    returned = [line.value for line in ast.walk(helper) if isinstance(line, ast.Return) and line.value]
    return (
        any(_outside(helper.body, known))
        or isinstance(helper.body[-1], ast.Raise)
        or (bool(returned) and all(_occurs(one, known) for one in returned))
    )


def _named(body: list[ast.stmt], stating: frozenset[str]) -> frozenset[str]:
    """Return the names that are given something with elements, not below a condition."""
    given = [line for line in body if isinstance(line, ast.Assign) and _occurs(line.value, stating)]
    return frozenset(target.id for line in given for target in line.targets if isinstance(target, ast.Name))


def _outside(body: list[ast.stmt], stating: frozenset[str]) -> Iterator[bool]:
    """Yield for each assertion whether it states something whatever happens."""
    for line in body:
        if isinstance(line, ast.Assert):
            yield _states(line.test, stating)
        elif isinstance(line, ast.For | ast.AsyncFor | ast.While):
            certain = not isinstance(line, ast.While) and _occurs(line.iter, stating)
            yield from (one and certain for one in _outside(line.body, stating))
        elif isinstance(line, ast.If):
            branches = [list(_outside(branch, stating)) for branch in (line.body, line.orelse)]
            yield from [all(map(any, branches))] * any(branches)
        elif isinstance(line, ast.With | ast.AsyncWith):
            if any("raises(" in ast.unparse(item.context_expr) for item in line.items):
                yield True
            yield from _outside(line.body, stating)
        elif isinstance(line, ast.Try):
            yield from _outside([*line.body, *line.finalbody], stating)
        elif isinstance(line, FUNCTIONS):
            yield from _outside(line.body, stating)  # the test runs what it defines


def _states(said: ast.expr, stating: frozenset[str]) -> bool:
    match said:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(_states(one, stating) for one in values)
        case ast.Call(func=ast.Name(id="all"), args=[over]):
            return _occurs(over, stating)
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Name(id="any"), args=[over])):
            return _occurs(over, stating)
        case ast.UnaryOp(op=ast.Not(), operand=over) if isinstance(over, COMPREHENSIONS):
            return _occurs_unfiltered(over, stating)
        case ast.Compare(left=ast.ListComp() as over, ops=[ast.Eq()], comparators=[ast.List(elts=[])]):
            return _occurs_unfiltered(over, stating)
        case ast.Compare(left=ast.SetComp() as over, ops=[ast.LtE()]):
            return _occurs(over, stating)
    return True


def _occurs(over: ast.expr, stating: frozenset[str]) -> bool:
    """Return whether there is surely something to go over."""
    match over:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.Dict(keys=parts):
            return bool(parts)
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name(id=name) | ast.Attribute(attr=name) if name.isupper() or name in stating:
            return True
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return not any(part.ifs for part in over.generators) and _occurs_unfiltered(over, stating)
        case ast.Call(func=ast.Name(id=name)) if name in stating:
            return True
        case ast.Call(func=ast.Name(id="range"), args=args):
            return all(isinstance(one, ast.Constant | ast.Name) for one in args)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if name in SAME_LENGTH:
            parts = args or ([over.func.value] if isinstance(over.func, ast.Attribute) else [])
            return bool(parts) and all(_occurs(one, stating) for one in parts)
        case ast.Subscript(value=whole, slice=ast.Slice(lower=None)):
            return _occurs(whole, stating)
    return ast.unparse(over) in CERTAIN


def _occurs_unfiltered(over: ast.expr, stating: frozenset[str]) -> bool:
    assert isinstance(over, COMPREHENSIONS)
    return all(_occurs(part.iter, stating) for part in over.generators)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _stating(path: Path) -> frozenset[str]:
    """Return the helpers and fixtures that a file of tests knows and that never return nothing."""
    tree = _tree(path)
    own = {
        line.name
        for line in ast.walk(tree)
        if isinstance(line, FUNCTIONS) and not line.name.startswith("test_") and states(line, frozenset())
    }
    for line in tree.body:
        if isinstance(line, ast.ImportFrom) and line.module in _modules():
            own |= {one.name for one in line.names} & _stating(_modules()[line.module])
    return frozenset(own)


@cache
def _modules() -> dict[str, Path]:
    return {path.stem: path for path in HERE.rglob("*.py") if path.name != "conftest.py"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_test_can_pass_empty(path: Path) -> None:
    """Each test of a file states something even where its cases would not occur."""
    found = [one for one in ast.walk(_tree(path)) if isinstance(one, FUNCTIONS) and one.name.startswith("test_")]

    assert [f"{path.name}:{one.lineno} {one.name}" for one in found if can_pass_empty(one, _stating(path))] == []
    assert found


def test_what_is_taken_for_certain_is_there() -> None:
    """What the package itself hands out, and tests go over, is not empty."""
    assert bundled().tools
    assert bank()


EMPTY = {
    "a loop": "for one in made():\n    assert one",
    "a loop in a loop": "for one in (1, 2):\n    for other in of(one):\n        assert other",
    "a condition": "if made():\n    assert 1",
    "a loop without an end": "while made():\n    assert 1",
    "all": "assert all(one for one in made())",
    "all of a filter": "assert all(one for one in (1, 2) if one > 2)",
    "none": "assert not any(made())",
    "a filter": "assert not [one for one in made() if one]",
    "a filter that gives nothing": "assert [one for one in made() if one] == []",
    "a subset": "assert {one for one in made()} <= {1}",
    "both": "assert all(made()) and not any(made())",
    "a sure loop over unsure ones": "for one in CASES:\n    assert all(of(one))",
}
FULL = {
    "nothing asserted": "made()",
    "a count": "cases = made()\nfor one in cases:\n    assert one\nassert cases",
    "a literal": "for one in (1, 2):\n    assert one",
    "a constant": "for number, one in enumerate(CASES):\n    assert one",
    "a range": "for one in range(3):\n    assert one",
    "a stating helper": "for one in stating()[:9]:\n    assert one",
    "a stating fixture": "assert all(one for one in stating)",
    "certain of the package": "for tool in bundled().tools:\n    assert tool",
    "both branches": "if made():\n    assert 1\nelse:\n    assert 2",
    "an error": "for one in made():\n    assert one\nwith pytest.raises(ValueError):\n    made()",
    "a filter of what occurs": "assert not [one for one in CASES if one]",
    "an inner function": "def ask():\n    assert 1\nask()",
    "a name of a literal": "cases = {1: 2}\nfor one in cases.items():\n    assert one",
    "one of two": "assert all(made()) and made()",
}


@pytest.mark.parametrize("body", EMPTY.values(), ids=EMPTY)
def test_what_can_pass_empty_is_found(body: str) -> None:
    """Each form of the pattern is found."""
    assert can_pass_empty(_test_of(body), frozenset({"stating"}))


@pytest.mark.parametrize("body", FULL.values(), ids=FULL)
def test_what_states_its_case_is_not_reported(body: str) -> None:
    """A test that states something in any case is none of them."""
    assert not can_pass_empty(_test_of(body), frozenset({"stating"}))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("found = made()\nassert found\nreturn found", True),
        ("found = [1]\nfound += made()\nreturn found", True),
        ("return [draw(seed) for seed in range(count)]", True),
        ("for one in made():\n    return one\nraise AssertionError", True),
        ("return [one for one in made()]", False),
        ("for one in made():\n    assert one\nreturn made()", False),
    ],
)
def test_a_helper_states_that_it_returns_something(body: str, expected: bool) -> None:
    """It asserts, ends in an error, or returns what has elements."""
    assert states(_test_of(body), frozenset()) is expected


def test_a_property_with_an_example_states_its_case() -> None:
    """A decorator `example` counts as the case; `given` alone does not."""
    one = "@given(st.text())\n{}def test_one(text):\n    assert all(read(text))"

    assert can_pass_empty(_first(one.format("")), frozenset())
    assert not can_pass_empty(_first(one.format('@example("5 pm")\n')), frozenset())


def _test_of(body: str) -> ast.FunctionDef:
    return _first("def test_one():\n" + "".join(f"    {line}\n" for line in body.splitlines()))


def _first(text: str) -> ast.FunctionDef:
    found = ast.parse(text).body[0]
    assert isinstance(found, ast.FunctionDef)
    return found
