"""The card of a trained model: data, settings, checks, and the loss on rows that were not trained."""

from __future__ import annotations

from collections.abc import Mapping

from callwright.records.jsontext import Json


def tuning_card(done: Mapping[str, Json]) -> str:
    """Return the card; `done` is what `training.json` holds."""
    export, trained, settings = done["export"], done["trained"], done["settings"]
    losses = "".join(f"| {one['step']:,} | {one['loss']:.4f} |\n" for one in trained["held_out"])
    chosen = "".join(f"| {name} | {value} |\n" for name, value in settings.items())
    versions = ", ".join(f"{name} {value}" for name, value in trained["versions"].items())
    what = "A low-rank adapter" if done["lora"] else "All weights"
    return (
        f"# {what} of {done['base']['name']}, fine-tuned\n\n"
        f"{done['rows']:,} rows with {trained['trained_tokens']:,} trained tokens of {trained['tokens']:,}, "
        f"{trained['steps']:,} steps; {done['held_out_rows']:,} rows of other dialogues measured the loss. "
        f"Data: digest `{export['dataset']}`"
        f"{', part `' + export['part'] + '` of a split' if export['part'] else ''}, slices `{export['slices']}`, "
        f"calling `{export['calling']}`, thoughts {'trained' if export['thoughts'] else 'left out'}, "
        f"rows `{export['rows']}`. Base: digest `{done['base']['digest']}`. "
        f"Callwright {done['callwright']}, {versions}.\n\n"
        "The checks E1 to E9 of `callwright verify-export` passed with the base's own template and tokenizer, and the "
        "trained tokens of every batch decode to the replies.\n\n"
        f"| step | loss on held-out rows |\n|---|---|\n{losses}\n| setting | value |\n|---|---|\n{chosen}"
    )
