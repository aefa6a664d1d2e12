from __future__ import annotations

from itertools import pairwise
from random import Random

import msgspec
import pytest

from callwright.author.telling_apart import telling_apart
from callwright.errors import BadRecord
from callwright.formats.layouts import read_source
from callwright.records.tool import Tool

TOOLS = read_source("builtin/enterprise").tools
ONE, OTHER = Tool(name="get_order", description="Gets a paid order."), Tool(name="get_orders", description="Gets one.")
SOUND = {"description": "Gets a paid order, of any age.", "why": "only paid ones"}


def test_what_rules_write_passes_the_check_of_replies() -> None:
    """Both voices give the same type and pass the same check."""
    assert len(TOOLS) > 1
    for tool, rival in pairwise(TOOLS):
        written = telling_apart.offline(Random(1), tool, rival)
        assert telling_apart.faults(written, tool, rival) == ()
        assert telling_apart.parse(msgspec.json.encode({"reply": written}).decode()) == written


def test_the_prompt_shows_both_documents() -> None:
    """A model sees names, descriptions and parameters of both tools, the one to reword first."""
    text = telling_apart.prompt(TOOLS[0], TOOLS[1]).messages[1].content
    assert text.index(TOOLS[0].description) < text.index(TOOLS[1].description)
    assert TOOLS[0].parameters in text


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "get_paid_order"},
        *({"description": text} for text in ("", "x" * 5000)),
        {"x": "y"},
    ],
)
def test_unusable_texts_are_faults(changed: dict[str, str]) -> None:
    """Empty and endless texts and surplus ones are told."""
    assert telling_apart.faults(SOUND, ONE, OTHER) == ()
    assert telling_apart.faults({**SOUND, **changed}, ONE, OTHER)


@pytest.mark.parametrize("reply", ["", "{}", '{"reply": []}', '{"reply": {"why": 5}}', "[" * 5000])
def test_replies_of_another_shape_are_bad_records(reply: str) -> None:
    """What is no object of texts is refused."""
    with pytest.raises(BadRecord):
        telling_apart.parse(reply)


def test_a_text_that_drops_a_limit_is_a_fault() -> None:
    """What stands after the first sentence stays."""
    tool = msgspec.structs.replace(ONE, description="Gets a paid order. At most 5 a day.")
    assert telling_apart.faults(SOUND, tool, OTHER)
    assert telling_apart.faults({**SOUND, "description": "Gets one. At most 5 a day."}, tool, OTHER) == ()
