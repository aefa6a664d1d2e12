"""Requests: flat settings become one struct, or one clear error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import callwright
from callwright.app.requests import EvaluationRequest, JudgingRequest, SynthesisRequest, read_request, with_progress
from callwright.engine.budget import Budget
from callwright.engine.progress import Progress
from callwright.errors import BadInput, BadOption
from callwright.models.decoding import Decoding
from callwright.models.prices import read_prices

SYNTHESIS: dict[str, Any] = {"recipe": "diaforge", "catalog": "builtin/enterprise", "n": 3, "out": "ds"}
EVALUATION: dict[str, Any] = {"dataset": "ds", "protocol": "dynamic", "model": "builtin/eager", "out": "run"}
JUDGING: dict[str, Any] = {"data": "ds", "judges": "openai/a"}


def test_settings_go_into_the_struct_that_has_them() -> None:
    """What says how models are asked, how the run is worked through, and what the recipe makes of it lie apart."""
    decoding, budget = Decoding(temperature=0.5), Budget(tokens=9)
    request = read_request(
        SynthesisRequest, **SYNTHESIS, seed=7, decoding=decoding, budget=budget, concurrency=2, distractors=3
    )

    assert (request.n, request.seed) == (3, 7)
    assert (request.asking.decoding, request.asking.base_url) == (decoding, None)
    assert (request.execution.budget, request.execution.concurrency) == (budget, 2)
    assert request.options == {"distractors": 3}


def test_a_live_user_has_its_models_apart() -> None:
    """The roles of an evaluation's live user, with their numbers and prompts."""
    request = read_request(EvaluationRequest, **EVALUATION, user="openai/u", samples=4, t_max=3)

    assert (request.live.user, request.live.voter, request.live.samples) == ("openai/u", None, 4)
    assert request.options == {"t_max": 3}


def test_prices_may_be_a_file(tmp_path: Path) -> None:
    """It is read before anything is done; one that is absent is told."""
    (tmp_path / "prices.json").write_text('{"models": {"openai/a": {"input": 1, "output": 2}}}')
    request = read_request(JudgingRequest, **JUDGING, prices=tmp_path / "prices.json")

    assert request.execution.prices == read_prices(tmp_path / "prices.json")
    with pytest.raises(BadInput, match=r"absent\.json"):
        read_request(JudgingRequest, **JUDGING, prices=tmp_path / "absent.json")


def test_equal_settings_are_equal_requests() -> None:
    """Requests are data: compared by value, and changed only into another one."""
    one, other = read_request(JudgingRequest, **JUDGING), read_request(JudgingRequest, **JUDGING)
    told: list[Progress] = []

    assert one == other
    assert with_progress(one, told.append).execution.progress == told.append
    assert one.execution.progress is None


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        (SynthesisRequest, SYNTHESIS | {"n": "3"}, "n is of type str; give int"),
        (SynthesisRequest, SYNTHESIS | {"workers": True}, "workers is of type bool; give int"),
        (SynthesisRequest, SYNTHESIS | {"out": None}, "out is of type NoneType; give str or Path"),
        (SynthesisRequest, SYNTHESIS | {"budget": 5}, "budget is of type int; give Budget or None"),
        (SynthesisRequest, SYNTHESIS | {"progress": "yes"}, "progress is of type str; give a function or None"),
        (SynthesisRequest, {"recipe": "diaforge"}, "catalog is not given"),
        (
            EvaluationRequest,
            EVALUATION | {"calling": "loud"},
            "give 'native' or 'prompted' or 'schema' or 'object' or None",
        ),
        (JudgingRequest, JUDGING | {"judges": [1]}, "judges is of type list; give str or a list of str"),
        (JudgingRequest, JUDGING | {"prompts": "folder"}, "no setting is called 'prompts'. Known: data, judges"),
    ],
)
def test_a_wrong_setting_is_told(kind: type[SynthesisRequest], settings: dict[str, Any], message: str) -> None:
    """An unknown, absent or ill-typed setting is one error that names it and says what to give."""
    with pytest.raises(BadOption, match=message.replace(".", r"\.")):
        read_request(kind, **settings)


def test_an_unknown_keyword_is_an_option_of_the_recipe_or_protocol(tmp_path: Path) -> None:
    """The functions of the package answer it with the options there are, and write nothing."""
    with pytest.raises(BadOption, match=r"no option is called 'distracters'\. Options of diaforge: distractors"):
        callwright.synthesize("diaforge", "builtin/enterprise", n=1, out=tmp_path / "ds", distracters=3)
    assert not list(tmp_path.iterdir())
