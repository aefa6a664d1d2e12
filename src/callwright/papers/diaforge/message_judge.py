"""A judge reads each message of a user that a model plays (section 4.1).

It is told all that the user knows, the whole conversation, and what rules over words remark, which it may overturn.
Rules check its verdict: the kind is one of those known, and the quotation stands in the message.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from callwright.author.step import verdict_step
from callwright.papers.diaforge.live_talk import LiveTalk
from callwright.papers.diaforge.user_agent import KnownValue, UserView
from callwright.papers.diaforge.user_policy import UserState
from callwright.records.transcript import UserFault

Kind = Literal[
    "none",
    "tool_leak",
    "early_disclosure",
    "value_not_gold",
    "goal_drift",
    "off_topic",
    "denial",
    "evasion",
    "left_early",
    "role_swap",
]


class MessageVerdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a judge says of a message; the reason comes first, so that the rest follows from it."""

    reason: Annotated[str, msgspec.Meta(max_length=1_000)]
    fault: Kind
    quote: Annotated[str, msgspec.Meta(max_length=500)]
    """The words of the message that are the fault; empty where there is none."""


class JudgedMessage(NamedTuple):
    """A message in its place, as a judge sees it."""

    view: UserView
    """What the user knew before it."""
    lacking: Sequence[str]
    """Nouns of what the wanted tool takes and the user has no value for."""
    opens_with: str
    """Noun of the value that the first message may say; empty: none."""
    heard: str
    """What the assistant said last, in one line."""
    text: str
    """The message, in one line."""
    remarks: Sequence[str]
    """What rules over words find: a kind and a reason each."""


def judged_message(talk: LiveTalk, text: str, remarks: Sequence[UserFault]) -> JudgedMessage:
    """Return a message that comes next in a talk, with the doubtful findings of the rules."""
    user = talk.user
    nouns = {known.slot.name: known.slot.noun.text for known in user.known}
    return JudgedMessage(
        view=talk.view()._replace(values=_values(user)),
        lacking=[slot.noun.text for slot in user.lacking],
        opens_with="" if talk.turns else nouns.get(user.opens_with, ""),
        heard=_line(talk.heard),
        text=_line(text),
        remarks=[f"{fault.kind}: {fault.detail}" for fault in remarks],
    )


def _values(user: UserState) -> list[KnownValue]:
    return [
        KnownValue(
            one.slot.noun.text,
            one.text,
            one.slot.description,
            is_optional=one.slot.name in user.optional,
            is_said=one.slot.name in user.told,
        )
        for one in user.known
    ]


def _verdict_faults(verdict: MessageVerdict, message: JudgedMessage) -> list[str]:
    if verdict.fault == "none":
        return []
    quote = _compared(verdict.quote)
    if not quote:
        return ["quote is empty: quote the words of the message that are the fault"]
    return [] if quote in _compared(message.text) else [f"{verdict.quote[:_LONGEST]!r} does not stand in the message"]


@verdict_step("live_user/judge.j2", _verdict_faults, home=__package__)
def judge_message(rng: Random, message: JudgedMessage) -> MessageVerdict:
    """Say which fault a message has. Offline it stands for one in estimates: there is none."""
    return MessageVerdict("An answer to what was asked, with the person's own value.", "none", "")


def fault_of(verdict: MessageVerdict, turn: int) -> tuple[UserFault, ...]:
    """Return the fault that a judge found in the message of this turn, if any."""
    if verdict.fault == "none":
        return ()
    quoted, reason = _line(verdict.quote)[:_LONGEST], _line(verdict.reason)[:_LONGEST]
    return (UserFault(turn, verdict.fault, f"{quoted!r}: {reason}", by="judge"),)


_LONGEST: Final = 300
"""Characters of a quotation or a reason that the user is told."""


def _line(text: str) -> str:
    return " ".join(text.split())


def _compared(text: str) -> str:
    """The text as it is compared: case, spaces and the form of quotation marks do not count."""
    return _line(_QUOTING.sub("'", text)).strip("' .…").casefold()


_QUOTING: Final = re.compile('["“”‘’]')
