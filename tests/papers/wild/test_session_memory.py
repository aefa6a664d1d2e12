"""Passwords and tokens: given once, by one call of a message, and never said again."""

from __future__ import annotations

from functools import cache

import pytest

from callwright.author.askable_tools import left_out
from callwright.author.briefs import Known
from callwright.catalog.slots import slots
from callwright.papers.wild.paper import WildOptions
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import Fact, SessionMemory, fits, is_secret, result_facts
from callwright.papers.wild.session_plan import SessionPlanner
from callwright.records.dialogue import Dialogue, Result
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool
from wild_workshop import SEED, catalog, needs_lists, planned


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("password", True),
        ("newPassword", True),
        ("client_secret", True),
        ("accessToken", True),
        ("api_key", True),
        ("cardPin", True),
        ("pinId", False),
        ("keyword", False),
        ("license_key", False),
    ],
)
def test_secrets_are_known_by_their_names(name: str, secret: bool) -> None:
    """A pin board has pins, a card has a PIN."""
    assert is_secret(name) is secret


@cache
def sessions_with_secrets() -> tuple[Dialogue, ...]:
    """Sessions over few tools, of which some take a password."""
    tools = catalog().tools
    taking = [one for one in tools if any(map(is_secret, one.properties)) and not left_out(one)]
    shop = SessionPlanner(Catalog(tools=(*taking, *tools[:12])), WildOptions(), SEED)
    return tuple(planned(shop, lambda _: True, count=12))


@needs_lists
def test_the_assistant_never_repeats_a_secret() -> None:
    """Not in what it reports, and not when asked what something was."""
    secrets = 0
    for made in sessions_with_secrets():
        tasks = [task for task in made.tasks if task.gold]
        values = {str(v) for t in tasks for call in t.gold for name, v in call.values.items() if is_secret(name)}
        said = " ".join(turn.text for turn in made.turns if turn.speaker == "assistant")
        secrets += len(values)
        assert not [value for value in values if value in said]
    assert secrets


@needs_lists
def test_a_task_asks_for_one_secret() -> None:
    """Nobody hands over several passwords in one message."""
    secrets = 0
    for made in sessions_with_secrets():
        for task in made.tasks:
            values = {str(v) for call in task.gold for name, v in call.values.items() if is_secret(name)}
            secrets += len(values)
            assert len(values) <= 1
    assert secrets


def test_a_request_has_a_number_where_everybody_counts_alike() -> None:
    """Some count a chat as a request, or two acts as two, or the same act again as none."""
    for second in (set[str](), {"b", "c"}, {"a"}):
        memory = SessionMemory(tools=[{"a"}, second, {"d"}])
        assert [memory.request_number(task) for task in range(3)] == [1, 0, 0]
    assert SessionMemory(tools=[{"a"}, {"b"}]).request_number(1) == 2


def test_nobody_speaks_of_the_first_of_a_list_that_was_only_counted() -> None:
    """A list is told by names; identifiers are not told."""
    item = {"type": "object", "properties": {"task_id": {"type": "string"}, "name": {"type": "string"}}}
    returns = {"type": "object", "properties": {"tasks": {"type": "array", "items": item}}}
    one = Tool(name="listTasks", description="List tasks.", source="GET /tasks", returns=encode(returns))
    for names, is_told in ((("Pack", "Ship"), True), ((None, None), False)):
        value = {"tasks": [{"task_id": f"T-{n}", "name": name} for n, name in enumerate(names)]}
        facts = list(result_facts(one, Result(value=encode(value)), task=0, call=0, turn=1))
        assert any(fact.entity and fact.ordinal for fact in facts) is is_told


def test_a_place_in_a_list_means_the_one_list_so_far() -> None:
    """`The first project on the list from earlier` could be of either of two lists."""
    schema = {"type": "object", "properties": {"project_id": {"type": "string"}}}
    slot = slots(Tool(name="getProject", parameters=encode(schema)))["project_id"]
    design = TaskDesign(kind="single", hiding="long_range")
    facts = [
        Fact(task, Known(slot, encode(value)), (frozenset(("project",)), ""), 1, call, entity="project", ordinal=1)
        for task, call, value in ((0, 0, "P-1"), (1, 1, "P-2"))
    ]
    one, two = SessionMemory(facts=facts[:1]), SessionMemory(facts=facts)
    assert one.reference(facts[0], design) is not None
    assert two.reference(facts[0], design) is None


def test_two_things_of_one_identifier_are_alike() -> None:
    """A repair case and a complaint are both cases: `close the case you created earlier` could mean either."""
    schema = encode({"type": "object", "properties": {"case_id": {"type": "string"}}})
    slot = slots(Tool(name="closeCase", parameters=schema))["case_id"]
    facts = [
        Fact(task, Known(slot, encode(value)), (frozenset(("case",)), "id"), 1, 0, entity=entity, is_new=True)
        for task, value, entity in ((0, "C-1", "repair case"), (1, "C-2", "complaint"))
    ]
    assert SessionMemory(facts=facts[:1]).is_only(facts[0])
    assert not SessionMemory(facts=facts).is_only(facts[0])


def test_what_was_made_as_a_draft_is_a_draft() -> None:
    """By the state in the result or the words of the tool."""
    returns = encode({"type": "object", "properties": {"invoice_id": {"type": "string"}, "status": {"type": "string"}}})
    for description, status, is_draft in (
        ("Create an invoice.", "DRAFT", True),
        ("Create a draft invoice.", "new", True),
        ("Create an invoice.", "sent", False),
    ):
        one = Tool(name="createInvoice", description=description, source="POST /invoices", returns=returns)
        result = Result(value=encode({"invoice_id": "I-1", "status": status}))
        new = [fact for fact in result_facts(one, result, task=0, call=0, turn=1) if fact.is_new]
        assert new
        assert {fact.is_draft for fact in new} == {is_draft}


def test_several_identifiers_in_one_text_are_no_single_thing() -> None:
    """Nobody means two nodes by `the node I mentioned earlier`."""
    schema = encode({"type": "object", "properties": {"node_ids": {"type": "string", "description": "IDs of nodes."}}})
    tool = Tool(name="renderNodes", description="Render nodes.", parameters=schema)
    for value, is_one in (("12", True), ("12,15", False)):
        fact = Fact(0, Known(slots(tool)["node_ids"], encode(value)), (frozenset(("node",)), "id"), 1, entity="node")
        assert fits(fact, tool, "node_ids", value) is is_one
