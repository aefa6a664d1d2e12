"""Fine-tuning on an export, with TRL and PEFT. The defaults are DiaFORGE's (appendix B).

    base/       config.json, weights and tokenizer.json of the base, as `transformers` reads them
    sft/        rows of the layout `trl`; what is trained of each was checked before

`tune` checks in the batches themselves that the trained tokens are the replies, before the first step.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from callwright.catalog.offline_hub import stay_offline
from callwright.errors import BadDocument, BadInput
from callwright.records.jsontext import parse
from callwright.train.base_model import Base
from callwright.train.trainer_layouts import LAYOUTS, Row
from callwright.train.tuning_progress import Tell, progress_callback, seconds_before

_CHECKPOINTS: Final = "checkpoints"
_EVALUATIONS: Final = 5
"""Evaluations of the held-out rows in a training, beside the one before it."""


class Tuning(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a model is trained."""

    max_length: Annotated[int, Meta(ge=16, description="most tokens of a row; longer rows are refused.")] = 4096
    epochs: Annotated[float, Meta(gt=0, description="how often all rows are seen.")] = 1.0
    learning_rate: Annotated[float, Meta(gt=0, description="its peak; it falls as a cosine.")] = 1e-4
    weight_decay: Annotated[float, Meta(ge=0, description="of AdamW.")] = 0.0
    batch: Annotated[int, Meta(ge=1, description="rows a step.")] = 1
    rank: Annotated[int, Meta(ge=1, description="rank of the adapter.")] = 16
    alpha: Annotated[int, Meta(ge=1, description="scale of the adapter.")] = 16
    dropout: Annotated[float, Meta(ge=0, lt=1, description="of the adapter.")] = 0.0
    targets: Annotated[str, Meta(description="layers with an adapter, joined by commas, or `all-linear`.")] = (
        "all-linear"
    )
    precision: Annotated[
        Literal["auto", "bfloat16", "float32"],
        Meta(
            description="of the sums; weights of the adapter have 32 bits. `auto`: bfloat16 where GPU or processor "
            "compute with it, else float32."
        ),
    ] = "auto"
    held_out: Annotated[float, Meta(gt=0, lt=1, description="share of the dialogues that only measures loss.")] = 0.05
    seed: Annotated[int, Meta(ge=0, le=2**32 - 1, description="of the order of rows and the adapter.")] = 0
    threads: Annotated[int, Meta(ge=0, description="processor threads; 0: as many as torch takes.")] = 0


class HeldOutLoss(msgspec.Struct, frozen=True):
    """Loss on the rows that are not trained."""

    step: int
    loss: float


class Trained(msgspec.Struct, frozen=True, kw_only=True):
    """What a training did."""

    steps: int
    trained_tokens: int
    """Tokens that loss is taken on, in all rows once."""
    tokens: int
    """Tokens of all rows."""
    seconds: float
    """Of all sessions; without what a stopped one did after its last checkpoint."""
    threads: int
    """Processor threads that torch took."""
    device: str
    held_out: tuple[HeldOutLoss, ...]
    versions: dict[str, str]


def tune(
    rows: Sequence[Row],
    held_out: Sequence[Row],
    replies: Sequence[str],
    *,
    base: Base,
    out: Path,
    settings: Tuning,
    lora: bool,
    tell: Tell,
) -> Trained:
    """Train on rows and write the adapter (without `lora`: the model) to `out`; a stopped training goes on.

    `tell` hears of each step.

    `replies` are the texts that are trained of each row. Raises BadInput where a batch would train anything else.
    """
    trainer = _trainer(rows, held_out, base=base, out=out, settings=settings, lora=lora)
    counts = _check_masks(trainer, replies)
    checkpoint = _last_whole(out / _CHECKPOINTS)
    progress = progress_callback(tell, rows=len(rows), before=seconds_before(checkpoint))
    trainer.add_callback(progress)
    trainer.train(resume_from_checkpoint=checkpoint)
    trainer.save_model(str(out))
    logged = [one for one in trainer.state.log_history if "eval_loss" in one]
    return Trained(
        steps=int(trainer.state.global_step),
        tokens=counts[0],
        trained_tokens=counts[1],
        seconds=round(progress.seconds(), 1),
        threads=_threads(),
        device=_device(),
        held_out=tuple({one["step"]: HeldOutLoss(one["step"], one["eval_loss"]) for one in logged}.values()),
        versions=_versions(),
    )


def _last_whole(folder: Path) -> str | None:
    """The newest checkpoint that was written to its end: its state is written last, and may be cut by a crash."""
    found = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]), reverse=True)
    for path in found:
        with contextlib.suppress(OSError, BadDocument):
            parse((path / "trainer_state.json").read_bytes(), where=str(path))
            return str(path)
    return None


