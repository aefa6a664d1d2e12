"""Imports point down the table of ARCHITECTURE.md: never sideways within a row, never up."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "callwright"
ABOVE_ALL = "__main__"
FREE = {"__version__", "annotations"}
"""Names of the package itself that any part may have."""


def read_rows() -> list[list[str]]:
    """Return the parts of each row of the table, highest first."""
    section = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split("## Parts", 1)[1].split("\n## ", 1)[0]
    columns = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [re.findall(r"`(\w+)`", column) for column in columns]


RANKS: dict[str, float] = {part: rank for rank, row in enumerate(reversed(read_rows())) for part in row}
# The package's own `__init__` offers what `app` has; `python -m callwright` starts the command line.
RANKS |= {"__init__": RANKS["app"] + 0.5, ABOVE_ALL: RANKS["cli"] + 1}


def part_of(name: str) -> str:
    """Return the part that a dotted module name lies in."""
    return name.split(".")[1] if "." in name else "__init__"


def imported_parts(source: str, module: str, *, is_package: bool) -> Iterator[tuple[int, str]]:
    """Yield line and part of every import of our own, wherever it stands in the source."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            # A bare `import callwright` brings nothing by itself; what is taken from it is an attribute below.
            names = [alias.name for alias in node.names if alias.name != "callwright" or alias.asname]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "callwright":
            names = [_of_package(node.attr)]
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, module, is_package=is_package)
            # `from callwright import lang` names a part in its list, every other form in its base.
            names = [base if base != "callwright" else _of_package(alias.name) for alias in node.names]
        else:
            continue
        yield from ((node.lineno, part_of(name)) for name in names if name.split(".")[0] == "callwright")


def _absolute(node: ast.ImportFrom, module: str, *, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    parents = module.split(".")
    base = parents[: len(parents) - node.level + is_package]
    return ".".join([*base, *([node.module] if node.module else [])])


def _of_package(name: str) -> str:
    if name in FREE:
        return ""
    return f"callwright.{name}" if name in RANKS or (PACKAGE / name).exists() else "callwright"


def breaches(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """Return a sentence for each import that does not point down."""
    part = part_of(module)
    return [
        f"{module}:{line} imports `{other}`, which is not below `{part}`"
        for line, other in imported_parts(source, module, is_package=is_package)
        if other != part and not RANKS.get(other, float("inf")) < RANKS[part]
    ]


def modules() -> list[tuple[str, Path]]:
    """Return the dotted name and path of every module."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ("callwright", *path.relative_to(PACKAGE).with_suffix("").parts)
        found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


def reading_order(package: Path) -> list[str]:
    """Return the modules that the docstring of a paper's folder lists; none where it has no list.

    A line of the list is a module's name in backquotes, at least two blanks, and what the module holds.
    """
    docstring = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""
    return re.findall(r"^ *`(\w+)`  +\S.*$", docstring, re.MULTILINE)


def imported_neighbours(source: str, package: str) -> Iterator[tuple[int, str]]:
    """Yield line and module of every import from the package itself, wherever it stands in the source."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, f"{package}.module", is_package=False)
            names = [f"{base}.{alias.name}" for alias in node.names] if base == package else [base]
        else:
            continue
        own = (name.removeprefix(f"{package}.") for name in names if name.startswith(f"{package}."))
        yield from ((node.lineno, name.partition(".")[0]) for name in own)


def disorder(order: list[str], sources: dict[str, str], package: str) -> list[str]:
    """Return a sentence for each module that the list lacks or has too much, and each import against its order."""
    found = [f"{package}: `{name}` is listed twice" for name in sorted(set(order)) if order.count(name) > 1]
    found += [f"{package}: `{name}` is not in the list" for name in sorted(sources.keys() - set(order))]
    found += [f"{package}: `{name}` is listed and does not exist" for name in sorted(set(order) - sources.keys())]
    for name in (one for one in order if one in sources):
        before = order[: order.index(name)]
        found += [
            f"{package}.{name}:{line} imports `{other}`, which is not listed before it"
            for line, other in imported_neighbours(sources[name], package)
            if other not in before
        ]
    return found


def test_every_part_has_a_row() -> None:
    """A new part is a decision, and is written into the table."""
    unlisted = {part_of(name) for name, _ in modules()} - RANKS.keys()

    assert not unlisted, f"parts without a row in ARCHITECTURE.md: {sorted(unlisted)}"


def test_no_part_has_two_rows() -> None:
    """Each part stands in one row."""
    parts = [part for row in read_rows() for part in row]

    assert len(parts) == len(set(parts))


def test_imports_point_down() -> None:
    """No module imports a part of its own row or of a row above."""
    found = [
        breach
        for name, path in modules()
        for breach in breaches(path.read_text(encoding="utf-8"), name, is_package=path.name == "__init__.py")
    ]

    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("callwright.store.run", "from callwright.engine.job import Job"),
        ("callwright.store.run", "import callwright.engine.job as job"),
        ("callwright.store.run", "from callwright.catalog import lint"),
        ("callwright.store.run", "from callwright import catalog"),
        ("callwright.store.run", "from callwright import synthesise"),
        ("callwright.store.run", "import callwright as cw"),
        ("callwright.store.run", "import callwright\ncallwright.app.run()"),
        ("callwright.store.run", "from ..catalog.lint import lint"),
        ("callwright.store.run", "from .. import catalog"),
        ("callwright.store.run", "def f():\n    from callwright.cli import main"),
        ("callwright.store.run", "if TYPE_CHECKING:\n    from callwright.app import App"),
        ("callwright.store.run", "from callwright.nowhere import x"),
        ("callwright.errors", "from callwright.records.tool import Tool"),
    ],
)
def test_breaches_are_found(module: str, source: str) -> None:
    """Imports up, sideways or from an unknown part are found in every form, also in functions and for types only."""
    assert breaches(source, module)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("callwright.store.run", "from callwright.records.tool import Tool"),
        ("callwright.store.run", "from callwright.store.lock import lock"),
        ("callwright.store.run", "from . import lock"),
        ("callwright.store.run", "from ..records import tool"),
        ("callwright.store.run", "from callwright import __version__"),
        ("callwright.store.run", "import callwright\nprint(callwright.__version__, callwright.records)"),
        ("callwright.store.run", "import sqlite3, callwright_other\nfrom json import loads"),
        ("callwright", "from callwright.app import App"),
        ("callwright.cli.main", "from callwright import app"),
    ],
)
def test_imports_that_point_down_are_free(module: str, source: str) -> None:
    """Imports of lower parts, of the same part and of other packages are no breach."""
    assert not breaches(source, module, is_package=module == "callwright")


