"""What commands that roll out print at their end."""

from __future__ import annotations

from collections.abc import Mapping

import click

from callwright.cli import printable

_LONGEST = 200


def print_json(record: object) -> None:
    """Print one JSON document."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(record), indent=1).decode())


def show_failures(failed: Mapping[str, int], examples: Mapping[str, str]) -> None:
    """Print how many rollouts failed, by class, each with what one of them said."""
    for kind, count in failed.items():
        said = printable(examples.get(kind, ""))
        click.echo(f"  {count:>6,} failed: {printable(kind)}{f' ({said[:_LONGEST]})' if said else ''}")
