"""Recorded transcripts as a log of inspect_ai, which its viewer shows and its analysis tools read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from callwright import __version__
from callwright.errors import BadInput, StorageFailed
from callwright.models.chat import Message
from callwright.papers.registry import load_protocol
from callwright.protocol.episode_rewards import RIGHT
from callwright.protocol.items import RunItem, run_items
from callwright.protocol.run_access import RunView, open_run
from callwright.protocol.turn_messages import messages_of
from callwright.records.dialogue import Dialogue, GoldCall
from callwright.records.jsontext import Json, encode
from callwright.records.transcript import Transcript
from callwright.store.links import refuse_link

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

SUFFIXES: Final = (".eval", ".json")


def write_inspect_log(folder: str | Path, out: str | Path) -> int:
    """Write the transcripts of a run as the inspect_ai log `out`, `.eval` or `.json`; return their number.

    Each rollout that was scored, excluded or skipped is a sample with its verdict; failed ones have their error.
    Raises BadInput where the folder is no run, inspect_ai is not installed, or `out` is taken; StorageFailed.
    """
    out = Path(out)
    refuse_link(out)
    if out.exists():
        raise BadInput(f"{out}: there is something already. Remove it, or choose another name.")
    if out.suffix not in SUFFIXES:
        raise BadInput(f"{out}: a log of inspect_ai ends in {' or '.join(SUFFIXES)}.")
    try:
        from inspect_ai.log import write_eval_log
    except ImportError as error:
        raise BadInput('a log of inspect_ai needs its package: pip install "callwright[inspect]"') from error
    log = _log(open_run(folder))
    try:
        write_eval_log(log, str(out))
    except OSError as error:
        raise StorageFailed(f"{out}: cannot be written ({error.strerror}). Choose another place.") from error
    return len(log.samples or ())


def _log(run: RunView) -> EvalLog:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalResults, EvalSpec, EvalStats

    samples = list(_samples(run))
    made = datetime.fromtimestamp((run.folder / "run.db").stat().st_mtime, UTC).isoformat(timespec="seconds")
    ids: list[str | int] = list(dict.fromkeys(sample.id for sample in samples))
    spec = EvalSpec(
        created=made,
        task=run.protocol,
        model=str(run.config["model"]),
        dataset=EvalDataset(name=str(run.config["data"]), samples=len(run.dialogues), sample_ids=ids),
        config=EvalConfig(epochs=int(str(run.config["trials"]))),
        packages={"callwright": __version__},
        task_args={name: value for name, value in run.config.items() if name not in ("protocol", "model")},
    )
    done = sum(sample.error is None for sample in samples)
    results = EvalResults(total_samples=len(samples), completed_samples=done, scores=_scores(samples))
    stats = EvalStats(started_at=made, completed_at=made)  # a run does not keep when it ran
    return EvalLog(status="success", eval=spec, results=results, stats=stats, samples=samples)


def _samples(run: RunView) -> Iterator[EvalSample]:
    """A sample for each rollout, in the order of the run."""
    from inspect_ai.log import EvalError, EvalSample
    from inspect_ai.scorer import Score

    by_id = {one.id: one for one in run.dialogues}
    transcripts = {(one.dialogue, one.trial): one for one in run.transcripts}
    for item in run_items(run, load_protocol(run.protocol)):
        dialogue = by_id[item.dialogue]
        transcript = transcripts.get((item.dialogue, item.trial))
        value = None if item.right is None else {RIGHT: float(item.right), **item.verdicts}
        failed = item.why if item.state == "failed" else ""
        said = transcript.turns if transcript is not None and transcript.turns else dialogue.turns
        yield EvalSample(
            id=item.dialogue,
            epoch=item.trial + 1,
            input=said[0].text if said else "",
            target=[_call_text(gold) for task in dialogue.tasks for gold in task.gold],
            messages=_messages(dialogue, transcript) if transcript is not None else [],
            scores={} if value is None else {"callwright": Score(value=value, explanation=item.error or None)},
            metadata=_about(item),
            error=EvalError(message=failed, traceback="", traceback_ansi="") if failed else None,
        )


def _about(item: RunItem) -> dict[str, Json]:
    return {"state": item.state, "why": item.why, "user_unsure": item.user_unsure}


def _call_text(gold: GoldCall) -> str:
    return f"{gold.tool}({encode(gold.values)})"


def _messages(dialogue: Dialogue, transcript: Transcript) -> list[Any]:
    """The turns of a transcript as messages of inspect_ai, without thoughts."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser

    kinds: Mapping[str, Any] = {"system": ChatMessageSystem, "user": ChatMessageUser}
    found: list[Any] = []
    for at, message in enumerate(messages_of(dialogue, transcript.turns)):
        if message.role in kinds:
            found.append(kinds[message.role](content=message.content))
        elif message.role == "tool":
            found.append(ChatMessageTool(content=message.content, tool_call_id=message.call_id or None))
        else:
            found.append(ChatMessageAssistant(content=message.content, tool_calls=_calls(message, at) or None))
    return found


def _calls(message: Message, at: int) -> list[Any]:
    from inspect_ai.tool import ToolCall

    return [
        ToolCall(id=call.id or f"call_{at}_{nth}", function=call.tool, arguments=call.values)
        for nth, call in enumerate(message.calls)
    ]


def _scores(samples: Sequence[EvalSample]) -> list[Any]:
    """The mean of each metric over the samples that have it."""
    from inspect_ai.log import EvalMetric, EvalScore

    values: dict[str, list[float]] = {}
    for sample in samples:
        for score in (sample.scores or {}).values():
            for name, value in (score.value if isinstance(score.value, dict) else {}).items():
                values.setdefault(name, []).append(float(str(value)))
    return [
        EvalScore(
            name=name,
            scorer="callwright",
            scored_samples=len(found),
            unscored_samples=len(samples) - len(found),
            metrics={"mean": EvalMetric(name="mean", value=sum(found) / len(found))},
        )
        for name, found in values.items()
    ]
