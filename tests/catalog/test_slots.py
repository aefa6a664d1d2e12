"""The parameters of a tool as a conversation sees them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from callwright.catalog.slots import assemble, leaves, needed, said_noun, slots
from callwright.catalog.thing_nouns import thing_noun
from callwright.lang.kinds import kind_of
from callwright.lang.nouns import flag_noun, slot_noun
from callwright.lang.tokens import content_stems
from callwright.records.jsontext import JsonText, decode, encode
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
            flag, noun = flag_noun(name, slot.description), slot_noun(name, slot.description, thing_noun(tool))
            assert slot.noun == (flag if slot.kind == "boolean" else noun)


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


# -- leaves ----------------------------------------------------------------------------------------------------------

TEXT: dict[str, Any] = {"type": "string"}


def order_tool(**changes: Any) -> Tool:
    line = {"type": "object", "properties": {"sku": TEXT, "unit.price": {"type": "number"}}, "required": ["sku"]}
    address = {"type": "object", "properties": {"city": TEXT, "zip": TEXT}, "required": ["city"]}
    kind = {"type": "string", "enum": ["order"]}
    properties = {
        "lines": {"type": "array", "items": line},
        "address": address,
        "head": {"type": "object", "properties": {"kind": kind, "note": TEXT}, "required": ["kind"]},
        "tags": {"type": "array", "items": TEXT},
        **changes,
    }
    return Tool(
        name="x", parameters=encode({"type": "object", "properties": properties, "required": ["lines", "head"]})
    )


ORDER: dict[str, Any] = {
    "lines": [{"sku": "A1", "unit.price": 2.5}],
    "head": {"kind": "order", "note": "by noon"},
    "tags": ["a", "b"],
}


def test_a_body_is_said_leaf_by_leaf() -> None:
    """Properties of objects and of the items of a list; plain lists as a whole; nothing that the schema fixes."""
    said = leaves(order_tool(), ORDER)

    assert said == {"lines.0.sku": "A1", "lines.0.unit~1price": 2.5, "head.note": "by noon", "tags": ["a", "b"]}
    assert said.keys() <= slots(order_tool()).keys()
    assert slots(order_tool())["address.city"].label == "city"
    assert assemble(order_tool(), said) == ORDER


def test_what_a_call_needs_depends_on_what_it_has() -> None:
    """A city is needed as soon as an address is given."""
    assert needed(order_tool(), ()) == ("lines.0.sku",)
    assert needed(order_tool(), ("lines.0.sku", "address.zip")) == ("address.city",)


def test_fixed_values_come_with_what_requires_them() -> None:
    """A required object of which nothing is given, too; not an optional one."""
    assert assemble(order_tool(), {"lines.0.sku": "A1"}) == {"lines": [{"sku": "A1"}], "head": {"kind": "order"}}


def test_one_alternative_is_taken_and_said() -> None:
    """The field that tells the alternatives apart is no fixed value."""

    def branch(kind: str, **more: Any) -> dict[str, Any]:
        own = {"kind": {"const": kind}, **more}
        return {"type": "object", "properties": own, "required": list(own)}

    tool = order_tool(lines={"anyOf": [branch("user", login=TEXT), branch("group", id=TEXT)]})

    assert needed(tool) == ("lines.kind", "lines.login")


def test_an_object_of_anything_has_what_its_example_has() -> None:
    """Without one it is a whole; nobody makes up an object."""
    shown = {"type": "object", "additionalProperties": TEXT, "example": {"audience": "internal", "since": 3}}
    tool = order_tool(address=shown, tags={"type": "object"})

    assert {"address.audience", "tags"} <= slots(tool).keys()
    assert "tags.note" not in slots(tool)


def test_what_stands_in_the_path_is_an_identifier() -> None:
    """Of the thing before it, whatever its name says; but for what has a form, such as a day."""
    schema = {
        "type": "object",
        "properties": {"id": TEXT, "project": TEXT, "day": {"type": "string", "format": "date"}},
    }
    tool = Tool(name="x", parameters=encode(schema), source="GET /{project}/tasks/{id}/{day}")

    assert {name: (slot.kind, slot.label) for name, slot in slots(tool).items()} == {
        "id": ("code", "task_id"),
        "project": ("code", "project"),
        "day": ("date", "day"),
    }
    assert slots(tool)["project"].noun.text == "project ID"


_names = st.text("ab.~ü", min_size=1, max_size=3)
_values = st.recursive(
    st.text(max_size=3) | st.integers(),
    lambda inner: st.dictionaries(_names, inner, min_size=1, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(_names, _values, max_size=3))
def test_arguments_come_back_from_their_leaves(arguments: dict[str, Any]) -> None:
    """Whatever the names, dots and tildes included; lists of objects have positions."""
    tool = Tool(name="x", parameters=encode({"type": "object", "properties": {}}))
    wrapped = {"top": {"list": [arguments or {"a": 1}]}}

    assert assemble(tool, leaves(tool, wrapped)) == wrapped


def test_the_form_of_an_answer_in_a_path_is_no_identifier() -> None:
    """`/media/{id}.{format}` takes a file type, not a code."""
    parameters = encode({"type": "object", "properties": {name: {"type": "string"} for name in ("id", "format")}})
    found = slots(Tool(name="get_media", source="GET /media/{id}.{format}", parameters=parameters))
    assert (found["id"].kind, found["format"].kind) == ("code", "other")


def test_what_only_holds_properties_is_no_thing() -> None:
    """`properties.name` of a rule is the rule's name, and not a property's."""
    inner = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    schema = {"type": "object", "properties": {"properties": inner}, "required": ["properties"]}
    tool = Tool(name="updateRule", description="Updates a rule.", parameters=encode(schema), source="PATCH /rules/{id}")

    assert slots(tool)["properties.name"].noun.text == "rule name"


def test_a_name_in_a_path_is_of_what_stands_before_it() -> None:
    """And of what a custom method is done to, where the method's own noun is another."""
    schema = encode({"type": "object", "properties": {"name": {"type": "string", "description": "The name."}}})
    nodes = Tool(
        name="deleteNodes", description="Delete the nodes.", source="DELETE /clusters/{name}/nodes", parameters=schema
    )
    assert slots(nodes)["name"].noun.text == "cluster name"
    form = {"type": "string", "description": "The name of the pool. Format: `regions/{region}/pools/{pool}`"}
    schema = encode({"type": "object", "properties": {"name": form}})
    done = Tool(name="end", description="Complete an upgrade.", source="POST /v1/{name}:complete", parameters=schema)
    assert slots(done)["name"].noun.text == "pool ID"


