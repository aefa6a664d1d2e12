"""Dialogue states and retriever status of every turn of a scenario, before any text (ToolDial, section 3.3, A.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from callwright.environment.asked_parameters import api_state
from callwright.graph.tool_pairs import ToolPair, shared
from callwright.papers.tooldial.act_grammar import USER_ACTS
from callwright.papers.tooldial.sequence_shapes import TellingOrder
from callwright.records.annotations.tooldial_notes import RetrieverStatus, ToolDialStep, ToolDialTurn
from callwright.records.dialogue_state import ApiState
from callwright.records.jsontext import Json
from callwright.records.retrieved import Retrieved

Phase = Literal["", "first", "of_source", "choice", "later"]
"""The subject of the last request: values of the target, of the source, one of several results, the rest."""


class ActTurn(NamedTuple):
    """The acts of one turn."""

    speaker: Literal["user", "assistant"]
    acts: tuple[str, ...]
    phase: Phase
    """The slots that an assistant's turn asks for, or a user's turn answers."""

    @property
    def last(self) -> str:
        """The act that the text of the turn is for."""
        return self.acts[-1]


def act_turns(acts: Sequence[str]) -> tuple[ActTurn, ...]:
    """Return the turns of a sequence of acts: each of the user's is a turn, those of the system between them one."""
    turns: list[ActTurn] = []
    phase: Phase = ""
    failed = called = False
    numbered = enumerate(acts)
    for _, group in groupby(numbered, key=lambda one: one[0] if one[1] in USER_ACTS else -1):
        own = tuple(act for _, act in group)
        if own[0] in USER_ACTS:
            failed |= own[0] == "fail_inform"
            turns.append(ActTurn("user", own, phase))
            continue
        called |= failed and "call" in own
        phase = _phase(own[-1], failed=failed, called=called)
        turns.append(ActTurn("assistant", own, phase))
    return tuple(turns)


def _phase(last: str, *, failed: bool, called: bool) -> Phase:
    if last == "request_multi":
        return "choice"
    if last != "request":
        return ""
    return "later" if called else "of_source" if failed else "first"


class ScenarioFacts(NamedTuple):
    """All that states are made of."""

    pair: ToolPair
    course: TellingOrder
    values: Mapping[str, Json]
    """Arguments of the target."""
    source_values: Mapping[str, Json]
    searches: tuple[tuple[Retrieved, ...], ...]
    """The retriever's tools for each wish."""


def planned_turns(acts: Sequence[str], facts: ScenarioFacts) -> tuple[ToolDialTurn, ...]:
    """Return state and retriever status of every turn."""
    return tuple(_Follower(facts).turns(act_turns(acts)))


class _Follower:
    """Goes through the turns and keeps what is known."""

    def __init__(self, facts: ScenarioFacts) -> None:
        self.facts = facts
        self.common = shared(facts.pair)
        self.target: set[str] = set()
        self.source: set[str] = set()
        self.waiting = list(facts.searches)

    def turns(self, turns: Sequence[ActTurn]) -> Iterator[ToolDialTurn]:
        for turn in turns:
            if turn.speaker == "user":
                self._hear(turn)
                yield ToolDialTurn(state=self._after_user(turn))
            else:
                steps = tuple(self._step(turn, place) for place in range(len(turn.acts)))
                yield ToolDialTurn(state=self._after_assistant(turn), steps=steps)

    def _hear(self, turn: ActTurn) -> None:
        course, chosen = self.facts.course, (self.facts.pair.parameter,)
        if turn.last == "inform_intent_clear_add":
            self.target.update(course.opened_with)
        elif turn.last in ("inform", "fail_inform"):
            told = {"first": course.first, "of_source": course.of_source, "later": course.later, "choice": chosen}
            (self.source if turn.phase == "of_source" else self.target).update(told.get(turn.phase, ()))
        self.source.update(theirs for mine, theirs in self.common.items() if mine in self.target)
        self.target.update(mine for mine, theirs in self.common.items() if theirs in self.source)

    def _after_user(self, turn: ActTurn) -> ApiState:
        if turn.last == "inform" and turn.phase == "of_source":
            return self._state_of_source()
        return self._state_of_target() if turn.last in ("inform", "affirm") else ApiState()

    def _after_assistant(self, turn: ActTurn) -> ApiState:
        if turn.last in ("clarify", "suggest", "response_fail", "system_bye"):
            return ApiState()
        if turn.phase == "of_source":
            return self._state_of_source()
        if turn.phase != "choice" and "call" in turn.acts and self.facts.pair.source is not None:
            self.target.add(self.facts.pair.parameter)
        return self._state_of_target()

    def _state_of_target(self) -> ApiState:
        return api_state(self.facts.pair.target, self.facts.values, self.target)

    def _state_of_source(self) -> ApiState:
        assert self.facts.pair.source is not None
        return api_state(self.facts.pair.source, self.facts.source_values, self.source)

    def _step(self, turn: ActTurn, place: int) -> ToolDialStep:
        if turn.acts[place] != "retriever_call":
            return ToolDialStep(retriever=RetrieverStatus())
        if not self.waiting:
            return _search_for_source(self.facts.pair)
        found = self.waiting.pop(0)
        following = turn.acts[place + 1]
        documents = () if following == "clarify" else (self.facts.pair.target.name,)
        return ToolDialStep(retriever=RetrieverStatus(called=True, apis=found), documents=documents)


def _search_for_source(pair: ToolPair) -> ToolDialStep:
    assert pair.source is not None
    assert pair.output is not None
    told = (
        f"Output component of {pair.source.name} to procure {pair.target.name}'s input parameter "
        f"{pair.parameter} -> {pair.output.name}"
    )
    return ToolDialStep(retriever=RetrieverStatus(called=True, sources=(told,)), documents=(pair.source.name,))
