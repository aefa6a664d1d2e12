"""Identifiers: shaped by a pattern, by examples, by what they are (an IP address, a postcode), or by their name."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from random import Random

from callwright.author.value_arns import arn_of_pattern, draw_arn, is_arn
from callwright.author.value_bank import NAME_WEIGHT, score_topics, values_about
from callwright.author.value_ids import UUID, form_of, is_placeholder
from callwright.author.value_numbers import near_shown
from callwright.author.value_scene import Person, Scene, ascii_letters
from callwright.author.value_subject import Maker, Subject
from callwright.lang.gazetteer import countries
from callwright.lang.kinds import ID_WORDS, is_written_number
from callwright.lang.name_forms import PART_OF_FORM
from callwright.lang.patterns import Alternation, draw_from, is_match, parse_pattern
from callwright.lang.schemas import example_values
from callwright.records.jsontext import Json

_HEX = "0123456789abcdef"
_SERIES = re.compile(r"^\d+ ?(?:min|m|h|d|w|s|ms|x|px|p|k|kbps)[a-z]{0,6}$|^v?\d+(?:\.\d+)+$|^\d+x\d+$")
"""Examples out of a short series of choices, such as `5min`, `2.4.1` or `600x400`."""

_DIGITS = re.compile(r"\d+(?!\d*(?:st|nd|rd|th)\b)")
"""Not those of `69th`."""
_LONG_HEX = re.compile(
    r"(?=.*(?:\d-?[a-fA-F]|[a-fA-F]{5}))[0-9a-fA-F-]{16,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
)
"""Not `DE44500105175407324931`, whose letters come before all digits."""
_TYPED_HEX = re.compile(r"([A-Z]{1,3})(?=\d*[a-f])([0-9a-f]{16,})")
_MIXED = re.compile(r"(?=[A-Z]*\d+[A-Z])[A-Z0-9]{5,24}")


_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")
"""As it stands in an address, which nobody says."""
_BOLD = re.compile(r"^(\*\*|`)([^*`]{1,200})\1$")
_QUOTED = re.compile(r"^([\"'])([^\"']*)\1$")


def usable_examples(schema: dict[str, Json]) -> list[str]:
    """Return the examples that are texts somebody could mean, not placeholders such as `string`."""
    shown = [str(value) if type(value) is int else value for value in example_values(schema)]  # `32526` of a text
    texts = [_QUOTED.sub(r"\2", value.strip().rstrip(",;")) for value in shown if isinstance(value, str)]
    texts = [_BOLD.sub(r"\2", text) for text in texts]
    texts = [text for text in texts if not is_placeholder(text) and len(text) <= 200 and not _ENCODED.search(text)]
    return [text for text in texts if len(text.split()) > _MOST_OF_NAME or not _OF_READER.match(text)]


_OF_READER = re.compile(r"(?:(?i:my|your)[ _-]|(?:[Mm]y|[Yy]our)(?=[A-Z]))")
_MOST_OF_NAME = 3
"""Most words of a name that a document makes up for its reader: `My Data Attribute`, `my-new-board`."""


_MONTH_DAY = re.compile(r"\b(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6} \d{1,2}\b")


def vary(example: str, rng: Random) -> str:
    """Return a code of the example's shape with other digits: `PO-55120` gives `PO-48233`."""
    if _MONTH_DAY.search(example):
        return example  # other digits would be no date
    if _LONG_HEX.fullmatch(example):
        drawn = "".join(rng.choice(_HEX) if c != "-" else c for c in example)
        return drawn.upper() if example.isupper() else drawn
    if _MIXED.fullmatch(example):
        head = len(example) - len(example.lstrip(string.ascii_uppercase))
        return example[:head] + _pick(rng, string.ascii_uppercase + string.digits, len(example) - head)
    if "," in example:
        return ",".join(vary(part, rng) for part in example.split(","))
    if typed := _TYPED_HEX.fullmatch(example):
        return typed[1] + _pick(rng, _HEX, len(typed[2]))
    if random := _random_end(example):
        return example[: -len(random)] + "".join(_pick(rng, _sort_of(letter), 1) for letter in random)
    if measure := _MEASURE.fullmatch(example):
        near = [one for one in near_shown(float(measure[1])) if one != 1 or not measure[2].endswith("s")]
        return f"{rng.choice(near or [float(measure[1])]):g}{measure[2]}"  # no `1 weeks`
    if _CLOCK.search(example):
        return _CLOCK.sub(lambda found: _clock(rng, found), example)
    runs = _DIGITS.findall(example)
    has_year = len(runs) > 1 or " " in example

    def other(run: re.Match[str]) -> str:
        if has_year and _YEAR.fullmatch(run[0]):
            return str(int(run[0]) - rng.randint(0, _YEARS_BACK))
        if len(run[0]) == 1 and _COUNTED.match(example, run.end()):
            return str(rng.randint(2, 9))
        return _digits(rng, len(run[0]), zero=run[0][0] == "0")

    return _DIGITS.sub(other, example)


