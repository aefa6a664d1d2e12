"""DICE-BENCH in our records, and back without loss."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from callwright.models.chat import ChatRequest, Message
from callwright.models.conversation import Calling, encode_request
from callwright.papers.dice import published_functions
from callwright.papers.dice.published_rounds import ASSISTANT, to_dialogue, to_record
from callwright.protocol.shown_dialogue import request
from callwright.protocol.turn_messages import messages_of
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Dialogue, Participant
from callwright.records.jsontext import decode
from callwright.records.tool import Catalog

FIELDS = {"role", "content", "tool_calls", "tool_call_id"}
"""What messages between one user and an assistant have."""


def read(folder: Path, rounds: int) -> list[dict[str, Any]]:
    """Return the dialogues of one length."""
    documents: list[dict[str, Any]] = json.loads((folder / f"round_{rounds}.json").read_text(encoding="utf-8"))
    return documents


@pytest.fixture(scope="module")
def catalog(shared_data: Path) -> Catalog:
    """The 124 published tools."""
    text = (shared_data / "dice" / "tool_docs.json").read_text(encoding="utf-8")
    return published_functions.read(json.loads(text), source="tool_docs.json")


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
def test_nothing_is_lost(shared_data: Path, catalog: Catalog, rounds: int) -> None:
    """Every dialogue comes back equal, through a line of JSON."""
    documents = read(shared_data / "dice", rounds)
    assert documents
    for document in documents:
        dialogue = from_line(to_line(to_dialogue(document, catalog, where="dice")), Dialogue, where="dice")

        assert to_record(dialogue, catalog.by_key) == document


def test_each_round_is_a_task(shared_data: Path, catalog: Catalog) -> None:
    """A dialogue of three rounds: three speakers, three tasks, each asked for just before the assistant's call."""
    dialogue = to_dialogue(read(shared_data / "dice", 3)[0], catalog, where="dice")

    assert [who.id for who in dialogue.participants] == ["agent_a", "agent_b", ASSISTANT]
    assert len(dialogue.tasks) == 3
    for task in dialogue.tasks:
        assert task.turn is not None
        answer = dialogue.turns[task.turn + 1]
        assert dialogue.role(answer) == "assistant"
        assert [(call.tool, call.values) for call in answer.calls] == [(gold.tool, gold.values) for gold in task.gold]


def test_tool_documents_are_kept(shared_data: Path, catalog: Catalog) -> None:
    """Every published tool document can be had again from its tool."""
    text = (shared_data / "dice" / "tool_docs.json").read_text(encoding="utf-8")

    assert [decode(tool.raw) for tool in catalog.tools if tool.raw] == json.loads(text)["functions"]


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
@pytest.mark.parametrize("calling", ["native", "prompted"])
def test_who_said_what_survives_into_the_request(
    shared_data: Path, catalog: Catalog, rounds: int, calling: Calling
) -> None:
    """Every user's turn reaches the server with the id of its speaker, in both ways of calling."""
    documents = read(shared_data / "dice", rounds)
    assert documents
    for document in documents:
        dialogue = to_dialogue(document, catalog, where="dice")
        said = [(turn.speaker, turn.text) for turn in dialogue.turns if dialogue.role(turn) == "user"]
        assert len({speaker for speaker, _ in said}) > 1

        shown = request("", dialogue, (), dialogue.turns).messages
        for messages in (tuple(messages_of(dialogue, dialogue.turns)), shown):
            body = json.loads(encode_request("m", ChatRequest(messages), calling=calling, level="json_object"))
            sent = [one for one in body["messages"] if one["role"] == "user"]
            told = [one for one in sent if not one["content"].startswith("What the tools returned:")]

            assert [one["content"].partition(": ")[::2] for one in told] == said
            assert all(set(one) == {"role", "content"} for one in told)


@pytest.mark.parametrize("calling", ["native", "prompted"])
def test_a_request_with_one_user_is_as_it_was(shared_data: Path, catalog: Catalog, calling: Calling) -> None:
    """The same turns, all said by one user, are sent without a name, whatever the user's id and name."""
    document = read(shared_data / "dice", 2)[0]
    group = to_dialogue(document, catalog, where="dice")
    ann = Participant("ann", "user", "Ann")
    turns = [replace(turn, speaker="ann") if group.role(turn) == "user" else turn for turn in group.turns]
    dialogue = replace(group, participants=(ann, Participant(ASSISTANT, "assistant")), turns=tuple(turns))
    messages = tuple(messages_of(dialogue, dialogue.turns))
    plain = tuple(Message(one.role, one.content, one.calls, one.call_id) for one in messages)

    assert messages == plain
    sent = encode_request("m", ChatRequest(messages), calling=calling, level="json_object")
    assert b'"name":"ann"' not in sent.lower()
    assert b"ann: " not in sent.lower()
    assert all(set(one) <= FIELDS for one in json.loads(sent)["messages"])


def test_names_are_sent_where_they_tell_users_apart(shared_data: Path, catalog: Catalog) -> None:
    """Two users of one name are known by their ids, others by their names."""
    group = to_dialogue(read(shared_data / "dice", 1)[0], catalog, where="dice")
    first, second, *rest = group.participants

    def names(one: str, other: str) -> set[str]:
        named = (replace(first, name=one), replace(second, name=other), *rest)
        dialogue = replace(group, participants=named)
        return {message.said_by for message in messages_of(dialogue, dialogue.turns) if message.role == "user"}

    assert names("Ann", "Ben") == {"Ann", "Ben"}
    assert names("Ann", "Ann") == {first.id, second.id}
    assert names("Ann", "") == {"Ann", second.id}
    assert names(second.id, "Ben") == {first.id, "Ben"}
