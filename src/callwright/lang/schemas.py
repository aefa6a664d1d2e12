"""Facts of a JSON Schema on one value: type, choices and examples, also those hidden in the description."""

from __future__ import annotations

import re
from functools import lru_cache

from callwright.records.jsontext import Json

_TYPES = {
    "integer": "integer", "int": "integer", "long": "integer", "number": "number", "float": "number",
    "double": "number", "decimal": "number", "boolean": "boolean", "bool": "boolean", "array": "array",
    "list": "array", "tuple": "array", "object": "object", "dict": "object", "map": "object", "string": "string",
    "str": "string", "date": "string",
}  # fmt: skip
_GLUED = re.compile(r"^(account|user|order|customer|product|item|device|client|group|team)(id|name)$", re.IGNORECASE)
_COMPOUND = re.compile(
    r"(?<![A-Za-z])(?:(?P<thing>(?:sub)?account|transaction|topic|message|session|campaign|document|channel|event|match|season)"
    r"(?P<id>ids?)|(?P<act>book|start|end|departure|arrival|leave|pickup|show|scheduled|created|updated)"
    r"(?P<moment>datetime|date|time|day))(?![a-z])",
    re.IGNORECASE,
)
"""Two words written as one inside a name: `booktime`, `subaccountid`."""
_GLUED_ID = re.compile(
    r"(?<![A-Za-z])(?!(?:valid|invalid|rapid|fluid|solid|squid|vivid|avoid|braid|unpaid|prepaid|postpaid|repaid|overpaid|"
    r"hybrid|covid|humid|liquid|forbid|android|asteroid|pyramid|placid|rigid|candid|steroid|tabloid|mermaid|centroid|"
    r"ellipsoid|geoid|orchid|underbid|b?ssid|uuid|guid)s?(?![a-z]))([a-z]{3,30}?)(ids?)(?![a-z])"
)
"""`jobid`, which is no word."""
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


_COMBINED_FIRST = ("anyOf", "oneOf", "allOf")
_COMBINED = frozenset(_COMBINED_FIRST)


def plain_schema(document: Json, alternative: int = 0) -> dict[str, Json]:
    """Return a schema with one usable alternative (`anyOf`, `oneOf`), the first unless told, and all of `allOf` laid
    over it; alternatives are counted round again."""
    schema: dict[str, Json] = document if isinstance(document, dict) else {}
    for _ in range(8):
        if _COMBINED.isdisjoint(schema):  # nearly all, and planning asks a million times
            return schema
        keyword = next((key for key in _COMBINED_FIRST if isinstance(schema.get(key), list)), None)
        if keyword is None:
            return schema
        rest = {key: value for key, value in schema.items() if key != keyword}
        options, all_of = schema[keyword], keyword == "allOf"
        usable = [option for option in options if isinstance(option, dict) and option.get("type") != "null"]
        merged: dict[str, Json] = {}
        chosen = usable if all_of or not usable else [usable[alternative % len(usable)]]
        for option in chosen:
            merged = _merge(merged, option)
        schema = _merge(merged, rest)
    return schema


def _merge(base: dict[str, Json], over: dict[str, Json]) -> dict[str, Json]:
    merged = {**base, **over}
    first, second = base.get("properties"), over.get("properties")
    if isinstance(first, dict) and isinstance(second, dict):
        merged["properties"] = {**first, **second}
    first, second = base.get("required"), over.get("required")
    if isinstance(first, list) and isinstance(second, list):
        merged["required"] = [*first, *second]
    return merged


def type_of(schema: dict[str, Json]) -> str:
    """Return `string`, `integer`, `number`, `boolean`, `array`, `object` or `` when nothing tells."""
    named = schema.get("type")
    if isinstance(named, list):
        named = next((item for item in named if item != "null"), None)
    if isinstance(named, str) and named.lower() in _TYPES:
        return _TYPES[named.lower()]
    if "properties" in schema:
        return "object"
    if "items" in schema:
        return "array"
    values = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    return type_of_value(values[0]) if isinstance(values, list) and values and values[0] is not None else ""


_NAMES = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object"))


def type_of_value(value: Json) -> str:
    """Return the JSON Schema type of a value."""
    return next((name for kind, name in _NAMES if isinstance(value, kind)), "null")


