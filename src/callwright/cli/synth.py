"""`callwright synth`: checked dialogues over the tools of a catalogue."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callwright.cli import printable
from callwright.cli.model_options import Asked, add_options, asking_options, settings_of
from callwright.cli.progress_line import progress_line
from callwright.cli.read import show_read
from callwright.cli.results import (
    USED,
    print_json,
    require_price,
    show_estimate,
    show_failures,
    show_rejected,
    show_usage,
    shown_when_stopped,
)
from callwright.cli.struct_options import given, owned_options, struct_options
from callwright.papers.registry import load_mixer, names_of, recipe_options

if TYPE_CHECKING:
    from callwright.app.synthesis import SynthesisPreview, SynthesisResult
    from callwright.recipe.coverage import ToolCoverage

_HELP = f"""Make N dialogues by RECIPE over the tools of CATALOG, and check them.

RECIPE is one of: {", ".join(names_of("recipes"))}. (These put datasets together, and have a help of their own:
{", ".join(names_of("mixers"))}.) CATALOG is a file that `callwright import` wrote or can read, or
`builtin/enterprise`. The same command resumes a stopped run, and does nothing once everything is done. Exit code 1:
some dialogues could not be made, or the budget is spent; the same command (with a higher budget) resumes it.
"""

_FOLDER = click.Path(path_type=Path)
_MOST_NAMED = 5
_PRINTED = ("planned", "kept", "rejected", "failed", "author", *USED, "coverage")


class Synth(click.Command):
    """The command of recipes; the name of a recipe that puts datasets together leads to a command of its own."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the arguments of the command that the first of them names."""
        if args and args[0] in names_of("mixers"):
            return mix_command(args[0]).make_context(f"synth {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


def mix_command(name: str) -> click.Command:
    """Return the command of a recipe that puts datasets together. Raises UnknownName."""
    mixer = load_mixer(name)
    return click.Command(
        name,
        params=[
            click.Argument(["paths"], nargs=-1, required=True, type=_FOLDER, metavar=f"{mixer.argument}..."),
            *struct_options(mixer.options),
            click.Option(["--seed"], type=int, default=0, show_default=True, help="Decides which dialogues are taken."),
            click.Option(["-o", "--out"], required=True, type=_FOLDER, help="Folder of the dataset."),
            click.Option(["as_json", "--json"], is_flag=True, help="Print the counts as one JSON document."),
        ],
        callback=partial(_mix, name),
        help=mixer.help,
    )


def _mix(name: str, *, paths: tuple[Path, ...], out: Path, seed: int, as_json: bool, **options: Any) -> None:
    from callwright.app.corpora import mix_datasets

    show_read(mix_datasets(name, paths, out=out, seed=seed, **given(options)), out, as_json=as_json)


@click.command("synth", cls=Synth, help=_HELP)
@click.argument("recipe")
@click.argument("catalog")
@click.option("-n", "n", type=click.IntRange(1, 10_000_000), help="Dialogues to plan; fewer are kept.")
@click.option("--per-tool", type=click.IntRange(1, 100_000), help="In place of -n: dialogues to plan for each tool.")
@click.option(
    "--per-cell", type=click.IntRange(1, 100_000), help="In place of -n: dialogues for each cell of a design."
)
@click.option(
    "--seed",
    type=click.IntRange(-(2**63), 2**63 - 1),
    default=0,
    show_default=True,
    help="The same seed gives the same dialogues.",
)
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="Folder of the dataset.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Processes to use.")
@click.option("--author", help="Model that makes the dialogues: `openai/NAME`.  [default: offline, a seeded grammar]")
@click.option("--user", help="Model that plays the user; with --author.  [default: the author]")
@click.option("--assistant", help="Model that plays the assistant; with --author.  [default: the author]")
@click.option(
    "--calling",
    metavar="object|native",
    help="How the assistant that a model plays calls: in the object that it replies with, or by native tools, its "
    "reasoning being the thought.  [default: object]",
)
@click.option("--prompts", type=click.Path(path_type=Path), help="Folder of prompts that replace bundled ones.")
@click.option(
    "--personas", type=click.Path(path_type=Path), help="File of users' personas, as PersonaHub's.  [default: bundled]"
)
@click.option("--judge", help="Model that judges dialogues that pass the rules: `openai/NAME`.  [default: none]")
@click.option("--criteria", help="Criteria of --judge, joined by commas.  [default: the recipe's]")
@asking_options(Asked("the author", "the author", "a model", "the whole run", "Dialogues at once; with a model."))
@add_options(owned_options(recipe_options().items()))
@click.option("--dry-run", is_flag=True, help="Print what would be done, and write nothing.")
@click.option("--durable", is_flag=True, help="Wait for the disk at every commit, to survive power cuts.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON document.")
@click.pass_context
def command(ctx: click.Context, /, *, out: Path, dry_run: bool, as_json: bool, **named: Any) -> None:
    """Make, resume or estimate a dataset, and print its counts."""
    from callwright.app.requests import SynthesisRequest, read_request, with_progress
    from callwright.app.synthesis import preview_synthesis, run_synthesis

    request = read_request(SynthesisRequest, out=out, **settings_of(named))
    if dry_run or request.execution.budget:
        preview = preview_synthesis(request)
        if dry_run:
            _show_preview(preview, out, as_json=as_json)
            return
        show_estimate(preview.estimate, preview.usd, err=True)
        require_price(preview.estimate, preview.usd, request.execution.budget)
    show = partial(_show, out=out, as_json=as_json)
    with shown_when_stopped(show, as_json=as_json), progress_line("dialogues") as progress:
        result = run_synthesis(with_progress(request, progress))
    show(result)
    if result.failed:
        ctx.exit(1)


