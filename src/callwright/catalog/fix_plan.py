"""Fix plans: changes of names and descriptions that distinguish the most similar tools, each one tested.

    fix_plan(catalog, lint(catalog, most_pairs=20)) -> FixPlan

Proposals come from rules (see `rewording`), or from `propose`.

The most similar pairs come first. Among the proposals for both tools, the change that lowers their similarity most is
kept, and further ones are added until the two are not near-duplicates or no change helps. A change is kept only if the
similarity in the changed catalogue is lower, the name stays valid and unique, and the tool gets no new near-duplicate.
At the end the whole changed catalogue is linted again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import msgspec

from callwright.catalog.lexical import fit_frequencies
from callwright.catalog.lint import LintReport, lint
from callwright.catalog.parameter_types import required_types
from callwright.catalog.rewording import Field, Proposal, proposals
from callwright.catalog.similarity import THRESHOLD, WEIGHTS, Weights, is_near, pair_similarity, parameter_similarity
from callwright.catalog.vectors import Encoder
from callwright.lang.tokens import content_stems, identifier_words, stem
from callwright.records.tool import Catalog, Tool

Propose = Callable[[Tool, Tool], Sequence[Proposal]]
"""Returns proposals that distinguish the first tool from the second."""

VALID_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")

_LEAST_GAIN = 0.02
"""Least reduction of similarity that justifies a change."""


class Suggestion(msgspec.Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """One change to one tool's document, and what it does to the similarity with one other."""

    tool: str
    """Its name in the catalogue as it was given."""
    change: Field
    from_: str
    to: str
    why: str
    against: str
    """The other tool, by its name in the given catalogue."""
    similarity_before: float
    similarity_after: float


class StillNear(msgspec.Struct, frozen=True, kw_only=True):
    """Two tools that are still near-duplicates after the plan, by their names in the given catalogue."""

    a: str
    b: str
    score: float


class FixPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Changes in the order in which they were made, and their effect on the catalogue."""

    suggestions: tuple[Suggestion, ...]
    pairs: int
    """Number of pairs treated."""
    still_near: tuple[StillNear, ...]
    """Those of them that remain above the threshold."""
    pairs_before: int
    """Near-duplicates in the whole catalogue."""
    pairs_after: int
    """The same with all changes made."""
    changed: Catalog
    """The catalogue with all changes made."""
    threshold: float
    signature: str


def fix_plan(
    catalog: Catalog,
    before: LintReport,
    *,
    threshold: float = THRESHOLD,
    weights: Weights = WEIGHTS,
    encoder: Encoder | None = None,
    propose: Propose = proposals,
) -> FixPlan:
    """Return changes for the pairs that `before` lists, its lint with the same options.

    Both figures of each change are composite similarities.
    """
    position = {tool.name: index for index, tool in enumerate(catalog.tools)}
    worst = [(position[pair.a], position[pair.b]) for pair in before.pairs]
    trial = Trial(catalog.tools, threshold=threshold, weights=weights, encoder=encoder)
    plan = _Planner(trial, catalog.tools, propose)
    suggestions = [one for a, b in worst for one in plan.tell_apart(a, b)]
    changed = msgspec.structs.replace(catalog, tools=tuple(trial.tools))
    after = lint(changed, threshold=threshold, weights=weights, encoder=encoder, most_pairs=0)
    left = ((a, b, trial.similarity(a, b)) for a, b in worst)
    return FixPlan(
        suggestions=tuple(suggestions),
        pairs=len(worst),
        still_near=tuple(
            StillNear(a=catalog.tools[a].name, b=catalog.tools[b].name, score=score)
            for a, b, score in left
            if is_near(score, threshold)
        ),
        pairs_before=before.pairs_total,
        pairs_after=after.pairs_total,
        changed=changed,
        threshold=threshold,
        signature=before.signature,
    )


class _Planner:
    """Makes changes in a trial; each field of a tool is changed at most once."""

    def __init__(self, trial: Trial, given: Sequence[Tool], propose: Propose) -> None:
        self._trial = trial
        self._given = given
        self._propose = propose
        self._changed: set[tuple[int, Field]] = set()

    def tell_apart(self, a: int, b: int) -> Iterator[Suggestion]:
        """Make the changes that distinguish two tools, best first, and yield them."""
        trial = self._trial
        while is_near(before := trial.similarity(a, b), trial.threshold):
            best = self._best(a, b, least=before - _LEAST_GAIN)
            if best is None:
                return
            index, proposal, after = best
            tool = trial.tools[index]
            trial.change(index, _with(tool, proposal))
            self._changed.add((index, proposal.field))
            yield Suggestion(
                tool=self._given[index].name,
                change=proposal.field,
                from_=getattr(tool, proposal.field),
                to=proposal.text,
                why=proposal.why,
                against=self._given[b if index == a else a].name,
                similarity_before=before,
                similarity_after=after,
            )

    def _best(self, a: int, b: int, *, least: float) -> tuple[int, Proposal, float] | None:
        """The change that leaves the two least alike: tool, proposal, similarity; None where none helps enough."""
        trial = self._trial
        tried = [
            (trial.similarity_with(index, _with(trial.tools[index], proposal), rival), index, proposal)
            for index, rival in ((a, b), (b, a))
            for proposal in self._propose(self._as_named(index), self._as_named(rival))
            if (index, proposal.field) not in self._changed and _is_allowed(trial, index, proposal)
        ]
        for after, index, proposal in sorted(tried, key=lambda one: one[0]):
            if after > least:
                return None
            if not trial.new_near(index, _with(trial.tools[index], proposal)):
                return index, proposal, after
        return None

    def _as_named(self, index: int) -> Tool:
        """Return the current tool under its original name, which reasons use."""
        return msgspec.structs.replace(self._trial.tools[index], name=self._given[index].name)


def _is_allowed(trial: Trial, index: int, proposal: Proposal) -> bool:
    """Whether a name is valid and not another's in other spelling; whether a description says anything."""
    if proposal.field == "name":
        return bool(VALID_NAME.fullmatch(proposal.text)) and not trial.is_taken(index, proposal.text)
    return bool(proposal.text.strip())


