"""Papers are known to the registry alone: no other part names one in its code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from callwright.papers.registry import papers

PACKAGE = Path(__file__).parents[1] / "src" / "callwright"

STREAM = "key of a random stream: renaming it would change the bytes of every dataset"
NAMES = re.compile("|".join(f"(?<![A-Za-z]){one}(?![a-z])|{one.title()}|{one.upper()}(?![A-Z])" for one in papers()))
"""A paper's name as a word of its own or with a capital: `indices` names no paper called `dice`."""

EXCEPTIONS = {
    "records": "annotations that only one paper needs, with the names they have in files",
    "author/assistant_turn.py": STREAM,
    "author/user_turn.py": STREAM,
}
"""Modules and folders that name a paper, with the reason."""


def names_in(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each paper named in code: imports, identifiers and strings that are no docstrings."""
    tree = ast.parse(source)
    lone = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    docstrings = {id(value) for value in lone if isinstance(value, ast.Constant)}
    for node in ast.walk(tree):
        for text in () if id(node) in docstrings else _texts(node):
            if NAMES.search(text):
                yield getattr(node, "lineno", 0), text


def _texts(node: ast.AST) -> Iterator[str]:
    """Every text that a node itself holds: names, attributes, arguments, modules, strings; `click`'s names aside."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "click":
        return  # `click.echo` names no paper called `echo`
    for _, value in ast.iter_fields(node):
        values = value if isinstance(value, list) else [value]
        yield from (one for one in values if isinstance(one, str))


@cache
def named() -> dict[str, list[str]]:
    """Return the places below or beside `papers/` that name a paper, by module."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        module = path.relative_to(PACKAGE).as_posix()
        places = [] if module.startswith("papers/") else list(names_in(path.read_text(encoding="utf-8")))
        if places:
            found[module] = [f"{module}:{line} names a paper in {text!r:.80}" for line, text in places]
    return found


def test_only_the_registry_knows_a_paper() -> None:
    """No part outside `papers/` names a paper in its code, but for the listed exceptions."""
    strange = [
        place
        for module, places in named().items()
        if not any(module == one or module.startswith(f"{one}/") for one in EXCEPTIONS)
        for place in places
    ]

    assert not strange, "\n".join(strange)


def test_every_exception_is_needed() -> None:
    """A module that no longer names a paper leaves the list."""
    unused = [one for one in EXCEPTIONS if not any(module == one or module.startswith(f"{one}/") for module in named())]

    assert not unused


@pytest.mark.parametrize(
    "source",
    [
        "from callwright.papers.wild import paper",
        "import callwright.papers.bfcl.paper as other",
        "from callwright import papers as wild",
        "BfclMode = int",
        "def read_wild(): ...",
        "def f(diaforge): ...",
        "f(wild=1)",
        "x.diaforge",
        "x = 'the wild protocol'",
        "x = f'{y} of BFCL'",
        "global wild",
    ],
)
def test_names_are_found(source: str) -> None:
    """Imports, definitions, arguments, keywords, attributes and texts are looked at."""
    assert list(names_in(source))


def test_names_of_click_are_no_papers() -> None:
    """A paper may be called as a function of click is."""
    assert not list(names_in("click.wild('text')"))


@pytest.mark.parametrize("source", ['"""As in DiaFORGE."""', "def f():\n    '''Of wild.'''", "x = 1  # as in BFCL"])
def test_docstrings_and_comments_may_cite(source: str) -> None:
    """A source that is cited is no knowledge of a paper."""
    assert not list(names_in(source))
