"""Rows mean to their trainers what the samples mean: read back by the trainers' own rules, they are the same."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from trainer_readers import RowRead, TurnRead, read_axolotl, read_llama_factory, read_swift
from training_talks import STOCK, talk

from callwright.records.dialogue import Call, Dialogue, Participant, Result, ShownTool, Step, Turn
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool
from callwright.train.trainer_layouts import LAYOUTS, spoken
from callwright.train.training_sample import TrainingSample, samples_of

TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).filter(str.strip)
WORDS = st.one_of(TEXT, st.sampled_from(['{"name": "f", "arguments": {}}', "<tool_call>", "a\nb", "<think>", "null"]))
VALUE: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
MARK = Tool(
    name="mark",
    description="Marks a part.",
    parameters=encode(
        {
            "type": "object",
            "properties": {
                "kind": {"enum": [None, "a", 1], "default": None},
                "part": {"type": "string", "description": "its “number”\n"},
            },
        }
    ),
)
SHOWN = {tool.key: tool for tool in (MARK, STOCK)}


@st.composite
def steps(draw: st.DrawFn) -> Step:
    calls = tuple(
        Call(draw(st.sampled_from(["mark", "read_stock"])), encode(draw(st.dictionaries(TEXT, VALUE, max_size=3))))
        for _ in range(draw(st.integers(0, 2)))
    )
    has_results = draw(st.integers(0, 4)) > 0
    results = tuple(Result(value=encode(draw(VALUE))) for _ in calls) if has_results else ()
    return Step(text=draw(st.just("") | WORDS), thought=draw(st.just("") | TEXT), calls=calls, results=results)


@st.composite
def turns(draw: st.DrawFn) -> tuple[Turn, ...]:
    """Turns of two people, of the assistant and of the system, in any order, silent ones too; one says something."""
    made = []
    for who in draw(st.lists(st.sampled_from(["u", "v", "a", "a", "s"]), min_size=1, max_size=6)):
        if who == "a":
            made.append(Turn(who, draw(st.just("") | WORDS), tuple(draw(st.lists(steps(), max_size=3)))))
        else:
            made.append(Turn(who, draw(WORDS)))
    made.insert(draw(st.integers(0, len(made))), Turn("a", draw(WORDS)))
    return tuple(made)


def dialogue_of(turns: tuple[Turn, ...]) -> Dialogue:
    people = (
        Participant("u", "user"),
        Participant("v", "user"),
        Participant("a", "assistant"),
        Participant("s", "system"),
    )
    shown = tuple(ShownTool(tool.key, tool.name) for tool in SHOWN.values())
    return replace(talk(), participants=people, turns=turns, tools=shown)


CUT = st.builds(
    lambda turns, slices, thoughts: samples_of(dialogue_of(turns), SHOWN, slices=slices, thoughts=thoughts),
    turns(),
    st.sampled_from(["turn", "dialogue"]),
    st.booleans(),
)


# -- what the sample means -------------------------------------------------------------------------------------------


def meaning(sample: TrainingSample) -> RowRead:
    """The sample without any layout, the words of the system together at its start."""
    system = "\n\n".join(one.content for one in sample.messages if one.role == "system")
    turns = tuple(
        TurnRead(one.role, spoken(one), tuple((call.tool, call.values) for call in one.calls), one.trained)
        for one in sample.messages
        if one.role != "system"
    )
    return RowRead(system, turns, [dict(tool) for tool in sample.tools])


def people_together(turns: tuple[TurnRead, ...]) -> list[TurnRead]:
    """Words of people one after another as one turn, a line each."""
    made: list[TurnRead] = []
    for side, run in groupby(turns, key=lambda turn: turn.side):
        if side == "user":
            made.append(TurnRead("user", "\n".join(turn.words for turn in run)))
        else:
            made += run
    return made


def replies(turns: tuple[TurnRead, ...] | list[TurnRead]) -> list[TurnRead]:
    """What the assistant says or calls; an empty turn says nothing."""
    return [turn for turn in turns if turn.side == "assistant" and (turn.words or turn.calls)]


# -- axolotl ---------------------------------------------------------------------------------------------------------


@given(CUT)
def test_axolotl_reads_what_was_meant(cut: tuple[TrainingSample, ...]) -> None:
    """Messages, calls, tools and trained turns, all of them."""
    assert [read_axolotl(LAYOUTS["axolotl"].write(one)) for one in cut] == [meaning(one) for one in cut]


# -- ms-swift --------------------------------------------------------------------------------------------------------


def split(turns: list[TurnRead]) -> list[TurnRead]:
    """Words and calls of one reply apart, as the rows have them."""
    parts: list[TurnRead] = []
    for turn in turns:
        if turn.words or not turn.calls:
            parts.append(turn._replace(calls=()))
        if turn.calls:
            parts.append(turn._replace(words=""))
    return parts


@given(CUT)
def test_swift_reads_what_was_meant(cut: tuple[TrainingSample, ...]) -> None:
    """All but that words and calls of a reply are apart and people who speak one after another have a line each."""
    assert len(cut) >= 1
    for sample in cut:
        wanted, found = meaning(sample), read_swift(LAYOUTS["ms-swift"].write(sample))
        assert (found.system, found.tools) == (wanted.system, wanted.tools)
        assert [turn for turn in found.turns if turn.side != "assistant" and turn.words] == [
            turn for turn in people_together(wanted.turns) if turn.side != "assistant" and turn.words
        ]
        assert replies(found.turns) == split(replies(wanted.turns))


# -- LLaMA-Factory ---------------------------------------------------------------------------------------------------


@given(CUT)
def test_llama_factory_reads_what_was_meant(cut: tuple[TrainingSample, ...]) -> None:
    """No row is dropped; all but words and thoughts beside calls, which the layout has no place for, is there."""
    assert len(cut) >= 1
    for sample in cut:
        wanted, row = meaning(sample), LAYOUTS["sharegpt"].write(sample)
        found = read_llama_factory(row, mask_history=not sample.whole)
        assert (found.system, found.tools) == (wanted.system, wanted.tools)
        assert lines(replies(found.turns)) == lines(
            [turn._replace(words="") if turn.calls else turn for turn in replies(wanted.turns)]
        )
        losses = " ".join(LAYOUTS["sharegpt"].losses(sample))
        assert ("" in [turn.words for turn in found.turns if turn.side != "assistant"]) == ("an empty turn" in losses)
        heard = [turn.words for turn in found.turns if turn.side != "assistant"]
        said = [turn.words for turn in wanted.turns if turn.side != "assistant"]
        assert "\n".join(filter(None, heard)) == "\n".join(filter(None, said))
        assert [turn.trained for turn in found.turns if turn.side == "assistant"][-1]


def lines(turns: list[TurnRead]) -> list[tuple[Any, bool]]:
    """Calls, and the lines of words between them; each with whether it is trained."""
    made: list[tuple[Any, bool]] = []
    for turn in turns:
        parts: list[Any] = [turn.calls] if turn.calls else turn.words.split("\n")
        made += ((part, turn.trained) for part in parts)
    return made
