"""Builds the tool graph of a catalogue: every output field against every input that calls need.

    fields ──criteria──▶ fits ──exclusions──▶ edges with scores, evidence and confidence

Refused and excluded pairs are counted by reason; the counts and the edges add up to all pairs.
An edge never leads to its own tool. Its source must not need the value that it supplies, and only reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

import msgspec

from callwright.catalog.lexical import fit as fit_lexical
from callwright.catalog.vectors import Encoder
from callwright.environment.tool_target import target_of
from callwright.graph import equation_one
from callwright.graph.common_outputs import EVERY, common_outputs, stopped
from callwright.graph.default_criteria import (
    UNIVERSAL,
    Fit,
    Side,
    Sides,
    candidates,
    fit,
    sides,
    tools_needing,
    type_fit,
)
from callwright.graph.equation_one import BLOCK_CELLS, Matches, matches
from callwright.graph.field_texts import NO_WORDS, FieldTexts, ToolWords, texts_of
from callwright.graph.graph_fields import ToolFields, fields_of
from callwright.graph.identities import ID, thing_of
from callwright.graph.likenesses import Likeness, likenesses
from callwright.graph.read_calls import only_reads
from callwright.graph.within import Parents
from callwright.lang.tokens import stem
from callwright.lang.verbs_of_acts import CREATES
from callwright.records.tool import Catalog, Tool
from callwright.records.tool_graph import EdgeScore, GraphMaking, GraphTool, ToolEdge, ToolGraph

Criteria = Literal["default", "paper"]
NAMES: Final[dict[Criteria, str]] = {"default": "default.v3", "paper": equation_one.NAME}
"""Names and versions of the criteria."""
LEAST: Final = 0.5
"""The confidence from which on two documented fields are joined."""
_OF_DESCRIPTIONS: Final = 0.15
"""Share of the likeness of descriptions in the confidence."""
_INFERRED: Final = 0.7
"""The weight of an inferred output, which no document has."""

REASONS: Final = {
    "description": "their descriptions are not alike enough",
    "keywords": "their descriptions with keywords are not alike enough",
    "name": "their names are not alike enough",
    "no_identifier": "one of the fields identifies nothing",
    "another_thing": "they are of different things",
    "type": "their types differ",
    "shape": "their values have different shapes",
    "same_tool": "both are of the same tool",
    "source_acts": "the source creates, changes or deletes something",
    "source_needs_it": "the source needs the value that it would supply",
    "common": "too many tools have the output",
    "stopped": "a field has a name of the stop list",
    "new_value": "the target gives the value to something new",
    "another_parent": "the value is known only within another thing",
    "another_service": "the identifier is one of another service",
    "below_threshold": "the scores are too low",
    "repeated": "another alternative of the result joins the same fields",
}


class Built(NamedTuple):
    """A graph, and what became of all pairs of an output and an input."""

    graph: ToolGraph
    made: GraphMaking
    outputs: int
    inputs: int
    excluded: dict[str, int]
    """Pairs of fields that are no edge, by reason (`REASONS`)."""


class _Found(NamedTuple):
    output: int
    input: int
    fit: Fit


class _Fitting(NamedTuple):
    """Fields each of which fits each of the others."""

    outputs: Sequence[int]
    inputs: Sequence[int]
    fit: Fit


def build_graph(
    catalog: Catalog,
    *,
    criteria: Criteria = "default",
    encoder: Encoder | None = None,
    creating: bool = False,
    common: float = EVERY,
    stop: Sequence[str] = (),
    written: Mapping[int, ToolWords] = NO_WORDS,
    block_cells: int = BLOCK_CELLS,
) -> Built:
    """Return the graph of a catalogue; `encoder` compares descriptions, the lexical one if None.

    `paper` is Equation 1 of ToolDial (`equation_one`), `default` ours (`default_criteria`). With `creating`, calls that
    create, change or delete something are sources too. What more than a share of `common` of the tools return joins
    nothing, nor do fields with a name in `stop` (`common_outputs`). `written` are texts of a model, by the positions of
    tools. `block_cells` bounds the memory of the equation and changes no edge.
    """
    fields = fields_of(catalog)
    texts = texts_of(fields, written)
    encoder = encoder or lexical_encoder(texts)
    joined = sides(fields)
    excluded = Counter[str]()
    fitting = (
        _by_equation(fields, matches(texts.outputs, texts.inputs, encoder, block_cells=block_cells), excluded)
        if criteria == "paper"
        else _fitting(fields, joined, excluded)
    )
    exclusions = Exclusions(fields, joined, criteria=criteria, creating=creating, common=common, stop=stop)
    found = list(_allowed(fitting, exclusions, excluded))
    made = GraphMaking(
        criteria=NAMES[criteria],
        encoder=encoder.signature,
        creating=creating,
        common=common,
        stop=tuple(stop) or msgspec.UNSET,
    )
    graph = ToolGraph(
        catalog=catalog.digest,
        nodes=tuple(tool.key for tool in catalog.tools),
        tools=tuple(GraphTool(tool.key, tool.name, tool.domain) for tool in catalog.tools),
        made=made,
        edges=tuple(_edges(fields, texts, found, encoder, excluded)),
    )
    return Built(graph, made, len(fields.outputs), len(fields.inputs), {why: excluded[why] for why in REASONS})


def _by_equation(fields: ToolFields, found: Matches, excluded: Counter[str]) -> Iterator[_Fitting]:
    """Yield the pairs that satisfy Equation 1 and whose types fit, and count all others."""
    excluded.update(description=found.description_fails, keywords=found.keywords_fail, name=found.name_fails)
    for output, input_ in zip(found.output.tolist(), found.input.tolist(), strict=True):
        types = type_fit(fields.outputs[output].type, fields.inputs[input_].type)
        if types:
            yield _Fitting((output,), (input_,), Fit(1.0, types, "names, descriptions and keywords are alike"))
        else:
            excluded["type"] += 1


def lexical_encoder(texts: FieldTexts) -> Encoder:
    """Return the lexical encoder, fitted on all different texts of the fields."""
    return fit_lexical(sorted({text for one in (*texts.outputs, *texts.inputs) for text in one[1:]}))


def _fitting(fields: ToolFields, joined: Sides, excluded: Counter[str]) -> Iterator[_Fitting]:
    """Yield the groups of pairs that the criteria accept, and count all others."""
    outputs = sum(len(side.fields) for side in joined.outputs)
    inputs = sum(len(side.fields) for side in joined.inputs)
    excluded["no_identifier"] += len(fields.outputs) * len(fields.inputs) - outputs * inputs
    excluded["another_thing"] += outputs * inputs
    for output, place in candidates(joined):
        input_ = joined.inputs[place]
        told = fit(output, input_, joined.senses)
        pairs = len(output.fields) * len(input_.fields)
        if told != "another_thing":
            excluded["another_thing"] -= pairs
        if isinstance(told, Fit):
            yield _Fitting(output.fields, input_.fields, told)
        elif told != "another_thing":
            excluded[told] += pairs


class Exclusions:
    """Reasons why two tools do not follow each other, though their fields fit."""

    def __init__(
        self,
        fields: ToolFields,
        joined: Sides,
        *,
        criteria: Criteria,
        creating: bool,
        common: float = EVERY,
        stop: Sequence[str] = (),
    ) -> None:
        self._fields = fields
        self._creating = creating
        self._common = common_outputs(fields, common)
        self._stopped = stopped(fields.outputs, stop), stopped(fields.inputs, stop)
        self._is_default = criteria == "default"
        self._parents = Parents(fields) if self._is_default else None
        self._universal = {
            field for side in joined.inputs if side.identity.attribute in UNIVERSAL for field in side.fields
        }
        self._needing = tools_needing(fields, joined)
        self._new = {
            field
            for side in joined.inputs
            for field in side.fields
            if _is_new(side, fields.tools[fields.inputs[field].tool], fields.inputs[field].name)
        }

    def why_not(self, output: int, input_: int) -> str:
        """Return the reason (`REASONS`) why an output is no source of an input; empty where it may be."""
        source, target = self._fields.outputs[output].tool, self._fields.inputs[input_].tool
        if source == target:
            return "same_tool"
        if not self._creating and not only_reads(self._fields.tools[source]):
            return "source_acts"
        if source in self._needing[input_]:
            return "source_needs_it"
        if output in self._common:
            return "common"
        if output in self._stopped[0] or input_ in self._stopped[1]:
            return "stopped"
        if input_ in self._new:
            return "new_value"
        if self._is_default and self._is_foreign(output, input_):
            return "another_service"
        return "another_parent" if self._parents and self._parents.differ(output, input_) else ""

    def open_pairs(
        self, outputs: Sequence[int], inputs: Sequence[int], excluded: Counter[str]
    ) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield outputs with the inputs that `why_not` must decide one by one, and count the pairs of the others.

        Thousands of tools that need the same thing then cost a look each, not one at each other.
        """
        alike: dict[frozenset[int], list[int]] = {}
        for input_ in inputs:
            alike.setdefault(self._needing[input_], []).append(input_)
        owned = {needing: Counter(self._fields.inputs[one].tool for one in those) for needing, those in alike.items()}
        for output in outputs:
            source = self._fields.outputs[output].tool
            acts = not self._creating and not only_reads(self._fields.tools[source])
            for needing, those in alike.items():
                if not acts and source not in needing:
                    yield output, those
                    continue
                own = owned[needing][source]
                excluded["same_tool"] += own
                excluded["source_acts" if acts else "source_needs_it"] += len(those) - own

    def _is_foreign(self, output: int, input_: int) -> bool:
        """Whether a value that one service gave to a thing is asked for by another one."""
        tools = self._fields.tools
        one, other = tools[self._fields.outputs[output].tool], tools[self._fields.inputs[input_].tool]
        return one.service != other.service and input_ not in self._universal


