"""Values that contradict no act: states, yes or no, amounts, and days in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal

from callwright.author.value_days import draw_clock
from callwright.author.value_makers import BAD
from callwright.author.value_scene import Scene
from callwright.environment.told_fields import (
    BEGINS,
    CHANGED,
    STATES,
    SUCCESS,
    Spot,
    act_of_moment,
    is_moment_of,
    is_noise,
)
from callwright.environment.tool_target import ToolTarget
from callwright.lang.dates import moment_layout, write
from callwright.lang.english import past_participle
from callwright.lang.kinds import Kind, kind_of
from callwright.lang.patterns import is_match, parse_pattern
from callwright.lang.schemas import name_words, plain_schema, singular, type_of
from callwright.lang.tokens import identifier_words, stem, stem_set
from callwright.records.jsontext import Json

Draw = Callable[[Scene], Json]

_FRESH = tuple("created draft new pending open active queued submitted scheduled unpaid enabled".split())
"""States of what was just created, the likeliest first."""
_YES = stem_set("active enabled valid can allow allows allowed available permitted visible confirmed verified exists")
SORTS = frozenset((("type",), ("kind",), ("object",), ("resource", "type"), ("object", "type"), ("entity", "type")))
"""Words of fields that say what sort of thing an object is."""
_STOPS = frozenset("end stop disable close pause deactivate suspend block cancel delete remove".split())
"""Verbs after which nothing is enabled or active."""
_PLAIN_ACTS = frozenset("update edit modify set change patch get list put replace manage".split())
"""Verbs that no state is named after."""


def stateful(verb: str) -> bool:
    """Whether a thing's state can be named after the act."""
    return bool(verb) and verb not in _PLAIN_ACTS


def state_maker(words: Sequence[str], options: Sequence[Json], spot: Spot, shown: Sequence[str] = ()) -> Draw:
    """Return how to draw a choice: the state that the act leads to, else one of a thing in order."""
    target = spot.target
    is_state = not STATES.isdisjoint(words[-1:])
    is_done = is_state and spot.role in ("thing", "reply") and target.act not in ("read", "list")
    if not options:
        is_over = target.verb in _STOPS and spot.target.act != "list"
        is_reached = is_over or (is_done and target.act in ("change", "delete") and stateful(target.verb))
        good = [one for one in shown if stem_set(one.lower()).isdisjoint(BAD) and not one.startswith("sample ")]
        done = past_participle(target.verb) if is_reached else next(iter(good), "active")
        return lambda scene: done
    stems = {str(one): stem_set(" ".join(identifier_words(str(one)))) for one in options}
    sort = stem(singular(spot.holder.lower()))
    if words[-1:] in (("type",), ("kind",), ("object",)) and any(sort in known for known in stems.values()):
        return lambda scene: next(one for one in options if sort in stems[str(one)])
    if is_done and stateful(target.verb):
        past = past_participle(target.verb)
        reached = next((one for one in options if past in str(one).lower()), None)  # deleted before deleting
        reached = reached or next((one for one in options if stem(target.verb) in stems[str(one)]), None)
        if reached is not None:
            return lambda scene: reached
    good = [one for one in options if stems[str(one)].isdisjoint(BAD)] or list(options)
    if is_done and target.act == "create":
        fresh = [one for word in _FRESH for one in good if stem(word) in stems[str(one)]]
        return lambda scene: (fresh or good)[0]
    return lambda scene: scene.rng.choice(good)


def flag_of(words: Sequence[str], schema: Mapping[str, Json], target: ToolTarget) -> Draw:
    """Return how to draw a yes or no: that the act was done and all is well."""
    stems = [stem(word) for word in words]
    listed = schema.get("enum")
    done, undone = stem(target.verb), stem(target.verb.removeprefix("un"))
    if isinstance(listed, list) and len(listed) == 1:
        flag = listed[0] is True
    elif done in stems or not SUCCESS.isdisjoint(stems) or _tells_of_success(words, target) or _is_it(words, target):
        flag = True
    elif undone in stems or is_noise(" ".join(words)) or not BAD.isdisjoint(stems):
        flag = False
    else:
        flag = target.verb not in _STOPS and (not _YES.isdisjoint(stems) or schema.get("default") is True)
    return lambda scene: flag


