"""How a value of each kind is drawn: one maker for each parameter, built once from its schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import chain

from callwright.author.sought_names import sought_maker
from callwright.author.value_bank import general, score_topics, values_about
from callwright.author.value_codes import THING_NAMES, code_maker, filled, usable_examples, user_name, vary
from callwright.author.value_days import day_maker, draw_day, draw_year, edge_of
from callwright.author.value_ids import URN
from callwright.author.value_numbers import (
    LARGEST,
    bounds_of,
    draw_money,
    draw_usual,
    fit,
    near_all,
    near_shown,
    told_numbers,
    usual_values,
)
from callwright.author.value_scene import DOMAINS, Scene, email_of
from callwright.author.value_subject import Maker, Subject, subject_of
from callwright.lang.dates import calendar_names
from callwright.lang.day_layouts import short_month_layout
from callwright.lang.gazetteer import countries, currencies, languages
from callwright.lang.kinds import ID_WORDS, Kind, is_part_of_date, is_region, is_weekday, is_written_number, kind_of
from callwright.lang.lexicon import word_set
from callwright.lang.name_forms import form_in
from callwright.lang.patterns import Alternation, is_match, parse_pattern
from callwright.lang.reading import places_layout
from callwright.lang.schemas import described_text, example_values, options_of, singular, type_of
from callwright.lang.tokens import identifier_words, stem_set
from callwright.lang.verbs_of_acts import CREATES
from callwright.records.jsontext import Json

MAX_ITEMS = 3
"""Most items drawn for a list, unless its schema asks for more."""

_NO_LIMIT = 1_000_000
_LONGEST = 2_000
"""Longest text drawn; where a schema asks for more, no value fits."""

MAX_DEPTH = 4
"""Deepest object drawn."""

SELF = re.compile(r"\byour\b|\bmy\b|\bthe (?:current )?user's\b|\bof the user\b(?! to)|^user's\b|\brequester")
_PERSON_NOISE = frozenset(
    "name names email mail full first last given family phone mobile number address id the user main friendly display "
    "identity screen nickname preferred legal".split()
)


def _role(subject: Subject) -> tuple[str, bool]:
    """Return whose name or address this is: a word such as `recipient`, and whether it is the user's own."""
    role = next((word for word in subject.words if word not in _PERSON_NOISE), "")
    return role, bool(SELF.search(subject.described)) or "requester" in subject.words


def person_maker(subject: Subject) -> Maker:
    """Return how to draw a name, whole or in part."""
    role, is_self = _role(subject)
    if re.search(r"\b(?:logins?|user ?names?|handles?)\b", subject.gist):
        return lambda scene: user_name(scene, role, is_self=is_self)
    if set(subject.words) & {"first", "given", "firstname", "forename"}:
        return lambda scene: scene.person(role, is_self=is_self).given
    if set(subject.words) & {"last", "family", "surname", "lastname"}:
        return lambda scene: scene.person(role, is_self=is_self).family
    return lambda scene: scene.person(role, is_self=is_self).full


def email_maker(subject: Subject) -> Maker:
    """Return how to draw the mail address of whoever plays the role."""
    role, is_self = _role(subject)
    examples = [example for example in usable_examples(subject.schema) if "@" in example]
    domains = tuple(example.rpartition("@")[2] for example in examples) or DOMAINS
    return lambda scene: email_of(scene.person(role, is_self=is_self), scene.rng.choice(domains))


def phone_maker(subject: Subject) -> Maker:
    """Return how to draw a telephone number of the scene's country, in the fictional 555 range."""
    pattern = subject.schema.get("pattern")
    examples = usable_examples(subject.schema)
    if isinstance(pattern, str):
        parsed, otherwise = parse_pattern(pattern), code_maker(subject)
        return otherwise if examples or parsed is None else lambda scene: _phone_of(scene, parsed) or otherwise(scene)
    if examples and not examples[0].startswith("+"):
        return lambda scene: vary(scene.rng.choice(examples), scene.rng)
    return _phone


def _phone(scene: Scene) -> str:
    return f"+{scene.country.dial} {scene.rng.randint(20, 99)} 555 {scene.rng.randint(100, 9999):04}"


def _phone_of(scene: Scene, pattern: Alternation) -> str:
    """A telephone number in the first way of writing it that keeps to a pattern; empty where none does."""
    number = _phone(scene)
    ways = (number, number.replace(" ", "-"), number.replace(" ", ""), number.replace(" ", "")[1:])
    return next((one for one in ways if is_match(pattern, one)), "")


