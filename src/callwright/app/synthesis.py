"""Synthesis: a recipe over a catalogue into a dataset folder, in a run that goes on wherever it was stopped.

request  →  plan                 names resolved, options complete, nothing written
plan     →  run, or preview      rollouts into the journal of the folder, or a few in memory
journal  →  dataset              in planned order
"""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from callwright import __version__
from callwright.app.catalogs import read_catalog
from callwright.app.estimates import cost, estimate_critics, scaled, times, total
from callwright.app.requests import SynthesisRequest, read_request
from callwright.app.roles import AUTHOR_ROLE, Author, Critics, called_recipe, read_author, read_critics, served_judges
from callwright.app.run_end import RunUsage, failure_examples, resumable, rollouts_done, told_when_stopped, usage
from callwright.author.online_voice import MeasuringVoice, OnlineVoice, Sizes
from callwright.engine.budget import Bill, read_bill
from callwright.engine.context import Context, Voice
from callwright.engine.in_process import run_blocking
from callwright.engine.job import Job, Processes
from callwright.engine.roll_out import roll_out
from callwright.errors import BadInput, BadOption, BadRecord, RolloutFailed, RunConflict
from callwright.formats import catalog as catalogs
from callwright.formats import personahub
from callwright.judge.asking import ROLE as JUDGE_ROLE
from callwright.papers.registry import find_recipe, owners_of
from callwright.protocol.kept_judgements import JUDGEMENTS, keep_judgements
from callwright.protocol.size_estimate import Estimate
from callwright.recipe import Recipe, complete_options, personas_digest
from callwright.recipe.card import SynthesisAccount, card
from callwright.recipe.coverage import CoverageCount, ToolCoverage
from callwright.recipe.critics import CriticisedJob
from callwright.recipe.kept_job import KEPT_JOB, KeptJob, encode_kept_job
from callwright.recipe.recipe_job import OFFLINE, Finished, RecipeJob, decode_finished, encode_payload
from callwright.recipe.staged_funnel import FAILED, StagedFunnel, staged_funnel
from callwright.records.codec import from_line
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.jsontext import Json
from callwright.records.persona import Persona
from callwright.records.tool import Catalog, digest
from callwright.store import dataset
from callwright.store.links import folder_inside
from callwright.store.run import Run

KIND: Final = "synth"
"""Kind of the runs that syntheses are kept in."""
_OFFLINE_AUTHOR = "offline"
"""Who writes where no model is named: a seeded grammar, no language model."""
_COUNTS = ("planned", "kept", "rejected", "failed", "author")
_SAMPLE = 8
"""Dialogues made in memory to estimate the size of all."""


class SynthesisResult(RunUsage, frozen=True, kw_only=True):
    """Counts of the planned dialogues: `planned == kept + all rejected + all failed`, unless it was stopped."""

    planned: int
    kept: int
    rejected: dict[str, int]
    """Dialogues by the first reason they were rejected for, in the order of the checks."""
    failed: dict[str, int]
    """Rollouts that gave no dialogue, by class of error."""
    author: str
    coverage: ToolCoverage | None = None
    """Which tools have a dialogue, and why the others have none; None before all dialogues are made."""


class SynthesisPreview(msgspec.Struct, frozen=True, kw_only=True):
    """The preview of a synthesis; making it writes nothing."""

    planned: int
    done: int
    """Dialogues that an earlier session left in the folder."""
    tools: int
    bytes: int
    """Estimated size of the dialogues, from a few made in memory."""
    estimate: Estimate | None = None
    """Requests and tokens of the models, estimated from dialogues that rules make; None where no model writes."""
    most_calls: int | None = None
    """The most replies of the author and the roles it or others play; None where no model plays roles."""
    calling: str = ""
    """How the assistant calls: `native`, or `object`; empty where no model plays one."""
    usd: float | None = None
    """The cost of the estimate; None where no price is known or no model writes."""


