"""E4: words that are no thought do not stand where the template puts thoughts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from callwright.records.jsontext import Json
from callwright.train.chat_template import ChatTemplate, TemplateFailed
from callwright.train.rendered_row import RenderedRow, RowFinding, common_start, near, occurs
from callwright.train.training_sample import TrainingSample


def words_stay_words(row: RenderedRow, sample: TrainingSample) -> Iterator[RowFinding]:
    """E4: no words of a reply stand in thoughts alone, between the marks that the template puts around one."""
    marks = [one for one in _thought_marks(row.template) if one[0] in row.text]
    if not marks:
        return
    for at, message in enumerate(sample.messages):
        if message.role != "assistant" or not message.content:
            continue
        text = _of_reply(row) if message.trained and len(row.targets) == 1 else row.text
        if occurs(message.content, text) and not occurs(message.content, _without_thoughts(text, marks)):
            what = "the words beside a call" if message.calls else "the words of the reply"
            where = f"message {at}, {near(text[_mark_before(text, message.content, marks) :])}"
            yield row.finding("E4", f"{what} become a thought: {message.content!r:.60}", where, _CURE)


def _of_reply(row: RenderedRow) -> str:
    """The text of the only reply that is trained, from its header on: it may hold the mark of a thought."""
    try:
        past = row.template.render(row.messages[: row.targets[0]], row.tools)
    except TemplateFailed:
        return row.text
    return row.text[len(common_start(past, row.text)) :]


def _mark_before(text: str, words: str, marks: Sequence[tuple[str, str]]) -> int:
    """The place of the last mark of a thought before words."""
    return max(0, *(text.rfind(opening, 0, max(text.find(words), 0)) for opening, _ in marks))


def _without_thoughts(text: str, marks: Sequence[tuple[str, str]]) -> str:
    for opening, closing in marks:
        first, *others = text.split(opening)
        text = first + "".join(f"\0{one.partition(closing)[2]}" for one in others)
    return text


@lru_cache(maxsize=256)
def _thought_marks(template: ChatTemplate) -> tuple[tuple[str, str], ...]:
    """What stands before and after a thought, from the header of its reply on; none where the template has no place.

    Each field that templates read a thought from is tried on a reply of words. What stands before words too marks none.
    """
    found = dict[tuple[str, str], None]()
    for field in _FIELDS:
        try:
            past, plain = template.render([_ASKED], []), template.render([_ASKED, _REPLY], [])
            thinking = template.render([_ASKED, {**_REPLY, field: _THOUGHT}], [])
        except TemplateFailed:
            continue
        opening, is_shown, rest = thinking[len(common_start(past, thinking)) :].partition(_THOUGHT)
        closing = re.search(_TAG, rest)
        before_words = plain[len(common_start(past, plain)) :].partition(_WORDS)[0]
        if is_shown and closing and opening.strip() and opening != before_words:
            found[opening, closing[0]] = None
    return tuple(found)


_WORDS, _THOUGHT = "Qworda.", "Qthoughta"
_ASKED: Final[Json] = {"role": "user", "content": "Go."}
_REPLY: Final[Json] = {"role": "assistant", "content": _WORDS}
_FIELDS: Final = ("thinking", "reasoning_content", "reasoning", "thought")
"""Where chat templates look for the thought of a message."""
_TAG: Final = r"<[^<>\n]{1,80}>|\[/?[A-Z_]{1,80}\]"
_CURE: Final = "Use another template, or leave words beside calls out of the export."
