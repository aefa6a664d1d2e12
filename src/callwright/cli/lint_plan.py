"""The output of `callwright lint --fix-plan`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from callwright.cli import printable
from callwright.cli.results import print_json

if TYPE_CHECKING:
    from callwright.app.fixing import AuthoredPlan
    from callwright.catalog.fix_plan import Suggestion

_PRINTED = ("suggestions", "pairs", "still_near", "pairs_before", "pairs_after", "signature")


def show_plan(made: AuthoredPlan, *, as_json: bool) -> None:
    """Print a plan for people, or as one JSON document."""
    plan = made.plan
    if as_json:
        authored = {"author": made.author, "asked": made.asked, "failed": made.failed}
        print_json({name: getattr(plan, name) for name in _PRINTED} | authored)
        return
    click.echo(
        f"Most alike pairs looked at: {plan.pairs:,}; changes suggested: {len(plan.suggestions):,}; pairs that are not "
        f"told apart: {len(plan.still_near):,}.\nConfusable pairs in the whole catalogue: "
        f"{plan.pairs_before:,} before, {plan.pairs_after:,} after.\nAuthor: {printable(made.author)}."
    )
    if made.failed:
        click.echo(f"{made.failed:,} of {made.asked:,} replies could not be used; rules proposed there.")
    for suggestion in plan.suggestions:
        _show(suggestion)
    if plan.still_near:
        click.echo("\nNot told apart; write what each is for, or drop one:")
    for pair in plan.still_near:
        click.echo(f"  {pair.score:.2f}  {printable(pair.a)}\n        {printable(pair.b)}")
    click.echo(f"\n{printable(plan.signature)}")


def _show(suggestion: Suggestion) -> None:
    tool, against, why = map(printable, (suggestion.tool, suggestion.against, suggestion.why))
    old, new = _where_they_differ(printable(suggestion.from_), printable(suggestion.to))
    click.echo(f"\n{suggestion.score:.2f}  {tool}  (against {against})")
    click.echo(f"  - {old}\n  + {new}\n  because {why}")


_LONGEST = 200
_BEFORE = 40
"""Characters shown of what two texts begin with alike."""


def _where_they_differ(old: str, new: str) -> tuple[str, str]:
    """Two texts cut to the part that tells them apart; `--json` has them whole."""
    alike = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = old.rfind(" ", 0, alike - _BEFORE) + 1 if alike > 2 * _BEFORE else 0
    return _cut(old, start), _cut(new, start)


def _cut(text: str, start: int) -> str:
    rest = text[start:]
    return ("… " if start else "") + (rest if len(rest) <= _LONGEST else f"{rest[:_LONGEST].rsplit(' ', 1)[0]} …")
