"""DiaFORGE's part of `builtin/author`: goals, values, votes, verdicts and the two roles, as rules make them offline."""

from __future__ import annotations

import re
from datetime import date
from random import Random
from typing import Final

from callwright.author.prompts import fields, listed_under
from callwright.papers.diaforge.gold_writing import goal, gold_values
from callwright.papers.diaforge.scripted_roles import assistant_object, quoted_values, user_text
from callwright.records.jsontext import EMPTY_OBJECT, Json, canonical_text, encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool

_SOMEONE: Final = Persona(id="", name="Kim Sato", job="clerk")
_SOME_DAY: Final = date(2025, 3, 3)
_JUDGE_ENDS: Final = "\nYour verdict:"
_LONGEST_WHY: Final = 300
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
    """Return gold values, a vote, a verdict or the assistant's step; None where something else is asked for."""
    if (step := assistant_object(asked)) is not None:
        return step
    if (quotations := quoted_values(asked)) is not None:
        return {"reply": quotations}
    if (told := fields(asked)).keys() >= _VALUES_NEED:
        return {"reply": _values(told, rng)}
    if asked.endswith(_JUDGE_ENDS):
        return {"reply": _verdict(asked, told)}
    if wordings := _WORDING.findall(asked):
        return {"reply": rng.randint(1, len(wordings))}
    return None


_VALUES_NEED: Final = frozenset({"Schema of the arguments", "Wanted arguments", "Tool", "Today", "Person"})


def _verdict(asked: str, told: dict[str, str]) -> dict[str, Json]:
    """The first remark of the rules, if there is one."""
    remarks = listed_under(asked, "Remarks of rules over words")
    if not remarks:
        return {"reason": "Rules remark nothing.", "fault": "none", "quote": ""}
    kind, _, why = remarks[0].partition(": ")
    return {"reason": why[:_LONGEST_WHY], "fault": kind, "quote": told["The person's next message"][:_LONGEST_WHY]}


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
