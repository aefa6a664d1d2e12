"""The catalogues that content is counted on, ten OpenAPI documents and the bundled one, and datasets over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import callwright

BUNDLED = "enterprise"
BUILD = (BUNDLED, "box", "netlify", "slack_v2", "twilio_messaging", "xero_projects")
"""What the rules were built with."""
REPORT = ("figma", "intercom", "paypal_invoicing", "twilio_conversations", "xero_accounting")
"""What they are reported on."""
DATA = Path("../shared/data/openapi")


def source_of(name: str, data: Path) -> str | Path:
    """Return what `callwright.read_catalog` takes for a catalogue; `data` is the folder of the documents."""
    return "builtin/enterprise" if name == BUNDLED else next(iter(sorted(data.glob(f"{name}.*"))))


def datasets(
    names: Sequence[str], *, recipe: str, n: int, seed: int, data: Path, folder: Path
) -> Iterator[tuple[str, Path]]:
    """Yield each catalogue with a dataset over it, made where it is not there yet.

    `n` dialogues, or one for each tool where that is more and the recipe is diaforge.
    """
    for name in names:
        catalog = callwright.read_catalog(source_of(name, data))
        count = max(n, len(catalog.tools)) if recipe == "diaforge" else n
        out = folder / f"{recipe}-{name}-{count}-{seed}"
        callwright.synthesize(recipe, catalog, n=count, seed=seed, out=out)
        yield name, out
