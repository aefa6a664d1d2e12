"""The head of a GGUF file for a model that is a folder as `transformers` reads it: Llama, Qwen 2 and Qwen 3.

The names and meanings of the fields are those of llama.cpp. What llama.cpp would compute in another way is refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from callwright.catalog.offline_hub import stay_offline
from callwright.errors import BadInput
from callwright.formats.document import read_bounded
from callwright.records.jsontext import parse
from callwright.train.gguf_file import ELSEWHERE, KINDS, GgufField, GgufHead, template_field
from callwright.train.gguf_vocabulary import vocabulary_fields

_SCALES: Final = {
    "default": (),
    "linear": ("factor",),
    "yarn": ("factor", "original_max_position_embeddings"),
    "llama3": ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"),
}
"""Ways to scale positions, with all that each may tell."""
_THEM_ALL: Final = frozenset({"rope_type", "type", "rope_theta", "partial_rotary_factor"})


def head_of_folder(base: Path, template: str) -> GgufHead:
    """Return the head of a model's folder, with a chat template. Raises BadInput where it has no form in GGUF."""
    stay_offline()
    kind = kind_of_folder(base)
    from gguf import GGUFValueType
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(base)
    for fault in _faults(config, kind):
        raise BadInput(f"{base}: {fault}, which GGUF has no form for here. {ELSEWHERE}")
    words = vocabulary_fields(base, config, template)
    named = [
        GgufField("general.type", "model", GGUFValueType.STRING),
        GgufField("general.name", base.resolve().name, GGUFValueType.STRING),
    ]
    if template:
        words = [*words, template_field(template)]
    tables = {"rope_freqs.weight": _llama_scales(config)} if _scale(config) == "llama3" else {}
    return GgufHead(kind, (*named, *_sizes(config, kind), *words), tables)


def kind_of_folder(base: Path) -> str:
    """Return the kind of a folder's model, without PyTorch. Raises BadInput for kinds that have no form in GGUF."""
    file = base / "config.json"
    config = parse(read_bounded(file), where=str(file))
    kind = config.get("model_type") if isinstance(config, dict) else None
    if kind not in KINDS:
        raise BadInput(
            f"{base}: a model of the kind {kind}; Llama, Qwen 2 and Qwen 3 are written as GGUF here. {ELSEWHERE}"
        )
    return str(kind)


def _faults(config: Any, kind: str) -> Iterator[str]:
    """Yield what llama.cpp has no form for."""
    scale, told = _scale(config), config.rope_parameters
    odd = sorted(name for name, value in told.items() if value is not None and name not in _THEM_ALL)
    if getattr(config, "quantization_config", None) is not None:
        yield "its weights are quantised"
    if config.hidden_act != "silu":
        yield f"it computes with {config.hidden_act}"
    if scale not in _SCALES or (scale == "llama3" and kind != "llama"):
        yield f"its positions are scaled by {scale}"
    elif surplus := [name for name in odd if name not in _SCALES[scale]]:
        yield f"its positions are scaled by {scale} with {', '.join(surplus)}"
    if told.get("partial_rotary_factor") not in (None, 1.0):
        yield "a part of each head has no position"
    if "sliding_attention" in (getattr(config, "layer_types", None) or ()):
        yield "it attends to a sliding window"
    if kind == "qwen3" and config.attention_bias:
        yield "its attention has biases"
    if kind == "qwen2" and _head(config) * config.num_attention_heads != config.hidden_size:
        yield "its heads are not as wide as the model"


def _sizes(config: Any, kind: str) -> list[GgufField]:
    from gguf import GGUFValueType

    whole = {
        "block_count": config.num_hidden_layers,
        "context_length": config.max_position_embeddings,
        "embedding_length": config.hidden_size,
        "feed_forward_length": config.intermediate_size,
        "attention.head_count": config.num_attention_heads,
        "attention.head_count_kv": config.num_key_value_heads,
        "attention.key_length": _head(config),
        "attention.value_length": _head(config),
        "rope.dimension_count": _head(config),
        "vocab_size": config.vocab_size,
    }
    real = {
        "attention.layer_norm_rms_epsilon": config.rms_norm_eps,
        "rope.freq_base": config.rope_parameters["rope_theta"],
    }
    fields = [GgufField(f"{kind}.{name}", value, GGUFValueType.UINT32) for name, value in whole.items()]
    fields += [GgufField(f"{kind}.{name}", float(value), GGUFValueType.FLOAT32) for name, value in real.items()]
    if _scale(config) in ("linear", "yarn"):
        told, scaling = config.rope_parameters, f"{kind}.rope.scaling"
        fields.append(GgufField(f"{scaling}.type", _scale(config), GGUFValueType.STRING))
        fields.append(GgufField(f"{scaling}.factor", float(told["factor"]), GGUFValueType.FLOAT32))
        if _scale(config) == "yarn":
            first = int(told["original_max_position_embeddings"])
            fields.append(GgufField(f"{scaling}.original_context_length", first, GGUFValueType.UINT32))
    return fields


def _scale(config: Any) -> str:
    return str(config.rope_parameters.get("rope_type") or "default")


def _head(config: Any) -> int:
    """Width of a head."""
    return int(getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads)


def _llama_scales(config: Any) -> Any:
    """By how much each frequency of the positions is divided, as Llama 3.1 does: long waves more than short ones."""
    import numpy as np

    told = config.rope_parameters
    factor, low, high, first = (float(told[name]) for name in _SCALES["llama3"])
    scales = []
    for at in range(0, _head(config), 2):
        length = 2 * math.pi * float(told["rope_theta"]) ** (at / _head(config))
        smooth = min(1.0, max(0.0, (first / length - low) / (high - low)))
        scales.append(1 / ((1 - smooth) / factor + smooth))
    return np.array(scales, dtype=np.float32)
