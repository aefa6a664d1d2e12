"""A server that goes away amid a run, and every fault alone (`tests/long/soak_served.py` is the long form)."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from callwright.app.evaluation import evaluate_model
from callwright.errors import ModelUnavailable
from served_soak import MEANS, ROLE, Client, Server, ends, once, wait_for_replies
from serving import serving


@pytest.mark.parametrize("fault", MEANS)
def test_each_fault_has_its_class_and_role(made: Path, tmp_path: Path, fault: str) -> None:
    """Or is a reply like any other: what is spoiled in it is the model's answer."""
    with serving(faults=f"{fault}=1") as (url, _), contextlib.suppress(ModelUnavailable):
        evaluate_model(
            made, "static", model="openai/any", base_url=url, out=tmp_path / "run", patience=once(fault), limit=4
        )
    found = ends(tmp_path / "run")
    assert set(found.failed) <= {(MEANS[fault], ROLE)}
    assert (found.ok > 0) == (MEANS[fault] == "")


def test_a_restart_of_the_server_is_survived(made: Path, tmp_path: Path) -> None:
    """Killed amid its replies and begun again a little later: no rollout fails, none is lost."""
    with Server() as server:
        server.begin("--latency-ms", "50")
        client = Client(made, server.url, tmp_path / "run", "--trials", "3", "--concurrency", "8")
        wait_for_replies(server, client, 40)
        server.kill()
        server.begin("--latency-ms", "1")
        result = client.result()
    assert result["failed"] == {}
    assert ends(tmp_path / "run").ok == result["planned"] == result["done"]
    assert result["faults"] != {}
