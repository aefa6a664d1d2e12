"""Let a patient assistant that asks in its own words talk with the live user, and count how often it gets there.

    python tests/long/patient.py [NAME ...] [--limit 60] [--data ../shared/data/openapi] [--out DIR] [--show 0]

It asks which tool is meant, then for each missing value, in one of six styles, and calls when it has heard them all.
It knows which tool and which values are right, and nothing that was not said: a value counts as heard once the user's
words mention it. So what it fails at is what the user does not understand or does not say.

One line a catalogue and style: Acc of the dynamic protocol over the dialogues without a fault of the user, at least
.97; how many were excluded; exchanges a dialogue, and those that the offline assistant of the dataset took, at most one
more. Ends with status 1 where one is beyond that.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from eleven import BUILD, DATA, datasets

import callwright
from callwright.author.briefs import Known
from callwright.author.value_checks import is_said, is_sayable
from callwright.engine.context import Context
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.diaforge.diaforge_options import DynamicOptions
from callwright.papers.diaforge.dynamic_protocol import begin, rollout
from callwright.papers.diaforge.tool_metrics import tool_counts
from callwright.records.dialogue import Call, Dialogue
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool
from callwright.records.transcript import Transcript

LEAST_ACC, MOST_MORE = 0.97, 1.0

# -- words -----------------------------------------------------------------------------------------------------------

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SHORT = 14
"""Most words of a description that are said."""


class Wanted(NamedTuple):
    """A value to ask for: its parameter's name in words, its description or that name, and what kind of value it is."""

    name: str
    described: str
    kind: str
    options: tuple[str, ...]
    raw: str


def wanted(known: Known, tool: Tool) -> Wanted:
    """Return how a value can be asked for; `slot.name` may be the dotted path of a part of a body."""
    path = [part for part in known.slot.name.split(".") if not part.isdigit()]
    name = in_words(" ".join(path[-2:]))
    schema = tool.properties.get(known.slot.name, {})
    options = schema.get("enum")
    described = first_sentence(known.slot.description)
    listed = tuple(in_words(str(one)) for one in options) if isinstance(options, list) and len(options) <= 6 else ()
    return Wanted(name, _with_article(described or name), known.slot.kind, listed, path[-1])


def in_words(name: str) -> str:
    """Return a name of code in words: `fileVersion_id` is `file version id`."""
    words = (part if part.isupper() and len(part) > 1 else part.lower() for part in _PART.findall(name))
    return " ".join(words)


def first_sentence(description: str) -> str:
    """Return the first sentence of a description in lower case, cut short; empty where it is too long to say."""
    text = re.split(r"[.;:(\n]|, such as|, for example|, e\.g", description.strip(), maxsplit=1)[0].strip()
    words = text.split()
    is_speakable = 0 < len(words) <= _SHORT and not re.search(r"[`<>{}\[\]]", text)
    return " ".join([words[0] if words[0].isupper() else words[0].lower(), *words[1:]]) if is_speakable else ""


def _with_article(text: str) -> str:
    return text if re.match(r"(the|a|an|your|whether|when|who|how|if|what|which)\b", text, re.I) else f"the {text}"


def told_apart(gold: Tool, others: Sequence[Tool]) -> list[str]:
    """Return a short verb phrase for each tool, the gold one first."""
    sentences = [first_sentence(tool.description) for tool in (gold, *others)]
    return [
        in_words(tool.name)
        if not sentence or sentences.count(sentence) > 1 or sentence.startswith("note")
        else sentence
        for tool, sentence in zip((gold, *others), sentences, strict=True)
    ]


# -- styles ----------------------------------------------------------------------------------------------------------


def _joined(parts: Sequence[str], word: str = "and") -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def by_name(asked: Sequence[Wanted]) -> str:
    """All by the parameters' names."""
    return f"Could you please tell me {_joined([f'the {one.name}' for one in asked])}?"


def by_description(asked: Sequence[Wanted]) -> str:
    """Two at a time by description."""
    return f"What I still need is {_joined([one.described for one in asked])}. Can you give me that?"