def _with(tool: Tool, proposal: Proposal) -> Tool:
    return msgspec.structs.replace(tool, **{proposal.field: proposal.text})


class Trial:
    """Tools of which some are changed, one after the other.

    Without an encoder the lexical one is used, fitted anew on the descriptions for each change that is tried, as a lint
    of the changed catalogue would.
    """

    def __init__(self, tools: Sequence[Tool], *, threshold: float, weights: Weights, encoder: Encoder | None) -> None:
        self.tools = list(tools)
        self.threshold = threshold
        self._weights = weights
        self._encoder = encoder
        self._frequency = Counter(word for tool in tools for word in set(content_stems(tool.description)))
        self._spellings = Counter(_spelling(tool.name) for tool in tools)
        self._kinds = [tuple(sorted(required_types(tool).items())) for tool in tools]
        self._lowered = [tool.name.lower() for tool in tools]

    def similarity(self, a: int, b: int) -> float:
        return self._similarity(self.tools[a], self.tools[b], self._encoder_with(a, self.tools[a]))

    def similarity_with(self, index: int, tool: Tool, rival: int) -> float:
        """Return the composite similarity of tool `index` with `rival` if it were `tool`."""
        return self._similarity(tool, self.tools[rival], self._encoder_with(index, tool))

    def new_near(self, index: int, tool: Tool) -> frozenset[int]:
        """Return the tools that tool `index` would be near to if it were `tool`, and is not near to now."""
        return self._near(index, tool) - self._near(index, self.tools[index])

    def is_taken(self, index: int, name: str) -> bool:
        """Return whether another tool than `index` has this name, case, punctuation and word forms apart."""
        wanted = _spelling(name)
        return self._spellings[wanted] > (_spelling(self.tools[index].name) == wanted)

    def change(self, index: int, tool: Tool) -> None:
        """Let tool `index` be `tool`; its parameters are the same."""
        old, self.tools[index] = self.tools[index], tool
        self._frequency = self._frequency_with(old, tool)
        self._spellings.subtract((_spelling(old.name),))
        self._spellings.update((_spelling(tool.name),))
        self._lowered[index] = tool.name.lower()

    def _near(self, index: int, tool: Tool) -> frozenset[int]:
        """The tools near to `tool` in place of tool `index`: by the definition, where a bound allows it."""
        import numpy as np
        from rapidfuzz.distance import Indel
        from rapidfuzz.process import cdist

        names = cdist([tool.name.lower()], self._lowered, scorer=Indel.normalized_similarity, dtype=np.float64)[0]
        known: dict[tuple[tuple[str, str], ...], float] = {}
        for other, kind in zip(self.tools, self._kinds, strict=True):
            if kind not in known:
                known[kind] = parameter_similarity(tool, other)
        parameters = np.array([known[kind] for kind in self._kinds])
        weights = self._weights
        bound = weights.name * names + weights.description + weights.parameters * parameters
        encoder = self._encoder_with(index, tool)
        return frozenset(
            other
            for other in np.flatnonzero(bound >= self.threshold - 1e-6).tolist()
            if other != index and is_near(self._similarity(tool, self.tools[other], encoder), self.threshold)
        )

    def _similarity(self, a: Tool, b: Tool, encoder: Encoder) -> float:
        return pair_similarity(a, b, encoder, weights=self._weights).score

    def _encoder_with(self, index: int, tool: Tool) -> Encoder:
        """The encoder of the catalogue in which tool `index` is `tool`."""
        if self._encoder is not None:
            return self._encoder
        return fit_frequencies(self._frequency_with(self.tools[index], tool), len(self.tools))

    def _frequency_with(self, old: Tool, new: Tool) -> Counter[str]:
        """How many descriptions hold each stem once `new` is in the place of `old`."""
        if old.description == new.description:
            return self._frequency
        frequency = self._frequency.copy()
        frequency.subtract(set(content_stems(old.description)))
        frequency.update(set(content_stems(new.description)))
        return +frequency


def _spelling(name: str) -> str:
    """What names have in common that differ in case, punctuation and word forms only."""
    return " ".join(map(stem, identifier_words(name)))
