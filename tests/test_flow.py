"""From command to first rollout: control passes down, and the engine calls back nothing but the job."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FrameType

import pytest
from click.testing import CliRunner

import callwright
from callwright.cli import main
from callwright.papers.diaforge import dialogue_rollout, static_protocol

PACKAGE = Path(callwright.__file__).parent
ENGINE = ["engine.roll_out", "engine.in_process", "engine.job"]


def modules_above(frame: FrameType | None) -> list[str]:
    """The package's modules whose functions are being called, from the command on, each once in a row."""
    found: list[str] = []
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(PACKAGE):
            name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
            if found[-1:] != [name]:
                found.append(name)
        frame = frame.f_back
    return found[::-1]


def stack_at(code: CodeType, arguments: Sequence[str]) -> list[str]:
    """The modules on the stack where a command first calls the function with this code."""
    stacks: list[list[str]] = []

    def watch(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code is code and not stacks:
            stacks.append(modules_above(frame))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        result = CliRunner().invoke(main, arguments)
    finally:
        sys.setprofile(before)
    assert result.exit_code == 0, result.output
    (stack,) = stacks
    return stack[next(at for at, name in enumerate(stack) if name.startswith("cli.") and name != "cli.__init__") :]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small dataset."""
    folder = tmp_path_factory.mktemp("flow") / "ds"
    callwright.synthesize("diaforge", "builtin/enterprise", n=3, seed=7, out=folder)
    return folder


def test_synth_passes_down(tmp_path: Path) -> None:
    """Command, synthesis, engine, the recipe's job, the paper's rollout: nothing else stands between."""
    arguments = ["synth", "diaforge", "builtin/enterprise", "-n", "1", "-o", str(tmp_path / "ds")]

    assert stack_at(dialogue_rollout.rollout.__code__, arguments) == [
        *("cli.synth", "app.synthesis"),
        *ENGINE,
        *("recipe.recipe_job", "papers.diaforge.dialogue_rollout"),
    ]


def test_eval_passes_down(data: Path, tmp_path: Path) -> None:
    """Command, evaluation, engine, the protocol's job, the paper's rollout: nothing else stands between."""
    asked = ["--protocol", "static", "--model", "builtin/eager", "-o", str(tmp_path / "run")]

    assert stack_at(static_protocol.rollout.__code__, ["eval", str(data), *asked]) == [
        *("cli.eval_", "app.evaluation"),
        *ENGINE,
        *("protocol.evaluation_job", "papers.diaforge.static_protocol"),
    ]
