"""Corpus BLEU of one hypothesis and one reference a line: mteval's 13a tokens, four n-grams, exponential smoothing.

The definition and the smoothing are those that SacreBLEU prints as `nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

ORDER: Final = 4

_SYMBOL: Final = re.compile(r"([{-~\[-` -&(-+:-@/])")
_AFTER_OTHER: Final = re.compile(r"([^0-9])([.,])")
_BEFORE_OTHER: Final = re.compile(r"([.,])([^0-9])")
_DASH: Final = re.compile(r"([0-9])(-)")
_ENTITIES: Final = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def tokens_13a(line: str) -> list[str]:
    """Return the tokens of mteval 13a."""
    line = line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, sign in _ENTITIES:
        line = line.replace(entity, sign)
    line = _SYMBOL.sub(r" \1 ", f" {line} ")
    line = _AFTER_OTHER.sub(r"\1 \2 ", line)
    line = _BEFORE_OTHER.sub(r" \1 \2", line)
    return _DASH.sub(r"\1 \2 ", line).split()


def corpus_bleu(hypotheses: Sequence[str], references: Sequence[str]) -> float | None:
    """Return BLEU in percent; None without lines."""
    if not hypotheses:
        return None
    matched, possible = [0] * ORDER, [0] * ORDER
    length = reference_length = 0
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        said, wanted = tokens_13a(hypothesis), tokens_13a(reference)
        length += len(said)
        reference_length += len(wanted)
        for order in range(ORDER):
            ours, theirs = _ngrams(said, order + 1), _ngrams(wanted, order + 1)
            matched[order] += (ours & theirs).total()
            possible[order] += ours.total()
    if not any(matched) or not all(possible):
        return 0.0
    penalty = min(0.0, 1 - reference_length / length)
    return 100 * math.exp(penalty + sum(map(math.log, _precisions(matched, possible))) / ORDER)


def _precisions(matched: Sequence[int], possible: Sequence[int]) -> list[float]:
    """Return the precisions; the k-th that would be zero is one over 2^k times what was possible."""
    halvings, found = 0, []
    for hits, total in zip(matched, possible, strict=True):
        halvings += hits == 0
        found.append(hits / total if hits else 1 / (2**halvings * total))
    return found


def _ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))