def _is_it(words: Sequence[str], target: ToolTarget) -> bool:
    """Whether a field says that a thing is what the tool is about: `is_channel` of a channel."""
    return words[0] == "is" and stem("".join(words[1:])) in (stem(target.noun), stem("".join(target.named)))


def _tells_of_success(words: Sequence[str], target: ToolTarget) -> bool:
    """Whether a field by itself says that a call that changes something was carried out: `result`, `accepted`."""
    is_ended = target.act == "delete" and len(words) == 1 and words[0] in ("deleted", "removed")
    return is_ended or (target.act not in ("read", "list") and len(words) == 1 and words[0] in _CARRIED_OUT)


_CARRIED_OUT = frozenset("result done completed acknowledged accepted succeeded".split())


def is_amount_pattern(schema: Mapping[str, Json]) -> bool:
    """Whether a pattern is one of amounts written as texts: `120.50` and `7` fit it."""
    text = schema.get("pattern")
    pattern = parse_pattern(text) if isinstance(text, str) else None
    if pattern is None or is_match(pattern, "abc"):
        return False
    return is_match(pattern, "120.50") and is_match(pattern, "7")


def money_text(scene: Scene) -> Json:
    """Draw an amount, written as a text."""
    return f"{scene.rng.randint(2, 90) * 10}.00"


def measure_text(words: tuple[str, ...]) -> Callable[[Scene], Json] | None:
    """Return how to draw a measure that is written as a text, with its unit; None for other fields."""
    found = _UNITS.get(words[-1]) if words else None
    if found is None:
        return None
    low, high, unit = found
    return lambda scene: f"{scene.rng.randint(low * 10, high * 10) / 10:g} {unit}"


_UNITS = {
    "distance": (2, 400, "km"),
    "length": (1, 90, "m"),
    "width": (1, 40, "m"),
    "height": (1, 40, "m"),
    "depth": (1, 40, "m"),
    "altitude": (20, 900, "m"),
    "elevation": (20, 900, "m"),
    "duration": (10, 180, "minutes"),
    "speed": (10, 120, "km/h"),
    "weight": (1, 90, "kg"),
    "temperature": (4, 28, "°C"),
    "area": (20, 900, "m²"),
    "volume": (1, 90, "l"),
}
"""Fewest, most and unit of measures."""


# -- days --------------------------------------------------------------------------------------------------------------

Tense = Literal["asked", "begun", "starts", "done", "ahead"]
_AHEAD = stem_set(
    "due deadline expires expire expiry expiration expected estimated arrival end ends until renewal next scheduled "
    "purged valid departure ready delivery collection appointment effective visit pickup interview viewing"
)
_STARTS = stem_set("start started from since begin began born first")
_NOT_AHEAD = frozenset(("from", "since", stem("previous"), "last"))
"""Words that begin a span or name what is over, also beside `valid` and `scheduled`."""
_ASKED = stem_set("invited requested ordered applied placed")
"""Acts that others wait for: who joined was invited before."""
Dated = Callable[[Scene], dict[str, Json]]


def tense_of_field(name: str) -> Tense:
    """Return when the moment of a field lies, by its words."""
    stems = {stem(word) for word in name_words(name)}
    if stems & _AHEAD and not stems & (BEGINS | CHANGED | _NOT_AHEAD):
        return "ahead"
    if stems & _ASKED and not stems & CHANGED:
        return "asked"
    if stems & CHANGED:
        return "done"
    return "begun" if stems & BEGINS else "starts" if stems & _STARTS else "done"


