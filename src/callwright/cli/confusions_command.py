"""`callwright confusions`: which tool the model of a run called where another was due."""

from __future__ import annotations

from pathlib import Path

import click

from callwright.cli.results import print_json, terminal


@click.command("confusions")
@click.argument("run", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--limit", type=click.IntRange(min=0), default=20, show_default=True, help="How many to print.")
@click.option("--json", "as_json", is_flag=True, help="Print all of them, with all ids, as one JSON document.")
def command(run: Path, *, limit: int, as_json: bool) -> None:
    """List the tools that the model of RUN called where another tool was due, the most frequent pair first.

    Each pair is printed as `DUE → CALLED`, with how often it happened among the tasks in which DUE was due, what tells
    the two documents apart, and the dialogues. `callwright show RUN ID` shows one of them.
    """
    from callwright.app.rescoring import find_confusions

    found = find_confusions(run)
    if as_json:
        print_json(found)
        return
    from callwright.report.confusion_table import confusion_view

    terminal().print(confusion_view(found, most=limit))
