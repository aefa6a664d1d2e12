"""The act sequences of a dialogue, as a grammar in place of a list (ToolDial, section 2.3, figure 3, tables 11 to 13).

A dialogue names an intent, clearly or vaguely; the retriever finds the tool; the system asks for its inputs, and where
the user lacks one, another tool (`chain`) is found and called first, whose result supplies it. With at most two tools
the grammar has exactly the 23 published sequences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from callwright.lang.sequence_grammar import Rules, derives, expansions, read_rules
from callwright.papers.paper import Listing

USER_ACTS: Final = (
    "inform_intent_clear",
    "inform_intent_clear_add",
    "inform_intent_vague",
    "inform",
    "fail_inform",
    "affirm",
    "negate",
    "user_bye",
)
SYSTEM_ACTS: Final = (
    "request",
    "request_multi",
    "response",
    "clarify",
    "suggest",
    "response_fail",
    "system_bye",
    "call",
    "retriever_call",
)
"""The paper's eight, and `request_multi`: a `request` to choose one of several results."""

_LINKED: Final = "chain"
"""The symbol that brings one more tool into the dialogue."""


GRAMMAR: Final = read_rules(
    """
    dialogue: answered end | failure
    answered: named request inform call | named request chain | told request inform call | told call
    named: inform_intent_clear retriever_call | vague clarify inform_intent_clear retriever_call | vague suggest affirm
    told: inform_intent_clear_add retriever_call | vague clarify inform_intent_clear_add retriever_call
    vague: inform_intent_vague retriever_call
    failure: vague suggest negate response_fail
    chain: fail_inform retriever_call source
    source: request inform call target | call chosen | request chain target
    target: call | chosen
    chosen: request inform call | request_multi inform call
    end: response user_bye system_bye
    """
)
"""Acts are what has no rule. `told` is an intent with all values in the same turn; `source` is the tool that supplies
the missing value and `target` the tool that was wanted, which still lacks other values or a choice in `chosen`."""

Extra = Literal["unlisted", "several", "mixed", "inputless"]

EXTRAS: Final[Mapping[Extra, Rules]] = MappingProxyType(
    {
        "unlisted": read_rules("source: call call"),
        "several": read_rules(
            """
            source: call request chain
            target: request chain
            failure: vague suggest negate clarify vague suggest negate response_fail
            """
        ),
        "mixed": read_rules(
            """
            dialogue: named request fail_inform retriever_call response_fail
            named: vague suggest negate clarify inform_intent_clear retriever_call
            told: vague suggest negate clarify inform_intent_clear_add retriever_call
            """
        ),
        "inputless": read_rules("answered: named call"),
    }
)
"""Alternatives that the tables lack: `unlisted`, which the released code has, a source without inputs that returns one
value; `several`, a user who lacks more values of one tool, each supplied by another tool, or declines two suggestions;
`mixed`, a declined suggestion before a wish that is fulfilled, or a lacking value that no tool supplies; `inputless`, a
tool without inputs."""

MOST_ACTS: Final = 300
"""Longest dialogue that is looked at: a link takes three acts, and a level of recursion."""


def sequences(tools: int = 2, *, extras: Collection[Extra] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every act sequence of a dialogue with at most so many tools, in the order of the grammar.

    `tools` is at least 1; the number of sequences grows threefold with each. Acts are those of `USER_ACTS` and
    `SYSTEM_ACTS`. Raises ValueError.

    >>> [len(list(sequences(most))) for most in range(1, 7)]
    [8, 23, 68, 203, 608, 1823]
    """
    if tools < 1:
        raise ValueError(f"tools is {tools}; a dialogue is about at least 1.")
    yield from expansions("dialogue", _grammar(extras), _LINKED, tools - 1)


def accepts(acts: Sequence[str], *, extras: Collection[Extra] = ()) -> bool:
    """Return whether a dialogue, with any number of tools, can have these acts in this order; at most `MOST_ACTS`.

    >>> accepts(["inform_intent_vague", "retriever_call", "suggest", "negate", "response_fail"])
    True
    """
    return len(acts) <= MOST_ACTS and derives("dialogue", acts, _grammar(extras))


def user_turns(acts: Sequence[str]) -> int:
    """Return the number of acts that are the user's; the paper counts two turns for each.

    >>> user_turns(["inform_intent_vague", "retriever_call", "suggest", "negate", "response_fail"])
    2
    """
    return sum(act in USER_ACTS for act in acts)


def _grammar(extras: Collection[Extra]) -> Rules:
    rules = dict(GRAMMAR)
    for extra in extras:
        rules |= {symbol: (*rules[symbol], *more) for symbol, more in EXTRAS[extra].items()}
    return rules


_BEYOND: Final[tuple[tuple[Extra, ...], ...]] = ((), ("unlisted",), ("inputless",))
SYNTHESISED: Final = tuple(dict.fromkeys(acts for extras in _BEYOND for acts in sequences(extras=extras)))
"""The sequences that `synth tooldial` can draw, in the order of their numbers."""


# -- `callwright acts` -------------------------------------------------------------------------------------------------


class ActOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which sequences are listed."""

    tools: Annotated[int, Meta(ge=1, le=6, description="Most tools that a dialogue calls.")] = 2
    unlisted: Annotated[
        bool, Meta(description="Add the sequences that the paper's released code has and its tables lack.")
    ] = False
    several: Annotated[
        bool,
        Meta(
            description="Add several failures: more lacking values of one tool (--tools 3), two declined suggestions."
        ),
    ] = False
    mixed: Annotated[
        bool,
        Meta(description="Add a declined suggestion before success, and a lacking value that no tool supplies."),
    ] = False
    inputless: Annotated[bool, Meta(description="Add the sequences of a tool that needs no input.")] = False


def _rows(options: ActOptions) -> list[tuple[str, ...]]:
    extras = [extra for extra in EXTRAS if getattr(options, extra)]
    return list(sequences(options.tools, extras=extras))


LISTING: Final = Listing("Print the act sequences that a dialogue over a tool graph can have.", ActOptions, _rows)
