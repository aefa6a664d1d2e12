"""The `wild` recipe: its parts, what a session can be rejected for, and the statistics of its card (section 3.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from callwright.author.native_turn import NO_REASONING, NO_WORDS
from callwright.measure.shape import Statistics
from callwright.papers.wild import move_ways
from callwright.papers.wild.paper import WildOptions
from callwright.papers.wild.session_account import asked_native, asked_object, most_calls
from callwright.papers.wild.session_agents import play, play_native
from callwright.papers.wild.session_design import SHARES
from callwright.papers.wild.session_plan import RECIPE as VERSION
from callwright.papers.wild.session_plan import SessionPlanner, prepare
from callwright.papers.wild.session_roles import PROMPTS
from callwright.papers.wild.session_rollout import rollout
from callwright.recipe import Agents, NativeAgents, Recipe
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

REASONS: Final = (
    "no_plan",
    "text_and_values_differ",
    *("turns_of_another_kind", "empty_text"),
    *("unknown_tool", "unknown_parameter", "type_error", "redundant_call", "result_unlike_schema", "bad_dependency"),
    *("off_the_path", "other_result", "call_left_out"),
    *("hidden_place_untrue", "nothing_hidden"),
    *("value_never_said", "hidden_value_said", "result_value_said", "missing_value_said"),
    *("nothing_missing", "not_required", "missing_value_known"),
    "change_untrue",
    *("identifier_leaked", "placeholder_left", "turn_repeated", "no_task_picked", "unlike_design"),
    *("call_in_chat", "call_too_early", "no_thought", "result_contradicts", "value_not_told", "not_finished"),
    *(NO_WORDS, NO_REASONING, "thought_is_public"),
    *("not_accomplished", "after_without_flow", "flow_without_after"),
)
"""Reasons for rejection, in the order of the checks."""


def departures_of(dialogue: Dialogue) -> tuple[str, ...]:
    """Return what a session has otherwise than it was designed."""
    return dialogue.annotation.departures if isinstance(dialogue.annotation, WildPlan) else ()


# -- the card ---------------------------------------------------------------------------------------------------------

Name = TypeVar("Name", str, int)


def wild_statistics(dialogues: Iterable[Dialogue], tools: Mapping[str, Tool]) -> Statistics:
    """Return the rows of a card: the name of each statistic, and its counts with their shares.

    Only `wild` sessions count; other dialogues are left out.
    """
    found = [(one, one.annotation) for one in dialogues if isinstance(one.annotation, WildPlan)]
    tasks = [task for dialogue, _ in found for task in dialogue.tasks]
    hidings = (hiding for _, plan in found for hiding in plan.hidings[1:])
    topologies = (topology for _, plan in found for topology in plan.topologies if topology)
    calls = Counter(len(task.gold) for task in tasks if task.gold)
    values = [place for _, plan in found for place in plan.hidden if place.parameter]
    far = [place for _, plan in found for place in plan.hidden if place.hiding == "long_range"]
    held = sum(place.origin.call is not None for place in values)
    rows = [
        ("sessions", f"{len(found):,}"),
        ("tasks", f"{len(tasks):,}"),
        ("kinds of tasks", _beside(_shares(task.kind for task in tasks), "25% each")),
        ("topologies of `multi` tasks", _beside(_shares(topologies), _percent(SHARES["paper"].items()))),
        ("hiding of later tasks", _beside(_shares(hidings), _percent(_PAPER_HIDINGS.items()))),
        ("`long_range` values by distance in tasks", _shares(place.distance for place in far)),
        ("sessions by number of transitions", _beside(_shares(plan.transitions for _, plan in found), "1 to 3")),
        ("calls per task", ", ".join(f"{number} × {count:,}" for number, count in sorted(calls.items())) or "-"),
        ("hidden values that occur only in a result", f"{held:,} of {len(values):,}"),
    ]
    extras = sum((_extras(plan) for _, plan in found), Counter[str]())
    if extras:
        told = ", ".join(f"{name} {count:,}" for name, count in sorted(extras.items()))
        rows.append(("extras beyond the paper", told))
    return Statistics(tuple(rows))


_PAPER_HIDINGS: Final = {"coreference": 349, "long_range": 179, "partial": 240}
"""Of the later tasks in the published data."""


def _beside(own: str, paper: str) -> str:
    return own if own == "-" else f"{own}; the paper: {paper}"


def _percent(counts: Iterable[tuple[str, int]]) -> str:
    found = sorted(counts)
    total = sum(count for _, count in found)
    return ", ".join(f"{name} {count / total:.1%}" for name, count in found)


def _extras(plan: WildPlan) -> Counter[str]:
    """Count the extras of one session; the sum of such counters leaves out what never occurs."""
    return Counter(
        {
            "minefields": len(plan.mines),
            "value changes": len(plan.changes),
            "tool failures not made: no other tool does the same": len(plan.no_other_tool),
            **Counter(f"tool failures ({failure.remedy})" for failure in plan.failures),
        }
    )


def _shares(names: Iterable[Name]) -> str:
    """Return how often each name occurs, with its share; the empty name is `none`."""
    counts = Counter(names)
    named = (("none" if name == "" else name, count) for name, count in sorted(counts.items()))
    return ", ".join(f"{name} {count:,} ({count / counts.total():.1%})" for name, count in named) or "-"


_ROLES: Final = tuple(role for role in PROMPTS if role != "author")
"""The roles beside the author's."""
_EXTRAS: Final = ("minefields", "tool_failures", "value_changes")

RECIPE: Final = Recipe(
    VERSION,
    WildOptions,
    SessionPlanner,
    rollout,
    tuple(PROMPTS.values()),
    REASONS,
    prepare=prepare,
    statistics=wild_statistics,
    departures=departures_of,
    with_personas=True,
    critics=("honest-work",),
    agents=Agents(_ROLES, play, asked_object, most_calls, refuses=_EXTRAS),
    native=NativeAgents(
        Agents(_ROLES, play_native, asked_native, most_calls, refuses=_EXTRAS),
        tuple((PROMPTS | {"assistant": move_ways.NATIVE.prompt}).values()),
    ),
)
