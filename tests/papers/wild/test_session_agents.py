"""Sessions whose roles a script plays: what is kept, and by which name everything else falls."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from observatory_sessions import (
    BOOK,
    CHAIN,
    CHAT,
    CLARIFY,
    EARLIER,
    PICK,
    SESSIONS,
    SINGLE,
    SLOT,
    THAT,
    Cast,
    Script,
    Sort,
    gold,
    move,
    played,
    propose,
    returns,
)

from callwright.environment.result_faults import result_faults
from callwright.papers.wild.untold_values import unfounded_words
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.dialogue import Call, Dialogue, Result, Step, Turn
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


def notes(dialogue: Dialogue) -> WildPlan:
    assert isinstance(dialogue.annotation, WildPlan)
    return dialogue.annotation


def session_of(name: str) -> tuple[list[Sort], Cast]:
    sorts, script = SESSIONS[name]
    return sorts, Cast(script)


@pytest.mark.parametrize("name", SESSIONS)
def test_clean_sessions_are_kept(name: str) -> None:
    """Written by hand; nothing is asked twice, and every reply is used."""
    sorts, script = SESSIONS[name]
    cast = Cast(script)
    made = asyncio.run(played(sorts, cast))
    assert [(one.code, one.message) for one in made.issues] == []
    assert cast.left == []
    assert [task.kind for task in made.dialogue.tasks] == [one.kind for one in sorts]


def test_gold_is_the_annotation_with_what_was_returned() -> None:
    """A referred value is what the trajectory called, and the result is that of the call."""
    (task,) = asyncio.run(played(*session_of("chain"))).dialogue.tasks
    assert [(one.tool, one.values, one.after) for one in task.gold] == [
        (*BOOK, ()),
        ("send_note", {"to": "ana@sky.org", "body": "The slot is TS-118."}, (0,)),
    ]
    assert all(one.result and one.result.value for one in task.gold)


def test_hidden_values_are_recorded_with_their_places() -> None:
    """Of a later request: the result of an earlier call, two tasks before."""
    dialogue = asyncio.run(played(*session_of("long range"))).dialogue
    (place,) = [one for one in notes(dialogue).hidden if one.task == 2]
    assert (place.parameter, place.value, place.distance) == ("slot_id", '"TS-118"', 2)
    assert (place.origin.task, place.origin.call, place.origin.path) == (0, 0, "/slot_id")


def test_the_scenario_holds_no_gold() -> None:
    """Tools, kinds, topology, hiding and the tool of tasks of one call; the gold is the dialogue's."""
    scenario = asyncio.run(played(*session_of("coreference"))).dialogue.scenario
    assert scenario is not None
    assert not any(task.gold or task.goal or task.missing for task in scenario.tasks)
    assert isinstance(scenario.annotation, WildPlan)
    assert (scenario.annotation.one_calls, scenario.annotation.hidden) == (("book_telescope", "get_slot"), ())


def test_the_same_call_returns_the_same_without_asking() -> None:
    """In a later task; the tools are asked for it once, and the task falls as one that asks for what is known."""
    sorts, script = SESSIONS["coreference"]
    again = [
        propose("Please look at that one once more.", left_out="TS-118"),
        *[one for one in THAT[1:] if one[0] != "tools"],
    ]
    cast = Cast([*script, *again, *again])
    made = asyncio.run(played([*sorts, sorts[1]], cast))
    assert [issue.code for issue in made.issues] == ["redundant_call"]
    assert (len(cast.asked["tools"]), cast.left) == (2, [])


def test_the_annotator_sees_no_trajectory_and_the_assistant_no_gold() -> None:
    """Nor does the assistant see what is kept back, or what the design asks for."""
    sorts, cast = session_of("clarify")
    asyncio.run(played(sorts, cast))
    annotator, first = cast.asked["annotator"][0], cast.asked["assistant"][0]
    assert "Sure, which one?" not in str(annotator)
    assert "TS-090" in str(annotator)
    assert "TS-090" not in str(first)
    assert "clarify" not in str(first)


