"""Tasks of several calls: what flows between them is a thing, and what stands beside is about the same one."""

from __future__ import annotations

from collections.abc import Iterator

from callwright.catalog.slots import slots
from callwright.environment.tool_target import target_of
from callwright.lang.verbs_of_acts import CHANGES, LOOKUPS
from callwright.papers.wild.gold_calls import PlannedCall, Source
from callwright.papers.wild.multi_tasks import is_so_already, says_first
from callwright.papers.wild.task_builder import varied
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.dialogue import Dialogue, Result, Task
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from wild_workshop import needs_lists, sessions, tools_of


def multis(topology: str) -> Iterator[tuple[Dialogue, Task]]:
    """Yield every task of this topology in a kept session."""
    for made in sessions():
        plan = made.dialogue.annotation
        for position, task in enumerate(made.dialogue.tasks if isinstance(plan, WildPlan) and not made.issues else ()):
            if isinstance(plan, WildPlan) and plan.topologies[position] == topology:
                yield made.dialogue, task


def test_parallel_calls_share_a_tool_or_a_value() -> None:
    """Nobody asks in one breath for things that have nothing to do with each other."""
    assert any(multis("P"))
    for _, task in multis("P"):
        shared = set.intersection(*(set(map(encode, gold.values.values())) for gold in task.gold))
        assert shared or len({gold.tool for gold in task.gold}) == 1
        assert not any(gold.after for gold in task.gold)


def test_no_call_changes_or_deletes_what_the_message_creates() -> None:
    """Nor is anything deleted that the person has not seen."""
    chains = [(dialogue, task) for topology in ("S", "S+P") for dialogue, task in multis(topology)]
    assert chains
    for dialogue, task in chains:
        tools = tools_of(dialogue)
        for gold in task.gold:
            for parent in gold.after:
                first, then = target_of(tools[task.gold[parent].tool]), target_of(tools[gold.tool])
                assert then.act != "delete" or first.act == "read"
                is_kept = then.verb in LOOKUPS | CHANGES and first.noun == then.noun
                assert not (first.act == "create" and then.own and is_kept)


@needs_lists
def test_what_a_call_takes_of_a_result_is_a_thing() -> None:
    """An identifier, a place, or the name of something listed; no text, amount or choice."""
    kinds = {
        slots(tools_of(dialogue)[gold.tool])[name].kind
        for dialogue, task in multis("S")
        for gold in task.gold
        for name, value in gold.values.items()
        if any(encode(value) in str(task.gold[parent].result) for parent in gold.after) and gold.after
    }
    assert "code" in kinds or "title" in kinds
    assert not kinds & {"money", "count", "percent", "boolean"}


def test_a_source_is_resolved_in_the_result() -> None:
    """By its pointer; nothing where the result has no such place."""
    tool = Tool(name="look", description="Look.", parameters=encode({"type": "object", "properties": {}}))
    calls = [PlannedCall(0, tool, "look", {}, result=Result(value=encode({"items": [{"id": "7"}]})))]
    assert Source(0, "/items/0/id").value(calls) == "7"
    assert Source(0, "/items/1/id").value(calls) is None


def test_nobody_gives_one_name_to_several_things() -> None:
    """Also where the name lies in the body: `the same for another clip` is not said after a renaming."""
    body = {"type": "object", "properties": {"name": {"type": "string"}, "volume": {"type": "integer"}}}
    schema = {"type": "object", "properties": {"clip_id": {"type": "string"}, "data": body}, "required": ["clip_id"]}
    update = Tool(name="updateClip", description="Update a clip.", parameters=encode(schema), source="PUT /c/{clip_id}")
    assert varied(update, {"clip_id": "7", "data": {"volume": 3}}) == "clip_id"
    assert varied(update, {"clip_id": "7", "data": {"name": "Intro"}}) == ""


def test_nobody_says_the_same_thing_before_it_was_named() -> None:
    """`The same tag` comes after `tag 7`."""
    tool = Tool(name="tag", description="Add a tag.", parameters=encode({"type": "object", "properties": {}}))
    names = PlannedCall(0, tool, "tag", {"tag": "7"})
    repeats = PlannedCall(0, tool, "tag", {"tag": "7"}, ways={"tag": "again"})
    assert says_first([names, repeats])
    assert not says_first([repeats, names])


def test_calls_for_several_parts_differ_in_the_part() -> None:
    """A part of one conversation is in no other one."""
    names = {"conversation_id": {"type": "string"}, "conversation_part_id": {"type": "string"}}
    redact = Tool(
        name="redactConversation",
        source="POST /conversations/{conversation_id}/redact",
        description="Redact a conversation part.",
        parameters=encode({"type": "object", "properties": names, "required": [*names]}),
    )
    assert varied(redact, {"conversation_id": "7", "conversation_part_id": "9"}) == "conversation_part_id"


def test_nobody_adds_what_a_list_says_is_there() -> None:
    """The labels of a parcel are on that parcel; another parcel can get them."""
    by_parcel = {"type": "object", "properties": {"parcel_id": {"type": "string"}, "label_id": {"type": "string"}}}
    listing = Tool(name="listLabels", description="List the labels of a parcel.", parameters=encode(by_parcel))
    adding = Tool(name="addLabel", description="Add a label to a parcel.", parameters=encode(by_parcel))
    source = PlannedCall(0, listing, "listLabels", {"parcel_id": "P-1"})
    same = PlannedCall(1, adding, "addLabel", {"parcel_id": "P-1", "label_id": "L"}, ways={"parcel_id": "again"})
    other = PlannedCall(1, adding, "addLabel", {"parcel_id": "P-2", "label_id": "L"}, ways={"parcel_id": "said"})
    assert is_so_already(same, source)
    assert not is_so_already(other, source)