def test_how_a_filter_compares_is_not_said() -> None:
    assert slot_noun("StatusEquals", "").text == "status"


def test_acts_and_versions_in_a_path_name_nothing() -> None:
    """The name behind `session/get` is the session's."""

    def noun(source: str, name: str) -> str:
        parameters = encode({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]})
        return slots(Tool(name="look", source=source, parameters=parameters))[name].noun.text

    assert noun("GET /session/get/{name}", "name") == "session name"
    assert noun("GET /session/{name}", "name") == "session name"
    assert noun("GET /rest/reviews-v1/{id}/items", "id") == "review ID"


def test_what_holds_all_details_is_not_said() -> None:
    """The currency of an invoice's `detail` is its currency; that of its tip is the tip's."""
    code = {"type": "object", "properties": {"currency_code": {"type": "string"}}}
    parameters = encode({"type": "object", "properties": {"detail": code, "tip": code}})
    found = slots(Tool(name="create_invoice", parameters=parameters))
    assert found["detail.currency_code"].noun.text == "currency code"
    assert found["tip.currency_code"].noun.text == "tip currency code"


def test_the_place_in_a_request_is_not_said() -> None:
    """Of `id` and `id_body` the second is what its description says; without words about it the name stays."""
    for described, said in (("The unique identifier for the shop which is given.", "shop ID"), ("", "body ID")):
        properties = {"id": {"type": "string"}, "id_body": {"type": "string", "description": described}}
        schema = encode({"type": "object", "properties": properties, "required": ["id", "id_body"]})
        tool = Tool(name="attach_guest", description="Attach a guest to a shop.", parameters=schema)
        assert slots(tool)["id_body"].noun.text == said