def _allowed(groups: Iterable[_Fitting], exclusions: Exclusions, excluded: Counter[str]) -> Iterator[_Found]:
    """Yield the pairs whose tools can follow each other, and count all others."""
    for group in groups:
        for one, inputs in exclusions.open_pairs(group.outputs, group.inputs, excluded):
            for other in inputs:
                if why := exclusions.why_not(one, other):
                    excluded[why] += 1
                else:
                    yield _Found(one, other, group.fit)


_CHOSEN: Final = frozenset("name url path slug alias namespace domain subdomain hostname key".split())
"""Attributes that whoever makes or changes a thing chooses."""


_MAKES: Final = frozenset("create register insert generate".split())
"""Acts on things that were not there before, whose identifiers are new."""


def _is_new(side: Side, target: Tool, name: str) -> bool:
    """Whether the target gives the value to what it makes or changes, and does not find anything by it."""
    about = target_of(target)
    makes = about.act == "create" or about.verb in CREATES
    if side.identity.attribute == ID and about.verb in _MAKES and f"{{{name}}}" not in target.source:
        return any(reading.thing == thing_of(about.named) for reading in side.identity.readings)
    if side.identity.attribute == ID or not (makes or about.act == "change"):
        return False
    if f"{{{name}}}" in target.source:  # a place that is there already, but for the last one of what is made
        return makes and target.source.endswith(f"{{{name}}}")
    its_own = any(reading.thing[-1] == stem(about.noun) for reading in side.identity.readings)
    return its_own or side.identity.attribute in _CHOSEN


