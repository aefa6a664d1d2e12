"""`tests/long/served_cost.py`: what is counted of requests and replies."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "long"))

# found through the line above
from served_cost import BLOCK, Counts, prompt_of


def test_whole_blocks_of_an_earlier_prompt_are_held() -> None:
    """From the beginning on, up to the first that differs; what is said later alike is not held."""
    counts = Counts()
    first = b"a" * BLOCK + b"b" * BLOCK + b"c" * 100
    counts.add(first, "")
    assert counts.bytes_cached == 0
    counts.add(first, "")
    assert counts.bytes_cached == 2 * BLOCK
    counts.add(b"a" * BLOCK + b"x" * BLOCK + b"b" * BLOCK, "")
    assert counts.bytes_cached == 3 * BLOCK
    counts.add(b"x" + first, "")
    assert counts.bytes_cached == 3 * BLOCK


def test_a_row_is_by_kept_dialogue() -> None:
    """Calls, tokens of four bytes in and out, and the share of those in."""
    counts = Counts()
    for _ in range(4):
        counts.add(b"a" * BLOCK, "four" * 10)
    assert counts.row(2) == "2.0 | 256, 20 | 75%"


def test_a_prompt_is_its_tools_and_messages() -> None:
    """Tools come first; settings and schemas are no part of it."""
    calls = [{"id": "call_1"}]
    messages = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": None, "tool_calls": calls}]
    body = {"model": "x", "tools": [{"name": "f"}], "messages": messages, "seed": 3}
    assert prompt_of(body) == b'{"name": "f"}\nuser\nHi.\nassistant\n[{"id": "call_1"}]'
