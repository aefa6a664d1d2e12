"""The `tooldial` recipe: sequences in equal shares, dialogues without faults, the card."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from callwright.engine.context import Context
from callwright.environment.returns import with_returns
from callwright.papers.tooldial.act_grammar import accepts, sequences
from callwright.papers.tooldial.scenario_plan import FAILED_SHARE, ToolDialWorkshop
from callwright.papers.tooldial.tooldial_options import ToolDialOptions
from callwright.papers.tooldial.tooldial_recipe import tooldial_statistics
from callwright.papers.tooldial.tooldial_rollout import rollout
from callwright.records.annotations.tooldial_notes import ToolDialNotes, ToolDialPlan
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool
from tooldial_workshop import catalog, dialogues, made, plan, workshop

COUNT = 42


def acts_of(dialogue: Dialogue) -> tuple[str, ...]:
    """Return the acts of a dialogue."""
    return tuple(step.act for turn in dialogue.turns for step in turn.steps)


def test_dialogues_pass_their_checks() -> None:
    """No dialogue over the bundled catalogue is rejected."""
    found = [made(index).issues for index in range(COUNT)]

    assert (len(found), [issues for issues in found if issues]) == (COUNT, [])


def test_sequences_have_equal_shares() -> None:
    """With `--balance sequences` the counts of the sequences that the catalogue can realise differ by one at most."""
    counts = Counter(acts_of(dialogue) for dialogue in dialogues(COUNT))

    assert set(counts) == {shape.acts for shape in workshop().shapes}
    assert max(counts.values()) - min(counts.values()) <= 1


def test_every_sequence_is_realised_or_named() -> None:
    """What is not realised is named by its place among the published sequences."""
    listed = list(sequences(2))
    named = {listed[place] for place in workshop().unrealisable}

    assert {shape.acts for shape in workshop().shapes} | named == set(listed)
    assert 0 < len(named) < len(listed)


def test_corpus_has_the_papers_share_of_failures() -> None:
    """With `--balance corpus` 223 of 1,166 dialogues end in `response_fail`, evenly spread."""
    failed = [plan(index, balance="corpus").plan.acts[-1] == "response_fail" for index in range(42)]

    assert sum(failed) == int(42 * FAILED_SHARE)
    assert any(failed[:10])


def test_natural_gives_what_the_catalogue_has() -> None:
    """With `--balance natural` every sequence that is drawn can be realised; one-tool ones are most."""
    kinds = Counter(bool(plan(index, balance="natural").plan.source) for index in range(30))

    assert kinds[False] > kinds[True] > 0


def test_inputless_tools_are_an_option() -> None:
    """A wish and a call without any question: only with the option, and accepted only with it."""
    found = [shape.acts for shape in workshop(inputless=True).shapes if shape.kind == "bare"]

    assert [shape.kind for shape in workshop().shapes].count("bare") == 0
    assert found
    assert not any(accepts(acts) for acts in found)
    assert all(accepts(acts, extras=["inputless"]) for acts in found)


def test_unlisted_sequences_are_an_option() -> None:
    """A source that needs nothing and returns one value: both calls at once, only with the option, and faultless."""
    named = {"workspace_id": {"type": "string"}, "name": {"type": "string"}}
    returns, needed = encode({"type": "object", "properties": named}), {"workspace_id": {"type": "string"}}
    whole = encode({"type": "object", "properties": needed, "required": ["workspace_id"]})
    more = (
        Tool(name="get_workspace", description="Get the workspace.", source="GET /workspace", returns=returns),
        Tool(
            name="archive_workspace",
            description="Archive a workspace.",
            parameters=whole,
            source="POST /workspaces/{workspace_id}/archive",
        ),
    )
    tools = with_returns(Catalog(tools=(*catalog().tools[:20], *more)))
    shops = {name: ToolDialWorkshop(tools, ToolDialOptions(**one), 7) for name, one in UNLISTED.items()}
    found = [shape.acts for shape in shops["with"].shapes if not accepts(shape.acts)]
    planned = [shops["with"].plan(f"item {index}", index) for index in range(len(shops["with"].shapes))]
    unlisted = [one for one in planned if one.plan.acts in found]

    assert found
    assert all(accepts(shape.acts) for shape in shops["without"].shapes)
    assert {one.plan.acts for one in unlisted} == set(found)
    for one in unlisted:
        done = asyncio.run(rollout(one, Context.detached(one.scenario.id, seed=7), shops["with"]))
        assert (sum(len(turn.calls) for turn in done.dialogue.turns), done.issues) == (2, ())


UNLISTED: dict[str, dict[str, Any]] = {"with": {"unlisted": True}, "without": {}}


def test_a_dialogue_is_the_same_again() -> None:
    """The plan and the dialogue survive their line, and notes and plan have the same turns."""
    dialogue = made(0).dialogue
    assert dialogue.scenario is not None
    assert isinstance(dialogue.annotation, ToolDialNotes)
    assert isinstance(dialogue.scenario.annotation, ToolDialPlan)

    assert from_line(to_line(dialogue), Dialogue, where="d") == dialogue
    assert dialogue.annotation.turns == dialogue.scenario.annotation.turns


def test_card_counts_turns_as_the_paper_does() -> None:
    """Two turns for each of the user's; the sequences are numbered as listed, and thresholds are told."""
    made_so_far = dialogues(COUNT)
    tools = {tool.key: tool for tool in catalog().tools}
    rows = dict(tooldial_statistics(made_so_far, tools).rows)
    turns = sum(2 for dialogue in made_so_far for turn in dialogue.turns if turn.speaker == "user")

    assert rows["dialogues"] == str(COUNT)
    assert rows["turns, two for each of the user's"] == str(turns)
    assert rows["sequences that the catalogue cannot realise"] == ", ".join(
        str(place + 1) for place in workshop().unrealisable
    )
    assert rows["kinds of acts (the paper: 16)"] == "16"
    assert dict(tooldial_statistics([], tools).rows)["turns per dialogue, mean (the paper: 8.95)"] == "-"
