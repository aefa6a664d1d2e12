"""E5: what is trained of a row is exactly the assistant's replies, with the mark that ends each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from callwright.records.jsontext import Json
from callwright.train.chat_template import ChatTemplate, TemplateFailed, training_twin
from callwright.train.rendered_row import (
    RenderedRow,
    RowFinding,
    common_start,
    forms_of,
    near,
    occurs,
    texts_of,
    with_other_letters,
)
from callwright.train.trainer_layouts import THINK, spoken
from callwright.train.training_sample import TrainingMessage, TrainingSample

_LONG: Final = 12
"""Characters from which on a text is told apart from words that stand everywhere."""


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
    own = "\n".join(text for one in sample.trained for text in (spoken(one), *_called(one)))
    foreign = [one for one in sample.messages if not one.trained and len(one.content) >= _LONG]
    for text, message in zip(trained, sample.trained, strict=True):
        if not text.strip():
            yield row.finding("E5", "a reply has no trained character", "", _MASK)
        for other in foreign:
            if other.content in text and other.content not in own:
                yield row.finding("E5", f"words of the {other.role} are trained: {other.content!r:.60}", "", _MASK)
        if message.content and not occurs(message.content, text):
            yield row.finding("E5", f"words of the reply are not trained: {message.content!r:.60}", near(text), _MASK)
        if not any(text.rstrip().endswith(end) for end in _ends(row)):
            yield row.finding("E5", "the mark that ends the reply is not trained", repr(text[-40:]), _MASK)
    if not row.is_whole and not all(whole.startswith(prompt) for prompt, whole in row.prompts):
        return  # E6 names it: what follows no such prompt is more than the reply
    yield from _of_others(row, trained)
    for text, message in zip(trained, sample.trained, strict=True):
        if added := _added(row, text, message):
            yield row.finding("E5", f"text around the reply is trained: {added!r:.60}", near(text), _MASK)


_ASKED: Final = {"role": "user", "content": "Go."}
_MASK: Final = "Use --slices turn, or a template that marks replies as a whole."


def _of_others(row: RenderedRow, trained: Sequence[str]) -> Iterator[RowFinding]:
    """Replies of which something else is trained as soon as all other messages have other letters.

    A reply may stand beside another: every second one is kept, then the others.
    """
    for first in range(min(2, len(trained))):
        kept = row.targets[first::2]
        others = [one if at in kept else with_other_letters(one) for at, one in enumerate(row.messages)]
        try:
            changed = row.with_messages(others).trained or ()
        except TemplateFailed:
            continue
        for text, other in zip(trained[first::2], changed[first::2], strict=False):
            if text != other:
                held = text[len(common_start(text, other)) :]
                yield row.finding("E5", f"text of other messages is trained: {held!r:.60}", near(text), _MASK)


@lru_cache(maxsize=256)
def _reply_header(template: ChatTemplate) -> str:
    """What a prompt ends with beyond the messages, up to an opened thought, which is the reply's own."""
    try:
        prompt, plain = template.render([_ASKED], [], prompt=True), template.render([_ASKED], [])
    except TemplateFailed:
        return ""
    return prompt[len(common_start(prompt, plain)) :].partition(THINK[0].strip())[0]


def _added(row: RenderedRow, text: str, message: TrainingMessage) -> str:
    """What is trained of a reply beyond its own text, markup, and the mark that ends it; empty where nothing is.

    Own words may stand in a call too: nothing is added where one of their places leaves nothing over.
    """
    found = [_around(row, parts, message) for parts in _outside(text, message)]
    return next(iter(found), "") if all(found) else ""


def _around(row: RenderedRow, parts: Sequence[str], message: TrainingMessage) -> str:
    """What the parts around the own text of a reply hold beyond markup.

    Words that begin a call may stand before it where the prompt tells them.
    """
    header = _reply_header(row.template)
    first, *others = parts
    if row.is_whole and header.strip() and header.strip() in first:
        return header.strip()
    if row.is_whole and (begun := _next_header(parts[-1], header)):
        return begun
    called = frozenset(_WORD.findall(" ".join(_called(message))))
    for part in (_without_header(first, header), *others):
        if not message.calls:
            if sign := _MARKUP.sub(" ", part).strip():
                return sign
            continue
        opening, closing = _first_words(part), _last_words(part)
        has_call = any(call.tool in part for call in message.calls)
        if (new := _new_words(opening, called)) and not (has_call and new <= _announced(row)):
            return opening.strip()
        if _new_words(closing, called):
            return closing.strip()
    return ""


