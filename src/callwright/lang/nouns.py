"""The noun of a parameter, and for a yes/no parameter the consequence of a yes.

The noun is the parameter's own name in words. The description is read only where the name says nothing, and then only
a short noun phrase at its start.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from callwright.lang.english import (
    any_verb,
    base_verb,
    gerund,
    is_adjective,
    is_countable,
    is_noun,
    is_plural,
    past_of,
    plural,
)
from callwright.lang.english import singular as one_of
from callwright.lang.lexicon import lexicon, word_set
from callwright.lang.phrases import (
    has_plural_head,
    indefinite,
    is_known,
    is_noun_phrase,
    is_opaque,
    is_participle,
    with_capitals,
    words_of_name,
)
from callwright.lang.tokens import identifier_words
from callwright.lang.tokens import words as spoken_words


class Noun(msgspec.Struct, frozen=True):
    """The words for a parameter."""

    text: str
    """Without an article: `start date`."""
    plural: bool = False
    consequence: str = ""
    """For a yes/no parameter, the action when it is yes, in base form: `notify the customer`."""

    @property
    def definite(self) -> str:
        """With `the`: `the start date`."""
        return f"the {self.text}"

    @property
    def entity(self) -> str:
        """The object of an identifier: `order` for `order number`; empty if the noun does not say."""
        found = re.fullmatch(r"(.+) (?:number|IDs?|reference)", self.text)
        return found.group(1) if found and " of " not in self.text else ""

    @property
    def counted(self) -> str:
        """For `how many`: the thing counted, in the plural: `nights` for `number of nights`."""
        text = re.sub(r"^(?:total |maximum |max )?(?:number|count|amount|quantity) of ", "", self.text)
        has_plural = any(is_plural(word) for word in text.split())
        return text if has_plural or not is_countable(text) else plural(text)


@lru_cache(maxsize=65536)
def slot_noun(name: str, description: str, thing: str = "") -> Noun:
    """Return the noun of the parameter `name` with this description, of a tool that acts on a `thing`.

    >>> slot_noun("invoice_id", "The ID of the draft invoice to delete.").text
    'invoice ID'
    >>> slot_noun("fid", "The unique identifier that represents a folder.").text
    'folder ID'
    >>> slot_noun("issueIdOrKey", "").text
    'issue ID'
    >>> slot_noun("weight_kg", "").text
    'weight'
    >>> [slot_noun(name, "", thing="short code").text for name in ("sid", "lines.0.quantity", "dt_from")]
    ['short code ID', 'quantity', 'dt from value']
    """
    words = _own_words(name, thing)
    said = _as_moment(words) or _as_bound(words, description, thing) or words
    if said[-1] in _BOUNDS and _IS_DATE.search(description):
        said = (*said, "date")
    explained = spoken_words(_IN_BRACKETS.sub("", description))
    is_opaque_name = is_opaque([word for word in said if word not in explained])
    is_opaque_name |= words[-1:] == ("value",) and bool(_IDENTIFIER_OF.match(_LEAD.sub("", description[:200])))
    if is_opaque_name or _is_act(said) or not is_noun_phrase(_without_clause(said)):
        described = _from_description(description)
        text = described or " ".join(words) + ("" if words[-1] in _HEADS_OF_IDS | {"value"} else " value")
        said = tuple(described.split())
    else:
        text = _as_identifier(with_capitals(" ".join(said)), description)
    return Noun(text=text, plural=has_plural_head(text.split()) if said else False)


def flag_noun(name: str, description: str, *, of_search: bool = False) -> Noun:
    """Return the noun of a yes/no parameter, with what a yes does; `of_search` where the tool only looks things up.

    >>> flag_noun("notify", "whether to notify the customer").consequence
    'notify the customer'
    >>> [flag_noun(name, "").consequence for name in ("is_private", "away_mode_enabled", "skip_check", "dry_run")]
    ['make it private', 'enable away mode', 'skip the check', 'turn on the dry run']
    """
    own = _own_words(name, "")
    words = words_of_name(name.rpartition(".")[2]) or ("setting",)
    act = _described_act(description) or ("turn it on" if words in _BARE_FLAGS else "")
    act = act or _named_act(words) or _state(words, of_search=of_search)
    setting = _definite(own) if is_noun_phrase(own) and not is_opaque(own) else f"the {' '.join(own)} setting"
    return Noun(with_capitals(" ".join(own)), has_plural_head(own), with_capitals(act or f"turn on {setting}"))


_BARE_FLAGS = tuple((word,) for word in "on state status value flag active switch power".split())
"""Names that say only that something is on or off."""


# -- the name --------------------------------------------------------------------------------------------------------


_WRAPPERS = frozenset(("body", "data", "payload", "attributes", "params", "properties", "fields", "request"))
"""Parents of nested values that people do not speak of."""
_GENERIC = frozenset("id ids name title type status state description key code number url label value".split())
"""Names that say little without what they belong to."""
_MOST_OF_THING = 2


def _own_words(name: str, thing: str) -> tuple[str, ...]:
    """Return the words of the last part of a name, with its owner where they say little alone."""
    *parents, leaf = [part for part in name.split(".") if not part.isdigit()] or [name]
    words = words_of_name(leaf) or ("detail",)
    words = tuple(lexicon()["whole names"].get(" ".join(identifier_words(leaf)), "").split()) or words
    if len(words) > 1 and (words[0] in ("is", "has", "x", words[1]) or (words[0] == "filter" and "[" in leaf)):
        words = words[1:]
    if words[-1] in _COMPARED and len(words) > 1:
        words = words[:-1]  # `StatusEquals`
    while len(words) > 1 and words[-1] in _UNITS and (is_noun(words[-2]) or words[-2] in _UNITS):
        words = words[:-1]  # `weight_kg`, `sulphite_mg_l`
    if len(words) > 1 and words[-1] in _SHORT_UNITS and words[-2] in _SHORT_UNITS[words[-1]]:
        words = words[:-1]  # `temp_c`
    if "or" in words[1:-1]:
        words = words[: words.index("or", 1)]  # `issueIdOrKey`
    if len(words) > 1 and words[0] in ("id", "ids") and words[1] not in _HEADS_OF_IDS:
        words = (*words[1:], words[0])  # `idMember`
    if words[0] == "number" and words[1:2] not in ((), ("of",)) and is_plural(words[-1]):
        words = ("number", "of", *words[1:])
    if words[0] not in _GENERIC or len(words) > 1:
        return words
    owner = words_of_name(parents[-1]) if parents else ()
    if not owner or owner[-1] in _WRAPPERS or not is_noun_phrase(owner):
        of = thing.split()
        owner = tuple(of if words[0] in ("id", "ids") or len(of) <= _MOST_OF_THING else of[-1:])
    owned = one_of(" ".join(owner)).split()
    return words if owned[-1:] == [words[0]] else (*owned, *words)


_UNITS = frozenset("kg mg lb lbs oz km cm mm ml kb mb gb tb ms kwh kw hz khz mhz ghz".split())
"""Short units behind the measure that they are of."""
_SHORT_UNITS = {
    "c": ("temp", "temperature"),
    "f": ("temp", "temperature"),
    "l": ("capacity", "volume"),
    "g": ("weight", "mass"),
    "m": ("length", "height", "width", "depth", "distance"),
}
"""Units of one letter, each with the measures behind which it is one."""
_COMPARED = frozenset("equals eq gte lte gt lt neq".split())
"""Last words of names of filters that say how a value is compared."""


def _as_moment(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return what `created_at` means: `date it was created`; nothing for other names."""
    if len(words) == 2 and words[0] == "date" and is_participle(words[1]):
        return ("date", "it", "was", words[1])
    if len(words) == 2 and words[0] in ("date", "time") and words[1] in _ORDER:
        return (words[1], words[0])
    if len(words) < 2 or words[-1] not in ("at", "on"):
        return ()
    *before, verb = words[:-1]
    if is_participle(verb) and before in ([], ["last"]):
        return ("date", "it", "was", *before, verb)
    base = base_verb(verb)
    return (*before, _ARRIVALS.get(verb, base if base and base != verb else verb), "date")