def moment_plan(properties: Mapping[str, dict[str, Json]]) -> Dated:
    """Return how to draw the days of an object: creation before start and change, all before today."""
    plan = [(name, *one) for name, schema in properties.items() if (one := _moment_of(name, schema))]
    plan.sort(key=lambda one: one[1] == "ahead")
    lasting = next((name for name, one in properties.items() if _is_minutes(name, one)), "")

    def draw(scene: Scene) -> dict[str, Json]:
        if not plan:
            return {}
        past = scene.rng.randint(4, 120)
        age = {"begun": past, "done": scene.rng.randint(1, past - 1), "ahead": -scene.rng.randint(3, 60)}
        age["asked"] = past + 2
        age["starts"] = past - 1 - past % 3 if any(tense == "begun" for _, tense, _, _ in plan) else past
        drawn: dict[str, Json] = {}
        moments: dict[frozenset[str], datetime] = {}
        for name, tense, schema, is_day in plan:
            day = scene.today - timedelta(age[tense])
            clock = draw_clock(scene, "end" if tense == "done" else "start")
            moment = moments.setdefault(act_of_moment(name_words(name)), datetime.combine(day, clock))
            start = next((one for words, one in moments.items() if words & _STARTS), None)
            if lasting and start and tense == "ahead" and "end" in name_words(name):
                moment, drawn[lasting] = start + timedelta(minutes=_USUAL_MINUTES), _USUAL_MINUTES
            made = written(moment, schema, is_day=is_day)
            if made is not None:
                drawn[name] = made
        return drawn

    return draw


def _is_minutes(name: str, schema: dict[str, Json]) -> bool:
    """Whether a field tells in minutes how long something takes from its start to its end."""
    is_free = type_of(schema) == "integer" and {"enum", "minimum", "maximum", "multipleOf"}.isdisjoint(schema)
    return is_free and name_words(name) in (("duration",), ("duration", "minutes"))


_USUAL_MINUTES = 60
_OF_BIRTH = ("birth", "dob", "born")


def _moment_of(name: str, schema: dict[str, Json]) -> tuple[Tense, dict[str, Json], bool] | None:
    plain = plain_schema(schema)
    kind, words = kind_of(name, plain), name_words(name)
    kind = "datetime" if kind == "time" and "date" in str(plain.get("format")) else kind  # `google-datetime`
    if (
        type_of(plain) not in ("string", "integer", "number")
        or "enum" in plain
        or any(word.startswith(_OF_BIRTH) for word in words)
    ):
        return None
    is_stamp = words[-1:] in (("at",), ("ts",), ("timestamp",)) or is_moment_of(words, BEGINS | CHANGED)
    is_bare = {"pattern", "example", "examples", "default"}.isdisjoint(plain) and plain.get("format") != "time"
    if "pattern" in plain and (is_stamp or kind_of(name, {"type": "string"}) in _MOMENTS):
        is_stamp, is_bare = True, written(_ANY_MOMENT, plain, is_day=False) is not None
    if kind not in ("date", "datetime") and not (is_stamp and (type_of(plain) != "string" or is_bare)):
        return None
    return tense_of_field(name), plain, kind == "date"


_MOMENTS: frozenset[Kind] = frozenset(("date", "datetime", "time"))
_ANY_MOMENT = datetime(2026, 5, 4, 9, 30)


def written(moment: datetime, schema: dict[str, Json], *, is_day: bool) -> Json:
    """Return a moment as a field writes it; None where its pattern takes no form of it."""
    text = schema.get("pattern")
    pattern = parse_pattern(text) if isinstance(text, str) else None
    number = type_of(schema) != "string"
    if number:
        return write(moment, "unix", as_text=False)
    made = write(moment.date() if is_day else moment, moment_layout(schema, "date" if is_day else "datetime"))
    stamp = write(moment, "unix")
    whole = moment.isoformat()
    forms = (made, stamp, f"{stamp}.{moment.minute:03}{moment.hour:03}", whole, f"{whole}Z", f"{whole}.000Z")
    return next((one for one in forms if pattern is None or is_match(pattern, str(one))), None)