def test_what_the_assistant_is_sent_does_not_depend_on_the_gold() -> None:
    """Another annotation with the same words gives the same requests, retries included."""
    bad = move("", ("book_telescope", {"day": "2026-04-01"}))
    seen = []
    for annotated in (gold((*BOOK, [])), gold(("get_slot", {"slot_id": "2026-03-04"}, []))):
        sorts = [Sort("single", annotated[1]["calls"][0]["name"])]
        cast = Cast([*SINGLE[:2], annotated, bad, *SINGLE[3:], *SINGLE])
        asyncio.run(played(sorts, cast))
        seen.append(cast.asked["assistant"][:3])
    assert seen[0] == seen[1]
    assert len(seen[0][1].messages) == 4


def changed(script: Script, position: int, *replies: tuple[str, Any]) -> Script:
    """The script with other replies in place of one."""
    return [*script[:position], *replies, *script[position + 1 :]]


def without(reply: tuple[str, Any], **fields: Any) -> tuple[str, Any]:
    return reply[0], {**reply[1], **fields}


NOTE = ("send_note", {"to": "ana@sky.org", "body": "The slot is TS-118."})
ASKED_AGAIN: dict[str, tuple[str, Script, int, tuple[str, Any], str]] = {
    "a value is made up": ("single", SINGLE, 3, move("", (BOOK[0], {"day": "2026-05-01"})), "value_never_said"),
    "an unknown tool": ("single", SINGLE, 3, move("", ("fly_to_moon", {})), "unknown_tool"),
    "an unknown parameter": ("single", SINGLE, 3, move("", (BOOK[0], {**BOOK[1], "seat": "1"})), "unknown_parameter"),
    "a required value is left out": ("single", SINGLE, 3, move("", ("book_telescope", {})), "type_error"),
    "a type": ("single", SINGLE, 3, move("", ("book_telescope", {"day": 4})), "type_error"),
    "the same call twice": ("chain", CHAIN, 5, move("", BOOK), "redundant_call"),
    "nothing is thought": ("single", SINGLE, 3, move("", BOOK, thought=""), "no_thought"),
    "nothing is said or done": ("single", SINGLE, 3, move(), "empty_text"),
    "a tool's name is said": ("single", SINGLE, 5, move("book_telescope gave TS-118."), "identifier_leaked"),
    "the closing has another slot": ("single", SINGLE, 5, move("Done, it is TS-119."), "value_not_told"),
    "the closing has another day": ("single", SINGLE, 5, move("You have it on March 5th, TS-118."), "value_not_told"),
    "a result without its form": ("single", SINGLE, 4, returns({"slot_id": 118}), "result_unlike_schema"),
    "a result contradicts an earlier one": (
        "coreference", [*SINGLE, *THAT], 10, returns({**SLOT, "day": "2026-03-07"}), "result_contradicts",
    ),
    "a result is about another thing": (
        "coreference", [*SINGLE, *THAT], 10, returns({**SLOT, "slot_id": "TS-555"}), "result_contradicts",
    ),
    "gold with an unknown tool": ("single", SINGLE, 2, gold(("look_up", {}, [])), "unknown_tool"),
    "gold with a value made up": (
        "single", SINGLE, 2, gold(("book_telescope", {"day": "2026-05-01"}, [])), "value_never_said",
    ),
    "gold flows without `after`": (
        "chain", CHAIN, 2, gold((*BOOK, []), (NOTE[0], {"to": "ana@sky.org", "body": {"result_of": 1}}, [])),
        "flow_without_after",
    ),
    "gold has `after` without a flow": (
        "parallel", SESSIONS["parallel"][1], 2, gold((*BOOK, []), ("book_telescope", {"day": "2026-03-09"}, [1])),
        "after_without_flow",
    ),
    "gold needs a later call": (
        "chain", CHAIN, 2, gold((*BOOK, [2]), (NOTE[0], {"to": "ana@sky.org", "body": {"result_of": 1}}, [1])),
        "bad_dependency",
    ),
    "the user does not say the value": ("clarify", CLARIFY, 4, ("user", "The small one."), "value_never_said"),
    "the user says a parameter": ("clarify", CLARIFY, 4, ("user", "slot_id is TS-090"), "identifier_leaked"),
    "a pick that is not there": ("single", SINGLE, 1, ("checker", {"why": "-", "pick": 7}), "no_task_picked"),
}  # fmt: skip


