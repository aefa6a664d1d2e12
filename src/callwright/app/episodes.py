"""Episodes of a dataset: the live user and the tools as an environment for other programs.

episodes = callwright.open_episodes("ds", "dynamic")
episode = episodes.open(episodes.ids[0])
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from callwright.app.datasets import Dataset, open_dataset
from callwright.errors import BadInput, unknown_name
from callwright.papers.registry import load_protocol
from callwright.protocol import EvaluationProtocol, tools_shown
from callwright.protocol.episode import Episode
from callwright.protocol.episode_rewards import RewardScale, signs_of
from callwright.protocol.system_prompt import read_system
from callwright.records.dialogue import Dialogue


class Episodes:
    """The dialogues of a dataset as episodes under one protocol."""

    def __init__(self, data: Dataset, protocol: EvaluationProtocol, system: str, options: dict[str, Any]) -> None:
        """Every dialogue is checked. Raises BadInput, which names the dialogue."""
        if not data.dialogues:
            raise BadInput(f"{data.folder}: the dataset has no dialogues. Make some first.")
        self._by_id: dict[str, Dialogue] = {dialogue.id: dialogue for dialogue in data.dialogues}
        self._data, self.protocol, self._system, self._options = data, protocol, system, options
        self._shown = tools_shown(protocol, data.catalog, options)
        self._scales: dict[str, RewardScale] = {}
        for dialogue in data.dialogues:
            self.open(dialogue.id).close()

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the dialogues, in their order."""
        return tuple(self._by_id)

    def open(self, dialogue: str, *, seed: int = 0) -> Episode:
        """Return a new episode of a dialogue. Raises UnknownName."""
        if dialogue not in self._by_id:
            raise unknown_name("dialogue", dialogue, list(self._by_id))
        return Episode(
            self.protocol,
            self._by_id[dialogue],
            self._data.catalog,
            options=self._options,
            system=self._system,
            seed=seed,
            shown=self._shown,
            scale=lambda: self._scale(dialogue),
        )

    def gold(self, dialogue: str) -> dict[str, float]:
        """Return the scores of the right replies. Raises UnknownName."""
        return dict(self._scale(dialogue).gold)

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the parts that rewards have; a dialogue has those that its right replies are measured by."""
        found = {name for one in self.ids for name in self._scale(one).gold}
        return tuple(name for name in signs_of(self.protocol.panels) if name in found)

    def _scale(self, dialogue: str) -> RewardScale:
        if dialogue not in self._scales:
            episode = self.open(dialogue)
            self._scales[dialogue] = episode.measured_scale()
            episode.close()
        return self._scales[dialogue]


def open_episodes(
    dataset: Dataset | str | Path, protocol: str = "dynamic", *, system: str | Path | None = None, **options: Any
) -> Episodes:
    """Return the dialogues of a dataset as episodes; `options` are the protocol's, `system` as in an evaluation.

    Raises UnknownName, and BadInput for data or options that the protocol cannot run.
    """
    found = load_protocol(protocol)
    data = dataset if isinstance(dataset, Dataset) else open_dataset(dataset)
    return Episodes(data, found, read_system(found, system).text, options)
