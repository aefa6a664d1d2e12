"""The gloss of a tool in the wording of a request.

the description, as far as its phrase is clean      search the boards of Pinterest users
a question of yes or no, as a whole                 check whether a URL is marked as unsafe by Google
the words of the name                               convert the binary number
"""

from __future__ import annotations

import re
from functools import lru_cache

from callwright.catalog.gloss import Chunk, Gloss, gloss
from callwright.catalog.slots import slots
from callwright.environment.returns import CHANGES, CREATES, SEARCHES, action_of
from callwright.lang.english import article, base_verb, is_countable, is_plural, plural
from callwright.lang.nouns import as_spelled, with_capitals
from callwright.lang.tokens import content_stems, identifier_words, stem_set
from callwright.records.tool import Tool

_MOST_WORDS = 10
_SEARCHING = frozenset("search look wait browse query filter scan subscribe apply log integrate".split())
_UNCLEAN = re.compile(
    r"\b(?:whether|and (?:view|get|return|retrieve|provide|generate|manage|maintain|standardize)|apis?|methods?|"
    r"developers?|functions?|interface|capabilit\w+|services?|etc|based|related$|supporting|dating|tools?|"
    r"series of|planning|point [A-Z]|corresponding|up to$|via|specific|users? (?:is|are|has|have)|own)\b|^access to\b|"
    r"[\"'“”()]|^up$",
    re.IGNORECASE,
)
_FILLERS = re.compile(
    r"\b(?:the )?(?:detailed|specific|relevant|comprehensive|important|extensive) (?=information|data|details)",
    re.IGNORECASE,
)
_LINKS = frozenset("by with using from for in to on".split())
_VAGUE_VERBS = frozenset("use allow enable represent perform support offer help achieve implement".split())
_METHODS = frozenset("get post put patch delete options head".split())


@lru_cache(maxsize=65536)
def asked_gloss(tool: Tool) -> Gloss:
    """Return verb and object for a request to use this tool."""
    return _whether(tool) or _described(tool) or _named(tool) or _plainly_named(tool)


# -- by the description ----------------------------------------------------------------------------------------------

_WHETHER = re.compile(
    r"^(?:check|checks|determine|determines|verify|verifies|see|find out|detect|test|tell|validate) "
    r"(?:whether|if) ((?:the|an?|this|each) [\w -]{2,40}?) "
    r"((?:is|are|has|have|exists|belongs|was|can be)\b[^.,;:(]{0,60})",
    re.IGNORECASE,
)
_SORTED_OUT = re.compile(r"\b(?:specific|given|specified|particular|provided|certain) ")


def _whether(tool: Tool) -> Gloss | None:
    """A question of yes or no: `whether` | `a date` | `is a global holiday` | `in a country`."""
    found = _WHETHER.match(_SORTED_OUT.sub("", " ".join(tool.description.split())))
    if found is None:
        return None
    subject, said = found.groups()
    verb, *rest = re.split(r" (?=(?:in|on|by|for|at) (?!the same))", said.strip())
    chunks = [Chunk("whether", with_capitals(subject.lower())), Chunk("", verb)]
    chunks += [Chunk(*part.split(" ", 1)) for part in rest if " " in part]
    return Gloss("check", tuple(chunks[:4]))


def _described(tool: Tool) -> Gloss | None:
    """The description's phrase without the end that is unclean; None where nothing telling is left."""
    found = gloss(tool)
    if not found.verb or found.verb in _VAGUE_VERBS:
        return None
    verb = "get" if found.verb in ("provide", "browse", "explore") else found.verb
    chunks = tuple(
        _plainer(chunk, has_owner=bool(found.chunks[place + 1 :])) for place, chunk in enumerate(found.chunks)
    )
    chunks = _before_second_act(tuple(chunk for chunk in chunks if not chunk.text.startswith(("its ", "their "))))
    for end in range(len(chunks), 0, -1):
        last = Chunk(chunks[end - 1].preposition, _LOOSE_END.sub("", chunks[end - 1].text))
        shorter = Gloss(verb, (*chunks[: end - 1], last))
        if _is_clean(shorter) and _stems(shorter):
            return shorter
    return None


