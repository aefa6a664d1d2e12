"""Sessions that a catalogue cannot give: rejected, each with its reason, so that the command comes to an end."""

from __future__ import annotations

import json
from pathlib import Path

import callwright
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool

LAMP = Tool(
    name="switch_lamp",
    description="Switch a lamp on.",
    parameters=encode({"type": "object", "properties": {"room": {"type": "string", "description": "The room."}}}),
)


def test_what_no_list_can_give_is_rejected(tmp_path: Path) -> None:
    """Nothing failed, every planned session is counted, and what is kept of it names itself and its maker."""
    made = callwright.synthesize("wild", Catalog(tools=(LAMP,)), n=8, seed=7, out=tmp_path / "ds")
    assert made.failed == {}
    assert made.rejected["no_plan"] > 0
    assert made.planned == made.kept + sum(made.rejected.values())
    lines = [json.loads(line) for line in (tmp_path / "ds" / "rejected.jsonl").read_text().splitlines()]
    unplanned = [line for line in lines if line["issues"][0]["code"] == "no_plan"]
    assert len(unplanned) == made.rejected["no_plan"]
    for line in unplanned:
        dialogue = line["dialogue"]
        assert (dialogue["turns"], dialogue["recipe"], len(dialogue["id"])) == ([], "wild.v1", 16)
        assert [one["role"] for one in dialogue["participants"]] == ["user", "assistant"]
        assert (dialogue["provenance"]["author"], dialogue["provenance"]["seed"]) == ("offline", 7)
        assert "Give more tools" in line["issues"][0]["message"]


def test_the_same_command_gives_the_same_again(tmp_path: Path) -> None:
    """Sessions without a plan are not tried again."""
    first, again = (
        callwright.synthesize("wild", Catalog(tools=(LAMP,)), n=4, seed=7, out=tmp_path / "ds") for _ in range(2)
    )
    assert first == again
