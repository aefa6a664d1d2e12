"""`callwright report`: the numbers of finished runs, scored anew from their transcripts."""

from __future__ import annotations

from pathlib import Path

import click

from callwright.cli.results import print_rows


@click.command("report")
@click.argument("runs", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--by", help="Add a table by the values of this property, such as `domain`.")
@click.option("--json", "as_json", is_flag=True, help="Print all rows, of all slices, as one JSON list.")
def command(runs: tuple[Path, ...], *, by: str | None, as_json: bool) -> None:
    """Print the metrics of RUN folders with 95 % intervals.

    Nothing is asked of a model: the numbers come from the recorded transcripts, and are the same each time.
    """
    from callwright.app.scoring import score_runs

    rows = score_runs(runs)
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(rows), indent=2).decode())
    else:
        print_rows(rows, by=by)