def _edges(
    fields: ToolFields, texts: FieldTexts, found: Sequence[_Found], encoder: Encoder, excluded: Counter[str]
) -> list[ToolEdge]:
    best: dict[tuple[str, str, str, str], ToolEdge] = {}
    for one, scores in zip(found, likenesses(texts, [(one.output, one.input) for one in found], encoder), strict=True):
        edge = _edge(fields, one, scores)
        confidence = edge.confidence or 0.0
        least = LEAST * (_INFERRED if edge.inferred else 1.0)
        known = best.get(edge.ends)
        if confidence < least:
            excluded["below_threshold"] += 1
            continue
        excluded["repeated"] += known is not None
        if known is None or confidence > (known.confidence or 0.0):
            best[edge.ends] = edge
    return sorted(best.values(), key=_order(fields))


def _edge(fields: ToolFields, found: _Found, scores: Likeness) -> ToolEdge:
    output, input_ = fields.outputs[found.output], fields.inputs[found.input]
    sure = (1 - _OF_DESCRIPTIONS) * found.fit.score + _OF_DESCRIPTIONS * max(0.0, scores.description)
    told = (("name", scores.name), ("keywords", scores.keywords), ("description", scores.description))
    return ToolEdge(
        source=fields.tools[output.tool].key,
        target=fields.tools[input_.tool].key,
        output=output.place,
        input=input_.place,
        scores=tuple(EdgeScore(name, round(value, 6)) for name, value in (*told, ("types", found.fit.types))),
        evidence=found.fit.because,
        inferred=output.is_inferred,
        confidence=round(sure * (_INFERRED if output.is_inferred else 1.0), 6),
    )


def _order(fields: ToolFields) -> Callable[[ToolEdge], tuple[int, str, int, str]]:
    places = {tool.key: place for place, tool in enumerate(fields.tools)}
    return lambda edge: (places[edge.source], edge.output, places[edge.target], edge.input)
