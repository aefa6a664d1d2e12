"""A search for better texts: evaluations in run folders, replies of the model that writes, and the budget of both.

Engines decide which texts are tried. An engine begins anew each time, and finds its evaluations and what the model
wrote in the folder, so that the same command after a crash gives the same result. A reply that was kept is not asked
for again; a call that a killed process had in flight is, and both count for the budget: each is written down first.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from callwright import __version__
from callwright.app.datasets import Dataset
from callwright.app.evaluation import evaluate_model
from callwright.engine.budget import Budget, read_bill
from callwright.engine.in_process import run_blocking
from callwright.engine.randomness import stream
from callwright.errors import BadInput, BadRecord, BudgetSpent, CallwrightError
from callwright.models.attempts import UNPAID, Attempt
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.models.endpoint import is_served
from callwright.models.openai import served_model
from callwright.models.prices import BYTES_A_TOKEN, added, read_prices
from callwright.protocol import EvaluationProtocol, read_options
from callwright.protocol.confusions import confusions
from callwright.protocol.items import RunItem, run_items
from callwright.protocol.run_access import open_run
from callwright.protocol.turn_messages import messages_of
from callwright.records.dialogue import Dialogue, ShownTool
from callwright.records.jsontext import Json, encode, parse
from callwright.records.tool import Catalog, digest
from callwright.store.files import write_atomically
from callwright.store.links import refuse_link
from callwright.store.run import Run
from callwright.store.sent_calls import SentCalls

ENGINES: Final = {"gepa": "gepa:0.1.4", "capo": "promptolution:2.3.0"}

EngineName: TypeAlias = Literal["gepa", "capo"]

Objective: TypeAlias = Literal["right", "format"]
"""`right`: every task is right (Acc of DiaFORGE). `format`: no reply is malformed (Format Correctness, figure 14)."""

PARTS: Final = {"train": 0.35, "choose": 0.3, "test": 0.35}
"""Shares of the dialogues: those that reflections read, those that choose prompts, and those that neither sees."""

_NO_DOCUMENTS: Final = Catalog(tools=())
"""What tells two tools apart is not asked here, and takes long for a large catalogue."""

_NEXT_TO_NOTHING: Final = 1e-12
"""A budget that allows no call; replies that were kept cost nothing more."""

LEAST: Final = 3
"""Fewest dialogues of a part."""

VERSION: Final = "optimise.v2"
SYSTEM: Final = "system"
DESCRIPTION: Final = "tool:"
"""Before a tool's name: its description as a text to optimise. No tool's name has a colon."""

Texts: TypeAlias = Mapping[str, str]
"""The system prompt, and descriptions of tools."""


class OptimisationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A search for texts with which a model does better on the dialogues of a dataset."""

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
    engine: EngineName = "gepa"
    objective: Objective = "right"
    system: str | Path | None = None
    """The system prompt that the search begins with, named as in an evaluation."""
    seed: int = 0
    base_url: str | None = None
    options: Mapping[str, Json] = {}
    """Those of the protocol."""


class JudgedTalk(NamedTuple):
    score: float
    item: RunItem
    words: str
    """The conversation as text."""


