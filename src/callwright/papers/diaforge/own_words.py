"""Free texts that a call words otherwise than the gold value: accepted where they are near it, or the user's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from callwright.match.arguments import fits_value
from callwright.match.leniency import Leniency
from callwright.records.dialogue import Dialogue, GoldArgument
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool

SAME_WORDS: Final = Leniency(schema=False, literals="declared", strings="near")
"""A free text that the user worded anew may be called in those words."""
_EXACT: Final = Leniency(schema=False, literals="declared")


def with_own_words(dialogue: Dialogue, tool: Tool) -> Dialogue:
    """Return the dialogue with the values that were called among those accepted."""
    if not dialogue.turns[-1].calls or not dialogue.tasks[0].gold:
        return dialogue
    task, called = dialogue.tasks[0], dialogue.turns[-1].calls[0].values
    gold = task.gold[0]
    arguments = tuple(_accepting(argument, called, tool) for argument in gold.arguments)
    gold = msgspec.structs.replace(gold, arguments=arguments)
    return msgspec.structs.replace(dialogue, tasks=(msgspec.structs.replace(task, gold=(gold,)),))


def _accepting(argument: GoldArgument, called: Mapping[str, Json], tool: Tool) -> GoldArgument:
    if argument.name not in called:
        return argument
    text = encode(called[argument.name])
    values = [decode(one) for one in argument.accepted]
    if any(fits_value(called[argument.name], one, argument.name, tool, leniency=_EXACT) for one in values):
        return argument
    return msgspec.structs.replace(argument, accepted=(*argument.accepted, text))