def test_a_bare_id_beside_several_things_is_of_what_they_belong_to() -> None:
    """The team's, whose players are listed, and the call's, to which participants are added."""
    schema = encode({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]})
    for said, noun in (
        ("Get the players for a specific team.", "team ID"),
        ("Adds new participants to a call.", "call ID"),
        ("Get the media for a team.", "team ID"),
        ("Get a player of a team.", "player ID"),
    ):
        assert slots(Tool(name="x", description=said, parameters=schema))["id"].noun.text == noun


def test_a_bare_body_is_a_text_unless_it_is_what_is_said() -> None:
    """The text of an article; a comment is its own words, and a file is a file."""
    for name, form, noun in (
        ("create_article", {}, "text"),
        ("create_comment", {}, "comment"),
        ("upload_file", {"format": "binary"}, "file"),
    ):
        schema = {"type": "object", "properties": {"body": {"type": "string", **form}}, "required": ["body"]}
        said = f"{name.replace('_', ' a ').capitalize()}."
        assert slots(Tool(name=name, description=said, parameters=encode(schema)))["body"].noun.text == noun


def test_a_name_is_of_the_thing_that_an_address_ends_with() -> None:
    """`PATCH /members/{id}` may speak of the address that it changes: the name beside it is the member's."""
    parameters = {"member_id": {"type": "integer"}, "name": {"type": "string"}, "street": {"type": "string"}}
    tool = Tool(
        name="updateMember",
        description="Change address or phone.",
        source="PATCH /members/{member_id}",
        parameters=encode({"type": "object", "properties": parameters, "required": ["member_id"]}),
    )
    assert [slot.noun.text for slot in slots(tool).values()] == ["member ID", "member name", "street"]


def test_a_bare_unit_is_called_by_its_measure() -> None:
    """People say a weight, not a kg."""
    assert [slot_noun(name, "").text for name in ("kg", "lbs", "km", "weight_kg", "temp_c", "dose_mg")] == [
        "weight", "weight", "distance", "weight", "temperature", "dose"
    ]  # fmt: skip


def test_what_is_booked_has_no_name_of_its_own() -> None:
    """The name beside it is that of the guest."""
    names = encode({"type": "object", "properties": {"name": {"type": "string"}}})
    booked, made = (Tool(name=f"{act}_slot", parameters=names) for act in ("book", "create"))
    assert [slots(tool)["name"].noun.text for tool in (booked, made)] == ["name", "slot name"]


def test_a_description_tells_where_something_goes() -> None:
    """What `to` and `into` say is read off it; without one it is the thing of the tool."""
    assert slot_noun("to", "target vessel", "lees").text == "target vessel"
    assert slot_noun("into", "paddock for the drafted sheep", "mob").text == "paddock for the drafted sheep"
    assert slot_noun("to", "The ID of the account to credit.", "transfer").text == "target account ID"
    assert slot_noun("to", "", "account").text == "target account"


def test_a_bound_of_a_number_stands_before_it() -> None:
    """Nobody says `number of minimum bells`."""
    count = encode({"type": "object", "properties": {name: {"type": "integer"} for name in ("minimum_bells", "bells")}})
    said = [said_noun(slot) for slot in slots(Tool(name="find_towers", parameters=count)).values()]
    assert sorted(said) == ["minimum number of bells", "number of bells"]