def as_list(asked: Sequence[Wanted]) -> str:
    """All as a numbered list, as they are spelled."""
    lines = "\n".join(f"{number}. {one.raw}" for number, one in enumerate(asked, 1))
    return f"To go on I need the following:\n{lines}"


def one_by_one(asked: Sequence[Wanted]) -> str:
    """One at a time, tersely."""
    return f"And the {asked[0].name}?" if len(asked[0].name.split()) > 1 else f"What's the {asked[0].name}?"


def by_type(asked: Sequence[Wanted]) -> str:
    """One at a time, by a question word where the kind of value has one."""
    one = asked[0]
    if one.options:
        return f"Which {one.name} should it be: {_joined(one.options, 'or')}?"
    words = {"date": "On which day is", "datetime": "When is", "time": "At what time is", "person": "Who is"}
    if one.kind in words:
        return f"{words[one.kind]} {one.described}?"
    return f"Which {one.name} do you mean?"


def politely(asked: Sequence[Wanted]) -> str:
    """Two at a time, with a long preamble."""
    return (
        "Thank you very much, I'm almost there! Before I can take care of this for you, and so that I don't get "
        f"anything wrong, would you be so kind as to let me know {_joined([one.described for one in asked])}? "
        "There's no hurry."
    )


class Style(NamedTuple):
    """How an assistant asks: its words, and for how many values at once."""

    ask: Callable[[Sequence[Wanted]], str]
    at_once: int


STYLES = {
    "by name": Style(by_name, 3),
    "by description": Style(by_description, 2),
    "as a list": Style(as_list, 9),
    "one by one": Style(one_by_one, 1),
    "by type": Style(by_type, 1),
    "politely": Style(politely, 2),
}

AGAIN = (by_name, by_description, by_type)
"""Other words for what was asked in vain."""

# -- the assistant ---------------------------------------------------------------------------------------------------

_DENIED = re.compile(r"\b(?:neither|none of|not (?:that|those|any|quite)|no,|something else)", re.IGNORECASE)
_MOST_WHICH = 2


class Patient:
    """Asks which tool, then for the missing values, and calls."""

    name = "builtin/patient"

    def __init__(self, dialogue: Dialogue, tools: Sequence[Tool], style: Style) -> None:
        self._style = style
        self._today = dialogue.today
        gold = dialogue.tasks[0].gold[0]
        self._tool = next(tool for tool in tools if tool.name == gold.tool)
        self._others = [tool for tool in tools if tool.name != gold.tool][:2]
        self._values = gold.values
        self._known = begin(dialogue, tuple(tools), user_style="terse").known
        self._asked: Counter[str] = Counter()
        self._which = 0

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the next question, or the call where nothing required is missing."""
        said = [message.content for message in request.messages if message.role == "user"]
        if self._others and (not self._which or (self._which < _MOST_WHICH and _DENIED.search(said[-1]))):
            self._which += 1
            return ChatReply(content=self._which_tool(rng))
        heard = {known.slot.name for known in self._known if self._is_heard(known, said)}
        missing = [known for known in self._known if known.slot.name not in heard and self._is_required(known)]
        if not missing:
            return ChatReply(calls=(Call(self._tool.name, encode(self._arguments(heard))),))
        now = sorted(missing, key=lambda known: self._asked[known.slot.name])[: self._style.at_once]
        tries = self._asked[now[0].slot.name]
        ask = self._style.ask if not tries else AGAIN[tries % len(AGAIN)]
        self._asked.update(known.slot.name for known in now)
        return ChatReply(content=ask([wanted(known, self._tool) for known in now]))

    def _which_tool(self, rng: Random) -> str:
        gold, *others = told_apart(self._tool, self._others)
        if self._which > 1:
            return f"Do you want to {gold}?"
        phrases = [gold, *others]
        rng.shuffle(phrases)
        return f"Just to be sure, which of these is it: {_joined(phrases, 'or')}?"

    def _is_required(self, known: Known) -> bool:
        return any(known.slot.name == name or known.slot.name.startswith(f"{name}.") for name in self._tool.required)

    def _is_heard(self, known: Known, said: Sequence[str]) -> bool:
        """Whether the user's words hold the value; where they cannot show it, whether they are about it."""
        if is_sayable(known):
            return any(is_said(text, known, self._today) for text in said)
        if self._is_required(known):
            return known.slot.name in self._asked
        words = {word for word in in_words(known.slot.name).lower().split() if len(word) > 3}
        return any(words & set(re.findall(r"[a-z]+", text.lower())) for text in said)

    def _arguments(self, heard: set[str]) -> dict[str, Json]:
        """The gold arguments without those of which no part was heard."""
        unheard = {known.slot.name for known in self._known} - heard
        return {
            name: value
            for name, value in self._values.items()
            if not any(_is_under(path, name) for path in unheard) or any(_is_under(path, name) for path in heard)
        }


