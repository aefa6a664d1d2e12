"""The noun of a parameter: a short noun phrase, or the consequence of a yes/no parameter.

It comes from the parameter's name, in reading form; a description that begins with such a phrase refines it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

import msgspec

from callwright.lang.english import any_verb, base_verb, is_countable, is_noun, is_plural, plural
from callwright.lang.lexicon import lexicon, word_set
from callwright.lang.tokens import content_stems, identifier_words, stem_set


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


@cache
def _acronyms() -> dict[str, str]:
    return {word.lower(): word for word in word_set("acronyms")}


def with_capitals(text: str) -> str:
    """Return the text with abbreviations in capitals.

    >>> with_capitals("short url"), with_capitals("ids of the api"), with_capitals("a2p profile")
    ('short URL', 'IDs of the API', 'A2P profile')
    """
    return " ".join(
        word.upper() if _MIXED.fullmatch(word) else _acronyms().get(word, word) if word.islower() else word
        for word in text.split(" ")
    )


_MIXED = re.compile(r"(?!v\d)(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{2,4}")


def as_spelled(text: str, description: str) -> str:
    """Return the text with the capitals of names in a description: `SoundCloud`; common nouns stay small.

    >>> as_spelled("soundcloud user", "Authenticates users of SoundCloud for a User.")
    'SoundCloud user'
    """
    spelled = {word.lower(): word for word in re.findall(r"(?<=[\w,] )[A-Z]\w*", description)}
    return " ".join(word if is_noun(word) else spelled.get(word, word) for word in with_capitals(text).split(" "))


_LEAD = re.compile(
    r"^(?:(?:the|a|an|your|this|these|optional|required|unique|full|specific|specified|given|exact|string|integer|"
    r"boolean|indicates?|specifies|contains|represents|defines|denotes|describes|is|array of|"
    r"comma[- ]separated list of|list of)\s+)+",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"(?:[,;:(\[\n`\"*<]|\.\s|\.$|\s[-–—]\s|\s(?:the user|the caller|that|which|who|whose|where|when|if|in order|used|"
    r"such|containing|e\.g|i\.e|by default|for which|to be|to(?!\s*(?:[,.;:(]|$))|must|should|can|may|is|are|will|"
    r"from which|as|"
    r"according|based|ranging|expressed|in the format|in format|in ISO|provided|supplied|returned|named|called|with|"
    r"being|included|displayed|performed|applied|requesting|needed|required|requested|desired|wanted|"
    r"allows?|enables?|determines?|specif(?:y|ies)|defines?)\b).*",
    re.IGNORECASE | re.DOTALL,
)
_WHETHER = re.compile(r"^(?:whether|if|set to true|true|flag|indicates whether|specifies whether)\b", re.IGNORECASE)
_WHETHER_TO = re.compile(r"^.*?\bwhether(?: or not)?(?: you want)? to\s+([a-z].*)$", re.IGNORECASE | re.DOTALL)
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9'’/ &-]*")
_MOST_WORDS = 6
_MOST_TOLD = 4
"""Most words with meaning in a noun that comes from a description."""
_HEAD_END = re.compile(r"\s(?:of|for|in|on|at|by|from|to|per)\s|(?<!\band)(?<!\bor)\s(?:the|an?|you|we|they)\s")
"""Where the head of a noun phrase ends: before a preposition, or a clause: `party the candidate belongs to`."""


@lru_cache(maxsize=65536)
def slot_noun(name: str, description: str, thing: str = "") -> Noun:
    """Return the noun of the parameter `name` with this description, of a tool that acts on a `thing`.

    The name comes first. The description refines it where it begins with a short noun phrase that shares a word with
    the name, or where the name says nothing.

    >>> slot_noun("fid", "The unique identifier that represents a folder.").text
    'folder ID'
    >>> slot_noun("start", "start date of the leave, inclusive").text
    'start date of the leave'
    >>> slot_noun("startDate", "Globally unique identifier of the moment at which it starts").text
    'start date'
    >>> [slot_noun("sid", "To identify it", thing="short code").text, slot_noun("lines.0.quantity", "").text]
    ['short code ID', 'quantity']
    >>> slot_noun("notify", "whether to notify the customer").consequence, slot_noun("isPrivate", "").consequence
    ('notify the customer', 'make it private')
    """
    named = _from_name(name)
    asserted = identifier_words(name.rpartition(".")[2])
    is_state = len(asserted) == 2 and asserted[0] == "is"
    if consequence := _consequence(description) or (f"make it {asserted[1]}" if is_state else ""):
        return Noun(text=named, consequence=consequence)
    text = _without_thing(_from_description(description), thing)
    fits = _says_nothing(named) or _shares(named, text) or _is_whole(description, text)
    if not text or not fits or stem_set(text) < stem_set(named):
        text = named
    if thing and text in ("ID", "IDs"):
        text = f"{thing} {text}"
    return Noun(text=text, plural=is_plural(re.split(_HEAD_END, text)[0]))


def _from_name(name: str) -> str:
    """Return the words of a name; of a nested one the leaf, with what it belongs to unless that is a list."""
    path = [identifier_words(part) for part in name.split(".")]
    path = [words for words in path if words and words[0] not in _WRAPPERS] or path[-1:]
    words = path[-1] or ["detail"]
    if len(path) > 1 and not all(word.isdigit() for word in path[-2]) and len(words) == 1:
        words = [*path[-2], *words]
    if len(words) > 1 and words[0] in ("is", "has"):
        words = words[1:]
    known = lexicon()["names"]
    words = words[1:] if words[0] == "x" and len(words) > 1 else words
    said = known.get(" ".join(words), "") or " ".join(known.get(word, word) for word in words).strip()
    said = re.sub(r"\b([a-z]\d) ([a-z])\b", r"\1\2", re.sub(r"^(\w+ed) at$", r"\1 date", said))
    return with_capitals(" ".join(said.split(" ")[:_MOST_WORDS]))


def as_flag(noun: Noun) -> Noun:
    """Return the noun of a yes/no parameter; one that is named after an action means that action.

    >>> as_flag(Noun("include users")).consequence, as_flag(Noun("mock")).consequence
    ('include users', '')
    """
    words = noun.text.split()
    acts = len(words) > 1 and base_verb(words[0]) == words[0] and not noun.consequence
    return Noun(noun.text, noun.plural, noun.text) if acts else noun


_WRAPPERS = frozenset(("body", "data", "payload", "attributes", "params", "properties", "fields", "request"))
"""Parents of nested values that people do not speak of."""


def _says_nothing(named: str) -> bool:
    """Whether a name is a bare identifier, a letter or an abbreviation that nobody knows."""
    return named in ("ID", "IDs", "key", "value") or (
        len(named) < 3 or not (is_noun(named) or named[4:] or named.isupper())
    )


def _shares(named: str, text: str) -> bool:
    own, head = stem_set(named), re.split(_HEAD_END, text)[0]
    leads = head in _COUNTING or named.endswith("ID")  # then the name may be of what follows
    return not own.isdisjoint(content_stems(text if leads else head))


def _without_thing(text: str, thing: str) -> str:
    """Leave out what the tool acts on where it has no article: `status` for `status for project`."""
    head, _, last = text.rpartition(" ")
    return (
        head.rpartition(" ")[0]
        if is_countable(last) and thing.endswith(last) and head.endswith((" for", " of"))
        else text
    )


def _is_whole(description: str, text: str) -> bool:
    """Whether a description is this noun and no more, up to its first comma or full stop."""
    first = re.split(r"[,;.(]", _LEAD.sub("", " ".join(description.split())), maxsplit=1)[0]
    return len(first.split()) == len(text.split())


_COUNTING = frozenset(("number", "count", "maximum number", "total number"))


def _from_description(description: str) -> str:
    """Return the noun phrase that a description begins with; nothing where it is long, or a definition."""
    text = re.sub(r"\b(?:sid|SID|Sid)(?=s?\b)", "ID", " ".join(description.split()))
    if entity := _IDENTIFIES.match(text):
        return f"{' '.join(entity.group(1).lower().split()[:3])} ID"
    text = _LEAD.sub("", text)
    if (cut := _CUT.search(text)) and cut.group().split()[0] in ("is", "are", "will", "must", "can"):
        return ""  # a sentence about it, which may leave out a word: "Date time entry is for"
    text = _HUMP.sub(" ", _CUT.sub("", text)).strip(" .'")
    if of := _IDENTIFIER_OF.match(_LEAD.sub("", text)):
        text = f"{_LEAD.sub('', of.group(1))} ID" if _OF.isdisjoint(of.group(1).split()) else ""
    text = _plainer(with_capitals(" ".join(w if w.isupper() or not is_noun(w) else w.lower() for w in text.split())))
    words = text.split()
    if (
        not words
        or len(words) > _MOST_WORDS
        or len(set(content_stems(text)) - word_set("prepositions")) > _MOST_TOLD
        or not _PLAIN.fullmatch(text)
    ):
        return ""
    if (
        words[-1].lower() in _OPEN_ENDS
        or words[0].lower() in _NO_NOUNS
        or not _DEFINES.isdisjoint(text.lower().split())
    ):
        return ""
    return "" if _is_instruction(words) else text[0].lower() + text[1:] if words[0][1:].islower() else text


_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
_OF = word_set("prepositions") | {"a", "an"}
_IDENTIFIES = re.compile(
    r"^(?:the\s+|a\s+)?(?:unique\s+)?(?:identifier|id|sid)\s+that\s+(?:identifies|represents?)\s+"
    r"(?:(?:the|a|an|this)\s+)?([\w ]+)",
    re.IGNORECASE,
)
_IDENTIFIER_OF = re.compile(
    r"^(?:id|ids|uid|identifier|identifiers|guid|uuid|sid|key)\s+(?:of|for|representing)\s++(?:(?:the|an?|this)\s++)?(.+)$",
    re.IGNORECASE,
)
_DEFINES = word_set("definitions")
"""Words of definitions, which nobody says for the thing itself."""
_PLAINER = tuple(
    (re.compile(pattern, re.IGNORECASE), said)
    for pattern, said in (
        (r"^(?:the )?(?:user|customer|developer|client|caller|provider)(?:'s|’s) (?=\w)", ""),
        (r"^(\w+)['’]s (?:unique )?(?:identifier|ID)$", r"\1 ID"),
        (r"\b(?:two|three)[- ](?:letter|character|digit) (?:ISO )?(?=codes?\b)", ""),
        (r"^code of (?:the |an? )?((?!of )\S+)$", r"\1 code"),
        (r"\bURL address(?:es)?\b", "URL"),
        (r"\bresource ID\b", "ID"),
        (r"^human[- ]readable ", ""),
    )
)  # fmt: skip
"""Words for types of values in documents, which people leave out."""


def _plainer(text: str) -> str:
    for pattern, said in _PLAINER:
        shorter = pattern.sub(said, text)
        text = shorter if shorter.strip() else text
    return text


_OPEN_ENDS, _NO_NOUNS = word_set("open_ends"), word_set("no_nouns")


def _is_instruction(words: list[str]) -> bool:
    """Return whether it is an effect or an instruction: `limits the results`, `search for quests`."""
    first = words[0].lower()
    if any_verb(first) and not is_noun(first) and (not first.endswith("ing") or words[1:2] in (["the"], ["a"], ["an"])):
        return True
    if base_verb(first) == first and words[1:2] in (["the"], ["a"], ["an"]):
        return True
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
