"""`callwright verify-export`: training data against the chat template of a model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from callwright.cli import printable
from callwright.cli.results import print_json, terminal
from callwright.errors import BadInput

if TYPE_CHECKING:
    from callwright.train.export_report import ExportVerdict

_SHOWN = 3
"""Findings of each check that are printed."""
_LIMIT = 50
"""Rows that are checked under each of all templates."""


@click.command("verify-export")
@click.argument("export", type=click.Path(path_type=Path))
@click.option("--template", default="", metavar="NAME|FILE", help="A chat template: a file, or one of `trl`'s by name.")
@click.option("--all-templates", is_flag=True, help=f"Check the first {_LIMIT} rows under every template of `trl`.")
@click.option("--tokenizer", type=click.Path(path_type=Path), help="tokenizer.json of the model, or its folder.")
@click.option("--max-length", type=click.IntRange(min=1), help="Tokens that the trainer cuts rows at.")
@click.option("--strict", is_flag=True, help="Exit with 1 where a check could not be made, too.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as one JSON document.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    export: Path,
    *,
    template: str,
    all_templates: bool,
    tokenizer: Path | None,
    max_length: int | None,
    strict: bool,
    as_json: bool,
) -> None:
    """Check EXPORT, a folder that `callwright export --as` wrote. Exit code 1: a check found something.

    The checks: E1 rows are what was exported, E2 the prompt shows every tool, E3 rendered calls read back as the gold
    calls, E4 nothing is lost, E5 exactly the assistant's replies are trained, E6 the prompt is the beginning of the
    text, E7 tokens do not join at its end, E8 rows fit the length, E9 no text holds a control token, E10 digests of
    rows, template and tokenizer.
    """
    from callwright.app.training import verify_export, verify_templates

    if all_templates:
        if template or tokenizer is not None or max_length is not None:
            raise BadInput("--all-templates takes no template, tokenizer or length. Leave them out.")
        found = verify_templates(export, limit=_LIMIT)
        print_json(found) if as_json else _show_matrix(found)
        ctx.exit(int(not any(one.passed for one in found.values())))
    verdict = verify_export(export, template=template, tokenizer=tokenizer, max_length=max_length)
    if max_length is not None and tokenizer is None:
        click.echo(f"--max-length {max_length} was not used: E7 and E8 need --tokenizer.", err=True)
    if as_json:
        print_json(verdict)
    else:
        _show(verdict)
    unsure = strict and any(check.state in ("not checked", "partly checked") for check in verdict.checks)
    ctx.exit(int(not verdict.passed or unsure))


def _show(verdict: ExportVerdict) -> None:
    for check in verdict.checks:
        in_rows = check.rows and check.code != "E10"
        state = f"{check.state}: {check.rows:,} of {verdict.rows:,} rows" if in_rows else check.state
        click.echo(f"{check.code:>3}  {check.name:34}{state}{f' ({check.why})' if check.why else ''}")
        for one in [one for one in verdict.findings if one.code == check.code][:_SHOWN]:
            where = f", {one.where}" if one.where else ""
            place = f"row {one.row}" if one.row else "export"
            click.echo(printable(f"       {place}{where}: {one.what}. {one.cure}"))
    for name, found in verdict.lengths.items():
        click.echo(f"tokens of {name}: median {found.median:,}, 95 % {found.p95:,}, most {found.most:,}")
    for name, value in verdict.digests.items():
        click.echo(f"digest of {name}: {value}")
    if verdict.origin is not None:
        click.echo(printable(f"template: {verdict.origin}"))
    click.echo(printable(verdict.signature))


def _show_matrix(found: Mapping[str, ExportVerdict]) -> None:
    from rich.table import Table
    from rich.text import Text

    codes = ("E2", "E3", "E4", "E5", "E6", "E9")
    table = Table("template", *codes, title="Rows with a finding, under each template", title_justify="left")
    for name, verdict in found.items():
        rows = {check.code: check.rows for check in verdict.checks}
        table.add_row(Text(name), *(str(rows[code]) if rows[code] else "-" for code in codes))
    terminal().print(table)
    clean = sum(one.passed for one in found.values())
    click.echo(f"{clean} of {len(found)} templates carry the {next(iter(found.values())).rows} rows unharmed.")