class PromptSearch:
    """One search: evaluations in run folders, reflections in a file, replies counted."""

    def __init__(self, data: Dataset, protocol: EvaluationProtocol, request: OptimisationRequest) -> None:
        """Names in `request` are resolved. Raises BadInput where there are too few dialogues."""
        self.data, self._protocol, self.settings, self._out = data, protocol, request, Path(request.out)
        self.by_id = {one.id: one for one in data.dialogues}
        options = read_options(protocol, request.options)
        self._most_replies = {one.id: protocol.most_replies(one, options) for one in data.dialogues}
        self._judged: dict[tuple[str, str], JudgedTalk] = {}
        self._reflections = _read_reflections(self._out / "reflections.jsonl")
        self._reflected = 0
        self._prices = read_prices(request.prices)
        self._bills: dict[Path, float] = {}
        """What each evaluation has cost, over all sessions."""
        self.sent = SentCalls(self._out / "calls.log", most=request.budget_calls)
        self._lost = self.lost()
        """Calls of earlier sessions that gave nothing."""
        self.replies = 0
        self.usd: float | None = 0.0
        self.failed = 0
        self.stopped_by: CallwrightError | None = None
        """The error that stopped a model; GEPA goes on after errors, and would ask again and again."""
        self.parts = _parts(data, request.seed)

    @property
    def course(self) -> str:
        """Settings that change the course of the search; budgets say only how far it goes."""
        one = self.settings
        return (
            f"{VERSION}|{ENGINES[one.engine]}|{self._protocol.version}|objective:{one.objective}|model:{one.model}|"
            f"reflection:{one.reflection}|seed:{one.seed}|data:{self.data.digest}|callwright:{__version__}"
        )

    @property
    def signature(self) -> str:
        """Everything that decides the result."""
        one = self.settings
        budgets = {"calls": one.budget_calls, "usd": one.budget_usd}
        return self.course + "".join(f"|budget_{name}:{most:g}" for name, most in budgets.items() if most is not None)

    def most(self, ids: Sequence[str]) -> int:
        return sum(self._most_replies[one] for one in ids)

    def _reserved(self) -> int:
        """Replies that the end needs at most: both prompts on the test part."""
        return 2 * self.most(self.parts["test"])

    def can_go_on(self, replies: int) -> bool:
        """Whether the budget suffices for a step of so many replies, and for the end."""
        calls, usd = self.settings.budget_calls, self.settings.budget_usd
        if self.stopped_by is not None:
            return False
        needed = replies + self._reserved()
        if calls is not None and self.replies + self._lost + needed > calls:
            return False
        lost = self._lost * self.sent.dearest
        return usd is None or lost + (self.usd or 0.0) * (1 + needed / max(self.replies, 1)) <= usd

    def lost(self) -> int:
        """Return the calls that gave nothing: in flight when a process was killed, or not usable. Reads all bills."""
        kept = len(self._reflections)
        for path in sorted((self._out / "runs").glob("*/run.db")):
            with contextlib.suppress(BadRecord, BadInput), Run.read(path.parent) as run:
                if is_served(self.settings.model):
                    kept += sum(1 for _ in run.replies())
                self._bills[path.parent] = added(read_bill(run).usd.values()) or 0.0
        return max(0, self.sent.total - kept)

    def _left(self, besides: Path | None = None) -> float | None:
        """Return the USD that may still be spent, those included that one evaluation has cost."""
        most = self.settings.budget_usd
        if most is None:
            return None
        wrote = sum(self._cost(one) or 0.0 for one in self._reflections.values())
        others = sum(usd for path, usd in self._bills.items() if path != besides)
        return most - wrote - others - self._lost * self.sent.dearest

    @contextlib.contextmanager
    def _within_budget(self, folder: Path) -> Iterator[Budget | None]:
        """Give what the evaluation in `folder` may cost in all sessions. Raises BudgetSpent."""
        left = self._left(besides=folder)
        try:
            yield None if left is None else Budget(usd=max(left, _NEXT_TO_NOTHING))
        except BudgetSpent as error:
            if left is None or left > 0:
                raise
            raise self._all_spent() from error

    def _all_spent(self) -> BudgetSpent:
        return BudgetSpent(
            f"the budget of {self.settings.budget_usd:g} USD is spent, calls included that were in flight when a "
            "process was killed. Give the same command with a higher budget."
        )

    def check_budget(self, replies: int) -> None:
        """Raise BadInput where the budget does not suffice for one step, which takes up to so many replies."""
        one = self.settings
        if one.budget_calls is None and one.budget_usd is None:
            raise BadInput("a search needs a budget. Give --budget-calls or --budget-usd.")
        if one.budget_usd is not None:
            self._check_prices(one.model, str(one.reflection))
        least = replies + self._reserved()
        if one.budget_calls is not None and one.budget_calls < least:
            raise BadInput(
                f"a budget of {one.budget_calls:,} calls does not suffice for one new prompt: it takes up "
                f"to {least:,} over {len(self.data.dialogues):,} dialogues. Give more, or fewer dialogues."
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

    def judge(self, texts: Texts, ids: Sequence[str]) -> list[JudgedTalk]:
        """Return the verdicts on dialogues under these texts, in their order; what was judged before is kept."""
        name = digest(*(part for pair in sorted(texts.items()) for part in pair))
        new = [one for one in dict.fromkeys(ids) if (name, one) not in self._judged]
        if new:
            self._evaluate(texts, name, new)
        return [self._judged[name, one] for one in ids]

    def _evaluate(self, texts: Texts, name: str, ids: Sequence[str]) -> None:
        path = self._out / "prompts" / f"{name}.txt"
        write_atomically(path, [texts[SYSTEM].encode()])
        folder = self._out / "runs" / digest(name, *ids)
        part = msgspec.structs.replace(self.data, dialogues=tuple(self.by_id[one] for one in ids))
        part = described_anew(part, descriptions_in(texts))
        one = self.settings
        where = {} if one.base_url is None else {"base_url": one.base_url}
        given = {"seed": one.seed, "system": path, "prices": self._prices, **where, **one.options}
        with self._within_budget(folder) as budget:
            result = evaluate_model(
                part, one.protocol, model=one.model, out=folder, budget=budget, sent=self.sent, **given
            )
        self._bills[folder] = added(result.usd.values()) or 0.0
        self.usd = added([self.usd, *result.usd.values()])
        with Run.read(folder) as run:
            self.replies += sum(1 for _ in run.replies())
        view = open_run(folder)
        words = {one.dialogue: _words(self.by_id[one.dialogue], one.turns) for one in view.transcripts}
        well_formed = {one.dialogue for one in view.transcripts if not one.format_errors}
        for item in run_items(view, self._protocol):
            self.failed += item.state == "failed"
            score = float(item.dialogue in well_formed) if one.objective == "format" else float(item.right is True)
            self._judged[name, item.dialogue] = JudgedTalk(score, item, words.get(item.dialogue, ""))

    def confused_tools(self, judged: Iterable[JudgedTalk]) -> list[str]:
        """Return the tools of the catalogue that the model takes for one another, the most frequent pair first."""
        documents = self.data.catalog.by_name
        found = confusions([one.item for one in judged], _NO_DOCUMENTS).confusions
        pairs = [(one.due, one.called) for one in found if {one.due, one.called} <= documents.keys()]
        return list(dict.fromkeys(name for pair in pairs for name in pair))

    # -- reflections -------------------------------------------------------------------------------------------------

    def reflect(self, prompt: str | list[dict[str, Any]]) -> str:
        """Return what the reflecting model writes: as kept where this place has asked the same before."""
        text = prompt if isinstance(prompt, str) else "\n".join(str(one["content"]) for one in prompt)
        key = digest(str(self._reflected), text)
        self._reflected += 1
        self.replies += 1
        if key not in self._reflections:
            with self.stopping():
                self._reflections[key] = self._written(ChatRequest((Message("user", text),)))
            lines = (encode({"key": at, "reply": msgspec.to_builtins(one)}) for at, one in self._reflections.items())
            write_atomically(self._out / "reflections.jsonl", (f"{line}\n".encode() for line in lines))
        reply = self._reflections[key]
        self.usd = added([self.usd, self._cost(reply)])
        return reply.content

    def _written(self, request: ChatRequest) -> ChatReply:
        """Ask the model that writes. Raises BudgetSpent, RolloutFailed."""
        gate = _Counted(self.sent, self._check_left)
        served = served_model(str(self.settings.reflection), role="reflection", base_url=self.settings.base_url)
        return run_blocking(served.observed_by(gate, gate=gate).reply(request, Random(self.settings.seed)))

    def _check_left(self, size: int) -> float:
        """Return what a request of so many bytes costs at most, judged by those before. Raises BudgetSpent."""
        guess = self._prices.usd(str(self.settings.reflection), tokens_in=size // BYTES_A_TOKEN, tokens_out=0)
        most = max([guess or 0.0, *(self._cost(one) or 0.0 for one in self._reflections.values())])
        left = self._left()
        if self.sent.is_full:
            raise BudgetSpent(f"{self.sent.why_full}.")
        if left is not None and most > left:
            raise self._all_spent()
        return most

    def _cost(self, reply: ChatReply) -> float | None:
        if reply.tokens_in is None or reply.tokens_out is None:
            return None
        return self._prices.usd(str(self.settings.reflection), tokens_in=reply.tokens_in, tokens_out=reply.tokens_out)


class _Counted:
    """Lets a request to the model that writes through where the budget allows, and writes it down."""

    def __init__(self, sent: SentCalls, check: Callable[[int], float]) -> None:
        self._sent, self._check = sent, check

    @contextlib.asynccontextmanager
    async def passage(self, _role: str, size: int) -> AsyncIterator[None]:
        self._sent.begin(self._check(size))
        yield

    async def rest(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def on_attempt(self, outcome: Attempt) -> None:
        if outcome.failure in UNPAID:
            self._sent.refused()


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
    if min(map(len, parts.values())) < LEAST:
        raise BadInput(f"{data.folder}: {len(ids):,} dialogues are too few to learn, choose and test on. Make more.")
    return {name: tuple(part) for name, part in parts.items()}


def _words(dialogue: Dialogue, turns: Sequence[Any]) -> str:
    lines = []
    for message in messages_of(dialogue, turns):
        calls = "".join(f" [calls {call.tool} {call.arguments}]" for call in message.calls)
        lines.append(f"{message.role}: {message.content}{calls}")
    return "\n".join(lines)


def descriptions_in(texts: Texts) -> dict[str, str]:
    """Return descriptions by tool."""
    return {name.removeprefix(DESCRIPTION): text for name, text in texts.items() if name.startswith(DESCRIPTION)}


def described_anew(data: Dataset, descriptions: Mapping[str, str]) -> Dataset:
    """Return a dataset whose tools have these descriptions; the others keep theirs."""
    changed = {}
    for name, text in descriptions.items():
        old = data.catalog.by_name[name]
        changed[old.key] = msgspec.structs.replace(old, description=text)

    def shown(tools: Sequence[ShownTool]) -> tuple[ShownTool, ...]:
        return tuple(ShownTool(changed[one.key].key, one.name) if one.key in changed else one for one in tools)

    catalog = msgspec.structs.replace(
        data.catalog,
        tools=tuple(changed.get(one.key, one) for one in data.catalog.tools),
        lists=tuple(msgspec.structs.replace(one, tools=shown(one.tools)) for one in data.catalog.lists),
    )
    dialogues = tuple(msgspec.structs.replace(one, tools=shown(one.tools)) for one in data.dialogues)
    return msgspec.structs.replace(data, dialogues=dialogues, catalog=catalog)
