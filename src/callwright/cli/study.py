"""`callwright study`: figures for studies with people."""

from __future__ import annotations

import csv
from pathlib import Path

import click

from callwright.cli.results import print_json
from callwright.errors import BadInput

_LARGEST = 1_000_000
"""Most bytes of a file of points."""


@click.group("study")
def command() -> None:
    """Plan studies with people, and see how their figures go with others."""


@command.command("size")
@click.option("--population", type=int, help="How many cases there are.  [default: without end]")
@click.option("--error", type=float, default=0.05, show_default=True, help="Margin of error.")
@click.option("--z", type=float, default=1.96, show_default=True, help="Quantile of the confidence: 1.96 for 95 %.")
@click.option("--share", type=float, default=0.5, show_default=True, help="Expected proportion; .5 needs the most.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON document.")
def size(*, population: int | None, error: float, z: float, share: float, as_json: bool) -> None:
    """Print how many cases people have to look at (Cochran, with the correction for a finite population)."""
    from callwright.stats.studies import sample_size

    found = sample_size(population, z=z, error=error, share=share)
    if as_json:
        print_json({"cases": found.cases, "infinite": found.infinite, "finite": found.finite})
        return
    corrected = "" if found.finite is None else f", {found.finite:.1f} of {population:,}"
    click.echo(f"{found.cases:,} cases ({found.infinite:.2f} of a population without end{corrected})")


@command.command("correlate")
@click.argument("points", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON document.")
def correlate(points: Path, *, as_json: bool) -> None:
    """Print Pearson's r of POINTS, a CSV file with two numbers a line, with t and the two-sided p."""
    from callwright.stats.studies import pearson

    found = pearson(_read(points))
    if as_json:
        print_json(found)
        return
    t = "" if found.t is None else f", t = {found.t:.3f}"
    click.echo(f"r = {found.r:.5f} over {found.n:,} points{t}, two-sided p = {found.p:.4f}")


def _read(path: Path) -> list[tuple[float, float]]:
    """The points of a file; a first line of words is a header."""
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST + 1).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read ({error}). Give a CSV file in UTF-8.") from error
    if len(text) > _LARGEST:
        raise BadInput(f"{path}: over {_LARGEST:,} bytes. Give two numbers a line.")
    found: list[tuple[float, float]] = []
    for number, line in enumerate(csv.reader(text.splitlines()), 1):
        if not any(cell.strip() for cell in line):
            continue
        try:
            x, y = map(float, line)
        except ValueError as error:
            if number == 1:
                continue
            raise BadInput(f"{path}:{number}: two numbers with a comma between them are needed.") from error
        if not (abs(x) < float("inf") and abs(y) < float("inf")):
            raise BadInput(f"{path}:{number}: a number must be finite.")
        found.append((x, y))
    return found
