"""The dialogue up to a point as the model is shown it: lines as in the paper's table 18, with labels by the history.

    User: What is on tonight?
    System:
    - Dialogue State: {...}          before the first step, where the user has informed
    - Thought: ...
    - Action: retriever_call
    - Retriever status: {...}
    - API documentation: {...}
    - Call result: {...}
    - Message: ...
    - Dialogue State: {...}

For states the history changes states only; for acts thoughts are left out in every history (Equation 4), and the
history changes acts only (Equation 5). The arguments of calls are never shown: they are the state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from callwright.author.role_forms import one_line
from callwright.models.structured import read_mapping
from callwright.papers.tooldial.prediction_points import PredictionPoint, gold_act, gold_state, notes_of
from callwright.papers.tooldial.state_layout import PARTS, retriever_document
from callwright.papers.tooldial.state_matching import ACTS, plain_act, read_act
from callwright.papers.tooldial.tooldial_options import History, PredictionTask
from callwright.protocol.turn_messages import result_text
from callwright.records.annotations.tooldial_notes import ToolDialStep
from callwright.records.dialogue import Dialogue, Step
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

UNREADABLE: Final = "unreadable"
_TOLD: Final = ("description", "type", "enum")


class Shown(NamedTuple):
    """Which labels of the history are shown."""

    thoughts: bool
    acts: History
    states: History
    is_whole: bool = False
    """Whether the labels of the turn at hand are the model's own, as it predicts all of them."""


def shown_labels(task: PredictionTask, history: History) -> Shown:
    """Return which labels a task shows with a history."""
    if task == "state":
        return Shown(True, "gold", history)
    if task == "act":
        return Shown(False, history, "gold")
    if task == "overall":
        return Shown(False, history, history, is_whole=history != "none")
    return Shown(history == "gold", history, history)


class HistoryText(NamedTuple):
    """The dialogue before a point."""

    dialogue: Dialogue
    tools: Mapping[str, Tool]
    """By shown names."""
    point: PredictionPoint
    shown: Shown
    predicted: Mapping[PredictionPoint, str]
    """The model's earlier replies."""

    @property
    def text(self) -> str:
        """The lines, joined."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for at, turn in enumerate(self.dialogue.turns[: self.point.turn + 1]):
            if self.dialogue.role(turn) == "user":
                yield f"User: {one_line(turn.text)}"
                yield "System:"
                if any(step.act == "inform" for step in turn.steps):
                    yield from self._state(at)
                continue
            steps = turn.steps[: self.point.step] if self._is_open(at) else turn.steps
            extras = notes_of(self.dialogue).turns[at].steps
            for number, step in enumerate(steps):
                yield from self._step(at, number, step, extras[number] if number < len(extras) else None)
            if not self._is_open(at):
                yield f"- Message: {one_line(turn.text)}"
                yield from self._state(at)

    def _is_open(self, at: int) -> bool:
        """Whether the point lies inside this turn of the assistant."""
        return at == self.point.turn and self.point.kind != "state"

    def _state(self, at: int) -> Iterator[str]:
        point = PredictionPoint("state", at)
        if point == self.point or notes_of(self.dialogue).turns[at].state is None:
            return
        kind = self._labels_from(point, self.shown.states)
        if kind == "gold":
            yield f"- Dialogue State: {encode(gold_state(self.dialogue, point))}"
        elif kind == "own":
            found = read_mapping(self.predicted.get(point, ""))
            yield f"- Dialogue State: {UNREADABLE if found is None else encode(found)}"

    def _begin(self) -> int:
        """Where the exchange of the point begins."""
        turns = self.dialogue.turns[: self.point.turn + 1]
        return max((at for at, turn in enumerate(turns) if self.dialogue.role(turn) == "user"), default=0)

    def _labels_from(self, point: PredictionPoint, history: History) -> History:
        return "own" if self.shown.is_whole and point.turn >= self._begin() else history

    def _step(self, at: int, number: int, step: Step, extra: ToolDialStep | None) -> Iterator[str]:
        if self.shown.thoughts and step.thought:
            yield f"- Thought: {one_line(step.thought)}"
        point = PredictionPoint("act", at, number)
        kind = self._labels_from(point, self.shown.acts)
        if kind == "gold":
            yield f"- Action: {gold_act(self.dialogue, point)}"
        elif kind == "own":
            yield f"- Action: {_known_act(self.predicted.get(point, ''))}"
        if extra is not None and extra.retriever.called:
            yield f"- Retriever status: {encode(retriever_document(extra.retriever))}"
        for name in extra.documents if extra is not None else ():
            if name in self.tools:
                yield f"- API documentation: {encode(_document(name, self.tools[name]))}"
        for result in step.results:
            yield f"- Call result: {one_line(result_text(result))}"


def _known_act(reply: str) -> str:
    found = read_act(reply)
    return next((act for act in ACTS if plain_act(act) == found), UNREADABLE)


def _document(name: str, tool: Tool) -> dict[str, Json]:
    parameters: dict[str, list[dict[str, Json]]] = {part: [] for part in PARTS}
    for parameter, schema in tool.properties.items():
        known: dict[str, Json] = {key: schema[key] for key in _TOLD if key in schema}
        parameters[PARTS[parameter not in tool.required]].append({"name": parameter, **known})
    return {"api_name": name, "api_description": tool.description, **parameters}
