"""Replies of `builtin/author` to the prompts of `wild` sessions: set phrases that follow each line of the prompt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from callwright.errors import BadDocument
from callwright.lang.english import join_with
from callwright.lang.kinds import kind_of_value
from callwright.lang.surface import say
from callwright.records.jsontext import parse

_ORDINALS: Final = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def _ordinal(number: str) -> str:
    place = int(number)
    return _ORDINALS[place] if 0 < place < len(_ORDINALS) else f"{place}th"


def write_text(asked: str, rng: Random) -> str:
    """Return the answer to a prompt of a `wild` session; empty where it is none."""
    own = asked.partition("\nDo not begin like")[0]
    if _WISH.search(own):
        return _request(own, rng)
    if change := _CHANGE.search(own):
        return f"{rng.choice(_CORRECTING)} the {change[1]} is {_spoken(change[3])}, not {_spoken(change[2])}."
    if topic := _TOPIC.search(own):
        return _chat(own, topic[1], rng)
    if own.startswith("The person said: "):
        reply = _REPLY.search(own)
        return rng.choice(_REPLIES).format(reply[1]) if reply else _closing(own, rng)
    return ""


def write_object(asked: str, rng: Random) -> None:
    """Return None: no prompt of `wild` asks for an object."""


# -- requests --------------------------------------------------------------------------------------------------------

_WISH: Final = re.compile(r"^Wish \d+(?: \(needs [^)\n]*\))?: (.+)$", re.MULTILINE)
_SAY: Final = re.compile(r"- say (.+?): (.+)")
_RESULT: Final = re.compile(r"- result: (.+) comes from the wish(?:es)? it needs")
_HIDDEN: Final = re.compile(
    r"- hidden: .+?: say only (?:\"(that .+?)\"|that it is (the .+) of the person's request number (\d{1,2})"
    r"|that it is (the [^(\n]+ from [^(\n]+))"
)
_PLACE: Final = re.compile(r"the one at place (\d)")
_AGAIN: Final = re.compile(
    r"^Do not say what is to be done: .*?(?:request number (\d{1,2})|with (the .{1,200}) earlier)?; (leave|refer)",
    re.MULTILINE,
)
_OTHER: Final = re.compile(r", for (another .{1,1000}?) than before$")
_TAKEN_BACK: Final = re.compile(r"take it back in the same breath: (.+)$", re.MULTILINE)
_CHANGE: Final = re.compile(r"^Change the (.{1,500}): (.{1,500}) becomes (.+)$", re.MULTILINE)
_CORRECTING: Final = ("Wait:", "Oh,", "One correction:")
_FIRST: Final = ("Please", "I want you to", "Now please", "I need you to", "Be so kind as to")
_NEXT: Final = ("Then", "Also", "Next,", "After that,")


class _Wish(NamedTuple):
    do: str
    lines: tuple[str, ...]


def _request(asked: str, rng: Random) -> str:
    wishes = _wishes(asked)
    first, *others = wishes
    again = _AGAIN.search(asked)
    start = _again(again, rng) if again else f"{rng.choice(_FIRST)} {first.do}"
    other = _OTHER.search(first.do) if again else None
    parts = [f"{start}{f' for {other[1]}' if other else ''}{_details(first)}."]
    parts += [f"{_NEXT[place % len(_NEXT)]} {wish.do}{_details(wish)}." for place, wish in enumerate(others)]
    if taken := _TAKEN_BACK.search(asked):
        do, *values = re.split(r"; (?=[^;\"]+: )", taken[1])
        said = [f"{noun} {_spoken(text)}" for noun, _, text in (value.partition(": ") for value in values)]
        parts.append(f"And {do}{_with(said)}. No, forget that last one.")
    return " ".join(parts)


def _wishes(asked: str) -> list[_Wish]:
    heads = list(_WISH.finditer(asked))
    ends = [head.start() for head in heads[1:]] + [len(asked)]
    return [
        _Wish(head[1], tuple(line for line in asked[head.end() : end].splitlines() if line.startswith("- ")))
        for head, end in zip(heads, ends, strict=True)
    ]


def _again(found: re.Match[str], rng: Random) -> str:
    if found[1]:
        return f"{rng.choice(('Now', 'Once more,', 'Please do'))} the same as in my {_ordinal(found[1])} request"
    if found[2]:
        return f"The same as with {found[2]} earlier"
    return rng.choice(("And once more", "And again", "Now once more")) if found[3] == "leave" else "Please do that"


def _details(wish: _Wish) -> str:
    return _with([said for line in wish.lines if (said := _detail(line))])


def _detail(line: str) -> str:
    place = _PLACE.search(line)
    which = f" of the {_ordinal(place[1])} one found" if place else ""
    if said := _SAY.fullmatch(line):
        return f"{said[1]} {_spoken(said[2])}"
    if result := _RESULT.match(line):
        return f"the resulting {result[1]}{which}"
    if hidden := _HIDDEN.match(line):
        far = f"{hidden[2]} of my {_ordinal(hidden[3])} request" if hidden[2] else hidden[4]
        return f"{hidden[1] or far.strip()}{which}"
    noun, _, rest = line[2:].partition(": ")
    return f"the same {noun}" if rest.startswith("the same as") else ""


def _with(said: Sequence[str]) -> str:
    return f", with {join_with(list(said))}" if said else ""


# -- chats -----------------------------------------------------------------------------------------------------------

_TOPIC: Final = re.compile(r"^Ask something light about: (.+)$", re.MULTILINE)
_SAID: Final = re.compile(r"^Before the question, .{1,500} about the (.{1,500}), and say it: (.+)$", re.MULTILINE)
_MEANT: Final = re.compile(
    r"^Begin with a remark on (?:your|the) (\w+) "
    r"(?:number (\d{1,2});|about (.{1,500}) earlier;|just before, and (say|leave))",
    re.MULTILINE,
)
_REPLY: Final = re.compile(r"^Chat about: (.+)$", re.MULTILINE)
_MUSING: Final = ("I keep thinking about {}.", "I told a friend about {}.")
_NEXT_UP: Final = ("I will come to {} in a moment.", "The next thing is {}, but first something else.")
_ASKING: Final = ("What do people see in {}?", "Do you ever think about {}?", "Why does everyone talk about {}?")
_REPLIES: Final = ("There is a lot to say about {}, and most of it is pleasant.", "People like {}, and I see why.")


def _chat(asked: str, topic: str, rng: Random) -> str:
    remark = "Good."
    if said := _SAID.search(asked):
        remark = rng.choice(_NEXT_UP).format(f"the {said[1]} {_spoken(said[2])}")
    elif meant := _MEANT.search(asked):
        about = f"my {_ordinal(meant[2])} {meant[1]}" if meant[2] else f"the {meant[1]} about {meant[3]} earlier"
        plain = "That was quick." if meant[4] == "say" else "Good."
        remark = plain if meant[4] else rng.choice(_MUSING).format(about)
    return f"{remark} {rng.choice(_ASKING).format(topic)}"


# -- closing texts ---------------------------------------------------------------------------------------------------

_OUTCOME: Final = re.compile(r"^- ([^:\n]{1,1000}?)(?: \(([^:\n]{0,1000})\))?:(?: (.*))?$", re.MULTILINE)
_FIELD: Final = re.compile(r"(?:(?<=, )|(?<![^,\"]))([^,\"]+?) (\"(?:[^\"\\]|\\.)*\"|-?[\d.]+|true|false)(?:, |$)")


def _closing(asked: str, rng: Random) -> str:
    parts = [_outcome(rng, do, about, found) for do, about, found in _OUTCOME.findall(asked)]
    if "Something failed: ask how to go on." in asked:
        parts.append("How shall I go on?")
    return " ".join(parts)


def _outcome(rng: Random, do: str, about: str, found: str) -> str:
    whose = f" for {about}" if about else ""
    if found.startswith("failed: "):
        return f"That did not work: {found.removeprefix('failed: ')}."
    if found.startswith("found "):
        names = [f'"{name}"' for name in found.removeprefix("found ").split("; ")]
        return f"I found this{whose}: {join_with(names)}."
    told = [f"{noun} {_spoken(text)}" for noun, text in _FIELD.findall(found)]
    if told:
        return f"{rng.choice(('Here it is', 'This came back', 'I have it'))}{whose}: {join_with(told)}."
    return f"{rng.choice(('Done', 'That is done', 'All done'))}{whose}: {do}."


def _spoken(text: str) -> str:
    """Return a value as people say it; in quotes if it has several words."""
    try:
        value = parse(text, where="value")
    except BadDocument:
        return text
    if isinstance(value, bool):
        return "yes" if value else "no"
    said = say(value, kind_of_value(value), rng=Random(0), today=None)
    return f'"{value}"' if value == said and " " in said else said
