"""What the documents show is run: Python blocks, and the commands of console blocks."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from callwright.app.optimising import Optimisation
from callwright.app.preferring import Preference, WinRate
from callwright.app.rescoring import PairedRow
from callwright.cli import main
from callwright.stats.intervals import Interval
from callwright.stats.paired import PairedTest
from callwright.train.export_report import CheckResult, ExportVerdict, TemplateMatrix
from callwright.train.rendered_row import RowFinding
from callwright.train.template_origin import TemplateOrigin
from callwright.train.token_checks import Quantiles
from callwright.train.training_cost import TrainingCost
from callwright.train.tuning import HeldOutLoss, Trained

ROOT = Path(__file__).parents[1]
PAGES = (
    *("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"),
    *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")),
)
IN_A_COPY = "docs/adding-a-paper.md"
"""Its code and commands are run by `papers/test_adding_a_paper.py`, in a copy of the package."""
IN_A_SHELL = "README.md"
"""Its commands are typed into a shell, where each loads all that it uses; those of other pages run in this process."""
RUN_HERE = tuple(page for page in PAGES if page != IN_A_COPY)
WITHOUT_COMMANDS = ("CONTRIBUTING.md", "ARCHITECTURE.md", "docs/bfcl.md", "docs/multiwoz.md")
SHELLS = ("console", "sh", "bash", "shell")
LANGUAGES = {"", "text", "json", "python", "pycon", *SHELLS}
ELSEWHERE = re.compile(r"openai/|anthropic/|local/|--base-url|path/to|mcp:|^callwright serve")
"""Commands that need a server, a key or a file of the reader's own, or never end."""

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[tuple[int, str, str]]:
    """Return the fenced blocks of a page: line, language, text."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [(text[: fence.start()].count("\n") + 1, fence[1], fence[2]) for fence in _FENCE.finditer(text)]


def commands(text: str) -> list[str]:
    """Return the commands of a console block that call us; continued lines are joined, output is left out."""
    lines = (line.removeprefix("$ ").strip() for line in text.replace("\\\n", " ").splitlines())
    return [line for line in lines if line.startswith("callwright ") and not ELSEWHERE.search(line)]


@pytest.mark.parametrize("page", PAGES)
def test_every_block_has_a_known_language(page: str) -> None:
    """No block escapes the tests below by a misspelt language."""
    languages = {language for _, language, _ in blocks(page)}
    assert languages
    assert languages <= LANGUAGES


@pytest.mark.parametrize("page", RUN_HERE)
def test_console_blocks_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of a page, one after the other in an empty folder, all succeed."""
    monkeypatch.chdir(tmp_path)
    run = run_in_a_shell if page == IN_A_SHELL else run_here
    shown = [(line, text) for line, language, text in blocks(page) if language in SHELLS]
    found = [(line, command) for line, text in shown for command in commands(text)]
    assert bool(found) == (page not in WITHOUT_COMMANDS)
    for line, command in found:
        status, said = run(command)
        assert status == 0, f"{page}:{line}: {command}\n{said}"


def run_in_a_shell(command: str) -> tuple[int, str]:
    """Return the status and the words of a command line."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def run_here(command: str) -> tuple[int, str]:
    """The same, without a process of its own; a comment behind it is left out."""
    name, *arguments = shlex.split(command, comments=True)
    assert name == "callwright"
    done = CliRunner().invoke(main, arguments)
    return done.exit_code, f"{done.output}\n{done.exception!r}"


@pytest.mark.parametrize("page", RUN_HERE)
def test_python_blocks_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python of a page, top to bottom in one namespace and an empty folder, runs; sessions print what they show."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for line, language, text in blocks(page):
        if ">>>" in text and language in ("python", "pycon"):
            example = doctest.DocTestParser().get_doctest(text, names, f"{page}:{line}", page, line)
            runner.run(example, clear_globs=False)
            names.update(example.globs)
        elif language == "python":
            exec(compile(text, f"{page}:{line}", "exec"), names)

    assert runner.failures == 0


@pytest.mark.parametrize(("page", "most"), [("ARCHITECTURE.md", 90), ("CONTRIBUTING.md", 90)])
def test_pages_stay_short(page: str, most: int) -> None:
    """A page that nobody reads to its end helps nobody."""
    assert len((ROOT / page).read_text(encoding="utf-8").splitlines()) <= most


def test_links_inside_the_repository_lead_somewhere() -> None:
    """Every relative link of a page names a file that exists."""
    link = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
    links = [(page, target) for page in PAGES for target in link.findall((ROOT / page).read_text(encoding="utf-8"))]
    assert links
    for page, target in links:
        assert (ROOT / page).parent.joinpath(target).exists(), f"{page}: {target}"


@pytest.mark.parametrize(
    ("command", "documents"),
    [
        ("verify-export", (ExportVerdict, CheckResult, RowFinding, TemplateOrigin, Quantiles)),
        ("verify-export --all-templates", (TemplateMatrix,)),
        ("train", (Trained, HeldOutLoss)),
        ("train --dry-run", (TrainingCost,)),
        ("optimise", (Optimisation, Interval, PairedTest)),
        ("report --against", (PairedRow, Interval, PairedTest)),
        ("win-rate", (WinRate, Preference)),
    ],
)
def test_the_page_of_commands_names_every_key(command: str, documents: tuple[type[msgspec.Struct], ...]) -> None:
    """Of the documents that these commands print with `--json`."""
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    (line,) = [line for line in page.splitlines() if line.startswith(f"| `{command}` | ")]
    keys = {field for document in documents for field in document.__struct_fields__}
    assert keys - set(re.findall(r'"(\w+)"', line)) == set()
    assert len(keys) >= 3
