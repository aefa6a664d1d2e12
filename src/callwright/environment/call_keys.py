"""What a call is known by: its own thing, its address, and the text of it."""

from __future__ import annotations

from collections.abc import Mapping

from callwright.environment.membership import collection_of, filled_path, identifies, tells_layout
from callwright.environment.returns import path_of
from callwright.environment.tool_target import IN_PATH, ToolTarget, target_of
from callwright.lang.english import base_verb, is_plural
from callwright.lang.schemas import name_words, singular
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool


def address_of(tool: Tool, arguments: Mapping[str, Json]) -> str:
    """The path of a call, with its parameters filled in; empty where the tool has none."""
    return filled_path(tool, arguments) if IN_PATH.search(path_of(tool)) else ""


def source_of(tool: Tool, arguments: Mapping[str, Json]) -> str:
    """The call as far as it decides what is told, as text."""
    return f"{tool.key}/{encode({name: one for name, one in arguments.items() if not _is_presentation(name)})}"


def _is_presentation(name: str) -> bool:
    """Whether an argument says how a result is written, and not what it tells."""
    return tells_layout(name) or name_words(name) in (("page", "size"), ("per", "page"))


def own_key(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json]) -> str:
    """What a call's own thing is known by: its identifier, or the address of what only a name tells, as of a file."""
    if target.own not in arguments:
        return ""
    is_below = len(IN_PATH.findall(path_of(tool))) > 1
    is_named = is_below and not identifies(tool, target.own)
    return f"{collection_of(tool, arguments)}/{arguments[target.own]}" if is_named else str(arguments[target.own])


def segment_of(tool: Tool) -> tuple[str, ...]:
    """Return the words of what a path calls the things that a call is about, in the singular; empty without a path.

    `build`, `hook` of `GET /sites/{site_id}/build_hooks/{id}`.
    """
    parts = [part for part in path_of(tool).split("/") if part and "{" not in part]
    words = name_words(parts[-1]) if parts else ()
    return (*words[:-1], singular(words[-1])) if words else ()


def puts(tool: Tool, target: ToolTarget) -> bool:
    """Whether something is there after a call that was not there before."""
    return target.act == "create" or tool.source.startswith("PUT ")


def takes_whole_part(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json]) -> bool:
    """Whether a call deletes the only such part of a thing: the config of an instance, not one of several members."""
    last = path_of(tool).rpartition("/")[2]
    is_whole = set(arguments) <= set(IN_PATH.findall(path_of(tool))) and "{" not in last and not is_plural(last)
    return target.act == "change" and tool.source.startswith("DELETE ") and is_whole


def only_one(tool: Tool, arguments: Mapping[str, Json]) -> str:
    """The path of a thing that has no identifier as it is the only one there: the settings of an account.

    Empty where something else than the path may say what is read, or nothing is at a path.
    """
    path, act = path_of(tool), target_of(tool).act
    is_plain = act in ("change", "delete") or (act == "read" and set(arguments) <= set(IN_PATH.findall(path)))
    return f"{tool.service} {filled_path(tool, arguments)}" if path and is_plain else ""


def called_by(tool: Tool, arguments: Mapping[str, Json]) -> str:
    """The thing that several calls name by the same words and arguments, where no path has parameters.

    `/users.profile` of user 7, of `/users.profile.get` and `/users.profile.set`; empty for other paths.
    """
    target, (before, _, act) = target_of(tool), path_of(tool).rpartition(".")
    is_called = target.act in ("read", "change") and base_verb(act.lower()) == act.lower()
    named = sorted(f"{name}={one}" for name, one in plain_arguments(arguments).items() if identifies(tool, name))
    return f"{tool.service} {before}?{'&'.join(named)}" if is_called and before and "{" not in before and named else ""


def plain_arguments(arguments: Mapping[str, Json]) -> dict[str, str]:
    """Return the arguments that are no objects and no lists, as texts."""
    return {name: str(one) for name, one in arguments.items() if not isinstance(one, (dict, list))}
