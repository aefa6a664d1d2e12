"""Prompt optimisation: a better system prompt for a model and a set of tools, found by GEPA.

    prompt/
    ├── system.txt          the best prompt: `callwright eval --system prompt/system.txt`
    ├── optimisation.json   scores of the first and the best prompt on dialogues that the search never saw
    ├── reflections.jsonl   replies of the model that writes prompts
    ├── prompts/            every prompt that was tried
    └── runs/               every evaluation, as a run folder

GEPA's own state is a pickle, so it is not kept: the search begins anew each time, and finds its evaluations and
reflections in the folder. The same command after a crash gives the same result and asks nothing twice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from callwright import __version__
from callwright.app.datasets import Dataset, open_dataset
from callwright.app.evaluation import evaluate_model
from callwright.engine.budget import Budget
from callwright.engine.in_process import run_blocking
from callwright.engine.randomness import stream
from callwright.errors import BadInput, BudgetSpent, CallwrightError, RunConflict
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.models.endpoint import is_served
from callwright.models.openai import served_model
from callwright.models.prices import added, read_prices
from callwright.papers.registry import load_protocol
from callwright.protocol import EvaluationProtocol, read_options
from callwright.protocol.items import RunItem, run_items
from callwright.protocol.run_access import open_run
from callwright.protocol.system_prompt import read_system
from callwright.protocol.turn_messages import messages_of
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json, encode, parse
from callwright.records.tool import digest
from callwright.stats.intervals import Interval, mean_interval
from callwright.store.files import write_atomically
from callwright.store.links import folder_inside, refuse_link, refuse_taken_folder
from callwright.store.lock import FolderLock
from callwright.store.run import Run

Objective: TypeAlias = Literal["right", "format"]
"""`right`: every task is right (Acc of DiaFORGE). `format`: no reply is malformed (Format Correctness, figure 14)."""

PARTS: Final = {"train": 0.35, "choose": 0.3, "test": 0.35}
"""Shares of the dialogues: those that reflections read, those that choose prompts, and those that neither sees."""

MINIBATCH: Final = 3
VERSION: Final = "optimise.v1"
SYSTEM: Final = "system"


class Optimisation(msgspec.Struct, frozen=True, kw_only=True):
    """How a search ended: `optimisation.json`."""

    prompt: str
    """The best prompt."""
    first: str
    """The prompt that the search began with."""
    before: Interval
    """Of the first prompt, on the test part."""
    after: Interval
    """Of the best prompt, on the test part."""
    gain: Interval
    """Mean difference of the same dialogues."""
    tried: int
    """Prompts that were scored on the choosing part."""
    replies: int
    """Replies of the model under test and of the one that reflects, over all sessions."""
    usd: float | None
    """What they cost; None where a price is unknown or a server counts no tokens."""
    failed: int
    """Rollouts that gave no transcript; they count as 0."""
    dialogues: dict[str, int]
    signature: str


class OptimisationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A search for a system prompt with which a model does better on the dialogues of a dataset."""

    dataset: Dataset | str | Path
    model: str
    """Model under test."""
    out: str | Path
    budget_calls: int | None = None
    """Most replies of models; this or `budget_usd` is needed."""
    budget_usd: float | None = None
    """Most that the replies may cost. Both budgets may be raised later: the search goes on."""
    prices: str | Path | None = None
    """File of prices; None: the bundled ones."""
    protocol: str = "dynamic"
    reflection: str | None = None
    """Model that writes prompts; None: the model under test."""
    objective: Objective = "right"
    system: str | Path | None = None
    """The system prompt that the search begins with, named as in an evaluation."""
    seed: int = 0
    base_url: str | None = None
    options: Mapping[str, Json] = {}
    """Those of the protocol."""


def optimise_prompt(request: OptimisationRequest) -> Optimisation:
    """Search a better system prompt within the budget; the same request in the same folder goes on where it stopped.

    Raises BadInput where the settings, the data or the budget do not suffice; otherwise as `evaluate_model`.
    """
    opened = request.dataset if isinstance(request.dataset, Dataset) else open_dataset(request.dataset)
    found = load_protocol(request.protocol)
    reflection = request.reflection or request.model
    if not is_served(reflection):
        raise BadInput(f"reflection {reflection!r}: this model cannot write prompts. Give openai/NAME.")
    first = read_system(found, request.system).text
    options = msgspec.to_builtins(read_options(found, request.options))
    request = msgspec.structs.replace(request, dataset=opened, reflection=reflection, options=options)
    out = Path(request.out)
    search = _Search(opened, found, request)
    _begin(out, {"version": VERSION, "signature": search.course, "first": first, "options": options})
    lock = FolderLock(out / "lock")
    try:
        return search.run(first)
    finally:
        lock.release()