def synthesize(
    recipe: str, catalog: Catalog | str | Path, *, out: str | Path, n: int | None = None, **settings: Any
) -> SynthesisResult:
    """Plan `n` dialogues over a catalogue, make them, check them, and write those kept to the dataset folder `out`.

    `settings` are the other fields of a `SynthesisRequest`, of its `Asking` and of its `Execution` (see
    `callwright.app.requests`), such as `seed=7`, `workers=2`, `author="openai/NAME"` or `budget=Budget(usd=1)`, and
    the options of the recipe, such as `distractors=5`. `per_tool` in place of `n` plans so many for each tool,
    `per_cell` for each cell of the design.

    The same settings give the same bytes, for any number of `workers` (processes) and however often the work was
    interrupted: call again to go on. On a finished folder nothing is done. Rollouts that failed are tried again. Where
    an `author` writes, its replies are kept, so that going on asks for none of them again; another author, URL, prompt
    or `decoding` is another dataset. What a `judge` rejects is rejected with the reason `judge_<criterion>`, and a
    judge that cannot be understood fails the rollout. Its judgements are kept in the dataset, where `judge_dataset`
    finds them.

    Raises BadInput for wrong settings, a folder that holds something else, and files changed by hand (RunConflict
    for another configuration, or while another process is at work there); StorageFailed when the disk refuses;
    Interrupted after Ctrl-C; BudgetSpent when no further call fits the budget; ModelUnavailable when the author cannot
    be asked at all. The last three carry the result so far as `result`.
    """
    return run_synthesis(read_request(SynthesisRequest, recipe=recipe, catalog=catalog, n=n, out=out, **settings))


# -- plan ------------------------------------------------------------------------------------------------------------


class _Plan(msgspec.Struct, frozen=True):
    """Everything that decides which dialogues come out, names resolved."""

    request: SynthesisRequest
    n: int
    folder: Path
    recipe: Recipe
    catalog: Catalog
    """As the recipe prepared it."""
    options: dict[str, Json]
    """Complete."""
    identity: dict[str, Json]
    """The same as they identify the run: a file by what it holds."""
    author: Author | None
    """None: offline."""
    critics: Critics | None
    """None: the rules alone decide."""
    personas: tuple[Persona, ...] = ()
    """From a file; none: the bundled ones."""

    @property
    def author_name(self) -> str:
        return _OFFLINE_AUTHOR if self.author is None else self.author.endpoint.name

    @property
    def config(self) -> dict[str, Json]:
        """The settings that identify the run."""
        tools = digest(*(part for tool in self.catalog.tools for part in (tool.key, tool.domain)))
        if self.catalog.lists:
            tools = digest(tools, self.catalog.digest)
        fixed: dict[str, Json] = {"recipe": self.recipe.version, "catalog": tools, "author": self.author_name}
        fixed |= {"seed": self.request.seed, "n": self.n}
        if self.author is not None:
            fixed |= {role: name for role, name in self.author.names.items() if name != self.author_name}
            fixed["prompts"] = self.author.prompts.digest(*self.recipe.prompts)
            fixed |= self.author.asking.decoding.config
            fixed |= {"calling": self.author.calling} if self.author.calling != "object" else {}
        if self.critics is not None:
            fixed["judge"] = self.critics.judge.name
            fixed["criteria"] = {rubric.label: rubric.digest for rubric in self.critics.rubrics}
            named = [panel for stage in self.critics.stages if stage.name for panel in stage.panels]
            fixed |= {"panels": {panel.reason: panel.told for panel in named}} if named else {}
        return {**self.identity, **self.cast, **fixed}

    @property
    def cast(self) -> dict[str, Json]:
        """Whose words the users speak, where that was chosen."""
        return {"personas": personas_digest(self.personas)} if self.personas else {}

    @property
    def recipe_options(self) -> msgspec.Struct:
        """The options as the recipe's struct."""
        return msgspec.convert(self.options, self.recipe.options)

    @property
    def payload(self) -> bytes:
        return encode_payload(self.catalog, self.options, seed=self.request.seed, n=self.n, personas=self.personas)


