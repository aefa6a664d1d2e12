"""Kinds of values: what a parameter means to a person, inferred from its schema.

Evidence has this order of priority: type, format, enum, pattern, examples, the head of the name, how the description
begins, other words of the name, other words of the description.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib.resources import files
from typing import Literal, cast

from callwright.lang.dates import parse_clock, parse_moment
from callwright.lang.day_layouts import day_layout, short_month_layout
from callwright.lang.patterns import is_match, parse_pattern
from callwright.lang.schemas import (
    SAID_OF_TIME,
    described_text,
    example_values,
    name_words,
    options_of,
    plain_schema,
    type_of,
)
from callwright.records.jsontext import Json, JsonText, decode, encode

Kind = Literal[
    "date", "datetime", "time", "money", "percent", "count", "number", "year", "boolean", "enum", "email", "phone",
    "url", "person", "city", "country", "currency", "language", "code", "title", "text", "list", "object", "other",
]  # fmt: skip
"""`code` is an identifier with exact spelling, `title` a short proper name, `text` free text."""

_TABLE = json.loads(files("callwright.lang").joinpath("data/kinds.json").read_bytes())
_FORMATS: dict[str, Kind] = _TABLE["formats"]


def _words(name: str) -> frozenset[str]:
    return frozenset(_TABLE["words"][name].split())


_MONEY = _words("money")
_PERCENT = _words("percent")
_COUNT = _words("count")
_COUNTED = _words("counted")
_NAME_DATE = _words("name_date")
_NAME_TIME = _words("name_time")
_NAME_TEXT = _words("name_text")
_NAME_TITLE = _words("name_title")
_NAME_CODE = _words("name_code")
_NAME_COUNT = _words("name_count")
_AXES = _words("axes")
_NAME_PERSON = _words("name_person")
_CLASSIFIERS = _words("classifiers")
_NAMED_PERSON = re.compile(
    r"\bfull name\b|\bname of (?:the |a |your )?(?:[a-z]+ )?(?:person|employee|colleague|customer|patient|user|contact|"
    r"manager|author|guest|signer|holder|visitor|recipient|applicant|candidate|doctor|driver|tenant|landlord|teacher|"
    r"student)\b|\b(?:user|employee|customer|author|patient|applicant|recipient)'s (?:full )?name\b"
)
_PLAIN: dict[str, Kind] = _TABLE["plain"]
_DATE_SHAPE = re.compile(r"\\d\{4\}-|\[0-9\]\{4\}-|\(19\|20\)")
_CLOCK_SHAPE = re.compile(r"\{2\}:\\d|\\d:|\]:\[|\{2\}:\[")
_COORDINATES = re.compile(r"latitude *, *longitude|longitude *, *latitude")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+")
_URL = re.compile(r"https?://\S+|www\.\S+")
_PHONE = re.compile(r"\+?\(?\d[\d\s().-]{6,18}\d")
_CODE = re.compile(r"(?=.*\d)[\w.:/#-]{2,64}|[A-Z]{2,12}(?:[-_/][A-Z]{2,12})*|(?=.*_)[\w-]{3,64}")
_IDENTIFIER = re.compile(
    r"[^.\n]{0,120}?(?<!or )(?<!name )\b(?:id|ids|identifiers?|[ug]uids?|sid)\b(?! or\b|,? ?or a? ?name|-)"
)
"""A first sentence that says that the value is an identifier."""
_DESCRIBED: tuple[tuple[re.Pattern[str], Kind], ...] = tuple(
    (re.compile(source), cast(Kind, kind))
    for source, kind in (
        (_COORDINATES.pattern, "code"),
        (r"\bunix\b|\bepoch\b|\btimestamp\b|date and time|iso 8601 (?:date)?time|yyyy-mm-dd[t ]hh", "datetime"),
        (
            r"yyyy-mm-dd|yyyymmdd|dd/mm/yyyy|mm/dd/yyyy|\b(?:start|end|due|departure|arrival) date\b|^(?:the )?date\b",
            "date",
        ),
        (r"\bhh:mm|\btime of (?:the )?day\b", "time"),
        (r"^(?:the )?(?:maximum |minimum )?(?:number|width|height) of\b|\bhow many\b|^[xy] coordinate\b", "count"),
        (r"\be-?mail address", "email"),
        (r"\b(?:phone|telephone|mobile) number\b", "phone"),
        (r"\burl\b|\bweb ?page address\b|\blink to\b", "url"),
        (r"(?m:^)(?>.*?\bcurrency\b)(?=.*\bcode\b)|\bcurrency identifier\b|\biso 4217\b", "currency"),
        (r"\blanguage code\b|\biso 639", "language"),
        (r"\bcountry code\b|\biso 3166|\bname of the country\b", "country"),
        (r"\bname of the city\b|\bcity name\b", "city"),
        (rf"^{_IDENTIFIER.pattern}|\bcode of\b|\bcode\b", "code"),
        (_NAMED_PERSON.pattern, "person"),
        (r"\breason\b|\bmessage\b|\bcomment|\bfree text\b|\btext\b|\bdescription of\b|\bcontent\b", "text"),
        (r"\bname\b|\btitle\b|\bkeyword", "title"),
    )
)
_OPENING: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"(?:the )?time (?:of|for|at|when)\b"), "time"),
    (re.compile(r"(?:the )?number of (?!the\b)|^(?:the )?length of .*\b(?:days|nights|weeks|months|hours)\b"), "count"),
    (re.compile(r"^(?:the )?(?:[a-z]+ )?(?:city|town)\b|(?:the )?location of the (?!file|folder|document)"), "city"),
)
"""The kind of a parameter by the beginning of its description, if its name does not decide."""
_OUTSPOKEN: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"(?:the |an? |your )?(?:[a-z']{1,20} ){0,2}(?:phone|mobile|telephone) number\b"), "phone"),
    (re.compile(r"(?:the |an? |your )?(?:[a-z']{1,20} ){0,2}e-?mail address\b(?! or\b)"), "email"),
)
"""The kind by the beginning of the description, whatever the name."""


def kind_of(name: str, schema: dict[str, Json]) -> Kind:
    """Return the kind of value that a parameter of this name and JSON Schema holds."""
    return _kind_of(name, encode(schema))


@lru_cache(maxsize=16384)
def _kind_of(name: str, text: JsonText) -> Kind:
    schema = plain_schema(decode(text))
    kind_of_type = type_of(schema)
    if kind_of_type == "boolean":
        return "boolean"
    words = name_words(name)
    is_id = not {"enum", "const"} & schema.keys() and not ID_WORDS.isdisjoint((*words[:1], *words[-1:]))
    if (options_of(schema) and not is_id) or (words and words[-1] in _CLASSIFIERS and len(example_values(schema)) >= 2):
        return "enum"
    if kind_of_type == "array":
        return "list"
    if kind_of_type == "object":
        return "object"
    described = described_text(schema)
    if kind_of_type in ("integer", "number"):
        return _kind_of_number(words, described, is_integer=kind_of_type == "integer", schema=schema)
    return _kind_of_string(words, described, schema)


_SINCE = (("built",), ("founded",), ("established",))
"""Names of numbers that tell since which year there is something."""


def _kind_of_number(words: tuple[str, ...], described: str, *, is_integer: bool, schema: dict[str, Json]) -> Kind:
    head, named = (words[-1] if words else ""), frozenset(words)
    if schema.get("format") in ("unix-time", "date-time") or re.search(
        r"\bunix\b|\bepoch\b|(?m:^)(?>.*\btimestamp\b)(?!.*\bseconds\b)", described
    ):
        return "datetime"
    if head in ("timestamp", "ts", "epoch", "datetime") or words[-2:] == ("date", "time"):
        return "datetime"
    if is_integer and any(_EPOCH.fullmatch(str(shown)) for shown in example_values(schema)) and named & _MOMENTS:
        return "datetime"
    if head == "year" or (is_integer and words in _SINCE):
        return "year"
    if (
        named & {"id", "ids", "identifier", "zip", "code", "isbn", "phone"}
        or (is_integer and head == "key")
        or re.search(r"\bidentifier\b|\bunique id\b|\bid of\b|\bthe id\b|\bnumeric id\b", described)
    ):
        return "code"
    if named & _PERCENT or (head not in _COUNT and re.search(r"\bpercent|\bpercentage\b|%", described.split(". ")[0])):
        return "percent"
    if named & _MONEY and not named & _COUNTED:
        return "money"
    if is_integer:
        return "count"
    if named & _COUNT and not re.search(r"\bratio\b|\brate\b", described):
        return "count"
    return "money" if re.search(r"\b(?:price|amount of money|monetary|salary|cost) ", described) else "number"


def _kind_of_string(words: tuple[str, ...], described: str, schema: dict[str, Json]) -> Kind:
    if kind := _FORMATS.get(str(schema.get("format", "")).lower()):
        return kind
    if is_written_number(schema):
        return _kind_of_number(words, described, is_integer=True, schema=schema)
    if short_month_layout(described):
        return "other"  # `06/27` would be read as a day of June
    if is_weekday(words) or is_region(words, described) or is_said_of_time(schema):
        return "title"
    if is_part_of_date(words, schema):
        return "code"
    shown = (
        next((kind for pattern, kind in _OUTSPOKEN if not example_values(schema) and pattern.match(described)), None)
        or _kind_of_pattern(schema, words)
        or _kind_of_examples(schema, words, described)
        or _kind_of_name(words, described)
    )
    if shown:
        return shown
    return next((kind for pattern, kind in _DESCRIBED if pattern.search(described)), "other")


def is_part_of_date(words: tuple[str, ...], schema: dict[str, Json]) -> bool:
    """Whether a text holds the digits of a day or a month, as its examples have them: `05`."""
    shown = example_values(schema)
    return words in (("day",), ("month",)) and bool(shown) and all(_DIGITS_OF_DATE.fullmatch(str(one)) for one in shown)


def is_said_of_time(schema: dict[str, Json]) -> bool:
    """Whether the examples of a text tell a day or a time as people say it, so that none is written in digits.

    >>> is_said_of_time({"example": "Tuesday"}), is_said_of_time({"type": "string", "description": "e.g. 2 weeks"})
    (True, True)
    >>> is_said_of_time({"example": "2026-05-05"}), is_said_of_time({"example": "18:30"}), is_said_of_time({})
    (False, False, False)
    """
    shown = example_values(schema)
    return bool(shown) and all(isinstance(one, str) and SAID_OF_TIME.fullmatch(one) is not None for one in shown)


_DIGITS_OF_DATE = re.compile(r"\d{1,2}")


def is_written_number(schema: dict[str, Json]) -> bool:
    """Whether a text holds a whole number: large ones are written so, as JSON readers round them."""
    return str(schema.get("format")) in _WHOLE_NUMBERS and type_of(schema) == "string"


_WHOLE_NUMBERS = ("int32", "int64", "uint32", "uint64")


def is_weekday(words: tuple[str, ...]) -> bool:
    """Whether a name is of a day of the week: `preferredDayOfWeek`."""
    return words[-3:] == ("day", "of", "week") or words[-1:] == ("weekday",)


def is_region(words: tuple[str, ...], described: str) -> bool:
    """Whether a name is of the place of machines, which has a code: the `location` where a resource lives."""
    if words[-1:] == ("zone",):
        return _ZONE.search(described) is not None
    is_place = words[-1:] in (("location",), ("region",))
    return is_place and (words[-2:-1] in _CLOUDS or _REGION.search(described) is not None)


_CLOUDS = (("aws",), ("azure",), ("gcp",), ("cloud",), ("hosting",), ("compute",))
_ZONE = re.compile(r"\b(?:compute|cloud)\b[a-z ]{0,20} zone|\bavailability zone|\b[a-z]{2}-[a-z]{4,9}-?\d-?[a-z]\b")
_REGION = re.compile(
    r"\b[a-z]{2}-[a-z]{4,9}-?\d\b|\b(?:north|south|east|west|central){1,2} ?(?:us|eu|uk|asia|europe|india|japan)\d?\b|"
    r"\b(?:resource|cloud) (?:location|region)|\bgeo-?location where|\b(?:location|region) of the resource|"
    r"\bcloud\b[a-z ]{0,30} region\b|\bresource (?:lives|is located|resides)|\bdata ?cent(?:er|re)s?\b"
)


def _kind_of_pattern(schema: dict[str, Json], words: tuple[str, ...]) -> Kind | None:
    pattern = schema.get("pattern")
    if not isinstance(pattern, str):
        return None
    named = _kind_of_name(words, "")
    if _DATE_SHAPE.search(pattern) or _is_moment_pattern(words, pattern):
        return "datetime" if "T" in pattern else "date"
    if "@" in _IN_CLASS.sub("", pattern):  # a class that may hold it is not one that must
        return "email"
    if pattern.startswith(("^http", "http")):
        return "url"
    if named in ("money", "percent") and _AMOUNT.search(pattern):
        return named
    if named in ("currency", "country", "language", "phone", "date", "time", "year"):
        return named
    if _CLOCK_SHAPE.search(pattern) and named != "code":
        return "time"
    if named == "title" and _takes_words(pattern):
        return None
    return "code" if re.search(r"\\d|\[0-9|A-Z|A-F", pattern) and " " not in pattern else None


def _is_moment_pattern(words: tuple[str, ...], pattern: str) -> bool:
    """Whether a moment's name has a pattern that takes moments: `([12]\\d{3})-(1[0-2]|0[1-9])-...`."""
    parsed = parse_pattern(pattern) if {"timestamp", *_MOMENTS}.intersection(words[-1:]) else None
    return parsed is not None and any(is_match(parsed, one) for one in ("2026-05-04T09:30:00Z", "2026-05-04"))