def _begin(out: Path, config: dict[str, Json]) -> None:
    """Make the folder, or match it with the search that it holds."""
    refuse_link(out)
    path = out / "search.json"
    refuse_link(path)
    text = encode(config)
    if path.is_file():
        if path.read_text(encoding="utf-8") != text:
            raise RunConflict(f"{out}: this folder holds another search. Choose another folder, or its settings.")
        return
    refuse_taken_folder(out)
    for name in ("runs", "prompts"):
        folder_inside(out, name).mkdir(parents=True, exist_ok=True)
    write_atomically(path, [text.encode()])


class _Judged(NamedTuple):
    score: float
    item: RunItem
    words: str
    """The conversation as text."""


class _Search:
    """One search: evaluations in run folders, reflections in a file, replies counted."""

    def __init__(self, data: Dataset, protocol: EvaluationProtocol, request: OptimisationRequest) -> None:
        """Names in `request` are resolved. Raises BadInput where there are too few dialogues or calls."""
        self._data, self._protocol, self._settings, self._out = data, protocol, request, Path(request.out)
        self._by_id = {one.id: one for one in data.dialogues}
        options = read_options(protocol, request.options)
        self._most_replies = {one.id: protocol.most_replies(one, options) for one in data.dialogues}
        self._judged: dict[tuple[str, str], _Judged] = {}
        self._reflections = _read_reflections(self._out / "reflections.jsonl")
        self._reflected = 0
        self._prices = read_prices(request.prices)
        self.replies = 0
        self.usd: float | None = 0.0
        self.failed = 0
        self.stopped_by: CallwrightError | None = None
        """The error that stopped a model; GEPA goes on after errors, and would ask again and again."""
        self.parts = _parts(data, request.seed)
        self._check_budget()

    # -- what the search asks for ------------------------------------------------------------------------------------

    def run(self, first: str) -> Optimisation:
        """Return the best prompt with its scores."""
        try:
            from gepa.api import optimize
        except ImportError as error:
            raise BadInput('optimise needs the package `gepa`: pip install "callwright[optimise]"') from error
        result: Any = optimize(
            {SYSTEM: first},
            trainset=list(self.parts["train"]),
            valset=list(self.parts["choose"]),
            adapter=_adapter(self),
            reflection_lm=self.reflect,
            reflection_prompt_template=(files("callwright.train") / "data" / "reflection.txt").read_text("utf-8"),
            reflection_minibatch_size=MINIBATCH,
            stop_callbacks=lambda state: self.stopped_by is not None or not self._can_go_on(),
            logger=_Silent(),
            seed=self._settings.seed,
            display_progress_bar=False,
        )
        if self.stopped_by is not None:
            raise self.stopped_by
        best = str(result.best_candidate[SYSTEM])
        before, after = (self.judge(text, self.parts["test"]) for text in (first, best))
        pairs = [(one.score, other.score) for one, other in zip(before, after, strict=True)]
        found = Optimisation(
            prompt=best,
            first=first,
            before=mean_interval([old for old, _ in pairs]),
            after=mean_interval([new for _, new in pairs]),
            gain=mean_interval([new - old for old, new in pairs]),
            tried=len(result.candidates),
            replies=self.replies,
            usd=self.usd,
            failed=self.failed,
            dialogues={name: len(ids) for name, ids in self.parts.items()},
            signature=self.signature,
        )
        write_atomically(self._out / "system.txt", [best.encode()])
        text = msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"
        write_atomically(self._out / "optimisation.json", [text])
        return found

    @property
    def course(self) -> str:
        """Settings that change the course of the search; budgets say only how far it goes."""
        one = self._settings
        return (
            f"{VERSION}|gepa:0.1.4|{self._protocol.version}|objective:{one.objective}|model:{one.model}|"
            f"reflection:{one.reflection}|seed:{one.seed}|data:{self._data.digest}|callwright:{__version__}"
        )

    @property
    def signature(self) -> str:
        """Everything that decides the result."""
        one = self._settings
        budgets = {"calls": one.budget_calls, "usd": one.budget_usd}
        return self.course + "".join(f"|budget_{name}:{most:g}" for name, most in budgets.items() if most is not None)

    def _most(self, ids: Sequence[str]) -> int:
        return sum(self._most_replies[one] for one in ids)

    def _reserved(self) -> int:
        """Replies that the end needs at most: both prompts on the test part."""
        return 2 * self._most(self.parts["test"])

    def _iteration(self) -> int:
        """Replies that one more prompt needs at most: two small batches, a reflection, and the choosing part."""
        largest = sorted((self._most([one]) for one in self.parts["train"]), reverse=True)[:MINIBATCH]
        return 2 * sum(largest) + 1 + self._most(self.parts["choose"])

    def _can_go_on(self) -> bool:
        calls, usd = self._settings.budget_calls, self._settings.budget_usd
        needed = self._iteration() + self._reserved()
        if calls is not None and self.replies + needed > calls:
            return False
        return usd is None or (self.usd or 0.0) * (1 + needed / max(self.replies, 1)) <= usd

    def _left(self) -> Budget | None:
        """What the next evaluation may cost. Raises BudgetSpent."""
        most = self._settings.budget_usd
        if most is None:
            return None
        left = most - (self.usd or 0.0)
        if left <= 0:
            raise BudgetSpent(f"the budget of {most:g} USD is spent. Give the same command with a higher budget.")
        return Budget(usd=left)

    def _check_budget(self) -> None:
        one = self._settings
        if one.budget_calls is None and one.budget_usd is None:
            raise BadInput("a search needs a budget. Give --budget-calls or --budget-usd.")
        if one.budget_usd is not None:
            self._check_prices(one.model, str(one.reflection))
        least = self._most(self.parts["choose"]) + self._iteration() + self._reserved()
        if one.budget_calls is not None and one.budget_calls < least:
            raise BadInput(
                f"a budget of {one.budget_calls:,} calls does not suffice for one new prompt: it takes up "
                f"to {least:,} over {len(self._data.dialogues):,} dialogues. Give more, or fewer dialogues."
            )

    def _check_prices(self, *models: str) -> None:
        for name in models:
            if self._prices.price(name) is None:
                raise BadInput(f"a budget in USD cannot be kept: {name} has no known price. Add it with --prices FILE.")

    @contextlib.contextmanager
    def stopping(self) -> Iterator[None]:
        """Inside, an error ends the search."""
        try:
            yield
        except CallwrightError as error:
            self.stopped_by = error
            raise

    # -- evaluations -------------------------------------------------------------------------------------------------

    def judge(self, prompt: str, ids: Sequence[str]) -> list[_Judged]:
        """Return the verdicts on dialogues under a prompt, in their order; what was judged before is kept."""
        name = digest(prompt)
        new = [one for one in dict.fromkeys(ids) if (name, one) not in self._judged]
        if new:
            self._evaluate(prompt, name, new)
        return [self._judged[name, one] for one in ids]

    def _evaluate(self, prompt: str, name: str, ids: Sequence[str]) -> None:
        path = self._out / "prompts" / f"{name}.txt"
        write_atomically(path, [prompt.encode()])
        folder = self._out / "runs" / digest(name, *ids)
        part = msgspec.structs.replace(self._data, dialogues=tuple(self._by_id[one] for one in ids))
        one = self._settings
        where = {} if one.base_url is None else {"base_url": one.base_url}
        given = {"seed": one.seed, "system": path, "prices": self._prices, **where, **one.options}
        result = evaluate_model(part, one.protocol, model=one.model, out=folder, budget=self._left(), **given)
        self.usd = added([self.usd, *result.usd.values()])
        with Run.read(folder) as run:
            self.replies += sum(1 for _ in run.replies())
        view = open_run(folder)
        words = {one.dialogue: _words(self._by_id[one.dialogue], one.turns) for one in view.transcripts}
        well_formed = {one.dialogue for one in view.transcripts if not one.format_errors}
        for item in run_items(view, self._protocol):
            self.failed += item.state == "failed"
            score = float(item.dialogue in well_formed) if one.objective == "format" else float(item.right is True)
            self._judged[name, item.dialogue] = _Judged(score, item, words.get(item.dialogue, ""))

    # -- reflections -------------------------------------------------------------------------------------------------

    def reflect(self, prompt: str | list[dict[str, Any]]) -> str:
        """Return what the reflecting model writes: as kept where this place has asked the same before."""
        text = prompt if isinstance(prompt, str) else "\n".join(str(one["content"]) for one in prompt)
        key = digest(str(self._reflected), text)
        self._reflected += 1
        self.replies += 1
        if key not in self._reflections:
            name = str(self._settings.reflection)
            model = served_model(name, role="reflection", base_url=self._settings.base_url)
            request = ChatRequest((Message("user", text),))
            with self.stopping():
                self._left()
                self._reflections[key] = run_blocking(model.reply(request, Random(self._settings.seed)))
            lines = (encode({"key": at, "reply": msgspec.to_builtins(one)}) for at, one in self._reflections.items())
            write_atomically(self._out / "reflections.jsonl", (f"{line}\n".encode() for line in lines))
        reply = self._reflections[key]
        self.usd = added([self.usd, self._cost(reply)])
        return reply.content

    def _cost(self, reply: ChatReply) -> float | None:
        if reply.tokens_in is None or reply.tokens_out is None:
            return None
        return self._prices.usd(str(self._settings.reflection), tokens_in=reply.tokens_in, tokens_out=reply.tokens_out)


