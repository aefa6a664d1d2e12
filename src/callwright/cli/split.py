"""`callwright split`: parts of a dataset with disjoint tools."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from callwright.cli import printable
from callwright.cli.results import print_json
from callwright.errors import BadInput


@click.command("split")
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--by",
    type=click.Choice(["domain", "tool"]),
    default="domain",
    show_default=True,
    help="Keep the tools of a business domain in one part, or only each tool.",
)
@click.option(
    "--part",
    "parts",
    multiple=True,
    metavar="NAME=SHARE",
    help="A part and its share of dialogues; repeat for each part.  [default: train=0.8 test=0.2]",
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same parts.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="Folder for the parts.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON document.")
def command(
    dataset: Path, *, by: Literal["domain", "tool"], parts: tuple[str, ...], seed: int, out: Path, as_json: bool
) -> None:
    """Split DATASET into parts, so that no tool is seen in two of them.

    A dialogue whose candidate pool mixes tools of two parts is left out, and counted.
    """
    from callwright.app.datasets import SHARES, split

    result = split(dataset, by=by, shares=_shares(parts) or SHARES, seed=seed, out=out)
    if as_json:
        print_json(result)
        return
    for name, dialogues in result.parts.items():
        click.echo(f"{dialogues:>8,} dialogues, {result.tools[name]:,} tools: {printable(str(out / name))}")
    if result.left_out:
        click.echo(f"{result.left_out:>8,} dialogues left out: their candidate pools mix tools of several parts")


def _shares(parts: tuple[str, ...]) -> dict[str, float]:
    shares: dict[str, float] = {}
    for part in parts:
        name, _, share = part.partition("=")
        try:
            shares[name] = float(share)
        except ValueError:
            raise BadInput(f"--part {part!r}: give a name and a share, such as train=0.8.") from None
    return shares
