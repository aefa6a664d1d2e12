"""How the assistant words its turns and its thoughts."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from callwright.author.assistant_turn import assistant_thought, assistant_turn, hint, question_for
from callwright.author.briefs import AssistantAct, AssistantBrief
from callwright.catalog.contrast import action_phrase, question
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.lang.tokens import content_stems
from callwright.papers.diaforge.asked_values import is_question
from callwright.papers.diaforge.listening import asked_slots, is_refusal
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool
from diaforge_builders import bundled, user_of_tool, workshop

TOOLS = bundled().tools
IDENTIFIERS = {name for tool in TOOLS for name in (tool.name, *slots(tool)) if "_" in name}
tools = st.sampled_from(TOOLS)
chances = st.integers(0, 2**20)


def near(tool: Tool) -> list[Tool]:
    shop = workshop()
    return [shop.tools[neighbour.index] for neighbour in shop.near[shop.position[tool.key]][:5]]


def which(tool: Tool) -> AssistantBrief:
    rivals = near(tool)
    asked = question([gloss(one) for one in (tool, *rivals)], range(6))
    return AssistantBrief(AssistantAct("which", asked), candidates=(tool.name, rivals[0].name))


def asking(tool: Tool, count: int) -> AssistantBrief:
    wanted = tuple(slots(tool)[name] for name in tool.required[:count])
    act = AssistantAct("ask", slots=tuple(slot.name for slot in wanted))
    return AssistantBrief(act, slots=wanted, gloss=gloss(tool), tool=tool.name)


def briefs(tool: Tool) -> list[AssistantBrief]:
    """Every act that an assistant may do about a tool."""
    found = [which(tool), AssistantBrief(AssistantAct("which"), candidates=(tool.name, "other"))]
    found += [asking(tool, count) for count in range(1, min(3, len(tool.required)) + 1)]
    if tool.required:
        slot = slots(tool)[tool.required[0]]
        found.append(AssistantBrief(AssistantAct("explain", slots=(slot.name,)), slots=(slot,), tool=tool.name))
    found.append(AssistantBrief(AssistantAct("call"), gloss=gloss(tool), tool=tool.name))
    offers = tuple(action_phrase(gloss(other)) for other in near(tool)[:2])
    found.append(AssistantBrief(AssistantAct("no_fit"), offers=offers))
    return found


def say(brief: AssistantBrief, chance: int) -> str:
    return assistant_turn.offline(Random(chance), brief)


@given(tools, chances, st.booleans())
def test_every_act_is_worded_without_names(tool: Tool, chance: int, first: bool) -> None:
    """No tool, no parameter, no trace of the making; a sentence with a stop."""
    for brief in briefs(tool):
        text = say(replace(brief, first=first), chance)
        assert text.strip() == text != ""
        assert not re.search(r"[{}|_]|\s{2}|\s[,.;?!]", text), text
        assert not IDENTIFIERS & set(re.findall(r"\w+", text)), text
        assert text[-1] in ".?!", text
        assert text[0].isupper() or not text[0].isalpha(), text


@given(tools, chances)
def test_questions_ask_and_the_end_does_not(tool: Tool, chance: int) -> None:
    """A refusal sounds like one, and nothing else does."""
    for brief in briefs(tool):
        text, kind = say(brief, chance), brief.act.kind
        assert is_refusal(text) == (kind == "no_fit"), text
        if kind in ("which", "ask", "explain"):
            assert is_question(text), text
        if kind == "call":
            assert "?" not in text, text


@given(tools, chances)
def test_which_names_every_option(tool: Tool, chance: int) -> None:
    """In words that pick it when they come back."""
    brief = which(tool)
    text = say(brief, chance).lower()
    options = brief.act.question.options if brief.act.question else ()

    assert len(options) > 1
    for option in options:
        assert set(content_stems(option.phrase)) <= set(content_stems(text)), text


@given(tools, st.integers(1, 3), chances)
def test_what_is_asked_for_is_heard(tool: Tool, count: int, chance: int) -> None:
    """A user who knows all values hears just those that the assistant asks for."""
    if not tool.required:
        return
    brief = asking(tool, count)
    known = [one for one in user_of_tool(tool.name).known if one.slot.name in tool.required]
    heard = asked_slots(say(brief, chance), known)

    assert set(heard) >= set(brief.act.slots), (say(brief, chance), heard)


@given(tools, chances)
def test_thoughts_name_tools_and_parameters(tool: Tool, chance: int) -> None:
    """And are never what is said aloud."""
    for brief in briefs(tool):
        thought = assistant_thought.offline(Random(chance), brief)
        assert thought.strip()
        assert not re.search(r"[{}|]|\s{2}", thought), thought
        assert thought not in say(brief, chance)
        if brief.act.kind == "call":
            assert tool.name in thought


def test_hints_come_from_examples_of_codes() -> None:
    """What else there is to say about a word, a rule does not know."""
    order = slots(bundled().by_name["refund_item"])["order_id"]
    reason = slots(bundled().by_name["refund_item"])["reason"]

    assert "88213" in hint(order)
    assert hint(reason) == ""


@given(tools, chances)
def test_the_same_chance_gives_the_same_words(tool: Tool, chance: int) -> None:
    """Nothing but chance and brief decides."""
    for brief in briefs(tool):
        assert say(brief, chance) == say(brief, chance)


def test_no_question_of_several_is_the_only_one() -> None:
    """`All I need is the date` goes alone."""
    found = 0
    for at, tool in enumerate(TOOLS):
        of_kind = {slot.kind: slot for slot in slots(tool).values()}
        if {"code", "enum"} <= of_kind.keys():
            draws = [Random(f"{at}/{seed}") for seed in range(40)]
            alone = [question_for(rng, [of_kind["code"]]) for rng in draws]
            both = [question_for(rng, [of_kind["code"], of_kind["enum"]]) for rng in draws]
            found += any("need" in text and text.startswith(("All", "I only")) for text in alone)
            assert not any(text.startswith(("All I need", "I only need")) for text in both)
    assert found > 5


def test_an_option_of_which_another_says_more_is_meant_alone() -> None:
    """Comments or just reactions is a choice where comments on reactions would be none."""
    glosses = [gloss(Tool(name="x", description=f"List {one}.")) for one in ("reactions", "reactions of a comment")]
    asked = question(glosses, range(2))
    brief = AssistantBrief(AssistantAct("which", asked), candidates=("x", "y"))
    texts = {assistant_turn.offline(Random(seed), brief) for seed in range(30)}
    assert all("just reactions" in text.lower() or "just list reactions" in text.lower() for text in texts)


@pytest.mark.parametrize(
    ("schema", "named"),
    [
        ({"type": "string", "description": "Valid values are pay and details."}, "pay or details"),
        ({"enum": ["editor", "viewer", "owner", "uploader", "guest", "admin"]}, "editor, viewer, owner or another one"),
    ],
)
def test_a_question_about_a_listed_choice_names_choices(schema: dict[str, Json], named: str) -> None:
    """Also where only the description lists them; of a long list it names some. Nobody knows what `the action` is."""
    tool = Tool(name="create_board", description="Creates a board.", parameters=encode({"properties": {"way": schema}}))
    asked = {question_for(Random(chance), [slots(tool)["way"]]) for chance in range(40)}

    assert len(asked) > 3
    assert all(named in text for text in asked)
