"""Environments for other programs: a folder with the data, and one thin module that plays its episodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from callwright import __version__
from callwright.app.datasets import Dataset, open_dataset
from callwright.app.episodes import Episodes
from callwright.errors import BadInput, unknown_name
from callwright.formats import catalog as catalogs
from callwright.papers.registry import load_protocol
from callwright.protocol import read_options
from callwright.protocol.episode_rewards import RIGHT
from callwright.protocol.system_prompt import NEUTRAL
from callwright.records.codec import to_line
from callwright.store import dataset as folders
from callwright.store.files import new_folder, write_atomically
from callwright.store.links import refuse_taken_folder

MODULE: Final = "callwright_env.py"
DATA: Final = "callwright_env_data"
"""The folder of the data: it lies beside the module where that is installed too, and so has a name of its own."""


class EnvironmentKind(NamedTuple):
    """A program that episodes are played in."""

    requires: str
    """The package that the environment needs beside this one."""
    use: str
    """How it is run, as a line of its README."""


KINDS: Final[Mapping[str, EnvironmentKind]] = MappingProxyType(
    {
        "inspect": EnvironmentKind("inspect_ai>=0.3", "inspect eval callwright_env.py --model openai/NAME"),
        "verifiers": EnvironmentKind(
            "verifiers>=0.4", "pip install . && vf-eval callwright_env --model NAME --no-push"
        ),
        "trl-grpo": EnvironmentKind(
            "trl>=1.16", "from callwright_env import CallwrightEnvironment, reward_funcs, reward_weights, rows"
        ),
    }
)


def export_environment(
    dataset: Dataset | str | Path, kind: str, *, out: str | Path, protocol: str = "dynamic", **options: Any
) -> int:
    """Write a dataset as an environment of `KINDS` to the new folder `out`; return the number of episodes.

    `options` are those of the protocol. Raises UnknownName, StorageFailed, and BadInput for a dialogue that the
    protocol cannot run, named, for a folder that holds something, and where the right replies earn nothing.
    """
    if kind not in KINDS:
        raise unknown_name("kind of environment", kind, list(KINDS))
    out = Path(out)
    refuse_taken_folder(out)
    found = load_protocol(protocol)
    data = dataset if isinstance(dataset, Dataset) else open_dataset(dataset)
    complete = msgspec.to_builtins(read_options(found, options))
    episodes = Episodes(data, found, NEUTRAL, complete)
    _check_earnings(episodes, found.version)
    what = f"{len(episodes.ids):,} dialogues, protocol {found.version}, digest {data.digest}"
    with new_folder(out) as folder:
        folders.write_dataset(
            folder / DATA,
            dialogues=map(to_line, data.dialogues),
            rejected=(),
            catalog=catalogs.write(data.catalog),
            funnel={"kept": len(data.dialogues), "environment": kind, "callwright": __version__},
            card=f"# Dialogues of an environment\n\n{len(data.dialogues):,} dialogues, digest `{data.digest}`.\n",
        )
        for name, text in _files(kind, what, protocol, complete, episodes.parts).items():
            write_atomically(folder / name, [text.encode()])
    return len(episodes.ids)


def _check_earnings(episodes: Episodes, version: str) -> None:
    """Raise BadInput where no right reply is told from a wrong one: nothing could be learnt."""
    golds = (episodes.gold(one) for one in episodes.ids)
    if not any(gold.get(RIGHT) and set(episodes.parts) & gold.keys() - {RIGHT} for gold in golds):
        raise BadInput(
            f"{version}: with these options the right replies earn nothing, so nothing could be learnt. "
            "Choose other options, or another protocol."
        )


def _files(kind: str, what: str, protocol: str, options: Mapping[str, Any], parts: Sequence[str]) -> dict[str, str]:
    source = (files("callwright.train") / "data" / "environments" / f"{kind}.py.txt").read_text(encoding="utf-8")
    written = {"WHAT": what, "PROTOCOL": repr(protocol), "OPTIONS": repr(dict(options)), "PARTS": repr(tuple(parts))}
    for name, value in written.items():
        source = source.replace(f"@{name}@", value)
    project = (
        '[build-system]\nrequires = ["setuptools>=61"]\nbuild-backend = "setuptools.build_meta"\n\n'
        '[project]\nname = "callwright-env"\nversion = "0.1.0"\nrequires-python = ">=3.11"\n'
        f'dependencies = ["callwright=={__version__}", "{KINDS[kind].requires}"]\n\n'
        f'[tool.setuptools]\npy-modules = ["callwright_env"]\npackages = ["{DATA}"]\n\n'
        f'[tool.setuptools.package-data]\n{DATA} = ["*"]\n'
    )
    readme = f"# Environment of Callwright\n\n{what}, for {kind}.\n\n    {KINDS[kind].use}\n"
    return {MODULE: source, "pyproject.toml": project, "README.md": readme}
