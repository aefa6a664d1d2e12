"""`tests/long/user_guard.py`: what counts as found and refused, and what the judge is sent of a scene."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "long"))

# found through the line above
from user_guard import CLEAN, counts_of, judged, line_of, main, nested, placed

from callwright.author.online_voice import OnlineVoice
from callwright.engine.context import Context
from callwright.errors import BadRecord
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.diaforge.diaforge_options import DynamicOptions
from callwright.papers.diaforge.dynamic_protocol import rollout
from callwright.papers.diaforge.user_faults import user_faults
from callwright.papers.registry import read_prompts
from callwright.protocol.live_user import LivePlay

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


class _Says:
    """A model that says one line after another."""

    def __init__(self, *lines: str) -> None:
        self.name = "openai/said"
        self.lines = iter(lines)

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        return ChatReply(next(self.lines))


def test_what_the_guard_lets_pass_excludes_no_transcript() -> None:
    """Asking back about another tool is no wish for it, though its words alone would be."""
    scene = placed(SCENE | {"rivals": ["cancel_order", "refund_delivery_fee"], "talk": []}).talk.scene
    opening, back = "It's about an order of mine.", "Do you mean the delivery fee of the order?"
    asks = ["What would you like to do?"] * 2
    models = {"model": _Says(*asks), "user": _Says(opening, back)}
    ctx = Context.detached("a1", models=models, voice=OnlineVoice("user", prompts=read_prompts()))
    options, playing = DynamicOptions(t_max=2), LivePlay(hears=True)
    transcript = asyncio.run(rollout(scene.dialogue, scene.tools, ctx, options, play=playing))
    by_words = user_faults(scene.dialogue, transcript.turns, scene.tools)
    assert [fault.kind for fault in by_words] == ["goal_drift"]
    assert transcript.turns[2].text == back
    assert transcript.faults == ()


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
