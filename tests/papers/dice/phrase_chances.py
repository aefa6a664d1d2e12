"""How often the phrase bank of group chats says each four words in a row, worked out from the bank alone.

A catalogue decides how often a bank is drawn from (`MOST_DRAWS` is what the design of 1-4 rounds and 2-4 people comes
to at most), and which words its values have; the phrases of the bank are the same over every catalogue.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from callwright.author.grammar import Alternatives, Field, Frame, Node, bank_file, tidy
from callwright.lang.tokens import words
from callwright.papers.dice.chat_voices import Voice, voiced
from callwright.papers.dice.chat_words import parts

BANKS = bank_file("chat_words", home="callwright.papers.dice")
MANNERS = ("inquiry", "persuasion", "eristic")
GAP = "x0x"
"""What stands for words of tools and values: no phrase goes across it."""
FILLED = {
    **dict.fromkeys(("name", "do", "noun", "value", "text", "n"), GAP),
    "thing": f"the {GAP}",
    "got": f"the first {GAP}",
    "the": f"the {GAP}",
    "The": f"The {GAP}",
    "is": "is",
    "was": "was",
    "whats": "what's",
    "mark": ".",
    "There": "There are",
}
VOICES: dict[Voice, float] = {"plain": 0.75, "formal": 0.25}
"""The voices that differ in words, with the share of people who have them or one that differs in marks alone."""
MOST_DRAWS = {
    "open": 1.0,
    "next": 1.0,
    "also": 1.5,
    "react": 1.2,
    "side": 0.7,
    "ask": 3.5,
    "answer": 3.5,
    "tell": 1.8,
    "settle": 0.9,
    "request": 2.5,
    "same": 1.1,
    "done.act": 2.5,
    "done.look": 2.5,
    "done.bare": 1.0,
    "done.none": 0.3,
    "told.number": 1.5,
}
"""How often a chat of two rounds and a half on average draws from a bank, over a catalogue that favours it."""
MOST_IN_THREAD = {"inquiry": (1.8, 1.8, 0.7), "persuasion": (2.4, 2.4, 2.4), "eristic": (2.4, 2.4, 1.8)}
"""The same for a doubt, its answer, and what comes of it."""
KINDS = ("look", "make", "change", "end")


def chances(manner: str) -> dict[str, dict[str, float]]:
    """By phrase, the lines that can say it, each with the expected number of times a chat of a type does."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for line, text_chances, draws in _drawn(manner):
        for phrase, chance in phrases_of(text_chances).items():
            found[phrase][line] = found[phrase].get(line, 0.0) + chance * draws
    return found


def _drawn(manner: str) -> Iterator[tuple[str, Mapping[str, float], float]]:
    """Each part of each line, its texts with their chances, and how often it is drawn."""
    for act in ("open", "next", "also", "side", "ask", "answer", "tell", "settle"):
        yield from _of_bank(f"{act}.{manner}", MOST_DRAWS[act])
        yield from _of_bank(f"{act}_fact.{manner}", MOST_DRAWS[act])
    for bank in (f"react.{manner}", f"react_fact.{manner}"):
        yield from _of_bank(bank, MOST_DRAWS["react"])
    general = len(BANKS[f"talk.{manner}"])
    for bank in (f"talk.{manner}", *(f"talk.{manner}.{kind}" for kind in KINDS)):
        lines = general + (len(BANKS[bank]) if bank.count(".") > 1 else 0)
        for at, frame in enumerate(BANKS[bank], 1):
            for part, draws in zip(parts(frame.source), MOST_IN_THREAD[manner], strict=True):
                yield f"[{bank}] {at}", said_by(part), draws / lines
    asked = [(name, BANKS.get(name, ())) for name in ("request", f"request.{manner}", f"request.{manner}.several")]
    lines = sum(len(frames) for _, frames in asked)
    for bank, frames in asked:
        yield from _of_bank(bank, MOST_DRAWS["request"] * len(frames) / lines)
    yield from _of_bank("same", MOST_DRAWS["same"], thing=GAP)
    yield from _of_replies()


def _of_bank(name: str, draws: float, **filled: str) -> Iterator[tuple[str, Mapping[str, float], float]]:
    frames = BANKS.get(name, ())
    for at, frame in enumerate(frames, 1):
        for part in parts(frame.source):
            yield f"[{name}] {at}", said_by(part, FILLED | filled), draws / len(frames)


def _of_replies() -> Iterator[tuple[str, Mapping[str, float], float]]:
    """What the assistant says first, with what it goes on with."""
    told = {"act": ("told.made",), "look": ("told", "told.number"), "bare": ("",), "none": ("",)}
    for kind, goes_on in told.items():
        for after in goes_on:
            leads, rest = BANKS[f"done.{kind}"], BANKS.get(after, ())
            ends = _mixed(rest) or {"": 1.0}
            for at, frame in enumerate(leads, 1):
                texts = {
                    f"{lead.rstrip('.')}. {end}": one * other
                    for (lead, one), (end, other) in product(_texts(frame).items(), ends.items())
                }
                yield f"[done.{kind}] {at} {after}", texts, MOST_DRAWS[f"done.{kind}"] / len(leads) / len(goes_on)
    ends = _mixed(BANKS["told"])
    for at, frame in enumerate(BANKS["told.number"], 1):
        texts = {f"{a} {b}": one * other for (a, one), (b, other) in product(_texts(frame).items(), ends.items())}
        yield f"[told.number] {at}", texts, MOST_DRAWS["told.number"] / len(BANKS["told.number"])


def _mixed(frames: Sequence[Frame]) -> dict[str, float]:
    """The texts of a bank with their chances; none of an empty one."""
    mixed: dict[str, float] = defaultdict(float)
    for frame in frames:
        for text, chance in _texts(frame).items():
            mixed[text] += chance / len(frames)
    return mixed


def said_by(frame: Frame, filled: Mapping[str, str] = FILLED) -> dict[str, float]:
    """What a line comes to in each voice, with its chance."""
    found: dict[str, float] = defaultdict(float)
    for (text, chance), (voice, share) in product(_texts(frame, filled).items(), VOICES.items()):
        found[voiced(text, voice, ())] += chance * share
    return found


def _texts(frame: Frame, filled: Mapping[str, str] = FILLED) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for text, chance in _ways(frame.nodes, filled):
        found[tidy(text)] += chance
    return found


def _ways(nodes: Sequence[Node], filled: Mapping[str, str]) -> list[tuple[str, float]]:
    """Every wording of a sequence of nodes with its chance."""
    found = [("", 1.0)]
    for node in nodes:
        if isinstance(node, Alternatives):
            each = [
                (text, chance / len(node.sequences)) for one in node.sequences for text, chance in _ways(one, filled)
            ]
        else:
            each = [(filled[node.name] if isinstance(node, Field) else node, 1.0)]
        found = [(a + b, one * other) for (a, one), (b, other) in product(found, each)]
    return found


def phrases_of(texts: Mapping[str, float]) -> dict[str, float]:
    """The chance of each four words in a row."""
    found: dict[str, float] = defaultdict(float)
    for text, chance in texts.items():
        said = words(text)
        for gram in set(zip(said, said[1:], said[2:], said[3:], strict=False)):
            if GAP not in gram:
                found[" ".join(gram)] += chance
    return found
