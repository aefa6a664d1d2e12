"""Base models as folders that `transformers` reads, and models merged with their adapter.

A `.gguf` file is unpacked: its weights without quantisation, its tokenizer and its chat template.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

from callwright.catalog.offline_hub import stay_offline
from callwright.errors import BadInput
from callwright.formats.document import read_bounded
from callwright.records.jsontext import parse
from callwright.train.chat_template import BoundedTemplate, ChatTemplate, read_template

TEMPLATE: Final = "chat_template.jinja"
"""The file of a chat template in a model's folder."""


def unpack(gguf: Path, folder: Path) -> None:
    """Write the model of a GGUF file to `folder`, with 16 bits a weight."""
    stay_offline()
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    where: dict[str, Any] = {"gguf_file": gguf.name}
    loaded = AutoModelForCausalLM.from_pretrained(gguf.parent, dtype=torch.float32, **where)
    del loaded.config.quantization_config
    fresh = AutoModelForCausalLM.from_config(loaded.config)  # a model that came from GGUF refuses to be saved
    fresh.load_state_dict(loaded.state_dict())
    fresh.generation_config = loaded.generation_config
    AutoTokenizer.from_pretrained(gguf.parent, **where).save_pretrained(folder)
    fresh.to(torch.bfloat16).save_pretrained(folder)


class Base(NamedTuple):
    """A model to train, as `transformers` reads it, and what rows are written with."""

    folder: Path
    template: ChatTemplate


def base_with(folder: Path, template: str) -> Base:
    """Return a base with a chat template, a file or a name of `trl`'s; with its own where none is given.

    Raises BadInput where there is none.
    """
    found = read_template(template) if template else own_template(folder)
    if found is None:
        raise BadInput(f"{folder}: no chat template. Put one into {folder / TEMPLATE}, or give --template.")
    found.use_tokens_of(folder)
    return Base(folder, found)


def own_template(base: Path) -> ChatTemplate | None:
    """Return the chat template in a model's folder, None if there is none."""
    if (file := base / TEMPLATE).is_file():
        return read_template(str(file))
    file = base / "tokenizer_config.json"
    config = parse(read_bounded(file), where=str(file)) if file.is_file() else {}
    source = config.get("chat_template") if isinstance(config, dict) else None
    return BoundedTemplate(file.name, source) if isinstance(source, str) else None


def merge(base: Path, adapter: Path | None, out: Path | None) -> Any:
    """Return the base with an adapter merged into it; with `out` it is written there, as the base is kept.

    The tokenizer is the adapter's, whose template is the one that was trained.
    """
    stay_offline()
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    model: Any = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    if adapter is not None:
        from peft import PeftModel

        model = PeftModel.from_pretrained(model, str(adapter)).merge_and_unload()
    if out is not None:
        kept = AutoConfig.from_pretrained(base).dtype or torch.float32
        model.to(kept).save_pretrained(out)
        AutoTokenizer.from_pretrained(adapter or base).save_pretrained(out)
    return model
