"""Calls as models write them: Python call syntax, and the JSON of native function calling.

    [weather.get(city="Oslo, Norway", days=-2, units=["C", {"wind": True}]), clock()]
    [{"weather_get": "{\\"city\\": \\"Oslo, Norway\\"}"}]

Text is parsed with `ast` and never evaluated. Non-literals become their source text by
`ast.unparse`: bare names (`x=today`), elements (`x=rows[0]`), arithmetic (`x=2 * n`) and calls (`x=f(1)`). Executable
syntax is a format error: attributes, comprehensions, lambdas, formatted strings, conditions, powers,
starred arguments, names with two leading underscores. A tuple stays a tuple.

Python's parser recurses on nesting and on chains (`a.b.c`, `1+1+1`, `f()()()`), and can exhaust the stack or, in ways
that differ between versions, time. So `check_bounds` scans the tokens first, in linear time, and refuses what is too
deep. It separates strings from code as Python does; formatted strings, for which Python's rules differ, are refused.
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from typing import Final, NoReturn

import msgspec

from callwright.errors import BadDocument
from callwright.records.jsontext import Json, parse

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
        _refuse_token(kind, token)
        levels[-1] += 1
        chain += 1
        if kind == "open":
            levels.append(0)
        if len(levels) > MAX_NESTING + 1 or chain > MAX_CHAIN:
            raise BadDocument(f"a call is nested or chained too deep at character {token.start()}.")


def _refuse_token(kind: str | None, token: re.Match[str]) -> None:
    if kind == "quote":
        raise BadDocument(f"a string that begins at character {token.start()} has no end.")
    if kind == "string" and set(token["prefix"].lower()) & set("ft"):
        raise BadDocument(f"a formatted string at character {token.start()}; write the value itself.")
    if kind == "word" and token.group() == "lambda":  # its commas would hide its nesting depth
        raise BadDocument(f"a lambda at character {token.start()}; write a value.")


MAX_BITS: Final = 10_000
"""Largest integer, in bits; Python does not write integers of more than 4,300 digits."""

_FENCE = re.compile(r"\s*```[\w+-]*[ \t]*\n")
_EDGES = "` \t\r\n"
_PARTS: Final = (
    ast.Name, ast.Constant, ast.Subscript, ast.Slice, ast.BinOp, ast.UnaryOp, ast.Call, ast.keyword,
    ast.List, ast.Tuple, ast.Dict, ast.expr_context, ast.operator, ast.unaryop,
)  # fmt: skip
"""Allowed nodes of an expression kept as source text, beside the dotted name of a call."""


class WrittenCall(msgspec.Struct, frozen=True):
    """A call as it was written. Values are JSON values, and tuples where Python wrote tuples."""

    tool: str
    arguments: dict[str, Json] = {}
    positional: tuple[Json, ...] = ()


def read_calls(reply: str) -> tuple[WrittenCall, ...]:
    """Return the calls of a reply in Python call syntax; none for an empty reply or list.

    A code fence (with or without the name of a language), backticks and blanks around the list, and a missing outer
    bracket are accepted; text around the list is not. Of two arguments with one name the last counts.
    Raises BadDocument for everything else, in time and memory bounded by `check_bounds`.

    >>> read_calls("[f(a=1, b=[-2.5, 'x, y']), g.h(c=today)]")[1]
    WrittenCall(tool='g.h', arguments={'c': 'today'}, positional=())
    """
    text = _unwrapped(reply)
    check_bounds(text)
    try:
        body = _parsed(text)
        if not isinstance(body, ast.List):
            _refuse(body)
        return tuple(_call(element) for element in body.elts)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, BadDocument):
            raise
        raise BadDocument(f"not Python call syntax: {str(error)[:100]}") from error


def native_calls(calls: Json) -> tuple[WrittenCall, ...]:
    """Return the calls of native function calling: a list of `{tool: arguments}`, the arguments as JSON text or object.

    Raises BadDocument for any other layout.
    """
    if not isinstance(calls, list):
        raise BadDocument("the calls are no list.")
    return tuple(_native_call(call) for call in calls)


def _native_call(call: Json) -> WrittenCall:
    if not isinstance(call, dict) or len(call) != 1:
        raise BadDocument("a call is no object with the tool's name as its only key.")
    ((tool, arguments),) = call.items()
    if isinstance(arguments, str):
        arguments = parse(arguments, where="arguments")
    if not isinstance(arguments, dict):
        raise BadDocument("the arguments of a call are no JSON object.")
    return WrittenCall(tool, arguments)


def _unwrapped(reply: str) -> str:
    """Return only the list, with both brackets."""
    if len(reply) > MAX_LENGTH:
        raise BadDocument(f"a reply of {len(reply):,} characters; the limit is {MAX_LENGTH:,}.")
    text = reply.replace("\r\n", "\n")
    fence = _FENCE.match(text)
    text = text[fence.end() if fence else 0 :].strip(_EDGES)
    return ("" if text.startswith("[") else "[") + text + ("" if text.endswith("]") else "]")


def _parsed(text: str) -> ast.expr:
    with warnings.catch_warnings():  # `"\d"` would be an error where warnings are errors
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body


def _call(node: ast.expr) -> WrittenCall:
    if not isinstance(node, ast.Call):
        _refuse(node)
    arguments: dict[str, Json] = {}
    for word in node.keywords:
        if word.arg is None:
            _refuse(word)
        arguments[word.arg] = _value(word.value)
    return WrittenCall(_dotted_name(node.func), arguments, tuple(_value(value) for value in node.args))


def _dotted_name(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        _refuse(node)
    parts.append(node.id)
    for part in parts:
        _check_name(part)
    return ".".join(reversed(parts))


def _check_name(name: str) -> None:
    if name.startswith("__"):
        raise BadDocument(f"the name {name[:40]!r} begins with two underscores, as no tool's does.")


def _value(node: ast.expr) -> Json:
    match node:
        case ast.Constant():
            return _constant(node)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant() as operand) if _is_number(operand.value):
            number = _constant(operand)
            return -number if isinstance(node.op, ast.USub) else number
        case ast.List():
            return [_value(item) for item in node.elts]
        case ast.Tuple():
            return tuple(_value(item) for item in node.elts)
        case ast.Dict():
            return {_key(key): _value(value) for key, value in zip(node.keys, node.values, strict=True)}
        case ast.Name() | ast.Subscript() | ast.BinOp() | ast.UnaryOp() | ast.Call():
            return _source(node)
        case _:
            return _refuse(node)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _constant(node: ast.Constant) -> Json:
    value = node.value
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise BadDocument(f"an integer of {value.bit_length():,} bits; the limit is {MAX_BITS:,}.")
    if isinstance(value, float) and math.isinf(value):
        raise BadDocument("a number too large for a float.")
    if value is None or isinstance(value, str | int | float):
        return value
    return ast.unparse(node)  # bytes, complex numbers, `...`


def _key(node: ast.expr | None) -> Json:
    if node is None:
        raise BadDocument("`**` in a dictionary.")
    key = _value(node)
    if isinstance(key, list | tuple | dict):
        raise BadDocument("a key of a dictionary is no simple value.")
    return key


def _source(node: ast.expr) -> str:
    """Return the source text of an expression of names, subscripts, arithmetic or calls."""
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, _PARTS) or isinstance(part, ast.Pow):
            _refuse(part)
        if isinstance(part, ast.Call):
            _dotted_name(part.func)
            if any(word.arg is None for word in part.keywords):
                _refuse(part)
            waiting += [*part.args, *part.keywords]
        elif isinstance(part, ast.Constant):
            _constant(part)
        else:
            if isinstance(part, ast.Name):
                _check_name(part.id)
            waiting += ast.iter_child_nodes(part)
    return ast.unparse(node)


def _refuse(node: ast.AST) -> NoReturn:
    raise BadDocument(f"{type(node).__name__} is neither a call nor a value.")
