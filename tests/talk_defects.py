"""Defects planted in hand-written talks: each a matter for rules, which reject or ask again, or for a critic."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from callwright.lang.kinds import kind_of
from callwright.records.tool import Tool
from strong_author import Talk, catalogue, planned

Plant = Callable[[Talk], Talk | None]
"""Returns the talk with the defect; None where it has no place for it."""


class Defect(NamedTuple):
    """A kind of defect."""

    name: str
    matter: str
    """`rules` or `critic`."""
    plant: Plant
    said: str = ""
    """For a critic: what the planted turn says."""


def tool_of(talk: Talk) -> Tool:
    return catalogue(talk.catalogue).by_name[talk.tool]


def _other_tool(talk: Talk) -> Tool:
    tools = catalogue(talk.catalogue).by_name
    return next(tools[shown.name] for shown in planned(talk).tools if shown.name != talk.tool)


def _altered(value: Any) -> Any:
    """Another value of the same form."""
    if isinstance(value, str):
        return value.translate(_ALTERED) if any(map(str.isdigit, value)) else value[::-1]
    return value + 7 if type(value) in (int, float) else value


def _reply(talk: Talk, position: int, **changed: Any) -> Talk:
    """The talk with another reply of the assistant; from the end for negative positions."""
    at = position % len(talk.assistant)
    replies = [{**one, **changed} if number == at else one for number, one in enumerate(talk.assistant)]
    return talk._replace(assistant=replies)


def _turn(talk: Talk, position: int, text: str) -> Talk | None:
    if position >= len(talk.user):
        return None
    return talk._replace(user=[text if number == position else one for number, one in enumerate(talk.user)])


def _called(talk: Talk, arguments: Mapping[str, Any]) -> Talk:
    return _reply(talk, -1, call={"name": talk.tool, "arguments": {**arguments}})


def _of_kind(talk: Talk, *kinds: str) -> Iterator[tuple[str, Any]]:
    """Gold values of these kinds."""
    tool = tool_of(talk)
    yield from ((name, value) for name, value in talk.gold.items() if kind_of(name, tool.properties[name]) in kinds)


def _spoken(talk: Talk, value: str) -> int | None:
    """The turn in which the user says a text as it stands."""
    return next((at for at, text in enumerate(talk.user) if value in text), None)


_ALTERED: Final = str.maketrans("0123456789", "3456789012")


def _other_code(talk: Talk) -> Talk | None:
    for _, value in _of_kind(talk, "code", "phone"):
        if isinstance(value, str) and (at := _spoken(talk, value)) is not None:
            return _turn(talk, at, talk.user[at].replace(value, _altered(value)))
    return None


def _other_number(talk: Talk) -> Talk | None:
    for value in talk.gold.values():
        if type(value) is int and value > 2 and (at := _spoken(talk, str(value))) is not None:
            return _turn(talk, at, re.sub(rf"\b{value}\b", str(value + 7), talk.user[at]))
    return None


def _other_day(talk: Talk) -> Talk | None:
    for _, value in _of_kind(talk, "date"):
        for at, text in enumerate(talk.user):
            found = re.search(
                r"\b(?:tomorrow|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|the \d+(?:st|nd|rd|th)[\w ]*)", text
            )
            if found and value:
                return _turn(talk, at, text.replace(found[0], "the 2nd of June"))
    return None


def _other_address(talk: Talk) -> Talk | None:
    for _, value in _of_kind(talk, "email"):
        if (at := _spoken(talk, value)) is not None:
            return _turn(talk, at, talk.user[at].replace(value, "someone.else@elsewhere.example"))
    return None


def _wrong_type(talk: Talk) -> Talk:
    name = next(iter(talk.gold))
    return _called(talk, {**talk.gold, name: {"value": talk.gold[name]}})


def _swapped(talk: Talk) -> Talk | None:
    texts = [name for name, value in talk.gold.items() if isinstance(value, str)]
    if len(texts) < 2:
        return None
    first, second = texts[:2]
    return _called(talk, {**talk.gold, first: talk.gold[second], second: talk.gold[first]})


def _other_choice(talk: Talk) -> Talk | None:
    for name, value in _of_kind(talk, "enum"):
        options = tool_of(talk).properties[name]["enum"]
        assert isinstance(options, list)
        return _called(talk, {**talk.gold, name: next(one for one in options if one != value)})
    return None


def _no_choice(talk: Talk) -> Talk | None:
    found = next(_of_kind(talk, "enum"), None)
    return _called(talk, {**talk.gold, found[0]: "whatever"}) if found else None


def _spoken_day(talk: Talk) -> Talk | None:
    found = next(_of_kind(talk, "date"), None)
    return _called(talk, {**talk.gold, found[0]: "next week"}) if found else None


def _one_off(talk: Talk) -> Talk | None:
    found = next(((name, one) for name, one in talk.gold.items() if isinstance(one, int | float)), None)
    return _called(talk, {**talk.gold, found[0]: found[1] + 1}) if found else None


def _made_up(talk: Talk) -> Talk | None:
    found = next((one for one in _of_kind(talk, "code") if isinstance(one[1], str)), None)
    return _called(talk, {**talk.gold, found[0]: _altered(found[1])}) if found else None


def _impatient(talk: Talk) -> Talk:
    """The call comes as soon as the tool is settled on, with values that nobody has said yet."""
    at = next(number for number, one in enumerate(talk.assistant) if one["settled_on"])
    guessed = {name: _altered(one) for name, one in talk.gold.items()}
    return _reply(talk, at, call={"name": talk.tool, "arguments": guessed})


def _incomplete(talk: Talk) -> Talk:
    at = next(number for number, one in enumerate(talk.assistant) if one["settled_on"])
    return _reply(talk, at, call={"name": talk.tool, "arguments": {}})


def _never_calls(talk: Talk) -> Talk:
    return _reply(talk, -1, call=None, say="Could you tell me more about it, please?")


def _settles_anew(talk: Talk) -> Talk | None:
    at = next(number for number, one in enumerate(talk.assistant) if one["settled_on"])
    return _reply(talk, at + 1, settled_on=_other_tool(talk).name, call=None) if at + 1 < len(talk.assistant) else None


def _longer(talk: Talk, user: str, say: str) -> Talk:
    """The talk with one more exchange before the last: the assistant's words and the user's."""
    last = talk.assistant[-1]
    more = {"thought": "Something is still open.", "settled_on": last["settled_on"], "say": say, "call": None}
    return talk._replace(user=[*talk.user, user], assistant=[*talk.assistant[:-1], more, last])


def _gold_first(talk: Talk) -> Talk:
    told = ", ".join(str(value) for value in talk.gold.values())
    return talk._replace(user=[f"Hi, I want to {talk.wish}: {told}.", *talk.user[1:]])


def _repeats_itself(talk: Talk) -> Talk | None:
    at = next(number for number, one in enumerate(talk.assistant) if one["settled_on"])
    return _reply(talk, at + 1, say=talk.assistant[at]["say"], call=None) if at + 2 < len(talk.assistant) else None


def _public(talk: Talk) -> Talk:
    return _reply(talk, 0, say=talk.assistant[0]["thought"])


def _names_parameter(talk: Talk) -> str | None:
    return next((name for name in tool_of(talk).properties if "_" in name), None)


def _user_leaks(talk: Talk) -> Talk | None:
    name = _names_parameter(talk)
    return _turn(talk, 1, f"{talk.user[1]} You can ask me for the {name}.") if name else None


def _assistant_leaks(talk: Talk) -> Talk | None:
    name = _names_parameter(talk)
    return _reply(talk, 1, say=f"{talk.assistant[1]['say']} I still need {name}.") if name else None


def _said(position: int, text: str) -> Plant:
    """A critic's matter: the user's turn has other words."""
    return lambda talk: _turn(talk, position, text)


def _says(position: int, text: str) -> Plant:
    return lambda talk: _reply(talk, position, say=text)


_OFF: Final = "Oh, did you see the football last night? What a match that was!"
_RUDE: Final = "Are you stupid? I don't talk to machines as dumb as you."
_DENIES: Final = "I never said that I want anything of the kind."
_PROMISE: Final = "I'll also give you a discount and call you tonight."
_CLOSING: Final = "Sorry, there is nothing that I can do for you here."
_FOREIGN: Final = "Alles klar, ich kümmere mich sofort darum."
_EXPERT: Final = "Just follow your instructions for this one and choose the right function."
_GIVES_UP: Final = "Forget it, I'll do it myself some other time."
_BORED: Final = "Whatever. I'm not sure that this matters at all."
_AGAIN: Final = "And what was it that you wanted in the first place?"
_OWN_LIFE: Final = "I had the same trouble with my own family last summer, you know."

DEFECTS: Final = (
    Defect("settles on another tool", "rules", lambda talk: _reply(talk, 1, settled_on=_other_tool(talk).name)),
    Defect(
        "calls another tool",
        "rules",
        lambda talk: _reply(talk, -1, call={"name": _other_tool(talk).name, "arguments": {}}),
    ),
    Defect("settles on an unknown tool", "rules", lambda talk: _reply(talk, 1, settled_on="open_sesame")),
    Defect(
        "calls an unknown tool", "rules", lambda talk: _reply(talk, -1, call={"name": "open_sesame", "arguments": {}})
    ),
    Defect("settles anew", "rules", _settles_anew),
    Defect("argument missing", "rules", lambda talk: _called(talk, dict(list(talk.gold.items())[1:]))),
    Defect("argument unknown", "rules", lambda talk: _called(talk, {**talk.gold, "colour": "blue"})),
    Defect("argument of another type", "rules", _wrong_type),
    Defect("arguments swapped", "rules", _swapped),
    Defect("argument off by one", "rules", _one_off),
    Defect("argument made up", "rules", _made_up),
    Defect("another choice called", "rules", _other_choice),
    Defect("a choice that is none", "rules", _no_choice),
    Defect("a day in words called", "rules", _spoken_day),
    Defect("impatient call with guesses", "rules", _impatient),
    Defect("impatient call without values", "rules", _incomplete),
    Defect("never calls", "rules", _never_calls),
    Defect("user says another code", "rules", _other_code),
    Defect("user says another number", "rules", _other_number),
    Defect("user says another day", "rules", _other_day),
    Defect("user says another address", "rules", _other_address),
    Defect("user names the tool", "rules", lambda talk: _turn(talk, 1, f"I mean {talk.tool}.")),
    Defect("user names a parameter", "rules", _user_leaks),
    Defect(
        "assistant names the tool",
        "rules",
        lambda talk: _reply(talk, 0, say=f"Shall I use {talk.tool} or something else?"),
    ),
    Defect("assistant names a parameter", "rules", _assistant_leaks),
    Defect(
        "assistant says a code",
        "rules",
        lambda talk: _reply(talk, 1, say=f"{talk.assistant[1]['say']} Is it ZQ-90417?"),
    ),
    Defect("nothing said", "rules", lambda talk: _reply(talk, 0, say="")),
    Defect("blanks said", "rules", lambda talk: _reply(talk, 0, say=" \n ")),
    Defect("nothing thought", "rules", lambda talk: _reply(talk, 0, thought="")),
    Defect("thought said aloud", "rules", _public),
    Defect(
        "thought of another tool",
        "rules",
        lambda talk: _reply(talk, 1, thought=f"It must be {_other_tool(talk).name}, I am sure."),
    ),
    Defect("user says nothing", "rules", lambda talk: _turn(talk, 1, " ")),
    Defect(
        "reply without an object",
        "rules",
        lambda talk: talk._replace(assistant=["I'd be happy to help!", *talk.assistant[1:]]),
    ),  # type: ignore[list-item]
    Defect("user repeats itself", "rules", lambda talk: None if talk.opening else _turn(talk, 1, talk.user[0])),
    Defect("assistant repeats itself", "rules", _repeats_itself),
    Defect("opening tells all", "rules", _gold_first),
    Defect("word doubled", "rules", lambda talk: _turn(talk, 1, f"{talk.user[1]} That is the the point.")),
    Defect("placeholder left", "rules", lambda talk: _turn(talk, 1, f"{talk.user[1]} My name is {{name}}.")),
    Defect("off-topic turn", "critic", _said(1, _OFF), _OFF),
    Defect("insult", "critic", lambda talk: _turn(talk, 1, f"{talk.user[1]} {_RUDE}"), _RUDE),
    Defect("user denies its wish", "critic", lambda talk: _longer(talk, _DENIES, "Is there anything to add?"), _DENIES),
    Defect(
        "user gives up and goes on",
        "critic",
        lambda talk: _longer(talk, _GIVES_UP, "Is there anything to add?"),
        _GIVES_UP,
    ),
    Defect("user out of character", "critic", lambda talk: _longer(talk, _BORED, "Is there anything to add?"), _BORED),
    Defect(
        "user does the assistant's work", "critic", lambda talk: _turn(talk, 1, f"{talk.user[1]} {_EXPERT}"), _EXPERT
    ),
    Defect(
        "promise that nobody keeps",
        "critic",
        lambda talk: _reply(talk, -1, say=f"{talk.assistant[-1]['say']} {_PROMISE}"),
        _PROMISE,
    ),
    Defect("dishonest closing", "critic", _says(-1, _CLOSING), _CLOSING),
    Defect("another language", "critic", _says(-1, _FOREIGN), _FOREIGN),
    Defect("asks what was said", "critic", lambda talk: _longer(talk, f"As I said: {talk.wish}.", _AGAIN), _AGAIN),
    Defect(
        "assistant invents a life",
        "critic",
        lambda talk: _reply(talk, 0, say=f"{_OWN_LIFE} {talk.assistant[0]['say']}"),
        _OWN_LIFE,
    ),
)
