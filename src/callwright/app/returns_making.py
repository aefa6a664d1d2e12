"""Writing down what tools return where no document says so, by rule or by a model, in a catalogue to edit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import msgspec

from callwright.app.catalogs import read_catalog, write_catalog
from callwright.app.requests import Asking
from callwright.app.roles import served_writer
from callwright.app.run_end import RunUsage, failure_examples, resumable, told_when_stopped, usage
from callwright.engine.roll_out import AS_USUAL, Execution, Tally, check_priced, roll_out
from callwright.environment.returns import with_returns
from callwright.errors import BadInput
from callwright.graph.returns_authoring import RETURNS_KIND, ReturnsAuthoring, undocumented, with_schemas
from callwright.models.prices import read_prices
from callwright.store.links import folder_inside
from callwright.store.run import Run

_KEPT: Final = ".returns"
"""Folder beside the new catalogue in which replies are kept."""


class ReturnsMade(RunUsage, frozen=True, kw_only=True):
    """How many tools got a schema of their result, and whose."""

    tools: int
    documented: int
    """Tools that had one."""
    written: int
    """Tools that got one."""
    author: str
    """The model, or `rules`."""
    failed: dict[str, int] = msgspec.field(default_factory=dict)
    """Tools that got none, by class of error; rules infer their results later."""


def make_returns(
    catalog: str,
    out: Path,
    *,
    author: str | None = None,
    asking: Asking | None = None,
    execution: Execution = AS_USUAL,
) -> ReturnsMade:
    """Write the catalogue with a schema of each tool's result. Raises BadInput where `out` is there already."""
    if out.exists() or out.is_symlink():
        raise BadInput(f"{out}: there is something already. Edit it, remove it, or choose another name.")
    found = read_catalog(catalog)
    missing = len(undocumented(found))
    documented = len(found.tools) - missing
    if author is None:
        write_catalog(with_returns(found), out)
        return ReturnsMade(tools=len(found.tools), documented=documented, written=missing, author="rules")
    model = served_writer(author, asking or Asking())
    check_priced([model], execution.prices or read_prices(), execution.budget)
    job = ReturnsAuthoring(found, model.name, model)
    keys = {name: tool.key for name, tool in zip(job.ids, job.tools, strict=True)}
    folder = folder_inside(out.resolve().parent, _KEPT)
    with resumable(folder), Run.open(folder, kind=RETURNS_KIND, config={}, durable=execution.durable) as run:
        run.add_items((name, b"{}") for name in job.ids)

        def result(tally: Tally) -> ReturnsMade:
            schemas, failed = dict[str, str](), Counter[str]()
            for outcome in run.outcomes():
                if outcome.item in keys and outcome.value is not None:
                    schemas[keys[outcome.item]] = outcome.value.decode()
                elif outcome.item in keys:
                    failed[outcome.kind] += 1
            write_catalog(with_schemas(found, schemas), out)
            return ReturnsMade(
                tools=len(found.tools),
                documented=documented,
                written=len(schemas),
                author=model.name,
                failed=dict(sorted(failed.items())),
                examples=failure_examples(run),
                **usage(tally.bill),
            )

        with told_when_stopped(result):
            tally = roll_out(job, run, seed=0, trials=1, execution=execution)
        return result(tally)
