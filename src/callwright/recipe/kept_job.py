"""What a synthesis with models is made from beside their replies, kept in its run so that it can be done again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from callwright.author.prompts import Prompts
from callwright.engine.job import Job
from callwright.errors import BadRecord
from callwright.judge.rubric import Rubric
from callwright.models.chat import ChatModel
from callwright.recipe import Recipe
from callwright.recipe.critics import CriticisedJob
from callwright.recipe.panels import JudgedStage
from callwright.recipe.recipe_job import RecipeJob

KEPT_JOB: Final = "job"
"""Name of the blob in the run."""


class KeptJob(msgspec.Struct, frozen=True):
    """A job with its prompts, the names of its models by role, and the rubrics of its critics."""

    payload: bytes
    models: dict[str, str]
    prompts: dict[str, str]
    """Texts by name; empty where no author writes."""
    rubrics: tuple[Rubric, ...] = ()
    judge: str = ""
    """The judge's model, asked about `rubrics`."""
    stages: tuple[JudgedStage, ...] = ()
    """The panels of the critics; empty: each rejects on its own."""

    def job(self, recipe: Recipe, models: Mapping[str, ChatModel], judge: ChatModel | None) -> Job:
        """Return the job with models in the places of those that it names."""
        prompts = Prompts.of(self.prompts) if self.prompts else None
        job = RecipeJob(recipe, self.payload, models, prompts)
        return CriticisedJob(job, self.rubrics, judge, job.catalog, self.stages) if judge else job


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(KeptJob)


def encode_kept_job(kept: KeptJob) -> bytes:
    """Return what `decode_kept_job` reads."""
    return _encoder.encode(kept)


def decode_kept_job(value: bytes, *, where: str) -> KeptJob:
    """Return a kept job. Raises BadRecord for bytes that are none."""
    try:
        return _decoder.decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{where}: {error}. Make the dataset again.") from error