_FOREIGN_KEY = re.compile(r"(?<=ID)_?FK$|(?<=[Ii]d)_?(?:FK|fk)$")
"""What a name of a column says after the identifier of another table."""


@lru_cache(maxsize=16384)
def name_words(name: str) -> tuple[str, ...]:
    """Return the lower-case words of an identifier.

    >>> name_words("startDate"), name_words("PO_number"), name_words("restaurant-booktime")
    (('start', 'date'), ('po', 'number'), ('restaurant', 'book', 'time'))
    """
    apart = _COMPOUND.sub(r"\g<thing>\g<act>_\g<id>\g<moment>", _GLUED.sub(r"\1_\2", name))
    apart = _FOREIGN_KEY.sub("", _GLUED_ID.sub(r"\1_\2", apart))
    return tuple(word.lower() for word in _CAMEL.findall(apart))


def described_text(schema: dict[str, Json]) -> str:
    """Return description and examples of a schema in lower case."""
    parts = [schema.get("description"), schema.get("title"), *example_values(schema)]
    return " ".join(part for part in parts if isinstance(part, str)).lower()


def options_of(schema: dict[str, Json]) -> tuple[Json, ...]:
    """Return the closed choice that a schema gives: `enum`, `const`, or the options quoted in its description."""
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        listed = tuple(value for value in schema["enum"] if value is not None)
        texts = tuple(value for value in listed if isinstance(value, str)) if type_of(schema) == "string" else ()
        return texts or listed  # a choice that the type rules out is none
    if isinstance(schema.get("const"), str):
        return (schema["const"],)
    described = schema.get("description")
    if not isinstance(described, str) or type_of(schema) != "string":
        return ()
    if listed := _listed_choices(described):
        return listed
    quoted = _quoted(described)
    return quoted if len(quoted) >= 2 and not _IS_OPEN.search(described) else ()


def told_choices(name: str, described: str) -> tuple[str, ...]:
    """Return the closed choice that a text about something else gives for a parameter.

    >>> told_choices("action", "Perform an action on a pod. Allowed actions are reboot, shutdown, boot")
    ('reboot', 'shutdown', 'boot')
    """
    many = re.escape(f"{singular(name_words(name)[-1])}s") if name_words(name) else "values"
    of_it = re.compile(rf"\b(possible|valid|allowed|accepted|acceptable|available|supported) {many}\b", re.IGNORECASE)
    sentence = next((one for one in re.split(r"\.\s", described[:_MOST_DESCRIBED]) if of_it.search(one)), "")
    return _listed_choices(of_it.sub(r"\1 values", sentence)) if sentence else ()


_MOST_DESCRIBED = 2_000
"""Characters of a description that are searched for choices of a parameter."""


@lru_cache(maxsize=16384)
def _listed_choices(described: str) -> tuple[str, ...]:
    """Choices that a description names without quoting them."""
    if either := _EITHER.search(described):
        first, second = (word for word in either.groups() if word)
        return first, second
    if _AS_TRUE.match(described):
        return "true", "false"
    if _ONLY_CHOICES.fullmatch(described.strip()):
        return tuple(described.strip().rstrip(",").split(","))
    if piped := _PIPED.search(described):
        return tuple(re.split(r"'? ?\| ?'?", piped[1].strip("'")))
    items = _ITEM.findall(described) if _VALUES.search(described) else []
    if len(items) > 1:
        return tuple(dict.fromkeys(items))
    unquoted = _QUOTING.sub("", described)
    bare = _ASIDE.sub("", unquoted)
    if found := _CHOICES.search(bare) or _CHOICES.search(unquoted):
        return tuple(re.split(_BETWEEN, found[1]))
    listed = tuple(re.split(_BETWEEN, found[1])) if (found := _CAN_BE.search(bare)) else ()
    return () if all(one.endswith("ed") and one.islower() for one in listed) else listed  # what is done to it


