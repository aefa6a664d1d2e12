"""Measuring a dataset: its shape, diversity and repetition, and what judges made of it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from callwright.app.datasets import Dataset, open_dataset
from callwright.errors import BadInput
from callwright.judge.subject import Talk
from callwright.papers.registry import measures
from callwright.protocol.dataset_measures import chosen_metrics, measure
from callwright.protocol.judged_rows import CONV_REL
from callwright.protocol.kept_judgements import read_judgements
from callwright.records.measurement import Measurement


def measure_dataset(
    dataset: Dataset | str | Path, *, only: str | Iterable[str] = (), limit: int | None = None
) -> list[Measurement]:
    """Return the numbers of a dataset, each with its signature; the same each time.

    `only` names metrics or groups of them, as a list or joined by commas; `limit` takes the first dialogues only.
    ConvRel comes from kept judgements (`judge_dataset`); without any it is skipped. Raises BadInput for wrong arguments
    and data.
    """
    metrics = measured_metrics(only)
    data = opened(dataset, limit)
    dialogues, tools = data.dialogues, data.catalog.by_key
    judged = {}
    if "conv_rel" in metrics:
        judged = read_judgements(data.folder, [Talk(one, one.turns, tools) for one in dialogues], CONV_REL)
    return measure(dialogues, tools, metrics, groups=measures(), data=str(data.folder), judged=judged)


def measured_document(
    dataset: Dataset | str | Path, *, only: str | Iterable[str], limit: int | None = None
) -> msgspec.Struct | None:
    """Return the document of the one group that `only` names, where it has one; None: its rows say it all.

    Raises BadInput as `measure_dataset`.
    """
    metrics = set(measured_metrics(only))
    group = next((one for one in measures() if one.document is not None and metrics <= one.labels.keys()), None)
    if group is None or group.document is None:
        return None
    data = opened(dataset, limit)
    return group.document(data.dialogues, data.catalog.by_key)


def opened(dataset: Dataset | str | Path, limit: int | None) -> Dataset:
    """Return the first dialogues of a dataset. Raises BadInput for a run, and where there are none."""
    if limit is not None and limit < 1:
        raise BadInput(f"limit is {limit}; at least 1 is needed.")
    if not isinstance(dataset, Dataset):
        if (Path(dataset) / "run.db").is_file():
            raise BadInput(f"{dataset}: this is an evaluation run. `callwright report` prints its numbers.")
        dataset = open_dataset(dataset)
    if not dataset.dialogues:
        raise BadInput(f"{dataset.folder}: the dataset has no dialogues.")
    return msgspec.structs.replace(dataset, dialogues=dataset.dialogues[:limit])


def measured_metrics(only: str | Iterable[str]) -> tuple[str, ...]:
    """Return the metrics that `measure_dataset` measures with this `only`. Raises UnknownName, which lists them."""
    names = only.split(",") if isinstance(only, str) else only
    return chosen_metrics((name.strip() for name in names if name.strip()), measures())
