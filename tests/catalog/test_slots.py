"""The parameters of a tool as a conversation sees them."""

from __future__ import annotations

from callwright.catalog.slots import slots
from callwright.lang.kinds import kind_of
from callwright.lang.nouns import slot_noun
from callwright.lang.tokens import content_stems
from callwright.records.jsontext import JsonText, decode
from callwright.records.tool import Tool
from diaforge_builders import bundled


def test_every_documented_parameter_is_a_slot() -> None:
    """With its noun, its kind and its own schema."""
    for tool in bundled().tools:
        found = slots(tool)
        assert list(found) == list(tool.properties)
        for name, slot in found.items():
            assert slot.name == name
            assert decode(slot.schema) == tool.properties[name]
            assert slot.kind == kind_of(name, tool.properties[name])
            assert slot.noun == slot_noun(name, slot.description)


def test_a_slot_is_asked_for_by_the_words_of_its_noun() -> None:
    """By its consequence where it is a matter of yes and no."""
    asked_for = [slot for tool in bundled().tools for slot in slots(tool).values()]
    assert {bool(slot.noun.consequence) for slot in asked_for} == {True, False}
    for slot in asked_for:
        assert slot.stems == frozenset(content_stems(slot.noun.consequence or slot.noun.text))


def test_slots_of_a_tool_are_made_once() -> None:
    """Two tools of one name and different documents do not share them."""
    one = Tool(name="x", parameters=JsonText('{"properties":{"a":{"type":"string"}},"type":"object"}'))
    other = Tool(name="x", parameters=JsonText('{"properties":{"b":{"type":"string"}},"type":"object"}'))

    assert slots(one) is slots(one)
    assert list(slots(other)) == ["b"]


def test_odd_schemas_give_slots_all_the_same() -> None:
    """A description that is no text, a schema that is no object, no properties at all."""
    odd = Tool(name="odd", parameters=JsonText('{"properties":{"a":{"description":7},"b":true}}'))

    assert [slot.description for slot in slots(odd).values()] == ["", ""]
    assert slots(Tool(name="none")) == {}
    assert slots(Tool(name="list", parameters=JsonText("[]"))) == {}