def test_relative_imports_in_a_package_are_resolved() -> None:
    """In an `__init__` one dot is the package itself."""
    assert not breaches("from .run import Run", "callwright.store", is_package=True)
    assert breaches("from ..catalog import lint", "callwright.store", is_package=True)


PAPERS = sorted(path.parent for path in (PACKAGE / "papers").glob("*/__init__.py"))
LISTED = [paper for paper in PAPERS if reading_order(paper)]


def test_a_paper_lists_its_modules() -> None:
    """The check of the reading order has papers to look at."""
    assert "wild" in [paper.name for paper in LISTED]


@pytest.mark.parametrize("paper", LISTED, ids=lambda paper: str(paper.name))
def test_the_reading_order_of_a_paper_is_that_of_its_imports(paper: Path) -> None:
    """The docstring of the folder lists every module once, and a module imports only modules listed before it."""
    sources = {path.stem: path.read_text(encoding="utf-8") for path in paper.glob("*.py") if path.stem != "__init__"}

    found = disorder(reading_order(paper), sources, f"callwright.papers.{paper.name}")

    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        "from callwright.papers.toy.later import x",
        "from callwright.papers.toy import later",
        "import callwright.papers.toy.later as later",
        "from .later import x",
        "from . import later",
        "def f():\n    from callwright.papers.toy.later import x",
        "from callwright.papers.toy.first import x",
    ],
)
def test_imports_against_the_reading_order_are_found(source: str) -> None:
    """Imports of a later module, or of the module itself, are found in every form."""
    found = disorder(["first", "later"], {"first": source, "later": ""}, "callwright.papers.toy")

    assert len(found) == 1
    assert found[0].startswith("callwright.papers.toy.first:")


def test_lists_that_are_not_those_of_the_folder_are_found() -> None:
    """A module that is missing from the list, listed twice, or listed and absent, has a sentence each."""
    sources = {"a": "from callwright.errors import BadInput", "new": ""}

    found = disorder(["a", "a", "gone"], sources, "callwright.papers.toy")

    assert [sentence.split("`")[1] for sentence in found] == ["a", "new", "gone"]
