"""Keeps the libraries of Hugging Face off the network: models and data are files of this machine."""

from __future__ import annotations

import os
import sys
from typing import Final

_SETTINGS: Final = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
}


def stay_offline() -> None:
    """Set what these libraries read when they are imported; TRL would report its use otherwise."""
    os.environ.update(_SETTINGS)
    if (constants := sys.modules.get("huggingface_hub.constants")) is not None:  # somebody imported it before
        vars(constants).update(HF_HUB_OFFLINE=True, HF_HUB_DISABLE_TELEMETRY=True)
