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
from callwright.train.tuning import Tuning, adapter_of, rows_at_once, steps_of

_LONGEST_HEADER: Final = 64 * 1024 * 1024
_ACTIVATIONS: Final = 34
"""Bytes a token, layer and unit of width that a step without checkpointing keeps at 16 bits."""


class TrainingCost(msgspec.Struct, frozen=True, kw_only=True):
    """Estimates; time is for this machine as busy as it is now, without what the trainer logs and writes."""

    rows: int
    """That are trained; held-out ones count for time only."""
    tokens: int
    """Of these rows, as often as they are seen."""
    longest: int
    parameters: int
    memory_gb: float
    minutes: float
    speed: str
    """What the time rests on."""


def training_cost(
    base: Path, lengths: Sequence[int], tested: Sequence[int], settings: Tuning, *, lora: bool
) -> TrainingCost:
    """Return the estimate for trained and held-out rows of these lengths in tokens.

    Raises BadInput where the base cannot be read.
    """
    parameters = sum(map(_parameters, sorted(base.glob("*.safetensors"))))
    path = base / "config.json"
    config = parse(read_bounded(path), where=str(path))
    if not parameters or not isinstance(config, dict):
        raise BadInput(f"{base}: no *.safetensors and config.json. Give a model that `transformers` saved.")
    tokens = round(sum(lengths) * settings.epochs)
    kept = 2 if lora and settings.precision == "bfloat16" else 4
    middle = sorted(lengths)[len(lengths) // 2]
    learn, test, speed = _seconds_a_token(base, middle, settings, lora=lora)
    longest = max(lengths) * rows_at_once(settings)
    weights = parameters * (kept if lora else 16)  # trained weights have gradients and two moments beside them
    inside = longest * int(config.get("num_hidden_layers", 0)) * int(config.get("hidden_size", 0)) * _ACTIVATIONS
    scores = 3 * 4 * longest * int(config.get("vocab_size", 0))
    steps, often = steps_of(len(lengths), settings)
    return TrainingCost(
        rows=len(lengths),
        tokens=tokens,
        longest=max(lengths),
        parameters=parameters,
        memory_gb=round((weights + inside + scores) / 1e9 + 0.5, 1),
        minutes=round((tokens * learn + sum(tested) * (1 + steps // often) * test) / 60, 1),
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


def _seconds_a_token(base: Path, length: int, settings: Tuning, *, lora: bool) -> tuple[float, float, str]:
    """Seconds to learn a token and to test on one: a step of the base with one layer and with two says them for all."""
    try:
        import torch
        from transformers import AutoConfig
    except ImportError as error:
        raise BadInput('training needs PyTorch, TRL and PEFT: pip install "callwright[train]"') from error
    if settings.threads:
        torch.set_num_threads(settings.threads)
    config = AutoConfig.from_pretrained(base).get_text_config()
    layers, kinds = config.num_hidden_layers, getattr(config, "layer_types", None)
    found = []
    for count in (1, 2):
        config.num_hidden_layers = count
        if kinds:
            config.layer_types = kinds[:count]
        found.append(_timed_step(config, length, settings, lora=lora))
    learn, test = (one + (layers - 1) * max(0.0, two - one) for one, two in zip(*found, strict=True))
    tokens = length * rows_at_once(settings)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return (
        learn / tokens,
        test / tokens,
        f"{settings.precision} on {device}, by steps of one and two of {layers} layers",
    )


def _timed_step(config: Any, length: int, settings: Tuning, *, lora: bool) -> tuple[float, float]:
    """Seconds of one step and of one look, after a first step that warms up."""
    import torch
    from transformers import AutoModelForCausalLM

    device = "cuda" if torch.cuda.is_available() else "cpu"
    kept = getattr(torch, settings.precision) if lora else torch.float32
    model: Any = AutoModelForCausalLM.from_config(config, dtype=kept)
    if lora:
        from peft import get_peft_model

        model = get_peft_model(model, adapter_of(settings))
    model.to(device)
    ids = torch.ones(rows_at_once(settings), length, dtype=torch.long, device=device)
    mixed = torch.autocast(device, dtype=torch.bfloat16, enabled=settings.precision == "bfloat16")

    def step(*, learns: bool) -> float:
        began = time.monotonic()
        with mixed, torch.set_grad_enabled(learns):
            loss = model(input_ids=ids, labels=ids).loss
        if learns:
            loss.backward()
        float(loss.detach())
        if device == "cuda":
            torch.cuda.synchronize()
        return time.monotonic() - began

    step(learns=True)
    return step(learns=True), step(learns=False)
