"""Which tools people and models take for one another: those that do the same act to nearly the same thing.

    score = gate · (.40 name + .35 description + .25 parameters)          0 where the acts differ
    name         cosine of the words of the names, without verbs
    description  mean of two cosines: of the things acted on (see `gloss`), and of the whole descriptions
    parameters   Jaccard index of all parameters; where one tool requires none, the others share its weight
    gate         1 where the things have one head noun, otherwise .6

So get, update and delete of one thing are not confusable: they are a family (`families`). Two tools whose descriptions
name each other are told apart by that. Words weigh by their rarity in the catalogue (`lexical`). The paper's composite
similarity (`similarity`) is another figure: it compares names by letters, and acts not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from callwright.catalog.gloss import gloss
from callwright.catalog.lexical import fit_stems, sparse_rows
from callwright.catalog.near_duplicates import Near, indicators, row_blocks
from callwright.catalog.similarity import WEIGHTS, Pair, Parts, Weights, description_encoder
from callwright.catalog.vectors import Encoder, SparseVectors
from callwright.lang.english import base_verb, is_plural
from callwright.lang.tokens import STOP_WORDS, identifier_words, stem, words
from callwright.records.tool import Tool

if TYPE_CHECKING:
    from callwright.catalog.vectors import Floats, Positions

CONFUSABLE: Final = "confusable.v1"
LEAST_CONFUSABLE: Final = 0.15

_GATE: Final = 0.6
_BLOCK_CELLS: Final = 4_000_000
_ROUNDING: Final = 1e-5
"""More than what the float32 products of a block may be off together."""

_ACTS: Final = {
    verb: act
    for act, verbs in {
        "get": "get fetch retrieve show read view obtain return describe look see check find provide",
        "list": "list search query browse",
        "create": "create add make register insert generate initiate assign invite upload",
        "update": "update edit modify change set patch replace mark",
        "delete": "delete remove erase destroy drop discard unassign revoke wipe invalidate clear",
        "send": "send share post publish push",
    }.items()
    for verb in verbs.split()
}
_METHODS: Final = frozenset("get put post patch delete options head".split())
_LIGHT: Final = frozenset(map(stem, "id information info detail data list existing specific specified current".split()))
"""Words that stand before or for any thing: what is listed is not a list."""
_WORD: Final = re.compile(r"[\w-]+")


class ToolSubject(NamedTuple):
    """The act and the object of a tool, as far as they decide whether two tools are taken for one another."""

    act: str
    """A verb that stands for its synonyms: `get`, `list`, `create`, `update`, `delete`, `send`, or the verb itself."""
    thing: tuple[str, ...]
    """Stems of what the act is done to."""
    head: str
    """Stem of the noun that the others qualify."""
    name: tuple[str, ...]
    """Stems of the name without its verb."""


def subject(tool: Tool) -> ToolSubject:
    """Return what a tool does, from its description, or its name where it has none.

    >>> subject(Tool(name="listShopOrders", description="Returns information about the orders of a shop."))[:3]
    ('list', ('order', 'shop'), 'order')
    """
    found, spelled = gloss(tool), identifier_words(tool.name)
    verb = found.act or next(filter(None, map(base_verb, spelled)), "")
    name = tuple(stem(word) for word in spelled if word not in _METHODS and base_verb(word) != verb)
    name = tuple(word for word in name if word not in _LIGHT)
    chunks = [[word for word in words(chunk.text) if _tells(word)] for chunk in found.chunks]
    chunks = [chunk for chunk in chunks if chunk]
    thing = tuple(stem(word) for chunk in chunks for word in chunk) or name
    act = _ACTS.get(verb, verb)
    if act == "get" and chunks and is_plural(chunks[0][-1]) and not tool.source.endswith("}"):
        act = "list"
    return ToolSubject(act, thing, stem(chunks[0][-1]) if chunks else "", name)


def _tells(word: str) -> bool:
    return word not in STOP_WORDS and stem(word) not in _LIGHT


class ConfusablePairs:
    """A catalogue prepared for comparing all its tools; like `AllPairs`, which finds near-duplicates in its place."""

    def __init__(
        self,
        tools: Sequence[Tool],
        *,
        encoder: Encoder | None = None,
        threshold: float = LEAST_CONFUSABLE,
        weights: Weights = WEIGHTS,
        block_cells: int = _BLOCK_CELLS,
    ) -> None:
        import numpy as np

        subjects = [subject(tool) for tool in tools]
        self._least, self._weights, self._block_cells = threshold - 1e-9, weights, block_cells
        self._acts = _numbered([one.act or str(at) for at, one in enumerate(subjects)])
        self._heads = _numbered([one.head or str(at) for at, one in enumerate(subjects)])
        texts = [tool.description for tool in tools]
        self._parts = (
            _vectors([one.name for one in subjects]),
            _vectors([one.thing for one in subjects]),
            (encoder or description_encoder(tools)).vectors(texts),
        )
        self._keys = SparseVectors(indicators([tuple(tool.properties) for tool in tools]))
        self._counts = np.array([len(tool.properties) for tool in tools], dtype=np.float32)
        self._bare = np.array([not tool.required for tool in tools], dtype=bool)
        self._told_apart = np.array(sorted(_naming_each_other(tools)), dtype=np.int64)
        self.slack = 0.0

    def blocks(self) -> Iterator[Near]:
        """Yield all confusable pairs, in the order of the pairs."""
        for start, stop in row_blocks(len(self._acts), self._block_cells):
            yield self._near(start, stop)

    def pairs(self, near: Near) -> list[Pair]:
        """Return the pairs with their parts, in the order given."""
        columns = (near.a, near.b, near.name, self._description(near.a, near.b), near.parameters, near.score)
        return [Pair(a, b, Parts(*parts)) for a, b, *parts in zip(*(c.tolist() for c in columns), strict=True)]

    def scored(self, a: Positions, b: Positions) -> Near:
        """Return pairs with their exact scores, whatever they are."""
        import numpy as np

        name, description = self._parts[0].products(a, b), self._description(a, b)
        common = self._keys.products(a, b)
        union = self._counts[a] + self._counts[b] - common
        parameters = np.divide(common, union, out=np.ones_like(common), where=union > 0)
        score = self._sum(name, description, parameters, self._bare[a] | self._bare[b])
        gate = np.where(self._heads[a] == self._heads[b], 1.0, _GATE) * (self._acts[a] == self._acts[b])
        return Near(a, b, name, parameters, score * gate)

    def _near(self, start: int, stop: int) -> Near:
        import numpy as np

        rows = slice(start, stop)
        name, thing, text = (part.block(start, stop, first=start) for part in self._parts)
        common = self._keys.block(start, stop, first=start)
        union = self._counts[rows, None] + self._counts[None, start:] - common
        parameters = np.divide(common, union, out=np.ones_like(common), where=union > 0)
        bare = self._bare[rows, None] | self._bare[None, start:]
        bound = self._sum(name, (thing + text) / 2, parameters, bare)
        bound *= np.where(self._heads[rows, None] == self._heads[None, start:], 1.0, _GATE)
        bound *= self._acts[rows, None] == self._acts[None, start:]
        row, column = np.divmod(np.flatnonzero(bound >= self._least - _ROUNDING), bound.shape[1])
        a, b = row + start, column + start
        kept = (b > a) & ~np.isin(a * len(self._acts) + b, self._told_apart)
        found = self.scored(a[kept], b[kept])
        return found.where(found.score >= self._least)

    def _description(self, a: Positions, b: Positions) -> Floats:
        import numpy as np

        mean: Floats = (self._parts[1].products(a, b) + np.maximum(self._parts[2].products(a, b), 0.0)) / 2
        return mean

    def _sum(self, name: Any, description: Any, parameters: Any, bare: Any) -> Any:
        """The weighted sum of the parts; without parameters where one side requires none."""
        import numpy as np

        weights = self._weights
        rest = weights.name * name + weights.description * description
        shared = rest / ((weights.name + weights.description) or 1.0)
        return np.where(bare, shared, rest + weights.parameters * parameters)


def _numbered(labels: Sequence[str]) -> Positions:
    import numpy as np

    known = {label: at for at, label in enumerate(dict.fromkeys(labels))}
    return np.array([known[label] for label in labels], dtype=np.int64)


def _vectors(documents: Sequence[Sequence[str]]) -> SparseVectors:
    encoder = fit_stems(documents)
    return SparseVectors(sparse_rows(map(encoder.weigh, documents), width=len(encoder.columns)))


def _naming_each_other(tools: Sequence[Tool]) -> Iterator[int]:
    """Pairs of tools whose descriptions name each other, as position times count plus position."""
    position = {tool.name: at for at, tool in enumerate(tools)}
    named = [{position[word] for word in _WORD.findall(tool.description) if word in position} for tool in tools]
    return (a * len(tools) + b for a, others in enumerate(named) for b in others if a < b and a in named[b])


class Family(msgspec.Struct, frozen=True):
    """Two or more tools, by position, that do different acts to one thing."""

    thing: str
    acts: tuple[str, ...]
    """One for each tool."""
    tools: tuple[int, ...]


def families(tools: Sequence[Tool]) -> tuple[Family, ...]:
    """Return the families, largest first, then by position."""
    groups: dict[frozenset[str], list[int]] = {}
    subjects = [subject(tool) for tool in tools]
    for at, one in enumerate(subjects):
        groups.setdefault(frozenset(one.thing), []).append(at)
    found = [
        Family(
            gloss(tools[group[0]]).object or tools[group[0]].name, tuple(subjects[at].act for at in group), tuple(group)
        )
        for thing, group in groups.items()
        if thing and len({subjects[at].act for at in group}) > 1
    ]
    return tuple(sorted(found, key=lambda family: (-len(family.tools), family.tools)))
