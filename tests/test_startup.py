"""Starting is quick because nothing heavy is loaded."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    *("numpy", "scipy", "networkx", "rapidfuzz", "jsonschema_rs", "aiohttp", "yaml", "jinja2", "rich", "sqlite3"),
    *("asyncio", "torch", "transformers", "datasets", "sklearn", "pandas", "matplotlib"),
}


def loaded_by(code: str, *, cwd: str = ".") -> tuple[set[str], str]:
    """Run code in a new interpreter; return the top-level modules it loaded, and what it printed."""
    report = "import sys, json; sys.stderr.write(json.dumps(sorted({n.split('.')[0] for n in sys.modules})))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"{code}\n{report}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=cwd,
    )
    return set(json.loads(done.stderr)), done.stdout


def test_import_loads_nothing_heavy() -> None:
    """`import callwright` loads none of the heavy libraries, and prints nothing."""
    loaded, printed = loaded_by("import callwright")

    assert not loaded & HEAVY
    assert printed == ""


def test_import_writes_nothing(tmp_path: Path) -> None:
    """Importing leaves no file behind."""
    loaded_by("import callwright", cwd=str(tmp_path))

    assert list(tmp_path.iterdir()) == []


def test_records_need_only_msgspec() -> None:
    """The records load msgspec and nothing else from outside the standard library."""
    loaded, _ = loaded_by("import callwright.records.codec, callwright.records.tool, callwright.records.transcript")

    assert not loaded & HEAVY
    outside = {name for name in loaded - sys.stdlib_module_names if not name.startswith("_")}
    assert outside - {"sitecustomize", "usercustomize", "typing_extensions"} == {"callwright", "msgspec"}


HELP = """
import sys
from callwright.cli import main
sys.argv = ["callwright", "--help"]
try:
    main()
except SystemExit as done:
    assert not done.code
"""


def test_help_loads_nothing_heavy() -> None:
    """`callwright --help` lists the commands and loads no command's libraries."""
    loaded, printed = loaded_by(HELP)

    assert not loaded & HEAVY
    assert "synth" in printed


def test_help_loads_no_more_of_a_paper_than_its_offer() -> None:
    """`callwright --help` names the commands that papers bring; nothing heavy and no recipe or protocol is loaded."""
    loaded, printed = loaded_by(
        f"{HELP}\nprint([name for name in sys.modules if name.startswith('callwright.papers')])"
    )

    assert not loaded & HEAVY
    modules = ast.literal_eval(printed.splitlines()[-1])
    assert len(modules) > 3
    assert not [name for name in modules if re.search("recipe|protocol|scor|plan|rollout", name)]


def test_a_command_of_the_table_loads_no_paper() -> None:
    """`callwright show --help` does without the registry."""
    code = HELP.replace('"--help"', '"show", "--help"')
    _, printed = loaded_by(f"{code}\nprint([name for name in sys.modules if name.startswith('callwright.papers')])")

    assert printed.splitlines()[-1] == "[]"


@pytest.mark.parametrize("module", ["papers.registry", "cli.read", "cli.score", "cli.explain"])
def test_what_papers_offer_loads_nothing_heavy(module: str) -> None:
    """The registry, and the commands whose options come from papers, are there without the papers' libraries."""
    loaded, _ = loaded_by(f"import callwright.{module}")

    assert not loaded & HEAVY