_LOOSE_END = re.compile(r" (?:associated|related|submitted|published|searched|issued|held|added|globally)$")
"""What was to go on: `the mail servers associated`."""


def _before_second_act(chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    """The object of the first act where the phrase goes on to another: `the address` | `and provide authentication`."""
    for place, chunk in enumerate(chunks):
        head, found, rest = chunk.text.partition(" and ")
        act = rest.split(" ")[0]
        first = head.split(" ")[-1]
        if found and act == base_verb(act) and act not in _NOUNS and first != base_verb(first):  # "buy and sell orders"
            return (*chunks[:place], Chunk(chunk.preposition, head))
    return chunks


def _plainer(chunk: Chunk, *, has_owner: bool) -> Chunk:
    text = _FILLERS.sub("", chunk.text).strip()
    text = "the details" if text in ("information", "the information") and has_owner and not chunk.preposition else text
    text = re.sub(r"^the (user's|customer's) ", "my ", text)
    text = re.sub(r"^(?:user's|their|your) ", "my ", text)
    text = re.sub(r"(?<=\w) globally$", "", text)
    text = re.sub(r"^((?:an?|the) )?(?:associated|individual|available|multiple|series of) (?=\w)", r"\1", text)
    preposition = "of" if chunk.preposition == "about" else chunk.preposition
    return Chunk(preposition, with_capitals(text or chunk.text))


def _is_clean(found: Gloss) -> bool:
    first = found.chunks[0]
    if first.preposition and found.verb.split(" ")[0] not in _SEARCHING:
        return False
    text = found.object
    words = text.split()
    starts_badly = re.match(r"(?:\w+ing|which|how|what)\b", text) and not is_plural(words[-1]) and len(words) < 3
    ends_badly = words[-1] in ("a", "the", "and", "or", "of") or (base_verb(words[-1]) and words[-2:-1] == ["to"])
    return len(words) <= _MOST_WORDS and not _UNCLEAN.search(text) and not starts_badly and not ends_badly


def _stems(found: Gloss) -> frozenset[str]:
    return frozenset(content_stems(found.object)) - stem_set("information data details list result")


# -- by the name -----------------------------------------------------------------------------------------------------


def _named(tool: Tool) -> Gloss | None:
    """The name read as verb and object, or as object and verb; None where it reads as neither."""
    words = [word for word in _words(tool) if not word.isdigit()]
    if "id" in words or any(any(letter.isdigit() for letter in word) for word in words):
        return None
    verb = base_verb(words[0]) if len(words) > 1 and words[0] == base_verb(words[0]) else None
    rest = words[1:]
    if verb is None and len(words) > 1 and base_verb(words[-1]) == words[-1] and words[-1] not in _METHODS:
        verb, rest = words[-1], [*words[:-2], _one(words[-2])]  # conversations_create
    elif verb in _METHODS - {"get", "delete"} and "_" in tool.name.rstrip("_0123456789"):
        return None  # a path with its method
    rest = rest[2:] if rest[:1] == ["and"] else rest  # filterAndSort: the first verb stands for both
    if verb is None or not rest or not _is_object(rest) or (rest[-1] in _WAYS and verb in _NOUNS):
        return None
    return Gloss(verb, _object(tool, verb, rest))


def _is_object(words: list[str]) -> bool:
    starts = words[0] not in _LINKS - {"for", "with"} and (len(words) > 1 or base_verb(words[0]) != words[0])
    return starts and all(base_verb(word) != word or word in _NOUNS for word in words)


_NOUNS = frozenset(
    "list order search report record name number code message post rate text date time address list index view update "
    "change quote trade link request comment file tag forecast map display reply schedule project budget test draft "
    "label note show track play game set match run start end stop filter plan issue charge check share store stream "
    "score rank shift swap design document format study supply survey talk total touch tune turn visit vote watch "
    "balance contact guide help hold key lead level line log mark mine move offer order park place price profile "
    "email login question range result return review route sample save sign sort stage stake state switch transfer "
    "transport upload download import export trigger lookup release refund reward risk ticket template value query "
    "photo".split()
)
"""Verbs that stand for things just as well."""


def _words(tool: Tool) -> list[str]:
    """The words of the name; two that the description writes as one stay one: `SoundCloud`."""
    words = identifier_words(re.sub(r"(?<=[a-z])\d+(?=[a-z]*$)|_\d+$", "", tool.name))
    spelled = {word.lower(): word for word in re.findall(r"\b[A-Z]\w*[A-Z]\w*\b", tool.description)}
    out: list[str] = []
    while words:
        pair = "".join(words[:2])
        if len(words) > 1 and pair in spelled:
            out.append(pair)
            words = words[2:]
        else:
            out.append(words[0])
            words = words[1:]
    return out


def _one(word: str) -> str:
    return re.sub(r"(?<=[^s])s$", "", word)


def _object(tool: Tool, verb: str, rest: list[str]) -> tuple[Chunk, ...]:
    preposition = rest[0] if rest[0] in ("for", "with") else ""
    rest = rest[1:] if preposition else rest  # applyForJob
    by = next((at for at, word in enumerate(rest) if at and word in _LINKS), len(rest))
    thing = re.sub(r"\binfo\b", "information", " ".join(rest[:by]))
    thing = as_spelled(thing, tool.description)
    if verb in ("search", "list", "discover") and is_countable(thing):
        thing = plural(thing)
    determiner = "" if thing.split()[0] in ("all", "my") or is_plural(thing) else "the "
    if verb in ("create", "add", "generate", "post", "book", "make", "open", "start") and is_countable(thing):
        determiner = f"{article(thing)} "
    chunks = [Chunk(preposition, f"{determiner}{thing}")]
    owners = {part for name in tool.required for part in identifier_words(name)}
    tail = [word for word in rest[by + 1 :] if word not in owners]
    asked = frozenset[str]().union(*(slots(tool)[name].stems for name in tool.required))
    if by < len(rest) and tail and not asked & stem_set(" ".join(tail)):
        said = as_spelled(" ".join(tail), tool.description)
        chunks.append(Chunk(rest[by], said if is_plural(said) or not said.islower() else f"the {said}"))
    return tuple(chunks)


def _plainly_named(tool: Tool) -> Gloss:
    """All that is left: the thing that the name is about, got or, where it is a way to do something, used."""
    words = [word for word in _words(tool) if not word.isdigit()]
    verb = base_verb(words[0]) if len(words) > 1 and words[0] == base_verb(words[0]) else None
    whole = verb is None or words[-1] in _WAYS
    thing = as_spelled(" ".join(words if whole else words[1:]) or action_of(tool)[1], tool.description)
    act = "use" if thing.split(" ")[-1] in _WAYS else "get"
    return Gloss(act, (Chunk("", thing if is_plural(thing) or not is_countable(thing) else f"the {thing}"),))


_WAYS = frozenset("login authentication verification".split())


# -- rival tools -----------------------------------------------------------------------------------------------------


def are_rivals(one: Tool, other: Tool) -> bool:
    """Return whether a request for one tool could also mean the other."""
    mine, theirs = _all_stems(one), _all_stems(other)
    if not mine or not theirs:
        return True
    if _sort_of_act(one) != _sort_of_act(other) and None not in (_sort_of_act(one), _sort_of_act(other)):
        return False  # creating a note differs from deleting one
    shared = len(mine & theirs)
    alike = mine <= theirs or theirs <= mine or shared / len(mine | theirs) >= 0.6
    needs = {_needs(one), _needs(other)}
    return mine == theirs or (alike and (len(needs) == 1 or frozenset() in needs))


_DELETES = frozenset("delete remove cancel erase".split())
_LOOKS = SEARCHES | frozenset("get retrieve obtain fetch show view read look see".split())


def _sort_of_act(tool: Tool) -> int | None:
    """What a tool does with a thing: deletes, creates, changes it or looks it up; None for anything else."""
    verb = asked_gloss(tool).verb.split(" ")[0]
    return next((at for at, verbs in enumerate((_DELETES, CREATES, CHANGES, _LOOKS)) if verb in verbs), None)


def _all_stems(tool: Tool) -> frozenset[str]:
    return _stems(asked_gloss(tool)) - stem_set("get detail info specific current real time")


def _needs(tool: Tool) -> frozenset[str]:
    return frozenset(slots(tool)[name].kind for name in tool.required)
