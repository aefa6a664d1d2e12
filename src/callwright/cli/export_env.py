"""`callwright export-env`: a dataset as an environment of another program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from callwright.cli import printable
from callwright.cli.model_options import add_options
from callwright.cli.struct_options import given, owned_options
from callwright.papers.registry import protocol_names, protocol_options


@click.command("export-env")
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--as", "kind", type=click.Choice(["inspect", "verifiers", "trl-grpo"]), required=True, help="The program."
)
@click.option(
    "--protocol", default="dynamic", show_default=True, help=f"How dialogues go on: {', '.join(protocol_names())}."
)
@add_options(owned_options(protocol_options().items()))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="New folder to write.")
def command(dataset: Path, *, kind: str, protocol: str, out: Path, **options: Any) -> None:
    """Write DATASET as an environment: a task of inspect_ai, or one to train in with verifiers or TRL's GRPO.

    The folder holds the data and a thin module that plays episodes of it: the simulated user and the tools of the
    protocol, without a model. Rewards have named parts: 0 for doing nothing, 1 for the right calls.
    """
    from callwright.app.environments import export_environment

    count = export_environment(dataset, kind, out=out, protocol=protocol, **given(options))
    click.echo(f"{count:,} episodes written to {printable(str(out))}; its README.md says how it is run.")
