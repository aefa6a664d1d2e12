"""Fine-tuning: an export checked against the base's own template and tokenizer, trained on, and described.

adapter/
├── adapter_model.safetensors   the adapter (without `lora`: the whole model)
├── training.json               settings, digests, held-out loss; written last
├── README.md                   the card
├── base/                       the base as `transformers` reads it, where a GGUF file was given
├── merged/                     base and adapter as one model
└── checkpoints/                what a stopped training goes on from
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from callwright import __version__
from callwright.app.training import ROWS, TrainingExport, read_export, verify_export
from callwright.engine.randomness import stream
from callwright.errors import BadInput, RunConflict
from callwright.records.jsontext import Json, encode, parse
from callwright.records.tool import digest
from callwright.store.files import file_sha256, write_atomically
from callwright.store.links import refuse_link, refuse_taken_folder
from callwright.store.lock import FolderLock
from callwright.train.base_model import TEMPLATE, Base, base_with, own_template
from callwright.train.chat_template import read_template
from callwright.train.export_report import ExportVerdict
from callwright.train.gguf_file import GgufHead, check_file, head_of_file, write_gguf
from callwright.train.gguf_folder import head_of_folder, kind_of_folder
from callwright.train.rendered_row import RenderedRow
from callwright.train.token_checks import RowTokenizer
from callwright.train.trainer_layouts import Row
from callwright.train.training_cost import TrainingCost, training_cost
from callwright.train.training_lengths import part_tokens
from callwright.train.training_sample import TrainingSample
from callwright.train.tuning import Trained, Tuning, with_precision
from callwright.train.tuning_card import tuning_card
from callwright.train.tuning_progress import Tell, TuningProgress, quiet_libraries

VERSION: Final = "train.v1"
_DONE: Final = "training.json"
_CHECKPOINTS: Final = "checkpoints"
_BEGUN: Final = "train.json"
_INSTALL: Final = 'training needs PyTorch, TRL and PEFT: pip install "callwright[train]"'


class TuningRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A training: which rows, which base, where to."""

    export: str | Path
    base: str | Path
    """A folder that `transformers` reads, or a GGUF file."""
    out: str | Path
    template: str = ""
    """Chat template that rows are written with, a file or a name of `trl`'s; empty: the base's own."""
    lora: bool = True
    """Train an adapter; otherwise all weights."""
    settings: Tuning = Tuning()


def _hear_nothing(progress: TuningProgress) -> None:
    del progress


def _on_this_machine(request: TuningRequest) -> TuningRequest:
    return msgspec.structs.replace(request, settings=with_precision(request.settings))


def train_model(request: TuningRequest, *, tell: Tell = _hear_nothing) -> dict[str, Json]:
    """Train and return what `training.json` holds; the same request goes on where it stopped, or is done already.

    `tell` hears of each step.
    Raises BadInput where `verify_export` finds a fault, which leaves nothing in `out`, and RunConflict where `out`
    holds another training.
    """
    request = _on_this_machine(request)
    export, out = Path(request.export), Path(request.out)
    account, rows, samples = _read_trl(export)
    config = _config(request, account)
    _begin(out, config)
    lock = FolderLock(out / "lock")
    try:
        if (out / _DONE).is_file():
            return _read_done(out)
        base = base_with(_unpacked(Path(request.base), out), request.template)
        verdict = _verified(export, base, request.settings)
        done = config | _train(rows, samples, base, request, tell)
        done |= {"lengths": msgspec.to_builtins(verdict.lengths), "digests": verdict.digests}
        write_atomically(out / "README.md", [tuning_card(done).encode()])
        text = msgspec.json.format(msgspec.json.encode(done), indent=2) + b"\n"
        write_atomically(out / _DONE, [text])
        shutil.rmtree(out / _CHECKPOINTS, ignore_errors=True)
        return done
    except BadInput:
        _clear(out)
        raise
    finally:
        lock.release()


def estimate_training(request: TuningRequest) -> TrainingCost:
    """Return tokens, memory and time of a training, and write nothing. Raises as `train_model`."""
    request = _on_this_machine(request)
    export, folder = Path(request.export), Path(request.base)
    account, rows, samples = _read_trl(export)
    _config(request, account)
    with TemporaryDirectory() as scratch:
        if folder.is_file():
            _unpack(folder, Path(scratch))
            folder = Path(scratch)
        base = base_with(folder, request.template)
        _verified(export, base, request.settings)
        tokenizer = RowTokenizer(folder)
        kept = _held_out([one.dialogue for one in samples], request.settings)
        learnt, tested = list[int](), list[int]()
        for at, (row, sample) in enumerate(zip(rows, samples, strict=True), 1):
            length = len(tokenizer.ids(RenderedRow(at, row, base.template).text))
            (tested if sample.dialogue in kept else learnt).append(length)
        return training_cost(folder, learnt, tested, request.settings, lora=request.lora)