def maker_of(subject: Subject) -> Maker:
    """Return how to draw a value for a parameter."""
    if "const" in subject.schema:
        return lambda scene: subject.schema["const"]
    return _within_length(
        _of_pattern(
            _part_of_date(subject)
            or _described(subject)
            or _region_of_place(subject)
            or (not usable_examples(subject.schema) and sought_maker(subject))
            or _MAKERS[subject.kind](subject),
            subject,
        ),
        subject,
    )


def _of_pattern(make: Maker, subject: Subject) -> Maker:
    """Keep names and texts to the schema's pattern; codes and choices have their own."""
    source = subject.schema.get("pattern")
    pattern = parse_pattern(source) if isinstance(source, str) else None
    if pattern is None or subject.kind not in ("title", "text", "other", "money", "percent"):
        return make
    otherwise = code_maker(subject)

    def matching(scene: Scene) -> Json:
        value = make(scene)
        written = _ways_to_write(value) if isinstance(value, str) else ()
        return next((one for one in written if is_match(pattern, one)), None) or otherwise(scene)

    return matching


def _ways_to_write(name: str) -> tuple[str, ...]:
    """A name with its blanks, and as identifiers write it: `regional-pool`, `regional_pool`, `RegionalPool`."""
    if " " not in name or len(name.split()) > _MOST_JOINED:
        return (name,)
    joined = (mark.join(name.lower().split()) for mark in ("-", "_", ""))
    return (name, *joined, "".join(word[:1].upper() + word[1:] for word in name.split()))


_MOST_JOINED = 4


_DURATIONS = {
    "duration": ("PT5M", "PT15M", "PT1H", "PT12H", "P1D", "P7D"),
    "google-duration": ("300s", "900s", "3600s", "43200s", "86400s", "604800s"),
}
"""Lengths of time as ISO 8601 writes them, and in seconds."""
_TYPED_FILES = ("image/png", "image/jpeg", "application/pdf", "text/csv", "text/plain", "audio/mpeg", "video/mp4")
_MIME = re.compile(r"\b(?:mime|media|content)[- ]?type\b")
_HTML = re.compile(r"(?<![./])\bhtml\b(?! is not)")
_SEVERAL = re.compile(r"\bcomma[- ]separated\b")


def _part_of_date(subject: Subject) -> Maker | None:
    """Return how to draw the digits of a day or a month, as many as the example has."""
    if type_of(subject.schema) != "string" or not is_part_of_date(subject.words, subject.schema):
        return None
    last = 12 if subject.words == ("month",) else 28
    width = len(str(example_values(subject.schema)[0]))
    return lambda scene: str(scene.rng.randint(1, last)).zfill(width)


def _described(subject: Subject) -> Maker | None:
    """Words of descriptions on the form of a text: HTML, a list with commas, a type of files."""
    if type_of(subject.schema) != "string" or "pattern" in subject.schema or subject.kind == "enum":
        return None
    examples = usable_examples(subject.schema)
    if str(subject.schema.get("format")) in _DURATIONS:
        return lambda scene: scene.rng.choice(_DURATIONS[str(subject.schema["format"])])
    is_id = not ID_WORDS.isdisjoint(subject.words[-1:])
    if not (examples or is_id) and (template := form_in(str(subject.schema.get("description", "")))):
        return lambda scene: filled(template, scene)
    if (
        "mime" in subject.words
        or _MIME.search(" ".join(subject.words))
        or (_MIME.match(subject.described) and not examples)
    ):
        return lambda scene: scene.rng.choice([one for one in examples if "/" in one] or _TYPED_FILES)
    if month := short_month_layout(subject.described):
        return lambda scene: draw_day(scene, "ahead", "").strftime(month)
    if len(examples) == 1 and (named := calendar_names(examples[0])) and subject.kind == "title":
        return lambda scene: scene.rng.choice(named)
    if examples:
        return None
    usual = subject.schema.get("default")
    if isinstance(usual, str) and usual and not _STATES.isdisjoint(subject.words[-1:]):
        return lambda scene: usual
    if is_weekday(subject.words):
        return lambda scene: f"{scene.today + timedelta(scene.rng.randint(0, 6)):%A}"
    if _HTML.search(f"{' '.join(subject.words)} {subject.gist}") and subject.kind in ("text", "title", "other"):
        return _listed(subject, "texts")  # nobody says tags aloud
    if _SEVERAL.search(subject.described) and subject.kind == "code":
        one = code_maker(subject)
        return lambda scene: f"{one(scene)},{one(scene)}"
    return None


