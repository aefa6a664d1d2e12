"""`callwright lint`: tools that are taken for one another, families, and what to mend in single documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from callwright.cli.output_file import CATALOG_MARK, check_output, force_option
from callwright.cli.progress_line import waiting_line
from callwright.cli.results import terminal
from callwright.cli.safe_text import escaped
from callwright.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from callwright.catalog.document_checks import Finding
    from callwright.catalog.lint import Formula, LintPair, LintReport
    from callwright.catalog.similarity import Pair, Parts, Weights
    from callwright.records.tool import Catalog

_MOST_EXAMPLES = 5
"""Findings of one code that are written out; `--json` has all."""

_MOST_NAMES = 12
"""Tools of one family that are written out."""


@click.command("lint")
@click.argument("catalog")
@click.option(
    "--threshold", type=click.FloatRange(0, 1), help="Lowest score of a pair.  [default: .15; .70 with --formula paper]"
)
@click.option(
    "--formula",
    type=click.Choice(["meaning", "paper"]),
    default="meaning",
    show_default=True,
    help="What makes two tools alike: the same act on nearly the same thing, or S of the words (--weights).",
)
@click.option(
    "--weights", default="0.4,0.35,0.25", show_default=True, help="Weights of name, description and parameters."
)
@click.option(
    "--top", type=click.IntRange(min=0), default=20, show_default=True, help="How many pairs and families to show."
)
@click.option(
    "--encoder", help="Model for descriptions: `minilm`, a folder, or a name in the local cache.  [default: lexical]"
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, with the 10,000 most alike pairs.")
@click.option("--fix-plan", is_flag=True, help="Suggest descriptions that tell the --top worst pairs apart.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="With --fix-plan: write the catalogue with all changes made."
)
@click.option("--author", help="With --fix-plan: the model that suggests changes, `openai/NAME`.  [default: rules]")
@click.option("--base-url", help="Where `openai/NAME` lives, such as http://127.0.0.1:8000/v1.  [default: OpenAI]")
@click.option("--all-pairs", is_flag=True, help="With --json: every pair, by position in CATALOG, as it is found.")
@click.option("--max-confusable", type=click.IntRange(min=0), help="Exit with 1 where there are more pairs.")
@click.option(
    "--baseline",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="What an earlier `lint --json` printed: its pairs are left out, so that only new ones count.",
)
@click.option("--junit", type=click.Path(path_type=Path), help="Write the pairs to this file as failures of a test.")
@force_option
@click.pass_context
def command(ctx: click.Context, /, catalog: str, *, force: bool, **options: Any) -> None:
    """Find tools that are taken for one another, and weak documents, in CATALOG.

    CATALOG is a file that `callwright import` wrote or can read, or the name of a bundled catalogue
    (`builtin/enterprise`).
    """
    from callwright.app.catalogs import read_catalog

    asked = _Asked(**options | {"weights": _weights(options["weights"])})
    _refuse_lone(asked)
    for path, own in ((asked.out, CATALOG_MARK), (asked.junit, b"<testsuite")):
        if path:
            check_output(path, source=catalog, own=own, force=force)
    tools = read_catalog(catalog)
    if asked.fix_plan:
        _plan(tools, asked)
        return
    report = _report(tools, asked)
    if asked.max_confusable is not None and report.pairs_total > asked.max_confusable:
        ctx.exit(1)


class _Asked(msgspec.Struct, frozen=True):
    """What the options ask for."""

    formula: Formula
    threshold: float | None
    weights: Weights
    top: int
    encoder: str | None
    as_json: bool
    all_pairs: bool
    max_confusable: int | None
    baseline: Path | None
    junit: Path | None
    fix_plan: bool
    out: Path | None
    author: str | None
    base_url: str | None


def _refuse_lone(asked: _Asked) -> None:
    """Raise BadInput for options that have no effect without others, or that do not go together."""
    if asked.all_pairs and (asked.fix_plan or not asked.as_json):
        raise BadInput("--all-pairs lists every pair as JSON. Add --json, or use --top N to see more of them.")
    if asked.fix_plan and (asked.baseline or asked.junit or asked.max_confusable is not None):
        raise BadInput("--baseline, --junit and --max-confusable count pairs. Leave out --fix-plan.")
    if not asked.fix_plan and (asked.out or asked.author or asked.base_url):
        raise BadInput("-o, --author and --base-url apply only to a fix plan. Add --fix-plan.")


def _report(tools: Catalog, asked: _Asked) -> LintReport:
    """Compare the tools, and print or write what was found."""
    from callwright.catalog.lint import MOST_PAIRS, lint
    from callwright.catalog.sentence_encoder import load
    from callwright.cli.lint_gate import junit_document, read_baseline
    from callwright.store.files import write_atomically

    run = partial(
        lint,
        tools,
        known=read_baseline(asked.baseline) if asked.baseline else (),
        encoder=None if asked.encoder is None else load(asked.encoder),
        formula=asked.formula,
        threshold=asked.threshold,
        weights=asked.weights,
    )
    most = MOST_PAIRS if asked.as_json or asked.junit else asked.top
    report = _stream_json(tools, run, most if asked.junit else 0) if asked.all_pairs else _compared(tools, run, most)
    if asked.as_json and not asked.all_pairs:
        head = {"tools": report.tools, "pairs": [_pair(pair.a, pair.b, pair) for pair in report.pairs]}
        click.echo(escaped(json.dumps(head | _rest(tools, report), ensure_ascii=False, indent=2)))
    elif not asked.as_json:
        _show(tools, report, asked.top)
    if asked.junit:
        write_atomically(asked.junit, [junit_document(report)])
    return report


def _plan(catalog: Catalog, asked: _Asked) -> None:
    """Print the plan, and write what it makes of the catalogue."""
    from callwright.app.catalogs import write_catalog
    from callwright.app.fixing import PairScoring, suggest_fixes
    from callwright.cli.lint_plan import show_plan

    alike = PairScoring(formula=asked.formula, threshold=asked.threshold, weights=asked.weights, encoder=asked.encoder)
    with waiting_line(_COMPARING.format(len(catalog.tools))):
        made = suggest_fixes(catalog, top=asked.top, scoring=alike, author=asked.author, base_url=asked.base_url)
    if asked.out is not None:
        write_catalog(made.plan.changed, asked.out)
    show_plan(made, as_json=asked.as_json)


_COMPARING = "comparing {:,} tools"


def _compared(catalog: Catalog, run: Callable[..., LintReport], most: int) -> LintReport:
    with waiting_line(_COMPARING.format(len(catalog.tools))):
        return run(most_pairs=most)


def _stream_json(catalog: Catalog, run: Callable[..., LintReport], most: int) -> LintReport:
    """Print the document with all pairs, each as it is found: they may be more than fit into memory."""
    separator = ""

    def each(pairs: list[Pair]) -> None:
        nonlocal separator
        for pair in pairs:
            row = _pair(catalog.tools[pair.a].name, catalog.tools[pair.b].name, pair.parts)
            click.echo(f"{separator}\n    {escaped(json.dumps(row, ensure_ascii=False))}", nl=False)
            separator = ","

    click.echo(f'{{\n  "tools": {len(catalog.tools)},\n  "pairs": [', nl=False)
    report = run(most_pairs=most, each=each)
    rest = escaped(json.dumps(_rest(catalog, report), ensure_ascii=False, indent=2))
    click.echo(f"\n  ],\n{rest.removeprefix('{').lstrip(chr(10))}")
    return report


def _weights(text: str) -> Weights:
    from callwright.catalog.similarity import checked_weights

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
        "findings": [{"tool": one.tool, "code": one.code, "message": one.message} for one in report.findings],
        "families": [
            {"thing": one.thing, "tools": [catalog.tools[index].name for index in one.tools]} for one in report.families
        ],
        "signature": report.signature,
    }


def _show(catalog: Catalog, report: LintReport, top: int) -> None:
    console = terminal()
    _say(console, _summary(report))
    if report.pairs:
        _show_pairs(console, report, top)
    if report.families:
        _show_families(console, catalog, report, top)
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
        f"{_count(report.tools, 'tool')}, {alike:,} of them{share} easily taken for another: "
        f"{_count(report.pairs_total, 'pair')}. {_count(len(report.families), 'family', 'families')}. "
        f"{_count(len(report.findings), 'finding')}."
    )


def _count(number: int, noun: str, nouns: str = "") -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {nouns or noun + 's'}"


def _show_pairs(console: Console, report: LintReport, top: int) -> None:
    _say(console, "\nConfusable, most alike first; what only the first / only the second has", style="bold")
    for pair in report.pairs[:top]:
        _say(console, f"\n  {pair.score:.2f}  {pair.a}\n        {pair.b}")
        parts = f"name {pair.name:.2f}, description {pair.description:.2f}, parameters {pair.parameters:.2f}"
        _say(console, f"        {parts}", style="dim")
        for phrase in pair.apart:
            _say(console, f"        {phrase}")
    _say_more(console, report.pairs_total - len(report.pairs[:top]), " pairs", all_in="--json --all-pairs")


def _show_families(console: Console, catalog: Catalog, report: LintReport, top: int) -> None:
    _say(console, "\nFamilies: different acts on one thing", style="bold")
    for family in report.families[:top]:
        named = [f"{act} ({catalog.tools[at].name})" for act, at in zip(family.acts, family.tools, strict=True)]
        rest = f" and {len(named) - _MOST_NAMES:,} more" if len(named) > _MOST_NAMES else ""
        _say(console, f"  {family.thing}: {', '.join(named[:_MOST_NAMES])}{rest}")
    _say_more(console, len(report.families) - top, " families")


def _by_code(report: LintReport) -> dict[str, list[Finding]]:
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
