"""Win rate: two models answer the same requests without tools, and a judge prefers one answer of each pair.

Each pair is judged in both orders, because judges favour a place: an answer wins where it is preferred on average over
both. Equal answers tie, and no judge is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec

from callwright import __version__
from callwright.app.requests import Asking
from callwright.app.run_end import RunUsage, failure_examples, resumable, told_when_stopped, usage
from callwright.engine.context import Context
from callwright.engine.roll_out import Execution, Tally, roll_out
from callwright.errors import BadInput
from callwright.judge.asking import ROLE as JUDGE
from callwright.judge.asking import ask_judge
from callwright.judge.rubric import Rubric, read_rubric
from callwright.judge.subject import JudgedSubject, Talk
from callwright.models.chat import ChatModel, ChatRequest, Message
from callwright.models.decoding import AS_SERVED
from callwright.models.endpoint import is_served
from callwright.models.keys import ApiKey
from callwright.models.openai import ServedModel
from callwright.models.structured import Learned
from callwright.records.dialogue import Dialogue, Participant, Provenance, Turn
from callwright.records.jsontext import encode, parse
from callwright.records.tool import digest
from callwright.stats.intervals import Interval, mean_interval
from callwright.store.dataset import read_lines
from callwright.store.run import Run

MODEL: Final = "model"
AGAINST: Final = "against"
_ROLES: Final = (MODEL, AGAINST, JUDGE)
_KIND: Final = "win-rate"


class WinRateRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Two models, a judge, and a JSON Lines file of requests: `{"prompt": TEXT}`."""

    prompts: str | Path
    model: str
    against: str
    judge: str
    out: str | Path
    limit: int | None = None
    """The first requests only; None: all."""
    asking: Asking = Asking()
    """How the models are asked; the judge's decoding is its server's."""
    execution: Execution = Execution()


class Preference(msgspec.Struct, frozen=True, kw_only=True):
    """One request, both answers, and what the judge said."""

    prompt: str
    model: str
    against: str
    orders: tuple[float, float]
    """Preference for `model` (1, .5 or 0) where it was shown first, and where second."""
    why: tuple[str, ...] = ()

    @property
    def value(self) -> float:
        """The mean of both orders."""
        return sum(self.orders) / 2


class WinRate(RunUsage, frozen=True, kw_only=True):
    """How often one model's answer is preferred."""

    rate: Interval
    """Mean preference over requests; ties count half."""
    wins: int
    ties: int
    """Also pairs in which the judge preferred the same place in both orders."""
    losses: int
    first_place: float | None
    """Mean preference for the answer shown first: .5 where the judge favours no place."""
    failed: dict[str, int]
    """Requests without a preference, by class of error; they do not count."""
    preferences: tuple[Preference, ...]
    signature: str


def measure_win_rate(request: WinRateRequest) -> WinRate:
    """Ask, judge and keep everything in `out`; the same request goes on where it stopped, and asks nothing twice.

    Raises BadInput for wrong settings or requests; RunConflict where `out` holds another run; Interrupted, BudgetSpent
    and ModelUnavailable with the result so far as `result`.
    """
    prompts = _prompts(Path(request.prompts), request.limit)
    names = {MODEL: request.model, AGAINST: request.against, JUDGE: request.judge}
    if request.model == request.against:
        raise BadInput(f"{request.model} is compared with itself. Give another model to --against.")
    job = _PreferenceJob(prompts, {role: _served(names[role], role, request.asking) for role in _ROLES})
    signature = (
        f"{_KIND}.v1|{'|'.join(f'{role}:{job.served[role].name}' for role in _ROLES)}|rubric:{job.rubric.digest}|"
        f"decoding:{encode(msgspec.to_builtins(request.asking.decoding))}|callwright:{__version__}"
    )
    folder = Path(request.out)
    config = {"signature": signature}
    with resumable(folder), Run.open(folder, kind=_KIND, config=config, durable=request.execution.durable) as run:
        run.add_items((name, encode(text).encode()) for name, text in zip(job.ids, prompts, strict=True))
        with told_when_stopped(lambda tally: _result(run, job.ids, tally, signature)):
            tally = roll_out(job, run, seed=0, execution=request.execution)
        return _result(run, job.ids, tally, signature)


