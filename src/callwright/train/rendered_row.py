"""A row of training data as its trainer renders it with a chat template: the text, and what of it is trained."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

import msgspec

from callwright.errors import BadDocument
from callwright.records.jsontext import Json, parse
from callwright.train.chat_template import ChatTemplate, training_twin
from callwright.train.trainer_layouts import Row
from callwright.train.training_sample import TrainingMessage, TrainingSample


class RowFinding(msgspec.Struct, frozen=True, kw_only=True):
    """One fault of a row."""

    code: str
    row: int
    """Counted from 1; 0 for the whole export."""
    what: str
    where: str = ""
    """Place in the row or in the rendered text."""
    cure: str = ""


class RenderedRow:
    """A row as the trainer renders it: its text, and the spans that are trained."""

    def __init__(self, number: int, row: Row, template: ChatTemplate) -> None:
        """`number` counts rows from 1. Raises BadDocument for a row that is none of its layout."""
        self.number = number
        self.template = template
        self.tools = _tools(row)
        self.messages, self.targets = chat_of(row)
        self.is_whole = "messages" in row and "train" not in self.messages[0]

    def with_messages(self, messages: list[Json]) -> RenderedRow:
        """Return the same row with other messages in the same places."""
        made = RenderedRow.__new__(RenderedRow)
        made.number, made.template, made.tools = self.number, self.template, self.tools
        made.messages, made.targets, made.is_whole = messages, self.targets, self.is_whole
        return made

    @cached_property
    def text(self) -> str:
        """The whole row. Raises TemplateFailed."""
        return self.template.render(self.messages, self.tools)

    @cached_property
    def prompts(self) -> tuple[tuple[str, str], ...]:
        """For each target: the text that it follows, and the text that ends with it."""
        return tuple(
            (
                self.template.render(self.messages[:at], self.tools, prompt=True),
                self.text
                if at == len(self.messages) - 1
                else self.template.render(self.messages[: at + 1], self.tools),
            )
            for at in self.targets
        )

    @cached_property
    def trained(self) -> tuple[str, ...] | None:
        """The text that is trained of each target; None where the trainer cannot tell."""
        if not self.is_whole:
            return tuple(whole[len(common_start(prompt, whole)) :] for prompt, whole in self.prompts)
        twin = training_twin(self.template)
        if twin is None:
            return None
        marked = twin.render_marked(self.messages, self.tools)
        return tuple(marked.text[start:end] for start, end in marked.spans)

    def finding(self, code: str, what: str, where: str = "", cure: str = "") -> RowFinding:
        """Return a finding about this row."""
        return RowFinding(code=code, row=self.number, what=what, where=where, cure=cure)


def _tools(row: Row) -> list[Json]:
    tools = row.get("tools") or []
    tools = parse(tools, where="tools") if isinstance(tools, str) else tools
    if not isinstance(tools, list):
        raise BadDocument("`tools` is no list")
    return tools


def chat_of(row: Row) -> tuple[list[Json], list[int]]:
    """Return the messages of a row, and the places of those that are trained. Raises BadDocument."""
    if "prompt" in row:
        prompt: Json = row["prompt"]
        completion: Json = row.get("completion")
        if not (_are_messages(prompt) and _are_messages(completion)):
            raise BadDocument("`prompt` and `completion` are no lists of messages")
        return [*prompt, *completion], list(range(len(prompt), len(prompt) + len(completion)))
    messages: Json = row.get("messages")
    if not _are_messages(messages):
        raise BadDocument("neither `prompt` and `completion` nor `messages` is a list of messages")
    trained = [at for at, one in enumerate(messages) if one.get("train", one.get("role") == "assistant")]
    return [_decoded(one) for one in messages] if "train" in messages[0] else messages, trained


def _are_messages(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _decoded(message: Json) -> Json:
    """A message of axolotl as it renders it: arguments given as text are decoded."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        return message
    return {**message, "tool_calls": [_with_object(call) for call in calls]}


def _with_object(call: Json) -> Json:
    function: Json = call.get("function") if isinstance(call, dict) else None
    arguments = function.get("arguments") if isinstance(function, dict) else None
    if not isinstance(arguments, str):
        return call
    return {**call, "function": {**function, "arguments": parse(arguments, where="arguments")}}


def common_start(first: str, second: str) -> str:
    """Return the text that both begin with."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if first[:middle] == second[:middle] else (low, middle - 1)
    return first[:low]


def calls_of(message: Json) -> list[Json]:
    """Return the calls of a message as its row has them; none where a damaged row has no list of them."""
    calls = message.get("tool_calls") if isinstance(message, dict) else None
    return calls if isinstance(calls, list) else []


def function_of(tool: Json) -> dict[str, Json]:
    """Return what OpenAI's envelope holds; an empty object where that is none."""
    inner = tool.get("function", tool) if isinstance(tool, dict) else {}
    return inner if isinstance(inner, dict) else {}


def occurs(text: str, within: str) -> bool:
    """Return whether a text stands in another as it is, or with the escapes of JSON."""
    return any(form in within for form in forms_of(text))


def forms_of(text: str) -> tuple[str, ...]:
    """Return how a text may be written: as it is, with the escapes of JSON, and without blanks at its ends."""
    return (text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1], text.strip())


def texts_of(value: Json) -> Iterator[str]:
    """Yield all texts of a JSON value, names of fields too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from texts_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_of(inner)


def targets_of(row: RenderedRow, sample: TrainingSample) -> list[tuple[TrainingMessage, str]]:
    """Return each target of the sample with the text that is trained of it; none where they do not fit together."""
    trained = row.trained or ()
    return list(zip(sample.trained, trained, strict=True)) if len(sample.trained) == len(trained) else []


def near(text: str) -> str:
    """Return the place of a finding: how the rendered text begins."""
    return f"rendered: {text[:80]!r}"


def with_other_letters(message: Json) -> Json:
    """Return a message whose words have other letters and digits; names of tags stay."""
    content = message.get("content")
    return {**message, "content": _PLAIN.sub(_other_word, content)} if isinstance(content, str) else message


_PLAIN: Final = re.compile(r"(?<![\w<|/])[^\W_]+")
"""Words that are no names of tags and no switches such as `/no_think`, which templates may look for."""


def _other_word(word: re.Match[str]) -> str:
    return "".join(map(_other_letter, word[0]))


def _other_letter(letter: str) -> str:
    """Another letter or digit of the same kind."""
    if not letter.isascii():
        other = chr(ord(letter) ^ 1)
        return other if other.isalnum() else letter
    first, size = ("0", 10) if letter.isdigit() else ("a", 26) if letter.islower() else ("A", 26)
    return chr(ord(first) + (ord(letter) - ord(first) + size // 2) % size)
