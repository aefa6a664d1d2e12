"""What a value of a parameter stands for, as a later request refers to it."""

from __future__ import annotations

import pytest

from callwright.catalog.slots import slots
from callwright.papers.wild.task_briefs import entity_of
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


@pytest.mark.parametrize(
    ("name", "entity"), [("songId", "song"), ("channelName", "channel"), ("shortName", "short name")]
)
def test_an_adjective_alone_stands_for_nothing(name: str, entity: str) -> None:
    parameters = encode({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]})
    assert entity_of(slots(Tool(name="find", parameters=parameters))[name]) == entity
