"""Functions have at most eight parameters: what takes more is a struct."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

MOST = 8
SOURCE = Path(__file__).parents[1] / "src" / "callwright"


def parameters(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the functions of a module with the number of their parameters, without `self` and `cls`."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            yield node.name, len(given) - (bool(given) and given[0].arg in ("self", "cls"))


def test_no_function_has_more_than_eight_parameters() -> None:
    counts = {
        f"{path.relative_to(SOURCE)} {name}": count
        for path in SOURCE.rglob("*.py")
        for name, count in parameters(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert max(counts.values()) == MOST
    assert [name for name, count in counts.items() if count > MOST] == []


def test_parameters_are_counted() -> None:
    """Of methods and inner functions too."""
    text = "class A:\n    async def f(self, a, /, b, *, c=1, **rest):\n        def g(x): pass\n"
    assert dict(parameters(ast.parse(text))) == {"f": 3, "g": 1}
