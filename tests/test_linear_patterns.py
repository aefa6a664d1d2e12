"""Every regular expression of the package takes time linear in its text, also on text made against it."""

from __future__ import annotations

import re
import resource
import signal
import subprocess
import sys
import time
from heapq import nlargest

from callwright.catalog.slot_names import _known_words
from found_patterns import Found, all_patterns, unread_places
from hard_texts import hard_texts, is_bounded

_PATIENCE_S = 6
"""Processor seconds for one expression over all its short texts, and again over its long ones; the slowest linear one
takes a third of that, a quadratic one twice as long."""
_SHORT, _LONG_TEXTS, _LONG = 2_000, 3, 100_000


def test_every_expression_of_the_package_is_linear() -> None:
    """No expression uses up its processor time on texts of up to 100,000 characters made against it."""
    assert slow_ones_in_a_child("package") == []


def test_planted_expressions_that_are_not_linear_are_found() -> None:
    """Three quadratic expressions and a cubic one are named, and a linear one beside them is not."""
    assert slow_ones_in_a_child("planted") == [
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


def slow_ones_in_a_child(which: str) -> list[str]:
    """Return the places of the expressions that took too long in a process of their own."""
    done = subprocess.run([sys.executable, __file__, which], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    *slow, last = done.stdout.splitlines()
    assert last == "done"
    return slow


def use_up(found: Found) -> None:
    """Put an expression to all short texts, and to long forms of those that took it longest."""
    for method in found.methods:
        allow_patience()
        took = [seconds(found.pattern, method, text) for text in hard_texts(found.pattern, _SHORT)]
        worst = set(nlargest(_LONG_TEXTS, range(len(took)), key=took.__getitem__))
        allow_patience()
        for at, text in enumerate(hard_texts(found.pattern, _LONG)):
            if at in worst:
                seconds(found.pattern, method, text)


def allow_patience() -> None:
    """Send SIGXCPU once the process has used so much more processor time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + 1 + _PATIENCE_S
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def seconds(pattern: re.Pattern[str], method: str, text: str) -> float:
    """Return the time that a method of the expression needs for a text."""
    start = time.perf_counter()
    result = getattr(pattern, method)(text)
    if method == "finditer":
        for _ in result:
            pass
    return time.perf_counter() - start


def main(which: str) -> None:
    """Print the place of each expression that takes longer than its processor time, and `done` at the end."""

    def give_up(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGXCPU, give_up)
    for found in planted() if which == "planted" else [*all_patterns(), *from_data()]:
        if is_bounded(found.pattern):
            continue
        try:
            use_up(found)
        except TimeoutError:
            print(found.where, flush=True)
    print("done")


if __name__ == "__main__":
    main(sys.argv[1])