def with_precision(settings: Tuning) -> Tuning:
    """Return the settings with the precision of this machine in place of `auto`; as they are without PyTorch.

    A processor that knows no bfloat16 takes some 50 times as long with it as with float32.
    """
    try:
        import torch
    except ImportError:
        return settings
    if settings.precision != "auto":
        return settings
    if torch.cuda.is_available():
        is_fast = torch.cuda.is_bf16_supported()
    else:
        knows = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")  # public names are not there yet
        is_fast = any(getattr(torch.cpu, name, bool)() for name in knows)
    return msgspec.structs.replace(settings, precision="bfloat16" if is_fast else "float32")


def steps_of(rows: int, settings: Tuning) -> tuple[int, int]:
    """Return the steps of a training, and after how many loss is measured on what is held out."""
    steps = max(1, round(rows * settings.epochs / settings.batch))
    return steps, max(1, steps // _EVALUATIONS)


def rows_at_once(settings: Tuning) -> int:
    """Return the rows of one pass: a step's on a GPU; one on a processor, which it fills, at a fraction of the memory.

    The gradients of the passes are summed before the step, over the same number of tokens.
    """
    import torch

    return settings.batch if torch.cuda.is_available() else 1


def adapter_of(settings: Tuning) -> Any:
    """Return the low-rank adapter of these settings, as PEFT takes it."""
    from peft import LoraConfig

    return LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules=settings.targets if settings.targets == "all-linear" else settings.targets.split(","),
        task_type="CAUSAL_LM",
    )


def _trainer(
    rows: Sequence[Row], held_out: Sequence[Row], *, base: Base, out: Path, settings: Tuning, lora: bool
) -> Any:
    stay_offline()
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, PrinterCallback

    trl: Any = import_module("trl")  # which exports by name, so that types are not found
    if settings.threads:
        torch.set_num_threads(settings.threads)
    _, often = steps_of(len(rows), settings)
    at_once = rows_at_once(settings)
    on_processor = not torch.cuda.is_available()
    config = trl.SFTConfig(
        output_dir=str(out / _CHECKPOINTS),
        num_train_epochs=settings.epochs,
        learning_rate=settings.learning_rate,
        lr_scheduler_type="cosine",
        weight_decay=settings.weight_decay,
        per_device_train_batch_size=at_once,
        per_device_eval_batch_size=at_once,
        gradient_accumulation_steps=settings.batch // at_once,
        max_length=settings.max_length,
        assistant_only_loss="messages" in rows[0],
        bf16=settings.precision == "bfloat16",
        gradient_checkpointing=False,
        use_cpu=on_processor,
        dataloader_pin_memory=not on_processor,
        seed=settings.seed,
        data_seed=settings.seed,
        eval_on_start=True,
        eval_strategy="steps",
        eval_steps=often,
        save_strategy="steps",
        save_steps=often,
        save_total_limit=1,
        logging_steps=often,
        report_to="none",
        disable_tqdm=True,
    )
    tokenizer = AutoTokenizer.from_pretrained(base.folder)
    tokenizer.chat_template = base.template.source
    # Without an adapter the weights themselves are trained, and small steps are lost in 16 bits.
    kept = getattr(torch, settings.precision) if lora else torch.float32
    trainer = trl.SFTTrainer(
        model=AutoModelForCausalLM.from_pretrained(base.folder, dtype=kept),
        args=config,
        train_dataset=_dataset(rows),
        eval_dataset=_dataset(held_out),
        processing_class=tokenizer,
        peft_config=adapter_of(settings) if lora else None,
    )
    trainer.remove_callback(PrinterCallback)  # which prints a dict at each measurement
    return trainer


def _dataset(rows: Sequence[Row]) -> Any:
    """Rows with their columns declared: nothing is added to the objects in them."""
    from datasets import Dataset, Features, Json, List, Value

    columns = LAYOUTS["trl"].features(rows[0])
    kinds = {one["name"]: List(Json()) if "list" in one else Value(one["dtype"]) for one in columns}
    return Dataset.from_list(list(rows), features=Features(kinds))


def _check_masks(trainer: Any, replies: Sequence[str]) -> tuple[int, int]:
    """Return the tokens of all rows, and those that are trained. Raises BadInput where these are not the replies."""
    if len(trainer.train_dataset) != len(replies):
        raise BadInput(
            f"the trainer keeps {len(trainer.train_dataset):,} of {len(replies):,} rows. Raise --max-length."
        )
    tokens = trained = 0
    for number, (row, reply) in enumerate(zip(trainer.train_dataset, replies, strict=True), 1):
        labels = trainer.data_collator([row])["labels"][0]
        chosen = labels[labels != -100]
        text = trainer.processing_class.decode(chosen, skip_special_tokens=False, clean_up_tokenization_spaces=False)
        if text != reply:
            raise BadInput(
                f"row {number}: the trainer takes loss on {text[:60]!r} in place of {reply[:60]!r}. "
                "Run `callwright verify-export` with this template and tokenizer."
            )
        tokens += len(labels)
        trained += len(chosen)
    return tokens, trained


def _threads() -> int:
    import torch

    return int(torch.get_num_threads())


def _device() -> str:
    import torch

    return str(torch.cuda.get_device_name()) if torch.cuda.is_available() else "cpu"


def _versions() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name) for name in ("torch", "transformers", "trl", "peft", "datasets")}