_IN_CLASS = re.compile(r"\[[^\[\]]*\]")


def _takes_words(pattern: str) -> bool:
    """Whether plain words keep to a pattern."""
    parsed = parse_pattern(pattern)
    return parsed is not None and (is_match(parsed, "harbour") or is_match(parsed, "Harbour"))


def _kind_of_examples(schema: dict[str, Json], words: tuple[str, ...], described: str) -> Kind | None:
    texts = [value for value in example_values(schema) if isinstance(value, str) and value not in ("", "string")]
    kinds = {kind_of_value(text) for text in texts[:4]}
    if len(kinds) != 1:
        return None
    kind = kinds.pop()
    if kind == "code" and day_layout(described):
        return "date"
    if kind == "code" and _EPOCH.fullmatch(texts[0]) and _SINCE_EPOCH.search(described):
        return "datetime"
    if kind not in ("code", "title", "text", "other", "phone", "datetime"):
        return kind
    named = _kind_of_name(words, described)
    if named:
        return named
    return None if kind == "other" else kind


def kind_of_value(value: Json) -> Kind:
    """Return the kind of a value without a schema."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "code" if isinstance(value, int) and value >= 1000 else "number"
    if isinstance(value, (list, dict)):
        return "list" if isinstance(value, list) else "object"
    return _kind_of_text(value) if isinstance(value, str) else "other"


_AMOUNT = re.compile(r"\\d|\[0-9\]")
_EPOCH = re.compile(r"1[4-9]\d{8}(?:\d{3})?")
_MOMENTS = frozenset("date time at on created updated modified changed expires expiry start end since until".split())
_SINCE_EPOCH = re.compile(r"\bunix\b|\bepoch\b|\btimestamp\b|\btime\b|\bdate\b")
_NUMERIC = re.compile(r"[-+]?\d+(?:\.\d+)?")


_DATED = re.compile(r"\d{4}-\d\d")


@lru_cache(maxsize=16384)
def _kind_of_text(text: str) -> Kind:
    if _DATED.match(text) and (moment := parse_moment(text)) is not None:
        return "datetime" if hasattr(moment, "hour") else "date"
    if parse_clock(text):
        return "time"
    for pattern, kind in ((_EMAIL, "email"), (_URL, "url")):
        if pattern.fullmatch(text):
            return cast(Kind, kind)
    if _NUMERIC.fullmatch(text):
        return "code"
    if text.startswith("+") and _PHONE.fullmatch(text):
        return "phone"
    if _CODE.fullmatch(text):
        return "code"
    return "text" if text.count(" ") >= 4 else "title"


_IS_ID = re.compile(r"(?:the )?(?:unique )?(?:ids?|identifiers?) (?:of|for) (?:the|an?|this) ")


def _kind_of_name(words: tuple[str, ...], described: str) -> Kind | None:
    if not words:
        return None
    head, named = _head(words), frozenset(words)
    if _IS_ID.match(described):
        return "code"
    if head in _CLASSIFIERS:
        return "code" if head == "format" and "date format" in described else None
    is_side = head in _SIDES and len(words) > 1
    if is_side and (kind := "datetime" if head == "at" else _dated(named, described)):
        return kind
    if kind := _kind_of_head(head, named, described):
        is_named = kind in _NAMED | {"money"} and head not in ("name", "title") and _IDENTIFIER.match(described)
        return "code" if is_named else kind
    if kind := next((kind for pattern, kind in _OPENING if pattern.match(described)), None):
        return kind
    if is_side or (head in _OF_TIME and "time" in named):
        return None
    return next((kind for word in reversed(words) if (kind := _by_word(word, named, described))), None)


_NAMED = frozenset(("title", "person", "city"))
"""Kinds of things that a parameter may also take an identifier of."""
_SIDES = _words("sides")
_OF_TIME = _words("of_time")
"""Names with `time` that are not times of day."""


def _head(words: tuple[str, ...]) -> str:
    """Return the head noun of a name: the last word that is not a number, before any `of`."""
    if "of" in words[1:]:
        words = words[: words.index("of", 1)]
    return next((word for word in reversed(words) if not word.isdigit()), words[-1])


ID_WORDS = _words("id_words")
"""Words by which names of parameters say that they are identifiers."""
_NUMBERED = ID_WORDS | _words("numbered")


def _kind_of_head(head: str, named: frozenset[str], described: str) -> Kind | None:
    if head in _NUMBERED:
        if head in ("number", "num") and "of" in named:
            return "count"
        return "phone" if named & {"phone", "telephone", "mobile"} and head not in ID_WORDS else "code"
    if head == "code":
        return next((_PLAIN[w] for w in ("country", "currency", "language") if w in named), "code")
    if head in ("user", "users", "ts"):
        return "datetime" if head == "ts" else "code"
    if head == "zone" and "time" in named:
        return "code"
    if head == "address":
        return "email" if named & {"email", "mail"} else "code" if named & {"ip", "mac"} else "title"
    if head in _AXES:
        return "number"
    if head in _NAME_COUNT and not re.search(r"\bname\b|\btitle\b|\bslug\b|\burl\b|\btoken\b", described):
        return "count"
    return _by_word(head, named, described)


def _by_word(word: str, named: frozenset[str], described: str) -> Kind | None:
    if _PLAIN.get(word) == "currency" and _OTHER_NOUN.search(described):
        return "title"
    if word == "name":
        return _kind_of_naming(named, described)
    if word in ("location", "position") and _COORDINATES.search(described):
        return "code"
    if word == "location":
        return "title" if "address" in described else "city"
    if word in _PLAIN and not (word == "link" and len(named) > 1 and "url" not in described):
        return _PLAIN[word]
    if word in _NAME_DATE and "time" not in named:
        return "datetime" if re.search(r"\bunix\b|\bepoch\b", described) else "date"
    if word in _NAME_TIME:
        return "datetime" if re.search(r"\bdate\b|yyyy|iso 8601|unix|timestamp", described) else "time"
    if word in _NAME_TEXT:
        return "text"
    if word in _NAME_CODE:
        return "code"
    if word in _NAME_PERSON and not re.search(r"\bidentifier\b|\bid\b|\btype\b|\bstatus\b", described):
        return "person"
    if word in _NAME_TITLE:
        return "title"
    if word in _MONEY:
        return "money"
    if word in _PERCENT:
        return "percent"
    return None


_OTHER_NOUN = re.compile(r"\b[a-z]{3,12}currenc(?:y|ies)\b")
"""A compound with the kind's word is another noun: a cryptocurrency is none that a country has."""


def _kind_of_naming(named: frozenset[str], described: str) -> Kind:
    for word in ("city", "country", "language", "currency"):
        if word in named:
            return _PLAIN[word]
    if named & {"first", "last", "given", "family"}:
        return "person"
    if named & {"business", "company", "organisation", "organization"}:
        return "title"
    if named & {"user", "login"} or "username" in described:
        return "person" if _NAMED_PERSON.search(described) else "code"
    if named & (_NAME_PERSON | {"first", "last", "full", "given", "family"}):
        return "person"
    return "person" if _NAMED_PERSON.search(described) else "title"


def _dated(named: frozenset[str], described: str) -> Kind | None:
    if named & {"created", "updated", "modified", "date", "valid", "effective"}:
        return "datetime" if re.search(r"\btime\b|timestamp|rfc", described) else "date"
    return None
