"""Repetition: how often speakers say the same thing after masking values, which reveals templates.

Values are masked as `<v>` in all forms in which people say them. Shares are over all turns of the speaker.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from callwright.catalog.slots import slots
from callwright.lang.surface import forms
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import decode
from callwright.records.tool import Tool


class Repetition(msgspec.Struct, frozen=True):
    """The most frequent phrases among the turns of one role."""

    turns: int
    utterance: str
    utterance_share: float | None
    four_gram: str
    """The most frequent masked 4-gram; of several, the one that comes first."""
    four_gram_share: float | None
    """Share of turns with the most frequent masked 4-gram."""
    openings: int
    """Number of distinct masked first utterances."""


def repetition(dialogues: Iterable[Dialogue], tools_by_key: Mapping[str, Tool], *, role: str = "user") -> Repetition:
    """Return the most frequent phrases in the turns of `role`."""
    utterances: Counter[str] = Counter()
    grams: Counter[tuple[str, ...]] = Counter()
    openings: set[str] = set()
    for dialogue in dialogues:
        mask = masker(dialogue, tools_by_key)
        texts = [mask(turn.text) for turn in dialogue.turns if dialogue.role(turn) == role]
        openings.update(texts[:1])
        utterances.update(texts)
        for text in texts:
            words = _WORD.findall(text)
            grams.update(list(dict.fromkeys(tuple(words[at : at + 4]) for at in range(len(words) - 3))))  # as they come
    turns = utterances.total()
    most, gram = utterances.most_common(1), grams.most_common(1)
    return Repetition(
        turns=turns,
        utterance=most[0][0] if most else "",
        utterance_share=most[0][1] / turns if most else None,
        four_gram=" ".join(gram[0][0]) if gram else "",
        four_gram_share=gram[0][1] / turns if gram else None,
        openings=len(openings),
    )


_WORD = re.compile(r"<v>|[\w']+")
_DIGITS = re.compile(r"\b\w*\d[\w./:-]*")


class masker:  # noqa: N801  # used as a function
    """Masks the gold values of one dialogue, and words with a digit."""

    def __init__(self, dialogue: Dialogue, tools_by_key: Mapping[str, Tool]) -> None:
        today = dialogue.day
        said: set[str] = set()
        documents = {shown.name: tools_by_key[shown.key] for shown in dialogue.tools if shown.key in tools_by_key}
        for task in dialogue.tasks:
            for gold in task.gold:
                by_name = slots(documents[gold.tool]) if gold.tool in documents else {}
                for argument in gold.arguments:
                    if argument.name in by_name and by_name[argument.name].kind != "boolean":
                        for value in argument.accepted:
                            said.update(forms(decode(value), by_name[argument.name].kind, today))
        longest_first = sorted((form.lower() for form in said if form), key=lambda form: (-len(form), form))
        self._forms = re.compile("|".join(rf"(?<!\w){re.escape(f)}(?!\w)" for f in longest_first) or r"(?!)")

    def __call__(self, text: str) -> str:
        return _DIGITS.sub("<v>", self._forms.sub("<v>", text.lower()))
