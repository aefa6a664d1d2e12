"""`callwright lint`: near-duplicate tools and what tells them apart, and what to mend in single documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callwright.cli.results import terminal

if TYPE_CHECKING:
    from rich.console import Console

    from callwright.catalog.document_checks import Finding
    from callwright.catalog.lint import LintPair, LintReport
    from callwright.catalog.sentence_encoder import SentenceEncoder
    from callwright.catalog.similarity import Pair, Parts, Weights
    from callwright.records.tool import Catalog

_MOST_EXAMPLES = 5
"""Findings of one code that are written out; `--json` has all."""

_MOST_NAMES = 12
"""Names of one cluster that are written out."""


@click.command("lint")
@click.argument("catalog")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=0.70,
    show_default=True,
    help="Lowest similarity of near-duplicates.",
)
@click.option(
    "--weights", default="0.4,0.35,0.25", show_default=True, help="Weights of name, description and parameters."
)
@click.option(
    "--top", type=click.IntRange(min=0), default=20, show_default=True, help="How many pairs and clusters to show."
)
@click.option(
    "--encoder", help="Model for descriptions: `minilm`, a folder, or a name in the local cache.  [default: lexical]"
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, with the 10,000 most alike pairs.")
@click.option("--fix-plan", is_flag=True, help="Suggest names and descriptions that tell the --top worst pairs apart.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="With --fix-plan: write the catalogue with all changes made."
)
@click.option("--author", help="With --fix-plan: the model that suggests changes, `openai/NAME`.  [default: rules]")
@click.option("--base-url", help="Where `openai/NAME` lives, such as http://127.0.0.1:8000/v1.  [default: OpenAI]")
@click.option("--all-pairs", is_flag=True, help="With --json: every pair, by position in CATALOG, as it is found.")
def command(
    catalog: str,
    *,
    threshold: float,
    weights: str,
    top: int,
    encoder: str | None,
    as_json: bool,
    all_pairs: bool,
    **plan: Any,
) -> None:
    """Find near-duplicate tools and weak documents in CATALOG.

    CATALOG is a file that `callwright import` wrote or can read, or the name of a bundled catalogue
    (`builtin/enterprise`).
    """
    from callwright.app.catalogs import read_catalog
    from callwright.catalog.lint import MOST_PAIRS, lint
    from callwright.errors import BadInput

    if all_pairs and (plan["fix_plan"] or not as_json):
        raise BadInput("--all-pairs lists every pair as JSON. Add --json, or use --top N to see more of them.")
    if not plan["fix_plan"] and any(plan.values()):
        raise BadInput("-o, --author and --base-url apply only to a fix plan. Add --fix-plan.")
    shares = _weights(weights)
    tools = read_catalog(catalog)
    if plan.pop("fix_plan"):
        _plan(tools, threshold=threshold, weights=shares, top=top, encoder=encoder, as_json=as_json, **plan)
        return
    run = partial(lint, tools, threshold=threshold, weights=shares, encoder=_encoder(encoder))
    if all_pairs:
        _stream_json(tools, run)
    elif as_json:
        report = run(most_pairs=MOST_PAIRS)
        head = {"tools": report.tools, "pairs": [_pair(pair.a, pair.b, pair) for pair in report.pairs]}
        click.echo(json.dumps(head | _rest(tools, report), ensure_ascii=False, indent=2))
    else:
        _show(tools, run(most_pairs=top), top)


def _plan(catalog: Catalog, *, out: Path | None, as_json: bool, **options: Any) -> None:
    """Print the plan, and write what it makes of the catalogue."""
    from callwright.app.catalogs import write_catalog
    from callwright.app.fixing import suggest_fixes
    from callwright.cli.lint_plan import show_plan

    made = suggest_fixes(catalog, **options)
    if out is not None:
        write_catalog(made.plan.changed, out)
    show_plan(made, as_json=as_json)


def _encoder(name: str | None) -> SentenceEncoder | None:
    """The sentence encoder of that name; None for the lexical one."""
    from callwright.catalog.sentence_encoder import load

    return None if name is None else load(name)


def _stream_json(catalog: Catalog, run: Callable[..., LintReport]) -> None:
    """Print the document with all pairs, each as it is found: they may be more than fit into memory."""
    separator = ""

    def each(pairs: list[Pair]) -> None:
        nonlocal separator
        for pair in pairs:
            row = _pair(catalog.tools[pair.a].name, catalog.tools[pair.b].name, pair.parts)
            click.echo(f"{separator}\n    {json.dumps(row, ensure_ascii=False)}", nl=False)
            separator = ","

    click.echo(f'{{\n  "tools": {len(catalog.tools)},\n  "pairs": [', nl=False)
    report = run(most_pairs=0, each=each)
    rest = json.dumps(_rest(catalog, report), ensure_ascii=False, indent=2)
    click.echo(f"\n  ],\n{rest.removeprefix('{').lstrip(chr(10))}")


def _weights(text: str) -> Weights:
    """Read three comma-separated shares. Raises BadInput."""
    from callwright.catalog.similarity import checked_weights
    from callwright.errors import BadInput

    try:
        name, description, parameters = map(float, text.split(","))
    except ValueError:
        raise BadInput(
            f"--weights {text!r}: not three numbers. Give name,description,parameters as in 0.4,0.35,0.25."
        ) from None
    return checked_weights(name, description, parameters)


def _pair(a: str, b: str, scored: LintPair | Parts) -> dict[str, Any]:
    """One pair of the JSON document; scores are rounded to six digits."""
    numbers = ("score", "name", "description", "parameters")
    return {"a": a, "b": b} | {number: round(getattr(scored, number), 6) for number in numbers}


def _rest(catalog: Catalog, report: LintReport) -> dict[str, Any]:
    """The JSON document but for the tools' number and the pairs."""
    return {
        "pairs_total": report.pairs_total,
        "near_duplicate_share": report.near_duplicate_share,
        "findings": [
            {"tool": finding.tool, "code": finding.code, "message": finding.message} for finding in report.findings
        ],
        "clusters": [
            {"name": cluster.name, "tools": [catalog.tools[index].name for index in cluster.tools]}
            for cluster in report.clusters
        ],
        "signature": report.signature,
    }


