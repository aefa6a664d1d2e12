"""What a training takes: tokens, memory and time, before it begins."""

from __future__ import annotations

import struct
import time
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any, Final

import msgspec

from callwright.errors import BadInput
from callwright.formats.document import read_bounded
from callwright.records.jsontext import parse
from callwright.train.tuning import Tuning

_LONGEST_HEADER: Final = 64 * 1024 * 1024
_REACHED: Final = 0.35
"""Share of the speed of one large product that a training reaches: it also moves memory, and has small products."""
_ACTIVATIONS: Final = 34
"""Bytes a token, layer and unit of width that a step without checkpointing keeps at 16 bits."""


class TrainingCost(msgspec.Struct, frozen=True, kw_only=True):
    """Estimates; time is for this machine as busy as it is now."""

    rows: int
    tokens: int
    """Of all rows, as often as they are seen."""
    longest: int
    parameters: int
    memory_gb: float
    minutes: float
    speed: str
    """What the time rests on."""


def training_cost(base: Path, lengths: Sequence[int], settings: Tuning, *, lora: bool) -> TrainingCost:
    """Return the estimate for rows of these lengths in tokens. Raises BadInput where the base cannot be read."""
    parameters = sum(map(_parameters, sorted(base.glob("*.safetensors"))))
    path = base / "config.json"
    config = parse(read_bounded(path), where=str(path))
    if not parameters or not isinstance(config, dict):
        raise BadInput(f"{base}: no *.safetensors and config.json. Give a model that `transformers` saved.")
    tokens = round(sum(lengths) * settings.epochs)
    kept = 2 if lora and settings.precision == "bfloat16" else 4
    longest = max(lengths) * settings.batch
    weights = parameters * (kept if lora else 16)  # trained weights have gradients and two moments beside them
    inside = longest * int(config.get("num_hidden_layers", 0)) * int(config.get("hidden_size", 0)) * _ACTIVATIONS
    scores = 3 * 4 * longest * int(config.get("vocab_size", 0))
    rate, speed = _products_a_second(settings)
    work = parameters * tokens * (4 if lora else 6)
    return TrainingCost(
        rows=len(lengths),
        tokens=tokens,
        longest=max(lengths),
        parameters=parameters,
        memory_gb=round((weights + inside + scores) / 1e9 + 0.5, 1),
        minutes=round(work / (rate * _REACHED) / 60, 1),
        speed=speed,
    )


def _parameters(file: Path) -> int:
    """Numbers in a safetensors file, from its header."""
    with file.open("rb") as opened:
        (length,) = struct.unpack("<Q", opened.read(8).ljust(8, b"\0"))
        if length > _LONGEST_HEADER:
            raise BadInput(f"{file}: no safetensors file.")
        header: Any = parse(opened.read(length), where=str(file))
    return sum(prod(one["shape"]) for name, one in header.items() if name != "__metadata__")


def _products_a_second(settings: Tuning) -> tuple[float, str]:
    """Floating-point operations a second of a product of matrices, measured for a moment."""
    try:
        import torch
    except ImportError as error:
        raise BadInput('training needs PyTorch, TRL and PEFT: pip install "callwright[train]"') from error
    if settings.threads:
        torch.set_num_threads(settings.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    one = torch.ones(512, 1024, dtype=getattr(torch, settings.precision), device=device)
    count, began = 0, time.monotonic()
    while (passed := time.monotonic() - began) < 0.5:
        float((one @ one.T)[0, 0])
        count += 1
    return count * 2 * 512 * 512 * 1024 / passed, f"{settings.precision} on {device}, measured for half a second"
