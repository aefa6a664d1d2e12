"""`callwright export`: a catalogue or dialogues in the layout of others; what that has no place for is listed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from callwright.cli import printable
from callwright.cli.output_file import check_output, force_option
from callwright.cli.safe_text import escaped
from callwright.cli.struct_options import given
from callwright.errors import BadInput
from callwright.papers.registry import load_protocol, names_of
from callwright.protocol import read_written

if TYPE_CHECKING:
    from callwright.formats.exports import Export
    from callwright.records.jsontext import Json

TRAINERS: Final = ("trl", "openai", "sharegpt", "ms-swift", "axolotl")
"""Layouts of training data; a test compares them with those that are written."""

LOG: Final = "inspect-log"

_NAMED = 5
"""Tools that the account names for each loss."""


@click.command("export")
@click.argument("catalog")
@click.option(
    "--format",
    "layout",
    type=click.Choice(["openai", "anthropic", "mcp", "openapi", *names_of("writers")]),
    help="Layout to write: of tools, or of dialogues.",
)
@click.option(
    "--as",
    "trainer",
    type=click.Choice([*TRAINERS, LOG]),
    help=f"Write a dataset as training data, to a new folder; `{LOG}`: a run as a log of inspect_ai.",
)
@click.option(
    "--slices",
    type=click.Choice(["turn", "dialogue"]),
    help="With --as: a sample for each reply of the assistant, or for each dialogue.  [default: turn]",
)
@click.option("--thoughts/--no-thoughts", default=None, help="With --as: train thoughts too.  [default: --thoughts]")
@click.option(
    "--calling",
    type=click.Choice(["native", "prompted", "object"]),
    help="With --as: how the model is to call, as in `eval`; in words, where its template knows no tools.  "
    "[default: native]",
)
@click.option("--protocol", help="With --as: a sample for each prediction that this protocol asks for.")
@click.option("--set", "chosen", multiple=True, metavar="NAME=VALUE", help="An option of --protocol, as `task=act`.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="File or folder to write.  [default: standard output]"
)
@click.option(
    "--reviewed",
    is_flag=True,
    help="Of a dataset: leave out dialogues that people marked wrong; with --as, do not train turns that people or "
    "judges refused.",
)
@force_option
def command(
    catalog: str,
    layout: str | None,
    trainer: str | None,
    out: Path | None,
    *,
    chosen: tuple[str, ...],
    reviewed: bool,
    force: bool,
    **samples: Any,
) -> None:
    """Write the tools of CATALOG, or the dialogues of a dataset, in another layout.

    CATALOG is any source that `import` reads. Required parameters come first, in the order of their document,
    the others by name. Properties that the layout cannot hold are listed on standard error.

    Layouts of dialogues take the folder of a dataset in place of CATALOG, and write JSON lines. So does --as, which
    writes a folder that `callwright verify-export` checks against the chat template of a model.
    """
    if (layout is None) == (trainer is None):
        raise BadInput("give either --format, for tools and dialogues, or --as, for training data.")
    training = given(samples) | _chosen(chosen, samples["protocol"])
    if trainer is not None:
        if out is None:
            raise BadInput("--as writes files. Name their place with -o.")
        if trainer == LOG:
            _write_log(catalog, out, has_options=bool(training) or reviewed)
            return
        if "protocol" in training and {"slices", "thoughts", "calling"} & training.keys():
            raise BadInput("--protocol says what the samples are. Leave --slices, --thoughts and --calling out.")
        _write_training(catalog, trainer, out, reviewed=reviewed, **training)
        return
    if training:
        raise BadInput(
            "--slices, --thoughts, --calling, --protocol and --set are about training data. Give --as, not --format."
        )
    assert layout is not None
    if layout in names_of("writers"):
        _write_dialogues(Path(catalog), layout, out, reviewed=reviewed, force=force)
        return
    if reviewed:
        raise BadInput("--reviewed has no effect on a catalogue. Leave it out.")

    from callwright.app.catalogs import export_catalog, read_catalog
    from callwright.formats.exports import text

    if out is not None:
        check_output(out, source=catalog, force=force)
    tools = read_catalog(catalog)
    found = export_catalog(tools, layout, out)
    if out is None:
        click.echo(escaped(text(found).decode()), nl=False)
    else:
        click.echo(f"{len(tools.tools):,} tools written to {out}.")
    _show_losses(found)


def _write_log(run: str, out: Path, *, has_options: bool) -> None:
    from callwright.app.inspect_log import write_inspect_log

    if has_options:
        raise BadInput(f"--slices, --thoughts and --reviewed are about training data. Leave them out with {LOG}.")
    count = write_inspect_log(run, out)
    click.echo(f"{count:,} rollouts written to {printable(str(out))}. See them: inspect view --log-dir FOLDER")


def _chosen(pairs: tuple[str, ...], protocol: str | None) -> dict[str, Json]:
    """The options of a protocol, written as `NAME=VALUE`."""
    if pairs and protocol is None:
        raise BadInput("--set gives an option of a protocol. Name the protocol with --protocol.")
    for pair in pairs:
        if not pair.partition("=")[2]:
            raise BadInput(f"--set {pair!r:.80}: write an option and its value, such as task=act.")
    written = {name: value for name, _, value in (pair.partition("=") for pair in pairs)}
    return {} if protocol is None else read_written(load_protocol(protocol), written)


def _write_training(folder: str, trainer: str, out: Path, *, reviewed: bool, **settings: Any) -> None:
    from callwright.app.training import export_training

    made = export_training(folder, trainer, out=out, reviewed=reviewed, **settings)
    click.echo(
        f"{made.samples:,} samples with {made.replies:,} trained replies, of {made.dialogues:,} dialogues, written to "
        f"{printable(str(out))}."
    )
    if made.masked:
        click.echo(
            f"{made.masked:,} turns were marked wrong or refused by a judge: they are context, and are not trained."
        )
    if made.without_reply:
        click.echo(f"{made.without_reply:,} dialogues have no reply of the assistant and give no sample.")
    for what, count in made.losses.items():
        click.echo(f"{count:,} samples: {what}", err=True)


def _write_dialogues(folder: Path, layout: str, out: Path | None, *, reviewed: bool, force: bool) -> None:
    from callwright.app.corpora import export_dialogues

    if out is not None:
        check_output(out, force=force)
    lines = export_dialogues(folder, layout, out, reviewed=reviewed)
    if out is None:
        click.echo(escaped(b"".join(lines).decode()), nl=False)
    else:
        click.echo(f"{len(lines):,} dialogues written to {printable(str(out))}.")


def _show_losses(found: Export) -> None:
    """Say each loss once, with the number of tools and the first of them."""
    tools: dict[str, list[str]] = {}
    for loss in found.losses:
        tools.setdefault(loss.what, []).append(loss.tool)
    for what, names in tools.items():
        named = ", ".join(names[:_NAMED])
        more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
        click.echo(printable(f"{len(names):,} tool{'s' if len(names) > 1 else ''}: {what} ({named}{more})"), err=True)
