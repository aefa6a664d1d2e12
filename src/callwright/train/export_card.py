"""The card of an export: its `README.md`, whose header declares the columns for `datasets.load_dataset`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from callwright.records.jsontext import Json
from callwright.train.trainer_layouts import TrainerLayout


def export_card(account: Mapping[str, Json], layout: TrainerLayout, features: Sequence[Mapping[str, str]]) -> str:
    """Return the card; `account` is the export's `export.json`, `features` its columns."""
    columns = "".join(
        f"\n  - name: {one['name']}\n    " + "\n    ".join(f"{k}: {v}" for k, v in one.items() if k != "name")
        for one in features
    )
    losses = "".join(f"\n- {count:,} samples: {what}" for what, count in account["losses"].items())
    lost = f"\n\nThe layout has no place for:\n{losses}" if losses else ""
    thoughts = "are trained" if account["thoughts"] else "are left out"
    calling = (
        ""
        if account["calling"] == "native"
        else f" Tools and calls are words, as with `--calling {account['calling']}`."
    )
    part = f", part `{account['part']}` of a split" if account["part"] else ""
    silent = account["without_reply"]
    left = f" {silent:,} dialogues without a reply of the assistant give no sample." if silent else ""
    return (
        "---\nconfigs:\n- config_name: default\n  data_files: train.jsonl\ndataset_info:\n"
        f"  features:{columns}\n---\n\n"
        f"# Training data for {layout.help}\n\n"
        f"{account['samples']:,} samples with {account['replies']:,} trained replies, cut by "
        f"`--slices {account['slices']}` from {account['dialogues']:,} dialogues (digest `{account['dataset']}`{part}) "
        f"by Callwright {account['callwright']}, layout `{account['layout']}`, `{account['version']}`. "
        f"Thoughts {thoughts}.{calling}{left}{lost}\n\n"
        f"What the trainer has to be told: {layout.settings}.\n\n"
        "Check it against the chat template of your model before you train: "
        "`callwright verify-export FOLDER --template NAME`.\n"
    )
