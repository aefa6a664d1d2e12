"""E5: what is trained of a row is exactly the assistant's replies, with the mark that ends each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from callwright.records.jsontext import Json
from callwright.train.chat_template import ChatTemplate, TemplateFailed, training_twin
from callwright.train.rendered_row import RenderedRow, RowFinding, common_start, near, occurs
from callwright.train.trainer_layouts import spoken
from callwright.train.training_sample import TrainingSample

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
    own = "\n".join(f"{spoken(one)}\n{' '.join(call.arguments for call in one.calls)}" for one in sample.trained)
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
    return common_start(first[::-1], second[::-1])[::-1].strip()
