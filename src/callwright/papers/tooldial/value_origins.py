"""Where the values of a state come from: the kinds of value error of appendix A.9."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from callwright.papers.tooldial.prediction_points import notes_of
from callwright.records.dialogue import Dialogue
from callwright.records.dialogue_state import ApiState
from callwright.records.jsontext import Json, decode, scalars

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
    found: dict[ValueKind, set[Json]] = {
        "value_multiple": chosen & {*slots},
        "value_added": added & {*slots} - chosen,
        "value_other": {*slots} - chosen - added,
    }
    return tuple(kind for kind, names in found.items() if names)


def _chosen(dialogue: Dialogue, turn: int, plain: Callable[[Json], Json]) -> Iterator[Json]:
    """Slots of the tool aimed at whose value is one of several in the result of the call before, which the user chose.

    To ask for the choice is a `request_multi`; released dialogues may say `request`.
    """
    state = notes_of(dialogue).turns[turn].state or ApiState()
    steps = [step for one in dialogue.turns if dialogue.role(one) == "assistant" for step in one.steps]
    made = [at for at, step in enumerate(steps) if step.calls]
    own = next((nth for nth, at in enumerate(made) if steps[at].calls[0].tool == state.api), 0)
    if own == 0:
        return
    source = made[own - 1]
    results = [decode(result.value) for result in steps[source].results if result.value is not None]
    asked = steps[source + 1].act
    if asked == "request_multi" or (asked == "request" and any(map(_is_several, results))):
        leaves = [plain(leaf) for result in results for leaf in scalars(result)]
        yield from (plain(name) for name, value in steps[made[own]].calls[0].values.items() if plain(value) in leaves)


def _is_several(value: Json) -> bool:
    """Whether a list in a result has several members."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (isinstance(value, list) and len(value) > 1) or any(map(_is_several, inner))


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
