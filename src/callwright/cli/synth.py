"""`callwright synth`: checked dialogues over the tools of a catalogue."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callwright.cli import printable
from callwright.cli.progress import progress_line
from callwright.cli.results import describe_estimate, print_json, show_failures, show_usage, shown_when_stopped

if TYPE_CHECKING:
    from callwright.app.synthesis import SynthesisPreview, SynthesisResult

_PRINTED = ("planned", "kept", "rejected", "failed", "author", "calls", "tokens", "usd", "faults", "resumed")


@click.command("synth")
@click.argument("recipe")
@click.argument("catalog")
@click.option(
    "-n",
    "n",
    type=click.IntRange(1, 10_000_000),
    required=True,
    help="Dialogues to plan; fewer are kept.",
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
@click.option("--author", help="Model that words the dialogues: `openai/NAME`.  [default: offline, a seeded grammar]")
@click.option("--base-url", help="Where `openai/NAME` lives, such as http://127.0.0.1:8000/v1.  [default: OpenAI]")
@click.option("--prompts", type=click.Path(path_type=Path), help="Folder of prompts that replace bundled ones.")
@click.option("--judge", help="Model that judges dialogues that pass the rules: `openai/NAME`.  [default: none]")
@click.option("--criteria", help="Criteria of --judge, joined by commas.  [default: the recipe's]")
@click.option("--temperature", type=float, help="Temperature of the author.  [default: the server's]")
@click.option("--top-p", type=float, help="Probability mass to sample from.  [default: the server's]")
@click.option("--max-tokens", type=int, help="Longest reply of the author, in tokens.  [default: the server's]")
@click.option("--timeout", type=float, help="Seconds to wait for one reply of a model.  [default: 300]")
@click.option("--prices", type=click.Path(path_type=Path), help="File of prices by model.  [default: bundled]")
@click.option("--budget-usd", type=float, help="Most that the whole run may cost; exits with 1 when spent.")
@click.option("--budget-tokens", type=int, help="Most tokens of the whole run, in and out together.")
@click.option("--concurrency", type=int, default=64, show_default=True, help="Dialogues at once; with a model.")
@click.option("--tasks", type=int, help="wild: tasks per session.  [default: 4]")
@click.option("--minefields", is_flag=True, help="wild, extra: calls that must not happen.")
@click.option("--tool-failures", is_flag=True, help="wild, extra: tools that fail, some for good.")
@click.option("--value-changes", type=float, help="wild, extra: share of suitable tasks in which a value changes.")
@click.option(
    "--user-style",
    type=click.Choice(["verbose", "terse"]),
    help="diaforge: how users talk.  [default: verbose]",
)
@click.option(
    "--distractors",
    type=int,
    help="diaforge: look-alikes that the first request must also fit.  [default: 5]",
)
@click.option("--encoder", help="diaforge: encoder for look-alikes, `minilm` or a folder; needs callwright[embed].")
@click.option("--t-max", type=int, help="diaforge: most exchanges per dialogue.  [default: 10]")
@click.option("--no-tool-share", type=float, help="diaforge: share of dialogues in which no tool fits.  [default: 0]")
@click.option("--no-distractors", is_flag=True, help="diaforge, ablation: no look-alikes among the tools shown.")
@click.option("--no-cascade", is_flag=True, help="diaforge, ablation: keep dialogues that the checks would reject.")
@click.option("--no-thoughts", is_flag=True, help="diaforge, ablation: no private reasoning.")
@click.option("--dry-run", is_flag=True, help="Print what would be done, and write nothing.")
@click.option("--durable", is_flag=True, help="Wait for the disk at every commit, to survive power cuts.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON document.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    recipe: str,
    catalog: str,
    n: int,
    seed: int,
    out: Path,
    workers: int,
    temperature: float | None,
    top_p: float | None,
    max_tokens: int | None,
    timeout: float | None,
    prices: Path | None,
    budget_usd: float | None,
    budget_tokens: int | None,
    concurrency: int,
    dry_run: bool,
    durable: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Make N dialogues by RECIPE (`diaforge`, `wild`) over the tools of CATALOG, and check them.

    CATALOG is a file that `callwright import` wrote or can read, or `builtin/enterprise`. The same command resumes
    a stopped run, and does nothing once everything is done. Exit code 1: some dialogues could not be made, or
    the budget is spent; the same command (with a higher budget) resumes it.
    """
    from callwright.app.synthesis import preview_synthesis, synthesize
    from callwright.engine.budget import Budget
    from callwright.models.decoding import Decoding
    from callwright.models.retries import Patience

    budget = None
    if budget_usd is not None or budget_tokens is not None:
        budget = Budget(usd=budget_usd, tokens=budget_tokens)
    options = {name: value for name, value in chosen.items() if value is not None and value is not False}
    options["decoding"] = Decoding(temperature=temperature, top_p=top_p, max_tokens=max_tokens)
    if dry_run or budget:
        preview = preview_synthesis(recipe, catalog, n=n, seed=seed, out=out, prices=prices, **options)
        if dry_run:
            _show_preview(preview, out, as_json=as_json)
            return
        if preview.estimate:
            click.echo(describe_estimate(preview.estimate, preview.usd), err=True)
    show = partial(_show, out=out, as_json=as_json)
    with shown_when_stopped(show, as_json=as_json), progress_line("dialogues") as progress:
        result = synthesize(
            recipe,
            catalog,
            n=n,
            seed=seed,
            out=out,
            workers=workers,
            durable=durable,
            patience=None if timeout is None else Patience(idle_s=timeout, total_s=timeout),
            prices=prices,
            budget=budget,
            concurrency=concurrency,
            progress=progress,
            **options,
        )
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
    if preview.estimate:
        click.echo(describe_estimate(preview.estimate, preview.usd))


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
    for reason, count in result.rejected.items():
        click.echo(f"  {count:>6,} rejected: {printable(reason)}")
    show_failures(result.failed, result.examples)


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 100_000 else f"{count / 1e3:,.0f} kB"