def _called(message: TrainingMessage) -> Iterator[str]:
    """Names and arguments of the calls of a message: as JSON, and all texts in them."""
    for call in message.calls:
        yield from (call.tool, call.arguments, *texts_of(call.values))


def _next_header(end: str, header: str) -> str:
    """The first tag of a header among the marks that end a reply: it begins the next one."""
    tag = re.match(_TAG, header.strip())
    return tag[0] if tag and tag[0] in end[_marks_at_end(end) :] else ""


def _marks_at_end(part: str) -> int:
    """The place at which the tags and blanks at the end of a text begin."""
    return len(re.sub(_TAG, _blanks, part).rstrip())


def _blanks(tag: re.Match[str]) -> str:
    return " " * len(tag[0])


def _held(tag: re.Match[str]) -> str:
    """What no text holds: a reply that ends in a blank does not reach into a tag behind it, where it is trimmed."""
    return "\0" * len(tag[0])


def _new_words(text: str, known: frozenset[str]) -> frozenset[str]:
    return frozenset(_WORD.findall(_MARKUP.sub(" ", text))) - known


def _announced(row: RenderedRow) -> frozenset[str]:
    """The words that stand before a dialogue: of the system and of what the template says about tools."""
    system = [one for one in row.messages if one.get("role") == "system"]
    try:
        return frozenset(_WORD.findall(row.template.render([*system, _ASKED], row.tools, prompt=True)))
    except TemplateFailed:
        return frozenset()


def _without_header(start: str, header: str) -> str:
    """The start of a reply without its header, which the model has to write or to end where the prompt does not."""
    start = start.replace(header.strip(), "")
    return _REST_OF_HEADER.sub("", start, count=1) if header[-1:].isalnum() else start


def _outside(text: str, message: TrainingMessage) -> Iterator[list[str]]:
    """The parts of a reply's text around its thought and its words, at their first and at their last places.

    None where they are not found: that they are lost is a finding of its own.
    """
    untagged = re.sub(_TAG, _held, text)
    for find in (str.find, str.rfind):
        outside, at = list[str](), 0
        for forms in _own_forms(message):
            places = [(find(within, form, at), form) for within in (untagged, text) for form in forms]
            start, form = next(((place, form) for place, form in places if place >= 0), (-1, ""))
            if start < 0:
                return
            outside.append(text[at:start])
            at = start + len(form)
        yield [*outside, text[at:]]


def _own_forms(message: TrainingMessage) -> Iterator[tuple[str, ...]]:
    """How the thought and the words of a reply may be written; a thought sooner in its tags than without."""
    if message.thought:
        yield (f"{THINK[0]}{message.thought}{THINK[1].rstrip()}", *forms_of(message.thought))
    if message.content:
        yield forms_of(message.content)


def _first_words(part: str) -> str:
    """What stands before the first bracket, quotation mark or tag, the one that ends a thought aside."""
    return _OPENING.split(part.replace(THINK[1].strip(), "", 1), maxsplit=1)[0]


def _last_words(part: str) -> str:
    """What stands after the last bracket, quotation mark or tag, without the marks at the very end."""
    return _CLOSING.split(part[: _marks_at_end(part)])[-1]


_WORD: Final = re.compile(r"[^\W_]+")
_TAG: Final = r"(?:<[^<>\n]{1,80}>|\[\|[^\[\]\n]{1,80}\|\]|\[/?[A-Z_]+\])"
_MARKUP: Final = re.compile(rf"{_TAG}(?:[\w.]+(?=<))?")
"""A tag, also with the name of a channel between it and the next."""
_OPENING: Final = re.compile(r"""[<\[{("'`]""")
_CLOSING: Final = re.compile(r"""[>\]})"'`]""")
_REST_OF_HEADER: Final = re.compile(rf"\A(?:[\w.= ]*{_TAG})+")
"""What ends the header of a reply where the prompt ends within it."""


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
    reply = {"role": "assistant", "content": words, **({"tool_calls": [call]} if name else {})}
    answer = {"role": "tool", "content": "1", "tool_call_id": "call00000", "name": name} if name else _ASKED
    try:
        if not is_marked:
            return template.render([_ASKED, reply], [])
        marked = template.render_marked([_ASKED, reply, *([] if is_last else [answer])], [])
    except TemplateFailed:
        return ""
    return "".join(marked.text[start:end] for start, end in marked.spans[:1])


def _common_end(first: str, second: str) -> str:
    return common_start(first[::-1], second[::-1])[::-1].strip()
