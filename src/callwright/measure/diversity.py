"""Lexical diversity of texts: TTR, NGD and MATTR (DiaFORGE, appendix C.1).

    TTR    distinct words / all words of the corpus
    NGD_n  distinct n-grams / all n-grams, n = 2, 3, 4; no n-gram crosses a turn
    MATTR  mean of the distinct share over all windows of 50 words (Covington and McFall 2010)

TTR and NGD fall as a corpus grows, because words repeat. Compare only
corpora of equal size. MATTR uses windows of fixed length and does not depend on the size.

Texts are one tuple of turns per dialogue, thoughts left out. Words are those of `callwright.lang.tokens.words`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from callwright.lang.tokens import TOKENISER, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEFAULT_WINDOW: Final = 50
_LARGEST: Final = 2**62


class Diversity(msgspec.Struct, frozen=True, eq=False):
    """One measure of a corpus of dialogues: `value` in [0, 1], or None without words, with `why`."""

    value: float | None
    influences: NDArray[np.float64]
    """One jackknife pseudo-value per dialogue, n·θ - (n-1)·θ without it; intervals are computed from them."""
    why: str = ""


class Words(msgspec.Struct, frozen=True, eq=False):
    """A corpus as numbers: for each word, in order, its id, its turn and its dialogue (arrays of one length)."""

    ids: NDArray[np.int64]
    turns: NDArray[np.int64]
    dialogues: NDArray[np.int64]
    n_dialogues: int
    n_words: int
    """Number of distinct words."""


def read_words(texts: Sequence[Sequence[str]]) -> Words:
    """Return the words of the dialogues, each given as the texts of its turns."""
    import numpy as np

    known: dict[str, int] = {}
    ids: list[int] = []
    lengths: list[int] = []
    owners: list[int] = []
    for dialogue, turns in enumerate(texts):
        for text in turns:
            found = [known.setdefault(word, len(known)) for word in words(text)]
            ids += found
            lengths.append(len(found))
            owners.append(dialogue)
    turn_of = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    return Words(
        ids=np.asarray(ids, dtype=np.int64),
        turns=turn_of,
        dialogues=np.asarray(owners, dtype=np.int64)[turn_of],
        n_dialogues=len(texts),
        n_words=len(known),
    )


def diversity_of(texts: Sequence[Sequence[str]]) -> dict[str, tuple[Diversity, str]]:
    """Return every measure by name, with the options in its signature; `texts` as for `read_words`."""
    corpus = read_words(texts)
    tokens = f"tokens:{TOKENISER}"
    found = {"ttr": (ttr(corpus), tokens), "mattr": (mattr(corpus), f"{tokens}|window:{DEFAULT_WINDOW}")}
    return found | {f"ngd_{n}": (ngd(corpus, n), tokens) for n in (2, 3, 4)}


def ttr(corpus: Words) -> Diversity:
    """Return the type-token ratio: distinct words over all words.

    >>> round(ttr(read_words([["What size?"], ["What name?"]])).value, 2)
    0.75
    """
    return _distinct_share(corpus.ids, corpus.dialogues, corpus.n_dialogues, why="no words")


def ngd(corpus: Words, n: int) -> Diversity:
    """Return the n-gram diversity: distinct n-grams over all n-grams inside turns; `n` from 2."""

    grams, bound, base = corpus.ids, corpus.n_words, max(1, corpus.n_words)
    for shift in range(1, n):
        if bound * base >= _LARGEST:
            grams, bound = _renumbered(grams), len(grams)
        grams, bound = grams[:-1] * base + corpus.ids[shift:], bound * base
    starts = len(grams)
    whole = corpus.turns[:starts] == corpus.turns[n - 1 : n - 1 + starts]
    return _distinct_share(
        _renumbered(grams[whole]), corpus.dialogues[:starts][whole], corpus.n_dialogues, why=f"no turn of {n} words"
    )


def mattr(corpus: Words, *, window: int = DEFAULT_WINDOW) -> Diversity:
    """Return the mean type-token ratio of windows of `window` words over dialogues, each counted where it starts."""
    import numpy as np

    starts = len(corpus.ids) - window + 1
    if starts < 1:
        return Diversity(None, np.zeros(0), f"fewer than {window} words")
    shares = _distinct_in_windows(corpus.ids, window) / window
    owners = corpus.dialogues[:starts]
    sums = np.bincount(owners, weights=shares, minlength=corpus.n_dialogues).astype(np.float64)
    return _pseudo_values(sums, np.bincount(owners, minlength=corpus.n_dialogues))


def _distinct_in_windows(ids: NDArray[np.int64], window: int) -> NDArray[np.int64]:
    """Count the distinct ids in each window: a word counts in every window without its previous occurrence."""
    import numpy as np

    positions = np.arange(len(ids))
    order = np.lexsort((positions, ids))
    previous = np.full(len(ids), -1)
    repeated = ids[order][1:] == ids[order][:-1]
    previous[order[1:][repeated]] = order[:-1][repeated]
    starts = len(ids) - window + 1
    first = np.maximum(previous + 1, positions - window + 1)
    last = np.minimum(positions, starts - 1)
    used = first <= last
    changes = np.bincount(first[used], minlength=starts + 1) - np.bincount(last[used] + 1, minlength=starts + 1)
    return np.asarray(np.cumsum(changes)[:starts], dtype=np.int64)


def _renumbered(ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the ids as numbers from 0 without gaps."""
    import numpy as np

    return np.unique(ids, return_inverse=True)[1].reshape(-1)


def _distinct_share(ids: NDArray[np.int64], dialogues: NDArray[np.int64], n: int, *, why: str) -> Diversity:
    """Distinct ids (without gaps) over all ids; leaving out a dialogue removes its unique ids and its count."""
    import numpy as np

    if len(ids) == 0:
        return Diversity(None, np.zeros(0), why)
    kinds = int(ids.max()) + 1
    first, last = np.empty(kinds, dtype=np.int64), np.empty(kinds, dtype=np.int64)
    last[ids] = dialogues  # for equal ids the last assignment wins
    first[ids[::-1]] = dialogues[::-1]
    only_here = np.bincount(first[first == last], minlength=n)
    return _pseudo_values(only_here.astype(np.float64), np.bincount(dialogues, minlength=n), top=float(kinds))


def _pseudo_values(parts: NDArray[np.float64], sizes: NDArray[np.int64], *, top: float | None = None) -> Diversity:
    """Return the share top/total (`top` defaults to the sum of `parts`) and its jackknife pseudo-values."""
    import numpy as np

    top = float(parts.sum()) if top is None else top
    n, total = len(sizes), float(sizes.sum())
    value = top / total
    left = total - sizes
    without = np.divide(top - parts, left, out=np.full(n, value), where=left > 0)
    return Diversity(value, n * value - (n - 1) * without)