_AS_TRUE = re.compile(r"pass true to|(?:when |if )?set to (?:either )?`?true\b", re.IGNORECASE)
_QUOTE = re.compile(
    r"(?:(?<![A-Za-z0-9])|(?<=and)|(?<=or)|(?<=as)|(?<=supports)|(?<=are)|(?<=example))'([^'\n]{1,40})'(?![A-Za-z])"
)
_EITHER = re.compile(r"\beither ((?=\w*_\w)\w++) or ((?=\w*_\w)\w++)|^Either ([\w-]+) or ([\w-]+)\.?$")
_QUOTING = re.compile(r"[`\"“”‘’]|(?<!\w)'|'(?!\w)")
_BETWEEN = r",? (?:and|or) |, ?"
_ASIDE = re.compile(r" \([^()]{1,100}\)")
_CHOICES = re.compile(
    r"(?:\b(?:possible|valid|allowed|accepted|acceptable|available|supported|common) "
    r"(?:values|types|formats|options)(?: for \w{1,20})?(?: are| include)?|\bvalues accepted|"
    r"\boptions(?: are)?|(?:\b(?:must be|set to|can be|in|is|be) |^)[Oo]ne of(?: these \w{1,20})?)[:\s*`]+"
    r"((?:[\w+-]+, ?)+(?:(?:and|or) )?[\w+-]+|[\w+-]+ (?:and|or) [\w+-]+(?=[.*`;]|$))(?=[.\s*`;]|$)",
    re.IGNORECASE,
)
"""Choices listed after words that say that these are all."""
_CAN_BE = re.compile(
    r"\b(?:[Ii]t|[Tt]his|[Ss]tate|[Ss]tatus|[Tt]ype|[Vv]alue|[Mm]ode|[Ll]evel|[Pp]riority|[Rr]ole|[Ff]ormat)"
    r" (?:can|must|may|should)(?: only)?(?: either)? be "
    r"((?:[\w-]+, ){1,12}[\w-]+,? or [\w-]+|[A-Z][A-Z_]+ or [A-Z][A-Z_]+)(?=[.;]|$)"
)
_VALUES = re.compile(r"\b(?:values|options)(?: are| include)?:|\bone of:", re.IGNORECASE)
_ITEM = re.compile(r"(?<![\w\"`])[\"`]([\w.+-]{1,40})[\"`](?=:|\s[-–]\s)")
"""A choice that is told with what it does: `"reader" - Provides read access`."""
_PIPED = re.compile(r"(?<![\w|'])('?[\w.-]{1,40}'?(?: ?\| ?'?[\w.-]{1,40}'?){2,30})(?![\w|'])")
_ONLY_CHOICES = re.compile(r"(?:[\w-]+,){3,}[\w-]+,?")
_LISTED = re.compile(
    r"\b(?:such as|e\.g\.,?|for example[,:]?|like):?(?: the)? "
    r"((?:[\w+#/.-]+, )+(?:(?:[\w+#/.-]+ )?(?:and|or) [\w+#/.-]*\w|[\w+#/.-]*\w(?=[.;:)]|,? etc|\s*\Z)))"
)
"""Examples in a row. Without `and` or `or` the sentence or bracket ends after the last: `such as a.com, that you own`
has one."""
_SHOWN = re.compile(
    r"(?:\b[Ee]\.g\.[,:]?|\b[Ff]or example[,:]?|\b[Ss]uch as:?) "
    r"[`\"“]{1,2}([\w][\w .:/+-]{0,40}+)[`\"”]{1,2}(?![`\"”,]| or| and)"
)
"""The one example that a description quotes."""
_SHOWN_BARE = re.compile(
    r"\b(?:e\.?g\.?|for example|such as|example)[,:]? "
    r"((?=[\w./@#+-]{0,38}[\d/_@#])[\w./@#+-]{2,38}[\w+])(?=[\s,;.)]|$)",
    re.IGNORECASE,
)
"""The one example that a description gives without quotes: `e.g. docker.io/library/alpine`."""
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun"
_MONTH = (
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
_LENGTH = r"(?:\d{1,3}|an?|one|two|three|four|five|six|ten) (?:minute|hour|day|night|week|month|year)s?"
SAID_OF_TIME = re.compile(rf"{_WEEKDAY}|{_MONTH}|\d{{1,2}}(?::[0-5]\d)? ?[ap]m|{_LENGTH}", re.IGNORECASE)
"""A day of the week, a month, an hour with its half of the day or a length of time, as people say it."""
_SAID_BARE = re.compile(
    rf"\b(?:e\.?g\.?|for example|for instance|such as)[,:]? ({SAID_OF_TIME.pattern})(?=[,;.)]?(?:\s*\Z|[)]))",
    re.IGNORECASE,
)
"""The one example that ends a description or a bracket: `Day, e.g. Tuesday`."""
_DEFAULT = re.compile(r"\bdefault", re.IGNORECASE)
_PREFIX = re.compile(r"\bprefix '", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[.;]|\Z")
_IS_OPEN = re.compile(r"such as|e\.g\.|for example|\blike\b|\betc\b|\brepresents\b|format", re.IGNORECASE)
_NO_VALUE = re.compile(r"yyyy|hh:|latitude|longitude|width|^string$|^none$|^null$", re.IGNORECASE)


@lru_cache(maxsize=16384)
def _quoted(described: str) -> tuple[str, ...]:
    """Short quoted words of a description, without the default, which is what is meant when nothing is said."""
    found = (text.strip().strip("*") for text in _QUOTE.findall(without_default(described)))
    return tuple(dict.fromkeys(text for text in found if text and not _NO_VALUE.search(text)))


def without_default(described: str) -> str:
    """Return a description without each clause that names a quoted default, up to its last quotation, and without the
    quotation after `prefix`; in time linear in its length.

    >>> without_default("Unit, 'km' or 'mi'; by default 'km'. Any.")
    "Unit, 'km' or 'mi';. Any."
    """
    kept: list[str] = []
    start = 0
    while start < len(described):
        end = _clause_end(described, start)
        if close := _end_of_default(described, start, end):
            start = close
            continue
        while (prefix := _PREFIX.search(described, start, end)) and (close := described.find("'", prefix.end())) >= 0:
            kept.append(described[start : prefix.start()])
            start = close + 1
            if start > end:  # the quotation reaches into another clause
                break
        if start <= end:
            kept.append(described[start : end + 1])
            start = end + 1
    return "".join(kept)


def _clause_end(text: str, start: int) -> int:
    """Return where the clause that `start` lies in ends: at a full stop, a semicolon or the end of the text."""
    found = _CLAUSE_END.search(text, start)
    return found.start() if found else len(text)


def _end_of_default(text: str, start: int, end: int) -> int:
    """Return where the last quotation that begins in a clause ends, 0 unless `default` stands before it there."""
    last = text.rfind("'", start, end)
    close = text.find("'", last + 1) if last >= 0 else -1
    if close < 0 <= last:
        last, close = text.rfind("'", start, last), last
    return close + 1 if last >= 0 and _DEFAULT.search(text, start, last) else 0


def without_number_sign(text: str) -> str:
    """Return a text without the sign for `number` before its digits: a sentence says `#1295`, the value is `1295`.

    >>> without_number_sign("#1295"), without_number_sign("#12a")
    ('1295', '#12a')
    """
    return _NUMBER_SIGN.sub("", text)


_NUMBER_SIGN = re.compile(r"\A#(?=\d+\Z)")


@lru_cache(maxsize=16384)
def _described_examples(described: str) -> tuple[str, ...]:
    if shown := _SHOWN.search(described):
        return (shown[1],)
    quoted = _quoted(described)
    if len(quoted) > 1 or (quoted and _IS_OPEN.search(described)):
        return quoted
    listed = _LISTED.search(described)
    bare = None if listed else _SHOWN_BARE.search(described) or _SAID_BARE.search(described)
    words = re.split(r", (?:and |or )?| (?:and|or) ", listed[1]) if listed else [bare[1]] if bare else []
    words = [without_number_sign(word) for word in words]
    return tuple(word for word in words if word and word not in ("etc", "and", "or") and not _NO_VALUE.search(word))


def example_values(schema: dict[str, Json]) -> list[Json]:
    """Return the examples of a schema: `examples`, `example`, else those in its description; not its default.

    What only stands for a value is none.

    >>> example_values({"example": "a string value"}), example_values({"examples": ["<name>", "Ann"]})
    ([], ['Ann'])
    """
    listed = schema.get("examples")
    found = list(listed) if isinstance(listed, list) else list(listed.values()) if isinstance(listed, dict) else []
    if schema.get("example") is not None:
        found.append(schema["example"])
    described = schema.get("description")
    if not found and isinstance(described, str) and type_of(schema) == "string":
        found = list(_described_examples(described))
    told = [_TAG.sub("", one) if isinstance(one, str) and _TAG.match(one) else one for one in found]
    return [one for one in told if not (isinstance(one, str) and _stands_for_one(one.strip()))]


_TAG = re.compile(r"</?(?:p|b|i|em|h[1-6]|ul|ol|li|div|span|strong|br)(?: [^<>]{0,200})?/?>", re.IGNORECASE)
"""Tags of HTML around a text, which nobody says."""


def _stands_for_one(text: str) -> bool:
    """Whether a text only stands for a value, as words of Latin do that say nothing: `Ut molestias laboriosam.`."""
    said = re.findall(r"[a-z]+", text.lower())
    is_latin = len(said) > 1 and len(_LATIN.intersection(said)) * _LATIN_SHARE >= len(said)
    return is_latin or _STANDS_FOR.fullmatch(text) is not None


_LATIN = frozenset(
    "lorem ipsum dolor sit amet consectetur adipiscing elit ut et aut quia qui quo quis quas quam quod molestias "
    "laboriosam voluptas voluptatem voluptatum voluptate voluptates repellendus repellat dolorem dolores doloribus "
    "dolore dolorum consequatur consequuntur accusantium accusamus laudantium reprehenderit temporibus perspiciatis "
    "exercitationem necessitatibus explicabo architecto inventore veritatis officiis eius eos eum nihil fugit fuga "
    "esse ea ex est enim sunt sed sint saepe rerum ratione quaerat provident possimus placeat pariatur omnis nulla "
    "nostrum neque natus minus minima maxime magnam iusto ipsa ipsam illum illo id harum facilis excepturi deserunt "
    "delectus cupiditate culpa cum corrupti corporis commodi blanditiis autem aspernatur asperiores alias aliquid "
    "aliquam assumenda atque beatae debitis deleniti dignissimos distinctio ducimus earum eligendi eveniet expedita "
    "hic incidunt impedit in iste itaque iure labore libero modi mollitia molestiae nam nemo nesciunt nisi nobis non "
    "numquam obcaecati odio odit optio perferendis porro praesentium quibusdam quidem quisquam quos recusandae "
    "reiciendis rem repudiandae sapiente sequi similique sit soluta suscipit tempora tempore tenetur totam ullam unde "
    "vel velit vero vitae".split()
)
_LATIN_SHARE = 2
"""Half of its words, at least."""


_STANDS_FOR = re.compile(
    r"(?:an? )?(?:string|integer|number|boolean)(?: value)?|<[^<>]{0,80}>|\{[^{}]{0,80}\}|x{3,80}|\.{2,80}"
    r"|your[ _.-][\w .-]{1,80}|lorem ipsum.{0,200}|(?:enter|insert|replace|put|change)[_-][\w-]{1,80}"
    r"|example[A-Z]\w{1,60}",
    re.IGNORECASE | re.DOTALL,
)
"""What documents write in place of a value."""


@lru_cache(maxsize=65536)
def singular(name: str) -> str:
    """Return the name of one item of a list.

    >>> singular("countries"), singular("addresses"), singular("status"), singular("tags"), singular("alias")
    ('country', 'address', 'status', 'tag', 'alias')
    """
    if len(name) < 2 or name.endswith(("series", "species")):
        return name
    for ending, single in _ENDINGS:
        if name.endswith(ending):
            return name[: -len(ending)] + single
    return name[:-1] if name.endswith("s") and not name.endswith(("ss", "us", "is")) and name not in _INITIALS else name


_ENDINGS = (
    *(("uris", "uri"), ("aliases", "alias"), ("alias", "alias")),
    *(("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch")),
    *(("shelves", "shelf"), ("halves", "half"), ("knives", "knife"), ("wolves", "wolf"), ("thieves", "thief")),
)
"""Endings of plurals that are no plain s; most in -ves are one (`drives`, `leaves` of work)."""
_INITIALS = frozenset("dns sms aws gps tls https sns sqs cors saas paas iaas nfs".split())
"""Initials that end in s, which is no plural."""
