"""Put fuzzed call strings and native calls through reader and judges: each is read or refused, none crashes or hangs.

What is read is judged in both modes of BFCL, and arguments in JSON are matched under one of the leniencies.

    python tests/long/fuzz_calls.py [--rounds 1000000] [--seed 1]

Ends with a traceback at the first text that does neither, or that takes over a second.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from typing import Any

import msgspec

from callwright.errors import BadDocument
from callwright.lang.calls import WrittenCall, native_calls, read_calls
from callwright.match.arguments import call_issues
from callwright.match.leniency import PRESETS
from callwright.papers.bfcl.call_errors import Wanted
from callwright.papers.bfcl.result_scoring import BfclMode, verdict
from callwright.records.dialogue import Call, GoldArgument, GoldCall
from callwright.records.jsontext import JsonText, encode
from callwright.records.tool import Tool

MODES: tuple[BfclMode, ...] = ("official", "strict")
SCHEMAS: dict[str, Any] = {
    "a": {"type": "array", "items": {"type": "integer"}},
    "b": {"type": "dict", "properties": {"c": {"type": "boolean"}, "d": {"type": "array"}}},
    "c": {"type": "array", "items": {"type": "dict"}},
    "x": {"type": "string"},
    "y": {"type": "float"},
    "z": {"type": "tuple", "items": {"type": "float"}},
    "text": {"type": "any"},
    "path": {"type": ["string", "null"]},
}
ACCEPTED: dict[str, list[Any]] = {
    "a": [[1, -2], "", "n"],
    "b": [{"c": [True, ""], "d": [[None, "x"]]}],
    "c": ["", [{"d": [1, "x"]}]],
    "x": ["rows", None],
    "y": ["", 2, 2.5],
    "z": [[1.0, 2], ""],
    "text": ["a", ""],
    "path": [""],
}
WANTED = [Wanted(name, SCHEMAS, ("x",), ACCEPTED) for name in ("f", "weather.get", "clock")]
TOOL = Tool(
    name="f",
    parameters=encode(
        {
            "type": "object",
            "properties": {
                "a": {"type": "array", "uniqueItems": True},
                "b": {"anyOf": [{"$ref": "#"}, {"properties": {"c": {"type": "boolean"}}}]},
            },
            "required": ["a"],
        }
    ),
)
GOLD = GoldCall("f", tuple(GoldArgument(name, tuple(map(encode, ACCEPTED[name]))) for name in "ab"))

SEEDS = (
    "[weather.get(city='Oslo, Norway', days=-2, units=[\"C\", {'wind': True}]), clock()]",
    "```python\nf(a=1, b=(2, 3.5), c={'d': [None, x]})\n```",
    "[f(x=rows[0], y=2*n, z=g(1, k=2))]",
    "f(text=\"\"\"a\n'b'\"\"\", path=r'\\d', raw=b'1')",
    "__import__('os').system('x')",
    "f(x=().__class__.__bases__[0], y=[i for i in range(9)], z=lambda a, b: a)",
    "f(x=f'{1}', y=9**9**9, z=1 if a else 2, **k)",
)
PIECES = (
    *"()[]{},.:=+-*/%<>!@#$^&|~`'\"\\\n\t 019aeflxZ_é中\0\u202e\ud800",
    "**", "//", ":=", "->", "...", '"""', "'''", "f'", 'rb"', "t'{", "\\u", "\\N{", "\\x", "0x", "1e999", "1_0", "0b",
    " if ", " else ", " for ", " in ", " not ", " and ", "lambda ", "await ", "yield ", "None", "True", "__class__",
    "9j", "f(", "a=", "*a", "print ", "#", "\r\n", "\x0c", "\ufeff", "(((((((((((((((((((((", "]]]]]]]]]]]]]]]]]]",
    "-" * 50, ".a" * 40,
)  # fmt: skip
NESTS = (
    "[",
    "(",
    "{",
    "{'a':",
    "f(",
    "f(a=",
    "-",
    "not ",
    "a.",
    "1+",
    "a[",
    "'a' ",
    "(a,",
    "[*",
    "{**",
    "a if b else ",
)


def hostile_text(chance: random.Random) -> str:
    """Return a real call string after a few cuts, insertions and repetitions, or brackets in some depth."""
    if chance.random() < 0.05:
        return "f(x=" + chance.choice(NESTS) * chance.randrange(400) + "".join(chance.choices(PIECES, k=5))
    text = chance.choice(SEEDS)
    for _ in range(chance.randrange(6)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 0, 1, 1, 3, 10)))
        new = chance.choice((chance.choice(PIECES), "", text[end : end + chance.randrange(20)], text[:start]))
        text = text[:start] + new + text[end:]
    return text[:5_000]


def hostile_json(chance: random.Random) -> Any:
    """Return native calls, most of them right, with arguments whose text was mutated like a call string."""
    arguments = json.dumps({"a": [1, -2.5, None, "x\ud800"], "b": {"c": True}})
    for _ in range(chance.randrange(4)):
        start = chance.randrange(len(arguments) + 1)
        arguments = arguments[:start] + chance.choice(PIECES) * chance.choice((0, 1, 1, 300)) + arguments[start + 1 :]
    call: Any = chance.choice(
        ({"f": arguments}, {"f": arguments}, {"f": {"a": 1}}, {}, {"f": 1, "g": 2}, arguments, None)
    )
    return [call] * chance.choice((0, 1, 1, 2)) if chance.random() < 0.95 else call


def outcome(reply: Any) -> str:
    """Return `read` or `refused`; every other end is a fault."""
    try:
        calls = read_calls(reply) if isinstance(reply, str) else native_calls(reply)
    except BadDocument:
        calls = None
    judge(calls)
    for call in reply if isinstance(reply, list) else ():
        match_json(call)
    return "refused" if calls is None else "read"


def judge(calls: tuple[WrittenCall, ...] | None) -> None:
    """Judge a reply in both modes: alone, and as one of several calls."""
    for mode in MODES:
        verdict(calls, WANTED[: len(calls or ())], mode=mode, is_parallel=True)
        for call in calls or ():
            verdict((msgspec.structs.replace(call, tool="f"),), WANTED[:1], mode=mode, is_parallel=False)


def match_json(call: Any) -> None:
    """Match a native call, whatever its arguments are; their length chooses the leniency."""
    arguments = call.get("f") if isinstance(call, dict) else call
    text = JsonText(arguments if isinstance(arguments, str) else encode(arguments))
    leniency = list(PRESETS.values())[len(text) % len(PRESETS)]
    call_issues(Call("f", text), GOLD, TOOL, known=("f",), leniency=leniency)


def main() -> None:
    """Fuzz, count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    counts: Counter[str] = Counter()
    slowest, began = 0.0, time.perf_counter()
    for number in range(options.rounds):
        make = hostile_json if number % 4 == 3 else hostile_text
        reply = make(chance)
        start = time.perf_counter()
        counts[f"{make.__name__} {outcome(reply)}"] += 1
        slowest = max(slowest, time.perf_counter() - start)
        if slowest > 1:
            raise SystemExit(f"took {slowest:.1f} s: {reply!r}")
    print(f"{options.rounds:,} in {time.perf_counter() - began:.0f} s; slowest {slowest * 1e3:.0f} ms; {dict(counts)}")


if __name__ == "__main__":
    main()
