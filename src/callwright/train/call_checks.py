"""E3: rendered calls are the gold calls, with the same types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

from callwright.models.tool_calls import find_calls
from callwright.records.dialogue import Call
from callwright.records.jsontext import Json
from callwright.train.rendered_row import (
    RenderedRow,
    RowFinding,
    calls_of,
    chat_of,
    function_of,
    near,
    occurs,
    targets_of,
)
from callwright.train.trainer_layouts import THINK, Row
from callwright.train.training_sample import TrainingSample


def arguments_are_objects(number: int, row: Row) -> Iterator[RowFinding]:
    """E3: arguments are objects in what the template gets: it refuses text, or encodes it again."""
    messages, targets = chat_of(row)
    for at in targets:
        for call in calls_of(messages[at]):
            if not isinstance(function_of(call).get("arguments"), dict):
                cure = "Give arguments as an object."
                yield RowFinding(
                    code="E3", row=number, what="arguments are no object", where=f"message {at}", cure=cure
                )


def calls_read_back(row: RenderedRow, sample: TrainingSample) -> Iterator[RowFinding]:
    """E3: what is rendered reads back as the same calls with the same types.

    Where the template writes calls in a form that is not JSON, each name and value has to stand in it.
    """
    for message, text in targets_of(row, sample):
        if not message.calls:
            continue
        if _is_twice(message.calls, text):
            yield row.finding("E3", "the arguments are encoded twice", near(text), "Give arguments as an object.")
            continue
        found = find_calls(text.rpartition(THINK[1])[2] if message.thought else text).calls
        if _same(found, message.calls):
            continue
        if _same(sorted(found, key=_content), sorted(message.calls, key=_content)):
            yield row.finding("E3", "the calls stand in another order", near(text), "Use another template.")
            continue
        lost = next((value for call in message.calls for value in _leaves(call) if not _stands(value, text)), None)
        if lost is not None:
            written = _IN_PYTHON.get(lost, "")
            instead = f", but {written}" if written and _stands(written, text) else ""
            cure = "Use another template, or another layout of calls."
            yield row.finding("E3", f"the rendered call does not hold {lost}{instead}", near(text), cure)
            continue
        broken = next((call.tool for call in message.calls if _is_broken(call.tool, text)), None)
        if broken is not None:
            what = f"the rendered call of {broken} begins as JSON and is none"
            yield row.finding("E3", what, near(text), "Use a template that writes arguments with `tojson`.")


def _is_broken(tool: str, text: str) -> bool:
    """Whether an object that begins with the name of the tool, as calls in JSON do, does not read as JSON."""
    for begun in re.finditer(rf'\{{\s*"name"\s*:\s*{re.escape(json.dumps(tool))}', text):
        try:
            _DECODER.raw_decode(text, begun.start())
        except (ValueError, RecursionError):
            return True
    return False


_DECODER: Final = json.JSONDecoder()


def _same(found: Sequence[Call], wanted: Sequence[Call]) -> bool:
    return list(map(_content, found)) == list(map(_content, wanted))


def _content(call: Call) -> tuple[str, str]:
    return call.tool, call.arguments


def _leaves(call: Call) -> Iterator[str]:
    """The name of a call and its values as JSON text, those in objects and arrays one by one."""
    yield json.dumps(call.tool)
    pending: list[Json] = [call.values]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            yield from (json.dumps(name, ensure_ascii=False) for name in value)
            pending += value.values()
        elif isinstance(value, list):
            pending += value
        else:
            yield json.dumps(value, ensure_ascii=False)


def _stands(leaf: str, text: str) -> bool:
    return occurs(json.loads(leaf), text) if leaf.startswith('"') else _borders(leaf).search(text) is not None


_IN_PYTHON: Final = {"true": "True", "false": "False", "null": "None"}


def _borders(leaf: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.]){re.escape(leaf)}(?![\w.])")


def _is_twice(calls: Sequence[Call], text: str) -> bool:
    """Whether names of arguments are escaped where no value of the call holds them so."""
    marks = ((f'\\"{name}\\":', call) for call in calls for name in call.values)
    return any(mark in text and mark not in call.arguments for mark, call in marks)
