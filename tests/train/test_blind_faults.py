"""Faults planted from the list of checks alone, by someone who had not read how they work.

Half are faults of a row; the others are faults of a chat template, under which the row is what was exported and E1 has
nothing to say.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from training_talks import Row, samples

from callwright.train.chat_template import read_template
from callwright.train.export_report import VerifySettings, verdict
from callwright.train.trainer_layouts import LAYOUTS

TEMPLATE = """\
{%- for message in messages -%}
{{ '<|im_start|>' + message.role + '\\n' }}{{ message.content or '' }}
{%- if loop.first and tools %}
{%- for tool in tools %}{{ '\\n' + (tool | tojson) }}{%- endfor %}
{%- endif %}
{%- for call in message.tool_calls or [] -%}
{{ '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}
{%- endfor -%}
{{ '<|im_end|>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}
"""  # noqa: E501

WORDS, WORDS_AND_CALL, TWO_CALLS = 0, 3, 4
"""Samples: a reply of words, one of words beside a call, and one of two calls without a thought."""

IN_TEMPLATE: dict[str, tuple[int, str, str, str]] = {
    "no tools shown": (WORDS_AND_CALL, "E2", "loop.first and tools", "false"),
    "names of tools only": (WORDS_AND_CALL, "E2", "(tool | tojson)", "tool.function.name"),
    "only the first tool shown": (WORDS_AND_CALL, "E2", "in tools %}", "in tools[:1] %}"),
    "only the first call": (TWO_CALLS, "E3", "message.tool_calls or []", "(message.tool_calls or [])[:1]"),
    "calls the other way round": (TWO_CALLS, "E3", "message.tool_calls or []", "(message.tool_calls or []) | reverse"),
    "arguments written as text": (WORDS_AND_CALL, "E3", "arguments | tojson", "arguments | tojson | tojson"),
    "literals of Python": (WORDS_AND_CALL, "E3", "(call.function.arguments | tojson)", "call.function.arguments ~ ''"),
    "names in capitals": (WORDS_AND_CALL, "E3", "call.function.name", "call.function.name | upper"),
    "words lost beside a call": (
        WORDS_AND_CALL, "E4", "message.content or ''", "'' if message.tool_calls else message.content",
    ),
    "results lost": (TWO_CALLS, "E4", "message.content or ''", "'' if message.role == 'tool' else message.content"),
    "no mark at the end": (WORDS, "E5", "'<|im_end|>\\n'", "'\\n'"),
    "no mark after words and a call": (
        WORDS_AND_CALL, "E5",
        "'<|im_end|>\\n'", "'\\n' if message.tool_calls and message.content else '<|im_end|>\\n'",
    ),
    "tools without parameters": (
        WORDS_AND_CALL, "E2",
        "(tool | tojson)", "({'name': tool.function.name, 'description': tool.function.description} | tojson)",
    ),
    "tools without descriptions": (
        WORDS_AND_CALL, "E2",
        "(tool | tojson)", "({'name': tool.function.name, 'parameters': tool.function.parameters} | tojson)",
    ),
    "calls without names": (WORDS_AND_CALL, "E3", "call.function.name", "'tool'"),
    "arguments cut": (WORDS_AND_CALL, "E3", "arguments | tojson)", "arguments | tojson)[:12]"),
    "the system's message lost": (
        WORDS, "E4", "message.content or ''", "'' if message.role == 'system' else message.content",
    ),
    "a user's words after the reply": (
        WORDS_AND_CALL, "E5",
        "{{ '<|im_end|>\\n' }}", "{{ '<|im_end|>\\n' }}{% if loop.last %}{{ messages[1].content }}{% endif %}",
    ),
    "the prompt opens a thought": (TWO_CALLS, "E6", "assistant\\n' }}", "assistant\\n<think>\\n' }}"),
    "the last reply changes the system's message": (
        WORDS_AND_CALL, "E6",
        "{%- for message in messages -%}", "{{ messages | length }}{%- for message in messages -%}",
    ),
    "words cut at forty characters": (WORDS_AND_CALL, "E4", "message.content or ''", "(message.content or '')[:40]"),
}  # fmt: skip
"""Name: the sample, the check that it is a matter of, and the change of the template."""


def _call(row: Row) -> Row:
    return row["completion"][0]["tool_calls"][0]["function"]  # type: ignore[no-any-return]


def _swap_names(row: Row) -> None:
    _call(row)["name"] = "read_stock"


def _duplicate_tool(row: Row) -> None:
    tools = json.loads(row["tools"])
    row["tools"] = json.dumps([*tools, tools[0]])


def _no_tools(row: Row) -> None:
    row["tools"] = "[]"


def _lose_enum_value(row: Row) -> None:
    row["tools"] = row["tools"].replace('"standard post"', '"post"')


def _flatten(row: Row) -> None:
    arguments = _call(row)["arguments"]
    arguments["place"] = json.dumps(arguments["place"])


def _empty_arguments(row: Row) -> None:
    _call(row)["arguments"] = {}


def _number_as_text(row: Row) -> None:
    _call(row)["arguments"]["gift"] = 0


def _user_in_reply(row: Row) -> None:
    row["completion"][0]["content"] += "\n" + row["prompt"][-1]["content"]


def _lose_result(row: Row) -> None:
    row["prompt"] = [one for one in row["prompt"] if one["role"] != "tool"]


def _reorder_history(row: Row) -> None:
    row["prompt"][1], row["prompt"][2] = row["prompt"][2], row["prompt"][1]


def _empty_target(row: Row) -> None:
    row["completion"] = []


def _misspelt_argument(row: Row) -> None:
    arguments = _call(row)["arguments"]
    arguments["plaec"] = arguments.pop("place")


def _double_encoded(row: Row) -> None:
    _call(row)["arguments"] = json.dumps(_call(row)["arguments"])


def _half_of_the_words(row: Row) -> None:
    row["completion"][0]["content"] = row["completion"][0]["content"][:10]


def _user_lost(row: Row) -> None:
    row["prompt"] = [one for one in row["prompt"] if one["role"] != "user"]


def _other_schema(row: Row) -> None:
    row["tools"] = row["tools"].replace('"place"', '"point"')


def _marks_in_words(row: Row) -> None:
    row["prompt"][-1]["content"] += "<|im_end|>\n<|im_start|>assistant\n"


def _second_target(row: Row) -> None:
    row["completion"].append({"role": "assistant", "content": "And that is it."})


def _answer_as_user(row: Row) -> None:
    row["completion"][0]["role"] = "user"


IN_ROW: dict[str, Callable[[Row], None]] = {
    "another tool called": _swap_names,
    "a tool twice": _duplicate_tool,
    "no tools": _no_tools,
    "a listed value changed": _lose_enum_value,
    "a nested object as text": _flatten,
    "arguments emptied": _empty_arguments,
    "0 for false": _number_as_text,
    "the user's words in the reply": _user_in_reply,
    "results lost": _lose_result,
    "history out of order": _reorder_history,
    "no reply": _empty_target,
    "an argument misspelt": _misspelt_argument,
    "arguments as text": _double_encoded,
    "half of the words": _half_of_the_words,
    "the user's messages lost": _user_lost,
    "the schema of another tool": _other_schema,
    "marks of the template in a user's words": _marks_in_words,
    "a reply too many": _second_target,
    "the reply as the user's": _answer_as_user,
}


def _findings(row: Row, at: int, folder: Path, template: str) -> set[str]:
    path = folder / "template.jinja"
    path.write_text(template, encoding="utf-8")
    found = verdict([row], [samples()[at]], VerifySettings("trl", read_template(str(path))))
    return {one.code for one in found.findings}


def test_the_template_as_it_is_has_no_fault(tmp_path: Path) -> None:
    """Nothing is reported on any clean row."""
    found = [_findings(LAYOUTS["trl"].write(one), at, tmp_path, TEMPLATE) for at, one in enumerate(samples())]
    assert found == [set()] * len(samples())


@pytest.mark.parametrize("name", IN_TEMPLATE)
def test_faults_of_templates_are_named(name: str, tmp_path: Path) -> None:
    """The check that each is a matter of names it, where the file is as it was exported."""
    at, code, old, new = IN_TEMPLATE[name]
    assert old in TEMPLATE
    found = _findings(LAYOUTS["trl"].write(samples()[at]), at, tmp_path, TEMPLATE.replace(old, new))
    assert code in found
    assert "E1" not in found


@pytest.mark.parametrize("name", IN_ROW)
def test_faults_of_rows_are_found(name: str, tmp_path: Path) -> None:
    """Each is found as a change of the file."""
    row = copy.deepcopy(LAYOUTS["trl"].write(samples()[WORDS_AND_CALL]))
    IN_ROW[name](row)
    assert "E1" in _findings(row, WORDS_AND_CALL, tmp_path, TEMPLATE)
