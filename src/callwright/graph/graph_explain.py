"""Why there is an edge between two tools, or none: every pair of their fields, with its scores and the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from callwright.catalog.vectors import Encoder
from callwright.graph.common_outputs import EVERY
from callwright.graph.default_criteria import Fit, Side, fit, shares_key, sides, type_fit
from callwright.graph.equation_one import Thresholds
from callwright.graph.field_texts import NO_WORDS, ToolWords, texts_of
from callwright.graph.graph_build import REASONS, Criteria, Exclusions, lexical_encoder
from callwright.graph.graph_fields import ToolFields, fields_of
from callwright.graph.likenesses import Likeness, likenesses
from callwright.records.tool import Catalog
from callwright.records.tool_graph import ToolEdge


class ExplainedPair(msgspec.Struct, frozen=True, kw_only=True):
    """An output of one tool and an input of another."""

    output: str
    input: str
    is_edge: bool
    why: str
    """Their edges, or the reason why there are none."""
    name: float
    keywords: float
    description: float
    types: bool


def explain_pairs(
    catalog: Catalog,
    ends: tuple[str, str],
    *,
    criteria: Criteria = "default",
    encoder: Encoder | None = None,
    creating: bool = False,
    common: float = EVERY,
    stop: Sequence[str] = (),
    written: Mapping[int, ToolWords] = NO_WORDS,
) -> tuple[ExplainedPair, ...]:
    """Return all pairs of fields of two tools, given by their keys, the edges first, then by likeness of texts.

    The settings are those of `build_graph`.
    """
    source, target = ends
    fields = fields_of(catalog)
    texts = texts_of(fields, written)
    places = [
        (output, input_)
        for output, one in enumerate(fields.outputs)
        if fields.tools[one.tool].key == source
        for input_, other in enumerate(fields.inputs)
        if fields.tools[other.tool].key == target
    ]
    joined = sides(fields)
    scores = likenesses(texts, places, encoder or lexical_encoder(texts))
    exclusions = Exclusions(fields, joined, criteria=criteria, creating=creating, common=common, stop=stop)
    ones, others = _by_field(joined.outputs), _by_field(joined.inputs)
    found = []
    for (output, input_), score in zip(places, scores, strict=True):
        if criteria == "paper":
            told = _by_thresholds(fields, output, input_, score)
        elif output not in ones or input_ not in others:
            told = "no_identifier"
        elif shares_key(ones[output], others[input_]):
            told = fit(ones[output], others[input_], joined.senses)
        else:
            told = "another_thing"
        why = told if isinstance(told, str) else exclusions.why_not(output, input_)
        found.append(_explained(fields, output, input_, score, told, why))
    return tuple(sorted(found, key=lambda one: (not one.is_edge, -one.name - one.description, one.output, one.input)))


def as_pairs(edges: tuple[ToolEdge, ...]) -> tuple[ExplainedPair, ...]:
    """Return what a graph itself says of the edges between two tools."""
    told = []
    for edge in edges:
        scores = {score.name: score.value for score in edge.scores}
        said = "removed by hand" if edge.is_removed else edge.evidence or "added by hand"
        told.append(
            ExplainedPair(
                output=edge.output,
                input=edge.input,
                is_edge=not edge.is_removed,
                why=said,
                name=scores.get("name", 0.0),
                keywords=scores.get("keywords", 0.0),
                description=scores.get("description", 0.0),
                types=bool(scores.get("types")),
            )
        )
    return tuple(told)


def _by_field(sides_: tuple[Side, ...]) -> dict[int, Side]:
    return {field: side for side in sides_ for field in side.fields}


def _by_thresholds(fields: ToolFields, output: int, input_: int, score: Likeness) -> Fit | str:
    least = Thresholds()
    for reason in ("description", "keywords", "name"):
        if not getattr(score, reason) > getattr(least, reason):
            return reason
    types = type_fit(fields.outputs[output].type, fields.inputs[input_].type)
    return Fit(1.0, types, "names, descriptions and keywords are alike") if types else "type"


def _explained(
    fields: ToolFields, output: int, input_: int, score: Likeness, told: Fit | str, why: str
) -> ExplainedPair:
    one, other = fields.outputs[output], fields.inputs[input_]
    return ExplainedPair(
        output=one.place,
        input=other.place,
        is_edge=not why,
        why=REASONS[why] if why else told.because if isinstance(told, Fit) else "",
        name=round(score.name, 6),
        keywords=round(score.keywords, 6),
        description=round(score.description, 6),
        types=bool(type_fit(one.type, other.type)),
    )
