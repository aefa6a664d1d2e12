"""The shape of `diaforge` dialogues, as numbers and as the table of a card."""

from __future__ import annotations

import msgspec

from callwright.papers.diaforge.diaforge_options import DiaforgeOptions
from callwright.papers.diaforge.diaforge_shape import ShapeValues, diaforge_statistics, shape_values
from callwright.records.annotations.diaforge_notes import DiaforgeNotes, Disclosure
from callwright.records.dialogue import Dialogue, Participant, Provenance, ShownTool, Turn
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from diaforge_builders import kept
from made_dialogues import made

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


DIALOGUES = [
    dialogue(2, DiaforgeNotes(gold_tool="book", distractors=("ping",), near_duplicates=1, overlap=0.6,
                              selection_turns=1, filling_turns=1)),
    dialogue(3, DiaforgeNotes(gold_tool="ping", overlap=0.2, selection_turns=2)),
    dialogue(2, DiaforgeNotes(gold_tool="gone", tool_fits=False, selection_turns=9)),
]  # fmt: skip


def test_a_dialogue_without_a_fitting_tool_counts_in_exchanges_only() -> None:
    """All other numbers are of dialogues with a fitting tool."""
    assert shape_values(DIALOGUES, TOOLS) == ShapeValues(
        exchanges=[2, 3, 2],
        parameters=[2, 0],
        selection_turns=[1, 2],
        filling_turns=[1, 0],
        distractors=[1, 0],
        overlap=[0.6, 0.2],
        near_duplicate_share=[True, False],
        required_share=[True, False],
        plain_share=[],
        no_tool_share=[False, False, True],
    )


def test_the_card_has_spreads_and_means() -> None:
    """Dialogues may come from a generator: they are read once."""
    rows = dict(diaforge_statistics(iter(DIALOGUES), TOOLS).rows)

    assert rows == {
        "exchanges per dialogue": "2 × 2, 3 × 1",
        "parameters of the gold tool": "0 × 1, 2 × 1",
        "assistant turns to choose the tool": "1 × 1, 2 × 1",
        "assistant turns to ask for values": "0 × 1, 1 × 1",
        "distractors in the candidate pool, mean": "0.50",
        "similarity of the gold tool to the rest of the pool, mean": "0.40",
        "dialogues with a near-duplicate in the pool": "50.0%",
        "dialogues whose gold tool has required parameters": "50.0%",
        "dialogues that open in the gold tool's own words": "-",
        "dialogues in which no tool fits": "1",
    }


def test_an_empty_dataset_has_no_means() -> None:
    """Nothing to count is a dash, not zero."""
    rows = dict(diaforge_statistics([], {}).rows)

    assert {value for name, value in rows.items() if name != "dialogues in which no tool fits"} == {"-"}


def test_plain_openings_are_those_planned_without_a_vague_request() -> None:
    """The ablation without distractors plans only such openings."""
    vague, plain = made(12), kept(12, DiaforgeOptions(no_distractors=True))

    assert shape_values(plain, {}).plain_share == [True] * len(plain)
    assert shape_values(vague, {}).plain_share.count(False) > len(vague) / 2


def test_unverified_values_and_remarks_are_counted_where_there_are_any() -> None:
    """Only models that play the roles leave them."""
    notes = DiaforgeNotes(
        gold_tool="a",
        unverified=("day", "people"),
        disclosed=(Disclosure(2, "room", "there"),),
        remarks=("turns[1].text: turn_repeated: again",),
    )
    odd = msgspec.structs.replace(DIALOGUES[0], annotation=notes)
    rows = dict(diaforge_statistics([odd, *DIALOGUES], TOOLS).rows)
    assert rows["values called rightly that nobody finds in the user's words"] == "2"
    assert rows["values that rules do not find in the user's words and a checker quotes"] == "1"
    assert rows["dialogues with remarks of rules"] == "1"
    assert "dialogues with remarks of rules" not in dict(diaforge_statistics(DIALOGUES, TOOLS).rows)
