"""The seven tool metrics against the formulas of DiaFORGE, appendix C.1, written out over dicts and sets."""

from __future__ import annotations

import json

import msgspec
import pytest
from evaluation_samples import BY_KEY, BY_NAME, call, dialogue, gold, pairs, transcript, transcripts
from hypothesis import given

from callwright.papers.diaforge.tool_metrics import ToolCounts, tool_counts
from callwright.papers.diaforge.tool_scoring import score
from callwright.protocol.scoring import Scoring
from callwright.records.annotations.diaforge_notes import DiaforgeNotes, Disclosure
from callwright.records.dialogue import Call, GoldArgument, GoldCall, Step, Turn
from callwright.records.jsontext import JsonText, encode
from callwright.records.transcript import LiveUser, ToldValue, Transcript


def as_typed(value: object, declared: str | None) -> str:
    """One value in a form in which equal values are equal texts."""
    if declared == "integer" and isinstance(value, str) and value in ("1", "2"):
        value = int(value)
    if declared == "boolean" and value in ("true", "false"):
        value = value == "true"
    if declared == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        value = str(int(value))
    if isinstance(value, float):
        value = int(value)
    return json.dumps(value, sort_keys=True)


def slow_map(text: str) -> dict[str, object] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


TYPES = {"a": "integer", "b": "string", "c": "boolean"}


def slow_is_gold(calls: list[Call], wanted: GoldCall) -> bool:
    if [one.tool for one in calls] != [wanted.tool]:
        return False
    found = slow_map(calls[0].arguments)
    if found is None:
        return False
    accepted = {
        one.name: {as_typed(json.loads(text), TYPES[one.name]) for text in one.accepted} for one in wanted.arguments
    }
    needed = {one.name for one in wanted.arguments if not one.optional}
    if not needed <= set(found) <= set(accepted):
        return False
    return all(as_typed(value, TYPES[name]) in accepted[name] for name, value in found.items())


def slow_metrics(pairs: list[tuple[GoldCall, list[list[Call]]]]) -> dict[str, float | None]:
    """Acc, FTR, TAR, TCP, TCR, PKP, PKR of (gold call, calls of each assistant turn), by their definitions."""
    indicators: dict[str, list[int]] = {"acc": [], "ftr": [], "tar": []}
    tops = {"tcp": 0, "tcr": 0, "pkp": 0, "pkr": 0}
    bottoms = dict(tops)
    for wanted, turns in pairs:
        first = next((list(calls) for calls in turns if calls), [])
        indicators["acc"].append(int(slow_is_gold(first, wanted)))
        indicators["ftr"].append(len([one for one in first if one.tool != wanted.tool]))
        indicators["tar"].append(int(not first))
        called = {one.tool for one in first}
        supplied = set().union(*(set(slow_map(one.arguments) or {}) for one in first))
        aligned = wanted.tool in called
        due = {one.name for one in wanted.arguments if not one.optional or (aligned and one.name in supplied)}
        for name, shared, bottom in (
            ("tcp", called & {wanted.tool}, called),
            ("tcr", called & {wanted.tool}, {wanted.tool}),
            ("pkp", supplied & due, supplied),
            ("pkr", supplied & due, due),
        ):
            tops[name] += len(shared) if aligned else 0
            bottoms[name] += len(bottom)
    means = {name: sum(values) / len(values) if values else None for name, values in indicators.items()}
    return means | {name: tops[name] / bottoms[name] if bottoms[name] else None for name in tops}


@given(pairs)
def test_all_seven_equal_their_formulas(pairs: list[tuple[GoldCall, list[tuple[Call, ...]]]]) -> None:
    """Values over random dialogues are those of the slow version, and only FTR may exceed 1."""
    dialogues = {f"d{i}": dialogue(f"d{i}", gold=wanted) for i, (wanted, _) in enumerate(pairs)}
    made = [transcript(f"d{i}", *turns) for i, (_, turns) in enumerate(pairs)]
    scoring = Scoring(run="r", model="m", protocol="p", seed=0, data="", resamples=20)
    found = {row.metric: row.value for row in score(dialogues, BY_KEY, made, scoring=scoring) if not row.slice}
    expected = slow_metrics([(wanted, [list(calls) for calls in turns]) for wanted, turns in pairs])

    assert expected == {name: found[name] for name in expected}
    assert all(value is None or 0 <= value <= 1 for name, value in found.items() if name != "ftr")


@given(transcripts)
def test_where_no_tool_fits_silence_is_right(turns: list[tuple[Call, ...]]) -> None:
    """Without a fitting tool every call is a false one, and making none is correct."""
    first = next((calls for calls in turns if calls), ())
    found = tool_counts(dialogue(tool_fits=False), transcript("d", *turns), BY_NAME)

    assert ToolCounts(correct=int(not first), false_calls=len(first), abstained=int(not first)) == found


def counts(*turns: tuple[Call, ...], wanted: GoldCall | None = None) -> ToolCounts:
    """Counts against the gold call `hr_add(a=5)`."""
    wanted = wanted or gold(a=5)
    made: Transcript = transcript("d", *turns)
    return tool_counts(dialogue(gold=wanted), made, BY_NAME)


def test_only_the_first_turn_with_a_call_counts() -> None:
    """A wrong call is not made good by a right one in a later turn."""
    found = counts((), (call("it_add", a=5),), (call(a=5),))

    assert (found.correct, found.false_calls, found.abstained) == (0, 1, 0)


def test_wrong_calls_count_each_time() -> None:
    """Two calls of a wrong tool and one of a made-up one are three false calls over two more names."""
    found = counts((call(a=5), call("it_add"), call("it_add"), call("made_up")))

    assert (found.correct, found.false_calls, found.names_called, found.names_shared) == (0, 3, 3, 1)


