"""Mutants: what is changed, and that each is a program of its own."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from random import Random

import pytest

from mutants import mutants

sys.path.append(str(Path(__file__).parent / "long"))

from mutate import MODULES, PACKAGE, drawn

HERE = Path(__file__).parent
CHANGES = [
    ("x = a < b", ["x = (a <= b)"]),
    ("x = a < b == c", ["x = (a <= b == c)", "x = (a < b != c)"]),
    ("x = a is not None", ["x = (a is None)"]),
    ("x = a in b", ["x = (a not in b)"]),
    ("x = a and b", ["x = (a or b)"]),
    ("x = not a", ["x = (bool(a))"]),
    ("x = a + b", ["x = (a - b)"]),
    ("x = 3", ["x = (2)", "x = 4"]),
    ("x = True", ["x = False"]),
    ("x = 'text'", []),
    ("x: 'int | None' = None", []),
    ("def f(x: int) -> str | None:\n    return x", ["def f(x: int) -> str | None:\n    return None"]),
    ("def f():\n    '''Text.'''\n    return None", []),
    ("for one in all_of:\n    continue", ["for one in all_of:\n    pass"]),
    ("made.append(one)", ["pass"]),
    ("x += y", ["pass"]),
    ("if a:\n    x = y", ["if (not a):\n    x = y"]),
    ("x = y if a else z", ["x = y if (not a) else z"]),
    ("assert a", []),
    ("class A(Struct, frozen=True):\n    x = a", []),
    ("x = f'{a + b}'", []),
    ("é = 'ä'; x = a < b", ["é = 'ä'; x = (a <= b)"]),
]


@pytest.mark.parametrize(("source", "expected"), CHANGES)
def test_each_kind_of_change(source: str, expected: list[str]) -> None:
    """One piece is replaced, the rest stays as it is."""
    assert sorted(one.applied(source) for one in mutants(source)) == sorted(expected)


@pytest.mark.parametrize("module", MODULES)
def test_every_mutant_of_a_listed_module_is_another_program(module: str) -> None:
    """The module and its tests are there; each mutant compiles and differs, and its line is named."""
    source = (HERE.parent / PACKAGE / module).read_text(encoding="utf-8")
    plain = ast.parse(source)

    assert all((HERE / name).is_file() for name in MODULES[module])
    assert mutants(source)
    for one in mutants(source):
        assert statement_at(one.line, ast.parse(one.applied(source))) != statement_at(one.line, plain)
        assert one.shown(source) != source.splitlines()[one.line - 1].strip()


def statement_at(line: int, module: ast.Module) -> str:
    """What the statement of a module that a line belongs to does; all of a module takes ten times as long to tell."""
    return ast.dump(next(one for one in reversed(module.body) if one.lineno <= line))


def test_a_sample_is_the_same_for_the_same_chance() -> None:
    """So many mutants, by place, of those that there are."""
    source = "x = 1 + 2 + 3 < 4"
    assert list(drawn(source, None, Random(1))) == mutants(source)
    assert list(drawn(source, 3, Random(1))) == list(drawn(source, 3, Random(1)))
    assert len(list(drawn(source, 3, Random(1)))) == 3
    assert len(list(drawn(source, 99, Random(1)))) == len(mutants(source))
