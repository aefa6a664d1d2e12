"""Lint as a gate of continuous integration: a baseline of pairs that are known, and the report that CI servers read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, tostring

from callwright.errors import BadInput
from callwright.formats.document import read_bounded
from callwright.records.jsontext import parse

if TYPE_CHECKING:
    from callwright.catalog.lint import LintReport


def read_baseline(path: Path) -> tuple[tuple[str, str], ...]:
    """Return the pairs that an earlier `lint --json` printed. Raises BadInput where it is none, or lists not all."""
    document = parse(read_bounded(path), where=str(path))
    pairs = document.get("pairs") if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(pairs, list):
        raise BadInput(f"{path}: no output of `callwright lint --json`. Make one of the catalogue as it was.")
    named = [(pair.get("a"), pair.get("b")) for pair in pairs if isinstance(pair, dict)]
    found = tuple((a, b) for a, b in named if isinstance(a, str) and isinstance(b, str))
    if len(found) != document.get("pairs_total"):
        raise BadInput(f"{path}: it lists not all of its pairs. Make it with --json --all-pairs.")
    return found


def junit_document(report: LintReport) -> bytes:
    """Return the report as JUnit XML: each pair is a failure, and so is what is not listed."""
    suite = Element("testsuite", name="callwright lint", tests=str(report.tools), failures=str(report.pairs_total))
    for pair in report.pairs:
        case = SubElement(suite, "testcase", classname="callwright.lint", name=_plain(f"{pair.a} / {pair.b}"))
        failure = SubElement(case, "failure", message=f"easily taken for one another ({pair.score:.2f})")
        failure.text = _plain("\n".join(pair.apart))
    if rest := report.pairs_total - len(report.pairs):
        case = SubElement(suite, "testcase", classname="callwright.lint", name=f"{rest} more pairs")
        SubElement(case, "failure", message="not listed here: --json --all-pairs has them")
    if not report.pairs_total:
        SubElement(suite, "testcase", classname="callwright.lint", name="no tools are taken for one another")
    return bytes(tostring(suite, encoding="utf-8", xml_declaration=True))


def _plain(text: str) -> str:
    """The text without what XML cannot hold."""
    return "".join(char if char.isprintable() or char == "\n" else " " for char in text)
