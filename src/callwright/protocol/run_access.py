"""Runs of evaluations as they are kept, and their rows: all that scoring and explaining a run needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from callwright.engine.collecting import collecting_rarely
from callwright.errors import BadInput, BadRecord, UnknownName
from callwright.formats import catalog as catalogs
from callwright.models.decoding import Decoding
from callwright.protocol import EvaluationProtocol, read_options
from callwright.protocol.judged_rows import CONV_REL, with_judged
from callwright.protocol.kept_judgements import read_judgements, transcript_talks
from callwright.protocol.scoring import JudgedTurns, Scoring
from callwright.records.codec import from_line
from callwright.records.dialogue import Dialogue
from callwright.records.dialogue_check import check_dialogue
from callwright.records.jsontext import Json, parse
from callwright.records.tool import Catalog
from callwright.records.transcript import Row, Transcript
from callwright.store import dataset as folders
from callwright.store.outcome import Outcome
from callwright.store.run import Run

KIND: Final = "eval"

_CONFIG: Final = {"protocol": str, "model": str, "seed": int, "data": str, "trials": int}
_MOST_TRIALS = 1_000_000


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a run folder."""

    folder: Path
    dialogues: tuple[Dialogue, ...]
    catalog: Catalog
    transcripts: tuple[Transcript, ...]
    failures: tuple[Outcome, ...]
    """Rollouts that gave no transcript."""
    config: dict[str, Json]

    @property
    def failed(self) -> tuple[str, ...]:
        """Ids of dialogues whose rollouts failed, one entry for each rollout."""
        return tuple(one.item for one in self.failures)

    @property
    def protocol(self) -> str:
        """Name and version of its protocol."""
        return str(self.config["protocol"])


def open_run(folder: str | Path) -> RunView:
    """Return the dialogues of a run folder, its catalogue and its transcripts so far. Raises BadInput, BadRecord."""
    folder = Path(folder)
    with Run.read(folder) as run:
        if run.kind != KIND:
            raise BadInput(f"{folder}: this is not an evaluation run. Give a folder that `callwright eval` wrote.")
        _check_config(run.config, folder)
        blob = run.get_blob(folders.CATALOG)
        if blob is None:
            raise BadRecord(f"{folder}: the run was interrupted before it began. Run its command again.")
        outcomes = list(run.outcomes())
        return RunView(
            folder=folder,
            dialogues=tuple(_dialogue(line, where=f"{folder}: {item}") for item, line in run.items()),
            catalog=catalogs.read(parse(blob, where=str(folder)), source=str(folder)),
            transcripts=tuple(
                from_line(one.value, Transcript, where=f"{folder}: {one.item}")
                for one in outcomes
                if one.value is not None
            ),
            failures=tuple(one for one in outcomes if not one.ok),
            config=run.config,
        )


def _check_config(config: dict[str, Json], folder: Path) -> None:
    if missing := [name for name in _CONFIG if name not in config]:
        raise BadRecord(f"{folder}: the run's configuration lacks {', '.join(missing)}. Run the evaluation again.")
    for name, kind in _CONFIG.items():
        if type(config[name]) is not kind:
            said = f"{name} in the run's configuration is {config[name]!r:.60}"
            raise BadRecord(f"{folder}: {said}. The run was damaged: run the evaluation again.")
    if not 1 <= config["trials"] <= _MOST_TRIALS:
        raise BadRecord(f"{folder}: the run's configuration has {config['trials']} trials. Run the evaluation again.")


def _dialogue(line: bytes, *, where: str) -> Dialogue:
    dialogue = from_line(line, Dialogue, where=where)
    check_dialogue(dialogue, where=where)
    return dialogue


