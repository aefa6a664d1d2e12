"""`builtin/author` in the roles of a dialogue: set phrases by what the prompt alone tells, for dry runs."""

from __future__ import annotations

import re
from random import Random
from typing import Final

from callwright.author.prompts import fields, listed_under
from callwright.environment.scripted_tools import scripted_result
from callwright.lang.english import join_with, sentence_case, with_the
from callwright.records.jsontext import Json

_SET: Final = {
    "affirm": ("Yes, please.", "That would be great.", "Exactly, go ahead."),
    "negate": ("No, that is not what I mean.", "No, something else."),
    "user_bye": ("Thank you, goodbye.", "Thanks a lot, bye."),
    "clarify": ("What exactly do you need?", "Could you tell me more about it?"),
    "response_fail": ("I am sorry, then I cannot help with it.", "I am afraid I cannot do anything else."),
    "system_bye": ("You are welcome, goodbye.", "Glad I could help, take care."),
}


def write_object(asked: str, rng: Random) -> dict[str, Json] | None:
    """Return the assistant's turn, or a result; None where something else is asked for."""
    if not asked.endswith("\nThe turn:"):
        return scripted_result(asked)
    told = fields(asked)
    acts = next(rest for name, rest in told.items() if name.startswith("The acts of the turn")).split(", ")
    return {
        "thoughts": [f"The next step is {act.replace('_', ' ')}." for act in acts],
        "say": _said(acts[-1], asked, rng),
    }


def _said(act: str, asked: str, rng: Random) -> str:
    found, choices, nouns = (listed_under(asked, head) for head in ("Found", "Choices", "Ask for"))
    if act == "request_multi":
        return f"There are several: {join_with(choices)}. Which one is it?"
    if act == "request":
        lacking = re.search(r"^The person does not have: (.+)$", asked, re.MULTILINE)
        lead = f"I can look up {lacking[1]}. " if lacking else ""
        return f"{lead}Please tell me {join_with([with_the(noun) for noun in nouns])}."
    if act == "suggest":
        suggested = re.search(r"^Suggest to (.+)$", asked, re.MULTILINE)
        return f"Would you like to {suggested[1] if suggested else 'do that'}?"
    if act != "response":
        return rng.choice(_SET[act])
    told = "; ".join(re.sub(r"^(\D[^:]*): ", lambda one: f"{with_the(one[1])} is ", fact) for fact in found)
    return f"{sentence_case(told.replace('the done is', 'done:'))}." if told else "Here is what came out."


def write_text(asked: str, rng: Random) -> str:
    """Return the person's message; empty where something else is asked for."""
    if asked.endswith("\nYour query:"):
        return fields(asked)["Such as"]
    act = re.search(r"^The act of your message, turn \d+: (\w+)$", asked, re.MULTILINE)
    if act is None or not asked.endswith("\nYour message:"):
        return ""
    if act[1] in _SET:
        return rng.choice(_SET[act[1]])
    told = fields(asked)
    wish = told.get("Words of the wish", "")
    beside = told.get("It also uses these words, with which you say what you have or what it is about", "")
    is_act = not re.match(r"(?:an?|the|my|your|something|some)\b", wish) and " " in wish
    parts = [f"I would like to {wish}." if is_act else f"It is about {wish}."] if wish else []
    parts += [f"It has to do with {beside}."] if beside else []
    said = (one.partition(": ") for one in listed_under(asked, "Say"))
    parts += [f"{sentence_case(with_the(noun))} is {value}." for noun, _, value in said]
    parts += [f"I do not know {told['Missing']}."] if "Missing" in told else []
    return " ".join(parts)
