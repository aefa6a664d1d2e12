"""`callwright eval`: a model through the dialogues of a dataset."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callwright.cli import printable
from callwright.cli.model_options import Asked, add_options, asking_options, settings_of
from callwright.cli.progress_line import progress_line
from callwright.cli.results import (
    USED,
    print_json,
    require_price,
    show_estimate,
    show_failures,
    show_usage,
    shown_when_stopped,
    terminal,
)
from callwright.cli.struct_options import owned_options
from callwright.errors import BadInput
from callwright.papers.registry import load_protocol, protocol_names, protocol_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from callwright.app.evaluation import EvaluationPreview, RunResult
    from callwright.app.requests import EvaluationRequest

_PRINTED = ("planned", "done", "failed", "protocol", "model", *USED, "tool_tokens", "unmeasured")


@click.command("eval")
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--protocol", required=True, help=f"One of: {', '.join(protocol_names())}.")
@click.option(
    "--model",
    required=True,
    help="Model under test: `openai/NAME`, `local/PATH.gguf`, `builtin/retriever`, `builtin/eager`, `builtin/abstain`, "
    "`builtin/stated`, "
    "`builtin/oracle`, `builtin/oracle-sequential`.",
)
@click.option("--user", help="Model that plays the live user: `openai/NAME`.  [default: offline]")
@click.option("--voter", help="Model that chooses among several wordings: `openai/NAME`.  [default: no vote]")
@click.option(
    "--judge", help="Model that reads each message of --user for faults: `openai/NAME`.  [default: rules alone]"
)
@click.option("--samples", type=int, help="Wordings of each user turn; with --voter.  [default: 3]")
@click.option("--voters", type=int, help="Votes on each user turn; with --voter.  [default: 3]")
@click.option("--prompts", type=click.Path(path_type=Path), help="Folder of prompts that replace bundled ones.")
@click.option(
    "--system",
    help="What the tested model is told first: `neutral`, `coached` (what is right in the protocol) or a text file.  "
    "[default: neutral]",
)
@click.option(
    "--calling",
    type=click.Choice(["native", "prompted", "schema", "object"]),
    help="How a served model calls: by the server, in its text, in an object of a JSON schema that it enforces, or "
    "(`object`) in such an object that nothing enforces.  [default: native]",
)
@asking_options(
    Asked(
        "the model under test",
        "the tested model",
        "a served model",
        "the whole run",
        "Most rollouts and calls at once.",
    )
)
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="Folder of the run.")
@add_options(owned_options(protocol_options().items()))
@click.option("--trials", type=click.IntRange(1, 1000), default=1, show_default=True, help="Rollouts per dialogue.")
@click.option(
    "--seed",
    type=click.IntRange(-(2**63), 2**63 - 1),
    default=0,
    show_default=True,
    help="Seed of the live user and the model.",
)
@click.option(
    "--ablations",
    is_flag=True,
    help="Evaluate under each setting that the paper of the protocol compares, in folders of OUT, and print one table; "
    "budgets hold for each.",
)
@click.option("--limit", type=int, help="Use only the first dialogues.")
@click.option("--reviewed", is_flag=True, help="Leave out the dialogues that people marked wrong (`review`).")
@click.option("--dry-run", is_flag=True, help="Print what would be done, and write nothing.")
@click.option("--durable", is_flag=True, help="Wait for the disk at every commit, to survive power cuts.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON document.")
@click.pass_context
def command(ctx: click.Context, /, *, out: Path, ablations: bool, dry_run: bool, as_json: bool, **given: Any) -> None:
    """Evaluate a model on the dialogues of DATASET and keep every transcript.

    The same command resumes a stopped run, and does nothing once everything is done. `callwright report` prints the
    scores. Exit code 1: some rollouts failed, or the budget is spent; the same command (or a higher budget) resumes it.
    """
    from callwright.app.requests import EvaluationRequest, read_request

    _refuse_live(given)
    request = read_request(EvaluationRequest, out=out, **settings_of(given))
    if ablations:
        is_complete = _ablate(request, dry_run=dry_run, as_json=as_json)
    else:
        is_complete = _evaluate(request, partial(_show, out=out, as_json=as_json), dry_run=dry_run, as_json=as_json)
    if not is_complete:
        ctx.exit(1)


def _evaluate(request: EvaluationRequest, show: Callable[[RunResult], None], *, dry_run: bool, as_json: bool) -> bool:
    """Do or preview one run, and return whether no rollout failed."""
    from callwright.app.evaluation import preview_evaluation, run_evaluation, unmeasured_dialogues
    from callwright.app.requests import with_progress

    if dry_run or request.execution.budget:
        preview = preview_evaluation(request)
        if dry_run:
            _show_preview(preview, Path(request.out), as_json=as_json)
            return True
        show_estimate(preview.estimate, preview.usd, err=True)
        require_price(preview.estimate, preview.usd, request.execution.budget)
    for why, count in unmeasured_dialogues(request).items():
        click.echo(f"{count:,} of the dialogues cannot be measured by {request.protocol}: {why}.", err=True)
    with shown_when_stopped(show, as_json=as_json), progress_line("rollouts") as progress:
        result = run_evaluation(with_progress(request, progress))
    show(result)
    return not result.failed


def _ablate(request: EvaluationRequest, *, dry_run: bool, as_json: bool) -> bool:
    """Do or preview the runs of all settings, print their table, and return whether no rollout failed."""
    from callwright.app.ablating import ablation_requests, ablations_of
    from callwright.app.evaluation import check_evaluation
    from callwright.app.rescoring import score_runs
    from callwright.report.ablation_table import ablation_table

    runs = dict(ablation_requests(request))
    for one in runs.values():
        check_evaluation(one)  # a setting that cannot run ends it before the first one is paid
    shows = {name: partial(_show_setting, name) for name in runs}
    done = [_evaluate(one, shows[name], dry_run=dry_run, as_json=as_json) for name, one in runs.items()]
    if not dry_run:
        rows = {name: score_runs(one.out) for name, one in runs.items()}
        if as_json:
            print_json([row for own in rows.values() for row in own])
        else:
            terminal().print(ablation_table(ablations_of(request.protocol), rows))
    return all(done)


def _show_setting(name: str, result: RunResult) -> None:
    click.echo(f"{name}: {result.done:,} of {result.planned:,} rollouts done.", err=True)
    show_failures(result.failed, result.examples, beside_json=True)


def _refuse_live(given: dict[str, Any]) -> None:
    """Raise BadInput for options of the live user where the user's turns are recorded."""
    from callwright.app.requests import LiveUserModels

    protocol = given["protocol"]
    if load_protocol(protocol).live:
        return
    for name in LiveUserModels.__struct_fields__:
        if given[name] is not None:
            raise BadInput(f"--{name} has no effect in {protocol}: its user turns are recorded. Leave it out.")