def _show(catalog: Catalog, report: LintReport, top: int) -> None:
    """Print the report for people."""
    console = terminal()
    _say(console, _summary(report))
    if report.pairs:
        _show_pairs(console, report)
        _show_clusters(console, catalog, report, top)
    for code, found in _by_code(report).items():
        _say(console, f"\n{code}: {len(found)}", style="bold")
        for finding in found[:_MOST_EXAMPLES]:
            _say(console, f"  {finding.tool}: {finding.message}")
        _say_more(console, len(found) - _MOST_EXAMPLES, "")
    _say(console, f"\n{report.signature}", style="dim")


def _summary(report: LintReport) -> str:
    alike = round((report.near_duplicate_share or 0.0) * report.tools)
    share = f" ({report.near_duplicate_share:.1%})" if report.near_duplicate_share is not None else ""
    return (
        f"{_count(report.tools, 'tool')}, {alike:,} of them{share} with a near-duplicate: "
        f"{_count(report.pairs_total, 'pair')} in {_count(len(report.clusters), 'cluster')}. "
        f"{_count(len(report.findings), 'finding')}."
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _show_pairs(console: Console, report: LintReport) -> None:
    _say(console, "\nNear-duplicates, most alike first; what only the first / only the second has", style="bold")
    for pair in report.pairs:
        _say(console, f"\n  {pair.score:.2f}  {pair.a}\n        {pair.b}")
        parts = f"name {pair.name:.2f}, description {pair.description:.2f}, required parameters {pair.parameters:.2f}"
        _say(console, f"        {parts}", style="dim")
        for phrase in pair.apart:
            _say(console, f"        {phrase}")
    _say_more(console, report.pairs_total - len(report.pairs), " pairs", all_in="--json --all-pairs")


def _show_clusters(console: Console, catalog: Catalog, report: LintReport, top: int) -> None:
    _say(console, "\nClusters", style="bold")
    for cluster in report.clusters[:top]:
        names = [catalog.tools[index].name for index in cluster.tools]
        rest = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
        _say(console, f"  {cluster.name} ({len(names):,} tools): {', '.join(names[:_MOST_NAMES])}{rest}")
    _say_more(console, len(report.clusters) - top, " clusters")


def _by_code(report: LintReport) -> dict[str, list[Finding]]:
    """Findings by code, most frequent code first."""
    found: dict[str, list[Finding]] = {}
    for finding in report.findings:
        found.setdefault(finding.code, []).append(finding)
    return dict(sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0])))


def _say_more(console: Console, count: int, what: str, *, all_in: str = "--json") -> None:
    if count > 0:
        _say(console, f"  … and {count:,} more{what} ({all_in} has all)", style="dim")


def _say(console: Console, text: str, *, style: str = "") -> None:
    """Print text as it is: names from documents are no markup."""
    console.print(text, markup=False, style=style, soft_wrap=True)
