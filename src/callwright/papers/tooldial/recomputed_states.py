"""The states of a dialogue computed again from its turns: acts, words, calls and results, never from its notes.

The tool aimed at is the wanted one (that of the last call), after each `fail_inform` the one that supplies its input,
and after each call the one before again. A value is known from the first turn in which the user, asked for that tool's
values, says it; one that comes from the result of the call before, once that call is made, or the user has chosen.
A value in that result comes from it unless the user says it and another one does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from callwright.lang.kinds import kind_of
from callwright.lang.surface import mentions
from callwright.papers.tooldial.act_grammar import USER_ACTS
from callwright.papers.tooldial.prediction_points import notes_of
from callwright.records.dialogue import Call, Dialogue, Step
from callwright.records.dialogue_state import ApiState, ParameterValue
from callwright.records.issue import Issue
from callwright.records.jsontext import Json, decode, encode, scalars
from callwright.records.tool import Tool

_AIMED: Final = ("request", "request_multi", "call", "response")
"""Acts at which an API is confirmed."""
_TELLING: Final = ("inform_intent_clear_add", "inform", "fail_inform")


class _Moment(NamedTuple):
    """One act, with what came before it."""

    turn: int
    act: str
    text: str
    calls: int
    """Calls made before the act."""
    aim: int
    """Which of the dialogue's calls is worked towards, before the act."""


def state_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield an issue for each annotated state that differs from the recomputed one; tools by shown names."""
    for at, (extra, state) in enumerate(zip(notes_of(dialogue).turns, recomputed_states(dialogue, tools), strict=True)):
        if extra.state is not None and _plain(extra.state) != _plain(state):
            yield Issue("wrong_state", f"turns[{at}]", f"annotated {_told(extra.state)}, recomputed {_told(state)}")


def recomputed_states(dialogue: Dialogue, tools: Mapping[str, Tool]) -> list[ApiState]:
    """Return the state after each turn; of a user's turn, that at the first act of the assistant's turn after it.

    Tools are by shown names; those of the calls are needed.
    """
    moments = list(_moments(dialogue))
    made = [step for turn in dialogue.turns for step in turn.steps if step.calls]
    plan = _Values(dialogue, tools, moments, made)
    states: list[ApiState] = []
    for at, turn in enumerate(dialogue.turns):
        if dialogue.role(turn) == "user":
            place = next((nth for nth, one in enumerate(moments) if one.turn > at), None)
        else:
            place = max((nth for nth, one in enumerate(moments) if one.turn == at), default=None)
        states.append(ApiState() if place is None else plan.state_at(place))
    return states


def _moments(dialogue: Dialogue) -> Iterator[_Moment]:
    fails = sum(step.act == "fail_inform" for turn in dialogue.turns for step in turn.steps)
    failed = made = 0
    for at, turn in enumerate(dialogue.turns):
        for step in turn.steps:
            yield _Moment(at, step.act, turn.text, made, fails - failed + made)
            failed += step.act == "fail_inform"
            made += bool(step.calls)


class _Values:
    """When each value of each call becomes known."""

    def __init__(
        self, dialogue: Dialogue, tools: Mapping[str, Tool], moments: Sequence[_Moment], made: Sequence[Step]
    ) -> None:
        self._today = dialogue.day
        self._tools = tools
        self._moments = moments
        self._made = made
        self._known = [self._since(at, step.calls[0]) for at, step in enumerate(made)]

    def state_at(self, place: int) -> ApiState:
        """Return the state at a moment."""
        moment = self._moments[place]
        if moment.act not in _AIMED or not self._made:
            return ApiState()
        aim = min(moment.aim, len(self._made) - 1)  # after the last call its tool stays
        call, known = self._made[aim].calls[0], self._known[aim]
        tool = self._tools[call.tool]
        values = {name: value for name, value in call.values.items() if known[name] <= place}
        slots = [ParameterValue(name, encode(values.get(name, ""))) for name in tool.properties]
        return ApiState(
            api=call.tool,
            required=tuple(one for one in slots if one.name in tool.required),
            optional=tuple(one for one in slots if one.name not in tool.required),
        )

    def _since(self, at: int, call: Call) -> dict[str, int]:
        """From which moment on each argument of a call is known."""
        told = {name: self._told(at, name) for name in call.values}
        said = {
            name: next((nth for nth in told[name] if self._says(nth, call.tool, name, value)), None)
            for name, value in call.values.items()
        }
        supplied = [name for name, value in call.values.items() if at and self._is_supplied(at, value)]
        unsaid = [name for name in supplied if said[name] is None]
        found = {name: max(told[name], default=0) if place is None else place for name, place in said.items()}
        return found | dict.fromkeys(unsaid or supplied, self._chosen(at) if at else 0)

    def _told(self, at: int, name: str) -> list[int]:
        """The moments at which the user gives values and is asked for this one."""
        return [nth for nth, one in enumerate(self._moments) if one.act in _TELLING and self._asks(one, at, name)]

    def _asks(self, moment: _Moment, at: int, name: str) -> bool:
        """Whether the user is asked for an argument of a call: by its tool, or by one that has the same argument."""
        if moment.aim >= len(self._made):
            return False
        asking, asked = (self._made[one].calls[0].values for one in (moment.aim, at))
        return moment.aim == at or encode(asked[name]) in map(encode, asking.values())

    def _says(self, place: int, tool: str, name: str, value: Json) -> bool:
        kind = kind_of(name, self._tools[tool].properties.get(name, {}))
        return mentions(self._moments[place].text, value, kind, today=self._today)

    def _is_supplied(self, at: int, value: Json) -> bool:
        """Whether the result of the call before has this value."""
        results = [result.value for result in self._made[at - 1].results if result.value is not None]
        return any(str(leaf) == str(value) for result in results for leaf in scalars(decode(result)))

    def _chosen(self, at: int) -> int:
        """From which moment on the value that the call before supplies is settled."""
        after = [nth for nth, one in enumerate(self._moments) if one.calls == at]
        if self._moments[after[0]].act != "request_multi":
            return after[0]
        return next((nth for nth in after if self._moments[nth].act in USER_ACTS), after[-1])


def _plain(state: ApiState) -> tuple[str, frozenset[ParameterValue], frozenset[ParameterValue]]:
    """A state without the order of its parameters."""
    return state.api, frozenset(state.required), frozenset(state.optional)


def _told(state: ApiState) -> str:
    values = {one.name: decode(one.value) for one in (*state.required, *state.optional)}
    return f"{state.api} {encode(values)}"[:200] if state.api else "no API"