def check_gguf(base: str | Path, gguf: str | Path) -> None:
    """Raise BadInput where what is trained on `base` cannot become the file `gguf`."""
    base, gguf = Path(base), Path(gguf)
    for file in (gguf, base_beside(gguf)):
        refuse_link(file)
        if file.exists() and file.samefile(base):
            raise BadInput(f"{file}: this file is the base, and would be overwritten. Choose another name.")
    if base.is_dir():
        kind_of_folder(base)
    with _libraries():
        if base.is_file():
            check_file(base)
        else:
            head_of_folder(base, "")


def write_merged(out: str | Path, base: str | Path, *, gguf: str | Path | None = None) -> Path:
    """Write base and adapter as one model to `out`/merged; return the folder.

    With `gguf` it is also written as that file, and the base beside it (`base_beside`), both with 8 bits a weight.

    Raises BadInput where the training is not done, and as `check_gguf`.
    """
    out, base = Path(out), Path(base)
    done, merged = _read_done(out), out / "merged"
    if gguf is not None:
        check_gguf(base, gguf)
    from callwright.train.base_model import merge

    folder = _unpacked(base, out)
    with _libraries():
        model = merge(folder, out, merged) if done["lora"] else merge(out, None, merged)
        if gguf is not None:
            Path(gguf).parent.mkdir(parents=True, exist_ok=True)
            learnt, own = _templates(base, merged, is_given="template" in done)
            write_gguf(model, _head(base, learnt), Path(gguf))
            del model  # two of a large one need not fit at once
            write_gguf(merge(folder, None, None), _head(base, own), base_beside(gguf))
    return merged


def _templates(base: Path, merged: Path, *, is_given: bool) -> tuple[str, str]:
    """The chat templates of the tuned model and its base; empty for that of a base that is a GGUF file."""
    learnt = (merged / TEMPLATE).read_text(encoding="utf-8")
    if base.is_file():
        return learnt if is_given else "", ""
    own = own_template(base)
    return learnt, own.source if own is not None else learnt


def _head(base: Path, template: str) -> GgufHead:
    if base.is_file():
        return head_of_file(base, template)
    return head_of_folder(base, template)


def base_beside(gguf: str | Path) -> Path:
    """Return the file of the base that the tuned model `gguf` is compared with: `tuned-base.gguf` for `tuned.gguf`."""
    path = Path(gguf)
    return path.with_name(f"{path.stem}-base{path.suffix}")


def _read_trl(export: Path) -> tuple[TrainingExport, list[Row], list[TrainingSample]]:
    account, rows, samples = read_export(export)
    if account.layout != "trl":
        raise BadInput(f"{export}: rows of the layout {account.layout}. Export with `--as trl`.")
    return account, rows, samples


_OF_A_BASE: Final = ("config.json", "*.safetensors", "*.bin", "tokenizer*.json", "*.jinja")
"""Files of a folder that say which model a training began with: weights, tokenizer and template too."""


def _config(request: TuningRequest, account: TrainingExport) -> dict[str, Json]:
    base = Path(request.base)
    if not base.is_file() and not (base / "config.json").is_file():
        raise BadInput(f"{base}: neither a GGUF file nor a folder with config.json. Give the model to train.")
    files = [base] if base.is_file() else sorted(path for one in _OF_A_BASE for path in base.glob(one))
    told = {path.name: file_sha256(path) for path in files}
    return {
        "version": VERSION,
        "callwright": __version__,
        "base": {"name": base.name, "digest": digest(*(f"{name} {one}" for name, one in told.items())), "files": told},
        **({"template": digest(read_template(request.template).source)} if request.template else {}),
        "lora": request.lora,
        "settings": msgspec.to_builtins(request.settings),
        "export": msgspec.to_builtins(account) | {"rows": file_sha256(Path(request.export) / ROWS)},
    }


