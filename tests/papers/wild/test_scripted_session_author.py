"""`builtin/author` in the roles of a session: its requests can be read again by those who see nothing else."""

from __future__ import annotations

from random import Random

from observatory_sessions import CATALOG

import callwright
from callwright.author.role_forms import tool_lines
from callwright.papers.registry import read_prompts
from callwright.papers.wild.scripted_session_author import write_object, write_text
from callwright.papers.wild.session_plan import prepare
from callwright.papers.wild.session_roles import RoleView, role_request
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog

TOOLS = tool_lines(CATALOG.tools, returns=True)


def asked(role: str, view: RoleView) -> Json:
    """What the role replies."""
    request = role_request(role, read_prompts(), view)
    found = write_object(request.messages[1].content, Random(3))
    assert found is not None
    return found


def proposed(**design: object) -> dict[str, Json]:
    """The first task that is proposed."""
    view = RoleView(TOOLS, today="Monday, 2026-03-02")._replace(**design)  # type: ignore[arg-type]
    return asked("author", view)["tasks"][0]  # type: ignore[no-any-return]


def test_what_is_proposed_is_annotated_and_called_alike() -> None:
    """The annotator sees the request alone, the assistant the conversation."""
    task = proposed(kind="single", tool="send_note")
    annotated = asked("annotator", RoleView(TOOLS, text=task["text"]))["calls"]
    moved = asked("assistant", RoleView(TOOLS, [f"Person: {task['text']}"]))["calls"]
    assert [one["name"] for one in annotated] == ["send_note"]
    assert [(one["name"], one["arguments"]) for one in annotated] == [(one["name"], one["arguments"]) for one in moved]


def test_a_kept_back_value_is_asked_for_and_said() -> None:
    """By the noun of its parameter."""
    task = proposed(kind="clarify", tool="release_slot")
    ((name, value),) = task["kept_back"].items()
    question = asked("assistant", RoleView(TOOLS, [f"Person: {task['text']}"]))
    assert (name, question["calls"]) == ("slot_id", [])
    view = RoleView(lines=["Assistant: Which?"], kept_back={"slot ID": value})
    assert (
        write_text(role_request("user", read_prompts(), view).messages[1].content, Random(1))
        == f"The slot ID is {value}."
    )


def test_a_chain_waits_for_its_result() -> None:
    """The annotator refers to it, the assistant calls what is ready."""
    tools = [
        one
        for one in callwright.read_catalog("builtin/enterprise").tools
        if one.name in ("list_tasks_due", "finish_task")
    ]
    shown = tool_lines(prepare(Catalog(tools=tuple(tools))).tools, returns=True)
    task = proposed(tools=shown, kind="multi", topology="S")
    annotated = asked("annotator", RoleView(shown, text=task["text"]))["calls"]
    assert [(one["name"], one["after"]) for one in annotated] == [("list_tasks_due", []), ("finish_task", [1])]
    talk = [f"Person: {task['text']}"]
    assert [one["name"] for one in asked("assistant", RoleView(shown, talk))["calls"]] == ["list_tasks_due"]
    talk += ["Assistant calls list_tasks_due {}", 'list_tasks_due returned {"tasks":[{"task_id":"T-4402"}]}']
    (call,) = asked("assistant", RoleView(shown, talk))["calls"]
    assert call == {"name": "finish_task", "arguments": {"task_id": "T-4402"}}


def test_a_result_fits_its_schema() -> None:
    """It comes from the tool environment."""
    view = RoleView(TOOLS, call='get_slot {"slot_id":"TS-118"}')
    assert asked("tools", view)["result"]["slot_id"] == "TS-118"


def test_other_prompts_are_not_answered() -> None:
    """They are another paper's."""
    assert write_text("Your reply:", Random(1)) == ""
    assert write_object("Your reply:", Random(1)) is None