def _show_preview(preview: EvaluationPreview, out: Path, *, as_json: bool) -> None:
    if as_json:
        print_json(preview)
        return
    done = f" ({preview.done:,} of them are done)" if preview.done else ""
    user = " and the models of its user" if preview.roles.keys() - {"model"} else ""
    click.echo(
        f"Would roll out {preview.planned:,} times{done} over {preview.dialogues:,} dialogues, {preview.protocol}, "
        f"asking {printable(preview.model)}{user} for at most {preview.most_replies:,} replies, "
        f"in {printable(str(out))}. Nothing was written."
    )
    _show_tool_tokens(preview.tool_tokens)
    show_estimate(preview.estimate, preview.usd)


def _show(result: RunResult, out: Path, *, as_json: bool) -> None:
    if as_json:
        print_json({name: getattr(result, name) for name in _PRINTED})
        show_failures(result.failed, result.examples, beside_json=True)
        return
    folder = printable(str(out))
    click.echo(
        f"{result.done:,} of {result.planned:,} rollouts done, {result.protocol}, {printable(result.model)}; kept in "
        f"{folder}. Scores: callwright report {folder}"
    )
    if not result.model.startswith("builtin/"):
        _show_tool_tokens(result.tool_tokens)
    show_usage(result.tokens, result.faults)
    show_failures(result.failed, result.examples)
    if result.failed:
        click.echo("  The same command tries those that failed again.")


def _show_tool_tokens(tokens: int) -> None:
    if tokens:
        click.echo(
            f"The tools shown take about {tokens:,} tokens of each request (an estimate, at four bytes a token)."
        )
