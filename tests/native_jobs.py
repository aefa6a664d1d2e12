"""Syntheses whose assistant calls natively, for the tests of each recipe: made, and dry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner

import callwright
from callwright.cli import main
from callwright.models.retries import Patience
from callwright.records.jsontext import Json
from callwright.store.dataset import read_funnel

NATIVE: Final = ("--calling", "native")


def synth(recipe: str, out: Path, url: str, **changed: Any) -> callwright.SynthesisResult:
    """Dialogues over the bundled catalogue, of the author at a server; `n` is among the options."""
    options = {"seed": 7, "author": "openai/a", "base_url": url, "calling": "native"} | changed
    return callwright.synthesize(recipe, "builtin/enterprise", out=out, patience=Patience(tries=1), **options)


def calling_of(folder: Path) -> Json:
    """How the assistant called, by the settings of a dataset; None where they have no such setting."""
    config = read_funnel(folder)["config"]
    assert isinstance(config, dict)
    return config.get("calling")


def dry_run(recipe: str, *more: str) -> tuple[str, dict[str, Any]]:
    """What a dry run of four dialogues prints in words, and as JSON."""
    command = ["synth", recipe, "builtin/enterprise", "-n", "4", "--seed", "7", "-o", "nowhere", "--dry-run"]
    command += ["--author", "openai/a", "--base-url", "http://127.0.0.1:1/v1", *more]
    words, document = (CliRunner().invoke(main, [*command, *form]) for form in ((), ("--json",)))
    assert (words.exit_code, document.exit_code) == (0, 0)
    return words.output, json.loads(document.output)