def _plan(request: SynthesisRequest) -> _Plan:
    """Resolve all names of a request. Raises BadInput where it cannot be done."""
    recipe = called_recipe(find_recipe(request.recipe), request.calling)
    author = read_author(request, recipe)
    critics = read_critics(request, recipe)
    if request.workers < 1:
        raise BadInput(f"workers is {request.workers}; at least 1 is needed.")
    catalog = request.catalog if isinstance(request.catalog, Catalog) else read_catalog(request.catalog)
    if not catalog.tools:
        raise BadInput("the catalogue has no tools. Import a document that has some.")
    _refuse_foreign(recipe, request.options)
    options = complete_options(recipe, request.options)
    prepared = recipe.prepare(catalog)
    chosen = msgspec.convert(options, recipe.options)
    recipe.fits(chosen, prepared)
    identity: dict[str, Json] = msgspec.to_builtins(recipe.identity(chosen, prepared))
    n = _size(request, recipe, prepared, options)
    personas = _personas(request, recipe)
    plan = _Plan(request, n, Path(request.out), recipe, prepared, options, identity, author, critics, personas)
    _check_target(plan)
    return plan


def _personas(request: SynthesisRequest, recipe: Recipe) -> tuple[Persona, ...]:
    """The personas of the request's file; none where it names none. Raises BadInput for what cannot be read or used."""
    if request.personas is None:
        return ()
    if not recipe.with_personas:
        raise BadOption(f"personas have no effect in {recipe.name}, whose users have none. Leave them out.")
    return personahub.read(Path(request.personas))


def _size(request: SynthesisRequest, recipe: Recipe, catalog: Catalog, options: Mapping[str, Json]) -> int:
    """How many dialogues to plan. Raises BadInput for too few, or too many ways to say it."""
    sizes = {"n": request.n, "per_tool": request.per_tool, "per_cell": request.per_cell}
    given = {name: number for name, number in sizes.items() if number is not None}
    if len(given) != 1:
        raise BadOption("give one of n, per_tool and per_cell.")
    (name, number), times = next(iter(given.items())), 1
    if name == "per_tool":
        if not recipe.is_even:
            raise BadOption(f"per_tool has no effect in {recipe.name}: its dialogues are about several tools. Give n.")
        times = len(catalog.tools)
    if name == "per_cell":
        if recipe.cells is None:
            raise BadOption(f"per_cell has no effect in {recipe.name}: it has no design of cells. Give n.")
        times = recipe.cells(msgspec.convert(options, recipe.options))
    if number < 1:
        raise BadInput(f"{name} is {number}; plan at least 1 dialogue.")
    return number * times


def _refuse_foreign(recipe: Recipe, options: Mapping[str, Json]) -> None:
    """Raise BadInput for an option that only another recipe has."""
    known = recipe.options.__struct_fields__
    for option in options:
        owners = [] if option in known else owners_of(option)
        if owners:
            raise BadOption(
                f"option {option} belongs to the recipe {' and '.join(owners)}, not to {recipe.name}. "
                f"Drop it; {recipe.name} has: {', '.join(known)}."
            )


def _check_target(plan: _Plan) -> None:
    """Raise BadInput unless the dataset may be made in the folder; where its journal is gone, its funnel must agree."""
    folder = plan.folder
    dataset.check_target(folder)
    if plan.critics is not None:
        folder_inside(folder, JUDGEMENTS)
    if not (folder / dataset.FUNNEL).is_file() or (folder / dataset.RUN).is_dir():
        return
    config = dataset.read_funnel(folder).get("config")
    if config == plan.config:
        return
    there = config if isinstance(config, dict) else {}
    names = sorted(name for name in there | plan.config if there.get(name) != plan.config.get(name))
    raise RunConflict(
        f"{folder}: holds a dataset made with other settings ({', '.join(names)}). "
        "Give the same options as before, or choose another folder."
    )


