"""Looking at models before they are used."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from callwright.app.graph_evaluation import SIMULATOR
from callwright.baselines import BASELINES, ORACLES
from callwright.engine.in_process import run_blocking
from callwright.errors import BadInput
from callwright.models.checking import ModelCheck, check_served
from callwright.models.endpoint import is_served, read_endpoint
from callwright.models.found_models import USUAL_FOLDERS, USUAL_PORTS, FoundModels, find_models
from callwright.models.keys import ApiKey
from callwright.models.retries import Patience


def check_model(name: str, *, base_url: str | None = None, patience: Patience | None = None) -> ModelCheck:
    """Return what the model `openai/NAME` can do, found by a few short requests. Raises BadInput."""
    if not is_served(name):
        raise BadInput(
            f"{name!r} is not a served model, so there is nothing to check. Give openai/NAME or local/PATH.gguf."
        )
    endpoint = read_endpoint(name, base_url=base_url)
    return run_blocking(check_served(endpoint, key=ApiKey.from_environment(endpoint), patience=patience))


def list_models(folders: Sequence[str | Path] = (), *, ports: Sequence[int] = USUAL_PORTS) -> FoundModels:
    """Return the models that run on this machine. `folders` replace the usual ones. Raises BadInput for no folder."""
    for folder in folders:
        if not Path(folder).expanduser().is_dir():
            raise BadInput(f"{folder}: no such folder. Give folders with *.gguf files, or none for the usual ones.")
    return find_models(folders or USUAL_FOLDERS, ports, (*BASELINES, *ORACLES, SIMULATOR))