_STATES = frozenset(("status", "state"))
"""Names of what a service knows its own words for; where nothing lists them, the default is one."""


def _within_length(make: Maker, subject: Subject) -> Maker:
    """Keep texts to the schema's length; codes and choices have their own."""
    longest, shortest = subject.schema.get("maxLength"), subject.schema.get("minLength")
    if not (isinstance(longest, int) or isinstance(shortest, int)) or type_of(subject.schema) not in ("string", ""):
        return make
    most = min(max(longest, 0), _NO_LIMIT) if isinstance(longest, int) else _NO_LIMIT
    least = min(max(shortest, 0), _NO_LIMIT) if isinstance(shortest, int) else 0

    def fitting(scene: Scene) -> Json:
        value = make(scene)
        for _ in range(6):
            if not isinstance(value, str) or least <= len(value) <= most:
                return value
            value = make(scene)
        if not isinstance(value, str):
            return value
        while " " in value and len(value) < min(least, most, _LONGEST):
            value = f"{value}. {make(scene)}"
        if subject.kind == "code" and len(value) > most:
            return "".join(scene.rng.choice("0123456789abcdef") for _ in range(most))
        return value[:most].rstrip().ljust(min(least, _LONGEST), "0")

    return fitting


def _boolean(subject: Subject) -> Maker:
    default = subject.schema.get("default")
    share = 0.8 if default is False or "default is false" in subject.described else 0.4 if default is True else 0.6
    return lambda scene: scene.rng.random() < share


_VAGUE = frozenset({"other", "none", "unknown", "default", "any", "n/a", "unspecified", "", "null"})


def _is_vague(option: str) -> bool:
    """Whether an option says nothing, or cannot be said: the sign of an empty square."""
    return (
        not any(map(str.isalnum, option))
        or option.lower() in _VAGUE
        or option.lower().endswith(("unspecified", "_unknown"))
    )


def _enum(subject: Subject) -> Maker:
    options = options_of(subject.schema) or tuple(usable_examples(subject.schema))
    if kind_of(subject.name, {"type": "string"}) in ("country", "currency"):
        return _enum_of_places(options)
    clear = tuple(option for option in options if not _is_vague(str(option))) or options
    own = tuple(option for option in clear if str(option).lower() == subject.thing.rpartition(" ")[2].lower())
    clear = own if own and subject.words[-1:] in (("type",), ("kind",)) else clear  # an event's type is `event`
    if subject.words[-1:] in (("status",), ("state",)) and not CREATES.isdisjoint(subject.about.split()[:_ACT]):
        clear = (
            tuple(option for option in clear if is_good_state(str(option))) or clear
        )  # nobody creates what is deleted
    said = set(re.findall(r"\b(?:to|as) ([\w-]+)", subject.about))  # `set the status of a run to ended`
    told = tuple(option for option in clear if str(option).lower() in said)
    clear = told if len(told) == 1 else clear
    return lambda scene: scene.rng.choice(clear)


_ACT = 3
"""First words of a tool's text among which its act stands."""


BAD = stem_set(" ".join(word_set("bad_states")))
"""Words of states of what went wrong or has ended."""


def is_good_state(state: str) -> bool:
    """Return whether no word of a state says that something went wrong or has ended."""
    return BAD.isdisjoint(stem_set(" ".join(identifier_words(state))))


def _enum_of_places(options: Sequence[Json]) -> Maker:
    """The option that stands for the scene's country, or for its currency."""

    def make(scene: Scene) -> Json:
        land = scene.country
        forms = {one.casefold() for one in (land.alpha2, land.alpha3, land.name, land.currency)}
        usual = (one for one in options if str(one).casefold() in forms), (one for one in options if one in _MAJOR)
        return next(chain(*usual), None) or scene.rng.choice(options)

    return make


def _region_of_place(subject: Subject) -> Maker | None:
    """The region of a city, whose name or description says that it is one."""
    longest = subject.schema.get("maxLength", _LONGEST)
    is_free = type_of(subject.schema) == "string" and {"pattern", "enum", "format"}.isdisjoint(subject.schema)
    is_named = not _REGIONS.isdisjoint(subject.words[-1:]) and not is_region(subject.words, subject.described)
    is_long = isinstance(longest, int) and longest >= _SHORTEST_REGION
    return (lambda scene: scene.region()) if is_free and is_named and is_long and not _shown(subject) else None


