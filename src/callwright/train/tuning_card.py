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
    parts = "".join(
        f"| {name} | {one['median']:,} | {one['p95']:,} | {one['most']:,} | {one['total']:,} |\n"
        for name, one in done["parts"].items()
    )
    digests = ", ".join(f"{name} `{value}`" for name, value in done["digests"].items())
    what = "A low-rank adapter" if done["lora"] else "All weights"
    return (
        f"# {what} of {done['base']['name']}, fine-tuned\n\n"
        f"{done['rows']:,} rows with {trained['trained_tokens']:,} trained tokens of {trained['tokens']:,}, "
        f"{trained['steps']:,} steps; {done['held_out_rows']:,} rows of other dialogues measured the loss. "
        f"Data: digest `{export['dataset']}`"
        f"{', part `' + export['part'] + '` of a split' if export['part'] else ''}, slices `{export['slices']}`, "
        f"calling `{export['calling']}`, thoughts {'trained' if export['thoughts'] else 'left out'}. "
        f"Base: digest `{done['base']['digest']}`. Digests of {digests}. "
        f"Callwright {done['callwright']}, {versions}. It took {_duration(trained['seconds'])} on {trained['device']} "
        f"with {trained['threads']} thread{'s' if trained['threads'] > 1 else ''}.\n\n"
        "The checks E1 to E9 of `callwright verify-export` passed with this template and tokenizer, and the "
        "trained tokens of every batch decode to the replies.\n\n"
        f"| tokens of a row | median | 95th percentile | most | all rows |\n|---|---|---|---|---|\n{parts}\n"
        f"| step | loss on held-out rows |\n|---|---|\n{losses}\n| setting | value |\n|---|---|\n{chosen}"
    )


def _duration(seconds: float) -> str:
    """Hours, minutes and seconds in words: `1 h 5 min`, `12.3 s`."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest:.0f} s" if minutes else f"{rest:.1f} s"
