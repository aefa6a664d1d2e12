"""`tests/long/user_guard.py`: what counts as found and refused, and what the judge is sent of a scene."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "long"))

# found through the line above
from user_guard import CLEAN, counts_of, judged, line_of, main, nested, placed

from callwright.errors import BadRecord

SCENE: dict[str, Any] = {
    "id": "a1",
    "catalog": "enterprise",
    "tool": "refund_item",
    "rivals": ["refund_order", "replace_item"],
    "goal": "get the money back for one damaged item of an order",
    "values": {"order_id": "88213", "item": "work boots", "reason": "damaged"},
    "said": ["order_id"],
    "settled": True,
    "talk": [
        {"who": "user", "text": "I want my money back for one thing of an order."},
        {"who": "assistant", "text": "Which order?"},
        {"who": "user", "text": "88213."},
        {"who": "assistant", "text": "And which item, and why?"},
    ],
    "reply": "The work boots, they came damaged.",
    "label": CLEAN,
    "half": "even",
}
LEFT = SCENE | {"id": "a2", "reply": "Forget it, goodbye.", "label": "left_early", "half": "odd"}
LEAKED = SCENE | {"id": "a3", "reply": "The item for refund_item is work boots.", "label": "tool_leak"}


def answer(fault: str, quote: str) -> dict[str, Any]:
    """The reply of somebody who plays the judge."""
    return {"reply": {"reason": "Because.", "fault": fault, "quote": quote}}


def test_rules_alone_find_and_refuse() -> None:
    """A fault counts as found whatever its name; a clean message with a finding is refused."""
    scenes = [placed(one) for one in (SCENE, LEFT, LEAKED)]
    counts = counts_of((one.scene, one.found) for one in scenes)
    assert counts.of == {CLEAN: 1, "left_early": 1, "tool_leak": 1}
    assert (counts.refused["left_early"], counts.refused["tool_leak"], counts.refused[CLEAN]) == (1, 1, 0)
    assert next(counts.lines()).split()[2:5] == ["2", "of", "2"]


def test_the_judge_is_sent_the_scene_and_not_its_label() -> None:
    """With the values said, the phase and the rules' remarks."""
    line = line_of(placed(LEFT))
    assert line["id"] == "a2"
    assert '"88213" (order number, such as 88213) [said before]' in line["user"]
    assert '"work boots" (item from the order) [not said yet]' in line["user"]
    assert "have made clear which tool is meant" in line["user"]
    assert "- left_early: " in line["user"]
    assert {*line} == {"id", "system", "user", "schema"}


def test_answers_decide_but_for_what_is_certain() -> None:
    """A verdict without a quotation of the message is none."""
    left = placed(LEFT)
    assert judged(left, answer("none", "")) == ()
    assert [fault.by for fault in judged(left, answer("left_early", "Forget it"))] == ["judge"]
    assert [fault.by for fault in judged(placed(LEAKED), answer("none", ""))] == ["rules"]
    for reply in (answer("denial", "I never said so"), "It is fine.", f"So: {json.dumps(answer('none', ''))}"):
        with pytest.raises(BadRecord):
            judged(left, reply)


def test_values_by_path_are_those_of_an_argument() -> None:
    """Of properties and of items; a parameter that the tool does not have is named."""
    values = {"rate.value": 3, "rate.currency": "NZD", "lines.0.note": "x", "name": "y"}
    assert nested(values) == {"rate": {"value": 3, "currency": "NZD"}, "lines": [{"note": "x"}], "name": "y"}
    with pytest.raises(ValueError, match="has no parameter lines"):
        placed(SCENE | {"values": values})


def test_both_commands_run_over_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is certain is not sent; what was not answered is named."""
    scenes, requests, answers = (tmp_path / name for name in ("s.jsonl", "r.jsonl", "a.jsonl"))
    scenes.write_text("".join(f"{json.dumps(one)}\n" for one in (SCENE, LEFT, LEAKED)))
    monkeypatch.setattr(sys, "argv", ["user_guard.py", "requests", str(scenes), "-o", str(requests)])
    main()
    assert [json.loads(line)["id"] for line in requests.read_text().splitlines()] == ["a1", "a2"]
    answers.write_text(json.dumps({"id": "a1", "answer": answer("none", "")}))
    monkeypatch.setattr(sys, "argv", ["user_guard.py", "count", str(scenes), "--answers", str(answers)])
    main()
    shown = capsys.readouterr().out
    assert "a2: no answer" in shown
    assert "faults found          1 of    1" in shown
