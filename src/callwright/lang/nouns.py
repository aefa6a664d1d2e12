"""The noun of a parameter: a short noun phrase, or the consequence of a yes/no parameter.

It comes from the description (the gloss before the first comma), or from the name if there is no description.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

import msgspec

from callwright.lang.english import base_verb, is_countable, is_plural, plural
from callwright.lang.gazetteer import languages
from callwright.lang.tokens import identifier_words


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
        found = re.fullmatch(r"(.+) (?:number|ID|reference|code)", self.text)
        return found.group(1) if found and " of " not in self.text else ""

    @property
    def counted(self) -> str:
        """For `how many`: the thing counted, in the plural: `nights` for `number of nights`."""
        text = re.sub(r"^(?:total |maximum |max )?(?:number|count|amount|quantity) of ", "", self.text)
        has_plural = any(is_plural(word) for word in text.split())
        return text if has_plural or not is_countable(text) else plural(text)


_ABBREVIATIONS = {
    word.lower(): word
    for word in (
        "ID IDs URL URLs IP IPs API APIs DNS HTML HTTP JSON XML CSV PDF SMS SQL IBAN VAT GPS ISBN QR TV UK US EU UUID "
        "ISO"
    ).split()
}


def with_capitals(text: str) -> str:
    """Return the text with abbreviations in capitals.

    >>> with_capitals("short url"), with_capitals("ids of the api")
    ('short URL', 'IDs of the API')
    """
    return " ".join(_ABBREVIATIONS.get(word.lower(), word) if word.islower() else word for word in text.split(" "))


def as_spelled(text: str, description: str) -> str:
    """Return the text with the capitals of names in a description: `Brazil`, `SoundCloud`.

    >>> as_spelled("soundcloud user", "Authenticates users of SoundCloud.")
    'SoundCloud user'
    """
    spelled = {word.lower(): word for word in re.findall(r"(?<=[\w,] )[A-Z]\w*", description)}
    return " ".join(spelled.get(word, word) for word in with_capitals(text).split(" "))


@cache
def _proper_adjectives() -> frozenset[str]:
    """Words that keep their capital: `English word`."""
    return frozenset(languages().values())


_LEAD = re.compile(
    r"^(?:(?:the|a|an|your|this|these|optional|required|unique|full|specific|specified|given|exact|string|integer|"
    r"boolean|indicates?|specifies|contains|represents|defines|denotes|describes|is|array of|"
    r"comma[- ]separated list of|list of)\s+)+",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"(?:[,;:(\[\n`\"]|\.\s|\.$|\s[-–—]\s|\s(?:the user|the caller|that|which|who|whose|where|when|if|in order|used|"
    r"such|e\.g|i\.e|by default|for which|to be|to(?!\s*(?:[,.;:(]|$))|must|should|can|may|is|are|will|from which|as|"
    r"according|based|ranging|expressed|in the format|in format|in ISO|provided|supplied|returned|named|called|with|"
    r"being|included|displayed|performed|applied|requesting|needed|required|requested|desired|wanted)\b).*",
    re.IGNORECASE | re.DOTALL,
)
_IDENTIFIER_OF = re.compile(
    r"^(?:id|ids|uid|identifier|identifiers|guid|uuid|sid|key)\s+(?:of|for|representing)\s++(?:(?:the|a|an|this)\s*+)?(.+)$",
    re.IGNORECASE,
)
_WHETHER = re.compile(r"^(?:whether|if|set to true|true|flag|indicates whether|specifies whether)\b", re.IGNORECASE)
_WHETHER_TO = re.compile(r"^.*?\bwhether(?: or not)?(?: you want)? to\s+([a-z].*)$", re.IGNORECASE | re.DOTALL)
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9'’/ &-]*")
_VAGUE = frozenset("value data name text object item items number string list id type content array details".split())
_MOST_WORDS = 6
_HEAD_END = re.compile(r"\s(?:of|for|in|on|at|by|from|to|per)\s|(?<!\band)(?<!\bor)\s(?:the|an?|you|we|they)\s")
"""Where the head of a noun phrase ends: before a preposition, or a clause: `party the candidate belongs to`."""


@lru_cache(maxsize=65536)
def slot_noun(name: str, description: str) -> Noun:
    """Return the noun of the parameter `name` with this description.

    >>> slot_noun("fid", "The unique identifier that represents a folder.").text
    'folder ID'
    >>> slot_noun("start", "start date of the leave, inclusive").text
    'start date of the leave'
    >>> slot_noun("party", "The party the candidate belongs to, such as Greens").plural
    False
    >>> slot_noun("notify", "whether to notify the customer").consequence
    'notify the customer'
    """
    consequence = _consequence(description)
    if consequence:
        return Noun(text=_from_name(name), consequence=consequence)
    text = _from_description(description)
    if not text or (text.lower() in _VAGUE and len(identifier_words(name)) > 1):
        text = _plainer(_from_name(name))
    return Noun(text=text, plural=is_plural(re.split(_HEAD_END, text)[0]))


def _from_name(name: str) -> str:
    words = identifier_words(name) or ["detail"]
    return " ".join(with_capitals(word) for word in words[:_MOST_WORDS])


def _from_description(description: str) -> str:
    text = " ".join(description.split())
    entity = re.match(
        r"^(?:the\s+|a\s+)?(?:unique\s+)?(?:identifier|id|sid)\s+that\s+(?:identifies|represents?)\s+"
        r"(?:(?:the|a|an|this)\s+)?([\w ]+)",
        text,
        re.IGNORECASE,
    )
    if entity:
        return f"{' '.join(entity.group(1).split()[:3])} ID"
    text = _CUT.sub("", _LEAD.sub("", text)).strip(" .'")
    text = _LEAD.sub("", text)
    of = _IDENTIFIER_OF.match(text)
    if of:
        text = f"{of.group(1)} ID"
    words = text.split()
    if not words or len(words) > _MOST_WORDS or not _PLAIN.fullmatch(text):
        return ""
    if len(words) > 1 and words[0].lower() == base_verb(words[0]) and words[1] in ("the", "a", "an"):
        return ""  # an instruction, not a noun
    if words[-1].lower() in _OPEN_ENDS or words[0].lower() in _NO_NOUNS or _is_instruction(words):
        return ""
    return _plainer(_lower_first(text))


_PLAINER = tuple(
    (re.compile(pattern, re.IGNORECASE), said)
    for pattern, said in (
        (r"^(?:the )?(?:user|customer|developer|client|caller|provider)(?:'s|’s) (?=\w)", ""),
        (r"^(\w+)['’]s (?:unique )?(?:identifier|ID)$", r"\1 ID"),
        (r"^(unique )?identifier$", "ID"),
        (r"\b(?:two|three)[- ](?:letter|character|digit) (?:ISO )?(?=codes?\b)", ""),
        (r"^code of (?:the |an? )?((?!of )\S+)$", r"\1 code"),
        (r"^query$", "search term"),
        (r"^(?:predefined )?list of ", ""),
        (r"\bURL address(es)?\b", lambda found: "URLs" if found[1] else "URL"),
        (r"^min$", "minimum"),
        (r"^max$", "maximum"),
    )
)  # fmt: skip
"""Words for types of values in documents, which people leave out."""


def _plainer(text: str) -> str:
    for pattern, said in _PLAINER:
        shorter = pattern.sub(said, text)
        text = shorter if shorter.strip() else text
    return text


_OPEN_ENDS = frozenset("of for the a an in on by and or at with from as this that we i you via".split())
_NO_NOUNS = frozenset(
    "whether which if when while that is are must used being setting set pass provide specify show hide return only "
    "include exclude filter choose select either for in at by when once don't do not assign give enter".split()
)


def _is_instruction(words: list[str]) -> bool:
    """Return whether it is an effect or an instruction: `limits the results`, `search for quests`."""
    first = words[0].lower()
    does = base_verb(first) not in (None, first) and not first.endswith("ing") and len(words) > 1
    asks = base_verb(first) == first and words[1:2] == ["for"]
    return asks or (does and words[1].lower() != "of") or first in ("determines", "controls")


def _consequence(description: str) -> str:
    text = " ".join(description.split())
    if not _WHETHER.match(text):
        return ""
    match = _WHETHER_TO.match(text)
    if not match:
        return ""
    action = re.split(r"[,;.(]|\s(?:or|so that|when|which|that|if|the default)\b", match.group(1))[0].strip()
    words = action.split()
    return action if 2 <= len(words) <= 9 and base_verb(words[0]) == words[0] else ""


def _lower_first(text: str) -> str:
    first = text.split(" ")[0]
    if first.lower() in _ABBREVIATIONS or first in _proper_adjectives():
        return with_capitals(text)
    keep = first.isupper() or any(letter.isupper() for letter in first[1:])
    return text if keep else text[0].lower() + text[1:]
