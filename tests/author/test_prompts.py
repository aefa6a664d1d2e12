"""Prompts: each renders, tells what it must, and begins with what is the same for all."""

from __future__ import annotations

import pytest

from callwright.author.prompts import prompt_names, prompt_source
from callwright.author.wanted import wanted_parameters
from callwright.models.chat import ChatRequest
from callwright.papers.diaforge.gold_writing import goal, gold_values
from callwright.papers.registry import prompt_homes
from callwright.records.jsontext import EMPTY_OBJECT
from callwright.records.tool import Tool
from diaforge_builders import TODAY, bundled, workshop

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
    persona = workshop().personas[0]
    asked = [goal.prompt(tool, persona, ()) for tool in TOOLS]
    values = [gold_values.prompt(tool, wanted_parameters(tool), persona, TODAY) for tool in TOOLS]

    for requests in (asked, values):
        assert len({one.messages[0].content for one in requests}) == 1
        assert len({one.messages[1].content for one in requests}) == len(TOOLS) > 1


@pytest.mark.parametrize("name", prompt_names(prompt_homes()))
def test_every_prompt_has_a_static_and_a_varying_part(name: str) -> None:
    """The line between them comes once."""
    assert prompt_source(name, prompt_homes()).count("\n---\n") == 1
