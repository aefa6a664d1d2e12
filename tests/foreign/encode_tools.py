"""What a real sentence encoder gives, as JSON: run by the interpreter of `.venv-foreign`, every connection refused.

`python encode_tools.py CATALOG` prints the pairs that lint finds with it and those of the definition.
"""

import json
import socket
import sys
from typing import Any

from callwright.catalog.near_duplicates import AllPairs
from callwright.catalog.neighbours import nearest
from callwright.catalog.sentence_encoder import load
from callwright.catalog.similarity import is_near, pair_similarity
from callwright.formats.layouts import read_source


def refuse(*_: Any) -> None:
    """Stand in for connecting: nothing may be fetched."""
    raise AssertionError("a connection was tried")


def facts(path: str) -> dict[str, Any]:
    """Return what the encoder gives for the tools of a catalogue."""
    tools = read_source(path).tools
    encoder = load("minilm")
    compared = AllPairs(tools, encoder=encoder, block_cells=500)
    slow = [
        (a, b, list(parts))
        for a in range(len(tools))
        for b in range(a + 1, len(tools))
        if is_near((parts := pair_similarity(tools[a], tools[b], encoder)).score)
    ]
    texts = ("Return the goods and get the money back", "Refund an order", "Tell tomorrow's weather", "", "\ud800 x")
    return {
        "signature": encoder.signature,
        "pairs": [(one.a, one.b, list(one.parts)) for near in compared.blocks() for one in compared.pairs(near)],
        "slow": slow,
        "nearest": [[(near.index, near.score) for near in found] for found in nearest(tools, 3, encoder=encoder)],
        "cosines": [[encoder.cosine(one, other) for other in texts] for one in texts],
    }


if __name__ == "__main__":
    socket.socket.connect = refuse  # type: ignore[assignment, method-assign]
    print(json.dumps(facts(sys.argv[1])))
