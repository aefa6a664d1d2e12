"""Training data: a dataset exported for a trainer, and an export checked against chat templates.

sft/
├── train.jsonl     one row a sample, in the trainer's layout
├── samples.jsonl   the same samples before any layout: what the checks compare rows with
├── README.md       the card, with the columns that `datasets.load_dataset` reads
└── export.json     settings, counts, losses, and the SHA-256 of the files above
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from callwright import __version__
from callwright.app.datasets import Dataset, open_dataset
from callwright.app.reviews import with_wrong_turns, without_wrong
from callwright.errors import BadInput, unknown_name
from callwright.formats.document import read_bounded
from callwright.models.conversation import CALLING_NAMES, Calling
from callwright.papers.registry import load_protocol
from callwright.protocol import read_options
from callwright.protocol.shown_dialogue import shown_tools
from callwright.protocol.system_prompt import NEUTRAL
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json, parse, parse_single_keys
from callwright.store.dataset import read_lines
from callwright.store.files import file_sha256, new_folder, write_atomically
from callwright.store.links import refuse_link, refuse_taken_folder
from callwright.train.chat_template import ChatTemplate, read_template, template_names
from callwright.train.export_card import export_card
from callwright.train.export_report import ExportVerdict, TemplateMatrix, VerifySettings, matrix, verdict
from callwright.train.template_origin import origin_of
from callwright.train.token_checks import DEFAULT_LENGTH, RowTokenizer
from callwright.train.trainer_layouts import LAYOUTS, Row
from callwright.train.training_sample import Slices, TrainingSample, asked_samples, samples_of

ROWS: Final = "train.jsonl"
SAMPLES: Final = "samples.jsonl"
CARD: Final = "README.md"
EXPORT: Final = "export.json"
_FILES: Final = (ROWS, SAMPLES, CARD, EXPORT)
_WITHOUT_MASKS: Final = frozenset(("trl", "sharegpt"))
"""Layouts in which no reply of a whole dialogue can be left out of the training."""
VERSION: Final = "training-export.v2"


class TrainingExport(msgspec.Struct, frozen=True, kw_only=True):
    """The record of an export: `export.json`."""

    layout: str
    slices: Slices
    thoughts: bool
    calling: Calling = "native"
    """How the trained model calls, as in an evaluation; other than `native`: in its words."""
    reviewed: bool
    dialogues: int
    without_reply: int
    """Dialogues in which the assistant says nothing: they give no sample."""
    samples: int
    replies: int
    """Replies that are trained."""
    masked: int = 0
    """Turns that people marked wrong or judges refused: they stay as context, and are not trained."""
    losses: dict[str, int]
    """Content that the layout has no place for, with the number of samples."""
    dataset: str
    """Digest of the dialogues."""
    protocol: str = ""
    """Name and version of the protocol whose requests are the samples; empty where replies of dialogues are."""
    options: dict[str, Json] = {}
    """Its options, complete."""
    part: str = ""
    """Name of the part where the dataset is one of a split."""
    version: str = VERSION
    callwright: str = __version__
    files: dict[str, str] = {}
    """SHA-256 of the files beside it."""


def export_training(
    folder: str | Path,
    layout: str,
    *,
    out: str | Path,
    slices: Slices = "turn",
    thoughts: bool = True,
    calling: Calling = "native",
    reviewed: bool = False,
    protocol: str = "",
    **options: Json,
) -> TrainingExport:
    """Write the dialogues of a dataset as training data to the new folder `out`; return the account of it.

    `layout` is one of `LAYOUTS`, `slices` what a sample is, `thoughts` whether thoughts are trained, `calling` how the
    trained model is to call; `reviewed` leaves out dialogues that people marked wrong. With a `protocol` that asks for
    predictions a sample is what it asks under its `options`, with the right reply. Where the same export is at `out`
    already, nothing is written. Raises UnknownName, BadInput, StorageFailed.
    """
    if layout not in LAYOUTS:
        raise unknown_name("layout of training data", layout, list(LAYOUTS))
    if calling not in CALLING_NAMES:
        raise unknown_name("way of calling", calling, list(CALLING_NAMES))
    out = Path(out)
    if not (out / EXPORT).is_file():
        refuse_taken_folder(out)
    data, refused = open_dataset(folder), dict[str, frozenset[int]]()
    if reviewed:
        data, refused = (without_wrong(data), {}) if protocol else with_wrong_turns(data)
    if options and not protocol:
        raise BadInput(f"{', '.join(options)}: options of a protocol. Name the protocol.")
    by_key = data.catalog.by_key
    plain = _Cutter(
        lambda one: samples_of(
            one, by_key, slices=slices, thoughts=thoughts, calling=calling, refused=refused.get(one.id, ())
        )
    )
    cutter = _predictions(data, protocol, options) if protocol else plain
    cut = [cutter.samples(one) for one in data.dialogues]
    part = _part(data.folder)
    samples = [
        msgspec.structs.replace(sample, recipe=one.recipe, author=one.provenance.author, part=part, dataset=data.digest)
        for one, own in zip(data.dialogues, cut, strict=True)
        for sample in own
    ]
    if not samples:
        raise BadInput(f"{folder}: no dialogue has a reply of the assistant. There is nothing to train on.")
    if layout in _WITHOUT_MASKS and slices == "dialogue":
        _refuse_masked(f"{folder}: {layout}", samples)
    losses = Counter(loss for sample in samples for loss in LAYOUTS[layout].losses(sample))
    account = TrainingExport(
        layout=layout,
        slices=slices,
        thoughts=thoughts,
        calling=calling,
        reviewed=reviewed,
        dialogues=len(data.dialogues),
        without_reply=sum(not own for own in cut),
        samples=len(samples),
        replies=sum(len(sample.trained) for sample in samples),
        masked=sum(map(len, refused.values())),
        losses=dict(losses),
        dataset=data.digest,
        protocol=cutter.protocol,
        options=cutter.options,
        part=part,
    )
    return _made_before(out, account) or _write(out, account, samples)


def _refuse_masked(what: str, samples: Sequence[TrainingSample]) -> None:
    """Raise BadInput where replies of whole dialogues would have to be left out."""
    masked = [len(one.masked) for one in samples if one.masked]
    if masked:
        raise BadInput(
            f"{what} trains every reply of a whole dialogue, also those marked wrong: {sum(masked):,} in "
            f"{len(masked):,} of {len(samples):,} dialogues. Use --slices turn, which leaves them out, or "
            "--as axolotl, openai or ms-swift."
        )


def _made_before(out: Path, account: TrainingExport) -> TrainingExport | None:
    """Return the same export where it is there whole: it was killed after its last step, or asked for twice."""
    if not (out / EXPORT).is_file():
        return None
    known, _, _ = read_export(out)
    digests = {name: file_sha256(out / name) for name in (SAMPLES, ROWS, CARD) if (out / name).is_file()}
    return known if known == msgspec.structs.replace(account, files=digests) else None


class _Cutter(msgspec.Struct, frozen=True):
    """How dialogues are cut into samples."""

    samples: Callable[[Dialogue], tuple[TrainingSample, ...]]
    protocol: str = ""
    options: dict[str, Json] = {}


def _predictions(data: Dataset, name: str, options: Mapping[str, Json]) -> _Cutter:
    """A sample for each prediction that a protocol asks for. Raises BadInput where it asks for none."""
    protocol, by_key = load_protocol(name), data.catalog.by_key
    pairs, chosen = protocol.trained_requests or protocol.gold_requests, read_options(protocol, options)
    if pairs is None:
        raise BadInput(f"{name} asks for calls and words, as they stand in the dialogues. Leave the protocol out.")
    for one in data.dialogues:
        protocol.check(one, shown_tools(one, by_key), chosen)
    return _Cutter(
        lambda one: asked_samples(one.id, pairs(one, shown_tools(one, by_key), chosen, NEUTRAL)),
        protocol.version,
        msgspec.to_builtins(chosen),
    )


def _part(folder: Path) -> str:
    """The part of a split that a dataset is; empty where it is none."""
    path = folder / "funnel.json"
    found = parse(read_bounded(path), where=str(path)) if path.is_file() else None
    settings = found.get("split") if isinstance(found, dict) else None
    return str(settings.get("part", "")) if isinstance(settings, dict) else ""


def _write(out: Path, account: TrainingExport, samples: Sequence[TrainingSample]) -> TrainingExport:
    layout = LAYOUTS[account.layout]
    rows = [layout.write(sample) for sample in samples]
    card = export_card(msgspec.to_builtins(account), layout, layout.features(rows[0]))
    contents: dict[str, Iterable[bytes]] = {
        SAMPLES: (to_line(sample) + b"\n" for sample in samples),
        ROWS: (to_line(row) + b"\n" for row in rows),
        CARD: [card.encode()],
    }
    with new_folder(out) as folder:
        digests = {name: write_atomically(folder / name, chunks) for name, chunks in contents.items()}
        account = msgspec.structs.replace(account, files=digests)
        write_atomically(folder / EXPORT, [msgspec.json.format(msgspec.json.encode(account), indent=2), b"\n"])
    return account


# -- checking --------------------------------------------------------------------------------------------------------


def verify_export(
    folder: str | Path,
    *,
    template: str = "",
    tokenizer: str | Path | None = None,
    max_length: int | None = None,
) -> ExportVerdict:
    """Return what the checks E1 to E10 find in an export under a chat template, a file or a name of `trl`'s.

    Without `template` only the file is checked. `max_length` is the trainer's, in tokens. Raises BadInput, UnknownName.
    """
    account, rows, samples = _read_to_check(Path(folder))
    chosen = read_template(template) if template else None
    if chosen is not None:
        _refuse_templates(Path(folder), account)
    return verdict(rows, samples, _settings(Path(folder), account, chosen, tokenizer, max_length))


def verify_templates(folder: str | Path, *, limit: int | None = None) -> TemplateMatrix:
    """Return the verdict on the first rows of an export under every template of an installed `trl`, by name.

    E1 and E10 are checked of all rows. Raises BadInput, also for a layout that no chat template renders.
    """
    account, rows, samples = _read_to_check(Path(folder))
    _refuse_templates(Path(folder), account)
    names = template_names()
    if not names:
        raise BadInput("`trl`, which has the templates, is not installed. Run: pip install --no-deps trl")
    settings = _settings(Path(folder), account, None, None, None)
    return matrix(rows, samples, [read_template(name) for name in names], settings, limit)


def _read_to_check(folder: Path) -> tuple[TrainingExport, list[Row], list[TrainingSample]]:
    account, rows, samples = read_export(folder)
    if not rows:
        raise BadInput(f"{folder / ROWS}: no rows, so there is nothing to check. Export again.")
    return account, rows, samples


def _refuse_templates(folder: Path, account: TrainingExport) -> None:
    if not LAYOUTS[account.layout].has_template:
        raise BadInput(
            f"{folder}: {_own_way(account)}; a chat template says nothing about the layout {account.layout}."
        )


def _own_way(account: TrainingExport) -> str:
    return f"{LAYOUTS[account.layout].help} renders rows in its own way"


def _settings(
    folder: Path,
    account: TrainingExport,
    template: ChatTemplate | None,
    tokenizer: str | Path | None,
    max_length: int | None,
) -> VerifySettings:
    digests = {"rows": file_sha256(folder / ROWS)}
    if template is not None:
        digests["template"] = origin_of(template).sha256
    if tokenizer is not None:
        path = Path(tokenizer)
        file = path / "tokenizer.json" if path.is_dir() else path
        digests |= {"tokenizer": file_sha256(file)} if file.is_file() else {}
        if template is not None and path.is_dir():
            template.use_tokens_of(path)
    return VerifySettings(
        layout=account.layout,
        template=template,
        no_template="give --template" if LAYOUTS[account.layout].has_template else _own_way(account),
        tokenizer=RowTokenizer(Path(tokenizer)) if tokenizer is not None else None,
        most_tokens=max_length or DEFAULT_LENGTH.get(account.layout),
        digests=digests,
        counted=account.samples,
        changed=tuple(name for name in (ROWS, SAMPLES) if file_sha256(folder / name) != account.files.get(name)),
    )


def read_export(folder: Path) -> tuple[TrainingExport, list[Row], list[TrainingSample]]:
    """Return an export with its rows and their samples. Raises BadInput for a folder that holds none."""
    for name in (EXPORT, ROWS, SAMPLES):
        refuse_link(folder / name)
        if not (folder / name).is_file():
            raise BadInput(f"{folder}: no {name}. Give a folder that `callwright export --as` wrote.")
    try:
        account = msgspec.json.decode(read_bounded(folder / EXPORT), type=TrainingExport)
    except msgspec.DecodeError as error:
        raise BadInput(f"{folder / EXPORT}: {error}. Export again.") from error
    if account.layout not in LAYOUTS:
        raise unknown_name("layout of training data", account.layout, list(LAYOUTS))
    rows: list[Row] = []
    for where, line in read_lines(folder / ROWS):
        row: Any = parse_single_keys(line, where=f"{where}: E1")
        if not isinstance(row, dict):
            raise BadInput(f"{where}: no JSON object. Export again.")
        rows.append(row)
    return account, rows, [from_line(line, TrainingSample, where=where) for where, line in read_lines(folder / SAMPLES)]
