"""`callwright synth wild`: its own options, and those of others refused."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from callwright.cli import main


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["synth", *arguments])
    return result.exit_code, result.output


def test_sessions_are_made_over_any_catalogue(tmp_path: Path) -> None:
    """Without lists, tools are drawn by relatedness; the card tells the proportions."""
    code, said = run("wild", "builtin/enterprise", "-n", "4", "--tasks", "2", "-o", str(tmp_path / "ds"), "--json")
    assert code == 0
    assert json.loads(said)["planned"] == 4
    assert "sessions by number of transitions" in (tmp_path / "ds" / "README.md").read_text(encoding="utf-8")


def test_an_option_of_another_recipe_is_refused(tmp_path: Path) -> None:
    """The message says whose option it is, and which there are."""
    code, said = run("wild", "builtin/enterprise", "-n", "4", "--t-max", "3", "-o", str(tmp_path / "ds"))
    assert code == 2
    assert "--t-max belongs to the recipe diaforge, not to wild" in said
    code, said = run("diaforge", "builtin/enterprise", "-n", "4", "--minefields", "-o", str(tmp_path / "ds"))
    assert code == 2
    assert "--minefields belongs to the recipe wild, not to diaforge" in said