_MEASURE = re.compile(
    r"(\d{1,6}(?:\.\d{1,2})?)( ?(?:mg|g|kg|ml|cl|l|cm|mm|m|km|in|ft|lb|oz|litres?|liters?|metres?|meters?|grams?|"
    r"minutes|hours|days|weeks|months))"
)
"""A number with its unit: `500 mg`."""
_YEAR = re.compile(r"1[89]\d\d|20[0-3]\d")
"""A year beside other numbers or words, as in `NV-2024-0031`."""
_YEARS_BACK = 4
_COUNTED = re.compile(r" [a-z]+s\b")
"""More than one of them: `3 sacks`."""
_CLOCK = re.compile(r"(?<![:\d])(\d\d?)(?:(:[0-5]\d)(?![:\d])( ?[ap]m\b)?|()( ?[ap]m)\b)", re.IGNORECASE)
"""A time of day: `7pm`, `14:30`."""


def _clock(rng: Random, found: re.Match[str]) -> str:
    """Another time of the day, written as this one is."""
    half = found[3] or found[5] or ""
    hour = rng.randint(1, 11) if half else rng.randint(8, 19)
    minute = f":{rng.choice((0, 15, 30, 45)):02}" if found[2] else ""
    return f"{str(hour).zfill(2 if found[1][0] == '0' else 1)}{minute}{half}"


def _random_end(example: str) -> str:
    """Return the last part of an identifier if it has letters of both cases and digits: nobody reads anything in it."""
    last = _JOINT.split(example)[-1]
    sorts = {_sort_of(letter) for letter in last} if last.isascii() and last.isalnum() else set()
    return last if len(last) >= _RANDOM_FROM and len(sorts) == 3 else ""


_JOINT = re.compile(r"[_:-]")
_RANDOM_FROM = 12


def _sort_of(letter: str) -> str:
    sorts = (string.digits, string.ascii_uppercase, string.ascii_lowercase)
    return next(letters for letters in sorts if letter in letters)


def _digits(rng: Random, count: int, *, zero: bool = False) -> str:
    first = "0" if zero else str(rng.randint(1, 9))
    return first + str(rng.randrange(10 ** (count - 1))).zfill(count - 1) if count > 1 else first


def _pick(rng: Random, letters: str, count: int) -> str:
    return "".join(rng.choice(letters) for _ in range(count))


THING_NAMES = tuple(
    "Juniper Meridian Larkspur Bluebird Redwood Orion Summit Lighthouse Falcon Willow Atlas Beacon Cedar "
    "Horizon Marigold Riverbank Sunrise Granite Kingfisher Saffron Elmwood Highland Compass Harvest Maple "
    "Cobalt Driftwood Sycamore Quarry Lantern Heron Pinewood Tamarind Foxglove Skylark Amber Brookside Clover "
    "Thistle Peregrine".split()
)
"""Proper names that anything may have of whose names nothing is known."""
PREFIXES = ("Standard", "Regional", "Internal", "Spring", "Sales", "Support", "Finance", "Marketing", "Research")
"""First words of names that stand in addresses: `sales-bucket`."""
_LETTERS = string.ascii_letters + string.digits
_SETTINGS = ("API_BASE_URL", "LOG_LEVEL", "CACHE_TTL", "MAIL_FROM", "FEATURE_FLAGS", "DATABASE_HOST", "BUILD_TARGET")

