"""Days and hours that fit the act: ahead for what is booked, behind for what is reported, ends after beginnings."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Literal

from callwright.author.value_scene import Scene
from callwright.lang.dates import moment_layout, parse_day, write
from callwright.lang.kinds import Kind
from callwright.lang.schemas import type_of
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.records.jsontext import Json

Tense = Literal["ahead", "behind", "birth"]
Edge = Literal["start", "end", ""]

_BIRTH = re.compile(r"\bbirth(?:day|date)?\b|\bdob\b|\bborn\b")
_EXPECTED = re.compile(r"\bexpected|\bdue\b|\bplanned")
_AHEAD = re.compile(
    r"\b(?:due|deadline|expir\w*|departure|arrival|check-?in|check-?out|return|needed|pick-?up|renewal|valid|new|"
    r"appointment|until|planned|delivery)\b"
)
_PAST_ACT = re.compile(r"(?:\w+ )?[a-z]{3,20}ed (?:at|on|date)")
"""A parameter that tells when something was done, such as `trashed_at`. Its days lie in the past."""
_STILL_AHEAD = re.compile(r"\b(?:expir\w*|valid until|needed|deadline|renewal|expected|estimated|next)\b")
_BEHIND = re.compile(
    r"\b(?:purchased?|receipt|incident|created?|creation|"
    r"change date|completed|completion|found|requested|updated|modified|histor\w*|past|"
    r"issued?|joined|expense|worked|lost|received|paid|occurred|since|signed)\b"
)
_READ_AHEAD = re.compile(
    r"\b(?:forecast|future|upcoming|availab\w*|flights?|hotels?|schedules?|rooms?|trip|calendar|appointments?|events?)\b"
)
_OF_THE_PAST = re.compile(r"histor|\breports?\b|\bstatistics\b|\blogs?\b")
_TOLD = frozenset({"report", "claim", "log", "record", "delete", "archive", "dispute", "refund"})
_DONE = re.compile(r"\btime entr|\btimesheet|\bwork ?log")
_START = frozenset("start from begin beginning departure checkin pickup since after first earliest effective".split())
_END = frozenset(
    "end to until return checkout dropoff due before expiry expires expiration last latest deadline close out stop "
    "arrival".split()
)
_SHORT_START = frozenset(("sdate", "stime", "sday"))
_SHORT_END = frozenset(("edate", "etime", "eday"))


def tense_of(name: str, described: str, about: str) -> Tense:
    """Return where the day of a parameter lies, by its own words first, then by its tool's.

    What is read lies behind, but for forecasts and bookings; what is reported too; what is done lies ahead.
    """
    own = f"{name} {described}"
    if _BIRTH.search(own) and not _EXPECTED.search(own):
        return "birth"
    verb = about.partition(" ")[0]
    if (_BEHIND.search(own) or _PAST_ACT.fullmatch(name) or name.endswith(("ts", "timestamp"))) and not _AHEAD.search(
        own
    ):
        return "behind"
    if _STILL_AHEAD.search(own):
        return "ahead"
    if verb in LOOKUPS:
        return "ahead" if _READ_AHEAD.search(about) and not _OF_THE_PAST.search(about) else "behind"
    return "behind" if verb in _TOLD or _DONE.search(about) else "ahead"


def edge_of(words: tuple[str, ...]) -> Edge:
    """Return whether a parameter begins or ends something, by its name."""
    if "out" in words:
        return "end"
    for word in words:
        if word in _START or word in _SHORT_START:
            return "start"
        if word in _END or word in _SHORT_END:
            return "end"
    return ""


def draw_day(scene: Scene, tense: Tense, edge: Edge) -> date:
    """Return a day of that tense; an end lies after the call's first day, other days lie near it."""
    rng = scene.rng
    if tense == "birth":
        return scene.today - timedelta(rng.randint(19 * 365, 66 * 365))
    if scene.start is not None and edge == "end":
        gap = rng.choice((1, 2, 3, 4, 5, 7, 10, 14))
        ends = scene.start + timedelta(gap)
        return min(ends, scene.today) if tense == "behind" and scene.start < scene.today else ends
    if tense == "ahead":
        day = scene.workday(scene.today + timedelta(_spread(rng, 1, 75)))
    else:
        nearest = 8 if edge == "start" else 1
        day = scene.today - timedelta(_spread(rng, nearest, nearest + 90))
    if scene.start is None and edge != "end":
        scene.start = day
    return day


def _spread(rng: Random, nearest: int, farthest: int) -> int:
    """Return a number of days, the near ones more often: as many below ten as above."""
    return round(math.exp(rng.uniform(math.log(nearest), math.log(farthest))))


_QUARTERS = (0, 0, 0, 0, 30, 30, 15, 45)


def draw_clock(scene: Scene, edge: Edge) -> time:
    """Return a time of day at work, on a quarter; ends lie in the afternoon."""
    hour = scene.rng.randint(13, 17) if edge == "end" else scene.rng.randint(8, 12 if edge == "start" else 17)
    return time(hour, scene.rng.choice(_QUARTERS))


def day_maker(
    schema: dict[str, Json], kind: Kind, words: tuple[str, ...], described: str, about: str
) -> Callable[[Scene], Json]:
    """Return how to draw a date, a date with time or a time of day, in the schema's layout."""
    layout, edge = moment_layout(schema, kind), edge_of(words)
    as_text = type_of(schema) not in ("integer", "number")
    if kind == "time":
        return lambda scene: write(draw_clock(scene, edge), layout)
    tense = tense_of(" ".join(words), described, about)
    if kind == "date":
        return lambda scene: write(_readable(scene, draw_day(scene, tense, edge), layout, tense), layout)
    if tense == "birth" or layout == "unix":
        return lambda scene: write(draw_day(scene, tense, edge), layout, as_text=as_text)

    def with_time(scene: Scene) -> Json:
        return write(datetime.combine(draw_day(scene, tense, edge), draw_clock(scene, edge)), layout)

    return with_time


def _readable(scene: Scene, day: date, layout: str, tense: Tense) -> date:
    """Return a day that its layout gives back: not `05/11/2026` of May 11, which is 5 November to others."""
    first, step = day, timedelta(1 if tense == "ahead" else -1)
    for _ in range(_MOST_MOVED):
        if "%d" not in layout or parse_day(write(day, layout), scene.today) == day:
            break
        day += step
    if scene.start == first:
        scene.start = day
    return day


_MOST_MOVED = 31


def draw_year(scene: Scene, words: tuple[str, ...]) -> int:
    """Return a year: some years back for a start, recent otherwise."""
    this = scene.today.year
    if edge_of(words) == "start":
        return this - scene.rng.randint(5, 12)
    return this - scene.rng.randint(1, 4)
