"""The work of the engine: a job, how a worker process builds it anew, and one rollout of it with its outcome."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from callwright.engine.context import Context, Rollout
from callwright.errors import BadInput, Interrupted, RolloutFailed, StorageFailed
from callwright.models.chat import ChatModel
from callwright.store.outcome import Outcome


class Job(Protocol):
    """A list of rollouts that any worker process can rebuild from its payload."""

    @property
    def ids(self) -> Sequence[str]:
        """Unique ids of the items, in planned order."""

    def models(self, index: int) -> dict[str, ChatModel]:
        """Return the models of item `index` by role; other roles are offline. Called only in the parent process."""

    async def run(self, index: int, ctx: Context) -> bytes:
        """Roll out item `index` and return its encoded record, which depends only on `ctx`. Raises RolloutFailed."""


JobMaker = Callable[[bytes], Job]
"""An importable function that builds the same job from its payload in every process."""


class Processes(NamedTuple):
    """Worker processes, and what each builds its job from."""

    workers: int
    make: JobMaker
    payload: bytes


# -- running a rollout -----------------------------------------------------------------------------------------------

_LONGEST_MESSAGE = 2_000


class Unit(NamedTuple):
    """One owed rollout: the position of its item in the job, and its trial."""

    position: int
    trial: int


async def attempt_rollout(job: Job, unit: Unit, rollout: Rollout) -> Outcome:
    """Return the outcome of the rollout; an unexpected exception is a failure of kind `bug:<its class>`.

    Bad data that only the rollout could see fails it as `bad_data`.
    Raises Interrupted and StorageFailed, which concern the whole run.
    """
    try:
        value = await job.run(unit.position, Context(rollout))
        if not isinstance(value, bytes):
            raise TypeError(f"a rollout returned {type(value).__name__} instead of an encoded record")
    except (Interrupted, StorageFailed):
        raise
    except RolloutFailed as error:
        return _failed(rollout, kind=error.kind, role=error.role, message=str(error))
    except BadInput as error:
        return _failed(rollout, kind="bad_data", role="engine", message=str(error))
    except Exception as error:  # noqa: BLE001 - one rollout's defect must not end the others
        return _failed(rollout, kind=f"bug:{type(error).__name__}", role="engine", message=_last_line(error))
    return Outcome(item=rollout.item, trial=rollout.trial, value=value)


def _failed(rollout: Rollout, *, kind: str, role: str, message: str) -> Outcome:
    readable = message[:_LONGEST_MESSAGE].encode("utf-8", "replace").decode()  # a lone surrogate cannot be stored
    return Outcome(item=rollout.item, trial=rollout.trial, kind=kind, role=role, message=readable)


def _last_line(error: Exception) -> str:
    line = traceback.format_exception_only(error)[-1].strip()
    frames = traceback.extract_tb(error.__traceback__)
    return f"{line} ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else line
