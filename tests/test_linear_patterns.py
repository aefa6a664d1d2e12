"""Every regular expression of the package takes time linear in its text, also on text made against it."""

from __future__ import annotations

import re
import signal
import time
from heapq import nlargest

from callwright.catalog.slot_names import _known_words
from found_patterns import Found, all_patterns, unread_places
from hard_texts import HardText, hard_texts, is_bounded

_SHORT, _WORST = 1_000, 5
"""So many of the texts of this length are put longer: those that took longest."""
_SIZES = (2_000, 8_000, 32_000)
_MOST_GROWTH = 6
"""Most times the processor time of a text four times as short: 4 is linear, 16 is quadratic."""
_LEAST_S = 0.002
"""What needs less for its longest text is too quick to be measured, and never quadratic."""
_PATIENCE_S = 0.5
"""Processor seconds for one text; a linear expression needs a tenth, a cubic one may never end."""


def test_every_expression_of_the_package_is_linear() -> None:
    """No expression takes more than its share of time for a longer text that was made against it."""
    unbounded = [found for found in [*all_patterns(), *from_data()] if not is_bounded(found.pattern)]
    assert len(unbounded) > 100
    assert [found.where for found in unbounded if is_slow(found)] == []


def test_planted_expressions_that_are_not_linear_are_found() -> None:
    """Three quadratic expressions and a cubic one are named, and a linear one beside them is not."""
    assert [found.where for found in planted() if is_slow(found)] == [
        "planted.QUADRATIC",
        "planted.CUBIC",
        "planted.OF_MANY",
        "planted.NUMERAL",
    ]


def test_expressions_are_found_wherever_they_stand() -> None:
    """Names of modules, tables in modules and calls inside functions are searched."""
    places = {found.where for found in all_patterns()}
    assert {"callwright.lang.schemas._QUOTE", "callwright.lang.kinds._OPENING"} <= places
    assert any(re.fullmatch(r"callwright\.papers\.wild\.\w+:\d+", place) for place in places)
    assert len(places) > 300


def test_what_is_compiled_elsewhere_is_known() -> None:
    """These join escaped words, which repeat nothing, or read a data file (`from_data`)."""
    assert unread_places() == {
        "callwright.catalog.slot_names._known_words",
        "callwright.lang.surface._without_other_currencies",
        "callwright.measure.repetition.__init__",
        "callwright.papers.fnctod.delexicalised._by_act",
        "callwright.papers.fnctod.delexicalised._by_database",
        "callwright.papers.wild.woven_values._counted",
    }


def from_data() -> list[Found]:
    """The expressions of a data file that are compiled when they are first needed."""
    return [Found(f"asks:{one.pattern.pattern}", one.pattern, frozenset(("finditer",))) for one in _known_words().asks]


def planted() -> list[Found]:
    """Four expressions that the package once had, and one that was put right."""
    once = {
        "planted.QUADRATIC": r"\s+([,.?!;:])(?=\s|$)",
        "planted.CUBIC": r"[^.;]*\bdefault[^.;]*'[^']*'|\bprefix '[^']*'",
        "planted.OF_MANY": r'"[^"]*[a-z0-9][^"]*"|\b(?:two|three|(?:mon|tues)day|january|february|march|april|june)\b',
        "planted.NUMERAL": r"-?\d*\.?\d+",
        "planted.LINEAR": r"(?<!\s)\s+([,.?!;:])(?=\s|$)",
    }
    return [Found(where, re.compile(source), frozenset(("finditer", "fullmatch"))) for where, source in once.items()]


def is_slow(found: Found) -> bool:
    """Whether the time of the expression grows faster than its text, or is used up."""

    def give_up(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, give_up)
    try:
        return any(grows(found.pattern, method) for method in sorted(found.methods))
    except TimeoutError:
        return True
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def grows(pattern: re.Pattern[str], method: str) -> bool:
    """Whether a method of the expression takes too long for a longer form of one of its worst short texts."""
    worst = nlargest(_WORST, hard_texts(pattern), key=lambda text: seconds(pattern, method, text.of(_SHORT)))
    return any(grows_on(pattern, method, text) for text in worst)


def grows_on(pattern: re.Pattern[str], method: str, text: HardText) -> bool:
    """The same of one text; longer forms are tried only while they take too long."""
    took = least(pattern, method, text.of(_SIZES[0]))
    for size in _SIZES[1:]:
        before, took = took, least(pattern, method, text.of(size))
        if took <= _MOST_GROWTH * before:
            return False
    return took > _LEAST_S


def least(pattern: re.Pattern[str], method: str, text: str) -> float:
    """Return the least of three times, as something else may come between."""
    return min(seconds(pattern, method, text) for _ in range(3))


def seconds(pattern: re.Pattern[str], method: str, text: str) -> float:
    """Return the processor time that a method of the expression needs for a text."""
    signal.setitimer(signal.ITIMER_PROF, _PATIENCE_S)
    start = time.thread_time()  # that of the process is counted in ticks while a timer runs
    result = getattr(pattern, method)(text)
    if method == "finditer":
        for _ in result:
            pass
    return time.thread_time() - start
