"""Writing down what tools return where no document says so, by rule or by a model, in a catalogue to edit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

import msgspec

from callwright.app.catalogs import read_catalog, write_catalog
from callwright.app.requests import Asking
from callwright.app.roles import served_writer
from callwright.app.run_end import RunUsage, failure_examples, resumable, told_when_stopped, usage
from callwright.engine.roll_out import AS_USUAL, Execution, Tally, check_priced, roll_out
from callwright.environment.returns import with_returns
from callwright.errors import BadInput
from callwright.graph.returns_authoring import RETURNS_KIND, ReturnsAuthoring, with_schemas
from callwright.models.prices import read_prices
from callwright.records.tool import Catalog
from callwright.store.links import folder_inside
from callwright.store.run import Run

_KEPT: Final = ".returns"
"""Folder beside the new catalogue in which replies are kept."""


class ReturnsMade(RunUsage, frozen=True, kw_only=True):
    """How many tools got a schema of their result, and whose."""

    tools: int
    documented: int
    """Tools that keep the one of their document."""
    inferred_before: int
    """Tools whose result the catalogue had as inferred already."""
    written: int
    """Tools that got one."""
    replaced: int
    """Those among `written` whose document has a result without any field that could answer the call."""
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
    if author is None:
        inferred = with_returns(found)
        write_catalog(inferred, out)
        return ReturnsMade(**_counts(found, inferred), author="rules")
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
            written = with_schemas(found, schemas)
            write_catalog(written, out)
            return ReturnsMade(
                **_counts(found, written),
                author=model.name,
                failed=dict(sorted(failed.items())),
                examples=failure_examples(run),
                **usage(tally.bill),
            )

        with told_when_stopped(result):
            tally = roll_out(job, run, seed=0, trials=1, execution=execution)
        return result(tally)


def _counts(before: Catalog, after: Catalog) -> dict[str, Any]:
    """How many results are documented, were inferred before, and are new, of the same tools in the same order."""
    pairs = list(zip(before.tools, after.tools, strict=True))
    new = [old for old, tool in pairs if tool.returns_inferred and not old.returns_inferred]
    return {
        "tools": len(pairs),
        "documented": sum(tool.returns is not None and not tool.returns_inferred for tool in after.tools),
        "inferred_before": sum(old.returns_inferred for old in before.tools),
        "written": len(new),
        "replaced": sum(old.returns is not None for old in new),
    }
