"""The toy paper of `docs/adding-a-paper.md`, added to a copy of the package as the page says, works end to end."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from test_imports import breaches, disorder, reading_order

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-paper.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^\*\*`(papers/echo/\w+\.py)`\*\*\n\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = re.findall(r"^callwright (.+)$", PAGE, re.MULTILINE)


class Copy:
    """A copy of the package with the paper in it, and a folder in which its commands run."""

    def __init__(self, folder: Path) -> None:
        self.package, self.work = folder / "src" / "callwright", folder / "work"
        shutil.copytree(ROOT / "src" / "callwright", self.package, ignore=shutil.ignore_patterns("__pycache__"))
        for name, source in FILES.items():
            path = self.package / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(source, encoding="utf-8")
        registry = self.package / "papers" / "registry.py"
        source, added = re.subn(
            r"^(PAPERS: Final = \([^)]*?),?\s*\)$", r'\1, "echo")', registry.read_text(encoding="utf-8"), flags=re.M
        )
        assert added == 1
        registry.write_text(source, encoding="utf-8")
        self.work.mkdir()

    def run(self, command: str, *, status: int = 0) -> str:
        """Return what a command prints on standard output; on standard error where it shall fail."""
        done = subprocess.run(
            [sys.executable, "-m", "callwright", *shlex.split(command)],
            cwd=self.work,
            env=os.environ | {"PYTHONPATH": str(self.package.parent), "OPENAI_API_KEY": "none", "COLUMNS": "200"},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == status, f"callwright {command}\n{done.stdout}\n{done.stderr}"
        return done.stderr if status else done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Return the copy after the commands of the page."""
    made = Copy(tmp_path_factory.mktemp("echo"))
    assert len(COMMANDS) == 12
    for command in COMMANDS:
        made.run(command)
    return made


def test_the_page_has_every_file_of_the_paper() -> None:
    """The blocks of the page are the modules of the reading order."""
    listed = re.findall(r"^`(\w+)`  ", FILES["papers/echo/__init__.py"], re.MULTILINE)

    assert {f"papers/echo/{name}.py" for name in ("__init__", *listed)} == FILES.keys()


def test_its_imports_point_down(copy: Copy) -> None:
    """The toy paper keeps to the reading order of its folder and imports only parts below `papers/`."""
    sources = {Path(name).stem: source for name, source in FILES.items() if "__init__" not in name}

    assert disorder(reading_order(copy.package / "papers" / "echo"), sources, "callwright.papers.echo") == []
    assert sources
    for name, source in sources.items():
        assert not breaches(source, f"callwright.papers.echo.{name}")


def test_all_dialogues_are_kept_and_shown(copy: Copy) -> None:
    """Each of the twelve dialogues states its values; one is shown with its gold call."""
    funnel = json.loads((copy.work / "ds" / "funnel.json").read_text(encoding="utf-8"))

    assert (funnel["planned"], funnel["kept"]) == (12, 12)
    assert "gold" in copy.run("show ds")


def test_the_oracle_reaches_the_ceiling(copy: Copy) -> None:
    """`builtin/oracle` gets 1 and `builtin/abstain` 0, in the whole and in each slice; the slices add up."""
    rows = json.loads(copy.run("report runs/oracle runs/abstain --json"))

    for model, value in (("builtin/oracle", 1.0), ("builtin/abstain", 0.0)):
        own = [row for row in rows if row["model"] == model]
        assert {row["metric"] for row in own} == {"echo_acc"}
        assert {row["value"] for row in own} == {value}
        assert [row["n"] for row in own if not row["slice"]] == [12]
        assert sum(row["n"] for row in own if row["slice"].keys() == {"required"}) == 12


def test_scoring_again_gives_the_rows_of_the_report(copy: Copy) -> None:
    """A protocol without a scorer of its own is scored by `callwright score` as by `report`."""
    again, reported = copy.run("score echo runs/oracle --json"), copy.run("report runs/oracle --json")

    assert json.loads(again) == json.loads(reported)


def test_the_same_seed_gives_the_same_bytes(copy: Copy) -> None:
    """Two workers make what one makes."""
    copy.run("synth echo builtin/enterprise -n 12 --seed 2 --workers 2 -o again")

    assert (copy.work / "again" / "dialogues.jsonl").read_bytes() == (copy.work / "ds" / "dialogues.jsonl").read_bytes()


def test_the_help_lists_the_paper(copy: Copy) -> None:
    """Help texts name the paper and its options, which no line of `cli/` does."""
    synth, evaluation = (" ".join(copy.run(f"{command} --help").split()) for command in ("synth", "eval"))

    assert re.search(r"RECIPE is one of: [\w, -]*\becho\.", synth)
    assert re.search(r"--shown INTEGER [\w, -]*\becho: tools shown in each dialogue\. \[default: 5; 1<=x<=100\]", synth)
    assert re.search(r"One of: [\w, -]*\becho\.", evaluation)
    assert re.search(r"--lenient [\w, -]*\becho: accept small differences", evaluation)


def test_an_author_that_is_never_asked_is_refused(copy: Copy) -> None:
    """A recipe without prompts makes all text offline, so its datasets must not name a model as their author."""
    said = copy.run("synth echo builtin/enterprise -n 1 -o other --author openai/x", status=2)

    assert "the recipe echo asks no author" in said
    assert not (copy.work / "other").exists()
