"""Examples of calls for the prompt: chosen from a dataset by slot coverage, or written by hand.

By hand: JSON lines `{"function": name, "said": [text, ...], "arguments": {...}}`, of which the first ones are taken.
From the folder of a dataset: for each function, one after the other, the turn whose words say most parameters that
those of no chosen one say; before others those whose words say the whole call (calls are cumulative, and the last words
alone are shown); of equals the one with fewer words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from callwright.errors import BadInput
from callwright.formats import document
from callwright.records.codec import from_line
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json, encode


class CallExample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call, and what was said before it."""

    function: str
    said: tuple[str, ...]
    arguments: dict[str, Json]
    dialogue: str = ""
    """Id of the dialogue that it was taken from."""

    @property
    def told(self) -> frozenset[str]:
        """Parameters whose values are in the words."""
        text = " ".join(self.said).lower()
        return frozenset(name for name, value in self.arguments.items() if str(value).lower() in text)

    @property
    def words(self) -> int:
        """Number of words said."""
        return sum(len(text.split()) for text in self.said)


@lru_cache(maxsize=4)
def read_examples(path: str) -> tuple[CallExample, ...]:
    """Return the examples in a file, or all calls of a dataset's dialogues. Raises BadInput."""
    place = Path(path)
    if place.is_dir():
        lines = document.read_bounded(place / "dialogues.jsonl").splitlines()
        dialogues = (from_line(line, Dialogue, where=f"{place}:{n}") for n, line in enumerate(lines, 1))
        return tuple(example for dialogue in dialogues for example in calls_of(dialogue))
    found = document.load(place)
    try:
        return msgspec.convert(found if isinstance(found, list) else [found], tuple[CallExample, ...])
    except msgspec.ValidationError as error:
        raise BadInput(
            f'{path}: {error}. A line is {{"function", "said": [text, ...], "arguments": {{...}}}}.'
        ) from error


@lru_cache(maxsize=4)
def _said_in(path: str) -> Mapping[str, set[str]]:
    """What was said last before the examples of each dialogue; other corpora may have the same ids."""
    found: dict[str, set[str]] = {}
    for one in read_examples(path):
        found.setdefault(one.dialogue, set()).update(one.said[-1:])
    return found


def holds(path: str, dialogue: Dialogue) -> bool:
    """Whether examples are taken from this dialogue. Raises BadInput as `read_examples` does."""
    said = _said_in(path).get(dialogue.id, set())
    return bool(said) and said <= {turn.text for turn in dialogue.turns}


def calls_of(dialogue: Dialogue) -> Iterator[CallExample]:
    """Yield the gold calls of a dialogue, each with the last turns before it."""
    for task in dialogue.tasks:
        at = task.turn or 0
        said = tuple(turn.text for turn in dialogue.turns[max(0, at - 1) : at + 1])
        for gold in task.gold:
            if values := {name: value for name, value in gold.values.items() if value != ""}:
                yield CallExample(gold.tool, said, values, dialogue.id)


def covering(examples: Iterable[CallExample], shots: int) -> list[CallExample]:
    """Return up to `shots` examples of one function that cover its parameters."""
    left, chosen, covered = [(one.told, one) for one in examples], list[CallExample](), set[str]()
    while left and len(chosen) < shots:
        best = min(left, key=lambda rated: _rank(rated[1], rated[0] - covered, len(rated[0])))
        chosen.append(best[1])
        covered |= best[0]
        left.remove(best)
    return chosen


def _rank(one: CallExample, new: Collection[str], told: int) -> tuple[bool, bool, int, int, tuple[str, ...]]:
    return not new, told < len(one.arguments), -len(new), one.words, one.said


def named_call(function: str, arguments: Json) -> str:
    """Return a call as an example shows it where calling is native."""
    return f"{function}({encode(arguments)})"


def examples_text(
    path: str, functions: Sequence[str], shots: int, *, without: str, written: Callable[[str, Json], str] = named_call
) -> str:
    """Return the examples of functions as lines of a prompt; none of the dialogue `without`. Raises BadInput.

    `written` gives a call of a function with these arguments as it is to be made.
    """
    if not shots:
        return ""
    lines = [line for name in functions for line in _lines(_chosen(path, shots, without).get(name, ()), written)]
    return "\n".join(("Examples:", *lines)) if lines else ""


@lru_cache(maxsize=64)
def _chosen(path: str, shots: int, without: str) -> Mapping[str, tuple[CallExample, ...]]:
    by_function: dict[str, list[CallExample]] = {}
    for one in read_examples(path):
        if not one.dialogue or one.dialogue != without:
            by_function.setdefault(one.function, []).append(one)
    is_chosen = Path(path).is_dir()
    return {name: tuple(covering(own, shots) if is_chosen else own[:shots]) for name, own in by_function.items()}


def _lines(examples: Iterable[CallExample], written: Callable[[str, Json], str]) -> Iterator[str]:
    for one in examples:
        yield from (
            f"{'User' if (len(one.said) - at) % 2 else 'Assistant'}: {text}" for at, text in enumerate(one.said)
        )
        yield f"Call: {written(one.function, one.arguments)}"
