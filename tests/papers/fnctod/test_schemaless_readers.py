"""Taskmaster and MSR-E2E: files written here in the layouts that were released."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from callwright.errors import BadInput
from callwright.papers.fnctod.belief_states import beliefs
from callwright.papers.fnctod.msr_e2e_reader import read as read_msr
from callwright.papers.fnctod.taskmaster_reader import read as read_taskmaster
from callwright.papers.paper import Corpus, NoOptions


def said(speaker: str, text: str, **labels: str) -> dict[str, Any]:
    """Return an utterance; names have `__` for their dots."""
    segments = [
        {"start_index": 0, "end_index": 1, "text": value, "annotations": [{"name": name.replace("__", ".")}]}
        for name, value in labels.items()
    ]
    return {"index": 0, "speaker": speaker, "text": text} | ({"segments": segments} if segments else {})


PIZZA = {
    "conversation_id": "dlg-1",
    "instruction_id": "pizza-ordering-1",
    "utterances": [
        said("ASSISTANT", "Hello."),
        said("USER", "Hi."),
        said("USER", "A large one.", pizza_ordering__size__pizza="large"),
        said("ASSISTANT", "Small or thin?", pizza_ordering__size__pizza__reject="large"),
        said("USER", "Small then.", pizza_ordering__size__pizza__accept="small"),
        said(
            "ASSISTANT", "At Joe's, thick.", pizza_ordering__name__store__accept="Joe's", pizza_ordering__crust="thick"
        ),
        said("USER", "Fine.", pizza_ordering="pizza"),
    ],
}


def taskmaster(folder: Path, *documents: Any) -> Corpus:
    path = folder / "self-dialogs.json"
    path.write_text(json.dumps(documents))
    return read_taskmaster(path, NoOptions())


def test_taskmaster_holds_what_the_user_says_and_what_is_accepted(tmp_path: Path) -> None:
    found = taskmaster(tmp_path, PIZZA)
    (dialogue,) = found.dialogues
    assert [turn.text for turn in dialogue.turns[:2]] == ["Hi. A large one.", "Small or thin?"]
    assert list(beliefs(dialogue).values()) == [
        {"pizza_ordering": {"size_pizza": ("large",)}},
        {"pizza_ordering": {"size_pizza": ("small",)}},
        {"pizza_ordering": {"size_pizza": ("small",), "name_store": ("Joe's",)}},
    ]
    (tool,) = found.catalog.tools
    assert tool.name == "find_pizza_ordering"
    assert list(tool.properties) == ["name_store", "size_pizza"]  # the crust was only offered
    assert dialogue.tasks[1].gold[0].values == {"size_pizza": "small"}


@pytest.mark.parametrize(
    ("documents", "said_"),
    [
        ((), "expected a list"),
        (({"utterances": []},), r"self-dialogs\.json: dialogue 1: no `conversation_id`"),
        ((PIZZA, PIZZA), "dialogue 2: dlg-1 is here twice"),
        ((PIZZA | {"utterances": [{"speaker": "USER"}]},), r"dialogue 1 \(dlg-1\), turn 0: .*text"),
        ((PIZZA | {"utterances": [said("user", "hi")]},), r"dialogue 1 \(dlg-1\), turn 0: 'user' speaks"),
        ((PIZZA | {"utterances": [said("USER", "hi", pizza__reject="x", a__="y")]},), r"turn 0: 'a\.' is no"),
        ((PIZZA | {"utterances": [said("ASSISTANT", "hi")]},), "dlg-1: the user says nothing"),
    ],
)
def test_broken_taskmaster_names_file_dialogue_and_turn(tmp_path: Path, documents: Any, said_: str) -> None:
    with pytest.raises(BadInput, match=said_):
        taskmaster(tmp_path, *documents)


HEAD = "session.ID\tMessage.ID\tMessage.Timestamp\tMessage.From\tMessage.Text"
RIDE = (
    "1\t1\tT\tuser\ta cab for 2\trequest(taxi;numberofpeople=2)\tgreeting(greeting=hi)",
    "1\t2\tT\tagent\tWhen?\trequest(date)",
    '1\t3\tT\tuser\t"today, to the sea"\tinform(date=today;dropoff_location= the sea;other=x)',
    "1\t4\tT\tagent\t$5\tinform(cost=$5;car_type=uberX)\tconfirm_question()",
    "2\t1\tT\tuser\ttomorrow\tinform(date=tomorrow",  # bracket left out, as people do
)


def msr(folder: Path, *lines: str) -> Corpus:
    path = folder / "taxi_all.tsv"
    path.write_text("\n".join(lines))
    return read_msr(path, NoOptions())


def test_msr_e2e_holds_what_the_user_informs(tmp_path: Path) -> None:
    found = msr(tmp_path, HEAD, *RIDE)
    first, second = found.dialogues
    assert list(beliefs(first).values()) == [
        {"taxi": {"numberofpeople": ("2",)}},
        {"taxi": {"numberofpeople": ("2",), "date": ("today",), "dropoff_location": ("the sea",)}},
    ]
    assert (first.turns[2].text, second.id) == ("today, to the sea", "taxi_all-2")
    assert [list(tool.properties) for tool in found.catalog.tools] == [["date", "dropoff_location", "numberofpeople"]]


@pytest.mark.parametrize(
    ("lines", "said_"),
    [
        ((), "the first line"),
        ((HEAD,), "no dialogues"),
        ((HEAD, "1\t1\tT"), r"taxi_all\.tsv: dialogue 1, turn 1 \(line 2\): 3 columns"),
        ((HEAD, "1\t7\tT\tbot\thi"), "dialogue 1, turn 7 .*'bot' speaks"),
        ((HEAD, "1\t7\tT\tuser\thi\tdate=today"), "dialogue 1, turn 7 .*no act"),
    ],
)
def test_broken_msr_e2e_names_file_dialogue_and_turn(tmp_path: Path, lines: tuple[str, ...], said_: str) -> None:
    with pytest.raises(BadInput, match=said_):
        msr(tmp_path, *lines)
