"""The user's side of a dialogue that models play."""

from __future__ import annotations

import msgspec
import pytest

from callwright.errors import BadRecord
from callwright.models.chat import ChatReply
from callwright.papers.diaforge.user_agent import invented, read_message, user_faults_in, user_request
from callwright.papers.diaforge.user_policy import gold_known
from callwright.papers.registry import read_prompts
from callwright.records.annotations.diaforge_notes import DiaforgePlan
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool
from diaforge_builders import bundled, kept

SOURCE = read_prompts().source("diaforge/user.j2")


def about(dialogue: Dialogue) -> tuple[Tool, list[Tool]]:
    """The tool meant, and the pool."""
    assert dialogue.scenario is not None
    assert isinstance(dialogue.scenario.annotation, DiaforgePlan)
    by_key = bundled().by_key
    return by_key[dialogue.scenario.annotation.gold_tool], [by_key[one.key] for one in dialogue.tools]


def test_rules_find_no_fault_in_what_the_offline_user_says() -> None:
    """In hundreds of turns: slips that are put right, and what the assistant offered, are none."""
    turns = 0
    for dialogue in kept()[:150]:
        gold, pool = about(dialogue)
        for position in range(0, len(dialogue.turns), 2):
            until = msgspec.structs.replace(dialogue, turns=dialogue.turns[: position + 1])
            assert [fault for fault in user_faults_in(until, gold, pool) if fault.rejects] == []
            turns += 1
    assert turns > 300


def test_the_user_knows_the_scenario_and_no_thought() -> None:
    """Persona, wish, tools and values before what was said; what is still to be said behind it."""
    seen = 0
    for dialogue in kept()[:20]:
        gold, pool = about(dialogue)
        asked = user_request(
            SOURCE, msgspec.structs.replace(dialogue, turns=dialogue.turns[:2]), gold, pool, settled=True
        )
        text = asked.messages[1].content
        assert dialogue.participants[0].persona in text
        assert dialogue.tasks[0].goal in text
        assert all(tool.description in text for tool in pool)
        assert all(one.text in text for one in gold_known(gold, dialogue.tasks))
        assert dialogue.turns[1].thought not in text
        seen += "Not said yet: " in text
    assert seen >= 10


def test_what_is_the_same_stands_first() -> None:
    """The system message for all dialogues, the scenario for all turns of one: servers keep prefixes."""
    systems = set()
    for dialogue in kept()[:5]:
        gold, pool = about(dialogue)
        heads = set()
        for position in range(0, len(dialogue.turns), 2):
            until = msgspec.structs.replace(dialogue, turns=dialogue.turns[:position])
            asked = user_request(SOURCE, until, gold, pool, settled=False)
            systems.add(asked.messages[0].content)
            heads.add(asked.messages[1].content.partition("\nThe conversation:")[0])
        assert len(heads) == 1
    assert len(systems) == 1


def test_a_slip_put_right_is_no_invention() -> None:
    """A wrong value alone is one."""
    dialogue = next(one for one in kept() if any(k.slot.kind == "count" for k in gold_known(about(one)[0], one.tasks)))
    known = gold_known(about(dialogue)[0], dialogue.tasks)
    count = next(one for one in known if one.slot.kind == "count")
    assert isinstance(count.value, int)
    wrong = count.value + 50
    assert invented(f"{wrong} please.", known, [], dialogue.today)
    assert invented(f"{wrong}, no, sorry, {count.value} please.", known, [], dialogue.today) == []


@pytest.mark.parametrize("reply", [ChatReply(content=""), ChatReply(content=" You: "), ChatReply(content="x" * 5_000)])
def test_nothing_and_too_much_are_no_message(reply: ChatReply) -> None:
    """Nor is what was cut."""
    with pytest.raises(BadRecord):
        read_message(reply)
    with pytest.raises(BadRecord, match="cut"):
        read_message(ChatReply(content="Hello", format_errors=("cut off",)))
    assert read_message(ChatReply(content="You: Hello ")) == "Hello"
    with pytest.raises(BadRecord, match="your message alone"):
        read_message(ChatReply(content="Here it is:\nYou: LG-2204\nAssistant: Thanks."))


def test_the_assistants_own_words_are_no_answer() -> None:
    """A small model says them again."""
    dialogue = next(one for one in kept() if len(one.turns) > 3)
    gold, pool = about(dialogue)
    said = dialogue.turns[1].text
    turns = (*dialogue.turns[:2], msgspec.structs.replace(dialogue.turns[2], text=said))
    found = list(user_faults_in(msgspec.structs.replace(dialogue, turns=turns), gold, pool))
    assert [(one.code, one.rejects) for one in found if one.code == "turn_repeated"][:1] == [("turn_repeated", True)]
