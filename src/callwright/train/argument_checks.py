"""E3 and E4: which argument has which value, in any form of calls, asked for and answered alike.

The row is rendered once more with texts that stand nowhere else in the place of names, values and words. Where the
calls do not read back as JSON, the places of these texts tell which value belongs to which name, and what is neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from typing import Final, NamedTuple

from callwright.models.tool_calls import find_calls
from callwright.records.jsontext import Json, encode
from callwright.train.chat_template import TemplateFailed
from callwright.train.rendered_row import RenderedRow, RowFinding, function_of
from callwright.train.training_sample import TrainingSample


class _Marked(NamedTuple):
    """One call with texts of its own."""

    message: int
    tool: str
    """Its name in the row."""
    name: str
    arguments: Json
    inner: tuple[str, ...]
    """All names and values of the arguments."""


class _Marks:
    """Texts and numbers that stand nowhere else."""

    def __init__(self) -> None:
        self._numbers = count()

    def text(self, kind: str, length: int = 0) -> str:
        """A word that is as long as what it stands for, so that a template cuts it alike."""
        start = f"zq{next(self._numbers)}"
        return f"{start}{'y' * (length - len(start) - 1)}{kind}"

    def arguments(self, value: Json, made: list[str]) -> Json:
        """The value with marks in it, which are added to `made`."""
        if isinstance(value, dict):
            return {self._kept(self.text("k"), made): self.arguments(inner, made) for inner in value.values()}
        if isinstance(value, list):
            return [self.arguments(inner, made) for inner in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self._kept(_LARGE + next(self._numbers) + (0.5 if isinstance(value, float) else 0), made)
        return self._kept(self.text("v", len(value) if isinstance(value, str) else 0), made)

    def _kept(self, mark: Json, made: list[str]) -> Json:
        made.append(str(mark))
        return mark


_LARGE: Final = 7_310_000
_MARK: Final = re.compile(rf"zq\d+y*[knvr]|{str(_LARGE)[:3]}\d\d\d\d(?:\.5)?")


def arguments_in_place(row: RenderedRow, sample: TrainingSample) -> Iterator[RowFinding]:
    """E3: every value stands at its own name, and nothing is added. E4: no arguments of an earlier call are lost."""
    del sample
    messages, calls = _marked(row.messages)
    if not calls:
        return
    try:
        text = row.with_messages(messages).text
    except TemplateFailed:
        return  # a template may look for names that it knows; with those of the row it is rendered all the same
    contexts = _contexts(calls, text)
    for at in dict.fromkeys(call.message for call in calls):
        own = [call for call in calls if call.message == at]
        what = _first_fault(own, text, contexts, is_target=at in row.targets)
        if what is not None:
            code, fault = what
            yield row.finding(code, fault, f"message {at}", "Use another template.")


def _marked(messages: Sequence[Json]) -> tuple[list[Json], list[_Marked]]:
    """The messages with marks for calls and words, and the calls; calls whose arguments are no object stay."""
    marks, made, calls, names = _Marks(), list[Json](), list[_Marked](), dict[str, str]()
    for at, message in enumerate(messages):
        changed = dict(message)
        if message.get("role") != "system" and isinstance(message.get("content"), str) and message["content"]:
            changed["content"] = marks.text("r")
        if isinstance(message.get("tool_calls"), list):
            changed["tool_calls"] = [_marked_call(call, at, marks, calls, names) for call in message["tool_calls"]]
        if (name := names.get(str(message.get("tool_call_id")))) is not None and "name" in message:
            changed["name"] = name
        made.append(changed)
    return made, calls


def _marked_call(call: Json, at: int, marks: _Marks, calls: list[_Marked], names: dict[str, str]) -> Json:
    function = function_of(call)
    if not isinstance(function.get("arguments"), dict):
        return call
    inner: list[str] = []
    arguments = marks.arguments(function["arguments"], inner)
    name = names[str(call.get("id"))] = marks.text("n")
    calls.append(_Marked(at, str(function.get("name")), name, arguments, tuple(inner)))
    return {**call, "function": {**function, "name": name, "arguments": arguments}}


def _first_fault(
    calls: Sequence[_Marked], text: str, contexts: Sequence[re.Pattern[str]], *, is_target: bool
) -> tuple[str, str] | None:
    """The first fault of the calls of a message, with its code."""
    for call in calls:
        lost = [mark for mark in call.inner if mark not in text]
        if lost and is_target:
            return None  # what is lost of a target is a finding of its own
        if lost:
            return "E4", f"arguments of an earlier call of {call.tool} are lost"
        if call.name not in text:
            return None if is_target else ("E4", f"the name of an earlier call of {call.tool} is lost")
    if (is_same := _reads_back(calls, text)) is not None:
        return None if is_same else ("E3", f"{_tools_of(calls)} read back with other arguments, or in another order")
    for call in calls:
        places = [text.index(value) for value in _in_order_of_names(call.arguments, text)]
        if places != sorted(places):
            return "E3", f"values of a call of {call.tool} stand at other names"
    if _are_mixed(calls, text):
        return "E3", f"names or arguments of {_tools_of(calls)} are mixed"
    for call in calls:
        if added := _added(call, text, contexts) if call.inner else _added_alone(call, text):
            return "E3", f"a call of {call.tool} holds {added!r:.60}, which is none of its arguments"
    return None


def _in_order_of_names(value: Json, text: str) -> list[str]:
    """The values in the order in which their names stand in the text."""
    if isinstance(value, dict):
        names = sorted(value, key=text.index)
        return [one for name in names for one in _in_order_of_names(value[name], text)]
    if isinstance(value, list):
        return [one for inner in value for one in _in_order_of_names(inner, text)]
    return [str(value)]


def _tools_of(calls: Sequence[_Marked]) -> str:
    return f"calls of {', '.join(dict.fromkeys(call.tool for call in calls))}"


def _reads_back(calls: Sequence[_Marked], text: str) -> bool | None:
    """Whether the calls read back as they are from their place in the text; None where they are not written as JSON."""
    places = [place for call in calls for place in _places(call, text)]
    marks = [mark for mark in _MARK.finditer(text) if mark[0].endswith("r")]
    start = max((mark.end() for mark in marks if mark.end() <= min(places)), default=0)
    end = min((mark.start() for mark in marks if mark.start() >= max(places)), default=len(text))
    brackets = [found for bracket in "[{" if (found := text.find(bracket, start, end)) >= 0]
    names = {call.name for call in calls}
    read = [
        [(one.tool, one.arguments) for one in find_calls(text[first:end]).calls if one.tool in names]
        for first in (start, *sorted(brackets))
    ]
    if [(one.name, encode(one.arguments)) for one in calls] in read:
        return True
    return False if any(len(found) == len(calls) for found in read) else None


def _places(call: _Marked, text: str) -> list[int]:
    return [text.index(mark) for mark in (call.name, *call.inner)]


def _are_mixed(calls: Sequence[_Marked], text: str) -> bool:
    """Whether arguments of one call stand among those of another, or names are in another order than arguments."""
    filled = [call for call in calls if call.inner]
    spans = [(min(places), max(places)) for places in (_places(call, text)[1:] for call in filled)]
    names = [text.index(call.name) for call in filled]
    return names != sorted(names) or any(one[1] > other[0] for one, other in pairwise(spans))


def _added(call: _Marked, text: str, contexts: Sequence[re.Pattern[str]]) -> str:
    """What stands among the arguments of a call, or before or after them in the form of one; empty where nothing."""
    places = _places(call, text)
    name, first = places[0] + len(call.name), min(places[1:])
    last = max(text.index(mark) + len(mark) for mark in call.inner)
    start, end = _brackets(text, name, first) or (first, last)
    inside = _WORD.search(_TAG.sub(_values_of_tag, _MARK.sub(" ", _with_whole_tags(text, start, end))))
    if inside is not None:
        return inside[0]
    following = _MARK.search(text, last)
    around = (text[name:first] if name <= first else "", text[last : following.start() if following else len(text)])
    found = (one[1] for part in around for pattern in contexts for one in pattern.finditer(part))
    return next((word for word in found if not _MARK.fullmatch(word)), "")


def _added_alone(call: _Marked, text: str) -> str:
    """What stands in the brackets after the name of a call that has no arguments; empty where nothing does."""
    name = text.index(call.name) + len(call.name)
    bracket = _OPENS.match(text, name)
    span = _brackets(text, name, bracket.end()) if bracket else None
    word = _WORD.search(_MARK.sub(" ", text[slice(*span)])) if span else None
    return word[0] if word else ""


def _brackets(text: str, name: int, first: int) -> tuple[int, int] | None:
    """What the outermost bracket holds that opens after a name and is open at its first argument; None without one."""
    opened: list[int] = []
    for at in range(name, first):
        if text[at] in _OPENING:
            opened.append(at)
        elif text[at] in _CLOSING and opened:
            opened.pop()
    depth = len(opened)
    for at in range(first, len(text) if opened else first):
        depth += (text[at] in _OPENING) - (text[at] in _CLOSING)
        if not depth:
            return opened[0] + 1, at
    return None


def _with_whole_tags(text: str, start: int, end: int) -> str:
    """The part of a text, with the tags that it begins and ends within."""
    opened, closed = text.rfind("<", 0, start), text.find(">", end)
    if opened > text.rfind(">", 0, start):
        start = opened
    if closed >= 0 and text.rfind("<", 0, end) > text.rfind(">", 0, end):
        end = closed + 1
    return text[start:end]


def _contexts(calls: Sequence[_Marked], text: str) -> list[re.Pattern[str]]:
    """How names and values stand between tags, with another word in their place."""
    found: dict[tuple[str, str], None] = {}
    for mark in (mark for call in calls for mark in call.inner):
        start = text.find(mark)
        before, after = _BEFORE.search(text[:start][-_NEAR:]), _AFTER.match(text[start + len(mark) :][:_NEAR])
        if start >= 0 and before and after and not _MARK.search(before[0] + after[0]):
            found[before[0], after[0]] = None
    return [re.compile(rf"{re.escape(before)}(\w[\w.-]*){re.escape(after)}") for before, after in found]


_NEAR: Final = 80
_BEFORE: Final = re.compile(r"<[^<>\n]*>?\s*\Z")
_AFTER: Final = re.compile(r"\s*<[^<>\n]*>|[^<>\n\w\s]*>")
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"
_OPENS: Final = re.compile(r"[^\w()\[\]{}]*[(\[{]")
"""A bracket with no word before it."""
_WORD: Final = re.compile(r"\w+")
_TAG: Final = re.compile(r"<[^<>\n]{1,80}>")


def _values_of_tag(tag: re.Match[str]) -> str:
    """What a tag says after signs of equality: `<parameter=NAME>`, `<parameter name="NAME">`."""
    return " ".join(re.findall(r"=\s*\"?([^\"\s>]*)", tag[0]))
