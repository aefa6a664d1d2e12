"""The words of a `wild` turn: no tool or parameter names, no doubled words, no articles that clash."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from callwright.lang.english import article
from callwright.records.dialogue import ShownTool
from callwright.records.tool import Tool
from callwright.validate.unsayable import ARTICLE, DOUBLED, IDENTIFIERS, is_identifier

_MACHINE = re.compile(r"\b(?:required parameters?|parameter values?|tool call|function call|api endpoint|null)\b")
_QUOTED = re.compile(r'"[^"]*"')


def wording_faults(text: str, tools: Iterable[Tool], shown: Sequence[ShownTool]) -> list[str]:
    """Return what no person would say in this text. What stands in quotes is a value and is left alone."""
    bare = _QUOTED.sub('""', text)
    names = {one.name for one in shown} | {name for tool in tools for name in tool.properties}
    leaked = sorted({word for word in IDENTIFIERS.findall(bare) if word in names and is_identifier(word)})
    faults = [f"{name} is a name for machines" for name in leaked]
    if found := DOUBLED.search(bare):
        faults.append(f"{found.group()!r} is said twice")
    faults += [f"{a.group()!r} clashes" for a in ARTICLE.finditer(bare) if a[1].lower() != article(a[2])]
    if found := _MACHINE.search(bare.lower()):
        faults.append(f"{found.group()!r} is a machine's word")
    return faults
