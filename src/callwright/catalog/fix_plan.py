"""Fix plans: what to write into descriptions so that tools are not taken for one another.

Either tool of a pair may get a pointer to the other (see `rewording`), or what `propose` writes, the most alike pairs
first. A change adds to a description or rephrases its first sentence; names stay, as callers use them. At the end the
whole changed catalogue is linted again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import msgspec

from callwright.catalog.lint import Formula, LintReport, lint
from callwright.catalog.rewording import addition, keeps, with_addition
from callwright.catalog.similarity import WEIGHTS, Pair, Weights
from callwright.catalog.vectors import Encoder
from callwright.lang.tokens import stem_set
from callwright.records.tool import Catalog, Tool

Propose = Callable[[Tool, Tool], tuple[str, str]]
"""Returns a description that tells the first tool from the second, and why; an empty one where there is none."""

_MOST_CHANGES = 2
"""Most changes of one tool: a description is no directory of the others."""


class Suggestion(msgspec.Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """Another description for one tool."""

    tool: str
    from_: str
    to: str
    why: str
    against: str
    score: float
    """How alike the two are in the given catalogue."""


class StillNear(msgspec.Struct, frozen=True, kw_only=True):
    """Two tools that are not told apart after the plan."""

    a: str
    b: str
    score: float


class FixPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Changes in the order in which they were made, and their effect on the catalogue."""

    suggestions: tuple[Suggestion, ...]
    pairs: int
    still_near: tuple[StillNear, ...]
    """Those of them that remain a pair of the lint."""
    pairs_before: int
    """Pairs in the whole catalogue."""
    pairs_after: int
    """The same with all changes made."""
    changed: Catalog
    signature: str


def pointer(tool: Tool, rival: Tool) -> tuple[str, str]:
    """Return the description with a pointer to `rival`, by rule."""
    sentence, why = addition(tool, rival)
    return (with_addition(tool, sentence), why) if sentence else ("", "")


def fix_plan(
    catalog: Catalog,
    before: LintReport,
    *,
    formula: Formula = "meaning",
    threshold: float | None = None,
    weights: Weights = WEIGHTS,
    encoder: Encoder | None = None,
    propose: Propose = pointer,
) -> FixPlan:
    """Return changes for the pairs that `before` lists, its lint with the same options."""
    tools = dict(catalog.by_name)
    suggestions = []
    changes: Counter[str] = Counter()
    for pair in before.pairs:
        for name, rival in ((pair.a, pair.b), (pair.b, pair.a)):
            tool, other = tools[name], catalog.by_name[rival]
            text, why = propose(tool, other)
            if changes[name] == _MOST_CHANGES or not _is_useful(tool, other, text):
                continue
            changes[name] += 1
            tools[name] = msgspec.structs.replace(tool, description=text)
            suggestions.append(
                Suggestion(tool=name, from_=tool.description, to=text, why=why, against=rival, score=pair.score)
            )
    changed = msgspec.structs.replace(catalog, tools=tuple(tools[tool.name] for tool in catalog.tools))
    treated = {(pair.a, pair.b) for pair in before.pairs}
    left: list[StillNear] = []

    def note(found: list[Pair]) -> None:
        named = ((catalog.tools[pair.a].name, catalog.tools[pair.b].name, pair.parts.score) for pair in found)
        left.extend(StillNear(a=a, b=b, score=score) for a, b, score in named if (a, b) in treated)

    options = {"formula": formula, "threshold": threshold, "weights": weights, "encoder": encoder}
    after = lint(changed, most_pairs=0, each=note, **options)  # type: ignore[arg-type]
    return FixPlan(
        suggestions=tuple(suggestions),
        pairs=len(before.pairs),
        still_near=tuple(sorted(left, key=lambda pair: -pair.score)),
        pairs_before=before.pairs_total,
        pairs_after=after.pairs_total,
        changed=changed,
        signature=before.signature,
    )


def _is_useful(tool: Tool, rival: Tool, text: str) -> bool:
    """Whether a text says all that the tool's does, and names the other tool or says what that does not."""
    if not text.strip() or text == tool.description or not keeps(tool.description, text):
        return False
    return rival.name in text or bool(stem_set(text) - stem_set(tool.description) - stem_set(rival.description))
