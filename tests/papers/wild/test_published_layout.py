"""WildToolBench's published layout: both halves of a record come back, and what is broken is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from wild_records import ASK, CHINESE, CLOSE, loose, node, record

import callwright
from callwright.cli import main
from callwright.errors import BadDocument, BadInput
from callwright.match.task_stages import task_stages
from callwright.papers.wild.published_layout import Language, read
from callwright.papers.wild.published_records import to_record as write
from callwright.papers.wild.session_design import hidings_of
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Dialogue


@pytest.mark.parametrize("language", ["english", "chinese"])
def test_each_half_comes_back(language: Language) -> None:
    """Read, written as a line of ours, read again and written out, every field of a half is as it was."""
    prefix = "english_" if language == "english" else ""
    half = {key: value for key, value in record().items() if key == "id" or key.startswith("english_") == bool(prefix)}

    catalog, (dialogue,) = read(record(), source="r", language=language)
    again = from_line(to_line(dialogue), Dialogue, where="d")

    assert loose(write(again, catalog.by_key)) == loose(half)


def test_what_a_dialogue_holds() -> None:
    """Kinds, hiding, turns, date and dependencies are those of the record; actions that are no tools are no calls."""
    _, (dialogue,) = read([record()], source="r")

    assert [task.kind for task in dialogue.tasks] == ["multi", "clarify", "single", "chat"]
    assert hidings_of(dialogue) == ("", "partial", "coreference", "long_range")
    assert [task.turn for task in dialogue.tasks] == [0, 2, 6, 8]
    assert dialogue.today == "2025-03-10"
    assert [[(gold.tool, gold.after) for gold in task.gold] for task in dialogue.tasks] == [
        [("concerts", ()), ("weather", ()), ("concert_detail", (0,))], [("weather", ())], [("air", ())], [],
    ]  # fmt: skip
    assert [stage.due for stage in task_stages(dialogue, 1)] == [(), (0,)]


def test_the_chinese_half_has_its_date() -> None:
    """A date in Chinese words is read, and labels may be those of the English half."""
    made = record() | {"task_types": ["混合", "澄清", "单", "聊天"], "turn_subtypes": ["甲", "乙", "丙"]}

    _, (dialogue,) = read(made, source="r", language="chinese")

    assert dialogue.today == "2025-03-10"
    assert dialogue.turns[0].text == CHINESE["tasks"][0]
    assert [task.kind for task in dialogue.tasks] == ["multi", "clarify", "single", "chat"]
    assert hidings_of(dialogue) == ("", "partial", "coreference", "long_range")


def test_one_name_with_two_documents() -> None:
    """Records whose tools share names keep their own documents."""
    other = record("wild-1")
    other["english_tools"][3]["function"]["description"] = "Something else."

    catalog, (first, second) = read([record(), other], source="r")

    assert first.tools[3].name == second.tools[3].name == "air"
    assert catalog.by_key[second.tools[3].key].description == "Something else."
    assert write(second, catalog.by_key)["english_tools"][3]["function"]["description"] == "Something else."


def test_what_is_needed_through_a_question_is_needed() -> None:
    """A call behind a question to the user needs what the question needs."""
    made = record()
    made["english_answer_list"][1] = [
        node(7, "air", {"city": "Porto"}, [], {"aqi": 1}),
        node(3, ASK, {}, [7], "?", user_input="The 1st of March."),
        node(4, "weather", {"city": "Porto", "day": "2025-03-01"}, [3], "rain"),
        node(5, CLOSE, {}, [4], "It rained."),
    ]

    _, (dialogue,) = read(made, source="r")

    assert [(gold.tool, gold.after) for gold in dialogue.tasks[1].gold] == [("air", ()), ("weather", (0,))]


def change(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Return a function that puts a value at a path of a record."""

    def apply(made: dict[str, Any]) -> None:
        *steps, last = [int(step) if step.isdecimal() else step for step in path.split("/")]
        place: Any = made
        for step in steps:
            place = place[step]
        place[last] = value

    return apply


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (change("id", None), "record 1: not an object with an `id`"),
        (change("english_tools", None), "`english_tools` is not a list"),
        (change("english_task_types", ["Chat"]), "4 tasks, but 1 entries in `english_task_types`"),
        (change("english_tasks", [1, 2, 3, 4]), "must be lists of texts"),
        (change("english_turn_subtypes", []), "`turn_subtypes` must have a label"),
        (change("english_messages/0/role", "ghost"), "message 0 has no known role"),
        (change("english_messages/0/content", 3), "message 0 has no known role"),
        (change("english_messages/1", {"role": "tool", "content": "x"}), "message 1 is a tool's result"),
        (change("english_messages/1/tool_calls", [{"name": "f"}]), "message 1 has `tool_calls` in another layout"),
        (change("english_answer_list/0/0/action", None), "task 1: node 0 has no `action`"),
        (change("english_answer_list/0/0/action/arguments", "x"), "the arguments of node 0 are not an object"),
        (change("english_answer_list/0/0/action/name", "nothing"), "'nothing', which is not among the tools"),
        (change("english_answer_list/0/0/dependency_list", [9]), "names a node that does not exist"),
        (change("english_answer_list/0/0/dependency_list", [2]), "0 → 2 → 0"),
        (change("english_answer_list/0/1/idx", 0), "`idx` of node 1 is not a number, or an earlier node has the same"),
        (change("english_answer_list/0/0/user_input", 3), "`user_input` of node 0 is not a text"),
        (change("english_answer_list/0", "x"), "the answer is not a list of nodes"),
        (lambda made: made["english_messages"].pop(7), "task 2 is asked for in no message"),
    ],
)
def test_broken_records_are_named(spoil: Callable[[dict[str, Any]], None], message: str) -> None:
    """One sentence says which record and place is wrong."""
    made = record()
    spoil(made)

    with pytest.raises(BadDocument) as error:
        read([made], source="r.jsonl")

    assert message in str(error.value)
    assert "r.jsonl, record 1" in str(error.value)