def _show_preview(preview: SynthesisPreview, out: Path, *, as_json: bool) -> None:
    if as_json:
        print_json(preview)
        return
    done = f" ({preview.done:,} of them are done)" if preview.done else ""
    click.echo(
        f"Would plan {preview.planned:,} dialogues{done} over {preview.tools:,} tools, about {_size(preview.bytes)}, "
        f"in {printable(str(out))}. Nothing was written."
    )
    if preview.calling == "native":
        click.echo("The assistant calls natively: its reasoning is the thought.")
    show_estimate(preview.estimate, preview.usd)
    if preview.most_calls is not None:
        click.echo(f"At most {preview.most_calls:,} replies, if every turn is asked for as often as it may be.")


def _show(result: SynthesisResult, out: Path, *, as_json: bool) -> None:
    if as_json:
        print_json({name: getattr(result, name) for name in _PRINTED})
        show_failures(result.failed, result.examples, beside_json=True)
        return
    click.echo(
        f"{result.kept:,} of {result.planned:,} planned dialogues kept; written to {printable(str(out))}. "
        f"Author: {printable(result.author)}."
    )
    show_usage(result.tokens, result.faults)
    show_rejected(result.rejected, result.examples)
    show_failures(result.failed, result.examples)
    if result.coverage:
        _show_coverage(result.coverage)


def _show_coverage(coverage: ToolCoverage) -> None:
    click.echo(f"  Tools with a dialogue: {coverage.covered:,} of {coverage.tools:,}.")
    for why, names in coverage.by_reason.items():
        more = f" and {len(names) - _MOST_NAMED:,} more (see the card)" if len(names) > _MOST_NAMED else ""
        listed = printable(", ".join(names[:_MOST_NAMED]))
        click.echo(f"  {len(names):>6,} without one, {printable(why)}: {listed}{more}")
    for what, count in coverage.departures.items():
        click.echo(f"  {count:>6,} not as designed: {printable(what)}")
    if coverage.note:
        click.echo(f"  Note {coverage.note}")


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 100_000 else f"{count / 1e3:,.0f} kB"
