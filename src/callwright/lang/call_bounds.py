"""Bounds on call expressions, checked before Python's parser runs.

The parser recurses on nesting and on chains (`a.b.c`, `1+1+1`, `f()()()`), and can exhaust the stack or, in ways that
differ between versions, time. A linear scan over the tokens refuses both first. It separates strings from
code as Python does; text for which Python's rules depend on its version (f-strings) is refused.
"""

from __future__ import annotations

import re
from typing import Final

from callwright.errors import BadDocument

MAX_LENGTH: Final = 100_000
"""Longest reply, in characters, that is read as calls."""

MAX_NESTING: Final = 50
"""Deepest nesting of brackets."""

MAX_CHAIN: Final = 200
"""Most tokens between the outermost bracket and any token, not counting those before a comma."""

_FORBIDDEN = re.compile("[\0\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_TOKEN = re.compile(
    r"""
      (?P<blank>  [ \t\f\r\n]+ | \\\n | \#[^\r\n]* )
    | (?P<string> (?P<prefix>[A-Za-z]{0,3})
                  (?: \"{3}(?:[^\\]|\\.)*?\"{3} | '{3}(?:[^\\]|\\.)*?'{3}
                    | (?!\"{3}|'{3})(?: \"(?:[^\"\\\r\n]|\\.)*\" | '(?:[^'\\\r\n]|\\.)*' ) ) )
    | (?P<open>   [(\[{] )
    | (?P<close>  [)\]}] )
    | (?P<comma>  , )
    | (?P<word>   \w+ )
    | (?P<quote>  ["'] )
    | (?P<other>  . )
    """,
    re.VERBOSE | re.DOTALL,
)


def check_bounds(text: str) -> None:
    """Return if a text is safe to parse; its lines must end in `\\n`.

    Raises BadDocument for a text that is too long, nested or chained too deep, that holds a formatted string, a
    lambda, an unterminated string, or a control or bidirectional character.
    """
    if len(text) > MAX_LENGTH:
        raise BadDocument(f"a call of {len(text):,} characters; the limit is {MAX_LENGTH:,}.")
    if found := _FORBIDDEN.search(text):
        raise BadDocument(f"a call holds the character U+{ord(found.group()):04X}, which no call needs.")
    _check_depth(text)


def _check_depth(text: str) -> None:
    levels = [0]  # tokens since the last comma, for each bracket that is open
    chain = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "blank":
            continue
        if kind == "close":
            chain -= levels.pop() if len(levels) > 1 else 0
            continue
        if kind == "comma":
            chain -= levels[-1]
            levels[-1] = 0
            continue
        _refuse(kind, token)
        levels[-1] += 1
        chain += 1
        if kind == "open":
            levels.append(0)
        if len(levels) > MAX_NESTING + 1 or chain > MAX_CHAIN:
            raise BadDocument(f"a call is nested or chained too deep at character {token.start()}.")


def _refuse(kind: str | None, token: re.Match[str]) -> None:
    if kind == "quote":
        raise BadDocument(f"a string that begins at character {token.start()} has no end.")
    if kind == "string" and set(token["prefix"].lower()) & set("ft"):
        raise BadDocument(f"a formatted string at character {token.start()}; write the value itself.")
    if kind == "word" and token.group() == "lambda":  # its commas would hide its nesting depth
        raise BadDocument(f"a lambda at character {token.start()}; write a value.")
