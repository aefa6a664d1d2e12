"""Sessions made here, written as WildToolBench publishes them and read again."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

import callwright
from callwright.cli import main
from callwright.errors import BadDocument
from callwright.papers.wild.published_layout import read
from callwright.papers.wild.published_records import to_record
from callwright.papers.wild.session_design import hidings_of
from callwright.records.dialogue import Dialogue
from wild_workshop import EXTRAS, make, workshop

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "wild" / "tools_en.jsonl"


def told(dialogue: Dialogue) -> list[object]:
    """What both ways of writing a session hold."""
    turns = [(dialogue.role(one), one.text, [step.calls for step in one.steps]) for one in dialogue.turns]
    tasks = [
        (one.kind, one.turn, [(gold.tool, gold.values, gold.after, gold.result) for gold in one.gold])
        for one in dialogue.tasks
    ]
    return [turns, tasks, hidings_of(dialogue), dialogue.today, [shown.name for shown in dialogue.tools]]


def test_sessions_come_back() -> None:
    """Turns, calls, gold calls with dependencies and results, kinds and hiding; 12 sessions of all kinds."""
    made = [one.dialogue for one in map(make, range(12)) if not one.issues]
    assert {task.kind for one in made for task in one.tasks} == {"single", "multi", "clarify", "chat"}
    for dialogue in made:
        _, (again,) = read(to_record(dialogue, workshop().catalog.by_key), source="r")
        assert told(again) == told(dialogue)


def test_what_the_layout_cannot_hold_is_refused() -> None:
    """Extras, and dialogues of other recipes."""
    dialogue = make(0).dialogue
    other = msgspec.structs.replace(dialogue, annotation=None)
    with pytest.raises(BadDocument, match="Only sessions of wild"):
        to_record(other, workshop().catalog.by_key)
    mined = (make(index, **EXTRAS).dialogue for index in range(12))
    extra = next(one for one in mined if one.annotation.mines)  # type: ignore[union-attr]
    with pytest.raises(BadDocument, match="extras"):
        to_record(extra, workshop(**EXTRAS).catalog.by_key)


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published tool lists are not here")
def test_the_commands_round_trip_over_the_published_tools(tmp_path: Path) -> None:
    """Made over the paper's lists, exported, and read again."""
    lists = tmp_path / "tools.jsonl"
    lists.write_text("".join(f"{line}\n" for line in PUBLISHED.read_text().splitlines()[:24]))
    callwright.synthesize("wild", str(lists), n=4, seed=3, out=tmp_path / "ds")
    ran = CliRunner().invoke(
        main, ["export", str(tmp_path / "ds"), "--format", "wild", "-o", str(tmp_path / "out.jsonl")]
    )
    assert ran.exit_code == 0, ran.output
    records = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert len(records) == len(callwright.open_dataset(tmp_path / "ds").dialogues)
    ran = CliRunner().invoke(main, ["read", "wild", str(tmp_path / "out.jsonl"), "-o", str(tmp_path / "again")])
    assert ran.exit_code == 0, ran.output
    made = {one.id: told(one) for one in callwright.open_dataset(tmp_path / "ds").dialogues}
    assert {one.id: told(one) for one in callwright.open_dataset(tmp_path / "again").dialogues} == made
