"""`callwright train`: fine-tune a model on an export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from callwright.cli import printable
from callwright.cli.model_options import add_options
from callwright.cli.output_file import check_output, force_option
from callwright.cli.progress_line import tuning_line
from callwright.cli.results import print_json
from callwright.cli.struct_options import given, struct_options
from callwright.errors import BadInput
from callwright.train.gguf_file import GGUF_MARK
from callwright.train.tuning import Tuning


@click.command("train")
@click.argument("export", type=click.Path(path_type=Path))
@click.option("--base", required=True, type=click.Path(path_type=Path), help="The model: its folder, or a GGUF file.")
@click.option("--lora/--full", default=True, show_default=True, help="Train an adapter, or all weights.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="Folder of the adapter.")
@click.option("--dry-run", is_flag=True, help="Print tokens, memory and time, and train nothing.")
@click.option("--merge", is_flag=True, help="Also write base and adapter as one model, to OUT/merged.")
@click.option(
    "--gguf",
    type=click.Path(path_type=Path),
    help="With --merge: also as this file, for `local/` (Llama, Qwen 2, Qwen 3); the base too, as `NAME-base.gguf`.",
)
@click.option(
    "--template", default="", help="Chat template of the rows: a file, or a name of trl's.  [default: the base's own]"
)
@add_options(struct_options(Tuning))
@force_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON document.")
def command(
    export: Path,
    *,
    base: Path,
    out: Path,
    dry_run: bool,
    merge: bool,
    gguf: Path | None,
    force: bool,
    as_json: bool,
    **named: Any,
) -> None:
    """Fine-tune a model on EXPORT, a folder that `callwright export --as trl` wrote.

    Nothing is trained where `verify-export` finds a fault with the base's template and tokenizer. A part of the
    dialogues is held out and measures loss. The same command goes on after a stop.
    """
    import msgspec

    from callwright.app.fine_tuning import (
        TuningRequest,
        base_beside,
        check_gguf,
        estimate_training,
        train_model,
        write_merged,
    )

    if gguf is not None and not merge:
        raise BadInput("--gguf writes the merged model. Give --merge too.")
    own = {name: named.pop(name) for name in ("lora", "template")}
    try:
        chosen = msgspec.convert(given(named), Tuning)
    except msgspec.ValidationError as error:
        raise BadInput(f"{error}. Give another value.") from error
    if gguf is not None and base.exists():
        check_gguf(base, gguf)
        for file in (gguf, base_beside(gguf)):
            check_output(file, own=GGUF_MARK.encode(), force=force)
    request = TuningRequest(export=export, base=base, out=out, settings=chosen, **own)
    if dry_run:
        cost = estimate_training(request)
        if as_json:
            print_json(cost)
            return
        click.echo(f"{cost.rows:,} rows, {cost.tokens:,} tokens, the longest row {cost.longest:,}.")
        click.echo(f"About {cost.memory_gb} GB of memory and {cost.minutes:,} minutes ({cost.speed}).")
        return
    with tuning_line() as tell:
        done = train_model(request, tell=tell)
    if merge:
        write_merged(out, base, gguf=gguf)
    if as_json:
        print_json(done)
        return
    losses = done["trained"]["held_out"]
    click.echo(
        f"{done['rows']:,} rows trained in {done['trained']['steps']:,} steps; see {printable(str(out))}/README.md."
    )
    click.echo(f"Loss on {done['held_out_rows']:,} held-out rows: {losses[0]['loss']:.3f} -> {losses[-1]['loss']:.3f}.")