def _is_under(path: str, name: str) -> bool:
    return path == name or path.startswith(f"{name}.")


# -- counting --------------------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """One conversation with the live user."""

    transcript: Transcript
    is_right: bool
    exchanges: int
    offline: int
    """Exchanges of the dialogue in the dataset."""


def play(dialogue: Dialogue, tools: tuple[Tool, ...], style: Style) -> Played:
    """Let the assistant talk with a dialogue's user."""
    ctx = Context.detached(dialogue.id, models={"model": Patient(dialogue, tools, style)})
    transcript = asyncio.run(rollout(dialogue, tools, ctx, DynamicOptions(t_max=30)))
    counts = tool_counts(dialogue, transcript, {tool.name: tool for tool in tools})
    spoken = [sum(turn.speaker == "user" for turn in turns) for turns in (transcript.turns, dialogue.turns)]
    return Played(transcript, bool(counts.correct), *spoken)


def main() -> None:
    """Print the table and, if wanted, conversations that went wrong."""
    parser = argparse.ArgumentParser(description="Let a patient assistant talk with the live user.")
    parser.add_argument("names", nargs="*", default=list(BUILD), help="catalogues")
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--limit", type=int, default=60, help="dialogues for each catalogue and style")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, help="folder for the datasets, which are made again where it lacks them")
    parser.add_argument("--show", type=int, default=0, help="wrong conversations to print for each line")
    options = parser.parse_args()
    is_good = True
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.out or Path(scratch)
        made = datasets(
            options.names, recipe="diaforge", n=options.n, seed=options.seed, data=options.data, folder=folder
        )
        for name, out in made:
            data = callwright.open_dataset(out)
            dialogues = [one for one in data.dialogues if one.tasks[0].gold][: options.limit]
            for title, style in STYLES.items():
                played = [
                    play(one, tuple(data.catalog.by_key[tool.key] for tool in one.tools), style) for one in dialogues
                ]
                is_good &= _print(f"{name:22}{title:16}", played)
                for one in [one for one in played if not one.is_right][: options.show]:
                    _show(one)
    sys.exit(0 if is_good else 1)


def _print(title: str, played: Sequence[Played]) -> bool:
    scored = [one for one in played if not one.transcript.faults]
    acc = sum(one.is_right for one in scored) / max(1, len(scored))
    mean, offline = (
        sum(count) / len(played) for count in zip(*((one.exchanges, one.offline) for one in played), strict=True)
    )
    is_good = acc >= LEAST_ACC and mean <= offline + MOST_MORE
    excluded = len(played) - len(scored)
    more = f"{mean:.2f} exchanges, offline {offline:.2f} ({mean - offline:+.2f})"
    print(f"{title}Acc {acc:.3f} of {len(scored)}, {excluded} excluded, {more}{'' if is_good else ' !'}", flush=True)
    return is_good


_MOST_SHOWN = 12


def _show(one: Played) -> None:
    print(f"    {one.transcript.dialogue} {one.transcript.ended}")
    for turn in one.transcript.turns[:_MOST_SHOWN]:
        calls = "".join(f" {call.tool} {call.arguments}" for call in turn.calls)
        acts = "/".join(step.act for step in turn.steps if step.act)
        print(f"      {turn.speaker}: {turn.text!r}{calls} {acts}")


if __name__ == "__main__":
    main()
