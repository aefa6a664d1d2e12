"""The protocol `fnctod`: what is asked, and what becomes of replies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from state_corpora import THREE, corpus, document, hotel

import callwright
from callwright.app.corpora import write_corpus
from callwright.cli import main
from callwright.errors import BadInput
from callwright.models.chat import ChatRequest
from callwright.papers.fnctod.call_tokens import read_tokens
from callwright.papers.fnctod.fnctod_options import FnctodOptions
from callwright.papers.fnctod.fnctod_protocol import PROTOCOL, rollout
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.dialogue import Call, Dialogue
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from callwright.records.transcript import Transcript


class Script:
    """A context whose model gives these replies, one after the other, and remembers what it was asked."""

    trial = 0

    def __init__(self, *replies: Any) -> None:
        self.models = {"model": self}
        self.name = "script"
        self.asked: list[tuple[str, ChatRequest]] = []
        self._replies = list(replies)
        self._place = ""

    def at(self, place: str) -> Script:
        self._place = place
        return self

    async def ask(self, role: str, request: ChatRequest) -> Any:
        self.asked.append((self._place, request))
        return self._replies[len(self.asked) - 1]


def reply(*calls: Call, content: str = "") -> Any:
    from callwright.models.chat import ChatReply

    return ChatReply(content=content, calls=calls)


def given(folder: Path, one: dict[str, Any] = THREE) -> tuple[Dialogue, tuple[Tool, ...]]:
    found = corpus(folder, one)
    return found.dialogues[0], shown_tools(found.dialogues[0], found.catalog.by_key)


def play(script: Script, folder: Path, one: dict[str, Any] = THREE, **options: Any) -> Transcript:
    import asyncio

    dialogue, tools = given(folder, one)
    ctx: Any = script
    return asyncio.run(rollout(dialogue, tools, ctx, FnctodOptions(**options), shown=tools))


CHOOSE = reply(Call("find_book_hotel", "{}"))
FILL = reply(Call("find_book_hotel", encode({"area": "east"})))
ONE = document({"hotel": hotel({"area": "east"})})
TWO = document(*[{"hotel": hotel({"area": "east"})}] * 2)


def test_two_steps_choose_by_description_and_fill_one_document(tmp_path: Path) -> None:
    script = Script(CHOOSE, FILL)
    found = play(script, tmp_path, ONE)
    (_, choose), (place, fill) = script.asked
    assert [tool.properties for tool in choose.tools] == [{}] * 7
    assert [tool.name for tool in fill.tools] == ["find_book_hotel"]
    assert fill.tools[0].properties
    assert place == "fill/0/find_book_hotel"
    assert [step.act for step in found.turns[1].steps] == ["chosen", ""]
    assert found.turns[1].text == "system says 0"


def test_one_step_asks_once(tmp_path: Path) -> None:
    script = Script(FILL)
    play(script, tmp_path, ONE, one_step=True)
    assert len(script.asked[0][1].tools) == 7
    assert all(tool.properties for tool in script.asked[0][1].tools)


@pytest.mark.parametrize("hidden", [False, True])
def test_calls_stay_in_the_history_unless_they_are_left_out(tmp_path: Path, hidden: bool) -> None:
    script = Script(FILL, reply(content="nothing new"))
    play(script, tmp_path, TWO, one_step=True, no_calls_in_history=hidden)
    roles = [message.role for message in script.asked[1][1].messages]
    with_calls = ["system", "user", "assistant", "tool", "assistant", "user"]
    assert roles == (["system", "user", "assistant", "user"] if hidden else with_calls)


@pytest.mark.parametrize(
    ("replies", "is_failed"),
    [
        ((reply(content="no call"),), False),
        ((reply(Call("fly", "{}")),), True),
        ((CHOOSE, reply(content="no")), True),
        ((CHOOSE, FILL), False),
    ],
)
def test_a_turn_without_usable_calls_is_failed(tmp_path: Path, replies: Any, is_failed: bool) -> None:
    found = play(Script(*replies), tmp_path, ONE)
    assert any(step.act == "failed" for step in found.turns[1].steps) == is_failed
    assert bool(found.format_errors) == is_failed


SAID = '<function_call> {"function":"find_book_hotel","arguments":{"area":"east"}} </function_call>'


@pytest.mark.parametrize(
    ("spec", "line"), [("text", "- area (string): area or place of the hotel"), ("json", '"name":"find_book_hotel"')]
)
def test_calls_in_words_stand_between_tokens(tmp_path: Path, spec: str, line: str) -> None:
    script = Script(
        reply(content="<domain> find_book_hotel </domain>"),
        reply(content=f"{SAID} Sure."),
        reply(content="<domain>none</domain>"),
    )
    found = play(script, tmp_path, TWO, spec=spec)
    (_, choose), (_, fill), (_, later) = script.asked
    assert choose.tools == fill.tools == ()
    assert line in fill.messages[0].content
    assert [call.values for call in found.turns[1].calls] == [{}, {"area": "east"}]
    assert found.turns[3].steps == ()
    assert [message.role for message in later.messages] == ["system", "user", "assistant", "user"]
    assert later.messages[2].content == f"{SAID} system says 0"


@pytest.mark.parametrize("replies", [("<domain>fly</domain>",), ("<domain>",), (f"{SAID[:40]}",)])
def test_tokens_that_hold_nothing_usable_fail_the_turn(tmp_path: Path, replies: tuple[str, ...]) -> None:
    is_one_step = "domain" not in replies[0]
    found = play(Script(*(reply(content=one) for one in replies)), tmp_path, ONE, spec="json", one_step=is_one_step)
    assert [step.act for step in found.turns[1].steps] == ["failed"]


def test_only_dialogues_with_states_can_be_asked(tmp_path: Path) -> None:
    dialogue, tools = given(tmp_path)
    import msgspec

    with pytest.raises(BadInput, match="no belief states"):
        PROTOCOL.check(msgspec.structs.replace(dialogue, annotation=None), tools, FnctodOptions())
    with pytest.raises(BadInput, match="take turns"):
        PROTOCOL.check(msgspec.structs.replace(dialogue, turns=dialogue.turns[1:]), tools, FnctodOptions())
    assert PROTOCOL.most_replies(dialogue, FnctodOptions()) == 9
    assert PROTOCOL.most_replies(dialogue, FnctodOptions(one_step=True)) == 3


def test_the_oracle_reaches_the_ceiling(tmp_path: Path) -> None:
    """In both modes; and the baseline that reads words is between it and nothing."""
    write_corpus(tmp_path / "ds", "multiwoz", corpus(tmp_path, THREE, ONE, TWO))
    runs = []
    for model in ("oracle", "abstain", "stated"):
        runs.append(str(tmp_path / model))
        callwright.evaluate_model(str(tmp_path / "ds"), "fnctod", model=f"builtin/{model}", out=runs[-1])
    rows = callwright.score_runs(runs)
    found = {
        (row.model, row.metric, row.slice.get("mode")): row.value
        for row in rows
        if len(row.slice) == ("mode" in row.slice)
    }
    for mode in ("strict", "fnctod"):
        assert found["builtin/oracle", "jga", mode] == found["builtin/oracle", "ceiling", mode]
        assert found["builtin/abstain", "jga", mode] == found["builtin/abstain", "jga_empty", mode] == 0
    assert found["builtin/oracle", "jga", None] == 1


@pytest.mark.parametrize("spec", ["native", "json", "text"])
@pytest.mark.parametrize("steps", [{}, {"one_step": True}, {"no_calls_in_history": True}])
def test_the_oracle_is_right_in_each_form_of_calls(spec: str, steps: dict[str, Any], tmp_path: Path) -> None:
    """Natively and in words, in two steps and in one, its calls give every state."""
    write_corpus(tmp_path / "ds", "multiwoz", corpus(tmp_path, THREE, ONE, TWO))
    run, options = tmp_path / "run", {"spec": spec, **steps}
    callwright.evaluate_model(tmp_path / "ds", "fnctod", model="builtin/oracle", out=run, **options)
    found = {row.metric: row.value for row in callwright.score_runs([str(run)]) if not row.slice}
    assert (found["jga"], found["failed_turns"]) == (1, 0)


def test_examples_stand_in_the_prompt_that_asks_for_arguments(tmp_path: Path) -> None:
    path = tmp_path / "hand.json"
    path.write_text('[{"function": "find_book_hotel", "said": ["a hotel in the west"], "arguments": {"area": "west"}}]')
    script = Script(CHOOSE, FILL)
    play(script, tmp_path, ONE, shots=1, examples=str(path))
    told = [request.messages[0].content for _, request in script.asked]
    assert "Examples:" not in told[0]
    assert told[1].endswith('Examples:\nUser: a hotel in the west\nCall: find_book_hotel({"area":"west"})')


def test_shots_need_examples(tmp_path: Path) -> None:
    dialogue, tools = given(tmp_path)
    with pytest.raises(BadInput, match="--examples is missing"):
        PROTOCOL.check(dialogue, tools, FnctodOptions(shots=2))


@pytest.mark.parametrize("spec", ["json", "text"])
def test_training_takes_the_calls_alone(tmp_path: Path, spec: str) -> None:
    """A turn with a new state is a sample: all functions in the prompt, and the span of its calls as the target."""
    assert PROTOCOL.trained_requests is not None
    dialogue, tools = given(tmp_path, ONE)
    ((request, target, turn, _),) = PROTOCOL.trained_requests(dialogue, tools, FnctodOptions(spec=spec), "duties")  # type: ignore[arg-type]
    assert read_tokens(target) == (Call("find_book_hotel", encode({"area": "east"})),)
    assert "system says 0" not in target
    assert turn == 0
    assert request.messages[-1].content == dialogue.turns[0].text
    assert sum(tool.name in request.messages[0].content for tool in tools) == len(tools)
    with pytest.raises(BadInput, match="--set spec=json"):
        list(PROTOCOL.trained_requests(dialogue, tools, FnctodOptions(), "duties"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("spec=json", "one_step=maybe"), "one_step: expected `bool`"),
        (("spec=json", "shots=x"), "shots: expected `int`"),
        (("spec=json", "shots=9"), "shots: expected `int` <= 5"),
        (("spec=xml",), "spec: invalid enum value 'xml'"),
        (("size=1",), "size is not an option of fnctod"),
    ],
)
def test_options_of_an_export_are_typed(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    """Numbers and yes or no are read as the option's type; what is none is one error that names the option."""
    write_corpus(tmp_path / "ds", "multiwoz", corpus(tmp_path, THREE))
    example = {"function": "find_book_hotel", "said": ["In the east."], "arguments": {"area": "east"}}
    (tmp_path / "hand.jsonl").write_text(json.dumps(example))
    right = ("spec=json", "shots=1", "one_step=true", f"examples={tmp_path / 'hand.jsonl'}")

    code, _ = exported(tmp_path, "good", *right)

    assert code == 0
    account = json.loads((tmp_path / "good" / "export.json").read_text())
    assert (account["options"]["shots"], account["options"]["one_step"]) == (1, True)
    code, printed = exported(tmp_path, "bad", *options)
    assert (code, said in printed) == (2, True), printed
    assert not (tmp_path / "bad").exists()


def exported(folder: Path, name: str, *options: str) -> tuple[int, str]:
    """Export the calls of a dataset for TRL by the command; return its exit code and what it printed."""
    chosen = [word for one in options for word in ("--set", one)]
    words = ["export", str(folder / "ds"), "--as", "trl", "--protocol", "fnctod", *chosen, "-o", str(folder / name)]
    done = CliRunner().invoke(main, words)
    return done.exit_code, done.output
