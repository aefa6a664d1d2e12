"""DiaFORGE's part of `builtin/author`: goals, gold values, votes and the two roles, as rules make them offline."""

from __future__ import annotations

import re
from datetime import date
from random import Random
from typing import Final

from callwright.author.prompts import fields
from callwright.papers.diaforge.gold_writing import goal, gold_values
from callwright.papers.diaforge.scripted_roles import assistant_object, user_text
from callwright.records.jsontext import EMPTY_OBJECT, Json, canonical_text, encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool

_SOMEONE: Final = Persona(id="", name="Kim Sato", job="clerk")
_SOME_DAY: Final = date(2025, 3, 3)
_WORDING: Final = re.compile(r"^\d+\. ", re.MULTILINE)


def write_text(asked: str, rng: Random) -> str:
    """Return the goal or turn that a prompt asks for; empty where it asks for something else."""
    if said := user_text(asked):
        return said
    if (step := assistant_object(asked)) is not None:
        return encode(step)
    told = fields(asked)
    if "Tool" not in told or "Style" in told:
        return ""
    return goal.offline(rng, Tool(name="tool", description=told["Tool"], parameters=EMPTY_OBJECT), _SOMEONE, ())


def write_object(asked: str, rng: Random) -> dict[str, Json] | None:
    """Return gold values, a vote or the assistant's step, whichever is asked for; None where it is something else."""
    if (step := assistant_object(asked)) is not None:
        return step
    if (told := fields(asked)).keys() >= _VALUES_NEED:
        return {"reply": _values(told, rng)}
    if wordings := _WORDING.findall(asked):
        return {"reply": rng.randint(1, len(wordings))}
    return None


_VALUES_NEED: Final = frozenset({"Schema of the arguments", "Wanted arguments", "Tool", "Today", "Person"})


def _values(told: dict[str, str], rng: Random) -> dict[str, Json]:
    schema = canonical_text(told["Schema of the arguments"], where="schema")
    tool = Tool(name="tool", description=told["Tool"], parameters=schema)
    wanted = tuple(name for name in told["Wanted arguments"].split(", ") if name)
    return gold_values.offline(rng, tool, wanted, _persona(told["Person"]), _day(told["Today"]))


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return _SOME_DAY.isoformat()


def _persona(line: str) -> Persona:
    """Of `NAME, JOB, CITY, COUNTRY. TEXT`."""
    who, _, text = line.partition(". ")
    name, job, city, country, *_ = [*who.split(", "), "", "", "", ""]
    return Persona(id="", name=name or _SOMEONE.name, job=job, city=city, country=country.rstrip("."), text=text)
