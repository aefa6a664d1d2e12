"""Gold values that a call may leave out: the paper's gold is the required ones only (DiaFORGE, section 3.1).

The user says each of them unasked, before the last required one; a call made before that is not judged on them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from callwright.author.required_values import required_paths
from callwright.catalog.slots import assemble, leaves
from callwright.records.dialogue import GoldArgument, GoldCall
from callwright.records.jsontext import decode, encode
from callwright.records.tool import Tool


def optional_of(tool: Tool, paths: Iterable[str]) -> frozenset[str]:
    """Return those of the slots that a call of the tool does not need."""
    return frozenset(paths).difference(required_paths(tool))


def judged(gold: GoldCall, tool: Tool, unsaid: Collection[str]) -> GoldCall:
    """Return the gold call with the `unsaid` values left to the model, as far as the tool does not require them."""
    open_ = optional_of(tool, unsaid)
    if not open_:
        return gold
    return msgspec.structs.replace(gold, arguments=tuple(_judged(argument, tool, open_) for argument in gold.arguments))


def _judged(argument: GoldArgument, tool: Tool, unsaid: frozenset[str]) -> GoldArgument:
    accepted = list(argument.accepted)
    for text in argument.accepted:
        values = leaves(tool, {argument.name: decode(text)})
        said = {path: value for path, value in values.items() if path not in unsaid}
        if not said:
            return msgspec.structs.replace(argument, optional=True)
        if len(said) < len(values):
            accepted.append(encode(assemble(tool, said)[argument.name]))
    return msgspec.structs.replace(argument, accepted=tuple(accepted))