def test_repeating_the_right_call_costs_accuracy_only() -> None:
    """Calling the gold tool twice is not accurate and not a false call."""
    found = counts((call(a=5), call(a=5)))

    assert (found.correct, found.false_calls, found.names_called) == (0, 0, 1)


def test_keys_are_shared_only_when_the_gold_tool_was_called() -> None:
    """Right keys given to a wrong tool count as supplied and never as shared."""
    found = counts((call("it_add", a=5),))

    assert (found.keys_shared, found.keys_called, found.keys_due) == (0, 1, 1)


@pytest.mark.parametrize("arguments", ['{"a":5,"b":"x"}', "{}", '{"a":6}', '{"a":', "[5]", '{"a":"five"}'])
def test_other_arguments_are_not_accurate(arguments: str) -> None:
    """Superfluous, missing, different or unreadable arguments cost accuracy."""
    assert counts((Call("hr_add", JsonText(arguments)),)).correct == 0


@pytest.mark.parametrize("value", [5, "5", 5.0])
def test_values_are_read_in_the_parameters_type(value: object) -> None:
    """The literal of the right number is the right number."""
    assert counts((call(a=value),)).correct == 1


@pytest.mark.parametrize("values", [{"a": 5}, {"a": 5, "b": "x"}])
def test_an_optional_argument_may_be_left_out(values: dict[str, object]) -> None:
    """An optional gold argument costs nothing, given or not."""
    wanted = GoldCall("hr_add", (GoldArgument("a", (encode(5),)), GoldArgument("b", (encode("x"),), optional=True)))
    found = counts((call("hr_add", **values),), wanted=wanted)

    assert (1, found.keys_called, found.keys_called) == (found.correct, found.keys_shared, found.keys_due)


HR = gold(a=5, b="x")
"""`a` is required, `b` is not."""


def live(*turns: tuple[Call, ...], told: dict[str, int], unsure: tuple[int, ...] = ()) -> ToolCounts:
    """Counts of a transcript whose live user said each value in a turn, against `HR`."""
    notes = LiveUser(told=tuple(ToldValue(turn, name) for name, turn in told.items()), unsure=unsure)
    made = msgspec.structs.replace(transcript("d", *turns), annotation=notes)
    return tool_counts(dialogue(gold=HR), made, BY_NAME)


@pytest.mark.parametrize(
    ("told_at", "arguments", "is_right"),
    [
        (0, {"a": 5, "b": "x"}, True),
        (0, {"a": 5}, False),
        (2, {"a": 5}, False),
        (3, {"a": 5}, True),
        (4, {"a": 5}, True),
        (4, {"a": 5, "b": "x"}, True),
        (4, {"a": 5, "b": "y"}, False),
    ],
)
def test_an_optional_value_is_judged_once_it_was_said(
    told_at: int, arguments: dict[str, object], *, is_right: bool
) -> None:
    """Said before the first call, which is turn 3, it has to be in the call; a guess has to be right."""
    found = live((), (call(**arguments),), told={"a": 0, "b": told_at})

    assert bool(found.correct) == is_right


def test_values_given_away_to_a_model_not_understood_earn_nothing() -> None:
    """A required value said in an unsure turn alone costs accuracy; said before as well, or optional, it does not."""
    right = ((), (), (call(a=5, b="x"),))
    assert live(*right, told={"a": 2, "b": 0}).correct == 1
    assert live(*right, told={"a": 2, "b": 0}, unsure=(2,)).correct == 0
    assert live(*right, told={"a": 0, "b": 2}, unsure=(2,)).correct == 1
    assert live((), (call(a=5),), told={"a": 4}, unsure=(4,)).correct == 1


def test_a_call_in_a_users_turn_is_not_the_models() -> None:
    """Only assistant turns are searched for the first call."""
    made = transcript("d", (), (call(a=5),))
    odd = msgspec.structs.replace(made.turns[0], steps=(Step(calls=(call("it_add"),)),))
    notes = LiveUser(told=(ToldValue(0, "a"), ToldValue(2, "b")))
    made = msgspec.structs.replace(made, turns=(odd, *made.turns[1:]), annotation=notes)

    assert tool_counts(dialogue(gold=HR), made, BY_NAME).correct == 0


def test_a_replay_is_judged_by_the_turns_of_its_dialogue() -> None:
    """With the dialogue's own user turns its record of what was said counts; with others none is known."""
    said = ("Please add it.", "Number 5.")
    notes = DiaforgeNotes(gold_tool="hr_add", disclosed=(Disclosure(0, "a"), Disclosure(2, "b")))
    wanted = msgspec.structs.replace(dialogue(gold=HR, said=said), annotation=notes)
    made = transcript("d", (call(a=5),), ())
    turns = [Turn("u", said[at // 2]) if at % 2 == 0 else turn for at, turn in enumerate(made.turns)]

    assert tool_counts(wanted, msgspec.structs.replace(made, turns=tuple(turns)), BY_NAME).correct == 1
    turns[2] = Turn("u", "Something else.")
    assert tool_counts(wanted, msgspec.structs.replace(made, turns=tuple(turns)), BY_NAME).correct == 0


def test_counts_begin_at_nothing() -> None:
    """Only the transcript itself is counted where nothing is due and nothing was called."""
    assert (call_counts := ToolCounts(correct=1, false_calls=0, abstained=1)).transcripts == 1
    others = [name for name in ToolCounts.__struct_fields__ if name.startswith(("names_", "keys_"))]
    assert [getattr(call_counts, name) for name in others] == [0] * 6
