"""What `callwright lint --fix-plan` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from callwright.cli import printable
from callwright.cli.results import print_json

if TYPE_CHECKING:
    from callwright.app.fixing import AuthoredPlan
    from callwright.catalog.fix_plan import Suggestion

_PRINTED = ("suggestions", "pairs", "still_near", "pairs_before", "pairs_after", "threshold", "signature")


def show_plan(made: AuthoredPlan, *, as_json: bool) -> None:
    """Print a plan for people, or as one JSON document."""
    plan = made.plan
    if as_json:
        authored = {"author": made.author, "asked": made.asked, "failed": made.failed}
        print_json({name: getattr(plan, name) for name in _PRINTED} | authored)
        return
    click.echo(
        f"Most alike pairs looked at: {plan.pairs:,}; changes suggested: {len(plan.suggestions):,}; pairs that stay at "
        f"{plan.threshold:g} or more: {len(plan.still_near):,}.\nNear-duplicate pairs in the whole catalogue: "
        f"{plan.pairs_before:,} before, {plan.pairs_after:,} after.\nAuthor: {printable(made.author)}."
    )
    if made.failed:
        click.echo(f"{made.failed:,} of {made.asked:,} replies could not be used; rules proposed there.")
    for suggestion in plan.suggestions:
        _show(suggestion)
    if plan.still_near:
        click.echo("\nStill near; their documents share most words, so write what each is for, or drop one:")
    for pair in plan.still_near:
        click.echo(f"  {pair.score:.2f}  {printable(pair.a)}\n        {printable(pair.b)}")
    click.echo(f"\n{printable(plan.signature)}")


def _show(suggestion: Suggestion) -> None:
    texts = (suggestion.tool, suggestion.against, suggestion.from_, suggestion.to, suggestion.why)
    tool, against, old, new, why = map(printable, texts)
    figures = f"{suggestion.similarity_before:.2f} → {suggestion.similarity_after:.2f}"
    click.echo(f"\n{figures}  {tool}: {suggestion.change}  (against {against})")
    click.echo(f"  - {old}\n  + {new}\n  because {why}")
