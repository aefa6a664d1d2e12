"""Suggests names and descriptions for one of two look-alike tools, by rule, so that their differences are visible.

All words of a proposal come from the tool's own document. `fix_plan` tests whether it helps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final, Literal

import msgspec

from callwright.catalog.document_checks import VAGUE_NAMES
from callwright.catalog.gloss import gloss
from callwright.lang.english import base_verb
from callwright.lang.tokens import STOP_WORDS, identifier_words, stem, stem_set, words
from callwright.lang.verbs_of_acts import CHANGES, LOOKUPS
from callwright.records.jsontext import decode
from callwright.records.tool import Tool

Field = Literal["name", "description"]
FIELDS: Final[tuple[Field, ...]] = ("name", "description")

_MOST_LISTED = 4
"""Most parameters or result fields listed in a description."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_READABLE = re.compile(r"[A-Za-z][\w-]{1,40}")
_FILLING = frozenset(
    "access api allows available based call client default endpoint following general given misc method new one "
    "other particular provided response result results return returns service specific specified tool try use "
    "valid".split()
)
"""Words of many descriptions and domains, which do not distinguish tools."""

_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CUT_NAME = 62
"""Names of this length were cut, so their last word may be incomplete."""


class Proposal(msgspec.Struct, frozen=True):
    """Another text for one field of a tool, and why."""

    field: Field
    text: str
    why: str


def proposals(tool: Tool, rival: Tool) -> tuple[Proposal, ...]:
    """Return changes that could better distinguish `tool` from `rival`, each different from the current text."""
    names = (Proposal("name", name, why) for name, why in _names(tool, rival))
    descriptions = (Proposal("description", text, why) for text, why in _descriptions(tool, rival))
    found = (*names, *descriptions)
    return tuple(dict.fromkeys(one for one in found if one.text != getattr(tool, one.field)))


def _names(tool: Tool, rival: Tool) -> Iterator[tuple[str, str]]:
    has = _stems(identifier_words(tool.name))
    yield from _names_with_qualifiers(tool, rival, has)
    preposition = "by" if gloss(tool).verb in LOOKUPS | CHANGES else "with"
    for key in _only(tool.required, rival.required)[:_MOST_LISTED]:
        added = identifier_words(key)
        if any(_tells(word) and stem(word) not in has for word in added):
            yield _extended(tool.name, preposition, added), f"{rival.name} does not require {key}"
    owner = identifier_words(tool.domain)
    if tool.domain != rival.domain and any(_tells(word) and stem(word) not in has for word in owner):
        why = f"belongs to {tool.domain}, {rival.name} to {rival.domain or 'nothing'}"
        yield _extended(tool.name, "for", owner), why


