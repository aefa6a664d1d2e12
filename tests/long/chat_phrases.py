"""The most frequent phrases of four words in group chats, by type, with the lines of the bank that can say each.

    PYTHONPATH=src python tests/long/chat_phrases.py CATALOG [CATALOG ...] [--graph FILE] [--per-cell 50] [--most 10]

Counts as `chats.py` does, without its other counts: the margins below its limit, and where to work on them. What is
expected is worked out of the bank alone (`phrase_chances.py`), for a catalogue that uses each bank most.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from chats import GLOSSED, own_words, phrase_shares
from phrase_chances import chances

import callwright


def report(name: str, graph: str | None, per_cell: int, most: int) -> None:
    """Print the most frequent phrases of each type over one catalogue."""
    catalog = callwright.read_catalog(name)
    with tempfile.TemporaryDirectory() as scratch:
        options = {} if graph is None else {"graph": graph}
        callwright.synthesize("dice", catalog, per_cell=per_cell, seed=7, out=Path(scratch) / "ds", **options)
        data = callwright.open_dataset(Path(scratch) / "ds")
    GLOSSED.update({tool.name: own_words(tool) for tool in data.catalog.tools})
    for manner, found in phrase_shares(list(data.dialogues), most).items():
        lines = chances(manner.partition("_")[0])
        print(f"\n{Path(name).name}, {manner}:")
        for share, phrase in found:
            those = lines.get(phrase, {})
            expected = (
                f"expected {sum(those.values()):.1%} at most of {', '.join(those)}" if those else "of no one line"
            )
            print(f"  {share:5.1%} {phrase:36} {expected}")


def main() -> int:
    """Report each catalogue."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("catalog", nargs="+")
    parser.add_argument("--graph")
    parser.add_argument("--per-cell", type=int, default=50)
    parser.add_argument("--most", type=int, default=10)
    given = parser.parse_args()
    for name in given.catalog:
        report(name, given.graph, given.per_cell, given.most)
    return 0


if __name__ == "__main__":
    sys.exit(main())
