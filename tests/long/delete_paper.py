"""Delete a paper from a copy of the package, and show that the rest goes on without it.

    python tests/long/delete_paper.py [NAME ...] [--tests]

A paper is its folder, its name in the registry and, where it has one, its annotation. After they are gone every other
module must still import, and the recipes and protocols that are left must run. `--tests` also runs the tests that name
no deleted paper.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNWANTED = shutil.ignore_patterns("__pycache__", "*.pyc")
HALF_WRITTEN = shutil.ignore_patterns("*.pyc.*")
"""Of the package all else goes along: what is compiled is right where its source has the same time."""

IMPORT_ALL = """
import importlib, pkgutil, callwright
names = [found.name for found in pkgutil.walk_packages(callwright.__path__, "callwright.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
print(len(names))
"""
COMMANDS = """
import json, sys
from callwright.cli import main
for command in json.loads(sys.argv[1]):
    print("$ callwright", *command)
    try:
        main(command)
    except SystemExit as end:
        assert not end.code, command
"""


def copy_without(paper: str, root: Path) -> Path:
    """Copy package and tests to `root` without the paper; return the folder of the source."""
    shutil.copytree(ROOT / "src", root / "src", ignore=HALF_WRITTEN)
    shutil.copytree(ROOT / "tests", root / "tests", ignore=UNWANTED)
    shutil.copytree(ROOT / "docs", root / "docs")
    for name in (*(path.name for path in ROOT.glob("*.md")), "pyproject.toml", "Makefile"):
        shutil.copy(ROOT / name, root / name)
    package = root / "src" / "callwright"
    shutil.rmtree(package / "papers" / paper)
    registry = package / "papers" / "registry.py"
    registry.write_text(without_name(registry.read_text(encoding="utf-8"), paper), encoding="utf-8")
    notes, union = package / "records" / "annotations" / f"{paper}_notes.py", package / "records" / "annotation.py"
    if notes.exists():
        notes.unlink()
        union.write_text(without_annotation(union.read_text(encoding="utf-8"), paper), encoding="utf-8")
    return root / "src"


def without_name(registry: str, paper: str) -> str:
    """Return the registry without the paper's name.

    >>> without_name('PAPERS: Final = ("a", "b", "c")', "b")
    'PAPERS: Final = ("a", "c")'
    """
    found = re.search(r"PAPERS: Final = \((.*?)\)", registry)
    assert found is not None
    assert f'"{paper}"' in found[1]
    kept = [name for name in re.findall(r'"\w+"', found[1]) if name != f'"{paper}"']
    return registry[: found.start(1)] + ", ".join(kept) + registry[found.end(1) :]


def without_annotation(union: str, paper: str) -> str:
    """Return the union of annotations without the import and the members of the paper."""
    module = f"callwright.records.annotations.{paper}_notes"
    imports = [one for one in ast.walk(ast.parse(union)) if isinstance(one, ast.ImportFrom) and one.module == module]
    assert len(imports) == 1
    members = {alias.name for alias in imports[0].names}
    lines = union.splitlines(keepends=True)
    del lines[imports[0].lineno - 1 : imports[0].end_lineno]
    return "".join(line for line in lines if line.strip().rstrip(",") not in members)


def run(source: Path, *arguments: str, cwd: Path) -> str:
    """Run Python on the copy; return its output. Fails where it does."""
    environment = {**os.environ, "PYTHONPATH": str(source), "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=cwd, env=environment
    )
    assert done.returncode == 0, f"{' '.join(arguments)}: {done.stdout[-1500:]}{done.stderr[-1500:]}"
    return done.stdout


def check_rest(source: Path, root: Path) -> list[str]:
    """Import every module, then synthesise, evaluate and report with each recipe that is left; return its names."""
    assert int(run(source, "-c", IMPORT_ALL, cwd=root)) > 200
    names = "from callwright.papers.registry import names_of; print(*names_of('recipes'))"
    recipes = run(source, "-c", names, cwd=root).split()
    commands: list[tuple[str, ...]] = []
    for recipe in recipes:
        protocol = "static" if recipe == "diaforge" else recipe
        chosen = ("--protocol", protocol, "--model", "builtin/oracle", "-o", f"run-{recipe}")
        synth = ("synth", recipe, "builtin/enterprise", "-n", "3", "--seed", "1", "-o", recipe)
        commands += [synth, ("eval", recipe, *chosen), ("report", f"run-{recipe}")]
    said = run(source, "-c", COMMANDS, json.dumps(commands), cwd=root)
    for recipe in recipes:
        assert recipe in said.partition(f"$ callwright report run-{recipe}\n")[2].partition("$ callwright")[0]
    return recipes


def tests_without(paper: str, root: Path) -> list[str]:
    """Return the test files of the copy that do not name the paper, nor import or have fixtures of a file that does.

    The documents speak of every paper, so their test is left out.
    """
    files = {path: path.read_text(encoding="utf-8") for path in sorted((root / "tests").rglob("*.py"))}
    named = {path.stem for path, text in files.items() if re.search(paper, text, re.IGNORECASE) or paper in path.parts}
    fixtures = {path.parent for path in files if path.name == "conftest.py" and f'"{paper}"' in files[path]}
    wanted = [path for path in files if path.name.startswith("test_") and path.stem not in {*named, "test_docs"}]
    wanted = [path for path in wanted if not fixtures.intersection(path.parents)]
    uses = {path: set(re.findall(r"^(?:from|import) (\w+)", files[path], re.MULTILINE)) for path in wanted}
    return [str(path.relative_to(root)) for path in wanted if not uses[path] & named]


def main() -> None:
    """Delete each paper in turn."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers", nargs="*", help="Papers to delete.  [default: each of the registry]")
    parser.add_argument("--tests", action="store_true", help="Run the tests that do not name the paper.")
    chosen = parser.parse_args()
    sys.path.insert(0, str(ROOT / "src"))
    from callwright.papers.registry import PAPERS

    for paper in chosen.papers or PAPERS:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            source = copy_without(paper, root)
            recipes = check_rest(source, root)
            left = ", ".join(recipes) or "none"
            print(f"without {paper}: every module imports; recipes that run: {left}", flush=True)
            if chosen.tests:
                files = tests_without(paper, root)
                print(run(source, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files, cwd=root).splitlines()[-1])


if __name__ == "__main__":
    main()