def _names_with_qualifiers(tool: Tool, rival: Tool, has: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The name with words that the description has before a word of the name: `paid` of `paid orders`."""
    said = _object_words(tool)
    lacking = has | _all_stems(rival)
    for at, word in enumerate(said):
        run = [word] if stem(word) not in lacking and _tells(word) else []
        following = said[at + 1 : at + 2]
        if run and following and stem(following[0]) in has:
            yield _inserted(tool.name, word, following[0]), f"its description says “{word} {following[0]}”"


def _descriptions(tool: Tool, rival: Tool) -> Iterator[tuple[str, str]]:
    given = tool.description.strip()
    kept = _without_shared_sentences(given, rival.description, names=tool.properties)
    for text, left_out in ((given, ""), (kept, "what both say word for word is left out")):
        if not text and left_out:
            continue
        named, why = _with_name_words(text, tool, rival)
        facts = [*_facts(tool, rival)]
        reasons = [why, *(reason for _, reason in facts), left_out]
        added = " ".join(sentence for sentence, _ in facts)
        yield f"{_ended(named)} {added}".strip() if added else named, "; ".join(filter(None, reasons))


def _with_name_words(text: str, tool: Tool, rival: Tool) -> tuple[str, str]:
    """Return the text with the name's unique words after its first sentence, and the reason (empty without any)."""
    lacking = stem_set(text) | _all_stems(rival)
    named = identifier_words(tool.name)
    if len(tool.name) >= _CUT_NAME:
        named = named[:-1]
    new = [word for word in named if stem(word) not in lacking and _tells(word) and not base_verb(word)]
    if not new or not text:
        return text, ""
    first, *rest = _SENTENCE_END.split(text, maxsplit=1)
    end = first[-1] if first[-1] in ".!?" else ""
    sentence = f"{first.removesuffix(end)} ({' '.join(new)}){end}"
    return " ".join([sentence, *rest]), f"the name says “{' '.join(new)}”, the description does not"


def _facts(tool: Tool, rival: Tool) -> Iterator[tuple[str, str]]:
    """Return sentences that are true of the tool but not of its rival, with reasons."""
    needed = _only(tool.required, rival.required)[:_MOST_LISTED]
    taken = [key for key in _only(tool.properties, rival.properties) if key not in needed][:_MOST_LISTED]
    returned = _only(_result_fields(tool), _result_fields(rival))[:_MOST_LISTED]
    for says, keys, verb in (("Needs", needed, "require"), ("Takes", taken, "take"), ("Returns", returned, "return")):
        if keys:
            listed = ", ".join(keys)
            yield f"{says} {listed}.", f"{rival.name} does not {verb} {listed}"


def _object_words(tool: Tool) -> list[str]:
    """The words of what a tool acts on, in the order of its description."""
    said = words(gloss(tool).object) if tool.description.strip() else []
    return [word for word in said if word.isascii() and word.isalnum()]


def _all_stems(tool: Tool) -> frozenset[str]:
    return stem_set(tool.description) | _stems(identifier_words(tool.name))


def _tells(word: str) -> bool:
    """Return whether a word is meaningful by itself."""
    return word not in STOP_WORDS and word not in VAGUE_NAMES and word not in _FILLING and not word.isdigit()


def _only(own: Iterable[str], others: Iterable[str]) -> list[str]:
    """Return the readable words that only the first has, in order."""
    lacking = set(others)
    return [key for key in own if key not in lacking and _READABLE.fullmatch(key)]


def _result_fields(tool: Tool) -> list[str]:
    """The top-level fields of a described result."""
    schema = decode(tool.returns) if tool.returns else None
    fields = schema.get("properties") if isinstance(schema, dict) else None
    return list(fields) if isinstance(fields, dict) else []


def _without_shared_sentences(text: str, other: str, *, names: Collection[str]) -> str:
    """Return the text without later sentences that the other text also has; empty if there are none.

    A sentence that names a parameter stays, because it documents the tool.
    """
    theirs = {" ".join(words(sentence)) for sentence in _SENTENCE_END.split(other)}
    documented = [set(identifier_words(name)) for name in names]
    sentences = _SENTENCE_END.split(text)
    kept = [
        sentence
        for at, sentence in enumerate(sentences)
        if not at
        or " ".join(words(sentence)) not in theirs
        or any(name and name <= set(identifier_words(sentence)) for name in documented)
    ]
    return " ".join(kept) if len(kept) < len(sentences) else ""


def _inserted(name: str, word: str, before: str) -> str:
    """The name with a word before the part that `before` stands for."""
    write, separator = _spelling(name)
    parts = name.split(separator) if separator else _CASE.split(name)
    at = next(at for at, part in enumerate(parts) if stem(before) in _stems(identifier_words(part)))
    made = separator.join([*parts[:at], write(word), write(parts[at]), *parts[at + 1 :]])
    return made[:1].lower() + made[1:] if name[:1].islower() else made


def _extended(name: str, preposition: str, added: Sequence[str]) -> str:
    """The name as it is, with words after it in its own spelling."""
    write, separator = _spelling(name)
    return separator.join([name, preposition if separator else write(preposition), *map(write, added)])


def _spelling(name: str) -> tuple[Callable[[str], str], str]:
    """How a name writes a word, and what it puts between words."""
    if "_" in name or "-" in name:
        separator = "_" if "_" in name else "-"
        capital = sum(part[:1].isupper() for part in name.split(separator)) * 2 > name.count(separator) + 1
        return (_capitalised if capital else str), separator
    return (_capitalised, "") if _CASE.search(name) else (str, "_")


def _capitalised(word: str) -> str:
    return word[:1].upper() + word[1:]


def _stems(found: Iterable[str]) -> frozenset[str]:
    return frozenset(map(stem, found))


def _ended(text: str) -> str:
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."