# -- run -------------------------------------------------------------------------------------------------------------


def run_synthesis(request: SynthesisRequest) -> SynthesisResult:
    """Do what is asked for: `synthesize` with the settings as one struct."""
    plan = _plan(request)
    journal, execution = folder_inside(plan.folder, dataset.RUN), request.execution
    with resumable(plan.folder), Run.open(journal, kind=KIND, config=plan.config, durable=execution.durable) as run:
        if _is_finished(plan.folder) and len(run.done()) == plan.n:
            return _with_bill(_result(dataset.read_funnel(plan.folder), plan.folder), read_bill(run))
        payload = plan.payload
        if plan.author or plan.critics:
            run.put_blob(KEPT_JOB, encode_kept_job(_kept_job(plan, payload)))
        with told_when_stopped(lambda tally: _with_bill(_counted(run, plan), tally.bill)):
            tally = roll_out(
                _job(plan, payload),
                run,
                seed=request.seed,
                voice=OnlineVoice(AUTHOR_ROLE, prompts=plan.author.prompts) if plan.author else None,
                execution=execution,
                processes=Processes(request.workers, partial(RecipeJob, plan.recipe), payload),
            )
        return _with_bill(_publish(run, plan), tally.bill)


def _job(plan: _Plan, payload: bytes) -> Job:
    """The recipe's job, with its critics."""
    author = plan.author
    job = RecipeJob(plan.recipe, payload, author.models if author else OFFLINE, author.prompts if author else None)
    if plan.critics is None:
        return job
    judge = served_judges([plan.critics.judge], plan.request.asking.patience)[plan.critics.judge.name]
    return CriticisedJob(job, plan.critics.rubrics, judge, plan.catalog, plan.critics.stages)


def _kept_job(plan: _Plan, payload: bytes) -> KeptJob:
    author, critics = plan.author, plan.critics
    return KeptJob(
        payload,
        models=dict(author.names) if author else {},
        prompts=author.prompts.sources(*plan.recipe.prompts) if author else {},
        rubrics=critics.rubrics if critics else (),
        judge=critics.judge.endpoint.name if critics else "",
        stages=critics.stages if critics else (),
    )


def _with_bill(result: SynthesisResult, bill: Bill) -> SynthesisResult:
    return msgspec.structs.replace(result, **usage(bill))


def _is_finished(folder: Path) -> bool:
    names = (dataset.DIALOGUES, dataset.REJECTED, dataset.CATALOG, dataset.CARD, dataset.FUNNEL)
    return all((folder / name).is_file() for name in names)


def _result(funnel: Mapping[str, Json], folder: Path) -> SynthesisResult:
    try:
        result = msgspec.convert({name: funnel.get(name) for name in (*_COUNTS, "coverage")}, SynthesisResult)
    except msgspec.ValidationError as error:
        raise BadRecord(
            f"{folder / dataset.FUNNEL}: {error}. The file was edited; remove it and run the same command again."
        ) from error
    said = _first_said(one.issues for one in dataset.read_rejected(folder))
    return msgspec.structs.replace(result, examples=said)


def _first_said(found: Iterable[Sequence[Issue]]) -> dict[str, str]:
    """What was said of the first dialogue that was rejected for each reason; the first issue of each is the reason."""
    said: dict[str, str] = {}
    for issues in found:
        for issue in issues[:1]:
            said.setdefault(issue.code, issue.message)
    return said


# -- preview ---------------------------------------------------------------------------------------------------------


