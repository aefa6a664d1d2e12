"""`callwright verify-export`: training data against the chat template of a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from callwright.cli import printable
from callwright.cli.results import print_json, terminal
from callwright.errors import BadInput

if TYPE_CHECKING:
    from callwright.train.export_report import CheckResult, ExportVerdict, TemplateMatrix

_SHOWN = 3
"""Findings of each check that are printed."""
_LIMIT = "50"
"""Rows that are checked under each of all templates where nothing is said."""


@click.command("verify-export")
@click.argument("export", type=click.Path(path_type=Path))
@click.option("--template", default="", metavar="NAME|FILE", help="A chat template: a file, or one of `trl`'s by name.")
@click.option("--all-templates", is_flag=True, help=f"Check the first {_LIMIT} rows under every template of `trl`.")
@click.option("--rows", metavar="N|all", help="With --all-templates: how many rows are checked.")
@click.option("--tokenizer", type=click.Path(path_type=Path), help="tokenizer.json of the model, or its folder.")
@click.option("--max-length", type=click.IntRange(min=1), help="Tokens that the trainer cuts rows at.")
@click.option("--strict", is_flag=True, help="Exit with 1 where a check could not be made, too.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as one JSON document.")
def command(
    export: Path,
    *,
    template: str,
    all_templates: bool,
    rows: str | None,
    tokenizer: Path | None,
    max_length: int | None,
    strict: bool,
    as_json: bool,
) -> None:
    """Check EXPORT, a folder that `callwright export --as` wrote. Exit code 1: a check found something.

    The checks: E1 rows are what was exported, E2 the prompt shows every tool, E3 rendered calls read back as the gold
    calls, E4 nothing is lost, E5 exactly the assistant's replies are trained, E6 the prompt is the beginning of the
    text, E7 tokens do not join at its end and read back as the reply, E8 rows fit the length, E9 no text holds a
    control token, E10 digests of rows, template and tokenizer.
    """
    from callwright.app.training import verify_export, verify_templates

    if all_templates:
        if template or tokenizer is not None or max_length is not None:
            raise BadInput("--all-templates takes no template, tokenizer or length. Leave them out.")
        found = verify_templates(export, limit=_limit(rows or _LIMIT))
        print_json(found) if as_json else _show_matrix(found)
        unsure = strict and any(map(_is_unsure, found.templates.values()))
        click.get_current_context().exit(int(not (found.export.passed and found.unharmed) or unsure))
    if rows is not None:
        raise BadInput("--rows is about --all-templates: under one template all rows are checked. Leave it out.")
    verdict = verify_export(export, template=template, tokenizer=tokenizer, max_length=max_length)
    if max_length is not None and tokenizer is None:
        click.echo(f"--max-length {max_length} was not used: E7 and E8 need --tokenizer.", err=True)
    if as_json:
        print_json(verdict)
    else:
        _show(verdict)
    click.get_current_context().exit(int(not verdict.passed or (strict and _is_unsure(verdict))))


def _limit(rows: str) -> int | None:
    if rows != "all" and not (rows.isdecimal() and len(rows) < 10 and int(rows)):
        raise BadInput(f"--rows {rows!r:.40}: neither a number from 1 nor `all`. Give one.")
    return None if rows == "all" else int(rows)


def _is_unsure(verdict: ExportVerdict) -> bool:
    """Whether a check was not made, or not wholly."""
    return any(check.state in ("not checked", "partly checked") for check in verdict.checks)


def _show(verdict: ExportVerdict) -> None:
    for check in verdict.checks:
        _show_check(check, verdict)
    for name, found in verdict.lengths.items():
        click.echo(f"tokens of {name}: median {found.median:,}, 95 % {found.p95:,}, most {found.most:,}")
    for name, value in verdict.digests.items():
        click.echo(f"digest of {name}: {value}")
    if verdict.origin is not None:
        click.echo(printable(f"template: {verdict.origin}"))
    click.echo(printable(verdict.signature))


def _show_check(check: CheckResult, verdict: ExportVerdict) -> None:
    in_rows = check.rows and check.code != "E10"
    state = f"{check.state}: {check.rows:,} of {verdict.rows:,} rows" if in_rows else check.state
    click.echo(f"{check.code:>3}  {check.name:34}{state}{f' ({check.why})' if check.why else ''}")
    for one in [one for one in verdict.findings if one.code == check.code][:_SHOWN]:
        where = f", {one.where}" if one.where else ""
        place = f"row {one.row}" if one.row else "export"
        click.echo(printable(f"       {place}{where}: {one.what}. {one.cure}"))


def _show_matrix(found: TemplateMatrix) -> None:
    from rich.table import Table
    from rich.text import Text

    for check in found.export.checks:
        if check.code in ("E1", "E10"):
            _show_check(check, found.export)
    codes = ("E2", "E3", "E4", "E5", "E6", "E9")
    table = Table("template", *codes, title="Rows with a finding, under each template", title_justify="left")
    for name, verdict in found.templates.items():
        rows = {check.code: check.rows for check in verdict.checks}
        table.add_row(Text(name), *(str(rows[code]) if rows[code] else "-" for code in codes))
    terminal().print(table)
    click.echo("E7 and E8 are not checked, E9 in part: they need a tokenizer, so one template at a time.")
    part = " all" if found.looked_at == found.export.rows else f" the first {found.looked_at:,} of"
    more = "" if part == " all" else " `--rows all` looks at every one."
    carry = f"{len(found.unharmed)} of {len(found.templates)} templates carry"
    click.echo(f"{carry}{part} {found.export.rows:,} rows unharmed.{more}")
