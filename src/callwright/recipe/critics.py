"""Critics: judges that follow the rule cascade of any recipe (DiaFORGE, appendix A.2).

A dialogue that the rules keep is put to all critics of a stage at once, and what they keep to those of the next stage.
By default each critic rejects on its own, in one stage; panels (`callwright.recipe.panels`) reject by a rule over
several. A critic that does not apply rejects nothing; one without a usable reply fails the rollout, with role `judge`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from callwright.engine.context import Context
from callwright.engine.job import Job
from callwright.errors import BadInput
from callwright.judge.asking import ROLE, ask_judge, units
from callwright.judge.rubric import Rubric
from callwright.judge.subject import Talk
from callwright.models.chat import ChatModel
from callwright.recipe.panels import JudgedStage, each_alone, panel_issues
from callwright.recipe.recipe_job import decode_finished, encode_finished
from callwright.records.codec import from_line
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.judgement import Judgement
from callwright.records.tool import Catalog


class CriticisedJob:
    """The job of a recipe, with critics after its cascade."""

    def __init__(
        self,
        job: Job,
        rubrics: Sequence[Rubric],
        judge: ChatModel,
        catalog: Catalog,
        stages: Sequence[JudgedStage] = (),
    ) -> None:
        """Without `stages` each of the `rubrics` rejects on its own."""
        self.ids = job.ids
        self._job = job
        self._stages = tuple(stages) or (each_alone(rubrics),)
        self._rubrics = {rubric.name: rubric for rubric in rubrics}
        self._judge = judge
        self._tools = catalog.by_key

    def models(self, index: int) -> dict[str, ChatModel]:
        """Return the models of the recipe, and the judge."""
        return {**self._job.models(index), ROLE: self._judge}

    async def run(self, index: int, ctx: Context) -> bytes:
        """Return dialogue `index`, kept or rejected by rules or critics. Raises RolloutFailed."""
        value = await self._job.run(index, ctx)
        finished = decode_finished(value)
        if finished.issues:
            return value
        dialogue = from_line(finished.line, Dialogue, where=f"dialogue {index}")
        judgements: tuple[Judgement, ...] = ()
        issues: tuple[Issue, ...] = ()
        for stage in self._stages:
            own = await self._judgements([self._rubrics[name] for name in stage.criteria], dialogue, ctx)
            judgements, issues = (*judgements, *own), panel_issues(stage, dialogue, own)
            if issues:
                break
        return encode_finished(dialogue, issues, judgements=judgements)

    async def _judgements(self, rubrics: Sequence[Rubric], dialogue: Dialogue, ctx: Context) -> tuple[Judgement, ...]:
        """The critics' verdicts, all asked at once; none is cut off by another's failure, as its reply is paid for."""
        talk = Talk(dialogue, dialogue.turns, self._tools)
        asked = units([talk], rubrics, [self._judge.name])
        places = [ctx.at(f"judge/{unit.planned.criterion}") for unit in asked]
        pairs = zip(asked, places, strict=True)
        samples = await asyncio.gather(
            *(ask_judge(unit.subject, place) for unit, place in pairs), return_exceptions=True
        )
        made = []
        for unit, sample in zip(asked, samples, strict=True):
            if isinstance(sample, BaseException):
                raise sample
            made.append(msgspec.structs.replace(unit.planned, samples=(sample,)))
        return tuple(made)


def check_critics(rubrics: Sequence[Rubric]) -> None:
    """Raise BadInput for a criterion that cannot reject."""
    for rubric in rubrics:
        if rubric.keep_from is None:
            raise BadInput(
                f"criterion {rubric.name} has no lowest accepted grade. Add `keep_from` to your own rubric, or use "
                "it with `callwright judge`."
            )
