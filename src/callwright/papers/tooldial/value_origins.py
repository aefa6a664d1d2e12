"""Where the values of a state come from: the kinds of value error of appendix A.9."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from callwright.papers.tooldial.prediction_points import notes_of
from callwright.records.dialogue import Dialogue, Step
from callwright.records.dialogue_state import ApiState
from callwright.records.jsontext import Json, decode

ValueKind = Literal["value_multiple", "value_added", "value_other"]


def value_kinds(
    dialogue: Dialogue, turn: int, slots: Sequence[str], plain: Callable[[Json], Json]
) -> tuple[ValueKind, ...]:
    """Return the kinds of errors in slots, given by plain names, of the state after a turn; in the order of A.9.

    `value_multiple`: the value is one of several results of another tool; `value_added`: the user gave it with the
    intent; `value_other`: all others.
    """
    if not slots:
        return ()
    chosen, added = set(_chosen(dialogue, turn, plain)), set(_added(dialogue, plain))
    kinds: list[ValueKind] = []
    if chosen & {*slots}:
        kinds.append("value_multiple")
    if added & {*slots} - chosen:
        kinds.append("value_added")
    if {*slots} - chosen - added:
        kinds.append("value_other")
    return tuple(kinds)


def _chosen(dialogue: Dialogue, turn: int, plain: Callable[[Json], Json]) -> Iterator[Json]:
    """Slots of the tool aimed at whose final value is one of several in the result of the call before."""
    state = notes_of(dialogue).turns[turn].state or ApiState()
    made = [step for one in dialogue.turns for step in one.steps if step.calls]
    at = next((at for at, step in enumerate(made) if step.calls[0].tool == state.api), 0)
    if at == 0 or not _asks_to_choose(dialogue, made[at - 1]):
        return
    results = [plain(leaf) for result in made[at - 1].results if result.value for leaf in _leaves(decode(result.value))]
    for name, value in made[at].calls[0].values.items():
        if plain(value) in results:
            yield plain(name)


def _asks_to_choose(dialogue: Dialogue, call: Step) -> bool:
    """Whether the assistant asks which result is meant after a call, or the result has several objects."""
    acts = [step for turn in dialogue.turns if dialogue.role(turn) == "assistant" for step in turn.steps]
    at = next(at for at, step in enumerate(acts) if step is call)
    after = acts[at + 1].act if at + 1 < len(acts) else ""
    return after == "request_multi" or any(
        _is_several(result.value and decode(result.value)) for result in call.results
    )


def _is_several(value: Json) -> bool:
    if isinstance(value, dict):
        return any(map(_is_several, value.values()))
    return isinstance(value, list) and len(value) > 1 and any(isinstance(one, dict) for one in value)


def _leaves(value: Json) -> Iterator[Json]:
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _leaves(one)
    else:
        yield value


def _added(dialogue: Dialogue, plain: Callable[[Json], Json]) -> Iterator[Json]:
    """Slots whose values the user gave with an intent: those of the first state after it that are not empty."""
    is_added = False
    for turn, extra in zip(dialogue.turns, notes_of(dialogue).turns, strict=True):
        is_added = is_added or any(step.act == "inform_intent_clear_add" for step in turn.steps)
        if is_added and dialogue.role(turn) != "user" and extra.state and extra.state.api:
            for one in (*extra.state.required, *extra.state.optional):
                if decode(one.value) != "":
                    yield plain(one.name)
            return
