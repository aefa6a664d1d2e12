"""Checks of one row of training data against the chat template that a trainer renders it with.

    E1  the row is what was exported           E4  no words, calls, results or thoughts are lost
    E2  the prompt shows every tool            E5  exactly the assistant's replies are trained, with their end
    E3  rendered calls read back as the gold   E6  the prompt is the beginning of prompt and reply

Each check is a function of a rendered row (`RenderedRow`) to findings. Nothing is executed but templates, in a sandbox.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final

import msgspec

from callwright.errors import BadDocument
from callwright.models.tool_calls import find_calls
from callwright.records.dialogue import Call
from callwright.records.jsontext import Json, encode, parse
from callwright.train.chat_template import ChatTemplate, TemplateFailed, training_twin
from callwright.train.trainer_layouts import LAYOUTS, THINK, Row, spoken
from callwright.train.training_sample import TrainingMessage, TrainingSample

_LONG: Final = 12
"""Characters from which on a text is told apart from words that stand everywhere."""


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
        """`number` counts rows from 1. Raises TemplateFailed, and BadDocument for a row that is none of its layout."""
        self.number = number
        self.template = template
        self.tools = _tools(row)
        self.messages, self.targets = _chat(row)
        self.is_whole = "messages" in row and "train" not in self.messages[0]
        self.text = template.render(self.messages, self.tools)

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
            return tuple(whole[len(_common(prompt, whole)) :] for prompt, whole in self.prompts)
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


def _chat(row: Row) -> tuple[list[Json], list[int]]:
    """The messages of a row, and the places of those that are trained."""
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


def _common(first: str, second: str) -> str:
    """The text that both begin with."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if first[:middle] == second[:middle] else (low, middle - 1)
    return first[:low]


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
        return None
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
    named = [_function(tool).get("name") for tool in row.tools]
    for name in [name for name in named if name not in wanted]:
        yield row.finding("E2", f"the tool {name!r:.60} is not of this dialogue", "tools", "Export again.")
    for name, tool in wanted.items():
        missing = next((text for text in _texts(tool) if not _occurs(text, row.text)), None)
        if missing is not None:
            cure = "Use a template that shows tools, or describe them in the system message (prompted calling)."
            yield row.finding("E2", f"the prompt does not show {missing!r:.60} of the tool {name}", "tools", cure)
            return


def _function(tool: Json) -> dict[str, Json]:
    inner = tool.get("function", tool) if isinstance(tool, dict) else {}
    return inner if isinstance(inner, dict) else {}


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


def _occurs(text: str, within: str) -> bool:
    """Whether a text stands in another as it is, or with the escapes of JSON."""
    return any(form in within for form in _forms(text))


def _forms(text: str) -> tuple[str, ...]:
    return (text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1], text.strip())


# -- E3 and E4: calls and words --------------------------------------------------------------------------------------


def arguments_are_objects(number: int, row: Row) -> Iterator[RowFinding]:
    """E3: arguments are objects in what the template gets: it refuses text, or encodes it again."""
    messages, targets = _chat(row)
    for at in targets:
        for call in messages[at].get("tool_calls") or ():
            if not isinstance(_function(call).get("arguments"), dict):
                cure = "Give arguments as an object."
                yield RowFinding(
                    code="E3", row=number, what="arguments are no object", where=f"message {at}", cure=cure
                )


def calls_read_back(row: RenderedRow, sample: TrainingSample) -> Iterator[RowFinding]:
    """E3: what is rendered reads back as the same calls with the same types.

    Where the template writes calls in a form that is not JSON, each name and value has to stand in it.
    """
    for message, text in _pairs(row, sample):
        if not message.calls:
            continue
        if _is_twice(message.calls, text):
            yield row.finding("E3", "the arguments are encoded twice", _near(text), "Give arguments as an object.")
            continue
        found = find_calls(text.rpartition(THINK[1])[2] if message.thought else text).calls
        if _same(found, message.calls):
            continue
        if _same(sorted(found, key=_content), sorted(message.calls, key=_content)):
            yield row.finding("E3", "the calls stand in another order", _near(text), "Use another template.")
            continue
        lost = next((value for call in message.calls for value in _leaves(call) if not _stands(value, text)), None)
        if lost is not None:
            written = _IN_PYTHON.get(lost, "")
            instead = f", but {written}" if written and _stands(written, text) else ""
            cure = "Use another template, or another layout of calls."
            yield row.finding("E3", f"the rendered call does not hold {lost}{instead}", _near(text), cure)


