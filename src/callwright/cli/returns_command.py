"""`callwright returns`: write down what tools return where no document says so."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callwright.cli import printable
from callwright.cli.model_options import AUTHOR, asking_options, asking_settings
from callwright.cli.progress_line import progress_line
from callwright.cli.results import print_json, show_failures, show_usage, shown_when_stopped

if TYPE_CHECKING:
    from callwright.app.returns_making import ReturnsMade


@click.command("returns")
@click.argument("catalog")
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="New catalogue to write.")
@click.option("--author", metavar="MODEL", help="Who infers the schemas: `openai/NAME`.  [default: rules]")
@asking_options(AUTHOR)
@click.option("--json", "as_json", is_flag=True, help="Print what was done as one JSON document.")
@click.pass_context
def command(ctx: click.Context, /, catalog: str, *, out: Path, author: str | None, as_json: bool, **given: Any) -> None:
    """Write CATALOG with a schema of each tool's result, inferred where no document has one.

    Inferred schemas are marked (`"returns_inferred": true`) and yours to edit; `graph build` and `synth` use them. A
    model is asked once for each tool. Replies are kept in `.returns` beside the new catalogue; what does not fit
    is asked for again, and tools without a reply that fits are counted and left as they were.
    """
    from callwright.app.returns_making import make_returns

    show = partial(_show, out=out, as_json=as_json)
    with shown_when_stopped(show, as_json=as_json), progress_line("tools") as progress:
        asking, execution, _ = asking_settings({**given, "progress": progress})
        done = make_returns(catalog, out, author=author, asking=asking, execution=execution)
    show(done)
    if done.failed:
        ctx.exit(1)


def _show(done: ReturnsMade, *, out: Path, as_json: bool) -> None:
    if as_json:
        print_json(done)
        show_failures(done.failed, done.examples, beside_json=True)
        return
    before = f", {done.inferred_before:,} inferred before" if done.inferred_before else ""
    click.echo(f"{done.tools:,} tools, {done.documented:,} with a documented result{before}")
    replaced = f", {done.replaced:,} of them in place of one without any field that answers" if done.replaced else ""
    click.echo(f"{done.written:,} results inferred by {done.author}{replaced}; written to {printable(str(out))}.")
    if done.author != "rules":
        show_usage(done.tokens, done.faults)
    show_failures(done.failed, done.examples)
