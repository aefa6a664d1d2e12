"""The statistics of a dataset."""

from __future__ import annotations

from callwright.measure.shape import Shape, shape
from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import Dialogue, Participant, Provenance, ShownTool, Turn
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

FREE = Tool(name="ping")
BOUND = Tool(name="book", parameters=encode({"properties": {"n": {}, "at": {}}, "required": ["n"]}))
TOOLS = {tool.key: tool for tool in (FREE, BOUND)}


def dialogue(exchanges: int, notes: DiaforgeNotes) -> Dialogue:
    """Return a dialogue of so many exchanges."""
    return Dialogue(
        id=f"{exchanges}",
        recipe="diaforge.v1",
        participants=(Participant("u", "user"), Participant("a", "assistant")),
        turns=(Turn("u", "Hi."), Turn("a", "Yes?")) * exchanges,
        tools=tuple(ShownTool(tool.key, tool.name) for tool in (FREE, BOUND)),
        provenance=Provenance(author="offline", callwright="0.1.0"),
        annotation=notes,
    )


def test_statistics_of_two_dialogues_and_one_without_a_fitting_tool() -> None:
    """Counts and means are over dialogues with a fitting tool; the other counts among exchanges only."""
    found = shape(
        [
            dialogue(2, DiaforgeNotes(gold_tool="book", distractors=("ping",), near_duplicates=1, overlap=0.6,
                                      selection_turns=1, filling_turns=1)),
            dialogue(3, DiaforgeNotes(gold_tool="ping", overlap=0.2, selection_turns=2)),
            dialogue(2, DiaforgeNotes(gold_tool="gone", tool_fits=False, selection_turns=9)),
        ],
        TOOLS,
    )  # fmt: skip

    assert found == Shape(
        dialogues=3,
        exchanges={2: 2, 3: 1},
        parameters={0: 1, 2: 1},
        selection_turns={1: 1, 2: 1},
        filling_turns={0: 1, 1: 1},
        distractors=0.5,
        overlap=0.4,
        near_duplicate_share=0.5,
        required_share=0.5,
        no_tool=1,
    )


def test_an_empty_dataset_has_no_means() -> None:
    """Nothing to count is None, not zero."""
    found = shape([], {})

    assert (found.dialogues, found.distractors, found.overlap, found.required_share) == (0, None, None, None)
