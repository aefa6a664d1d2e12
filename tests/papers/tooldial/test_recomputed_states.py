"""States computed again from the turns."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from cinema_corpus import SEQUENCES, corpus_of

from callwright.papers.tooldial.prediction_points import notes_of
from callwright.papers.tooldial.recomputed_states import recomputed_states, state_issues
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.annotations.tooldial_notes import ToolDialNotes
from callwright.records.dialogue import Call, Dialogue, Result, Step, Turn
from callwright.records.dialogue_state import ApiState, ParameterValue
from callwright.records.jsontext import decode, encode
from callwright.records.tool import Tool

CORPUS = corpus_of()


def tools_of(dialogue: Dialogue) -> dict[str, Tool]:
    return {tool.name: tool for tool in shown_tools(dialogue, CORPUS.catalog.by_key)}


@pytest.mark.parametrize("at", range(len(SEQUENCES)))
def test_states_of_every_sequence(at: int) -> None:
    """The recomputed states are the annotated ones, whatever the act sequence."""
    dialogue = CORPUS.dialogues[at]

    assert len(recomputed_states(dialogue, tools_of(dialogue))) == len(dialogue.turns)
    assert list(state_issues(dialogue, tools_of(dialogue))) == []


def test_notes_are_not_read() -> None:
    """States come from the turns alone."""
    dialogue = CORPUS.dialogues[3]
    bare = msgspec.structs.replace(dialogue, annotation=None, tasks=())

    assert recomputed_states(bare, tools_of(dialogue)) == recomputed_states(dialogue, tools_of(dialogue))


def test_each_planted_fault_is_found() -> None:
    """A changed value, a forgotten one, another API and a missing slot are found at their turn, in every dialogue."""
    planted = found = 0
    for dialogue in CORPUS.dialogues:
        notes = notes_of(dialogue)
        for at, turn in enumerate(notes.turns):
            state = turn.state
            if state is None:
                continue
            first = ParameterValue("cinema_id", encode("K4"))
            faults = [
                ApiState(api="Other", required=state.required, optional=state.optional),
                msgspec.structs.replace(state, required=(*state.required[1:], first)),
                msgspec.structs.replace(state, optional=(first, *state.optional)),
            ]
            for fault in faults:
                turns = (*notes.turns[:at], msgspec.structs.replace(turn, state=fault), *notes.turns[at + 1 :])
                broken = msgspec.structs.replace(dialogue, annotation=ToolDialNotes(turns=turns))
                issues = list(state_issues(broken, tools_of(dialogue)))
                planted += 1
                found += [issue.where for issue in issues] == [f"turns[{at}]"]
                assert issues[0].message.startswith(f"annotated {fault.api} {{" if fault.api else "annotated no API")
    assert planted > 300
    assert found == planted


def test_a_value_that_is_also_in_a_result_is_the_users() -> None:
    """What the user says is known from then on, though the result of the call before happens to have it too."""
    dialogue = next(
        one
        for one, acts in zip(CORPUS.dialogues, SEQUENCES, strict=True)
        if "request_multi" not in acts and acts.count("request") == 3
    )
    rows = encode({"cinemas": [{"id": "K9", "next_day": "2025-05-03"}]})
    turns = tuple(
        msgspec.structs.replace(
            turn,
            steps=tuple(
                msgspec.structs.replace(step, results=(Result(value=rows),)) if "cinemas" in str(step.results) else step
                for step in turn.steps
            ),
        )
        for turn in dialogue.turns
    )
    changed = msgspec.structs.replace(dialogue, turns=turns)

    assert changed != dialogue
    assert list(state_issues(changed, tools_of(dialogue))) == []


def test_a_value_that_two_tools_share_is_told_once() -> None:
    """Source and target both take a date: told for the source, it is known for the target; another value is not."""

    def states(day: str, *, shared: bool = True) -> list[dict[str, Any]]:
        arguments = {"city": "Ghent", "date": "2025-05-03"} if shared else {"city": "Ghent"}
        source = Step(act="call", calls=(Call("ListCinemas", encode(arguments)),),
                      results=(Result(value=encode({"rows": [{"id": "K9"}, {"id": "K4"}]})),))  # fmt: skip
        target = Step(act="call", calls=(Call("Showings", encode({"cinema_id": "K9", "date": day})),))
        said = [("What is on?", "inform_intent_clear"), ("No idea.", "fail_inform"),
                ("In Ghent, on 2025-05-03.", "inform"), (f"The Lux, {day}.", "inform")]  # fmt: skip
        done = [("retriever_call", "request"), ("retriever_call", "request"), (source, "request_multi"),
                (target, "response")]  # fmt: skip
        turns = [
            turn
            for (text, act), steps in zip(said, done, strict=True)
            for turn in (
                Turn("user", text, (Step(act=act),)),
                Turn(
                    "assistant",
                    "Is it 2025-05-03?",
                    tuple(one if isinstance(one, Step) else Step(act=one) for one in steps),
                ),
            )
        ]
        names = {"ListCinemas": tuple(arguments), "Showings": ("cinema_id", "date")}
        tools = {
            name: Tool(name=name, parameters=encode({"type": "object", "properties": {key: {} for key in own},
                                                     "required": list(own)}))
            for name, own in names.items()
        }  # fmt: skip
        dialogue = msgspec.structs.replace(CORPUS.dialogues[0], turns=tuple(turns), annotation=None)
        found = recomputed_states(dialogue, tools)
        return [{one.name: decode(one.value) for one in state.required} for state in found[1::2]]

    empty = {"cinema_id": "", "date": ""}
    assert states("2025-05-03") == [
        *(empty, {"city": "", "date": ""}, {"cinema_id": "", "date": "2025-05-03"}),
        {"cinema_id": "K9", "date": "2025-05-03"},
    ]
    assert states("2025-05-04")[2] == empty
    assert states("2025-05-03", shared=False)[1:3] == [{"city": ""}, empty]  # said by the way, not asked for