def preview_synthesis(request: SynthesisRequest) -> SynthesisPreview:
    """Return what `run_synthesis` would do, and raise what it would raise.

    Nothing is written and no model is asked: sizes are those of the offline author.
    """
    plan = _plan(request)
    author, agents = plan.author, plan.recipe.agents
    voice = MeasuringVoice(AUTHOR_ROLE, prompts=author.prompts) if author and not agents else None
    job = RecipeJob(plan.recipe, plan.payload)
    sample = run_blocking(_sample(plan, job, voice))
    made = [from_line(one.line, Dialogue, where=str(plan.folder)) for one in sample]
    average = sum(len(one.line) for one in sample) / len(sample) if sample else 0
    share = plan.n / min(plan.n, _SAMPLE)
    sizes = voice.sizes if voice else _sizes(plan, job, made)
    roles = {role: scaled(used, share) for role, used in sizes.items()}
    models = author.names if author else {}
    if plan.critics is not None:
        kept = [dialogue for dialogue, one in zip(made, sample, strict=True) if not one.issues]
        roles[JUDGE_ROLE] = times(estimate_critics(kept, plan.critics.rubrics, plan.catalog), share)
        models[JUDGE_ROLE] = plan.critics.judge.endpoint.name
    return SynthesisPreview(
        planned=plan.n,
        done=len(rollouts_done(folder_inside(plan.folder, dataset.RUN), kind=KIND, config=plan.config)),
        tools=len(plan.catalog.tools),
        bytes=round(average * plan.n),
        estimate=total(roles),
        calling=author.calling if author and "assistant" in author.cast else "",
        most_calls=plan.n * agents.most_calls(plan.recipe_options) if author and agents else None,
        usd=cost(roles, models, request.execution.prices),
    )


def _sizes(plan: _Plan, job: RecipeJob, made: Sequence[Dialogue]) -> dict[str, Sizes]:
    """Requests of each role for dialogues made offline; empty where no model plays roles."""
    sizes: defaultdict[str, Sizes] = defaultdict(Sizes)
    agents = plan.recipe.agents
    if plan.author and agents:
        for dialogue in made:
            for one in agents.asked(dialogue, job.workshop, plan.author.prompts):
                sizes[one.role].add(one.request, one.reply_bytes)
    return sizes


async def _sample(plan: _Plan, job: RecipeJob, voice: Voice | None) -> list[Finished]:
    sample = []
    for index, item in enumerate(job.ids[:_SAMPLE]):
        with contextlib.suppress(RolloutFailed):
            made = await job.run(index, Context.detached(item, seed=plan.request.seed, voice=voice))
            sample.append(decode_finished(made))
    return sample


# -- from the journal to the folder ----------------------------------------------------------------------------------


def _publish(run: Run, plan: _Plan) -> SynthesisResult:
    count = CoverageCount(plan.recipe, plan.catalog)
    statistics = plan.recipe.statistics(count.keep(_kept_dialogues(run)), plan.catalog.by_key)
    result = msgspec.structs.replace(_counted(run, plan), coverage=_coverage(run, plan, count))
    staged = _staged(run, plan)
    account = SynthesisAccount(
        recipe=plan.recipe.version,
        options={**plan.options, **plan.cast},
        seed=plan.request.seed,
        catalog=plan.catalog,
        judge=plan.critics.judge.name if plan.critics else "",
        played={role: endpoint.name for role, endpoint in plan.author.cast.items()} if plan.author else {},
        calling=plan.author.calling if plan.author else "",
        statistics=statistics,
        coverage=result.coverage,
        staged=staged,
        **_counts(result),
    )
    if plan.critics is not None:
        judgements = [one for finished in _finished(run) for one in finished.judgements]
        keep_judgements(plan.folder, plan.critics.rubrics, judgements)
    dataset.write_dataset(
        plan.folder,
        dialogues=(one.line for one in _finished(run) if not one.issues),
        rejected=(one.rejected_line for one in _finished(run) if one.issues),
        catalog=catalogs.write(plan.catalog),
        funnel={**_funnel(result, plan), **({"stages": msgspec.to_builtins(staged)} if staged else {})},
        card=card(account),
    )
    return result


