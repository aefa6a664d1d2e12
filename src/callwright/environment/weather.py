"""What measures of the weather leave open: no snow when it is warm, no fog in dry air, no gust below the wind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from callwright.environment.echoes import Edit
from callwright.environment.tool_target import ToldPlace
from callwright.lang.schemas import name_words, options_of, plain_schema

_TEMPERATURES = frozenset(("temp", "temperature"))
_NOW = frozenset(("temp", "temperature", "current", "c", "celsius", "air"))
"""Words of which the field consists that tells how warm it is, in degrees Celsius."""
_FELT = frozenset("feels feelslike felt apparent".split())
_SNOW = re.compile(r"\bsnow(?:y|fall)?\b", re.IGNORECASE)
_FOG = re.compile(r"\bfog(?:gy)?\b", re.IGNORECASE)
_FREEZING, _HUMID, _FELT_APART = 3, 80, 5


def plausible(place: ToldPlace) -> Iterator[Edit]:
    """Yield what makes the measures in one object go together, and its words for the weather with them."""
    numbers = {name_words(name): (name, one) for name, one in place.fields.items() if type(one) in (int, float)}
    warm = next((one for words, (_, one) in numbers.items() if _is_temperature(words)), None)
    humid = next((one for words, (_, one) in numbers.items() if words == ("humidity",)), None)
    wind = next((one for words, (_, one) in numbers.items() if words in (("wind", "speed"), ("wind",))), None)
    for words, (name, one) in numbers.items():
        assert isinstance(one, (int, float))
        if "gust" in words[-2:] and isinstance(wind, (int, float)) and one < wind:
            yield Edit(place.fields, name, wind)
        is_felt = not _FELT.isdisjoint(words) and isinstance(warm, (int, float))
        if is_felt and isinstance(warm, (int, float)) and abs(one - warm) > _FELT_APART and "f" not in words:
            yield Edit(place.fields, name, warm)
    is_warm = isinstance(warm, (int, float)) and warm > _FREEZING
    is_dry = isinstance(humid, (int, float)) and humid < _HUMID
    for held in (place.fields, *(one for one in place.fields.values() if isinstance(one, dict))):
        options = {name: options_of(plain_schema(place.properties.get(name))) for name in held}
        for name, told in held.items():
            for pattern, other in ((_SNOW, "rain"),) * is_warm + ((_FOG, "cloud"),) * is_dry:
                if isinstance(told, str) and pattern.search(told):
                    made = pattern.sub(_like(pattern.findall(told)[0], other), told)
                    left = [one for one in options[name] if not _SNOW.search(str(one)) and not _FOG.search(str(one))]
                    yield Edit(held, name, left[0] if left else made)


def _is_temperature(words: tuple[str, ...]) -> bool:
    return not _TEMPERATURES.isdisjoint(words) and _NOW.issuperset(words)


def _like(told: str, other: str) -> str:
    """Return another word with the ending and the capital of a told one: `Foggy` gives `Cloudy`."""
    made = f"{other}y" if told.lower().endswith("y") else f"{other}s" if other == "cloud" else other
    return made.capitalize() if told[:1].isupper() else made