_REGIONS = frozenset("region province county prefecture".split())
_SHORTEST_REGION = 20


def _whole(subject: Subject) -> bool:
    return type_of(subject.schema) == "integer" or is_written_number(subject.schema)


def _typed(subject: Subject, number: float) -> Json:
    shape = type_of(subject.schema)
    if shape == "integer":
        return int(number)
    if shape == "number":
        return float(number)
    return str(int(number)) if float(number).is_integer() else f"{number:.2f}"


def _money(subject: Subject) -> Maker:
    bounds, words = bounds_of(subject.schema), frozenset(subject.words)
    whole = _whole(subject)
    if near := tuple(one for value in _numbers_shown(subject.schema) for one in near_shown(value)):
        return lambda scene: _typed(subject, draw_usual(scene.rng, near, bounds, whole=whole))
    return lambda scene: _typed(subject, draw_money(scene.rng, bounds, words, whole=whole))


_ALL = 100


def _percent(subject: Subject) -> Maker:
    bounds = bounds_of(subject.schema)
    usual = usual_values("percent", subject.words, subject.described)
    if bounds.high is not None and bounds.high <= 1:
        usual = tuple(value / 100 for value in usual)
    shown = _numbers_shown(subject.schema)
    near = near_all(shown, usual, subject.words)
    usual = tuple(one for one in near if one <= _ALL or max(shown) > _ALL) or usual
    return lambda scene: _typed(subject, draw_usual(scene.rng, usual, bounds, whole=_whole(subject)))


_AXES = {"latitude": "latitude", "lat": "latitude", "longitude": "longitude", "lon": "longitude", "lng": "longitude"}


def _number(subject: Subject) -> Maker:
    bounds, whole = bounds_of(subject.schema), _whole(subject)
    axis = next((_AXES[word] for word in subject.words if word in _AXES), "")
    if axis and not whole:
        return lambda scene: _typed(subject, fit(scene.coordinate(axis), bounds, whole=False))
    usual = usual_values(subject.kind, subject.words, subject.described)
    given = _numbers_shown(subject.schema)
    if whole and _is_number_of_thing(subject.words) and any(value >= _TWO_DIGITS for value in given):
        return _code(subject)
    usual = near_all(given, usual, subject.words) or usual
    return lambda scene: _typed(subject, draw_usual(scene.rng, usual, bounds, whole=whole))


def _is_number_of_thing(words: tuple[str, ...]) -> bool:
    """Whether a parameter holds the number by which a thing is known, as `customer_no` does and `page_no` does not."""
    return words[-1:] in (("no",), ("nr",)) and words[-2:-1] not in _IN_ORDER


_IN_ORDER = (("page",), ("week",), ("month",), ("day",), ("line",), ("row",), ("floor",), ("version",), ("copy",))
"""What is counted from one."""


def _numbers_shown(schema: dict[str, Json]) -> tuple[float, ...]:
    """The examples that are numbers, also those written as texts, else those that a description gives."""
    shown = example_values(schema) or [*told_numbers(str(schema.get("description", "")))]
    written = (float(v) for v in shown if isinstance(v, str) and re.fullmatch(r"\d{1,9}(?:\.\d{1,6})?", v))
    numbers = (v for v in shown if isinstance(v, (int, float)) and not isinstance(v, bool) and abs(v) < LARGEST)
    return (*numbers, *written)


def _year(subject: Subject) -> Maker:
    bounds = bounds_of(subject.schema)
    return lambda scene: _typed(subject, fit(draw_year(scene, subject.words), bounds, whole=True))


_PAGES = (("image img photo picture logo icon avatar emoji thumbnail portrait poster wallpaper gif",
           ("images/logo.png", "images/photo.jpg")),
          ("webhook callback endpoint hook notification address", ("hooks/orders", "hooks/updates")),
          ("", ("about-us", "help", "news", "products", "contact")))  # fmt: skip
"""Pages by words of the parameter or its tool."""