@pytest.mark.parametrize("labels", ["Chat", ["Chat"], {"Chat": 1}])
def test_english_labels_of_the_chinese_half_are_one_a_task(labels: Any) -> None:
    """The Chinese half takes its kinds from the English labels, so their number must fit too."""
    with pytest.raises(BadDocument, match="record 1: `english_task_types` must have a label for each of the 4 tasks"):
        read([record() | {"english_task_types": labels}], source="r.jsonl", language="chinese")


def test_unknown_labels_of_any_type_leave_the_kind_to_the_nodes() -> None:
    """A label that is no text, such as an object, stands for no kind."""
    _, (dialogue,) = read([record() | {"english_task_types": [{}, [], 1, None]}], source="r", language="chinese")

    assert [task.kind for task in dialogue.tasks] == ["multi", "clarify", "single", "chat"]


def test_tasks_in_other_words_are_found_by_count() -> None:
    """Where messages word a task otherwise, the questions in between tell which message asks for it."""
    made = record()
    made["english_messages"][7]["content"] = "And before that?"

    _, (dialogue,) = read(made, source="r")

    assert [task.turn for task in dialogue.tasks] == [0, 2, 6, 8]


@pytest.mark.parametrize("language", ["english", "chinese"])
def test_read_and_evaluated(tmp_path: Path, language: str) -> None:
    """The command writes a dataset on which the oracle is right everywhere, in both languages."""
    lines = "".join(json.dumps(record(f"wild-{number}"), ensure_ascii=False) + "\n" for number in range(3))
    (tmp_path / "published.jsonl").write_text(lines, encoding="utf-8")
    arguments = ["read", "wild", str(tmp_path / "published.jsonl"), "--language", language, "-o", str(tmp_path / "wtb")]

    result = CliRunner().invoke(main, arguments)
    callwright.evaluate_model(tmp_path / "wtb", "wild", model="builtin/oracle", out=tmp_path / "run")

    assert result.exit_code == 0, result.stderr
    assert "3 dialogues" in result.stdout
    rows = {row.metric: row.value for row in callwright.score_runs(tmp_path / "run") if not row.slice}
    assert {rows[metric] for metric in ("task_acc", "session_acc", "op_rate", "ap_rate")} == {1.0}


def test_every_real_tool_list_is_read(shared_data: Path) -> None:
    """All 256 published lists come back from records that hold them, but for tools that a list repeats."""
    lines = (shared_data / "wild" / "tools_en.jsonl").read_text(encoding="utf-8").splitlines()
    talk = {"tasks": ["Hello."], "task_types": ["Chat"], "turn_subtypes": [], "turn_types": [], "env_info": ""}
    talk |= {"messages": [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello!"}]}
    talk |= {"answer_list": [[node(0, CLOSE, {}, [], "Hello!")]]}
    records = [
        {"id": f"r{number}", "english_tools": json.loads(line)} | {f"english_{key}": one for key, one in talk.items()}
        for number, line in enumerate(lines)
    ]

    catalog, dialogues = read(records, source="r")

    assert len(dialogues) == 256
    for made, dialogue in zip(records, dialogues, strict=True):
        tools = [json.dumps(one["function"], sort_keys=True) for one in made["english_tools"]]
        again = [one["function"] for one in write(dialogue, catalog.by_key)["english_tools"]]
        assert [json.dumps(one, sort_keys=True) for one in again] == list(dict.fromkeys(tools))


@pytest.mark.parametrize("language", ["english", "chinese"])
def test_hostile_records_are_read_or_refused(language: Language) -> None:
    """Values of any type in any place end in a dialogue or in an error that was raised on purpose."""
    chance = Random(4)
    values: list[Any] = [None, True, -1, 1.5, "", "x", [], {}, [None], {"a": 1}, [[0]], "2025-99-99", 10**30]
    for _ in range(400):
        made = json.loads(json.dumps(record()))
        for _ in range(chance.randint(1, 3)):
            _spoil(chance, made, values)
        with suppress(BadInput):
            catalog, dialogues = read([made], source="r", language=language)
            for dialogue in dialogues:
                write(dialogue, catalog.by_key)


def _spoil(chance: Random, made: Any, values: list[Any]) -> None:
    """Put a value somewhere in a record."""
    place = made
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = chance.choice(keys)
        if not isinstance(place[key], dict | list) or chance.random() < 0.2:
            place[key] = chance.choice(values)
            return
        place = place[key]
