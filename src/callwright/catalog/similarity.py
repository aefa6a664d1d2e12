"""How alike two tools are, and which tools of a catalogue are near-duplicates (DiaFORGE, Appendix A.4).

    S = .40 name + .35 description + .25 parameters            near-duplicates where S >= .70
    name         2·LCS / (|a| + |b|) of the lower-cased names, LCS the longest common subsequence of characters
    description  (1 + cosine) / 2 of the encoded descriptions; the zero vector has cosine 0 with every other
    parameters   half the Jaccard index of the required keys (1 where neither tool has one)
                 + half the share of common required keys with one base type (0 where there is none)

All parts are symmetric and lie in [0, 1]. The lexical encoder has no negative cosines, so that with it descriptions
without a common word score .5. `pair_similarity` is the definition; `near_duplicates` computes the same for all pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from callwright.catalog.lexical import LexicalEncoder, fit
from callwright.catalog.parameter_types import required_types
from callwright.catalog.vectors import Encoder
from callwright.errors import BadInput
from callwright.records.tool import Tool

THRESHOLD = 0.70
MEASURE = "composite.v1"

ROUNDING = 1e-9
"""Tolerance below the threshold: .4 + .175 + .125 must reach .7 in binary fractions too."""


class Weights(NamedTuple):
    """Shares of the three parts; together 1."""

    name: float = 0.40
    description: float = 0.35
    parameters: float = 0.25


WEIGHTS = Weights()


class Parts(NamedTuple):
    """A composite similarity and the parts it was made from, each in [0, 1]."""

    name: float
    description: float
    parameters: float
    score: float


class Pair(NamedTuple):
    """Two near-duplicates, by position in the tools; `a` < `b`."""

    a: int
    b: int
    parts: Parts


def checked_weights(name: float, description: float, parameters: float) -> Weights:
    """Return weights that were given from outside. Raises BadInput unless they are shares of 1."""
    weights = Weights(name, description, parameters)
    if not (all(0 <= weight <= 1 for weight in weights) and abs(sum(weights) - 1) < 1e-9):
        raise BadInput(
            f"weights {name:g}, {description:g}, {parameters:g} (name, description, parameters): each must be "
            "between 0 and 1, and their sum must be 1, as in 0.4,0.35,0.25."
        )
    return weights


def description_encoder(tools: Sequence[Tool]) -> LexicalEncoder:
    """Return the encoder fitted on the descriptions of a whole catalogue."""
    return fit(tool.description for tool in tools)


def pair_similarity(a: Tool, b: Tool, encoder: Encoder, *, weights: Weights = WEIGHTS) -> Parts:
    """Return the composite similarity of two tools, `encoder` being fitted on their catalogue's descriptions."""
    name, parameters = name_similarity(a.name, b.name), parameter_similarity(a, b)
    description = (1.0 + max(-1.0, min(1.0, encoder.cosine(a.description, b.description)))) / 2.0
    score = weights.name * name + weights.description * description + weights.parameters * parameters
    return Parts(name, description, parameters, score)


def is_near(score: float, threshold: float = THRESHOLD) -> bool:
    """Return whether a composite similarity makes near-duplicates: at least `threshold`, rounding apart."""
    return score >= threshold - ROUNDING


def name_similarity(a: str, b: str) -> float:
    """Return 2·LCS/(|a|+|b|) of two names, their case apart; 1 for two empty names."""
    from rapidfuzz.distance import Indel

    return float(Indel.normalized_similarity(a.lower(), b.lower()))


def parameter_similarity(a: Tool, b: Tool) -> float:
    """Return half the Jaccard index of the required keys plus half the type agreement over the common ones."""
    one, other = required_types(a), required_types(b)
    common = one.keys() & other.keys()
    jaccard = len(common) / len(one.keys() | other.keys()) if one or other else 1.0
    agreement = sum(one[key] == other[key] for key in common) / len(common) if common else 0.0
    return 0.5 * jaccard + 0.5 * agreement


def to_pool(tool: Tool, pool: Sequence[Tool], encoder: Encoder) -> tuple[float, ...]:
    """Return the composite similarity of `tool` to each tool of `pool` (`encoder` as in `pair_similarity`)."""
    return tuple(pair_similarity(tool, other, encoder).score for other in pool)
