"""Prompts: every step's renders for every act, tells what it must, and keeps what its reader may not know."""

from __future__ import annotations

import pytest
from test_assistant_turn import briefs
from test_user_turn import acts_of, brief

from callwright.author.assistant_turn import assistant_turn
from callwright.author.prompts import prompt_names, prompt_source
from callwright.author.user_turn import user_turn
from callwright.author.wanted import wanted_parameters
from callwright.catalog.slots import slots
from callwright.models.chat import ChatRequest
from callwright.papers.diaforge.gold_writing import goal, gold_values
from callwright.papers.registry import prompt_homes
from callwright.records.jsontext import EMPTY_OBJECT
from callwright.records.tool import Tool
from diaforge_builders import TODAY, bundled, user_of_tool, workshop

TOOLS = [
    bundled().by_name[name] for name in ("refund_item", "claim_hotel_night", "list_pending_leave", "order_catering")
]
by_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)


def text_of(request: ChatRequest) -> str:
    system, user = request.messages
    assert (system.role, user.role) == ("system", "user")
    assert system.content
    assert user.content
    assert not {"{{", "}}", "{%", "%}"} & set(request.messages[0].content.split() + user.content.split())
    return user.content


@by_tool
def test_user_prompts_tell_the_act(tool: Tool) -> None:
    """The request, the words that pick, the values; in nouns, never by the names of parameters or of the tool."""
    for style in ("verbose", "terse"):
        user = user_of_tool(tool.name, style=style)
        for act in acts_of(user):
            wanted = brief(user, act)
            prompt = text_of(user_turn.prompt(wanted))
            assert style in prompt
            assert user.persona in prompt
            assert tool.name not in prompt
            assert not [name for name in slots(tool) if "_" in name and name in prompt]
            if act.kind == "open":
                assert user.request.thing in prompt
            if act.picks:
                assert wanted.pick in prompt
            for known in wanted.slots:
                assert known.text in prompt
                assert known.slot.noun.text in prompt


def test_user_prompts_keep_what_is_not_told_yet() -> None:
    """A model cannot give away a value that it has not seen."""
    acts = [(user, act) for tool in TOOLS for user in (user_of_tool(tool.name),) for act in acts_of(user)]
    untold = [(user, act, known) for user, act in acts for known in user.known if known.slot.name not in act.told]
    telling = [one for one in untold if one[2].slot.kind in ("code", "person", "email")]
    assert telling
    for user, act, known in telling:
        assert known.text not in text_of(user_turn.prompt(brief(user, act)))


@by_tool
def test_assistant_prompts_tell_the_act_without_gold(tool: Tool) -> None:
    """What to ask and in which words; the public voice is told neither values nor names."""
    gold = {known.text for known in user_of_tool(tool.name).known if known.slot.kind in ("code", "person", "date")}
    for wanted in briefs(tool):
        prompt = text_of(assistant_turn.prompt(wanted))
        assert tool.name not in prompt
        assert not [text for text in gold if text in prompt]
        for slot in wanted.slots:
            assert (slot.noun.consequence or slot.noun.text) in prompt


@by_tool
def test_goal_and_values_are_asked_for_from_the_document(tool: Tool) -> None:
    """With the person and, for values, the day and the schema."""
    persona = workshop().personas[0]
    asked = text_of(gold_values.prompt(tool, wanted_parameters(tool), persona, TODAY))

    other = Tool(name="another_tool", description="Does what only it does.", parameters=EMPTY_OBJECT)
    assert tool.description in text_of(goal.prompt(tool, persona, ()))
    assert other.description in text_of(goal.prompt(tool, persona, (other,)))
    assert persona.name in asked
    assert TODAY in asked
    assert tool.parameters in asked


def test_static_parts_are_the_same_for_every_item() -> None:
    """So that a server can keep them."""
    seen = {}
    for tool in TOOLS:
        for wanted in briefs(tool):
            seen.setdefault("assistant", set()).add(assistant_turn.prompt(wanted).messages[0].content)
        user = user_of_tool(tool.name)
        for act in acts_of(user):
            seen.setdefault("user", set()).add(user_turn.prompt(brief(user, act)).messages[0].content)

    assert {name: len(contents) for name, contents in seen.items()} == {"assistant": 1, "user": 1}


@pytest.mark.parametrize("name", prompt_names(prompt_homes()))
def test_every_prompt_has_a_static_and_a_varying_part(name: str) -> None:
    """The line between them comes once."""
    assert prompt_source(name, prompt_homes()).count("\n---\n") == 1