_ARRIVALS = {"arrive": "arrival", "arrives": "arrival", "depart": "departure", "departs": "departure"}
_ORDER = frozenset("first last next previous due start end".split())
"""Words that stand before the day in speech, where a name has them behind: `date_first`."""
_BOUNDS = frozenset("start end begin finish expiry due".split())
_EARLIEST, _LATEST = frozenset("after since from gt gte".split()), frozenset("before until to lt lte".split())
_PLACED = {"from": "source", "to": "target"}
_ENDS = _PLACED | {"into": "target", "onto": "target"}
_IS_DATE = re.compile(r"\b(?:date|day|time|timestamp)\b", re.IGNORECASE)
_IS_CONTACT = re.compile(r"\b(?:e-?mail|phone|recipients?|sender|mobile|msisdn)\b", re.IGNORECASE)
_SENT = {"from": "sender", "to": "recipient"}


def _as_bound(words: tuple[str, ...], description: str, thing: str) -> tuple[str, ...]:
    """Return what `date_from`, `created_after`, `from_account` and a date called `to` mean; nothing for others."""
    if len(words) == 1 and words[0] in _ENDS and not _IS_DATE.search(description):
        if words[0] in _SENT and _IS_CONTACT.search(description):
            return (_SENT[words[0]],)
        entity = _IDENTIFIER_OF.match(_LEAD.sub("", " ".join(description.split())))
        end = entity.group(1).lower() if entity else thing
        if not entity and (described := _from_description(description)):
            return tuple(described.split())  # `target vessel`, `paddock for the sheep`
        return (_ENDS[words[0]], *end.split()) if end else ()
    side = "earliest" if words[-1] in _EARLIEST else "latest" if words[-1] in _LATEST else ""
    if side and len(words) == 1:
        side = {"from": "start", "to": "end"}.get(words[0], side)
        return (side, "date") if _IS_DATE.search(description) else ()
    if side and (past_of(words[-2]) or words[-2] in ("date", "time", "timestamp", "day", "at")):
        rest = words[:-2] if words[-2] == "at" else words[:-1]
        return (side, *rest, *(("date",) if is_participle(rest[-1]) else ()))
    if side and is_noun_phrase(words[:-1]):
        return ("minimum" if side == "earliest" else "maximum", *words[:-1])
    if words[0] in _PLACED and len(words) > 1:
        if words[1:] in (("date",), ("time",)):
            return ("start" if words[0] == "from" else "end", words[1])
        sides = _SENT if words[1] in ("email", "phone", "number", "address", "name") else _PLACED
        return (sides[words[0]], *words[1:])
    return ()


