"""Commands that print what a paper lists, made from the listing's help and options."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from callwright.cli import printable
from callwright.cli.results import print_json
from callwright.cli.struct_options import given, struct_options
from callwright.papers.registry import load_listing
from callwright.protocol import options_from


def listing_command(name: str) -> click.Command:
    """Return the command of the listing of this name. Raises UnknownName."""
    listing = load_listing(name)
    return click.Command(
        name,
        params=[
            *struct_options(listing.options),
            click.Option(["as_json", "--json"], is_flag=True, help="Print the rows as one JSON document."),
        ],
        callback=partial(_print, name),
        help=listing.help,
    )


def _print(name: str, *, as_json: bool, **options: Any) -> None:
    listing = load_listing(name)
    rows = listing.rows(options_from(name, listing.options, given(options)))
    if as_json:
        print_json(rows)
        return
    for row in rows:
        click.echo(printable(" ".join(row)))