def _pairs(row: RenderedRow, sample: TrainingSample) -> list[tuple[TrainingMessage, str]]:
    """Each target of the sample with the text that is trained of it; none where they do not fit together."""
    trained = row.trained or ()
    return list(zip(sample.trained, trained, strict=True)) if len(sample.trained) == len(trained) else []


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
    return _occurs(json.loads(leaf), text) if leaf.startswith('"') else _borders(leaf).search(text) is not None


_IN_PYTHON: Final = {"true": "True", "false": "False", "null": "None"}


def _borders(leaf: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.]){re.escape(leaf)}(?![\w.])")


def _is_twice(calls: Sequence[Call], text: str) -> bool:
    """Whether names of arguments are escaped where no value of the call holds them so."""
    marks = ((f'\\"{name}\\":', call) for call in calls for name in call.values)
    return any(mark in text and mark not in call.arguments for mark, call in marks)


def _near(text: str) -> str:
    return f"rendered: {text[:80]!r}"


def nothing_lost(row: RenderedRow, sample: TrainingSample) -> Iterator[RowFinding]:
    """E4: the text holds the words of all messages, all calls and all results; targets hold their thoughts."""
    for at, message in enumerate(sample.messages):
        if message.content and not _occurs(message.content, row.text):
            what = "the words beside a call" if message.calls else f"the words of the {message.role}"
            yield row.finding("E4", f"{what} are lost: {message.content!r:.60}", f"message {at}", _LOST)
        for call in message.calls:
            if row.text.count(call.tool) < 1 + sum(call.tool == tool["name"] for tool in sample.tools):
                yield row.finding("E4", f"a call of {call.tool} is lost", f"message {at}", _LOST)
    wanted = sum(len(message.calls) for message in sample.trained)
    held = sum(len(row.messages[at].get("tool_calls") or ()) for at in row.targets)
    if held != wanted:
        yield row.finding("E4", f"{held} calls in place of {wanted}", "tool_calls", "Export again.")
    for message, text in _pairs(row, sample):
        for call in message.calls:
            if call.tool not in text:
                yield row.finding("E4", f"the call of {call.tool} is not rendered", _near(text), _LOST)
        if message.thought and not _occurs(message.thought, text):
            yield row.finding(
                "E4", "the thought is not rendered", _near(text), "Use --no-thoughts or another template."
            )


_LOST: Final = "Use another template, or leave out of the export what it cannot hold."


# -- E5 and E6: the mask ---------------------------------------------------------------------------------------------


def replies_trained(row: RenderedRow, sample: TrainingSample) -> Iterator[RowFinding]:
    """E5: what is trained is the assistant's replies and nothing else, with the mark that ends a reply."""
    trained = row.trained
    if trained is None:
        cure = "Use --slices turn, which needs no marks, or a template with {% generation %}."
        yield row.finding("E5", "neither the template nor TRL marks what the assistant says", "", cure)
        return
    if len(trained) != len(sample.trained):
        yield row.finding("E5", f"{len(trained)} replies are trained, not {len(sample.trained)}", "", _MASK)
        return
    own = "\n".join(f"{spoken(one)}\n{' '.join(call.arguments for call in one.calls)}" for one in sample.trained)
    foreign = [one for one in sample.messages if not one.trained and len(one.content) >= _LONG]
    for text, message in zip(trained, sample.trained, strict=True):
        if not text.strip():
            yield row.finding("E5", "a reply has no trained character", "", _MASK)
        for other in foreign:
            if other.content in text and other.content not in own:
                yield row.finding("E5", f"words of the {other.role} are trained: {other.content!r:.60}", "", _MASK)
        if message.content and not _occurs(message.content, text):
            yield row.finding("E5", f"words of the reply are not trained: {message.content!r:.60}", _near(text), _MASK)
        if not any(text.rstrip().endswith(end) for end in _ends(row)):
            yield row.finding("E5", "the mark that ends the reply is not trained", repr(text[-40:]), _MASK)