@pytest.mark.parametrize("defect", ASKED_AGAIN)
def test_a_fault_is_asked_again_and_then_mended(defect: str) -> None:
    """The refused reply is no turn; the role is told why."""
    name, script, position, bad, _ = ASKED_AGAIN[defect]
    cast = Cast(changed(script, position, bad, script[position]))
    made = asyncio.run(played(SESSIONS[name][0], cast))
    assert (made.issues, cast.left) == ((), [])
    retry = next(one for one in cast.asked[bad[0]] if len(one.messages) == 4)
    assert retry.messages[3].content.startswith("That cannot be used: ")


@pytest.mark.parametrize("defect", ASKED_AGAIN)
def test_a_fault_that_stays_lets_the_task_fall_by_its_name(defect: str) -> None:
    """After three replies the task is tried once more from its proposal; then the session is rejected."""
    name, script, position, bad, code = ASKED_AGAIN[defect]
    begin = 6 if name == "coreference" else 0
    once = [*script[begin:position], bad, bad, bad]
    made = asyncio.run(played(SESSIONS[name][0], Cast([*script[:begin], *once, *once])))
    assert [issue.code for issue in made.issues] == [code]


FALLS: dict[str, tuple[list[Sort], Script, str]] = {
    "a task of another topology": (
        [Sort("multi", topology="P")], CHAIN[:3], "unlike_design",
    ),
    "a task of another tool": ([Sort("single", "get_slot")], SINGLE[:3], "unlike_design"),
    "a chat that needs a tool": ([Sort("chat")], [*SINGLE[:3]], "unlike_design"),
    "the checker takes none": (
        [Sort("single", "book_telescope")], [SINGLE[0], ("checker", {"why": "dull", "pick": 0})], "no_task_picked",
    ),
    "the request says a tool's name": (
        [Sort("single", "book_telescope")], [propose("Call book_telescope for 2026-03-04.")], "identifier_leaked",
    ),
    "nothing is missing": ([Sort("clarify", "release_slot")], [propose("Give it up.")], "nothing_missing"),
    "what is missing was said": (
        [Sort("clarify", "release_slot")], [propose("Give up TS-090.", slot_id="TS-090")], "missing_value_known",
    ),
    "a call where a value is missing": (
        [Sort("clarify", "get_slot")],
        [
            propose("Is my slot confirmed?", slot_id="TS-090"), PICK, gold(("get_slot", {"slot_id": "TS-090"}, [])),
            move("", BOOK), move("", BOOK), move("", BOOK),
        ],
        "value_never_said",
    ),
    "a call in a chat": (
        [Sort("chat")],
        [propose("Nice night, this 2026-03-04, is it not?"), PICK, gold(), move("", BOOK)], "call_in_chat",
    ),
    "the assistant asks instead of calling": (
        [Sort("single", "book_telescope")], [*SINGLE[:3], move("At what time?")], "not_accomplished",
    ),
    "one call too many": (
        [Sort("single", "book_telescope")],
        [
            *SINGLE[:5], move("", ("get_slot", {"slot_id": "TS-118"})), returns(SLOT), SINGLE[5],
        ],
        "not_accomplished",
    ),
    "an optional value that nobody wants": (
        [Sort("single", "book_telescope")],
        [*SINGLE[:3], move("", (BOOK[0], {**BOOK[1], "target": "the moon"})), *SINGLE[4:]], "not_accomplished",
    ),
    "a note without the slot": (
        [Sort("multi", topology="S")],
        [*CHAIN[:5], move("", ("send_note", {"to": "ana@sky.org", "body": "See you"})), *CHAIN[6:]],
        "not_accomplished",
    ),
    "a value flows that the gold does not name": (
        [Sort("multi", topology="P")],
        [
            propose("Book 2026-03-04 for me and write to ana@sky.org what we have."), PICK,
            gold((*BOOK, []), ("send_note", {"to": "ana@sky.org", "body": "The slot is TS-118"}, [])),
            move("", BOOK), returns(SLOT), move("", NOTE), returns({"note_id": "N-1"}), move("All is done."),
        ],
        "flow_without_after",
    ),
    "a value that was said already flows": (
        [Sort("multi", topology="S")],
        [
            propose("Get me the telescope on 2026-03-04 and mail that day to ana@sky.org."), PICK,
            gold((*BOOK, []), ("send_note", {"to": "ana@sky.org", "body": {"result_of": 1}}, [1])),
            move("", BOOK), returns(SLOT),
            move("", ("send_note", {"to": "ana@sky.org", "body": "2026-03-04"})), returns({"note_id": "N-1"}),
            move("All is done."),
        ],
        "after_without_flow",
    ),
}  # fmt: skip