def _url(subject: Subject) -> Maker:
    hosts = values_about("codes", ("domain",))
    shown = (*usable_examples(subject.schema), *URN.findall(str(subject.schema.get("description", ""))))
    examples = [example for example in shown if "://" in example or URN.fullmatch(example)]
    if examples:
        return lambda scene: vary(scene.rng.choice(examples), scene.rng)
    said = {*subject.words, *subject.about.split()}
    pages = next(pages for words, pages in _PAGES if not words or said & set(words.split()))
    if subject.words[-1:] in (("uri",), ("uris",)) and subject.schema.get("format") is None:
        return lambda scene: vary(scene.ids["uri"], scene.rng) if "uri" in scene.ids else _page(scene, hosts, pages)
    return lambda scene: _page(scene, hosts, pages)


def _page(scene: Scene, hosts: Sequence[str], pages: Sequence[str]) -> str:
    return f"https://www.{scene.rng.choice(hosts)}/{scene.rng.choice(pages)}"


def _city(subject: Subject) -> Maker:
    if SELF.search(subject.described):
        return lambda scene: scene.persona.city or scene.city()
    if edge_of(subject.words) == "end" or "destination" in subject.words:
        return lambda scene: scene.rng.choice(scene.rng.choice(countries()).cities)
    return lambda scene: scene.city()


def _country(subject: Subject) -> Maker:
    layout = places_layout(subject.schema, "country")
    is_code = "code" in subject.words[-1:] and not _shown(subject)
    attribute = layout if layout in ("alpha2", "alpha3") else "alpha2" if is_code else "name"
    return lambda scene: getattr(scene.country, attribute)


