"""The closing lines of commands that roll out."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from callwright.cli import printable
from callwright.cli.safe_text import escaped, raw_stream, safe
from callwright.errors import BadInput, Interrupted

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    from callwright.engine.budget import Budget
    from callwright.models.prices import RoleUsage
    from callwright.protocol.size_estimate import Estimate
    from callwright.records.transcript import Row

USED = ("calls", "tokens", "usd", "faults", "resumed")
"""Fields of a result that tell what its run used."""

_NARROWEST, _USUAL_WIDTH = 20, 80
"""Columns of a table: in fewer than the first no terminal is believed."""

_LONGEST = 1_000
"""Most characters of a failed rollout's message."""


def print_json(record: object) -> None:
    """Print one JSON document; half of a surrogate pair, which has no UTF-8 form, as its escape."""
    import json

    import msgspec

    try:
        text = msgspec.json.format(msgspec.json.encode(record), indent=1).decode()
    except UnicodeEncodeError:
        text = json.dumps(msgspec.to_builtins(record), indent=1)
    click.echo(escaped(text))


@contextlib.contextmanager
def shown_when_stopped(show: Callable[[Any], None], *, as_json: bool) -> Iterator[None]:
    """Inside, a run that stops prints the document of its end with what was done so far; its message comes after."""
    try:
        yield
    except Interrupted as stopped:
        if as_json and stopped.result is not None:
            show(stopped.result)
        raise


def terminal() -> Console:
    """Return the terminal for tables: text is safe and no markup. A closed output raises BrokenPipeError."""
    from rich.console import Console
    from rich.segment import Segment

    class SafeConsole(Console):
        def on_broken_pipe(self) -> None:
            raise  # the error that this is called for

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            for part in super().render(renderable, options):
                yield part if part.control else Segment(safe(part.text), part.style)

    console = SafeConsole(file=raw_stream(sys.stdout), highlight=False, markup=False, emoji=False)
    if console.width < _NARROWEST:  # COLUMNS=0 would print nothing
        console.width = _USUAL_WIDTH
    return console


def print_rows(rows: Sequence[Row], *, by: str | None) -> None:
    from callwright.papers.registry import protocols_of
    from callwright.report.table import report_table

    terminal().print(report_table(rows, protocols_of(rows), by=by or ""))


def show_failures(failed: Mapping[str, int], examples: Mapping[str, str], *, beside_json: bool = False) -> None:
    """Print how many rollouts failed, by class, each with what one of them said; beside JSON on standard error."""
    for kind, count in failed.items():
        click.echo(f"  {count:>6,} failed: {printable(kind)}{_in_brackets(examples.get(kind, ''))}", err=beside_json)


def show_rejected(rejected: Mapping[str, int], examples: Mapping[str, str]) -> None:
    """Print how many dialogues were rejected, by reason, each with what was said of one of them."""
    for reason, count in rejected.items():
        click.echo(f"  {count:>6,} rejected: {printable(reason)}{_in_brackets(examples.get(reason, ''))}")


def _in_brackets(said: str) -> str:
    shown = printable(said)
    return f" ({shown[:_LONGEST]}{' …' if len(shown) > _LONGEST else ''})" if shown else ""


def require_price(used: Estimate | None, usd: float | None, budget: Budget | None) -> None:
    """Raise BadInput where a budget in USD cannot work, before a folder is made for the run."""
    if budget is not None and budget.usd is not None and used is not None and usd is None:
        raise BadInput(
            "--budget-usd: the price of a model is unknown, so a budget in USD cannot work. Add it to a file of prices "
            "(--prices FILE), or give a budget in tokens."
        )


def show_estimate(used: Estimate | None, usd: float | None, *, err: bool = False) -> None:
    """Print what a run is expected to use; nothing where no server is asked."""
    if used is None:
        return
    cost = "no known price" if usd is None else f"{usd:,.2f} USD at listed prices, which are yours to check"
    click.echo(
        f"Estimated for the whole run, from mean sizes: {used.calls:,} calls, {used.tokens_in:,} tokens in, "
        f"{used.tokens_out:,} out, {cost}.",
        err=err,
    )


def show_usage(roles: Mapping[str, RoleUsage], faults: Mapping[str, int]) -> None:
    """Print what served models were asked and cost over the whole run, by role, and the faults of their servers."""
    for role, used in roles.items():
        unknown = "cost not known" if used.uncounted else "no known price"
        cost = unknown if used.usd is None else f"{used.usd:,.4f} USD"
        click.echo(
            f"  {role}: {used.calls:,} requests, {used.tokens_in:,} tokens in, {used.tokens_out:,} out, {cost}"
            f"{f', {used.uncounted:,} not counted by the server' if used.uncounted else ''}"
        )
    if any(used.usd for used in roles.values()):
        click.echo("  Prices are those of a list, which is yours to check: --prices FILE.")
    if faults:
        listed = ", ".join(f"{count:,} {printable(kind)}" for kind, count in sorted(faults.items()))
        click.echo(f"  requests without a reply: {listed}")
