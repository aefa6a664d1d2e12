"""How far a training is: told after each step, and kept with each checkpoint for the time that all sessions took."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Callable, Iterator
from logging import LogRecord
from pathlib import Path
from typing import Any, Final

import msgspec

from callwright.catalog.offline_hub import stay_offline
from callwright.errors import BadDocument
from callwright.records.jsontext import parse

_SECONDS: Final = "seconds.json"
_KNOWN: Final = r"`(is_)?gradient_checkpointing` is deprecated"
"""A warning of `transformers` about a name that TRL uses."""


class TuningProgress(msgspec.Struct, frozen=True, kw_only=True):
    """Where a training stands."""

    rows: int
    """Seen so far, as often as they are seen."""
    of: int
    """Rows of the whole training, as often as they are seen."""
    loss: float | None
    """On the rows of the last steps."""
    held_out: float | None
    """On rows that are not trained, when it was last measured."""
    measured: bool
    """Whether it was measured just now."""
    left_s: float | None


Tell = Callable[[TuningProgress], None]


def seconds_before(checkpoint: str | None) -> float:
    """Return the time of a training until a checkpoint; 0 where there is none."""
    with contextlib.suppress(OSError, BadDocument):
        found = parse((Path(checkpoint or "") / _SECONDS).read_bytes(), where=_SECONDS)
        return float(found) if isinstance(found, int | float) else 0.0
    return 0.0


def progress_callback(tell: Tell, *, rows: int, before: float) -> Any:
    """Return a callback of `transformers`: `rows` are those of an epoch, `before` the seconds of earlier sessions."""
    from transformers import TrainerCallback

    class Progress(TrainerCallback):  # type: ignore[misc]
        def __init__(self) -> None:
            self.began, self.first = time.monotonic(), 0
            self.loss: float | None = None
            self.held_out: float | None = None

        def seconds(self) -> float:
            return before + time.monotonic() - self.began

        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self.began, self.first = time.monotonic(), state.global_step

        def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float], **_: Any) -> None:
            self.loss = logs.get("loss", self.loss)
            self.held_out = logs.get("eval_loss", self.held_out)
            if "eval_loss" in logs:
                self.tell(args, state, measured=True)

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self.tell(args, state, measured=False)

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
            (folder / _SECONDS).write_text(f"{self.seconds():.1f}", encoding="utf-8")

        def tell(self, args: Any, state: Any, *, measured: bool) -> None:
            done = state.global_step - self.first
            each = (time.monotonic() - self.began) / done if done else None
            whole = round(rows * args.num_train_epochs)
            a_step = args.per_device_train_batch_size * args.gradient_accumulation_steps
            tell(
                TuningProgress(
                    rows=min(whole, state.global_step * a_step),
                    of=whole,
                    loss=self.loss,
                    held_out=self.held_out,
                    measured=measured,
                    left_s=None if each is None else each * (state.max_steps - state.global_step),
                )
            )

    return Progress()


def _tells_news(record: LogRecord) -> bool:
    """Whether a line of the log says more than that checkpoints of one second are told apart by their numbers."""
    return not record.getMessage().startswith("mtime may not be reliable")


@contextlib.contextmanager
def quiet_libraries() -> Iterator[None]:
    """Inside, `transformers` and `datasets` draw no bars, and two known warnings are not shown."""
    stay_offline()
    import datasets
    from datasets.utils import is_progress_bar_enabled
    from transformers.utils import logging

    sorting = logging.get_logger("transformers.trainer_utils")
    had_bars = logging.is_progress_bar_enabled(), is_progress_bar_enabled()
    logging.disable_progress_bar()
    datasets.disable_progress_bars()
    sorting.addFilter(_tells_news)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=_KNOWN, category=FutureWarning)
            yield
    finally:
        sorting.removeFilter(_tells_news)
        if had_bars[0]:
            logging.enable_progress_bar()
        if had_bars[1]:
            datasets.enable_progress_bars()
