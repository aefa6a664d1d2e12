"""Where the arrays and objects of a text end, found in an amount of work that is bounded for a whole reply.

A model's text is no JSON as a whole (quotes may be inch marks), so an end is looked for from each opening bracket as if
no string were open. What one look finds is kept for all brackets that it passes outside strings.
"""

from __future__ import annotations

import re
from typing import Final

MOST_WORK: Final = 2**20
"""Units of work for one reply. A bracket or a string costs one, and so do eight characters."""

CHARACTERS_A_UNIT: Final = 8
_UNITS_A_LOOK: Final = 4

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["\[\]{}]', re.DOTALL)


class TooMuch(Exception):
    """There is more to look at than the bounds allow. Caught in this part; the message completes an error of form."""


class Work:
    """How much may still be looked at in one reply."""

    def __init__(self, units: int = MOST_WORK) -> None:
        self.left = units

    def take(self, units: int) -> None:
        """Count work that is about to be done or was done. Raises TooMuch once it is more than was left."""
        self.left -= units
        if self.left < 0:
            self.left = 0
            raise TooMuch("too many brackets and quotes to look through")


class Brackets:
    """The arrays and objects of one text."""

    def __init__(self, text: str, work: Work) -> None:
        self._text = text
        self._work = work
        self._ends: dict[int, int | None] = {}
        """Ends by beginning; None for brackets that never close."""

    def end(self, at: int) -> int | None:
        """Return where the array or object that begins at `at` ends; None when it never does. Raises TooMuch."""
        self._work.take(_UNITS_A_LOOK)
        if at not in self._ends:
            self._look(at)
        return self._ends[at]

    def _look(self, at: int) -> None:
        text, ends = self._text, self._ends
        waiting: list[int] = []  # brackets that were opened and not yet closed
        tokens = _TOKEN.finditer(text, at)
        steps = 0
        while (token := next(tokens, None)) is not None:
            steps += 1
            if steps > self._work.left:
                break
            here, stop = token.span()
            first = text[here]
            if first in "[{":
                if here not in ends:
                    waiting.append(here)
                    continue
                known = ends[here]
                if known is None:
                    break
                tokens = _TOKEN.finditer(text, known)
            elif first in "]}":
                ends[waiting.pop()] = stop
                if not waiting:
                    self._work.take(steps + (stop - at) // CHARACTERS_A_UNIT)
                    return
            elif stop - here == 1:  # a string without an end
                break
        self._work.take(steps + (len(text) - at) // CHARACTERS_A_UNIT)
        ends.update(dict.fromkeys(waiting))
