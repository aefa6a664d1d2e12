"""The name of a tool as a person would write it: without what frameworks add, and with its last word whole."""

from __future__ import annotations

import re

import msgspec

from callwright.lang.english import is_plural
from callwright.lang.phrases import is_known, words_of_name
from callwright.lang.tokens import identifier_words
from callwright.records.tool import Tool


def with_spelled_name(tool: Tool) -> Tool:
    """Return the tool with the capitals that its description gives its name: `getNFTOwner.` of `getnftowner2`.

    What generators add to a name is left out: `listUsersUsingGET_1`.
    """
    if tool.source and not tool.source.startswith(_HTTP):
        tool = msgspec.structs.replace(tool, source="")  # a place in a file
    name = _without_service(_without_route(_GENERATED.sub("", tool.name), tool.source), tool.service)
    own = tool.description[:80].partition(".")[0]
    is_own = own.isalnum() and own.lower() == name.lower().rstrip("0123456789")
    name = own if is_own else name
    last = identifier_words(name)[-1:]
    if len(name) >= _LONGEST_NAME and not all(map(is_known, last)):
        name = _completed(name, last[0], tool)
    return tool if name == tool.name else msgspec.structs.replace(tool, name=name)


_HTTP = ("GET ", "POST ", "PUT ", "PATCH ", "DELETE ", "HEAD ", "OPTIONS ")


def _without_route(name: str, source: str) -> str:
    """Leave out the path and the method that a framework puts behind a name: `list_apps_api_v1_app__get`.

    The route may begin before what the document calls the path, and the import may have cut the name.
    """
    method, _, path = source.partition(" ")
    route = f"{_NO_WORD.sub('_', path)}_{method.lower()}"
    for at in range(1, len(name) - _LEAST_ROUTE):
        end, is_cut = name[at:], len(name) >= _LONGEST_NAME - _MOST_TRIMMED
        if route.endswith(end) or (is_cut and end in route and end[0] == "_"):
            return name[:at]
    return name


def _without_service(name: str, service: str) -> str:
    """Leave out the service's title behind what names a thing: `ListStreets_for_Acme_Maps_API` of `Acme Maps API`."""
    end = "_for_" + "_".join(re.findall(r"[A-Za-z0-9]+", service))
    own = name[: -len(end)] if name.lower().endswith(end.lower()) else ""
    told = words_of_name(own)
    return own if len(told) > 1 or (told and is_plural(told[0])) else name


_NO_WORD = re.compile(r"\W")
_LEAST_ROUTE = 6
"""Letters of a route that stand at the end of a name."""
_MOST_TRIMMED = 4
"""Underscores that the import trims off a name that it cut."""


def _completed(name: str, last: str, tool: Tool) -> str:
    """Return a name that the import cut with its last word whole, as the path or the description has it, or without."""
    end = re.split(r"[_.:/-]", name)[-1]
    part = re.search(rf"[:/]({re.escape(end)}\w*)", tool.source, re.IGNORECASE)
    if part:
        return name[: -len(end)] + part[1]
    word = re.search(rf"\b{re.escape(last)}[a-z]+", tool.description, re.IGNORECASE) if len(last) > 3 else None
    return name[: -len(last)] + (word[0] if word else "")


_LONGEST_NAME = 64
_GENERATED = re.compile(r"(?<=\w)(?:Using(?:GET|POST|PUT|DELETE|PATCH)(?:_\d{1,3})?|_\d{1,3})$")
