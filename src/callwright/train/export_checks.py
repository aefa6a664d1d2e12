"""Checks of one row of training data against the chat template that a trainer renders it with.

    E1  the row is what was exported           E4  no words, calls, results or thoughts are lost
    E2  the prompt shows every tool            E5  exactly the assistant's replies are trained, with their end
    E3  rendered calls read back as the gold   E6  the prompt is the beginning of prompt and reply

Each check is a function of a rendered row (`RenderedRow`) to findings; E3, E5 and the thoughts of E4 have modules of
their own. Nothing is executed but templates, in a sandbox.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callwright.records.jsontext import Json, encode
from callwright.train.argument_checks import arguments_in_place
from callwright.train.call_checks import calls_read_back
from callwright.train.mask_checks import replies_trained
from callwright.train.rendered_row import (
    RenderedRow,
    RowFinding,
    calls_of,
    common_start,
    function_of,
    near,
    occurs,
    targets_of,
)
from callwright.train.thought_checks import words_stay_words
from callwright.train.trainer_layouts import LAYOUTS, Row
from callwright.train.training_sample import TrainingSample

# -- E1: the file ----------------------------------------------------------------------------------------------------


def as_exported(number: int, row: Row, sample: TrainingSample, layout: str) -> Iterator[RowFinding]:
    """E1: the row, read back, is the one that its sample is written as; the first difference is named."""
    place = _difference(LAYOUTS[layout].write(sample), row, "")
    if place is not None:
        where, what = place
        cure = "Export again; whatever changed the file must keep every value and its type."
        yield RowFinding(code="E1", row=number, what=what, where=where, cure=cure)


def _difference(wanted: Json, found: Json, where: str) -> tuple[str, str] | None:
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in [*wanted, *(key for key in found if key not in wanted)]:
            if key not in found or key not in wanted:
                return f"{where}/{key}", "missing" if key in wanted else "not in the export"
            if (below := _difference(wanted[key], found[key], f"{where}/{key}")) is not None:
                return below
        return None if list(wanted) == list(found) else (where, f"keys in another order: {list(found)!r:.60}")
    if isinstance(wanted, list) and isinstance(found, list):
        for at, (one, other) in enumerate(zip(wanted, found, strict=False)):
            if (below := _difference(one, other, f"{where}/{at}")) is not None:
                return below
        return None if len(wanted) == len(found) else (where, f"{len(found)} entries in place of {len(wanted)}")
    if encode(wanted) == encode(found):
        return None
    if type(wanted) is not type(found):
        return where, f"{_kind(found)} in place of {_kind(wanted)}"
    return where, f"{found!r:.60} in place of {wanted!r:.60}"


def _kind(value: Json) -> str:
    kinds = {dict: "an object", list: "an array", str: "text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


# -- E2: tools -------------------------------------------------------------------------------------------------------


def tools_shown(row: RenderedRow, sample: TrainingSample) -> Iterator[RowFinding]:
    """E2: names, descriptions, parameters and listed values of every tool stand in the text; the tools are its own."""
    wanted = {str(tool["name"]): tool for tool in sample.tools}
    named = [function_of(tool).get("name") for tool in row.tools]
    for name in [name for name in named if not isinstance(name, str) or name not in wanted]:
        yield row.finding("E2", f"the tool {name!r:.60} is not of this dialogue", "tools", "Export again.")
    for name, tool in wanted.items():
        missing = next((text for text in _texts(tool) if not occurs(text, row.text)), None)
        if missing is not None:
            cure = "Use a template that shows tools, or describe them in the system message (prompted calling)."
            yield row.finding("E2", f"the prompt does not show {missing!r:.60} of the tool {name}", "tools", cure)
            return


def _texts(tool: Json) -> Iterator[str]:
    yield from filter(None, (tool["name"], tool.get("description")))
    yield from _of_schema(tool.get("parameters", {}))


def _of_schema(schema: Json) -> Iterator[str]:
    """Names of parameters, descriptions and listed values of a schema and of what lies in it."""
    if isinstance(schema, list):
        for part in schema:
            yield from _of_schema(part)
    elif isinstance(schema, dict):
        properties = schema.get("properties")
        yield from properties if isinstance(properties, dict) else ()
        description = schema.get("description")
        yield from [description] if isinstance(description, str) and description else []
        listed = schema.get("enum")
        yield from (one for one in (listed if isinstance(listed, list) else ()) if isinstance(one, str))
        below = [*(properties.values() if isinstance(properties, dict) else ()), schema.get("items")]
        yield from _of_schema([*below, *(schema.get(key) for key in ("anyOf", "oneOf", "allOf"))])


# -- E4 and E6: words and the prompt ---------------------------------------------------------------------------------


def nothing_lost(row: RenderedRow, sample: TrainingSample) -> Iterator[RowFinding]:
    """E4: the text holds the words of all messages, all calls and all results; targets hold their thoughts."""
    for at, message in enumerate(sample.messages):
        if message.content and not occurs(message.content, row.text):
            what = "the words beside a call" if message.calls else f"the words of the {message.role}"
            yield row.finding("E4", f"{what} are lost: {message.content!r:.60}", f"message {at}", _LOST)
        for call in message.calls:
            if row.text.count(call.tool) < 1 + sum(call.tool == tool["name"] for tool in sample.tools):
                yield row.finding("E4", f"a call of {call.tool} is lost", f"message {at}", _LOST)
    wanted = sum(len(message.calls) for message in sample.trained)
    held = sum(len(calls_of(row.messages[at])) for at in row.targets)
    if held != wanted:
        yield row.finding("E4", f"{held} calls in place of {wanted}", "tool_calls", "Export again.")
    for message, text in targets_of(row, sample):
        for call in message.calls:
            if call.tool not in text:
                yield row.finding("E4", f"the call of {call.tool} is not rendered", near(text), _LOST)
        if message.thought and not occurs(message.thought, text):
            yield row.finding("E4", "the thought is not rendered", near(text), "Use --no-thoughts or another template.")


_LOST: Final = "Use another template, or leave out of the export what it cannot hold."


def prompt_is_prefix(row: RenderedRow, sample: TrainingSample) -> Iterator[RowFinding]:
    """E6: the prompt that a reply is asked for with is the beginning of the text that is trained."""
    del sample
    for at, (prompt, whole) in zip(row.targets, row.prompts, strict=True):
        if not whole.startswith(prompt):
            split = len(common_start(prompt, whole))
            what = (
                f"the prompt goes on with {prompt[split : split + 40]!r}, the text with {whole[split : split + 40]!r}"
            )
            yield row.finding("E6", what, f"message {at}", "Use a template whose prompt and reply fit, or refuse it.")
        elif row.is_whole and not row.text.startswith(whole):
            yield row.finding("E6", "later messages change earlier text", f"message {at}", "Use --slices turn.")


CHECKS: Final = (
    tools_shown,
    calls_read_back,
    arguments_in_place,
    nothing_lost,
    words_stay_words,
    replies_trained,
    prompt_is_prefix,
)
"""E2 to E6, in order."""