_MAJOR = ("USD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "SEK", "INR", "CNY", "BRL", "PLN")


def _currency(subject: Subject) -> Maker:
    is_name = places_layout(subject.schema, "currency") == "name"
    is_target = bool(set(subject.words) & {"target", "to", "quote", "destination"})
    if type_of(subject.schema) not in ("string", ""):
        return _number(subject)

    def make(scene: Scene) -> str:
        own = scene.country.currency
        code = scene.rng.choice(_MAJOR) if is_target or own not in currencies() else own
        return currencies()[code].full if is_name else code

    return make


_FOREIGN = ("de", "fr", "es", "it", "pt", "nl", "pl", "ja", "sv", "ar", "zh", "ko", "tr")


def _language(subject: Subject) -> Maker:
    is_code = places_layout(subject.schema, "language") != "name" or "code" in subject.name.lower()
    is_source = bool(set(subject.words) & {"from", "source", "original"})

    def make(scene: Scene) -> str:
        code = "en" if is_source and scene.rng.random() < 0.5 else scene.rng.choice(_FOREIGN)
        return code if is_code else languages()[code]

    return make


_TWO_DIGITS = 10
_NUMBERED = (("number",), ("no",), ("nr",))
"""Names of what is counted through where a document shows a small number: vat number 4."""


def _code(subject: Subject) -> Maker:
    if type_of(subject.schema) in ("integer", "number"):
        bounds = bounds_of(subject.schema)
        given = _numbers_shown(subject.schema)
        shown = [value for value in given if value >= _TWO_DIGITS and value == int(value)]
        if given and not shown and subject.words[-1:] in _NUMBERED:
            return _number(subject)
        if len(shown) == 1:
            return lambda scene: _typed(subject, fit(float(vary(f"{shown[0]:.0f}", scene.rng)), bounds, whole=True))
        low, high = int(bounds.low or 1001), int(bounds.high or 99_999)
        return lambda scene: scene.rng.randint(min(low, high), max(low, high))
    return code_maker(subject)


_NAMING = frozenset(
    "name names title label display friendly nickname vanity new custom full default fragment substring prefix".split()
)
"""Words of parameters for what a thing is called."""
_NAME_OF = re.compile(
    r"\b(?:name|title|label) (?:of|for) (?:the |an? |this |your )?(?:new )?([a-z][a-z -]{2,40}?)(?=$|[^a-z -]| "
    r"(?:to|that|which|in|is|as|for|you|being)\b)"
)


def _title(subject: Subject) -> Maker:
    """A name by what has it: one that such things have, or any proper name; else by the words' list."""
    words = () if subject.kind == "text" else tuple(word for word in subject.words if word not in _NAMING)
    if words[-1:] in (("changes",), ("changelog",)):
        return _listed(subject, "texts")  # whatever a copied description says
    if words[-1:] in (("type",), ("types",), ("kind",)) and (of := words[-2:-1] or tuple(subject.thing.split()[-1:])):
        return _shown(subject) or (lambda scene: of[0])
    if (subject.words == ("title",) and _is_person(subject.thing)) or subject.words == ("job", "title"):
        return _shown(subject) or (lambda scene: scene.rng.choice(values_about("titles", ("profession",))))
    if is_region(words, subject.described):
        return _shown(subject) or (lambda scene: scene.rng.choice(values_about("codes", ("cloudregion",))))
    is_name = len(words) < len(subject.words)
    found = _NAME_OF.search(subject.gist) if is_name else None
    thing = " ".join(words) or (found[1] if found else subject.thing)
    if is_name and _is_person(thing):
        return _shown(subject) or person_maker(subject)
    if is_name and thing:
        thing = thing.split()[-1] if {"or", "and"} & set(thing.split()) else thing
        listed = values_about("titles", (singular(thing.split()[-1]),))
        shown, examples = _shown(subject), usable_examples(subject.schema)
        is_like = len(examples) == 1 and _is_called_alike(examples[0], thing, listed)
        alike = _written_alike(listed, examples[0]) if is_like else ()
        if shown and alike and not any(c.isdigit() for c in examples[0]):
            return lambda scene: scene.rng.choice(alike) if scene.rng.random() >= _SHARE_SHOWN else shown(scene)
        return shown or (lambda scene: scene.rng.choice(listed or THING_NAMES))
    return _listed(subject, "titles")


_SHARE_SHOWN = 0.1
"""Share of names that are the one that a document shows, where others are known."""


def _is_called_alike(example: str, thing: str, listed: Sequence[str]) -> bool:
    """Whether things of a list may be called as the example is: no `Puppy Class` is a course in business writing."""
    *said, last = example.lower().split()
    noun = thing.split()[-1].lower()
    return last != noun or _TELL_NOTHING.issuperset(said) or any(one.lower().endswith(noun) for one in listed)


def _written_alike(listed: Sequence[str], example: str) -> Sequence[str]:
    """The names of a list that are written as the example is; none where few are, so that the list is of other things.

    No `Nettle Tomme` is of a list with `brown rice`, and no `January Financials` of one with `offer_letter.pdf`.
    """
    if example.casefold() in map(str.casefold, listed):
        return listed
    alike = [one for one in listed if _style(one) == _style(example)]
    return alike if len(alike) * 2 >= len(listed) else ()


def _style(name: str) -> tuple[bool, bool]:
    """Whether a name begins with a capital, and whether it is spelled as files and machines are called."""
    return name[:1].isupper(), _SPELLED.search(name) is not None


_SPELLED = re.compile(r"\w[._/]\w|[a-z]-[a-z]+$")
_TELL_NOTHING = frozenset("a the new first main default other some test demo".split())
"""Words before a noun that tell nothing of the thing: `New Folder`."""


def _is_person(thing: str) -> bool:
    last = thing.rpartition(" ")[2].lower()
    return last in ("user", "member", "child", "participant") or kind_of(last, {"type": "string"}) == "person"


def _shown(subject: Subject) -> Maker | None:
    """One of the schema's examples, varied where there is but one with digits; None without examples."""
    examples = tuple(one for one in usable_examples(subject.schema) if subject.kind != "title" or not one.isdigit())
    if len(examples) == 1 and any(c.isdigit() for c in examples[0]):
        return lambda scene: vary(examples[0], scene.rng)
    return (lambda scene: scene.rng.choice(examples)) if examples else None


def _text(subject: Subject) -> Maker:
    """Draw a text that people write; a name where the description says so, as it does of an event's `summary`."""
    if subject.words[-1:] in (("sound",), ("ringtone",)):
        return _shown(subject) or (lambda scene: scene.rng.choice(values_about("titles", ("sound",))))
    return _title(subject) if _NAME_OF.match(subject.gist) else _listed(subject, "texts")


def _listed(subject: Subject, bank: str) -> Maker:
    """Examples of the schema where it has them, else the list that the words call for."""
    listed = values_about(bank, subject.words, subject.gist, subject.about) or general(bank)
    return _shown(subject) or (lambda scene: scene.rng.choice(listed))


def _other(subject: Subject) -> Maker:
    shape = type_of(subject.schema)
    if shape in ("integer", "number"):
        return _number(subject)
    if re.search(r"\bnumber\b|\bhash\b|\bip\b", subject.gist):
        return _code(subject)
    words, gist, about = subject.words, subject.gist, subject.about
    is_text = score_topics("texts", words, gist, about)[0] > score_topics("titles", words, gist, about)[0]
    return _listed(subject, "texts") if is_text else _title(subject)


def is_of_unknown_meaning(subject: Subject) -> bool:
    """Whether nothing tells what a text may be: no schema, no list that its words call for, and no name of a thing."""
    schema, words = subject.schema, subject.words
    if is_written_by_machine(subject):
        return True
    if subject.kind not in ("title", "other") or type_of(schema) not in ("string", ""):
        return False
    if not {"const", "pattern", "format", "default"}.isdisjoint(schema) or _shown(subject) or _described(subject):
        return False
    is_plain = not (_NAMING | _ASKED).isdisjoint(words) or _NAME_OF.search(subject.gist)
    gist = _SEVERAL.sub("", subject.gist).replace("list of", "")
    return not is_plain and not any(values_about(bank, words, gist, subject.about) for bank in _BANKS)


def is_written_by_machine(subject: Subject) -> bool:
    """Whether a text is in a language of machines, and no example shows one."""
    is_text = subject.kind in ("title", "other", "text") and not _shown(subject)
    return is_text and not _WRITTEN.isdisjoint(subject.words[-1:]) and _MACHINE.search(subject.gist) is not None


_WRITTEN = frozenset(
    "content contents body text statement definition source script template policy document expression query schema "
    "filter payload data string file".split()
)
_MACHINE = re.compile(
    r"\b(?:wsdl|xml|xslt|yaml|swagger|openapi|graphql|javascript|lua|python|groovy|jsonpath|xpath|sparql|sql|"
    r"regular expression|(?:policy|query|expression) language)\b"
)
"""What machines read: a WSDL, a policy in a language of its own; nobody says it in a chat."""
_BANKS = ("titles", "texts", "codes")
_ASKED = frozenset("q query search keyword keywords term terms text".split())


_IDS = re.compile(r"ids?$", re.IGNORECASE)


def _list(subject: Subject) -> Maker:
    items = subject.schema.get("items")
    item_schema = dict(items) if isinstance(items, dict) else {"type": "string"}
    item_schema.setdefault("description", _SEVERAL.sub("", str(subject.schema.get("description", ""))))
    if subject.depth >= MAX_DEPTH:
        return lambda scene: []
    item = maker_of(subject_of(singular(subject.name), item_schema, about=subject.about, depth=subject.depth + 1))
    least, most = subject.schema.get("minItems"), subject.schema.get("maxItems")
    usual = 2 if type_of(item_schema) in ("integer", "number") and not _IDS.search(subject.name) else 1
    low = min(least if isinstance(least, int) else usual, most if isinstance(most, int) else 50, 50)
    high = max(low, min(MAX_ITEMS, most if isinstance(most, int) else MAX_ITEMS))

    def make(scene: Scene) -> list[Json]:
        count = scene.rng.randint(low, high)
        drawn: list[Json] = []
        for _ in range(count * 4):
            value = item(scene)
            if value not in drawn and len(drawn) < count:
                drawn.append(value)
        while len(drawn) < low:
            drawn.append(item(scene))
        return drawn

    return make


def _object(subject: Subject) -> Maker:
    """Draw a value that lies too deep to be said in parts, or may hold anything: its required parts."""
    properties, listed = subject.schema.get("properties"), subject.schema.get("required")
    if not isinstance(properties, dict) or not isinstance(listed, list) or subject.depth >= MAX_DEPTH:
        return lambda scene: {}
    parts = [
        subject_of(n, properties[n], about=subject.about, depth=subject.depth + 1) for n in listed if n in properties
    ]
    makers = [(part.name, maker_of(part)) for part in parts]
    return lambda scene: {name: draw(scene) for name, draw in makers}


def _day(subject: Subject) -> Maker:
    return day_maker(subject.schema, subject.kind, subject.words, described_text(subject.schema), subject.about)


_MAKERS: dict[Kind, Callable[[Subject], Maker]] = {
    "date": _day, "datetime": _day, "time": _day, "money": _money, "percent": _percent, "count": _number,
    "number": _number, "year": _year, "boolean": _boolean, "enum": _enum, "email": email_maker, "phone": phone_maker,
    "url": _url, "person": person_maker, "city": _city, "country": _country, "currency": _currency,
    "language": _language, "code": _code, "title": _title,
    "text": _text, "list": _list, "object": _object, "other": _other,
}  # fmt: skip