def _read_reflections(path: Path) -> dict[str, ChatReply]:
    refuse_link(path)
    if not path.is_file():
        return {}
    lines = [parse(line, where=str(path)) for line in path.read_bytes().splitlines()]
    return {str(line["key"]): msgspec.convert(line["reply"], ChatReply) for line in lines}


def _parts(data: Dataset, seed: int) -> dict[str, tuple[str, ...]]:
    ids = [one.id for one in data.dialogues]
    stream(seed, data.digest, "optimise/parts", 0).shuffle(ids)
    train, choose = round(PARTS["train"] * len(ids)), round(PARTS["choose"] * len(ids))
    parts = {"train": ids[:train], "choose": ids[train : train + choose], "test": ids[train + choose :]}
    if min(map(len, parts.values())) < MINIBATCH:
        raise BadInput(f"{data.folder}: {len(ids):,} dialogues are too few to learn, choose and test on. Make more.")
    return {name: tuple(part) for name, part in parts.items()}


def _words(dialogue: Dialogue, turns: Sequence[Any]) -> str:
    lines = []
    for message in messages_of(dialogue, turns):
        calls = "".join(f" [calls {call.tool} {call.arguments}]" for call in message.calls)
        lines.append(f"{message.role}: {message.content}{calls}")
    return "\n".join(lines)


