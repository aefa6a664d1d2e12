"""A conversation before the user's next message: what the models are told of it, and what rules find."""

from __future__ import annotations

from callwright.papers.diaforge.dynamic_protocol import begin
from callwright.papers.diaforge.live_talk import LiveTalk, UserScene
from callwright.papers.diaforge.message_judge import judged_message
from callwright.papers.diaforge.user_phase import after_words
from callwright.papers.diaforge.user_policy import heard_by
from callwright.records.dialogue import Turn
from made_dialogues import made, tools_of


def talk(*texts: str) -> LiveTalk:
    """A talk of these words, the user's first."""
    dialogue = made(1)[0]
    tools = tools_of(dialogue)
    gold = next(tool for tool in tools if tool.name == dialogue.tasks[0].gold[0].tool)
    user, assistant = (who.id for who in dialogue.participants[:2])
    turns = tuple(Turn((user, assistant)[at % 2], text) for at, text in enumerate(texts))
    state, asks = begin(dialogue, tools, user_style="verbose"), None
    for turn in turns:
        if turn.speaker == user:
            state, _ = after_words(state, asks, turn.text)
        else:
            asks = heard_by(state, turn.text)
    return LiveTalk(state, turns, UserScene(dialogue, tools, gold, user, "verbose"))


def test_before_the_first_word_nothing_was_heard() -> None:
    """And the message is judged as an opening."""
    first = talk()
    assert (first.heard, first.asks(), list(first.view().turns)) == ("", None, [])
    assert {fault.kind for fault in first.faults_in("Lovely weather, isn't it?")} == {"off_topic"}


def test_a_judge_is_told_what_was_said_and_what_the_user_lacks() -> None:
    """As the rules follow it; of the message one line, and the rules' findings by kind."""
    known = talk().user.known
    said = known[0]
    here = talk("It's about something.", f"What is the {said.slot.noun.text}?", f"It's {said.value}.", "Go on?")
    message = judged_message(here, "Bye,\n I give   up.", here.faults_in("Bye, I give up."))
    assert {value.noun: value.is_said for value in message.view.values} == {
        one.slot.noun.text: one == said for one in known
    }
    assert message.heard == "Go on?"
    assert message.text == "Bye, I give up."
    assert [remark.partition(":")[0] for remark in message.remarks] == ["left_early"]
    assert list(message.lacking) == [slot.noun.text for slot in here.user.lacking]


def test_a_name_for_machines_is_found_once() -> None:
    """Though two rules look for it."""
    here = talk("It's about something.", "What exactly?")
    faults = here.faults_in(f"Take {here.scene.tools[0].name}.")
    assert [fault.kind for fault in faults].count("tool_leak") == 1