@pytest.mark.parametrize("defect", FALLS)
def test_a_task_that_is_not_what_it_should_be_falls(defect: str) -> None:
    """At once, and for good after its second try."""
    sorts, script, code = FALLS[defect]
    made = asyncio.run(played(sorts, Cast([*script, *script])))
    assert [issue.code for issue in made.issues] == [code]
    assert made.issues[0].where == "tasks[0]"


LATER: dict[str, tuple[list[Sort], Script, str]] = {
    "what is hidden is said": (
        SESSIONS["coreference"][0], [propose("Is TS-118 confirmed?", left_out="TS-118")], "hidden_value_said",
    ),
    "what is hidden is nowhere": (
        SESSIONS["coreference"][0], [propose("Is that one confirmed?", left_out="TS-222")], "nothing_hidden",
    ),
    "the request says all it needs": (
        SESSIONS["coreference"][0],
        [propose("Is slot TS-118 confirmed by now?", left_out="the telescope"), *THAT[1:]], "nothing_hidden",
    ),
    "a chat that refers to nothing": (
        SESSIONS["long range"][0][:2],
        [propose("Have you ever wondered why stars twinkle and planets do not?", left_out="the telescope")],
        "nothing_hidden",
    ),
    "the last exchange has what comes from far": (
        [*SESSIONS["coreference"][0][:1], Sort("single", "release_slot", hiding="long_range")],
        EARLIER[:1], "nothing_hidden",
    ),
    "a request is repeated": (
        [Sort("single", "book_telescope"), Sort("chat")], [propose(SINGLE[0][1]["tasks"][0]["text"])], "turn_repeated",
    ),
}  # fmt: skip


@pytest.mark.parametrize("defect", LATER)
def test_a_later_task_hides_what_the_design_asks_for(defect: str) -> None:
    """Else it falls; the tasks before it stay as they are."""
    sorts, script, code = LATER[defect]
    made = asyncio.run(played(sorts, Cast([*SINGLE, *script, *script])))
    assert [issue.code for issue in made.issues] == [code]
    assert made.issues[0].where == "tasks[1]"


def test_a_second_try_may_be_kept() -> None:
    """The first one leaves nothing behind."""
    made = asyncio.run(played([Sort("single", "book_telescope")], Cast([*SINGLE[:3], move("When?"), *SINGLE])))
    assert made.issues == ()
    assert len(made.dialogue.turns) == 2


def test_the_author_hears_why_a_proposal_fell() -> None:
    """The second proposal is asked for with the reason; the first one has none."""
    cast = Cast([*SINGLE[:3], move("When?"), *SINGLE])
    asyncio.run(played([Sort("single", "book_telescope")], cast))
    first, second = (request.messages[-1].content for request in cast.asked["author"])
    assert "could not be used" not in first
    assert "could not be used: " in second


def test_the_author_hears_what_is_wrong_with_proposals() -> None:
    """In words, where none of them passes the rules."""
    cast = Cast([propose("Give it up."), propose("Give up TS-090.", slot_id="TS-090")])
    made = asyncio.run(played([Sort("clarify", "release_slot")], cast))
    assert "it keeps back no required value" in cast.asked["author"][1].messages[-1].content
    assert "was said or returned before" in made.issues[0].message


