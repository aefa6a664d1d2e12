"""`callwright optimise`: a better system prompt, and better descriptions of confused tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from callwright.cli import printable
from callwright.cli.model_options import add_options
from callwright.cli.results import print_json
from callwright.cli.struct_options import given, owned_options
from callwright.papers.registry import protocol_names, protocol_options

if TYPE_CHECKING:
    from callwright.stats.intervals import Interval

_OWN: Final = ("engine", "reflection", "base_url", "budget_calls", "budget_usd", "prices", "protocol", "system", "seed")


@click.command("optimise")
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--model", required=True, help="Model under test: `openai/NAME`, `local/PATH.gguf`.")
@click.option(
    "--engine", type=click.Choice(["gepa", "capo"]), default="gepa", show_default=True, help="How texts are found."
)
@click.option("--reflection", help="Model that writes prompts.  [default: the model under test]")
@click.option("--base-url", help="Where `openai/NAME` lives.  [default: at OpenAI]")
@click.option("--budget-calls", type=click.IntRange(min=1), help="Most replies of models; this or --budget-usd.")
@click.option(
    "--budget-usd",
    type=click.FloatRange(min=0, min_open=True),
    help="Most that they may cost; exits 1 when spent.",
)
@click.option("--prices", type=click.Path(path_type=Path), help="File of prices by model.  [default: bundled]")
@click.option(
    "--protocol", default="dynamic", show_default=True, help=f"How dialogues go on: {', '.join(protocol_names())}."
)
@click.option(
    "--objective",
    type=click.Choice(["right", "format"]),
    default="right",
    show_default=True,
    help="What counts: every task is right, or no reply is malformed.",
)
@click.option("--system", help="Where the search begins: `neutral`, `coached` or a text file.  [default: neutral]")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the search and of the dialogues' parts.")
@add_options(owned_options(protocol_options().items()))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="Folder of the search.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON document.")
def command(
    dataset: Path,
    *,
    model: str,
    out: Path,
    objective: Literal["right", "format"],
    as_json: bool,
    **named: Any,
) -> None:
    """Search a system prompt, and descriptions of confused tools, with which a model does better on DATASET.

    GEPA lets a model read conversations and verdicts of one part of the dialogues and write new texts. CAPO lets it
    cross and reword prompts, adds examples of the first part, and races them; it leaves descriptions alone. A second
    part chooses; the gain is measured on a third, which neither sees. The same command goes on after a stop.
    """
    from callwright.app.optimising import optimise_prompt
    from callwright.app.prompt_search import OptimisationRequest
    from callwright.stats.paired import LEVEL, p_text

    own = {name: named.pop(name) for name in _OWN}
    found = optimise_prompt(
        OptimisationRequest(
            dataset=dataset,
            model=model,
            out=out,
            objective=objective,
            options=given(named),
            **own,
        )
    )
    if as_json:
        print_json(found)
        return
    price = "" if found.usd is None else f", for {found.usd:,.4f} USD"
    click.echo(f"{found.tried:,} candidates tried with {found.replies:,} replies{price}.")
    if found.lost:
        click.echo(
            f"{found.lost:,} more calls gave nothing: they were in flight when a process was killed, or unusable."
        )
    click.echo(f"On {found.dialogues['test']:,} dialogues that the search never saw ({objective}):")
    for name, value in (("first texts", found.before), ("best texts", found.after)):
        click.echo(f"  {name:13}{_interval(value)}")
    click.echo(f"  {'difference':13}{_interval(found.gain)}, {p_text(found.test.p)} ({found.test.name})")
    if found.failed:
        click.echo(f"  {found.failed:,} rollouts failed, and count as 0.")
    if found.gain.low is None or found.gain.low <= 0 or found.test.p > LEVEL:
        click.echo("The difference cannot be told from none. Give more dialogues or calls.")
    click.echo(f"The best prompt is in {printable(str(out / 'system.txt'))}.")
    for one in found.reworded:
        click.echo(f"\n{one.tool}\n  - {printable(one.old)}\n  + {printable(one.new)}")
    if found.reworded:
        click.echo(f"\nThe tools with these descriptions are in {printable(str(out / 'catalog.json'))}.")


def _interval(found: Interval) -> str:
    if found.value is None:
        return "-"
    return f"{found.value:.2f}" if found.low is None else f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}]"
