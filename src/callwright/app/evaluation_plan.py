"""What an evaluation will do: names resolved, options complete, every dialogue checked, before anything is asked."""

from __future__ import annotations

from pathlib import Path

import msgspec

from callwright.app.datasets import Dataset, open_dataset
from callwright.app.live_user import LiveUser, read_live_user
from callwright.app.model_choice import choose_model
from callwright.baselines import model_factory
from callwright.errors import BadInput
from callwright.evaluate import job, load_protocol, read_options
from callwright.evaluate.scoring import data_digest
from callwright.models.conversation import Calling
from callwright.models.decoding import Decoding
from callwright.models.endpoint import is_served
from callwright.models.retries import Patience
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog


class EvaluationPlan(msgspec.Struct, frozen=True):
    """Everything that decides which transcripts come out."""

    dialogues: tuple[Dialogue, ...]
    catalog: Catalog
    setting: job.Setting
    seed: int
    trials: int
    live: LiveUser | None = None
    """Models behind the live user; None: offline."""

    @property
    def planned(self) -> int:
        return len(self.dialogues) * self.trials

    @property
    def most_replies(self) -> int:
        protocol = load_protocol(self.setting.protocol)
        options = read_options(protocol, self.setting.options)
        return self.trials * sum(protocol.most_replies(dialogue, options) for dialogue in self.dialogues)

    @property
    def config(self) -> dict[str, Json]:
        """What makes the run another run."""
        fixed: dict[str, Json] = {
            **self.setting.options,
            "protocol": self.setting.protocol,
            "model": self.setting.model,
            "data": data_digest(self.dialogues),
            "catalog": self.catalog.digest,
            "seed": self.seed,
            "trials": self.trials,
        }
        if is_served(self.setting.model):
            fixed |= {"calling": self.setting.calling, **self.setting.decoding.config}
        if self.live is not None:
            fixed |= self.live.config
        return fixed


def plan_evaluation(
    dataset: Dataset | str | Path,
    protocol: str,
    options: dict[str, Json],
    *,
    model: str,
    seed: int,
    trials: int,
    user: str | None,
    voter: str | None,
    samples: int | None,
    voters: int | None,
    prompts: str | Path | None,
    base_url: str | None,
    calling: Calling | None,
    decoding: Decoding,
    patience: Patience | None,
    limit: int | None,
) -> EvaluationPlan:
    """Return the plan of `evaluate_model` with these arguments. Raises BadInput where it cannot be done."""
    for name, number in (("trials", trials), ("limit", limit)):
        if number is not None and number < 1:
            raise BadInput(f"{name} is {number}; at least 1 is needed.")
    live = read_live_user(user=user, voter=voter, samples=samples, voters=voters, prompts=prompts, base_url=base_url)
    chosen = choose_model(
        model,
        base_url=base_url,
        calling=calling,
        decoding=decoding,
        patience=patience,
        others_served=live is not None,
    )
    found = load_protocol(protocol)
    setting = job.Setting(
        protocol=found.version,
        options=msgspec.to_builtins(read_options(found, options)),
        model=chosen.name,
        calling=chosen.calling,
        decoding=chosen.decoding,
        patience=chosen.patience,
        user=live.user if live else "",
        voter=live.voter if live else "",
        election=live.election if live else None,
    )
    if live is not None and not found.live:
        raise BadInput(f"a user or voter has no effect in {protocol}: its user turns are recorded. Leave them out.")
    model_factory(chosen.name)
    data = dataset if isinstance(dataset, Dataset) else open_dataset(dataset)
    dialogues = data.dialogues[:limit]
    if not dialogues:
        raise BadInput(f"{data.folder}: the dataset has no dialogues.")
    job.check_dialogues(dialogues, data.catalog, setting)
    return EvaluationPlan(dialogues, data.catalog, setting, seed, trials, live)