_MASK: Final = "Use --slices turn, or a template that marks replies as a whole."


def _ends(row: RenderedRow) -> tuple[str, ...]:
    """The ends of replies under a template: of words, of calls, and of both together."""
    twin = training_twin(row.template) if row.is_whole else None
    return _reply_ends(twin or row.template, is_marked=twin is not None)


@lru_cache(maxsize=256)
def _reply_ends(template: ChatTemplate, *, is_marked: bool) -> tuple[str, ...]:
    alone = [end for pair in (_WORDS, *_CALLS) for end in _ends_of(template, pair, is_marked=is_marked)]
    both = (end for end in _ends_of(template, _BOTH, is_marked=is_marked) if not _is_cut(end, alone))
    return tuple(dict.fromkeys((*alone, *both)))


def _is_cut(end: str, known: Sequence[str]) -> bool:
    """Whether an end lacks the last part of a known one: words and a call without the mark that a call alone has."""
    is_whole = any(one.endswith(end) for one in known)
    return not is_whole and any(end.endswith(one[:cut]) for one in known for cut in range(1, len(one)))


_Pair = tuple[tuple[str, str, dict[str, Json]], ...]
"""Two replies, each of words, the name of a call and its arguments, that end alike."""
_WORDS: Final[_Pair] = (("One.", "", {}), ("Two!", "", {}))
_CALLS: Final[tuple[_Pair, ...]] = (
    (("", "f", {"a": "one"}), ("", "f", {"a": 2})),
    (("", "f", {}), ("", "g", {})),
)
_BOTH: Final[_Pair] = (("One.", "f", {}), ("Two!", "f", {}))


def _ends_of(template: ChatTemplate, pair: _Pair, *, is_marked: bool) -> tuple[str, ...]:
    places = (True, False) if is_marked else (True,)
    texts = [[_dummy(template, *one, is_marked=is_marked, is_last=is_last) for one in pair] for is_last in places]
    return tuple(filter(None, (_common_end(*found) for found in texts)))


def _dummy(template: ChatTemplate, words: str, name: str, arguments: Json, *, is_marked: bool, is_last: bool) -> str:
    """A rendered reply, as the template or its marks have it, as the last message or before another."""
    call = {"id": "call00000", "type": "function", "function": {"name": name, "arguments": arguments}}
    asked = {"role": "user", "content": "Go."}
    reply = {"role": "assistant", "content": words, **({"tool_calls": [call]} if name else {})}
    answer = {"role": "tool", "content": "1", "tool_call_id": "call00000", "name": name} if name else asked
    try:
        if not is_marked:
            return template.render([asked, reply], [])
        marked = template.render_marked([asked, reply, *([] if is_last else [answer])], [])
    except TemplateFailed:
        return ""
    return "".join(marked.text[start:end] for start, end in marked.spans[:1])


def _common_end(first: str, second: str) -> str:
    return _common(first[::-1], second[::-1])[::-1].strip()


def prompt_is_prefix(row: RenderedRow, sample: TrainingSample) -> Iterator[RowFinding]:
    """E6: the prompt that a reply is asked for with is the beginning of the text that is trained."""
    del sample
    for at, (prompt, whole) in zip(row.targets, row.prompts, strict=True):
        if not whole.startswith(prompt):
            split = len(_common(prompt, whole))
            what = (
                f"the prompt goes on with {prompt[split : split + 40]!r}, the text with {whole[split : split + 40]!r}"
            )
            yield row.finding("E6", what, f"message {at}", "Use a template whose prompt and reply fit, or refuse it.")
        elif row.is_whole and not row.text.startswith(whole):
            yield row.finding("E6", "later messages change earlier text", f"message {at}", "Use --slices turn.")


CHECKS: Final = (tools_shown, calls_read_back, nothing_lost, replies_trained, prompt_is_prefix)
"""E2 to E6, in order."""
