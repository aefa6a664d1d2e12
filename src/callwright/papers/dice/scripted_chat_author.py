"""`builtin/author` in the roles of a group chat: set phrases by what the prompt alone tells, for dry runs."""

from __future__ import annotations

import re
from random import Random

from callwright.author.grammar import write
from callwright.author.prompts import fields
from callwright.lang.english import sentence_case
from callwright.papers.dice.chat_roles import END
from callwright.papers.dice.chat_words import bank_of, parts, words_for
from callwright.records.jsontext import Json


def write_object(asked: str, rng: Random) -> dict[str, Json] | None:
    """No role of a chat replies with an object."""
    return None


def write_text(asked: str, rng: Random) -> str:
    """Return what a prompt of a chat asks for; empty where it asks for something else."""
    if asked.endswith("\nYour sentence:"):
        return _sentence(asked, rng)
    if asked.endswith("\nWho is next?"):
        return f"[NEXT: {_next(asked, rng)}]"
    return ""


def _sentence(asked: str, rng: Random) -> str:
    """Wish, request, the values that are not said yet, or a remark."""
    told = fields(asked)
    manner, wish = told["Type"].partition("_")[0], told.get("You want", "")
    lines = asked.rpartition("\nThe chat so far:\n")[2]
    known = re.findall(r"^- (.+?): (.+)$", asked.rpartition("\nWhat you know:\n")[2].partition("\n\n")[0], re.MULTILINE)
    left = [(noun, value) for noun, value in known if value not in lines]
    frames, words = tuple(parts(one.source)[0] for one in bank_of(f"talk.{manner}")), {"do": wish, "name": "you"}
    if "\nNow ask the AI," in asked:
        return f"AI, please {wish}{' with that' if 'found out before' in asked else ''}."
    if "\nBegin:" in asked:
        frames = bank_of(f"open.{manner}")
    elif left:
        (noun, value), *more = left
        rest = "".join(f", {noun} {value}" for noun, value in more)
        frames, words = bank_of(f"tell.{manner}"), words_for(noun, value + rest)
    text = ""
    for _ in range(8):
        text = write(rng, frames, words)
        if text.lower() not in lines.lower():
            break
    return sentence_case(text)


def _next(asked: str, rng: Random) -> str:
    """Whoever was asked, then who has said least in this round; the end where everybody spoke, the first one twice."""
    people = fields(asked)["In the chat"].split(", ")
    talk = asked.rpartition("\nThis round:\n")[2].partition("\n\n")[0].splitlines()
    spoke = [line.partition(": ")[0] for line in talk]
    called = [name for name in people if name != spoke[-1] and name in talk[-1].partition(": ")[2]]
    if talk[-1].endswith("?") and len(called) == 1:
        return called[0]
    if set(people) <= set(spoke) and spoke.count(spoke[0]) > 1 and len(spoke) > len(people):
        return END
    free = [name for name in people if name != spoke[-1]]
    rng.shuffle(free)
    return min(free, key=lambda name: (spoke.count(name), name == spoke[0]))