@pytest.mark.parametrize(("name", "faults"), [("convert_note", 0), ("update_note", 1)])
def test_what_is_made_of_a_thing_has_an_identifier_of_its_own(name: str, faults: int) -> None:
    """A task that a note was converted to is another thing; an updated note is the same."""
    schema = encode({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]})
    text = f"{name.partition('_')[0].capitalize()} a note."
    source = "PUT /notes/{id}" + ("/convert" if name == "convert_note" else "")
    tool = Tool(name=name, description=text, parameters=schema, returns=encode({"type": "object"}), source=source)
    dialogue = asyncio.run(played(*session_of("single"))).dialogue
    made = list(result_faults({"id": "T-9"}, Call(name, encode({"id": "N-4"})), {name: tool}, dialogue))
    assert [one.code for one in made] == ["result_contradicts"] * faults


def test_things_of_one_owner_are_no_contradiction() -> None:
    """Two files of a folder may differ in all but the folder; one file may not."""
    schema = encode({"type": "object", "properties": {"file_id": {"type": "string"}}, "required": ["file_id"]})
    tool = Tool(name="get_file", description="Get a file.", parameters=schema, returns=encode({"type": "object"}))
    tools = {tool.name: tool}
    first = {"file_id": "F-1", "folder_id": "D-7", "name": "a.txt"}
    step = Step(calls=(Call("get_file", encode({"file_id": "F-1"})),), results=(Result(value=encode(first)),))
    made = asyncio.run(played(*session_of("single"))).dialogue
    dialogue = msgspec.structs.replace(made, turns=(Turn("user", "Hi."), Turn("assistant", steps=(step,))))
    for value, faults in (({**first, "file_id": "F-2", "name": "b.txt"}, 0), ({**first, "name": "b.txt"}, 1)):
        call = Call("get_file", encode({"file_id": value["file_id"]}))
        assert len(list(result_faults(value, call, tools, dialogue))) == faults


HOURS = {"mon": {"startTime": 900, "endTime": 1730}, "spent": [{"amount": -11400}, {"amount": -24800}], "id": "886"}


@pytest.mark.parametrize(
    ("text", "unfounded"),
    [
        ("It opens on Mondays at 9:00 and closes at 17:30.", []),
        ("You paid 11.40 and 24.80, 36.20 in all.", []),
        ("It opens on Friday at 10:00.", ["Friday", "10:00"]),
        ("You paid 24.90, or 25,000.", ["24.90", "25,000"]),
    ],
)
def test_an_assistant_may_work_out_what_it_tells(text: str, unfounded: list[str]) -> None:
    """Clock times from 900, weekdays from `mon`, amounts from thousandths, and sums; no other numbers."""
    made = asyncio.run(played(*session_of("single"))).dialogue
    step = Step(calls=(Call("get_file", encode({})),), results=(Result(value=encode(HOURS)),))
    dialogue = msgspec.structs.replace(made, turns=(Turn("user", "Hi."), Turn("assistant", steps=(step,))))
    assert [said for said, _ in unfounded_words(text, dialogue)] == unfounded


def test_an_identifier_is_the_same_as_text_or_number() -> None:
    """A tool may take an integer and return a text."""
    schema = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    returns = {"type": "object", "properties": {"id": {"type": "string"}, "size": {"type": "integer"}}}
    tool = Tool(name="get_file", description="Get a file.", parameters=encode(schema), returns=encode(returns))
    made = asyncio.run(played(*session_of("single"))).dialogue
    dialogue = msgspec.structs.replace(made, turns=(Turn("user", "Hi."),))
    call = Call("get_file", encode({"id": 886}))
    assert not list(result_faults({"id": "886"}, call, {tool.name: tool}, dialogue))
    (broken,) = result_faults({"id": "886", "size": "big"}, call, {tool.name: tool}, dialogue)
    assert broken.told.endswith('returns: size: "big" is not of type "integer"')


def test_a_chat_may_say_what_no_tool_has_told() -> None:
    """Only what a closing reports is compared with the results."""
    made = asyncio.run(played([Sort("chat")], Cast([*CHAT[:3], move("Ptolemy listed 1,022 of them in the year 150.")])))
    assert made.issues == ()