_SHAPES: tuple[tuple[re.Pattern[str], Callable[[Random], str]], ...] = tuple(
    (re.compile(source), make)
    for source, make in (
        (r"(?m:^)(?>.*\bipv6\b)(?!.*ipv4)", lambda r: "2001:db8::" + _pick(r, _HEX, 4)),
        (
            r"\bip\b|\bipv4\b|\bip address",
            lambda r: f"{r.choice(('192.0.2', '198.51.100', '203.0.113'))}.{r.randint(2, 250)}",
        ),
        (r"\bmac address", lambda r: ":".join(_pick(r, _HEX, 2) for _ in range(6))),
        (r"\bmd5\b", lambda r: _pick(r, _HEX, 32)),
        (r"\bsha(?:-?1)?\b|\bcommit\b", lambda r: _pick(r, _HEX, 40)),
        (r"\bsha-?256\b|\bhash\b", lambda r: _pick(r, _HEX, 64)),
        (r"\buuid\b|\bguid\b", lambda r: "-".join(_pick(r, _HEX, n) for n in (8, 4, 4, 4, 12))),
        (r"\bcolou?r\b", lambda r: "#" + _pick(r, _HEX, 6).upper()),
        (r"\bhex\b", lambda r: _pick(r, _HEX, 48)),
        (r"latitude *, *longitude|\bcoordinates\b", lambda r: "{:.2f},{:.2f}".format(*r.choice(countries()).spot)),
        (r"\biban\b", lambda r: f"DE{_digits(r, 20)}"),
        (r"\bisbn\b", lambda r: f"978{_digits(r, 10)}"),
        (r"\bissn\b", lambda r: f"{_digits(r, 4)}-{_digits(r, 4)}"),
        (r"\bdoi\b", lambda r: f"10.{_digits(r, 4)}/{_digits(r, 6)}"),
        (
            r"\bvin\b",
            lambda r: (
                r.choice(("WVWZZZ1K", "1HGCM826", "JTDBR32E")) + _pick(r, "ABCDEFGHJKLMNPRSTUVWXYZ", 1) + _digits(r, 8)
            ),
        ),
        (r"\b(?:ean|gtin|barcode)\b", lambda r: f"40{_digits(r, 11)}"),
        (r"\b(?:bic|swift)\b", lambda r: r.choice(("DEUTDEFF", "BNPAFRPP", "INGBNL2A", "NWBKGB2L"))),
        (r"\bimei\b", lambda r: f"35{_digits(r, 13)}"),
        (r"\bssn\b|social security", lambda r: f"{_digits(r, 3)}-{_digits(r, 2)}-{_digits(r, 4)}"),
        (r"\b(?:ssh|public) key\b", lambda r: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{_pick(r, _LETTERS, 43)}"),
        (r"\bapi ?key\b|\btoken\b|\bsecret\b", lambda r: r.choice(("tk_", "key_", "sk_")) + _pick(r, _HEX, 12)),
        (r"\bcv[cv]\b|security code", lambda r: _digits(r, 3)),
        (r"\bpasscode\b", lambda r: _digits(r, 6)),
        (r"\bnpi\b", lambda r: _digits(r, 10)),
        (r"\bpassword\b", lambda r: f"{r.choice(('Harbour', 'Lantern', 'Maple'))}{_digits(r, 3)}!"),
        (r"\bzip\b", lambda r: _digits(r, 5)),
        (r"\bpin\b|\botp\b|verification code|two-factor code", lambda r: _digits(r, 6)),
        (r"\bcard number\b", lambda r: _digits(r, 16)),
        (r"\baccount (?:number|no)\b", lambda r: _digits(r, 8)),
    )
)
_POSTCODES = {"GB": "LS1 4AP", "NL": "3511 AB", "CA": "M5V 2T6", "PT": "1100-148", "SE": "111 22", "PL": "00-950"}


_VARIED = re.compile(r"\d{3}|\d.*\d.*\d|^\d\d?$|^[A-Z]{1,4}-\d\d?$|^[A-Z]{2,4}\d\d?$|^\d\d?[a-c]$|^\d\d[A-F]$")
"""Examples that stand for others of their form: `V-77` is one visit of many, `A4` a size."""
_STANDARD = re.compile(
    r"(?i)(?:utf|md|mp|ps|ip|usb|ipv|http|tls|ssl|rs|cat|web)-?\d\d?|(?:sha|aes|rsa|iso|en|din)[- ]?\d{1,5}"
)
"""What has a number in its name: `UTF-8`, `MP3`."""
_ONE_OF_MANY = re.compile(r"[A-Z]-?\d\d?|[A-Za-z]{2,12}[-_ ]?\d\d?|\d\d?[A-Za-z]")
"""An identifier of few digits, where it is known to be one: `A1`, `bay 7`, `3B`."""
_NUMBERED_PLACES = frozenset(
    "seat gate bay berth table plot bed row shelf rack slot platform stall locker desk pen court lane pitch room cabin "
    "hive box bin aisle pier dock mooring kennel cage tank well spot pump track stand booth stage peg".split()
)
"""What is told apart by short numbers."""


def _stands_for_many(example: str, subject: Subject, *, is_id: bool) -> bool:
    """Whether a code that a document shows is one of many of its form, and not a size, a standard or a version."""
    last = subject.words[-1:]
    is_known = is_id or last == tuple(subject.thing.lower().split()[-1:]) or not _NUMBERED_PLACES.isdisjoint(last)
    if _CLOCK.fullmatch(example):
        return True
    if _SERIES.search(example) or (_STANDARD.fullmatch(example) and not is_known):
        return False
    is_few = is_known and _ONE_OF_MANY.fullmatch(example)
    return bool(_random_end(example) or _VARIED.search(example) or is_few)


def code_maker(subject: Subject) -> Maker:
    """Return how to draw a code for a parameter: by its format, pattern or examples, else by what it is called."""
    schema, words = subject.schema, subject.words
    if schema.get("format") in ("uuid", "guid"):
        return lambda scene: vary(UUID, scene.rng)
    if is_written_number(schema):
        return lambda scene: _digits(scene.rng, 5)
    is_id = re.search(r"\b(?:ids?|identifiers?)\b", subject.gist) is not None or not ID_WORDS.isdisjoint(words[-1:])
    examples = [example for example in usable_examples(schema) if not (is_id and " " in example)]
    pattern = parse_pattern(str(schema["pattern"])) if isinstance(schema.get("pattern"), str) else None
    if is_arn(words) and not examples:
        return _arn_maker(subject, pattern)
    if pattern is not None:
        kept = [example for example in examples if is_match(pattern, example)]
        if kept and any(c.isdigit() for c in kept[0]) and all(is_match(pattern, re.sub(r"\d", "7", e)) for e in kept):
            return lambda scene: vary(scene.rng.choice(kept), scene.rng)
        if kept and not is_id:
            return lambda scene: scene.rng.choice(kept)
        usual = None if is_id else _named_code(subject, is_identifier=False)
        return lambda scene: _matching(pattern, usual, scene)
    is_login = not _LOGINS.isdisjoint(words[-1:]) or (words[-1:] in (("user",), ("users",)) and not is_id)
    if is_login or re.search(r"\buser ?name\b", f"{' '.join(words)} {subject.gist}"):
        return lambda scene: user_name(scene, "user", is_self="your" in subject.described)
    if examples and _stands_for_many(examples[0], subject, is_id=is_id):
        return lambda scene: vary(scene.rng.choice(examples), scene.rng)
    if examples:
        return lambda scene: scene.rng.choice(examples)
    is_key = len(words) > 1 and words[-1] in ("key", "reference", "ref")
    return _named_code(subject, is_identifier=is_id or is_key or not _NUMBERS.isdisjoint(words[-1:]))


def _arn_maker(subject: Subject, pattern: Alternation | None) -> Maker:
    source = str(subject.schema.get("pattern", ""))

    def draw(scene: Scene) -> str:
        arn = draw_arn(scene, subject.words, subject.thing, source)
        if pattern is None:
            return arn
        return arn_of_pattern(scene, arn, pattern)

    return draw


def _matching(pattern: Alternation, usual: Maker | None, scene: Scene) -> str:
    """Return what such a parameter usually holds where that keeps to the pattern, else any text that does."""
    for _ in range(4 if usual else 0):
        if usual and isinstance(value := usual(scene), str) and is_match(pattern, value):
            return value
    drawn = [draw_from(pattern, scene.rng) for _ in range(4)]
    return min(drawn, key=_unlikeliness)


def _unlikeliness(drawn: str) -> tuple[bool, bool]:
    """Key that sorts texts of a pattern: first those that begin and end in letters or digits, and are not too short."""
    return not (drawn[:1].isalnum() and drawn[-1:].isalnum()), len(drawn) < _SHORTEST or drawn.isalpha()


_SHORTEST = 5
"""Characters of an identifier whose pattern allows fewer."""


_PLACES = ("europe-west1", "us-central1", "asia-east1")
_FIXED = ("-", "global")


def filled(template: str, scene: Scene) -> str:
    """Return a name of the template's form: a slug for what is a project, a region for a location, numbers else."""

    def part(found: re.Match[str]) -> str:
        held, mark = found[1], found[2] or ""
        if mark in _FIXED:
            return found[0]
        name = (mark if mark[:1] in "{<" and mark else held).lower()
        if "location" in name or "region" in name or "zone" in name:
            return f"{held}/{scene.rng.choice(_PLACES)}"
        if "project" in name:
            return f"{held}/{scene.rng.choice(values_about('codes', ('organization',)))}"
        return f"{held}/{_digits(scene.rng, 5)}"

    return PART_OF_FORM.sub(part, template)


_LOGINS = frozenset(("username", "login", "logins", "handle", "owner"))
_NUMBERS = ID_WORDS | {"number", "no"}
_LISTED_CODES = frozenset({"symbol", "ticker", "airport", "currency", "seat"})
_TYPE_PREFIX = re.compile(r"^[A-Z]{1,3}_?(?=\w{9,}$)|^[A-Za-z]{1,4}[-_](?=\w{3,}$)")


def _symbol(scene: Scene) -> str:
    return "".join(scene.rng.sample("ABCDEFGHKLMNPRSTVWX", 4)) + str(scene.rng.randint(1, 9))


_TRADED = re.compile(
    r"\b(?:ticker|compan(?:y|ies)|stock|share|quote|trad\w+|exchange|market|equit\w+|securit\w+|crypto\w*|coin|"
    r"currenc\w+|forex|pair|portfolio|invest\w*|fund|etf|bond|dividend|earning|price|asset|candle|order)s?\b"
)
"""Words beside the symbol of what is traded; a gene has one too."""
_VARIABLE = re.compile(r"\benv(?:ironment)? var(?:iable)?s?\b|\bvariable(?:'s)? key\b")
_TAG_KEYS = ("environment", "owner", "project", "team", "department", "cost-center", "stage")


def _named_code(subject: Subject, *, is_identifier: bool) -> Maker:
    words = subject.words
    if words[-2:] == ("tag", "key"):
        return lambda scene: scene.rng.choice(_TAG_KEYS)
    if words[-1:] == ("key",) and _VARIABLE.search(f"{' '.join(words)} {subject.gist}"):
        return lambda scene: scene.rng.choice(_SETTINGS)
    if set(words) & {"postcode", "postal", "zip"}:
        return _postcode
    named, is_called = " ".join(words), score_topics("codes", words, "", "")[0] >= NAME_WEIGHT
    told = "" if is_called or (is_identifier and "uuid" not in subject.gist) else subject.gist
    for evidence in (named, told):
        for pattern, make in _SHAPES:
            if pattern.search(evidence) and (ID_WORDS | {"symbol"}).isdisjoint(words[-1:]):
                return lambda scene, make=make: make(scene.rng)  # type: ignore[misc]  # binds the loop's value
    is_symbol = not is_identifier and re.search(r"\b(?:symbol|ticker)\b", subject.gist) is not None
    if is_symbol and words[-1:] == ("symbol",) and not _TRADED.search(f"{subject.gist} {subject.about}"):
        return _symbol
    is_symbol = is_symbol and _TRADED.search(f"{subject.gist} {subject.about}") is not None
    if is_symbol and re.search(r"\bcurrenc|\bforex\b|\bpair\b", f"{subject.gist} {subject.about}"):
        words = ("crypto",) if "crypto" in subject.about else ("currency",)
    elif is_symbol:
        words = ("stock",)
    is_listed = bool(_LISTED_CODES & set(words)) or is_symbol
    gist = "" if words[-1:] == ("key",) else subject.gist  # `file_key`: a key, whatever its description is about
    listed = values_about("codes", words, gist, subject.about if is_listed else "")
    is_account = words[-1:] == ("account",) and not re.search(r"\bname|\bslug", subject.gist)  # the account's number
    is_called = len(words) > 1 and words[-1] in (
        "name",
        "slug",
    )  # after what has the name: no stock of a security group
    listed = listed if not is_called or score_topics("codes", words[-2:-1], "", "")[0] >= NAME_WEIGHT else ()
    if listed and (is_listed or not is_identifier) and not is_account:
        return lambda scene: scene.rng.choice(listed)
    if re.search(r"\bsem(?:antic )?ver(?:sion)?\b", subject.gist) or (words[-1:] == ("version",) and not is_identifier):
        return lambda scene: scene.rng.choice(values_about("codes", ("version",)))
    if words[-1:] in (("name",), ("slug",)) or (not is_identifier and not _SLUGGED.isdisjoint(words[-1:])):
        return lambda scene: scene.rng.choice(_slugs(subject))
    usual = "" if is_identifier else "number"
    return lambda scene: vary(
        form_of(words, scene.ids) or _TYPE_PREFIX.sub("", scene.ids.get(usual, "12045")), scene.rng
    )


_SLUGGED = frozenset(
    "namespace project bucket queue registry environment env cluster database dataset collection index stage tenant "
    "network component role scope table schema pool group namespace plan keyspace stack layer vault pipeline "
    "workflow secret".split()
)
"""What stands in an address by its name, not by a number."""


def _slugs(subject: Subject) -> tuple[str, ...]:
    thing = " ".join(subject.words if subject.words[-1:] not in (("name",), ("slug",)) else subject.words[:-1])
    thing = thing or subject.thing or "page"
    return tuple("-".join(map(ascii_letters, f"{prefix} {thing}".split())) for prefix in PREFIXES)


def user_name(scene: Scene, role: str, *, is_self: bool) -> str:
    """Return the name under which the person of a role signs in, made of the name."""
    person: Person = scene.person(role, is_self=is_self)
    given, family = ascii_letters(person.given), ascii_letters(person.family)
    return (
        given[:1] + family if scene.rng.random() < 0.6 and family else f"{given}{scene.rng.randint(10, 99)}"
    ) or "guest42"


def _postcode(scene: Scene) -> str:
    shaped = _POSTCODES.get(scene.country.alpha2)
    if shaped:
        return vary(shaped, scene.rng)
    short = scene.country.alpha2 in ("AT", "CH", "DK", "NO", "AU", "NZ", "BE", "HU", "LU", "ZA")
    return _digits(scene.rng, 6 if scene.country.alpha2 in ("IN", "CN", "SG") else 4 if short else 5)