def _begin(out: Path, config: dict[str, Json]) -> None:
    """Make the folder, or match it with the training that it holds."""
    refuse_link(out)
    path = out / _BEGUN
    refuse_link(path)
    text = encode(config)
    if path.is_file():
        if path.read_text(encoding="utf-8") != text:
            raise RunConflict(f"{out}: this folder holds another training. Choose another folder, or its settings.")
        return
    refuse_taken_folder(out)
    out.mkdir(parents=True, exist_ok=True)
    write_atomically(path, [text.encode()])


def _clear(out: Path) -> None:
    """Take away what a refused training made, so that its cure, other settings, goes into the same folder."""
    if (out / _DONE).is_file() or any((out / _CHECKPOINTS).glob("checkpoint-*")):
        return
    for name in ("base", "base.part", _CHECKPOINTS):
        shutil.rmtree(out / name, ignore_errors=True)
    for name in (_BEGUN, "lock"):
        (out / name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # somebody put a file there
        out.rmdir()


def _read_done(out: Path) -> dict[str, Json]:
    path = out / _DONE
    if not path.is_file():
        raise BadInput(f"{out}: no training that is done. Run the same command without --merge first.")
    found = parse(path.read_bytes(), where=str(path))
    return found if isinstance(found, dict) else {}


def _unpacked(base: Path, out: Path) -> Path:
    """The folder of a base; a GGUF file is unpacked into `out`/base once."""
    if base.is_dir():
        return base
    folder = out / "base"
    if not folder.is_dir():
        partial = out / "base.part"
        shutil.rmtree(partial, ignore_errors=True)
        _unpack(base, partial)
        partial.rename(folder)
    return folder


def _unpack(base: Path, folder: Path) -> None:
    from callwright.train.base_model import unpack

    with _libraries():
        unpack(base, folder)


def _verified(export: Path, base: Base, settings: Tuning) -> ExportVerdict:
    """The verdict on the rows under the base's template. Raises BadInput where a check failed."""
    with TemporaryDirectory() as scratch:
        file = Path(scratch) / TEMPLATE
        file.write_text(base.template.source, encoding="utf-8")
        verdict = verify_export(export, template=str(file), tokenizer=base.folder, max_length=settings.max_length)
    if not verdict.passed:
        failed = [f"{one.code} ({one.name}) in {one.rows:,} rows" for one in verdict.checks if one.state == "failed"]
        first = verdict.findings[0]
        raise BadInput(
            f"{export}: not trained, as `callwright verify-export` finds {', '.join(failed)}. "
            f"Row {first.row}: {first.what}. {first.cure}"
        )
    return verdict


def _train(
    rows: list[Row], samples: list[TrainingSample], base: Base, request: TuningRequest, tell: Tell
) -> dict[str, Json]:
    from callwright.train.tuning import tune

    settings = request.settings
    kept = _held_out([one.dialogue for one in samples], settings)
    rendered = [RenderedRow(at, row, base.template) for at, row in enumerate(rows, 1)]
    pairs = list(zip(rendered, samples, strict=True))
    learnt = [row for row, sample in zip(rows, samples, strict=True) if sample.dialogue not in kept]
    tested = [row for row, sample in zip(rows, samples, strict=True) if sample.dialogue in kept]
    replies = ["".join(one.trained or ()) for one, sample in pairs if sample.dialogue not in kept]
    parts = part_tokens(pairs, RowTokenizer(base.folder))
    how: dict[str, Any] = {"base": base, "out": Path(request.out), "settings": settings, "lora": request.lora}
    with _libraries():
        found: Trained = tune(learnt, tested, replies, **how, tell=tell)
    return {
        "rows": len(learnt),
        "held_out_rows": len(tested),
        "trained": msgspec.to_builtins(found),
        "parts": msgspec.to_builtins(parts),
    }


@contextlib.contextmanager
def _libraries() -> Iterator[None]:
    """Inside, PyTorch's libraries draw and print nothing. Raises BadInput where one is missing."""
    try:
        with quiet_libraries():
            yield
    except ImportError as error:
        raise BadInput(_INSTALL) from error


def _held_out(dialogues: Sequence[str], settings: Tuning) -> frozenset[str]:
    """Whole dialogues, so that no prompt of one that measures loss is trained."""
    ids = sorted(set(dialogues))
    if len(ids) < 2:
        raise BadInput("one dialogue cannot be trained on and measure loss too. Export more.")
    stream(settings.seed, encode(ids), "train/held-out", 0).shuffle(ids)
    return frozenset(ids[: min(len(ids) - 1, max(1, round(settings.held_out * len(ids))))])
