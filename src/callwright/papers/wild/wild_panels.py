"""What a report shows of the `wild` protocol."""

from __future__ import annotations

from typing import Final

from callwright.protocol import Panel

_TASK: Final = ("task_acc", "Task ↑")
_PATHS: Final = (("op_rate", "OP ↑"), ("ap_rate", "AP ↑"))

PANELS: Final = (
    Panel("Tasks", (_TASK, ("session_acc", "Session ↑"), *_PATHS)),
    Panel("By kind", (_TASK,), slice="kind"),
    Panel("By position", (_TASK,), slice="position"),
    Panel("By hiding", (_TASK,), slice="hiding"),
    Panel("By transitions", (_TASK, ("session_acc", "Session ↑")), slice="transitions"),
    Panel("By topology", (_TASK, *_PATHS), slice="topology"),
    Panel("After a task", (_TASK,), slice="previous_kind"),
    Panel("After its own", (_TASK,), slice="previous_own"),
    Panel("First errors", (("error_share", "share ↓"),), slice="error"),
    Panel("Mines", (("mine_rate", "made ↓"),), slice="mine"),
    Panel("Failures", (("remedy_rate", "right ↑"), ("again_rate", "again ↓")), slice="remedy"),
    Panel("Values changed", (("change_rate", "new ↑"), ("stale_rate", "old ↓"))),
)

NOTE: Final = (
    "OP: tasks of parallel (P) and mixed (S+P) calls done in as few steps as can be. AP: calls done of sequential (S) "
    "and mixed tasks; the closing actions that the paper counts with them (53 + 544) are no calls here. First errors "
    "are shares of failed tasks. Every task is shown the gold trajectory of those before it, not what the model did "
    "there: After a task, and After its own, tell what those were. Sessions with extras (mines, failures, values "
    "changed) are excluded from all figures but theirs."
)