def _is_act(words: tuple[str, ...]) -> bool:
    """Whether a name tells what is done to several things: `send_updates`, but not `redirect_url`."""
    is_verb = base_verb(words[0]) == words[0] and not is_noun(words[0]) and not is_adjective(words[0])
    return len(words) > 1 and is_verb and is_plural(words[-1])


def _without_clause(words: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out `it was created` after a date."""
    return words[:1] if words[1:3] == ("it", "was") else words


_IN_BRACKETS = re.compile(r"\([^()]*\)")
_IDENTIFIES = re.compile(
    r"(?:(?:the|an?|this|unique|comma[- ]separated|list of|array of)\s+){0,4}(?:id|identifier|sid|uuid|guid)s?\b"
    r"(?!\s+(?:or|and)\b)",
    re.IGNORECASE,
)
_HEADS_OF_IDS = word_set("heads_of_ids")


def _as_identifier(text: str, description: str) -> str:
    """Return the noun with `ID` where only the description says that the value is one: `channel ID`."""
    last = text.rpartition(" ")[2].lower()
    if last in _HEADS_OF_IDS or not _IDENTIFIES.match(" ".join(description.split())) or text.count(" ") > 2:
        return text
    return f"{one_of(text)} IDs" if is_plural(text) else f"{text} ID"


def names_a_thing(text: str) -> bool:
    """Whether a noun is of a thing, and not of what such things are known by.

    >>> names_a_thing("customer"), names_a_thing("card number"), names_a_thing("user name")
    (True, False, False)
    """
    last = text.rpartition(" ")[2].lower()
    return last not in _HEADS_OF_IDS and not is_plural(last) and is_noun(last)


# -- the description -------------------------------------------------------------------------------------------------

_LEAD = re.compile(
    r"^(?:(?:the|an?|your|this|these|optional|required|unique|specific|specified|given|exact|string|integer|"
    r"array of|comma[- ]separated list of|list of)\s+)+",
    re.IGNORECASE,
)
_END = re.compile(
    r"[,;:(\[\n`\"*<{=]|\.(?:\s|$)|\s[-–—]\s|\s(?:that|which|who|whose|where|when|if|used|such|to|must|should|can|may|is|"
    r"are|will|from|as|with|by|you|we|given|being|associated|returned|provided|containing|representing)\b"
)
_IDENTIFIER_OF = re.compile(
    r"^(?:id|ids|uid|identifier|guid|uuid|sid)\s+"
    r"(?:of|for|from|(?:assigned|given) to|that (?:represents?|identifies))\s+"
    r"(?:(?:the|an?|this)\s+)?(\w+(?: (?!object\b|resource\b|during\b)\w+)?)(?: (?:object|resource))?"
    r"(?=[.,;]|$| to\b| that\b| of\b| for\b| during\b)",
    re.IGNORECASE,
)
_SPECIFIED = re.compile(
    r"^(?:the )?id(?: parameter)? (?:specifies|is|identifies|represents) (?:the|an?) (?:\w+ )?(\w+) "
    r"(?:id|identifier)\b",
    re.IGNORECASE,
)
_BRANDED = re.compile(r"^(?:the )?\[?[A-Z]\w+ (?=id\b)", re.IGNORECASE)


def identified(description: str) -> str:
    """Return what a description says is identified, in one word, or in several that were written as one.

    >>> identified("The Acme ID of the track"), identified("The id parameter specifies the Acme video ID to rate.")
    ('track', 'video')
    >>> identified("The SID of the ChannelSender resource to fetch.")
    'channel_sender'
    """
    text = re.sub(r"\]\([^()]*\)", "", _BRANDED.sub("", " ".join(description[:200].split())))
    found = _IDENTIFIER_OF.match(_LEAD.sub("", text)) or _SPECIFIED.match(text)
    return "_".join(identifier_words(found.group(1))) if found and found.group(1).isalpha() else ""


_JOIN = re.compile(r" (?:of|for|in|on|at|per) (?:(?:the|an?|your|this) )?")
_MOST_WORDS = 6


def _from_description(description: str) -> str:
    """Return the short noun phrase that a description begins with, without its article; nothing where it has none."""
    text = _LEAD.sub("", " ".join(description[:200].split()))
    entity = _IDENTIFIER_OF.match(text)
    if entity and is_noun_phrase(entity.group(1).split()):
        words = [*entity.group(1).lower().split(), "id"]
    else:
        words = _lower(_END.split(text, maxsplit=1)[0].strip(" ."))
    phrases = [part.split() for part in _JOIN.split(" ".join(words))]
    if len(phrases) > 1 and phrases[-1][-1:] == phrases[0][:1]:
        words, phrases = phrases[0], phrases[:1]  # `transaction reference of the transaction`
    is_clean = all(is_noun_phrase(part) and not is_opaque([w.lower() for w in part]) for part in phrases)
    if not is_clean or len(words) > _MOST_WORDS or not word_set("definitions").isdisjoint(words):
        return ""
    return with_capitals(" ".join(words))


def _lower(text: str) -> list[str]:
    words = text.split()
    return [
        word.lower() if word.istitle() and (not place or is_known(word.lower())) else word
        for place, word in enumerate(words)
    ]


# -- yes or no -------------------------------------------------------------------------------------------------------

_WHETHER_TO = re.compile(r"^.{0,40}?\bwhether(?: or not)? to\s+([a-z][\w '-]+?)(?=[,;.(]|$)", re.IGNORECASE)
_DOES = re.compile(
    r"\b(?:set (?:this |it )?to true (?:to|if)|true to|(?:flag|option) to|if (?:set to )?(?:true|set),) ([a-z]+)"
    r"((?: [\w'-]+){1,7})(?=[,;.(]|$)",
    re.IGNORECASE,
)
"""What a yes does: `If true, creates a recording of the stream.`"""
_IS_DONE = re.compile(
    r"\b(?:if|whether|true,|set,) ((?:the|any|all|every|each|an?|this)(?: [\w'-]+){1,4}?) (?:will|should|must|shall)"
    r"(?: also| automatically)? be (\w+)((?: [\w'-]+){0,6})(?=[,;.(]|$)",
    re.IGNORECASE,
)
"""What is done to a thing: `whether the account number should be hidden`."""
_MARKS_AS = re.compile(
    r"^(?:whether (?:or not )?to )?marks? (?:it|(?:the|an?|this)(?: [\w-]+){1,3}?) as ([\w-]+)(?=[ ,;.(]|$)",
    re.IGNORECASE,
)
"""What a yes makes of a thing: `Mark a conversation as read within Acme.`"""
_MOST_OF_ACT = 8
_SWITCHES = word_set("switches")
"""Verbs that a setting named after its state, such as `comments_enabled`, does."""


def _described_act(description: str) -> str:
    """Return what a description says is done, where it says so in one short clause: `whether to notify the owner`."""
    text = " ".join(description[:200].split())
    if (done := _IS_DONE.search(text)) and is_participle(done[2]):
        return _in_few_words(f"have {done[1][:1].lower()}{done[1][1:]} {done[2]}{done[3]}".split())
    if marks := _MARKS_AS.match(text):
        return f"mark it as {marks[1].lower()}"
    found = _WHETHER_TO.match(text)
    words = found.group(1).split() if found else []
    if (
        not words
        and (does := _DOES.search(text))
        and (verb := base_verb(does[1]))
        and does[2].split()[0] not in _MODALS
    ):
        words = [verb, *does[2].split()]
    return _in_few_words(words) if words and base_verb(words[0]) == words[0] else ""


def _in_few_words(words: Sequence[str]) -> str:
    """Return the words as they are; nothing where they are many, or one of them is never said."""
    is_clean = 1 < len(words) <= _MOST_OF_ACT and word_set("unsaid").isdisjoint(words[1:]) and "to" not in words
    return " ".join(words) if is_clean and words[-1] not in word_set("prepositions") | word_set("determiners") else ""


def _named_act(words: Sequence[str]) -> str:
    """Return the act that a name consists of: `include_users`, `comments_enabled`; nothing where it is none."""
    words = words[1:] if words[0] in _MODALS and len(words) > 2 else words
    first, rest, last = words[0], words[1:], words[-1]
    is_switched = rest and past_of(last) in _SWITCHES
    if is_switched and (is_noun_phrase(words[:-1]) or first == "auto"):
        return f"{past_of(last)} {' '.join(words[:-1])}"
    if (first == "only" or last == "only") and rest and "read" not in words:
        kept = [word for word in words if word != "only"]
        if len(kept) == 1 and kept[0].endswith("ing"):
            return f"only include {kept[0]} ones"
        return f"only include {_definite(kept)}" if is_noun_phrase(kept) else ""
    if first in _SHOWS and rest and is_noun_phrase(rest):
        return f"{_SHOWS[first]} {_definite(rest)}"
    if first == "can" and rest:
        return f"allow {gerund(' '.join(rest))}" if base_verb(rest[0]) == rest[0] else f"let {' '.join(rest)}"
    if base_verb(first) == first and rest and _is_object(rest):
        is_kind = is_adjective(last) and not is_noun(last)
        many = f"{' '.join(rest)} ones" if is_kind else plural(" ".join(rest))
        return f"{first} {many if first == 'allow' else _definite(rest)}"
    if base_verb(first) == first and rest and rest[0] in word_set("prepositions") and is_noun_phrase(rest[1:]):
        return f"{first} it {rest[0]} {_definite(rest[1:])}"
    if first in _GO_ON and len(rest) > 1 and rest[0] in ("on", "after", "without") and is_noun(rest[1]):
        return " ".join(words)
    act = past_of(last)
    if rest and last in ("exempt", "sensitive", "able", "free"):
        return f"make it {' '.join(words)}"
    if rest and first not in ("is", "has") and is_adjective(last) and not is_noun(last) and is_noun_phrase(words[:-1]):
        return f"make the {' '.join(words[:-1])} {last}"
    if not rest and base_verb(first) == first and not is_adjective(first) and first != "read":  # also its participle
        return f"{first} it"
    return f"{act} it" if not rest and act in _SWITCHES else ""


_GO_ON = frozenset("continue proceed stop fail retry wait exit skip".split())
"""Acts that need no object: `continueOnFailure`."""
_MODALS = frozenset("is are should must will shall needs need to be do does".split())
_SHOWS = {"with": "include", "without": "leave out", "no": "leave out"}


def _is_object(words: Sequence[str]) -> bool:
    """Whether the words are noun phrases joined by prepositions: `barcode with order number`."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word in word_set("prepositions"):
            parts.append([])
        else:
            parts[-1].append(word)
    return all(part and is_noun_phrase(part) and part != ["myself"] for part in parts)


def _definite(words: Sequence[str]) -> str:
    text = " ".join(words)
    return text if has_plural_head(words) or not is_countable(text) else f"the {text}"


def _state(words: Sequence[str], *, of_search: bool) -> str:
    """Return the act that brings about the state that a name asserts: `is_private`; a search is limited to it."""
    if words[0] == "has" and is_noun_phrase(words[1:]):
        held = " ".join(words[1:])
        return f"only include those with {held}" if of_search else f"mark it as having {indefinite(words[1:])}"
    if words == ("read",):
        return "only include read ones" if of_search else "mark it as read"
    if words in (("default",), ("read", "only")):
        return "make it the default" if len(words) == 1 else "make it read-only"
    asserted = words[1:] if words[0] == "is" else words
    if words[0] == "is" and is_noun_phrase(asserted) and not any_quality(asserted[-1]):
        return f"only include {plural(' '.join(asserted))}" if of_search else f"mark it as {indefinite(asserted)}"
    if of_search and len(asserted) == 1 and asserted[0].endswith("ing"):
        return f"only include {asserted[0]} ones"
    if len(asserted) != 1 or not any_quality(asserted[0]):
        return ""
    if of_search:
        return f"only include {asserted[0]} ones"
    return f"mark it as {asserted[0]}" if is_participle(asserted[0]) else f"make it {asserted[0]}"


def any_quality(word: str) -> bool:
    """Whether a word says how a thing is: an adjective or a participle."""
    is_verb = any_verb(word) is not None and word not in lexicon()["names"]
    return is_adjective(word) or is_participle(word) or (word.endswith("able") and not is_verb)