def _prompts(path: Path, limit: int | None) -> list[str]:
    found = []
    for where, line in read_lines(path):
        row = parse(line, where=where)
        text = row.get("prompt") if isinstance(row, dict) else None
        if not isinstance(text, str) or not text.strip():
            raise BadInput(f'{where}: no request. Write one JSON object a line: {{"prompt": TEXT}}.')
        found.append(text)
    found = list(dict.fromkeys(found))[:limit]
    if not found:
        raise BadInput(f"{path}: there are no requests.")
    return found


def _served(name: str, role: str, asking: Asking) -> ServedModel:
    if not is_served(name):
        raise BadInput(
            f"{role} {name!r}: a model that answers in words is needed. Give openai/NAME or local/PATH.gguf."
        )
    endpoint = asking.endpoint(name)
    decoding = AS_SERVED if role == JUDGE else asking.decoding
    key = ApiKey.from_environment(endpoint)
    return ServedModel(endpoint, key=key, role=role, decoding=decoding, patience=asking.patience, learned=Learned())


class _PreferenceJob:
    """One rollout a request: two answers, and the judge's preference in both orders."""

    def __init__(self, prompts: Sequence[str], served: dict[str, ServedModel]) -> None:
        self.ids = tuple(digest("preference.v1", one) for one in prompts)
        self.served = served
        text = files("callwright.judge").joinpath("data/preference.toml").read_text(encoding="utf-8")
        self.rubric = read_rubric(text, where="preference")
        self._prompts = prompts

    def models(self, _index: int) -> dict[str, ChatModel]:
        return dict(self.served)

    async def run(self, index: int, ctx: Context) -> bytes:
        prompt = self._prompts[index]
        asked = ChatRequest((Message("user", prompt),))
        ours, theirs = [(await ctx.ask(role, asked)).content.strip() for role in (MODEL, AGAINST)]
        found = Preference(prompt=prompt, model=ours, against=theirs, orders=(0.5, 0.5))
        if ours != theirs:
            first = await ask_judge(_pair(self.rubric, prompt, ours, theirs), ctx.at("kept"))
            second = await ask_judge(_pair(self.rubric, prompt, theirs, ours), ctx.at("swapped"))
            orders = (first.value, 1 - second.value)
            found = msgspec.structs.replace(found, orders=orders, why=(first.why, second.why))
        return msgspec.json.encode(found)


def _pair(rubric: Rubric, prompt: str, first: str, second: str) -> JudgedSubject:
    turns = (Turn("user", prompt), Turn("first", first), Turn("second", second))
    name = digest(*(turn.text for turn in turns))
    who = (Participant("user", "user"), Participant("first", "assistant"), Participant("second", "assistant"))
    made = Provenance(author="models", callwright=__version__)
    talk = Talk(Dialogue(id=name, recipe=_KIND, participants=who, turns=turns, provenance=made), turns, {})
    return JudgedSubject(rubric, talk, None, name)


def _result(run: Run, ids: Sequence[str], tally: Tally, signature: str) -> WinRate:
    outcomes = {one.item: one for one in run.outcomes()}
    ended = [outcomes[name] for name in ids if name in outcomes]
    kinds = [one.kind for one in ended if not one.ok]
    made = tuple(msgspec.json.decode(one.value or b"", type=Preference) for one in ended if one.ok)
    shown_first = [value for one in made if one.why for value in (one.orders[0], 1 - one.orders[1])]
    return WinRate(
        rate=mean_interval([one.value for one in made]),
        wins=sum(one.value > 0.5 for one in made),
        ties=sum(one.value == 0.5 for one in made),
        losses=sum(one.value < 0.5 for one in made),
        first_place=sum(shown_first) / len(shown_first) if shown_first else None,
        failed={kind: kinds.count(kind) for kind in sorted(set(kinds))},
        preferences=made,
        signature=signature,
        examples=failure_examples(run),
        **usage(tally.bill),
    )