def _verdict(judged: _Judged) -> str:
    if judged.score == 1:
        return "Right."
    due = "; ".join(f"{gold.tool} {encode(gold.values)}" for task in judged.item.tasks for gold in task.gold)
    why = " ".join(filter(None, (judged.item.error, judged.item.why)))
    return f"Wrong: {why or 'malformed'}. Due was: {due or 'no call'}."


def _adapter(search: _Search) -> Any:
    """GEPA's view of a search."""
    from gepa.core.adapter import EvaluationBatch, GEPAAdapter

    class Adapter(GEPAAdapter[str, _Judged, _Judged]):
        propose_new_texts = None

        def evaluate(self, batch: list[str], candidate: dict[str, str], capture_traces: bool = False) -> Any:
            with search.stopping():
                judged = search.judge(candidate[SYSTEM], batch)
            traces = judged if capture_traces else None
            return EvaluationBatch(outputs=judged, scores=[one.score for one in judged], trajectories=traces)

        def make_reflective_dataset(
            self, candidate: dict[str, str], eval_batch: Any, components_to_update: list[str]
        ) -> Mapping[str, Sequence[Mapping[str, str]]]:
            records = [{"Conversation": one.words, "Verdict": _verdict(one)} for one in eval_batch.trajectories]
            return dict.fromkeys(components_to_update, records)

    return Adapter()


class _Silent:
    """A log that keeps nothing."""

    def log(self, *said: object, **fields: object) -> None:
        """Drop what is said."""
