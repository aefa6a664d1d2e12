"""What a report shows of the `wild` protocol."""

from __future__ import annotations

from typing import Final

from callwright.evaluate import Panel

_TASK: Final = ("task_acc", "Task ↑")
_PATHS: Final = (("op_rate", "OP ↑"), ("ap_rate", "AP ↑"))

PANELS: Final = (
    Panel("Tasks", (_TASK, ("session_acc", "Session ↑"), *_PATHS)),
    Panel("By kind of task", (_TASK,), slice="kind"),
    Panel("By position in the session", (_TASK,), slice="position"),
    Panel("By how information is hidden", (_TASK,), slice="hiding"),
    Panel("By changes of kind in the session", (_TASK, ("session_acc", "Session ↑")), slice="transitions"),
    Panel("By shape of the calls", (_TASK, *_PATHS), slice="topology"),
    Panel("After a task of this kind", (_TASK,), slice="previous_kind"),
    Panel("After the model itself did this", (_TASK,), slice="previous_own"),
    Panel("Failed tasks by their first error", (("error_share", "share ↓"),), slice="error"),
    Panel("Extras: forbidden calls", (("mine_rate", "made ↓"),), slice="mine"),
    Panel("Extras: after a tool failed", (("remedy_rate", "right ↑"),), slice="remedy"),
    Panel("Extras: a value was changed", (("change_rate", "new ↑"), ("stale_rate", "old ↓"))),
)

NOTE: Final = (
    "OP: tasks of parallel (P) and mixed (S+P) calls done in as few steps as can be. AP: calls done of sequential (S) "
    "and mixed tasks; the closing actions that the paper counts with them (53 + 544) are no calls here. "
    "Every task is shown the gold trajectory of those before it, not what the model did there. Sessions with extras "
    "are excluded from all but the figures of extras."
)
