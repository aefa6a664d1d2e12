"""Foreign text on its way to a terminal: what could steer it is replaced, here and nowhere else.

A terminal obeys control characters in names, descriptions and replies: it may change its title, clear lines already
read or hide what a link leads to. Characters that reverse the direction of writing make text read as another one. All
that commands print passes here: what `click.echo` writes through `SafeStream`, and tables through `results.terminal`.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterable, Iterator
from typing import IO, Any, cast

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def safe(text: str) -> str:
    """Return `text` with a replacement character for each that could steer a terminal or has no UTF-8."""
    return _STEERING.sub("\ufffd", text)


def escaped(document: str) -> str:
    r"""Return a JSON document that means the same, with escapes such as `\u202e` for what could steer a terminal."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", document)


class SafeStream:
    """A stream of text through which only safe text passes; all else is that of the stream inside."""

    def __init__(self, raw: IO[str]) -> None:
        self.raw = raw

    def write(self, text: str) -> int:
        """Write safe text."""
        return self.raw.write(safe(text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write safe lines."""
        self.raw.writelines(map(safe, lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


@contextlib.contextmanager
def safe_output() -> Iterator[None]:
    """Inside, standard output and standard error take safe text only."""
    with (
        contextlib.redirect_stdout(cast("IO[str]", SafeStream(sys.stdout))),
        contextlib.redirect_stderr(cast("IO[str]", SafeStream(sys.stderr))),
    ):
        yield


def raw_stream(stream: IO[str]) -> IO[str]:
    """Return the stream inside, for our own control characters: colours, and a line that is written again."""
    return stream.raw if isinstance(stream, SafeStream) else stream