def find_id(ids: Iterable[str], wanted: str, folder: Path) -> str:
    """Return the id that is wanted, or the only one that begins so. Raises UnknownName, naming the folder."""
    found = {one for one in ids if one.startswith(wanted)}
    if wanted in found or len(found) == 1:
        return wanted if wanted in found else found.pop()
    if not found:
        raise UnknownName(f"{folder}: no id begins with {wanted!r:.80}. `callwright show {folder}` lists them.")
    examples = " and ".join(sorted(found)[:2])
    raise UnknownName(f"{folder}: {len(found):,} ids begin with {wanted!r:.80}, such as {examples}. Give more.")


def find_dialogue(run: RunView, wanted: str) -> Dialogue:
    """Return the dialogue of this id, or the only one whose id begins so. Raises UnknownName."""
    by_id = {one.id: one for one in run.dialogues}
    return by_id[find_id(by_id, wanted, run.folder)]


def find_transcript(run: RunView, dialogue: Dialogue, trial: int) -> Transcript:
    """Return the transcript of one rollout of a dialogue. Raises UnknownName where there is none."""
    for one in run.transcripts:
        if (one.dialogue, one.trial) == (dialogue.id, trial):
            return one
    raise UnknownName(f"{run.folder}: no transcript of {dialogue.id}, trial {trial}: it failed or has not run yet.")


def own_options(run: RunView, protocol: EvaluationProtocol) -> dict[str, Json]:
    """Return the options of the protocol that the run was made with. Raises BadOption where they were damaged since."""
    own = {name: run.config[name] for name in protocol.options.__struct_fields__ if name in run.config}
    read_options(protocol, own)
    return own


@collecting_rarely()
def run_rows(
    run: RunView,
    protocol: EvaluationProtocol,
    *,
    options: Mapping[str, Json] | None = None,
    words: JudgedTurns | None = None,
) -> list[Row]:
    """Return the rows of a run by its protocol; a row of an unfinished run says so in `why`.

    `options` override those of the run; `words` is what judges made of its turns.
    """
    name, model, seed, data, trials = (run.config[name] for name in _CONFIG)
    asked = ("calling", *Decoding.__struct_fields__, "user", "voter", "judge", "system", "reviewed")
    own = own_options(run, protocol)
    rows = protocol.score(
        {dialogue.id: dialogue for dialogue in run.dialogues},
        run.catalog.by_key,
        run.transcripts,
        failed=run.failed,
        scoring=Scoring(
            run=str(run.folder),
            model=model,
            protocol=name,
            seed=seed,
            data=data,
            options={**own, **(options or {})},
            roles="".join(f"|{name}:{run.config[name]}" for name in asked if name in run.config),
            words=words,
        ),
    )
    counted = [one for one in run.dialogues if protocol.judges_words_of(one)]
    talks, _ = transcript_talks(counted, run.transcripts, run.catalog)
    for criterion in (CONV_REL, *protocol.criteria):
        kept = read_judgements(run.folder, talks, criterion)
        rows = with_judged(rows, kept, items=len(talks), criterion=criterion)
    rows = [row if row.slice else _because(_because(row, _classes(run.failures)), _marked(run)) for row in rows]
    absent = len(run.dialogues) * trials - len(run.transcripts) - len(run.failed)
    unfinished = f"unfinished: {absent:,} rollouts are absent, for which the same eval command goes on"
    return [_because(row, unfinished) for row in rows] if absent else rows


def _classes(failures: Iterable[Outcome]) -> str:
    """How many rollouts failed by class of error; inputs that are too long for a model are one of them."""
    counts = sorted(Counter(one.kind for one in failures).items())
    return f"failed rollouts: {', '.join(f'{count:,} {kind}' for kind, count in counts)}" if counts else ""


def _marked(run: RunView) -> str:
    """How many dialogues are missing because people marked them wrong."""
    return f"marked wrong by people: {run.config['reviewed']}" if "reviewed" in run.config else ""


def _because(row: Row, why: str) -> Row:
    return msgspec.structs.replace(row, why="; ".join(filter(None, (row.why, why))))
