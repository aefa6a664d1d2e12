"""Play all hand-written sessions of `diaforge` and `wild`, with replies as objects and with native calls, and count.

    python tests/long/strong_sessions.py [FILES ...]      FILES such as fresh_c; all where none is named

Prints each session that the rules reject, with the reason, and how often its author was asked again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from strong_author import (
    NativeSessionAuthor,
    NativeTalkAuthor,
    Session,
    SessionAuthor,
    Talk,
    TalkAuthor,
    play_session,
    play_talk,
    sessions_in,
    talks_in,
)

FILES = ("", "_later", "_last", *(f"_fresh_{writer}" for writer in "abcdefgh"))


def played(which: str) -> Iterator[tuple[str, Talk | Session, Any, Callable[..., Any]]]:
    """Yield each session of a file with the author and the play of one way."""
    for talk in talks_in(which):
        yield "diaforge", talk, TalkAuthor(talk), play_talk
        yield "diaforge, native", talk, NativeTalkAuthor(talk), play_talk
    for session in sessions_in(which):
        yield "wild", session, SessionAuthor(session), play_session
        yield "wild, native", session, NativeSessionAuthor(session), play_session


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    named = [f"_{name}" for name in parser.parse_args().files]
    counts: dict[str, list[int]] = {}
    for which in named or FILES:
        for way, one, author, play in played(which):
            issues = play(one, author).issues
            count = counts.setdefault(way, [0, 0, 0])
            for at, number in enumerate((1, bool(issues), author.asked_again.total())):
                count[at] += number
            if issues:
                print(f"{way}: {one.name}: {issues[0].code}: {issues[0].message}")
    for way, (count, rejected, again) in counts.items():
        print(f"{way}: {rejected} of {count} rejected, asked again {again} times")


if __name__ == "__main__":
    main()