def _coverage(run: Run, plan: _Plan, count: CoverageCount) -> ToolCoverage:
    """Which tools have a dialogue, given a count of the kept ones."""
    for one in _finished(run):
        if one.issues:
            count.reject(from_line(one.line, Dialogue, where=str(run.folder)), one.issues[0].code)
    failed = [outcome for outcome in run.outcomes() if not outcome.ok] if run.failures() else []
    if failed:  # a workshop is dear, and what failed left no dialogue that names its tool
        job = RecipeJob(plan.recipe, plan.payload)
        places = {item: index for index, item in enumerate(job.ids)}
        for outcome in failed:
            with contextlib.suppress(Exception):  # what cannot be planned, even by a bug, is about no tool
                count.fail(job.plan(places[outcome.item]), outcome.kind)
    return count.coverage()


def _counted(run: Run, plan: _Plan) -> SynthesisResult:
    found = [one.issues for one in _finished(run)]
    reasons = Counter(issues[0].code if issues else "" for issues in found)
    kept = reasons.pop("", 0)
    return SynthesisResult(
        planned=plan.n,
        kept=kept,
        rejected=_in_order(reasons, (*plan.recipe.reasons, *_reasons_of_panels(plan.recipe))),
        failed=dict(run.failures()),
        author=plan.author_name,
        examples={**_first_said(found), **failure_examples(run)},
    )


def _reasons_of_panels(recipe: Recipe) -> tuple[str, ...]:
    return tuple(panel.code for stage in (recipe.panels.stages if recipe.panels else ()) for panel in stage.panels)


def _staged(run: Run, plan: _Plan) -> StagedFunnel | None:
    """What each stage of the recipe's cascade removed; None where it names none."""
    stages, options = plan.recipe.stages, plan.recipe_options
    if stages is None:
        return None
    groups = {item: stages.group_of(options, at) for at, item in enumerate(RecipeJob(plan.recipe, plan.payload).ids)}
    ended = [(groups[one.item], FAILED if one.value is None else _reason(one.value)) for one in run.outcomes()]
    critics = plan.critics
    return staged_funnel(
        stages, ended, judge=critics.judge.name if critics else "", judged=critics.stages if critics else ()
    )


def _reason(value: bytes) -> str:
    issues = decode_finished(value).issues
    return issues[0].code if issues else ""


def _finished(run: Run) -> Iterator[Finished]:
    return (decode_finished(outcome.value) for outcome in run.outcomes() if outcome.value is not None)


def _kept_dialogues(run: Run) -> Iterator[Dialogue]:
    return (from_line(one.line, Dialogue, where=str(run.folder)) for one in _finished(run) if not one.issues)


def _in_order(reasons: Mapping[str, int], order: tuple[str, ...]) -> dict[str, int]:
    """Reasons in the order of the checks; those the recipe does not list come last, by name."""

    def place(code: str) -> tuple[int, str]:
        return next((at for at, pattern in enumerate(order) if fnmatchcase(code, pattern)), len(order)), code

    return {code: reasons[code] for code in sorted(reasons, key=place)}


def _funnel(result: SynthesisResult, plan: _Plan) -> dict[str, Json]:
    """The content of `funnel.json`: counts, the steps from planned to kept, and the settings of the dataset."""
    left = result.planned
    steps: list[dict[str, Json]] = [{"step": "planned", "lost": 0, "left": left}]
    lost = [(f"failed: {kind}", count) for kind, count in result.failed.items()]
    lost += [(f"rejected: {code}", count) for code, count in result.rejected.items()]
    for step, count in lost:
        left -= count
        steps.append({"step": step, "lost": count, "left": left})
    steps.append({"step": "kept", "lost": 0, "left": left})
    return {
        **_counts(result),
        "steps": steps,
        "coverage": msgspec.to_builtins(result.coverage),
        "callwright": __version__,
        "config": plan.config,
    }


def _counts(result: SynthesisResult) -> dict[str, Json]:
    return {name: getattr(result, name) for name in _COUNTS}
