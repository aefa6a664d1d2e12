"""Environments that other programs play."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.environments import DATA, KINDS, export_environment
from callwright.cli import main
from callwright.errors import BadInput


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of a few dialogues."""
    folder = tmp_path_factory.mktemp("environments") / "ds"
    callwright.synthesize("diaforge", callwright.read_catalog("builtin/enterprise"), n=5, seed=3, out=folder)
    return folder


def module_in(folder: Path) -> ModuleType:
    """The generated module, loaded from its file."""
    spec = importlib.util.spec_from_file_location("generated_env", folder / "callwright_env.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["generated_env"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_has_data_module_and_project(dataset: Path, tmp_path: Path, kind: str) -> None:
    """The data open as a dataset, the module is Python, and the project names what it needs."""
    count = export_environment(dataset, kind, out=tmp_path / "env", t_max=7)
    data = callwright.open_dataset(tmp_path / "env" / DATA)
    assert len(data.dialogues) == count == len(callwright.open_dataset(dataset).dialogues)
    source = (tmp_path / "env" / "callwright_env.py").read_text()
    assert not re.search("@[A-Z]+@", source)
    assert "'t_max': 7" in source
    assert ast.parse(source)
    assert KINDS[kind].requires in (tmp_path / "env" / "pyproject.toml").read_text()


def test_an_environment_for_grpo_is_played(dataset: Path, tmp_path: Path) -> None:
    """Rows name dialogues; the gold call earns 1 in all parts but penalties, words and wrong calls 0 in total, and what
    cannot be read is told."""
    export_environment(dataset, "trl-grpo", out=tmp_path / "env")
    module = module_in(tmp_path / "env")
    gold = {one.id: one.tasks[0].gold[0] for one in callwright.open_dataset(dataset).dialogues}
    rows = module.rows()
    assert [row["dialogue"] for row in rows] == list(gold)
    earned = []
    for row in rows:
        environment = module.CallwrightEnvironment()
        assert environment.reset(**row)
        assert module.reward([environment]) == [0.0]
        assert environment.call("x", "{").startswith("The arguments are no JSON")
        call = gold[row["dialogue"]]
        assert f'"name": "{call.tool}"' in row["prompt"][0]["content"]
        said = environment.say("Which one do you mean?")
        assert said != "The conversation is over."
        assert environment.call("no_such_tool", "{}") == "The conversation is over."
        assert environment.say("Hello?") == "The conversation is over."
        earned.append(module.reward([environment])[0])
        environment.reset(**row)
        environment.call(call.tool, json.dumps(call.values))
        earned.append(module.reward([environment])[0])
        parts = {one.__name__: one([environment])[0] for one in module.reward_funcs}
        assert parts == {name: float(name != "ftr") for name in module.PARTS}
    assert earned == [0.0, 1.0] * len(rows)
    assert dict(zip(module.PARTS, module.reward_weights, strict=True)) == module.WEIGHTS
    assert (module.WEIGHTS["right"], sum(module.reward_weights)) == (1.0, 1.0)


def test_the_command_writes_and_refuses(dataset: Path, tmp_path: Path) -> None:
    """The command counts episodes, and leaves alone a folder that holds something."""
    arguments = ["export-env", str(dataset), "--as", "inspect", "-o", str(tmp_path / "env")]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0
    assert "episodes written" in done.stdout
    assert CliRunner().invoke(main, arguments).exit_code == 2
    with pytest.raises(BadInput, match="something already"):
        export_environment(dataset, "inspect", out=tmp_path / "env")


def test_an_environment_in_which_nothing_is_earned_is_refused(tmp_path: Path) -> None:
    """A response that only a judge can measure earns nothing, so nothing could be learnt."""
    callwright.synthesize("tooldial", callwright.read_catalog("builtin/enterprise"), n=3, seed=3, out=tmp_path / "ds")
    with pytest.raises(BadInput, match="the right replies earn nothing"):
        export_environment(tmp_path / "ds", "trl-grpo", out=tmp_path / "env", protocol="tooldial", task="faithfulness")
    assert not (tmp_path / "env").exists()
